//! Parsing expressions, by operator precedence with explicit stacks: nothing recurses.
//!
//! The levels are DiVinE's. From loose to tight: `imply`; `and` and `or`, alike; `&`, `|` and `^`, alike; `==`
//! and `!=`; the other comparisons; shifts; `+` and `-`; `*`, `/` and `%`; the operators of one operand. All
//! associate to the left, so `a or b and c` is `(a or b) and c`, unlike in most languages.

use crate::ast::{Name, Node, Tree};
use crate::lexer::{Kind, Word};
use crate::parser::{Bad, Parser};
use riata_program::{Binary, Unary};
use riata_source::{Diagnostic, Span};

/// How deep brackets and operators may nest.
const DEEPEST: usize = 500;

enum Open {
    Paren(Span),
    Element(Option<Name>, Name, Span),
    Unary(Unary, Span),
    Binary(Binary, u8),
}

fn binary(kind: Kind) -> Option<(Binary, u8)> {
    use Binary::*;
    Some(match kind {
        Kind::Keyword(Word::Imply) => (Imply, 1),
        Kind::Keyword(Word::Or) | Kind::Sign("||") => (Or, 2),
        Kind::Keyword(Word::And) | Kind::Sign("&&") => (And, 2),
        Kind::Sign("|") => (BitOr, 3),
        Kind::Sign("&") => (BitAnd, 3),
        Kind::Sign("^") => (BitXor, 3),
        Kind::Sign("==") => (Eq, 4),
        Kind::Sign("!=") => (Ne, 4),
        Kind::Sign("<") => (Lt, 5),
        Kind::Sign("<=") => (Le, 5),
        Kind::Sign(">") => (Gt, 5),
        Kind::Sign(">=") => (Ge, 5),
        Kind::Sign("<<") => (Shl, 6),
        Kind::Sign(">>") => (Shr, 6),
        Kind::Sign("+") => (Add, 7),
        Kind::Sign("-") => (Sub, 7),
        Kind::Sign("*") => (Mul, 8),
        Kind::Sign("/") => (Div, 8),
        Kind::Sign("%") => (Rem, 8),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression. Ends before the first token that cannot continue it.
    pub(crate) fn expression(&mut self) -> Result<Tree, Bad> {
        let start = self.model.nodes.len();
        let mut open: Vec<Open> = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        loop {
            self.operand(&mut open, &mut done)?;
            loop {
                let token = self.peek();
                if let Some((op, level)) = binary(token.kind) {
                    self.reduce(&mut open, &mut done, level);
                    self.advance();
                    self.push(&mut open, Open::Binary(op, level))?;
                    break;
                }
                self.reduce(&mut open, &mut done, 0);
                match (token.kind, open.last()) {
                    (Kind::Sign(")"), Some(&Open::Paren(from))) => {
                        open.pop();
                        self.advance();
                        if let Some(&top) = done.last() {
                            self.model.spans[top] = from.to(token.span);
                        }
                    }
                    (Kind::Sign("]"), Some(Open::Element(..))) => {
                        self.advance();
                        if let (Some(Open::Element(process, name, from)), Some(index)) =
                            (open.pop(), done.pop())
                        {
                            let node = match process {
                                None => Node::Element(name, index),
                                Some(process) => Node::ForeignElement(process, name, index),
                            };
                            done.push(self.node(node, from.to(token.span)));
                        }
                    }
                    (_, None) => {
                        let root = done.pop().unwrap_or(start);
                        return Ok(Tree { start, root });
                    }
                    (_, Some(bracket)) => {
                        let (from, close) = match bracket {
                            Open::Paren(from) => (*from, ")"),
                            Open::Element(_, _, from) => (*from, "]"),
                            Open::Unary(..) | Open::Binary(..) => (token.span, "an operand"),
                        };
                        self.wrong.push(
                            Diagnostic::error(
                                token.span,
                                format!("expected `{close}`, found {}", self.found()),
                            )
                            .note(from, "the bracket that is open"),
                        );
                        return Err(Bad);
                    }
                }
            }
        }
    }

    /// One operand, with the brackets and operators before it.
    fn operand(&mut self, open: &mut Vec<Open>, done: &mut Vec<usize>) -> Result<(), Bad> {
        loop {
            let token = self.peek();
            let node = match token.kind {
                Kind::Number(n) => Node::Number(n),
                Kind::Keyword(Word::True) => Node::Number(1),
                Kind::Keyword(Word::False) => Node::Number(0),
                Kind::Sign("(") => {
                    self.advance();
                    self.push(open, Open::Paren(token.span))?;
                    continue;
                }
                Kind::Sign("-" | "~" | "!") | Kind::Keyword(Word::Not) => {
                    let op = match token.kind {
                        Kind::Sign("-") => Unary::Neg,
                        Kind::Sign("~") => Unary::Complement,
                        _ => Unary::Not,
                    };
                    self.advance();
                    self.push(open, Open::Unary(op, token.span))?;
                    continue;
                }
                Kind::Name => {
                    if self.named(open, done)? {
                        return Ok(());
                    }
                    continue;
                }
                _ => {
                    let found = self.found();
                    self.wrong.push(Diagnostic::error(
                        token.span,
                        format!("expected an expression, found {found}"),
                    ));
                    return Err(Bad);
                }
            };
            self.advance();
            done.push(self.node(node, token.span));
            return Ok(());
        }
    }

    /// What begins with a name. True if the operand is complete, false if an index follows.
    fn named(&mut self, open: &mut Vec<Open>, done: &mut Vec<usize>) -> Result<bool, Bad> {
        let name = self.name("a name")?;
        let span = name.span;
        let (node, end) = if self.eat(".").is_some() {
            let state = self.name("a state")?;
            let end = state.span;
            (Node::At(name, state), end)
        } else if self.eat("->").is_some() {
            let variable = self.name("a variable")?;
            if self.eat("[").is_some() {
                self.push(open, Open::Element(Some(name), variable, span))?;
                return Ok(false);
            }
            let end = variable.span;
            (Node::Foreign(name, variable), end)
        } else if self.eat("[").is_some() {
            self.push(open, Open::Element(None, name, span))?;
            return Ok(false);
        } else {
            (Node::Name(name), span)
        };
        done.push(self.node(node, span.to(end)));
        Ok(true)
    }

    /// Builds the operators on top that bind at least as tight as `level`.
    fn reduce(&mut self, open: &mut Vec<Open>, done: &mut Vec<usize>, level: u8) {
        loop {
            match open.last() {
                Some(&Open::Unary(op, span)) => {
                    open.pop();
                    let Some(a) = done.pop() else { return };
                    let span = span.to(self.model.spans[a]);
                    done.push(self.node(Node::Unary(op, a), span));
                }
                Some(&Open::Binary(op, l)) if l >= level => {
                    open.pop();
                    let (Some(b), Some(a)) = (done.pop(), done.pop()) else { return };
                    let span = self.model.spans[a].to(self.model.spans[b]);
                    done.push(self.node(Node::Binary(op, a, b), span));
                }
                _ => return,
            }
        }
    }

    fn push(&mut self, open: &mut Vec<Open>, what: Open) -> Result<(), Bad> {
        if open.len() >= DEEPEST {
            let span = self.peek().span;
            self.wrong.push(
                Diagnostic::error(span, format!("brackets and operators nest more than {DEEPEST} deep here"))
                    .help("split the expression, with a variable for a part of it"),
            );
            return Err(Bad);
        }
        open.push(what);
        Ok(())
    }

    fn node(&mut self, node: Node, span: Span) -> usize {
        self.model.nodes.push(node);
        self.model.spans.push(span);
        self.model.nodes.len() - 1
    }
}
