//! The protocol of the slots under every schedule of two or three threads, by the model checker `loom`:
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" LOOM_MAX_PREEMPTIONS=3 cargo test -p riata-store --test loom --release
//! ```
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use riata_store::shared::Gate;
use riata_store::shared::slots::{Looked, Slots};
use std::sync::Arc;

/// A store of numbers: what is written before an identity is published is in cells that `loom` watches.
struct Numbers {
    gate: Arc<Gate>,
    slots: Slots,
    words: Vec<UnsafeCell<u64>>,
    count: AtomicU32,
}

// SAFETY: `loom` tells if cells are read while they are written.
unsafe impl Sync for Numbers {}
// SAFETY: nothing belongs to a thread.
unsafe impl Send for Numbers {}

impl Numbers {
    fn new() -> Arc<Self> {
        let gate = Arc::new(Gate::new());
        let words = (0..8).map(|_| UnsafeCell::new(0)).collect();
        Arc::new(Numbers { slots: Slots::new(gate.clone()), gate, words, count: AtomicU32::new(0) })
    }

    /// `n` has the hash `n`: the high half is its tag, where it belongs.
    fn intern(&self, n: u64) -> u32 {
        let seat = self.gate.seat().expect("a seat");
        loop {
            let inside = seat.enter();
            // SAFETY: an identity that was published has its word.
            let equal = |id: u32| self.words[id as usize].with(|word| unsafe { *word }) == n;
            match self.slots.look(&inside, n, true, equal) {
                Some(Looked::Found(id)) => return id,
                Some(Looked::Claimed(claim)) => {
                    let id = self.count.fetch_add(1, Ordering::AcqRel);
                    // SAFETY: nobody else has this identity, and nobody reads it before it is published.
                    self.words[id as usize].with_mut(|word| unsafe { *word = n });
                    self.slots.publish(&inside, claim, id);
                    return id;
                }
                Some(Looked::Crowded(part)) => {
                    drop(inside);
                    self.slots.grow(&seat, part, usize::MAX).expect("room");
                }
                None => unreachable!("it claims"),
            }
        }
    }
}

/// Two states with one tag, and one with another.
const A: u64 = 1 << 32 | 1;
const B: u64 = 1 << 32 | 2;
const C: u64 = 3 << 32;

#[test]
fn one_identity_a_state() {
    loom::model(|| {
        let store = Numbers::new();
        let other = store.clone();
        let thread = thread::spawn(move || (other.intern(A), other.intern(B)));
        let (a, b) = (store.intern(A), store.intern(B));
        assert_eq!(thread.join().unwrap(), (a, b));
        assert_ne!(a, b);
        assert_eq!(store.count.load(Ordering::Acquire), 2);
    });
}

#[test]
fn the_table_grows_under_others() {
    loom::model(|| {
        let store = Numbers::new();
        // Three of four slots may be used: one of the threads must make the table larger.
        store.intern(A);
        store.intern(B);
        let other = store.clone();
        let thread = thread::spawn(move || (other.intern(C), other.intern(A)));
        let (d, a) = (store.intern(4 << 32), store.intern(A));
        let (c, again) = thread.join().unwrap();
        assert_eq!(a, again);
        assert_eq!([store.intern(A), store.intern(B), store.intern(C), store.intern(4 << 32)], [a, 1, c, d]);
        assert_eq!(store.count.load(Ordering::Acquire), 4);
    });
}
