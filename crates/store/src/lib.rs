//! Stores of states: given the words of a state, its identity.
//!
//! | store | identity | exact | grows | keeps the words |
//! |---|---|---|---|---|
//! | [`Exact`] | number in order of arrival | yes | yes | yes |
//! | [`Keyed`] | known of new states alone | yes | yes | what varies of them |
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
mod gather;
pub mod hash;
mod index;
mod keyed;
mod lines;
mod packed;
mod packing;
mod pairs;
mod parts;
mod pool;
pub mod shared;
mod sorter;
mod tree;

pub use any::Any;
pub use bitstate::{BitColours, Bitstate, Plane};
pub use colours::{BitSet, Colour, Colours, Packed, Palette, StateSet};
pub use compact::Compact;
pub use dense::Dense;
pub use exact::Exact;
pub use keyed::Keyed;
pub use pairs::Pairs;
pub use sorter::Sorter;
pub use tree::Tree;

use std::convert::Infallible;
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

/// States in order of arrival, which give their words back, and many of them at a time: what breadth-first search needs.
pub trait Row {
    /// How many states there are; their numbers are those below.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the words of the state `id` to `out`.
    fn load(&self, id: u32, out: &mut Vec<u32>);

    /// Bytes held.
    fn held(&self) -> usize;

    /// States on their way.
    type Batch: Default;

    /// States come, one after the other, so that they wait for memory together: it is asked for.
    fn come<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]>,
        batch: &mut Self::Batch,
    ) -> Result<(), Full>;

    /// The same of states of so many words each, which is not zero.
    fn come_alike(&mut self, words: &[u32], length: usize, batch: &mut Self::Batch) -> Result<(), Full> {
        self.come(words.chunks_exact(length), batch)
    }

    /// Adds those that are not there yet of all that came, in this order. `told` hears of each the number; or zero, which is that of
    /// the first, if it was there before, and the numbers of such states are not known.
    fn add<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]> + Clone,
        batch: &mut Self::Batch,
        told: impl FnMut(u32),
    ) -> Result<(), Full>;
}

/// A row that may be one of several, among which the states are divided: then the same keys mean the same states to all of them, so
/// that keys can be sent in place of words.
pub trait Sorted: Row {
    /// What stands for a state.
    type Key: Copy + Send;
    /// What tells it.
    type Sorter: Sort<Self::Key> + Clone + Send + Sync;

    /// Adds those of these states that are not there yet.
    fn add_keys(&mut self, keys: &[Self::Key], batch: &mut Self::Batch) -> Result<(), Full>;
}

/// Tells what stands for a state.
pub trait Sort<K> {
    /// For each of these states, which have so many words each, tells what stands for it, or its words, if nothing does; and a hash, which for
    /// the same state is always the same.
    fn sort(&mut self, words: &[u32], length: usize, each: impl FnMut(Result<K, &[u32]>, u32));
}

impl Sort<Infallible> for Infallible {
    fn sort(&mut self, _: &[u32], _: usize, _: impl FnMut(Result<Infallible, &[u32]>, u32)) {
        match *self {}
    }
}

/// There are no such keys.
macro_rules! unsorted {
    ($store:ty) => {
        impl Sorted for $store {
            type Key = Infallible;
            type Sorter = Infallible;

            fn add_keys(&mut self, keys: &[Infallible], _: &mut Self::Batch) -> Result<(), Full> {
                match keys.first() {
                    None => Ok(()),
                    Some(never) => match *never {},
                }
            }
        }
    };
}

unsorted!(Exact);
unsorted!(Tree);

/// A store that gives the words back.
pub trait Recall: Numbered + Row {
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

/// [`Row::come`] as the first step of [`Recall`].
#[inline]
fn all_come<'s, R: Recall>(
    store: &mut R,
    states: impl Iterator<Item = &'s [u32]>,
    batch: &mut Vec<R::Coming>,
) -> Result<(), Full> {
    for s in states {
        batch.push(store.comes(s)?);
    }
    Ok(())
}

/// [`Row::add`] as the other two.
#[inline]
fn all_arrive<'s, R: Recall>(
    store: &mut R,
    states: impl Iterator<Item = &'s [u32]>,
    batch: &mut Vec<R::Coming>,
    mut told: impl FnMut(u32),
) -> Result<(), Full> {
    batch.iter_mut().for_each(|coming| store.nears(coming));
    for (s, coming) in states.zip(batch.drain(..)) {
        told(store.arrives(s, coming)?);
    }
    Ok(())
}
