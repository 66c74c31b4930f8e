//! A static order of the slots: what is looked at and written together stands together.
//!
//! FORCE: each group of steps pulls its slots to their centre of gravity, again and again, and the order with the
//! smallest sum of spans is kept, from many beginnings. Which slots belong to a group is what attempts in a few states show.
//!
//! # References
//! F. A. Aloul, I. L. Markov, K. A. Sakallah, *FORCE: a fast and easy-to-implement variable-ordering heuristic*,
//! GLSVLSI 2003.
//!
//! R. Siminiceanu, G. Ciardo, *New metrics for static variable ordering in decision diagrams*, TACAS 2006.

use riata_system::{Effect, Observable, Observation};

/// Rounds of pulling.
const ROUNDS: usize = 200;
/// Rounds from each of many beginnings.
const FEW: usize = 50;
/// Beginnings.
const STARTS: usize = 300;
/// Slots of all groups, once for each beginning.
const WORK: usize = 1 << 17;

/// The slots that each group looks at or writes in one of these states, none of them the sink.
pub fn supports<S: Observable>(system: &S, states: &[&[u32]]) -> Vec<Vec<u32>> {
    let mut seen = Observation::default();
    let all = system.slots().len();
    let (sink, fault, _) = system.sink();
    let mut supports = Vec::new();
    for group in 0..system.groups() {
        let mut support = vec![false; all];
        for s in states {
            system.attempt(group, s, &mut seen);
            if seen.steps.is_empty() {
                continue;
            }
            // That a state is not the sink is looked at everywhere, which says nothing.
            let looks = seen.looks.iter().filter(|l| (l.slot, l.value, l.equal) != (sink, fault, false));
            looks.for_each(|l| support[l.slot as usize] = true);
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

/// An order of slots with so many bits in which the slots of each group are close together: the best of many that FORCE
/// makes from different beginnings. What it finds from one beginning depends on how the slots were numbered, which says
/// more of the language than of the model.
pub fn order(bits: &[u32], groups: &[Vec<u32>]) -> Vec<u32> {
    let n = bits.len();
    let size = n + groups.iter().map(Vec::len).sum::<usize>();
    let starts = (WORK / size.max(1)).clamp(1, STARTS);
    let mut start: Vec<u32> = (0..n as u32).collect();
    let mut best = (f64::MAX, start.clone());
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..starts {
        let order = pull(start.clone(), groups, FEW);
        let found = width(&order, bits, groups).0;
        if found < best.0 {
            best = (found, order);
        }
        for i in (1..n).rev() {
            // Marsaglia's xorshift.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            start.swap(i, (random % (i as u64 + 1)) as usize);
        }
    }
    // Upside down it is as wide. What is wide should be low.
    let turned: Vec<u32> = best.1.iter().rev().copied().collect();
    if width(&turned, bits, groups).1 < width(&best.1, bits, groups).1 { turned } else { best.1 }
}

/// An order of `n` slots in which the slots of each group are close together, beginning with their numbers.
pub fn force(n: usize, groups: &[Vec<u32>]) -> Vec<u32> {
    pull((0..n as u32).collect(), groups, ROUNDS)
}

/// The best order on the way from a beginning, in so many rounds.
fn pull(mut order: Vec<u32>, groups: &[Vec<u32>], rounds: usize) -> Vec<u32> {
    let mut place = places(&order);
    let mut best = (span(&place, groups), order.clone());
    for _ in 0..rounds {
        let mut pulled = vec![(0.0, 0.0); order.len()];
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
        place = places(&order);
        let now = span(&place, groups);
        if now < best.0 {
            best = (now, order.clone());
        }
    }
    best.1
}

fn places(order: &[u32]) -> Vec<f64> {
    let mut place = vec![0.0; order.len()];
    order.iter().enumerate().for_each(|(i, &s)| place[s as usize] = i as f64);
    place
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

/// The sum of the bits from the first to the last of each group, because levels of diagrams are bits, not slots; and the
/// same, where each group counts the less the lower it begins (the weighted sum of Siminiceanu and Ciardo).
fn width(order: &[u32], bits: &[u32], groups: &[Vec<u32>]) -> (f64, f64) {
    let mut at = vec![(0.0, 0.0); order.len()];
    let mut sum = 0.0;
    for &s in order {
        let end = sum + f64::from(bits[s as usize]);
        at[s as usize] = (sum, end);
        sum = end;
    }
    let (mut plain, mut weighted) = (0.0, 0.0);
    for group in groups.iter().filter(|g| !g.is_empty()) {
        let ends = group.iter().map(|&s| at[s as usize]);
        let (low, high) = ends.fold((f64::MAX, 0.0f64), |(low, high), (a, b)| (low.min(a), high.max(b)));
        plain += high - low;
        weighted += (high - low) * (sum - low);
    }
    (plain, weighted)
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
        let order = order(&[1; 11], &groups);
        assert!(span(&places(&order), &groups) < before / 2.0, "{order:?}");
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..11).collect::<Vec<_>>());
    }

    #[test]
    fn wide_slots_count_by_their_bits() {
        // 1 stands between 0 and 2, or next to one of them: the wide slot must not be in the middle of both groups.
        let groups = [vec![0, 2], vec![0, 2], vec![1, 2]];
        let order = order(&[1, 30, 1], &groups);
        assert_eq!(width(&order, &[1, 30, 1], &groups).0, 2.0 + 2.0 + 31.0, "{order:?}");
    }
}
