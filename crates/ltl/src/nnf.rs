//! Negation normal form: negations only before propositions, and no →, ↔, ⊕.

use crate::formula::{Arena, Id, Op};

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// The negation normal form of `f`; `build` makes each node and may simplify it.
///
/// Two passes over the subformulas: downwards for the polarities in which each is needed, upwards to build. Linear,
/// without recursion.
pub fn nnf(arena: &mut Arena, f: Id, mut build: impl FnMut(&mut Arena, Op, &[Id]) -> Id) -> Id {
    let parts = arena.subformulas(f);
    let mut need = vec![0u8; f.0 as usize + 1];
    need[f.0 as usize] = POSITIVE;
    let flip = |n: u8| (n & POSITIVE) << 1 | (n & NEGATIVE) >> 1;
    for &g in parts.iter().rev() {
        let n = need[g.0 as usize];
        let kids = arena.operands(g);
        for (i, k) in kids.as_slice().iter().enumerate() {
            need[k.0 as usize] |= match arena.op(g) {
                Op::Not => flip(n),
                Op::Implies if i == 0 => flip(n),
                Op::Iff | Op::Xor => POSITIVE | NEGATIVE,
                _ => n,
            };
        }
    }
    // done[g] = (g, ¬g), where needed
    let mut done = vec![(Id::FALSE, Id::FALSE); f.0 as usize + 1];
    for &g in &parts {
        let n = need[g.0 as usize];
        let op = arena.op(g);
        let operands: Vec<(Id, Id)> =
            arena.operands(g).as_slice().iter().map(|k| done[k.0 as usize]).collect();
        let mut polarity = |negative: bool| -> Id {
            // The operand's value in the polarity that is asked for, or in the other.
            let same = |i: usize| if negative { operands[i].1 } else { operands[i].0 };
            let other = |i: usize| if negative { operands[i].0 } else { operands[i].1 };
            match op {
                Op::False | Op::True => {
                    if (op == Op::True) != negative {
                        Id::TRUE
                    } else {
                        Id::FALSE
                    }
                }
                Op::Ap if negative => arena.not(g),
                Op::Ap => g,
                Op::Not => other(0),
                Op::Implies => {
                    let join = if negative { Op::And } else { Op::Or };
                    build(arena, join, &[other(0), same(1)])
                }
                Op::Iff | Op::Xor => {
                    let equal = (op == Op::Iff) != negative;
                    let ((p, np), (q, nq)) = (operands[0], operands[1]);
                    let (l, r) = if equal { ((p, q), (np, nq)) } else { ((p, nq), (np, q)) };
                    let l = build(arena, Op::And, &[l.0, l.1]);
                    let r = build(arena, Op::And, &[r.0, r.1]);
                    build(arena, Op::Or, &[l, r])
                }
                _ => {
                    let op = if negative { dual(op) } else { op };
                    let kids: Vec<Id> = (0..operands.len()).map(same).collect();
                    build(arena, op, &kids)
                }
            }
        };
        let p = if n & POSITIVE != 0 { polarity(false) } else { Id::FALSE };
        let q = if n & NEGATIVE != 0 { polarity(true) } else { Id::FALSE };
        done[g.0 as usize] = (p, q);
    }
    done[f.0 as usize].0
}

/// The operator with ¬op(a, b) = dual(¬a, ¬b).
pub(crate) fn dual(op: Op) -> Op {
    use Op::*;
    match op {
        And => Or,
        Or => And,
        Finally => Globally,
        Globally => Finally,
        Until => Release,
        Release => Until,
        WeakUntil => StrongRelease,
        StrongRelease => WeakUntil,
        Yesterday => WeakYesterday,
        WeakYesterday => Yesterday,
        Once => Historically,
        Historically => Once,
        Since => Trigger,
        Trigger => Since,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse, print};

    #[test]
    fn negations_go_to_the_leaves() {
        let show = |s: &str| {
            let mut f = parse(s, Dialect::Auto).unwrap();
            let g = nnf(&mut f.arena, f.root, |m, op, kids| m.raw(op, kids));
            print(&f.arena, g, Dialect::Spot)
        };
        assert_eq!(show("!(a U (b -> X c))"), "!a R (b & X !c)");
        assert_eq!(show("!(a W b)"), "!a M !b");
        assert_eq!(show("!(a S !b)"), "!a T b");
        assert_eq!(show("a xor F b"), "(a & G !b) | (F b & !a)");
    }
}
