//! Bitstate hashing for many threads: one plane of bits that all of them set. What that costs is told at
//! [`crate::Bitstate`].
//!
//! Bits are set one by one. Who sets the first of a state's bits that was not set is told that the state is new; if two threads
//! add a state at once, each may have set some of them, and then both are told so. The state is then looked at twice. What
//! cannot be is that nobody is told.

use super::Seen;
use super::gate::{Gate, Inside, Seat};
use crate::bitstate::places;
use crate::{Full, hash};
use riata_memory::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// One array of bits: a Bloom filter.
pub struct Bitstate {
    gate: Gate,
    bits: Box<[AtomicU64]>,
    hashes: u32,
    seed: u64,
}

impl Bitstate {
    /// `bytes` of memory, `hashes` bits a state; other seeds give other functions.
    pub fn new(bytes: usize, hashes: u32, seed: u64) -> Self {
        let bits = AtomicU64::zeros((bytes / 8).max(1));
        Bitstate { gate: Gate::new(), bits, hashes: hashes.max(1), seed }
    }

    fn places(&self, id: u64) -> impl Iterator<Item = (&AtomicU64, u64)> {
        places(id, self.bits.len(), self.hashes).map(|(cell, bit)| (&self.bits[cell], bit))
    }
}

impl Seen for Bitstate {
    fn seat(&self) -> Option<Seat<'_>> {
        self.gate.seat()
    }

    #[inline]
    fn comes(&self, _: &Inside, s: &[u32]) -> u64 {
        let id = hash::words(s, self.seed);
        places(id, self.bits.len(), self.hashes)
            .for_each(|(cell, _)| riata_memory::prefetch(&self.bits, cell));
        id
    }

    #[inline]
    fn add(&self, _: &Seat, coming: u64) -> Result<bool, Full> {
        // Most bits are looked at more often than they are set; nothing else is read because of what they tell.
        let set = |&(cell, bit): &(&AtomicU64, u64)| {
            cell.load(Ordering::Relaxed) & bit == 0 && cell.fetch_or(bit, Ordering::Relaxed) & bit == 0
        };
        // All of them are set, not only those up to the first new one.
        Ok(self.places(coming).filter(set).count() > 0)
    }

    fn bytes(&self) -> usize {
        self.bits.len() * 8
    }
}
