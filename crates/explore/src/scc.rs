//! Strongly connected components, as a result of their own.
//!
//! Two decompositions: [`tarjan`] (1972), which considers each transition once and keeps a stack of states, and
//! [`se05`], Couvreur's search without its report (SE05 section 4.4), which considers each twice and keeps only
//! *Roots*. They number states and components alike and must agree.

use crate::couvreur99::{Visitor, cow};
use crate::outcome::full;
use crate::roots::Inside;
use crate::tarjan72::{self, Component};
use riata_automata::Marks;
use riata_store::{Exact, Numbered};
use riata_system::{Choice, Graph, Limits, Rooted, Run, Stop};
use std::ops::ControlFlow;

/// The components of the reachable part of a graph, in the order in which they were completed: an edge never leads
/// from a component to one with a larger number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// For each state (by its identity in the store) the number of its component; [`Components::NONE`] if it was
    /// not reached.
    pub of: Vec<u32>,
    /// The components.
    pub all: Vec<Summary>,
    /// The edges between different components, without repetition, sorted.
    pub edges: Vec<(u32, u32)>,
}

/// What there is to say of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many states.
    pub states: u32,
    /// The marks of the edges inside.
    pub marks: Marks,
    /// A single state without an edge to itself.
    pub trivial: bool,
    /// No edge leaves it; else it is transient.
    pub terminal: bool,
}

impl Components {
    /// The component number of a state that was not reached.
    pub const NONE: u32 = u32::MAX;

    fn assign(&mut self, state: u32, component: u32) {
        if self.of.len() <= state as usize {
            self.of.resize(state as usize + 1, Self::NONE);
        }
        self.of[state as usize] = component;
    }

    /// Sorts the edges and sees which components they leave.
    fn finish(mut self) -> Self {
        self.edges.sort_unstable();
        self.edges.dedup();
        for &(from, _) in &self.edges {
            self.all[from as usize].terminal = false;
        }
        self
    }
}

/// The components by Tarjan's algorithm.
pub fn tarjan<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Result<Components, Stop> {
    let mut result = Components::default();
    tarjan72::components(g, store, run, |c| {
        let number = result.all.len() as u32;
        c.states.iter().for_each(|&s| result.assign(s, number));
        let states = c.states.len() as u32;
        result.all.push(Summary { states, marks: c.marks, trivial: c.trivial, terminal: true });
        ControlFlow::Continue(())
    })?;
    // Tarjan's stack does not tell which components an edge joins: one more pass over the graph.
    edges(g, store, &mut result)?;
    Ok(result.finish())
}

/// Goes through all edges of the reachable part again, for those between components.
fn edges<G: Graph, S: Numbered>(g: &G, store: &mut S, result: &mut Components) -> Result<(), Stop> {
    let mut queue = std::collections::VecDeque::new();
    let mut done = vec![false; result.of.len()];
    let mut slot = vec![0; g.words()];
    let mut initial = G::Cursor::default();
    let mut meet = |s: &[u32], store: &mut S, queue: &mut std::collections::VecDeque<Vec<u32>>| {
        let id = store.intern(s).map_err(full)?;
        if !std::mem::replace(&mut done[id as usize], true) {
            queue.push_back(s.to_vec());
        }
        Ok(id)
    };
    while g.initial(&mut initial, &mut slot) {
        meet(&slot[..g.len(&slot)], store, &mut queue)?;
    }
    while let Some(s) = queue.pop_front() {
        let from = result.of[store.intern(&s).map_err(full)? as usize];
        let mut cursor = G::Cursor::default();
        while g.next(&s, &mut cursor, &mut slot).is_some() {
            let to = result.of[meet(&slot[..g.len(&slot)], store, &mut queue)? as usize];
            if from != to && result.edges.last() != Some(&(from, to)) {
                result.edges.push((from, to));
            }
        }
    }
    Ok(())
}

/// The components by Couvreur's search, SE05 section 4.4.
pub fn se05<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Result<Components, Stop> {
    let mut collect = Collect::default();
    cow(g, store, &mut collect, run)?;
    Ok(collect.result.finish())
}

/// Notes the nodes «as they are processed in the remove procedure».
#[derive(Default)]
struct Collect {
    result: Components,
}

impl Visitor for Collect {
    fn merged(&mut self, _: Marks, _: Marks) -> bool {
        false
    }

    fn complete(&mut self, marks: Marks) {
        self.result.all.push(Summary { states: 0, marks, trivial: true, terminal: true });
    }

    fn removed(&mut self, id: u32) {
        let number = self.result.all.len() as u32 - 1;
        self.result.assign(id, number);
        self.result.all[number as usize].states += 1;
    }

    fn edge(&mut self, _: u32, to: u32) {
        let number = self.result.all.len() as u32 - 1;
        // A state that is not assigned yet is about to be removed, with this component.
        let target = match self.result.of.get(to as usize) {
            None | Some(&Components::NONE) => number,
            Some(&c) => c,
        };
        if target == number {
            self.result.all[number as usize].trivial = false;
        } else if self.result.edges.last() != Some(&(number, target)) {
            self.result.edges.push((number, target));
        }
    }
}

/// The states of one component.
pub(crate) struct Members {
    store: Exact,
    inside: Inside,
}

impl Members {
    pub fn contains(&self, s: &[u32]) -> bool {
        self.inside.has(&self.store, s)
    }
}

/// The component of `root` in the part of `g` that is `inside`.
pub(crate) fn component_of<G: Graph>(
    g: &G,
    root: &[u32],
    inside: &dyn Fn(&[u32]) -> bool,
    limits: Limits,
) -> Option<Members> {
    let part = Within { graph: Rooted { graph: g, root }, inside };
    let mut store = Exact::new(usize::MAX);
    let mut last = Vec::new();
    // The component of the first state is the last to be completed.
    let limits = Limits { memory: None, deadline: None, ..limits };
    tarjan72::components(&part, &mut store, &mut Run::new(limits), |c: Component| {
        last = c.states.to_vec();
        ControlFlow::Continue(())
    })
    .ok()?;
    Some(Members { store, inside: Inside::new(&last) })
}

/// The part of a graph whose states are `inside`.
struct Within<'a, G> {
    graph: G,
    inside: &'a dyn Fn(&[u32]) -> bool,
}

impl<G: Graph> Graph for Within<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.graph.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s)
    }
    fn all(&self) -> Marks {
        self.graph.all()
    }
    fn initial(&self, at: &mut G::Cursor, dst: &mut [u32]) -> bool {
        self.graph.initial(at, dst)
    }
    fn next(&self, src: &[u32], at: &mut G::Cursor, dst: &mut [u32]) -> Option<Marks> {
        loop {
            let marks = self.graph.next(src, at, dst)?;
            if (self.inside)(&dst[..self.graph.len(dst)]) {
                return Some(marks);
            }
        }
    }
    fn choice(&self, at: &G::Cursor) -> Choice {
        self.graph.choice(at)
    }
}
