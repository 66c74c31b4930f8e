//! Minimal weak deterministic automata for obligation properties.
//!
//! An obligation is recognised by a weak deterministic Büchi automaton, and the smallest one is unique. It is found by
//! the subset construction, in which a component is accepting when some (for an obligation: any) word that cycles
//! through it is accepted from it, and by minimisation as for finite words after the colouring of Löding.
//!
//! ```text
//! D := subsets of A reachable from its initial states
//! for each component C of D that is not trivial
//!     w := the letters of some cycle of C through a subset S
//!     C is accepting iff A accepts w^ω from some state of S
//! colour the components from the ends: the least colour not below those of successors, even iff accepting
//! merge states as in a finite automaton whose accepting states are those of even colour
//! ```
//!
//! If the language is no obligation the result is a weak automaton of another language: [`candidate`] does not know,
//! [`fn@super::super::translate`] checks.
//!
//! # References
//! C. Dax, J. Eisinger, F. Klaedtke, *Mechanizing the powerset construction for restricted classes of ω-automata*,
//! ATVA 2007.
//! C. Löding, *Efficient minimization of deterministic weak ω-automata*, Inf. Process. Lett. 79(3), 2001.

use super::rebuild;
use crate::scc::{Sccs, is_empty};
use crate::translate::Budget;
use crate::{Edge, Label, Marks, Tgba};
use std::collections::{HashMap, VecDeque};

/// The minimal weak deterministic automaton that agrees with `a` if `a` is an obligation; state-based, without its
/// rejecting sink. `None` if the subset construction has more than `limit` states, or takes too long.
pub fn candidate(a: &mut Tgba, limit: usize, budget: &Budget) -> Option<Tgba> {
    let (subsets, det) = powerset(a, limit, budget)?;
    let accepting = accepting_states(a, &subsets, &det, budget)?;
    let class = minimise(a, &det, &accepting, budget)?;
    Some(quotient(a, &det, &accepting, &class))
}

/// The subset construction, complete: the empty subset is a state if some word leads there.
fn powerset(a: &mut Tgba, limit: usize, budget: &Budget) -> Option<(Vec<Vec<u32>>, Tgba)> {
    let mut start = a.initial.clone();
    start.sort_unstable();
    let mut number: HashMap<Vec<u32>, u32> = HashMap::from([(start.clone(), 0)]);
    let mut subsets = vec![start];
    let mut edges: Vec<(u32, Edge)> = Vec::new();
    let mut at = 0;
    while at < subsets.len() {
        if !budget.in_time() {
            return None;
        }
        // The letters towards each target, then the letters split by the set of targets.
        let mut towards: Vec<(u32, Label)> = Vec::new();
        for &s in &subsets[at] {
            towards.extend(a.edges(s).iter().map(|e| (e.to, e.label)));
        }
        towards.sort_unstable();
        towards.dedup();
        let mut blocks: Vec<(Label, Vec<u32>)> = vec![(Label::TRUE, Vec::new())];
        let mut i = 0;
        while i < towards.len() {
            let to = towards[i].0;
            let mut label = Label::FALSE;
            while i < towards.len() && towards[i].0 == to {
                label = a.labels.or(label, towards[i].1);
                i += 1;
            }
            // No two blocks have the same targets, so these would be too many subsets.
            if blocks.len() > limit || !budget.in_time() {
                return None;
            }
            for b in 0..blocks.len() {
                let inside = a.labels.and(blocks[b].0, label);
                if inside == Label::FALSE {
                    continue;
                }
                let outside = a.labels.minus(blocks[b].0, label);
                if outside != Label::FALSE {
                    let rest = blocks[b].1.clone();
                    blocks.push((outside, rest));
                }
                blocks[b].0 = inside;
                blocks[b].1.push(to);
            }
        }
        for (label, set) in blocks {
            let to = match number.get(&set) {
                Some(&n) => n,
                None => {
                    let n = subsets.len() as u32;
                    if subsets.len() >= limit {
                        return None;
                    }
                    subsets.push(set.clone());
                    number.insert(set, n);
                    n
                }
            };
            edges.push((at as u32, Edge { to, label, marks: Marks::NONE }));
        }
        at += 1;
    }
    let mut det = Tgba::default();
    det.initial = vec![0];
    det.set_edges(subsets.len(), &edges);
    Some((subsets, det))
}

/// For each state of the subset construction whether its colour is even.
fn accepting_states(a: &Tgba, subsets: &[Vec<u32>], det: &Tgba, budget: &Budget) -> Option<Vec<bool>> {
    let sccs = Sccs::new(det);
    let mut colour = vec![0u32; sccs.components.len()];
    for (i, c) in sccs.components.iter().enumerate() {
        if !budget.in_time() {
            return None;
        }
        let below = c
            .states
            .iter()
            .flat_map(|&s| det.edges(s))
            .map(|e| sccs.of[e.to as usize])
            .filter(|&t| t != i as u32)
            .map(|t| colour[t as usize])
            .max()
            .unwrap_or(0);
        colour[i] = if c.trivial {
            below
        } else {
            let odd = u32::from(!cycle_accepted(a, subsets, det, &sccs, c.states[0]));
            below + u32::from(below % 2 != odd)
        };
    }
    Some(sccs.of.iter().map(|&c| colour[c as usize].is_multiple_of(2)).collect())
}

/// Is the word of a shortest cycle through `from` accepted by `a` from a state of the subset?
fn cycle_accepted(a: &Tgba, subsets: &[Vec<u32>], det: &Tgba, sccs: &Sccs, from: u32) -> bool {
    if subsets[from as usize].is_empty() {
        return false;
    }
    let mut by: HashMap<u32, (u32, Label)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    let mut last = None;
    'search: while let Some(s) = queue.pop_front() {
        for e in det.edges(s) {
            if e.to == from {
                last = Some((s, e.label));
                break 'search;
            }
            if sccs.of[e.to as usize] == sccs.of[from as usize] && !by.contains_key(&e.to) {
                by.insert(e.to, (s, e.label));
                queue.push_back(e.to);
            }
        }
    }
    let Some((mut s, label)) = last else { return false };
    let mut word = vec![label];
    while s != from {
        let (before, label) = by[&s];
        word.push(label);
        s = before;
    }
    word.reverse();
    let letters: Vec<Vec<(u32, bool)>> =
        word.iter().map(|&l| a.labels.witness(l).expect("labels are satisfiable")).collect();
    // The product of `a` with the cycle: state (q, i) is q · k + i.
    let k = letters.len() as u32;
    let mut edges = Vec::new();
    for q in 0..a.states() as u32 {
        for e in a.edges(q) {
            for (i, letter) in letters.iter().enumerate() {
                let holds = |v: u32| letter.iter().any(|&(w, b)| v == w && b);
                if a.labels.eval(e.label, holds) {
                    let to = e.to * k + (i as u32 + 1) % k;
                    edges.push((q * k + i as u32, Edge { to, ..*e }));
                }
            }
        }
    }
    let mut product = Tgba::default();
    product.sets = a.sets;
    product.initial = subsets[from as usize].iter().map(|q| q * k).collect();
    product.set_edges(a.states() * k as usize, &edges);
    !is_empty(&product)
}

/// Moore's refinement: the class of each state, numbered in order of first states.
fn minimise(a: &mut Tgba, det: &Tgba, accepting: &[bool], budget: &Budget) -> Option<Vec<u32>> {
    let n = det.states();
    let mut class: Vec<u32> = accepting.iter().map(|&b| u32::from(b != accepting[0])).collect();
    let mut count = 1 + class.iter().copied().max().unwrap_or(0) as usize;
    let labels = &mut a.labels;
    while budget.in_time() {
        let mut ids: HashMap<(u32, Vec<(u32, Label)>), u32> = HashMap::new();
        let mut next = vec![0u32; n];
        for s in 0..n as u32 {
            let mut row: Vec<(u32, Label)> =
                det.edges(s).iter().map(|e| (class[e.to as usize], e.label)).collect();
            row.sort_unstable();
            row.dedup_by(|(c, l), (d, m)| {
                let same = c == d;
                if same {
                    *m = labels.or(*l, *m);
                }
                same
            });
            let fresh = ids.len() as u32;
            next[s as usize] = *ids.entry((class[s as usize], row)).or_insert(fresh);
        }
        let now = ids.len();
        class = next;
        if now == count {
            return Some(class);
        }
        count = now;
    }
    None
}

fn quotient(a: &Tgba, det: &Tgba, accepting: &[bool], class: &[u32]) -> Tgba {
    let count = class.iter().copied().max().map_or(0, |c| c as usize + 1);
    let mut first = vec![u32::MAX; count];
    for (s, &c) in class.iter().enumerate().rev() {
        first[c as usize] = s as u32;
    }
    // The sink: rejecting, and nothing but itself follows. The initial state stays in any case.
    let sink: Vec<bool> = (0..count)
        .map(|c| {
            let s = first[c];
            !accepting[s as usize] && det.edges(s).iter().all(|e| class[e.to as usize] == c as u32)
        })
        .collect();
    let start = class[0] as usize;
    let mut number = vec![u32::MAX; count];
    let mut marks = Vec::new();
    for c in 0..count {
        if !sink[c] || c == start {
            number[c] = marks.len() as u32;
            marks.push(if accepting[first[c] as usize] { Marks::one(0) } else { Marks::NONE });
        }
    }
    let mut edges = Vec::new();
    for c in 0..count {
        for e in det.edges(first[c]) {
            let to = class[e.to as usize] as usize;
            if number[c] != u32::MAX && !sink[to] && !sink[c] {
                let edge = Edge { to: number[to], label: e.label, marks: marks[number[c] as usize] };
                edges.push((number[c], edge));
            }
        }
    }
    let mut from = Tgba::default();
    from.aps = a.aps.clone();
    from.labels = a.labels.clone();
    from.sets = 1;
    let mut b = rebuild(&mut from, marks.len(), vec![number[start]], edges);
    // A safety property: no component rejects, so no set is needed.
    if Sccs::new(&b).components.iter().all(|c| c.trivial || c.accepting) && b.edge_count() > 0 {
        let edges: Vec<(u32, Edge)> = (0..b.states() as u32)
            .flat_map(|s| b.edges(s).iter().map(move |e| (s, Edge { marks: Marks::NONE, ..*e })))
            .collect();
        b.sets = 0;
        marks.fill(Marks::NONE);
        b.set_edges(marks.len(), &edges);
    }
    b.state_marks = Some(marks);
    b
}

/// The complement of a weak deterministic automaton made by [`candidate`].
pub fn complement(w: &Tgba) -> Tgba {
    let n = w.states() as u32;
    let mut b = w.clone();
    let accepting = |s: u32| w.sets == 0 || w.state_marks.as_ref().is_some_and(|m| m[s as usize].has(0));
    let mark = |yes: bool| if yes { Marks::one(0) } else { Marks::NONE };
    let mut edges = Vec::new();
    for s in 0..n {
        let mut covered = Label::FALSE;
        for e in w.edges(s) {
            covered = b.labels.or(covered, e.label);
            edges.push((s, Edge { marks: mark(!accepting(s)), ..*e }));
        }
        let rest = b.labels.not(covered);
        if rest != Label::FALSE {
            edges.push((s, Edge { to: n, label: rest, marks: Marks::NONE }));
        }
    }
    edges.push((n, Edge { to: n, label: Label::TRUE, marks: Marks::one(0) }));
    b.sets = 1;
    b.state_marks = None;
    b.set_edges(n as usize + 1, &edges);
    b
}
