//! A run of an optimised program as a run of the program as it was written.
//!
//! An optimised program has the edges of the original one at the same places. Some do more: they pass through
//! locations ([`Edge::merged`](super::Edge)), and they reset variables that are not read again. The original program
//! can do the same steps, with the silent ones in between; so people are shown every statement and every value.
//!
//! A silent step has to wait while another process holds control, so what a process owes is remembered.

use super::form::Work;
use super::interp::{Cursor, Interpreter, Options, Step};
use riata_system::{Lasso, Path, System};

/// The most rounds of a cycle after which variables that were reset must repeat.
const ROUNDS: usize = 16;
/// The longest path that is made.
const LONGEST: usize = 1 << 20;

/// From an optimised program to the original one.
#[derive(Debug)]
pub struct Lift<'a> {
    small: &'a Interpreter<'a>,
    full: &'a Interpreter<'a>,
}

/// A run in the making.
struct Walk<'a> {
    lift: &'a Lift<'a>,
    path: Path,
    now: Vec<u32>,
    /// For each process, how many silent steps it has still to make.
    owed: Vec<usize>,
}

impl<'a> Lift<'a> {
    /// `small` runs the optimised form of the program of `full`.
    pub fn new(small: &'a Interpreter<'a>, full: &'a Interpreter<'a>) -> Self {
        Lift { small, full }
    }

    /// A path of small steps from the initial state; none if there is no such run of the original program.
    pub fn path(&self, path: &Path) -> Option<Path> {
        let mut walk = self.start()?;
        for i in 1..path.len() {
            walk.step(path.get(i - 1), path.get(i))?;
        }
        walk.settle();
        Some(walk.path)
    }

    /// A lasso of small steps. Its cycle may become longer: a variable that was reset can take a few rounds to repeat.
    /// The marks are lost.
    pub fn lasso(&self, lasso: &Lasso) -> Option<Lasso> {
        let states: Vec<&[u32]> = lasso.stem.iter().chain(lasso.cycle.iter()).collect();
        let first = lasso.stem.len();
        let mut walk = self.start()?;
        for i in 1..=first {
            walk.step(states[i - 1], states[i])?;
        }
        // Where each round begins: the number of states before, and the state.
        let mut begins: Vec<(usize, Vec<u32>)> = Vec::new();
        for _ in 0..=ROUNDS {
            walk.settle();
            if let Some((start, _)) = begins.iter().find(|(_, s)| *s == walk.now) {
                let (start, end) = (*start, walk.path.len() - 1);
                // A state that repeats because nothing can move is a cycle by itself.
                let end = end.max(start + 1);
                let part = |range: std::ops::Range<usize>| range.map(|i| walk.path.get(i)).collect::<Path>();
                let marks = vec![Default::default(); end - start];
                return Some(Lasso { stem: part(0..start), cycle: part(start..end), marks });
            }
            begins.push((walk.path.len() - 1, walk.now.clone()));
            for i in first..states.len() {
                let next = if i + 1 < states.len() { states[i + 1] } else { states[first] };
                walk.step(states[i], next)?;
            }
        }
        None
    }

    fn start(&'a self) -> Option<Walk<'a>> {
        let mut now = vec![0; self.full.words()];
        self.full.initial(&mut Default::default(), &mut now);
        now.truncate(self.full.len(&now));
        let mut path = Path::new();
        path.push(&now);
        Some(Walk { lift: self, path, now, owed: Vec::new() })
    }
}

impl Walk<'_> {
    /// Takes the step that the optimised program takes from `src` to `dst`.
    fn step(&mut self, src: &[u32], dst: &[u32]) -> Option<()> {
        let (small, full) = (self.lift.small, self.lift.full);
        if full.is_fault(&self.now) || self.path.len() > LONGEST {
            return None;
        }
        let Some(step) = small.step_between(src, dst) else {
            // Nothing can move, and the state repeats.
            return (src[..small.len(src)] == dst[..small.len(dst)]).then_some(());
        };
        self.pay(step.pid);
        if let Some((pid, _)) = step.partner {
            self.pay(pid);
        }
        self.take(|s| s == step)?;
        for (pid, edge) in [(step.pid, step.edge)].into_iter().chain(step.partner) {
            let Some(of) = small.type_of(src, pid) else { continue };
            let edge = &small.program().processes[of.index()].edges[edge.index()];
            debug_assert!(edge.merged.is_empty() || matches!(edge.work, Work::Action(_)));
            if self.owed.len() <= pid as usize {
                self.owed.resize(pid as usize + 1, 0);
            }
            self.owed[pid as usize] += edge.merged.len();
        }
        // As soon as it may be, so that it is seen where it happens.
        self.pay(step.pid);
        if let Some((pid, _)) = step.partner {
            self.pay(pid);
        }
        if small.is_fault(dst) {
            self.settle();
            return full.is_fault(&self.now).then_some(());
        }
        Some(())
    }

    /// Makes the silent steps that a process owes, as long as it may move.
    fn pay(&mut self, pid: u32) {
        while self.owed.get(pid as usize).is_some_and(|&n| n > 0) {
            if self.lift.full.is_fault(&self.now) || self.take(|s| s.pid == pid).is_none() {
                return;
            }
            self.owed[pid as usize] -= 1;
        }
    }

    /// Makes all silent steps that are owed.
    fn settle(&mut self) {
        (0..self.owed.len() as u32).for_each(|pid| self.pay(pid));
    }

    fn take(&mut self, wanted: impl Fn(Step) -> bool) -> Option<()> {
        let full = self.lift.full;
        let next = full.follow(&self.now, wanted)?;
        self.path.push(&next);
        self.now = next;
        Some(())
    }
}

impl Interpreter<'_> {
    /// How it runs the program.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Where the first step from `s` that is `wanted` leads.
    pub fn follow(&self, s: &[u32], wanted: impl Fn(Step) -> bool) -> Option<Vec<u32>> {
        let mut at = Cursor::default();
        let mut slot = vec![0; self.words()];
        while self.next(s, &mut at, &mut slot).is_some() {
            if at.step.is_some_and(&wanted) {
                slot.truncate(self.len(&slot));
                return Some(slot);
            }
        }
        None
    }
}
