//! The properties that a model states.

use super::Lowering;
use crate::ast::{self, FormulaBinary, FormulaNode, FormulaUnary, Unit};
use riata_ltl::{Arena, Id, Ltl, Op};
use riata_program::Proposition;
use riata_program::{Expr, Formula, Property};
use riata_program::{ExprId, Exprs};
use riata_source::Span;
use std::collections::HashMap;

impl Lowering<'_> {
    pub(super) fn properties(&mut self, claims: &[&ast::Never]) -> Vec<Property> {
        let mut properties = Vec::new();
        for unit in &self.ast.units {
            match unit {
                Unit::Ltl(l) => {
                    let ltl = self.formula(&l.formula);
                    let formula = Formula { ltl, text: l.text.clone(), span: l.span };
                    properties.push(Property::Ltl(l.name.as_ref().map(|n| n.text.to_string()), formula));
                }
                Unit::Trace(t) => {
                    let monitor = self.monitor(t);
                    properties.push(Property::Trace(t.name.as_ref().map(|n| n.text.to_string()), monitor));
                }
                _ => {}
            }
        }
        // The variables of a claim come last, so this one must be there before.
        if self.ast.exprs.nodes.contains(&ast::Node::Special(ast::Special::Last)) {
            self.last_variable();
        }
        for never in claims {
            let claim = self.claim(never);
            properties.push(Property::Never(never.name.as_ref().map(|n| n.text.to_string()), claim));
        }
        if self.accepting {
            properties.push(Property::Acceptance);
        }
        if self.progress {
            properties.push(Property::Progress);
        }
        properties
    }

    /// A formula over propositions of the program.
    pub(super) fn formula(&mut self, formula: &ast::Formula) -> Ltl {
        let mut arena = Arena::new();
        let mut ids: Vec<Id> = Vec::new();
        for node in &formula.nodes {
            let id = match *node {
                FormulaNode::Proposition(e) => {
                    let span = self.ast.exprs.span(e);
                    let e = self.expr(e);
                    match self.program.exprs.constant(e) {
                        Some(k) => arena.raw(if k != 0 { Op::True } else { Op::False }, &[]),
                        None => {
                            let p = self.proposition(e, span);
                            arena.ap(&self.program.propositions[p].name)
                        }
                    }
                }
                FormulaNode::Unary(op, a) => {
                    let op = match op {
                        FormulaUnary::Not => Op::Not,
                        FormulaUnary::Next => Op::Next,
                        FormulaUnary::Always => Op::Globally,
                        FormulaUnary::Eventually => Op::Finally,
                    };
                    arena.raw(op, &[ids[a]])
                }
                FormulaNode::Binary(op, a, b) => {
                    let op = match op {
                        FormulaBinary::And => Op::And,
                        FormulaBinary::Or => Op::Or,
                        FormulaBinary::Implies => Op::Implies,
                        FormulaBinary::Equivalent => Op::Iff,
                        FormulaBinary::Until => Op::Until,
                        FormulaBinary::WeakUntil => Op::WeakUntil,
                        FormulaBinary::Release => Op::Release,
                    };
                    arena.raw(op, &[ids[a], ids[b]])
                }
            };
            ids.push(id);
        }
        let root = ids.last().copied().unwrap_or_else(|| arena.raw(Op::True, &[]));
        Ltl { arena, root }
    }

    /// The number of the proposition that `e` is, added if it is new. It is named as it is written.
    pub(super) fn proposition(&mut self, e: ExprId, span: Span) -> usize {
        let text = self.sources.str(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if text.is_empty() { "p".to_string() } else { text };
        let same = |other: ExprId, exprs: &Exprs| alike(exprs, e, other);
        if let Some(i) = self.program.propositions.iter().position(|p| same(p.expr, &self.program.exprs)) {
            return i;
        }
        let taken = |name: &str| self.program.propositions.iter().any(|p| p.name == name);
        let mut name = text.clone();
        let mut n = 1;
        while taken(&name) {
            n += 1;
            name = format!("{text} ({n})");
        }
        self.program.propositions.push(Proposition { name, expr: e });
        self.program.propositions.len() - 1
    }
}

/// Are two expressions the same?
fn alike(exprs: &Exprs, a: ExprId, b: ExprId) -> bool {
    let mut todo = vec![(a, b)];
    let mut seen: HashMap<(ExprId, ExprId), ()> = HashMap::new();
    while let Some((a, b)) = todo.pop() {
        if a == b || seen.insert((a, b), ()).is_some() {
            continue;
        }
        let (x, y) = (exprs.get(a), exprs.get(b));
        let xs: Vec<ExprId> = Exprs::operands(x).collect();
        let ys: Vec<ExprId> = Exprs::operands(y).collect();
        if !same_head(x, y) || xs.len() != ys.len() {
            return false;
        }
        todo.extend(xs.into_iter().zip(ys));
    }
    true
}

/// Are two expressions the same, operands left aside?
fn same_head(a: Expr, b: Expr) -> bool {
    use riata_program::Var;
    match (a, b) {
        (Expr::Const(x), Expr::Const(y)) => x == y,
        (Expr::Read(x), Expr::Read(y)) => {
            x.index.is_some() == y.index.is_some()
                && match (x.var, y.var) {
                    (Var::Remote(p, v, _), Var::Remote(q, w, _)) => (p, v) == (q, w),
                    (x, y) => x == y,
                }
        }
        (Expr::Unary(x, _), Expr::Unary(y, _)) => x == y,
        (Expr::Binary(x, ..), Expr::Binary(y, ..)) => x == y,
        (Expr::Bounded(_, x), Expr::Bounded(_, y)) => x == y,
        (Expr::Channel(x, _), Expr::Channel(y, _)) => x == y,
        (Expr::At(p, _, l), Expr::At(q, _, m)) => (p, l) == (q, m),
        (Expr::Poll(_), Expr::Poll(_)) => false,
        (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    }
}
