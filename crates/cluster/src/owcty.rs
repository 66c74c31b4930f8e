//! OWCTY, one way catch them young, by several processes: no depth-first order is needed, so the states can be anywhere.
//!
//! ```text
//! S := all reachable states;                                              — breadth-first search, before
//! repeat
//!   for all acceptance sets F do
//!     S := the states of S that a path inside S leads to, after an edge of F;      — Reachability
//!     while some state of S has no predecessor in S do remove it;                  — Elimination
//! until S has not changed;
//! there is an accepting run iff S ≠ ∅
//! ```
//!
//! In the fixpoint every state of S has, for each set, an edge of it behind itself on a path inside S. So a component of S that no
//! other leads to has edges of all sets.
//!
//! Deviation from the text: sets are of edges, not of states; without sets, Elimination alone finds what lies on or behind
//! cycles.
//!
//! # References
//! K. Fisler, R. Fraer, G. Kamhi, M. Vardi, Z. Yang. *Is there a best symbolic cycle-detection algorithm?* TACAS 2001.
//! I. Černá, R. Pelánek. *Distributed explicit fair cycle detection.* SPIN 2003.

use crate::wave::Waves;
use riata_automata::Marks;
use riata_store::Recall;
use riata_system::{Graph, Stop};

/// The own states that are in S in the end, and how many all processes have.
///
/// # Errors
/// If some process has to stop.
pub fn owcty<G: Graph, R: Recall>(waves: &mut Waves<G, R>) -> Result<(Vec<bool>, u64), Stop> {
    let mut s = vec![true; waves.store.len()];
    let mut size = waves.sum(s.len() as u64)?;
    let sets = waves.graph.all();
    loop {
        let before = size;
        for set in sets.iter() {
            reachability(waves, &mut s, Marks::one(set))?;
            elimination(waves, &mut s)?;
        }
        if sets.is_empty() {
            elimination(waves, &mut s)?;
        }
        size = waves.sum(members(&s).len() as u64)?;
        if size == before || size == 0 {
            return Ok((s, size));
        }
    }
}

/// The numbers of the states that are in a set.
pub fn members(s: &[bool]) -> Vec<u32> {
    (0..s.len() as u32).filter(|&i| s[i as usize]).collect()
}

/// Keeps what a path inside S leads to after an edge with the mark.
fn reachability<G: Graph, R: Recall>(
    waves: &mut Waves<G, R>,
    s: &mut Vec<bool>,
    mark: Marks,
) -> Result<(), Stop> {
    let mut reached = vec![false; s.len()];
    let mut wanted = mark;
    let mut todo = members(s);
    loop {
        let mut next = Vec::new();
        let expanded = waves.wave(&todo, wanted, &mut |t| {
            if s[t as usize] && !std::mem::replace(&mut reached[t as usize], true) {
                next.push(t);
            }
        })?;
        if expanded == 0 {
            break;
        }
        (todo, wanted) = (next, Marks::NONE);
    }
    *s = reached;
    Ok(())
}

/// Removes what has no predecessor, until everything has one.
fn elimination<G: Graph, R: Recall>(waves: &mut Waves<G, R>, s: &mut [bool]) -> Result<(), Stop> {
    let mut degree = vec![0u32; s.len()];
    let all = members(s);
    waves.wave(&all, Marks::NONE, &mut |t| degree[t as usize] += u32::from(s[t as usize]))?;
    let mut todo: Vec<u32> = all.into_iter().filter(|&i| degree[i as usize] == 0).collect();
    loop {
        todo.iter().for_each(|&i| s[i as usize] = false);
        let mut next = Vec::new();
        let expanded = waves.wave(&todo, Marks::NONE, &mut |t| {
            if s[t as usize] {
                degree[t as usize] -= 1;
                if degree[t as usize] == 0 {
                    next.push(t);
                }
            }
        })?;
        if expanded == 0 {
            return Ok(());
        }
        todo = next;
    }
}
