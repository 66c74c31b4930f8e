//! Is a program well formed? What layout, code generation, interpreter and analyses take for granted is checked here,
//! once; they look no further.
//!
//! A front end that lets through what this rejects has a bug; its user sees the message all the same. The text form is
//! read by people and machines, so nothing here panics, or follows an id before it is known to exist.

mod graph;
mod roles;
#[cfg(test)]
pub(super) mod tests;

use crate::domain::{Domain, MAX_MESSAGE, StoreRule};
use crate::form::{Expr, Exprs, Opening, Pattern, Place, Program, Receive, Shown, Var, Variable};
use crate::frame::MAX_CHANNELS;
use crate::ids::{ExprId, ProcId};
use riata_source::{Diagnostic, Span};

/// How deep polls, and indices of other processes' variables, may nest: code is generated for them one in the other.
const DEEPEST: u32 = 64;

/// Everything that is wrong with `program`; nothing if it is well formed.
pub fn verify(program: &Program) -> Vec<Diagnostic> {
    let mut v = Verifier {
        program,
        wrong: Vec::new(),
        seen: vec![0; program.exprs.len()],
        receives: vec![0; program.receives.len()],
        blocks: vec![0; program.blocks.len()],
    };
    v.arena();
    if !v.wrong.is_empty() {
        // The rest follows ids.
        return v.wrong;
    }
    v.variables(&program.shared);
    v.channels();
    v.opens();
    v.start();
    for p in (0..program.processes.len()).map(ProcId::new) {
        v.process(p);
    }
    v.last();
    v.monitor();
    v.claim();
    for proposition in &program.propositions {
        v.exprs(None, vec![proposition.expr]);
    }
    v.lockstep();
    v.wrong
}

struct Verifier<'a> {
    program: &'a Program,
    wrong: Vec<Diagnostic>,
    /// For each expression, who was the last to evaluate it: a [`stamp`].
    seen: Vec<u32>,
    /// For each receive that reads or stores to a local variable, whose it is: a [`stamp`], 0 if nobody's yet.
    receives: Vec<u32>,
    /// For each block, whose it is.
    blocks: Vec<u32>,
}

/// A number for who evaluates: a process type, or somebody who looks on.
fn stamp(me: Option<ProcId>) -> u32 {
    me.map_or(1, |p| p.0.saturating_add(2))
}

impl<'a> Verifier<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(span, message));
    }

    /// Operands come before their operators. What else an expression names need not exist as long as nobody evaluates
    /// it: it may be that of a claim that is not part of the program.
    fn arena(&mut self) {
        let program = self.program;
        for receive in &program.receives {
            if parts(receive).any(|e| e.index() >= program.exprs.len()) {
                self.error(receive.span, "a receive has an expression that does not exist");
            }
        }
        let mut nesting: Vec<u32> = Vec::with_capacity(program.exprs.len());
        for e in (0..program.exprs.len()).map(ExprId::new) {
            let (expr, span) = (program.exprs.get(e), program.exprs.span(e));
            let receive = match expr {
                Expr::Poll(r) => program.receives.get(r as usize),
                _ => None,
            };
            let operands = Exprs::operands(expr).chain(receive.into_iter().flat_map(parts));
            let mut deep = 0;
            for o in operands {
                match nesting.get(o.index()) {
                    Some(&n) => deep = deep.max(n),
                    None => self.error(span, "an operand comes after its operator"),
                }
            }
            let inside = match expr {
                Expr::Poll(_) => 1,
                Expr::Read(Place { var: Var::Remote(..), index: Some(_) }) => 1,
                _ => 0,
            };
            if deep + inside > DEEPEST {
                self.error(span, "polls or indices nest too deep");
            }
            nesting.push((deep + inside).min(DEEPEST));
        }
    }

    fn variables(&mut self, variables: &[Variable]) {
        for var in variables {
            let name = &var.name;
            self.domain(var.domain, var.rule == StoreRule::Wrap, var.span, name);
            self.shown(var.shown, var.span, name);
            if var.len == Some(0) {
                self.error(var.span, format!("array `{name}` has no elements"));
            }
            if var.initial.len() != var.len.map_or(1, |n| n as usize) {
                self.error(
                    var.span,
                    format!("`{name}` has another number of initial values than of elements"),
                );
            }
            if !var.initial.iter().all(|&v| var.domain.contains(v)) {
                self.error(var.span, format!("the initial value of `{name}` is not in its domain"));
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

    fn shown(&mut self, shown: Shown, span: Span, name: &str) {
        if matches!(shown, Shown::Symbol(set) if set as usize >= self.program.symbols.len()) {
            self.error(span, format!("the symbols of `{name}` do not exist"));
        }
    }

    fn channels(&mut self) {
        for channel in &self.program.channels {
            let (name, span) = (&channel.name, channel.span);
            if channel.fields.len() > MAX_MESSAGE {
                self.error(span, format!("a message of `{name}` has too many values"));
            }
            if channel.shown.len() != channel.fields.len() {
                self.error(span, format!("it is not said how each value of a message of `{name}` is shown"));
            }
            if channel.capacity > i32::MAX as u32 {
                self.error(span, format!("channel `{name}` is too large"));
            }
            channel.fields.iter().for_each(|&d| self.domain(d, true, span, name));
            channel.shown.iter().for_each(|&s| self.shown(s, span, name));
        }
    }

    /// The channels that exist from the start: their numbers are known.
    fn opens(&mut self) {
        let program = self.program;
        if program.opens.len() > MAX_CHANNELS {
            self.error(Span::default(), format!("there are more than {MAX_CHANNELS} channels"));
        }
        for (i, open) in program.opens.iter().enumerate() {
            let number = i.min(MAX_CHANNELS) as i32 + 1;
            self.opening(*open, &program.shared, number..=number);
        }
    }

    /// An opening names a channel, and an element of a variable that can hold its number.
    fn opening(&mut self, open: Opening, variables: &[Variable], numbers: std::ops::RangeInclusive<i32>) {
        let span = variables.get(open.var as usize).map_or(Span::default(), |v| v.span);
        if open.channel as usize >= self.program.channels.len() {
            self.error(span, "a channel is opened that is not declared");
        }
        match variables.get(open.var as usize) {
            None => self.error(span, "a channel is opened for a variable that does not exist"),
            Some(v) if open.element >= v.len.unwrap_or(1) => {
                self.error(
                    span,
                    format!("a channel is opened for an element that `{}` does not have", v.name),
                );
            }
            Some(v) if !v.domain.contains(*numbers.start()) || !v.domain.contains(*numbers.end()) => {
                self.error(span, format!("`{}` cannot hold the number of its channel", v.name));
            }
            Some(_) => {}
        }
    }

    /// What `me` evaluates: places have the right shape, and its own variables exist.
    fn exprs(&mut self, me: Option<ProcId>, roots: Vec<ExprId>) {
        let mut todo = roots;
        while let Some(e) = todo.pop() {
            match self.seen.get_mut(e.index()) {
                None => {
                    self.error(Span::default(), "an expression does not exist");
                    continue;
                }
                Some(seen) if *seen == stamp(me) => continue,
                Some(seen) => *seen = stamp(me),
            }
            let (expr, span) = (self.program.exprs.get(e), self.program.exprs.span(e));
            match expr {
                Expr::Read(place) => self.shape(me, place, span),
                Expr::Poll(r) => self.receive(me, r, span, &mut todo),
                Expr::At(p, _, l) => {
                    let process = self.program.processes.get(p.index());
                    if process.is_none_or(|p| l.index() >= p.locations.len()) {
                        self.error(span, "it is asked for a location that does not exist");
                    }
                }
                _ => {}
            }
            todo.extend(Exprs::operands(expr));
        }
    }

    /// An array may have an index, a scalar has none.
    fn shape(&mut self, me: Option<ProcId>, place: Place, span: Span) {
        match self.program.variable(me, place.var) {
            None => self.error(span, "a variable does not exist, or there is no process whose it would be"),
            Some(v) if v.len.is_none() && place.index.is_some() => {
                self.error(span, format!("`{}` has an index and is no array", v.name));
            }
            Some(_) => {}
        }
    }

    /// Something is stored only to what is shared or the process's own.
    fn stored(&mut self, me: Option<ProcId>, place: Place, span: Span, todo: &mut Vec<ExprId>) {
        if matches!(place.var, Var::Remote(..)) {
            self.error(span, "something is stored to a variable of another process");
        }
        self.shape(me, place, span);
        todo.extend(place.exprs());
    }

    /// A receive as `me` knows it. Its code is made once, so only one process type's own variables can be in it.
    fn receive(&mut self, me: Option<ProcId>, r: u32, span: Span, todo: &mut Vec<ExprId>) {
        let Some(receive) = self.program.receives.get(r as usize) else {
            return self.error(span, "a receive does not exist");
        };
        if receive.patterns.len() > MAX_MESSAGE {
            self.error(receive.span, "a receive has too many values");
        }
        for pattern in &receive.patterns {
            if let Pattern::Bind(place) = pattern {
                self.stored(me, *place, receive.span, todo);
            }
        }
        todo.extend(parts(receive));
        if self.is_local(receive) {
            let user = &mut self.receives[r as usize];
            if *user != 0 && *user != stamp(me) {
                self.error(receive.span, "a receive with local variables is used by two");
            } else {
                *user = stamp(me);
            }
        }
    }

    /// Has a receive to do with the variables of the process that takes it?
    fn is_local(&self, receive: &Receive) -> bool {
        let local = |place: Place| matches!(place.var, Var::Local(_));
        let binds = receive.patterns.iter().any(|p| matches!(p, Pattern::Bind(place) if local(*place)));
        let mut todo: Vec<ExprId> = parts(receive).collect();
        let mut seen = std::collections::HashSet::new();
        while let Some(e) = todo.pop() {
            if e.index() >= self.program.exprs.len() || !seen.insert(e) {
                continue;
            }
            match self.program.exprs.get(e) {
                Expr::Read(place) if local(place) => return true,
                Expr::Poll(r) => {
                    todo.extend(self.program.receives.get(r as usize).into_iter().flat_map(parts));
                }
                expr => todo.extend(Exprs::operands(expr)),
            }
        }
        binds
    }
}

/// All expressions that a receive has.
fn parts(receive: &Receive) -> impl Iterator<Item = ExprId> {
    let patterns = receive.patterns.iter().flat_map(|pattern| {
        let (place, value) = match pattern {
            Pattern::Bind(place) => (Some(*place), None),
            Pattern::Match(e) => (None, Some(*e)),
            Pattern::Any => (None, None),
        };
        place.into_iter().flat_map(|p| p.exprs()).chain(value)
    });
    std::iter::once(receive.channel).chain(patterns)
}
