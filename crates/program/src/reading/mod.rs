//! A second reading of the semantics, straight from the form: slow and simple.
//!
//! The interpreter compiles a program and enumerates its steps with a cursor; here nothing is compiled and a list is
//! returned. The two share where things are in a state, and nothing else, so that each shows what is wrong with the
//! other: random programs are run both ways. People who are shown a run are told what happens in it from here.
//!
//! The meaning is that of [`Interpreter`].

mod act;
mod lockstep;
mod meet;
mod ready;

use crate::evaluate::Sight;
use crate::form::{Edge, Order};
use crate::head::Failed;
use crate::ids::EdgeId;
use crate::interp::{Interpreter, NOBODY, Step};
use crate::machine::Fault;
use crate::narrate::Told;
pub(super) use act::Mover;
use ready::Ready;
use riata_system::System;

/// A step as the form tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it is.
    pub step: Step,
    /// Where it leads.
    pub to: Vec<u32>,
    /// What is wrong with it: then it leads to the fault state.
    pub fault: Option<Fault>,
    /// What happens in it, up to the fault.
    pub told: Vec<Told>,
}

/// All steps from `s`, in the order of the interpreter.
pub fn steps(interpreter: &Interpreter, s: &[u32]) -> Vec<Reading> {
    if interpreter.is_fault(s) {
        return Vec::new();
    }
    if interpreter.program.scheduling.lockstep {
        return lockstep::steps(interpreter, s);
    }
    let order = match interpreter.holder(s) {
        Some(holder) => vec![holder],
        None => order(interpreter, s),
    };
    let mut all = Vec::new();
    // Where nobody can move, there is a timeout.
    for timeout in [false, true] {
        for &me in &order {
            all.extend(Sight { interpreter, s, me, timeout, asked: false }.steps());
        }
        if !all.is_empty() {
            break;
        }
    }
    all
}

/// A step that the interpreter takes from `s` to `to`, as the form tells it. Only its process is looked at.
pub fn step(interpreter: &Interpreter, s: &[u32], step: Step, to: &[u32]) -> Option<Reading> {
    let is = |r: &Reading| r.step == step && r.to == to;
    if interpreter.is_fault(s) || interpreter.program.scheduling.lockstep {
        return steps(interpreter, s).into_iter().find(is);
    }
    let sight = |timeout| Sight { interpreter, s, me: step.pid, timeout, asked: false };
    [false, true].into_iter().find_map(|timeout| sight(timeout).steps().into_iter().find(is))
}

/// The value of proposition `p` in `s`, which is not the fault state, or why it has none.
pub fn proposition(interpreter: &Interpreter, s: &[u32], p: usize) -> Option<Result<i32, Fault>> {
    let expr = interpreter.program.propositions.get(p)?.expr;
    let idle = !order(interpreter, s)
        .into_iter()
        .any(|me| Sight { interpreter, s, me, timeout: false, asked: false }.has_step());
    Some(Sight { interpreter, s, me: NOBODY, timeout: idle, asked: false }.value(expr))
}

/// All processes, in the order in which they move.
fn order(interpreter: &Interpreter, s: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = (0..interpreter.processes(s)).collect();
    if interpreter.program.scheduling.order == Order::Youngest {
        all.reverse();
    }
    all
}

/// Is an edge hidden by one of another group that was taken?
fn hidden(taken: Option<u32>, edge: &Edge) -> bool {
    taken.is_some_and(|rank| rank > 0 && edge.rank != rank)
}

impl<'a> Sight<'a, '_> {
    /// The steps of the process.
    fn steps(self) -> Vec<Reading> {
        let edges = self.edges();
        let Some(&(first, _)) = edges.first() else { return Vec::new() };
        match self.provided() {
            // Whether the process may move cannot be told: that is its step, and the only one.
            Err(fault) => return vec![self.fails(self.step(first), fault, Vec::new())],
            Ok(_) if !self.may_move() => return Vec::new(),
            Ok(_) => {}
        }
        let mut all = Vec::new();
        let mut taken = None;
        for (number, edge) in edges {
            if hidden(taken, edge) {
                break;
            }
            let found = match self.ready(&edge.work, !all.is_empty()) {
                Ok(Ready::No) => continue,
                Ok(Ready::Go(chosen)) => {
                    let mut mover = Mover::new(self);
                    let done = mover.perform(chosen, edge);
                    if !self.interpreter.program.scheduling.early {
                        mover.go(self.me, edge);
                    }
                    vec![self.settle(self.step(number), done, mover, edge.keeps.then_some(self.me))]
                }
                Ok(Ready::Meet(sending)) => self.meet(number, edge, &sending),
                Err(fault) => vec![self.fails(self.step(number), fault, Vec::new())],
            };
            if !found.is_empty() {
                taken = Some(edge.rank);
            }
            all.extend(found);
        }
        all
    }

    fn step(self, edge: EdgeId) -> Step {
        Step { pid: self.me, edge, partner: None }
    }

    /// Has the process a step of its own, as it is taken or as a fault?
    fn has_step(self) -> bool {
        let edges = self.edges();
        match self.provided() {
            _ if edges.is_empty() => return false,
            Err(_) => return true,
            Ok(_) if !self.may_move() => return false,
            Ok(_) => {}
        }
        edges.into_iter().any(|(_, edge)| match self.ready(&edge.work, false) {
            Ok(Ready::No) => false,
            Ok(Ready::Meet(sending)) => !self.meetings(&sending).is_empty(),
            Ok(Ready::Go(_)) | Err(_) => true,
        })
    }

    /// A step that leads to the fault state.
    fn fails(self, step: Step, fault: Fault, told: Vec<Told>) -> Reading {
        let i = self.interpreter;
        let mut to = vec![0; i.words()];
        let len = i.head.fail(&mut to, if fault.is_event() { Failed::Event } else { Failed::Fault });
        to.truncate(len);
        Reading { step, to, fault: Some(fault), told }
    }

    /// Ends a step. Who keeps control holds it if it can move.
    fn settle(self, step: Step, done: Result<(), Fault>, mover: Mover, keeps: Option<u32>) -> Reading {
        let i = self.interpreter;
        let Mover { mut s, told, .. } = mover;
        if let Err(fault) = done {
            return self.fails(step, fault, told);
        }
        if let Some(me) = keeps.filter(|&me| me < i.processes(&s))
            && (Sight { interpreter: i, s: &s, me, timeout: false, asked: false }).has_step()
        {
            i.head.hold(&mut s[..], me + 1);
        }
        s.truncate(i.len(&s));
        Reading { step, to: s, fault: None, told }
    }
}
