//! Weak fairness: a process that can move from some point on for ever moves again and again.
//!
//! Each process has an acceptance set: the steps in which it takes part, and those from states in which it cannot. A
//! run that meets every set again and again is fair. No state is copied for it. Where a run has ended, nobody can
//! move, so the step that repeats its last state is in every set.
//!
//! While a process holds control, the others wait; that does not mean that they cannot move. So whether a process can
//! move is asked as if nobody held control.

use super::interp::{Cursor, Interpreter};
use riata_automata::Marks;
use riata_system::{ActionId, System, Valuation};

/// A program of which only the fair runs count. There are never more than `processes` processes.
pub struct WeaklyFair<'a> {
    /// The program.
    pub interpreter: &'a Interpreter<'a>,
    /// The most processes that there are.
    pub processes: u32,
}

impl WeaklyFair<'_> {
    /// The processes that can take part in a step from `s`, if nobody held control.
    fn able(&self, s: &[u32]) -> u64 {
        let i = self.interpreter;
        let len = i.len(s);
        let mut free = s[..len].to_vec();
        if !i.is_fault(s) {
            free[0] &= 0xff_ffff;
        }
        let mut at = Cursor::default();
        let mut dst = vec![0; i.words()];
        let mut able = 0;
        while let Some(action) = i.next(&free, &mut at, &mut dst) {
            let (a, b) = Interpreter::movers(action);
            able |= 1u64 << a.min(63) | 1u64 << b.min(63);
        }
        able
    }
}

impl System for WeaklyFair<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn len(&self, s: &[u32]) -> usize {
        self.interpreter.len(s)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.interpreter.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        self.interpreter.next(src, at, dst)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }

    fn fair_sets(&self) -> u32 {
        self.processes
    }

    fn fairness(&self, src: &[u32], action: Option<ActionId>) -> Marks {
        let all = Marks::first(self.processes);
        let Some(action) = action else { return all };
        let (a, b) = Interpreter::movers(action);
        let unable = !self.able(src);
        let one = |p: u32| 1u64.checked_shl(p).unwrap_or(0);
        Marks(unable | one(a) | one(b)) & all
    }
}
