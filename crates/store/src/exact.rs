//! The exact table: a pool of states in order of arrival, and an index over it.

use crate::index::Index;
use crate::pool::Pool;
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Store, hash};

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
}

/// A state on its way into the store: its hash, and who is likely to be the same.
#[derive(Clone, Copy)]
pub struct Coming {
    hash: u64,
    /// `u32::MAX` if nobody is.
    likely: u32,
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
        self.arrives(s, Coming { hash: hash::words(s, 0), likely: u32::MAX })
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
        self.index.locate(hash::words(s, 0), |id| self.pool.get(id) == s).ok()
    }
}

impl Recall for Exact {
    fn len(&self) -> usize {
        self.pool.len() as usize
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(self.pool.get(id));
    }

    type Coming = Coming;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let hash = hash::words(s, 0);
        self.index.prefetch(hash);
        Ok(Coming { hash, likely: u32::MAX })
    }

    #[inline]
    fn nears(&self, coming: &mut Coming) {
        if let Some(id) = self.index.likely(coming.hash) {
            coming.likely = id;
            self.pool.prefetch(id);
        }
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], Coming { hash, likely }: Coming) -> Result<u32, Full> {
        if likely != u32::MAX && self.pool.get(likely) == s {
            return Ok(likely);
        }
        self.settle(s, hash)
    }
}

impl Exact {
    /// The identity of `s`, by a look into the index.
    #[inline(never)]
    fn settle(&mut self, s: &[u32], hash: u64) -> Result<u32, Full> {
        let slot = match self.index.locate(hash, |id| self.pool.get(id) == s) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        let new = self.pool.len();
        self.pool.push(s, self.limit.saturating_sub(self.index.bytes()))?;
        self.index.enter(slot, hash, new, self.limit.saturating_sub(self.pool.bytes()))?;
        Ok(new)
    }
}
