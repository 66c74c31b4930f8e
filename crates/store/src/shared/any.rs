//! A shared store that is chosen at run time, for the reason that [`crate::Any`] has.

use super::{Exact, Inside, Kept, Seat, Shared, Tree};
use crate::Full;

/// One of the shared stores that keep the words.
#[allow(missing_docs)]
// There is one of them in a search.
#[allow(clippy::large_enum_variant)]
pub enum Any {
    Exact(Exact),
    Tree(Tree),
}

impl Shared for Any {
    fn is_exact(&self) -> bool {
        match self {
            Any::Exact(s) => s.is_exact(),
            Any::Tree(s) => s.is_exact(),
        }
    }

    fn seat(&self) -> Option<Seat<'_>> {
        match self {
            Any::Exact(s) => s.seat(),
            Any::Tree(s) => s.seat(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Any::Exact(s) => s.len(),
            Any::Tree(s) => s.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Any::Exact(s) => s.bytes(),
            Any::Tree(s) => s.bytes(),
        }
    }

    /// The hash, or the two halves.
    type Coming = u64;

    #[inline]
    fn comes(&self, inside: &Inside, s: &[u32]) -> Result<u64, Full> {
        match self {
            Any::Exact(store) => store.comes(inside, s),
            Any::Tree(store) => store.comes(inside, s),
        }
    }

    #[inline]
    fn arrive<'a>(
        &self,
        inside: &Inside,
        coming: &[u64],
        state: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full> {
        match self {
            Any::Exact(store) => store.arrive(inside, coming, state, ids),
            Any::Tree(store) => store.arrive(inside, coming, state, ids),
        }
    }

    fn intern(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full> {
        match self {
            Any::Exact(store) => store.intern(seat, s),
            Any::Tree(store) => store.intern(seat, s),
        }
    }

    fn find(&self, seat: &Seat, s: &[u32]) -> Option<u32> {
        match self {
            Any::Exact(store) => store.find(seat, s),
            Any::Tree(store) => store.find(seat, s),
        }
    }
}

impl Kept for Any {
    #[inline]
    fn load(&self, id: u32, out: &mut Vec<u32>) {
        match self {
            Any::Exact(store) => store.load(id, out),
            Any::Tree(store) => store.load(id, out),
        }
    }
}
