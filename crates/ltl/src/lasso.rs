//! The meaning of formulas on lasso words: the definition that every translation is tested against.
//!
//! A word is a stem followed by a cycle for ever. Future operators are fixpoints over the finitely many different
//! suffixes. Past operators see how often the cycle was entered, but not for long: an operator whose operands repeat
//! from some point on repeats itself one cycle later, so the cycle is unrolled once per nested past operator.

use crate::formula::{Arena, Id, Op};

/// The values of the propositions, by number; missing ones are false.
pub type Letter = Vec<bool>;

/// The word stem · cycle^ω.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The letters before the cycle.
    pub stem: Vec<Letter>,
    /// The letters of the cycle: at least one.
    pub cycle: Vec<Letter>,
}

/// Does `word` satisfy `f`?
///
/// # Panics
/// If the cycle of `word` is empty.
pub fn evaluate(arena: &Arena, f: Id, word: &Word) -> bool {
    Values::new(arena, f, word).at(f, 0)
}

/// The truth of every part of a formula at every position of a word.
pub struct Values {
    /// By formula and position.
    values: Vec<Vec<bool>>,
    positions: usize,
    /// The position after the last one.
    back: usize,
}

impl Values {
    /// The position that comes after `i`.
    pub fn next(&self, i: usize) -> usize {
        if i + 1 == self.positions { self.back } else { i + 1 }
    }

    /// The first position of the last round of the cycle.
    pub fn back(&self) -> usize {
        self.back
    }

    /// All positions from `i` on, each once.
    pub fn from(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let again = if i > self.back { self.back..i } else { 0..0 };
        (i..self.positions).chain(again)
    }

    /// The truth of `f`, which is the formula or a part of it, at position `i`.
    pub fn at(&self, f: Id, i: usize) -> bool {
        self.values[f.0 as usize][i]
    }

    /// The values of `f` and its parts on `word`.
    ///
    /// # Panics
    /// If the cycle of `word` is empty.
    pub fn new(arena: &Arena, f: Id, word: &Word) -> Self {
        assert!(!word.cycle.is_empty(), "a lasso word has a cycle");
        let parts = arena.subformulas(f);
        let unrolled = past_depth(arena, &parts);
        let letters: Vec<&Letter> =
            word.stem.iter().chain(std::iter::repeat_n(&word.cycle, unrolled + 1).flatten()).collect();
        let n = letters.len();
        let back = n - word.cycle.len(); // the position after the last one
        let mut values: Vec<Vec<bool>> = vec![Vec::new(); f.0 as usize + 1];
        for &g in &parts {
            let kids = arena.operands(g);
            let kid = |i: usize| &values[kids.as_slice()[i].0 as usize];
            let op = arena.op(g);
            let v: Vec<bool> = match op {
                Op::False => vec![false; n],
                Op::True => vec![true; n],
                Op::Ap => {
                    let number = arena.ap_number(g) as usize;
                    letters.iter().map(|l| l.get(number).copied().unwrap_or(false)).collect()
                }
                Op::Not => kid(0).iter().map(|b| !b).collect(),
                Op::And => (0..n).map(|i| kids.as_slice().iter().all(|k| values[k.0 as usize][i])).collect(),
                Op::Or => (0..n).map(|i| kids.as_slice().iter().any(|k| values[k.0 as usize][i])).collect(),
                Op::Implies => (0..n).map(|i| !kid(0)[i] || kid(1)[i]).collect(),
                Op::Iff => (0..n).map(|i| kid(0)[i] == kid(1)[i]).collect(),
                Op::Xor => (0..n).map(|i| kid(0)[i] != kid(1)[i]).collect(),
                Op::Next => (0..n).map(|i| kid(0)[if i + 1 == n { back } else { i + 1 }]).collect(),
                Op::Finally => future(n, back, false, |i, next| kid(0)[i] || next),
                Op::Globally => future(n, back, true, |i, next| kid(0)[i] && next),
                Op::Until => future(n, back, false, |i, next| kid(1)[i] || kid(0)[i] && next),
                Op::WeakUntil => future(n, back, true, |i, next| kid(1)[i] || kid(0)[i] && next),
                Op::Release => future(n, back, true, |i, next| kid(1)[i] && (kid(0)[i] || next)),
                Op::StrongRelease => future(n, back, false, |i, next| kid(1)[i] && (kid(0)[i] || next)),
                Op::Yesterday => (0..n).map(|i| i > 0 && kid(0)[i - 1]).collect(),
                Op::WeakYesterday => (0..n).map(|i| i == 0 || kid(0)[i - 1]).collect(),
                Op::Once => past(n, false, |i, before| kid(0)[i] || before),
                Op::Historically => past(n, true, |i, before| kid(0)[i] && before),
                Op::Since => past(n, false, |i, before| kid(1)[i] || kid(0)[i] && before),
                Op::Trigger => past(n, true, |i, before| kid(1)[i] && (kid(0)[i] || before)),
            };
            values[g.0 as usize] = v;
        }
        Values { values, positions: n, back }
    }
}

/// The least (`start` false) or greatest (`start` true) solution of v(i) = step(i, v(i + 1)): twice round the cycle.
fn future(n: usize, back: usize, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut v = vec![start; n];
    let mut next = start;
    for i in (back..n).rev() {
        next = step(i, next);
    }
    for i in (0..n).rev() {
        next = step(i, next);
        v[i] = next;
    }
    v
}

fn past(n: usize, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut before = start;
    (0..n)
        .map(|i| {
            before = step(i, before);
            before
        })
        .collect()
}

/// How many past operators are nested in one another.
fn past_depth(arena: &Arena, parts: &[Id]) -> usize {
    let Some(last) = parts.last() else { return 0 };
    let mut depth = vec![0usize; last.0 as usize + 1];
    for &g in parts {
        let below = arena.operands(g).as_slice().iter().map(|k| depth[k.0 as usize]).max().unwrap_or(0);
        depth[g.0 as usize] = below + usize::from(arena.op(g).is_past());
    }
    depth[last.0 as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    /// Letters as strings of the propositions that hold: `"a b|"` is one letter with a, then one with b.
    fn holds(formula: &str, stem: &[&str], cycle: &[&str]) -> bool {
        let f = parse(formula, Dialect::Auto).unwrap();
        let letter = |s: &&str| f.arena.aps().iter().map(|p| s.contains(p.as_str())).collect::<Letter>();
        let word =
            Word { stem: stem.iter().map(letter).collect(), cycle: cycle.iter().map(letter).collect() };
        evaluate(&f.arena, f.root, &word)
    }

    #[test]
    fn the_future() {
        assert!(holds("a U b", &["a", "a"], &["b"]) && !holds("a U b", &["a", ""], &["b"]));
        assert!(!holds("a U b", &[], &["a"]) && holds("a W b", &[], &["a"]));
        assert!(holds("G F a", &[""], &["", "a"]) && !holds("F G a", &[""], &["", "a"]));
        assert!(
            holds("a R b", &[], &["b"])
                && !holds("a M b", &[], &["b"])
                && holds("a M b", &["b", "ab"], &[""])
        );
        assert!(
            holds("X X a", &[""], &["", "a"])
                && !holds("X a", &[], &["a", ""])
                && holds("X X a", &[], &["a", ""])
        );
    }

    #[test]
    fn the_past() {
        assert!(!holds("Y a", &[], &["a"]) && holds("Z a", &[], &[""]) && holds("X Y a", &[], &["a"]));
        assert!(holds("G F (O a)", &["a"], &[""]) && holds("F G (a S b)", &["", "ab"], &["a"]));
        assert!(holds("G F (b & !Y Y Y b)", &["b"], &["", "", "", "", "b"]));
        // True in the first round of the cycle only, then in later rounds only.
        assert!(holds("F (a & H a)", &[], &["a", ""]) && !holds("G F (a & H a)", &[], &["a", ""]));
        assert!(!holds("a & Y b", &[], &["a", "b"]) && holds("G F (a & Y b)", &[], &["a", "b"]));
        assert!(holds("F G (a T b)", &[], &["b"]) && !holds("G (a T b)", &["b"], &["a"]));
    }
}
