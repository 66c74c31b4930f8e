//! Graphs: what every emptiness check walks.

use riata_automata::Marks;

/// A generalised Büchi automaton without its letters, known only through its successor function.
///
/// An infinite path from an initial state is accepting when it takes edges with each mark of [`Graph::all`]
/// infinitely often.
pub trait Graph: Sync {
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
    /// what this call wrote to it last, if the caller kept it; no implementation may depend on that.
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks>;

    /// What is known of the structure; [`Strength::General`] is always true.
    fn strength(&self) -> Strength {
        Strength::General
    }
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

/// The structural classes of Černá and Pelánek, as SE05 section 5.1 uses them, each contained in the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// After an edge that carries all marks every continuation is accepting, and there always is one.
    Terminal,
    /// Inside a component either every edge carries all marks, or some mark is missing from all of them.
    Weak,
    /// Anything.
    General,
}
