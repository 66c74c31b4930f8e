//! The rules for ∧ and ∨, written once: each rule for one is the dual of a rule for the other.

use super::Simplifier;
use crate::formula::{Arena, Id, Op};
use crate::nnf::dual;
use crate::properties::Props;

/// More operands than this are not compared pairwise.
const WIDTH: usize = 48;
/// Nested operands with more than this are not flattened: a long nesting must not become quadratic.
const FLATTEN: usize = 256;

impl Simplifier {
    pub(super) fn nary(&mut self, m: &mut Arena, op: Op, kids: &[Id]) -> Id {
        let (neutral, zero) = if op == Op::And { (Id::TRUE, Id::FALSE) } else { (Id::FALSE, Id::TRUE) };
        let mut flat: Vec<Id> = Vec::with_capacity(kids.len());
        for &k in kids {
            if m.op(k) == op && m.operands(k).as_slice().len() <= FLATTEN {
                flat.extend_from_slice(m.operands(k).as_slice());
            } else {
                flat.push(k);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&k| k != neutral);
        if flat.contains(&zero) {
            return zero;
        }
        // a ∧ ¬a = ⊥: the negation of a literal was made after it
        for &k in &flat {
            if m.op(k) == Op::Not && flat.binary_search(&m.left(k)).is_ok() {
                return zero;
            }
        }
        if flat.len() <= 1 {
            return flat.first().copied().unwrap_or(neutral);
        }
        let before = flat.len();
        self.fold(m, op, &mut flat);
        if flat.len() != before {
            return self.build(m, op, &flat);
        }
        self.wait(m, op, &mut flat);
        if flat.len() != before {
            return self.build(m, op, &flat);
        }
        self.merge(m, op, &mut flat);
        if flat.len() != before {
            return self.build(m, op, &flat);
        }
        self.suspend(m, op, &mut flat);
        if flat.len() != before {
            return self.build(m, op, &flat);
        }
        if flat.len() <= WIDTH && self.absorb(m, op, &mut flat) {
            return zero;
        }
        m.raw(op, &flat)
    }

    /// Joins operands of one shape: X a ∧ X b = X(a ∧ b), G a ∧ G b = G(a ∧ b), FG a ∧ FG b = FG(a ∧ b),
    /// (a U c) ∧ (b U c) = (a ∧ b) U c, (c R a) ∧ (c R b) = c R (a ∧ b), and the duals.
    fn merge(&mut self, m: &mut Arena, op: Op, flat: &mut Vec<Id>) {
        let and = op == Op::And;
        // The temporal operator that distributes over `op`, and the pair under which it still does.
        let (ever, other) = if and { (Op::Globally, Op::Finally) } else { (Op::Finally, Op::Globally) };
        self.merge_where(
            m,
            op,
            flat,
            |m, k| (m.op(k) == Op::Next).then(|| m.left(k)),
            |s, m, x| s.build(m, Op::Next, &[x]),
        );
        self.merge_where(
            m,
            op,
            flat,
            |m, k| (m.op(k) == ever && m.op(m.left(k)) != other).then(|| m.left(k)),
            |s, m, x| s.build(m, ever, &[x]),
        );
        self.merge_where(
            m,
            op,
            flat,
            |m, k| {
                let inner = if m.op(k) == other { m.left(k) } else { return None };
                (m.op(inner) == ever).then(|| m.left(inner))
            },
            |s, m, x| {
                let inner = s.build(m, ever, &[x]);
                s.build(m, other, &[inner])
            },
        );
        if flat.len() > WIDTH {
            return;
        }
        // Binary operators that share the operand that ends them.
        let (left_joins, right_joins) = if and {
            ([Op::Until, Op::WeakUntil], [Op::Release, Op::StrongRelease])
        } else {
            ([dual(Op::Until), dual(Op::WeakUntil)], [dual(Op::Release), dual(Op::StrongRelease)])
        };
        for (shapes, joins_left) in [(left_joins, true), (right_joins, false)] {
            for shape in shapes {
                let shared = |m: &Arena, k: Id| if joins_left { m.right(k) } else { m.left(k) };
                let mut ends: Vec<Id> =
                    flat.iter().filter(|&&k| m.op(k) == shape).map(|&k| shared(m, k)).collect();
                ends.sort_unstable();
                for w in 0..ends.len().saturating_sub(1) {
                    let end = ends[w];
                    if end != ends[w + 1] || w > 0 && ends[w - 1] == end {
                        continue;
                    }
                    self.merge_where(
                        m,
                        op,
                        flat,
                        |m, k| {
                            (m.op(k) == shape && shared(m, k) == end)
                                .then(|| if joins_left { m.left(k) } else { m.right(k) })
                        },
                        |s, m, x| {
                            let kids = if joins_left { [x, end] } else { [end, x] };
                            s.build(m, shape, &kids)
                        },
                    );
                }
            }
        }
    }

    /// a ∧ X G a = G a and a ∨ X F a = F a.
    fn fold(&mut self, m: &mut Arena, op: Op, flat: &mut Vec<Id>) {
        let ever = if op == Op::And { Op::Globally } else { Op::Finally };
        for i in 0..flat.len() {
            let k = flat[i];
            if m.op(k) != Op::Next || m.op(m.left(k)) != ever {
                continue;
            }
            let inner = m.left(k);
            let body = m.left(inner);
            let operands = m.operands(body);
            let one = [body];
            let parts = if m.op(body) == op { operands.as_slice() } else { &one[..] };
            if parts.iter().all(|p| flat.binary_search(p).is_ok()) {
                let parts = parts.to_vec();
                flat.retain(|x| *x != k && !parts.contains(x));
                flat.push(inner);
                return;
            }
        }
    }

    /// G a ∨ F(¬a ∧ e) = a W (¬a ∧ e) for eventual e, and F a ∧ G(¬a ∨ u) = a M (¬a ∨ u) for universal u; here for
    /// literals a.
    fn wait(&mut self, m: &mut Arena, op: Op, flat: &mut Vec<Id>) {
        if !self.rules.eventual {
            return;
        }
        let (first, second, inner, whole, pure) = match op {
            Op::Or => (Op::Globally, Op::Finally, Op::And, Op::WeakUntil, Props::EVENTUAL),
            _ => (Op::Finally, Op::Globally, Op::Or, Op::StrongRelease, Props::UNIVERSAL),
        };
        let literal = |m: &Arena, a: Id| m.op(a) == Op::Ap || m.op(a) == Op::Not;
        for i in 0..flat.len() {
            if m.op(flat[i]) != first {
                continue;
            }
            let a = m.left(flat[i]);
            // G a ∨ (a U b) = a W b and F a ∧ (a R b) = a M b
            let weak = if op == Op::Or { Op::Until } else { Op::Release };
            if let Some(j) = flat.iter().position(|&k| m.op(k) == weak && m.left(k) == a) {
                let (x, y) = (flat[i], flat[j]);
                let f = self.build(m, whole, &[a, m.right(y)]);
                flat.retain(|&k| k != x && k != y);
                flat.push(f);
                return;
            }
            if !literal(m, a) {
                continue;
            }
            let not_a = m.negate(a);
            let fits = |m: &Arena, k: Id| {
                m.op(k) == second && m.op(m.left(k)) == inner && {
                    let kids = m.operands(m.left(k));
                    let kids = kids.as_slice();
                    kids.contains(&not_a) && kids.iter().all(|&x| x == not_a || m.props(x).has(pure))
                }
            };
            if let Some(j) = flat.iter().position(|&k| fits(m, k)) {
                let body = m.left(flat[j]);
                let (x, y) = (flat[i], flat[j]);
                flat.retain(|&k| k != x && k != y);
                let f = self.build(m, whole, &[a, body]);
                flat.push(f);
                return;
            }
        }
    }

    /// F a ∨ s = F(a ∨ s) and G a ∧ s = G(a ∧ s) for suspendable s: one state can wait for both.
    fn suspend(&mut self, m: &mut Arena, op: Op, flat: &mut Vec<Id>) {
        let ever = if op == Op::And { Op::Globally } else { Op::Finally };
        let suspendable =
            |m: &Arena, k: Id| m.props(k).has(Props::EVENTUAL) && m.props(k).has(Props::UNIVERSAL);
        let wait = |m: &Arena, k: Id| m.op(k) == ever && !suspendable(m, k);
        let at = flat.iter().position(|&k| wait(m, k));
        // F G a ∨ s too, but not G F a ∧ s: G F a is one state already.
        let at = at.or_else(|| flat.iter().position(|&k| op == Op::Or && m.op(k) == ever));
        let Some(at) = at else { return };
        let body = m.left(flat[at]);
        let others = flat.iter().enumerate().filter(|&(i, &k)| i != at && suspendable(m, k));
        // F(a ∨ F b) = F(a ∨ b), and G(a ∧ G F b) = G(a ∧ F b).
        let mut inside: Vec<Id> = others.map(|(_, &k)| if m.op(k) == ever { m.left(k) } else { k }).collect();
        if !self.rules.eventual || inside.is_empty() {
            return;
        }
        inside.push(body);
        flat.remove(at);
        flat.retain(|&k| !suspendable(m, k));
        let inside = self.build(m, op, &inside);
        flat.push(m.raw(ever, &[inside]));
    }

    /// Replaces the operands of which `part` takes a part by `whole` of the parts joined, if there are two or more.
    fn merge_where(
        &mut self,
        m: &mut Arena,
        op: Op,
        flat: &mut Vec<Id>,
        part: impl Fn(&Arena, Id) -> Option<Id>,
        whole: impl FnOnce(&mut Self, &mut Arena, Id) -> Id,
    ) {
        let parts: Vec<Id> = flat.iter().filter_map(|&k| part(m, k)).collect();
        if parts.len() < 2 {
            return;
        }
        flat.retain(|&k| part(m, k).is_none());
        let joined = self.build(m, op, &parts);
        let f = whole(self, m, joined);
        flat.push(f);
    }

    /// Drops operands that another makes superfluous; true if two operands make the whole constant.
    fn absorb(&mut self, m: &Arena, op: Op, flat: &mut Vec<Id>) -> bool {
        let mut i = 0;
        while i < flat.len() {
            let k = flat[i];
            let superfluous = (0..flat.len()).any(|j| {
                let o = flat[j];
                j != i && if op == Op::And { self.implies(m, o, k) } else { self.implies(m, k, o) }
            });
            if superfluous {
                flat.remove(i);
            } else {
                i += 1;
            }
        }
        op == Op::And
            && (0..flat.len()).any(|i| (i + 1..flat.len()).any(|j| self.excludes(m, flat[i], flat[j])))
    }
}
