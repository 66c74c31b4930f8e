//! Fairness of processes: runs in which somebody who can move never does are no behaviours.
//!
//! * **Weak fairness** (justice): a process that can move from some point on for ever moves infinitely often. Each
//!   process has an acceptance set: the steps in which it takes part, and those from states in which it cannot. A run
//!   that meets every set infinitely often is weakly fair. No state is copied for it. Where a run has ended, nobody can
//!   move, so the step that repeats its last state is in every set.
//! * **Strong fairness** (compassion): a process that can move infinitely often moves infinitely often. Each process has
//!   a Streett pair: the steps from states in which it can move, and those in which it takes part.
//!
//! A rendezvous is a step that the sender can take; that somebody could send to it does not make a receiver one that can
//! move. Both move in it.
//!
//! States are those in which control is free, and a step goes on until it is free again, so the processes that take part
//! in a step are all those that move in it.
//!
//! # References
//! Manna, Pnueli: The temporal logic of reactive and concurrent systems. 1992, chapter 2.

use crate::condense::{Condensed, Cursor as Large};
use crate::interp::{Cursor as Small, Interpreter, Step};
use riata_automata::Marks;
use riata_system::{ActionId, System, Valuation};

/// What fairness asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Justice {
    /// A process that can move continuously moves infinitely often.
    Weak,
    /// A process that can move infinitely often moves infinitely often.
    Strong,
}

/// A program of which only the fair runs count. There are never more than `processes` processes.
///
/// If justice is weak, set `p` is process `p`'s. If it is strong, set `p` has the steps of process `p`, and set
/// `processes + p` those from where it can move.
pub struct Fair<'a> {
    /// The program.
    pub interpreter: &'a Interpreter,
    /// The most processes that there are.
    pub processes: u32,
    /// What is asked.
    pub justice: Justice,
}

/// The cursor of [`Fair`]: that of the program, and who can move.
#[derive(Default)]
pub struct Cursor {
    own: Large,
    able: u64,
    known: bool,
}

fn one(p: u32) -> u64 {
    1u64.checked_shl(p).unwrap_or(0)
}

/// The processes that have a step of their own from `s`. As in Spin, a receive by rendezvous is a step of the sender: who
/// only waits for one cannot move by itself.
pub(super) fn able(i: &Interpreter, s: &[u32]) -> u64 {
    let mut at = Small::default();
    let mut dst = vec![0; i.words()];
    let mut able = 0;
    while let Some(action) = i.next(s, &mut at, &mut dst) {
        able |= one(Interpreter::movers(action).0);
    }
    able
}

/// The processes that take part in a step.
pub(super) fn movers(steps: impl Iterator<Item = Step>) -> u64 {
    steps.fold(0, |all, s| all | one(s.pid) | s.partner.map_or(0, |(pid, _)| one(pid)))
}

impl System for Fair<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn len(&self, s: &[u32]) -> usize {
        self.interpreter.len(s)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        Condensed::new(self.interpreter).initial(&mut at.own, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if !at.known {
            at.able = able(self.interpreter, src);
            at.known = true;
        }
        Condensed::new(self.interpreter).next(src, &mut at.own, dst)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.interpreter.failed(s)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        self.interpreter.undefined(s)
    }

    const FAIR: bool = true;

    fn fair_sets(&self) -> u32 {
        match self.justice {
            Justice::Weak => self.processes,
            Justice::Strong => 2 * self.processes,
        }
    }

    fn fairness(&self, _: &[u32], at: &Cursor, action: Option<ActionId>) -> Marks {
        let all = Marks::first(self.processes).0;
        let moved = action.map_or(0, |_| movers(at.own.steps()));
        match (self.justice, action) {
            (Justice::Weak, None) => Marks(all),
            (Justice::Weak, Some(_)) => Marks((moved | !at.able) & all),
            (Justice::Strong, None) => Marks::NONE,
            (Justice::Strong, Some(_)) => Marks(moved & all | (at.able & all) << self.processes),
        }
    }
}
