//! The interpreter: the semantics.
//!
//! # The meaning of a program
//!
//! * Processes have pids from 0 on; a new one gets the next. Only the youngest can be removed.
//! * A step is one edge of one process, or two edges of two processes that meet in a rendezvous. Steps come from the
//!   youngest process to the oldest, or the other way round, in the order of the edges.
//! * While some process is at a committed location, only edges that leave one are taken, on both sides of a rendezvous.
//! * An edge that [keeps](crate::Edge::keeps) control makes its process the *holder*: the others wait as long as it
//!   can move. After a rendezvous the receiver holds control if its edge keeps it; the sender never does.
//! * In a rendezvous both go on to their locations, the receiver takes the message and does what its edge does, and then
//!   the sender does. The message is evaluated first, or, if that is [lazy](crate::Scheduling::lazy), once a receiver is
//!   found whose guard is true.
//! * `Else` can be taken if the process has no other step of its own. A receive by rendezvous is a step of the sender.
//! * An edge of a group that can be taken hides the groups after it.
//! * Where no process can move, `Timeout` is true, and the edges are tried again.
//! * A fault leads to the fault state, from which nothing moves.

use crate::closed::Closed;
use crate::code::{BlockCode, EdgeCode, Generator, Question, ReceiveCode};
use crate::context::Context;
use crate::domain::MAX_MESSAGE;
use crate::flat::Flat;
use crate::form::{Expr, Order, Program};
use crate::frame::{Frames, MAX_WORDS};
use crate::head::{Failed, Head, is_known};
use crate::ids::{EdgeId, ExprId, LocId, ProcId};
use crate::layout::{Field, TooLarge};
use crate::machine::TooDeep;
use crate::machine::{self, Fault, Instr, Memory, SHALLOW, Trap};
use crate::memory::Reader;
use crate::native::{Compiler, Native};
use crate::shape::{Shape, Shapes};
use riata_source::{Diagnostic, Span};
use riata_system::{ActionId, Successors, System, Valuation};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};

/// The pid of who looks at a state without being one of its processes.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The pid of a step in which all processes move: its edge is the number of the combination.
pub(crate) const EVERYBODY: u32 = u32::MAX - 1;

/// What a violated assertion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Asserts {
    /// A fault.
    #[default]
    Fault,
    /// Something that the [cursor](Cursor::violations) tells; the run goes on.
    Count,
    /// Nothing.
    Ignore,
}

/// How to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// What a violated assertion is.
    pub asserts: Asserts,
}

/// A process type, compiled.
#[allow(missing_docs, reason = "names say it")]
#[derive(Debug)]
pub struct TypeCode {
    /// All edges, those of a location side by side.
    pub edges: Vec<EdgeCode>,
    /// For each location, its edges.
    pub ranges: Vec<(u32, u32)>,
    /// For each location, the channels from which something may be received by rendezvous: bit `n % 64` for `n`.
    pub receives: Vec<u64>,
    pub provided: Option<u32>,
    pub initialisers: Option<u32>,
    pub end: Vec<bool>,
    pub progress: Vec<bool>,
    pub accepting: Vec<bool>,
    pub committed: Vec<bool>,
    /// Is some location committed?
    pub commits: bool,
    /// Assertions about states, with their locations and code.
    pub asserts: Vec<(LocId, ExprId, u32)>,
    /// The numbers of the locations for those who ask for them.
    pub numbers: Vec<i32>,
}

/// A program made ready to run.
#[derive(Debug)]
pub struct Interpreter {
    pub(crate) program: Arc<Program>,
    pub(crate) frames: Frames,
    pub(crate) head: Head,
    pub(crate) shapes: Arc<Shapes>,
    /// The shape of all states, if they have one.
    pub(crate) only: Option<Shape>,
    pub(crate) code: Vec<Instr>,
    pub(crate) spans: Vec<Span>,
    deep: bool,
    pub(crate) questions: Vec<Question>,
    pub(crate) receives: Vec<Option<ReceiveCode>>,
    pub(crate) blocks: Vec<Option<BlockCode>>,
    pub(crate) types: Vec<TypeCode>,
    pub(crate) uses_timeout: bool,
    /// Does an edge keep control?
    pub(crate) keeps: bool,
    /// Are the steps of the oldest process tried first?
    pub(crate) oldest: bool,
    pub(crate) lockstep: bool,
    /// Is a process at its next location before its effect?
    pub(crate) early: bool,
    /// Where it is kept who moved last.
    pub(crate) last: Option<Field>,
    /// Are there assertions about states?
    pub(crate) asserting: bool,
    /// If no process is created after the start: for each channel of the start, the processes that may receive from it by
    /// rendezvous, in the order in which they are tried.
    pub(crate) receivers: Vec<Vec<u32>>,
    flat: Option<Flat>,
    /// Native code, once there is some, or why there is none.
    pub(crate) native: OnceLock<Result<Native, String>>,
    /// Who makes it.
    pub(crate) compiler: Option<(Compiler, u32)>,
    /// How many states were expanded without it.
    pub(crate) heat: AtomicU32,
    /// Which edges cannot be taken, remembered.
    pub(crate) closed: Closed,
    pub(crate) scheduled: bool,
    /// Has some process type a committed location?
    pub(crate) commits: bool,
    /// Where the monitor keeps its location.
    pub(crate) monitor: Option<Field>,
    propositions: Vec<u32>,
    /// The propositions whose evaluation may be a fault, as bits.
    fallible: u64,
    /// Does a proposition ask whether nothing can move?
    asks_timeout: bool,
    initial: Vec<u32>,
    pub(crate) words: usize,
    pub(crate) options: Options,
}

/// Where to resume in the successors of a state.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    pub(crate) started: bool,
    pub(crate) ended: bool,
    /// Is it native code that tells the successors?
    pub(crate) native: bool,
    pub(crate) timeout: bool,
    /// Is some process at a committed location?
    pub(crate) committed: bool,
    /// Are steps that need a partner left out?
    pub(crate) alone: bool,
    /// If not 0, only the steps of these processes, as bits, are wanted.
    pub(crate) only: u64,
    /// Was there a step at all?
    pub(crate) moved: bool,
    /// Has the process at hand a step of its own?
    pub(crate) mine: bool,
    /// Has the process at hand been allowed to move?
    pub(crate) allowed: bool,
    /// How many processes are to come, with the one at hand.
    pub(crate) process: u16,
    /// How many processes are to be tried as partners, with the one at hand; none yet if 0.
    pub(crate) partner: u16,
    /// The edge, counted from the first of the location.
    pub(crate) edge: u32,
    /// Edges of the process at hand that cannot be taken, as bits.
    pub(crate) closed: u32,
    pub(crate) partner_edge: u32,
    /// The group that an edge of the partner was taken of, plus one.
    pub(crate) partner_rank: u32,
    /// The group that an edge was taken of, plus one.
    pub(crate) rank: u32,
    pub(crate) trap: Option<(Fault, Span)>,
    /// How many assertions the last step violates.
    pub violations: u32,
    /// The most states that native code passed through for the steps of one process, if it told them at once.
    pub(crate) passed: u32,
    /// The last step.
    pub(crate) step: Option<Step>,
}

impl Cursor {
    /// The step just told.
    pub fn last_step(&self) -> Option<Step> {
        self.step
    }

    /// Are the steps of process `pid` wanted?
    #[inline]
    pub(crate) fn wants(&self, pid: u32) -> bool {
        self.only == 0 || self.only >> (pid & 63) & 1 == 1
    }
}

/// What a step was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who moved; the sender of a rendezvous.
    pub pid: u32,
    /// By which edge of its type.
    pub edge: EdgeId,
    /// The receiver of a rendezvous, with its edge.
    pub partner: Option<(u32, EdgeId)>,
}

/// A message in passing.
pub(crate) type Message = [i32; MAX_MESSAGE];

impl Interpreter {
    /// Compiles `program`, which must be well formed.
    pub fn new(program: impl Into<Arc<Program>>, options: Options) -> Result<Self, Diagnostic> {
        Self::make(program.into(), options, None)
    }

    /// The same program with other options. The two understand each other's states.
    pub fn again(&self, options: Options) -> Result<Self, Diagnostic> {
        Self::make(self.program.clone(), options, Some(self.shapes.clone()))
    }

    fn make(own: Arc<Program>, options: Options, shapes: Option<Arc<Shapes>>) -> Result<Self, Diagnostic> {
        let program = &*own;
        let frames = Frames::new(program).map_err(|TooLarge { words }| {
            Diagnostic::error(
                Span::default(),
                format!("a state would need {words} words of 32 bits, too many"),
            )
        })?;
        let deep = |TooDeep { span }| {
            Diagnostic::error(span, "this expression nests too deep")
                .help("split it, with a variable for a part of it")
        };
        let mut generator = Generator::new(program, &frames, options.asserts != Asserts::Ignore);
        let mut types = Vec::new();
        for p in (0..program.processes.len()).map(ProcId::new) {
            types.push(compile(&mut generator, p).map_err(deep)?);
        }
        let mut propositions = Vec::new();
        for proposition in &program.propositions {
            propositions.push(generator.value(None, proposition.expr).map_err(deep)?);
        }
        for event in program.monitor.iter().flat_map(|w| w.locations.iter().flatten()) {
            generator.receive(None, event.receive).map_err(deep)?;
        }
        let Generator { code, spans, questions, receives, blocks, uses_timeout, depth, .. } = generator;
        let shapes = shapes.unwrap_or_else(|| Arc::new(Shapes::new(&frames)));
        let widest = frames.types.iter().map(|t| t.words).max().unwrap_or(0);
        let all = started(program, &frames, &shapes)?;
        let words =
            if frames.grows { MAX_WORDS.min(frames.base + 255 * widest) } else { shapes.get(all).words };
        let head = match program.start.first() {
            Some(first) if is_known(program) => Head::Known {
                shape: all,
                words,
                marker: frames.types[first.process.index()].location.moved(shapes.get(all).processes[0].1),
                fault: program.processes[first.process.index()].locations.len() as u32,
            },
            _ => Head::Word,
        };
        let mut this = Interpreter {
            program: own.clone(),
            words: words as usize,
            only: if let Head::Known { .. } = head { Some(shapes.get(all).clone()) } else { None },
            head,
            shapes,
            code,
            spans,
            deep: depth > SHALLOW,
            questions,
            receives,
            blocks,
            scheduled: program.scheduling.priorities || types.iter().any(|t| t.provided.is_some()),
            commits: types.iter().any(|t| t.commits),
            types,
            uses_timeout,
            keeps: program.processes.iter().flat_map(|p| &p.edges).any(|e| e.keeps),
            oldest: program.scheduling.order == Order::Oldest,
            lockstep: program.scheduling.lockstep,
            early: program.scheduling.early,
            last: program.last.and_then(|v| frames.shared[v as usize].fields().next()),
            asserting: program.processes.iter().flat_map(|p| &p.locations).any(|l| !l.asserts.is_empty()),
            receivers: Vec::new(),
            flat: None,
            native: OnceLock::new(),
            compiler: None,
            heat: AtomicU32::new(0),
            closed: Closed::new(program.processes.iter().map(|p| p.locations.len())),
            monitor: (program.monitor.as_ref())
                .and_then(|m| frames.shared.get(m.at as usize)?.fields().next()),
            propositions,
            fallible: program
                .propositions
                .iter()
                .enumerate()
                .take(64)
                .fold(0, |bits, (i, p)| bits | u64::from(program.mentions(p.expr, Expr::may_fail)) << i),
            asks_timeout: program.claim.is_some()
                || (program.propositions.iter())
                    .any(|p| program.mentions(p.expr, |e| matches!(e, Expr::Timeout | Expr::Enabled(_)))),
            initial: Vec::new(),
            options,
            frames,
        };
        this.receivers = this.who_receives(all);
        this.flat = Flat::new(&this);
        this.initial = this.first()?;
        Ok(this)
    }

    /// For each channel of a shape the processes that may receive from it by rendezvous; nothing if others may come.
    fn who_receives(&self, shape: u32) -> Vec<Vec<u32>> {
        if self.frames.grows {
            return Vec::new();
        }
        let shape = self.shapes.get(shape);
        let receives = |pid: &u32, channel: usize| {
            let code = &self.types[shape.processes[*pid as usize].0 as usize];
            code.receives.iter().any(|mask| mask >> (channel & 63) & 1 != 0)
        };
        let processes = 0..shape.processes.len() as u32;
        let of = |channel: usize| {
            let mut pids: Vec<u32> = processes.clone().filter(|pid| receives(pid, channel)).collect();
            if !self.oldest {
                pids.reverse();
            }
            pids
        };
        (1..=shape.channels.len()).map(of).collect()
    }

    fn first(&self) -> Result<Vec<u32>, Diagnostic> {
        let wrong =
            |span, fault: Fault| Diagnostic::error(span, format!("the program cannot start: {fault}"));
        let mut s = vec![0; self.words()];
        for (slot, variable) in self.frames.shared.iter().zip(&self.program.shared) {
            slot.fields().zip(&variable.initial).for_each(|(f, &v)| f.store(&mut s, v));
        }
        for (i, open) in self.program.opens.iter().enumerate() {
            let fields = self.frames.shared[open.var as usize].fields().nth(open.element as usize);
            fields.into_iter().for_each(|f| f.store(&mut s, i as i32 + 1));
        }
        let mut shape = 0;
        for start in &self.program.start {
            let process = &self.program.processes[start.process.index()];
            let made = self.create(&mut s[..], shape, start.process.0, (&[], process.priority as i32));
            shape = made.map_err(|t| wrong(t.span, t.fault))?.1;
        }
        s.truncate(self.len(&s));
        Ok(s)
    }

    /// The first state.
    pub(crate) fn first_state(&self) -> &[u32] {
        &self.initial
    }

    /// How many words a state has, if all have as many.
    pub fn length(&self) -> Option<usize> {
        self.only.as_ref().map(|_| self.words)
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    #[inline]
    pub(crate) fn shape(&self, s: impl Reader) -> &Shape {
        match &self.only {
            Some(shape) => shape,
            None => self.shapes.get(self.head.shape(s)),
        }
    }

    /// Is `s` the fault state?
    #[inline]
    pub fn is_fault(&self, s: &[u32]) -> bool {
        self.head.is_fault(s)
    }

    /// The state after a run-time error.
    pub fn fault_state(&self) -> Vec<u32> {
        let mut s = vec![0; self.words];
        let len = self.head.fail(&mut s, Failed::Fault);
        s.truncate(len);
        s
    }

    /// Is `s` the state after something that the monitor does not allow?
    pub fn is_unexpected(&self, s: &[u32]) -> bool {
        self.head.failed(s) == Some(Failed::Event)
    }

    /// The process that holds control, so that the others wait.
    #[inline]
    pub fn holder(&self, s: &[u32]) -> Option<u32> {
        if self.is_fault(s) { None } else { self.head.holder(s).checked_sub(1) }
    }

    /// How many processes there are.
    pub fn processes(&self, s: &[u32]) -> u32 {
        if self.is_fault(s) { 0 } else { self.shape(s).processes.len() as u32 }
    }

    /// The type of a process.
    pub fn type_of(&self, s: &[u32], pid: u32) -> Option<ProcId> {
        if self.is_fault(s) {
            return None;
        }
        match self.program.claim {
            Some(claim) if pid == NOBODY => Some(claim.process),
            _ => self.shape(s).processes.get(pid as usize).map(|&(of, _)| ProcId(of)),
        }
    }

    /// Where a process is.
    pub fn location(&self, s: &[u32], pid: u32) -> Option<LocId> {
        if self.is_fault(s) {
            return None;
        }
        let &(of, base) = self.shape(s).processes.get(pid as usize)?;
        Some(LocId(self.at(s, of, base)))
    }

    #[inline]
    pub(crate) fn at(&self, s: impl Reader, of: u32, base: u32) -> u32 {
        s.raw(self.frames.types[of as usize].location, base)
    }

    /// Is some process at a location of this kind?
    pub(crate) fn some_location(&self, s: impl Reader, is: impl Fn(&TypeCode) -> &Vec<bool>) -> bool {
        self.shape(s).processes.iter().any(|&(of, base)| {
            let (location, table) = (self.frames.types[of as usize].location, is(&self.types[of as usize]));
            s.which(location, base, table.len(), |l| table[l]).is_some()
        })
    }

    /// Is a process at a progress location?
    pub fn is_progress(&self, s: &[u32]) -> bool {
        !self.is_fault(s) && self.some_location(s, |t| &t.progress)
    }

    /// Is a process at an accepting location?
    pub fn is_accepting(&self, s: &[u32]) -> bool {
        !self.is_fault(s) && self.some_location(s, |t| &t.accepting)
    }

    /// May a run end in `s`: is every process at an end location?
    pub fn is_end(&self, s: &[u32]) -> bool {
        self.is_fault(s)
            || self
                .shape(s)
                .processes
                .iter()
                .all(|&(of, base)| self.types[of as usize].end[self.at(s, of, base) as usize])
    }

    /// Can nothing move in `s`? The fault state does not count.
    pub fn is_stuck(&self, s: &[u32], scratch: &mut [u32]) -> bool {
        !self.is_fault(s) && self.next(s, &mut Cursor::default(), scratch).is_none()
    }

    #[inline]
    pub(crate) fn run<M: Memory>(&self, pc: u32, m: &mut M, message: &mut [i32]) -> Result<i32, Trap> {
        let r = if self.deep {
            machine::run::<{ machine::DEEPEST }, _>(&self.code, pc, m, message)
        } else {
            machine::run::<SHALLOW, _>(&self.code, pc, m, message)
        };
        r.map_err(|(fault, pc)| Trap { fault, span: self.spans[pc as usize] })
    }
}

/// The shape of the initial state.
fn started(program: &Program, frames: &Frames, shapes: &Shapes) -> Result<u32, Diagnostic> {
    program.start.iter().try_fold(0, |shape, start| {
        shapes.child(shape, start.process.0, frames).map_err(|fault| {
            let span = program.processes[start.process.index()].span;
            Diagnostic::error(span, format!("the program cannot start: {fault}"))
        })
    })
}

fn compile(generator: &mut Generator, p: ProcId) -> Result<TypeCode, TooDeep> {
    let process = &generator.program.processes[p.index()];
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); process.locations.len()];
    for (e, edge) in process.edges.iter().enumerate() {
        from[edge.from.index()].push(e);
    }
    let mut edges = Vec::new();
    let mut ranges = Vec::new();
    let mut receives = Vec::new();
    for list in from {
        let start = edges.len() as u32;
        for e in list {
            let edge = &process.edges[e];
            let work = generator.work(p, &edge.work)?;
            let plain = work.plain();
            let conjuncts = generator.conjuncts(p, &edge.work)?;
            let fused = if plain.is_some() { generator.fused(p, edge.to, &edge.work)? } else { None };
            edges.push(EdgeCode {
                number: e as u32,
                to: edge.to.0,
                keeps: edge.keeps,
                rank: edge.rank,
                plain,
                fused,
                passive: work.is_passive(p, generator),
                conjuncts,
                work,
            });
        }
        receives.push(edges[start as usize..].iter().fold(0, |mask, e| mask | e.work.receives(p, generator)));
        ranges.push((start, edges.len() as u32));
    }
    let provided = match process.provided {
        Some(e) => Some(generator.value(Some(p), e)?),
        None => None,
    };
    Ok(TypeCode {
        edges,
        ranges,
        receives,
        provided,
        initialisers: generator.initialisers(p)?,
        end: process.locations.iter().map(|l| l.end).collect(),
        progress: process.locations.iter().map(|l| l.progress).collect(),
        accepting: process.locations.iter().map(|l| l.accepting).collect(),
        committed: process.locations.iter().map(|l| l.committed).collect(),
        commits: process.locations.iter().any(|l| l.committed),
        asserts: generator.asserts_of(p)?,
        numbers: process.locations.iter().map(|l| l.number).collect(),
    })
}

impl System for Interpreter {
    type Cursor = Cursor;

    #[inline]
    fn words(&self) -> usize {
        self.words
    }

    #[inline]
    fn len(&self, s: &[u32]) -> usize {
        match &self.only {
            Some(_) => self.words,
            None if self.is_fault(s) => 1,
            None => self.shape(s).words as usize,
        }
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
        (at.trap, at.violations) = (None, 0);
        if at.ended || self.is_fault(src) {
            return None;
        }
        if self.lockstep {
            return self.together(src, at, dst);
        }
        if !at.started {
            at.native = self.native_for(at.only).is_some();
        }
        match (&self.flat, &self.native.get()) {
            (_, Some(Ok(native))) if at.native => self.native_next(native, src, at, dst),
            (Some(flat), _) => self.flat_next(flat, src, at, dst),
            (None, _) => self.advance(src, at, dst),
        }
    }

    /// The cursor knows then how many assertions all steps violate.
    #[inline]
    fn expand(&self, src: &[u32], at: &mut Cursor, out: &mut Successors) -> u64 {
        (at.trap, at.violations) = (None, 0);
        let whole = !at.started && at.only == 0;
        match whole.then(|| self.native()).flatten() {
            Some(_) if self.is_fault(src) => 0,
            Some(native) => self.native_expand((native, 1), src, at, out),
            _ => self.expand_slowly(src, at, out),
        }
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        if self.is_fault(s) {
            return Valuation(0);
        }
        if let Some(Ok(native)) = self.native.get()
            && let Some(bits) = native.valuation(s)
        {
            return bits;
        }
        let mut context = self.observer(s);
        let mut bits = 0;
        for (i, &code) in self.propositions.iter().enumerate().take(64) {
            bits |= u64::from(self.run(code, &mut context, &mut []).is_ok_and(|v| v != 0)) << i;
        }
        Valuation(bits)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.is_fault(s)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        let mut bits = 0;
        if self.fallible != 0 && !self.is_fault(s) {
            let mut context = self.observer(s);
            for (i, &code) in self.propositions.iter().enumerate().take(64) {
                let fails = self.fallible >> i & 1 == 1 && self.run(code, &mut context, &mut []).is_err();
                bits |= u64::from(fails) << i;
            }
        }
        Valuation(bits)
    }
}

impl Interpreter {
    /// All steps, one by one.
    fn expand_slowly(&self, src: &[u32], at: &mut Cursor, out: &mut Successors) -> u64 {
        let (mut count, mut violations) = (0, 0);
        loop {
            let dst = out.slot(self.words);
            let Some(action) = self.next(src, at, dst) else { break };
            violations += at.violations;
            let len = self.len(dst);
            out.keep(len, action);
            count += 1;
        }
        at.violations = violations;
        count
    }

    /// The state as a claim or a formula sees it, which is no process.
    pub(crate) fn observer<S: Reader>(&self, s: S) -> Context<'_, S> {
        let timeout = self.asks_timeout && self.is_idle(s);
        Context { timeout, ..Context::new(self, s, NOBODY) }
    }

    /// The code of the propositions.
    pub(crate) fn proposition_codes(&self) -> &[u32] {
        &self.propositions
    }

    /// Why proposition `p` has no value in `s`, and where.
    pub fn why_undefined(&self, s: &[u32], p: usize) -> Option<(Fault, Span)> {
        let code = *self.propositions.get(p)?;
        self.run(code, &mut self.observer(s), &mut []).err().map(|trap| (trap.fault, trap.span))
    }
}
