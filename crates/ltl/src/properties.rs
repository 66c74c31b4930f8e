//! What the shape of a formula tells, computed once when a node is made.
//!
//! The syntactic classes of the hierarchy of Manna and Pnueli, after Černá and Pelánek, and the pure eventualities
//! and universalities of Etessami and Holzmann. Each is sufficient, not necessary: a formula may be a safety property
//! though its shape does not show it.
//!
//! # References
//! I. Černá, R. Pelánek, *Relating hierarchy of temporal properties to model checking*, MFCS 2003.
//! K. Etessami, G. Holzmann, *Optimizing Büchi automata*, CONCUR 2000.

use crate::formula::{Arena, Id, Op};

/// A set of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Props(u16);

impl Props {
    /// No temporal operator.
    pub const BOOLEAN: Props = Props(1);
    /// A word satisfies it when some suffix does: prefixes can be added.
    pub const EVENTUAL: Props = Props(2);
    /// All suffixes of a satisfying word satisfy it: prefixes can be removed.
    pub const UNIVERSAL: Props = Props(4);
    /// A violation shows after finitely many letters.
    pub const SAFETY: Props = Props(8);
    /// Satisfaction shows after finitely many letters.
    pub const GUARANTEE: Props = Props(16);
    /// A Boolean combination of safety and guarantee properties.
    pub const OBLIGATION: Props = Props(32);
    /// Something happens infinitely often; deterministic Büchi automata.
    pub const RECURRENCE: Props = Props(64);
    /// Something holds from some point on.
    pub const PERSISTENCE: Props = Props(128);
    /// Without X and Y: repeating a letter does not matter.
    pub const STUTTER: Props = Props(256);
    /// Without past operators.
    pub const FUTURE: Props = Props(512);
    /// Without future operators.
    pub const PAST: Props = Props(1024);

    const CLASSES: Props = Props(8 | 16 | 32 | 64 | 128);
    const ALL: Props = Props(2047);

    /// Are all of `other` there?
    pub fn has(self, other: Props) -> bool {
        self.0 & other.0 == other.0
    }

    fn keep_if(self, p: Props, condition: bool) -> Props {
        if condition { self } else { Props(self.0 & !p.0) }
    }

    fn dual(self) -> Props {
        let swap = |x: u16, i: Props, j: Props| {
            let (bi, bj) = (x & i.0 != 0, x & j.0 != 0);
            x & !(i.0 | j.0) | if bi { j.0 } else { 0 } | if bj { i.0 } else { 0 }
        };
        let x = swap(self.0, Self::EVENTUAL, Self::UNIVERSAL);
        let x = swap(x, Self::SAFETY, Self::GUARANTEE);
        Props(swap(x, Self::RECURRENCE, Self::PERSISTENCE))
    }

    pub(crate) fn of(arena: &Arena, op: Op, kids: &[Id]) -> Props {
        let kid = |i: usize| arena.props(kids[i]);
        let all = kids.iter().fold(Props::ALL, |p, &k| Props(p.0 & arena.props(k).0));
        let (ev, un) = (Self::EVENTUAL, Self::UNIVERSAL);
        let (safety, guarantee, obligation) = (Self::SAFETY, Self::GUARANTEE, Self::OBLIGATION);
        let (recurrence, persistence) = (Self::RECURRENCE, Self::PERSISTENCE);
        let temporal = all.keep_if(Self::BOOLEAN, false);
        match op {
            Op::False | Op::True => Props::ALL,
            Op::Ap => Props::ALL.keep_if(Props(ev.0 | un.0), false),
            Op::Not => all.dual(),
            Op::And | Op::Or => all,
            Op::Implies => Props(kid(0).dual().0 & kid(1).0),
            Op::Iff | Op::Xor => {
                let both = Props(all.0 & all.dual().0);
                both.keep_if(obligation, all.has(obligation))
            }
            Op::Next => temporal.keep_if(Self::STUTTER, false).keep_if(Self::PAST, false),
            Op::Finally => {
                let g = all.has(guarantee);
                let p = temporal.keep_if(safety, false).keep_if(obligation, g).keep_if(recurrence, g);
                Props(p.0 | ev.0).keep_if(Self::PAST, false)
            }
            Op::Globally => {
                let s = all.has(safety);
                let p = temporal.keep_if(guarantee, false).keep_if(obligation, s).keep_if(persistence, s);
                Props(p.0 | un.0).keep_if(Self::PAST, false)
            }
            Op::Until | Op::StrongRelease => {
                // The operand that must come true some time, and the one that holds until then.
                let (goal, hold) = if op == Op::Until { (kid(1), kid(0)) } else { (kid(0), kid(1)) };
                let p = temporal
                    .keep_if(safety, false)
                    .keep_if(obligation, goal.has(guarantee) && hold.has(obligation))
                    .keep_if(recurrence, goal.has(guarantee) && hold.has(recurrence))
                    .keep_if(Self::PAST, false);
                let p = if kid(1).has(ev) { Props(p.0 | ev.0) } else { p };
                if op == Op::Until && kid(1).has(un) { Props(p.0 | un.0) } else { p }
            }
            Op::Release | Op::WeakUntil => {
                let (goal, hold) = if op == Op::WeakUntil { (kid(1), kid(0)) } else { (kid(0), kid(1)) };
                let p = temporal
                    .keep_if(guarantee, false)
                    .keep_if(obligation, hold.has(safety) && goal.has(obligation))
                    .keep_if(persistence, hold.has(safety) && goal.has(persistence))
                    .keep_if(Self::PAST, false);
                // Both end, if they do, with the right operand: a R b holds b to the end, a W b stops at b.
                let p = if kid(1).has(un) { Props(p.0 | un.0) } else { p };
                if op == Op::Release && kid(1).has(ev) { Props(p.0 | ev.0) } else { p }
            }
            Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically | Op::Since | Op::Trigger => {
                // A formula of the past alone is decided by the letters so far, as a proposition is.
                let p = temporal.keep_if(Props(ev.0 | un.0), false).keep_if(Self::FUTURE, false);
                let p = p.keep_if(Self::CLASSES, all.has(Self::PAST));
                p.keep_if(Self::STUTTER, !matches!(op, Op::Yesterday | Op::WeakYesterday))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    #[test]
    fn classes_of_textbook_formulas() {
        let p = |s: &str| {
            let f = parse(s, Dialect::Auto).unwrap();
            f.arena.props(f.root)
        };
        assert!(p("G a").has(Props::SAFETY) && !p("G a").has(Props::GUARANTEE));
        assert!(p("a U b").has(Props::GUARANTEE) && !p("a U b").has(Props::SAFETY));
        assert!(p("G a | F b").has(Props::OBLIGATION) && !p("G a | F b").has(Props::SAFETY));
        assert!(p("G(a -> F b)").has(Props::RECURRENCE) && !p("G(a -> F b)").has(Props::PERSISTENCE));
        assert!(p("F G a").has(Props::PERSISTENCE) && !p("F G a").has(Props::OBLIGATION));
        assert!(p("!F G a").has(Props::RECURRENCE));
        assert!(!p("F G a & G F b").has(Props::PERSISTENCE) && !p("F G a & G F b").has(Props::RECURRENCE));
        assert!(p("G F a").has(Props::EVENTUAL) && p("G F a").has(Props::UNIVERSAL));
        assert!(!p("F a <-> b").has(Props::GUARANTEE) && p("F a <-> b").has(Props::OBLIGATION));
        assert!(p("G(a -> O b)").has(Props::SAFETY) && !p("O F a").has(Props::OBLIGATION));
        assert!(p("a U b").has(Props::STUTTER) && !p("a U X b").has(Props::STUTTER));
    }
}
