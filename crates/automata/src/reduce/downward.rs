//! States and edges that a later part of the automaton makes superfluous.
//!
//! Marks on an edge between two components mean nothing: a run takes it at most once. So such an edge, when it
//! imitates another, may be given all marks, and when it is imitated, none. The simulation relation that results still
//! implies inclusion of languages, but it is no longer transitive and merging freely would close cycles that were
//! open. Used downwards it is safe: what is dropped is replaced by something in a strictly later component, a run
//! makes the replacement finitely often, and each replacement keeps the language.
//!
//! - State s is replaced by t in a later component when each simulates the other.
//! - Of edges p → s and p → t with the same letter, the first goes when t simulates s and lies in a later component
//!   than p.

use super::simulation::{Direction, Neighbours, STATES, compact, few_edges, relation};
use crate::scc::Sccs;
use crate::translate::Budget;
use crate::{Edge, Label, Marks, Tgba};

/// `a` without what later components make superfluous.
pub fn downward(mut a: Tgba, budget: &Budget) -> Tgba {
    let n = a.states();
    if n > STATES || !few_edges(&a) || a.state_marks.is_some() {
        return a;
    }
    let sccs = Sccs::new(&a);
    let mut graph = Neighbours::new(&a, Direction::Direct);
    let mut supply = Vec::with_capacity(a.edge_count());
    for s in 0..n as u32 {
        for e in a.range(s) {
            let between = sccs.of[s as usize] != sccs.of[a.edge(e).to as usize];
            supply.push(if between { a.all() } else { a.edge(e).marks });
            if between {
                graph.edges[e as usize].marks = Marks::NONE;
            }
        }
    }
    graph.supply = Some(supply);
    let Some(r) = relation(&mut a, &graph, Direction::Direct, budget) else { return a };
    // Components from the ends upwards, so that what a state is replaced by stays.
    let mut class: Vec<u32> = (0..n as u32).collect();
    let mut kept: Vec<u32> = Vec::new();
    for (c, component) in sccs.components.iter().enumerate() {
        let before = kept.len();
        for &s in &component.states {
            match kept[..before].iter().find(|&&t| r.has(s, t) && r.has(t, s)) {
                Some(&t) => class[s as usize] = t,
                None => kept.push(s),
            }
        }
        debug_assert!(kept[..before].iter().all(|&t| sccs.of[t as usize] < c as u32));
    }
    let mut edges: Vec<(u32, Edge)> = Vec::with_capacity(a.edge_count());
    for s in 0..n as u32 {
        if class[s as usize] != s {
            continue;
        }
        let here: Vec<Edge> = a.edges(s).to_vec();
        let later = |e: &Edge| sccs.of[e.to as usize] < sccs.of[s as usize];
        for (i, e) in here.iter().enumerate() {
            let mut label = e.label;
            for (j, o) in here.iter().enumerate() {
                let better = later(o) && r.has(e.to, o.to);
                let worse = later(e) && r.has(o.to, e.to);
                if i != j && better && (!worse || j < i) {
                    label = a.labels.minus(label, o.label);
                }
            }
            if label != Label::FALSE {
                edges.push((s, Edge { to: class[e.to as usize], label, marks: e.marks }));
            }
        }
    }
    let mut initial: Vec<u32> = a.initial.iter().map(|&s| class[s as usize]).collect();
    initial.sort_unstable();
    initial.dedup();
    compact(a, &class, initial, edges)
}
