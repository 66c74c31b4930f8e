//! Breadth-first search: the device expands the states of a level, and the interpreter those that it is asked for.
//!
//! ```text
//! insert the first state; level 0 is it
//! while the level has states:
//!   for each chunk of it:
//!     the device expands the chunk: its successors come after all states that are known
//!     the interpreter expands those that it is asked for, counts what they violate, and inserts their successors
//!   the next level is what has come
//! if the table is full: once more from the start with a larger one; if there is no more memory, with the row of states in
//! that of the host; and then stop
//! ```
//!
//! The fault state is not in the table: nothing moves in it, and it is not a state of the program.

use crate::device::{Device, Failed, Room, SET_BYTES, Size, Tally};
use crate::plan::Plan;
use crate::space::{Alone, Notes, Space};
use riata_program::Interpreter;
use riata_system::{Limits, Stop};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// With what a search ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// With a level in which a violation was found.
    pub violation: bool,
    /// With a level in which a deadlock was found.
    pub deadlock: bool,
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The level of the state.
    pub level: usize,
    /// The state.
    pub state: Vec<u32>,
    /// Is it the fault state after it that was found?
    pub fault: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Why it could not tell everything.
    pub stopped: Option<Stop>,
    /// States, the fault state not among them.
    pub states: u64,
    /// Large steps.
    pub transitions: u64,
    /// Levels, that of the fault state among them.
    pub levels: usize,
    /// States in which nothing moves and that are no valid ends.
    pub deadlocks: u64,
    /// Violated assertions, those about states and those on the way, and the fault state.
    pub violations: u64,
    /// States that the interpreter expanded.
    pub asked: u64,
    /// The first violation.
    pub violation: Option<Place>,
    /// The first deadlock.
    pub deadlock: Option<Place>,
    /// Was there a fault?
    pub faults: bool,
    /// The bytes that were used on the device.
    pub bytes: u64,
    /// How many times the table was made larger.
    pub again: u32,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Of the device.
    Device(Failed),
    /// A value has more bits than were guessed: [`Plan::new`] must not guess.
    Guess,
    /// A state has processes that the text was not made for.
    Processes,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Wrong::Device(failed) => write!(f, "{failed}"),
            Wrong::Guess => write!(f, "a value has more bits than were guessed"),
            Wrong::Processes => {
                write!(f, "processes are created in other orders or numbers than in the first states")
            }
        }
    }
}

impl From<Failed> for Wrong {
    fn from(failed: Failed) -> Wrong {
        Wrong::Device(failed)
    }
}

/// A table that is full becomes so many times larger.
const GROWTH: u64 = 8;
/// The share of the free memory that is used.
const SHARE: f64 = 0.93;

/// The row is in the memory of the host if there is room for so many times the states.
const WORTH: f64 = 1.2;

/// A search on a device.
pub struct Search<'a, D, S> {
    pub(crate) space: S,
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) device: D,
    /// The numbers of the states of each level.
    pub(crate) levels: Vec<(u64, u64)>,
    /// The states of each level that the interpreter expanded.
    pub(crate) asked: Vec<Vec<u64>>,
    limits: Limits<'a>,
    notes: Notes,
}

impl<'a, D: Device> Search<'a, D, Alone<'a>> {
    /// A search of the states of a program that has not begun; `limits.memory` is that of the device.
    pub fn new(interpreter: &'a Interpreter, plan: &'a Plan<'a>, device: D, limits: Limits<'a>) -> Self {
        Search::of(Alone::new(interpreter), plan, device, limits)
    }
}

impl<'a, D: Device, S: Space> Search<'a, D, S> {
    /// A search of a space.
    pub(crate) fn of(space: S, plan: &'a Plan<'a>, device: D, limits: Limits<'a>) -> Self {
        let (levels, asked, notes) = (Vec::new(), Vec::new(), Notes::default());
        Search { space, plan, device, levels, asked, limits, notes }
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Searches, with a table that becomes larger if it must.
    pub fn run(&mut self, aim: Aim, mut tell: impl FnMut(&Found)) -> Result<Found, Wrong> {
        let packing = &self.plan.packing;
        let (mut capacity, chunk) = self.device.usual();
        let memory = (self.device.memory()? as f64 * SHARE) as u64;
        let memory = self.limits.memory.map_or(memory, |limit| memory.min(limit as u64));
        let later = if packing.beside { SET_BYTES } else { 0 };
        let size = Size { packed: packing.packed, inline: packing.inline, later };
        let each = Room::new(1 << 20, size, 0).bytes(size) as f64 / 1048576.0;
        let most = (memory.saturating_sub(chunk * 8 * packing.packed as u64) as f64 / each) as u64;
        let outside = Room::outside((memory, self.device.spare()), size, chunk);
        let mut outside = outside.filter(|room| room.capacity as f64 > most as f64 * WORTH);
        let mut again = 0;
        loop {
            capacity = capacity.min(most).max(1);
            let mut room = Room::new(capacity, size, chunk);
            self.device.start(room)?;
            let mut found = Found { bytes: room.bytes(size), again, ..Found::default() };
            self.levels(aim, room, &mut found, &mut tell)?;
            let full = found.stopped == Some(Stop::Memory);
            if full && capacity < most {
                capacity = capacity.saturating_mul(GROWTH);
                again += 1;
                continue;
            }
            // Where the host has not so much memory after all, it stays as it is.
            let more = outside.take().filter(|&more| full && self.device.start(more).is_ok());
            if let Some(more) = more {
                room = more;
                found = Found { bytes: room.bytes(size), again: again + 1, ..Found::default() };
                self.levels(aim, room, &mut found, &mut tell)?;
            }
            return Ok(found);
        }
    }

    /// Searches in a room that the device has made, and says that it is full if it is.
    fn levels(
        &mut self,
        aim: Aim,
        room: Room,
        found: &mut Found,
        tell: &mut impl FnMut(&Found),
    ) -> Result<(), Wrong> {
        (self.levels, self.asked) = (Vec::new(), Vec::new());
        self.notes = Notes::default();
        let mut keys = Vec::new();
        for s in self.space.initial() {
            self.pack(&s, &mut keys)?;
        }
        let mut tally = self.device.insert(&keys)?;
        let (mut lo, mut hi) = (0, tally.count);
        while lo < hi {
            self.levels.push((lo, hi));
            self.asked.push(Vec::new());
            found.levels = self.levels.len();
            for from in (lo..hi).step_by(room.chunk as usize) {
                if let Some(stop) = self.stops() {
                    found.stopped = Some(stop);
                    return Ok(());
                }
                tally = self.device.expand(from, hi.min(from + room.chunk), None)?;
                if tally.full == 0 && tally.asked > 0 {
                    tally = self.ask(tally.asked, found)?;
                }
                if tally.full != 0 {
                    found.stopped = Some(Stop::Memory);
                    found.states = tally.count.min(room.capacity);
                    return Ok(());
                }
            }
            (lo, hi) = (hi, tally.count);
            self.count(tally, found)?;
            tell(found);
            let done =
                (!aim.violation || found.violation.is_some()) && (!aim.deadlock || found.deadlock.is_some());
            if aim != Aim::default() && done {
                break;
            }
        }
        // The fault state is on a level of its own if no other one is.
        found.levels = found.levels.max(self.notes.fails.map_or(0, |level| level + 2));
        Ok(())
    }

    /// Is it time to stop?
    pub fn stops(&self) -> Option<Stop> {
        if self.limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.limits.deadline.is_some_and(|d| Instant::now() >= d).then_some(Stop::Time)
    }

    /// Takes over what the device has counted.
    fn count(&mut self, tally: Tally, found: &mut Found) -> Result<(), Wrong> {
        let level = self.levels.len() - 1;
        found.states = tally.count;
        if tally.first_stuck != u64::MAX && found.deadlock.is_none() {
            let key = self.device.state(tally.first_stuck)?;
            found.deadlock = Some(Place { level, state: self.unpacked(&key), fault: false });
        }
        (found.transitions, found.deadlocks) =
            (self.notes.transitions + tally.transitions, self.notes.deadlocks + tally.stuck);
        Ok(())
    }

    pub(crate) fn pack(&self, s: &[u32], keys: &mut Vec<u64>) -> Result<(), Wrong> {
        let wrong = if self.plan.guessed { Wrong::Guess } else { Wrong::Processes };
        self.plan.packing.pack(s, keys).map_err(|_| wrong)
    }

    /// A state as the interpreter knows it.
    pub(crate) fn unpacked(&self, key: &[u64]) -> Vec<u32> {
        let mut s = self.plan.packing.unpack(key);
        self.space.cut(&mut s);
        s
    }

    /// Expands the states that the device has left to the interpreter.
    fn ask(&mut self, count: u64, found: &mut Found) -> Result<Tally, Wrong> {
        let level = self.levels.len() - 1;
        let packed = self.plan.packing.packed;
        let asked = self.device.asked(count)?;
        let (mut keys, mut told) = (Vec::new(), Vec::new());
        for key in asked.chunks(packed) {
            let s = self.unpacked(key);
            told.clear();
            self.space.expand((&s, level), (found, &mut self.notes), &mut |to| told.push(to.to_vec()));
            for to in &told {
                self.pack(to, &mut keys)?;
            }
        }
        found.asked += count;
        self.asked[level].extend(asked);
        Ok(self.device.insert(&keys)?)
    }
}
