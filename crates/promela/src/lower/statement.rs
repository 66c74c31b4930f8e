//! Statements: what they do, and where they are in the flow of control.

use super::expression::Lowered;
use super::flow::{Kind, Seq, Target};
use super::names::{Declared, DeclaredKind, Referent};
use super::{Home, Lowering};
use crate::ast::{self, Choice, ForRange, Node, Reference, Statement, StatementKind};
use riata_program::{Action, Expr, Guard, Offer, Place, Print, Receive, Statement as Effect};
use riata_program::{Binary, Domain, ExprId};
use riata_source::{Diagnostic, Span};
use std::rc::Rc;

/// A selection among so many constants is written out.
const WRITTEN_OUT: i64 = 32;

impl Lowering<'_> {
    pub(super) fn statements(&mut self, list: &[Statement]) {
        for statement in list {
            self.statement(statement);
        }
    }

    /// A block of its own scope, as a sequence.
    fn sequence(&mut self, list: &[Statement], whose: Option<&str>, span: Span) -> Seq {
        self.scopes.enter();
        let seq = self.bare_sequence(list, whose, span);
        self.scopes.leave();
        seq
    }

    /// A sequence in the scope that is open: an option is none of its own, braces are.
    fn bare_sequence(&mut self, list: &[Statement], whose: Option<&str>, span: Span) -> Seq {
        self.flow.open();
        self.at_start = false;
        self.statements(list);
        self.flow.close(whose, span)
    }

    fn add_basic(&mut self, action: Action) -> usize {
        let el = self.flow.basic(action);
        self.flow.add(el);
        el
    }

    fn statement(&mut self, st: &Statement) {
        // A label must be at its element before that is added.
        let el = match &st.kind {
            StatementKind::Declaration(d) => {
                let home = if self.in_claim { Home::Shared } else { Home::Local };
                self.declare(d, home);
                return;
            }
            StatementKind::Exclusive(..) => return,
            StatementKind::If(options) => self.choice(options, false, st.span),
            StatementKind::Do(options) => {
                self.flow.begin_loop(st.span);
                self.choice(options, true, st.span)
            }
            StatementKind::For(variable, range, body) => self.for_loop(variable, range, body, st.span),
            StatementKind::Select(variable, from, to) => self.select(variable, *from, *to, st.span),
            StatementKind::Unless(main, escape) => self.unless(main, escape, st.span),
            kind => {
                let kind = self.simple(kind, st);
                let spoken_of = self.current.is_some_and(|p| {
                    st.labels.iter().any(|l| self.referenced.contains(&(p, l.text.clone())))
                });
                let jump = matches!(kind, Kind::Goto(_));
                let el = self.flow.element(kind, st.span);
                if let (true, Some(p)) = (jump, self.current) {
                    self.late.jumps.extend(st.labels.iter().map(|l| (p, l.text.clone())));
                }
                if jump && spoken_of {
                    // A jump is passed through; where others ask for its label, it is a place of its own.
                    let place = self.add_basic(Action::skip(st.span));
                    self.split_jump(st, el, place);
                    self.labels(st, place);
                } else {
                    self.labels(st, el);
                }
                self.flow.add(el);
                self.at_start = false;
                return;
            }
        };
        self.labels(st, el);
        self.at_start = false;
    }

    fn labels(&mut self, st: &Statement, el: usize) {
        for label in &st.labels {
            self.flow.label(&label.text, &self.scopes.path, el, label.span);
        }
    }

    fn choice(&mut self, options: &[Choice], repeat: bool, span: Span) -> usize {
        let options = options
            .iter()
            .map(|o| self.bare_sequence(&o.body.statements, None, o.body.span))
            .collect::<Vec<_>>();
        self.flow.written_choice(options, repeat, span)
    }

    fn unless(&mut self, main: &Statement, escape: &Statement, span: Span) -> usize {
        // `L: { a } unless { b }`: the label is that of the whole.
        let lifted = !main.labels.is_empty()
            && matches!(
                main.kind,
                StatementKind::Block(_) | StatementKind::Atomic(_) | StatementKind::DStep(_)
            );
        if lifted {
            self.flow.open();
        }
        let begin = self.flow.made;
        let first = match &main.kind {
            StatementKind::Block(b) => self.sequence(&b.statements, Some("the block before unless"), b.span),
            StatementKind::Atomic(b) if lifted => {
                let seq = self.sequence(&b.statements, Some("the block before unless"), b.span);
                self.flow.make_atomic(seq);
                seq
            }
            _ => {
                self.flow.open();
                let bare = Statement {
                    labels: if lifted { Vec::new() } else { main.labels.clone() },
                    ..main.clone()
                };
                self.statement(&bare);
                self.flow.close(Some("the statement before unless"), main.span)
            }
        };
        let between = self.flow.made;
        let second = match &escape.kind {
            StatementKind::Block(b) => self.sequence(&b.statements, Some("the block after unless"), b.span),
            _ => {
                self.flow.open();
                self.statement(escape);
                self.flow.close(Some("the statement after unless"), escape.span)
            }
        };
        let own = match main.kind {
            StatementKind::Block(_) => 0,
            _ if lifted => 0,
            StatementKind::If(_) => 2,
            StatementKind::Do(_) => 3,
            _ => 1,
        };
        self.flow.swap_numbers(begin, between, own);
        let e = self.flow.unless(first, second, span);
        if !lifted {
            return e;
        }
        let seq = self.flow.close(None, span);
        let kind = match main.kind {
            StatementKind::Atomic(_) => Kind::Atomic(seq),
            _ => Kind::Group(seq),
        };
        let group = self.flow.element(kind, span);
        self.labels(main, group);
        self.flow.add(group);
        group
    }

    /// A statement that is one element.
    fn simple(&mut self, kind: &StatementKind, st: &Statement) -> Kind {
        let span = st.span;
        match kind {
            StatementKind::Break => match self.flow.after_loop() {
                Some(after) => Kind::Goto(Target::Element(after)),
                None => {
                    let d = Diagnostic::error(span, "`break` outside of a loop");
                    self.error(d, st.origin);
                    Kind::Basic(Action::skip(span))
                }
            },
            StatementKind::Goto(name) => {
                Kind::Goto(Target::Label(name.text.clone(), self.scopes.path.clone(), name.span))
            }
            StatementKind::Atomic(b) => {
                let seq = self.sequence(&b.statements, Some("atomic"), b.span);
                self.flow.make_atomic(seq);
                Kind::Atomic(seq)
            }
            // Inside another one it changes nothing.
            StatementKind::DStep(b) if self.flow.in_step() => {
                Kind::Group(self.sequence(&b.statements, Some("d_step"), b.span))
            }
            StatementKind::DStep(b) => {
                self.flow.begin_step();
                let seq = self.sequence(&b.statements, Some("d_step"), b.span);
                self.flow.make_atomic(seq);
                self.flow.end_step();
                Kind::Step(seq)
            }
            StatementKind::Block(b) => Kind::Group(self.sequence(&b.statements, Some("a block"), b.span)),
            StatementKind::Call(call) => {
                self.results.push(call.result.clone());
                let seq = self.sequence(&call.body.statements, None, call.body.span);
                self.results.pop();
                Kind::Group(seq)
            }
            kind => Kind::Basic(self.action(kind, st)),
        }
    }

    /// A statement that is one step.
    fn action(&mut self, kind: &StatementKind, st: &Statement) -> Action {
        let span = st.span;
        let mut action = Action::skip(span);
        match kind {
            StatementKind::Expression(e) => match self.ast.exprs.node(*e) {
                Node::Run(run) => {
                    let run = run.clone();
                    action.effect.extend(self.run(&run, None, span));
                }
                // Only this is `skip` to Spin, not what comes to the same.
                Node::Constant(1, _) => {}
                _ => action.guard = Guard::When(self.expr(*e)),
            },
            StatementKind::Else => action.guard = Guard::Else,
            StatementKind::Assign(to, value) => self.assign(to, *value, span, &mut action),
            StatementKind::Return(value) => match self.results.last().cloned().flatten() {
                Some(to) => self.assign(&to, *value, span, &mut action),
                None => {
                    let d = Diagnostic::error(span, "`return` in an inline whose result is not used");
                    self.error(d, st.origin);
                }
            },
            StatementKind::Increment(to) => self.step(to, Binary::Add, span, &mut action),
            StatementKind::Decrement(to) => self.step(to, Binary::Sub, span, &mut action),
            StatementKind::Assert(e) => {
                let started = self.start_first(&[*e], &mut action);
                let e = self.expr(*e);
                action.effect.push(Effect::Assert(e));
                self.forget(started, &mut action);
            }
            StatementKind::Printf(format, arguments) => {
                let started = self.start_first(arguments, &mut action);
                let arguments: Vec<ExprId> = arguments.iter().map(|&e| self.expr(e)).collect();
                self.print(format, arguments, &mut action);
                self.forget(started, &mut action);
            }
            StatementKind::Printm(e) => {
                let e = self.expr(*e);
                self.print("%e", vec![e], &mut action);
            }
            StatementKind::Send { channel, sorted, arguments } if self.events.is_some() => {
                let mut own = Lowered::new();
                self.indices(channel, &Lowered::new(), &mut own);
                let patterns = self.sent(arguments);
                if let Some((channel, declared)) = self.channel(channel, &|e| own[&e.0]) {
                    self.arity(declared, patterns.len(), span);
                    let receive = Receive { channel, any: *sorted, keeps: false, patterns, span };
                    action.offer = self.event(receive, true, span);
                }
            }
            StatementKind::Send { channel, sorted, arguments } => {
                let mut own = Lowered::new();
                self.indices(channel, &Lowered::new(), &mut own);
                let values = self.values(arguments);
                let reference = channel;
                if let Some((channel, declared)) = self.channel(reference, &|e| own[&e.0]) {
                    self.initialised(channel, reference);
                    self.arity(declared, values.len(), span);
                    action.offer = Offer::Send { channel, sorted: *sorted, values };
                }
            }
            StatementKind::Receive { channel, random, keep, patterns } => {
                let mut own = Lowered::new();
                self.indices(channel, &Lowered::new(), &mut own);
                let patterns = self.patterns(patterns, &Lowered::new());
                if let Some((channel, declared)) = self.channel(channel, &|e| own[&e.0]) {
                    self.arity(declared, patterns.len(), span);
                    let receive = Receive { channel, any: *random, keeps: *keep, patterns, span };
                    action.offer = if self.events.is_some() {
                        self.event(receive, false, span)
                    } else {
                        self.program.receives.push(receive);
                        Offer::Receive(self.program.receives.len() as u32 - 1)
                    };
                }
            }
            StatementKind::SetPriority(pid, priority) => {
                self.program.scheduling.priorities = true;
                let (pid, priority) = (self.expr(*pid), self.expr(*priority));
                action.effect.push(Effect::SetPriority(pid, priority));
            }
            StatementKind::CCode(_) => {
                let d = Diagnostic::error(span, "`c_code` holds C code, which Riata does not execute")
                    .help("express it in Promela, or leave it out");
                self.error(d, st.origin);
            }
            _ => {}
        }
        action
    }

    fn assign(&mut self, to: &Reference, value: ast::ExprId, span: Span, action: &mut Action) {
        if to.steps.len() == 1 && &*to.steps[0].name.text == "_priority" {
            self.program.scheduling.priorities = true;
            let pid = self.program.exprs.add(Expr::Pid, span);
            let value = self.expr(value);
            action.effect.push(Effect::SetPriority(pid, value));
            return;
        }
        // `_` is there to be written, and nothing else.
        let hole = to.steps.len() == 1 && &*to.steps[0].name.text == "_";
        let place = if hole { None } else { self.place(to) };
        if let Node::Run(run) = self.ast.exprs.node(value) {
            let run = run.clone();
            action.effect.extend(self.run(&run, place, span));
            return;
        }
        let started = self.start_first(&[value], action);
        let value = self.expr(value);
        match place {
            Some(place) => action.effect.push(Effect::Assign(place, value)),
            None if hole => self.evaluate(value, action),
            None => {}
        }
        self.forget(started, action);
    }

    /// What is printed, its arguments evaluated.
    fn print(&mut self, format: &str, arguments: Vec<ExprId>, action: &mut Action) {
        arguments.iter().for_each(|&e| self.evaluate(e, action));
        self.program.prints.push(Print { format: format.to_string(), arguments });
        action.effect.push(Effect::Print(self.program.prints.len() as u32 - 1));
    }

    /// Evaluates an expression whose value nobody needs, if that can be a run-time error.
    fn evaluate(&mut self, e: ExprId, action: &mut Action) {
        if self.can_fail(e) {
            let span = self.program.exprs.span(e);
            let one = self.constant_expr(1, span);
            let whatever = self.program.exprs.add(Expr::If(e, one, one), span);
            action.effect.push(Effect::Assert(whatever));
        }
    }

    fn can_fail(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            let expr = self.program.exprs.get(e);
            let fails = match expr {
                Expr::Read(place) => place.index.is_some(),
                Expr::Binary(Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr, _, b) => {
                    self.program.exprs.constant(b).is_none_or(|b| !(1..32).contains(&b))
                }
                Expr::Bounded(..) | Expr::Channel(..) | Expr::Poll(_) | Expr::Enabled(_) => true,
                _ => false,
            };
            if fails {
                return true;
            }
            todo.extend(riata_program::Exprs::operands(expr));
        }
        false
    }

    /// Starts the processes of the `run`s inside expressions, before the statement that uses their pids. Where they
    /// are kept meanwhile is returned.
    fn start_first(&mut self, roots: &[ast::ExprId], action: &mut Action) -> Vec<Place> {
        let mut places = Vec::new();
        let mut todo: Vec<(ast::ExprId, bool)> = roots.iter().rev().map(|&e| (e, true)).collect();
        while let Some((e, top)) = todo.pop() {
            match self.ast.exprs.node(e) {
                Node::Unary(_, a) => todo.push((*a, top)),
                Node::Binary(op, a, b) if !matches!(op, ast::BinaryOp::And | ast::BinaryOp::Or) => {
                    todo.extend([(*b, top), (*a, top)]);
                }
                Node::Run(run) => {
                    let (run, span) = (run.clone(), self.ast.exprs.span(e));
                    let place = self.counter(span);
                    action.effect.extend(self.run(&run, Some(place), span));
                    let pid = self.program.exprs.add(Expr::Read(place), span);
                    self.started.insert(e.0, pid);
                    places.push(place);
                }
                _ => {}
            }
        }
        places
    }

    /// The pids that [`Self::start_first`] kept are of no use any more.
    fn forget(&mut self, places: Vec<Place>, action: &mut Action) {
        for place in places {
            let zero = self.constant_expr(0, action.span);
            action.effect.push(Effect::Assign(place, zero));
        }
    }

    fn step(&mut self, to: &Reference, op: Binary, span: Span, action: &mut Action) {
        if let Some(place) = self.place(to) {
            let old = self.program.exprs.add(Expr::Read(place), span);
            let one = self.program.exprs.add(Expr::Const(1), span);
            let new = self.program.exprs.add(Expr::Binary(op, old, one), span);
            action.effect.push(Effect::Assign(place, new));
        }
    }

    fn run(&mut self, run: &ast::Run, pid: Option<Place>, span: Span) -> Option<Effect> {
        let process = self.process(&run.process)?;
        let arguments = self.values(&run.arguments);
        let signature = &self.processes[&run.process.text];
        if signature.parameters != arguments.len() {
            let (wanted, given) = (signature.parameters, arguments.len());
            let name = &run.process.text;
            let d =
                Diagnostic::error(span, format!("`{name}` has {wanted} parameters, here there are {given}"))
                    .note(signature.span, format!("`{name}` is declared here"));
            self.error(d, run.process.origin);
            return None;
        }
        let priority = run.priority.map(|e| {
            self.program.scheduling.priorities = true;
            self.expr(e)
        });
        Some(Effect::Run { process, arguments, priority, pid, span })
    }

    /// What a declaration in a process does: before the first statement its value is there from the start, later it
    /// is stored when control passes.
    pub(super) fn initialise(&mut self, v: &ast::Variable, declared: &Rc<Declared>) {
        let span = v.name.span;
        let DeclaredKind::Leaf { var, .. } = declared.kind else {
            if !self.at_start {
                // A structure has its values from the start. Spin makes a statement of it all the same, which is no
                // `skip` and changes nothing.
                let guard = Guard::When(self.constant_expr(1, span));
                self.add_basic(Action { guard, ..Action::skip(span) });
            }
            return;
        };
        let value = match &v.initial {
            Some(ast::Initial::Value(e)) => self.expr(*e),
            Some(_) => return,
            None if self.at_start => return,
            None => self.program.exprs.add(Expr::Const(0), span),
        };
        let elements = if self.at_start { declared.len.unwrap_or(1) } else { 1 };
        for i in 0..elements {
            let index = declared.len.map(|_| self.program.exprs.add(Expr::Const(i as i32), span));
            let place = Place { var: Home::Local.var(var), index };
            if self.at_start {
                self.initialisers.push((place, value));
            } else {
                let effect = vec![Effect::Assign(place, value)];
                self.add_basic(Action { effect, ..Action::skip(span) });
            }
        }
    }

    fn constant_expr(&mut self, k: i32, span: Span) -> ExprId {
        self.program.exprs.add(Expr::Const(k), span)
    }

    fn store(&mut self, place: Place, value: ExprId, span: Span) {
        self.add_basic(Action { effect: vec![Effect::Assign(place, value)], ..Action::skip(span) });
    }

    /// `i = from; do :: i <= to -> …; i++ :: else -> break od`.
    fn for_loop(&mut self, variable: &Reference, range: &ForRange, body: &ast::Block, span: Span) -> usize {
        let mut own = Lowered::new();
        if let ForRange::In(list) = range {
            self.indices(list, &Lowered::new(), &mut own);
        }
        if let ForRange::In(list) = range
            && let Some(Referent::Scalar { .. }) = self.find(list, &|e| own[&e.0])
        {
            return self.for_messages(variable, list, body, span);
        }
        self.flow.begin_loop(span);
        let Some(place) = self.place(variable) else {
            let options = Vec::new();
            return self.flow.choice(options, true, span);
        };
        let (from, to) = match range {
            ForRange::Between(a, b) => (self.expr(*a), self.expr(*b)),
            ForRange::In(list) => {
                let n = match self.find(list, &|e| own[&e.0]) {
                    Some(Referent::Many(many)) => many.len() as i32,
                    _ => 1,
                };
                (self.constant_expr(0, span), self.constant_expr(n - 1, span))
            }
        };
        self.store(place, from, span);
        self.flow.open();
        self.at_start = false;
        let now = self.program.exprs.add(Expr::Read(place), span);
        let within = self.program.exprs.add(Expr::Binary(Binary::Le, now, to), span);
        self.add_basic(Action { guard: Guard::When(within), ..Action::skip(span) });
        self.repeat(place, body, span)
    }

    /// The rest of a `for`: the body, the next value, and the way out.
    fn repeat(&mut self, place: Place, body: &ast::Block, span: Span) -> usize {
        self.scopes.enter();
        self.statements(&body.statements);
        self.scopes.leave();
        self.increment(place, span);
        let body = self.flow.close(None, span);
        self.flow.open();
        self.add_basic(Action { guard: Guard::Else, ..Action::skip(span) });
        self.leave_loop(span);
        let out = self.flow.close(None, span);
        self.flow.choice(vec![body, out], true, span)
    }

    fn increment(&mut self, place: Place, span: Span) {
        let now = self.program.exprs.add(Expr::Read(place), span);
        let one = self.constant_expr(1, span);
        let next = self.program.exprs.add(Expr::Binary(Binary::Add, now, one), span);
        self.store(place, next, span);
    }

    fn leave_loop(&mut self, span: Span) {
        if let Some(after) = self.flow.after_loop() {
            let out = self.flow.element(Kind::Goto(Target::Element(after)), span);
            self.flow.add(out);
        }
    }

    /// `for (m in c)`: each message is taken, and put back behind the others.
    fn for_messages(
        &mut self,
        variable: &Reference,
        list: &Reference,
        body: &ast::Block,
        span: Span,
    ) -> usize {
        self.flow.begin_loop(span);
        let mut own = Lowered::new();
        self.indices(variable, &Lowered::new(), &mut own);
        self.indices(list, &Lowered::new(), &mut own);
        let found = self.find(variable, &|e| own[&e.0]);
        let fields: Vec<Place> = match found {
            Some(Referent::Many(many)) => many.into_iter().map(|(p, _)| p).collect(),
            Some(Referent::Scalar { place, .. }) => vec![place],
            _ => Vec::new(),
        };
        fields.iter().for_each(|&p| self.wrote(p));
        let count = self.counter(span);
        let zero = self.constant_expr(0, span);
        self.store(count, zero, span);
        self.flow.open();
        self.at_start = false;
        if let Some((channel, declared)) = self.channel(list, &|e| own[&e.0]) {
            self.arity(declared, fields.len(), span);
            let now = self.program.exprs.add(Expr::Read(count), span);
            let len = self.program.exprs.add(Expr::Channel(riata_program::Query::Len, channel), span);
            let within = self.program.exprs.add(Expr::Binary(Binary::Lt, now, len), span);
            self.add_basic(Action { guard: Guard::When(within), ..Action::skip(span) });
            let patterns = fields.iter().map(|&p| riata_program::Pattern::Bind(p)).collect();
            self.program.receives.push(Receive { channel, any: false, keeps: false, patterns, span });
            let receive = self.program.receives.len() as u32 - 1;
            self.add_basic(Action { offer: Offer::Receive(receive), ..Action::skip(span) });
            let values = fields.iter().map(|&p| self.program.exprs.add(Expr::Read(p), span)).collect();
            let offer = Offer::Send { channel, sorted: false, values };
            self.add_basic(Action { offer, ..Action::skip(span) });
        }
        self.repeat(count, body, span)
    }

    /// A hidden variable of the process.
    fn counter(&mut self, span: Span) -> Place {
        self.locals.push(riata_program::Variable {
            name: format!("_for{}", self.locals.len()),
            domain: Domain::BYTE,
            rule: riata_program::StoreRule::Wrap,
            len: None,
            initial: vec![0],
            shown: riata_program::Shown::Number,
            span,
        });
        Place { var: Home::Local.var(self.locals.len() as u32 - 1), index: None }
    }

    /// `select (x : a .. b)`: one option each for a few constants, otherwise a loop that can be left at any value.
    fn select(&mut self, variable: &Reference, from: ast::ExprId, to: ast::ExprId, span: Span) -> usize {
        // Spin does this in its lexer, for decimal numbers and names of letters and digits, outside of inlines.
        let name = &variable.steps[0];
        let plain = variable.steps.len() == 1
            && name.index.is_none()
            && name.name.text.bytes().all(|b| b.is_ascii_alphanumeric())
            && self.results.is_empty();
        let literal = |e| match self.ast.exprs.node(e) {
            Node::Constant(k, ast::Spelling::Decimal) if plain => Some(*k),
            _ => None,
        };
        let known = (literal(from), literal(to));
        let (from, to) = (self.expr(from), self.expr(to));
        let Some(place) = self.place(variable) else {
            return self.add_basic(Action::skip(span));
        };
        if let (Some(a), Some(b)) = known
            && a <= b
            && i64::from(b) - i64::from(a) <= WRITTEN_OUT
        {
            let mut options = Vec::new();
            for k in a..=b {
                self.flow.open();
                let k = self.constant_expr(k, span);
                self.store(place, k, span);
                options.push(self.flow.close(None, span));
            }
            return self.flow.choice(options, false, span);
        }
        self.store(place, from, span);
        self.flow.begin_loop(span);
        self.flow.open();
        let now = self.program.exprs.add(Expr::Read(place), span);
        let less = self.program.exprs.add(Expr::Binary(Binary::Lt, now, to), span);
        self.add_basic(Action { guard: Guard::When(less), ..Action::skip(span) });
        self.increment(place, span);
        let more = self.flow.close(None, span);
        self.flow.open();
        self.leave_loop(span);
        let out = self.flow.close(None, span);
        self.flow.choice(vec![out, more], true, span)
    }
}
