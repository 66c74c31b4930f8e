//! Graphs: what every emptiness check walks.

use crate::Choice;
use crate::watch::Event;
use riata_automata::{Marks, Strength};

/// A generalised Büchi automaton without its letters, known only through its successor function.
///
/// An infinite path from an initial state is accepting when it takes edges with each mark of [`Graph::all`]
/// infinitely often.
pub trait Graph: Sized {
    /// Where to resume in the successors of a state: owned, borrows nothing.
    type Cursor: Default;

    /// The largest number of words a state can have.
    fn words(&self) -> usize;

    /// How many words of the buffer `s` its state occupies. A state tells its own length.
    fn len(&self, s: &[u32]) -> usize {
        let _ = s;
        self.words()
    }

    /// The acceptance marks that a cycle must meet.
    fn all(&self) -> Marks;

    /// Writes the next initial state to `dst`; false when there is none left.
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool;

    /// Writes the next successor of `src` to `dst` and tells the marks of the edge. On resumption `dst` still holds
    /// what the previous call wrote: the caller sees to that.
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks>;

    /// Which step of the system beneath the successor that [`Graph::next`] has just told with this cursor takes. A run
    /// is shown by its steps; two of them may lead to the same state.
    fn choice(&self, at: &Self::Cursor) -> Choice;

    /// Is told what a search on this graph does. A graph does not listen, and then the event is not even made.
    #[inline(always)]
    fn watch(&self, event: impl FnOnce() -> Event) {
        let _ = event;
    }

    /// What is known of the structure; [`Strength::General`] is always true.
    fn strength(&self) -> Strength {
        Strength::General
    }

    /// Is this a view of another graph, made for checks that need one acceptance set on states? Checks that do not need
    /// it run on the graph beneath, and are not even compiled for this one.
    const FOR_ONE_SET: bool = false;

    /// Does `work` on this graph if its marks sit on states, and gives it back if they do not.
    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        Err(work)
    }

    /// The same, for work that several threads do together.
    fn if_state_marked_among<W: ForStateMarkedAmong>(&self, work: W) -> Result<W::Output, W>
    where
        Self: Sync,
    {
        Err(work)
    }
}

/// Work of several threads on a graph whose marks sit on states.
pub trait ForStateMarkedAmong {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn with<G: StateMarked + Sync>(self, g: &G) -> Self::Output;
}

/// Work on a graph whose marks sit on states.
pub trait ForStateMarked {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn with<G: StateMarked>(self, g: &G) -> Self::Output;
}

/// A graph whose marks sit on states: every edge that leaves `s` carries exactly `marks(s)`.
pub trait StateMarked: Graph {
    /// The marks of `s`.
    fn marks(&self, s: &[u32]) -> Marks;

    /// `s ∈ A`, for the checks on automata with one acceptance set (or none, where every state accepts).
    fn accepting(&self, s: &[u32]) -> bool {
        self.marks(s).contains(self.all())
    }
}

/// A graph seen from one state: the same edges, another initial state.
pub struct Rooted<'a, G> {
    /// The graph.
    pub graph: &'a G,
    /// Its only initial state.
    pub root: &'a [u32],
}

/// The cursor of [`Rooted`].
#[derive(Default)]
pub struct RootedCursor<C> {
    inner: C,
    begun: bool,
}

impl<G: Graph> Graph for Rooted<'_, G> {
    type Cursor = RootedCursor<G::Cursor>;

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
        dst[..self.root.len()].copy_from_slice(self.root);
        !std::mem::replace(&mut at.begun, true)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        self.graph.next(src, &mut at.inner, dst)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(&at.inner)
    }
}
