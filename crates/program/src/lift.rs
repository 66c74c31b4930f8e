//! A run of an optimised program as a run of the program as it was written.
//!
//! An optimised program has the edges of the original one at the same places. Some do more: they pass through
//! locations ([`Edge::merged`](crate::Edge)), and they reset variables that are not read again. The original program
//! can do the same steps, with the silent ones in between; so people are shown every statement and every value.
//!
//! A silent step has to wait while another process holds control, so what a process owes is remembered.

use crate::execution::Execution;
use crate::form::Work;
use crate::interp::{Interpreter, Options, Step};

/// The most rounds of a cycle after which variables that were reset must repeat.
const ROUNDS: usize = 16;
/// The longest path that is made.
const LONGEST: usize = 1 << 20;

/// From an optimised program to the original one.
#[derive(Debug)]
pub struct Lift<'a> {
    small: &'a Interpreter,
    full: &'a Interpreter,
}

/// A run in the making.
struct Walk<'a> {
    lift: &'a Lift<'a>,
    run: Execution,
    /// For each process, how many silent steps it has still to make.
    owed: Vec<usize>,
}

impl<'a> Lift<'a> {
    /// `small` runs the optimised form of the program of `full`.
    pub fn new(small: &'a Interpreter, full: &'a Interpreter) -> Self {
        Lift { small, full }
    }

    /// The same run of the original program; none if there is no such run. The cycle of a lasso may become longer: a
    /// variable that was reset can take a few rounds to repeat.
    pub fn run(&self, run: &Execution) -> Option<Execution> {
        let mut walk = Walk { lift: self, run: Execution::start(self.full), owed: Vec::new() };
        let first = run.back.unwrap_or(run.states.len() - 1);
        for i in 0..first {
            let (src, step, dst) = run.step(i)?;
            walk.step(src, step, dst)?;
        }
        if run.back.is_none() {
            walk.settle();
            if let (Some(failure), None) = (run.failure, walk.run.failure) {
                // What goes on for ever here does so there, too.
                walk.run.failure = Some(failure);
            }
            return Some(walk.run);
        }
        // Where each round begins: the number of states before, and the state.
        let mut begins: Vec<(usize, Vec<u32>)> = Vec::new();
        for _ in 0..=ROUNDS {
            walk.settle();
            let now = walk.run.last().to_vec();
            if let Some(&(start, _)) = begins.iter().find(|(_, s)| *s == now) {
                return Some(walk.closed(start));
            }
            begins.push((walk.run.states.len() - 1, now));
            for i in first..run.states.len() {
                let (src, step, dst) = run.step(i)?;
                walk.step(src, step, dst)?;
            }
        }
        None
    }
}

impl Walk<'_> {
    /// The lasso that returns to state `start`, at which the run has just arrived again.
    fn closed(mut self, start: usize) -> Execution {
        let n = self.run.states.len();
        if n - 1 == start {
            // A state that repeats because nothing can move is a cycle by itself.
            self.run.steps.push(None);
        } else {
            self.run.states = self.run.states.iter().take(n - 1).collect();
        }
        self.run.back = Some(start);
        self.run
    }

    /// Takes the step that the optimised program takes from `src` to `dst`.
    fn step(&mut self, src: &[u32], step: Option<Step>, dst: &[u32]) -> Option<()> {
        let (small, full) = (self.lift.small, self.lift.full);
        // Nothing can move, and the state repeats.
        let Some(step) = step else { return Some(()) };
        if full.is_fault(self.run.last()) || self.run.states.len() > LONGEST {
            return None;
        }
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
            return full.is_fault(self.run.last()).then_some(());
        }
        Some(())
    }

    /// Makes the silent steps that a process owes, as long as it may move.
    fn pay(&mut self, pid: u32) {
        while self.owed.get(pid as usize).is_some_and(|&n| n > 0) {
            if self.lift.full.is_fault(self.run.last()) || self.take(|s| s.pid == pid).is_none() {
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
        let taken = self.lift.full.follow(self.run.last(), wanted)?;
        self.run.push(&taken);
        Some(())
    }
}

impl Interpreter {
    /// How it runs the program.
    pub fn options(&self) -> Options {
        self.options
    }
}
