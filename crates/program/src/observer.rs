//! A program whose steps tell what they depend on: what [`Interpreter`] does, group by group, on a state that notes what
//! was looked at.
//!
//! The steps are tried in groups: the edges of a process that leave one location and need no partner are one, and so is
//! each pair of edges that may meet in a rendezvous. Where what a process can do decides what else it can, as with `else`
//! and ranks, its rendezvous belong to its group. Steps that only a timeout allows are groups of their own. The code is
//! that of the interpreter, so that faults are the same and what is looked at is exact.
//!
//! All processes are there from the start, so a state has as many words as the initial one, and what a dead process had is
//! zero. Where no process is ever created, the number of a state's shape is the number of its processes.

use crate::code::GuardCode;
use crate::context::Context;
use crate::groups::{Group, Meeting, groups};
use crate::head::{Failed, HOLDER, Head};
use crate::ids::{ExprId, LocId, ProcId};
use crate::interp::{Cursor, Interpreter, NOBODY};
use crate::meet::Sent;
use crate::memory::Reader;
use crate::record::{Before, Record, Slots};
use crate::shape::Shape;
use crate::step::Ready;
use crate::{Expr, Guard, Work};
use riata_system::{ActionId, Effect, Look, Observable, Observation, Slot, System, Truth, Valuation};

/// Why the steps of a program cannot be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotObservable {
    /// A process starts another one.
    Starts,
}

impl std::fmt::Display for NotObservable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotObservable::Starts => "a process starts another one",
        })
    }
}

/// An expression that is asked about.
#[derive(Clone, Copy, Debug)]
struct Asked {
    code: Option<u32>,
    /// Does it matter which processes there are?
    shape: bool,
    /// Does it matter whether nothing can move?
    timeout: bool,
}

/// A program whose steps tell what they depend on.
#[derive(Debug)]
pub struct Observer<'a> {
    interpreter: &'a Interpreter,
    /// The shape in which all processes are alive.
    all: &'a Shape,
    slots: Slots,
    /// For each process, the slot of its location.
    locations: Vec<Option<u32>>,
    groups: Vec<Group>,
    propositions: Vec<Asked>,
    /// The assertions about states, each with its process and location.
    assertions: Vec<(u32, LocId, ExprId, u32)>,
    guards: Vec<Asked>,
    sink: (u32, u32, Vec<u32>),
}

impl<'a> Observer<'a> {
    /// Observes the steps of a program that creates no process after the start.
    pub fn new(interpreter: &'a Interpreter) -> Result<Self, NotObservable> {
        let program = interpreter.program();
        if program.runs() {
            return Err(NotObservable::Starts);
        }
        let mut initial = vec![0; interpreter.words()];
        interpreter.initial(&mut Cursor::default(), &mut initial);
        let all = interpreter.shape(&initial);
        let slots = slots(interpreter, all);
        let place = |&(of, base): &(u32, u32)| {
            let f = interpreter.frames.types[of as usize].location;
            slots.find(f.word + base, f.shift.into(), f.mask)
        };
        let locations: Vec<Option<u32>> = all.processes.iter().map(place).collect();
        let mut words = vec![0; interpreter.words()];
        interpreter.head.fail(&mut words, Failed::Fault);
        let slot = match interpreter.head {
            Head::Word => slots.find(0, 0, u32::MAX),
            Head::Known { marker, .. } => slots.find(marker.word, marker.shift.into(), marker.mask),
        };
        let slot = slot.unwrap_or(0);
        let sink = (slot, slots.list[slot as usize].load(&words), words);
        let mut assertions = Vec::new();
        for (pid, &(of, _)) in (0u32..).zip(&all.processes) {
            let own = interpreter.types[of as usize].asserts.iter();
            assertions.extend(own.map(|&(l, e, code)| (pid, l, e, code)));
        }
        let propositions = (program.propositions.iter().zip(interpreter.proposition_codes()))
            .map(|(p, &code)| asked(interpreter, p.expr, Some(code)))
            .collect();
        Ok(Observer {
            interpreter,
            all,
            slots,
            locations,
            groups: groups(interpreter, all),
            propositions,
            assertions,
            guards: Vec::new(),
            sink,
        })
    }

    /// The same, and the guards of the edges of a process type can be asked about, as a claim sees them.
    pub fn with_guards(mut self, process: ProcId) -> Self {
        let program = self.interpreter.program();
        let codes = &self.interpreter.types[process.index()].edges;
        let guard = |(e, edge): (usize, &crate::Edge)| {
            let code = codes.iter().find(|c| c.number as usize == e).and_then(|c| c.work.guard());
            match (&edge.work, code) {
                (Work::Action(action), Some(GuardCode::When(code))) => match action.guard {
                    Guard::When(e) => asked(self.interpreter, e, Some(code)),
                    _ => Asked { code: None, shape: false, timeout: false },
                },
                _ => Asked { code: None, shape: false, timeout: false },
            }
        };
        self.guards = program.processes[process.index()].edges.iter().enumerate().map(guard).collect();
        self
    }

    /// The program as it is run.
    pub fn interpreter(&self) -> &'a Interpreter {
        self.interpreter
    }

    /// A state as the interpreter has it: without the words of dead processes.
    pub fn trimmed<'s>(&self, s: &'s [u32]) -> &'s [u32] {
        &s[..self.interpreter.len(s)]
    }

    /// The assertions about states: of which process, and what.
    pub fn assertions(&self) -> impl ExactSizeIterator<Item = (u32, ExprId)> {
        self.assertions.iter().map(|&(pid, _, e, _)| (pid, e))
    }

    /// The question whether assertion number `i` is violated.
    pub fn violates(&self, i: usize) -> usize {
        self.propositions.len() + i
    }

    /// The question whether a run may end here.
    pub fn may_end(&self) -> usize {
        self.violates(self.assertions.len())
    }

    /// The question whether nobody holds control.
    pub fn is_free(&self) -> usize {
        self.may_end() + 1
    }

    /// The question whether the guard of edge `e` holds, of those that were [asked for](Observer::with_guards).
    pub fn guard(&self, e: usize) -> usize {
        self.is_free() + 1 + e
    }

    /// Is a process certainly not at this location? Most attempts end here. Notes the look.
    fn is_elsewhere(&self, pid: u32, from: u32, s: &[u32], seen: &mut Observation) -> bool {
        let Some(slot) = self.locations[pid as usize] else { return false };
        let elsewhere = self.slots.list[slot as usize].load(s) != from;
        if elsewhere {
            seen.looks.push(Look { slot, value: from, equal: false });
        }
        elsewhere
    }

    /// Is a process alive and at this location? If so, the state is known not to be the sink.
    fn stands(&self, before: Before, pid: u32, from: u32) -> bool {
        let it = self.interpreter;
        let (of, base) = self.all.processes[pid as usize];
        if !before.holds(it.frames.types[of as usize].location, base, from) {
            return false;
        }
        match it.head {
            Head::Word => pid < it.head.shape(before),
            Head::Known { marker, fault, .. } => pid == 0 || !before.holds(marker, 0, fault),
        }
    }

    /// Does nobody else hold control?
    fn has_control(&self, before: Before, pid: u32) -> bool {
        match self.interpreter.head {
            Head::Known { .. } => true,
            Head::Word => before.is(0, HOLDER, 0xff, 0) || before.is(0, HOLDER, 0xff, pid + 1),
        }
    }

    /// Is some process at a committed location? None if that keeps the one at `from` back.
    fn commitment(&self, before: Before, pid: u32, from: u32) -> Option<bool> {
        let it = self.interpreter;
        let own = it.types[self.all.processes[pid as usize].0 as usize].committed[from as usize];
        (own || !it.is_committed(before)).then_some(own)
    }

    fn own(&self, (pid, from): (u32, u32), whole: bool, timeout: bool, record: &Record) {
        let (it, before) = (self.interpreter, record.before());
        if !self.stands(before, pid, from) || !self.has_control(before, pid) {
            return;
        }
        let Some(committed) = self.commitment(before, pid, from) else { return };
        let context = Context { timeout, ..Context::new(it, before, pid) };
        let mut at = Cursor { committed, alone: !whole, timeout, ..Cursor::default() };
        let mut moved = false;
        while it.own_step(context, &mut at, &mut record.after()).is_some() {
            record.take();
            moved = true;
        }
        if timeout && moved && !self.is_idle(before, pid, committed) {
            record.forget_steps();
        }
    }

    /// Can nobody move without a timeout, as far as `pid` has to wait for that?
    fn is_idle(&self, before: Before, pid: u32, committed: bool) -> bool {
        let it = self.interpreter;
        let others = match it.head {
            Head::Word if !before.is(0, HOLDER, 0xff, 0) => 0,
            _ => it.shape(before).processes.len() as u32,
        };
        !it.has_step(before, pid, committed) && !(0..others).any(|p| it.has_step(before, p, committed))
    }

    fn meet(&self, meeting: &Meeting, record: &Record) {
        let (it, before) = (self.interpreter, record.before());
        let Meeting { sender: (pid, from), edge, receiver: (other, there), first, until } = *meeting;
        let ready = self.stands(before, pid, from)
            && self.stands(before, other, there)
            && self.has_control(before, pid);
        if !ready {
            return;
        }
        let Some(committed) = self.commitment(before, pid, from) else { return };
        let mut context = Context::new(it, before, pid);
        if it.scheduled && (it.provided(&mut context).is_err() || !it.may_move(&mut context)) {
            return;
        }
        let edge = &it.types[context.shape.processes[pid as usize].0 as usize].edges[edge as usize];
        // Where the sender's guard or its message is a fault, that is a step of its own.
        let Ok(Ready::Meet(channel)) = it.ready(edge, &mut context, false) else { return };
        let mut sent = Sent::new(edge, channel);
        if it.announce(&mut sent, &mut context).is_err() {
            return;
        }
        let mut at = Cursor { committed, partner_edge: first, ..Cursor::default() };
        while it
            .meet_with((other, there, until), &mut sent, &mut context, &mut at, &mut record.after())
            .is_some()
        {
            record.take();
        }
    }

    /// Everything is looked at, and all steps are taken.
    fn everything(&self, s: &[u32], seen: &mut Observation) {
        let look = |(slot, place): (u32, &Slot)| Look { slot, value: place.load(s), equal: true };
        seen.looks.extend((0u32..).zip(&self.slots.list).map(look));
        let mut at = Cursor::default();
        let mut dst = vec![0; self.words()];
        while self.next(s, &mut at, &mut dst).is_some() {
            let writes = || (0u32..).zip(&self.slots.list).map(|(i, p)| (i, p.load(&dst))).collect();
            let failed = self.interpreter.is_fault(&dst);
            seen.steps.push(if failed { Effect::Sink } else { Effect::Writes(writes()) });
        }
    }

    /// The value of an expression as an observer sees it, who is no process.
    fn value(&self, asked: Asked, record: &Record) -> Truth {
        let (it, s) = (self.interpreter, record.before());
        let Some(code) = asked.code else { return Truth::True };
        let shape = if asked.shape { it.shape(s) } else { self.all };
        let timeout = asked.timeout && it.is_idle(s);
        let mut context = Context { interpreter: it, shape, s, me: NOBODY, base: 0, timeout, asked: false };
        match context.value(code) {
            Ok(0) => Truth::False,
            Ok(_) => Truth::True,
            Err(_) => Truth::Fault,
        }
    }

    fn answer(&self, question: usize, record: &Record) -> Truth {
        let truth = |yes| if yes { Truth::True } else { Truth::False };
        if let Some(&asked) = self.propositions.get(question) {
            return self.value(asked, record);
        }
        if let Some(&(pid, at, _, code)) = self.assertions.get(question - self.propositions.len()) {
            return truth(self.is_violated((pid, at, code), record));
        }
        match question - self.may_end() {
            0 => truth(self.ends(record)),
            1 => truth(match self.interpreter.head {
                Head::Word => record.before().is(0, HOLDER, 0xff, 0),
                Head::Known { .. } => true,
            }),
            e => self.value(self.guards[e - 2], record),
        }
    }

    /// Is an assertion violated?
    fn is_violated(&self, (pid, at, code): (u32, LocId, u32), record: &Record) -> bool {
        let before = record.before();
        self.stands(before, pid, at.0)
            && !Context::new(self.interpreter, before, pid).value(code).is_ok_and(|v| v != 0)
    }

    /// Is every process where a run may end?
    fn ends(&self, record: &Record) -> bool {
        let (it, s) = (self.interpreter, record.before());
        it.shape(s).processes.iter().all(|&(of, base)| {
            let (location, table) = (it.frames.types[of as usize].location, &it.types[of as usize].end);
            s.which(location, base, table.len(), |l| !table[l]).is_none()
        })
    }
}

/// What an expression may depend on besides variables.
fn asked(interpreter: &Interpreter, e: ExprId, code: Option<u32>) -> Asked {
    let program = interpreter.program();
    let plain = |e: Expr| match e {
        Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::If(..) | Expr::Bounded(..) => true,
        Expr::Read(place) => !matches!(place.var, crate::Var::Remote(..)),
        _ => false,
    };
    Asked {
        code,
        shape: program.mentions(e, |e| !plain(e)),
        timeout: program.mentions(e, |e| matches!(e, Expr::Timeout | Expr::Enabled(_))),
    }
}

/// The slots of a program: the head, shared variables and channels, then process by process, each with its location first.
fn slots(interpreter: &Interpreter, all: &Shape) -> Slots {
    let frames = &interpreter.frames;
    let mut slots = Slots::new(interpreter.words());
    if let Head::Word = interpreter.head {
        // The sink is all ones, which must not be a number of processes.
        let most = all.processes.len() as u32 + 1;
        slots.add(0, 0, u32::MAX >> most.leading_zeros());
        slots.add(0, HOLDER, 0xff);
    }
    let channel = |slots: &mut Slots, (kind, at): (u32, u32)| {
        let queue = &frames.queues[kind as usize];
        if queue.capacity > 0 {
            slots.field(queue.count, at);
            for i in 0..queue.capacity {
                queue.fields.iter().for_each(|a| slots.field(a.element(i), at));
            }
        }
    };
    frames.shared.iter().flat_map(|v| v.fields()).for_each(|f| slots.field(f, 0));
    frames.channels.iter().for_each(|&c| channel(&mut slots, c));
    for &(of, base) in &all.processes {
        let frame = &frames.types[of as usize];
        slots.field(frame.location, base);
        slots.field(frame.priority, base);
        frame.locals.iter().flat_map(|v| v.fields()).for_each(|f| slots.field(f, base));
        frame.channels.iter().for_each(|&(kind, at)| channel(&mut slots, (kind, base + at)));
    }
    slots
}

impl System for Observer<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.interpreter.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let dst = &mut dst[..self.words()];
        let action = self.interpreter.next(src, at, dst)?;
        if self.interpreter.is_fault(dst) {
            dst.copy_from_slice(&self.sink.2);
        } else {
            let len = self.interpreter.len(dst);
            dst[len..].fill(0);
        }
        Some(action)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.interpreter.failed(s)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        self.interpreter.undefined(s)
    }
}

impl Observable for Observer<'_> {
    fn slots(&self) -> &[Slot] {
        &self.slots.list
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn attempt(&self, group: usize, s: &[u32], seen: &mut Observation) {
        seen.clear();
        match &self.groups[group] {
            Group::All => self.everything(s, seen),
            &Group::Own { at, whole, timeout } => {
                if !self.is_elsewhere(at.0, at.1, s, seen) {
                    let record = Record::new(&self.slots, s, seen);
                    self.own(at, whole, timeout, &record);
                    *seen = record.finish();
                }
            }
            Group::Meet(meeting) => {
                let elsewhere = |(pid, from), seen: &mut Observation| self.is_elsewhere(pid, from, s, seen);
                if !elsewhere(meeting.sender, seen) && !elsewhere(meeting.receiver, seen) {
                    let record = Record::new(&self.slots, s, seen);
                    self.meet(meeting, &record);
                    *seen = record.finish();
                }
            }
        }
    }

    fn ask(&self, question: usize, s: &[u32], seen: &mut Observation) -> Truth {
        seen.clear();
        let record = Record::new(&self.slots, s, seen);
        let truth = self.answer(question, &record);
        *seen = record.finish();
        truth
    }

    fn sink(&self) -> (u32, u32, Vec<u32>) {
        self.sink.clone()
    }
}
