//! Syntactic implication: sound, incomplete, cheap. Formulas are in negation normal form.

use crate::formula::{Arena, Id, Op};
use crate::properties::Props;
use std::collections::HashMap;

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Implication {
    known: HashMap<(Id, Id, bool), bool>,
}

/// Nesting beyond which the answer is «not known».
const DEPTH: u32 = 12;
/// Operands beyond which an n-ary operator is not looked into.
const WIDTH: usize = 32;

impl Implication {
    /// f → g?
    pub(super) fn holds(&mut self, arena: &Arena, f: Id, g: Id) -> bool {
        self.implies(arena, f, g, DEPTH)
    }

    /// f → ¬g?
    pub(super) fn excludes(&mut self, arena: &Arena, f: Id, g: Id) -> bool {
        self.disjoint(arena, f, g, DEPTH)
    }

    fn implies(&mut self, arena: &Arena, f: Id, g: Id, depth: u32) -> bool {
        if f == g || f == Id::FALSE || g == Id::TRUE {
            return true;
        }
        if depth == 0 || f == Id::TRUE || g == Id::FALSE {
            return false;
        }
        if arena.op(f).arity() == 0 && arena.op(g).arity() == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(f, g, false)) {
            return known;
        }
        let result = self.by_right(arena, f, g, depth - 1) || self.by_left(arena, f, g, depth - 1);
        self.known.insert((f, g, false), result);
        result
    }

    /// Rules that look into `g`.
    fn by_right(&mut self, m: &Arena, f: Id, g: Id, d: u32) -> bool {
        let universal = m.props(f).has(Props::UNIVERSAL);
        match m.op(g) {
            Op::And | Op::Or => {
                let kids = m.operands(g);
                let kids = kids.as_slice();
                if kids.len() > WIDTH {
                    false
                } else if m.op(g) == Op::And {
                    kids.iter().all(|&k| self.implies(m, f, k, d))
                } else {
                    kids.iter().any(|&k| self.implies(m, f, k, d))
                }
            }
            Op::Finally => self.implies(m, f, m.left(g), d),
            Op::Globally | Op::Next => universal && self.implies(m, f, m.left(g), d),
            Op::Until => self.implies(m, f, m.right(g), d),
            Op::WeakUntil => {
                self.implies(m, f, m.right(g), d) || universal && self.implies(m, f, m.left(g), d)
            }
            Op::Release => {
                self.implies(m, f, m.right(g), d) && (universal || self.implies(m, f, m.left(g), d))
            }
            Op::StrongRelease => self.implies(m, f, m.left(g), d) && self.implies(m, f, m.right(g), d),
            _ => false,
        }
    }

    /// Rules that look into `f`, or into both.
    fn by_left(&mut self, m: &Arena, f: Id, g: Id, d: u32) -> bool {
        let eventual = m.props(g).has(Props::EVENTUAL);
        let both = match (m.op(f), m.op(g)) {
            (Op::Next, Op::Next) => self.implies(m, m.left(f), m.left(g), d),
            (Op::Until, Op::Until | Op::WeakUntil)
            | (Op::WeakUntil, Op::WeakUntil)
            | (Op::Release, Op::Release)
            | (Op::StrongRelease, Op::Release | Op::StrongRelease) => {
                self.implies(m, m.left(f), m.left(g), d) && self.implies(m, m.right(f), m.right(g), d)
            }
            _ => false,
        };
        if both {
            return true;
        }
        match m.op(f) {
            Op::And | Op::Or => {
                let kids = m.operands(f);
                let kids = kids.as_slice();
                if kids.len() > WIDTH {
                    false
                } else if m.op(f) == Op::And {
                    kids.iter().any(|&k| self.implies(m, k, g, d))
                } else {
                    kids.iter().all(|&k| self.implies(m, k, g, d))
                }
            }
            Op::Globally => self.implies(m, m.left(f), g, d),
            Op::Finally | Op::Next => eventual && self.implies(m, m.left(f), g, d),
            Op::Until => self.implies(m, m.right(f), g, d) && (eventual || self.implies(m, m.left(f), g, d)),
            Op::WeakUntil => self.implies(m, m.left(f), g, d) && self.implies(m, m.right(f), g, d),
            Op::Release => self.implies(m, m.right(f), g, d),
            Op::StrongRelease => {
                self.implies(m, m.right(f), g, d) || eventual && self.implies(m, m.left(f), g, d)
            }
            _ => false,
        }
    }

    /// f ∧ g unsatisfiable?
    fn disjoint(&mut self, m: &Arena, f: Id, g: Id, depth: u32) -> bool {
        if f == Id::FALSE || g == Id::FALSE {
            return true;
        }
        if depth == 0 || f == Id::TRUE || g == Id::TRUE {
            return false;
        }
        let (f, g) = (f.min(g), f.max(g));
        if m.op(g) == Op::Not && m.left(g) == f {
            return true;
        }
        if let Some(&known) = self.known.get(&(f, g, true)) {
            return known;
        }
        let d = depth - 1;
        let result = self.disjoint_left(m, f, g, d) || self.disjoint_left(m, g, f, d);
        self.known.insert((f, g, true), result);
        result
    }

    fn disjoint_left(&mut self, m: &Arena, f: Id, g: Id, d: u32) -> bool {
        match m.op(f) {
            Op::And | Op::Or => {
                let kids = m.operands(f);
                let kids = kids.as_slice();
                if kids.len() > WIDTH {
                    false
                } else if m.op(f) == Op::And {
                    kids.iter().any(|&k| self.disjoint(m, k, g, d))
                } else {
                    kids.iter().all(|&k| self.disjoint(m, k, g, d))
                }
            }
            // What f demands at once, or, against a universal g, at some time.
            Op::Globally => {
                self.disjoint(m, m.left(f), g, d)
                    || m.op(g) == Op::Next && self.disjoint(m, f, m.left(g), d)
                    || m.op(g) == Op::Finally && self.disjoint(m, f, m.left(g), d)
            }
            Op::Finally => m.props(g).has(Props::UNIVERSAL) && self.disjoint(m, m.left(f), g, d),
            Op::Next => m.op(g) == Op::Next && self.disjoint(m, m.left(f), m.left(g), d),
            Op::Until => {
                self.disjoint(m, m.right(f), g, d)
                    && (m.props(g).has(Props::UNIVERSAL) || self.disjoint(m, m.left(f), g, d))
            }
            Op::WeakUntil => self.disjoint(m, m.left(f), g, d) && self.disjoint(m, m.right(f), g, d),
            Op::Release | Op::StrongRelease => self.disjoint(m, m.right(f), g, d),
            _ => false,
        }
    }
}
