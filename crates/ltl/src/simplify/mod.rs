//! Rewriting to smaller or easier formulas of the same meaning.
//!
//! `simplify` brings a formula to negation normal form and applies, bottom-up, the rules of `rules`: constants and
//! basic identities, pure eventualities and universalities (Etessami–Holzmann), and rules whose side condition is an
//! implication between operands, decided syntactically by `implication` (Somenzi–Bloem). Rules whose side condition
//! needs automata (containment) live with the automata.
//!
//! # References
//! K. Etessami, G. Holzmann, *Optimizing Büchi automata*, CONCUR 2000.
//! F. Somenzi, R. Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000.
//! T. Babiak, M. Křetínský, V. Řehák, J. Strejček, *LTL to Büchi automata translation: fast and more deterministic*,
//! TACAS 2012.

mod implication;
mod nary;
mod rules;

use crate::formula::{Arena, Id, Op};
use crate::nnf::nnf;
use implication::Implication;

/// Which rules are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Constants, idempotence, X, nested F and G.
    pub basic: bool,
    /// Pure eventualities and universalities.
    pub eventual: bool,
    /// Side conditions that are implications.
    pub implication: bool,
}

impl Rules {
    /// All of them.
    pub const ALL: Rules = Rules { basic: true, eventual: true, implication: true };
    /// Only the normal form.
    pub const NONE: Rules = Rules { basic: false, eventual: false, implication: false };
}

/// The rewriter: rules, what is known of implications, and how deep rules may still call each other.
#[derive(Clone, Debug)]
pub struct Simplifier {
    rules: Rules,
    implication: Implication,
    depth: u32,
}

/// Deeper calls build the node as it is: a formula may be nested 100,000 deep, the machine's stack is not.
const DEPTH: u32 = 64;

impl Simplifier {
    /// A rewriter with the given rules.
    pub fn new(rules: Rules) -> Self {
        Simplifier { rules, implication: Implication::default(), depth: 0 }
    }

    /// `f` in negation normal form, simplified. Past operators are left as they are.
    pub fn simplify(&mut self, arena: &mut Arena, f: Id) -> Id {
        nnf(arena, f, |arena, op, kids| self.build(arena, op, kids))
    }

    /// op(kids), simplified; `kids` are in normal form and simplified.
    pub fn build(&mut self, arena: &mut Arena, op: Op, kids: &[Id]) -> Id {
        if !self.rules.basic || self.depth >= DEPTH || op.is_past() {
            return arena.raw(op, kids);
        }
        self.depth += 1;
        let f = match op {
            Op::And | Op::Or => self.nary(arena, op, kids),
            Op::Next => self.next(arena, kids[0]),
            Op::Finally => self.finally(arena, kids[0]),
            Op::Globally => self.globally(arena, kids[0]),
            Op::Until => self.until(arena, kids[0], kids[1]),
            Op::Release => self.release(arena, kids[0], kids[1]),
            Op::WeakUntil => self.weak_until(arena, kids[0], kids[1]),
            Op::StrongRelease => self.strong_release(arena, kids[0], kids[1]),
            _ => arena.raw(op, kids),
        };
        self.depth -= 1;
        f
    }

    /// Does `f` imply `g`, as far as their shapes tell?
    pub fn implies(&mut self, arena: &Arena, f: Id, g: Id) -> bool {
        self.rules.implication && self.implication.holds(arena, f, g)
    }

    /// Does `f` imply ¬`g`, as far as their shapes tell?
    fn excludes(&mut self, arena: &Arena, f: Id, g: Id) -> bool {
        self.rules.implication && self.implication.excludes(arena, f, g)
    }
}

/// `f` in negation normal form, simplified with all rules.
pub fn simplify(arena: &mut Arena, f: Id) -> Id {
    Simplifier::new(Rules::ALL).simplify(arena, f)
}
