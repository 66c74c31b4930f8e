//! Workers that do one phase after the other together: all begin it, and it is over when all are ready.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How often is looked for a change before the thread sleeps.
const SPINS: u32 = 2_000;

/// The helpers of the thread that leads.
pub(crate) struct Crew {
    state: Mutex<State>,
    wake: Condvar,
    ready: Condvar,
    /// The number of the phase, and how many helpers work on it: for a look without the lock.
    phase: AtomicUsize,
    busy: AtomicUsize,
}

#[derive(Default)]
struct State {
    over: bool,
    helpers: usize,
}

impl Crew {
    pub fn new() -> Self {
        Crew {
            state: Mutex::default(),
            wake: Condvar::new(),
            ready: Condvar::new(),
            phase: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that is protected is left half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more helper takes part; before it is started, by the thread that leads.
    pub fn join(&self) {
        self.lock().helpers += 1;
    }

    /// It could not be started.
    pub fn part(&self) {
        self.lock().helpers -= 1;
    }

    /// What a helper does: `work` in each phase, until all is over.
    pub fn help(&self, mut work: impl FnMut()) {
        let mut last = 0;
        loop {
            for _ in 0..SPINS {
                if self.phase.load(Ordering::Acquire) != last {
                    break;
                }
                std::hint::spin_loop();
            }
            let mut state = self.lock();
            while !state.over && self.phase.load(Ordering::Acquire) == last {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.over {
                return;
            }
            drop(state);
            last = self.phase.load(Ordering::Acquire);
            let _done = Done(self);
            work();
        }
    }

    /// A phase: helpers do their work, the leader does `work`, and all are ready.
    pub fn phase(&self, work: impl FnOnce()) {
        let state = self.lock();
        self.busy.store(state.helpers, Ordering::Release);
        self.phase.fetch_add(1, Ordering::AcqRel);
        self.wake.notify_all();
        drop(state);
        let _all = All(self);
        work();
    }

    /// No phase comes any more.
    pub fn over(&self) {
        self.lock().over = true;
        self.wake.notify_all();
    }
}

/// A helper is ready with a phase, even if it panics.
struct Done<'a>(&'a Crew);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut state = self.0.lock();
            state.helpers -= 1;
        }
        if self.0.busy.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _state = self.0.lock();
            self.0.ready.notify_all();
        }
    }
}

/// The leader waits for all, even if it panics.
struct All<'a>(&'a Crew);

impl Drop for All<'_> {
    fn drop(&mut self) {
        for _ in 0..SPINS {
            if self.0.busy.load(Ordering::Acquire) == 0 {
                return;
            }
            std::hint::spin_loop();
        }
        let mut state = self.0.lock();
        while self.0.busy.load(Ordering::Acquire) > 0 {
            state = self.0.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let crew = Crew::new();
        let counts: Vec<AtomicUsize> = (0..50).map(|_| AtomicUsize::new(0)).collect();
        let now = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                crew.join();
                scope.spawn(|| {
                    crew.help(|| {
                        counts[now.load(Ordering::Acquire)].fetch_add(1, Ordering::AcqRel);
                    });
                });
            }
            for (i, count) in counts.iter().enumerate() {
                now.store(i, Ordering::Release);
                crew.phase(|| {
                    count.fetch_add(1, Ordering::AcqRel);
                });
                assert_eq!(count.load(Ordering::Acquire), 4);
            }
            crew.over();
        });
    }
}
