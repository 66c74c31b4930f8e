//! Random programs with every construct of the form.

use crate::expression::Use;
use crate::tape::Tape;
use riata_program::{
    Action, Block, Channel, ClaimPlace, Edge, Event, Guard, Location, Offer, Opening, Order, Print, Process,
    Program, Shown, Start, Statement, TraceMonitor, Variable, Work,
};
use riata_program::{Binary, Domain, Expr, ExprId, LocId, ProcId, Proposition, StoreRule};
use riata_source::Span;

const HERE: Span = Span { start: 0, end: 0 };

/// Makes a program as a tape says.
pub struct Maker<'t> {
    pub tape: Tape<'t>,
    pub program: Program,
    /// How many of the shared variables have no role: the first.
    pub plain: usize,
    /// Is nobody created or removed, and control never kept? Such programs are run in another way.
    pub fixed: bool,
    /// If so, are all addresses constants and edges looked at one by one: each type started once, no ranks, no
    /// priorities, and nothing is asked that is not at a known place?
    pub flat: bool,
    /// Is nobody to ask whether nothing can move?
    pub timeless: bool,
    /// Does nothing depend on what all others can do, and do processes have more of their own? For reductions.
    pub quiet: bool,
}

/// The program that a tape says.
#[allow(dead_code, reason = "each test has one of the two")]
pub fn program(tape: &[u16]) -> Program {
    made(tape, false)
}

/// A program in which steps of one process may be independent of those of another.
#[allow(dead_code, reason = "each test has one of the two")]
pub fn quiet(tape: &[u16]) -> Program {
    made(tape, true)
}

fn made(tape: &[u16], quiet: bool) -> Program {
    let mut maker = Maker {
        tape: Tape::new(tape),
        program: Program::default(),
        plain: 0,
        fixed: false,
        flat: false,
        timeless: false,
        quiet,
    };
    maker.make();
    maker.program
}

fn register(name: &str, max: i32) -> Variable {
    let domain = Domain { min: 0, max };
    Variable {
        name: name.into(),
        domain,
        rule: StoreRule::Fault,
        len: None,
        initial: vec![0],
        shown: Shown::Number,
        span: HERE,
    }
}

impl Maker<'_> {
    fn make(&mut self) {
        let scheduling = &mut self.program.scheduling;
        scheduling.order = if self.tape.once_in(2) { Order::Oldest } else { Order::Youngest };
        scheduling.priorities = self.tape.once_in(4);
        scheduling.early = self.tape.once_in(2);
        scheduling.lazy = self.tape.once_in(3);
        scheduling.lockstep = self.tape.once_in(10);
        self.fixed = self.program.scheduling.lockstep || self.tape.once_in(2);
        self.flat = self.fixed && !self.program.scheduling.lockstep && self.tape.once_in(2);
        self.timeless = self.flat;
        self.program.scheduling.priorities &= !self.flat && !self.quiet;
        if self.quiet && self.program.scheduling.lockstep {
            (self.program.scheduling.lockstep, self.fixed) = (false, self.tape.once_in(2));
        }
        self.program.symbols = vec![vec!["ack".into(), "no ack".into()]];
        for v in 0..1 + self.tape.below(3) {
            let variable = self.variable(["x", "y", "x"][v]);
            self.program.shared.push(variable);
        }
        self.plain = self.program.shared.len();
        self.channels();
        if self.tape.once_in(3) && !self.quiet {
            self.program.last = Some(self.program.shared.len() as u32);
            self.program.shared.push(register("_last", 255));
        }
        let (propositions, monitor, claim) = (self.tape.below(3), self.tape.once_in(6), self.tape.once_in(8));
        let (monitor, claim) = (monitor && !self.quiet, claim && !self.quiet);
        // Who may be named must be there: the graphs come last, and are trivial where the tape ends.
        let types = if self.quiet { 2 + self.tape.below(3) } else { 1 + self.tape.below(3) };
        for p in 0..types {
            let process = self.process(p % 3);
            self.program.processes.push(process);
        }
        // Where each type is started once, places are known.
        let once = self.flat || self.tape.once_in(3);
        let types = self.program.processes.len();
        let least = if self.quiet { 2 } else { 1 };
        for n in 0..if once { types } else { least + self.tape.below(4) } {
            let process = ProcId::new(if once { n } else { self.tape.below(types) });
            let name = self.tape.once_in(4).then(|| "some one".to_string());
            self.program.start.push(Start { process, name });
        }
        for p in 0..propositions {
            let expr = self.expr(None, 3, Use::Any);
            self.program.propositions.push(Proposition { name: format!("p {p}"), expr });
        }
        if monitor {
            self.monitor();
        }
        for p in (0..types).map(ProcId::new) {
            self.graph(p);
        }
        if claim {
            self.claim();
        }
    }

    fn variable(&mut self, name: &str) -> Variable {
        let (domain, rule) = self.tape.pick(&[
            (Domain { min: 0, max: 3 }, StoreRule::Wrap),
            (Domain { min: 0, max: 1 }, StoreRule::Wrap),
            (Domain { min: -2, max: 5 }, StoreRule::Wrap),
            (Domain { min: -1, max: 2 }, StoreRule::Fault),
            (Domain { min: -9, max: 9 }, StoreRule::Fault),
            (Domain { min: 0, max: 0 }, StoreRule::Wrap),
            (Domain { min: -4, max: 3 }, StoreRule::Wrap),
            (Domain { min: 0, max: 3 }, StoreRule::Wrap),
            (Domain { min: -128, max: 127 }, StoreRule::Fault),
            (Domain { min: i32::MIN, max: i32::MAX }, StoreRule::Wrap),
        ]);
        // The states of an atomic sequence are all looked at: let there be few.
        let few = Domain { min: domain.min.max(-2), max: domain.max.min(1) };
        let domain = if self.quiet { few } else { domain };
        let len = self.tape.once_in(3).then(|| 1 + self.tape.below(3) as u32);
        let value = |tape: &mut Tape| (tape.below(2) as i32).clamp(domain.min, domain.max);
        let initial = (0..len.unwrap_or(1)).map(|_| value(&mut self.tape)).collect();
        let shown = self.tape.pick(&[Shown::Number, Shown::Symbol(0), Shown::Channel]);
        Variable { name: name.into(), domain, rule, len, initial, shown, span: HERE }
    }

    fn channels(&mut self) {
        for c in 0..1 + self.tape.below(2) {
            let mut fields = Vec::new();
            for _ in 0..self.tape.pick(&[1usize, 2, 0]) {
                fields.push(self.tape.pick(&[
                    Domain { min: 0, max: 3 },
                    Domain { min: 0, max: 1 },
                    Domain::SHORT,
                ]));
            }
            let shown = vec![Shown::Number; fields.len()];
            let capacity = self.tape.pick(&[0, 1, 2]);
            self.program.channels.push(Channel {
                name: format!("c{c}"),
                capacity,
                fields,
                shown,
                span: HERE,
            });
        }
        // A variable for each declaration: an array of them for the last.
        for c in 0..self.program.channels.len() as u32 {
            let var = self.program.shared.len() as u32;
            let len = if self.tape.once_in(4) { Some(2) } else { None };
            let initial = vec![0; len.unwrap_or(1) as usize];
            let domain = Domain::BYTE;
            let variable = Variable { domain, len, initial, ..register(&format!("c{c}"), 255) };
            self.program.shared.push(variable);
            self.program.opens.extend((0..len.unwrap_or(1)).map(|element| Opening {
                channel: c,
                var,
                element,
            }));
        }
    }

    /// A process type without its edges.
    fn process(&mut self, p: usize) -> Process {
        let parameters = self.tape.below(2);
        let mut locals: Vec<Variable> = Vec::new();
        for v in 0..parameters + self.tape.below(3) {
            let variable = self.variable(["x", "z", "if", "x"][v % 4]);
            locals.push(variable);
        }
        let mut opens = Vec::new();
        if self.tape.once_in(5) && !self.program.scheduling.lockstep {
            opens.push(Opening {
                channel: self.tape.below(self.program.channels.len()) as u32,
                var: locals.len() as u32,
                element: 0,
            });
            locals.push(register("mine", 255));
        }
        let locations = 1 + self.tape.below(3);
        let locations = (0..locations).map(|l| Location {
            labels: if self.tape.once_in(4) { vec![format!("l {l}")] } else { Vec::new() },
            number: self.tape.below(3) as i32,
            end: self.tape.once_in(3),
            accepting: self.tape.once_in(4),
            progress: self.tape.once_in(4),
            committed: self.tape.once_in(8),
            asserts: Vec::new(),
            span: HERE,
        });
        Process {
            name: ["P", "Q", "P"][p].into(),
            parameters: parameters as u32,
            locals,
            initialisers: Vec::new(),
            opens,
            locations: locations.collect(),
            initial: LocId(0),
            edges: Vec::new(),
            provided: None,
            priority: self.tape.pick(&[1, 2, 5]),
            span: HERE,
        }
    }

    fn graph(&mut self, p: ProcId) {
        let me = Some(p);
        if self.tape.once_in(4) {
            let place = self.place(me, 1, Use::Message);
            let value = self.expr(me, 1, Use::Message);
            self.program.processes[p.index()].initialisers.push((place, value));
        }
        if self.tape.once_in(6) && !self.flat && !self.quiet {
            // What others think of it at a timeout is not settled.
            self.timeless = true;
            let e = self.expr(me, 2, Use::Guard);
            self.timeless = self.flat;
            self.program.processes[p.index()].provided = Some(e);
        }
        for l in 0..self.program.processes[p.index()].locations.len() {
            if self.tape.once_in(8) {
                let e = self.expr(me, 2, Use::Guard);
                self.program.processes[p.index()].locations[l].asserts.push(e);
            }
            let ranks: &[u32] = if self.tape.once_in(4) && !self.flat { &[2, 1, 0] } else { &[0] };
            for &rank in ranks {
                let count = self.tape.pick(&[1, 2, 3, 0]);
                for n in 0..count {
                    let edge = self.edge(p, l, rank, n + 1 == count);
                    self.program.processes[p.index()].edges.push(edge);
                }
            }
        }
    }

    fn edge(&mut self, p: ProcId, from: usize, rank: u32, last: bool) -> Edge {
        let lockstep = self.program.scheduling.lockstep;
        let to = self.tape.below(self.program.processes[p.index()].locations.len());
        let keeps = self.tape.once_in(if self.quiet { 3 } else { 5 }) && !self.fixed;
        let merged = if self.tape.once_in(9) { vec![HERE; 2] } else { Vec::new() };
        let work = if self.tape.once_in(5) && !lockstep {
            let block = self.block(p);
            self.program.blocks.push(block);
            Work::Block(self.program.blocks.len() as u32 - 1, HERE)
        } else {
            let mut action = self.action(p, false);
            if last && self.tape.once_in(4) {
                action = Action { guard: Guard::Else, offer: Offer::None, ..action };
                action.effect.retain(|s| *s != Statement::Exit);
            }
            Work::Action(action)
        };
        Edge { from: LocId::new(from), to: LocId::new(to), work, keeps, rank, merged }
    }

    fn block(&mut self, p: ProcId) -> Block {
        let count = 1 + self.tape.below(3);
        let mut nodes = Vec::new();
        for n in 0..count {
            let mut node = Vec::new();
            for _ in 0..1 + self.tape.below(2) {
                // Only onwards: what never ends takes too long to see.
                let to = Some(n + 1 + self.tape.below(count - n)).filter(|&to| to < count);
                node.push((self.action(p, true), to.map(|to| to as u32)));
            }
            if self.tape.once_in(2) {
                let otherwise = Action { guard: Guard::Else, offer: Offer::None, ..self.action(p, true) };
                node.push((otherwise, None));
            }
            nodes.push(node);
        }
        Block { nodes }
    }

    fn action(&mut self, p: ProcId, inside: bool) -> Action {
        let me = Some(p);
        let guard = match self.tape.below(5) {
            0..3 => Guard::Always,
            3 if self.quiet => Guard::When(self.waiting(me)),
            _ => Guard::When(self.expr(me, 3, Use::Guard)),
        };
        let lockstep = self.program.scheduling.lockstep;
        let offer = match self.tape.below(6) {
            2 | 3 if !lockstep => {
                let channel = self.channel(me, 1, Use::Message);
                let known = self.program.exprs.constant(channel);
                let open = known.and_then(|k| self.program.opens.get(usize::try_from(k - 1).ok()?));
                let wanted = open.map_or(1, |o| self.program.channels[o.channel as usize].fields.len());
                let count = if self.tape.once_in(20) { self.tape.below(3) } else { wanted };
                let values = (0..count).map(|_| self.expr(me, 2, Use::Message)).collect();
                Offer::Send { channel, sorted: self.tape.once_in(3), values }
            }
            4 | 5 if !lockstep => {
                let (any, keeps) = (self.tape.once_in(3), self.tape.once_in(12));
                Offer::Receive(self.receive(me, 1, any, keeps))
            }
            _ => Offer::None,
        };
        let mut effect = Vec::new();
        for _ in 0..self.tape.below(3) {
            let statement = self.statement(p);
            effect.push(statement);
        }
        let runs = effect.iter().any(|s| matches!(s, Statement::Run { .. }));
        if self.tape.once_in(8) && !runs && !inside && !self.fixed && offer == Offer::None {
            effect.push(Statement::Exit);
        }
        Action { guard, offer, effect, span: HERE }
    }

    /// A guard that somebody may wait for: variables have certain values.
    fn waiting(&mut self, me: Option<ProcId>) -> ExprId {
        let test = |maker: &mut Self| {
            let read = maker.read(me, 0, Use::Guard);
            let read = maker.program.exprs.add(read, HERE);
            let value = maker.program.exprs.add(Expr::Const(maker.tape.below(2) as i32), HERE);
            let op = maker.tape.pick(&[Binary::Eq, Binary::Ne]);
            maker.program.exprs.add(Expr::Binary(op, read, value), HERE)
        };
        let first = test(self);
        if self.tape.once_in(2) {
            return first;
        }
        let second = test(self);
        self.program.exprs.add(Expr::Binary(Binary::And, first, second), HERE)
    }

    fn statement(&mut self, p: ProcId) -> Statement {
        let me = Some(p);
        match self.tape.below(if self.program.scheduling.lockstep { 10 } else { 12 }) {
            8 => Statement::Assert(self.expr(me, 2, Use::Any)),
            9 => {
                let arguments = vec![self.expr(me, 1, Use::Any)];
                self.program.prints.push(Print { format: "%d \"is\" it\\n".into(), arguments });
                Statement::Print(self.program.prints.len() as u32 - 1)
            }
            10 if !self.fixed => {
                let process = ProcId::new(self.tape.below(self.program.processes.len()));
                let count = self.program.processes[process.index()].parameters;
                let arguments = (0..count).map(|_| self.expr(me, 1, Use::Any)).collect();
                let priority = self.tape.once_in(3).then(|| self.expr(me, 1, Use::Any));
                let pid = self.tape.once_in(2).then(|| self.place(me, 1, Use::Any));
                Statement::Run { process, arguments, priority, pid, span: HERE }
            }
            11 if !self.quiet => {
                let pid = self.expr(me, 1, Use::Any);
                Statement::SetPriority(pid, self.expr(me, 1, Use::Any))
            }
            _ => {
                let place = self.place(me, 2, Use::Any);
                Statement::Assign(place, self.expr(me, 3, Use::Any))
            }
        }
    }

    fn monitor(&mut self) {
        let at = self.program.shared.len() as u32;
        let count = 1 + self.tape.below(3);
        self.program.shared.push(register("trace_", count.max(2) as i32 - 1));
        let mut locations = Vec::new();
        for _ in 0..count {
            let mut events = Vec::new();
            for _ in 0..1 + self.tape.below(2) {
                let (sends, any, keeps) = (self.tape.once_in(2), self.tape.once_in(5), self.tape.once_in(5));
                let receive = self.receive(None, 1, any, keeps);
                events.push(Event { sends, receive, to: self.tape.below(count) as u32 });
            }
            locations.push(events);
        }
        let negated = self.tape.once_in(2);
        self.program.monitor =
            Some(TraceMonitor { at, negated, locations, last: count as u32 - 1, span: HERE });
    }

    /// A claim of two locations. Its steps are not those of the program.
    fn claim(&mut self) {
        let at = self.program.shared.len() as u32;
        self.program.shared.push(register("never_", 1));
        let guard = Guard::When(self.expr(None, 2, Use::Guard));
        let edge = Edge {
            from: LocId(0),
            to: LocId(1),
            work: Work::Action(Action { guard, ..Action::skip(HERE) }),
            keeps: false,
            rank: 0,
            merged: Vec::new(),
        };
        let process = Process {
            name: "never".into(),
            locals: Vec::new(),
            parameters: 0,
            opens: Vec::new(),
            initialisers: Vec::new(),
            locations: vec![Location::default(); 2],
            initial: LocId(0),
            edges: vec![edge],
            provided: None,
            priority: 1,
            span: HERE,
        };
        self.program.processes.push(process);
        let process = ProcId::new(self.program.processes.len() - 1);
        self.program.claim = Some(ClaimPlace { process, at, late: self.tape.once_in(2) });
    }
}
