//! From generalised transition-based acceptance to one Büchi set on states.
//!
//! The classical construction walks through the acceptance sets in some order and counts: a copy (s, l) of state s has
//! seen the first l sets; (s, n) is accepting and counts from 0 again. Done per component:
//!
//! - In a component without accepting run levels mean nothing: one copy (SCC awareness, level reset).
//! - All copies of one state accept the same words, so an edge that enters a component may go to any copy. Of the
//!   copies of a component only a strongly connected part without way out is kept (level caching, made exact).
//! - The order of the sets is the component's own: the one with the fewest copies, all orders being tried while they
//!   are few.
//! - A mark on all edges that leave a state inside its component is counted when the state is entered.
//!
//! # References
//! D. Giannakopoulou, F. Lerda, *From states to transitions: improving translation of LTL formulae to Büchi automata*,
//! FORTE 2002.
//! T. Babiak, T. Badie, A. Duret-Lutz, M. Křetínský, J. Strejček, SPIN 2013 (levels and components).

use super::rebuild;
use crate::scc::Sccs;
use crate::{Edge, Label, Marks, Tgba};
use std::collections::HashMap;

/// Orders of the sets that are tried per component.
const ORDERS: usize = 24;

/// Which refinements are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Levels per component, and entries into kept copies.
    pub components: bool,
    /// Several orders of the sets.
    pub orders: bool,
    /// Marks common to the edges that leave a state.
    pub common: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { components: true, orders: true, common: true }
    }
}

/// The copies kept of one component: (state, level), and the order of the sets.
#[derive(Default)]
struct Copies {
    order: Vec<u32>,
    nodes: Vec<(u32, u32)>,
}

struct Degeneraliser<'a> {
    a: &'a Tgba,
    sccs: Sccs,
    /// For each state the marks on all edges that leave it inside its component.
    common: Vec<Marks>,
    options: Options,
}

/// An automaton for the language of `a` with at most one acceptance set, on states.
pub fn degeneralise(mut a: Tgba, options: Options) -> Tgba {
    if a.state_marks.is_some() && a.sets <= 1 {
        return a;
    }
    if a.sets == 0 {
        a.state_marks = Some(vec![Marks::NONE; a.states()]);
        return a;
    }
    let mut d = Degeneraliser { a: &a, sccs: Sccs::new(&a), common: Vec::new(), options };
    d.common = (0..a.states() as u32).map(|s| d.common_marks(s)).collect();
    let (initial, marks, edges) = if options.components { d.by_component() } else { d.plain() };
    let mut b = rebuild(&mut a, marks.len(), initial, edges);
    b.sets = 1;
    b.state_marks = Some(marks);
    b
}

type Parts = (Vec<u32>, Vec<Marks>, Vec<(u32, Edge)>);

impl Degeneraliser<'_> {
    fn inside(&self, s: u32, e: &Edge) -> bool {
        !self.options.components || self.sccs.of[e.to as usize] == self.sccs.of[s as usize]
    }

    fn common_marks(&self, s: u32) -> Marks {
        if !self.options.common || self.sccs.of[s as usize] == Sccs::UNREACHABLE {
            return Marks::NONE;
        }
        let mut edges = self.a.edges(s).iter().filter(|e| self.inside(s, e)).peekable();
        if edges.peek().is_none() {
            return Marks::NONE;
        }
        edges.fold(self.a.all(), |m, e| m & e.marks)
    }

    /// The level after `e` is taken at `level`.
    fn step(&self, order: &[u32], level: u32, e: &Edge) -> u32 {
        let n = order.len() as u32;
        let marks = e.marks | self.common[e.to as usize];
        let mut l = if level == n { 0 } else { level };
        while l < n && marks.has(order[l as usize]) {
            l += 1;
        }
        l
    }

    /// The textbook's construction: one order, one counter for the whole automaton.
    fn plain(&self) -> Parts {
        let order: Vec<u32> = (0..self.a.sets).collect();
        let n = order.len() as u32;
        let mut number: HashMap<(u32, u32), u32> = HashMap::new();
        let mut nodes: Vec<(u32, u32)> = Vec::new();
        let mut id = |nodes: &mut Vec<(u32, u32)>, node| {
            *number.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            })
        };
        let initial = self.a.initial.iter().map(|&s| id(&mut nodes, (s, 0))).collect();
        let mut edges = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let (s, level) = nodes[at];
            for e in self.a.edges(s) {
                let to = id(&mut nodes, (e.to, self.step(&order, level, e)));
                let marks = if level == n { Marks::one(0) } else { Marks::NONE };
                edges.push((at as u32, Edge { to, label: e.label, marks }));
            }
            at += 1;
        }
        let marks = nodes.iter().map(|&(_, l)| if l == n { Marks::one(0) } else { Marks::NONE }).collect();
        (initial, marks, edges)
    }

    fn by_component(&self) -> Parts {
        let copies: Vec<Copies> = (0..self.sccs.components.len()).map(|c| self.copies(c as u32)).collect();
        let n = self.a.sets;
        let mut number: HashMap<(u32, u32), u32> = HashMap::new();
        let mut marks = Vec::new();
        // The copy that an edge from outside enters: the highest level.
        let mut entry: Vec<u32> = vec![u32::MAX; self.a.states()];
        let mut entry_level = vec![0u32; self.a.states()];
        for c in &copies {
            for &(s, level) in &c.nodes {
                let id = marks.len() as u32;
                number.insert((s, level), id);
                marks.push(if level == n { Marks::one(0) } else { Marks::NONE });
                if entry[s as usize] == u32::MAX || level > entry_level[s as usize] {
                    entry[s as usize] = id;
                    entry_level[s as usize] = level;
                }
            }
        }
        let mut edges = Vec::new();
        for (c, copy) in copies.iter().enumerate() {
            for &(s, level) in &copy.nodes {
                let from = number[&(s, level)];
                for e in self.a.edges(s) {
                    let inside = self.sccs.of[e.to as usize] == c as u32;
                    let to = match inside && !copy.order.is_empty() {
                        true => number[&(e.to, self.step(&copy.order, level, e))],
                        false => entry[e.to as usize],
                    };
                    edges.push((from, Edge { to, label: e.label, marks: marks[from as usize] }));
                }
            }
        }
        let mut initial: Vec<u32> = self.a.initial.iter().map(|&s| entry[s as usize]).collect();
        initial.dedup();
        (initial, marks, edges)
    }

    /// The copies of component `c`, in the best order of the sets.
    fn copies(&self, c: u32) -> Copies {
        let component = &self.sccs.components[c as usize];
        if !component.accepting {
            return Copies { order: Vec::new(), nodes: component.states.iter().map(|&s| (s, 0)).collect() };
        }
        let mut best: Option<Copies> = None;
        for order in orders(self.a.sets, self.options.orders) {
            let nodes = self.part(c, &order);
            if best.as_ref().is_none_or(|b| nodes.len() < b.nodes.len()) {
                best = Some(Copies { order, nodes });
            }
            if best.as_ref().is_some_and(|b| b.nodes.len() == component.states.len()) {
                break;
            }
        }
        best.unwrap_or_default()
    }

    /// A strongly connected part without way out of the copies of component `c`.
    fn part(&self, c: u32, order: &[u32]) -> Vec<(u32, u32)> {
        let first = self.sccs.components[c as usize].states[0];
        let mut number: HashMap<(u32, u32), u32> = HashMap::from([((first, 0), 0)]);
        let mut nodes = vec![(first, 0)];
        let mut edges = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let (s, level) = nodes[at];
            for e in self.a.edges(s).iter().filter(|e| self.sccs.of[e.to as usize] == c) {
                let node = (e.to, self.step(order, level, e));
                let to = *number.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() as u32 - 1
                });
                edges.push((at as u32, Edge { to, label: Label::TRUE, marks: Marks::NONE }));
            }
            at += 1;
        }
        let mut g = Tgba::default();
        g.initial = vec![0];
        g.set_edges(nodes.len(), &edges);
        // Component 0 is completed first: nothing leaves it.
        Sccs::new(&g).components[0].states.iter().map(|&i| nodes[i as usize]).collect()
    }
}

/// Orders of the sets 0..n, the identity first.
fn orders(n: u32, many: bool) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..n).collect();
    if !many {
        return vec![identity];
    }
    let mut all = vec![Vec::new()];
    for i in 0..n {
        if all.len() * (i as usize + 1) > ORDERS {
            return vec![identity.clone(), identity.into_iter().rev().collect()];
        }
        all = (0..=i as usize)
            .rev()
            .flat_map(|at| {
                all.iter().map(move |o: &Vec<u32>| {
                    let mut o = o.clone();
                    o.insert(at, i);
                    o
                })
            })
            .collect();
    }
    all
}
