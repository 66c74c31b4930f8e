//! Which edge depends on what: the base of partial-order reduction and of slicing.
//!
//! A *cell* is a thing that an edge can test, read or write. Arrays count as a whole. What a process has is its own: two
//! processes meet there only if one looks at the other, and then the text tells only the type of who is looked at.
//!
//! A queue has two ends. A send that puts its message last touches the tail, a receive that takes the first message the
//! head: where both can be taken they commute, and neither takes from the other what it needs. Whatever looks further
//! touches both. What a send or a receive *waits* for, room or a message, is the other end.
//!
//! More than is needed is never wrong. What the text does not tell (`timeout`, who is enabled, priorities, a rendezvous,
//! lockstep) is [`Cell::Everything`].

use crate::form::{
    Action, Edge, Expr, Guard, Offer, Pattern, Place, Program, Query, Receive, Statement, Var, Work,
};
use crate::ids::{EdgeId, ExprId, ProcId};
use std::collections::BTreeSet;

/// A thing that an edge can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A shared variable.
    Shared(u32),
    /// A variable of the process itself, which is of this type.
    Own(ProcId, u32),
    /// Where the process itself is, which is of this type.
    Here(ProcId),
    /// A variable of some process of this type.
    Local(ProcId, u32),
    /// Where some process of this type is.
    Location(ProcId),
    /// The first message of a channel, by its number.
    Head(i32),
    /// The last message of a channel, by its number.
    Tail(i32),
    /// Which processes and channels there are.
    Stack,
    /// Who may move: somebody holds control, or is at a committed location.
    Control,
    /// What the trace monitor has seen.
    Monitor,
    /// Anything.
    Everything,
}

impl Cell {
    /// Does writing it matter to another process that touches these?
    fn meets(self, others: &BTreeSet<Cell>) -> bool {
        others.contains(&match self {
            Cell::Own(p, v) => Cell::Local(p, v),
            Cell::Here(p) => Cell::Location(p),
            cell => cell,
        })
    }
}

/// What an edge depends on, and what depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What decides whether it can be taken.
    pub tests: BTreeSet<Cell>,
    /// The ends of channels whose changes can only make it possible, never impossible.
    pub waits: BTreeSet<Cell>,
    /// What it reads when it is taken.
    pub reads: BTreeSet<Cell>,
    /// What it may write.
    pub writes: BTreeSet<Cell>,
}

/// The dependencies of a program.
#[derive(Clone, Debug)]
pub struct Dependencies {
    rows: Vec<Vec<Row>>,
}

impl Dependencies {
    /// Analyses a well-formed program.
    pub fn new(program: &Program) -> Self {
        let reader = Reader { program, held: holds(program) };
        let rows = (0..program.processes.len()).map(|p| reader.process(ProcId::new(p))).collect();
        Dependencies { rows }
    }

    /// What an edge depends on.
    pub fn row(&self, process: ProcId, edge: EdgeId) -> &Row {
        &self.rows[process.index()][edge.index()]
    }

    /// Do two edges of two processes commute wherever both can be taken, and does neither keep the other from being taken?
    pub fn independent(&self, a: (ProcId, EdgeId), b: (ProcId, EdgeId)) -> bool {
        let (a, b) = (self.row(a.0, a.1), self.row(b.0, b.1));
        let wild = |row: &Row| {
            [&row.tests, &row.reads, &row.writes].iter().any(|set| set.contains(&Cell::Everything))
        };
        let clear = |a: &Row, b: &Row| {
            a.writes.iter().all(|w| ![&b.tests, &b.reads, &b.writes].iter().any(|set| w.meets(set)))
        };
        !wild(a) && !wild(b) && clear(a, b) && clear(b, a)
    }
}

/// Can a process keep others from moving?
fn holds(program: &Program) -> bool {
    program
        .processes
        .iter()
        .any(|p| p.edges.iter().any(|e| e.keeps) || p.locations.iter().any(|l| l.committed))
}

struct Reader<'a> {
    program: &'a Program,
    held: bool,
}

impl Reader<'_> {
    fn process(&self, p: ProcId) -> Vec<Row> {
        let process = &self.program.processes[p.index()];
        let mut rows: Vec<Row> = process.edges.iter().map(|edge| self.edge(p, edge)).collect();
        // What hides an edge, or makes it an `else`, is what decides about the others of its location.
        for (e, edge) in process.edges.iter().enumerate() {
            let depends = |other: &&(usize, &Edge)| other.1.from == edge.from && other.0 != e;
            let chooses =
                process.edges.iter().any(|o| o.from == edge.from && (o.rank > 0 || is_else(self.program, o)));
            if chooses {
                let others: Vec<(usize, &Edge)> = process.edges.iter().enumerate().collect();
                let more: Vec<Cell> = others
                    .iter()
                    .filter(depends)
                    .flat_map(|(o, _)| {
                        rows[*o].tests.iter().chain(&rows[*o].waits).copied().collect::<Vec<_>>()
                    })
                    .collect();
                rows[e].tests.extend(more);
                let waits = std::mem::take(&mut rows[e].waits);
                rows[e].tests.extend(waits);
            }
        }
        rows
    }

    fn edge(&self, p: ProcId, edge: &Edge) -> Row {
        let mut row = Row::default();
        row.tests.insert(Cell::Here(p));
        row.writes.insert(Cell::Here(p));
        let scheduling = self.program.scheduling;
        if scheduling.priorities || scheduling.lockstep || self.program.last.is_some() {
            row.tests.insert(Cell::Everything);
        }
        if self.held {
            row.tests.insert(Cell::Control);
            let committed =
                |l: crate::LocId| self.program.processes[p.index()].locations[l.index()].committed;
            if edge.keeps || committed(edge.from) || committed(edge.to) {
                row.writes.insert(Cell::Control);
            }
        }
        if let Some(e) = self.program.processes[p.index()].provided {
            self.expr(p, e, &mut row.tests);
        }
        match &edge.work {
            Work::Action(action) => self.action(p, action, true, &mut row),
            Work::Block(b, _) => {
                for (n, node) in self.program.blocks[*b as usize].nodes.iter().enumerate() {
                    node.iter().for_each(|(action, _)| self.action(p, action, n == 0, &mut row));
                }
                // The first that can be taken is: what makes one possible keeps those after it from being taken.
                if self.program.blocks[*b as usize].nodes[0].len() > 1 {
                    let waits = std::mem::take(&mut row.waits);
                    row.tests.extend(waits);
                }
            }
        }
        row
    }

    /// Adds what an action depends on; `first` if that decides whether the step can be taken.
    fn action(&self, p: ProcId, action: &Action, first: bool, row: &mut Row) {
        if let Guard::When(e) = action.guard {
            self.expr(p, e, if first { &mut row.tests } else { &mut row.reads });
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, sorted, values } => {
                values.iter().for_each(|&e| self.expr(p, e, &mut row.reads));
                match self.queue(*channel) {
                    Some(k) if !sorted && first => {
                        row.waits.insert(Cell::Head(k));
                        row.writes.insert(Cell::Tail(k));
                    }
                    Some(k) => both_ends(k, first, row),
                    None => self.anything(p, *channel, row),
                }
            }
            Offer::Receive(r) => self.receive(p, &self.program.receives[*r as usize], first, row),
        }
        if action.offer != Offer::None && self.program.monitor.is_some() {
            row.writes.insert(Cell::Monitor);
        }
        action.effect.iter().for_each(|s| self.statement(p, s, row));
    }

    fn receive(&self, p: ProcId, receive: &Receive, first: bool, row: &mut Row) {
        let plain = !receive.any && !receive.keeps && first;
        match self.queue(receive.channel) {
            Some(k) if plain => {
                row.waits.insert(Cell::Tail(k));
                row.writes.insert(Cell::Head(k));
            }
            Some(k) => both_ends(k, first, row),
            None => self.anything(p, receive.channel, row),
        }
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Bind(place) => self.store(p, *place, row),
                Pattern::Match(e) => self.expr(p, *e, if first { &mut row.tests } else { &mut row.reads }),
                Pattern::Any => {}
            }
        }
    }

    /// The number of a channel that is known to be a queue of the start.
    fn queue(&self, channel: ExprId) -> Option<i32> {
        let k = self.program.exprs.constant(channel)?;
        let opening = self.program.opens.get(usize::try_from(k.checked_sub(1)?).ok()?)?;
        (self.program.channels[opening.channel as usize].capacity > 0).then_some(k)
    }

    /// A channel that may be any, or a rendezvous.
    fn anything(&self, p: ProcId, channel: ExprId, row: &mut Row) {
        self.expr(p, channel, &mut row.tests);
        row.writes.insert(Cell::Everything);
    }

    fn statement(&self, p: ProcId, statement: &Statement, row: &mut Row) {
        match statement {
            Statement::Assign(place, e) => {
                self.expr(p, *e, &mut row.reads);
                self.store(p, *place, row);
            }
            Statement::Assert(e) => self.expr(p, *e, &mut row.reads),
            Statement::Run { process, arguments, priority, pid, .. } => {
                arguments.iter().chain(priority).for_each(|&e| self.expr(p, e, &mut row.reads));
                pid.iter().for_each(|&place| self.store(p, place, row));
                row.writes.insert(Cell::Stack);
                // What is stored at the start of the process may speak of anything.
                if !self.program.processes[process.index()].initialisers.is_empty() {
                    row.writes.insert(Cell::Everything);
                }
            }
            Statement::Print(_) => {}
            Statement::SetPriority(..) => drop(row.writes.insert(Cell::Everything)),
            Statement::Exit => {
                row.tests.insert(Cell::Stack);
                row.writes.insert(Cell::Stack);
            }
        }
    }

    fn store(&self, p: ProcId, place: Place, row: &mut Row) {
        place.exprs().for_each(|e| self.expr(p, e, &mut row.reads));
        row.writes.insert(cell(p, place.var));
    }

    fn expr(&self, p: ProcId, root: ExprId, out: &mut BTreeSet<Cell>) {
        self.program.walk(root, &mut |expr| match expr {
            Expr::Read(place) => {
                out.insert(cell(p, place.var));
                if let Var::Remote(..) = place.var {
                    out.insert(Cell::Stack);
                }
            }
            Expr::At(of, ..) => out.extend([Cell::Location(of), Cell::Stack]),
            Expr::Processes => drop(out.insert(Cell::Stack)),
            Expr::Channel(query, channel) => match (self.queue(channel), query) {
                (Some(k), Query::Len | Query::Empty | Query::NonEmpty | Query::Full | Query::NonFull) => {
                    out.extend([Cell::Head(k), Cell::Tail(k)]);
                }
                (None, _) => drop(out.insert(Cell::Everything)),
            },
            Expr::Poll(r) => match self.queue(self.program.receives[r as usize].channel) {
                Some(k) => out.extend([Cell::Head(k), Cell::Tail(k)]),
                None => drop(out.insert(Cell::Everything)),
            },
            Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_) => drop(out.insert(Cell::Everything)),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::If(..)
            | Expr::Bounded(..)
            | Expr::Pid => {}
        });
    }
}

/// Something happens anywhere in a channel; if it is `first`, what is there decides whether it can.
fn both_ends(channel: i32, first: bool, row: &mut Row) {
    let ends = [Cell::Head(channel), Cell::Tail(channel)];
    row.writes.extend(ends);
    if first {
        row.tests.extend(ends);
    }
}

fn cell(p: ProcId, var: Var) -> Cell {
    match var {
        Var::Shared(v) => Cell::Shared(v),
        Var::Local(v) => Cell::Own(p, v),
        Var::Remote(of, v, _) => Cell::Local(of, v),
    }
}

fn is_else(program: &Program, edge: &Edge) -> bool {
    match &edge.work {
        Work::Action(action) => action.guard == Guard::Else,
        Work::Block(b, _) => program.blocks[*b as usize].nodes[0].iter().any(|(a, _)| a.guard == Guard::Else),
    }
}
