//! Dead states and useless acceptance removed, component by component.
//!
//! 1. States that are unreachable or from which no accepting run starts go.
//! 2. Marks matter only inside accepting components: elsewhere they go.
//! 3. In one component a set is superfluous when all edges inside belong to it, or when another set is contained in
//!    it. What remains is renumbered per component, so that the automaton needs as many sets as its neediest
//!    component. (Somenzi–Bloem 2000; Babiak et al., SPIN 2013.)

use super::rebuild;
use crate::scc::Sccs;
use crate::{Edge, Marks, Tgba};

/// What to put on edges between components, where marks have no meaning: it may help a later
/// simulation to find states alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// No mark.
    None,
    /// On edges into an accepting component the marks that the construction gave, no mark elsewhere.
    Entering,
    /// Leave all marks as they are: only dead states go.
    Keep,
}

/// `a` without dead states and useless marks; the automaton of the empty language keeps its initial state.
pub fn trim(mut a: Tgba, outside: Outside) -> Tgba {
    let sccs = Sccs::new(&a);
    let useful = sccs.useful(&a);
    let kept: Vec<Vec<u32>> = (0..sccs.components.len())
        .map(|i| if sccs.components[i].accepting { useful_sets(&a, &sccs, i as u32) } else { Vec::new() })
        .collect();
    // A cycle that must not be accepted needs a set to miss.
    let rejecting =
        (0..useful.len()).any(|i| useful[i] && !sccs.components[i].trivial && !sccs.components[i].accepting);
    let sets = (kept.iter().map(Vec::len).max().unwrap_or(0) as u32).max(u32::from(rejecting));
    let mut number = vec![u32::MAX; a.states()];
    let mut count = 0;
    for (s, &c) in sccs.of.iter().enumerate() {
        if c != Sccs::UNREACHABLE && useful[c as usize] {
            number[s] = count;
            count += 1;
        }
    }
    let mut initial: Vec<u32> =
        a.initial.iter().map(|&s| number[s as usize]).filter(|&s| s != u32::MAX).collect();
    initial.dedup();
    if initial.is_empty() {
        let mut b = rebuild(&mut a, 1, vec![0], Vec::new());
        b.sets = 0;
        return b;
    }
    let sets = if outside == Outside::Keep { a.sets } else { sets };
    let all = Marks::first(sets);
    let mut edges: Vec<(u32, Edge)> = Vec::with_capacity(a.edge_count());
    for (s, &c) in sccs.of.iter().enumerate() {
        if number[s] == u32::MAX {
            continue;
        }
        for e in a.edges(s as u32) {
            let to = number[e.to as usize];
            if to == u32::MAX {
                continue;
            }
            let inside = sccs.of[e.to as usize] == c;
            let entering = outside == Outside::Entering
                && !inside
                && sccs.components[sccs.of[e.to as usize] as usize].accepting;
            let marks = if outside == Outside::Keep {
                e.marks
            } else if inside && sccs.components[c as usize].accepting || entering {
                let kept = &kept[sccs.of[e.to as usize] as usize];
                let mut m = all.without(Marks::first(kept.len() as u32));
                for (i, &k) in kept.iter().enumerate() {
                    if e.marks.has(k) {
                        m |= Marks::one(i as u32);
                    }
                }
                m
            } else {
                Marks::NONE
            };
            edges.push((number[s], Edge { to, label: e.label, marks }));
        }
    }
    let mut b = rebuild(&mut a, count as usize, initial, edges);
    b.sets = sets;
    b
}

/// The sets that a component needs: none that every edge has, and of two where one contains the other the smaller.
fn useful_sets(a: &Tgba, sccs: &Sccs, c: u32) -> Vec<u32> {
    let mut together = vec![a.all(); a.sets as usize]; // together[i]: the marks on every edge that has mark i
    let mut on_all = a.all();
    for &s in &sccs.components[c as usize].states {
        for e in a.edges(s) {
            if sccs.of[e.to as usize] == c {
                on_all = on_all & e.marks;
                for i in e.marks.iter() {
                    together[i as usize] = together[i as usize] & e.marks;
                }
            }
        }
    }
    let mut kept = a.all().without(on_all);
    for i in 0..a.sets {
        // Set i contains set j when every edge with mark j has mark i.
        let contains_another = kept.iter().any(|j| j != i && together[j as usize].has(i));
        if kept.has(i) && contains_another {
            kept = kept.without(Marks::one(i));
        }
    }
    kept.iter().collect()
}
