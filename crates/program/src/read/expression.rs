//! Expressions and receives: a loop with a stack of what has begun and not ended.

use super::lexer::Kind;
use super::names::Name;
use super::parser::{Parsed, Parser};
use crate::form::{Expr, Pattern, Place, Query, Receive, Var};
use crate::ids::{ExprId, LocId, ProcId};
use crate::print::{binary, query, unary};
use crate::{Binary, Unary};
use riata_source::Span;

const BINARY: [Binary; 19] = {
    use Binary::*;
    [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, And, Or, Imply]
};
const UNARY: [Unary; 3] = [Unary::Neg, Unary::Complement, Unary::Not];
const QUERIES: [Query; 5] = [Query::Len, Query::Empty, Query::NonEmpty, Query::Full, Query::NonFull];

/// What an operand that has just been read is for.
enum Frame {
    Unary(Unary, Span),
    /// After `(`: an operator follows, or the end.
    Open(Span),
    Right(Binary, ExprId, Span),
    /// In the brackets of something with one operand.
    Call(fn(ExprId) -> Expr, Span),
    Query(Query, Span),
    Bounded(u32, Span),
    /// The operands of `if` before it.
    If(Vec<ExprId>, Span),
    /// In the square brackets after a name.
    Index(Name, Span),
    /// In those after a variable of another process.
    Remote(Var, Span),
    /// In those after a variable that is surely shared.
    Shared(Var, Span),
    Receive(Box<Receiving>),
}

/// A receive that has begun.
struct Receiving {
    polls: bool,
    any: bool,
    keeps: bool,
    channel: Option<ExprId>,
    patterns: Vec<Pattern>,
    /// The variable whose index is being read; otherwise a value to be matched is.
    binds: Option<Var>,
    span: Span,
}

/// What has been read.
enum Done {
    Expr(ExprId),
    Receive(u32),
    /// The frame that was pushed wants an operand.
    More,
}

impl Parser<'_> {
    /// An expression.
    pub fn expr(&mut self) -> Parsed<ExprId> {
        match self.run(Vec::new())? {
            Done::Expr(e) => Ok(e),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A receive, after its keyword: its number.
    pub fn receive(&mut self) -> Parsed<u32> {
        let receiving = self.receiving(false);
        match self.run(vec![Frame::Receive(Box::new(receiving))])? {
            Done::Receive(r) => Ok(r),
            _ => Err(self.unexpected("a receive")),
        }
    }

    fn receiving(&mut self, polls: bool) -> Receiving {
        let span = self.span();
        let any = self.accept("any");
        let keeps = self.accept("keeping");
        Receiving { polls, any, keeps, channel: None, patterns: Vec::new(), binds: None, span }
    }

    fn run(&mut self, mut frames: Vec<Frame>) -> Parsed<Done> {
        loop {
            let mut done = self.operand(&mut frames)?;
            while let Done::Expr(e) = done {
                let Some(frame) = frames.pop() else { return Ok(done) };
                done = self.close(frame, e, &mut frames)?;
                if let Done::Receive(_) = done {
                    return Ok(done);
                }
            }
        }
    }

    fn add(&mut self, expr: Expr, span: Span) -> Done {
        let span = span.to(self.before());
        Done::Expr(self.program.exprs.add(expr, span))
    }

    /// Reads up to a first operand, or pushes the frame that waits for it.
    fn operand(&mut self, frames: &mut Vec<Frame>) -> Parsed<Done> {
        let span = self.span();
        if matches!(self.kind(), Kind::Name(_) | Kind::Text(_)) {
            let name = self.name("a name")?;
            if self.accept("[") {
                frames.push(Frame::Index(name, span));
                return Ok(Done::More);
            }
            let var = self.variable(&name, span)?;
            return Ok(self.add(Expr::Read(Place { var, index: None }), span));
        }
        if let Kind::Number(_) = self.kind() {
            let k = self.number()?;
            return Ok(self.add(Expr::Const(k), span));
        }
        if self.kind() == &Kind::Sign("-") && matches!(self.after(), Kind::Number(_)) {
            let k = self.number()?;
            return Ok(self.add(Expr::Const(k), span));
        }
        let &Kind::Sign(sign) = self.kind() else { return Err(self.unexpected("an expression")) };
        let leaf = match sign {
            "pid" => Some(Expr::Pid),
            "processes" => Some(Expr::Processes),
            "timeout" => Some(Expr::Timeout),
            "nonprogress" => Some(Expr::NonProgress),
            "accepting" => Some(Expr::Accepting),
            _ => None,
        };
        let call: Option<fn(ExprId) -> Expr> = match sign {
            "enabled" => Some(Expr::Enabled),
            "location_of" => Some(Expr::LocationOf),
            "priority_of" => Some(Expr::PriorityOf),
            _ => None,
        };
        if let Some(leaf) = leaf {
            self.skip();
            return Ok(self.add(leaf, span));
        }
        let frame = if let Some(call) = call {
            self.skip();
            self.expect("(")?;
            Frame::Call(call, span)
        } else if let Some(q) = QUERIES.into_iter().find(|&q| query(q) == sign) {
            self.skip();
            self.expect("(")?;
            Frame::Query(q, span)
        } else if let Some(op) = UNARY.into_iter().find(|&op| unary(op) == sign) {
            self.skip();
            Frame::Unary(op, span)
        } else {
            return self.bracketed(sign, span, frames);
        };
        frames.push(frame);
        Ok(Done::More)
    }

    fn bracketed(&mut self, sign: &str, span: Span, frames: &mut Vec<Frame>) -> Parsed<Done> {
        if !matches!(sign, "(" | "if" | "bounded" | "poll" | "::" | "@") {
            return Err(self.unexpected("an expression"));
        }
        self.skip();
        frames.push(match sign {
            "(" => Frame::Open(span),
            "if" => {
                self.expect("(")?;
                Frame::If(Vec::new(), span)
            }
            "bounded" => {
                self.expect("(")?;
                let n = self.unsigned()?;
                self.expect(",")?;
                Frame::Bounded(n, span)
            }
            "poll" => Frame::Receive(Box::new(self.receiving(true))),
            "::" => {
                let var = self.shared()?;
                if !self.accept("[") {
                    return Ok(self.add(Expr::Read(Place { var: Var::Shared(var), index: None }), span));
                }
                Frame::Shared(Var::Shared(var), span)
            }
            _ => {
                let number = self.opened()?;
                return Ok(self.add(Expr::Const(number), span));
            }
        });
        Ok(Done::More)
    }

    /// Goes on with a frame whose operand is `e`.
    fn close(&mut self, frame: Frame, e: ExprId, frames: &mut Vec<Frame>) -> Parsed<Done> {
        Ok(match frame {
            Frame::Unary(op, span) => self.add(Expr::Unary(op, e), span),
            Frame::Open(_) if self.accept(")") => Done::Expr(e),
            Frame::Open(span) => {
                let sign = match *self.kind() {
                    Kind::Sign(sign) => BINARY.into_iter().find(|&op| binary(op) == sign),
                    _ => None,
                };
                let Some(op) = sign else { return Err(self.unexpected("an operator or `)`")) };
                self.skip();
                frames.push(Frame::Right(op, e, span));
                Done::More
            }
            Frame::Right(op, a, span) => {
                if self.kind() != &Kind::Sign(")") {
                    let wrong = self.unexpected("`)`");
                    return Err(wrong.help("put brackets around every operator and its operands"));
                }
                self.skip();
                self.add(Expr::Binary(op, a, e), span)
            }
            Frame::Call(make, span) => {
                self.expect(")")?;
                self.add(make(e), span)
            }
            Frame::Query(q, span) => {
                self.expect(")")?;
                self.add(Expr::Channel(q, e), span)
            }
            Frame::Bounded(n, span) => {
                self.expect(")")?;
                self.add(Expr::Bounded(e, n), span)
            }
            Frame::If(mut operands, span) => {
                operands.push(e);
                match operands[..] {
                    [c, a, b] => {
                        self.expect(")")?;
                        self.add(Expr::If(c, a, b), span)
                    }
                    _ => {
                        self.expect(",")?;
                        frames.push(Frame::If(operands, span));
                        Done::More
                    }
                }
            }
            Frame::Shared(var, span) | Frame::Remote(var, span) => {
                self.expect("]")?;
                self.add(Expr::Read(Place { var, index: Some(e) }), span)
            }
            Frame::Index(name, span) => return self.indexed(&name, span, e, frames),
            Frame::Receive(receiving) => return self.receives(receiving, e, frames),
        })
    }

    /// After `NAME [ e`: an element, a variable of another process, or the question where one is.
    fn indexed(&mut self, name: &Name, span: Span, e: ExprId, frames: &mut Vec<Frame>) -> Parsed<Done> {
        self.expect("]")?;
        if self.accept("@") {
            let of = self.process_called(name, span)?;
            let location = self.ordinal('L', "a location, such as `L0`")?;
            return Ok(self.add(Expr::At(of, e, LocId(location)), span));
        }
        if !self.accept(":") {
            let var = self.variable(name, span)?;
            return Ok(self.add(Expr::Read(Place { var, index: Some(e) }), span));
        }
        let of: ProcId = self.process_called(name, span)?;
        let place = self.span();
        let local = self.name("a variable of the process")?;
        let Some(v) = self.scope.locals.get(of.index()).and_then(|names| names.get(&local)) else {
            return Err(self.unknown("variable of this process", &local, place));
        };
        let var = Var::Remote(of, v, e);
        if self.accept("[") {
            frames.push(Frame::Remote(var, span));
            return Ok(Done::More);
        }
        Ok(self.add(Expr::Read(Place { var, index: None }), span))
    }

    /// Goes on with a receive whose channel, or the next part of whose patterns, is `e`.
    fn receives(&mut self, mut r: Box<Receiving>, e: ExprId, frames: &mut Vec<Frame>) -> Parsed<Done> {
        let mut more = match (r.channel, r.binds.take()) {
            (None, _) => {
                r.channel = Some(e);
                self.expect("(")?;
                !self.accept(")")
            }
            (Some(_), Some(var)) => {
                self.expect("]")?;
                r.patterns.push(Pattern::Bind(Place { var, index: Some(e) }));
                self.goes_on()?
            }
            (Some(_), None) => {
                r.patterns.push(Pattern::Match(e));
                self.goes_on()?
            }
        };
        while more {
            if self.accept("=") {
                frames.push(Frame::Receive(r));
                return Ok(Done::More);
            }
            if self.accept("_") {
                r.patterns.push(Pattern::Any);
            } else {
                let var = self.stored()?;
                if self.accept("[") {
                    r.binds = Some(var);
                    frames.push(Frame::Receive(r));
                    return Ok(Done::More);
                }
                r.patterns.push(Pattern::Bind(Place { var, index: None }));
            }
            more = self.goes_on()?;
        }
        let span = r.span.to(self.before());
        let channel = r.channel.unwrap_or(e);
        let number = self.program.receives.len() as u32;
        let Receiving { any, keeps, patterns, .. } = *r;
        self.program.receives.push(Receive { channel, any, keeps, patterns, span });
        Ok(if r.polls { self.add(Expr::Poll(number), r.span) } else { Done::Receive(number) })
    }

    /// After an element of a list in brackets: is there another?
    pub fn goes_on(&mut self) -> Parsed<bool> {
        if self.accept(",") {
            return Ok(true);
        }
        self.expect(")")?;
        Ok(false)
    }
}
