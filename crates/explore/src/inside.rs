//! A graph inside some of its states, each of which is an initial one: what is left to search for a cycle when sets of states
//! have told that there is one.

use riata_automata::Marks;
use riata_store::{Exact, Numbered, Row};
use riata_system::{Choice, Graph};

/// A graph inside some of its states.
pub struct Inside<'a, G> {
    /// The graph.
    pub graph: &'a G,
    /// The states.
    pub states: &'a Exact,
}

/// Where to resume.
#[derive(Default)]
pub struct At<C> {
    inner: C,
    state: u32,
}

impl<G: Graph> Graph for Inside<'_, G> {
    type Cursor = At<G::Cursor>;

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
        if at.state as usize == self.states.len() {
            return false;
        }
        let mut state = Vec::new();
        self.states.load(at.state, &mut state);
        dst[..state.len()].copy_from_slice(&state);
        at.state += 1;
        true
    }

    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        loop {
            let marks = self.graph.next(src, &mut at.inner, dst)?;
            if self.states.find(&dst[..self.graph.len(dst)]).is_some() {
                return Some(marks);
            }
        }
    }

    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(&at.inner)
    }
}
