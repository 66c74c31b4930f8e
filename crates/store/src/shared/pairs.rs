//! A table of pairs of numbers for many threads, each pair stored once.

use super::gate::{Gate, Inside, Seat};
use super::slots::{Looked, Near, Slots};
use super::sync::Apart;
use crate::{Full, hash};
use riata_memory::Chunks;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Pairs, numbered without gaps.
pub(crate) struct Pairs {
    slots: Slots,
    records: Chunks<AtomicU64>,
    count: Apart<AtomicU32>,
}

/// Numbers of pairs are below this: those above are free for other uses.
pub(crate) const MOST: u32 = u32::MAX - (1 << 17);

/// A pair as one number.
#[inline]
pub(crate) fn join(a: u32, b: u32) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

/// The pair again.
#[inline]
pub(crate) fn halved(pair: u64) -> (u32, u32) {
    (pair as u32, (pair >> 32) as u32)
}

impl Pairs {
    pub fn new(gate: Arc<Gate>) -> Self {
        Pairs { slots: Slots::new(gate), records: Chunks::new(1), count: Apart(AtomicU32::new(0)) }
    }

    pub fn len(&self) -> usize {
        self.count.load(Ordering::Acquire) as usize
    }

    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.len() * 8
    }

    /// Pair number `id`.
    #[inline]
    pub fn get(&self, id: u32) -> (u32, u32) {
        halved(self.records.get(id as usize).load(Ordering::Relaxed))
    }

    /// Asks for the slot of a pair.
    #[inline]
    pub fn comes(&self, inside: &Inside, a: u32, b: u32) {
        self.slots.prefetch(inside, hash::pair(a, b));
    }

    /// Asks for the record in that slot.
    #[inline]
    pub fn nears(&self, inside: &Inside, pair: u64) {
        let (a, b) = halved(pair);
        if let Near::Likely(id) = self.slots.near(inside, hash::pair(a, b)) {
            self.records.prefetch(id as usize);
        }
    }

    pub fn find(&self, seat: &Seat, a: u32, b: u32) -> Option<u32> {
        let inside = seat.enter();
        match self.slots.look(&inside, hash::pair(a, b), false, |id| self.get(id) == (a, b)) {
            Some(Looked::Found(id)) => Some(id),
            _ => None,
        }
    }

    /// The number of the pair, which may be new; `room` tells how many bytes may be added.
    #[inline]
    pub fn intern(&self, seat: &Seat, pair: (u32, u32), room: impl Fn() -> usize) -> Result<u32, Full> {
        Ok(self.number(seat, pair, room)?.0)
    }

    /// The same, and whether it is new: of several threads one is told so.
    #[inline]
    pub fn number(
        &self,
        seat: &Seat,
        (a, b): (u32, u32),
        room: impl Fn() -> usize,
    ) -> Result<(u32, bool), Full> {
        loop {
            let inside = seat.enter();
            match self.slots.look(&inside, hash::pair(a, b), true, |id| self.get(id) == (a, b)) {
                Some(Looked::Found(id)) => return Ok((id, false)),
                Some(Looked::Claimed(claim)) => {
                    let count = self.len();
                    let full = if count >= MOST as usize {
                        Some(Full::Identities)
                    } else {
                        // All tables together are summed up only now and then.
                        (count.is_multiple_of(256) && room() == 0).then_some(Full::Memory)
                    };
                    if let Some(full) = full {
                        self.slots.abandon(&inside, claim);
                        return Err(full);
                    }
                    let id = self.count.fetch_add(1, Ordering::AcqRel);
                    self.records.get(id as usize).store(join(a, b), Ordering::Relaxed);
                    self.slots.publish(&inside, claim, id);
                    return Ok((id, true));
                }
                Some(Looked::Crowded(part)) => {
                    drop(inside);
                    self.slots.grow(seat, part, self.slots.bytes() + room())?;
                }
                None => {}
            }
        }
    }
}
