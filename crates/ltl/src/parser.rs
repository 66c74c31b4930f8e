//! The parser: operator precedence with an explicit stack (Dijkstra's shunting yard), one core for all dialects.
//!
//! Linear in the text, also where formulas are nested 100,000 deep; a run of the same ∧ or ∨ is collected and becomes
//! one n-ary node.

use crate::dialect::Dialect;
use crate::formula::{Arena, Id, Ltl, Op};
use crate::lexer::{Lexer, Token};
use riata_source::{Diagnostic, Span};

/// Parses one formula into an arena of its own.
pub fn parse(text: &str, dialect: Dialect) -> Result<Ltl, Diagnostic> {
    let mut arena = Arena::new();
    let root = parse_in(&mut arena, text, dialect)?;
    Ok(Ltl { arena, root })
}

/// Parses one formula into `arena`.
pub fn parse_in(arena: &mut Arena, text: &str, dialect: Dialect) -> Result<Id, Diagnostic> {
    let mut lexer = Lexer::new(text, dialect);
    let mut parser = Parser { arena, dialect, operands: Vec::new(), operators: Vec::new() };
    let mut previous: Option<Span> = None;
    let mut want_operand = true;
    while let Some((token, span)) = lexer.next()? {
        let found = || text[span.start..span.end].to_owned();
        if want_operand {
            match token {
                Token::Open => parser.operators.push(Entry::Open(span)),
                Token::Prefix(op) => parser.operators.push(Entry::Prefix(op)),
                Token::Constant(b) => {
                    parser.operands.push(if b { Id::TRUE } else { Id::FALSE });
                    want_operand = false;
                }
                Token::Ap(name) => {
                    let ap = parser.arena.ap(&name);
                    parser.operands.push(ap);
                    want_operand = false;
                }
                Token::Close | Token::Infix(_) | Token::Xnor => {
                    return Err(Diagnostic::error(span, format!("expected a formula, found `{}`", found()))
                        .label("expected a proposition, a prefix operator or `(`"));
                }
            }
        } else {
            match token {
                Token::Close => parser.close(span)?,
                Token::Infix(op) => {
                    parser.infix(op, false);
                    want_operand = true;
                }
                Token::Xnor => {
                    parser.infix(Op::Xor, true);
                    want_operand = true;
                }
                _ => {
                    let error = Diagnostic::error(span, format!("expected an operator, found `{}`", found()));
                    let error = error.label("expected an infix operator, `)` or the end");
                    return Err(match previous {
                        Some(p) => error.note(p, "after this formula"),
                        None => error,
                    });
                }
            }
        }
        previous = Some(span);
    }
    if want_operand {
        let error = Diagnostic::error(lexer.end(), "expected a formula, found the end of the text");
        return Err(match previous {
            Some(p) => error.note(p, "this wants an operand"),
            None => error.help("write `true` for the formula that always holds"),
        });
    }
    parser.finish()
}

#[derive(Clone, Copy)]
enum Entry {
    Open(Span),
    Prefix(Op),
    Infix(Op, /* negated */ bool),
}

struct Parser<'a> {
    arena: &'a mut Arena,
    dialect: Dialect,
    operands: Vec<Id>,
    operators: Vec<Entry>,
}

impl Parser<'_> {
    fn infix(&mut self, op: Op, negated: bool) {
        let (binding, right) = self.dialect.precedence(op);
        while let Some(&top) = self.operators.last() {
            let reduce = match top {
                Entry::Open(_) => false,
                Entry::Prefix(_) => Dialect::PREFIX > binding,
                // A run of one n-ary operator is collected and reduced at once.
                Entry::Infix(o, _) if o == op && matches!(op, Op::And | Op::Or) => false,
                Entry::Infix(o, _) => {
                    let (b, _) = self.dialect.precedence(o);
                    b > binding || b == binding && !right
                }
            };
            if !reduce {
                break;
            }
            self.reduce();
        }
        self.operators.push(Entry::Infix(op, negated));
    }

    /// Applies the operator on top, which is not a bracket.
    fn reduce(&mut self) {
        match self.operators.pop() {
            Some(Entry::Prefix(op)) => {
                let a = self.operands.pop().expect("an operand per operator");
                let f = self.arena.raw(op, &[a]);
                self.operands.push(f);
            }
            Some(Entry::Infix(op, negated)) => {
                let mut count = 2;
                if matches!(op, Op::And | Op::Or) {
                    while matches!(self.operators.last(), Some(Entry::Infix(o, _)) if *o == op) {
                        self.operators.pop();
                        count += 1;
                    }
                }
                let kids = self.operands.split_off(self.operands.len() - count);
                let f = self.arena.raw(op, &kids);
                let f = if negated { self.arena.not(f) } else { f };
                self.operands.push(f);
            }
            Some(Entry::Open(_)) | None => unreachable!("reduce is called on an operator"),
        }
    }

    fn close(&mut self, span: Span) -> Result<(), Diagnostic> {
        loop {
            match self.operators.last() {
                Some(Entry::Open(_)) => {
                    self.operators.pop();
                    return Ok(());
                }
                Some(_) => self.reduce(),
                None => return Err(Diagnostic::error(span, "this `)` closes nothing")),
            }
        }
    }

    fn finish(mut self) -> Result<Id, Diagnostic> {
        while let Some(&top) = self.operators.last() {
            if let Entry::Open(span) = top {
                return Err(Diagnostic::error(span, "this `(` is not closed").label("opened here"));
            }
            self.reduce();
        }
        Ok(self.operands.pop().expect("one formula"))
    }
}
