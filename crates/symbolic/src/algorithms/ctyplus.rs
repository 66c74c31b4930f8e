//! CTY+: [`super::cty`] with reachability inside the approximation set: «true» is replaced by b in EU and ES.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each fair set Fᵢ do
//!     Fᵢ := Fᵢ ∧ b
//!     b := E[b U Fᵢ] ∧ E[b S Fᵢ]
//!   while b changes do
//!     b := b ∧ EX b ∧ EY b
//! res := EF b
//! ```
//!
//! # References
//! FFKVY01, section 3.1.

use super::Problem;
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    super::cty::catch(e, problem, "b := E[b U Fᵢ] ∧ E[b S Fᵢ]", Clone::clone)
}
