//! Edge labels: Boolean functions over the atomic propositions, canonical by hash-consing.
//!
//! A reduced ordered BDD over the propositions in the order of their numbers, without complement edges. Written
//! here rather than taken from OxiDD because an automaton of a formula has a few dozen nodes and lives for
//! microseconds: starting a manager of a general BDD package costs more than the whole translation. The symbolic
//! engine, whose diagrams are large, uses OxiDD.
//!
//! Every operation keeps an explicit stack where its depth follows the number of propositions, so that a label over
//! a million of them is only long, not dangerous.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A Boolean function: an index into the [`Labels`] that made it. Equal functions have equal indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

impl Label {
    /// The label that no letter satisfies.
    pub const FALSE: Label = Label(0);
    /// The label that every letter satisfies.
    pub const TRUE: Label = Label(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    var: u32,
    lo: Label,
    hi: Label,
}

/// A hasher for small keys of integers: one multiplication a word.
#[derive(Default, Clone)]
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(b.into());
        }
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(x.into());
    }
    fn write_u64(&mut self, x: u64) {
        let m = u128::from(self.0 ^ x ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (m as u64) ^ (m >> 64) as u64;
    }
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fold>>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Op {
    And,
    Or,
    Xor,
}

/// The owner of labels.
#[derive(Clone)]
pub struct Labels {
    nodes: Vec<Node>,
    unique: Map<Node, Label>,
    cache: Map<(u32, Label, Label), Label>,
}

/// The variable number of the two constants: below every proposition.
const CONSTANT: u32 = u32::MAX;

impl Default for Labels {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Labels({} nodes)", self.nodes.len())
    }
}

impl Labels {
    /// No labels but the constants.
    pub fn new() -> Self {
        let constant = |l| Node { var: CONSTANT, lo: l, hi: l };
        Labels {
            nodes: vec![constant(Label::FALSE), constant(Label::TRUE)],
            unique: Map::default(),
            cache: Map::default(),
        }
    }

    /// How many nodes are held.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The proposition that `l` tests first, with the label for false and the label for true; `None` for constants.
    pub fn node(&self, l: Label) -> Option<(u32, Label, Label)> {
        let n = self.nodes[l.0 as usize];
        (n.var != CONSTANT).then_some((n.var, n.lo, n.hi))
    }

    /// The function «if proposition `var` then `hi` else `lo`»; `var` is before all propositions of `lo` and `hi`.
    pub fn make(&mut self, var: u32, lo: Label, hi: Label) -> Label {
        if lo == hi {
            return lo;
        }
        debug_assert!(var < self.nodes[lo.0 as usize].var && var < self.nodes[hi.0 as usize].var);
        let node = Node { var, lo, hi };
        let Labels { nodes, unique, .. } = self;
        *unique.entry(node).or_insert_with(|| {
            nodes.push(node);
            Label(u32::try_from(nodes.len() - 1).expect("fewer than 2^32 label nodes"))
        })
    }

    /// The proposition `var`.
    pub fn var(&mut self, var: u32) -> Label {
        self.make(var, Label::FALSE, Label::TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Label, b: Label) -> Label {
        self.apply(Op::And, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Label, b: Label) -> Label {
        self.apply(Op::Or, a, b)
    }

    /// Negation.
    pub fn not(&mut self, a: Label) -> Label {
        self.apply(Op::Xor, a, Label::TRUE)
    }

    /// How much is held, in nodes and remembered results: what the limit of the `try_` operations counts.
    pub fn held(&self) -> usize {
        self.nodes.len() + self.cache.len()
    }

    /// Conjunction, or `None` when more than `limit` would be [held](Labels::held): for labels from a file, which
    /// may be hostile.
    pub fn try_and(&mut self, a: Label, b: Label, limit: usize) -> Option<Label> {
        self.try_apply(Op::And, a, b, limit)
    }

    /// Disjunction, or `None` when more than `limit` would be held.
    pub fn try_or(&mut self, a: Label, b: Label, limit: usize) -> Option<Label> {
        self.try_apply(Op::Or, a, b, limit)
    }

    /// Negation, or `None` when more than `limit` would be held.
    pub fn try_not(&mut self, a: Label, limit: usize) -> Option<Label> {
        self.try_apply(Op::Xor, a, Label::TRUE, limit)
    }

    /// `a` and not `b`.
    pub fn minus(&mut self, a: Label, b: Label) -> Label {
        let nb = self.not(b);
        self.and(a, nb)
    }

    /// Does `a` imply `b`?
    pub fn implies(&mut self, a: Label, b: Label) -> bool {
        self.minus(a, b) == Label::FALSE
    }

    fn trivial(op: Op, a: Label, b: Label) -> Option<Label> {
        let (f, t) = (Label::FALSE, Label::TRUE);
        match op {
            Op::And if a == f || b == f => Some(f),
            Op::And if a == t || a == b => Some(b),
            Op::And if b == t => Some(a),
            Op::Or if a == t || b == t => Some(t),
            Op::Or if a == f || a == b => Some(b),
            Op::Or if b == f => Some(a),
            Op::Xor if a == b => Some(f),
            Op::Xor if a == f => Some(b),
            Op::Xor if b == f => Some(a),
            _ => None,
        }
    }

    fn apply(&mut self, op: Op, a: Label, b: Label) -> Label {
        self.try_apply(op, a, b, usize::MAX).expect("no limit")
    }

    fn try_apply(&mut self, op: Op, a: Label, b: Label, limit: usize) -> Option<Label> {
        enum Task {
            Visit(Label, Label),
            Build(u32, Label, Label),
        }
        if let Some(r) = Self::trivial(op, a, b) {
            return Some(r);
        }
        let mut tasks = vec![Task::Visit(a, b)];
        let mut results: Vec<Label> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(a, b) => {
                    let (a, b) = if a <= b { (a, b) } else { (b, a) };
                    if let Some(r) = Self::trivial(op, a, b) {
                        results.push(r);
                    } else if let Some(&r) = self.cache.get(&(op as u32, a, b)) {
                        results.push(r);
                    } else {
                        let (na, nb) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
                        let var = na.var.min(nb.var);
                        let (a0, a1) = if na.var == var { (na.lo, na.hi) } else { (a, a) };
                        let (b0, b1) = if nb.var == var { (nb.lo, nb.hi) } else { (b, b) };
                        tasks.push(Task::Build(var, a, b));
                        tasks.push(Task::Visit(a1, b1));
                        tasks.push(Task::Visit(a0, b0));
                    }
                }
                Task::Build(var, a, b) => {
                    let hi = results.pop().expect("the high result");
                    let lo = results.pop().expect("the low result");
                    let r = self.make(var, lo, hi);
                    self.cache.insert((op as u32, a, b), r);
                    results.push(r);
                    if self.held() > limit {
                        return None;
                    }
                }
            }
        }
        Some(results.pop().expect("one result"))
    }

    /// Does the letter in which proposition `i` is true iff `letter(i)` satisfy `l`?
    pub fn eval(&self, mut l: Label, letter: impl Fn(u32) -> bool) -> bool {
        while let Some((var, lo, hi)) = self.node(l) {
            l = if letter(var) { hi } else { lo };
        }
        l == Label::TRUE
    }

    /// Some letter that satisfies `l`, as (proposition, value) pairs; other propositions do not matter.
    pub fn witness(&self, mut l: Label) -> Option<Vec<(u32, bool)>> {
        let mut cube = Vec::new();
        while let Some((var, lo, hi)) = self.node(l) {
            // In a reduced diagram every node but FALSE can reach TRUE.
            let value = lo == Label::FALSE;
            cube.push((var, value));
            l = if value { hi } else { lo };
        }
        (l == Label::TRUE).then_some(cube)
    }

    /// Disjoint cubes whose union is `l`, each a list of (proposition, value); calls `each` until it returns false.
    pub fn cubes(&self, l: Label, mut each: impl FnMut(&[(u32, bool)]) -> bool) {
        // A depth-first walk over the paths to TRUE; `cube` is the path, its values tell which branch was taken.
        let mut cube: Vec<(u32, bool)> = Vec::new();
        let mut path: Vec<Label> = Vec::new();
        let mut at = l;
        loop {
            if let Some((var, lo, _)) = self.node(at) {
                path.push(at);
                cube.push((var, false));
                at = lo;
                continue;
            }
            if at == Label::TRUE && !each(&cube) {
                return;
            }
            while cube.last().is_some_and(|&(_, v)| v) {
                cube.pop();
                path.pop();
            }
            let Some(last) = cube.last_mut() else { return };
            last.1 = true;
            at = self.nodes[path.last().expect("a path as long as the cube").0 as usize].hi;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_canonical() {
        let mut l = Labels::new();
        let (a, b) = (l.var(0), l.var(1));
        let ab = l.and(a, b);
        let (na, nb) = (l.not(a), l.not(b));
        let n = l.or(na, nb);
        assert_eq!(l.not(n), ab);
        assert!(l.implies(ab, a) && !l.implies(a, ab));
        assert_eq!(l.minus(a, a), Label::FALSE);
        assert_eq!(l.or(a, na), Label::TRUE);
        assert!(l.eval(ab, |_| true) && !l.eval(ab, |i| i == 0));
        assert_eq!(l.witness(Label::FALSE), None);
        assert_eq!(l.witness(ab), Some(vec![(0, true), (1, true)]));
        let mut cubes = Vec::new();
        l.cubes(n, |c| {
            cubes.push(c.to_vec());
            true
        });
        assert_eq!(cubes, [vec![(0, false)], vec![(0, true), (1, false)]]);
    }

    #[test]
    fn a_limit_ends_a_blow_up() {
        // (x0 & x20) | (x1 & x21) | … needs 2^20 nodes in this order.
        let mut l = Labels::new();
        let mut sum = Some(Label::FALSE);
        for i in 0..20 {
            let (a, b) = (l.var(i), l.var(i + 20));
            let ab = l.and(a, b);
            sum = sum.and_then(|s| l.try_or(s, ab, 10_000));
        }
        assert_eq!(sum, None);
        assert!(l.held() <= 10_100);
        let a = l.var(0);
        assert_eq!(l.try_not(a, 1 << 20).map(|n| l.not(n)), Some(a));
        assert_eq!(l.try_and(a, Label::FALSE, 0), Some(Label::FALSE));
    }

    #[test]
    fn a_long_conjunction_does_not_recurse() {
        let mut l = Labels::new();
        let mut odd = Label::TRUE;
        let mut even = Label::TRUE;
        for i in (0..100_000).rev() {
            let v = l.var(i);
            let side = if i % 2 == 0 { &mut even } else { &mut odd };
            *side = l.make(i, Label::FALSE, *side);
            debug_assert!(v != Label::FALSE);
        }
        let both = l.and(odd, even);
        assert_eq!(l.witness(both).map(|c| c.len()), Some(100_000));
    }
}
