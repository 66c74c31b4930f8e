//! The conditions of `#if` and `#elif`: C's integer expressions, with explicit stacks.
//!
//! A name that is no macro is 0. Division by zero is an error only where its value matters, so values are optional.

use crate::token::{Kind, Sign, Symbols, Token, Word};
use riata_source::{Diagnostic, Span};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Paren,
    /// `c ?`, waiting for `:`.
    Question,
    /// `c ? a :`.
    Colon,
    Unary(Sign),
    Binary(Sign, u8),
}

fn level(sign: Sign) -> Option<u8> {
    Some(match sign {
        Sign::OrOr => 2,
        Sign::AndAnd => 3,
        Sign::Or => 4,
        Sign::Caret => 5,
        Sign::And => 6,
        Sign::EqEq | Sign::NotEq => 7,
        Sign::Lt | Sign::Le | Sign::Gt | Sign::Ge => 8,
        Sign::Shl | Sign::Shr => 9,
        Sign::Plus | Sign::Minus => 10,
        Sign::Star | Sign::Slash | Sign::Percent => 11,
        _ => return None,
    })
}

/// The value of a condition whose macros are expanded.
pub(crate) fn evaluate(tokens: &[Token], symbols: &Symbols, place: Span) -> Result<bool, Diagnostic> {
    let mut open: Vec<Open> = Vec::new();
    let mut done: Vec<Option<i64>> = Vec::new();
    let mut operand = true;
    for token in tokens {
        let bad = |what: &str| {
            let found = symbols.text(token.text);
            Err(Diagnostic::error(
                token.span(),
                format!("expected {what} in this condition, found `{found}`"),
            ))
        };
        if operand {
            match token.kind {
                Kind::Sign(sign @ (Sign::Not | Sign::Minus | Sign::Plus | Sign::Tilde)) => {
                    open.push(Open::Unary(sign));
                    continue;
                }
                Kind::Sign(Sign::SendSorted) => {
                    open.extend([Open::Unary(Sign::Not); 2]);
                    continue;
                }
                Kind::Sign(Sign::OpenParen) => {
                    open.push(Open::Paren);
                    continue;
                }
                Kind::Number => match number(symbols.text(token.text)) {
                    Some(n) => done.push(Some(n)),
                    None => return bad("an integer"),
                },
                Kind::Character => {
                    done.push(Some(i64::from(character(symbols.text(token.text)).unwrap_or(0))))
                }
                Kind::Name => done.push(Some(i64::from(token.word() == Some(Word::True)))),
                _ => return bad("a value"),
            }
            operand = false;
            continue;
        }
        let Kind::Sign(sign) = token.kind else { return bad("an operator") };
        match sign {
            Sign::CloseParen => {
                reduce(&mut open, &mut done, 0);
                if open.pop() != Some(Open::Paren) {
                    return Err(Diagnostic::error(token.span(), "this `)` closes nothing"));
                }
            }
            Sign::Query => {
                reduce(&mut open, &mut done, 2);
                open.push(Open::Question);
                operand = true;
            }
            Sign::Colon => {
                reduce(&mut open, &mut done, 0);
                if open.pop() != Some(Open::Question) {
                    return bad("an operator");
                }
                open.push(Open::Colon);
                operand = true;
            }
            _ => {
                let Some(level) = level(sign) else { return bad("an operator") };
                reduce(&mut open, &mut done, level);
                open.push(Open::Binary(sign, level));
                operand = true;
            }
        }
    }
    if operand {
        let message =
            if tokens.is_empty() { "a condition is missing here" } else { "this condition is unfinished" };
        return Err(Diagnostic::error(place, message));
    }
    reduce(&mut open, &mut done, 0);
    match open.last() {
        Some(Open::Paren) => return Err(Diagnostic::error(place, "a `)` is missing in this condition")),
        Some(_) => return Err(Diagnostic::error(place, "a `:` is missing in this condition")),
        None => {}
    }
    match done.pop().flatten() {
        Some(value) => Ok(value != 0),
        None => Err(Diagnostic::error(place, "division by zero in this condition")),
    }
}

/// Applies the operators on top that bind at least as tight as `level`.
fn reduce(open: &mut Vec<Open>, done: &mut Vec<Option<i64>>, level: u8) {
    while let Some(&top) = open.last() {
        let value = match top {
            Open::Unary(sign) => {
                let a = done.pop().flatten();
                a.map(|a| match sign {
                    Sign::Not => i64::from(a == 0),
                    Sign::Minus => a.wrapping_neg(),
                    Sign::Tilde => !a,
                    _ => a,
                })
            }
            Open::Binary(sign, l) if l >= level => {
                let b = done.pop().flatten();
                let a = done.pop().flatten();
                binary(sign, a, b)
            }
            Open::Colon if level <= 1 => {
                let no = done.pop().flatten();
                let yes = done.pop().flatten();
                let condition = done.pop().flatten();
                condition.and_then(|c| if c != 0 { yes } else { no })
            }
            _ => return,
        };
        open.pop();
        done.push(value);
    }
}

fn binary(sign: Sign, a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match sign {
        Sign::AndAnd if a == Some(0) => return Some(0),
        Sign::OrOr if a.is_some_and(|a| a != 0) => return Some(1),
        _ => {}
    }
    let (a, b) = (a?, b?);
    Some(match sign {
        Sign::AndAnd => i64::from(a != 0 && b != 0),
        Sign::OrOr => i64::from(a != 0 || b != 0),
        Sign::Or => a | b,
        Sign::Caret => a ^ b,
        Sign::And => a & b,
        Sign::EqEq => i64::from(a == b),
        Sign::NotEq => i64::from(a != b),
        Sign::Lt => i64::from(a < b),
        Sign::Le => i64::from(a <= b),
        Sign::Gt => i64::from(a > b),
        Sign::Ge => i64::from(a >= b),
        Sign::Shl => a.checked_shl(u32::try_from(b).ok()?).unwrap_or(0),
        Sign::Shr => a >> u32::try_from(b).ok()?.min(63),
        Sign::Plus => a.wrapping_add(b),
        Sign::Minus => a.wrapping_sub(b),
        Sign::Star => a.wrapping_mul(b),
        Sign::Slash => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    })
}

/// C's integers: decimal, octal, hexadecimal, with a suffix.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8).ok()
    } else {
        digits.parse().ok()
    }
}

/// The value of `'a'`, quotes included; none if it is not one character.
pub(crate) fn character(text: &str) -> Option<u8> {
    match text.strip_prefix('\'')?.strip_suffix('\'')?.as_bytes() {
        [b'\\', b'n'] => Some(b'\n'),
        [b'\\', b'r'] => Some(b'\r'),
        [b'\\', b't'] => Some(b'\t'),
        [b'\\', b'f'] => Some(0x0c),
        [b'\\', c] => Some(*c),
        [c] if *c != b'\\' => Some(*c),
        _ => None,
    }
}
