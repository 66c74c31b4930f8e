//! Formulas: temporal operators over expressions.
//!
//! Spin reads a formula with the grammar of expressions, to which the temporal operators are added. So do we. What has
//! no temporal operator in it becomes one proposition, as large as possible; an arithmetic operator on a temporal
//! operand is an error.

use super::expression::{Done, Infix, Prefix, Stacks};
use super::{Bad, Parser};
use crate::ast::{BinaryOp, Formula, FormulaBinary, FormulaNode, FormulaUnary, UnaryOp};
use crate::token::{Kind, Sign, Token};
use riata_source::Diagnostic;

impl Parser {
    /// A formula. Ends before the first token that cannot continue it.
    pub(super) fn formula(&mut self) -> Result<Formula, Bad> {
        let mut stacks = Stacks::for_formula();
        // There are no conditional expressions here, so `P:x` can be nothing else.
        self.any_process = true;
        let root = self.operators(&mut stacks, None);
        self.any_process = false;
        let root = root?;
        let mut nodes = stacks.formula.take().unwrap_or_default();
        if let Done::Expr(e) = root {
            nodes.push(FormulaNode::Proposition(e));
        }
        Ok(Formula { nodes })
    }

    /// The temporal operator of one operand that is next, if it is: then it is taken.
    pub(super) fn temporal_prefix(&mut self) -> Option<FormulaUnary> {
        let token = self.peek();
        let (op, tokens) = match token.kind {
            Kind::Sign(Sign::OpenBracket) if self.peek2().is(Sign::CloseBracket) => (FormulaUnary::Always, 2),
            Kind::Sign(Sign::Lt) if self.peek2().is(Sign::Gt) => (FormulaUnary::Eventually, 2),
            Kind::Name => match &**self.symbols.text(token.text) {
                "X" | "next" => (FormulaUnary::Next, 1),
                "always" => (FormulaUnary::Always, 1),
                "eventually" => (FormulaUnary::Eventually, 1),
                _ => return None,
            },
            _ => return None,
        };
        for _ in 0..tokens {
            self.advance();
        }
        Some(op)
    }

    /// The temporal operator of two operands that begins with the next token, and its level.
    pub(super) fn temporal_infix(&self, token: &Token) -> Option<(FormulaBinary, u8)> {
        use FormulaBinary::*;
        Some(match token.kind {
            Kind::Sign(Sign::Arrow) => (Implies, 1),
            Kind::Sign(Sign::Lt) if self.peek2().is(Sign::Arrow) && !self.peek2().space => (Equivalent, 1),
            Kind::Sign(Sign::Slash) if self.peek2().is(Sign::Backslash) => (And, 3),
            Kind::Sign(Sign::Backslash) if self.peek2().is(Sign::Slash) => (Or, 2),
            Kind::Name => match &**self.symbols.text(token.text) {
                "implies" => (Implies, 1),
                "equivalent" => (Equivalent, 1),
                "U" | "until" | "stronguntil" => (Until, 5),
                "W" | "weakuntil" => (WeakUntil, 5),
                "V" | "release" => (Release, 5),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Takes an operator of two operands: one token, or two in a formula.
    pub(super) fn take_operator(&mut self, token: &Token, formula: bool) {
        let two = match token.kind {
            Kind::Sign(Sign::Lt) => self.peek2().is(Sign::Arrow) && !self.peek2().space,
            Kind::Sign(Sign::Slash) => self.peek2().is(Sign::Backslash),
            Kind::Sign(Sign::Backslash) => true,
            _ => false,
        };
        self.advance();
        if formula && two {
            self.advance();
        }
    }

    pub(super) fn apply_prefix(
        &mut self,
        stacks: &mut Stacks,
        op: Prefix,
        token: &Token,
        a: Done,
    ) -> Result<Done, Bad> {
        let op = match (op, a) {
            (Prefix::Plain(op), Done::Expr(a)) => return Ok(Done::Expr(self.unary(op, token, a))),
            (Prefix::Plain(UnaryOp::Not), Done::Formula(_)) => FormulaUnary::Not,
            (Prefix::Plain(_), Done::Formula(_)) => return Err(self.not_a_number(token)),
            (Prefix::Temporal(op), _) => op,
        };
        let a = lift(stacks, a);
        Ok(push(stacks, FormulaNode::Unary(op, a)))
    }

    pub(super) fn apply_infix(
        &mut self,
        stacks: &mut Stacks,
        op: Infix,
        token: &Token,
        a: Done,
        b: Done,
    ) -> Result<Done, Bad> {
        let op = match (op, a, b) {
            (Infix::Plain(op), Done::Expr(a), Done::Expr(b)) => {
                return Ok(Done::Expr(self.binary(op, a, b, token.origin)));
            }
            (Infix::Temporal(FormulaBinary::And), Done::Expr(a), Done::Expr(b)) => {
                return Ok(Done::Expr(self.binary(BinaryOp::And, a, b, token.origin)));
            }
            (Infix::Temporal(FormulaBinary::Or), Done::Expr(a), Done::Expr(b)) => {
                return Ok(Done::Expr(self.binary(BinaryOp::Or, a, b, token.origin)));
            }
            (Infix::Plain(BinaryOp::And), ..) => FormulaBinary::And,
            (Infix::Plain(BinaryOp::Or), ..) => FormulaBinary::Or,
            (Infix::Plain(_), ..) => return Err(self.not_a_number(token)),
            (Infix::Temporal(op), ..) => op,
        };
        let (a, b) = (lift(stacks, a), lift(stacks, b));
        Ok(push(stacks, FormulaNode::Binary(op, a, b)))
    }

    /// Warns that an arithmetic operator follows on what a temporal operator is about.
    pub(super) fn warn_of_operand(&mut self, temporal: &Token) {
        // Once for each temporal operator is enough.
        if self.wrong.iter().any(|d| d.notes.iter().any(|n| n.span == temporal.span())) {
            return;
        }
        let operator = self.peek();
        let text = self.symbols.text(operator.text).clone();
        let d = Diagnostic::warning(
            operator.span(),
            format!("`{text}` is read as part of what the temporal operator is about"),
        )
        .note(temporal.span(), "this operator: it holds of the whole comparison, as with brackets around it")
        .help(
            "write the brackets: Spin reads `[] x < 2` as `([] x) < 2`, and compares the number of a token",
        );
        self.push_error(d, operator.origin);
    }

    fn not_a_number(&mut self, token: &Token) -> Bad {
        let text = self.symbols.text(token.text).clone();
        let help = match token.kind {
            Kind::Sign(Sign::And) => "is `&&` meant?",
            Kind::Sign(Sign::Or) => "is `||` meant?",
            _ => {
                "temporal formulas are put together with `&&`, `||`, `!`, `->`, `<->` and temporal operators"
            }
        };
        let d =
            Diagnostic::error(token.span(), format!("`{text}` has a temporal formula as operand")).help(help);
        self.push_error(d, token.origin);
        Bad
    }
}

/// As a node of the formula.
fn lift(stacks: &mut Stacks, done: Done) -> usize {
    match done {
        Done::Formula(i) => i,
        Done::Expr(e) => {
            let nodes = stacks.formula.get_or_insert_default();
            nodes.push(FormulaNode::Proposition(e));
            nodes.len() - 1
        }
    }
}

fn push(stacks: &mut Stacks, node: FormulaNode) -> Done {
    let nodes = stacks.formula.get_or_insert_default();
    nodes.push(node);
    Done::Formula(nodes.len() - 1)
}
