//! Who is in a table, and who may replace it: many may look and insert at once, and now and then one has it alone.
//!
//! Every thread has a seat with a flag of its own, on a cache line of its own. Who goes in raises the flag, and then looks
//! whether somebody wants the table alone; who wants it alone says so, and then waits until all flags are down. One of the
//! two sees the other, because of the fences between. So going in costs one fence and touches nothing that others
//! write.

use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering, Patience, fence};
use std::cell::Cell;
use std::ptr;

/// So many threads can have a seat: one for each bit.
pub const SEATS: usize = if cfg!(loom) { 3 } else { 64 };

/// A flag on its own cache lines.
#[repr(align(128))]
struct Flag(AtomicUsize);

/// The gate of the tables of one store.
pub struct Gate {
    flags: Box<[Flag]>,
    taken: AtomicU64,
    /// Does somebody want to be alone?
    closing: AtomicBool,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Gate {
    /// Nobody is in.
    pub fn new() -> Self {
        Gate {
            flags: (0..SEATS).map(|_| Flag(AtomicUsize::new(0))).collect(),
            taken: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        }
    }

    /// How many seats are taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed).count_ones() as usize
    }

    /// A seat; none if all are taken.
    pub fn seat(&self) -> Option<Seat<'_>> {
        loop {
            let taken = self.taken.load(Ordering::Acquire);
            let number = (!taken).trailing_zeros() as usize;
            if number >= SEATS {
                return None;
            }
            let swapped =
                self.taken.compare_exchange(taken, taken | 1 << number, Ordering::AcqRel, Ordering::Acquire);
            if swapped.is_ok() {
                return Some(Seat { gate: self, number, depth: Cell::new(0) });
            }
        }
    }
}

/// The place of one thread. It may move to another thread, and two threads never share it.
pub struct Seat<'a> {
    gate: &'a Gate,
    number: usize,
    /// How many of [`Inside`] there are.
    depth: Cell<usize>,
}

impl<'a> Seat<'a> {
    /// Is this a seat at that gate?
    #[inline]
    pub(crate) fn is_at(&self, gate: &Gate) -> bool {
        ptr::eq(self.gate, gate)
    }

    /// Its number, below [`SEATS`].
    #[inline]
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    fn flag(&self) -> &AtomicUsize {
        &self.gate.flags[self.number].0
    }

    /// Goes in; may be called by who is in already.
    #[inline]
    pub fn enter(&self) -> Inside<'_, 'a> {
        if self.depth.get() == 0 {
            self.raise();
        }
        self.depth.set(self.depth.get() + 1);
        Inside { seat: self }
    }

    #[inline]
    fn raise(&self) {
        loop {
            self.flag().store(1, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if !self.gate.closing.load(Ordering::Acquire) {
                return;
            }
            self.flag().store(0, Ordering::Release);
            let mut patience = Patience::default();
            while self.gate.closing.load(Ordering::Acquire) {
                patience.wait();
            }
        }
    }

    /// Does `work` while nobody else is in. If somebody else was first, nothing is done but waiting until that one is
    /// ready; then it is worth looking again whether there is still something to do.
    pub(crate) fn alone<R>(&self, work: impl FnOnce(&Alone) -> R) -> Option<R> {
        let was_in = self.depth.get() > 0;
        if was_in {
            self.flag().store(0, Ordering::Release);
        }
        let closing = &self.gate.closing;
        let first = closing.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire).is_ok();
        let done = first.then(|| {
            fence(Ordering::SeqCst);
            let _reopened = Reopen(closing);
            for (i, flag) in self.gate.flags.iter().enumerate() {
                let mut patience = Patience::default();
                while i != self.number && flag.0.load(Ordering::Acquire) != 0 {
                    patience.wait();
                }
            }
            work(&Alone { gate: self.gate })
        });
        if was_in {
            self.raise();
        }
        done
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.gate.taken.fetch_and(!(1 << self.number), Ordering::AcqRel);
    }
}

/// Opens the gate again, whatever happens.
struct Reopen<'a>(&'a AtomicBool);

impl Drop for Reopen<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// While this lives, nobody is alone. Who is in may still call `Seat::alone`, and must then hold nothing of a table.
pub struct Inside<'s, 'a> {
    seat: &'s Seat<'a>,
}

impl Drop for Inside<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        let depth = self.seat.depth.get() - 1;
        self.seat.depth.set(depth);
        if depth == 0 {
            self.seat.flag().store(0, Ordering::Release);
        }
    }
}

impl<'s, 'a> Inside<'s, 'a> {
    /// Whose it is.
    #[inline]
    pub fn seat(&self) -> &'s Seat<'a> {
        self.seat
    }

    #[inline]
    pub(crate) fn is_at(&self, gate: &Gate) -> bool {
        self.seat.is_at(gate)
    }
}

/// Who has this is alone.
pub(crate) struct Alone<'a> {
    gate: &'a Gate,
}

impl Alone<'_> {
    pub fn is_at(&self, gate: &Gate) -> bool {
        ptr::eq(self.gate, gate)
    }
}
