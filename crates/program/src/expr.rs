//! Expressions, in an arena where children come before their parents.
//!
//! The order makes every pass over expressions a loop: nothing here recurses, whatever the input nests.

use crate::ids::{ChanId, ExprId, InstanceId, LocId, VarId};
use riata_source::Span;

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Arithmetic negation, wrapping.
    Neg,
    /// Bitwise complement.
    Complement,
    /// 1 for zero, 0 for anything else.
    Not,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Sub,
    /// Product, wrapping.
    Mul,
    /// Quotient towards zero; a divisor of zero is a fault.
    Div,
    /// Remainder with the sign of the dividend; a divisor of zero is a fault.
    Rem,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift left; a count outside `0..32` is a fault.
    Shl,
    /// Arithmetic shift right; a count outside `0..32` is a fault.
    Shr,
    /// Equal: 0 or 1, as all comparisons.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Both not zero; the right operand is evaluated only if the left one is not zero.
    And,
    /// One not zero; the right operand is evaluated only if the left one is zero.
    Or,
    /// The left zero or the right not; the right operand is evaluated only if the left one is not zero.
    Imply,
}

/// Whose local variable is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The instance that evaluates; shared variables say so too.
    Own,
    /// One instance of the program.
    Of(InstanceId),
}

/// A variable, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which variable.
    pub var: VarId,
    /// Whose, if it is local.
    pub owner: Owner,
    /// Which element, if it is an array.
    pub index: Option<ExprId>,
}

/// An expression; its operands are elements of the same arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// What a variable holds.
    Read(Place),
    /// 1 if the instance is at the location.
    At(InstanceId, LocId),
    /// How many messages a buffered channel holds.
    Len(ChanId),
    /// An operator on one operand.
    Unary(Unary, ExprId),
    /// An operator on two operands.
    Binary(Binary, ExprId, ExprId),
}

impl Expr {
    /// Can it be a fault to evaluate it, its operands left aside?
    pub fn may_fail(self) -> bool {
        match self {
            Expr::Read(place) => place.index.is_some(),
            Expr::Binary(op, ..) => op.may_fail(),
            Expr::Const(_) | Expr::At(..) | Expr::Len(_) | Expr::Unary(..) => false,
        }
    }
}

impl Unary {
    /// The meaning.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Neg => a.wrapping_neg(),
            Unary::Complement => !a,
            Unary::Not => i32::from(a == 0),
        }
    }
}

impl Binary {
    /// Is it a fault for some operands?
    pub fn may_fail(self) -> bool {
        matches!(self, Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr)
    }

    /// The meaning; none where it is a fault.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div if b == 0 => return None,
            Binary::Div => a.wrapping_div(b),
            Binary::Rem if b == 0 => return None,
            Binary::Rem => a.wrapping_rem(b),
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
            Binary::Shr => a.checked_shr(u32::try_from(b).ok()?)?,
            Binary::Eq => i32::from(a == b),
            Binary::Ne => i32::from(a != b),
            Binary::Lt => i32::from(a < b),
            Binary::Le => i32::from(a <= b),
            Binary::Gt => i32::from(a > b),
            Binary::Ge => i32::from(a >= b),
            Binary::And => i32::from(a != 0 && b != 0),
            Binary::Or => i32::from(a != 0 || b != 0),
            Binary::Imply => i32::from(a == 0 || b != 0),
        })
    }

    /// Is the result always 0 or 1?
    pub fn is_truth(self) -> bool {
        use Binary::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge | And | Or | Imply)
    }
}

/// The arena.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exprs {
    nodes: Vec<Expr>,
    spans: Vec<Span>,
}

impl Exprs {
    /// Adds an expression that comes from `span`.
    ///
    /// Constants are folded, unless the result is a fault: a fault happens when the expression is evaluated.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        let expr = self.fold(expr);
        self.nodes.push(expr);
        self.spans.push(span);
        ExprId::new(self.nodes.len() - 1)
    }

    fn fold(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Unary(op, a) => match self.constant(a) {
                Some(a) => Expr::Const(op.apply(a)),
                None => expr,
            },
            Expr::Binary(op, a, b) => match (op, self.constant(a), self.constant(b)) {
                (Binary::And, Some(0), _) => Expr::Const(0),
                (Binary::Or, Some(x), _) if x != 0 => Expr::Const(1),
                (Binary::Imply, Some(0), _) => Expr::Const(1),
                (_, Some(a), Some(b)) => op.apply(a, b).map_or(expr, Expr::Const),
                _ => expr,
            },
            _ => expr,
        }
    }

    /// The value, if it is known without a state.
    pub fn constant(&self, e: ExprId) -> Option<i32> {
        match self.nodes[e.index()] {
            Expr::Const(k) => Some(k),
            _ => None,
        }
    }

    /// The expression.
    pub fn get(&self, e: ExprId) -> Expr {
        self.nodes[e.index()]
    }

    /// Where it comes from.
    pub fn span(&self, e: ExprId) -> Span {
        self.spans[e.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operands of an expression.
    pub fn operands(expr: Expr) -> impl Iterator<Item = ExprId> {
        let (a, b) = match expr {
            Expr::Const(_) | Expr::At(..) | Expr::Len(_) => (None, None),
            Expr::Read(place) => (place.index, None),
            Expr::Unary(_, a) => (Some(a), None),
            Expr::Binary(_, a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }

    /// Calls `visit` for `root` and everything below it, parents before operands.
    pub fn walk(&self, root: ExprId, mut visit: impl FnMut(ExprId, Expr)) {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.get(e);
            visit(e, expr);
            todo.extend(Self::operands(expr));
        }
    }

    /// Is the value of `e` always 0 or 1?
    pub fn is_truth(&self, e: ExprId) -> bool {
        match self.get(e) {
            Expr::Const(k) => k == 0 || k == 1,
            Expr::At(..) | Expr::Unary(Unary::Not, _) => true,
            Expr::Binary(op, ..) => op.is_truth(),
            Expr::Read(_) | Expr::Len(_) | Expr::Unary(..) => false,
        }
    }
}
