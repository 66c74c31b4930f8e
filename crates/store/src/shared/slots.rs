//! The table of atomic slots that all threads use at once: from a hash to an identity.
//!
//! A slot is empty, busy (with 32 bits of the hash: somebody writes the words of a state), or full (with the same bits
//! and the identity). Who finds its state in no slot of the probe claims the empty slot at its end, gives the state a
//! number, writes its words, and publishes:
//!
//! ```text
//! empty --compare and swap--> (tag, busy) --release--> (tag, identity)
//! ```
//!
//! Who meets a busy slot with its own tag waits: it may be the same state. So a state has one identity, and identities
//! have no gaps. A slot never changes again, until the table grows; that is done by one thread alone ([`Gate`]), a
//! part of the table at a time, so that nobody waits for long.

use super::gate::{Alone, Gate, Inside, SEATS, Seat};
use super::sync::{AtomicU64, AtomicUsize, Ordering, Patience, UnsafeCell};
use crate::Full;
use std::sync::Arc;

/// Parts that grow one by one.
const PARTS: usize = if cfg!(loom) { 1 } else { 8 };
/// Slots of a new part. At least as many as there are threads stay empty.
const FIRST: usize = if cfg!(loom) { 4 } else { 256 };

/// Zero, so that a new table needs not be written. The low half of a full slot is the identity plus one.
const EMPTY: u64 = 0;
const BUSY: u32 = u32::MAX;
/// A slot that was claimed for a state that there was no room for.
const NOTHING: u32 = u32::MAX - 1;
/// Identities are below this, even if every thread adds one more.
pub(crate) const IDENTITIES: u32 = u32::MAX - 1 - SEATS as u32;

fn larger(slots: usize) -> usize {
    if slots < 1 << 20 { slots * 2 } else { slots + slots / 2 }
}

#[inline]
fn scale(tag: u32, slots: usize) -> usize {
    ((u64::from(tag) * slots as u64) >> 32) as usize
}

/// One part of the table.
struct Part {
    slots: UnsafeCell<Box<[AtomicU64]>>,
    used: AtomicUsize,
}

/// The table.
pub struct Slots {
    gate: Arc<Gate>,
    parts: [Part; PARTS],
    bytes: AtomicUsize,
}

// SAFETY: the boxes of slots are read by those who are inside of the gate, and replaced by one who is alone.
unsafe impl Sync for Slots {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Slots {}

/// What a look into the table found.
pub enum Looked {
    /// The state is there.
    Found(u32),
    /// It is not there, and this slot is claimed for it.
    Claimed(Claim),
    /// It is not there, and the part where it belongs must grow first.
    Crowded(usize),
}

/// A slot that is busy until the identity is [published](Slots::publish).
#[must_use]
pub struct Claim {
    part: usize,
    slot: usize,
    tag: u32,
}

fn empty(n: usize) -> Box<[AtomicU64]> {
    #[cfg(not(loom))]
    {
        <AtomicU64 as riata_memory::Cell>::zeros(n)
    }
    #[cfg(loom)]
    {
        (0..n).map(|_| AtomicU64::new(EMPTY)).collect()
    }
}

impl Slots {
    /// An empty table behind that gate.
    pub fn new(gate: Arc<Gate>) -> Self {
        let part = |_| Part { slots: UnsafeCell::new(empty(FIRST)), used: AtomicUsize::new(0) };
        Slots { gate, parts: std::array::from_fn(part), bytes: AtomicUsize::new(PARTS * FIRST * 8) }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    #[inline]
    fn part_of(hash: u64) -> usize {
        hash as usize % PARTS
    }

    /// The slots of a part, for who is inside.
    #[inline]
    fn with<R>(&self, inside: &Inside, part: usize, f: impl FnOnce(&[AtomicU64]) -> R) -> R {
        assert!(inside.is_at(&self.gate), "a seat at another store");
        // SAFETY: who is inside of the gate of this table; so nobody is alone, who alone replaces the box.
        self.parts[part].slots.with(|slots| f(unsafe { &*slots }))
    }

    /// Asks for the slot of `hash`.
    #[inline]
    pub fn prefetch(&self, inside: &Inside, hash: u64) {
        self.with(inside, Self::part_of(hash), |slots| {
            riata_memory::prefetch(slots, scale((hash >> 32) as u32, slots.len()));
        });
    }

    /// What is likely to be the identity that a look will compare first.
    #[inline]
    pub fn likely(&self, inside: &Inside, hash: u64) -> Option<u32> {
        let tag = (hash >> 32) as u32;
        self.with(inside, Self::part_of(hash), |slots| {
            let near = slots[scale(tag, slots.len())..].iter().take(8);
            let full = near.map(|slot| slot.load(Ordering::Relaxed)).take_while(|&slot| slot != EMPTY);
            let mut same = full.filter(|slot| (slot >> 32) as u32 == tag).map(|slot| slot as u32);
            same.next().filter(|&id| id < NOTHING).map(|id| id - 1)
        })
    }

    /// Looks for the identity that is `equal`; claims a slot if there is none and `claims`.
    #[inline]
    pub fn look(
        &self,
        inside: &Inside,
        hash: u64,
        claims: bool,
        mut equal: impl FnMut(u32) -> bool,
    ) -> Option<Looked> {
        let part = Self::part_of(hash);
        let tag = (hash >> 32) as u32;
        self.with(inside, part, |slots| {
            let mut at = scale(tag, slots.len());
            loop {
                let slot = slots[at].load(Ordering::Acquire);
                if slot == EMPTY {
                    if !claims {
                        return None;
                    }
                    match self.claim(slots, part, at, tag) {
                        Some(looked) => return Some(looked),
                        // Somebody else was faster, perhaps with this very state.
                        None => continue,
                    }
                }
                if (slot >> 32) as u32 == tag {
                    let id = if slot as u32 == BUSY { published(&slots[at]) } else { slot as u32 };
                    if id != NOTHING && equal(id - 1) {
                        return Some(Looked::Found(id - 1));
                    }
                }
                at = if at + 1 == slots.len() { 0 } else { at + 1 };
            }
        })
    }

    #[inline]
    fn claim(&self, slots: &[AtomicU64], part: usize, at: usize, tag: u32) -> Option<Looked> {
        let used = &self.parts[part].used;
        if (used.fetch_add(1, Ordering::Relaxed) + 1) * 4 > slots.len() * 3 {
            used.fetch_sub(1, Ordering::Relaxed);
            return Some(Looked::Crowded(part));
        }
        let busy = u64::from(tag) << 32 | u64::from(BUSY);
        match slots[at].compare_exchange(EMPTY, busy, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(Looked::Claimed(Claim { part, slot: at, tag })),
            Err(_) => {
                used.fetch_sub(1, Ordering::Relaxed);
                None
            }
        }
    }

    /// Gives a claimed slot its identity; what `id` stands for has been written.
    #[inline]
    pub fn publish(&self, inside: &Inside, claim: Claim, id: u32) {
        self.fill(inside, claim, id + 1);
    }

    /// Gives a claimed slot up, since there is no room for the state.
    pub fn abandon(&self, inside: &Inside, claim: Claim) {
        self.fill(inside, claim, NOTHING);
    }

    #[inline]
    fn fill(&self, inside: &Inside, claim: Claim, low: u32) {
        self.with(inside, claim.part, |slots| {
            slots[claim.slot].store(u64::from(claim.tag) << 32 | u64::from(low), Ordering::Release);
        });
    }

    /// Makes a part larger, if it is still crowded; `room` is the bytes that the table may come to hold.
    pub fn grow(&self, seat: &Seat, part: usize, room: usize) -> Result<(), Full> {
        seat.alone(|alone| self.enlarge(alone, part, room)).unwrap_or(Ok(()))
    }

    fn enlarge(&self, alone: &Alone, part: usize, room: usize) -> Result<(), Full> {
        assert!(alone.is_at(&self.gate), "a seat at another store");
        let used = self.parts[part].used.load(Ordering::Relaxed);
        self.parts[part].slots.with_mut(|slots| {
            // SAFETY: who is alone at the gate of this table is the only one who looks at the box.
            let slots = unsafe { &mut *slots };
            if (used + 1) * 4 <= slots.len() * 3 {
                return Ok(());
            }
            let n = larger(slots.len());
            let more = (n - slots.len()) * 8;
            if self.bytes() + more > room {
                return Err(Full::Memory);
            }
            let new = empty(n);
            for old in slots.iter() {
                let entry = old.load(Ordering::Relaxed);
                if entry == EMPTY {
                    continue;
                }
                let mut at = scale((entry >> 32) as u32, n);
                while new[at].load(Ordering::Relaxed) != EMPTY {
                    at = if at + 1 == n { 0 } else { at + 1 };
                }
                new[at].store(entry, Ordering::Relaxed);
            }
            *slots = new;
            self.bytes.fetch_add(more, Ordering::Relaxed);
            Ok(())
        })
    }
}

/// Waits for what comes into a slot that is busy.
#[cold]
fn published(slot: &AtomicU64) -> u32 {
    let mut patience = Patience::default();
    loop {
        let id = slot.load(Ordering::Acquire) as u32;
        if id != BUSY {
            return id;
        }
        patience.wait();
    }
}
