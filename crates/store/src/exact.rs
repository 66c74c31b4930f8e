//! The exact table: a pool of states in order of arrival, and an index over it.

use crate::index::{Index, There};
use crate::pool::Pool;
use crate::{
    BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Row, Store, all_arrive, all_come, hash,
};
use riata_memory::{append, same};

/// All states, as they are. Identities are numbers in order of arrival.
pub struct Exact {
    index: Index,
    pool: Pool,
    limit: usize,
}

impl Exact {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Exact { index: Index::new(), pool: Pool::default(), limit }
    }

    /// From now on it holds at most so many bytes.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }
}

/// A state on its way into the store: its hash, and what is there.
#[derive(Clone, Copy)]
pub struct Coming {
    hash: u64,
    there: There,
}

impl Store for Exact {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        self.arrives(s, Coming { hash: hash::words(s, 0), there: There::UNKNOWN })
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.pool.bytes()
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

impl Numbered for Exact {
    fn find(&self, s: &[u32]) -> Option<u32> {
        self.index.locate(hash::words(s, 0), |id| same(self.pool.get(id), s)).ok()
    }
}

impl Row for Exact {
    fn len(&self) -> usize {
        self.pool.len() as usize
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        append(out, self.pool.get(id));
    }

    fn held(&self) -> usize {
        self.bytes()
    }

    type Batch = Vec<Coming>;

    #[inline]
    fn come<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]>,
        batch: &mut Vec<Coming>,
    ) -> Result<(), Full> {
        all_come(self, states, batch)
    }

    #[inline]
    fn add<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]> + Clone,
        batch: &mut Vec<Coming>,
        told: impl FnMut(u32),
    ) -> Result<(), Full> {
        all_arrive(self, states, batch, told)
    }
}

impl Recall for Exact {
    type Coming = Coming;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let hash = hash::words(s, 0);
        self.index.prefetch(hash);
        Ok(Coming { hash, there: There::UNKNOWN })
    }

    #[inline]
    fn nears(&self, coming: &mut Coming) {
        coming.there = self.index.there(coming.hash);
        self.pool.prefetch(coming.there.likely_or_first());
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], Coming { hash, there }: Coming) -> Result<u32, Full> {
        match self.index.locate_again(there, hash, |id| same(self.pool.get(id), s)) {
            Ok(id) => Ok(id),
            Err(slot) => self.add(s, hash, slot),
        }
    }
}

impl Exact {
    /// Adds `s`, which belongs into a free slot.
    #[inline]
    fn add(&mut self, s: &[u32], hash: u64, slot: usize) -> Result<u32, Full> {
        let new = self.pool.len();
        self.pool.push(s, self.limit.saturating_sub(self.index.bytes()))?;
        self.index.enter(slot, hash, new, self.limit.saturating_sub(self.pool.bytes()))?;
        Ok(new)
    }
}
