//! BRS: Bloem, Ravi and Somenzi's choice by the structure of the system.
//!
//! ```text
//! terminal: EF fair
//! weak:     EF EG fair
//! else:     EG_fair true
//! ```
//!
//! With several fair sets «fair» is their intersection: a weak component either lies inside all of them or misses
//! one. EG is the greatest fixpoint of b ∧ EX b. The general case is left to OWCTY.
//!
//! # References
//! R. Bloem, K. Ravi, F. Somenzi, *Efficient decision procedures for model checking of linear time logic properties*,
//! CAV 1999; FFKVY01, section 4.

use super::{Problem, Strength, owcty};
use crate::{Engine, Space};
use riata_system::Stop;

/// The states from which a fair path inside the invariant can be reached.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    if problem.strength == Strength::General {
        return owcty::fair_states(e, problem);
    }
    let mut b = problem.fair_sets(e)?.iter().try_fold(problem.invariant.clone(), |b, f| e.and(&b, f))?;
    if problem.strength == Strength::Weak {
        owcty::prune(e, &mut b)?;
        e.line("weak:     EF EG fair", &b);
    } else {
        e.line("terminal: EF fair", &b);
    }
    e.iterated(&b);
    e.eu(&problem.invariant, &b)
}
