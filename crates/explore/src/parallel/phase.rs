//! A phase of a breadth-first search by several threads: what is to be done in it, and what comes of it.

use super::crew::Crew;
use super::parts::At;
use riata_system::Stop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What is done in a phase.
#[derive(Default)]
pub(super) struct Phase {
    /// Which states of each part.
    pub states: Vec<States>,
    /// Are these the successors that were left out before?
    pub again: bool,
    /// For each part the first state of the next level.
    pub fresh: Vec<u32>,
    /// How many work.
    pub workers: usize,
    /// How many letters a part may have waiting.
    pub letters: usize,
}

pub(super) enum States {
    Range(u32, u32),
    List(Vec<u32>),
}

impl States {
    pub fn len(&self) -> usize {
        match self {
            States::Range(from, to) => (to - from) as usize,
            States::List(list) => list.len(),
        }
    }

    pub fn get(&self, i: usize) -> u32 {
        match self {
            States::Range(from, _) => from + i as u32,
            States::List(list) => list[i],
        }
    }
}

/// What workers tell the leader at the end of a phase.
#[derive(Default)]
pub(super) struct Told {
    pub found: Vec<(At, u32)>,
    /// States of which something was left out, and of which no successor in their own part is new.
    pub barren: Vec<At>,
    /// States of which a successor in another part is new.
    pub fertile: Vec<At>,
    pub stop: Option<Stop>,
}

impl Told {
    pub fn append(&mut self, other: &mut Told) {
        self.found.append(&mut other.found);
        self.barren.append(&mut other.barren);
        self.fertile.append(&mut other.fertile);
    }
}

/// Lets the helpers go, even if the leader panics.
pub(super) struct Over<'a>(pub &'a Crew);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.over();
    }
}

/// Tells the others that a worker was lost.
pub(super) struct Lost<'a>(pub &'a AtomicBool);

impl Drop for Lost<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}
