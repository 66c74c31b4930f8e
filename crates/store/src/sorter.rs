//! Keys that mean the same to several stores, among which the states are divided.
//!
//! All of them begin with the same packing. When a bit begins to vary, it gets the next place in the keys of all: who meets it first says so
//! here, and the others learn it when they meet it, or when a key comes. So a key means the same to all that know of its bits, and bits that
//! somebody does not know yet are zero in all keys that he has.
//!
//! Which store a state belongs to follows from the bits that varied at the beginning, and never changes.

use crate::packing::{Packing, TooMany};
use crate::{Sort, hash};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What all stores have in common.
pub struct Common {
    /// How often bits have begun to vary.
    pub version: AtomicU32,
    packing: Mutex<Packing>,
    /// The bits of keys that say which store a state belongs to.
    mask: u64,
}

impl Common {
    /// What is known by now.
    pub fn packing(self: &Arc<Common>) -> Sorter {
        let packing = self.packing.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody changes either while the lock is held.
        let version = self.version.load(Ordering::Acquire);
        Sorter { packing: packing.clone(), version, common: Arc::clone(self) }
    }

    /// The bits of a state vary from now on.
    pub fn widen(&self, s: &[u32]) -> Result<(), TooMany> {
        let mut packing = self.packing.lock().unwrap_or_else(PoisonError::into_inner);
        if packing.key(s).is_none() {
            // All of it or nothing.
            let mut wider = packing.clone();
            wider.widen(s)?;
            *packing = wider;
            self.version.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }
}

/// What makes keys that mean the same to several stores, as far as it is known here.
#[derive(Clone)]
pub struct Sorter {
    pub(crate) packing: Packing,
    pub(crate) version: u32,
    pub(crate) common: Arc<Common>,
}

impl Sorter {
    pub(crate) fn new(packing: Packing) -> Sorter {
        let mask = packing.used();
        let common =
            Arc::new(Common { version: AtomicU32::new(0), packing: Mutex::new(packing.clone()), mask });
        Sorter { packing, version: 0, common }
    }

    /// Learns what bits vary by now; false if that is known.
    #[cold]
    fn learn(&mut self) -> bool {
        let behind = self.common.version.load(Ordering::Acquire) != self.version;
        if behind {
            *self = self.common.packing();
        }
        behind
    }
}

impl Sort<u64> for Sorter {
    fn sort(&mut self, words: &[u32], length: usize, mut each: impl FnMut(Result<u64, &[u32]>, u32)) {
        let mask = self.common.mask;
        // The upper half of the hash of a key says where it is at home.
        let of = |key: u64| hash::key(key & mask, 1) as u32;
        let mut rest = words;
        while !rest.is_empty() {
            let mut told = 0;
            let alike = self.packing.is_listed(length);
            let unfit = !alike
                || !self.packing.is_narrow()
                || self.packing.narrow_keys(rest, length, |key| {
                    told += length;
                    each(Ok(key), of(key));
                });
            rest = &rest[told..];
            if unfit && !self.learn() {
                let (s, behind) = rest.split_at(length);
                // The same as if it had a key: the bits of the first packing are where they were.
                each(Err(s), if alike { of(self.packing.low(s)) } else { hash::words(s, 1) as u32 });
                rest = behind;
            }
        }
    }
}
