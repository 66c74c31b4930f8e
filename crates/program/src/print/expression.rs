//! Expressions, places and receives as text, with a stack of what is still to be written.

use super::{Printer, called};
use crate::form::{Expr, Pattern, Place, Query, Receive, Var};
use crate::ids::ExprId;
use crate::{Binary, Unary};
use std::borrow::Cow;

/// A piece of text, or what is still to be written.
enum Piece {
    Expr(ExprId),
    /// An expression that names a channel.
    Channel(ExprId),
    Text(Cow<'static, str>),
}

fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, e: ExprId) {
        self.write(vec![Piece::Expr(e)]);
    }

    /// An expression that names a channel.
    pub(super) fn channel_of(&mut self, e: ExprId) {
        self.write(vec![Piece::Channel(e)]);
    }

    pub(super) fn place(&mut self, place: Place) {
        let pieces = self.located(place);
        self.write(pieces);
    }

    pub(super) fn receive(&mut self, receive: &Receive) {
        let pieces = self.received(receive);
        self.write(pieces);
    }

    pub(super) fn list(&mut self, values: &[ExprId]) {
        let mut pieces = vec![text("(")];
        for (i, &e) in values.iter().enumerate() {
            pieces.extend([text(if i == 0 { "" } else { ", " }), Piece::Expr(e)]);
        }
        pieces.push(text(")"));
        self.write(pieces);
    }

    fn write(&mut self, pieces: Vec<Piece>) {
        let mut todo = pieces;
        todo.reverse();
        while let Some(next) = todo.pop() {
            let more = match next {
                Piece::Text(text) => {
                    self.out.push_str(&text);
                    continue;
                }
                Piece::Expr(e) => self.pieces(self.program.exprs.get(e)),
                Piece::Channel(e) => match self.program.exprs.constant(e).and_then(|k| self.opened(k)) {
                    Some(name) => vec![text(name)],
                    None => vec![Piece::Expr(e)],
                },
            };
            todo.extend(more.into_iter().rev());
        }
    }

    /// A channel that exists from the start, by the variable that it is opened for, if that tells it.
    fn opened(&self, number: i32) -> Option<String> {
        let opens = &self.program.opens;
        let open = opens.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
        if opens.iter().filter(|o| (o.var, o.element) == (open.var, open.element)).count() > 1 {
            return None;
        }
        let variable = self.program.shared.get(open.var as usize)?;
        let element = if variable.len.is_some() { format!("[{}]", open.element) } else { String::new() };
        Some(format!("@{}{element}", called(&self.shared, open.var)))
    }

    fn pieces(&self, expr: Expr) -> Vec<Piece> {
        let call = |name: &'static str, e| vec![text(name), text("("), Piece::Expr(e), text(")")];
        match expr {
            Expr::Const(k) => vec![text(k.to_string())],
            Expr::Read(place) => self.located(place),
            Expr::Unary(op, a) => vec![text(unary(op)), Piece::Expr(a)],
            Expr::Binary(op, a, b) => {
                let op = format!(" {} ", binary(op));
                vec![text("("), Piece::Expr(a), text(op), Piece::Expr(b), text(")")]
            }
            Expr::If(c, a, b) => {
                let [c, a, b] = [c, a, b].map(Piece::Expr);
                vec![text("if("), c, text(", "), a, text(", "), b, text(")")]
            }
            Expr::Bounded(a, n) => vec![text(format!("bounded({n}, ")), Piece::Expr(a), text(")")],
            Expr::Pid => vec![text("pid")],
            Expr::Processes => vec![text("processes")],
            Expr::Timeout => vec![text("timeout")],
            Expr::NonProgress => vec![text("nonprogress")],
            Expr::Accepting => vec![text("accepting")],
            Expr::Enabled(a) => call("enabled", a),
            Expr::LocationOf(a) => call("location_of", a),
            Expr::PriorityOf(a) => call("priority_of", a),
            Expr::Channel(q, a) => vec![text(query(q)), text("("), Piece::Channel(a), text(")")],
            Expr::Poll(r) => {
                let mut pieces = vec![text("poll")];
                pieces.extend(self.received(&self.program.receives[r as usize]));
                pieces
            }
            Expr::At(p, a, l) => {
                let process = called(&self.processes, p.0).to_string();
                vec![text(process), text("["), Piece::Expr(a), text(format!("]@L{}", l.0))]
            }
        }
    }

    fn located(&self, place: Place) -> Vec<Piece> {
        let mut pieces = match place.var {
            Var::Shared(v) => {
                let name = called(&self.shared, v);
                let hidden = self.me.is_some_and(|p| self.locals[p.index()].iter().any(|l| l == name));
                vec![text(format!("{}{name}", if hidden { "::" } else { "" }))]
            }
            Var::Local(v) => {
                vec![text(self.me.map_or("?", |p| called(&self.locals[p.index()], v)).to_string())]
            }
            Var::Remote(p, v, pid) => {
                let name = self.locals.get(p.index()).map_or("?", |names| called(names, v));
                let process = called(&self.processes, p.0).to_string();
                vec![text(process), text("["), Piece::Expr(pid), text(format!("]:{name}"))]
            }
        };
        if let Some(index) = place.index {
            pieces.extend([text("["), Piece::Expr(index), text("]")]);
        }
        pieces
    }

    fn received(&self, receive: &Receive) -> Vec<Piece> {
        let any = if receive.any { " any" } else { "" };
        let keeps = if receive.keeps { " keeping" } else { "" };
        let mut pieces = vec![text(any), text(keeps), text(" "), Piece::Channel(receive.channel), text("(")];
        for (i, pattern) in receive.patterns.iter().enumerate() {
            pieces.push(text(if i == 0 { "" } else { ", " }));
            match *pattern {
                Pattern::Any => pieces.push(text("_")),
                Pattern::Match(e) => pieces.extend([text("= "), Piece::Expr(e)]),
                Pattern::Bind(place) => pieces.extend(self.located(place)),
            }
        }
        pieces.push(text(")"));
        pieces
    }
}

/// How a question to a channel is written.
pub(crate) fn query(q: Query) -> &'static str {
    match q {
        Query::Len => "len",
        Query::Empty => "empty",
        Query::NonEmpty => "nonempty",
        Query::Full => "full",
        Query::NonFull => "nonfull",
    }
}

/// How an operator is written.
pub(crate) fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Neg => "-",
        Unary::Complement => "~",
        Unary::Not => "!",
    }
}

/// How an operator is written.
pub(crate) fn binary(op: Binary) -> &'static str {
    use Binary::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        Shl => "<<",
        Shr => ">>",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        And => "&&",
        Or => "||",
        Imply => "=>",
    }
}
