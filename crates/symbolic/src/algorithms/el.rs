//! EL: Emerson and Lei's algorithm, as VIS has it.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each fair set Fᵢ do
//!     d := E[b U (Fᵢ ∧ b)]
//!     b := b ∧ EX d
//! ```
//!
//! # References
//! E. A. Emerson, C. L. Lei, *Efficient model checking in fragments of the propositional mu-calculus*, LICS 1986;
//! FFKVY01, Figure 1 (left).

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
        for f in &fair {
            let target = e.and(f, &b)?;
            let d = e.eu(&b, &target)?;
            e.line("d := E[b U (Fᵢ ∧ b)]", &d);
            let before_d = e.ex(&d)?;
            b = e.and(&b, &before_d)?;
            e.line("b := b ∧ EX d", &b);
        }
        e.iterated(&b);
        if b == before {
            return Ok(b);
        }
    }
}
