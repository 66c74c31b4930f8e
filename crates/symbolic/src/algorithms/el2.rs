//! EL2: the forward version of OWCTY, by Hojati, Touati, Kurshan and Brayton.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each fair set Fᵢ do
//!     Fᵢ := Fᵢ ∧ b
//!     b := E[b S (b ∧ EY Fᵢ)]
//!   while b changes do
//!     b := b ∧ EY b
//! ```
//!
//! The original begins with the reachable states; here the invariant is inside them already. The result contains
//! every fair component and what is behind it, so its emptiness decides. For the states *before* fair components, which
//! is what EG asks for, OWCTY runs inside it and EU ends it; these steps are counted like the others.
//!
//! # References
//! R. Hojati, H. Touati, R. Kurshan, R. Brayton, *Efficient ω-regular language containment*, CAV 1992; K. Ravi,
//! R. Bloem, F. Somenzi, *A comparative study of symbolic algorithms for the computation of fair cycles*, FMCAD 2000.

use super::{Problem, owcty};
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    let b = hull(e, problem)?;
    if e.is_empty(&b) {
        return Ok(b);
    }
    let inside = Problem { invariant: b, fair: problem.fair.clone(), strength: problem.strength };
    let b = owcty::fair_states(e, &inside)?;
    e.eu(&problem.invariant, &b)
}

/// A set that contains every fair component, and is empty if there is none.
pub fn hull<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    let mut fair = problem.fair_sets(e)?;
    let mut b = problem.invariant.clone();
    e.line("b := invariant", &b);
    loop {
        let before = b.clone();
        for f in &mut fair {
            *f = e.and(f, &b)?;
            e.line("Fᵢ := Fᵢ ∧ b", f);
            let after_f = e.ey(f)?;
            let target = e.and(&b, &after_f)?;
            b = e.es(&b, &target)?;
            e.line("b := E[b S (b ∧ EY Fᵢ)]", &b);
        }
        loop {
            let forth = e.ey(&b)?;
            let next = e.and(&b, &forth)?;
            if next == b {
                break;
            }
            b = next;
            e.line("b := b ∧ EY b", &b);
        }
        e.iterated(&b);
        if b == before {
            return Ok(b);
        }
    }
}
