//! EL as SMV has it: the last image computation is outside the loop over the fair sets.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   d := b
//!   for each fair set Fᵢ do
//!     d := d ∧ E[b U (Fᵢ ∧ b)]
//!   b := b ∧ EX d
//! ```
//!
//! # References
//! FFKVY01, footnote 2; K. L. McMillan, *Symbolic model checking*, 1993.

use super::Problem;
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    let fair = problem.fair_sets(e)?;
    let mut b = problem.invariant.clone();
    e.line("b := invariant", &b);
    loop {
        let before = b.clone();
        let mut d = b.clone();
        e.line("d := b", &d);
        for f in &fair {
            let target = e.and(f, &b)?;
            let reaches = e.eu(&b, &target)?;
            d = e.and(&d, &reaches)?;
            e.line("d := d ∧ E[b U (Fᵢ ∧ b)]", &d);
        }
        let before_d = e.ex(&d)?;
        b = e.and(&b, &before_d)?;
        e.line("b := b ∧ EX d", &b);
        e.iterated(&b);
        if b == before {
            return Ok(b);
        }
    }
}
