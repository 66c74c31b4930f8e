//! LTL2BA: through very weak alternating automata.
//!
//! The states of the alternating automaton are the temporal subformulas; δ gives for each a set of (letters, set of
//! states that must all accept next):
//!
//! ```text
//! δ(X a)   = {(Σ, e) | e ∈ ā}                       Δ(a ∨ b) = Δ(a) ∪ Δ(b)
//! δ(a U b) = Δ(b) ∪ (Δ(a) ⊗ {(Σ, {a U b})})         Δ(a ∧ b) = Δ(a) ⊗ Δ(b)
//! δ(a R b) = Δ(b) ⊗ (Δ(a) ∪ {(Σ, {a R b})})         Δ(temporal) = δ
//! ```
//!
//! The generalised automaton has sets of such states: from e all products of transitions of its members, of which
//! only the minimal ones are kept. The acceptance set of an until f: the transitions e → e' by letters α with f ∉ e',
//! or where f could have been left: some (β, e'') ∈ δ(f) with α ⊆ β and f ∉ e'' ⊆ e'.
//!
//! # References
//! P. Gastin, D. Oddoux, *Fast LTL to Büchi automata translation*, CAV 2001.

use super::{Budget, TranslateError};
use crate::{Edge, Label, Labels, Marks, Tgba};
use riata_ltl::{Arena, Id, Op};
use std::collections::HashMap;

/// A conjunction of states: sorted.
type Set = Vec<Id>;
/// Transitions of the alternating automaton.
type Moves = Vec<(Label, Set)>;

fn union(a: &Set, b: &Set) -> Set {
    let mut all: Set = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn subset(a: &Set, b: &Set) -> bool {
    a.iter().all(|x| b.binary_search(x).is_ok())
}

struct Alternating<'a> {
    arena: &'a Arena,
    labels: Labels,
    aps: Vec<u32>,
    /// Δ of every subformula.
    moves: HashMap<Id, Moves>,
    /// ā of every subformula: its disjunctive normal form over temporal formulas and literals.
    forms: HashMap<Id, Vec<Set>>,
    untils: Vec<Id>,
}

/// The generalised automaton of `f`, which is in negation normal form.
pub fn translate(arena: &Arena, f: Id, budget: &Budget) -> Result<Tgba, TranslateError> {
    let mut a = Alternating {
        arena,
        labels: Labels::new(),
        aps: arena.ap_numbers(f),
        moves: HashMap::new(),
        forms: HashMap::new(),
        untils: Vec::new(),
    };
    for g in arena.subformulas(f) {
        let form = a.form(g, budget)?;
        a.forms.insert(g, form);
        let moves = a.delta(g, budget)?;
        a.moves.insert(g, moves);
        if matches!(arena.op(g), Op::Until | Op::Finally | Op::StrongRelease) {
            a.untils.push(g);
        }
    }
    if a.untils.len() > Marks::MAX as usize {
        return Err(TranslateError::TooManySets);
    }
    a.generalised(f, budget)
}

impl Alternating<'_> {
    /// Conjunction of transitions: letters intersected, states joined.
    fn times(&mut self, a: &Moves, b: &Moves, budget: &Budget) -> Result<Moves, TranslateError> {
        let mut all = Moves::new();
        for (l, e) in a {
            for (k, g) in b {
                let label = self.labels.and(*l, *k);
                if label != Label::FALSE {
                    all.push((label, union(e, g)));
                }
            }
            // What is compared pairwise below must be few.
            budget.check(all.len(), self.labels.nodes())?;
        }
        Ok(self.joined(all))
    }

    /// Transitions to the same states made one.
    fn joined(&mut self, mut moves: Moves) -> Moves {
        moves.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)));
        let labels = &mut self.labels;
        moves.dedup_by(|a, b| {
            let same = a.1 == b.1;
            if same {
                b.0 = labels.or(a.0, b.0);
            }
            same
        });
        moves
    }

    /// Without transitions that another outdoes: at least its letters, at most its states.
    fn minimal(&mut self, moves: Moves) -> Moves {
        let moves = self.joined(moves);
        let mut kept = Moves::new();
        for (i, (l, e)) in moves.iter().enumerate() {
            let outdone = moves
                .iter()
                .enumerate()
                .any(|(j, (k, g))| i != j && subset(g, e) && self.labels.implies(*l, *k) && g != e);
            if !outdone {
                kept.push((*l, e.clone()));
            }
        }
        kept
    }

    fn form(&mut self, g: Id, budget: &Budget) -> Result<Vec<Set>, TranslateError> {
        let m = self.arena;
        Ok(match m.op(g) {
            Op::True => vec![vec![]],
            Op::False => vec![],
            Op::Or => {
                let mut all: Vec<Set> =
                    m.operands(g).as_slice().iter().flat_map(|k| self.forms[k].clone()).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            Op::And => {
                let mut all: Vec<Set> = vec![vec![]];
                for k in m.operands(g).as_slice() {
                    let form = &self.forms[k];
                    all = all.iter().flat_map(|e| form.iter().map(move |f| union(e, f))).collect();
                    all.sort_unstable();
                    all.dedup();
                    budget.check(all.len(), 0)?;
                }
                all
            }
            _ => vec![vec![g]],
        })
    }

    fn delta(&mut self, g: Id, budget: &Budget) -> Result<Moves, TranslateError> {
        let m = self.arena;
        let op = m.op(g);
        let stay: Moves = vec![(Label::TRUE, vec![g])];
        Ok(match op {
            Op::True => vec![(Label::TRUE, vec![])],
            Op::False => vec![],
            Op::Ap | Op::Not => {
                let ap = if op == Op::Not { m.left(g) } else { g };
                let at = self.aps.binary_search(&m.ap_number(ap)).expect("a proposition of the formula");
                let var = self.labels.var(at as u32);
                vec![(if op == Op::Not { self.labels.not(var) } else { var }, vec![])]
            }
            Op::And => {
                let mut all: Moves = vec![(Label::TRUE, vec![])];
                for k in m.operands(g).as_slice() {
                    let moves = self.moves[k].clone();
                    all = self.times(&all, &moves, budget)?;
                }
                self.minimal(all)
            }
            Op::Or => {
                let all = m.operands(g).as_slice().iter().flat_map(|k| self.moves[k].clone()).collect();
                self.minimal(all)
            }
            Op::Next => self.forms[&m.left(g)].iter().map(|e| (Label::TRUE, e.clone())).collect(),
            Op::Globally => {
                let a = self.moves[&m.left(g)].clone();
                let all = self.times(&a, &stay, budget)?;
                self.minimal(all)
            }
            Op::Finally => {
                let mut all = self.moves[&m.left(g)].clone();
                all.extend(stay);
                self.minimal(all)
            }
            Op::Until | Op::WeakUntil => {
                let a = self.moves[&m.left(g)].clone();
                let mut all = self.times(&a, &stay, budget)?;
                all.extend(self.moves[&m.right(g)].clone());
                self.minimal(all)
            }
            Op::Release | Op::StrongRelease => {
                let mut a = self.moves[&m.left(g)].clone();
                a.extend(stay);
                let b = self.moves[&m.right(g)].clone();
                let all = self.times(&a, &b, budget)?;
                self.minimal(all)
            }
            _ => return Err(TranslateError::Unsupported(op)),
        })
    }

    /// The transitions to `target` by `letters`, split by their acceptance sets, which depend on the letter.
    fn split(
        &mut self,
        letters: Label,
        target: &Set,
        budget: &Budget,
    ) -> Result<Vec<(Label, Marks)>, TranslateError> {
        let mut parts = vec![(letters, Marks::NONE)];
        for i in 0..self.untils.len() {
            let f = self.untils[i];
            let mut left = Label::FALSE; // the letters by which f could have been left
            if target.binary_search(&f).is_err() {
                left = Label::TRUE;
            } else {
                for (l, e) in &self.moves[&f] {
                    if e.binary_search(&f).is_err() && subset(e, target) {
                        left = self.labels.or(left, *l);
                    }
                }
            }
            let mut split = Vec::with_capacity(parts.len());
            for (label, marks) in parts {
                let inside = self.labels.and(label, left);
                let outside = self.labels.minus(label, left);
                split.extend((inside != Label::FALSE).then_some((inside, marks | Marks::one(i as u32))));
                split.extend((outside != Label::FALSE).then_some((outside, marks)));
            }
            parts = split;
            budget.check(parts.len(), self.labels.nodes())?;
        }
        Ok(parts)
    }

    fn generalised(mut self, f: Id, budget: &Budget) -> Result<Tgba, TranslateError> {
        let mut number: HashMap<Set, u32> = HashMap::new();
        let mut states: Vec<Set> = Vec::new();
        let mut initial = Vec::new();
        for e in self.forms[&f].clone() {
            number.insert(e.clone(), states.len() as u32);
            initial.push(states.len() as u32);
            states.push(e);
        }
        let mut edges: Vec<(u32, Edge)> = Vec::new();
        let mut at = 0;
        while at < states.len() {
            budget.check(states.len(), self.labels.nodes())?;
            let mut moves: Moves = vec![(Label::TRUE, vec![])];
            for g in states[at].clone() {
                let more = self.moves[&g].clone();
                moves = self.times(&moves, &more, budget)?;
            }
            let mut out: Vec<(Label, Marks, Set)> = Vec::new();
            for (letters, target) in moves {
                let parts = self.split(letters, &target, budget)?;
                out.extend(parts.into_iter().map(|(label, marks)| (label, marks, target.clone())));
                budget.check(out.len(), self.labels.nodes())?;
            }
            // t' ≼ t: at least the letters, at most the states, at least the acceptance sets
            let outdone = |labels: &mut Labels, (l, m, e): &(Label, Marks, Set)| {
                out.iter().any(|(k, n, g)| g != e && subset(g, e) && n.contains(*m) && labels.implies(*l, *k))
            };
            let kept: Vec<bool> = out.iter().map(|t| !outdone(&mut self.labels, t)).collect();
            for ((label, marks, target), _) in out.into_iter().zip(kept).filter(|(_, kept)| *kept) {
                let to = *number.entry(target.clone()).or_insert_with(|| {
                    states.push(target);
                    states.len() as u32 - 1
                });
                edges.push((at as u32, Edge { to, label, marks }));
            }
            at += 1;
        }
        if states.is_empty() {
            initial.push(0);
            states.push(vec![]);
        }
        let mut a = Tgba::default();
        a.aps = self.aps.iter().map(|&p| self.arena.aps()[p as usize].clone()).collect();
        a.labels = self.labels;
        a.sets = self.untils.len() as u32;
        a.initial = initial;
        a.set_edges(states.len(), &edges);
        Ok(a)
    }
}
