//! A table of pairs of numbers, each pair stored once, in as few bytes as its numbers need.

use crate::index::{SlimIndex, There};
use crate::{Full, hash};

/// Pairs in order of arrival. A pair is stored in one record of `left + right` bytes (at most eight); the records
/// are rewritten when a number comes that is too large for its column, which happens at most six times.
pub struct Pairs {
    index: SlimIndex,
    /// The records, with eight bytes of padding at the end so that each can be read as one word.
    records: Vec<u8>,
    count: u32,
    left: u32,
    right: u32,
    /// Pairs that were looked up lately, each with its number plus one: most parts of states come back soon.
    recent: Box<[(u32, u32, u32)]>,
}

/// So many are remembered.
const RECENT: usize = 2048;

const PADDING: usize = 8;

/// Bytes that `x` needs; at least one.
fn width(x: u32) -> u32 {
    (32 - x.leading_zeros()).div_ceil(8).max(1)
}

fn mask(bytes: u32) -> u64 {
    (1u64 << (8 * bytes)) - 1
}

impl Default for Pairs {
    fn default() -> Self {
        Self::new()
    }
}

impl Pairs {
    /// No pairs.
    pub fn new() -> Self {
        Pairs {
            index: SlimIndex::new(),
            records: vec![0; PADDING],
            count: 0,
            left: 1,
            right: 1,
            recent: Box::default(),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.index.bytes() + self.records.capacity()
    }

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// Pair number `id`.
    #[inline]
    pub fn get(&self, id: u32) -> (u32, u32) {
        let at = id as usize * (self.left + self.right) as usize;
        let word = u64::from_le_bytes(self.records[at..at + 8].try_into().expect("eight bytes"));
        ((word & mask(self.left)) as u32, (word >> (8 * self.left) & mask(self.right)) as u32)
    }

    /// The number of the pair, if it is there.
    pub fn find(&self, a: u32, b: u32) -> Option<u32> {
        self.index.locate(hash::pair(a, b), |id| self.get(id) == (a, b)).ok()
    }

    /// Asks for the slot of a pair.
    #[inline]
    pub fn comes(&self, a: u32, b: u32) {
        self.index.prefetch(hash::pair(a, b));
    }

    /// Asks for the record in that slot, and tells what is there.
    #[inline]
    pub(crate) fn nears(&self, a: u32, b: u32) -> There {
        let there = self.index.there(hash::pair(a, b));
        if let Some(id) = there.likely() {
            riata_memory::prefetch(&self.records, id as usize * (self.left + self.right) as usize);
        }
        there
    }

    /// The number of the pair, which may be new; `room` is the bytes that the table may come to hold.
    #[inline]
    pub fn intern(&mut self, a: u32, b: u32, room: usize) -> Result<u32, Full> {
        self.arrives(a, b, There::UNKNOWN, room)
    }

    /// The same, for a pair of which it is known what was there.
    #[inline]
    pub(crate) fn arrives(&mut self, a: u32, b: u32, there: There, room: usize) -> Result<u32, Full> {
        let slot = match self.index.locate_again(there, hash::pair(a, b), |id| self.get(id) == (a, b)) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        let new = self.count;
        self.push(a, b, room.saturating_sub(self.index.bytes()))?;
        let room = room.saturating_sub(self.records.capacity());
        // The index asks for the hashes of pairs while it grows: lend it the records, not itself.
        let mut index = std::mem::replace(&mut self.index, SlimIndex::unallocated());
        let entered = index.enter(slot, new, room, |id| {
            let (a, b) = self.get(id);
            hash::pair(a, b)
        });
        self.index = index;
        entered?;
        Ok(new)
    }

    /// As [`Pairs::intern`], for pairs that come again soon.
    #[inline]
    pub fn intern_again(&mut self, a: u32, b: u32, room: usize) -> Result<u32, Full> {
        if self.recent.is_empty() {
            self.recent = vec![(0, 0, 0); RECENT].into();
        }
        let at = (a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77)) >> (32 - RECENT.ilog2());
        let (x, y, number) = self.recent[at as usize];
        if number != 0 && (x, y) == (a, b) {
            return Ok(number - 1);
        }
        let id = self.intern(a, b, room)?;
        self.recent[at as usize] = (a, b, id + 1);
        Ok(id)
    }

    fn push(&mut self, a: u32, b: u32, room: usize) -> Result<(), Full> {
        let (left, right) = (self.left.max(width(a)), self.right.max(width(b)));
        if (left, right) != (self.left, self.right) {
            self.widen(left, right, room)?;
        }
        let record = (left + right) as usize;
        if self.records.capacity() - self.records.len() < record {
            self.records.reserve_exact((self.records.len() / 16).max(1 << 12));
            if self.records.capacity() > room {
                return Err(Full::Memory);
            }
        }
        let at = self.count as usize * record;
        self.records.resize(at + record + PADDING, 0);
        self.write(at, a, b);
        self.count += 1;
        Ok(())
    }

    fn write(&mut self, at: usize, a: u32, b: u32) {
        let word = u64::from(a) | u64::from(b) << (8 * self.left);
        let record = (self.left + self.right) as usize;
        self.records[at..at + record].copy_from_slice(&word.to_le_bytes()[..record]);
    }

    #[cold]
    fn widen(&mut self, left: u32, right: u32, room: usize) -> Result<(), Full> {
        let record = (left + right) as usize;
        let size = self.count as usize * record + PADDING;
        if size > room {
            return Err(Full::Memory);
        }
        let mut all = Vec::with_capacity(size);
        for id in 0..self.count {
            let (a, b) = self.get(id);
            let word = u64::from(a) | u64::from(b) << (8 * left);
            all.extend_from_slice(&word.to_le_bytes()[..record]);
        }
        self.records = all;
        self.records.resize(size, 0);
        (self.left, self.right) = (left, right);
        Ok(())
    }
}
