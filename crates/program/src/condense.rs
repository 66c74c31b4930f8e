//! The same system with larger steps: states in which a process holds control are passed through.
//!
//! Claims and formulas see a state only where control can be lost, and so does a search for bad states: a step here is a
//! step of the interpreter and then as many more as the holder takes. These are the states that Spin stores. Faults on
//! the way are seen: the fault state has no holder.
//!
//! Where a holder goes round in a circle, the circle is walked once. If it can come to a state from which no way leads
//! out, one more step is a fault: an atomic sequence that never ends (`Condensed::trap`).

use crate::head::Failed;
use crate::interp::{Cursor as Small, Interpreter, Step};
use riata_system::{ActionId, System, Valuation};
use std::collections::{HashMap, HashSet};

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
    /// Was a state on the way met again?
    again: bool,
    /// Is the step just told an atomic sequence without an end?
    endless: bool,
    /// Then the small steps from its first state to one from which no way leads out.
    trap: Vec<Step>,
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
        let way = self.stack.iter().filter_map(|(_, small)| small.step);
        self.own.step.into_iter().chain(way).chain(self.trap.iter().copied())
    }
}

impl Condensed<'_> {
    /// Follows the state in `dst`, in which a process holds control.
    fn enter(&self, at: &mut Cursor, dst: &[u32]) {
        let len = self.0.len(dst);
        at.passed += 1;
        if at.passed > REMEMBER && !at.seen.get_or_insert_default().insert(dst[..len].into()) {
            at.again = true;
            return;
        }
        at.stack.push((at.states.len(), Small::default()));
        at.states.extend_from_slice(&dst[..len]);
    }
}

/// A state in which control is held, as it was found: from which one, by which step, and whether control is freed by one of
/// its own steps.
struct Held {
    state: Box<[u32]>,
    from: Option<(usize, Step)>,
    exits: bool,
}

impl Condensed<'_> {
    /// The small steps from `first`, in which a process holds control, to the nearest state from which control is never
    /// free again; nothing if there is none.
    fn trap(&self, first: &[u32]) -> Option<Vec<Step>> {
        let mut held = vec![Held { state: first.into(), from: None, exits: false }];
        let mut numbers: HashMap<Box<[u32]>, usize> = HashMap::from([(first.into(), 0)]);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut slot = vec![0; self.0.words()];
        let mut i = 0;
        while i < held.len() {
            let mut at = Small::default();
            let src = held[i].state.clone();
            while self.0.next(&src, &mut at, &mut slot).is_some() {
                if self.0.holder(&slot).is_none() {
                    held[i].exits = true;
                    continue;
                }
                let state: Box<[u32]> = slot[..self.0.len(&slot)].into();
                let next = *numbers.entry(state.clone()).or_insert_with(|| {
                    held.push(Held { state, from: at.step.map(|step| (i, step)), exits: false });
                    held.len() - 1
                });
                edges.push((next, i));
            }
            i += 1;
        }
        edges.sort_unstable();
        let mut leaves: Vec<bool> = held.iter().map(|h| h.exits).collect();
        let mut todo: Vec<usize> = (0..held.len()).filter(|&i| leaves[i]).collect();
        while let Some(i) = todo.pop() {
            let first = edges.partition_point(|&(to, _)| to < i);
            for &(_, from) in edges[first..].iter().take_while(|&&(to, _)| to == i) {
                if !std::mem::replace(&mut leaves[from], true) {
                    todo.push(from);
                }
            }
        }
        // They were found breadth-first.
        let nearest = leaves.iter().position(|leaves| !leaves)?;
        let mut steps: Vec<Step> =
            std::iter::successors(held[nearest].from, |&(i, _)| held[i].from).map(|(_, step)| step).collect();
        steps.reverse();
        Some(steps)
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
        at.trap.clear();
        loop {
            let Some((start, cursor)) = at.stack.last_mut() else {
                at.action = Some(self.0.next(src, &mut at.own, dst)?);
                at.violations += at.own.violations;
                if self.0.holder(dst).is_none() {
                    return at.action;
                }
                (at.passed, at.again) = (0, false);
                at.seen = None;
                self.enter(at, dst);
                continue;
            };
            let action = self.0.next(&at.states[*start..], cursor, dst);
            at.violations += cursor.violations;
            match action {
                None => {
                    let (start, last) = (*start, at.stack.len() == 1);
                    // Without a state that was met again all ways come to an end.
                    if at.again && last {
                        let trap = self.trap(&at.states[start..]);
                        at.endless = trap.is_some();
                        at.trap = trap.unwrap_or_default();
                    }
                    at.states.truncate(start);
                    at.stack.pop();
                    if at.endless {
                        self.0.head.fail(dst, Failed::Fault);
                        return at.action;
                    }
                }
                Some(_) if self.0.holder(dst).is_none() => return at.action,
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
