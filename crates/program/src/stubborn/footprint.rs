//! Footprints: for one process, what each of its edges touches and writes, and what it may do from each location on.
//!
//! The unit is the large step: an edge that keeps control is joined with what may follow it until control is free.

use super::cells::{Bits, Cells, FRESH, actions};
use super::values::{Constants, Known, Values};
use super::{Forgets, Proviso};
use crate::form::{
    Action, Edge, Expr, Guard, Offer, Pattern, Place, Program, Query, Receive, Statement, Var, Work,
};
use crate::ids::{ExprId, LocId, ProcId};
use std::collections::{BTreeSet, HashSet};

/// What an edge does, as far as others can notice.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Whoever writes one of these may change whether it can be taken, or what it does. What only makes it possible is not
    /// among them.
    pub touches: Bits,
    pub writes: Bits,
    /// If it cannot be taken, somebody has to write one of these before it can.
    pub needs: Bits,
    /// The same for each part of its guard, and for what it needs besides: room, or a message.
    pub parts: Vec<Bits>,
    pub besides: Bits,
    /// Of these, if it receives: what it needs if the queue is empty, and if the first message is another.
    pub fills: Bits,
    pub empties: Bits,
    /// The offers that its own waits for: those to receive if it sends by rendezvous, those to send if it receives.
    pub partners: Bits,
    /// What it offers.
    pub offers: Bits,
    /// Does it wait for the processes after its own to end?
    pub exits: bool,
    /// Does it create a process?
    pub runs: bool,
    /// Inside an atomic sequence: does nobody decide whether it can be taken?
    sure: bool,
    /// Does it close a cycle of control?
    pub closes: bool,
    /// May it change what the property sees?
    pub visible: bool,
    /// May it be taken without the others?
    pub may_be_alone: bool,
    /// What it writes, what it touches, and the offers that it waits for: those whom it meets have one of these in what
    /// they touch, what they write, and what they offer.
    all: Box<[u64]>,
    children: BTreeSet<Child>,
}

/// A process that may be created: its type, and what its parameters can be.
type Child = (ProcId, Vec<Values>);

/// What may happen from a location on.
#[derive(Clone, Debug)]
pub(super) struct Future {
    pub touches: Bits,
    pub writes: Bits,
    pub offers: Bits,
}

/// The edges and locations of a process of which something is known.
#[derive(Debug)]
pub(super) struct Footprint {
    /// The type of the process.
    pub of: ProcId,
    /// By the number of the edge.
    pub rows: Vec<Row>,
    pub futures: Vec<Future>,
    /// For each location: is there an edge that can be taken alone?
    pub promising: Vec<bool>,
    /// For each location: can something else be done than to end?
    pub busy: Vec<bool>,
    /// For each location what may be touched, written and offered from there on.
    all: Vec<u64>,
}

impl Row {
    /// Does it meet those who touch, write and offer these?
    #[inline]
    pub fn met(&self, others: &[u64]) -> bool {
        self.all.iter().zip(others).any(|(a, b)| a & b != 0)
    }
}

impl Footprint {
    /// What may be touched, written and offered from a location on, in so many words.
    #[inline]
    pub fn future(&self, location: usize, words: usize) -> &[u64] {
        &self.all[location * words..][..words]
    }
}

/// After so many kinds of processes that may be created, everything is thought to happen.
const CHILDREN: usize = 64;

pub(super) struct Reader<'a> {
    pub program: &'a Program,
    pub cells: &'a Cells,
    pub constants: &'a Constants,
    /// The cells that the property looks at.
    pub seen: &'a Bits,
    /// For each process type, its sticky edges.
    pub sticky: &'a [Vec<bool>],
    pub proviso: Proviso,
    /// The offers that depend on more than where a process is.
    pub guarded: &'a Bits,
    pub forgets: Forgets,
}

/// What an edge is read with.
pub(super) struct Env<'k> {
    p: ProcId,
    known: &'k Known,
    unknown: HashSet<u32>,
}

impl Reader<'_> {
    fn row(&self) -> Row {
        let none = || self.cells.none();
        Row {
            touches: none(),
            writes: none(),
            needs: none(),
            parts: Vec::new(),
            besides: none(),
            fills: none(),
            empties: none(),
            partners: none(),
            offers: none(),
            exits: false,
            runs: false,
            sure: false,
            closes: false,
            visible: false,
            may_be_alone: false,
            all: Box::default(),
            children: BTreeSet::new(),
        }
    }

    /// The rows of a process, edge by edge: not yet large steps.
    fn edges(&self, p: ProcId, known: &Known) -> Vec<Row> {
        let process = &self.program.processes[p.index()];
        let mut rows: Vec<Row> =
            process.edges.iter().enumerate().map(|(e, edge)| self.edge(p, known, e, edge)).collect();
        let sure = self.sure(p, &|e| self.env(p, known, &process.edges[e]));
        rows.iter_mut().zip(sure).for_each(|(row, sure)| row.sure = sure);
        // Who comes to a place where it offers something, or leaves it, decides about the `else` of others.
        let mut offers = vec![self.cells.none(); process.locations.len()];
        for (edge, row) in process.edges.iter().zip(&rows) {
            offers[edge.from.index()].join(&row.offers);
        }
        for (edge, row) in process.edges.iter().zip(&mut rows) {
            let (from, to) = (&offers[edge.from.index()], &offers[edge.to.index()]);
            let exits = row.exits;
            for ((word, from), to) in row.writes.0.iter_mut().zip(&from.0).zip(&to.0) {
                *word |= if exits { *from } else { from ^ to };
            }
        }
        // What hides an edge, or makes it an `else`, is what decides about the others of its location.
        for l in 0..process.locations.len() {
            let here = || process.edges.iter().enumerate().filter(|(_, e)| e.from.index() == l);
            let chooses = here().any(|(_, e)| e.rank > 0 || is_else(self.program, e));
            if !chooses {
                continue;
            }
            let (mut tests, mut partners) = (self.cells.none(), self.cells.none());
            for (e, _) in here() {
                tests.join(&rows[e].needs);
                // Whether somebody is there to meet depends on where the others are.
                partners.join(&rows[e].partners);
            }
            match partners.meets(self.guarded) {
                true => tests.fill(),
                false => drop(tests.join(&partners)),
            }
            for (e, _) in here() {
                rows[e].touches.join(&tests);
                rows[e].partners.join(&partners);
            }
        }
        rows
    }

    fn edge(&self, p: ProcId, known: &Known, e: usize, edge: &Edge) -> Row {
        let mut row = self.row();
        let process = &self.program.processes[p.index()];
        let env = self.env(p, known, edge);
        for (action, first) in actions(self.program, &edge.work) {
            self.action(&env, action, first, &mut row);
        }
        if let Work::Block(b, _) = edge.work
            && self.program.blocks[b as usize].nodes[0].len() > 1
        {
            // The first that can be taken is: what makes one possible keeps those after it from being taken.
            row.touches.join(&row.needs.clone());
        }
        let (from, to) = (&process.locations[edge.from.index()], &process.locations[edge.to.index()]);
        if self.program.processes.iter().any(|p| p.locations.iter().any(|l| l.committed)) {
            row.touches.set(self.cells.control);
            row.needs.set(self.cells.control);
            if from.committed || to.committed {
                row.writes.set(self.cells.control);
            }
        }
        let watched = |l| self.cells.is_watched(p, l);
        if row.exits || edge.from != edge.to && (watched(edge.from) || watched(edge.to)) {
            row.writes.set(self.cells.location(p));
        }
        if row.exits && from.progress || !row.exits && from.progress != to.progress {
            row.writes.set(self.cells.progress);
        }
        if row.exits && from.accepting || !row.exits && from.accepting != to.accepting {
            row.writes.set(self.cells.accepting);
        }
        row.closes = self.sticky.get(p.index()).is_none_or(|edges| edges[e]);
        self.forget(&mut row);
        row
    }

    /// The offers that depend on more than where a process is.
    pub fn guarded(&self) -> Bits {
        let mut guarded = self.cells.none();
        for p in 0..self.program.processes.len() {
            for edge in &self.program.processes[p].edges {
                let fixed = |p: &Pattern| match p {
                    Pattern::Match(e) => self.program.exprs.constant(*e).is_some(),
                    _ => true,
                };
                let plain = match &edge.work {
                    Work::Action(Action { guard: Guard::Always, offer, .. }) => match offer {
                        Offer::Receive(r) => self.program.receives[*r as usize].patterns.iter().all(fixed),
                        _ => true,
                    },
                    _ => false,
                };
                if !plain {
                    let known = self.unknown(p);
                    guarded.join(&self.edge(ProcId::new(p), &known, 0, edge).offers);
                }
            }
        }
        guarded
    }

    /// For tests of tests.
    fn forget(&self, row: &mut Row) {
        let cells: Vec<usize> = match self.forgets {
            Forgets::Nothing | Forgets::Visible => return,
            Forgets::Shared => self.cells.shared().flat_map(|(first, n)| first..first + n).collect(),
            Forgets::Ends => self.cells.ends().collect(),
            Forgets::Stack => vec![self.cells.grow, self.cells.shrink],
            Forgets::Offers => {
                (row.partners, row.offers) = (self.cells.none(), self.cells.none());
                return;
            }
            Forgets::Needs => {
                row.parts.iter_mut().for_each(|part| *part = self.cells.none());
                let none = || self.cells.none();
                (row.needs, row.besides, row.fills, row.empties) = (none(), none(), none(), none());
                return;
            }
        };
        for set in [&mut row.touches, &mut row.writes] {
            cells.iter().for_each(|&cell| set.0[cell / 64] &= !(1 << (cell % 64)));
        }
    }

    fn env<'k>(&self, p: ProcId, known: &'k Known, edge: &Edge) -> Env<'k> {
        let mut unknown = self.constants.changed[p.index()][edge.from.index()].clone();
        unknown.extend(super::values::stores(self.program, &edge.work));
        Env { p, known, unknown }
    }

    /// The rows of large steps.
    fn rows(&self, p: ProcId, known: &Known) -> (Vec<Row>, Vec<Row>) {
        let edges = &self.program.processes[p.index()].edges;
        let small = self.edges(p, known);
        let mut large = small.clone();
        for (e, row) in large.iter_mut().enumerate().filter(|(e, _)| edges[*e].keeps) {
            let mut seen = HashSet::from([edges[e].to]);
            let mut todo = vec![edges[e].to];
            while let Some(l) = todo.pop() {
                for (inner, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.from == l) {
                    let part = &small[inner];
                    // Whether it goes on depends on what the edge needs.
                    row.touches.join(&part.touches);
                    if !part.sure {
                        row.touches.join(&part.needs);
                    }
                    row.writes.join(&part.writes);
                    if !part.partners.is_empty() {
                        row.partners.join(&part.partners);
                        row.touches.fill();
                        row.writes.fill();
                    }
                    row.runs |= part.runs;
                    row.closes |= part.closes;
                    row.children.extend(part.children.iter().cloned());
                    if edge.keeps && seen.insert(edge.to) {
                        todo.push(edge.to);
                    }
                }
            }
        }
        for row in &mut large {
            row.visible = row.writes.meets(self.seen) && self.forgets != Forgets::Visible;
            row.may_be_alone = !(row.visible || row.closes && self.proviso == Proviso::Static);
            row.all =
                [&row.writes, &row.touches, &row.partners].iter().flat_map(|b| b.0.iter().copied()).collect();
        }
        (small, large)
    }

    /// The footprint of a process of type `p`.
    pub fn footprint(&self, p: ProcId, known: &Known) -> Footprint {
        let process = &self.program.processes[p.index()];
        let (small, rows) = self.rows(p, known);
        let none =
            || Future { touches: self.cells.none(), writes: self.cells.none(), offers: self.cells.none() };
        let mut futures: Vec<Future> = (0..process.locations.len()).map(|_| none()).collect();
        let inside: HashSet<LocId> = process.edges.iter().filter(|e| e.keeps).map(|e| e.to).collect();
        for (edge, row) in process.edges.iter().zip(&small) {
            let future = &mut futures[edge.from.index()];
            add(future, row);
            if inside.contains(&edge.from) && !row.sure {
                // What it needs decides where a large step ends.
                future.touches.join(&row.needs);
            }
            for child in &row.children {
                self.born(child, future);
            }
        }
        let mut again = true;
        while std::mem::take(&mut again) {
            for edge in process.edges.iter().rev().filter(|e| e.from != e.to) {
                let after = futures[edge.to.index()].clone();
                let before = &mut futures[edge.from.index()];
                again |= before.touches.join(&after.touches);
                again |= before.writes.join(&after.writes);
                again |= before.offers.join(&after.offers);
            }
        }
        let mut busy = vec![false; process.locations.len()];
        let mut promising = vec![false; process.locations.len()];
        for (edge, row) in process.edges.iter().zip(&rows) {
            busy[edge.from.index()] |= !row.exits;
            promising[edge.from.index()] |= row.may_be_alone && row.partners.is_empty();
        }
        let packed = |f: &Future| {
            [&f.touches, &f.writes, &f.offers]
                .map(|b| b.0.clone())
                .into_iter()
                .flatten()
                .collect::<Vec<u64>>()
        };
        let all = futures.iter().flat_map(packed).collect();
        Footprint { of: p, rows, futures, all, promising, busy }
    }

    /// What a process that may be created does, and those that it creates.
    fn born(&self, child: &Child, out: &mut Future) {
        let mut seen = BTreeSet::from([child.clone()]);
        let mut todo = vec![child.clone()];
        while let Some((p, arguments)) = todo.pop() {
            let known = self.newborn(p, arguments);
            for row in self.edges(p, &known) {
                add(out, &row);
                out.touches.join(&row.needs);
                todo.extend(row.children.into_iter().filter(|c| seen.insert(c.clone())));
            }
            if seen.len() > CHILDREN {
                [&mut out.touches, &mut out.writes, &mut out.offers].into_iter().for_each(Bits::fill);
                return;
            }
        }
    }

    /// What is known of a process that does not exist yet.
    fn newborn(&self, p: ProcId, arguments: Vec<Values>) -> Known {
        let process = &self.program.processes[p.index()];
        let mut locals: Vec<Values> = vec![None; process.locals.len()];
        for ((local, variable), values) in locals.iter_mut().zip(&process.locals).zip(arguments) {
            let fits = |v: &i32| *v == FRESH || variable.domain.contains(*v);
            *local = values.filter(|values| values.iter().all(fits));
        }
        for open in &process.opens {
            if process.locals[open.var as usize].len.is_none() {
                locals[open.var as usize] = Some(vec![FRESH]);
            }
        }
        for (place, _) in &process.initialisers {
            if let Var::Local(v) = place.var {
                locals[v as usize] = None;
            }
        }
        Known { pid: None, locals }
    }

    /// Nothing is known of a process of this type.
    pub fn unknown(&self, p: usize) -> Known {
        Known { pid: None, locals: vec![None; self.program.processes[p].locals.len()] }
    }

    pub fn values(&self, env: &Env, e: ExprId) -> Values {
        self.constants.values(self.program, env.known, &env.unknown, e)
    }

    /// Adds what an action does; `first` if it decides whether the step can be taken.
    fn action(&self, env: &Env, action: &Action, first: bool, row: &mut Row) {
        if let Guard::When(e) = action.guard {
            // A part that may fail makes the whole guard fail, if those before it are true.
            let mut fails = self.cells.none();
            for part in self.program.exprs.conjuncts(e) {
                let mut needs = fails.clone();
                self.part(env, part, &mut row.touches, &mut needs);
                if self.program.mentions(part, Expr::may_fail) {
                    self.expr(env, part, &mut fails);
                }
                if first {
                    row.needs.join(&needs);
                    row.parts.push(needs);
                } else {
                    row.touches.join(&needs);
                }
            }
            if first {
                row.besides.join(&fails);
            }
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, sorted, values } => {
                self.test(env, *channel, first, row);
                for &e in values {
                    self.expr(env, e, &mut row.touches);
                    if self.program.mentions(e, Expr::may_fail) {
                        // It may be evaluated before somebody is found to receive it.
                        self.expr(env, e, &mut row.besides);
                    }
                }
                for (k, queue, rendezvous) in self.cells.channels(self.values(env, *channel).as_deref()) {
                    let (head, tail) = (self.cells.head(k), self.cells.tail(k));
                    if queue {
                        row.writes.set(tail);
                        row.touches.set(tail);
                        row.besides.set(head);
                        if *sorted || !first {
                            row.writes.set(head);
                            row.touches.set(head);
                        }
                    }
                    if rendezvous {
                        row.offers.set(self.cells.sends(k));
                        row.partners.set(self.cells.receives(k));
                    }
                }
            }
            Offer::Receive(r) => self.receive(env, &self.program.receives[*r as usize], first, row),
        }
        row.needs.join(&row.besides.clone());
        action.effect.iter().for_each(|s| self.statement(env, s, row));
    }

    /// A part of a guard: what can make it false goes to `falsifies`, what can make it true to `verifies`. A queue that is
    /// not full stays so until somebody sends; and so on.
    fn part(&self, env: &Env, e: ExprId, falsifies: &mut Bits, verifies: &mut Bits) {
        use crate::Binary::{Eq, Ge, Gt, Le, Lt, Ne};
        /// What grows is less likely to be false, or what shrinks is.
        enum Likes {
            More,
            Less,
        }
        let exprs = &self.program.exprs;
        let length = |e: ExprId| match exprs.get(e) {
            Expr::Channel(Query::Len, channel) => Some(channel),
            _ => None,
        };
        let found = match exprs.get(e) {
            Expr::Timeout => return,
            Expr::Channel(Query::NonEmpty | Query::Full, channel) => Some((channel, Likes::More)),
            Expr::Channel(Query::Empty | Query::NonFull, channel) => Some((channel, Likes::Less)),
            Expr::Binary(op, a, b) => {
                match (op, length(a), exprs.constant(b), exprs.constant(a), length(b)) {
                    (Gt | Ge, Some(c), Some(_), ..) | (Lt | Le, _, _, Some(_), Some(c)) => {
                        Some((c, Likes::More))
                    }
                    (Lt | Le, Some(c), Some(_), ..) | (Gt | Ge, _, _, Some(_), Some(c)) => {
                        Some((c, Likes::Less))
                    }
                    (Eq, Some(c), Some(0), ..) => Some((c, Likes::Less)),
                    (Ne, Some(c), Some(0), ..) => Some((c, Likes::More)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((channel, likes)) = found else {
            self.expr(env, e, falsifies);
            self.expr(env, e, verifies);
            return;
        };
        self.expr(env, channel, falsifies);
        self.expr(env, channel, verifies);
        for (k, queue, _) in self.cells.channels(self.values(env, channel).as_deref()) {
            if queue {
                let (head, tail) = (self.cells.head(k), self.cells.tail(k));
                let (takes, puts) = match likes {
                    Likes::More => (&mut *falsifies, &mut *verifies),
                    Likes::Less => (&mut *verifies, &mut *falsifies),
                };
                takes.set(head);
                puts.set(tail);
            }
        }
    }

    fn receive(&self, env: &Env, receive: &Receive, first: bool, row: &mut Row) {
        self.test(env, receive.channel, first, row);
        for (k, queue, rendezvous) in self.cells.channels(self.values(env, receive.channel).as_deref()) {
            let (head, tail) = (self.cells.head(k), self.cells.tail(k));
            if queue {
                row.writes.set(head);
                row.touches.set(head);
                row.fills.set(tail);
                row.empties.set(head);
                if receive.any || receive.keeps || !first {
                    row.writes.set(tail);
                    row.touches.set(tail);
                }
            }
            if rendezvous {
                row.offers.set(self.cells.receives(k));
                row.partners.set(self.cells.sends(k));
            }
        }
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Bind(place) => self.store(env, *place, row),
                Pattern::Match(e) => self.test(env, *e, first, row),
                Pattern::Any => {}
            }
        }
        // Another message may be the wanted one if what is wanted changes, or the channel that is meant.
        row.fills.join(&row.besides);
        row.empties.join(&row.besides);
        row.besides.join(&row.fills.clone());
        row.besides.join(&row.empties.clone());
    }

    fn statement(&self, env: &Env, statement: &Statement, row: &mut Row) {
        match statement {
            Statement::Assign(place, e) => {
                self.expr(env, *e, &mut row.touches);
                self.store(env, *place, row);
            }
            Statement::Assert(e) => self.expr(env, *e, &mut row.touches),
            Statement::Run { process, arguments, priority, pid, .. } => {
                arguments.iter().chain(priority).for_each(|&e| self.expr(env, e, &mut row.touches));
                pid.iter().for_each(|&place| self.store(env, place, row));
                row.runs = true;
                row.writes.set(self.cells.grow);
                row.touches.set(self.cells.grow);
                row.touches.set(self.cells.shrink);
                let child = &self.program.processes[process.index()];
                if !child.opens.is_empty() {
                    self.created(row);
                }
                let values = arguments.iter().map(|&e| self.values(env, e)).collect();
                let known = self.newborn(*process, Vec::new());
                let new = Env { p: *process, known: &known, unknown: HashSet::new() };
                for (place, e) in &child.initialisers {
                    self.expr(&new, *e, &mut row.touches);
                    place.exprs().for_each(|e| self.expr(&new, e, &mut row.touches));
                    if !matches!(place.var, Var::Local(_)) {
                        row.writes.fill();
                    }
                }
                let initial = &child.locations[child.initial.index()];
                let marks = [
                    (self.cells.location(*process), self.cells.is_watched(*process, child.initial)),
                    (self.cells.progress, initial.progress),
                    (self.cells.accepting, initial.accepting),
                    (self.cells.control, initial.committed),
                ];
                marks.into_iter().filter(|&(_, is)| is).for_each(|(cell, _)| row.writes.set(cell));
                row.children.insert((*process, values));
            }
            // It may be a fault to evaluate them.
            Statement::Print(p) => {
                let arguments = &self.program.prints[*p as usize].arguments;
                arguments.iter().for_each(|&e| self.expr(env, e, &mut row.touches));
            }
            Statement::SetPriority(..) => {
                row.touches.fill();
                row.writes.fill();
            }
            Statement::Exit => {
                row.exits = true;
                row.touches.set(self.cells.grow);
                row.needs.set(self.cells.shrink);
                row.writes.set(self.cells.shrink);
                // Its channels go with it.
                if !self.program.processes[env.p.index()].opens.is_empty() {
                    self.created(row);
                }
            }
        }
    }

    /// Channels that are not there from the start come or go.
    fn created(&self, row: &mut Row) {
        for cell in self.cells.created() {
            row.touches.set(cell);
            row.writes.set(cell);
        }
    }

    fn store(&self, env: &Env, place: Place, row: &mut Row) {
        place.exprs().for_each(|e| self.expr(env, e, &mut row.touches));
        match place.var {
            Var::Shared(v) => {
                let elements = place.index.and_then(|i| self.values(env, i));
                self.cells.variable(v, elements.as_deref(), &mut row.writes);
                self.cells.variable(v, elements.as_deref(), &mut row.touches);
            }
            Var::Local(v) if self.cells.is_remote(env.p, v) => row.writes.set(self.cells.locals(env.p)),
            Var::Local(_) => {}
            Var::Remote(p, ..) => {
                row.writes.set(self.cells.locals(p));
                row.touches.fill();
            }
        }
    }

    /// An expression that decides whether the step can be taken, if it comes first.
    fn test(&self, env: &Env, e: ExprId, first: bool, row: &mut Row) {
        self.expr(env, e, &mut row.touches);
        if first {
            self.expr(env, e, &mut row.besides);
        }
    }

    /// What an expression looks at.
    fn expr(&self, env: &Env, root: ExprId, out: &mut Bits) {
        self.program.walk(root, &mut |expr| match expr {
            Expr::Read(Place { var: Var::Shared(v), index }) => {
                let elements = index.and_then(|i| self.values(env, i));
                self.cells.variable(v, elements.as_deref(), out);
            }
            Expr::Read(Place { var: Var::Remote(p, ..), .. }) => {
                [self.cells.locals(p), self.cells.grow, self.cells.shrink]
                    .into_iter()
                    .for_each(|c| out.set(c));
            }
            Expr::At(p, ..) => {
                [self.cells.location(p), self.cells.grow, self.cells.shrink]
                    .into_iter()
                    .for_each(|c| out.set(c));
            }
            Expr::Processes => [self.cells.grow, self.cells.shrink].into_iter().for_each(|c| out.set(c)),
            Expr::Channel(_, channel) => self.ends(env, channel, out),
            Expr::Poll(r) => self.ends(env, self.program.receives[r as usize].channel, out),
            Expr::NonProgress => out.set(self.cells.progress),
            Expr::Accepting => out.set(self.cells.accepting),
            Expr::Timeout | Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) => out.fill(),
            Expr::Read(_)
            | Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::If(..)
            | Expr::Bounded(..)
            | Expr::Pid => {}
        });
    }

    fn ends(&self, env: &Env, channel: ExprId, out: &mut Bits) {
        for (k, queue, _) in self.cells.channels(self.values(env, channel).as_deref()) {
            if queue {
                out.set(self.cells.head(k));
                out.set(self.cells.tail(k));
            }
        }
    }

    /// What an expression of the property looks at.
    pub fn seen(&self, e: ExprId, out: &mut Bits) {
        let known = Known { pid: None, locals: Vec::new() };
        self.expr(&Env { p: ProcId::new(0), known: &known, unknown: HashSet::new() }, e, out);
    }
}

fn add(future: &mut Future, row: &Row) {
    future.touches.join(&row.touches);
    future.writes.join(&row.writes);
    future.offers.join(&row.offers);
}

pub(super) fn is_else(program: &Program, edge: &Edge) -> bool {
    match &edge.work {
        Work::Action(action) => action.guard == Guard::Else,
        Work::Block(b, _) => program.blocks[*b as usize].nodes[0].iter().any(|(a, _)| a.guard == Guard::Else),
    }
}
