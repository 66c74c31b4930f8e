//! Past operators removed: each becomes a fresh proposition that the formula itself defines.
//!
//! With y standing for Y(a S b), a S b is b ∨ (a ∧ y), and ¬y ∧ G(X y ↔ b ∨ (a ∧ y)) leaves exactly one way to choose
//! y at every position. So the words of the original formula are those of the new one with the fresh propositions
//! forgotten; a translation projects them out of its labels. Operands may look at the future again.
//!
//! # References
//! Y. Kesten, A. Pnueli, L. Raviv, *Algorithmic verification of linear temporal logic specifications*, ICALP 1998
//! (testers).

use crate::formula::{Arena, Id, Op};
use crate::properties::Props;

/// A formula without past operators, and the numbers of its fresh propositions.
#[derive(Clone, Debug)]
pub struct WithoutPast {
    /// The formula.
    pub root: Id,
    /// What to project out.
    pub fresh: Vec<u32>,
}

/// Removes the past operators of `f`.
pub fn remove_past(arena: &mut Arena, f: Id) -> WithoutPast {
    if arena.props(f).has(Props::FUTURE) {
        return WithoutPast { root: f, fresh: Vec::new() };
    }
    let mut fresh = Vec::new();
    let mut constraints = Vec::new();
    let mut new = vec![Id::FALSE; f.0 as usize + 1];
    for g in arena.subformulas(f) {
        let op = arena.op(g);
        let kids: Vec<Id> = arena.operands(g).as_slice().iter().map(|k| new[k.0 as usize]).collect();
        new[g.0 as usize] = match op {
            Op::Ap | Op::True | Op::False => g,
            _ if !op.is_past() => arena.raw(op, &kids),
            _ => {
                let memory = arena.fresh("past#");
                fresh.push(arena.ap_number(memory));
                let value = match op {
                    Op::Once => arena.raw(Op::Or, &[kids[0], memory]),
                    Op::Historically => arena.raw(Op::And, &[kids[0], memory]),
                    Op::Since => {
                        let on = arena.raw(Op::And, &[kids[0], memory]);
                        arena.raw(Op::Or, &[kids[1], on])
                    }
                    Op::Trigger => {
                        let on = arena.raw(Op::Or, &[kids[0], memory]);
                        arena.raw(Op::And, &[kids[1], on])
                    }
                    _ => memory,
                };
                // What the memory holds at the next position.
                let kept = if matches!(op, Op::Yesterday | Op::WeakYesterday) { kids[0] } else { value };
                let first = matches!(op, Op::WeakYesterday | Op::Historically | Op::Trigger);
                let start = if first { memory } else { arena.not(memory) };
                let next = arena.raw(Op::Next, &[memory]);
                let same = arena.raw(Op::Iff, &[next, kept]);
                let ever = arena.raw(Op::Globally, &[same]);
                constraints.extend([start, ever]);
                value
            }
        };
    }
    constraints.push(new[f.0 as usize]);
    WithoutPast { root: arena.raw(Op::And, &constraints), fresh }
}
