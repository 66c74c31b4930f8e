//! What actions, statements and expressions look at and change.

use super::cells::Bits;
use super::edge::{Env, Reader};
use super::footprint::Row;
use super::values::{Known, Vars};
use crate::form::{Action, Expr, Guard, Offer, Pattern, Place, Query, Receive, Statement, Var};
use crate::ids::{ExprId, ProcId};

impl Reader<'_> {
    /// Adds what an action does; `first` if it decides whether the step can be taken.
    pub fn action(&self, env: &Env, action: &Action, first: bool, row: &mut Row) {
        if let Guard::When(e) = action.guard {
            // A part that may fail makes the whole guard fail, if those before it are true.
            let (mut fails, mut fails_read) = (self.cells.none(), 0);
            if let Offer::Receive(r) = action.offer {
                // Which channel is meant is asked first, and may be a fault.
                let channel = self.program.receives[r as usize].channel;
                self.expr(env, channel, &mut fails);
                fails_read |= self.own(channel);
            }
            for part in self.program.exprs.conjuncts(e) {
                let mut needs = fails.clone();
                let read = fails_read | self.own(part);
                self.part(env, part, &mut row.touches, &mut needs);
                if self.program.mentions(part, Expr::may_fail) {
                    self.expr(env, part, &mut fails);
                    fails_read = read;
                }
                if first {
                    row.needs.join(&needs);
                    row.parts.push(needs);
                    row.parts_read.push(read);
                    row.reads |= read;
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
                        row.reads |= self.own(e);
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
                let new = Env { p: *process, known: &known, unknown: Vars::default() };
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
            row.reads |= self.own(e);
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
        self.expr(&Env { p: ProcId::new(0), known: &known, unknown: Vars::default() }, e, out);
    }
}
