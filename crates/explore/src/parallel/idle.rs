//! Workers that have nothing to do, and what others give them.
//!
//! Parts are of the same size, and cores are not always equally fast: the level would be over when the slowest is ready. So who sees
//! that somebody waits gives states away. Who expands them sends all successors to their parts, and keeps nothing.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// States of a part that somebody else expands.
pub(super) struct Errand {
    pub part: u32,
    pub ids: Vec<u32>,
    pub words: Vec<u32>,
}

/// Who is ready, and what there is for them.
#[derive(Default)]
pub(super) struct Idle {
    /// How many workers have expanded all their states, and sent what they wrote.
    ready: AtomicUsize,
    /// What is given away. Who takes something is not ready any more before anybody else looks.
    errands: Mutex<Vec<Errand>>,
}

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Errand>> {
        self.errands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A phase begins: nobody is ready.
    pub fn begin(&self) {
        self.lock().clear();
        self.ready.store(0, Ordering::Release);
    }

    /// Is somebody ready?
    #[inline]
    pub fn some(&self) -> bool {
        self.ready.load(Ordering::Relaxed) > 0
    }

    /// One more is ready: all it has found was sent before.
    pub fn ready(&self) {
        self.ready.fetch_add(1, Ordering::AcqRel);
    }

    /// Gives something away, unless there is something to take already; tells how many states.
    pub fn give(&self, errand: impl FnOnce() -> Errand) -> usize {
        let mut errands = self.lock();
        if !errands.is_empty() {
            return 0;
        }
        let errand = errand();
        let count = errand.ids.len();
        errands.push(errand);
        count
    }

    /// Takes what somebody gives away; for who is ready, and now is not.
    pub fn take(&self) -> Option<Errand> {
        let mut errands = self.errands.try_lock().ok()?;
        let errand = errands.pop()?;
        self.ready.fetch_sub(1, Ordering::AcqRel);
        Some(errand)
    }

    /// Are all of them ready, so that nobody has anything to expand?
    pub fn all(&self, workers: usize) -> bool {
        let ready = || self.ready.load(Ordering::Acquire) == workers;
        ready() && {
            let errands = self.lock();
            errands.is_empty() && ready()
        }
    }
}
