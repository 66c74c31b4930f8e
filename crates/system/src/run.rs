//! What a search is given and what it leaves behind: limits, counters, verdicts.

use crate::{Doing, Lasso, Mark};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The answer of an emptiness check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no accepting run, and the search was complete.
    Empty,
    /// There is one, and here it is, already replayed.
    Accepting(Lasso),
    /// The search could not tell.
    Inconclusive(Stop),
}

/// Why a search could not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The memory limit was reached.
    Memory,
    /// The time limit was reached.
    Time,
    /// The user interrupted the search.
    Interrupted,
    /// More states than 32-bit identities can tell apart.
    States,
    /// The search ended without a finding, but its store may have left out states.
    Lossy,
    /// A lossy store confused two states, and the accepting run that seemed to be there could not be replayed.
    Unconfirmed,
    /// One of several processes is gone, or cannot be understood.
    Lost,
    /// A checkpoint could not be written, or not be read.
    Disk,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Memory => "memory limit reached",
            Stop::Time => "time limit reached",
            Stop::Interrupted => "interrupted",
            Stop::States => "more than 2^32 states",
            Stop::Lossy => "nothing found, but the store is lossy and may have missed states",
            Stop::Unconfirmed => "a run was found through a lossy store and could not be replayed",
            Stop::Lost => "a process was lost",
            Stop::Disk => "the checkpoint could not be written or read",
        })
    }
}

/// What a search may use.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Bytes for the store, the stacks and the per-state data together.
    pub memory: Option<usize>,
    /// The moment at which the search stops.
    pub deadline: Option<Instant>,
    /// Set by someone else to stop the search.
    pub interrupt: Option<&'a AtomicBool>,
    /// Where the search says what it is doing, if one thread does it.
    pub mark: Mark<'a>,
}

/// The statistics of the papers, always on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Distinct states that the search entered (SE05 Table 1, «st»).
    pub states: u64,
    /// Transitions considered, repeats included (SE05 Table 1, «tr»).
    pub transitions: u64,
    /// How often the enumeration of a state's successors was begun.
    pub post_calls: u64,
    /// The largest depth of the call stack, both searches of a nested one together («dp»).
    pub max_depth: u64,
    /// The largest size of the *Roots* stack (Couvreur's algorithms).
    pub max_roots: u64,
    /// The largest size of the explicit stack of states: *Current*, *Active*, the Tarjan stack.
    pub max_active: u64,
    /// Bytes held by the store, the stacks and the per-state data at the end.
    pub bytes: u64,
    /// Of a breadth-first search: states that were found and not yet looked at.
    pub waiting: u64,
}

/// Who wants to hear of a long search; called a few times a second at most.
pub trait Progress {
    /// The counters so far, and the present depth.
    fn tick(&mut self, counters: &Counters, depth: usize);
}

/// One run of a search: its limits, its counters, its listener.
pub struct Run<'a> {
    /// What the search may use.
    pub limits: Limits<'a>,
    /// What it has used.
    pub counters: Counters,
    progress: Option<&'a mut dyn Progress>,
    next_tick: Instant,
    /// Transitions until the next look at the clock.
    fuel: u32,
}

/// How many transitions pass between two looks at the clock.
const FUEL: u32 = 4096;

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(limits: Limits<'a>) -> Self {
        Run { limits, counters: Counters::default(), progress: None, next_tick: Instant::now(), fuel: FUEL }
    }

    /// Sends progress to `listener`.
    pub fn listen(mut self, listener: &'a mut dyn Progress) -> Self {
        self.progress = Some(listener);
        self
    }

    /// Says what the search is doing from now on.
    #[inline(always)]
    pub fn doing(&self, doing: Doing) {
        self.limits.mark.set(doing);
    }

    /// Counts one transition considered.
    #[inline]
    pub fn transition(&mut self) {
        self.counters.transitions += 1;
        self.fuel = self.fuel.saturating_sub(1);
    }

    /// Counts so many transitions considered.
    #[inline]
    pub fn transitions(&mut self, count: u64) {
        self.counters.transitions += count;
        self.fuel = self.fuel.saturating_sub(count.min(FUEL.into()) as u32);
    }

    /// Once in a while, compares the search with its limits; `bytes` tells what it holds.
    #[inline]
    pub fn breathe(&mut self, depth: usize, bytes: impl FnOnce() -> usize) -> Result<(), Stop> {
        if self.fuel == 0 { self.poll(depth, bytes(), |counters| counters) } else { Ok(()) }
    }

    /// As [`Run::breathe`], for one of several threads: who listens is told what `total` makes of the counters.
    #[inline]
    pub fn breathe_among(
        &mut self,
        depth: usize,
        bytes: impl FnOnce() -> usize,
        total: impl FnOnce(Counters) -> Counters,
    ) -> Result<(), Stop> {
        if self.fuel == 0 { self.poll(depth, bytes(), total) } else { Ok(()) }
    }

    /// The same at once, for who has nothing to do but wait for others.
    pub fn wait_among(
        &mut self,
        depth: usize,
        bytes: impl FnOnce() -> usize,
        total: impl FnOnce(Counters) -> Counters,
    ) -> Result<(), Stop> {
        self.poll(depth, bytes(), total)
    }

    #[cold]
    fn poll(
        &mut self,
        depth: usize,
        bytes: usize,
        total: impl FnOnce(Counters) -> Counters,
    ) -> Result<(), Stop> {
        self.fuel = FUEL;
        self.counters.bytes = bytes as u64;
        if self.limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.limits.memory.is_some_and(|m| bytes > m) {
            return Err(Stop::Memory);
        }
        let total = total(self.counters);
        if self.limits.deadline.is_none() && self.progress.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if self.limits.deadline.is_some_and(|d| now >= d) {
            return Err(Stop::Time);
        }
        if let Some(p) = &mut self.progress
            && now >= self.next_tick
        {
            self.next_tick = now + Duration::from_millis(200);
            p.tick(&total, depth);
        }
        Ok(())
    }
}
