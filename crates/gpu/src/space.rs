//! What is searched, as the interpreter sees it: the states of a program, or those of its product with an automaton.

use crate::search::{Found, Place};
use riata_program::{Condensed, Interpreter};
use riata_system::{Path, Successors, System};

/// What the interpreter counts besides what was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    /// Large steps.
    pub transitions: u64,
    /// States in which nothing moves and that are no valid ends.
    pub deadlocks: u64,
    /// The level of the first state with a step that fails.
    pub fails: Option<usize>,
}

/// What is searched.
pub trait Space {
    /// The first states.
    fn initial(&self) -> Vec<Vec<u32>>;

    /// Leaves out what is behind the words of a state.
    fn cut(&self, s: &mut Vec<u32>);

    /// Expands a state of a level: tells its successors that do not fail, and counts.
    fn expand(
        &mut self,
        state: (&[u32], usize),
        count: (&mut Found, &mut Notes),
        tell: &mut dyn FnMut(&[u32]),
    );

    /// Is there a step?
    fn leads(&self, s: &[u32], target: &[u32]) -> bool;

    /// Adds what comes after a state with a step that fails.
    fn failure(&self, s: &[u32], path: &mut Path);
}

/// The states of a program alone.
pub struct Alone<'a> {
    interpreter: &'a Interpreter,
    out: Successors,
}

impl<'a> Alone<'a> {
    pub(crate) fn new(interpreter: &'a Interpreter) -> Self {
        Alone { interpreter, out: Successors::default() }
    }
}

impl Space for Alone<'_> {
    fn initial(&self) -> Vec<Vec<u32>> {
        let mut first = vec![0; self.interpreter.words()];
        self.interpreter.initial(&mut Default::default(), &mut first);
        self.cut(&mut first);
        vec![first]
    }

    fn cut(&self, s: &mut Vec<u32>) {
        s.truncate(self.interpreter.len(s));
    }

    /// As `explore` of the explicit engine does.
    fn expand(
        &mut self,
        (s, level): (&[u32], usize),
        (found, notes): (&mut Found, &mut Notes),
        tell: &mut dyn FnMut(&[u32]),
    ) {
        let (i, out) = (self.interpreter, &mut self.out);
        let mut at = Default::default();
        out.clear();
        let count = Condensed::new(i).expand(s, &mut at, out);
        notes.transitions += count;
        let violations = u64::from(at.violations()) + u64::from(i.violated(s).is_some());
        found.violations += violations;
        let place = |fault| Place { level, state: s.to_vec(), fault };
        if violations > 0 && found.violation.as_ref().is_none_or(|v| v.level == level && v.fault) {
            found.violation = Some(place(false));
        }
        for n in 0..out.len() {
            let to = out.get(n).0;
            if !i.is_fault(to) {
                tell(to);
                continue;
            }
            found.violations += u64::from(!found.faults);
            found.faults = true;
            notes.fails.get_or_insert(level);
            found.violation.get_or_insert_with(|| place(true));
        }
        let mut scratch = vec![0; i.words()];
        if count == 0 && !i.is_end(s) && i.is_stuck(s, &mut scratch) {
            notes.deadlocks += 1;
            found.deadlock.get_or_insert_with(|| place(false));
        }
    }

    fn leads(&self, s: &[u32], target: &[u32]) -> bool {
        let mut out = Successors::default();
        Condensed::new(self.interpreter).expand(s, &mut Default::default(), &mut out);
        (0..out.len()).any(|n| out.get(n).0 == target)
    }

    fn failure(&self, _: &[u32], path: &mut Path) {
        path.push(&self.interpreter.fault_state());
    }
}
