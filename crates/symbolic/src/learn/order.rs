//! A static order of the slots: what is looked at and written together stands together.
//!
//! FORCE: each group of steps pulls its slots to their centre of gravity, again and again, and the order with the
//! smallest sum of spans is kept. Which slots belong to a group is what attempts in a few states show.
//!
//! # References
//! F. A. Aloul, I. L. Markov, K. A. Sakallah, *FORCE: a fast and easy-to-implement variable-ordering heuristic*,
//! GLSVLSI 2003.

use riata_system::{Effect, Observable, Observation};

/// Rounds of pulling.
const ROUNDS: usize = 200;

/// The slots that each group looks at or writes in one of these states, none of them the sink.
pub fn supports<S: Observable>(system: &S, states: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut seen = Observation::default();
    let all = system.slots().len();
    let mut supports = Vec::new();
    for group in 0..system.groups() {
        let mut support = vec![false; all];
        for s in states {
            system.attempt(group, s, &mut seen);
            if seen.steps.is_empty() {
                continue;
            }
            seen.looks.iter().for_each(|l| support[l.slot as usize] = true);
            for step in &seen.steps {
                // A step into the sink writes everything, which says nothing.
                if let Effect::Writes(list) = step {
                    list.iter().for_each(|w| support[w.0 as usize] = true);
                }
            }
        }
        supports.push((0..all as u32).filter(|&i| support[i as usize]).collect());
    }
    supports
}

/// An order of `n` slots in which the slots of each group are close together.
pub fn force(n: usize, groups: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut place: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut best = (span(&place, groups), order.clone());
    for _ in 0..ROUNDS {
        let mut pulled = vec![(0.0, 0.0); n];
        for group in groups.iter().filter(|g| !g.is_empty()) {
            let centre = group.iter().map(|&s| place[s as usize]).sum::<f64>() / group.len() as f64;
            for &s in group {
                pulled[s as usize].0 += centre;
                pulled[s as usize].1 += 1.0;
            }
        }
        let goal = |s: u32| {
            let (sum, count) = pulled[s as usize];
            if count > 0.0 { sum / count } else { place[s as usize] }
        };
        // A stable sort: what is pulled to the same place keeps its order.
        order.sort_by(|&a, &b| goal(a).total_cmp(&goal(b)));
        order.iter().enumerate().for_each(|(i, &s)| place[s as usize] = i as f64);
        let now = span(&place, groups);
        if now < best.0 {
            best = (now, order.clone());
        }
    }
    best.1
}

/// The sum of the distances between the first and the last slot of each group.
fn span(place: &[f64], groups: &[Vec<u32>]) -> f64 {
    let of = |group: &Vec<u32>| {
        let places = group.iter().map(|&s| place[s as usize]);
        let (low, high) = places.fold((f64::MAX, 0.0f64), |(low, high), p| (low.min(p), high.max(p)));
        (high - low).max(0.0)
    };
    groups.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_found_again() {
        // Slots 0, 7, 14, … in steps of seven modulo eleven: neighbours on a chain.
        let chain: Vec<u32> = (0..11).map(|i| i * 7 % 11).collect();
        let groups: Vec<Vec<u32>> = chain.windows(2).map(<[u32]>::to_vec).collect();
        let before = span(&(0..11).map(f64::from).collect::<Vec<_>>(), &groups);
        let order = force(11, &groups);
        let mut place = vec![0.0; 11];
        order.iter().enumerate().for_each(|(i, &s)| place[s as usize] = i as f64);
        assert!(span(&place, &groups) < before / 2.0, "{order:?}");
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..11).collect::<Vec<_>>());
    }
}
