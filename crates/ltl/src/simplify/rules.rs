//! The rules for X, F, G, U, R, W and M. Operands are simplified already; a rule that makes a new operator calls the
//! rules of that operator.

use super::Simplifier;
use crate::formula::{Arena, Id, Op};
use crate::properties::Props;

impl Simplifier {
    fn eventual(&self, m: &Arena, f: Id) -> bool {
        self.rules.eventual && m.props(f).has(Props::EVENTUAL)
    }

    fn universal(&self, m: &Arena, f: Id) -> bool {
        self.rules.eventual && m.props(f).has(Props::UNIVERSAL)
    }

    /// Both: its truth does not depend on any finite prefix.
    fn suspendable(&self, m: &Arena, f: Id) -> bool {
        self.eventual(m, f) && self.universal(m, f)
    }

    /// Splits the operands of an n-ary `f` into those that satisfy `which` and the rest; `None` if there are none.
    fn split(
        &self,
        m: &Arena,
        f: Id,
        op: Op,
        which: impl Fn(&Self, &Arena, Id) -> bool,
    ) -> Option<(Vec<Id>, Vec<Id>)> {
        if m.op(f) != op {
            return None;
        }
        let (yes, no): (Vec<Id>, Vec<Id>) =
            m.operands(f).as_slice().iter().copied().partition(|&k| which(self, m, k));
        (!yes.is_empty()).then_some((yes, no))
    }

    pub(super) fn next(&mut self, m: &mut Arena, a: Id) -> Id {
        if matches!(a, Id::TRUE | Id::FALSE) || self.suspendable(m, a) {
            return a;
        }
        m.raw(Op::Next, &[a])
    }

    pub(super) fn finally(&mut self, m: &mut Arena, a: Id) -> Id {
        if matches!(a, Id::TRUE | Id::FALSE) || m.op(a) == Op::Finally || self.eventual(m, a) {
            return a;
        }
        match m.op(a) {
            // F X a = X F a; F(a U b) = F b; F(a M b) = F(a ∧ b); F(a W b) = F(G a ∨ b)
            Op::Next => {
                let f = self.build(m, Op::Finally, &[m.left(a)]);
                return self.build(m, Op::Next, &[f]);
            }
            Op::Until => return self.build(m, Op::Finally, &[m.right(a)]),
            Op::StrongRelease => {
                let both = self.build(m, Op::And, &[m.left(a), m.right(a)]);
                return self.build(m, Op::Finally, &[both]);
            }
            Op::WeakUntil => {
                let g = self.build(m, Op::Globally, &[m.left(a)]);
                let either = self.build(m, Op::Or, &[g, m.right(a)]);
                return self.build(m, Op::Finally, &[either]);
            }
            _ => {}
        }
        // F(e ∨ a) = e ∨ F a for eventual e; F(s ∧ a) = s ∧ F a for suspendable s
        if let Some((e, rest)) = self.split(m, a, Op::Or, Self::eventual) {
            let rest = self.build(m, Op::Or, &rest);
            let f = self.build(m, Op::Finally, &[rest]);
            return self.build(m, Op::Or, &[&e[..], &[f]].concat());
        }
        if let Some((s, rest)) = self.split(m, a, Op::And, Self::suspendable) {
            let rest = self.build(m, Op::And, &rest);
            let f = self.build(m, Op::Finally, &[rest]);
            return self.build(m, Op::And, &[&s[..], &[f]].concat());
        }
        m.raw(Op::Finally, &[a])
    }

    pub(super) fn globally(&mut self, m: &mut Arena, a: Id) -> Id {
        if matches!(a, Id::TRUE | Id::FALSE) || m.op(a) == Op::Globally || self.universal(m, a) {
            return a;
        }
        match m.op(a) {
            // G X a = X G a; G(a R b) = G b; G(a W b) = G(a ∨ b); G(a M b) = G(F a ∧ b)
            Op::Next => {
                let g = self.build(m, Op::Globally, &[m.left(a)]);
                return self.build(m, Op::Next, &[g]);
            }
            Op::Release => return self.build(m, Op::Globally, &[m.right(a)]),
            Op::WeakUntil => {
                let either = self.build(m, Op::Or, &[m.left(a), m.right(a)]);
                return self.build(m, Op::Globally, &[either]);
            }
            Op::StrongRelease => {
                let f = self.build(m, Op::Finally, &[m.left(a)]);
                let both = self.build(m, Op::And, &[f, m.right(a)]);
                return self.build(m, Op::Globally, &[both]);
            }
            _ => {}
        }
        if let Some((u, rest)) = self.split(m, a, Op::And, Self::universal) {
            let rest = self.build(m, Op::And, &rest);
            let g = self.build(m, Op::Globally, &[rest]);
            return self.build(m, Op::And, &[&u[..], &[g]].concat());
        }
        if let Some((s, rest)) = self.split(m, a, Op::Or, Self::suspendable) {
            let rest = self.build(m, Op::Or, &rest);
            let g = self.build(m, Op::Globally, &[rest]);
            return self.build(m, Op::Or, &[&s[..], &[g]].concat());
        }
        m.raw(Op::Globally, &[a])
    }

    pub(super) fn until(&mut self, m: &mut Arena, a: Id, b: Id) -> Id {
        if matches!(b, Id::TRUE | Id::FALSE) || a == Id::FALSE || a == b || self.eventual(m, b) {
            return b;
        }
        if a == Id::TRUE {
            return self.build(m, Op::Finally, &[b]);
        }
        if m.op(a) == Op::Next && m.op(b) == Op::Next {
            let u = self.build(m, Op::Until, &[m.left(a), m.left(b)]);
            return self.build(m, Op::Next, &[u]);
        }
        if self.implies(m, a, b) {
            return b;
        }
        // a U (c U d) = c U d if a → c; a U (c M d)-like forms are left
        if m.op(b) == Op::Until && self.implies(m, a, m.left(b)) {
            return b;
        }
        // u U b = b ∨ (u ∧ F b) for universal u
        if self.universal(m, a) {
            let f = self.build(m, Op::Finally, &[b]);
            let on = self.build(m, Op::And, &[a, f]);
            return self.build(m, Op::Or, &[b, on]);
        }
        // a U (b ∨ e) = (a U b) ∨ e for eventual e; a U (b ∧ s) = (a U b) ∧ s for suspendable s
        if let Some((e, rest)) = self.split(m, b, Op::Or, Self::eventual) {
            let rest = self.build(m, Op::Or, &rest);
            let u = self.build(m, Op::Until, &[a, rest]);
            return self.build(m, Op::Or, &[&e[..], &[u]].concat());
        }
        if let Some((s, rest)) = self.split(m, b, Op::And, Self::suspendable) {
            let rest = self.build(m, Op::And, &rest);
            let u = self.build(m, Op::Until, &[a, rest]);
            return self.build(m, Op::And, &[&s[..], &[u]].concat());
        }
        // (a ∧ s) U b = b ∨ (s ∧ (a U b))
        if let Some((s, rest)) = self.split(m, a, Op::And, Self::suspendable) {
            let rest = self.build(m, Op::And, &rest);
            let u = self.build(m, Op::Until, &[rest, b]);
            let on = self.build(m, Op::And, &[&s[..], &[u]].concat());
            return self.build(m, Op::Or, &[b, on]);
        }
        m.raw(Op::Until, &[a, b])
    }

    pub(super) fn release(&mut self, m: &mut Arena, a: Id, b: Id) -> Id {
        if matches!(b, Id::TRUE | Id::FALSE) || a == Id::TRUE || a == b || self.universal(m, b) {
            return b;
        }
        if a == Id::FALSE || self.excludes(m, a, b) {
            return self.build(m, Op::Globally, &[b]);
        }
        if m.op(a) == Op::Next && m.op(b) == Op::Next {
            let r = self.build(m, Op::Release, &[m.left(a), m.left(b)]);
            return self.build(m, Op::Next, &[r]);
        }
        if self.implies(m, b, a) {
            return b;
        }
        if m.op(b) == Op::Release && self.implies(m, m.left(b), a) {
            return b;
        }
        // e R b = b ∧ (e ∨ G b) for eventual e
        if self.eventual(m, a) {
            let g = self.build(m, Op::Globally, &[b]);
            let or = self.build(m, Op::Or, &[a, g]);
            return self.build(m, Op::And, &[b, or]);
        }
        if let Some((u, rest)) = self.split(m, b, Op::And, Self::universal) {
            let rest = self.build(m, Op::And, &rest);
            let r = self.build(m, Op::Release, &[a, rest]);
            return self.build(m, Op::And, &[&u[..], &[r]].concat());
        }
        if let Some((s, rest)) = self.split(m, b, Op::Or, Self::suspendable) {
            let rest = self.build(m, Op::Or, &rest);
            let r = self.build(m, Op::Release, &[a, rest]);
            return self.build(m, Op::Or, &[&s[..], &[r]].concat());
        }
        if let Some((s, rest)) = self.split(m, a, Op::Or, Self::suspendable) {
            let rest = self.build(m, Op::Or, &rest);
            let r = self.build(m, Op::Release, &[rest, b]);
            let or = self.build(m, Op::Or, &[&s[..], &[r]].concat());
            return self.build(m, Op::And, &[b, or]);
        }
        // a R (a ∨ b) = b W a
        if m.op(b) == Op::Or && m.operands(b).as_slice().contains(&a) {
            let rest: Vec<Id> = m.operands(b).as_slice().iter().copied().filter(|&k| k != a).collect();
            let rest = self.build(m, Op::Or, &rest);
            return self.build(m, Op::WeakUntil, &[rest, a]);
        }
        m.raw(Op::Release, &[a, b])
    }

    pub(super) fn weak_until(&mut self, m: &mut Arena, a: Id, b: Id) -> Id {
        if a == Id::TRUE || b == Id::TRUE {
            return Id::TRUE;
        }
        if a == Id::FALSE || a == b || self.implies(m, a, b) {
            return b;
        }
        if b == Id::FALSE {
            return self.build(m, Op::Globally, &[a]);
        }
        if m.op(a) == Op::Next && m.op(b) == Op::Next {
            let w = self.build(m, Op::WeakUntil, &[m.left(a), m.left(b)]);
            return self.build(m, Op::Next, &[w]);
        }
        if self.universal(m, a) {
            return self.build(m, Op::Or, &[a, b]);
        }
        if self.eventual(m, b) {
            let g = self.build(m, Op::Globally, &[a]);
            return self.build(m, Op::Or, &[g, b]);
        }
        if m.op(b) == Op::WeakUntil && self.implies(m, a, m.left(b)) {
            return b;
        }
        if let Some((e, rest)) = self.split(m, b, Op::Or, Self::eventual) {
            let rest = self.build(m, Op::Or, &rest);
            let w = self.build(m, Op::WeakUntil, &[a, rest]);
            return self.build(m, Op::Or, &[&e[..], &[w]].concat());
        }
        m.raw(Op::WeakUntil, &[a, b])
    }

    pub(super) fn strong_release(&mut self, m: &mut Arena, a: Id, b: Id) -> Id {
        if a == Id::FALSE || b == Id::FALSE || self.excludes(m, a, b) {
            return Id::FALSE;
        }
        if a == Id::TRUE || a == b || self.implies(m, b, a) {
            return b;
        }
        if b == Id::TRUE {
            return self.build(m, Op::Finally, &[a]);
        }
        if m.op(a) == Op::Next && m.op(b) == Op::Next {
            let w = self.build(m, Op::StrongRelease, &[m.left(a), m.left(b)]);
            return self.build(m, Op::Next, &[w]);
        }
        if self.eventual(m, a) {
            return self.build(m, Op::And, &[a, b]);
        }
        if self.universal(m, b) {
            let f = self.build(m, Op::Finally, &[a]);
            return self.build(m, Op::And, &[f, b]);
        }
        if let Some((u, rest)) = self.split(m, b, Op::And, Self::universal) {
            let rest = self.build(m, Op::And, &rest);
            let w = self.build(m, Op::StrongRelease, &[a, rest]);
            return self.build(m, Op::And, &[&u[..], &[w]].concat());
        }
        m.raw(Op::StrongRelease, &[a, b])
    }
}
