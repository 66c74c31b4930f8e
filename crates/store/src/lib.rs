//! Stores of states: given the words of a state, its identity.
//!
//! | store | identity | exact | grows | keeps the words |
//! |---|---|---|---|---|
//! | [`Exact`] | number in order of arrival | yes | yes | yes |
//! | [`Tree`] | the same | yes | yes | what varies of them, or trees |
//! | [`Compact`] | the same | no: a 64-bit fingerprint | yes | no |
//! | [`Bitstate`] | a 64-bit hash | no: k bits | no | no |
//! | [`Dense`] | the state's own number | yes | – | – |
//! | [`Any`] | one of the first three, chosen at run time | | | |
//!
//! A store does not say whether a state is new: the search does, by what it keeps of each state. That is a colour
//! ([`Colours`]), a mark ([`StateSet`]) or, where identities are numbers ([`Numbered`]), anything in a vector. So the
//! text of an algorithm is the same for all stores.
//!
//! [`shared`] has stores that many threads use at once.
//!
//! Knows nothing of systems, languages or algorithms.

mod any;
mod bitstate;
mod colours;
mod compact;
mod dense;
mod exact;
pub mod hash;
mod index;
mod packed;
mod packing;
mod pairs;
mod parts;
mod pool;
pub mod shared;
mod tree;

pub use any::Any;
pub use bitstate::{BitColours, Bitstate, Plane};
pub use colours::{BitSet, Colour, Colours, Packed, Palette, StateSet};
pub use compact::Compact;
pub use dense::Dense;
pub use exact::Exact;
pub use pairs::Pairs;
pub use tree::Tree;

use std::fmt::Debug;

/// A store cannot take another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// It would need more memory than it was given.
    Memory,
    /// All 32-bit identities are in use.
    Identities,
}

/// Tells states apart.
pub trait Store: Sized {
    /// The identity of a state.
    type Id: Copy + Eq + Debug;
    /// A set of states.
    type Set: StateSet<Self::Id>;
    /// A colour for each state.
    type Colours: Colours<Self::Id>;
    /// Do different states always have different identities?
    fn is_exact(&self) -> bool;

    /// The identity of `s`.
    fn intern(&mut self, s: &[u32]) -> Result<Self::Id, Full>;

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// `sets` empty sets of states, to be used together.
    fn sets<const N: usize>(&self) -> [Self::Set; N];

    /// All states white.
    fn colours(&self, palette: Palette) -> Self::Colours;

    /// Does `work` with this store if it is [`Numbered`], and gives it back if it is not. So what needs numbers is not
    /// even compiled for a store that has none.
    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Err(work)
    }
}

/// Work that needs a store with numbers.
pub trait ForNumbered {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn with<S: Numbered>(self, store: &mut S) -> Self::Output;
}

/// A store whose identities are numbers `0, 1, …`, so that what is kept of each state can be a vector.
pub trait Numbered: Store<Id = u32> {
    /// The identity of `s`, if it was interned before. An inexact store may take it for another.
    fn find(&self, s: &[u32]) -> Option<u32>;
}

/// A store that gives the words back.
pub trait Recall: Numbered {
    /// How many states there are; their identities are the numbers below.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the words of the state `id` to `out`.
    fn load(&self, id: u32, out: &mut Vec<u32>);

    /// A state on its way into the store.
    type Coming: Copy;

    /// Interning in three steps, so that a search which has several states at hand waits for memory once and not for
    /// each of them: all of them come, all of them near, all of them arrive. This is the first; it asks for the slot
    /// of the index.
    fn comes(&mut self, s: &[u32]) -> Result<Self::Coming, Full>;

    /// The second step: asks for the words of the state that is in the slot, and takes note of what was seen there.
    fn nears(&self, coming: &mut Self::Coming);

    /// The last step: the identity of `s`, as [`Store::intern`] gives it.
    fn arrives(&mut self, s: &[u32], coming: Self::Coming) -> Result<u32, Full>;
}
