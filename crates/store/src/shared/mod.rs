//! Stores that many threads use at once, behind a shared reference.
//!
//! | store | identity | exact | keeps the words |
//! |---|---|---|---|
//! | [`Exact`] | number without gaps | yes | yes |
//! | [`Tree`] | the same | yes | yes, compressed |
//! | [`Any`] | one of these, chosen at run time | | |
//! | [`Compact`] | the same | no: a 64-bit fingerprint | no |
//! | [`Bitstate`] | none | no: k bits | no |
//!
//! Identities are numbers below [`Shared::len`], in no order that could be foretold: two threads may find new states at
//! once. [`Compact`] and [`Bitstate`] are also [`Seen`]: sets, for a search that keeps nothing of a state but that it was
//! seen. What a search keeps of each state is in [`riata_memory::Chunks`], which grows as the store does.
//!
//! A thread takes a seat first ([`Shared::seat`]), and uses the store through it.

mod any;
mod bitstate;
mod compact;
mod exact;
mod gate;
mod pairs;
#[doc(hidden)]
pub mod slots;
pub(crate) mod sync;
mod tree;

pub use any::Any;
pub use bitstate::Bitstate;
pub use compact::Compact;
pub use exact::Exact;
pub use gate::{Gate, Inside, SEATS, Seat};
pub use tree::Tree;

use crate::Full;

/// Tells states apart, for many threads.
pub trait Shared: Sync {
    /// Do different states always have different identities?
    fn is_exact(&self) -> bool;

    /// A seat for one thread; none if [`SEATS`] are taken.
    fn seat(&self) -> Option<Seat<'_>>;

    /// How many identities were given: they are the numbers below.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// A state on its way into the store.
    type Coming: Copy;

    /// The first of two steps: asks for the memory where `s` may be. Who has several states at hand stays inside until the
    /// second ([`Seat::enter`]).
    fn comes(&self, inside: &Inside, s: &[u32]) -> Result<Self::Coming, Full>;

    /// The second step, for all states that are on their way: `state(i)` is that of `coming[i]`. Writes their identities to
    /// `ids`, in order.
    fn arrive<'a>(
        &self,
        inside: &Inside,
        coming: &[Self::Coming],
        state: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full>;

    /// The identity of `s`.
    fn intern(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full>;

    /// The identity of `s`, if it was interned before.
    fn find(&self, seat: &Seat, s: &[u32]) -> Option<u32>;
}

/// A shared store that gives the words back.
pub trait Kept: Shared {
    /// Writes the words of the state `id` to `out`. The identity was told by the store, to this thread or to one that
    /// this thread has heard of since.
    fn load(&self, id: u32, out: &mut Vec<u32>);
}

/// A set of states for many threads, which may take a state for another.
pub trait Seen: Sync {
    /// A seat for one thread; none if [`SEATS`] are taken.
    fn seat(&self) -> Option<Seat<'_>>;

    /// Asks for the memory where `s` is told; gives what stands for `s`.
    fn comes(&self, inside: &Inside, s: &[u32]) -> u64;

    /// Adds a state, by what stands for it. Was it not there? If several threads add a state at once, one of them is told so, at
    /// least.
    fn add(&self, seat: &Seat, coming: u64) -> Result<bool, Full>;

    /// Bytes held.
    fn bytes(&self) -> usize;
}
