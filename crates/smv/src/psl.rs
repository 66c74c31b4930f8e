//! PSLSPEC: the part of PSL that is LTL (or, as NuSMV has it too, CTL), written as formulas of LTL.
//!
//! Runs are infinite, so the weak and the strong `next` are the same. From loose to tight, as NuSMV has it: `always`
//! `never` `G`; `->` `<->` (to the left); `next` `eventually!`; `before`; `until`; `X` `F` and the operators of CTL; `in`
//! `union`; `?:`; `||`; `&&`; `|`; `xor` `xnor`; `&`; `=` `!=`; the other comparisons; shifts; `+` `-`; `*` `/` `mod` `::`; `!`
//! and `-x`. So `X a & b` is `X (a & b)`. Operators with parameters take a bracket: `next[2](a)`.
//!
//! | PSL | LTL |
//! |---|---|
//! | `p until! q`, `p until q` | `p U q`, `(p U q) \| G p` |
//! | `p until!_ q`, `p until_ q` | the same with `p & q` for `q` |
//! | `p before! q`, `p before q` | `!q until! (p & !q)`, `!q until (p & !q)` |
//! | `p before!_ q`, `p before_ q` | `!q until! p`, `!q until p` |
//! | `next_a[i:j](p)`, `next_e[i:j](p)` | `G [i, j] p`, `F [i, j] p` |
//! | `next_event!(b)(p)`, `next_event(b)(p)` | `!b until! (b & p)`, `!b until (b & p)` |
//!
//! `forall i in {0:3} : p` is a conjunction, `forany` a disjunction. Sequences (SEREs) are refused.
//!
//! # References
//!
//! IEEE 1850: Property Specification Language; the foundation language.

use crate::ast::{Ast, Binary, Kind, Modal, Modal2, Unary};
use crate::lexer::Token;
use crate::parser::Parser;
use crate::symbols::MOST_LINEAR_STEPS;
use riata_source::{Diagnostic, Span};

/// An operator of two operands that is none of LTL's.
#[derive(Clone, Copy)]
struct Until {
    before: bool,
    strong: bool,
    /// The operands overlap.
    inclusive: bool,
}

/// `next_event(b)[i:j]`
#[derive(Clone, Copy)]
struct Event {
    condition: Ast,
    strong: bool,
    from: u32,
    to: u32,
    all: bool,
}

#[derive(Clone)]
enum Op {
    Plain(Kind),
    Never,
    Next(u32),
    Event(Event),
    Until(Until),
    /// `[ p W q ]`
    WeakUntil,
}

enum Wait {
    Prefix(Op, u8, Span),
    Infix(Op, u8),
    /// `(`, or `[` before `p U q`: how many operands lay below, and what to make of the inside.
    Open(bool, Span),
    /// `A [` and `E [` before `p U q`: what to make of it.
    Path(Modal2, Span),
    /// `next_event(`: what comes between the brackets is a condition.
    Event(bool, Option<bool>, Span),
    /// `c ?`, and after the colon `c ? p :`
    Question(Span),
    Colon,
}

const LOOSEST: u8 = 1;
const NEXT: u8 = 3;
const MODAL: u8 = 8;
const CHOICE: u8 = 10;
const TIGHTEST: u8 = 24;

/// How many copies of properties `forall` may make of one text.
const MOST_COPIES: usize = 1_000;
/// How deep `forall` may be nested.
const MOST_GIVEN: usize = 4;

struct Stacks {
    values: Vec<Ast>,
    waiting: Vec<Wait>,
}

impl Parser {
    /// A property of PSL, as a formula of LTL or CTL.
    pub(crate) fn psl(&mut self) -> Option<Ast> {
        self.psl_of(0)
    }

    /// A property up to an operator outside brackets that binds less tightly than `least`.
    fn psl_of(&mut self, least: u8) -> Option<Ast> {
        let mut s = Stacks { values: Vec::new(), waiting: Vec::new() };
        let mut operand = true;
        loop {
            if operand {
                operand = self.psl_operand(&mut s)?;
            } else if let Some(more) = self.psl_operator(&mut s, least)? {
                operand = more;
            } else {
                break;
            }
        }
        self.psl_reduce(&mut s, 0);
        if let Some(
            Wait::Open(_, span) | Wait::Path(_, span) | Wait::Event(_, _, span) | Wait::Question(span),
        ) = s.waiting.last()
        {
            let note = *span;
            self.expected("the rest of a property");
            if let Some(d) = self.wrong.pop() {
                self.wrong.push(d.note(note, "this is still open"));
            }
            return None;
        }
        s.values.pop()
    }

    /// Takes a `!` that stands right behind the word before it, and a `_` right behind that.
    fn suffix(&mut self, word: &str, at: Span) -> (bool, bool) {
        let (token, span) = self.peek();
        if token != &Token::Symbol("!") || span.start != at.end {
            return (false, word.ends_with('_'));
        }
        let end = span.end;
        self.next();
        let (token, span) = self.peek();
        let inclusive = token == &Token::Word("_".into()) && span.start == end;
        if inclusive {
            self.next();
        }
        (true, inclusive)
    }

    fn sequence(&mut self, span: Span) {
        let help =
            "always, never, next, eventually!, until, before, next_a, next_e and next_event are supported";
        self.wrong.push(Diagnostic::error(span, "sequences (SEREs) of PSL are not supported").help(help));
    }

    /// What a property can begin with; says whether an operand is still to come.
    fn psl_operand(&mut self, s: &mut Stacks) -> Option<bool> {
        let (token, span) = self.peek();
        let token = token.clone();
        let prefix = |s: &mut Stacks, op: Op, binds: u8| s.waiting.push(Wait::Prefix(op, binds, span));
        match &token {
            Token::Symbol("(") | Token::Symbol("[") => {
                self.next();
                s.waiting.push(Wait::Open(token == Token::Symbol("["), span));
                return Some(true);
            }
            Token::Symbol("{") => {
                self.sequence(span);
                return None;
            }
            Token::Symbol("!") | Token::Symbol("-") => {
                self.next();
                let op = if token == Token::Symbol("!") { Unary::Not } else { Unary::Minus };
                prefix(s, Op::Plain(Kind::Unary(op)), TIGHTEST);
                return Some(true);
            }
            Token::Word(w) => {
                let modal = |m| Op::Plain(Kind::Modal(m));
                let (op, binds) = match w.as_str() {
                    "always" | "G" => (modal(Modal::Globally), LOOSEST),
                    "never" => (Op::Never, LOOSEST),
                    "eventually" => (modal(Modal::Finally), NEXT),
                    "F" => (modal(Modal::Finally), MODAL),
                    "X" => (modal(Modal::Next), MODAL),
                    "EX" => (modal(Modal::Ex), MODAL),
                    "AX" => (modal(Modal::Ax), MODAL),
                    "EF" => (modal(Modal::Ef), MODAL),
                    "AF" => (modal(Modal::Af), MODAL),
                    "EG" => (modal(Modal::Eg), MODAL),
                    "AG" => (modal(Modal::Ag), MODAL),
                    "next" => (Op::Next(1), NEXT),
                    "A" | "E" if self.ahead(1) == &Token::Symbol("[") => {
                        self.next();
                        self.next();
                        let op = if w == "A" { Modal2::Au } else { Modal2::Eu };
                        s.waiting.push(Wait::Path(op, span));
                        return Some(true);
                    }
                    "forall" | "forany" if matches!(self.ahead(1), Token::Word(_)) => {
                        let e = self.for_values(w == "forall", span)?;
                        s.values.push(e);
                        return Some(false);
                    }
                    "next_a" | "next_e" => return self.next_range(s, w == "next_a", span),
                    "next_event" | "next_event_a" | "next_event_e" => {
                        self.next();
                        let (strong, _) = self.suffix("", span);
                        if !self.take("(") {
                            self.expected("`(` and a condition");
                            return None;
                        }
                        let all = w.strip_prefix("next_event_").map(|rest| rest == "a");
                        s.waiting.push(Wait::Event(strong, all, span));
                        return Some(true);
                    }
                    _ => {
                        let e = self.primary()?;
                        s.values.push(e);
                        return Some(false);
                    }
                };
                self.next();
                let (strong, _) = self.suffix("", span);
                if w == "eventually" && !strong {
                    self.wrong.push(Diagnostic::error(span, "expected `eventually!`"));
                    return None;
                }
                if (w == "next" || w == "X") && self.take("[") {
                    let (n, _) = self.steps(MOST_LINEAR_STEPS)?;
                    self.close_parameter()?;
                    prefix(s, Op::Next(n), TIGHTEST);
                    return Some(true);
                }
                prefix(s, op, binds);
                return Some(true);
            }
            _ => {
                let e = self.primary()?;
                s.values.push(e);
            }
        }
        Some(false)
    }

    /// `forall i in {0, 2:3} : p`: p for all values of i; `forany`: for some. Binds as `?:` does.
    fn for_values(&mut self, all: bool, span: Span) -> Option<Ast> {
        self.next();
        let Token::Word(name) = self.peek().0.clone() else { return None };
        self.next();
        let values = self.values_of()?;
        if !self.take(":") {
            self.expected("`:` and a property");
            return None;
        }
        self.copies += values.len();
        if self.copies > MOST_COPIES || self.given.len() >= MOST_GIVEN {
            self.wrong.push(Diagnostic::error(span, "this makes too many properties of one"));
            return None;
        }
        let place = self.place();
        let mut whole: Option<Ast> = None;
        for value in values {
            self.again(place);
            self.given.push((name.clone(), value));
            let one = self.psl_of(CHOICE);
            self.given.pop();
            let one = one?;
            let op = if all { Binary::And } else { Binary::Or };
            whole = Some(match whole {
                Some(rest) => self.make(Kind::Binary(op), vec![rest, one], span),
                None => one,
            });
        }
        whole
    }

    /// `in {0, 2:3}` or `in boolean`
    fn values_of(&mut self) -> Option<Vec<Kind>> {
        let number = |p: &mut Parser| -> Option<i64> {
            let negative = p.take("-");
            let Token::Int(n) = *p.peek().0 else {
                p.expected("a number");
                return None;
            };
            p.next();
            Some(if negative { -n } else { n })
        };
        if !self.take_word("in") {
            self.expected("`in` and the values");
            return None;
        }
        if self.take_word("boolean") {
            return Some(vec![Kind::Bool(false), Kind::Bool(true)]);
        }
        if !self.take("{") {
            self.expected("`{` and the values");
            return None;
        }
        let mut values = Vec::new();
        loop {
            let begin = self.peek().1;
            let low = number(self)?;
            let high = if self.take(":") { number(self)? } else { low };
            if low > high || high.saturating_sub(low) > MOST_COPIES as i64 {
                let message = "the range is empty, or has too many values";
                self.wrong.push(Diagnostic::error(begin, message));
                return None;
            }
            values.extend((low..=high).map(Kind::Int));
            if !self.take(",") {
                break;
            }
        }
        if !self.take("}") {
            self.expected("`}`");
            return None;
        }
        Some(values)
    }

    /// The `]` after a parameter, and the `(` that must follow, which is not taken.
    fn close_parameter(&mut self) -> Option<()> {
        if !self.take("]") {
            self.expected("`]`");
            return None;
        }
        if self.peek().0 != &Token::Symbol("(") {
            self.expected("`(` and a property");
            return None;
        }
        Some(())
    }

    fn next_range(&mut self, s: &mut Stacks, all: bool, span: Span) -> Option<bool> {
        self.next();
        self.suffix("", span);
        if !self.take("[") {
            self.expected("`[` and numbers of steps");
            return None;
        }
        let (from, to) = self.bounds_with(":", MOST_LINEAR_STEPS)?;
        self.close_parameter()?;
        let op = if all { Modal::GloballyIn(from, to) } else { Modal::FinallyIn(from, to) };
        s.waiting.push(Wait::Prefix(Op::Plain(Kind::Modal(op)), TIGHTEST, span));
        Some(true)
    }

    /// What follows an operand: says whether an operand is to come, and nothing at the end of the property.
    fn psl_operator(&mut self, s: &mut Stacks, least: u8) -> Option<Option<bool>> {
        let (token, span) = self.peek();
        let token = token.clone();
        match &token {
            Token::Symbol(")") | Token::Symbol("]") => return self.psl_close(s, &token),
            Token::Symbol("?") => {
                self.next();
                self.psl_reduce(s, CHOICE + 1);
                s.waiting.push(Wait::Question(span));
                return Some(Some(true));
            }
            Token::Symbol(":") => {
                self.psl_reduce(s, 0);
                if !matches!(s.waiting.last(), Some(Wait::Question(_))) {
                    return Some(None);
                }
                self.next();
                s.waiting.pop();
                s.waiting.push(Wait::Colon);
                return Some(Some(true));
            }
            Token::Symbol("|") if matches!(self.ahead(1), Token::Symbol("->" | "=" | "=>")) => {
                self.sequence(span);
                return None;
            }
            _ => {}
        }
        let place = self.place();
        let Some((op, binds)) = self.psl_infix(&token, span) else { return Some(None) };
        if binds < least
            && s.waiting.iter().all(|w| matches!(w, Wait::Prefix(..) | Wait::Infix(..) | Wait::Colon))
        {
            self.again(place);
            return Some(None);
        }
        self.psl_reduce(s, binds);
        s.waiting.push(Wait::Infix(op, binds));
        Some(Some(true))
    }

    /// Takes an operator between two operands.
    fn psl_infix(&mut self, token: &Token, span: Span) -> Option<(Op, u8)> {
        let binary = |op| Op::Plain(Kind::Binary(op));
        let doubled = |p: &Parser, what| {
            let (second, at) = (p.ahead(1), p.tokens_at(1));
            second == &Token::Symbol(what) && at.start == span.end
        };
        use Binary::*;
        let found = match token {
            Token::Symbol(symbol) => match *symbol {
                "&" if doubled(self, "&") => {
                    self.next();
                    (binary(And), 12)
                }
                "|" if doubled(self, "|") => {
                    self.next();
                    (binary(Or), 11)
                }
                "=" if doubled(self, "=") => {
                    self.next();
                    (binary(Equal), 17)
                }
                "->" => (binary(Implies), 2),
                "<->" => (binary(Iff), 2),
                "|" => (binary(Or), 13),
                "^" => (binary(Xor), 15),
                "&" => (binary(And), 16),
                "=" => (binary(Equal), 17),
                "!=" => (binary(NotEqual), 17),
                "<" => (binary(Less), 18),
                ">" => (binary(Greater), 18),
                "<=" => (binary(LessEqual), 18),
                ">=" => (binary(GreaterEqual), 18),
                "<<" => (binary(ShiftLeft), 19),
                ">>" => (binary(ShiftRight), 19),
                "+" => (binary(Plus), 21),
                "-" => (binary(Minus), 21),
                "*" => (binary(Times), 22),
                "/" => (binary(Divide), 22),
                "::" => (binary(Concat), 22),
                _ => return None,
            },
            Token::Word(w) => match w.as_str() {
                "U" => (Op::Plain(Kind::Modal2(Modal2::Until)), 0),
                "W" => (Op::WeakUntil, 0),
                "until" | "until_" | "before" | "before_" => {
                    self.next();
                    let before = w.starts_with("before");
                    let (strong, inclusive) = self.suffix(w, span);
                    let op = Until { before, strong, inclusive };
                    return Some((Op::Until(op), if before { 4 } else { 5 }));
                }
                "in" => (binary(In), 9),
                "union" => (binary(Union), 9),
                "xor" => (binary(Xor), 15),
                "xnor" => (binary(Xnor), 15),
                "mod" => (binary(Mod), 22),
                _ => return None,
            },
            _ => return None,
        };
        self.next();
        Some(found)
    }

    fn psl_close(&mut self, s: &mut Stacks, token: &Token) -> Option<Option<bool>> {
        self.psl_reduce(s, 0);
        match s.waiting.last() {
            Some(&Wait::Open(square, from)) => {
                let wanted = if square { "]" } else { ")" };
                if token != &Token::Symbol(wanted) {
                    self.expected(&format!("`{wanted}`"));
                    return None;
                }
                if square && !self.psl_is_until(s) {
                    let message = "expected `[p U q]` or `[p W q]`";
                    self.wrong.push(Diagnostic::error(from, message));
                    return None;
                }
                self.next();
                s.waiting.pop();
                Some(Some(false))
            }
            Some(&Wait::Path(op, from)) => {
                if token != &Token::Symbol("]") {
                    self.expected("`]`");
                    return None;
                }
                let inner = s.values.pop()?;
                let node = self.syntax.node(inner).clone();
                if node.kind != Kind::Modal2(Modal2::Until) {
                    let message = "expected `U` between the brackets";
                    self.wrong.push(Diagnostic::error(from.to(node.span), message));
                    return None;
                }
                self.next();
                s.waiting.pop();
                let e = self.make(Kind::Modal2(op), node.kids, from.to(node.span));
                s.values.push(e);
                Some(Some(false))
            }
            Some(&Wait::Event(strong, all, span)) => {
                if token != &Token::Symbol(")") {
                    self.expected("`)`");
                    return None;
                }
                self.next();
                s.waiting.pop();
                let condition = s.values.pop()?;
                let (mut from, mut to) = (1, 1);
                if self.take("[") {
                    let begin = self.peek().1;
                    (from, to) = match all {
                        Some(_) => self.bounds_with(":", 100)?,
                        None => {
                            let (n, _) = self.steps(100)?;
                            (n, n)
                        }
                    };
                    if from == 0 {
                        self.wrong.push(Diagnostic::error(begin, "events are counted from 1"));
                        return None;
                    }
                    if !self.take("]") {
                        self.expected("`]`");
                        return None;
                    }
                }
                if self.peek().0 != &Token::Symbol("(") {
                    self.expected("`(` and a property");
                    return None;
                }
                let event = Event { condition, strong, from, to, all: all == Some(true) };
                s.waiting.push(Wait::Prefix(Op::Event(event), TIGHTEST, span));
                Some(Some(true))
            }
            _ => Some(None),
        }
    }

    fn psl_is_until(&self, s: &Stacks) -> bool {
        let top = s.values.last().map(|&e| &self.syntax.node(e).kind);
        matches!(top, Some(Kind::Modal2(Modal2::Until) | Kind::Binary(Binary::Or)))
    }

    /// Applies the operators on top of the stack that bind at least as tightly as `least`.
    fn psl_reduce(&mut self, s: &mut Stacks, least: u8) {
        loop {
            match s.waiting.last() {
                Some(Wait::Prefix(_, binds, _) | Wait::Infix(_, binds)) if *binds >= least => {}
                Some(Wait::Colon) if CHOICE >= least => {}
                _ => return,
            }
            let (Some(top), Some(q)) = (s.waiting.pop(), s.values.pop()) else { return };
            let e = match top {
                Wait::Prefix(op, _, span) => {
                    let span = span.to(self.syntax.node(q).span);
                    self.psl_prefix(&op, q, span)
                }
                Wait::Infix(op, _) => {
                    let Some(p) = s.values.pop() else { return };
                    self.psl_two(&op, p, q)
                }
                Wait::Colon => {
                    let (Some(p), Some(c)) = (s.values.pop(), s.values.pop()) else { return };
                    let span = self.syntax.node(c).span.to(self.syntax.node(q).span);
                    self.make(Kind::Ite, vec![c, p, q], span)
                }
                _ => return,
            };
            s.values.push(e);
        }
    }

    fn psl_prefix(&mut self, op: &Op, p: Ast, span: Span) -> Ast {
        match op {
            Op::Plain(kind) => self.make(kind.clone(), vec![p], span),
            Op::Never => {
                let not_p = self.make(Kind::Unary(Unary::Not), vec![p], span);
                self.make(Kind::Modal(Modal::Globally), vec![not_p], span)
            }
            Op::Next(n) => (0..*n).fold(p, |p, _| self.make(Kind::Modal(Modal::Next), vec![p], span)),
            Op::Event(event) => self.events(event, p, span),
            Op::Until(_) | Op::WeakUntil => p,
        }
    }

    /// `next_event(b)[i:j](p)`: at the i-th to j-th time that b holds, p does at each (or some) of them.
    fn events(&mut self, event: &Event, p: Ast, span: Span) -> Ast {
        let b = event.condition;
        let not_b = self.make(Kind::Unary(Unary::Not), vec![b], span);
        // At the k-th event: from the last one back to the first.
        let mut rest: Option<Ast> = None;
        for k in (1..=event.to).rev() {
            let later = rest.map(|r| self.make(Kind::Modal(Modal::Next), vec![r], span));
            let here = match later {
                None => p,
                Some(later) if k >= event.from => {
                    let join = if event.all { Binary::And } else { Binary::Or };
                    self.make(Kind::Binary(join), vec![p, later], span)
                }
                Some(later) => later,
            };
            let at_b = self.make(Kind::Binary(Binary::And), vec![b, here], span);
            rest = Some(self.until(not_b, at_b, event.strong, span));
        }
        rest.unwrap_or(p)
    }

    fn until(&mut self, p: Ast, q: Ast, strong: bool, span: Span) -> Ast {
        let until = self.make(Kind::Modal2(Modal2::Until), vec![p, q], span);
        if strong {
            return until;
        }
        let always = self.make(Kind::Modal(Modal::Globally), vec![p], span);
        self.make(Kind::Binary(Binary::Or), vec![until, always], span)
    }

    fn psl_two(&mut self, op: &Op, p: Ast, q: Ast) -> Ast {
        let span = self.syntax.node(p).span.to(self.syntax.node(q).span);
        match op {
            Op::Plain(kind) => self.make(kind.clone(), vec![p, q], span),
            Op::WeakUntil => self.until(p, q, false, span),
            Op::Until(op) => {
                let (left, right) = if op.before {
                    let not_q = self.make(Kind::Unary(Unary::Not), vec![q], span);
                    let first = if op.inclusive {
                        p
                    } else {
                        self.make(Kind::Binary(Binary::And), vec![p, not_q], span)
                    };
                    (not_q, first)
                } else if op.inclusive {
                    (p, self.make(Kind::Binary(Binary::And), vec![p, q], span))
                } else {
                    (p, q)
                };
                self.until(left, right, op.strong, span)
            }
            Op::Never | Op::Next(_) | Op::Event(_) => q,
        }
    }
}
