//! Branching formulas read along one run.
//!
//! A run that refutes `AG (p -> AF q)` violates `G (p -> F q)`, so the reasons of LTL explain it. That is so for
//! formulas in which every path quantifier is universal and none is under a negation; others have no such reading. Even
//! so a run need not violate what is read (`AF AG p`), and then there is nothing to say.

use riata_ltl::{Arena, Id, Ltl, Op as L};
use riata_smv::Types;
use riata_smv::ast::{Binary, Kind, Modal, Modal2, Unary};
use riata_smv::formula::Linear;
use riata_smv::model::{E, Model, Op};
use std::collections::HashMap;

/// A formula of LTL, and the conditions that its propositions stand for, in the order of their numbers.
pub struct Reading {
    /// The formula.
    pub ltl: Ltl,
    /// The conditions.
    pub atoms: Vec<E>,
}

/// A formula of CTL with its path quantifiers left out, if it has such a reading.
pub fn linear(model: &Model, types: &Types, root: E) -> Option<Reading> {
    let (mut arena, mut atoms) = (Arena::new(), Vec::new());
    let mut done: HashMap<E, Id> = HashMap::new();
    let mut stack = vec![root];
    while let Some(&e) = stack.last() {
        if done.contains_key(&e) {
            stack.pop();
            continue;
        }
        if !types.of(e).ctl {
            atoms.push(e);
            done.insert(e, arena.ap(&format!("p{}", atoms.len() - 1)));
            continue;
        }
        let node = model.node(e);
        let open: Vec<E> = node.kids.iter().copied().filter(|k| !done.contains_key(k)).collect();
        if !open.is_empty() {
            stack.extend(open.into_iter().rev());
            continue;
        }
        let plain = |k: usize| !types.of(node.kids[k]).ctl;
        let Op::Apply(kind) = &node.op else { return None };
        let op = match kind {
            Kind::Unary(Unary::Not) if plain(0) => L::Not,
            Kind::Binary(Binary::And) => L::And,
            Kind::Binary(Binary::Or) => L::Or,
            Kind::Binary(Binary::Implies) if plain(0) => L::Implies,
            Kind::Modal(Modal::Ax) => L::Next,
            Kind::Modal(Modal::Af) => L::Finally,
            Kind::Modal(Modal::Ag) => L::Globally,
            Kind::Modal2(Modal2::Au) => L::Until,
            _ => return None,
        };
        let kids: Vec<Id> = node.kids.iter().map(|k| done[k]).collect();
        let id = if op == L::Not { arena.not(kids[0]) } else { arena.raw(op, &kids) };
        done.insert(e, id);
    }
    Some(Reading { ltl: Ltl { root: done[&root], arena }, atoms })
}

/// Is it a hidden variable, which remembers what held of the step before the state?
pub fn is_memory(model: &Model, e: E) -> bool {
    matches!(model.node(e).op, Op::Var(v) if model.vars[v as usize].hidden)
}

/// A formula of LTL in which `X m`, with a hidden variable m, is the condition on the step that m remembers: its truth is
/// that of m in the state after.
pub fn of_steps(model: &Model, formula: &Linear) -> Reading {
    let (old, atoms) = (&formula.ltl.arena, formula.atoms.clone());
    let mut arena = Arena::new();
    // Propositions keep their numbers.
    let propositions: Vec<Id> = (0..atoms.len()).map(|i| arena.ap(&format!("p{i}"))).collect();
    let mut done: HashMap<Id, Id> = HashMap::new();
    for f in old.subformulas(formula.ltl.root) {
        let kids: Vec<Id> = match old.op(f).arity() {
            0 => Vec::new(),
            _ => old.operands(f).as_slice().iter().map(|k| done[k]).collect(),
        };
        let memory = |f: Id| old.op(f) == L::Ap && is_memory(model, atoms[old.ap_number(f) as usize]);
        let id = match old.op(f) {
            L::Ap => propositions[old.ap_number(f) as usize],
            L::True => Id::TRUE,
            L::False => Id::FALSE,
            L::Next if memory(old.left(f)) => kids[0],
            L::Not => arena.not(kids[0]),
            op => arena.raw(op, &kids),
        };
        done.insert(f, id);
    }
    Reading { ltl: Ltl { root: done[&formula.ltl.root], arena }, atoms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_ltl::{Dialect, print};

    fn read(formula: &str) -> Option<String> {
        let text = format!("MODULE main VAR p : boolean; q : boolean; SPEC {formula}");
        let (model, types) = riata_smv::parse(&text).expect("a model");
        let reading = linear(&model, &types, model.specs[0].formula)?;
        Some(print(&reading.ltl.arena, reading.ltl.root, Dialect::Smv))
    }

    #[test]
    fn what_is_remembered_of_a_step_is_said_of_the_step() {
        let text = "MODULE main VAR x : 0..3; b : boolean; LTLSPEC G (b -> F (next(x) = x | b)) & X b";
        let (model, types) = riata_smv::parse(text).expect("a model");
        let linear = riata_smv::formula::linear(&model, &types, model.specs[0].formula).expect("a formula");
        let reading = of_steps(&model, &linear);
        let memories = reading.atoms.iter().filter(|a| is_memory(&model, **a)).count();
        assert_eq!(memories, 1);
        let text = print(&reading.ltl.arena, reading.ltl.root, Dialect::Smv);
        // Only the X of the formula itself is left.
        assert_eq!(text.matches('X').count(), 1, "{text}");
    }

    #[test]
    fn universal_formulas_have_a_reading() {
        assert_eq!(read("AG (p -> AF q)").as_deref(), Some("G(p0 -> F p1)"));
        assert_eq!(read("A [p U AX (p & q)]").as_deref(), Some("p0 U X p1"));
        for other in ["EF p", "AG EF p", "!AF p", "AF p -> AF q", "AG p <-> AF q", "!EF p"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
