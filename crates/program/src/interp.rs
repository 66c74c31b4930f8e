//! The interpreter: a program as a [`System`]. It is the semantics; whatever is faster is tested against it.
//!
//! Edges are compiled per instance and kept sorted by source location, so that a state's candidates are one range per
//! instance. Successors come in program order: by instance, then by edge, then, for a rendezvous, by the receiver's
//! instance and edge. Nothing is allocated per successor.

use crate::deps::Dependencies;
use crate::ids::{EdgeId, ExprId, InstanceId, LocId};
use crate::layout::{Field, Layout};
use crate::machine::{self, Fault, Instr, SHALLOW, Source, Target, Trap};
use crate::program::{MAX_MESSAGE, Program, Scheduling};
use riata_source::Span;
use riata_system::{ActionId, Choice, System, Valuation};
use std::sync::OnceLock;

/// What a claim does where the others cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// It moves alone, for ever: a finite run is extended by repeating its last state.
    #[default]
    Stutter,
    /// Nothing: finite runs do not count.
    Ignore,
}

/// How to run a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Let the claim take part; otherwise it stays where it starts.
    pub claim: bool,
    /// What a claim does where the others cannot move.
    pub ends: Ends,
}

/// No code: a guard that is always true.
pub(crate) const NONE: u32 = u32::MAX;
/// The claim moved alone.
pub(crate) const CLAIM: ActionId = ActionId(u32::MAX);
/// All processes moved together.
pub(crate) const LOCKSTEP: ActionId = ActionId(u32::MAX - 1);

/// A compiled edge.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub instance: u32,
    pub(crate) edge: u32,
    pub(crate) from: u32,
    pub(crate) kind: Kind,
    pub(crate) guard: u32,
    /// Evaluates the message of a send.
    pub(crate) message: u32,
    /// Sets the location, delivers what was received, runs the effect.
    pub effect: u32,
    /// Its action, or the first of them for a rendezvous.
    pub(crate) action: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Alone,
    Push(u32),
    Pull(u32),
    Meet(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub location: Field,
    /// For each location, its edges.
    pub ranges: Vec<(u32, u32)>,
    pub(crate) committed: Vec<bool>,
    pub takes_part: bool,
}

/// A message in passing.
pub(crate) type Message = [i32; MAX_MESSAGE];

/// A program made ready to run.
#[derive(Debug)]
pub struct Interpreter<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: Layout,
    pub(crate) options: Options,
    pub(crate) code: Vec<Instr>,
    pub(crate) spans: Vec<Span>,
    pub(crate) deep: bool,
    /// The edges that a process takes on its own account, by instance and location.
    pub(crate) edges: Vec<Compiled>,
    /// The receiving halves of rendezvous, by channel.
    pub(crate) receivers: Vec<Vec<Compiled>>,
    pub(crate) tables: Vec<Table>,
    /// Instances that have committed locations.
    pub(crate) commits: Vec<u32>,
    pub(crate) propositions: Vec<u32>,
    /// The propositions whose evaluation may be a fault, as bits.
    pub(crate) fallible: u64,
    /// For each instance and location, its assertions with their code.
    pub(crate) asserts: Vec<(InstanceId, LocId, ExprId, u32)>,
    pub(crate) initial: Vec<u32>,
    /// Made when it is asked for: a search does not need it, and it can be large.
    pub(crate) deps: OnceLock<Dependencies>,
}

/// Where to resume in the successors of a state.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    pub(crate) started: bool,
    pub(crate) committed: bool,
    /// Did the system have a step?
    pub(crate) moved: bool,
    pub(crate) instance: u32,
    pub(crate) edge: u32,
    pub(crate) partner: u32,
    /// Which edge of the claim goes with the step, plus one; none yet if 0.
    pub(crate) claim: u32,
    pub(crate) combination: u64,
    pub(crate) trap: Option<(Fault, Span)>,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One process moved.
    Alone(InstanceId, EdgeId),
    /// Two processes met: the sender and the receiver.
    Rendezvous((InstanceId, EdgeId), (InstanceId, EdgeId)),
    /// Only the claim moved.
    Claim,
    /// All processes moved.
    Lockstep,
}

impl<'a> Interpreter<'a> {
    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Where its variables are.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Which edge depends on what.
    pub fn dependencies(&self) -> &Dependencies {
        self.deps.get_or_init(|| Dependencies::new(self.program))
    }

    /// What an action is.
    pub fn action(&self, action: ActionId) -> Action {
        match action {
            CLAIM => return Action::Claim,
            LOCKSTEP => return Action::Lockstep,
            _ => {}
        }
        let i = self.edges.partition_point(|e| e.action <= action.0) - 1;
        let edge = &self.edges[i];
        let first = (InstanceId(edge.instance), EdgeId(edge.edge));
        match edge.kind {
            Kind::Meet(c) => match self.receivers[c as usize].get((action.0 - edge.action) as usize) {
                Some(r) => Action::Rendezvous(first, (InstanceId(r.instance), EdgeId(r.edge))),
                None => Action::Alone(first.0, first.1),
            },
            _ => Action::Alone(first.0, first.1),
        }
    }

    /// The words that an action may change, as a mask; words beyond the 64th share the last bit. A step into the
    /// fault state changes any.
    pub fn changed_words(&self, action: ActionId) -> u64 {
        let deps = self.dependencies();
        let row = |(i, e)| deps.words(&self.layout, deps.row(i, e));
        let claim = match self.program.claim {
            Some(c) if self.options.claim => self.layout.frame(c).fold(0, |m, w| m | 1 << w.min(63)),
            _ => 0,
        };
        claim
            | match self.action(action) {
                Action::Alone(i, e) => row((i, e)),
                Action::Rendezvous(a, b) => row(a) | row(b),
                Action::Claim => 0,
                Action::Lockstep => u64::MAX,
            }
    }

    /// The first assertion that does not hold in `s`: the instance, and the assertion.
    pub fn violated(&self, s: &[u32]) -> Option<(InstanceId, ExprId)> {
        if self.asserts.is_empty() || self.layout.is_fault(s) {
            return None;
        }
        self.asserts
            .iter()
            .find(|&&(i, l, _, code)| {
                self.tables[i.index()].location.raw(s) == l.0 && matches!(self.eval(code, s), Ok(0) | Err(_))
            })
            .map(|&(i, _, e, _)| (i, e))
    }

    /// Is `s` the fault state?
    pub fn is_fault(&self, s: &[u32]) -> bool {
        self.layout.is_fault(s)
    }

    /// The action of a step from `src`, and the run-time error that it leads to, if it does.
    pub fn explain(&self, src: &[u32], choice: Choice) -> Option<(ActionId, Option<(Fault, Span)>)> {
        let mut dst = vec![0; self.words()];
        let (at, action): (Cursor, _) = choice.resume(self, src, &mut dst)?;
        Some((action, at.trap))
    }

    /// Why proposition `p` has no value in `s`, and where.
    pub fn why_undefined(&self, s: &[u32], p: usize) -> Option<(Fault, Span)> {
        let code = *self.propositions.get(p)?;
        self.eval(code, s).err().map(|trap| (trap.fault, trap.span))
    }

    /// Is the claim at an accepting location?
    pub fn accepting(&self, s: &[u32]) -> bool {
        self.program.claim.is_some_and(|c| {
            let at = self.layout.location(c).raw(s) as usize;
            self.program.process_of(c).locations.get(at).is_some_and(|l| l.accepting)
        })
    }

    /// Can the system, the claim left aside, not move? The fault state is not a deadlock.
    pub fn is_deadlock(&self, s: &[u32], scratch: &mut [u32]) -> bool {
        if self.layout.is_fault(s) {
            return false;
        }
        let mut at = Cursor::default();
        self.start(s, &mut at);
        self.system(s, &mut at, scratch).is_none()
    }

    #[inline]
    fn eval(&self, pc: u32, s: &[u32]) -> Result<i32, Trap> {
        let mut none = [0i32; 0];
        let r = if self.deep {
            machine::run::<{ machine::DEEPEST }, _>(&self.code, pc, &mut Source(s), &mut none)
        } else {
            machine::run::<SHALLOW, _>(&self.code, pc, &mut Source(s), &mut none)
        };
        r.map_err(|(fault, pc)| Trap { fault, span: self.spans[pc as usize] })
    }

    pub(crate) fn eval_message(&self, pc: u32, s: &[u32], message: &mut Message) -> Result<i32, Trap> {
        let r = machine::run::<{ machine::DEEPEST }, _>(&self.code, pc, &mut Source(s), message);
        r.map_err(|(fault, pc)| Trap { fault, span: self.spans[pc as usize] })
    }

    #[inline]
    pub(crate) fn exec(&self, pc: u32, s: &mut [u32], message: &mut [i32]) -> Result<(), Trap> {
        let r = if self.deep {
            machine::run::<{ machine::DEEPEST }, _>(&self.code, pc, &mut Target(s), message)
        } else {
            machine::run::<SHALLOW, _>(&self.code, pc, &mut Target(s), message)
        };
        r.map(|_| ()).map_err(|(fault, pc)| Trap { fault, span: self.spans[pc as usize] })
    }

    #[inline]
    pub(crate) fn guard(&self, edge: &Compiled, s: &[u32]) -> Result<bool, Trap> {
        if edge.guard == NONE { Ok(true) } else { Ok(self.eval(edge.guard, s)? != 0) }
    }

    /// Turns the outcome of a step into its action; a fault leads to the fault state.
    #[inline]
    pub(crate) fn settle(&self, r: Result<(), Trap>, at: &mut Cursor, dst: &mut [u32]) {
        if let Err(trap) = r {
            at.trap = Some((trap.fault, trap.span));
            self.layout.fault(dst);
        }
    }
}

impl System for Interpreter<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.layout.words()
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        if at.started {
            return false;
        }
        at.started = true;
        dst[..self.initial.len()].copy_from_slice(&self.initial);
        true
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let claim = self
            .program
            .claim
            .filter(|_| self.options.claim && self.program.scheduling == Scheduling::Interleaving);
        at.trap = None;
        if self.layout.is_fault(src) {
            return match claim {
                Some(claim) if self.options.ends == Ends::Stutter => self.alone(claim, src, at, dst),
                _ => None,
            };
        }
        if !at.started {
            self.start(src, at);
        }
        match claim {
            Some(claim) => self.watched(claim, &src[..self.layout.words()], at, dst),
            None => self.system(src, at, dst),
        }
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        let mut bits = 0;
        for (i, &code) in self.propositions.iter().enumerate().take(64) {
            bits |= u64::from(self.eval(code, s).is_ok_and(|v| v != 0)) << i;
        }
        Valuation(bits)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        if self.layout.is_fault(s) {
            return Valuation(0);
        }
        let wrong = |&(i, &code): &(usize, &u32)| self.fallible >> i & 1 == 1 && self.eval(code, s).is_err();
        let bits =
            self.propositions.iter().enumerate().take(64).filter(wrong).fold(0, |b, (i, _)| b | 1 << i);
        Valuation(bits)
    }
}
