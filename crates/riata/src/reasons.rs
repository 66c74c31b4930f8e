//! Why a counterexample violates a formula, in words: what is owed and never fulfilled, what fails where.
//!
//! Works on any system: a formula sees only the propositions. It is also a check of the verdict that shares nothing
//! with the search, the product or the translation: the formula is evaluated on the word of the lasso, by definition.

use riata_ltl::reasons::Kind;
use riata_ltl::{Dialect, Ltl, Reason, Word, print, reasons};
use riata_report::answer;
use riata_system::{Lasso, Path, System};

/// The formula of a property, as the user wrote it.
#[derive(Clone)]
pub struct Asked {
    /// The formula.
    pub ltl: Ltl,
    /// The notation to answer in.
    pub dialect: Dialect,
}

/// Why a counterexample violates a formula.
pub struct Why {
    asked: Ltl,
    dialect: Dialect,
    reasons: Vec<Reason>,
}

impl Asked {
    /// Why the run `lasso` of `system`, whose valuations tell the propositions `names`, violates the formula.
    ///
    /// # Panics
    /// If it does not: then a verdict is wrong, which is a bug.
    pub fn why<S: System>(&self, system: &S, names: &[impl AsRef<str>], lasso: &Lasso) -> Why {
        let bit = |ap: &String| names.iter().position(|n| n.as_ref() == *ap);
        let bits: Vec<Option<usize>> = self.ltl.arena.aps().iter().map(bit).collect();
        let letters = |path: &Path| {
            let letter = |s: &[u32]| {
                let v = system.valuation(&s[..system.len(s)]).0;
                bits.iter().map(|b| b.is_some_and(|b| v >> b & 1 == 1)).collect()
            };
            path.iter().map(letter).collect()
        };
        self.why_not(&Word { stem: letters(&lasso.stem), cycle: letters(&lasso.cycle) })
    }

    /// Why a word violates the formula.
    ///
    /// # Panics
    /// If it does not: then a verdict is wrong, which is a bug.
    pub fn why_not(&self, word: &Word) -> Why {
        let mut asked = self.ltl.clone();
        let reasons = reasons(&mut asked.arena, asked.root, word);
        assert!(!reasons.is_empty(), "internal error: the counterexample satisfies the formula");
        Why { asked, dialect: self.dialect, reasons }
    }
}

impl Why {
    /// The same reasons, where letter `i` of the word is state `places[i]` of what is shown.
    pub fn placed(mut self, places: &[usize]) -> Why {
        let place = |i: usize| places.get(i).copied().unwrap_or(i);
        for r in &mut self.reasons {
            r.at = place(r.at);
            if let Kind::Broken(end) = &mut r.kind {
                *end = place(*end);
            }
        }
        self
    }

    fn formula(&self, r: &Reason) -> String {
        let text = print(&self.asked.arena, r.formula, self.dialect);
        if self.dialect != Dialect::Smv {
            return text;
        }
        // SMV has no propositions in quotation marks, but conditions in brackets.
        let pieces = text.split('"').enumerate();
        pieces.map(|(i, piece)| if i % 2 == 1 { format!("({piece})") } else { piece.to_string() }).collect()
    }

    /// One line for each reason; `place` names a step.
    pub fn to_text(&self, place: impl Fn(usize) -> String) -> String {
        let line = |r: &Reason| {
            let (formula, at) = (self.formula(r), place(r.at));
            match r.kind {
                Kind::NeverFulfilled => {
                    format!("  `{formula}` is owed since {at} and never fulfilled in the loop\n")
                }
                Kind::Broken(end) => {
                    format!("  `{formula}` is owed since {at} and broken at {}\n", place(end))
                }
                Kind::Fails => format!("  `{formula}` does not hold at {at}\n"),
            }
        };
        self.reasons.iter().map(line).collect()
    }

    /// For programs.
    pub fn list(&self) -> Vec<answer::Reason> {
        let one = |r: &Reason| answer::Reason {
            formula: self.formula(r),
            step: r.at,
            kind: match r.kind {
                Kind::NeverFulfilled => "never fulfilled",
                Kind::Broken(_) => "broken",
                Kind::Fails => "fails",
            },
            end: if let Kind::Broken(end) = r.kind { Some(end) } else { None },
        };
        self.reasons.iter().map(one).collect()
    }
}
