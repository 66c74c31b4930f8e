//! Rewriting by containment of languages: what no rule on the shape of a formula sees.
//!
//! With A ⊆ B for «every word of A is one of B», decided by the automata of A and of ¬B:
//!
//! | formula | if | becomes |
//! |---|---|---|
//! | a ∧ b | a ⊆ b | a |
//! | a ∧ b | a ⊆ ¬b | false |
//! | a ∨ b | a ⊆ b | b |
//! | a ∨ b | ¬a ⊆ b | true |
//! | a U b | a ⊆ b | b |
//! | a U b | ¬a ⊆ b | F b |
//! | a R b | b ⊆ a | b |
//! | a R b | b ⊆ ¬a | G b |
//! | a W b | a ⊆ b | b |
//! | a W b | ¬a ⊆ b | true |
//! | a M b | b ⊆ a | b |
//! | a M b | b ⊆ ¬a | false |
//!
//! The last of the rewriting stages, and a dear one: it is done on request, on small operands, with small automata,
//! and with a limited number of comparisons. Whatever is beyond that stays as it is.
//!
//! # References
//! The rules are those of the implication-based rewriting of Somenzi and Bloem (CAV 2000), with the implication
//! decided instead of guessed from the syntax; Tauriainen (2003) calls them language containment checks.

use super::{Budget, couvreur99};
use crate::Tgba;
use crate::product::disjoint;
use crate::reduce::trim;
use riata_ltl::simplify::{Rules, Simplifier};
use riata_ltl::{Arena, Id, Op, Props};
use std::collections::HashMap;

/// Operands with more subformulas than this are not examined.
const LARGEST: usize = 24;
/// Automata with more states than this are not compared.
const STATES: usize = 64;
/// How many pairs are compared for one formula.
const COMPARISONS: usize = 200;

/// `root` (in negation normal form, without past operators), rewritten from the leaves up.
pub(crate) fn rewrite(arena: &mut Arena, root: Id, rules: Rules, budget: &Budget) -> Id {
    let mut c = Containment { arena, rules, budget, automata: HashMap::new(), left: COMPARISONS };
    let mut new: HashMap<Id, Id> = HashMap::new();
    for f in c.arena.subformulas(root) {
        let kids: Vec<Id> = c.arena.operands(f).as_slice().iter().map(|k| new[k]).collect();
        let op = c.arena.op(f);
        let g = match op {
            Op::And | Op::Or => c.nary(op, kids),
            Op::Until | Op::Release | Op::WeakUntil | Op::StrongRelease => c.binary(op, kids[0], kids[1]),
            _ if kids.is_empty() => f,
            _ => c.arena.raw(op, &kids),
        };
        new.insert(f, g);
    }
    if new[&root] == root { root } else { Simplifier::new(rules).simplify(arena, new[&root]) }
}

struct Containment<'a> {
    arena: &'a mut Arena,
    rules: Rules,
    budget: &'a Budget,
    /// The automata so far; `None` if one is too large.
    automata: HashMap<Id, Option<Tgba>>,
    /// Comparisons left.
    left: usize,
}

impl Containment<'_> {
    fn negation(&mut self, f: Id) -> Id {
        let negated = self.arena.negate(f);
        Simplifier::new(self.rules).simplify(self.arena, negated)
    }

    fn build(&mut self, f: Id) {
        if !self.automata.contains_key(&f) {
            let budget = Budget { states: STATES, ..*self.budget };
            let small = self.arena.subformulas(f).len() <= LARGEST;
            let automaton =
                if small { couvreur99::translate(self.arena, f, false, &budget).ok() } else { None };
            self.automata.insert(f, automaton.map(|a| trim::trim(a, trim::Outside::None)));
        }
    }

    /// a ⊆ ¬b, as far as it is worth finding out.
    fn excludes(&mut self, a: Id, b: Id) -> bool {
        // Propositional operands were compared by the rules before.
        let both = self.arena.props(a).has(Props::BOOLEAN) && self.arena.props(b).has(Props::BOOLEAN);
        if both || self.left == 0 || !self.budget.in_time() {
            return false;
        }
        self.left -= 1;
        self.build(a);
        self.build(b);
        match (&self.automata[&a], &self.automata[&b]) {
            (Some(a), Some(b)) => disjoint(a, b),
            _ => false,
        }
    }

    /// a ⊆ b.
    fn implies(&mut self, a: Id, b: Id) -> bool {
        let not_b = self.negation(b);
        self.excludes(a, not_b)
    }

    /// ¬a ⊆ b.
    fn covers(&mut self, a: Id, b: Id) -> bool {
        let (not_a, not_b) = (self.negation(a), self.negation(b));
        self.excludes(not_a, not_b)
    }

    fn nary(&mut self, op: Op, kids: Vec<Id>) -> Id {
        let (neutral, absorbing) = if op == Op::And { (Id::TRUE, Id::FALSE) } else { (Id::FALSE, Id::TRUE) };
        let mut kept: Vec<Id> = Vec::with_capacity(kids.len());
        for k in kids {
            if k == absorbing {
                return absorbing;
            }
            if k == neutral || kept.contains(&k) {
                continue;
            }
            let mut redundant = false;
            let mut i = 0;
            while i < kept.len() && !redundant {
                let j = kept[i];
                let (weaker, stronger) = if op == Op::And { (k, j) } else { (j, k) };
                if op == Op::And && self.excludes(j, k) || op == Op::Or && self.covers(j, k) {
                    return absorbing;
                }
                // `stronger ⊆ weaker`: of a conjunction the stronger stays, of a disjunction the weaker.
                if self.implies(stronger, weaker) {
                    redundant = true;
                } else if self.implies(weaker, stronger) {
                    kept.remove(i);
                } else {
                    i += 1;
                }
            }
            if !redundant {
                kept.push(k);
            }
        }
        match kept.as_slice() {
            [] => neutral,
            [one] => *one,
            _ => self.arena.raw(op, &kept),
        }
    }

    fn binary(&mut self, op: Op, a: Id, b: Id) -> Id {
        let until = matches!(op, Op::Until | Op::WeakUntil);
        if if until { self.implies(a, b) } else { self.implies(b, a) } {
            return b;
        }
        if if until { self.covers(a, b) } else { self.excludes(b, a) } {
            return match op {
                Op::Until => self.arena.raw(Op::Finally, &[b]),
                Op::Release => self.arena.raw(Op::Globally, &[b]),
                Op::WeakUntil => Id::TRUE,
                _ => Id::FALSE,
            };
        }
        self.arena.raw(op, &[a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_ltl::{Dialect, parse, print};

    fn rewritten(text: &str) -> String {
        let mut f = parse(text, Dialect::Spot).expect("a formula");
        let root = Simplifier::new(Rules::ALL).simplify(&mut f.arena, f.root);
        let root = rewrite(&mut f.arena, root, Rules::ALL, &Budget::default());
        print(&f.arena, root, Dialect::Spot)
    }

    #[test]
    fn what_the_shape_does_not_show() {
        // Each of these is left alone by the rules on shapes.
        assert_eq!(rewritten("(a U b) & ((a & X a) W (b | X b))"), "a U b");
        assert_eq!(rewritten("G(a -> X !a) & F(a & X a)"), "0");
        assert_eq!(rewritten("F(a & X a) | G(a -> X !a) | c"), "1");
        // What is not contained stays.
        assert_eq!(rewritten("(a U b) & (c U d)"), "(a U b) & (c U d)");
    }
}
