//! Hash compaction: a 64-bit fingerprint stands for the state.
//!
//! Two states with one fingerprint are taken for the same, so a search with this store may miss a part of the
//! system: it never answers «empty». With n states the expected number of confusions is about n²/2⁶⁵.
//!
//! # References
//! Wolper, Leroy: Reliable hashing without collision detection. CAV 1993.

use crate::pairs::Pairs;
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Store, hash};

/// The fingerprints of all states. Identities are numbers in order of arrival.
pub struct Compact {
    prints: Pairs,
    seed: u64,
    limit: usize,
}

impl Compact {
    /// An empty store that holds at most `limit` bytes; other seeds give other fingerprints.
    pub fn new(limit: usize, seed: u64) -> Self {
        Compact { prints: Pairs::new(), seed, limit }
    }

    /// How many different fingerprints there are.
    pub fn len(&self) -> usize {
        self.prints.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn print(&self, s: &[u32]) -> (u32, u32) {
        let h = hash::words(s, self.seed);
        (h as u32, (h >> 32) as u32)
    }
}

impl Store for Compact {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        false
    }

    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        let (a, b) = self.print(s);
        self.prints.intern(a, b, self.limit)
    }

    fn bytes(&self) -> usize {
        self.prints.bytes()
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

impl Numbered for Compact {
    fn find(&self, s: &[u32]) -> Option<u32> {
        let (a, b) = self.print(s);
        self.prints.find(a, b)
    }
}
