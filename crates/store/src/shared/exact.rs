//! The exact table for many threads: states in chunks that never move, and a table of atomic slots over them.

use super::gate::{Gate, Inside, Seat};
use super::slots::{Claim, IDENTITIES, Looked, Near, Slots};
use super::sync::Apart;
use super::{Kept, Shared};
use crate::{Full, hash};
use arrayvec::ArrayVec;
use riata_memory::Chunks;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// All states, as they are. Identities are numbers without gaps.
pub struct Exact {
    gate: Arc<Gate>,
    slots: Slots,
    pool: Pool,
    limit: usize,
}

impl Exact {
    /// An empty store that holds at most `limit` bytes, for states of at most `widest` words. It takes the least memory
    /// if the `usual` length is that of most states.
    pub fn new(limit: usize, widest: usize, usual: usize) -> Self {
        let gate = Arc::new(Gate::new());
        Exact { slots: Slots::new(gate.clone()), gate, pool: Pool::new(widest, usual), limit }
    }
}

impl Shared for Exact {
    fn is_exact(&self) -> bool {
        true
    }

    fn seat(&self) -> Option<Seat<'_>> {
        self.gate.seat()
    }

    fn len(&self) -> usize {
        self.pool.count.load(Ordering::Acquire) as usize
    }

    fn bytes(&self) -> usize {
        self.slots.bytes() + self.pool.bytes()
    }

    /// Its hash.
    type Coming = u64;

    #[inline]
    fn comes(&self, inside: &Inside, s: &[u32]) -> Result<u64, Full> {
        let hash = hash::words(s, 0);
        self.slots.prefetch(inside, hash);
        Ok(hash)
    }

    #[inline]
    fn arrive<'a>(
        &self,
        inside: &Inside,
        coming: &[u64],
        state: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full> {
        ids.clear();
        for (n, some) in coming.chunks(TOGETHER).enumerate() {
            self.arrive_together(inside, some, |i| state(n * TOGETHER + i), ids)?;
        }
        Ok(())
    }

    fn intern(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full> {
        self.settle(seat, s, hash::words(s, 0))
    }

    fn find(&self, seat: &Seat, s: &[u32]) -> Option<u32> {
        let inside = seat.enter();
        match self.slots.look(&inside, hash::words(s, 0), false, |id| self.pool.is(id, s)) {
            Some(Looked::Found(id)) => Some(id),
            _ => None,
        }
    }
}

impl Kept for Exact {
    #[inline]
    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.pool.words(id).iter().map(|word| word.load(Ordering::Relaxed)));
    }
}

/// The words of the states.
struct Pool {
    /// If all states have the usual length or less, a row of so many words each; otherwise one word a row.
    words: Chunks<AtomicU32>,
    count: Apart<AtomicU32>,
    width: usize,
    /// What a state can take.
    most_bytes: usize,
    places: Places,
}

/// Where the words of each state are.
enum Places {
    /// In its own row. Most have its width; where one is shorter, it is told here by how much.
    Rows { shorter: Chunks<AtomicU32>, some: AtomicUsize },
    /// Anywhere: where they begin, and in the high bits how many there are.
    Anywhere { at: Chunks<AtomicU64>, end: Apart<AtomicUsize> },
}

/// Bits for the place of a state; 24 are left for its length.
const PLACE: u32 = 40;

impl Pool {
    fn new(widest: usize, usual: usize) -> Self {
        let rows = usual == widest;
        let places = if rows {
            Places::Rows { shorter: Chunks::new(1), some: AtomicUsize::new(0) }
        } else {
            Places::Anywhere { at: Chunks::new(1), end: Apart(AtomicUsize::new(0)) }
        };
        let width = if rows { widest.max(1) } else { 1 };
        Pool {
            words: Chunks::new(width),
            count: Apart(AtomicU32::new(0)),
            width,
            most_bytes: widest * 4 + 8,
            places,
        }
    }

    fn bytes(&self) -> usize {
        let count = self.count.load(Ordering::Relaxed) as usize;
        match &self.places {
            Places::Rows { some, .. } => {
                count * self.width * 4 + if some.load(Ordering::Relaxed) > 0 { count * 4 } else { 0 }
            }
            Places::Anywhere { end, .. } => count * 8 + end.load(Ordering::Relaxed) * 4,
        }
    }

    #[inline(always)]
    fn words(&self, id: u32) -> &[AtomicU32] {
        match &self.places {
            Places::Rows { shorter, some } => {
                let row = self.words.rows(id as usize, 1);
                if some.load(Ordering::Acquire) == 0 {
                    return row;
                }
                &row[..row.len() - shorter.get(id as usize).load(Ordering::Relaxed) as usize]
            }
            Places::Anywhere { at, .. } => {
                let place = at.get(id as usize).load(Ordering::Relaxed);
                self.words.rows((place & ((1 << PLACE) - 1)) as usize, (place >> PLACE) as usize)
            }
        }
    }

    #[inline(always)]
    fn is(&self, id: u32, s: &[u32]) -> bool {
        let words = self.words(id);
        let differ = |d, (a, b): (&AtomicU32, &u32)| d | (a.load(Ordering::Relaxed) ^ b);
        words.len() == s.len() && words.iter().zip(s).fold(0, differ) == 0
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        match &self.places {
            Places::Rows { .. } => self.words.prefetch(id as usize),
            Places::Anywhere { at, .. } => at.prefetch(id as usize),
        }
    }

    /// Identities for so many states.
    #[inline]
    fn numbers(&self, n: usize) -> Range<u32> {
        let first = self.count.fetch_add(n as u32, Ordering::AcqRel);
        first..first + n as u32
    }

    /// Writes a state down; who is told the identity by an atomic with release and acquire can read it.
    #[inline]
    fn write(&self, id: u32, s: &[u32]) {
        assert!(s.len() * 4 < self.most_bytes, "a state is longer than the longest");
        let write = |words: &[AtomicU32]| {
            words.iter().zip(s).for_each(|(word, &value)| word.store(value, Ordering::Relaxed));
        };
        match &self.places {
            Places::Rows { shorter, some } => {
                if s.len() < self.width {
                    shorter.get(id as usize).store((self.width - s.len()) as u32, Ordering::Relaxed);
                    some.store(1, Ordering::Release);
                }
                write(self.words.rows(id as usize, 1));
            }
            Places::Anywhere { at, end } => {
                let mut start = end.fetch_add(s.len(), Ordering::Relaxed);
                while !self.words.together(start, s.len()) {
                    start = end.fetch_add(s.len(), Ordering::Relaxed);
                }
                write(self.words.rows(start, s.len()));
                at.get(id as usize).store(start as u64 | (s.len() as u64) << PLACE, Ordering::Relaxed);
            }
        }
    }
}

/// So many states arrive together.
const TOGETHER: usize = 128;

impl Exact {
    /// Few states come to the store at once: one number for all that are new, and nobody waits while slots are busy.
    #[inline]
    fn arrive_together<'a>(
        &self,
        inside: &Inside,
        coming: &[u64],
        state: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full> {
        let mut near = [Near::Busy; TOGETHER];
        for (near, &hash) in near.iter_mut().zip(coming) {
            *near = self.slots.near(inside, hash);
            if let Near::Likely(id) = *near {
                self.pool.prefetch(id);
            }
        }
        let mut new: ArrayVec<(usize, Claim), TOGETHER> = ArrayVec::new();
        let mut again: ArrayVec<usize, TOGETHER> = ArrayVec::new();
        let first = ids.len();
        for (i, &hash) in coming.iter().enumerate() {
            ids.push(u32::MAX);
            match near[i] {
                Near::Likely(id) if self.pool.is(id, state(i)) => ids[first + i] = id,
                Near::Free(at) => match self.slots.claim(inside, hash, at) {
                    Some(claim) => new.push((i, claim)),
                    None => again.push(i),
                },
                _ => again.push(i),
            }
        }
        if !new.is_empty() {
            self.slots.prepare(inside, || self.limit.saturating_sub(self.pool.bytes()));
            if let Err(full) = self.room(new.len()) {
                new.into_iter().for_each(|(_, claim)| self.slots.abandon(inside, claim));
                return Err(full);
            }
            let numbers = self.pool.numbers(new.len());
            for ((i, claim), id) in new.into_iter().zip(numbers) {
                self.pool.write(id, state(i));
                self.slots.publish(inside, claim, id);
                ids[first + i] = id;
            }
        }
        for i in again {
            ids[first + i] = self.settle(inside.seat(), state(i), coming[i])?;
        }
        Ok(())
    }

    /// The identity of one state.
    #[inline(never)]
    fn settle(&self, seat: &Seat, s: &[u32], hash: u64) -> Result<u32, Full> {
        loop {
            let inside = seat.enter();
            let looked = self.slots.look(&inside, hash, true, |id| self.pool.is(id, s));
            match looked {
                Some(Looked::Found(id)) => return Ok(id),
                Some(Looked::Claimed(claim)) => {
                    if let Err(full) = self.room(1) {
                        self.slots.abandon(&inside, claim);
                        return Err(full);
                    }
                    let id = self.pool.numbers(1).start;
                    self.pool.write(id, s);
                    self.slots.publish(&inside, claim, id);
                    return Ok(id);
                }
                Some(Looked::Crowded(part)) => {
                    drop(inside);
                    self.slots.grow(seat, part, self.limit.saturating_sub(self.pool.bytes()))?;
                }
                None => {}
            }
        }
    }

    /// Is there room for so many states more, and for what others add meanwhile?
    fn room(&self, n: usize) -> Result<(), Full> {
        let coming = n + TOGETHER * self.gate.taken();
        if self.len() + coming >= IDENTITIES as usize {
            Err(Full::Identities)
        } else if self.bytes() + coming * self.pool.most_bytes > self.limit {
            Err(Full::Memory)
        } else {
            Ok(())
        }
    }
}
