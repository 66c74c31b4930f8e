//! Expressions: operators by precedence, with two stacks instead of recursion, so that depth costs no stack.
//!
//! From loose to tight, as NuSMV has it: `->` (to the right); `<->`; `?:`; `|` `xor` `xnor`; `&`; the temporal operators
//! with two operands; those with one; the comparisons; `in`; `union`; shifts; `+` `-`; `*` `/` `mod`; `::`; `-x`; `!x`;
//! indices and fields.

use crate::ast::{Ast, Function, Kind, Modal, Modal2, Unary};
use crate::lexer::Token;
use crate::parser::Parser;
use crate::symbols::{arity, describe, function, infix, is_keyword, modal};
use riata_source::{Diagnostic, Span};

/// What waits on the stack of operators.
enum Wait {
    /// A prefix operator and how tightly it binds.
    Prefix(Kind, u8, Span),
    /// An infix operator and how tightly it binds.
    Infix(Kind, u8),
    /// `c ?`, and after the colon `c ? a :`
    Question,
    Colon,
    /// An open bracket: what it is, and how many operands lay below it.
    Open(Open, usize, Span),
}

#[derive(Clone, PartialEq)]
enum Open {
    /// `( e )`
    Group,
    /// `{ e, e }`
    Set,
    /// `e[i]` or `e[h:l]`
    Index,
    /// `f(e, e)`
    Call(Function),
    /// `next(e)`
    Next,
    /// `case`, before a colon; after it.
    CaseCondition,
    CaseValue,
    /// `A [ e U e ]`, `E [ e U e ]`
    Path(Modal2),
}

const MODAL: u8 = 7;
const UNARY_MINUS: u8 = 16;
const NOT: u8 = 17;

struct Stacks {
    values: Vec<Ast>,
    waiting: Vec<Wait>,
}

impl Stacks {
    /// Is the innermost open bracket one of `A [ … ]` or `E [ … ]`?
    fn in_path(&self) -> bool {
        let inner = self.waiting.iter().rev().find(|w| matches!(w, Wait::Open(..)));
        matches!(inner, Some(Wait::Open(Open::Path(Modal2::Eu | Modal2::Au), ..)))
    }
}

impl Parser {
    /// One expression. On failure the error is told, and the result says so.
    pub(crate) fn expression(&mut self) -> Option<Ast> {
        self.expression_or_primary(false)
    }

    /// An expression without operators outside brackets, for PSL.
    pub(crate) fn primary(&mut self) -> Option<Ast> {
        self.expression_or_primary(true)
    }

    fn expression_or_primary(&mut self, primary: bool) -> Option<Ast> {
        let mut s = Stacks { values: Vec::new(), waiting: Vec::new() };
        let mut operand = true;
        loop {
            if operand {
                operand = self.operand(&mut s)?;
            } else if primary && s.waiting.is_empty() && !matches!(self.peek().0, Token::Symbol("." | "[")) {
                break;
            } else if let Some(more) = self.operator(&mut s)? {
                operand = more;
            } else {
                break;
            }
        }
        self.reduce(&mut s, 0);
        if let Some(Wait::Open(_, _, span)) = s.waiting.last() {
            let (token, here) = self.peek();
            let found = describe(token);
            self.wrong.push(
                Diagnostic::error(here, format!("expected the rest of an expression, found {found}"))
                    .note(*span, "this is still open"),
            );
            return None;
        }
        if s.waiting.iter().any(|w| matches!(w, Wait::Question)) {
            let here = self.peek().1;
            self.wrong.push(Diagnostic::error(here, "expected `:` of a conditional expression"));
            return None;
        }
        s.values.pop()
    }

    /// Something that an operand can begin with; says whether an operand is still to come.
    fn operand(&mut self, s: &mut Stacks) -> Option<bool> {
        let (token, span) = self.peek();
        let token = token.clone();
        match &token {
            Token::Int(n) => {
                self.next();
                let e = self.make(Kind::Int(*n), vec![], span);
                s.values.push(e);
            }
            Token::Bits(w, signed, v) => {
                self.next();
                let e = self.make(Kind::Bits(*w, *signed, *v), vec![], span);
                s.values.push(e);
            }
            Token::Symbol("(") => {
                self.next();
                s.waiting.push(Wait::Open(Open::Group, s.values.len(), span));
                return Some(true);
            }
            Token::Symbol("{") => {
                self.next();
                s.waiting.push(Wait::Open(Open::Set, s.values.len(), span));
                return Some(true);
            }
            Token::Symbol("!") => {
                self.next();
                s.waiting.push(Wait::Prefix(Kind::Unary(Unary::Not), NOT, span));
                return Some(true);
            }
            Token::Symbol("+") if matches!(self.ahead(1), Token::Int(_)) => {
                self.next();
                return Some(true);
            }
            Token::Symbol("-") => {
                self.next();
                s.waiting.push(Wait::Prefix(Kind::Unary(Unary::Minus), UNARY_MINUS, span));
                return Some(true);
            }
            Token::Word(w) => return self.word_operand(s, w, span),
            _ => {
                self.expected_expression();
                return None;
            }
        }
        Some(false)
    }

    fn expected_expression(&mut self) {
        let (token, span) = self.peek();
        let found = describe(token);
        self.wrong.push(Diagnostic::error(span, format!("expected an expression, found {found}")));
    }

    fn word_operand(&mut self, s: &mut Stacks, word: &str, span: Span) -> Option<bool> {
        let opens = |p: &Parser, what| p.ahead(1) == &Token::Symbol(what);
        let kind = match word {
            "TRUE" => Kind::Bool(true),
            "FALSE" => Kind::Bool(false),
            "self" => Kind::This,
            "case" => {
                self.next();
                s.waiting.push(Wait::Open(Open::CaseCondition, s.values.len(), span));
                return Some(true);
            }
            "next" => {
                self.next();
                if !self.take("(") {
                    self.expected("`(` after `next`");
                    return None;
                }
                s.waiting.push(Wait::Open(Open::Next, s.values.len(), span));
                return Some(true);
            }
            "A" | "E" if opens(self, "[") => {
                self.next();
                self.next();
                let op = if word == "A" { Modal2::Au } else { Modal2::Eu };
                s.waiting.push(Wait::Open(Open::Path(op), s.values.len(), span));
                return Some(true);
            }
            "MIN" | "MAX" if opens(self, "[") => {
                self.next();
                self.next();
                let op = if word == "MIN" { Modal2::Shortest } else { Modal2::Longest };
                s.waiting.push(Wait::Open(Open::Path(op), s.values.len(), span));
                return Some(true);
            }
            "F" | "G" | "O" | "H" if opens(self, "[") => {
                self.next();
                let (from, to) = self.list_of_bounds()?;
                let op = match word {
                    "F" => Modal::FinallyIn(from, to),
                    "G" => Modal::GloballyIn(from, to),
                    "O" => Modal::OnceIn(from, to),
                    _ => Modal::HistoricallyIn(from, to),
                };
                s.waiting.push(Wait::Prefix(Kind::Modal(op), MODAL, span));
                return Some(true);
            }
            "READ" | "WRITE" | "CONSTARRAY" if opens(self, "(") => {
                let help = "arrays have a range of numbers as indices, and `a[i]` is an element";
                self.wrong.push(Diagnostic::error(span, format!("`{word}` is not supported")).help(help));
                return None;
            }
            "EBF" | "ABF" | "EBG" | "ABG" => {
                self.next();
                let (from, to) = self.bounds()?;
                let op = match word {
                    "EBF" => Modal::Ebf(from, to),
                    "ABF" => Modal::Abf(from, to),
                    "EBG" => Modal::Ebg(from, to),
                    _ => Modal::Abg(from, to),
                };
                s.waiting.push(Wait::Prefix(Kind::Modal(op), MODAL, span));
                return Some(true);
            }
            _ if modal(word).is_some() => {
                self.next();
                let op = modal(word)?;
                s.waiting.push(Wait::Prefix(Kind::Modal(op), MODAL, span));
                return Some(true);
            }
            _ if function(word).is_some() && opens(self, "(") => {
                self.next();
                self.next();
                s.waiting.push(Wait::Open(Open::Call(function(word)?), s.values.len(), span));
                return Some(true);
            }
            _ if is_keyword(word) => {
                self.expected_expression();
                return None;
            }
            _ => match self.given.iter().rev().find(|(name, _)| name == word) {
                Some((_, value)) => value.clone(),
                None => Kind::Name(word.to_string()),
            },
        };
        self.next();
        let e = self.make(kind, vec![], span);
        s.values.push(e);
        Some(false)
    }

    /// What follows an operand: says whether an operand is to come, and nothing at the end of the expression.
    fn operator(&mut self, s: &mut Stacks) -> Option<Option<bool>> {
        let (token, span) = self.peek();
        let token = token.clone();
        if token == Token::Symbol("..")
            && !s
                .waiting
                .iter()
                .any(|w| matches!(w, Wait::Open(Open::Set | Open::Group | Open::CaseValue, ..)))
            && self.no_range
        {
            return Some(None);
        }
        let until = Token::Word("U".into());
        if (token == until || token == Token::Word("BU".into())) && s.in_path() {
            // Right inside the brackets of `A [p U q]` nothing binds less tightly.
            self.next();
            let op = if token == until {
                Modal2::Until
            } else {
                let (from, to) = self.bounds()?;
                Modal2::Within(from, to)
            };
            self.reduce(s, 0);
            s.waiting.push(Wait::Infix(Kind::Modal2(op), 0));
            return Some(Some(true));
        }
        if let Some((kind, binds, right)) = infix(&token) {
            self.next();
            self.reduce(s, if right { binds + 1 } else { binds });
            s.waiting.push(Wait::Infix(kind, binds));
            return Some(Some(true));
        }
        let Token::Symbol(symbol) = token else {
            if token == Token::Word("esac".into()) {
                return self.close_case(s);
            }
            return Some(None);
        };
        match symbol {
            "." => {
                self.next();
                let (token, at) = self.peek();
                let name = match token.clone() {
                    Token::Word(name) if !is_keyword(&name) => name,
                    Token::Int(n) => n.to_string(),
                    _ => {
                        self.expected("a name after `.`");
                        return None;
                    }
                };
                self.next();
                let e = s.values.pop()?;
                let whole = self.syntax.node(e).span.to(at);
                let e = self.make(Kind::Field(name), vec![e], whole);
                s.values.push(e);
                Some(Some(false))
            }
            "[" => {
                self.next();
                s.waiting.push(Wait::Open(Open::Index, s.values.len() - 1, span));
                Some(Some(true))
            }
            "?" => {
                self.next();
                self.reduce(s, 4);
                s.waiting.push(Wait::Question);
                Some(Some(true))
            }
            ":" => self.colon(s),
            "," => {
                self.reduce(s, 0);
                match s.waiting.last() {
                    Some(Wait::Open(
                        Open::Set | Open::Call(_) | Open::Path(Modal2::Shortest | Modal2::Longest),
                        ..,
                    )) => {
                        self.next();
                        Some(Some(true))
                    }
                    _ => Some(None),
                }
            }
            ";" => {
                self.reduce(s, 0);
                match s.waiting.last_mut() {
                    Some(Wait::Open(open @ Open::CaseValue, ..)) => {
                        *open = Open::CaseCondition;
                        self.next();
                        if self.peek().0 == &Token::Word("esac".into()) {
                            return self.close_case(s);
                        }
                        Some(Some(true))
                    }
                    _ => Some(None),
                }
            }
            ")" | "]" | "}" => self.close(s, symbol),
            _ => Some(None),
        }
    }

    fn colon(&mut self, s: &mut Stacks) -> Option<Option<bool>> {
        self.reduce(s, 0);
        match s.waiting.last_mut() {
            Some(Wait::Question) => {
                s.waiting.pop();
                s.waiting.push(Wait::Colon);
            }
            Some(Wait::Open(open @ Open::CaseCondition, ..)) => *open = Open::CaseValue,
            Some(Wait::Open(Open::Index, below, _)) if s.values.len() == *below + 2 => {}
            _ => return Some(None),
        }
        self.next();
        Some(Some(true))
    }

    fn close_case(&mut self, s: &mut Stacks) -> Option<Option<bool>> {
        self.reduce(s, 0);
        let Some(Wait::Open(open @ (Open::CaseCondition | Open::CaseValue), below, span)) = s.waiting.last()
        else {
            return Some(None);
        };
        let (value, below, from) = (*open == Open::CaseValue, *below, *span);
        let here = self.peek().1;
        let kids = s.values.split_off(below);
        if value || kids.is_empty() || kids.len() % 2 == 1 {
            let help = "each branch is `condition : value ;`";
            self.wrong.push(
                Diagnostic::error(here, "a branch of this case is not complete")
                    .help(help)
                    .note(from, "here"),
            );
            return None;
        }
        self.next();
        s.waiting.pop();
        let e = self.make(Kind::Case, kids, from.to(here));
        s.values.push(e);
        Some(Some(false))
    }

    fn close(&mut self, s: &mut Stacks, symbol: &str) -> Option<Option<bool>> {
        self.reduce(s, 0);
        let Some(Wait::Open(open, below, from)) = s.waiting.last() else { return Some(None) };
        let (open, below, from) = (open.clone(), *below, *from);
        let wanted = match open {
            Open::Group | Open::Call(_) | Open::Next => ")",
            Open::Set => "}",
            Open::Index | Open::Path(_) => "]",
            Open::CaseCondition | Open::CaseValue => return Some(None),
        };
        let here = self.peek().1;
        if symbol != wanted {
            self.wrong.push(
                Diagnostic::error(here, format!("expected `{wanted}`, found `{symbol}`"))
                    .note(from, "to close this"),
            );
            return None;
        }
        self.next();
        s.waiting.pop();
        let mut kids = s.values.split_off(below);
        let whole = from.to(here);
        let e = match open {
            Open::Group => kids.pop()?,
            Open::Set => self.make(Kind::Set, kids, whole),
            Open::Next => self.make(Kind::Next, kids, whole),
            Open::Index => {
                let whole = self.syntax.node(kids[0]).span.to(here);
                self.make(if kids.len() == 3 { Kind::Slice } else { Kind::Index }, kids, whole)
            }
            Open::Call(f) => {
                if !arity(f).contains(&kids.len()) {
                    let message = format!("this function does not take {} operands", kids.len());
                    self.wrong.push(Diagnostic::error(whole, message));
                    return None;
                }
                self.make(Kind::Call(f), kids, whole)
            }
            Open::Path(op @ (Modal2::Shortest | Modal2::Longest)) => {
                if kids.len() != 2 {
                    let message = "expected two formulas between the brackets: `MIN [start, final]`";
                    self.wrong.push(Diagnostic::error(whole, message));
                    return None;
                }
                self.make(Kind::Modal2(op), kids, whole)
            }
            Open::Path(op) => {
                let inner = kids.pop()?;
                let node = self.syntax.node(inner).clone();
                let op = match (node.kind, op) {
                    (Kind::Modal2(Modal2::Until), op) => op,
                    (Kind::Modal2(Modal2::Within(from, to)), Modal2::Eu) => Modal2::Ebu(from, to),
                    (Kind::Modal2(Modal2::Within(from, to)), _) => Modal2::Abu(from, to),
                    _ => {
                        let help = "a path formula is `A [p U q]` or `E [p U q]`";
                        let message = "expected `U` between the brackets";
                        self.wrong.push(Diagnostic::error(whole, message).help(help));
                        return None;
                    }
                };
                self.make(Kind::Modal2(op), node.kids, whole)
            }
            Open::CaseCondition | Open::CaseValue => return Some(None),
        };
        s.values.push(e);
        Some(Some(false))
    }

    /// Applies the operators on top of the stack that bind at least as tightly as `least`.
    fn reduce(&mut self, s: &mut Stacks, least: u8) {
        loop {
            match s.waiting.last() {
                Some(Wait::Prefix(_, binds, _) | Wait::Infix(_, binds)) if *binds >= least => {}
                Some(Wait::Colon) if least <= 3 => {}
                _ => return,
            }
            let Some(top) = s.waiting.pop() else { return };
            let n = match top {
                Wait::Prefix(..) => 1,
                Wait::Colon => 3,
                _ => 2,
            };
            let kids = s.values.split_off(s.values.len().saturating_sub(n));
            let (Some(first), Some(last)) = (kids.first(), kids.last()) else { return };
            let mut span = self.syntax.node(*first).span.to(self.syntax.node(*last).span);
            let kind = match top {
                Wait::Prefix(kind, _, at) => {
                    span = span.to(at);
                    kind
                }
                Wait::Infix(kind, _) => kind,
                _ => Kind::Ite,
            };
            let e = self.make(kind, kids, span);
            s.values.push(e);
        }
    }
}
