//! A graph that counts how often each of its transitions is considered.

use riata_automata::Marks;
use riata_system::{Choice, Graph, StateMarked, Strength};
use std::cell::RefCell;
use std::collections::HashMap;

/// Counts, for each (source, position), how often the edge was generated.
pub struct Counting<G> {
    graph: G,
    seen: RefCell<HashMap<(Vec<u32>, usize), u32>>,
}

/// The cursor, and how many edges it has told.
#[derive(Default)]
pub struct CountingCursor<C> {
    inner: C,
    told: usize,
}

impl<G> Counting<G> {
    /// Counts from zero.
    pub fn new(graph: G) -> Self {
        Counting { graph, seen: RefCell::default() }
    }

    /// How often the edge that was considered most was considered.
    pub fn most(&self) -> u32 {
        self.seen.borrow().values().copied().max().unwrap_or(0)
    }
}

impl<G: Graph> Graph for Counting<G> {
    type Cursor = CountingCursor<G::Cursor>;

    fn words(&self) -> usize {
        self.graph.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s)
    }
    fn all(&self) -> Marks {
        self.graph.all()
    }
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.graph.initial(&mut at.inner, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let marks = self.graph.next(src, &mut at.inner, dst)?;
        *self.seen.borrow_mut().entry((src.to_vec(), at.told)).or_insert(0) += 1;
        at.told += 1;
        Some(marks)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(&at.inner)
    }
    fn strength(&self) -> Strength {
        self.graph.strength()
    }
}

impl<G: StateMarked> StateMarked for Counting<G> {
    fn marks(&self, s: &[u32]) -> Marks {
        self.graph.marks(s)
    }
}
