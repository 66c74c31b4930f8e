//! From the form to bytecode, for one process type at a time.
//!
//! What belongs to the process that runs is addressed relative to its frame: [`OWN`] marks such a word. What is not
//! at a known place is a [`Question`].

use crate::domain::StoreRule;
use crate::form::{
    Action, Block, Expr, Guard, Offer, Pattern, Place, Program, Query, Receive, Statement, Var, Variable,
    Work as EdgeWork,
};
use crate::frame::{Frame, Frames};
use crate::ids::{ExprId, LocId, ProcId};
use crate::layout::{ArrayField, Field, Slot};
use crate::machine::{DEEPEST, Instr, Op, forms};
use crate::machine::{TooDeep, array, field, instr};
use crate::{Binary, Unary};
use riata_source::Span;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Marks a word that is counted from the start of the frame of the process that runs.
pub const OWN: u32 = 1 << 31;

/// What code can ask about a state.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub enum Question {
    Pid,
    Processes,
    Timeout,
    NonProgress,
    Accepting,
    Enabled,
    LocationOf,
    PriorityOf,
    Channel(Query),
    Poll(u32),
    At(ProcId, LocId),
    /// A variable of another process; the operand is its pid, and the index is what the code at `index` leaves.
    Remote {
        process: ProcId,
        slot: Slot,
        index: Option<u32>,
    },
}

/// Which channel.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub enum ChannelCode {
    Known(i32),
    Code(u32),
}

/// What must hold.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub enum GuardCode {
    Always,
    When(u32),
    Else,
}

/// What an action sends or receives.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub enum OfferCode {
    None,
    /// Whether it may be a fault to evaluate the message is known.
    Send {
        channel: ChannelCode,
        sorted: bool,
        message: u32,
        values: u32,
        fails: bool,
    },
    Receive(u32),
}

/// What a value of a message must be.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub enum PatternCode {
    Any,
    Bind,
    Known(i32),
    Match(u32),
}

/// A receive.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct ReceiveCode {
    pub channel: ChannelCode,
    pub any: bool,
    pub keeps: bool,
    pub patterns: Vec<PatternCode>,
    /// Stores what is bound.
    pub bind: u32,
    pub span: Span,
}

/// The creation of a process.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct RunCode {
    pub process: u32,
    /// Evaluates the arguments, and the priority after them.
    pub arguments: u32,
    pub count: u32,
    pub has_priority: bool,
    /// Stores the pid.
    pub pid: Option<u32>,
    pub span: Span,
}

/// A part of an effect.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub enum Piece {
    Code(u32),
    Run(Box<RunCode>),
    /// Leaves the pid and the priority as a message.
    SetPriority(u32),
    Exit,
}

/// A guard, an offer and an effect.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct ActionCode {
    pub guard: GuardCode,
    pub offer: OfferCode,
    pub pieces: Vec<Piece>,
    pub exits: bool,
    pub span: Span,
}

/// What an edge does.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub enum WorkCode {
    Action(ActionCode),
    Block(u32, Span),
}

impl WorkCode {
    /// What must hold for it, if that is all it needs.
    pub(crate) fn plain(&self) -> Option<GuardCode> {
        match self {
            WorkCode::Action(ActionCode { guard, offer: OfferCode::None, exits: false, .. }) => match guard {
                GuardCode::Else => None,
                guard => Some(*guard),
            },
            _ => None,
        }
    }

    /// Is it a receive from a channel that is known to be a rendezvous?
    pub(crate) fn is_passive(&self, p: ProcId, generator: &Generator) -> bool {
        let WorkCode::Action(ActionCode { offer: OfferCode::Receive(r), .. }) = self else { return false };
        let Some(ReceiveCode { keeps: false, .. }) = &generator.receives[*r as usize] else {
            return false;
        };
        let is_rendezvous = |k: i32| {
            let opening =
                usize::try_from(k.wrapping_sub(1)).ok().and_then(|c| generator.program.opens.get(c));
            opening.is_some_and(|o| generator.program.channels[o.channel as usize].capacity == 0)
        };
        generator.channels(p, *r).is_some_and(|mut all| all.all(is_rendezvous))
    }

    /// The guard of an action.
    pub(crate) fn guard(&self) -> Option<GuardCode> {
        match self {
            WorkCode::Action(action) => Some(action.guard),
            WorkCode::Block(..) => None,
        }
    }

    /// The channels from which it may receive by rendezvous: bit `n % 64` for channel `n`.
    pub(crate) fn receives(&self, p: ProcId, generator: &Generator) -> u64 {
        let of = |action: &ActionCode| match action.offer {
            OfferCode::Receive(r) if generator.receives[r as usize].is_none() => 0,
            OfferCode::Receive(r) => match generator.channels(p, r) {
                Some(all) if all.clone().count() < 64 => all.fold(0, |mask, k| mask | 1 << (k & 63)),
                _ => u64::MAX,
            },
            _ => 0,
        };
        match self {
            WorkCode::Action(action) => of(action),
            WorkCode::Block(b, _) => {
                let first = generator.blocks[*b as usize].iter().flat_map(|b| &b.nodes[0]);
                first.fold(0, |mask, (action, _)| mask | of(action))
            }
        }
    }
}

/// An edge.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct EdgeCode {
    /// Its number in its process type.
    pub number: u32,
    pub to: u32,
    pub keeps: bool,
    pub rank: u32,
    pub work: WorkCode,
    /// If the edge can be taken just when this code leaves something: no messages, no `else`.
    pub plain: Option<GuardCode>,
    /// Code that does all that a plain edge does: it goes on, and has its effect.
    pub fused: Option<u32>,
    /// Is it a receive by rendezvous, which only a sender can take?
    pub passive: bool,
    /// If its guard is a conjunction, the code of each part.
    pub conjuncts: Vec<u32>,
}

/// A block: for each node its actions, each with the node where it leads.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct BlockCode {
    pub nodes: Vec<Vec<(ActionCode, Option<u32>)>>,
}

/// Grows the code of a whole program.
pub(crate) struct Generator<'a> {
    pub program: &'a Program,
    pub frames: &'a Frames,
    pub asserts: bool,
    pub code: Vec<Instr>,
    pub spans: Vec<Span>,
    pub questions: Vec<Question>,
    pub receives: Vec<Option<ReceiveCode>>,
    pub blocks: Vec<Option<BlockCode>>,
    pub uses_timeout: bool,
    /// The deepest value stack.
    pub depth: usize,
}

enum Todo {
    Eval(ExprId),
    Emit(Instr, Span),
    Push,
    Pop(Instr, Span),
    Fork(Op),
    Otherwise,
    Join,
}

type Coded<T> = Result<T, TooDeep>;

impl<'a> Generator<'a> {
    pub fn new(program: &'a Program, frames: &'a Frames, asserts: bool) -> Self {
        Generator {
            program,
            frames,
            asserts,
            code: Vec::new(),
            spans: Vec::new(),
            questions: Vec::new(),
            receives: vec![None; program.receives.len()],
            blocks: vec![None; program.blocks.len()],
            uses_timeout: false,
            depth: 0,
        }
    }

    /// The channels that a receive may mean, if that is known, and to ask for it is never a fault: one, or some in a row of which
    /// a variable tells the place.
    fn channels(&self, p: ProcId, receive: u32) -> Option<RangeInclusive<i32>> {
        let exprs = &self.program.exprs;
        let channel = self.program.receives[receive as usize].channel;
        if let Some(k) = exprs.constant(channel) {
            return Some(k..=k);
        }
        let Expr::Binary(Binary::Add, place, first) = exprs.get(channel) else { return None };
        let (Expr::Bounded(index, n), Expr::Const(first)) = (exprs.get(place), exprs.get(first)) else {
            return None;
        };
        let Expr::Read(Place { var: Var::Local(v), index: None }) = exprs.get(index) else { return None };
        let domain = self.program.processes[p.index()].locals[v as usize].domain;
        let is_inside = domain.is_full() && domain.min >= 0 && i64::from(domain.max) < i64::from(n);
        is_inside.then(|| first.wrapping_add(domain.min)..=first.wrapping_add(domain.max))
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn emit(&mut self, instr: Instr, span: Span) {
        self.code.push(instr);
        self.spans.push(span);
    }

    fn finish(&mut self) {
        self.emit(instr(Op::Return), Span::default());
    }

    /// A piece of code that leaves the value of `e`.
    pub fn value(&mut self, me: Option<ProcId>, e: ExprId) -> Coded<u32> {
        self.prepare(me, e)?;
        let start = self.here();
        self.expr(me, e)?;
        self.finish();
        Ok(start)
    }

    /// The code of the parts of a guard, if there are several.
    pub fn conjuncts(&mut self, p: ProcId, work: &EdgeWork) -> Coded<Vec<u32>> {
        let first = match work {
            EdgeWork::Action(action) => action,
            EdgeWork::Block(b, _) => match &self.program.blocks[*b as usize].nodes[0][..] {
                [(action, _)] => action,
                _ => return Ok(Vec::new()),
            },
        };
        let Guard::When(e) = &first.guard else { return Ok(Vec::new()) };
        let parts = self.program.exprs.conjuncts(*e);
        if parts.len() == 1 {
            return Ok(Vec::new());
        }
        parts.into_iter().map(|e| self.value(Some(p), e)).collect()
    }

    /// Makes the pieces of code that `root` refers to, which must not lie inside its own.
    fn prepare(&mut self, me: Option<ProcId>, root: ExprId) -> Coded<()> {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.program.exprs.get(e);
            if let Expr::Poll(r) = expr {
                self.receive(me, r)?;
            }
            todo.extend(crate::form::Exprs::operands(expr));
        }
        Ok(())
    }

    fn expr(&mut self, me: Option<ProcId>, root: ExprId) -> Coded<()> {
        let mut todo = vec![Todo::Eval(root)];
        let mut forks: Vec<usize> = Vec::new();
        // One slot is kept for the value of an assignment to an array.
        let mut depth = 1;
        while let Some(next) = todo.pop() {
            match next {
                Todo::Emit(i, span) => self.emit(i, span),
                Todo::Push => {
                    depth += 1;
                    self.depth = self.depth.max(depth);
                    if depth > DEEPEST {
                        return Err(TooDeep { span: self.program.exprs.span(root) });
                    }
                    self.emit(instr(Op::Push), Span::default());
                }
                Todo::Pop(i, span) => {
                    depth -= 1;
                    self.emit(i, span);
                }
                Todo::Fork(op) => {
                    forks.push(self.code.len());
                    self.emit(instr(op), Span::default());
                }
                Todo::Otherwise => {
                    let jump = self.code.len();
                    self.emit(instr(Op::Jump), Span::default());
                    let fork = forks.pop().expect("a fork for every join");
                    self.code[fork].mask = self.here();
                    forks.push(jump);
                }
                Todo::Join => {
                    let fork = forks.pop().expect("a fork for every join");
                    self.code[fork].mask = self.here();
                }
                Todo::Eval(e) => self.eval(me, e, &mut todo)?,
            }
        }
        self.depth = self.depth.max(depth);
        Ok(())
    }

    fn ask(&mut self, question: Question, span: Span) -> Todo {
        self.questions.push(question);
        Todo::Emit(Instr { k: self.questions.len() as i32 - 1, ..instr(Op::Ask) }, span)
    }

    fn eval(&mut self, me: Option<ProcId>, e: ExprId, todo: &mut Vec<Todo>) -> Coded<()> {
        let span = self.program.exprs.span(e);
        let question = match self.program.exprs.get(e) {
            Expr::Const(k) => {
                todo.push(Todo::Emit(Instr { k, ..instr(Op::Const) }, span));
                return Ok(());
            }
            Expr::Read(place) => return self.read(me, place, span, todo),
            Expr::Unary(op, a) => {
                let op = match op {
                    Unary::Neg => Op::Neg,
                    Unary::Complement => Op::Complement,
                    Unary::Not => Op::Not,
                };
                todo.extend([Todo::Emit(instr(op), span), Todo::Eval(a)]);
                return Ok(());
            }
            Expr::Binary(op, a, b) => {
                self.binary(me, op, (a, b), span, todo);
                return Ok(());
            }
            Expr::If(c, a, b) => {
                todo.extend([
                    Todo::Join,
                    Todo::Eval(b),
                    Todo::Otherwise,
                    Todo::Eval(a),
                    Todo::Fork(Op::JumpZero),
                    Todo::Eval(c),
                ]);
                return Ok(());
            }
            Expr::Bounded(a, n) => {
                todo.extend([Todo::Emit(Instr { mask: n, ..instr(Op::Bound) }, span), Todo::Eval(a)]);
                return Ok(());
            }
            Expr::Pid => match self.constant_pid(me) {
                Some(k) => {
                    todo.push(Todo::Emit(Instr { k, ..instr(Op::Const) }, span));
                    return Ok(());
                }
                None => (Question::Pid, None),
            },
            Expr::Processes => (Question::Processes, None),
            Expr::Timeout => {
                self.uses_timeout = true;
                (Question::Timeout, None)
            }
            Expr::NonProgress => (Question::NonProgress, None),
            Expr::Accepting => (Question::Accepting, None),
            Expr::Enabled(a) => (Question::Enabled, Some(a)),
            Expr::LocationOf(a) => (Question::LocationOf, Some(a)),
            Expr::PriorityOf(a) => (Question::PriorityOf, Some(a)),
            Expr::Channel(q, a) => match self.standing_channel(a) {
                Some((count, capacity)) => {
                    self.query(q, count, capacity as i32, span, todo);
                    return Ok(());
                }
                None => (Question::Channel(q), Some(a)),
            },
            Expr::Poll(r) => (Question::Poll(r), None),
            Expr::At(p, a, l) => match self.standing(p, a) {
                Some(f) => {
                    todo.push(Todo::Emit(Instr { k: l.0 as i32, ..field(Op::At, f.location) }, span));
                    return Ok(());
                }
                None => (Question::At(p, l), Some(a)),
            },
        };
        let asked = self.ask(question.0, span);
        todo.push(asked);
        todo.extend(question.1.map(Todo::Eval));
        Ok(())
    }

    fn read(&mut self, me: Option<ProcId>, place: Place, span: Span, todo: &mut Vec<Todo>) -> Coded<()> {
        if let Var::Remote(process, var, pid) = place.var {
            if let Some(frame) = self.standing(process, pid) {
                return self.read_slot(frame.locals[var as usize], place.index, span, todo);
            }
            let slot = self.frames.types[process.index()].locals[var as usize];
            // The index is evaluated by a piece of code of its own, which is jumped over here.
            let index = match place.index {
                None => None,
                Some(index) => {
                    let jump = self.code.len();
                    self.emit(instr(Op::Jump), span);
                    let start = self.here();
                    self.expr(me, index)?;
                    self.finish();
                    self.code[jump].mask = self.here();
                    Some(start)
                }
            };
            let asked = self.ask(Question::Remote { process, slot, index }, span);
            todo.extend([asked, Todo::Eval(pid)]);
            return Ok(());
        }
        self.read_slot(self.slot(me, place.var), place.index, span, todo)
    }

    /// The pid of the process that runs, if it is the only one of its type, ever.
    fn constant_pid(&self, me: Option<ProcId>) -> Option<i32> {
        let p = me.filter(|p| self.frames.types[p.index()].fixed)?;
        self.program.start.iter().position(|s| s.process == p).map(|pid| pid as i32)
    }

    /// Where the number of messages of a channel is that exists from the start, and how many it holds.
    fn standing_channel(&self, channel: ExprId) -> Option<(Field, u32)> {
        let number = usize::try_from(self.program.exprs.constant(channel)?.checked_sub(1)?).ok()?;
        let &(kind, at) = self.frames.channels.get(number)?;
        let queue = &self.frames.queues[kind as usize];
        Some((queue.count.moved(at), queue.capacity))
    }

    /// Asks a channel whose place is known.
    fn query(&self, q: Query, count: Field, capacity: i32, span: Span, todo: &mut Vec<Todo>) {
        let k = |op, k| Todo::Emit(Instr { k, ..instr(op) }, span);
        if capacity == 0 {
            todo.push(k(Op::Const, q.answer(0, 0)));
            return;
        }
        match q {
            Query::Len => {}
            Query::Empty => todo.push(k(Op::EqConst, 0)),
            Query::NonEmpty => todo.push(k(Op::NeConst, 0)),
            Query::Full => todo.push(k(Op::GeConst, capacity)),
            Query::NonFull => todo.push(k(Op::LtConst, capacity)),
        }
        todo.push(Todo::Emit(field(Op::Load, count), span));
    }

    /// The frame of the one process of a type, if it is always there, always at the same place, and meant by `pid`.
    fn standing(&self, p: ProcId, pid: ExprId) -> Option<&'a Frame> {
        let frame = &self.frames.types[p.index()];
        let started = self.program.start.iter().position(|s| s.process == p);
        let meant = self.program.exprs.constant(pid)?;
        let is = started.is_some_and(|at| meant == -1 || meant == at as i32);
        (frame.fixed && self.frames.known && is).then_some(frame)
    }

    fn read_slot(&self, slot: Slot, index: Option<ExprId>, span: Span, todo: &mut Vec<Todo>) -> Coded<()> {
        match (slot, index) {
            (Slot::One(f), _) => todo.push(Todo::Emit(field(Op::Load, f), span)),
            (Slot::Many(a), Some(index)) => match self.constant_element(a, index) {
                Some(f) => todo.push(Todo::Emit(field(Op::Load, f), span)),
                None => todo.extend([Todo::Emit(array(Op::LoadElement, a), span), Todo::Eval(index)]),
            },
            (Slot::Many(a), None) => todo.push(Todo::Emit(field(Op::Load, a.element(0)), span)),
        }
        Ok(())
    }

    fn binary(
        &self,
        me: Option<ProcId>,
        op: Binary,
        (a, b): (ExprId, ExprId),
        span: Span,
        todo: &mut Vec<Todo>,
    ) {
        let exprs = &self.program.exprs;
        let Some(forms) = forms(op) else {
            let fork = match op {
                Binary::And => Op::AndJump,
                Binary::Or => Op::OrJump,
                _ => Op::ImplyJump,
            };
            todo.push(Todo::Join);
            if !exprs.is_truth(b) {
                todo.push(Todo::Emit(instr(Op::Bool), span));
            }
            todo.extend([Todo::Eval(b), Todo::Fork(fork), Todo::Eval(a)]);
            return;
        };
        let commutes = matches!(op, Binary::Add | Binary::Mul | Binary::Eq | Binary::Ne);
        let (a, b) = if commutes && exprs.constant(a).is_some() { (b, a) } else { (a, b) };
        if let Some(k) = exprs.constant(b)
            && op.apply(1, k).is_some()
        {
            todo.extend([Todo::Emit(Instr { k, ..instr(forms.constant) }, span), Todo::Eval(a)]);
            return;
        }
        if let (Some(form), Some(f)) = (forms.field, self.leaf(me, b)) {
            todo.extend([Todo::Emit(field(form, f), span), Todo::Eval(a)]);
            return;
        }
        todo.extend([Todo::Pop(instr(forms.pop), span), Todo::Eval(b), Todo::Push, Todo::Eval(a)]);
    }

    /// The field that `e` reads, if that is all it does.
    fn leaf(&self, me: Option<ProcId>, e: ExprId) -> Option<Field> {
        let Expr::Read(place) = self.program.exprs.get(e) else { return None };
        self.scalar(me, place)
    }

    fn scalar(&self, me: Option<ProcId>, place: Place) -> Option<Field> {
        if matches!(place.var, Var::Remote(..)) {
            return None;
        }
        match (self.slot(me, place.var), place.index) {
            (Slot::One(f), _) => Some(f),
            (Slot::Many(a), Some(index)) => self.constant_element(a, index),
            (Slot::Many(a), None) => Some(a.element(0)),
        }
    }

    fn constant_element(&self, a: ArrayField, index: ExprId) -> Option<Field> {
        let index = u32::try_from(self.program.exprs.constant(index)?).ok()?;
        (index < a.len).then(|| a.element(index))
    }

    /// Where a variable is: a shared one, or one of the process that runs.
    fn slot(&self, me: Option<ProcId>, var: Var) -> Slot {
        match (var, me) {
            (Var::Shared(v), _) => self.frames.shared[v as usize],
            (Var::Local(v), Some(p)) if self.frames.types[p.index()].fixed => {
                self.frames.types[p.index()].locals[v as usize]
            }
            (Var::Local(v), Some(p)) => match self.frames.types[p.index()].locals[v as usize] {
                // A field without bits is nowhere; word 0 will do.
                Slot::One(f) if f.mask == 0 => Slot::One(f),
                Slot::One(f) => Slot::One(Field { word: f.word | OWN, ..f }),
                Slot::Many(a) => Slot::Many(ArrayField { word: a.word | OWN, ..a }),
            },
            _ => unreachable!("verified: a place that is stored to is shared or the process's own"),
        }
    }

    /// Code that stores the accumulator.
    fn store(&mut self, me: Option<ProcId>, place: Place, variable: &Variable, span: Span) -> Coded<()> {
        let Variable { domain, rule, .. } = *variable;
        let check = Instr { mask: domain.extent(), k: domain.min, ..instr(Op::Check) };
        if let Some(f) = self.scalar(me, place) {
            let fits = f.mask == domain.extent();
            match rule {
                StoreRule::Fault if !fits => self.emit(check, span),
                // An element of an array has more bits than the value may use.
                StoreRule::Wrap if !fits => {
                    for (op, k) in [
                        (Op::SubConst, domain.min),
                        (Op::BitAndConst, domain.extent() as i32),
                        (Op::AddConst, domain.min),
                    ] {
                        self.emit(Instr { k, ..instr(op) }, span);
                    }
                }
                _ => {}
            }
            let op = if rule == StoreRule::Fault && fits { Op::StoreFault } else { Op::StoreWrap };
            self.emit(field(op, f), span);
            return Ok(());
        }
        let (Slot::Many(a), Some(index)) = (self.slot(me, place.var), place.index) else { return Ok(()) };
        self.emit(instr(Op::Push), span);
        self.expr(me, index)?;
        let fits = a.mask() == domain.extent();
        if !fits {
            let op = if rule == StoreRule::Fault { Op::CheckPushed } else { Op::WrapPushed };
            self.emit(Instr { op, ..check }, span);
        }
        let op = if rule == StoreRule::Fault && fits { Op::StoreElementFault } else { Op::StoreElementWrap };
        self.emit(array(op, a), self.program.exprs.span(index));
        Ok(())
    }

    fn variable(&self, me: Option<ProcId>, place: Place) -> &'a Variable {
        self.program.variable(me, place.var).expect("verified: the variable exists")
    }

    fn prepare_place(&mut self, me: Option<ProcId>, place: Place) -> Coded<()> {
        place.index.map_or(Ok(()), |i| self.prepare(me, i))
    }

    fn assign(&mut self, me: ProcId, place: Place, value: ExprId) -> Coded<()> {
        let variable = self.variable(Some(me), place);
        let span = self.program.exprs.span(value);
        if let (Some(f), Some(k)) = (self.scalar(Some(me), place), self.program.exprs.constant(value))
            && (variable.rule == StoreRule::Wrap || variable.domain.contains(k))
        {
            let k = if variable.rule == StoreRule::Wrap { variable.domain.wrap(k) } else { k };
            let raw = k.wrapping_sub(f.min);
            self.emit(Instr { k: raw, ..field(Op::Set, f) }, span);
            return Ok(());
        }
        self.expr(Some(me), value)?;
        self.store(Some(me), place, variable, span)
    }

    fn channel(&mut self, me: Option<ProcId>, e: ExprId) -> Coded<ChannelCode> {
        match self.program.exprs.constant(e) {
            Some(k) => Ok(ChannelCode::Known(k)),
            None => Ok(ChannelCode::Code(self.value(me, e)?)),
        }
    }

    /// Code that makes the values a message, as they are.
    fn message(&mut self, me: ProcId, values: &[ExprId]) -> Coded<u32> {
        for &v in values {
            self.prepare(Some(me), v)?;
        }
        let start = self.here();
        for (i, &v) in values.iter().enumerate() {
            self.expr(Some(me), v)?;
            let keep = Instr { first: i as u16, mask: u32::MAX, ..instr(Op::ToMessage) };
            self.emit(keep, self.program.exprs.span(v));
        }
        self.finish();
        Ok(start)
    }

    pub fn receive(&mut self, me: Option<ProcId>, r: u32) -> Coded<()> {
        if self.receives[r as usize].is_some() {
            return Ok(());
        }
        let program = self.program;
        let Receive { channel, any, keeps, patterns, span } = &program.receives[r as usize];
        let channel = self.channel(me, *channel)?;
        let mut codes = Vec::new();
        for pattern in patterns {
            codes.push(match *pattern {
                Pattern::Any => PatternCode::Any,
                Pattern::Bind(_) => PatternCode::Bind,
                Pattern::Match(e) => match self.program.exprs.constant(e) {
                    Some(k) => PatternCode::Known(k),
                    None => PatternCode::Match(self.value(me, e)?),
                },
            });
        }
        for pattern in patterns {
            if let Pattern::Bind(place) = *pattern {
                self.prepare_place(me, place)?;
            }
        }
        let bind = self.here();
        for (i, pattern) in patterns.iter().enumerate() {
            if let Pattern::Bind(place) = *pattern {
                self.emit(Instr { first: i as u16, ..instr(Op::FromMessage) }, *span);
                let variable = self.variable(me, place);
                self.store(me, place, variable, *span)?;
            }
        }
        self.finish();
        let code = ReceiveCode { channel, any: *any, keeps: *keeps, patterns: codes, bind, span: *span };
        self.receives[r as usize] = Some(code);
        Ok(())
    }

    pub fn action(&mut self, me: ProcId, action: &Action) -> Coded<ActionCode> {
        let guard = match action.guard {
            Guard::Always => GuardCode::Always,
            Guard::Else => GuardCode::Else,
            Guard::When(e) if self.program.exprs.constant(e).is_some_and(|k| k != 0) => GuardCode::Always,
            Guard::When(e) => GuardCode::When(self.value(Some(me), e)?),
        };
        let offer = match &action.offer {
            Offer::None => OfferCode::None,
            Offer::Send { channel, sorted, values } => OfferCode::Send {
                channel: self.channel(Some(me), *channel)?,
                sorted: *sorted,
                message: self.message(me, values)?,
                values: values.len() as u32,
                fails: values
                    .iter()
                    .any(|&v| self.program.mentions(v, |e| e.may_fail() || matches!(e, Expr::Enabled(_)))),
            },
            Offer::Receive(r) => {
                self.receive(Some(me), *r)?;
                OfferCode::Receive(*r)
            }
        };
        let mut pieces = Vec::new();
        let mut plain: Vec<&Statement> = Vec::new();
        let mut exits = false;
        for statement in &action.effect {
            match statement {
                Statement::Assign(..) | Statement::Assert(_) => plain.push(statement),
                Statement::Print(_) => {}
                Statement::Run { process, arguments, priority, pid, span } => {
                    self.flush(me, &mut plain, &mut pieces)?;
                    let mut values = arguments.clone();
                    values.extend(*priority);
                    let code = RunCode {
                        process: process.0,
                        arguments: self.message(me, &values)?,
                        count: arguments.len() as u32,
                        has_priority: priority.is_some(),
                        pid: match pid {
                            None => None,
                            Some(place) => Some(self.bind(me, *place, *span)?),
                        },
                        span: *span,
                    };
                    pieces.push(Piece::Run(Box::new(code)));
                }
                Statement::SetPriority(pid, priority) => {
                    self.flush(me, &mut plain, &mut pieces)?;
                    pieces.push(Piece::SetPriority(self.message(me, &[*pid, *priority])?));
                }
                Statement::Exit => {
                    self.flush(me, &mut plain, &mut pieces)?;
                    pieces.push(Piece::Exit);
                    exits = true;
                }
            }
        }
        self.flush(me, &mut plain, &mut pieces)?;
        Ok(ActionCode { guard, offer, pieces, exits, span: action.span })
    }

    /// Code that stores the first value of a message.
    fn bind(&mut self, me: ProcId, place: Place, span: Span) -> Coded<u32> {
        self.prepare_place(Some(me), place)?;
        let start = self.here();
        self.emit(instr(Op::FromMessage), span);
        let variable = self.variable(Some(me), place);
        self.store(Some(me), place, variable, span)?;
        self.finish();
        Ok(start)
    }

    /// One piece of code for statements that need nothing else.
    fn flush(&mut self, me: ProcId, plain: &mut Vec<&Statement>, pieces: &mut Vec<Piece>) -> Coded<()> {
        self.prepare_all(me, plain)?;
        let start = self.here();
        self.statements(me, plain)?;
        if self.here() > start {
            self.finish();
            pieces.push(Piece::Code(start));
        }
        Ok(())
    }

    /// Makes the pieces of code that statements refer to.
    fn prepare_all(&mut self, me: ProcId, statements: &[&Statement]) -> Coded<()> {
        for statement in statements {
            match statement {
                Statement::Assign(place, value) => {
                    self.prepare(Some(me), *value)?;
                    self.prepare_place(Some(me), *place)?;
                }
                Statement::Assert(e) => self.prepare(Some(me), *e)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Code for assignments and assertions.
    fn statements(&mut self, me: ProcId, plain: &mut Vec<&Statement>) -> Coded<()> {
        for statement in plain.drain(..) {
            match statement {
                Statement::Assign(place, value) => self.assign(me, *place, *value)?,
                Statement::Assert(e) if self.asserts => {
                    self.expr(Some(me), *e)?;
                    self.emit(instr(Op::Assert), self.program.exprs.span(*e));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Code that does what a plain edge does, if that is no more than storing, and goes to its location.
    pub fn fused(&mut self, me: ProcId, to: LocId, work: &EdgeWork) -> Coded<Option<u32>> {
        let action = match work {
            EdgeWork::Action(action) => Cow::Borrowed(action),
            EdgeWork::Block(b, _) => match &self.program.blocks[*b as usize].nodes[0][..] {
                [(first, next)] => Cow::Owned(straight(&self.program.blocks[*b as usize], first, *next).0),
                _ => return Ok(None),
            },
        };
        let stores =
            |s: &Statement| matches!(s, Statement::Assign(..) | Statement::Assert(_) | Statement::Print(_));
        if !action.effect.iter().all(stores) {
            return Ok(None);
        }
        let frame = &self.frames.types[me.index()];
        let mut place = frame.location;
        if !frame.fixed && place.mask != 0 {
            place.word |= OWN;
        }
        let goes = Instr { k: to.0 as i32, ..field(Op::Set, place) };
        let mut plain: Vec<&Statement> = action.effect.iter().collect();
        self.prepare_all(me, &plain)?;
        let start = self.here();
        if self.program.scheduling.early {
            self.emit(goes, action.span);
        }
        self.statements(me, &mut plain)?;
        if !self.program.scheduling.early {
            self.emit(goes, action.span);
        }
        self.finish();
        Ok(Some(start))
    }

    /// Code for what is stored when a process is created.
    pub fn initialisers(&mut self, me: ProcId) -> Coded<Option<u32>> {
        let program = self.program;
        let list = &program.processes[me.index()].initialisers;
        for (place, value) in list {
            self.prepare(Some(me), *value)?;
            self.prepare_place(Some(me), *place)?;
        }
        let start = self.here();
        for &(place, value) in list {
            self.assign(me, place, value)?;
        }
        if self.here() == start {
            return Ok(None);
        }
        self.finish();
        Ok(Some(start))
    }

    pub fn work(&mut self, me: ProcId, work: &EdgeWork) -> Coded<WorkCode> {
        match work {
            EdgeWork::Action(action) => Ok(WorkCode::Action(self.action(me, action)?)),
            EdgeWork::Block(b, span) => {
                let block = &self.program.blocks[*b as usize];
                // A straight line is an action, unless it begins with a message.
                if let [(first, next)] = &block.nodes[0][..]
                    && first.offer == Offer::None
                    && let (action, None) = straight(block, first, *next)
                {
                    return Ok(WorkCode::Action(self.action(me, &action)?));
                }
                if self.blocks[*b as usize].is_none() {
                    let mut nodes = Vec::new();
                    for node in &block.nodes {
                        let mut codes = Vec::new();
                        for (action, next) in node {
                            let (action, next) = straight(block, action, *next);
                            codes.push((self.action(me, &action)?, next));
                        }
                        nodes.push(codes);
                    }
                    self.blocks[*b as usize] = Some(BlockCode { nodes });
                }
                Ok(WorkCode::Block(*b, *span))
            }
        }
    }
}

/// An action of a block with those that can only follow it, and where they lead.
fn straight(block: &Block, action: &Action, mut next: Option<u32>) -> (Action, Option<u32>) {
    let mut action = action.clone();
    let mut passed = Vec::new();
    while let Some(n) = next
        && let [(more, then)] = &block.nodes[n as usize][..]
        && more.guard == Guard::Always
        && more.offer == Offer::None
        && !passed.contains(&n)
    {
        passed.push(n);
        action.effect.extend(more.effect.iter().cloned());
        next = *then;
    }
    (action, next)
}
