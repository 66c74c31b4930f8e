//! Propositions forgotten: the labels' existential quantification, for those that stand for the past.

use crate::{Edge, Label, Labels, Tgba};
use std::collections::HashMap;

/// `a` without the propositions called `names`; an edge reads a letter if it did with some values for them.
pub fn project(a: Tgba, names: &[String]) -> Tgba {
    let mut map: Vec<Option<u32>> = Vec::with_capacity(a.aps.len());
    let mut kept = Vec::new();
    for name in &a.aps {
        let keep = !names.contains(name);
        map.push(keep.then_some(kept.len() as u32));
        if keep {
            kept.push(name.clone());
        }
    }
    if kept.len() == a.aps.len() {
        return a;
    }
    let mut labels = Labels::new();
    let mut known: HashMap<Label, Label> = HashMap::new();
    let mut edges = Vec::with_capacity(a.edge_count());
    for s in 0..a.states() as u32 {
        for e in a.edges(s) {
            let label =
                *known.entry(e.label).or_insert_with(|| forget(&a.labels, e.label, &map, &mut labels));
            edges.push((s, Edge { label, ..*e }));
        }
    }
    let mut b = Tgba::default();
    b.aps = kept;
    b.labels = labels;
    b.sets = a.sets;
    b.initial = a.initial.clone();
    b.state_marks = a.state_marks.clone();
    b.set_edges(a.states(), &edges);
    b
}

fn forget(from: &Labels, label: Label, map: &[Option<u32>], to: &mut Labels) -> Label {
    let mut cubes = Vec::new();
    from.cubes(label, |cube| {
        cubes.push(cube.to_vec());
        true
    });
    let mut all = Label::FALSE;
    for cube in cubes {
        let mut product = Label::TRUE;
        for (v, positive) in cube {
            if let Some(v) = map[v as usize] {
                let var = to.var(v);
                let literal = if positive { var } else { to.not(var) };
                product = to.and(product, literal);
            }
        }
        all = to.or(all, product);
    }
    all
}
