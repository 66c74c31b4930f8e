//! Strong fairness: paths that visit each Jᵢ infinitely often and, for each pair (p, q), q infinitely often if p
//! infinitely often.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each justice set J do
//!     b := E[b U (b ∧ J)]
//!   for each compassion pair (p, q) do
//!     b := (b ∧ ¬p) ∨ E[b U (b ∧ q)]
//!   while b changes do
//!     b := b ∧ EX b
//! res := E[invariant U b]
//! ```
//!
//! The backward version of Kesten, Pnueli and Raviv's algorithm. A component of b from which no other can be reached
//! meets every J, and q if it meets p; and no fair cycle is ever removed.
//!
//! # References
//! Y. Kesten, A. Pnueli, L. Raviv, *Algorithmic verification of linear temporal logic specifications*, ICALP 1998.

use super::{Problem, owcty};
use crate::{Engine, Space};
use riata_system::Stop;

/// The hull b, and the states that can reach it inside the invariant: those with a fair path.
pub fn fair_states<S: Space>(
    e: &mut Engine<S>,
    problem: &Problem<S::Set>,
    compassion: &[(S::Set, S::Set)],
) -> Result<(S::Set, S::Set), Stop> {
    let mut b = problem.invariant.clone();
    loop {
        let before = b.clone();
        for j in &problem.fair {
            let target = e.and(j, &b)?;
            b = e.eu(&b, &target)?;
        }
        for (p, q) in compassion {
            let target = e.and(q, &b)?;
            let reaching = e.eu(&b, &target)?;
            b = e.or(&e.minus(&b, p)?, &reaching)?;
        }
        owcty::prune(e, &mut b)?;
        e.iterated(&b);
        if b == before {
            break;
        }
    }
    let all = e.eu(&problem.invariant, &b)?;
    Ok((b, all))
}
