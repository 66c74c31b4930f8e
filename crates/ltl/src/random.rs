//! Formulas from bytes: for property tests (a shorter list of bytes is a smaller formula, so shrinking works) and for
//! random runs.

use crate::formula::{Arena, Id, Op};

/// The operators that a formula from bytes may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// Boolean and future operators.
    Future,
    /// Past operators too.
    Past,
}

const FUTURE: [Op; 12] = [
    Op::Not,
    Op::Next,
    Op::Finally,
    Op::Globally,
    Op::Until,
    Op::Release,
    Op::And,
    Op::Or,
    Op::WeakUntil,
    Op::StrongRelease,
    Op::Implies,
    Op::Iff,
];
const PAST: [Op; 7] =
    [Op::Xor, Op::Yesterday, Op::Once, Op::Since, Op::Historically, Op::WeakYesterday, Op::Trigger];

/// The formula that `bytes` build as the program of a stack machine: each byte pushes a proposition, or applies an
/// operator to what is there; what is left over is joined by U.
pub fn from_bytes(arena: &mut Arena, aps: &[&str], bytes: &[u8], alphabet: Alphabet) -> Id {
    let mut stack: Vec<Id> = Vec::new();
    let operators = FUTURE.len() + if alphabet == Alphabet::Past { PAST.len() } else { 0 };
    for &byte in bytes {
        let which = byte as usize % (operators + aps.len() * 2 + 1);
        let op = if which < FUTURE.len() { Some(FUTURE[which]) } else { None };
        let op = op.or_else(|| {
            (alphabet == Alphabet::Past).then(|| PAST.get(which - FUTURE.len()).copied()).flatten()
        });
        match op {
            Some(op) if stack.len() >= op.arity() => {
                let kids = stack.split_off(stack.len() - op.arity());
                stack.push(arena.raw(op, &kids));
            }
            Some(_) => stack.push(arena.ap(aps[byte as usize % aps.len()])),
            None => match which - operators {
                0 => stack.push(if byte & 128 == 0 { Id::TRUE } else { Id::FALSE }),
                i => stack.push(arena.ap(aps[(i - 1) / 2])),
            },
        }
    }
    let mut f = stack.pop().unwrap_or(Id::TRUE);
    while let Some(g) = stack.pop() {
        f = arena.raw(Op::Until, &[g, f]);
    }
    f
}
