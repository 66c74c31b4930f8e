//! A graph as a system, for a search that does not look at marks.

use riata_system::{ActionId, Graph, Successors, System, Valuation};

/// The states and edges of a graph.
pub struct Edges<'a, G>(pub &'a G);

impl<G: Graph + Sync> System for Edges<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.0.words()
    }

    fn len(&self, s: &[u32]) -> usize {
        self.0.len(s)
    }

    fn initial(&self, at: &mut G::Cursor, dst: &mut [u32]) -> bool {
        self.0.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut G::Cursor, dst: &mut [u32]) -> Option<ActionId> {
        self.0.next(src, at, dst).map(|_| ActionId(0))
    }

    fn expand(&self, src: &[u32], at: &mut G::Cursor, out: &mut Successors) -> u64 {
        // A graph resumes with what it wrote last, so every successor is written to the same place.
        let mut slot = vec![0; self.words()];
        let mut count = 0;
        while self.0.next(src, at, &mut slot).is_some() {
            out.push(&slot[..self.len(&slot)], ActionId(0));
            count += 1;
        }
        count
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }
}
