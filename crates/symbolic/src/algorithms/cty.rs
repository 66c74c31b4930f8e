//! CTY: Catch Them Young, by Hardin, Kurshan, Shukla and Vardi.
//!
//! ```text
//! b := invariant
//! while b changes do
//!   for each fair set Fᵢ do
//!     Fᵢ := Fᵢ ∧ b
//!     b := E[true U Fᵢ] ∧ E[true S Fᵢ]
//!   while b changes do
//!     b := b ∧ EX b ∧ EY b
//! res := EF b
//! ```
//!
//! Two deviations, both without effect where the paper uses the algorithm, with one fair set and all states as
//! invariant. «true» is the invariant, as paths leave it otherwise. The new b is intersected with the old one, as
//! what one fair set removed would return with the next.
//!
//! # References
//! R. H. Hardin, R. P. Kurshan, S. K. Shukla, M. Y. Vardi, *A new heuristic for bad cycle detection using BDDs*,
//! CAV 1997; FFKVY01, Figure 1 (middle).

use super::Problem;
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    catch(e, problem, "b := E[true U Fᵢ] ∧ E[true S Fᵢ]", |_| problem.invariant.clone())
}

/// CTY and CTY+: they differ in the set through which a fair set is to be reached, given the present b.
pub(super) fn catch<S: Space>(
    e: &mut Engine<S>,
    problem: &Problem<S::Set>,
    line: &'static str,
    through: impl Fn(&S::Set) -> S::Set,
) -> Result<S::Set, Stop> {
    let mut fair = problem.fair_sets(e)?;
    let mut b = problem.invariant.clone();
    e.line("b := invariant", &b);
    loop {
        let before = b.clone();
        for f in &mut fair {
            *f = e.and(f, &b)?;
            e.line("Fᵢ := Fᵢ ∧ b", f);
            let paths = through(&b);
            let (reaching, reached) = (e.eu(&paths, f)?, e.es(&paths, f)?);
            // Deviation: ∧ b.
            b = e.and(&b, &e.and(&reaching, &reached)?)?;
            e.line(line, &b);
        }
        prune(e, &mut b)?;
        e.iterated(&b);
        if b == before {
            break;
        }
    }
    // Deviation: paths stay in the invariant.
    let res = e.eu(&problem.invariant, &b)?;
    e.line("res := EF b", &res);
    Ok(res)
}

/// `while b changes do b := b ∧ EX b ∧ EY b`
fn prune<S: Space>(e: &mut Engine<S>, b: &mut S::Set) -> Result<(), Stop> {
    loop {
        let (back, forth) = (e.ex(b)?, e.ey(b)?);
        let next = e.and(b, &e.and(&back, &forth)?)?;
        if next == *b {
            return Ok(());
        }
        *b = next;
        e.line("b := b ∧ EX b ∧ EY b", b);
    }
}
