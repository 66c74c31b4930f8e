//! The union-find forest that the workers of [`ufscc`](crate::ufscc) share, with a list of unfinished states in each set.
//!
//! A set is a part of a component, as far as it is known. Its root has the marks of the edges inside, and a bit for each
//! worker that has entered the set. The states of a set are a cyclic list; a state that is *done* (all its successors
//! were looked at) is dropped from it by who passes by. When all are done the component is complete, and *dead*.
//!
//! ```text
//! procedure unite (a, b)                            function pick (a)
//!   repeat                                            loop
//!     (q, r) := (find(a), find(b)), q the smaller;      if a is busy then return a;
//!     if q = r then return;                             b := a.next;
//!   until q can be locked;                              if a = b then
//!   a' := a busy state of a's list, locked;               mark find(a) dead; return null;
//!   b' := a busy state of b's list, locked;             if b is busy then return b;
//!   swap(a'.next, b'.next);                             a.next := b.next;
//!   q.parent := r;                                      a := b.next;
//!   repeat r := find(r); r.info := r.info ∪ q.info
//!   until r is a root;
//!   unlock a', b' and q;
//! ```
//!
//! Why this is so: the next of a state that is not done is changed by who has locked it; that of a done one only so that it
//! passes over another done one. So no busy state is ever lost from its list. Two sets that `unite` has found to be
//! different are parts of one component, and so each has a busy state until it is done.
//!
//! # References
//! Bloemen, Laarman, van de Pol: Multi-core on-the-fly SCC decomposition. PPoPP 2016. Section 4.

use riata_automata::Marks;
use riata_memory::Chunks;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread::yield_now;

/// What the word of a state tells: two statuses, and of a root the marks and the workers.
const ROOT_LOCKED: u64 = 1;
const DEAD: u64 = 2;
const LIST_LOCKED: u64 = 4;
const DONE: u64 = 8;
const MARKS: u32 = 4;

/// The forest. A state that was never spoken of is a set of its own.
pub(crate) struct Forest {
    /// The parent plus one; 0 for a root.
    parent: Chunks<AtomicU32>,
    /// The next state of the list plus one; 0 for the state itself.
    next: Chunks<AtomicU32>,
    info: Chunks<AtomicU64>,
    /// How many marks there are.
    sets: u32,
}

/// What a worker is told of a state that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Its component is complete.
    Dead,
    /// This worker has not been in its set.
    Success,
    /// This worker has been in its set, so that is on its stack.
    Found,
}

impl Forest {
    /// Bytes for each state.
    pub const BYTES: usize = 16;

    pub fn new(sets: u32) -> Self {
        Forest { parent: Chunks::new(1), next: Chunks::new(1), info: Chunks::new(1), sets }
    }

    /// So many workers are possible.
    pub fn most_workers(sets: u32) -> usize {
        (u64::BITS - MARKS - sets.min(48)) as usize
    }

    /// Asks for what is known of a state.
    pub fn prefetch(&self, s: u32) {
        self.parent.prefetch(s as usize);
        self.info.prefetch(s as usize);
    }

    fn info(&self, s: u32) -> &AtomicU64 {
        self.info.get(s as usize)
    }

    fn is_root(&self, s: u32) -> bool {
        self.parent.get(s as usize).load(SeqCst) == 0
    }

    /// The root of the set of `s`. Paths are halved on the way.
    pub fn find(&self, mut s: u32) -> u32 {
        loop {
            let parent = self.parent.get(s as usize).load(SeqCst);
            if parent == 0 {
                return s;
            }
            let above = self.parent.get(parent as usize - 1).load(SeqCst);
            if above != 0 {
                // If it fails somebody else has done the same.
                let _ = self.parent.get(s as usize).compare_exchange(parent, above, SeqCst, SeqCst);
            }
            s = parent - 1;
        }
    }

    /// Are these in one set?
    pub fn same_set(&self, a: u32, b: u32) -> bool {
        loop {
            let (x, y) = (self.find(a), self.find(b));
            if x == y {
                return true;
            }
            if self.is_root(x) {
                return false;
            }
        }
    }

    /// Adds bits to the root of the set of `s`; tells what is there now.
    fn add(&self, s: u32, bits: u64) -> u64 {
        loop {
            let root = self.find(s);
            let info = self.info(root).fetch_or(bits, SeqCst) | bits;
            if self.is_root(root) {
                return info;
            }
        }
    }

    /// An edge with these marks is inside of the set of `s`: the marks of all edges inside that are known.
    pub fn add_marks(&self, s: u32, marks: Marks) -> Marks {
        let info = self.add(s, (marks & Marks::first(self.sets)).0 << MARKS);
        Marks(info >> MARKS) & Marks::first(self.sets)
    }

    /// `worker` comes to `s`.
    pub fn claim(&self, s: u32, worker: usize) -> Claim {
        let bit = 1 << (MARKS + self.sets + worker as u32);
        let root = self.find(s);
        let info = self.info(root).load(SeqCst);
        if info & DEAD != 0 {
            Claim::Dead
        } else if info & bit != 0 {
            Claim::Found
        } else {
            self.add(s, bit);
            Claim::Success
        }
    }

    /// The two are in one component.
    pub fn unite(&self, a: u32, b: u32) {
        let (q, r) = loop {
            let (x, y) = (self.find(a), self.find(b));
            if x == y {
                return;
            }
            let (q, r) = (x.min(y), x.max(y));
            if self.lock_root(q) {
                break (q, r);
            }
            spin_loop();
        };
        // Both have a busy state, as the sets are parts of one component and neither is complete.
        let (x, y) = (self.lock_list(a), self.lock_list(b));
        let next = |s: u32| match self.next.get(s as usize).load(SeqCst) {
            0 => s + 1,
            next => next,
        };
        let (after_x, after_y) = (next(x), next(y));
        self.next.get(x as usize).store(after_y, SeqCst);
        self.next.get(y as usize).store(after_x, SeqCst);
        self.parent.get(q as usize).store(r + 1, SeqCst);
        self.add(r, self.info(q).load(SeqCst) >> MARKS << MARKS);
        self.info(x).fetch_and(!LIST_LOCKED, SeqCst);
        self.info(y).fetch_and(!LIST_LOCKED, SeqCst);
        self.info(q).fetch_and(!ROOT_LOCKED, SeqCst);
    }

    /// Locks a root that is not dead; false if it is none, or is locked.
    fn lock_root(&self, q: u32) -> bool {
        let info = self.info(q);
        let mut seen = info.load(SeqCst);
        while seen & (ROOT_LOCKED | DEAD) == 0 {
            match info.compare_exchange(seen, seen | ROOT_LOCKED, SeqCst, SeqCst) {
                Ok(_) if self.is_root(q) => return true,
                // Somebody else has united it meanwhile.
                Ok(_) => {
                    info.fetch_and(!ROOT_LOCKED, SeqCst);
                    return false;
                }
                Err(now) => seen = now,
            }
        }
        false
    }

    /// Locks a busy state of the list of `s`.
    fn lock_list(&self, s: u32) -> u32 {
        loop {
            let Some(busy) = self.walk(s) else {
                panic!("internal error: a component was complete before its parts were united")
            };
            let info = self.info(busy);
            let mut seen = info.load(SeqCst);
            while seen & (LIST_LOCKED | DONE) == 0 {
                match info.compare_exchange(seen, seen | LIST_LOCKED, SeqCst, SeqCst) {
                    Ok(_) => return busy,
                    Err(now) => seen = now,
                }
            }
        }
    }

    /// All successors of `s` were looked at.
    pub fn done(&self, s: u32) {
        let info = self.info(s);
        let mut seen = info.load(SeqCst);
        while seen & DONE == 0 {
            if seen & LIST_LOCKED != 0 {
                yield_now();
                seen = info.load(SeqCst);
                continue;
            }
            match info.compare_exchange(seen, seen | DONE, SeqCst, SeqCst) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// A state of the set of `s` that is not done. If there is none, the component is complete, and is dead now.
    pub fn pick(&self, s: u32) -> Option<u32> {
        let busy = self.walk(s);
        if busy.is_none() {
            self.die(s);
        }
        busy
    }

    /// Goes round the list of `a` to a state that is not done.
    fn walk(&self, mut a: u32) -> Option<u32> {
        loop {
            if self.is_busy(a) {
                return Some(a);
            }
            let b = match self.next.get(a as usize).load(SeqCst) {
                0 => a,
                next => next - 1,
            };
            if a == b {
                return None;
            }
            if self.is_busy(b) {
                return Some(b);
            }
            let c = match self.next.get(b as usize).load(SeqCst) {
                0 => b,
                next => next - 1,
            };
            // Both are done, and `b` is passed over from now on.
            self.next.get(a as usize).store(c + 1, SeqCst);
            a = c;
        }
    }

    /// Is `s` not done? While somebody has it locked its next may change: it is waited for.
    fn is_busy(&self, s: u32) -> bool {
        loop {
            let info = self.info(s).load(SeqCst);
            if info & LIST_LOCKED == 0 {
                return info & DONE == 0;
            }
            yield_now();
        }
    }

    fn die(&self, s: u32) {
        loop {
            let root = self.find(s);
            let info = self.info(root);
            let seen = info.load(SeqCst);
            if seen & DEAD != 0 {
                return;
            }
            let free = seen & ROOT_LOCKED == 0 && self.is_root(root);
            if free && info.compare_exchange(seen, seen | DEAD, SeqCst, SeqCst).is_ok() {
                return;
            }
            yield_now();
        }
    }
}
