//! Hash indices from a hash to an identity: open addressing, linear probing, growth in one sweep.
//!
//! [`Index`] keeps 32 bits of each hash beside the identity: fast, 8 bytes a slot. [`SlimIndex`] keeps identities
//! alone: 4 bytes a slot, for the store that counts bytes. In both, a slot is the hash scaled to the table's size, so
//! the table may have any size and entries keep their order when it grows: growing reads and writes sequentially, and the
//! fast one grows where it is.

use crate::Full;

/// Growth: twice while small, then by half, so that the transient of a large table stays bearable.
fn larger(slots: usize) -> usize {
    if slots < 1 << 22 { slots * 2 } else { slots + slots / 2 }
}

/// Slots of a new table.
const FIRST: usize = 64;

/// `hash` scaled to `0..slots`.
#[inline]
fn scale(hash: u32, slots: usize) -> usize {
    ((u64::from(hash) * slots as u64) >> 32) as usize
}

/// What there was in an index when somebody came near.
#[derive(Clone, Copy)]
pub enum There {
    /// Nobody has looked.
    Unknown,
    /// Somebody who is likely to be the same.
    Likely(u32),
    /// Nobody: a free slot, in a table of so many.
    Free(usize, usize),
}

impl There {
    fn of(located: Result<u32, usize>, slots: usize) -> There {
        located.map_or_else(|slot| There::Free(slot, slots), There::Likely)
    }

    /// Whoever came since and is the same would be in that slot, unless the table has grown.
    #[inline]
    fn still_free(self, slots: usize, is_free: impl FnOnce(usize) -> bool) -> Option<usize> {
        match self {
            There::Free(slot, then) if then == slots && is_free(slot) => Some(slot),
            _ => None,
        }
    }
}

/// An index that remembers 32 bits of each hash.
pub struct Index {
    /// Hash in the high half, in the low one the identity plus one; zero where there is none.
    slots: Vec<u64>,
    used: usize,
}

impl Index {
    const EMPTY: u64 = 0;

    pub fn new() -> Self {
        Index { slots: vec![Self::EMPTY; FIRST], used: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * 8
    }

    /// The identity, or the slot where it belongs.
    #[inline]
    pub fn locate(&self, hash: u64, mut equal: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let tag = (hash >> 32) as u32;
        let mut at = scale(tag, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == Self::EMPTY {
                return Err(at);
            }
            let id = (slot as u32).wrapping_sub(1);
            if (slot >> 32) as u32 == tag && equal(id) {
                return Ok(id);
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// Asks for the slot of `hash`.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        riata_memory::prefetch(&self.slots, scale((hash >> 32) as u32, self.slots.len()));
    }

    /// What is there for a hash that is on its way.
    #[inline]
    pub fn there(&self, hash: u64) -> There {
        There::of(self.locate(hash, |_| true), self.slots.len())
    }

    /// The slot of somebody for whom there was nobody, if nobody came since.
    #[inline]
    pub fn still_free(&self, there: There) -> Option<usize> {
        there.still_free(self.slots.len(), |slot| self.slots[slot] == Self::EMPTY)
    }

    /// Enters `new` at the free `slot` that [`Index::locate`] told. `room` is the bytes that the index may come to
    /// hold.
    #[inline]
    pub fn enter(&mut self, mut slot: usize, hash: u64, new: u32, room: usize) -> Result<(), Full> {
        if new == u32::MAX {
            return Err(Full::Identities);
        }
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow(room)?;
            slot = self.locate(hash, |_| false).expect_err("nothing is equal");
        }
        self.slots[slot] = hash >> 32 << 32 | u64::from(new + 1);
        self.used += 1;
        Ok(())
    }

    #[cold]
    fn grow(&mut self, room: usize) -> Result<(), Full> {
        let slots = larger(self.slots.len());
        if slots * 8 > room {
            return Err(Full::Memory);
        }
        self.spread(slots);
        Ok(())
    }

    /// The table becomes larger where it is. No entry belongs before the slot where its run of entries began, and none moves
    /// down: so runs are taken out from the last to the first, and put back into what is above all that is still to come.
    fn spread(&mut self, slots: usize) {
        let old = self.slots.len();
        let gap = self.slots.iter().position(|&e| e == Self::EMPTY).expect("a table is never full");
        riata_memory::extend_exactly(&mut self.slots, slots, Self::EMPTY);
        // What came round from the end to the beginning belongs to the last run, but for those who were there anyway.
        let mut run: Vec<u64> = Vec::with_capacity(64);
        let first: Vec<u64> = self.slots[..gap].to_vec();
        self.slots[..gap].fill(Self::EMPTY);
        let is_at_home = |entry: u64| scale((entry >> 32) as u32, old) < gap;
        run.extend(first.iter().filter(|&&e| !is_at_home(e)));
        for at in (gap..old).rev() {
            let entry = std::mem::replace(&mut self.slots[at], Self::EMPTY);
            if entry != Self::EMPTY {
                run.push(entry);
            } else {
                run.drain(..).for_each(|entry| put(&mut self.slots, entry));
            }
        }
        first.into_iter().filter(|&e| is_at_home(e)).for_each(|entry| put(&mut self.slots, entry));
    }
}

/// Puts an entry of an [`Index`] where it belongs.
#[inline]
fn put(slots: &mut [u64], entry: u64) {
    let mut at = scale((entry >> 32) as u32, slots.len());
    while slots[at] != Index::EMPTY {
        at = if at + 1 == slots.len() { 0 } else { at + 1 };
    }
    slots[at] = entry;
}

/// An index of identities alone; whoever asks can tell the hash of each.
///
/// The bits of a slot that identities do not need yet hold a part of the hash, so that few of the entries passed on
/// the way cost a look at what they stand for; that is what makes a nearly full table bearable.
pub struct SlimIndex {
    /// Low bits: the identity plus one; zero where there is none. High bits: of the hash.
    slots: Vec<u32>,
    /// The low bits.
    mask: u32,
}

/// The bits that an identity plus one needs in a table of this size.
fn identity_mask(slots: usize) -> u32 {
    u32::try_from(slots.next_power_of_two()).map_or(u32::MAX, |n| n | (n - 1))
}

/// Growth of the slim index: by a quarter once it is large, because memory is what it saves.
fn slightly_larger(slots: usize) -> usize {
    if slots < 1 << 16 { slots * 2 } else { slots + slots / 4 }
}

impl SlimIndex {
    pub fn new() -> Self {
        SlimIndex { slots: vec![0; FIRST], mask: identity_mask(FIRST) }
    }

    /// No table at all: what stands in for an index that is lent out.
    pub fn unallocated() -> Self {
        SlimIndex { slots: Vec::new(), mask: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * 4
    }

    /// The identity, or the slot where it belongs.
    #[inline]
    pub fn locate(&self, hash: u64, mut equal: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let tag = hash as u32 & !self.mask;
        let mut at = scale((hash >> 32) as u32, self.slots.len());
        loop {
            let entry = self.slots[at];
            let identity = entry & self.mask;
            if identity == 0 {
                return Err(at);
            }
            if entry & !self.mask == tag && equal(identity - 1) {
                return Ok(identity - 1);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }

    /// Asks for the slot of `hash`.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        riata_memory::prefetch(&self.slots, scale((hash >> 32) as u32, self.slots.len()));
    }

    /// What is there for a hash that is on its way.
    #[inline]
    pub fn there(&self, hash: u64) -> There {
        There::of(self.locate(hash, |_| true), self.slots.len())
    }

    /// The slot of somebody for whom there was nobody, if nobody came since.
    #[inline]
    pub fn still_free(&self, there: There) -> Option<usize> {
        there.still_free(self.slots.len(), |slot| self.slots[slot] == 0)
    }

    /// Enters `new`, the next identity, at the free `slot` that [`SlimIndex::locate`] told. When the table must
    /// grow, `hash` tells the hash of each identity up to and with `new`. `room` is the bytes it may come to hold.
    #[inline]
    pub fn enter(
        &mut self,
        slot: usize,
        new: u32,
        room: usize,
        hash: impl Fn(u32) -> u64,
    ) -> Result<(), Full> {
        if new >= u32::MAX - 1 {
            return Err(Full::Identities);
        }
        if (new as usize + 1) * 8 <= self.slots.len() * 7 {
            self.slots[slot] = hash(new) as u32 & !self.mask | (new + 1);
            return Ok(());
        }
        self.grow(new, room, hash)
    }

    #[cold]
    fn grow(&mut self, new: u32, room: usize, hash: impl Fn(u32) -> u64) -> Result<(), Full> {
        let slots = slightly_larger(self.slots.len());
        if slots * 4 > room {
            return Err(Full::Memory);
        }
        self.slots = Vec::new();
        self.slots = riata_memory::zeros(slots);
        self.mask = identity_mask(slots);
        // Several at a time, so that the waits for memory overlap.
        let mut hashes = [0; 16];
        for first in (0..=new).step_by(hashes.len()) {
            let ids = first..=new.min(first + (hashes.len() as u32 - 1));
            for (place, id) in hashes.iter_mut().zip(ids.clone()) {
                *place = hash(id);
                self.prefetch(*place);
            }
            for (&hash, id) in hashes.iter().zip(ids) {
                let mut at = scale((hash >> 32) as u32, slots);
                while self.slots[at] != 0 {
                    at = if at + 1 == slots { 0 } else { at + 1 };
                }
                self.slots[at] = hash as u32 & !self.mask | (id + 1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes whose entries crowd at the end of the table and come round to its beginning, and others.
    #[test]
    fn a_table_that_has_grown_has_all_that_it_had() {
        for crowd in [0, 1, 7, 40] {
            let mut index = Index::new();
            let mut random = crowd;
            let hashes: Vec<u64> = (0..5000u64)
                .map(|i| {
                    random = u64::wrapping_mul(random + i, 6_364_136_223_846_793_005) ^ i << 7;
                    if i % 41 < crowd { u64::MAX - (random >> 31) } else { random }
                })
                .collect();
            for (id, &hash) in hashes.iter().enumerate() {
                let slot = index.locate(hash, |other| hashes[other as usize] == hash);
                if let Err(slot) = slot {
                    index.enter(slot, hash, id as u32, usize::MAX).expect("room");
                }
                for (id, &hash) in hashes[..=id].iter().enumerate().step_by(97) {
                    let found = index.locate(hash, |other| hashes[other as usize] == hash);
                    assert!(found.is_ok_and(|other| other as usize <= id), "{id}");
                }
            }
            assert!(hashes.iter().all(|&h| index.locate(h, |other| hashes[other as usize] == h).is_ok()));
        }
    }

    #[test]
    fn masks_hold_every_identity_of_the_table() {
        for slots in [1, 64, 65, 100_000, 1 << 20, (1 << 31) + 5, 1 << 32] {
            let most = slots as u64 * 7 / 8;
            assert!(most <= u64::from(identity_mask(slots)), "{slots}");
            assert_eq!(identity_mask(slots).count_ones(), 32 - identity_mask(slots).leading_zeros());
        }
        assert_eq!(identity_mask(64), 127);
    }
}
