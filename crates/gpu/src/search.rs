//! Breadth-first search: the device expands the states of a level, and the interpreter those that it is asked for.
//!
//! ```text
//! insert the first state; level 0 is it
//! while the level has states:
//!   for each chunk of it:
//!     the device expands the chunk: its successors come after all states that are known
//!     the interpreter expands those that it is asked for, counts what they violate, and inserts their successors
//!   the next level is what has come
//! if the table is full: once more from the start with a larger one, or, if there is no more memory, stop
//! ```
//!
//! The fault state is not in the table: nothing moves in it, and it is not a state of the program.

use crate::device::{Device, Failed, Room, Tally};
use crate::plan::Plan;
use riata_program::{Condensed, Interpreter};
use riata_system::{Limits, Stop, Successors, System};
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

/// A search on a device.
pub struct Search<'a, D> {
    pub(crate) interpreter: &'a Interpreter,
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) device: D,
    /// The numbers of the states of each level.
    pub(crate) levels: Vec<(u64, u64)>,
    /// The states of each level that the interpreter expanded.
    pub(crate) asked: Vec<Vec<u64>>,
    limits: Limits<'a>,
    /// Transitions and deadlocks that the interpreter counted.
    own: (u64, u64),
    /// The level of the first state with a step that fails.
    fails: Option<usize>,
    out: Successors,
}

impl<'a, D: Device> Search<'a, D> {
    /// A search that has not begun; `limits.memory` is that of the device.
    pub fn new(interpreter: &'a Interpreter, plan: &'a Plan<'a>, device: D, limits: Limits<'a>) -> Self {
        Search {
            interpreter,
            plan,
            device,
            levels: Vec::new(),
            asked: Vec::new(),
            limits,
            own: (0, 0),
            fails: None,
            out: Successors::default(),
        }
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
        let each =
            Room::new(1 << 20, packing.packed, packing.inline, 0).bytes(packing.packed) as f64 / 1048576.0;
        let most = (memory.saturating_sub(chunk * 8 * packing.packed as u64) as f64 / each) as u64;
        let mut again = 0;
        loop {
            capacity = capacity.min(most).max(1);
            let room = Room::new(capacity, packing.packed, packing.inline, chunk);
            let mut found = Found { bytes: room.bytes(packing.packed), again, ..Found::default() };
            self.levels(aim, room, &mut found, &mut tell)?;
            if found.stopped != Some(Stop::Memory) || capacity >= most {
                return Ok(found);
            }
            capacity = capacity.saturating_mul(GROWTH);
            again += 1;
        }
    }

    /// Searches in a room, and says that it is full if it is.
    fn levels(
        &mut self,
        aim: Aim,
        room: Room,
        found: &mut Found,
        tell: &mut impl FnMut(&Found),
    ) -> Result<(), Wrong> {
        self.device.start(room)?;
        (self.levels, self.asked) = (Vec::new(), Vec::new());
        (self.own, self.fails) = ((0, 0), None);
        let mut first = vec![0; self.interpreter.words()];
        self.interpreter.initial(&mut Default::default(), &mut first);
        let mut keys = Vec::new();
        self.pack(&first[..self.interpreter.len(&first)], &mut keys)?;
        let mut tally = self.device.insert(&keys)?;
        let (mut lo, mut hi) = (0, 1);
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
        found.levels = found.levels.max(self.fails.map_or(0, |level| level + 2));
        Ok(())
    }

    /// Is it time to stop?
    fn stops(&self) -> Option<Stop> {
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
        (found.transitions, found.deadlocks) = (self.own.0 + tally.transitions, self.own.1 + tally.stuck);
        Ok(())
    }

    pub(crate) fn pack(&self, s: &[u32], keys: &mut Vec<u64>) -> Result<(), Wrong> {
        let wrong = if self.plan.guessed { Wrong::Guess } else { Wrong::Processes };
        self.plan.packing.pack(s, keys).map_err(|_| wrong)
    }

    /// A state as the interpreter knows it.
    pub(crate) fn unpacked(&self, key: &[u64]) -> Vec<u32> {
        let mut s = self.plan.packing.unpack(key);
        s.truncate(self.interpreter.len(&s));
        s
    }

    /// Expands the states that the device has left to the interpreter.
    fn ask(&mut self, count: u64, found: &mut Found) -> Result<Tally, Wrong> {
        let level = self.levels.len() - 1;
        let packed = self.plan.packing.packed;
        let asked = self.device.asked(count)?;
        let mut keys = Vec::new();
        for key in asked.chunks(packed) {
            let s = self.unpacked(key);
            self.expand(&s, level, found, &mut keys)?;
        }
        found.asked += count;
        self.asked[level].extend(asked);
        Ok(self.device.insert(&keys)?)
    }

    /// Expands a state, as `explore` of the explicit engine does.
    fn expand(
        &mut self,
        s: &[u32],
        level: usize,
        found: &mut Found,
        keys: &mut Vec<u64>,
    ) -> Result<(), Wrong> {
        let i = self.interpreter;
        let (mut at, mut out) = (Default::default(), std::mem::take(&mut self.out));
        out.clear();
        let count = Condensed::new(i).expand(s, &mut at, &mut out);
        self.own.0 += count;
        let violations = u64::from(at.violations()) + u64::from(i.violated(s).is_some());
        found.violations += violations;
        let place = |fault| Place { level, state: s.to_vec(), fault };
        if violations > 0 && found.violation.as_ref().is_none_or(|v| v.level == level && v.fault) {
            found.violation = Some(place(false));
        }
        for n in 0..out.len() {
            let to = out.get(n).0;
            if !i.is_fault(to) {
                self.pack(to, keys)?;
                continue;
            }
            found.violations += u64::from(!found.faults);
            found.faults = true;
            self.fails.get_or_insert(level);
            found.violation.get_or_insert_with(|| place(true));
        }
        self.out = out;
        let mut scratch = vec![0; i.words()];
        if count == 0 && !i.is_end(s) && i.is_stuck(s, &mut scratch) {
            self.own.1 += 1;
            found.deadlock.get_or_insert_with(|| place(false));
        }
        Ok(())
    }
}
