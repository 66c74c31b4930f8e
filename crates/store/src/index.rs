//! Hash indices from a hash to an identity: open addressing, linear probing, growth in one sweep.
//!
//! [`Index`] keeps 32 bits of each hash beside the identity: fast, 8 bytes a slot. [`SlimIndex`] keeps identities
//! alone: 4 bytes a slot, for the store that counts bytes. In both, a slot (or a line of them: [`Lines`]) is the hash scaled to
//! the table's size, so the table may have any size.

use crate::Full;
use crate::lines::{Entry, Lines, scale};
use std::hint::select_unpredictable;

/// Slots of a new table.
const FIRST: usize = 64;

/// What there was in an index when somebody came near.
///
/// One word: it waits in memory for a short time, and what was written in parts could not be read at once as soon as it is there.
/// Zero: nobody has looked. Below 2^32: the identity plus one of somebody who is likely to be the same. Else there was nobody:
/// a free slot (48 bits), and above it how often the table had grown, with the topmost bit.
#[derive(Clone, Copy)]
pub struct There(u64);

const NOBODY: u64 = 1 << 15;

impl There {
    /// Nobody has looked.
    pub const UNKNOWN: There = There(0);

    #[inline]
    fn of(located: Result<u32, usize>, grown: u32) -> There {
        match located {
            Ok(id) => There(u64::from(id) + 1),
            Err(slot) => There((NOBODY | u64::from(grown)) << 48 | slot as u64),
        }
    }

    /// Somebody who is likely to be the same, or the first of all.
    #[inline]
    pub fn likely_or_first(self) -> u32 {
        select_unpredictable(self.0 >> 32 == 0, (self.0 as u32).wrapping_sub(1), 0)
    }

    /// Somebody who is likely to be the same.
    #[inline]
    pub fn likely(self) -> Option<u32> {
        (self.0 as u32).checked_sub(1).filter(|_| self.0 >> 32 == 0)
    }

    /// A slot that was free. Whoever came since and is the same is in that slot, unless the table has grown: then it is none.
    #[inline]
    fn free(self, grown: u32) -> Option<usize> {
        (self.0 >> 48 == NOBODY | u64::from(grown)).then_some((self.0 & ((1 << 48) - 1)) as usize)
    }
}

/// Slots of a line: those that come from memory together.
const LINE: usize = 8;

/// An index that remembers 32 bits of each hash: eight slots are a line of the cache, and compared at once.
pub struct Index {
    table: Lines<Slot, LINE>,
    used: usize,
}

/// Hash in the high half, in the low one the identity plus one; zero where there is none.
type Slot = u64;

impl Entry for Slot {
    const NONE: Slot = 0;
    const EIGHTHS: usize = 6;

    #[inline]
    fn home(self) -> u32 {
        (self >> 32) as u32
    }
}

/// For each slot of a line two bits: is it free, and above that, has it this tag? In a line the free ones come after all
/// others, so the lowest bit tells the first one with the tag, or that there is none and which is free.
#[cfg(target_arch = "x86_64")]
#[inline]
fn compare(line: &[u64; LINE], tag: u32) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
        _mm_set1_epi64x,
    };
    // SAFETY: each of these is in the instruction set that all processors of this architecture have, and two slots are read
    // where there are eight.
    #[allow(unused_unsafe, reason = "some versions of the compiler know most of that themselves")]
    unsafe {
        let wanted = _mm_set1_epi64x((u64::from(tag) << 32).cast_signed());
        let two = |i: usize| _mm_cmpeq_epi32(_mm_loadu_si128(line.as_ptr().add(i).cast::<__m128i>()), wanted);
        let (a, b) = (_mm_packs_epi32(two(0), two(2)), _mm_packs_epi32(two(4), two(6)));
        _mm_movemask_epi8(_mm_packs_epi16(a, b)).cast_unsigned()
    }
}

/// For each slot of a line two bits: is it free, and above that, has it this tag?
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn compare(line: &[u64; LINE], tag: u32) -> u32 {
    compare_one_by_one(line, tag)
}

/// The same, slot by slot.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn compare_one_by_one(line: &[u64; LINE], tag: u32) -> u32 {
    let bits = |slot: u64| u32::from(slot as u32 == 0) | u32::from((slot >> 32) as u32 == tag) << 1;
    line.iter().enumerate().fold(0, |all, (i, &slot)| all | bits(slot) << (2 * i))
}

impl Index {
    pub fn new() -> Self {
        Index { table: Lines::new(), used: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// The identity, or the slot where it belongs.
    #[inline]
    pub fn locate(&self, hash: u64, mut equal: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let tag = (hash >> 32) as u32;
        let mut line = self.table.home(tag);
        loop {
            let slots = self.table.line(line);
            let mut found = compare(slots, tag);
            while found != 0 {
                let (slot, free) =
                    (found.trailing_zeros() as usize / 2 % LINE, found.trailing_zeros().is_multiple_of(2));
                if free {
                    return Err(self.table.start(line) + slot);
                }
                let id = (slots[slot] as u32).wrapping_sub(1);
                if equal(id) {
                    return Ok(id);
                }
                found &= found - 1;
            }
            line = self.table.next(line);
        }
    }

    /// Asks for the slots of `hash`.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.table.prefetch(self.table.home((hash >> 32) as u32));
    }

    /// What is there for a hash that is on its way. Whether it is somebody cannot be guessed, so there is no branch on it.
    #[inline]
    pub fn there(&self, hash: u64) -> There {
        let tag = (hash >> 32) as u32;
        let line = self.table.home(tag);
        let slots = self.table.line(line);
        let found = compare(slots, tag);
        if found == 0 {
            return There::of(self.locate(hash, |_| true), self.table.grown);
        }
        let slot = found.trailing_zeros() as usize / 2 % LINE;
        let free = (NOBODY | u64::from(self.table.grown)) << 48 | (self.table.start(line) + slot) as u64;
        There(select_unpredictable(
            found.trailing_zeros().is_multiple_of(2),
            free,
            slots[slot] & u64::from(u32::MAX),
        ))
    }

    /// As [`Index::locate`], by somebody of whom it is known what was there.
    #[inline]
    pub fn locate_again(
        &self,
        there: There,
        hash: u64,
        mut equal: impl FnMut(u32) -> bool,
    ) -> Result<u32, usize> {
        let candidate = match there.free(self.table.grown) {
            Some(slot) => match self.table.at(slot) {
                Slot::NONE => return Err(slot),
                entry => (entry >> 32 == hash >> 32).then(|| (entry as u32).wrapping_sub(1)),
            },
            None => there.likely(),
        };
        match candidate {
            Some(id) if equal(id) => Ok(id),
            _ => self.locate_anew(hash, equal),
        }
    }

    /// [`Index::locate`] where it is seldom needed.
    #[cold]
    #[inline(never)]
    fn locate_anew(&self, hash: u64, equal: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        self.locate(hash, equal)
    }

    /// Enters `new` at the free `slot` that [`Index::locate`] told. `room` is the bytes that the index may come to
    /// hold.
    #[inline]
    pub fn enter(&mut self, mut slot: usize, hash: u64, new: u32, room: usize) -> Result<(), Full> {
        if new == u32::MAX {
            return Err(Full::Identities);
        }
        if self.table.is_full(self.used + 1) {
            self.grow(room)?;
            slot = self.locate(hash, |_| false).expect_err("nothing is equal");
        }
        self.table.write(slot, hash >> 32 << 32 | u64::from(new + 1));
        self.used += 1;
        Ok(())
    }

    #[cold]
    fn grow(&mut self, room: usize) -> Result<(), Full> {
        if self.table.next_bytes() > room {
            return Err(Full::Memory);
        }
        self.table.grow();
        Ok(())
    }
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
    /// How often the table has grown.
    grown: u32,
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
        SlimIndex { slots: vec![0; FIRST], mask: identity_mask(FIRST), grown: 0 }
    }

    /// No table at all: what stands in for an index that is lent out.
    pub fn unallocated() -> Self {
        SlimIndex { slots: Vec::new(), mask: 0, grown: 0 }
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
        There::of(self.locate(hash, |_| true), self.grown)
    }

    /// As [`SlimIndex::locate`], by somebody of whom it is known what was there.
    #[inline]
    pub fn locate_again(
        &self,
        there: There,
        hash: u64,
        mut equal: impl FnMut(u32) -> bool,
    ) -> Result<u32, usize> {
        if let Some(slot) = there.free(self.grown) {
            if self.slots[slot] == 0 {
                return Err(slot);
            }
        } else if let Some(id) = there.likely()
            && equal(id)
        {
            return Ok(id);
        }
        self.locate(hash, equal)
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
        riata_memory::grows(self.bytes(), slots * 4);
        // The same pages again, which the system need not clear, and more of them.
        self.slots.fill(0);
        riata_memory::extend_exactly(&mut self.slots, slots, 0);
        self.mask = identity_mask(slots);
        self.fill(new + 1, hash);
        Ok(())
    }

    /// Enters somebody who is not there.
    fn put(&mut self, hash: u64, id: u32) {
        let mut at = scale((hash >> 32) as u32, self.slots.len());
        while self.slots[at] != 0 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = hash as u32 & !self.mask | (id + 1);
    }

    /// The hashes of all, so many, have become others: `hash` tells them.
    #[cold]
    pub fn renew(&mut self, count: u32, hash: impl Fn(u32) -> u64) {
        self.slots.fill(0);
        self.fill(count, hash);
    }

    /// Enters so many into an empty table.
    fn fill(&mut self, count: u32, hash: impl Fn(u32) -> u64) {
        self.grown += 1;
        // Several at a time, so that the waits for memory overlap.
        let mut hashes = [0; 64];
        for first in (0..count).step_by(hashes.len()) {
            let ids = first..count.min(first + hashes.len() as u32);
            for (place, id) in hashes.iter_mut().zip(ids.clone()) {
                *place = hash(id);
                self.prefetch(*place);
            }
            for (&hash, id) in hashes.iter().zip(ids) {
                self.put(hash, id);
            }
        }
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

    /// The instructions of the processor say what a loop says.
    #[test]
    fn lines_are_compared_as_slot_by_slot() {
        let mut random = 7u64;
        for _ in 0..20_000 {
            let mut next = || {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                random >> 33
            };
            let tag = next() as u32 * 2 + 1;
            let line = std::array::from_fn(|_| match next() % 6 {
                0 => 0,
                1 => u64::from(tag) << 32,
                2 => u64::from(tag),
                3 => u64::from(tag) << 32 | next(),
                4 => 1 << 63 | next(),
                _ => next() << 32 | next(),
            });
            assert_eq!(compare(&line, tag), compare_one_by_one(&line, tag), "{tag:x} {line:x?}");
            assert_eq!(compare(&line, 0), compare_one_by_one(&line, 0), "{line:x?}");
        }
    }

    /// The same of the slim one, whose entries do not have their hashes.
    #[test]
    fn a_slim_table_that_has_grown_has_all_that_it_had() {
        for crowd in [0, 1, 7, 40] {
            let mut random = crowd;
            let hashes: Vec<u64> = (0..200_000u64)
                .map(|i| {
                    random = u64::wrapping_mul(random + i, 6_364_136_223_846_793_005) ^ i << 7;
                    if i < 4000 && i % 41 < crowd { u64::MAX - (random >> 31) } else { random }
                })
                .collect();
            let mut index = SlimIndex::new();
            let mut entered: Vec<u64> = Vec::new();
            for (i, &hash) in hashes.iter().enumerate() {
                if let Err(slot) = index.locate(hash, |id| entered[id as usize] == hash) {
                    entered.push(hash);
                    let hash = |id: u32| entered[id as usize];
                    index.enter(slot, entered.len() as u32 - 1, usize::MAX, hash).expect("room");
                }
                for (id, &hash) in
                    entered.iter().enumerate().skip(i % 97).step_by(if i % 2000 == 0 { 97 } else { 30_011 })
                {
                    let found = index.locate(hash, |other| entered[other as usize] == hash);
                    assert_eq!(found, Ok(id as u32), "{i}");
                }
            }
            for (id, &hash) in entered.iter().enumerate() {
                assert_eq!(index.locate(hash, |other| entered[other as usize] == hash), Ok(id as u32));
            }
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
