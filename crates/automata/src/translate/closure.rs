//! The construction of the lecture: legal subsets of the closure.
//!
//! The formula is brought to ∧, ¬, X and U. Its closure is the set of its subformulas and their negations; a subset B
//! is legal when it is consistent with ∧ and ¬, maximal, and consistent with
//! a U b ⟺ b ∨ (a ∧ X(a U b)). The legal subsets are the states of a generalised automaton:
//!
//! ```text
//! initial     the subsets that contain the formula
//! reads       in B: exactly the propositions of B
//! B → B'      X a ∈ B iff a ∈ B';  a U b ∈ B and b ∉ B imply a U b ∈ B';  ¬(a U b) ∈ B and a ∈ B imply ¬(a U b) ∈ B'
//! accepting   for each a U b: the subsets with b or with ¬(a U b)
//! ```
//!
//! Exponential by nature: for teaching, and as an oracle for the other constructions.
//!
//! # References
//! C. Baier, J.-P. Katoen, *Principles of Model Checking*, 2008, section 5.2.

use super::{Budget, TranslateError};
use crate::{Edge, Label, Marks, Tgba};
use riata_ltl::{Arena, Id, Op};

/// The closure of a formula and its legal subsets.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The owner of the formulas below.
    pub arena: Arena,
    /// The formula in ∧, ¬, X and U.
    pub root: Id,
    /// The subformulas that are not negations; the closure is these and their negations.
    pub positive: Vec<Id>,
    /// The legal subsets: for each which formulas of `positive` it contains, the others being negated.
    pub legal: Vec<Vec<bool>>,
}

impl Closure {
    /// The closure of `f`.
    pub fn new(arena: &Arena, f: Id, budget: &Budget) -> Result<Closure, TranslateError> {
        Closure::watched(arena, f, budget, |_, _| {})
    }

    /// As [`Closure::new`], and tells `watch` after each formula of the closure how the subsets of these formulas are.
    pub fn watched(
        arena: &Arena,
        f: Id,
        budget: &Budget,
        mut watch: impl FnMut(&Closure, usize),
    ) -> Result<Closure, TranslateError> {
        let mut arena = arena.clone();
        let root = to_core(&mut arena, f)?;
        let positive: Vec<Id> =
            arena.subformulas(root).into_iter().filter(|&g| arena.op(g) != Op::Not).collect();
        let mut closure = Closure { arena, root, positive, legal: vec![Vec::new()] };
        // Subformula by subformula: its value follows from its operands', or both values are possible.
        for i in 0..closure.positive.len() {
            let mut next = Vec::with_capacity(closure.legal.len() * 2);
            for subset in &closure.legal {
                for value in closure.values(i, subset) {
                    let mut longer = subset.clone();
                    longer.push(value);
                    next.push(longer);
                }
            }
            budget.check(next.len(), 0)?;
            closure.legal = next;
            watch(&closure, i);
        }
        Ok(closure)
    }

    /// The values that formula number `i` can have beside those of `subset`, true first.
    fn values(&self, i: usize, subset: &[bool]) -> Vec<bool> {
        let g = self.positive[i];
        let value = |h: Id| self.holds(subset, h);
        match self.arena.op(g) {
            Op::True => vec![true],
            Op::False => vec![false],
            Op::And => vec![self.arena.operands(g).as_slice().iter().all(|&k| value(k))],
            Op::Until => {
                let (a, b) = (value(self.arena.left(g)), value(self.arena.right(g)));
                if b {
                    vec![true]
                } else if a {
                    vec![true, false]
                } else {
                    vec![false]
                }
            }
            _ => vec![true, false], // propositions and X
        }
    }

    /// Does a (legal, or so far built) subset contain `h`?
    pub fn holds(&self, subset: &[bool], h: Id) -> bool {
        if self.arena.op(h) == Op::Not {
            return !self.holds(subset, self.arena.left(h));
        }
        let at = self.positive.binary_search(&h).expect("a formula of the closure");
        subset[at]
    }

    /// May subset `to` follow subset `from`?
    pub fn follows(&self, from: &[bool], to: &[bool]) -> bool {
        self.positive.iter().enumerate().all(|(i, &g)| match self.arena.op(g) {
            Op::Next => from[i] == self.holds(to, self.arena.left(g)),
            Op::Until if from[i] => self.holds(from, self.arena.right(g)) || to[i],
            Op::Until => !self.holds(from, self.arena.left(g)) || !to[i],
            _ => true,
        })
    }

    /// The until formulas, one acceptance set each.
    pub fn untils(&self) -> Vec<Id> {
        self.positive.iter().copied().filter(|&g| self.arena.op(g) == Op::Until).collect()
    }

    /// The acceptance sets that a subset belongs to.
    pub fn marks(&self, subset: &[bool]) -> Marks {
        let mut marks = Marks::NONE;
        for (i, u) in self.untils().into_iter().enumerate() {
            if self.holds(subset, self.arena.right(u)) || !self.holds(subset, u) {
                marks |= Marks::one(i as u32);
            }
        }
        marks
    }
}

/// `f` with ∧, ¬, X and U only.
fn to_core(m: &mut Arena, f: Id) -> Result<Id, TranslateError> {
    let mut core = vec![Id::FALSE; f.0 as usize + 1];
    for g in m.subformulas(f) {
        let op = m.op(g);
        let kids: Vec<Id> = m.operands(g).as_slice().iter().map(|k| core[k.0 as usize]).collect();
        core[g.0 as usize] = match op {
            Op::True | Op::False | Op::Ap => g,
            Op::Not => m.negate(kids[0]),
            Op::And | Op::Next | Op::Until => m.raw(op, &kids),
            Op::Or => {
                let negated: Vec<Id> = kids.iter().map(|&k| m.negate(k)).collect();
                let all = m.raw(Op::And, &negated);
                m.negate(all)
            }
            Op::Implies => {
                let right = m.negate(kids[1]);
                let both = m.raw(Op::And, &[kids[0], right]);
                m.negate(both)
            }
            Op::Iff | Op::Xor => {
                let (na, nb) = (m.negate(kids[0]), m.negate(kids[1]));
                let (x, y) = if op == Op::Iff {
                    ((kids[0], nb), (na, kids[1]))
                } else {
                    ((kids[0], kids[1]), (na, nb))
                };
                // a ↔ b is ¬(a ∧ ¬b) ∧ ¬(¬a ∧ b)
                let (x, y) = (m.raw(Op::And, &[x.0, x.1]), m.raw(Op::And, &[y.0, y.1]));
                let (x, y) = (m.negate(x), m.negate(y));
                m.raw(Op::And, &[x, y])
            }
            Op::Finally => m.raw(Op::Until, &[Id::TRUE, kids[0]]),
            Op::Globally => {
                let n = m.negate(kids[0]);
                let u = m.raw(Op::Until, &[Id::TRUE, n]);
                m.negate(u)
            }
            Op::Release => {
                let (na, nb) = (m.negate(kids[0]), m.negate(kids[1]));
                let u = m.raw(Op::Until, &[na, nb]);
                m.negate(u)
            }
            Op::WeakUntil => {
                // a W b = ¬(¬b U (¬a ∧ ¬b))
                let (na, nb) = (m.negate(kids[0]), m.negate(kids[1]));
                let both = m.raw(Op::And, &[na, nb]);
                let u = m.raw(Op::Until, &[nb, both]);
                m.negate(u)
            }
            Op::StrongRelease => {
                let both = m.raw(Op::And, &[kids[0], kids[1]]);
                m.raw(Op::Until, &[kids[1], both])
            }
            _ => return Err(TranslateError::Unsupported(op)),
        };
    }
    Ok(core[f.0 as usize])
}

/// The generalised automaton of `f`, with its acceptance on states.
pub fn translate(arena: &Arena, f: Id, budget: &Budget) -> Result<Tgba, TranslateError> {
    let aps = arena.ap_numbers(f);
    let closure = Closure::new(arena, f, budget)?;
    let mut a = Tgba::default();
    a.aps = aps.iter().map(|&p| arena.aps()[p as usize].clone()).collect();
    a.sets = u32::try_from(closure.untils().len()).unwrap_or(u32::MAX);
    if a.sets > Marks::MAX {
        return Err(TranslateError::TooManySets);
    }
    let mut edges = Vec::new();
    let mut state_marks = Vec::with_capacity(closure.legal.len());
    for (s, from) in closure.legal.iter().enumerate() {
        budget.check(s, edges.len())?;
        if closure.holds(from, closure.root) {
            a.initial.push(s as u32);
        }
        let marks = closure.marks(from);
        state_marks.push(marks);
        let mut label = Label::TRUE;
        for (i, &g) in closure.positive.iter().enumerate() {
            if closure.arena.op(g) == Op::Ap {
                let number = closure.arena.ap_number(g);
                let at = aps.binary_search(&number).expect("a proposition of the formula");
                let var = a.labels.var(at as u32);
                let literal = if from[i] { var } else { a.labels.not(var) };
                label = a.labels.and(label, literal);
            }
        }
        for (t, to) in closure.legal.iter().enumerate() {
            if closure.follows(from, to) {
                edges.push((s as u32, Edge { to: t as u32, label, marks }));
            }
        }
    }
    let mut states = closure.legal.len();
    if a.initial.is_empty() {
        a.initial.push(states as u32); // the formula is in no legal subset: a state from which nothing leads
        state_marks.push(Marks::NONE);
        states += 1;
    }
    a.state_marks = Some(state_marks);
    a.set_edges(states, &edges);
    Ok(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_ltl::{Dialect, parse, print};

    fn closure(text: &str) -> Closure {
        let f = parse(text, Dialect::Spot).unwrap();
        Closure::new(&f.arena, f.root, &Budget::default()).unwrap()
    }

    fn sets(c: &Closure) -> Vec<String> {
        let mut all: Vec<String> = c
            .legal
            .iter()
            .map(|set| {
                let mut names: Vec<String> = c
                    .positive
                    .iter()
                    .zip(set)
                    .map(|(&g, &b)| {
                        let mut m = c.arena.clone();
                        let h = if b { g } else { m.negate(g) };
                        print(&m, h, Dialect::Spot)
                    })
                    .collect();
                names.sort();
                names.join(", ")
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn the_legal_sets_of_the_slides() {
        // B7 to B12 of p U (¬p ∧ q)
        let c = closure("p U (!p & q)");
        let conjunction = print(&c.arena, c.arena.right(c.root), Dialect::Spot);
        let u = print(&c.arena, c.root, Dialect::Spot);
        let mut expected: Vec<String> = [
            ["p", "q", "-", "+"],
            ["p", "q", "-", "-"],
            ["p", "!q", "-", "+"],
            ["p", "!q", "-", "-"],
            ["!p", "!q", "-", "-"],
            ["!p", "q", "+", "+"],
        ]
        .iter()
        .map(|[p, q, c, f]| {
            let c = if *c == "+" { conjunction.clone() } else { format!("!({conjunction})") };
            let f = if *f == "+" { u.clone() } else { format!("!({u})") };
            let mut names = [(*p).to_owned(), (*q).to_owned(), c, f];
            names.sort();
            names.join(", ")
        })
        .collect();
        expected.sort();
        assert_eq!(sets(&c), expected);
    }

    #[test]
    fn the_automata_of_the_slides() {
        let f = parse("X a", Dialect::Spot).unwrap();
        let a = translate(&f.arena, f.root, &Budget::default()).unwrap();
        // Four subsets, two initial, no acceptance set; each has two successors.
        assert_eq!((a.states(), a.initial.len(), a.sets, a.edge_count()), (4, 2, 0, 8));
        let f = parse("a U b", Dialect::Spot).unwrap();
        let a = translate(&f.arena, f.root, &Budget::default()).unwrap();
        // {a, b, φ}, {¬a, b, φ}, {a, ¬b, φ}, {a, ¬b, ¬φ}, {¬a, ¬b, ¬φ}; the set misses {a, ¬b, φ} only.
        assert_eq!((a.states(), a.initial.len(), a.sets), (5, 3, 1));
        let marks = a.state_marks.as_ref().unwrap();
        assert_eq!(marks.iter().filter(|m| m.is_empty()).count(), 1);
    }
}
