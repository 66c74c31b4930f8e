//! Expressions: from the tree to the program's arena. The tree is in postfix order, so this is a loop.

use super::Lowering;
use super::names::Referent;
use crate::ast::{self, BinaryOp, ChannelTest, Node, PatternKind, ProcessTest, Reference, Special, UnaryOp};
use riata_program::{Binary, ExprId, Unary};
use riata_program::{Expr, Pattern, Place, Query, Receive, Var};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// What the nodes of a tree have become.
pub(crate) type Lowered = HashMap<u32, ExprId>;

impl Lowering<'_> {
    /// Lowers an expression; where it is wrong, it is told, and the result is zero.
    pub(crate) fn expr(&mut self, root: ast::ExprId) -> ExprId {
        let mut done = Lowered::new();
        self.nodes(root, &mut done);
        done[&root.0]
    }

    /// Lowers all nodes of an expression.
    fn nodes(&mut self, root: ast::ExprId, done: &mut Lowered) {
        let ast = self.ast;
        for i in ast.exprs.range(root) {
            let id = ast::ExprId(i as u32);
            let span = ast.exprs.span(id);
            let e = self.node(id, ast.exprs.node(id), span, done);
            done.insert(id.0, e);
        }
    }

    /// A constant expression.
    pub(crate) fn constant(&mut self, root: ast::ExprId, what: &str) -> Option<i32> {
        let e = self.expr(root);
        match self.program.exprs.constant(e) {
            Some(k) => Some(k),
            None => {
                // A variable that has a known initial value will do, as in Spin.
                if let Expr::Read(Place { var: Var::Shared(v), index: None }) = self.program.exprs.get(e) {
                    return self.program.shared[v as usize].initial.first().copied();
                }
                let d = Diagnostic::error(self.ast.exprs.span(root), format!("{what} must be a constant"));
                self.error(d, self.ast.exprs.origin(root));
                None
            }
        }
    }

    fn add(&mut self, e: Expr, span: Span) -> ExprId {
        self.program.exprs.add(e, span)
    }

    fn zero(&mut self, span: Span) -> ExprId {
        self.add(Expr::Const(0), span)
    }

    fn node(&mut self, id: ast::ExprId, node: &Node, span: Span, done: &Lowered) -> ExprId {
        let of = |e: &ast::ExprId| done[&e.0];
        match node {
            Node::Constant(k, _) => self.add(Expr::Const(*k), span),
            Node::Variable(r) => self.variable(r, span, done),
            Node::Special(special) => {
                let e = match special {
                    Special::Timeout => Expr::Timeout,
                    Special::NonProgress => Expr::NonProgress,
                    Special::Pid => Expr::Pid,
                    Special::NrPr => Expr::Processes,
                    Special::Last => {
                        let v = self.last_variable();
                        Expr::Read(Place { var: Var::Shared(v), index: None })
                    }
                };
                self.add(e, span)
            }
            Node::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Negate => Unary::Neg,
                    UnaryOp::Complement => Unary::Complement,
                    UnaryOp::Not => Unary::Not,
                };
                self.add(Expr::Unary(op, of(a)), span)
            }
            Node::Binary(op, a, b) => self.add(Expr::Binary(binary(*op), of(a), of(b)), span),
            Node::Conditional(c, a, b) => self.add(Expr::If(of(c), of(a), of(b)), span),
            Node::Run(run) => {
                if let Some(pid) = self.started.remove(&id.0) {
                    return pid;
                }
                let d = Diagnostic::error(span, "`run` cannot be in this place of an expression")
                    .help("assign the pid first: `p = run P(); …`");
                self.error(d, run.process.origin);
                self.zero(span)
            }
            Node::Channel(test, r) => {
                let query = match test {
                    ChannelTest::Len => Query::Len,
                    ChannelTest::Empty => Query::Empty,
                    ChannelTest::Nempty => Query::NonEmpty,
                    ChannelTest::Full => Query::Full,
                    ChannelTest::Nfull => Query::NonFull,
                };
                match self.channel(r, &|e| done[&e.0]) {
                    Some((channel, _)) => self.add(Expr::Channel(query, channel), span),
                    None => self.zero(span),
                }
            }
            Node::Poll(poll) => {
                let Some((channel, fields)) = self.channel(&poll.channel, &|e| done[&e.0]) else {
                    return self.zero(span);
                };
                let mut patterns = self.patterns(&poll.patterns, done);
                // To ask for the first values only is all right.
                let wanted = fields.map_or(0, |c| self.program.channels[c as usize].fields.len());
                patterns.resize(patterns.len().max(wanted), Pattern::Any);
                self.arity(fields, patterns.len(), span);
                // Nothing is stored by asking.
                let patterns = patterns
                    .into_iter()
                    .map(|p| if let Pattern::Bind(_) = p { Pattern::Any } else { p })
                    .collect();
                let receive = Receive { channel, any: poll.random, keeps: true, patterns, span };
                self.program.receives.push(receive);
                let r = self.program.receives.len() as u32 - 1;
                self.add(Expr::Poll(r), span)
            }
            Node::Process(test, e) => {
                let e = of(e);
                let expr = match test {
                    ProcessTest::Enabled => Expr::Enabled(e),
                    ProcessTest::PcValue => Expr::LocationOf(e),
                    ProcessTest::GetPriority => {
                        self.program.scheduling.priorities = true;
                        Expr::PriorityOf(e)
                    }
                };
                self.add(expr, span)
            }
            Node::RemoteLabel(r) => {
                let Some(process) = self.process(&r.process) else { return self.zero(span) };
                let pid = match &r.instance {
                    Some(e) => of(e),
                    None => self.add(Expr::Const(-1), span),
                };
                self.referencing.insert((process, r.label.text.clone()));
                self.spoken_of(process, &r.label.text);
                let known = self.known.get(&process);
                let location = known.and_then(|k| k.labels.get(&r.label.text).copied());
                if location.is_some_and(|l| l.0 == super::flow::NOWHERE) && !self.first_pass {
                    let message = format!("no process is ever at label `{}`", r.label.text);
                    let d = Diagnostic::warning(r.label.span, message).help(
                        "it cannot be reached, or is at the beginning of an option: write it before the `if` or `do`",
                    );
                    self.error(d, r.label.origin);
                }
                let known = self.known.get(&process);
                match location {
                    // Nobody is ever there. The pid is evaluated all the same: that may be a fault.
                    Some(location) if location.0 == super::flow::NOWHERE => {
                        let none = self.zero(span);
                        self.add(Expr::Binary(Binary::BitAnd, pid, none), span)
                    }
                    Some(location) => self.add(Expr::At(process, pid, location), span),
                    None => {
                        if !self.first_pass {
                            let message =
                                format!("proctype `{}` has no label `{}`", r.process.text, r.label.text);
                            let d = Diagnostic::error(r.label.span, message);
                            let d = match known.and_then(|k| {
                                super::names::similar(&r.label.text, k.labels.keys().map(|k| &**k))
                            }) {
                                Some(other) => d.help(format!("did you mean `{other}`?")),
                                None => d,
                            };
                            self.error(d, r.label.origin);
                        }
                        self.zero(span)
                    }
                }
            }
            Node::RemoteVariable(r) => self.remote_variable(r, span, done),
            Node::CExpr(_) => {
                let d = Diagnostic::error(span, "`c_expr` holds C code, which Riata does not execute")
                    .help("write the condition in Promela");
                self.error(d, self.ast.exprs.origin(id));
                self.zero(span)
            }
        }
    }

    fn remote_variable(&mut self, r: &ast::RemoteVariable, span: Span, done: &Lowered) -> ExprId {
        let Some(process) = self.process(&r.process) else { return self.zero(span) };
        let pid = match &r.instance {
            Some(e) => done[&e.0],
            None => self.add(Expr::Const(-1), span),
        };
        let name = &r.variable.steps[0].name;
        let declared = self.known.get(&process).and_then(|k| k.variables.get(&name.text).cloned());
        let Some(declared) = declared else {
            if !self.first_pass {
                let message = format!("proctype `{}` has no variable `{}`", r.process.text, name.text);
                self.error(Diagnostic::error(name.span, message), name.origin);
            }
            return self.zero(span);
        };
        let place = |v| Place { var: Var::Remote(process, v, pid), index: None };
        match self.follow(&declared, &r.variable, &|e| done[&e.0], place) {
            Some(Referent::Scalar { place, .. }) => self.add(Expr::Read(place), span),
            Some(_) => {
                self.error(Diagnostic::error(span, "a scalar is needed here"), name.origin);
                self.zero(span)
            }
            None => self.zero(span),
        }
    }

    fn variable(&mut self, r: &Reference, span: Span, done: &Lowered) -> ExprId {
        if r.steps.len() == 1 && &*r.steps[0].name.text == "_priority" {
            self.program.scheduling.priorities = true;
            let pid = self.add(Expr::Pid, span);
            return self.add(Expr::PriorityOf(pid), span);
        }
        match self.find(r, &|e| done[&e.0]) {
            Some(Referent::Symbol(k)) => self.add(Expr::Const(k), span),
            Some(Referent::Scalar { place, channel, .. }) => self.read(place, channel, span),
            Some(Referent::Many(many)) => {
                let name = &r.steps[r.steps.len() - 1].name;
                let what = format!("`{}` is an array or a structure: a scalar is needed here", name.text);
                let d = Diagnostic::error(span, what).help("give an index, or name a field");
                self.error(d, name.origin);
                match many.first() {
                    Some(&(place, _)) => self.add(Expr::Read(place), span),
                    None => self.zero(span),
                }
            }
            None => self.zero(span),
        }
    }

    /// What a place holds; a channel that never changes is its number.
    pub(crate) fn read(&mut self, place: Place, channel: Option<u32>, span: Span) -> ExprId {
        if let (Var::Shared(v), Some(_)) = (place.var, channel)
            && let Some(&first) = self.fixed_channels.get(&v)
        {
            let first = self.add(Expr::Const(first), span);
            return match place.index {
                None => first,
                Some(index) => {
                    let n = self.program.shared[v as usize].len.unwrap_or(1);
                    let index = self.add(Expr::Bounded(index, n), span);
                    self.add(Expr::Binary(Binary::Add, index, first), span)
                }
            };
        }
        self.add(Expr::Read(place), span)
    }

    /// The channel that a reference names, and its declaration if that is known.
    pub(crate) fn channel(
        &mut self,
        r: &Reference,
        index: &dyn Fn(ast::ExprId) -> ExprId,
    ) -> Option<(ExprId, Option<u32>)> {
        match self.find(r, index)? {
            Referent::Scalar { place, channel, scalar } => {
                let name = &r.steps[r.steps.len() - 1].name;
                if scalar != super::names::Scalar::CHANNEL {
                    let d = Diagnostic::error(r.span, format!("`{}` is no channel", name.text));
                    self.error(d, name.origin);
                    return None;
                }
                Some((self.read(place, channel, r.span), channel))
            }
            Referent::Many(_) | Referent::Symbol(_) => {
                let name = &r.steps[0].name;
                self.error(Diagnostic::error(r.span, format!("`{}` is no channel", name.text)), name.origin);
                None
            }
        }
    }

    /// Complains if a channel has no messages at all: nothing is ever stored to its variable.
    pub(crate) fn initialised(&mut self, channel: ExprId, r: &Reference) {
        if let Expr::Read(Place { var: Var::Shared(v), .. }) = self.program.exprs.get(channel)
            && !self.first_pass
            && !self.written.contains(&v)
            && self.program.opens.iter().all(|o| o.var != v)
            && self.program.shared[v as usize].initial.iter().all(|&k| k == 0)
        {
            let name = &r.steps[r.steps.len() - 1].name;
            let d = Diagnostic::error(r.span, format!("channel `{}` is never initialised", name.text))
                .help("declare it as `chan c = [n] of { … }`");
            self.error(d, name.origin);
        }
    }

    /// Complains if a message has another number of values than the channel's messages have.
    pub(crate) fn arity(&mut self, channel: Option<u32>, given: usize, span: Span) {
        let Some(channel) = channel.map(|c| &self.program.channels[c as usize]) else { return };
        let wanted = channel.fields.len();
        if wanted != given {
            let name = &channel.name;
            let message = format!("a message of `{name}` has {wanted} values, here there are {given}");
            // Spin accepts too few, and has an error when it comes to that.
            let d = if given > wanted {
                Diagnostic::error(span, message)
            } else {
                Diagnostic::warning(span, message).help("when this is executed, it is a run-time error")
            };
            self.wrong.push(d.note(channel.span, format!("`{name}` is declared here")));
        }
    }

    /// The patterns of a receive.
    pub(crate) fn patterns(&mut self, patterns: &[ast::Pattern], done: &Lowered) -> Vec<Pattern> {
        let mut out = Vec::new();
        for p in patterns {
            match &p.kind {
                PatternKind::Anything => out.push(Pattern::Any),
                PatternKind::Constant(e) | PatternKind::Eval(e) => {
                    let e = match done.get(&e.0) {
                        Some(&e) => e,
                        None => self.expr(*e),
                    };
                    out.push(Pattern::Match(e));
                }
                PatternKind::Reference(r) => {
                    let mut own = Lowered::new();
                    self.indices(r, done, &mut own);
                    match self.find(r, &|e| own[&e.0]) {
                        Some(Referent::Symbol(k)) => {
                            let e = self.add(Expr::Const(k), p.span);
                            out.push(Pattern::Match(e));
                        }
                        Some(Referent::Scalar { place, .. }) => {
                            self.wrote(place);
                            out.push(Pattern::Bind(place));
                        }
                        Some(Referent::Many(many)) => {
                            for (place, _) in many {
                                self.wrote(place);
                                out.push(Pattern::Bind(place));
                            }
                        }
                        None => out.push(Pattern::Any),
                    }
                }
            }
        }
        out
    }

    /// Lowers the indices of a reference that are not in `done`.
    pub(crate) fn indices(&mut self, r: &Reference, done: &Lowered, own: &mut Lowered) {
        for step in &r.steps {
            if let Some(index) = step.index {
                let e = match done.get(&index.0) {
                    Some(&e) => e,
                    None => self.expr(index),
                };
                own.insert(index.0, e);
            }
        }
    }

    /// A scalar that is stored to.
    pub(crate) fn place(&mut self, r: &Reference) -> Option<Place> {
        let mut own = Lowered::new();
        self.indices(r, &Lowered::new(), &mut own);
        let name = &r.steps[r.steps.len() - 1].name;
        match self.find(r, &|e| own[&e.0])? {
            Referent::Scalar { place, .. } => {
                self.wrote(place);
                Some(place)
            }
            Referent::Many(_) => {
                let what = format!("`{}` is an array or a structure: a scalar is needed here", name.text);
                self.error(Diagnostic::error(r.span, what), name.origin);
                None
            }
            Referent::Symbol(_) => {
                let what = format!("`{}` is a symbol of an mtype: nothing can be stored to it", name.text);
                self.error(Diagnostic::error(r.span, what), name.origin);
                None
            }
        }
    }

    /// The values of a message: a structure gives all its scalars.
    pub(crate) fn values(&mut self, arguments: &[ast::ExprId]) -> Vec<ExprId> {
        let mut out = Vec::new();
        for &a in arguments {
            if let Node::Variable(r) = self.ast.exprs.node(a) {
                let r = r.clone();
                let mut own = Lowered::new();
                self.indices(&r, &Lowered::new(), &mut own);
                if let Some(Referent::Many(many)) = self.find_quietly(&r, &own) {
                    for (place, _) in many {
                        out.push(self.add(Expr::Read(place), r.span));
                    }
                    continue;
                }
            }
            out.push(self.expr(a));
        }
        out
    }

    /// What a reference means, without a complaint.
    fn find_quietly(&mut self, r: &Reference, own: &Lowered) -> Option<Referent> {
        let before = self.wrong.len();
        let found = self.find(r, &|e| own[&e.0]);
        self.wrong.truncate(before);
        found
    }
}

fn binary(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::Div => Binary::Div,
        BinaryOp::Rem => Binary::Rem,
        BinaryOp::BitAnd => Binary::BitAnd,
        BinaryOp::BitOr => Binary::BitOr,
        BinaryOp::BitXor => Binary::BitXor,
        BinaryOp::Shl => Binary::Shl,
        BinaryOp::Shr => Binary::Shr,
        BinaryOp::Lt => Binary::Lt,
        BinaryOp::Le => Binary::Le,
        BinaryOp::Gt => Binary::Gt,
        BinaryOp::Ge => Binary::Ge,
        BinaryOp::Eq => Binary::Eq,
        BinaryOp::Ne => Binary::Ne,
        BinaryOp::And => Binary::And,
        BinaryOp::Or => Binary::Or,
    }
}
