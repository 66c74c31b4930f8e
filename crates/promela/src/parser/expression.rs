//! Parsing expressions, by operator precedence.
//!
//! The levels are Spin's. From loose to tight: `->`, `<->` (in formulas); `||`; `&&`; `U`, `W`, `V` (in formulas);
//! `|`; `^`; `&`; `==`, `!=`; the other comparisons; shifts; `+`, `-`; `*`, `/`, `%`; the operators of one operand. All
//! associate to the left, `U` too. The temporal operators of one operand are as tight in Spin, which then compares a
//! formula with a number: `[] x < 2` is `([] x) < 2`. That means nothing, so they are looser than arithmetic here, and a
//! warning tells it.
//!
//! Brackets and operators are on explicit stacks and nest as deep as memory allows. Indices and arguments recurse, to
//! a fixed depth.

use super::{Bad, Parser};
use crate::ast::{
    BinaryOp, ChannelTest, ExprId, FormulaBinary, FormulaUnary, Node, OriginId, ProcessTest, Reference,
    RemoteLabel, RemoteVariable, Run, Special, Spelling, Step, UnaryOp,
};
use crate::pre::condition::character;
use crate::token::{Kind, Sign, Token, Word};
use riata_source::{Diagnostic, Span};

/// How deep indices and arguments may nest.
pub(crate) const DEEPEST: usize = 100;

/// The level of `U`, `W` and `V`; what binds tighter is arithmetic.
const TEMPORAL: u8 = 5;

/// An operator of one operand.
#[derive(Clone, Copy)]
pub(super) enum Prefix {
    Plain(UnaryOp),
    Temporal(FormulaUnary),
}

/// An operator of two operands.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    Plain(BinaryOp),
    Temporal(FormulaBinary),
}

/// What waits for its operand.
enum Open {
    Paren(Token),
    /// `(c ->`, waiting for `:`.
    Then(Token),
    /// `(c -> a :`, waiting for `)`.
    Otherwise(Token),
    Prefix(Prefix, Token),
    Infix(Infix, u8, Token),
}

/// What is done: an expression or, in a formula, a node of it.
#[derive(Clone, Copy)]
pub(super) enum Done {
    Expr(ExprId),
    Formula(usize),
}

/// Where operators, brackets and operands are put together.
pub(super) struct Stacks {
    open: Vec<Open>,
    done: Vec<Done>,
    /// The nodes of a formula; none outside formulas.
    pub formula: Option<Vec<crate::ast::FormulaNode>>,
}

/// The operators that are the same everywhere.
pub(super) fn infix(sign: Sign) -> Option<(BinaryOp, u8)> {
    use BinaryOp::*;
    Some(match sign {
        Sign::OrOr => (Or, 2),
        Sign::AndAnd => (And, 3),
        Sign::Or => (BitOr, 6),
        Sign::Caret => (BitXor, 7),
        Sign::And => (BitAnd, 8),
        Sign::EqEq => (Eq, 9),
        Sign::NotEq => (Ne, 9),
        Sign::Lt => (Lt, 10),
        Sign::Le => (Le, 10),
        Sign::Gt => (Gt, 10),
        Sign::Ge => (Ge, 10),
        Sign::Shl => (Shl, 11),
        Sign::Shr => (Shr, 11),
        Sign::Plus => (Add, 12),
        Sign::Minus => (Sub, 12),
        Sign::Star => (Mul, 13),
        Sign::Slash => (Div, 13),
        Sign::Percent => (Rem, 13),
        _ => return None,
    })
}

impl Parser {
    /// An expression. Ends before the first token that cannot continue it.
    pub(super) fn expression(&mut self) -> Result<ExprId, Bad> {
        let mut stacks = Stacks { open: Vec::new(), done: Vec::new(), formula: None };
        self.run(&mut stacks, None)
    }

    /// An expression that begins with a reference that was read already, its nodes from `start` on.
    pub(super) fn expression_after(&mut self, reference: Reference, start: u32) -> Result<ExprId, Bad> {
        let mut stacks = Stacks { open: Vec::new(), done: Vec::new(), formula: None };
        let first = self.after_reference(reference, start)?;
        self.run(&mut stacks, Some(first))
    }

    fn run(&mut self, stacks: &mut Stacks, first: Option<ExprId>) -> Result<ExprId, Bad> {
        match self.operators(stacks, first)? {
            Done::Expr(e) => Ok(e),
            Done::Formula(_) => Err(Bad),
        }
    }

    /// Reads operators and operands until neither fits.
    pub(super) fn operators(&mut self, stacks: &mut Stacks, first: Option<ExprId>) -> Result<Done, Bad> {
        self.deeper()?;
        let result = self.alternate(stacks, first);
        self.depth -= 1;
        result
    }

    fn deeper(&mut self) -> Result<(), Bad> {
        if self.depth >= DEEPEST {
            let token = self.peek();
            let d = Diagnostic::error(
                token.span(),
                format!("indices and arguments nest more than {DEEPEST} deep here"),
            );
            self.push_error(d, token.origin);
            self.cursor.abandon();
            return Err(Bad);
        }
        self.depth += 1;
        Ok(())
    }

    fn alternate(&mut self, stacks: &mut Stacks, first: Option<ExprId>) -> Result<Done, Bad> {
        let mut first = first;
        loop {
            match first.take() {
                Some(e) => stacks.done.push(Done::Expr(e)),
                None => self.operand(stacks)?,
            }
            if let Some(done) = self.after_operand(stacks)? {
                return Ok(done);
            }
        }
    }

    /// What follows an operand: closing brackets and an operator. Returns the whole if there is no operator.
    fn after_operand(&mut self, stacks: &mut Stacks) -> Result<Option<Done>, Bad> {
        loop {
            let token = self.peek();
            if let Some((op, level)) = self.infix(&token, stacks.formula.is_some()) {
                self.reduce(stacks, level)?;
                self.take_operator(&token, stacks.formula.is_some());
                stacks.open.push(Open::Infix(op, level, token));
                return Ok(None);
            }
            self.reduce(stacks, 0)?;
            match (token.kind, stacks.open.last()) {
                (Kind::Sign(Sign::CloseParen), Some(&Open::Paren(from))) => {
                    stacks.open.pop();
                    self.advance();
                    if let Some(Done::Expr(e)) = stacks.done.last() {
                        self.model.exprs.spans[e.index()] = self.join(from.span(), token.span());
                    }
                }
                (Kind::Sign(Sign::Arrow), Some(&Open::Paren(from))) => {
                    self.advance();
                    stacks.open.pop();
                    stacks.open.push(Open::Then(from));
                    return Ok(None);
                }
                (Kind::Sign(Sign::Colon), Some(&Open::Then(from))) => {
                    self.advance();
                    stacks.open.pop();
                    stacks.open.push(Open::Otherwise(from));
                    return Ok(None);
                }
                (Kind::Sign(Sign::CloseParen), Some(&Open::Otherwise(from))) => {
                    self.advance();
                    stacks.open.pop();
                    self.conditional(stacks, from, token)?;
                }
                (_, None) => return stacks.done.pop().map(Some).ok_or(Bad),
                (_, Some(&Open::Then(from))) => {
                    let d = Diagnostic::error(token.span(), format!("expected `:`, found {}", self.found()))
                        .note(from.span(), "the conditional expression begins here")
                        .help("a conditional expression is written `(condition -> value : other value)`");
                    self.push_error(d, token.origin);
                    return Err(Bad);
                }
                (_, Some(&(Open::Paren(from) | Open::Otherwise(from)))) => {
                    self.close(Sign::CloseParen, from)?;
                }
                (_, Some(Open::Prefix(..) | Open::Infix(..))) => return Err(Bad),
            }
        }
    }

    fn conditional(&mut self, stacks: &mut Stacks, from: Token, to: Token) -> Result<(), Bad> {
        let parts = (stacks.done.pop(), stacks.done.pop(), stacks.done.pop());
        let (Some(Done::Expr(no)), Some(Done::Expr(yes)), Some(Done::Expr(condition))) = parts else {
            self.error(from.span(), from.origin, "a conditional expression has no temporal operators in it");
            return Err(Bad);
        };
        let start = self.model.exprs.starts[condition.index()];
        let span = self.join(from.span(), to.span());
        let e = self.node(Node::Conditional(condition, yes, no), start, span, from.origin);
        stacks.done.push(Done::Expr(e));
        Ok(())
    }

    fn infix(&self, token: &Token, formula: bool) -> Option<(Infix, u8)> {
        if formula && let Some((op, level)) = self.temporal_infix(token) {
            return Some((Infix::Temporal(op), level));
        }
        match token.kind {
            Kind::Sign(sign) => infix(sign).map(|(op, level)| (Infix::Plain(op), level)),
            _ => None,
        }
    }

    /// One operand, with the brackets and operators before it.
    fn operand(&mut self, stacks: &mut Stacks) -> Result<(), Bad> {
        loop {
            let token = self.peek();
            if stacks.formula.is_some()
                && let Some(op) = self.temporal_prefix()
            {
                stacks.open.push(Open::Prefix(Prefix::Temporal(op), token));
                continue;
            }
            let op = match token.kind {
                Kind::Sign(Sign::OpenParen) => {
                    self.advance();
                    stacks.open.push(Open::Paren(token));
                    continue;
                }
                Kind::Sign(Sign::Minus) => UnaryOp::Negate,
                Kind::Sign(Sign::Tilde) => UnaryOp::Complement,
                Kind::Sign(Sign::Not) => UnaryOp::Not,
                Kind::Sign(Sign::SendSorted) => {
                    stacks.open.push(Open::Prefix(Prefix::Plain(UnaryOp::Not), token));
                    UnaryOp::Not
                }
                _ => {
                    let e = self.primary()?;
                    stacks.done.push(Done::Expr(e));
                    return Ok(());
                }
            };
            self.advance();
            stacks.open.push(Open::Prefix(Prefix::Plain(op), token));
        }
    }

    /// An operand without operators or brackets around it.
    pub(super) fn primary(&mut self) -> Result<ExprId, Bad> {
        let token = self.peek();
        let start = self.next_node();
        let node = match token.kind {
            Kind::Number => Node::Constant(self.number(&token), Spelling::Decimal),
            Kind::Character => Node::Constant(self.character(&token), Spelling::Character),
            Kind::Name => match token.text.word() {
                Some(Word::True) => Node::Constant(1, Spelling::True),
                Some(Word::False) => Node::Constant(0, Spelling::False),
                Some(Word::Skip) => Node::Constant(1, Spelling::Skip),
                Some(Word::Timeout) => Node::Special(Special::Timeout),
                Some(Word::Np) => Node::Special(Special::NonProgress),
                Some(Word::Run) => return self.run_process(),
                Some(Word::Len) => return self.channel_test(ChannelTest::Len),
                Some(Word::Empty) => return self.channel_test(ChannelTest::Empty),
                Some(Word::Nempty) => return self.channel_test(ChannelTest::Nempty),
                Some(Word::Full) => return self.channel_test(ChannelTest::Full),
                Some(Word::Nfull) => return self.channel_test(ChannelTest::Nfull),
                Some(Word::Enabled) => return self.process_test(ProcessTest::Enabled),
                Some(Word::PcValue) => return self.process_test(ProcessTest::PcValue),
                Some(Word::GetPriority) => return self.process_test(ProcessTest::GetPriority),
                Some(Word::CExpr) => {
                    let text = self.c_text()?;
                    let span = self.since(token.span());
                    return Ok(self.node(Node::CExpr(text), start, span, token.origin));
                }
                None | Some(Word::In) => {
                    let special = match &**self.symbols.text(token.text) {
                        "_pid" => Some(Special::Pid),
                        "_nr_pr" => Some(Special::NrPr),
                        "_last" => Some(Special::Last),
                        _ => None,
                    };
                    match special {
                        Some(special) => Node::Special(special),
                        None => {
                            let reference = self.reference()?;
                            return self.after_reference(reference, start);
                        }
                    }
                }
                Some(Word::Eval) => {
                    let d = Diagnostic::error(token.span(), "`eval` can only be an argument of a receive");
                    self.push_error(d, token.origin);
                    return Err(Bad);
                }
                Some(Word::Else) => {
                    let d = Diagnostic::error(token.span(), "`else` is a statement, not a condition")
                        .help("it stands alone at the beginning of an option: `:: else -> …`");
                    self.push_error(d, token.origin);
                    return Err(Bad);
                }
                Some(_) => return Err(self.unexpected("an expression")),
            },
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok(self.node(node, start, token.span(), token.origin))
    }

    /// The value of a number; a hint if it is not decimal, a warning if it does not fit.
    pub(super) fn number(&mut self, token: &Token) -> i32 {
        let text = self.symbols.text(token.text).clone();
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            let d = Diagnostic::error(token.span(), format!("`{text}` is not a number"))
                .help("Promela's numbers are decimal, without suffix");
            self.push_error(d, token.origin);
            return 0;
        }
        match text.parse::<i64>() {
            Ok(n) => i32::try_from(n).unwrap_or_else(|_| {
                let d = Diagnostic::warning(token.span(), format!("{n} does not fit into 32 bits"));
                self.push_error(d.help(format!("as in Spin, it is read as {}", n as i32)), token.origin);
                n as i32
            }),
            Err(_) => {
                let d = Diagnostic::error(token.span(), "this number is too large");
                self.push_error(d.help("numbers go up to 2147483647"), token.origin);
                0
            }
        }
    }

    fn character(&mut self, token: &Token) -> i32 {
        let text = self.symbols.text(token.text).clone();
        match character(&text) {
            Some(c) => i32::from(c),
            None => {
                // An unclosed one was told by the preprocessor.
                if text.len() > 1 && text.ends_with('\'') {
                    let d = Diagnostic::error(token.span(), "one character stands between single quotes");
                    self.push_error(d, token.origin);
                }
                0
            }
        }
    }

    /// `a[i].b.c[j]`.
    pub(super) fn reference(&mut self) -> Result<Reference, Bad> {
        let mut steps = Vec::new();
        let first = self.peek().span();
        loop {
            let what = if steps.is_empty() { "a variable" } else { "a field" };
            let name = self.name(what)?;
            let index = match self.eat(Sign::OpenBracket) {
                Some(open) => {
                    let index = self.expression()?;
                    self.close(Sign::CloseBracket, open)?;
                    Some(index)
                }
                None => None,
            };
            steps.push(Step { name, index });
            if self.eat(Sign::Dot).is_none() {
                return Ok(Reference { steps, span: self.since(first) });
            }
        }
    }

    /// What begins with a reference: a variable, a poll, a remote reference.
    fn after_reference(&mut self, reference: Reference, start: u32) -> Result<ExprId, Bad> {
        let span = reference.span;
        let origin = reference.steps[0].name.origin;
        let token = self.peek();
        if matches!(token.kind, Kind::Sign(Sign::Query | Sign::ReceiveRandom))
            && self.peek2().is(Sign::OpenBracket)
        {
            return self.poll(reference, start);
        }
        let simple = reference.steps.len() == 1;
        let node = match token.kind {
            Kind::Sign(Sign::At) if simple => {
                self.advance();
                let label = self.name("a label")?;
                let (process, instance) = split(reference);
                Node::RemoteLabel(RemoteLabel { process, instance, label })
            }
            Kind::Sign(Sign::Colon) if simple && self.remote(&reference.steps[0].name.text) => {
                self.advance();
                let variable = self.reference()?;
                let (process, instance) = split(reference);
                Node::RemoteVariable(RemoteVariable { process, instance, variable })
            }
            _ => Node::Variable(reference),
        };
        let span = self.since(span);
        Ok(self.node(node, start, span, origin))
    }

    /// True if `P:x` with this name before the colon is a remote reference.
    fn remote(&self, name: &str) -> bool {
        self.any_process || self.symbols.find(name).is_some_and(|s| self.processes.contains(&s))
    }

    /// `run P(arguments) priority n`.
    fn run_process(&mut self) -> Result<ExprId, Bad> {
        let start = self.next_node();
        let word = self.advance();
        let process = self.name("a proctype")?;
        let open = self.expect(Sign::OpenParen, "with the arguments")?;
        let mut arguments = Vec::new();
        if !self.at(Sign::CloseParen) {
            arguments = self.expressions()?;
        }
        self.close(Sign::CloseParen, open)?;
        let priority = self.priority()?;
        let span = self.since(word.span());
        Ok(self.node(Node::Run(Run { process, arguments, priority }), start, span, word.origin))
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Result<Option<ExprId>, Bad> {
        if self.eat_word(Word::Priority).is_none() {
            return Ok(None);
        }
        match self.peek().kind {
            Kind::Number | Kind::Character | Kind::Name => self.primary().map(Some),
            _ => Err(self.unexpected("a constant")),
        }
    }

    /// Expressions with commas between them; at least one.
    pub(super) fn expressions(&mut self) -> Result<Vec<ExprId>, Bad> {
        let mut list = vec![self.expression()?];
        while self.eat(Sign::Comma).is_some() {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn channel_test(&mut self, test: ChannelTest) -> Result<ExprId, Bad> {
        let start = self.next_node();
        let word = self.advance();
        let open = self.expect(Sign::OpenParen, "with a channel")?;
        let channel = self.reference()?;
        self.close(Sign::CloseParen, open)?;
        let span = self.since(word.span());
        Ok(self.node(Node::Channel(test, channel), start, span, word.origin))
    }

    fn process_test(&mut self, test: ProcessTest) -> Result<ExprId, Bad> {
        let start = self.next_node();
        let word = self.advance();
        let open = self.expect(Sign::OpenParen, "with a process number")?;
        let process = self.expression()?;
        self.close(Sign::CloseParen, open)?;
        let span = self.since(word.span());
        Ok(self.node(Node::Process(test, process), start, span, word.origin))
    }

    /// Builds the operators on top that bind at least as tight as `level`.
    fn reduce(&mut self, stacks: &mut Stacks, level: u8) -> Result<(), Bad> {
        loop {
            match stacks.open.last() {
                Some(&Open::Prefix(Prefix::Temporal(_), token))
                    if level > TEMPORAL && matches!(stacks.done.last(), Some(Done::Expr(_))) =>
                {
                    self.warn_of_operand(&token);
                    return Ok(());
                }
                Some(&Open::Prefix(op, token)) => {
                    stacks.open.pop();
                    let Some(a) = stacks.done.pop() else { return Err(Bad) };
                    let done = self.apply_prefix(stacks, op, &token, a)?;
                    stacks.done.push(done);
                }
                Some(&Open::Infix(op, l, token)) if l >= level => {
                    stacks.open.pop();
                    let (Some(b), Some(a)) = (stacks.done.pop(), stacks.done.pop()) else { return Err(Bad) };
                    let done = self.apply_infix(stacks, op, &token, a, b)?;
                    stacks.done.push(done);
                }
                _ => return Ok(()),
            }
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, token: &Token, a: ExprId) -> ExprId {
        let start = self.model.exprs.starts[a.index()];
        let span = self.join(token.span(), self.model.exprs.span(a));
        self.node(Node::Unary(op, a), start, span, token.origin)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, origin: OriginId) -> ExprId {
        let start = self.model.exprs.starts[a.index()];
        let span: Span = self.join(self.model.exprs.span(a), self.model.exprs.span(b));
        self.node(Node::Binary(op, a, b), start, span, origin)
    }
}

/// The process and its number in `P[i]`.
fn split(reference: Reference) -> (crate::ast::Name, Option<ExprId>) {
    let mut steps = reference.steps;
    let step = steps.swap_remove(0);
    (step.name, step.index)
}

impl Stacks {
    /// For a formula.
    pub fn for_formula() -> Stacks {
        Stacks { open: Vec::new(), done: Vec::new(), formula: Some(Vec::new()) }
    }
}
