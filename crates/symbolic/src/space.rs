//! What a fixpoint algorithm needs of a graph: sets of states and the two images.
//!
//! The algorithms are written against this trait and know nothing of decision diagrams. [`crate::graph::Symbolic`] is
//! the engine's space; [`crate::bits::Bits`] is a plain graph with bit sets, with which the tests compare and the
//! paper's experiment on random graphs is repeated: external iterations and images do not depend on how a set is
//! stored.

use crate::watch::Told;
use riata_system::Stop;

/// A graph whose states are handled as sets.
pub trait Space {
    /// A set of states. Equal sets are equal values.
    type Set: Clone + Eq;

    /// No state.
    fn none(&self) -> Self::Set;
    /// All states.
    fn all(&self) -> Self::Set;
    /// a ∩ b
    fn and(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    /// a ∪ b
    fn or(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    /// a \ b
    fn minus(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    /// EX a: the states with a successor in a.
    fn pre(&self, a: &Self::Set) -> Result<Self::Set, Stop>;
    /// EY a: the states with a predecessor in a.
    fn post(&self, a: &Self::Set) -> Result<Self::Set, Stop>;
    /// A set of one state of a, which is not empty.
    fn pick(&self, a: &Self::Set) -> Result<Self::Set, Stop>;
    /// How much room the set takes: nodes of a diagram.
    fn size(&self, a: &Self::Set) -> usize;
    /// Is told what an algorithm has computed. A space does not listen, and then nothing is done.
    #[inline(always)]
    fn watch(&self, told: Told<Self::Set>) {
        let _ = told;
    }
    /// A moment between operations, for collection of garbage and limits.
    fn settle(&self) -> Result<(), Stop>;
}
