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
//!
//! Who has several states at hand comes [near](Slots::near) to all of them first, and then [claims](Slots::claim) without ever
//! waiting: who waits while he keeps slots busy may wait for somebody who waits for him. What he could not claim he looks
//! for again when his own are published.
//!
//! How full a part is, all threads must know, and a number that all of them write at each new state would wander from
//! core to core all the time. So a seat takes the right to fill several slots at once, and the number tells how many are full or
//! promised.

use super::gate::{Alone, Gate, Inside, SEATS, Seat};
use super::sync::{Apart, AtomicU64, AtomicUsize, Ordering, Patience, UnsafeCell};
use crate::Full;
use std::sync::{Arc, Mutex, PoisonError};

/// Parts that grow one by one.
const PARTS: usize = if cfg!(loom) { 1 } else { 8 };
/// Slots of a new part. At least as many as there are threads stay empty.
const FIRST: usize = if cfg!(loom) { 4 } else { 256 };

/// Slots on a page of memory.
const PAGE: usize = 4096 / 8;

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
    /// What it is going to be when it has grown, with all pages in memory.
    next: Mutex<Option<Box<[AtomicU64]>>>,
}

/// How many slots a seat may take at once: all seats together less than a sixteenth.
fn promise(slots: usize) -> usize {
    (slots / (16 * SEATS)).clamp(1, 64)
}

/// May so many slots of a part be full?
fn fits(full: usize, slots: usize) -> bool {
    full * 4 <= slots * 3
}

/// Is it time to make the next one ready? The system takes longer to clear its pages than it takes to move the slots.
fn is_ripe(full: usize, slots: usize) -> bool {
    slots >= 1 << 16 && full * 16 >= slots * 11
}

/// The table.
pub struct Slots {
    gate: Arc<Gate>,
    parts: [Part; PARTS],
    /// How many slots of each part are full, or promised to a seat.
    used: [Apart<AtomicUsize>; PARTS],
    /// How many are promised to each seat, which alone writes there.
    promised: Box<[Apart<[AtomicUsize; PARTS]>]>,
    /// A bit for each part that is ripe.
    ripe: AtomicUsize,
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

/// What there is for a state that is on its way.
#[derive(Clone, Copy)]
pub enum Near {
    /// Somebody who is likely to be the same.
    Likely(u32),
    /// Nobody: in this slot there would be.
    Free(usize),
    /// Somebody is writing what may be the same.
    Busy,
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

/// The same, each page written to: nearly all are going to be, and who reads one first pays twice.
fn written(n: usize) -> Box<[AtomicU64]> {
    let slots = empty(n);
    slots.iter().step_by(PAGE).for_each(|slot| slot.store(EMPTY, Ordering::Relaxed));
    slots
}

impl Slots {
    /// An empty table behind that gate.
    pub fn new(gate: Arc<Gate>) -> Self {
        Slots {
            gate,
            parts: std::array::from_fn(|_| Part {
                slots: UnsafeCell::new(empty(FIRST)),
                next: Mutex::new(None),
            }),
            used: std::array::from_fn(|_| Apart(AtomicUsize::new(0))),
            promised: (0..SEATS).map(|_| Apart(std::array::from_fn(|_| AtomicUsize::new(0)))).collect(),
            ripe: AtomicUsize::new(0),
            bytes: AtomicUsize::new(PARTS * FIRST * 8),
        }
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

    /// What a look will find first. It stays so for who stays inside and does not make the table larger, but for a free slot
    /// that somebody else may claim.
    #[inline]
    pub fn near(&self, inside: &Inside, hash: u64) -> Near {
        let tag = (hash >> 32) as u32;
        self.with(inside, Self::part_of(hash), |slots| {
            let mut at = scale(tag, slots.len());
            loop {
                let slot = slots[at].load(Ordering::Acquire);
                if slot == EMPTY {
                    return Near::Free(at);
                }
                if (slot >> 32) as u32 == tag && slot as u32 != NOTHING {
                    return if slot as u32 == BUSY { Near::Busy } else { Near::Likely(slot as u32 - 1) };
                }
                at = if at + 1 == slots.len() { 0 } else { at + 1 };
            }
        })
    }

    /// Claims a slot that was free when this thread came near, if it still is, and if the part has room.
    #[inline]
    pub fn claim(&self, inside: &Inside, hash: u64, at: usize) -> Option<Claim> {
        let part = Self::part_of(hash);
        self.with(inside, part, |slots| match self.take(inside, slots, part, at, (hash >> 32) as u32) {
            Some(Looked::Claimed(claim)) => Some(claim),
            _ => None,
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
                    match self.take(inside, slots, part, at, tag) {
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
    fn take(&self, inside: &Inside, slots: &[AtomicU64], part: usize, at: usize, tag: u32) -> Option<Looked> {
        let promised = &self.promised[inside.seat().number()][part];
        let mut mine = promised.load(Ordering::Relaxed);
        if mine == 0 {
            mine = promise(slots.len());
            let full = self.used[part].fetch_add(mine, Ordering::Relaxed) + mine;
            if !fits(full, slots.len()) {
                self.used[part].fetch_sub(mine, Ordering::Relaxed);
                return Some(Looked::Crowded(part));
            }
            if is_ripe(full, slots.len()) {
                self.ripe.fetch_or(1 << part, Ordering::Relaxed);
            }
            promised.store(mine, Ordering::Relaxed);
        }
        let busy = u64::from(tag) << 32 | u64::from(BUSY);
        slots[at].compare_exchange(EMPTY, busy, Ordering::AcqRel, Ordering::Acquire).ok()?;
        promised.store(mine - 1, Ordering::Relaxed);
        Some(Looked::Claimed(Claim { part, slot: at, tag }))
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

    /// Makes the next table of a part ready, if one is ripe, while all others go on; `room` as for [`Slots::grow`].
    #[inline]
    pub fn prepare(&self, inside: &Inside, room: impl Fn() -> usize) {
        if self.ripe.load(Ordering::Relaxed) > 0 {
            self.ready(inside, room());
        }
    }

    #[cold]
    fn ready(&self, inside: &Inside, room: usize) {
        let ripe = self.ripe.load(Ordering::Relaxed);
        let part = ripe.trailing_zeros() as usize;
        if ripe == 0 || self.ripe.fetch_and(!(1 << part), Ordering::Relaxed) & 1 << part == 0 {
            return;
        }
        let slots = self.with(inside, part, <[_]>::len);
        let Ok(mut next) = self.parts[part].next.try_lock() else { return };
        if next.is_none() && self.bytes() + (larger(slots) - slots) * 8 <= room {
            *next = Some(written(larger(slots)));
        }
    }

    /// Makes a part larger, if it is still crowded; `room` is the bytes that the table may come to hold.
    pub fn grow(&self, seat: &Seat, part: usize, room: usize) -> Result<(), Full> {
        seat.alone(|alone| self.enlarge(alone, part, room)).unwrap_or(Ok(()))
    }

    fn enlarge(&self, alone: &Alone, part: usize, room: usize) -> Result<(), Full> {
        assert!(alone.is_at(&self.gate), "a seat at another store");
        let used = self.used[part].load(Ordering::Relaxed);
        self.parts[part].slots.with_mut(|slots| {
            // SAFETY: who is alone at the gate of this table is the only one who looks at the box.
            let slots = unsafe { &mut *slots };
            if fits(used + promise(slots.len()), slots.len()) {
                return Ok(());
            }
            let n = larger(slots.len());
            let more = (n - slots.len()) * 8;
            if self.bytes() + more > room {
                return Err(Full::Memory);
            }
            let next = self.parts[part].next.lock().unwrap_or_else(PoisonError::into_inner).take();
            let new = next.filter(|next| next.len() == n).unwrap_or_else(|| written(n));
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
