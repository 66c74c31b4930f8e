//! A program together with a claim that has variables and effects of its own.
//!
//! Most claims are automata over conditions, and a product serves for them. A claim that assigns is part of the state:
//! its variables and its location are shared variables, and a step here is a step of the claim, taken in the state
//! before, and then a large step of the system. Where the system cannot move, the claim moves alone if ended runs are
//! extended. A claim that comes to its end has seen what must never be; it stays there.
//!
//! A claim may also be *late*: it looks at the state before, too, but goes on after the system has moved.
//!
//! A run is bad if the claim is at accepting locations infinitely often: acceptance set 0. The sets after it are those of
//! fairness, as in [`Fair`](crate::Fair).

use crate::Domain;
use crate::condense::{Condensed, Cursor as Large};
use crate::execution::{Execution, Failure, Taken};
use crate::fair::{Justice, able, movers};
use crate::form::{Process, Program, Variable};
use crate::ids::{EdgeId, LocId, ProcId};
use crate::interp::{Interpreter, NOBODY, Step};
use riata_automata::Marks;
use riata_source::Span;
use riata_system::{ActionId, Choice, System, Valuation, Walk};

/// A claim that is run as a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimProcess {
    /// Its control graph; its variables are shared ones, behind those of the program.
    pub process: Process,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Do its effects, and its going on, come after the step of the system, not before?
    pub late: bool,
}

/// Where the claim of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimPlace {
    /// Its control graph.
    pub process: ProcId,
    /// The shared variable that tells its location.
    pub at: u32,
    /// Does it go on after the step of the system, not before?
    pub late: bool,
}

impl Program {
    /// The program with a claim in its states.
    pub fn claimed(mut self, claim: &ClaimProcess) -> Program {
        if self.claim.is_some() {
            return self;
        }
        self.shared.extend(claim.variables.iter().cloned());
        self.shared.push(Variable {
            name: "never_".into(),
            domain: Domain { min: 0, max: (claim.process.locations.len() as i32 - 1).max(1) },
            rule: crate::StoreRule::Fault,
            len: None,
            initial: vec![claim.process.initial.0 as i32],
            shown: crate::form::Shown::Number,
            span: claim.process.span,
        });
        self.processes.push(claim.process.clone());
        self.claim = Some(ClaimPlace {
            process: ProcId::new(self.processes.len() - 1),
            at: self.shared.len() as u32 - 1,
            late: claim.late,
        });
        self
    }
}

/// A program and its claim as one system.
pub struct Claimed<'a> {
    /// The program.
    pub interpreter: &'a Interpreter,
    /// Where the claim is.
    pub claim: ClaimPlace,
    /// Are runs that end extended by repeating the last state?
    pub stutters: bool,
    /// Fairness, with the most processes that there are.
    pub justice: Option<(Justice, u32)>,
}

/// A step of the claim: the edges that it takes at once, and where they lead.
struct Move {
    way: Vec<(EdgeId, Vec<u32>)>,
    /// What is wrong with the last of them.
    failure: Option<Failure>,
}

/// Where to resume.
#[derive(Default)]
pub struct Cursor {
    begun: bool,
    initial: Large,
    moves: Vec<Move>,
    /// The step of the claim at hand.
    at: usize,
    system: Large,
    moved: bool,
    able: u64,
    /// The step just told is the claim's alone.
    alone: bool,
}

/// The most statements that a claim takes at once.
const LONGEST: usize = 1000;

impl Claimed<'_> {
    fn location(&self, s: &[u32]) -> LocId {
        let field = self.interpreter.frames.shared[self.claim.at as usize].fields().next();
        LocId(field.map_or(0, |f| f.load(s)) as u32)
    }

    fn process(&self) -> &Process {
        &self.interpreter.program().processes[self.claim.process.index()]
    }

    /// Has the claim come to its end?
    fn ended(&self, s: &[u32]) -> bool {
        !self.interpreter.is_fault(s) && self.process().locations[self.location(s).index()].end
    }

    /// Has the claim come to its end in `s`, which has seen what must never be?
    pub fn has_ended(&self, s: &[u32]) -> bool {
        self.ended(s)
    }

    fn accepts(&self, s: &[u32]) -> bool {
        self.ended(s)
            || (!self.interpreter.is_fault(s) && self.process().locations[self.location(s).index()].accepting)
    }

    /// All steps of the claim in `s`. What is atomic is one step. Of a late claim these are only what it will do.
    fn moves(&self, s: &[u32]) -> Vec<Move> {
        let i = self.interpreter;
        if self.claim.late {
            let ready = i.claim_steps(Some(s), self.claim, s);
            let plan = |(edge, _)| Move { way: vec![(edge, s.to_vec())], failure: None };
            return ready.into_iter().map(plan).collect();
        }
        let mut found = Vec::new();
        let mut todo: Vec<Vec<(EdgeId, Vec<u32>)>> = vec![Vec::new()];
        while let Some(way) = todo.pop() {
            let now = way.last().map_or(s, |(_, t)| &t[..]);
            let mut next = Vec::new();
            for (edge, taken) in i.claim_steps(Some(now), self.claim, now) {
                let mut way = way.clone();
                match taken {
                    Err((fault, span)) => {
                        way.push((edge, i.fault_state()));
                        found.push(Move { way, failure: Some(Failure { pid: NOBODY, fault, span }) });
                    }
                    Ok(t) => {
                        let goes_on = self.process().edges[edge.index()].keeps && !self.ended(&t);
                        way.push((edge, t));
                        if goes_on && way.len() < LONGEST {
                            next.push(way);
                        } else {
                            found.push(Move { way, failure: None });
                        }
                    }
                }
            }
            todo.extend(next.into_iter().rev());
        }
        found
    }

    /// What a late claim does in `dst`, after the step of the system: the edge that it was ready to take in `src`.
    fn go_on(&self, src: &[u32], edge: EdgeId, dst: &mut [u32]) -> Option<Failure> {
        let i = self.interpreter;
        if !self.claim.late || i.is_fault(dst) {
            return None;
        }
        let after = dst[..i.len(dst)].to_vec();
        let steps = i.claim_steps(Some(src), self.claim, &after);
        match steps.into_iter().find(|(e, _)| *e == edge).map(|(_, taken)| taken) {
            Some(Ok(t)) => {
                dst[..t.len()].copy_from_slice(&t);
                None
            }
            Some(Err((fault, span))) => {
                let fails = i.fault_state();
                dst[..fails.len()].copy_from_slice(&fails);
                Some(Failure { pid: NOBODY, fault, span })
            }
            None => None,
        }
    }

    /// The sets of fairness, after that of the claim.
    fn fair_marks(&self, able: u64, moved: u64, stutters: bool) -> u64 {
        let Some((justice, processes)) = self.justice else { return 0 };
        let all = Marks::first(processes).0;
        match justice {
            Justice::Weak if stutters => all,
            Justice::Weak => (moved | !able) & all,
            Justice::Strong if stutters => 0,
            Justice::Strong => moved & all | (able & all) << processes,
        }
    }

    /// The run of small steps, those of the claim among them, that a walk tells; nothing if there is no such run.
    pub fn unfold(&self, walk: &Walk) -> Option<Execution> {
        let i = self.interpreter;
        let mut run = Execution::default();
        let mut places = Vec::new();
        run.states.push(&walk.states.get(0)[..i.len(walk.states.get(0))]);
        for k in 0..walk.states.len() {
            places.push(run.states.len() - 1);
            let Some((src, choice, _)) = walk.step(k) else { break };
            let returns = k + 1 == walk.states.len();
            let way = self.way(&src[..i.len(src)], choice)?;
            if way.is_empty() {
                run.steps.push(None);
                if !returns {
                    run.states.push(&src[..i.len(src)]);
                }
            }
            for (n, taken) in way.iter().enumerate() {
                if returns && n + 1 == way.len() {
                    run.steps.push(Some(taken.step));
                } else {
                    run.push(taken);
                }
            }
        }
        run.back = walk.back.map(|back| places[back]);
        Some(run)
    }

    /// All small steps from `s` in a run with the claim: those of the claim and of the processes.
    pub fn steps(&self, s: &[u32]) -> Vec<Taken> {
        let mut all = self.interpreter.steps(s);
        if !self.interpreter.is_fault(s) && !self.ended(s) {
            // What a late claim looks at was before; that is for `takes_turns` to see.
            let seen = if self.claim.late { None } else { Some(s) };
            for (edge, taken) in self.interpreter.claim_steps(seen, self.claim, s) {
                let step = Step { pid: NOBODY, edge, partner: None };
                let (to, failure) = match taken {
                    Ok(to) => (to, None),
                    Err((fault, span)) => {
                        (self.interpreter.fault_state(), Some(Failure { pid: NOBODY, fault, span }))
                    }
                };
                all.push(Taken { step, to, failure });
            }
        }
        all
    }

    /// Do the system and a late claim move in turn, and could the claim take its edge in the state before?
    fn late_turns(&self, run: &Execution) -> bool {
        let i = self.interpreter;
        let (mut k, mut begins) = (0, vec![0]);
        while let Some((src, first, _)) = run.step(k) {
            let mut now = src;
            let moves = first.is_some_and(|s| s.pid != NOBODY);
            if moves == i.steps(src).is_empty() {
                return false;
            }
            let mut free = !moves;
            while !free {
                let Some((_, Some(step), dst)) = run.step(k) else { return true };
                if step.pid == NOBODY {
                    return false;
                }
                (k, now, free) = (k + 1, dst, i.holder(dst).is_none());
            }
            if i.is_fault(now) {
                return run.step(k).is_none();
            }
            // The run may end in the middle.
            let Some((_, step, dst)) = run.step(k) else { return true };
            let fits = |(edge, taken): (EdgeId, Result<Vec<u32>, Wrong>)| {
                step == Some(Step { pid: NOBODY, edge, partner: None })
                    && taken.map_or(i.is_fault(dst), |to| to == dst)
            };
            if !i.claim_steps(Some(src), self.claim, now).into_iter().any(fits) {
                return false;
            }
            k += 1;
            begins.push(k);
        }
        run.back.is_none_or(|back| begins.contains(&back))
    }

    /// Do claim and system move in turn? Each step of the run is one of [`Claimed::steps`], or none.
    pub fn takes_turns(&self, run: &Execution) -> bool {
        if self.claim.late {
            return self.late_turns(run);
        }
        let mut k = 0;
        while let Some((src, step, _)) = run.step(k) {
            if self.ended(src) {
                return run.steps[k..].iter().all(Option::is_none);
            }
            if step.is_none_or(|s| s.pid != NOBODY) {
                return false;
            }
            // The claim's step, all of it.
            let after = loop {
                let Some((_, Some(Step { pid: NOBODY, edge, .. }), dst)) = run.step(k) else { return false };
                k += 1;
                if self.interpreter.is_fault(dst)
                    || self.ended(dst)
                    || !self.process().edges[edge.index()].keeps
                {
                    break dst;
                }
            };
            if self.interpreter.is_fault(after) || self.ended(after) {
                continue;
            }
            // The system's, unless it cannot move.
            if self.interpreter.steps(after).is_empty() {
                continue;
            }
            loop {
                match run.step(k) {
                    Some((_, Some(step), dst)) if step.pid != NOBODY => {
                        k += 1;
                        if self.interpreter.holder(dst).is_none() {
                            break;
                        }
                    }
                    // The run may end in the middle.
                    None => return true,
                    _ => return false,
                }
            }
        }
        true
    }

    /// The small steps of a step with a late claim: the system's, and then the claim's.
    fn late_way(&self, src: &[u32], at: &Cursor, edge: EdgeId) -> Option<Vec<Taken>> {
        let mut all: Vec<Taken> = Vec::new();
        let mut now = src.to_vec();
        for step in at.system.steps().filter(|_| !at.alone) {
            let taken = self.interpreter.follow(&now, |s| s == step)?;
            now = taken.to.clone();
            all.push(taken);
        }
        if !self.interpreter.is_fault(&now) {
            let mut to = now.clone();
            to.resize(self.words(), 0);
            let failure = self.go_on(src, edge, &mut to);
            to.truncate(self.interpreter.len(&to));
            all.push(Taken { step: Step { pid: NOBODY, edge, partner: None }, to, failure });
        }
        Some(all)
    }

    /// The small steps of a step: the claim's, and then the system's.
    fn way(&self, src: &[u32], choice: Choice) -> Option<Vec<Taken>> {
        if choice == Choice::STUTTER || self.ended(src) {
            return Some(Vec::new());
        }
        let mut slot = vec![0; self.words()];
        let (at, _): (Cursor, _) = choice.resume(self, src, &mut slot)?;
        let Move { way, failure } = &at.moves[at.at.min(at.moves.len() - 1)];
        if self.claim.late {
            return self.late_way(src, &at, way[0].0);
        }
        let claims = way.iter().map(|(edge, to)| Taken {
            step: Step { pid: NOBODY, edge: *edge, partner: None },
            to: to.clone(),
            failure: if self.interpreter.is_fault(to) { *failure } else { None },
        });
        let mut all: Vec<Taken> = claims.collect();
        if !at.alone {
            let mut now = way.last()?.1.clone();
            for step in at.system.steps() {
                let taken = self.interpreter.follow(&now, |s| s == step)?;
                now = taken.to.clone();
                all.push(taken);
            }
        }
        Some(all)
    }
}

impl System for Claimed<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn len(&self, s: &[u32]) -> usize {
        self.interpreter.len(s)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        Condensed::new(self.interpreter).initial(&mut at.initial, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let i = self.interpreter;
        if !at.begun {
            at.begun = true;
            if i.is_fault(src) {
                return None;
            }
            if self.ended(src) {
                at.alone = true;
                dst[..src.len()].copy_from_slice(src);
                return Some(ActionId(0));
            }
            at.moves = self.moves(src);
        } else if at.alone {
            // What the claim did alone has no other continuation.
            at.at += 1;
        }
        at.alone = false;
        while at.at < at.moves.len() {
            let Move { way, failure } = &at.moves[at.at];
            let after = way.last().map_or(src, |(_, t)| &t[..]);
            if failure.is_some() || self.ended(after) {
                at.alone = true;
                dst[..after.len()].copy_from_slice(after);
                return Some(ActionId(0));
            }
            if !at.moved && self.justice.is_some() {
                at.able = able(i, after);
            }
            if let Some(action) = Condensed::new(i).next(after, &mut at.system, dst) {
                at.moved = true;
                self.go_on(src, way[0].0, dst);
                return Some(action);
            }
            if !std::mem::replace(&mut at.moved, false) && self.stutters {
                at.alone = true;
                dst[..after.len()].copy_from_slice(after);
                self.go_on(src, way[0].0, dst);
                at.system = Large::default();
                return Some(ActionId(0));
            }
            at.at += 1;
            at.system = Large::default();
        }
        None
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.interpreter.failed(s)
    }

    const FAIR: bool = true;

    fn fair_sets(&self) -> u32 {
        1 + match self.justice {
            None => 0,
            Some((Justice::Weak, n)) => n,
            Some((Justice::Strong, n)) => 2 * n,
        }
    }

    fn fairness(&self, src: &[u32], at: &Cursor, _: Option<ActionId>) -> Marks {
        if self.ended(src) {
            return Marks::first(self.fair_sets());
        }
        let moved = if at.alone { 0 } else { movers(at.system.steps()) };
        Marks(u64::from(self.accepts(src)) | self.fair_marks(at.able, moved, at.alone) << 1)
    }
}

/// A run-time error and its place.
pub(crate) type Wrong = (crate::machine::Fault, Span);
