//! A store that is chosen at run time.
//!
//! An algorithm is compiled once for each kind of store it runs with. Where many kinds of graphs meet many
//! algorithms, that is minutes of compilation; a branch for each look-up, always taken the same way, costs nothing
//! that can be measured beside the cache miss of the look-up itself.

use crate::{BitSet, Compact, Exact, ForNumbered, Full, Numbered, Packed, Palette, Store, Tree};

/// One of the stores that number states in order of arrival.
#[allow(missing_docs)]
pub enum Any {
    Exact(Exact),
    Tree(Tree),
    Compact(Compact),
}

impl Store for Any {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        match self {
            Any::Exact(s) => s.is_exact(),
            Any::Tree(s) => s.is_exact(),
            Any::Compact(s) => s.is_exact(),
        }
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        match self {
            Any::Exact(store) => store.intern(s),
            Any::Tree(store) => store.intern(s),
            Any::Compact(store) => store.intern(s),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Any::Exact(s) => s.bytes(),
            Any::Tree(s) => s.bytes(),
            Any::Compact(s) => s.bytes(),
        }
    }

    fn sets<const N: usize>(&self) -> [BitSet; N] {
        std::array::from_fn(|_| BitSet::default())
    }

    fn colours(&self, palette: Palette) -> Packed {
        Packed::new(palette)
    }

    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl Numbered for Any {
    fn find(&self, s: &[u32]) -> Option<u32> {
        match self {
            Any::Exact(store) => store.find(s),
            Any::Tree(store) => store.find(s),
            Any::Compact(store) => store.find(s),
        }
    }
}
