//! A graph that counts how often each of its transitions is considered.

use riata_automata::Marks;
use riata_system::{Choice, ForStateMarked, Graph, StateMarked, Strength};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// For each (source, position) how often the edge was generated.
type Seen = Rc<RefCell<HashMap<(Vec<u32>, usize), u32>>>;

/// Counts, for each (source, position), how often the edge was generated.
pub struct Counting<'a, G> {
    graph: &'a G,
    seen: Seen,
}

/// The cursor, and how many edges it has told.
#[derive(Default)]
pub struct CountingCursor<C> {
    inner: C,
    told: usize,
}

impl<'a, G> Counting<'a, G> {
    /// Counts from zero.
    pub fn new(graph: &'a G) -> Self {
        Counting { graph, seen: Rc::default() }
    }

    /// How often the edge that was considered most was considered.
    pub fn most(&self) -> u32 {
        self.seen.borrow().values().copied().max().unwrap_or(0)
    }
}

impl<G: Graph> Graph for Counting<'_, G> {
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

    /// The view of the graph beneath is counted in the same place.
    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        let counted = Counted { work, seen: self.seen.clone() };
        self.graph.if_state_marked(counted).map_err(|counted| counted.work)
    }
}

impl<G: StateMarked> StateMarked for Counting<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        self.graph.marks(s)
    }
}

/// Work on a graph whose edges are counted.
struct Counted<W> {
    work: W,
    seen: Seen,
}

impl<W: ForStateMarked> ForStateMarked for Counted<W> {
    type Output = W::Output;

    fn with<G: StateMarked>(self, graph: &G) -> W::Output {
        self.work.with(&Counting { graph, seen: self.seen })
    }
}
