//! A graph on which threads get into each other's way: now and then, who asks for a successor must wait.

use riata_automata::Marks;
use riata_system::{Choice, ForStateMarkedAmong, Graph, StateMarked, Strength};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::yield_now;

/// The same graph, with pauses.
pub struct Shaken<'a, G> {
    graph: &'a G,
    /// Of so many steps one is a pause; 0 for none.
    rarely: u64,
    steps: AtomicU64,
}

impl<'a, G> Shaken<'a, G> {
    /// About one of `rarely` steps gives the processor away; none if that is 0.
    pub fn new(graph: &'a G, rarely: u64) -> Self {
        Shaken { graph, rarely, steps: AtomicU64::new(0) }
    }

    fn pause(&self) {
        if self.rarely > 0 {
            let n = self.steps.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if (n >> 40).is_multiple_of(self.rarely) {
                yield_now();
            }
        }
    }
}

impl<G: Graph> Graph for Shaken<'_, G> {
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
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.graph.initial(at, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        self.pause();
        self.graph.next(src, at, dst)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(at)
    }
    fn strength(&self) -> Strength {
        self.graph.strength()
    }

    fn if_state_marked_among<W: ForStateMarkedAmong>(&self, work: W) -> Result<W::Output, W>
    where
        Self: Sync,
    {
        Err(work)
    }
}

impl<G: StateMarked> StateMarked for Shaken<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        self.pause();
        self.graph.marks(s)
    }
}
