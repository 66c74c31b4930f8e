//! Do two automata share a word? The synchronous product, explored only as far as its labels are satisfiable.

use crate::scc::is_empty;
use crate::{Edge, Label, Labels, Tgba};
use std::collections::HashMap;

/// The product of `a` and `b`, whose propositions are matched by name; its marks are those of `a`, then those of `b`.
/// `None` if there are more acceptance sets than marks.
pub fn product(a: &Tgba, b: &Tgba) -> Option<Tgba> {
    if a.sets + b.sets > crate::Marks::MAX {
        return None;
    }
    let mut p = Tgba::default();
    p.aps = a.aps.clone();
    p.labels = a.labels.clone();
    p.sets = a.sets + b.sets;
    let mut map = Vec::with_capacity(b.aps.len());
    for name in &b.aps {
        let at = p.aps.iter().position(|n| n == name).unwrap_or_else(|| {
            p.aps.push(name.clone());
            p.aps.len() - 1
        });
        map.push(at as u32);
    }
    let mut translated: HashMap<Label, Label> = HashMap::new();
    let mut number: HashMap<(u32, u32), u32> = HashMap::new();
    let mut nodes: Vec<(u32, u32)> = Vec::new();
    let mut id = |nodes: &mut Vec<(u32, u32)>, node| {
        *number.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    };
    for &s in &a.initial {
        for &t in &b.initial {
            let n = id(&mut nodes, (s, t));
            p.initial.push(n);
        }
    }
    let mut edges = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        let (s, t) = nodes[at];
        for f in b.edges(t) {
            let label_b =
                *translated.entry(f.label).or_insert_with(|| rename(&b.labels, f.label, &map, &mut p.labels));
            for e in a.edges(s) {
                let label = p.labels.and(e.label, label_b);
                if label != Label::FALSE {
                    let to = id(&mut nodes, (e.to, f.to));
                    let marks = e.marks | crate::Marks(f.marks.0.checked_shl(a.sets).unwrap_or(0));
                    edges.push((at as u32, Edge { to, label, marks }));
                }
            }
        }
        at += 1;
    }
    p.set_edges(nodes.len(), &edges);
    Some(p)
}

/// `label` of `from` in `to`, with variable v called `map[v]`.
pub(crate) fn rename(from: &Labels, label: Label, map: &[u32], to: &mut Labels) -> Label {
    let mut all = Label::FALSE;
    let mut cubes = Vec::new();
    from.cubes(label, |cube| {
        cubes.push(cube.to_vec());
        true
    });
    for cube in cubes {
        let mut product = Label::TRUE;
        for (v, positive) in cube {
            let var = to.var(map[v as usize]);
            let literal = if positive { var } else { to.not(var) };
            product = to.and(product, literal);
        }
        all = to.or(all, product);
    }
    all
}

/// Do `a` and `b` have no word in common? False also if that is not known because there are too many sets.
pub fn disjoint(a: &Tgba, b: &Tgba) -> bool {
    product(a, b).is_some_and(|p| is_empty(&p))
}
