//! The form of programs: plain data, every part with the source span it comes from.
//!
//! A process is created at the start or by a statement, and dies; a channel is named by a number that can be stored and
//! sent; an edge may keep control so that others wait. Expressions are in an arena where operands come before their
//! operators, so that every pass over them is a loop.

use crate::domain::{Domain, Proposition, StoreRule};
use crate::ids::{ExprId, LocId, ProcId};
use crate::{Binary, Unary};
use riata_source::Span;

/// How a value is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shown {
    /// As a number.
    Number,
    /// As one of the names of a set of symbols: its number in [`Program::symbols`].
    Symbol(u32),
    /// As a channel.
    Channel,
}

/// A variable or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// What it can hold.
    pub domain: Domain,
    /// What happens to other values.
    pub rule: StoreRule,
    /// The number of elements of an array.
    pub len: Option<u32>,
    /// The initial values: one, or one per element.
    pub initial: Vec<i32>,
    /// How its values are shown.
    pub shown: Shown,
    /// Where it is declared.
    pub span: Span,
}

/// A declaration of channels, of capacity 0 rendezvous, otherwise queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name in the source.
    pub name: String,
    /// How many messages it holds.
    pub capacity: u32,
    /// To what each value of a message is cut; every domain is full.
    pub fields: Vec<Domain>,
    /// How the values are shown.
    pub shown: Vec<Shown>,
    /// Where it is declared.
    pub span: Span,
}

/// The creation of one channel, and the variable that keeps its number: an element of an array if it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The declaration: an index of [`Program::channels`].
    pub channel: u32,
    /// The variable: shared, or local to the process that opens the channel.
    pub var: u32,
    /// The element, 0 for a scalar.
    pub element: u32,
}

/// Whose variable is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    /// A shared one.
    Shared(u32),
    /// One of the process that evaluates.
    Local(u32),
    /// One of another process, of this type and with the pid that the expression tells.
    Remote(ProcId, u32, ExprId),
}

/// A variable, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which variable.
    pub var: Var,
    /// Which element, if it is an array.
    pub index: Option<ExprId>,
}

impl Place {
    /// The expressions that tell which element, and whose, is meant.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        let pid = if let Var::Remote(_, _, pid) = self.var { Some(pid) } else { None };
        self.index.into_iter().chain(pid)
    }
}

/// What can be asked of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// How many messages it holds.
    Len,
    /// Has it none?
    Empty,
    /// Has it some?
    NonEmpty,
    /// Is there no room?
    Full,
    /// Is there room?
    NonFull,
}

impl Query {
    /// The answer for a channel that holds `count` messages. A rendezvous is empty, and not full.
    #[inline]
    pub(crate) fn answer(self, count: u32, capacity: u32) -> i32 {
        match self {
            Query::Len => count as i32,
            Query::Empty => i32::from(count == 0),
            Query::NonEmpty => i32::from(count != 0),
            Query::Full => i32::from(capacity > 0 && count >= capacity),
            Query::NonFull => i32::from(capacity == 0 || count < capacity),
        }
    }
}

/// An expression; its operands are elements of the same arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// What a variable holds.
    Read(Place),
    /// An operator on one operand.
    Unary(Unary, ExprId),
    /// An operator on two operands.
    Binary(Binary, ExprId, ExprId),
    /// The second if the first is not zero, otherwise the third.
    If(ExprId, ExprId, ExprId),
    /// The operand, which must be less than the number: an index of an array in an array.
    Bounded(ExprId, u32),
    /// The pid of the process that evaluates.
    Pid,
    /// How many processes there are.
    Processes,
    /// Can nothing else move?
    Timeout,
    /// Is no process at a progress location?
    NonProgress,
    /// Is a process at an accepting location?
    Accepting,
    /// Can the process with this pid move?
    Enabled(ExprId),
    /// The number of the location of the process with this pid.
    LocationOf(ExprId),
    /// The priority of the process with this pid.
    PriorityOf(ExprId),
    /// A question to the channel that the operand names.
    Channel(Query, ExprId),
    /// Could this receive be taken now? Its number in [`Program::receives`].
    Poll(u32),
    /// Is the process of this type with this pid at the location?
    At(ProcId, ExprId, LocId),
}

/// The arena of expressions: operands before operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exprs {
    nodes: Vec<Expr>,
    spans: Vec<Span>,
}

impl Exprs {
    /// Adds an expression that comes from `span`. Constants are folded where that is no fault.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        let folded = match expr {
            Expr::Unary(op, a) => self.constant(a).map(|a| op.apply(a)),
            Expr::Binary(op, a, b) => match (op, self.constant(a), self.constant(b)) {
                (Binary::And, Some(0), _) => Some(0),
                (Binary::Or, Some(x), _) if x != 0 => Some(1),
                (_, Some(a), Some(b)) => op.apply(a, b),
                _ => None,
            },
            Expr::Bounded(a, n) => self.constant(a).filter(|&a| (a as u32) < n),
            Expr::If(c, a, b) => {
                self.constant(c).and_then(|c| if c != 0 { self.constant(a) } else { self.constant(b) })
            }
            _ => None,
        };
        self.nodes.push(folded.map_or(expr, Expr::Const));
        self.spans.push(span);
        ExprId::new(self.nodes.len() - 1)
    }

    /// The value, if it is known without a state.
    pub fn constant(&self, e: ExprId) -> Option<i32> {
        match self.get(e) {
            Expr::Const(k) => Some(k),
            _ => None,
        }
    }

    /// The expression.
    pub fn get(&self, e: ExprId) -> Expr {
        self.nodes[e.index()]
    }

    /// Where it comes from.
    pub fn span(&self, e: ExprId) -> Span {
        self.spans[e.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operands of an expression. Those of a poll are with its receive.
    pub fn operands(expr: Expr) -> impl Iterator<Item = ExprId> {
        let place = |p: Place| {
            let pid = if let Var::Remote(_, _, pid) = p.var { Some(pid) } else { None };
            [p.index, pid, None]
        };
        let operands = match expr {
            Expr::Const(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Poll(_) => [None; 3],
            Expr::Read(p) => place(p),
            Expr::Unary(_, a)
            | Expr::Bounded(a, _)
            | Expr::Enabled(a)
            | Expr::LocationOf(a)
            | Expr::PriorityOf(a)
            | Expr::Channel(_, a)
            | Expr::At(_, a, _) => [Some(a), None, None],
            Expr::Binary(_, a, b) => [Some(a), Some(b), None],
            Expr::If(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The parts of a conjunction, in their order; `e` alone if it is none.
    pub fn conjuncts(&self, e: ExprId) -> Vec<ExprId> {
        let (mut parts, mut todo) = (Vec::new(), vec![e]);
        while let Some(e) = todo.pop() {
            match self.get(e) {
                Expr::Binary(Binary::And, a, b) => todo.extend([b, a]),
                _ => parts.push(e),
            }
        }
        parts
    }

    /// Is the value of `e` always 0 or 1?
    pub fn is_truth(&self, e: ExprId) -> bool {
        match self.get(e) {
            Expr::Const(k) => k == 0 || k == 1,
            Expr::Unary(op, _) => op == Unary::Not,
            Expr::Binary(op, ..) => op.is_truth(),
            Expr::Channel(q, _) => q != Query::Len,
            Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::Poll(_)
            | Expr::At(..) => true,
            _ => false,
        }
    }
}

/// What a receive does with one value of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Stores it.
    Bind(Place),
    /// Takes the message only if the value equals this one.
    Match(ExprId),
    /// Drops it.
    Any,
}

/// A receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receive {
    /// Names the channel.
    pub channel: ExprId,
    /// May the message be any in the channel, the oldest that fits, or must it be the oldest?
    pub any: bool,
    /// Does the message stay in the channel?
    pub keeps: bool,
    /// What is done with its values.
    pub patterns: Vec<Pattern>,
    /// Where it is written.
    pub span: Span,
}

/// What an edge does with channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nothing.
    None,
    /// Sends.
    Send {
        /// Names the channel.
        channel: ExprId,
        /// Is the message put before the first greater one, instead of last?
        sorted: bool,
        /// Its values.
        values: Vec<ExprId>,
    },
    /// Receives: a number in [`Program::receives`].
    Receive(u32),
}

/// When an edge can be taken, as far as its own process is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Always.
    Always,
    /// When the expression is not zero.
    When(ExprId),
    /// When no other edge of the process that leaves this location can be taken.
    Else,
}

/// A statement of an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Evaluates the expression, then the index of the place, then stores.
    Assign(Place, ExprId),
    /// It is a fault if the expression is zero.
    Assert(ExprId),
    /// Creates a process.
    Run {
        /// Its type.
        process: ProcId,
        /// Its arguments.
        arguments: Vec<ExprId>,
        /// Its priority.
        priority: Option<ExprId>,
        /// Where its pid is stored.
        pid: Option<Place>,
        /// Where it is written.
        span: Span,
    },
    /// Prints: its number in [`Program::prints`].
    Print(u32),
    /// Changes the priority of the process with the pid.
    SetPriority(ExprId, ExprId),
    /// The process is removed. Only the youngest can be: the edge can be taken only then.
    Exit,
}

/// Something printed, when a run is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The text, with `%d` and the like for the arguments.
    pub format: String,
    /// The arguments.
    pub arguments: Vec<ExprId>,
}

/// A guarded action, alone or one of several in a [`Block`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// When it can be taken.
    pub guard: Guard,
    /// What it does with channels.
    pub offer: Offer,
    /// What else it does.
    pub effect: Vec<Statement>,
    /// Where it is written.
    pub span: Span,
}

impl Action {
    /// An action that does nothing.
    pub fn skip(span: Span) -> Action {
        Action { guard: Guard::Always, offer: Offer::None, effect: Vec::new(), span }
    }
}

/// A deterministic piece of control, run in one step: where several actions can be taken, the first is. Where none
/// can, it is a fault, but for the first node, which decides whether the step can be taken at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its nodes; the first is where it starts. An action leads to a node, or out.
    pub nodes: Vec<Vec<(Action, Option<u32>)>>,
}

/// What an edge does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// One action.
    Action(Action),
    /// A block: its number in [`Program::blocks`].
    Block(u32, Span),
}

/// An edge of a control graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leaves.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
    /// What it does.
    pub work: Work,
    /// Does the process keep control, so that others wait as long as it can move?
    pub keeps: bool,
    /// Edges of a location come in groups of equal rank, side by side. Where an edge of a group can be taken, the
    /// groups after it are hidden. The last group has rank 0.
    pub rank: u32,
    /// Statements that were merged into it.
    pub merged: Vec<Span>,
}

impl Edge {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match &self.work {
            Work::Action(a) => a.span,
            Work::Block(_, span) => *span,
        }
    }
}

/// A place in a control graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Its labels in the source.
    pub labels: Vec<String>,
    /// Its number for those who ask for it: Spin's.
    pub number: i32,
    /// May a run end here?
    pub end: bool,
    /// Is a run bad that is here infinitely often?
    pub accepting: bool,
    /// Does a run make progress here?
    pub progress: bool,
    /// While some process is at a committed location, only those that are can move.
    pub committed: bool,
    /// What must not be zero whenever a process is here and control is free.
    pub asserts: Vec<ExprId>,
    /// Where it is.
    pub span: Span,
}

/// The priority of a process whose creator gives none, whatever its type says of those that exist from the start.
pub(crate) const DEFAULT_PRIORITY: i32 = 1;

/// A process type: a control graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name in the source.
    pub name: String,
    /// How many of its variables are parameters: the first.
    pub parameters: u32,
    /// Its variables.
    pub locals: Vec<Variable>,
    /// What is stored when it is created, in this order, after the arguments.
    pub initialisers: Vec<(Place, ExprId)>,
    /// The channels that are created with it.
    pub opens: Vec<Opening>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub initial: LocId,
    /// Its edges, those that leave a location in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// When it can move at all.
    pub provided: Option<ExprId>,
    /// The priority of those that exist from the start.
    pub priority: u32,
    /// Where it is declared.
    pub span: Span,
}

/// A process that exists from the start. Its arguments are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its type.
    pub process: ProcId,
    /// Its name, where it is not called by its type and pid.
    pub name: Option<String>,
}

/// Whose steps come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Those of the process that was created last.
    #[default]
    Youngest,
    /// Those of the process that was created first.
    Oldest,
}

/// How the processes move together: what languages decide differently. Committed locations and edges that keep control
/// are said where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduling {
    /// Whose steps come first.
    pub order: Order,
    /// Do processes of a higher priority go first?
    pub priorities: bool,
    /// Is a process at its next location before its effect, not after it? What is sent or received belongs to the effect.
    pub early: bool,
    /// Is a message that is sent by rendezvous evaluated only if somebody is there to receive?
    pub lazy: bool,
    /// All move at once, each by one edge, all reading the source state; offers are not looked at. Two that write the
    /// same shared variable are in conflict, which is a fault.
    pub lockstep: bool,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The shared variables.
    pub shared: Vec<Variable>,
    /// The declarations of channels.
    pub channels: Vec<Channel>,
    /// The channels that exist from the start, in the order of their numbers, which begin with 1.
    pub opens: Vec<Opening>,
    /// The process types.
    pub processes: Vec<Process>,
    /// The processes that exist from the start.
    pub start: Vec<Start>,
    /// All expressions.
    pub exprs: Exprs,
    /// All receives.
    pub receives: Vec<Receive>,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// All that is printed.
    pub prints: Vec<Print>,
    /// What properties can speak about.
    pub propositions: Vec<Proposition>,
    /// Sets of symbols: value `i` is the name at `i - 1`.
    pub symbols: Vec<Vec<String>>,
    /// The shared variable that keeps the pid of the process that moved last.
    pub last: Option<u32>,
    /// How the processes move together.
    pub scheduling: Scheduling,
    /// What watches the messages.
    pub monitor: Option<TraceMonitor>,
    /// The claim that is part of the state.
    pub claim: Option<crate::ClaimPlace>,
}

/// A message that is sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Is it sent?
    pub sends: bool,
    /// Channel and values, as a receive that nobody takes: its number.
    pub receive: u32,
    /// Where the event leads.
    pub to: u32,
}

/// An automaton that watches the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceMonitor {
    /// The shared variable that tells where it is; it begins with 0.
    pub at: u32,
    /// Is it about what must not be?
    pub negated: bool,
    /// For each location its events.
    pub locations: Vec<Vec<Event>>,
    /// The location at its end.
    pub last: u32,
    /// Where it is written.
    pub span: Span,
}

impl Program {
    /// The program, watched. The monitor gets a variable of its own.
    pub fn monitored(mut self, monitor: &TraceMonitor) -> Program {
        let max = monitor.locations.len().max(2) as i32 - 1;
        self.shared.push(Variable {
            name: if monitor.negated { "notrace_".into() } else { "trace_".into() },
            domain: Domain { min: 0, max },
            rule: StoreRule::Fault,
            len: None,
            initial: vec![0],
            shown: Shown::Number,
            span: monitor.span,
        });
        self.monitor = Some(TraceMonitor { at: self.shared.len() as u32 - 1, ..monitor.clone() });
        self
    }
}

impl Expr {
    /// Can it be a fault to evaluate it, its operands left aside?
    pub fn may_fail(self) -> bool {
        match self {
            Expr::Read(place) => place.index.is_some(),
            Expr::Binary(op, ..) => op.may_fail(),
            Expr::Bounded(..) | Expr::Channel(..) | Expr::Poll(_) => true,
            _ => false,
        }
    }
}

impl Program {
    /// Calls `visit` for every expression below `root`, operands of polls included.
    pub fn walk(&self, root: ExprId, visit: &mut dyn FnMut(Expr)) {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.exprs.get(e);
            visit(expr);
            if let Expr::Poll(r) = expr {
                let receive = &self.receives[r as usize];
                todo.push(receive.channel);
                todo.extend(receive.patterns.iter().filter_map(|p| match p {
                    Pattern::Match(e) => Some(*e),
                    _ => None,
                }));
            }
            todo.extend(Exprs::operands(expr));
        }
    }

    /// Is some expression below `root`, operands of polls included, such a one?
    pub fn mentions(&self, root: ExprId, is: impl Fn(Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(root, &mut |e| found |= is(e));
        found
    }

    /// All statements of effects, in edges and in blocks.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        let edges = self.processes.iter().flat_map(|p| &p.edges).filter_map(|e| match &e.work {
            Work::Action(action) => Some(action),
            Work::Block(..) => None,
        });
        let blocks = self.blocks.iter().flat_map(|b| b.nodes.iter().flatten()).map(|(action, _)| action);
        edges.chain(blocks).flat_map(|a| &a.effect)
    }

    /// Is a process created after the start?
    pub fn runs(&self) -> bool {
        self.statements().any(|s| matches!(s, Statement::Run { .. }))
    }

    /// A variable of a place.
    pub fn variable(&self, me: Option<ProcId>, var: Var) -> Option<&Variable> {
        match (var, me) {
            (Var::Shared(v), _) => self.shared.get(v as usize),
            (Var::Local(v), Some(p)) | (Var::Remote(p, v, _), _) => {
                self.processes.get(p.index())?.locals.get(v as usize)
            }
            (Var::Local(_), None) => None,
        }
    }
}

impl From<&Program> for std::sync::Arc<Program> {
    fn from(program: &Program) -> Self {
        std::sync::Arc::new(program.clone())
    }
}
