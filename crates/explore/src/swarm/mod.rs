//! A swarm: many searches at once, each with a lossy store, hash functions and an order of successors of its own.
//!
//! A lossy store leaves out states, each time others. What one search has missed another may find; what none has found may
//! still be there, so a swarm never says «empty». Each member has its part of the memory, and shares nothing with the
//! others but the news that enough was found.
//!
//! # References
//! Holzmann, Joshi, Groce: Swarm verification techniques. IEEE Trans. Softw. Eng. 37, 2011.

mod shared;
mod shuffled;
mod states;

pub use shared::find_together;
pub use shuffled::Shuffled;
pub use states::{Order, Visit, find};

use crate::parallel::team::add;
use riata_system::{Limits, Run, Stop};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What one member says.
pub struct Member<F> {
    /// What it found.
    pub found: Vec<F>,
    /// Is that all that is looked for?
    pub enough: bool,
    /// Why it ended early, if it did.
    pub stopped: Option<Stop>,
}

/// What all say.
pub struct Swarm<F> {
    /// What was found, by the members in order.
    pub found: Vec<F>,
    /// Why some ended early, against their will.
    pub stopped: Option<Stop>,
    /// How many states each has seen.
    pub states: Vec<u64>,
}

/// How often is looked whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Lets `threads` members search at once, each told its number; when one has enough the others end. Their counters are summed
/// in `run`, and each may use its part of the memory.
///
/// # Panics
/// If a member does.
pub fn swarm<F: Send>(
    threads: usize,
    run: &mut Run,
    search: impl Fn(usize, &mut Run) -> Member<F> + Sync,
) -> Swarm<F> {
    let limits = run.limits;
    let (ended, news) = (AtomicBool::new(false), Condvar::new());
    let flying = Mutex::new(0usize);
    let mut swarm = Swarm { found: Vec::new(), stopped: None, states: Vec::new() };
    let (mut interrupted, mut panic) = (false, None);
    thread::scope(|scope| {
        let (ended, news, flying, search) = (&ended, &news, &flying, &search);
        let mut members = Vec::new();
        for number in 0..threads.max(1) {
            *lock(flying) += 1;
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                let _landing = Landing { flying, news, ended };
                let memory = limits.memory.map(|m| m / threads.max(1));
                let mut run = Run::new(Limits { memory, interrupt: Some(ended), ..limits });
                let member = search(number, &mut run);
                if member.enough {
                    ended.store(true, Ordering::Release);
                }
                (member, run.counters)
            });
            match spawned {
                Ok(member) => members.push(member),
                Err(_) => *lock(flying) -= 1,
            }
        }
        if members.is_empty() {
            swarm.stopped = Some(Stop::Interrupted);
        }
        let mut up = lock(flying);
        while *up > 0 {
            up = news.wait_timeout(up, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            if limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
                interrupted = true;
                ended.store(true, Ordering::Release);
            }
        }
        drop(up);
        for member in members {
            match member.join() {
                Ok((member, counters)) => {
                    add(&mut run.counters, &counters);
                    swarm.states.push(counters.states);
                    swarm.found.extend(member.found);
                    // Who was told to end has met no limit of its own.
                    let own = member.stopped.filter(|&stop| stop != Stop::Interrupted);
                    swarm.stopped = swarm.stopped.or(own);
                }
                Err(payload) => panic = Some(payload),
            }
        }
    });
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
    if interrupted {
        swarm.stopped = Some(Stop::Interrupted);
    }
    swarm
}

/// A member is ready, even if it panics.
struct Landing<'a> {
    flying: &'a Mutex<usize>,
    news: &'a Condvar,
    ended: &'a AtomicBool,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.ended.store(true, Ordering::Release);
        }
        *lock(self.flying) -= 1;
        self.news.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
