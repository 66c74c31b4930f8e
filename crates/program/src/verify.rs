//! Is a program well formed? What layout, interpreter and analyses take for granted is checked here, once.

use crate::expr::{Expr, Exprs, Owner, Place};
use crate::ids::{ChanId, ExprId, InstanceId, LocId, ProcId};
use crate::program::{Domain, Edge, Guard, MAX_MESSAGE, Offer, Pattern, Program, Statement, StoreRule};
use riata_source::{Diagnostic, Span};

/// Everything that is wrong with `program`; nothing if it is well formed.
///
/// A front end that lets through what this rejects has a bug; its user sees the message all the same.
pub fn verify(program: &Program) -> Vec<Diagnostic> {
    let mut v = Verifier { program, wrong: Vec::new() };
    v.arena();
    if !v.wrong.is_empty() {
        // The rest follows ids.
        return v.wrong;
    }
    v.variables();
    v.channels();
    v.instances();
    for (p, process) in program.processes.iter().enumerate() {
        let me = Some(ProcId::new(p));
        if process.locations.is_empty() || process.locations.len() >= i32::MAX as usize {
            v.error(process.span, format!("process `{}` has no locations, or too many", process.name));
        }
        v.location(me, process.initial, process.span);
        for location in &process.locations {
            location.asserts.iter().for_each(|&e| v.expr(me, e));
        }
        process.edges.iter().for_each(|e| v.edge(ProcId::new(p), e));
    }
    for proposition in &program.propositions {
        v.expr(None, proposition.expr);
    }
    v.wrong
}

struct Verifier<'a> {
    program: &'a Program,
    wrong: Vec<Diagnostic>,
}

impl Verifier<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(span, message));
    }

    /// Operands come before their operators, and all ids exist.
    fn arena(&mut self) {
        for e in (0..self.program.exprs.len()).map(ExprId::new) {
            let (expr, span) = (self.program.exprs.get(e), self.program.exprs.span(e));
            if Exprs::operands(expr).any(|o| o >= e) {
                self.error(span, "an operand comes after its operator");
            }
            let known = match expr {
                Expr::Read(place) => self.knows(place),
                Expr::At(i, l) => self.program.instances.get(i.index()).is_some_and(|i| {
                    self.program
                        .processes
                        .get(i.process.index())
                        .is_some_and(|p| l.index() < p.locations.len())
                }),
                Expr::Len(c) => c.index() < self.program.channels.len(),
                Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) => true,
            };
            if !known {
                self.error(span, "an expression names something that does not exist");
            }
        }
    }

    fn knows(&self, place: Place) -> bool {
        let owner = match place.owner {
            Owner::Own => true,
            Owner::Of(i) => i.index() < self.program.instances.len(),
        };
        owner && place.var.index() < self.program.vars.len()
    }

    fn variables(&mut self) {
        for var in &self.program.vars {
            let name = &var.name;
            self.domain(var.domain, var.rule == StoreRule::Wrap, var.span, name);
            let elements = var.len.map_or(1, |n| n as usize);
            if var.len == Some(0) {
                self.error(var.span, format!("array `{name}` has no elements"));
            }
            if var.initial.len() != elements || !var.initial.iter().all(|&v| var.domain.contains(v)) {
                self.error(var.span, format!("the initial value of `{name}` is not in its domain"));
            }
            if var.owner.is_some_and(|p| p.index() >= self.program.processes.len()) {
                self.error(var.span, format!("`{name}` is local to a process that does not exist"));
            }
        }
    }

    fn domain(&mut self, domain: Domain, full: bool, span: Span, name: &str) {
        if domain.min > domain.max {
            self.error(span, format!("the domain of `{name}` is empty"));
        } else if full && !domain.is_full() {
            self.error(
                span,
                format!("the domain of `{name}` has no wrap-around: its size is no power of two"),
            );
        }
    }

    fn channels(&mut self) {
        for channel in &self.program.channels {
            if channel.fields.len() > MAX_MESSAGE {
                self.error(channel.span, format!("a message of `{}` has too many values", channel.name));
            }
            if channel.capacity > i32::MAX as u32 {
                self.error(channel.span, format!("channel `{}` is too large", channel.name));
            }
            channel.fields.iter().for_each(|&d| self.domain(d, true, channel.span, &channel.name));
        }
    }

    fn instances(&mut self) {
        if self.program.instances.is_empty() {
            self.error(Span::default(), "there is no process");
        }
        for instance in &self.program.instances {
            if instance.process.index() >= self.program.processes.len() {
                self.error(Span::default(), format!("`{}` is an instance of no process", instance.name));
            }
        }
        if self.program.claim.is_some_and(|c| c.index() >= self.program.instances.len()) {
            self.error(Span::default(), "the claim is no instance");
        }
    }

    fn location(&mut self, process: Option<ProcId>, l: LocId, span: Span) {
        if process.is_some_and(|p| l.index() >= self.program.processes[p.index()].locations.len()) {
            self.error(span, "a location does not exist");
        }
    }

    fn edge(&mut self, p: ProcId, edge: &Edge) {
        self.location(Some(p), edge.from, edge.span);
        self.location(Some(p), edge.to, edge.span);
        if let Guard::When(g) = edge.guard {
            self.expr(Some(p), g);
        }
        match &edge.offer {
            Offer::None => {}
            Offer::Send(c, values) => {
                self.message(*c, values.len(), edge.span);
                values.iter().for_each(|&v| self.expr(Some(p), v));
            }
            Offer::Receive(c, patterns) => {
                self.message(*c, patterns.len(), edge.span);
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.place(Some(p), *place, edge.span);
                    }
                }
            }
        }
        for &Statement::Assign(place, value) in &edge.effect {
            self.place(Some(p), place, edge.span);
            self.expr(Some(p), value);
        }
        let claims = self.program.claim.map(|c: InstanceId| self.program.instances[c.index()].process);
        if claims == Some(p) && edge.offer != Offer::None {
            self.error(edge.span, "a claim cannot send or receive");
        }
    }

    fn message(&mut self, c: ChanId, values: usize, span: Span) {
        match self.program.channels.get(c.index()) {
            None => self.error(span, "a channel does not exist"),
            Some(channel) if channel.fields.len() != values => {
                let name = channel.name.clone();
                self.error(span, format!("a message of `{name}` has another number of values"));
            }
            Some(_) => {}
        }
    }

    fn expr(&mut self, me: Option<ProcId>, root: ExprId) {
        if root.index() >= self.program.exprs.len() {
            return self.error(Span::default(), "an expression does not exist");
        }
        let mut places = Vec::new();
        self.program.exprs.walk(root, |e, expr| {
            if let Expr::Read(place) = expr {
                places.push((place, self.program.exprs.span(e)));
            }
        });
        places.into_iter().for_each(|(place, span)| self.shape(me, place, span));
    }

    fn place(&mut self, me: Option<ProcId>, place: Place, span: Span) {
        if !self.knows(place) {
            return self.error(span, "a place names something that does not exist");
        }
        self.shape(me, place, span);
        if let Some(index) = place.index {
            self.expr(me, index);
        }
    }

    /// An array has an index, a scalar none; a local variable is local to the instance that is named.
    fn shape(&mut self, me: Option<ProcId>, place: Place, span: Span) {
        let var = &self.program.vars[place.var.index()];
        if var.len.is_some() != place.index.is_some() {
            let name = var.name.clone();
            self.error(
                span,
                format!("`{name}` is an array without an index, or has one without being an array"),
            );
        }
        let owner = match place.owner {
            Owner::Own => me,
            Owner::Of(i) => Some(self.program.instances[i.index()].process),
        };
        if var.owner.is_some() && var.owner != owner {
            let name = var.name.clone();
            self.error(span, format!("`{name}` is local to another process"));
        }
    }
}
