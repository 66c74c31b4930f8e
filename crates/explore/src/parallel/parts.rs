//! The states of a search, divided: each belongs to one part, by its words, and is in the store of that part and in no other.
//!
//! So a store is used by one thread at a time, and is the one that a search by one thread has: nothing in it is atomic, and no
//! line of its memory is written by two cores. The price is that a state has to be sent to its part.

use crate::bfs::bfs;
use riata_store::{Keyed, Sorted};
use riata_system::{Limits, Run, System};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which state: its part, and its number in there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The part.
    pub part: u32,
    /// The number.
    pub id: u32,
}

/// A store for each part.
pub struct Parts<R: Sorted> {
    stores: Vec<Mutex<R>>,
    /// What tells keys, if these mean the same to all of them.
    sorter: Option<R::Sorter>,
}

/// The bytes that each of so many parts may hold of `room`.
pub fn share(room: usize, parts: usize) -> usize {
    if room == usize::MAX { room } else { room / parts.max(1) }
}

/// The part that a state belongs to, of so many.
///
/// Not the hash of any store: states of one part would all be in one region of its table.
#[inline]
pub(super) fn part_of(s: &[u32], parts: usize) -> usize {
    const KEY: u64 = 0xd6e8_feb8_6659_fd93;
    const STEP: u64 = 0x3c6e_f372_fe94_f82a;
    let (pairs, rest) = s.as_chunks::<2>();
    let (mut sum, mut key) = (0_u64, KEY);
    for &[a, b] in pairs {
        // Both halves must come to the upper bits.
        sum = sum.wrapping_add(u64::from(a ^ b.rotate_left(16)).wrapping_mul(key) ^ u64::from(b) << 32);
        key = key.wrapping_add(STEP);
    }
    if let [last] = rest {
        sum = sum.wrapping_add(u64::from(*last).wrapping_mul(key));
    }
    let mixed = (sum ^ sum >> 31).wrapping_mul(KEY) >> 32;
    ((mixed * parts as u64) >> 32) as usize
}

/// One thread looks at so many states, to see which of their bits vary.
const SAMPLE: u32 = 1 << 16;

impl Parts<Keyed> {
    /// Stores for so many parts, which together may hold so many bytes. If few bits vary in the first states of the system, a key means
    /// the same to all of them.
    pub fn keyed<S: System>(system: &S, parts: usize, room: usize, limits: Limits) -> Self {
        Self::keyed_after(system, (parts, room), limits, SAMPLE)
    }

    /// The same after a look at so many states.
    pub fn keyed_after<S: System>(
        system: &S,
        (parts, room): (usize, usize),
        limits: Limits,
        most: u32,
    ) -> Self {
        let share = share(room, parts);
        let mut sample = Keyed::new(room);
        bfs(system, &mut sample, &mut Run::new(limits), |id, _, _| {
            if id < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match sample.sorter() {
            Some(sorter) => Parts::new((0..parts).map(|_| Keyed::sorted(share, &sorter))).sorted(sorter),
            None => Parts::new((0..parts).map(|_| Keyed::new(share))),
        }
    }
}

impl<R: Sorted> Parts<R> {
    /// A part for each of these stores, which are empty.
    pub fn new(stores: impl IntoIterator<Item = R>) -> Self {
        Parts { stores: stores.into_iter().map(Mutex::new).collect(), sorter: None }
    }

    /// The same of stores that have these keys.
    pub fn sorted(self, sorter: R::Sorter) -> Self {
        Parts { sorter: Some(sorter), ..self }
    }

    /// What tells keys, if these mean the same to all stores.
    pub(super) fn sorter(&self) -> Option<&R::Sorter> {
        self.sorter.as_ref()
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.stores.len()
    }

    /// The store of a part, for the one who works on it.
    pub(super) fn lock(&self, part: usize) -> MutexGuard<'_, R> {
        // A worker that panics ends the search, and nobody asks the store any more.
        self.stores[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        (0..self.count()).map(|part| self.lock(part).len()).sum()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (0..self.count()).map(|part| self.lock(part).held()).sum()
    }

    /// Writes the words of a state to `out`.
    pub fn load(&self, at: At, out: &mut Vec<u32>) {
        self.lock(at.part as usize).load(at.id, out);
    }

    /// Writes the words of state number `n` of all to `out`: those of the first part are the first.
    pub fn nth(&self, mut n: u32, out: &mut Vec<u32>) {
        for part in 0..self.count() {
            let store = self.lock(part);
            let len = store.len() as u32;
            if n < len {
                return store.load(n, out);
            }
            n -= len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_of_the_same_size() {
        for (words, bits) in [(1_u32, 18_u32), (2, 9), (3, 6), (6, 3)] {
            for parts in [2, 3, 8] {
                for shift in [0, 5, 32 - bits] {
                    let mut sizes = vec![0_u32; parts];
                    let all = 1 << (words * bits);
                    for n in 0_u32..all {
                        let word = |i: u32| (n >> (i * bits) & ((1_u32 << bits) - 1)) << shift;
                        let s: Vec<u32> = (0..words).map(word).collect();
                        sizes[part_of(&s, parts)] += 1;
                    }
                    let fair = all / parts as u32;
                    let off = sizes.iter().map(|n| n.abs_diff(fair)).max().unwrap_or(0);
                    assert!(off < fair / 20, "{words} words, {bits} bits at {shift}: {sizes:?}");
                }
            }
        }
    }
}
