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

    fn only_eventual(&self, m: &Arena, f: Id) -> bool {
        self.eventual(m, f) && !self.universal(m, f)
    }

    fn only_universal(&self, m: &Arena, f: Id) -> bool {
        self.universal(m, f) && !self.eventual(m, f)
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

    /// a' and b' if a = X a' and b = X b'; a suspendable operand may lack its X, but not both.
    fn both_next(&self, m: &Arena, a: Id, b: Id) -> Option<(Id, Id)> {
        match (m.op(a) == Op::Next, m.op(b) == Op::Next) {
            (true, true) => Some((m.left(a), m.left(b))),
            (true, false) if self.suspendable(m, b) => Some((m.left(a), b)),
            (false, true) if self.suspendable(m, a) => Some((a, m.left(b))),
            _ => None,
        }
    }

    pub(super) fn next(&mut self, m: &mut Arena, a: Id) -> Id {
        if matches!(a, Id::TRUE | Id::FALSE) || self.suspendable(m, a) {
            return a;
        }
        m.raw(Op::Next, &[a])
    }

    /// In G F, and dually in F G: X does not matter before an eventual operand, and G F(a ∧ e) = G F a ∧ G F e.
    /// `outer` is the operator that is being built, `inner` the one that `a` must be.
    fn infinitely_often(&mut self, m: &mut Arena, outer: Op, inner: Op, a: Id) -> Option<Id> {
        if m.op(a) != inner || !self.rules.eventual {
            return None;
        }
        let join = if outer == Op::Globally { Op::And } else { Op::Or };
        let body = m.left(a);
        if m.op(body) != join {
            return None;
        }
        let pure = |s: &Self, m: &Arena, mut k: Id| {
            while m.op(k) == Op::Next {
                k = m.left(k);
            }
            let yes = if join == Op::And { s.eventual(m, k) } else { s.universal(m, k) };
            yes.then_some(k)
        };
        let kids: Vec<Id> = m.operands(body).as_slice().to_vec();
        let mut apart: Vec<Id> = Vec::new();
        let mut rest: Vec<Id> = Vec::new();
        for k in kids {
            match pure(self, m, k) {
                Some(k) => apart.push(k),
                None => rest.push(k),
            }
        }
        if apart.is_empty() {
            return None;
        }
        if !rest.is_empty() {
            let rest = self.build(m, join, &rest);
            apart.push(rest);
        }
        let parts: Vec<Id> = apart
            .into_iter()
            .map(|k| {
                let k = self.build(m, inner, &[k]);
                self.build(m, outer, &[k])
            })
            .collect();
        Some(self.build(m, join, &parts))
    }

    /// G(a ∧ F b) = G a ∧ G F b, and G(a ∧ X F b) too; dually F(a ∨ G b) = F a ∨ F G b.
    fn apart(&mut self, m: &mut Arena, outer: Op, inner: Op, a: Id) -> Option<Id> {
        let join = if outer == Op::Globally { Op::And } else { Op::Or };
        let strip = |m: &Arena, mut k: Id| {
            while m.op(k) == Op::Next {
                k = m.left(k);
            }
            (m.op(k) == inner).then_some(k)
        };
        if !self.rules.eventual || m.op(a) != join {
            return None;
        }
        let kids: Vec<Id> = m.operands(a).as_slice().to_vec();
        let (pure, rest): (Vec<Id>, Vec<Id>) = kids.into_iter().partition(|&k| strip(m, k).is_some());
        if pure.is_empty() {
            return None;
        }
        let mut parts: Vec<Id> = Vec::new();
        for k in pure {
            let k = strip(m, k)?;
            parts.push(self.build(m, outer, &[k]));
        }
        if !rest.is_empty() {
            let rest = self.build(m, join, &rest);
            parts.push(self.build(m, outer, &[rest]));
        }
        Some(self.build(m, join, &parts))
    }

    pub(super) fn finally(&mut self, m: &mut Arena, a: Id) -> Id {
        if let Some(f) = self.apart(m, Op::Finally, Op::Globally, a) {
            return f;
        }
        if let Some(f) = self.infinitely_often(m, Op::Finally, Op::Globally, a) {
            return f;
        }
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
        // F(e ∨ a) = e ∨ F a for eventual e that is not suspendable; F(s ∧ a) = s ∧ F a for suspendable s
        if let Some((e, rest)) = self.split(m, a, Op::Or, Self::only_eventual) {
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
        if let Some(f) = self.apart(m, Op::Globally, Op::Finally, a) {
            return f;
        }
        if let Some(f) = self.infinitely_often(m, Op::Globally, Op::Finally, a) {
            return f;
        }
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
        if let Some((u, rest)) = self.split(m, a, Op::And, Self::only_universal) {
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
        if let Some((a, b)) = self.both_next(m, a, b) {
            let u = self.build(m, Op::Until, &[a, b]);
            return self.build(m, Op::Next, &[u]);
        }
        if self.implies(m, a, b) {
            return b;
        }
        // a U (c U d) = c U d if a → c; a U (c M d)-like forms are left
        if m.op(b) == Op::Until && self.implies(m, a, m.left(b)) {
            return b;
        }
        // a U (b ∨ G a) = a W b; a U (a ∧ b) = b M a
        if let Some(rest) = self.without_globally(m, a, b) {
            return self.build(m, Op::WeakUntil, &[a, rest]);
        }
        if m.op(b) == Op::And && m.operands(b).as_slice().contains(&a) {
            let rest: Vec<Id> = m.operands(b).as_slice().iter().copied().filter(|&k| k != a).collect();
            let rest = self.build(m, Op::And, &rest);
            return self.build(m, Op::StrongRelease, &[rest, a]);
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

    /// The other operands of `b` if it is a disjunction with G a.
    fn without_globally(&mut self, m: &mut Arena, a: Id, b: Id) -> Option<Id> {
        let is = |m: &Arena, k: Id| m.op(k) == Op::Globally && m.left(k) == a;
        if is(m, b) {
            return Some(Id::FALSE);
        }
        if m.op(b) != Op::Or || !m.operands(b).as_slice().iter().any(|&k| is(m, k)) {
            return None;
        }
        let rest: Vec<Id> = m.operands(b).as_slice().iter().copied().filter(|&k| !is(m, k)).collect();
        Some(self.build(m, Op::Or, &rest))
    }

    pub(super) fn release(&mut self, m: &mut Arena, a: Id, b: Id) -> Id {
        if matches!(b, Id::TRUE | Id::FALSE) || a == Id::TRUE || a == b || self.universal(m, b) {
            return b;
        }
        if a == Id::FALSE || self.excludes(m, a, b) {
            return self.build(m, Op::Globally, &[b]);
        }
        if let Some((a, b)) = self.both_next(m, a, b) {
            let r = self.build(m, Op::Release, &[a, b]);
            return self.build(m, Op::Next, &[r]);
        }
        if self.implies(m, b, a) {
            return b;
        }
        if m.op(b) == Op::Release && self.implies(m, m.left(b), a) {
            return b;
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
        if let Some((a, b)) = self.both_next(m, a, b) {
            let w = self.build(m, Op::WeakUntil, &[a, b]);
            return self.build(m, Op::Next, &[w]);
        }
        if self.universal(m, a) {
            return self.build(m, Op::Or, &[a, b]);
        }
        if let Some(rest) = self.without_globally(m, a, b) {
            return self.build(m, Op::WeakUntil, &[a, rest]);
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
        if let Some((a, b)) = self.both_next(m, a, b) {
            let w = self.build(m, Op::StrongRelease, &[a, b]);
            return self.build(m, Op::Next, &[w]);
        }
        if self.eventual(m, a) {
            return self.build(m, Op::And, &[a, b]);
        }
        if let Some((u, rest)) = self.split(m, b, Op::And, Self::universal) {
            let rest = self.build(m, Op::And, &rest);
            let w = self.build(m, Op::StrongRelease, &[a, rest]);
            return self.build(m, Op::And, &[&u[..], &[w]].concat());
        }
        m.raw(Op::StrongRelease, &[a, b])
    }
}
