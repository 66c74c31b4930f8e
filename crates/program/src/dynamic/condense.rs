//! The same system with larger steps: states in which a process holds control are passed through.
//!
//! Such a state has but one process that can move, and nothing that is asked of states (deadlocks, counts) concerns
//! it, so a search for bad states need not keep it. A step here is a step of the interpreter and then as many more as
//! the holder takes. Faults on the way are seen: the fault state has no holder.
//!
//! Where a holder goes round in a circle for ever, the circle is walked once.

use super::interp::{Cursor as Small, Interpreter};
use riata_system::{ActionId, System, Valuation};
use std::collections::HashSet;

/// A program whose steps run until control is free.
pub struct Condensed<'a>(pub &'a Interpreter<'a>);

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
    seen: HashSet<Box<[u32]>>,
}

impl Condensed<'_> {
    /// Follows the state in `dst`, in which a process holds control.
    fn enter(&self, at: &mut Cursor, dst: &[u32]) {
        let len = self.0.len(dst);
        at.passed += 1;
        if at.passed > REMEMBER && !at.seen.insert(dst[..len].into()) {
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
        loop {
            let Some((start, cursor)) = at.stack.last_mut() else {
                at.action = Some(self.0.next(src, &mut at.own, dst)?);
                if self.0.holder(dst).is_none() {
                    return at.action;
                }
                self.enter(at, dst);
                continue;
            };
            match self.0.next(&at.states[*start..], cursor, dst) {
                None => {
                    at.states.truncate(*start);
                    at.stack.pop();
                }
                Some(_) if self.0.holder(dst).is_none() => return at.action,
                Some(_) => self.enter(at, dst),
            }
        }
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.0.valuation(s)
    }
}

impl Condensed<'_> {
    /// The small steps of a step from `src` to `dst`: the states on the way, neither end included.
    pub fn unfold(&self, src: &[u32], dst: &[u32]) -> Option<Vec<Vec<u32>>> {
        let mut at = Cursor::default();
        let mut slot = vec![0; self.words()];
        let wanted = &dst[..self.len(dst)];
        while self.next(src, &mut at, &mut slot).is_some() {
            if slot[..self.len(&slot)] == *wanted {
                let ends = at.stack.iter().skip(1).map(|s| s.0).chain([at.states.len()]);
                let way = at.stack.iter().zip(ends).map(|(&(start, _), end)| at.states[start..end].to_vec());
                return Some(way.collect());
            }
        }
        None
    }
}
