//! Operators, and what they mean.

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
