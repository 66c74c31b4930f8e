//! OWCTY: One-Way Catch Them Young.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each fair set Fᵢ do
//!     Fᵢ := Fᵢ ∧ b
//!     b := E[b U (b ∧ EX Fᵢ)]
//!   while b changes do
//!     b := b ∧ EX b
//! ```
//!
//! The variant of FFKVY01's footnote 4 prunes inside the loop over the fair sets.
//!
//! # References
//! FFKVY01, Figure 1 (right); R. Hojati, H. Touati, R. Kurshan, R. Brayton, *Efficient ω-regular language
//! containment*, CAV 1992 (EL2, forward).

use super::Problem;
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    one_way(e, problem, false)
}

/// EG_fair invariant, with pruning after each fair set.
pub fn fair_states_pruning_inside<S: Space>(
    e: &mut Engine<S>,
    problem: &Problem<S::Set>,
) -> Result<S::Set, Stop> {
    one_way(e, problem, true)
}

fn one_way<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>, inside: bool) -> Result<S::Set, Stop> {
    let mut fair = problem.fair_sets(e)?;
    let mut b = problem.invariant.clone();
    e.line("b := invariant", &b);
    loop {
        let before = b.clone();
        for f in &mut fair {
            *f = e.and(f, &b)?;
            e.line("Fᵢ := Fᵢ ∧ b", f);
            let before_f = e.ex(f)?;
            let target = e.and(&b, &before_f)?;
            b = e.eu(&b, &target)?;
            e.line("b := E[b U (b ∧ EX Fᵢ)]", &b);
            if inside {
                prune(e, &mut b)?;
            }
        }
        if !inside {
            prune(e, &mut b)?;
        }
        e.iterated(&b);
        if b == before {
            return Ok(b);
        }
    }
}

/// `while b changes do b := b ∧ EX b`
pub(super) fn prune<S: Space>(e: &mut Engine<S>, b: &mut S::Set) -> Result<(), Stop> {
    loop {
        let back = e.ex(b)?;
        let next = e.and(b, &back)?;
        if next == *b {
            return Ok(());
        }
        *b = next;
        e.line("b := b ∧ EX b", b);
    }
}
