//! The same system with larger steps: states in which a process holds control are passed through.
//!
//! Claims and formulas see a state only where control can be lost, and so does a search for bad states: a step here is a
//! step of the interpreter and then as many more as the holder takes. These are the states that Spin stores. Faults on
//! the way are seen: the fault state has no holder.
//!
//! Where a holder goes round in a circle, the circle is walked once. If no way leads out of it, the step is a fault:
//! an atomic sequence that never ends.

use crate::head::Failed;
use crate::interp::{Cursor as Small, Interpreter, Step};
use riata_system::{ActionId, System, Valuation};
use std::collections::HashSet;

/// A program whose steps run until control is free.
#[derive(Clone, Copy, Debug)]
pub struct Condensed<'a>(pub &'a Interpreter);

/// After so many states on the way they are remembered, in case they are met again.
const REMEMBER: u32 = 64;

/// Where to resume.
#[derive(Default)]
pub struct Cursor {
    own: Small,
    action: Option<ActionId>,
    /// The states on the way, one after the other, with their starts and cursors.
    states: Vec<u32>,
    stack: Vec<(usize, Small)>,
    passed: u32,
    seen: Option<HashSet<Box<[u32]>>>,
    /// Did the small step at hand lead out somewhere?
    left: bool,
    /// Is the step just told an atomic sequence without an end?
    endless: bool,
    /// How many assertions were violated since the step before.
    violations: u32,
}

impl Cursor {
    /// How many violated assertions were met on the way to the step just told, since the one before.
    pub fn violations(&self) -> u32 {
        self.violations
    }

    /// Is the step just told an atomic sequence that never ends?
    pub fn endless(&self) -> bool {
        self.endless
    }

    /// The small steps of the step just told.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.own.step.into_iter().chain(self.stack.iter().filter_map(|(_, small)| small.step))
    }
}

impl Condensed<'_> {
    /// Follows the state in `dst`, in which a process holds control.
    fn enter(&self, at: &mut Cursor, dst: &[u32]) {
        let len = self.0.len(dst);
        at.passed += 1;
        if at.passed > REMEMBER && !at.seen.get_or_insert_default().insert(dst[..len].into()) {
            return;
        }
        at.stack.push((at.states.len(), Small::default()));
        at.states.extend_from_slice(&dst[..len]);
    }
}

impl System for Condensed<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.0.words()
    }

    #[inline]
    fn len(&self, s: &[u32]) -> usize {
        self.0.len(s)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.0.initial(&mut at.own, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if !self.0.keeps {
            let action = self.0.next(src, &mut at.own, dst);
            at.violations = at.own.violations;
            return action;
        }
        (at.endless, at.violations) = (false, 0);
        loop {
            let Some((start, cursor)) = at.stack.last_mut() else {
                at.action = Some(self.0.next(src, &mut at.own, dst)?);
                at.violations += at.own.violations;
                if self.0.holder(dst).is_none() {
                    return at.action;
                }
                (at.passed, at.left) = (0, false);
                at.seen = None;
                self.enter(at, dst);
                continue;
            };
            let action = self.0.next(&at.states[*start..], cursor, dst);
            at.violations += cursor.violations;
            match action {
                None => {
                    at.states.truncate(*start);
                    at.stack.pop();
                    if at.stack.is_empty() && !at.left {
                        at.endless = true;
                        self.0.head.fail(dst, Failed::Fault);
                        return at.action;
                    }
                }
                Some(_) if self.0.holder(dst).is_none() => {
                    at.left = true;
                    return at.action;
                }
                Some(_) => self.enter(at, dst),
            }
        }
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.0.valuation(s)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.0.failed(s)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        self.0.undefined(s)
    }
}
