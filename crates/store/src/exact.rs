//! The exact table: a pool of states in order of arrival, and an index over it.

use crate::index::Index;
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

impl Store for Exact {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        self.arrives(s, hash::words(s, 0))
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

impl Recall for Exact {
    fn len(&self) -> usize {
        self.pool.count as usize
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(self.pool.get(id));
    }

    /// Its hash.
    type Coming = u64;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<u64, Full> {
        let hash = hash::words(s, 0);
        self.index.prefetch(hash);
        Ok(hash)
    }

    #[inline]
    fn nears(&self, hash: u64) {
        if let Some(id) = self.index.likely(hash) {
            self.pool.prefetch(id);
        }
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], hash: u64) -> Result<u32, Full> {
        let slot = match self.index.locate(hash, |id| same(self.pool.get(id), s)) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        let new = self.pool.count;
        self.pool.push(s, self.limit.saturating_sub(self.index.bytes()))?;
        self.index.enter(slot, hash, new, self.limit.saturating_sub(self.pool.bytes()))?;
        Ok(new)
    }
}

/// Are two states the same? Mostly they are, since their hashes are: there is no need to stop at the first difference.
#[inline]
fn same(a: &[u32], b: &[u32]) -> bool {
    if a.len() > 64 {
        return a == b;
    }
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (x, y)| d | (x ^ y)) == 0
}

/// States one after the other. While all have the same length, their places follow from their numbers.
#[derive(Default)]
struct Pool {
    words: Vec<u32>,
    count: u32,
    length: usize,
    /// Where each state ends, once two lengths have been seen.
    ends: Option<Vec<u64>>,
}

impl Pool {
    fn bytes(&self) -> usize {
        self.words.capacity() * 4 + self.ends.as_ref().map_or(0, |e| e.capacity() * 8)
    }

    #[inline]
    fn get(&self, id: u32) -> &[u32] {
        let id = id as usize;
        match &self.ends {
            None => &self.words[id * self.length..(id + 1) * self.length],
            Some(ends) => {
                let start = if id == 0 { 0 } else { ends[id - 1] };
                &self.words[start as usize..ends[id] as usize]
            }
        }
    }

    /// Asks for the words of a state.
    #[inline]
    fn prefetch(&self, id: u32) {
        if self.ends.is_none() {
            riata_memory::prefetch(&self.words, id as usize * self.length);
        }
    }

    /// Adds a state; `room` is the bytes that the pool may come to hold.
    fn push(&mut self, s: &[u32], room: usize) -> Result<(), Full> {
        if self.count == 0 {
            self.length = s.len();
        }
        if s.len() != self.length && self.ends.is_none() {
            self.ends = Some((1..=u64::from(self.count)).map(|i| i * self.length as u64).collect());
        }
        if self.words.capacity() - self.words.len() < s.len() {
            // By an eighth: the allocator moves large blocks by remapping, not by copying. (Huge pages would be asked
            // for in a part of the block, which the system then cannot remap as one.)
            self.words.reserve_exact((self.words.len() / 8).max(1 << 14).max(s.len()));
            if self.bytes() > room {
                return Err(Full::Memory);
            }
        }
        self.words.extend_from_slice(s);
        if let Some(ends) = &mut self.ends {
            ends.push(self.words.len() as u64);
        }
        self.count += 1;
        Ok(())
    }
}
