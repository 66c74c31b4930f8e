//! Fairness of processes: runs in which somebody who can move never does are no behaviours.
//!
//! **Weak**: a process that can move from some point on for ever moves again and again. Each process has an acceptance
//! set: the steps in which it takes part, and those from states in which it cannot. A run that meets every set again
//! and again is fair. No state is copied for it. Where a run has ended, nobody can move, so the step that repeats its
//! last state is in every set. While a process holds control, the others wait; that does not mean that they cannot
//! move. So whether a process can move is asked as if nobody held control.
//!
//! **Strong**: a process that can move again and again moves again and again. Each process has a pair of sets: the steps
//! from states in which it can move, and those in which it takes part. Nobody but the holder can move while control is
//! held, so here only the holder counts.

use super::interp::{Cursor as Small, Interpreter};
use riata_automata::Marks;
use riata_system::{ActionId, System, Valuation};

/// What fairness asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Justice {
    /// Who can always move moves again and again.
    Weak,
    /// Who can move again and again moves again and again.
    Strong,
}

/// A program of which only the fair runs count. There are never more than `processes` processes.
///
/// If justice is weak, set `p` is process `p`'s. If it is strong, set `p` has the steps of process `p`, and set
/// `processes + p` those from where it can move.
pub struct Fair<'a> {
    /// The program.
    pub interpreter: &'a Interpreter<'a>,
    /// The most processes that there are.
    pub processes: u32,
    /// What is asked.
    pub justice: Justice,
}

/// The cursor of [`Fair`]: that of the program, and who can move.
#[derive(Default)]
pub struct Cursor {
    own: Small,
    able: u64,
    known: bool,
}

fn one(p: u32) -> u64 {
    1u64.checked_shl(p).unwrap_or(0)
}

impl Fair<'_> {
    /// The processes that can take part in a step from `s`; if justice is weak, as if nobody held control.
    fn able(&self, s: &[u32]) -> u64 {
        let i = self.interpreter;
        if i.is_fault(s) {
            return 0;
        }
        let mut free;
        let mut s = &s[..i.len(s)];
        if self.justice == Justice::Weak && i.holder(s).is_some() {
            free = s.to_vec();
            free[0] &= 0xff_ffff;
            s = &free;
        }
        let mut at = Small::default();
        let mut dst = vec![0; i.words()];
        let mut able = 0;
        while let Some(action) = i.next(s, &mut at, &mut dst) {
            let (a, b) = Interpreter::movers(action);
            able |= one(a) | one(b);
        }
        able
    }
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
        self.interpreter.initial(&mut at.own, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if !at.known {
            at.able = self.able(src);
            at.known = true;
        }
        self.interpreter.next(src, &mut at.own, dst)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }

    fn fair_sets(&self) -> u32 {
        match self.justice {
            Justice::Weak => self.processes,
            Justice::Strong => 2 * self.processes,
        }
    }

    fn fairness(&self, _: &[u32], at: &Cursor, action: Option<ActionId>) -> Marks {
        let all = Marks::first(self.processes).0;
        let moved = action.map_or(0, |action| {
            let (a, b) = Interpreter::movers(action);
            one(a) | one(b)
        });
        match (self.justice, action) {
            (Justice::Weak, None) => Marks(all),
            (Justice::Weak, Some(_)) => Marks((moved | !at.able) & all),
            (Justice::Strong, None) => Marks::NONE,
            (Justice::Strong, Some(_)) => Marks(moved & all | (at.able & all) << self.processes),
        }
    }
}
