//! Why a lasso word does not satisfy a formula: which parts are owed and never fulfilled, which ones fail where.
//!
//! The value of every part at every position is known (see [`crate::lasso`]), so the reasons are found by walking from
//! the formula to its parts: a conjunction fails through one operand, a disjunction through all of them, `G` at the
//! first position where its operand fails, and so on, until something is reached that speaks for itself. A negation
//! turns the demand round, so a demand is a formula and the truth that is wanted of it.

use crate::formula::{Arena, Id, Op};
use crate::lasso::{Values, Word};
use crate::properties::Props;
use std::collections::HashSet;

/// One reason why a word does not satisfy a formula. Positions are those of the stem and the first round of the
/// cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The part of the formula, or its negation.
    pub formula: Id,
    /// The position from which it is demanded.
    pub at: usize,
    /// What is wrong with it there.
    pub kind: Kind,
}

/// What is wrong with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is owed, and what would fulfil it never comes.
    NeverFulfilled,
    /// It is owed, but what must hold until it is fulfilled ends at this position.
    Broken(usize),
    /// It does not hold.
    Fails,
}

/// More reasons than this help nobody.
const MOST: usize = 8;

/// Why `word` does not satisfy `f`; nothing if it does.
///
/// # Panics
/// If the cycle of `word` is empty.
pub fn reasons(arena: &mut Arena, f: Id, word: &Word) -> Vec<Reason> {
    let values = Values::new(arena, f, word);
    if values.at(f, 0) {
        return Vec::new();
    }
    let mut walk = Walk { values, todo: vec![(f, true, 0)], found: Vec::new() };
    let mut seen = HashSet::new();
    while let Some(demand) = walk.todo.pop() {
        if seen.insert(demand) && walk.found.len() < MOST {
            walk.explain(arena, demand);
        }
    }
    let step = |i: usize| {
        let first = word.stem.len();
        if i < first { i } else { first + (i - first) % word.cycle.len() }
    };
    let mut reasons = Vec::new();
    for (demand, kind) in walk.found {
        let formula = if demand.1 { demand.0 } else { arena.negate(demand.0) };
        let kind = if let Kind::Broken(i) = kind { Kind::Broken(step(i)) } else { kind };
        let reason = Reason { formula, at: step(demand.2), kind };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

/// That a formula has this truth at this position, which it does not.
type Demand = (Id, bool, usize);

struct Walk {
    values: Values,
    todo: Vec<Demand>,
    found: Vec<(Demand, Kind)>,
}

impl Walk {
    /// Does the demand fail?
    fn fails(&self, (f, want, i): Demand) -> bool {
        self.values.at(f, i) != want
    }

    /// The first position from `i` on where `f` has this truth.
    fn first(&self, f: Id, truth: bool, i: usize) -> Option<usize> {
        self.values.from(i).find(|&j| self.values.at(f, j) == truth)
    }

    fn explain(&mut self, arena: &Arena, demand: Demand) {
        let (f, want, i) = demand;
        debug_assert!(self.fails(demand), "only what fails is explained");
        let op = arena.op(f);
        // What is about the present and the past speaks for itself.
        if arena.props(f).has(Props::PAST) && op != Op::Not {
            return self.found.push((demand, Kind::Fails));
        }
        let kids = arena.operands(f).as_slice().to_vec();
        let temporal = |k: &Id| !arena.props(*k).has(Props::PAST);
        match op {
            Op::Not => self.todo.push((kids[0], !want, i)),
            Op::And | Op::Or if want == (op == Op::And) => {
                let failing = kids.iter().find(|&&k| self.fails((k, want, i)));
                self.todo.extend(failing.map(|&k| (k, want, i)));
            }
            // All operands fail; those that are about the present state are the occasion, not the reason.
            Op::And | Op::Or => {
                let reasons = kids.iter().rev().filter(|k| temporal(k));
                self.todo.extend(reasons.map(|&k| (k, want, i)));
            }
            // The left side is the occasion again, unless there is nothing on the right.
            Op::Implies if want && kids[1] == Id::FALSE => self.todo.push((kids[0], false, i)),
            Op::Implies if want => self.todo.push((kids[1], true, i)),
            Op::Implies => {
                let unmet = [(kids[0], true, i), (kids[1], false, i)].into_iter().find(|&d| self.fails(d));
                self.todo.extend(unmet);
            }
            Op::Next => self.todo.push((kids[0], want, self.values.next(i))),
            Op::Globally if want => self.first_failure(kids[0], want, i),
            Op::Finally if !want => self.first_failure(kids[0], want, i),
            Op::Globally | Op::Finally => {
                self.found.push((demand, Kind::NeverFulfilled));
                if temporal(&kids[0]) {
                    self.todo.push((kids[0], want, i.max(self.values.back())));
                }
            }
            Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease => {
                self.binary(demand, op, kids[0], kids[1]);
            }
            _ => self.found.push((demand, Kind::Fails)),
        }
    }

    fn first_failure(&mut self, f: Id, want: bool, i: usize) {
        let failing = self.first(f, !want, i);
        self.todo.extend(failing.map(|j| (f, want, j)));
    }

    /// An operator of the family of until, with operands `a` and `b`.
    fn binary(&mut self, demand: Demand, op: Op, a: Id, b: Id) {
        let (_, want, i) = demand;
        let never = (demand, Kind::NeverFulfilled);
        match op {
            // a must go on until b comes.
            Op::Until | Op::WeakUntil if want => {
                let end = self.first(a, false, i);
                self.found.push(end.map_or(never, |j| (demand, Kind::Broken(j))));
            }
            // b must go on until a comes, too.
            Op::Release | Op::StrongRelease if want => match self.first(b, false, i) {
                Some(j) => self.todo.push((b, true, j)),
                None => self.found.push(never),
            },
            // It holds and must not: because what fulfils it came, or (the weak ones) because nothing ended it.
            Op::Until | Op::WeakUntil => match self.first(b, true, i) {
                Some(j) => self.todo.push((b, false, j)),
                None => self.found.push(never),
            },
            _ => match self.first(a, true, i) {
                Some(j) => self.todo.push((a, false, j)),
                None => self.found.push(never),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::Letter;
    use crate::{Dialect, parse, print};

    /// Letters are strings of the propositions that hold.
    fn why(formula: &str, stem: &[&str], cycle: &[&str]) -> Vec<String> {
        let mut f = parse(formula, Dialect::Auto).unwrap();
        let letter = |s: &&str| f.arena.aps().iter().map(|p| s.contains(p.as_str())).collect::<Letter>();
        let word =
            Word { stem: stem.iter().map(letter).collect(), cycle: cycle.iter().map(letter).collect() };
        let found = reasons(&mut f.arena, f.root, &word);
        let text = |r: Reason| {
            let f = print(&f.arena, r.formula, Dialect::Spot);
            match r.kind {
                Kind::NeverFulfilled => format!("{f} from {}", r.at),
                Kind::Broken(j) => format!("{f} from {} until {j}", r.at),
                Kind::Fails => format!("{f} fails at {}", r.at),
            }
        };
        found.into_iter().map(text).collect()
    }

    #[test]
    fn what_is_owed() {
        assert_eq!(why("G(a -> F b)", &["a", "b", "", "a"], &["", "a"]), ["F b from 3"]);
        assert_eq!(why("G F a", &["a"], &["", "b"]), ["F a from 1"]);
        assert_eq!(why("F G a", &["a"], &["a", ""]), ["F G a from 0", "a fails at 2"]);
        assert_eq!(why("a U b", &["a"], &["a"]), ["a U b from 0"]);
        assert_eq!(why("a U b", &["a", ""], &["b"]), ["a U b from 0 until 1"]);
        assert_eq!(why("a M b", &[], &["b"]), ["a M b from 0"]);
        assert_eq!(why("G(a | b)", &["a"], &["b", ""]), ["a | b fails at 2"]);
        assert_eq!(why("G a | F b", &["a"], &["", "a"]), ["a fails at 1", "F b from 0"]);
        assert_eq!(why("G a", &["a"], &["a"]), Vec::<String>::new());
    }

    #[test]
    fn negations() {
        assert_eq!(why("!G a", &[], &["a"]), ["!G a from 0"]);
        assert_eq!(why("!F a", &[""], &["a", ""]), ["!a fails at 1"]);
        assert_eq!(why("G F a -> G F b", &[], &["a"]), ["F b from 0"]);
        assert_eq!(why("G a -> 0", &[], &["a"]), ["!G a from 0"]);
        assert_eq!(why("!(a W b)", &[], &["a"]), ["!(a W b) from 0"]);
        assert_eq!(why("X X !a", &[], &["", "", "a"]), ["!a fails at 2"]);
    }

    #[test]
    fn the_past_speaks_for_itself() {
        assert_eq!(why("G(a -> O b)", &["", "a"], &["b"]), ["a -> O b fails at 1"]);
    }
}
