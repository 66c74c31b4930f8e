//! Direct and reverse simulation: merges states that can do the same, drops edges that another edge outdoes.
//!
//! State t simulates s when for every edge of s and every letter on it t has an edge with that letter, at least its
//! marks, and a target that simulates the target. Two states that simulate each other are one; an edge is superfluous
//! when the state has another with the same letters, at least the marks, and a target that simulates the target.
//! Reverse simulation is the same on the reversed edges, where an initial state is simulated by initial ones only.
//!
//! ```text
//! R := all pairs (s, t) that may be related
//! repeat
//!     for (s, t) in R: unless every letter of every edge of s is covered by edges of t (R on targets), remove it
//! until nothing was removed
//! ```
//!
//! Letters are bit sets, so that «covered» is a few word operations; see [`crate::letters`].
//!
//! # References
//! F. Somenzi, R. Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000.
//! T. Babiak, T. Badie, A. Duret-Lutz, M. Křetínský, J. Strejček, *Compositional approach to suspension and other
//! improvements to LTL translation*, SPIN 2013.

use super::rebuild;
use crate::letters::{Letters, Rest};
use crate::translate::Budget;
use crate::{Edge, Label, Labels, Marks, Tgba};

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the edges.
    Direct,
    /// Against the edges.
    Reverse,
}

/// Automata with more states than this are left as they are: the relation is quadratic.
pub(super) const STATES: usize = 3000;
/// A relation for which more pairs of edges must be compared is not computed.
const STEPS: u64 = 50_000_000;

/// Can the edges of each state be compared with each other?
pub(super) fn few_edges(a: &Tgba) -> bool {
    (0..a.states() as u32).map(|s| (a.edges(s).len() as u64).pow(2)).sum::<u64>() <= STEPS
}

/// Neighbours in one direction: for each state its edges, `to` being the other end.
pub(super) struct Neighbours {
    first: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// The number of the edge in the automaton.
    numbers: Vec<u32>,
    /// The marks that an edge gives when it imitates another, where they are not those that it demands.
    pub(super) supply: Option<Vec<Marks>>,
}

impl Neighbours {
    pub(super) fn new(a: &Tgba, direction: Direction) -> Neighbours {
        let n = a.states();
        let mut first = vec![0u32; n + 1];
        if direction == Direction::Direct {
            for s in 0..n {
                first[s + 1] = a.range(s as u32).end;
            }
            let edges = (0..a.edge_count() as u32).map(|e| *a.edge(e)).collect();
            return Neighbours { first, edges, numbers: (0..a.edge_count() as u32).collect(), supply: None };
        }
        for e in 0..a.edge_count() as u32 {
            first[a.edge(e).to as usize + 1] += 1;
        }
        for s in 0..n {
            first[s + 1] += first[s];
        }
        let mut at = first.clone();
        let mut edges = vec![Edge { to: 0, label: Label::FALSE, marks: Marks::NONE }; a.edge_count()];
        let mut numbers = vec![0; a.edge_count()];
        for s in 0..n as u32 {
            for e in a.range(s) {
                let edge = a.edge(e);
                let slot = at[edge.to as usize] as usize;
                at[edge.to as usize] += 1;
                edges[slot] = Edge { to: s, ..*edge };
                numbers[slot] = e;
            }
        }
        Neighbours { first, edges, numbers, supply: None }
    }

    fn of(&self, s: usize) -> std::ops::Range<usize> {
        self.first[s] as usize..self.first[s + 1] as usize
    }
}

/// A relation on states.
pub(crate) struct Relation {
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    /// Is (s, t) in it: does t simulate s?
    pub(crate) fn has(&self, s: u32, t: u32) -> bool {
        self.bits[s as usize * self.words + t as usize / 64] >> (t % 64) & 1 == 1
    }

    fn remove(&mut self, s: usize, t: usize) {
        self.bits[s * self.words + t / 64] &= !(1 << (t % 64));
    }
}

/// What a check of one pair needs at hand.
struct Checker<'a> {
    graph: &'a Neighbours,
    letters: &'a Letters,
    labels: &'a mut Labels,
    rest: Rest,
    /// Pairs of edges compared.
    steps: u64,
}

impl Checker<'_> {
    /// Is every letter of edge `e` covered by edges of `t` with at least the marks and targets that simulate its own?
    fn covered(&mut self, e: usize, t: usize, relation: &Relation) -> bool {
        let edge = self.graph.edges[e];
        self.letters.start(self.graph.numbers[e] as usize, &mut self.rest);
        self.steps += self.graph.of(t).len() as u64;
        for f in self.graph.of(t) {
            let other = &self.graph.edges[f];
            let marks = self.graph.supply.as_ref().map_or(other.marks, |s| s[f]);
            if marks.contains(edge.marks)
                && relation.has(edge.to, other.to)
                && self.letters.take(self.graph.numbers[f] as usize, self.labels, &mut self.rest)
            {
                return true;
            }
        }
        false
    }

    fn simulates(&mut self, s: usize, t: usize, relation: &Relation) -> bool {
        self.graph.of(s).all(|e| self.covered(e, t, relation))
    }
}

/// The greatest simulation relation, or `None` when the time is over or it takes too many steps.
pub(super) fn relation(
    a: &mut Tgba,
    graph: &Neighbours,
    direction: Direction,
    budget: &Budget,
) -> Option<Relation> {
    let n = a.states();
    let words = n.div_ceil(64);
    let mut initial = vec![false; n];
    for &s in &a.initial {
        initial[s as usize] = true;
    }
    let letters = Letters::new(a);
    let mut labels = std::mem::take(&mut a.labels);
    let mut r = Relation { words, bits: vec![0; n * words] };
    for s in 0..n {
        for t in 0..n {
            let marks = a.state_marks.as_ref().is_none_or(|m| m[t].contains(m[s]));
            let may = marks && (direction == Direction::Direct || !initial[s] || initial[t]);
            if may || s == t {
                r.bits[s * words + t / 64] |= 1 << (t % 64);
            }
        }
    }
    let rest = letters.rest();
    let mut checker = Checker { graph, letters: &letters, labels: &mut labels, rest, steps: 0 };
    let mut changed = true;
    let mut in_time = true;
    while changed && in_time {
        changed = false;
        for s in 0..n {
            in_time = in_time && budget.in_time();
            for w in 0..words {
                let mut row = r.bits[s * words + w];
                while row != 0 && in_time {
                    let t = w * 64 + row.trailing_zeros() as usize;
                    row &= row - 1;
                    if t != s && !checker.simulates(s, t, &r) {
                        r.remove(s, t);
                        changed = true;
                    }
                    in_time = in_time && checker.steps <= STEPS;
                }
            }
        }
    }
    a.labels = labels;
    in_time.then_some(r)
}

/// The quotient of `a` by simulation in one direction, without the edges that others outdo.
pub fn reduce(mut a: Tgba, direction: Direction, budget: &Budget) -> Tgba {
    let n = a.states();
    if n > STATES || !few_edges(&a) {
        return a;
    }
    let graph = Neighbours::new(&a, direction);
    let Some(r) = relation(&mut a, &graph, direction, budget) else { return a };
    // Each class is represented by its first state.
    let mut class = vec![0u32; n];
    for s in 0..n as u32 {
        class[s as usize] = (0..s).find(|&t| r.has(s, t) && r.has(t, s)).unwrap_or(s);
    }
    let mut edges: Vec<(u32, Edge)> = Vec::with_capacity(a.edge_count());
    for s in 0..n {
        if class[s] != s as u32 {
            continue; // its representative has edges as good
        }
        let here: Vec<usize> = graph.of(s).collect();
        for &e in &here {
            let edge = graph.edges[e];
            let mut label = edge.label;
            for &f in &here {
                let other = graph.edges[f];
                let better = other.marks.contains(edge.marks) && r.has(edge.to, other.to);
                let worse = edge.marks.contains(other.marks) && r.has(other.to, edge.to);
                // Of two edges that outdo each other the one with the smaller class, then number, stays.
                let key = |x: usize, e: Edge| (class[e.to as usize], x);
                if e != f && better && (!worse || key(f, other) < key(e, edge)) {
                    label = a.labels.minus(label, other.label);
                    if label == Label::FALSE {
                        break;
                    }
                }
            }
            if label != Label::FALSE {
                let (from, to) = (s as u32, class[edge.to as usize]);
                let (from, to) = if direction == Direction::Direct { (from, to) } else { (to, from) };
                edges.push((from, Edge { to, label, marks: edge.marks }));
            }
        }
    }
    let mut initial: Vec<u32> = a.initial.iter().map(|&s| class[s as usize]).collect();
    initial.sort_unstable();
    initial.dedup();
    compact(a, &class, initial, edges)
}

/// Renumbers the representatives densely, those that nothing reaches left out.
pub(super) fn compact(mut a: Tgba, class: &[u32], initial: Vec<u32>, mut edges: Vec<(u32, Edge)>) -> Tgba {
    let n = a.states();
    let mut reached = vec![false; n];
    edges.sort_unstable_by_key(|(s, _)| *s);
    let mut todo = initial.clone();
    for &s in &initial {
        reached[s as usize] = true;
    }
    while let Some(s) = todo.pop() {
        let from = edges.partition_point(|(t, _)| *t < s);
        for (_, e) in edges[from..].iter().take_while(|(t, _)| *t == s) {
            if !reached[e.to as usize] {
                reached[e.to as usize] = true;
                todo.push(e.to);
            }
        }
    }
    let mut number = vec![u32::MAX; n];
    let mut count = 0;
    for s in 0..n {
        if class[s] == s as u32 && reached[s] {
            number[s] = count;
            count += 1;
        }
    }
    edges.retain(|(s, _)| reached[*s as usize]);
    for (s, e) in &mut edges {
        *s = number[*s as usize];
        e.to = number[e.to as usize];
    }
    let initial = initial.into_iter().map(|s| number[s as usize]).collect();
    let marks = a.state_marks.take();
    let mut b = rebuild(&mut a, count as usize, initial, edges);
    b.state_marks = marks.map(|m| (0..n).filter(|&s| number[s] != u32::MAX).map(|s| m[s]).collect());
    b
}

/// Direct and reverse simulation in turn, until neither states nor edges become fewer.
pub fn iterate(mut a: Tgba, budget: &Budget) -> Tgba {
    loop {
        let before = (a.states(), a.edge_count());
        a = reduce(a, Direction::Direct, budget);
        a = reduce(a, Direction::Reverse, budget);
        if (a.states(), a.edge_count()) >= before {
            return a;
        }
    }
}
