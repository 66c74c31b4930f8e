//! CHAIN: components in a linear number of images, by Larsen et al.
//!
//! ```text
//! chain(V, S):
//!   v := a state of S if S ≠ ∅, else of V
//!   F := {v}, layer by layer: Layer := (EY Layer ∧ V) \ F until it is empty; L := the last layer
//!   C := {v}, backward inside F: C := C ∪ (EX C ∧ F) until it does not change
//!   C is a component
//!   chain(F \ C, L \ C)
//!   chain(V \ F, (EX C ∧ V) \ F)
//! ```
//!
//! The next pivot is far from the last one, so the forward searches of a chain of pivots share little.
//!
//! An external iteration is one component. Parts that miss a fair set are not decomposed: they hold no fair
//! component. A stack takes the place of the recursion.
//!
//! # References
//! C. A. Larsen, S. M. Schmidt, J. Steensgaard, A. B. Jakobsen, J. van de Pol, A. Pavlogiannis, *A truly symbolic
//! linear-time algorithm for SCC decomposition*, TACAS 2023.

use super::{Problem, scc::FairComponents};
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    let mut found = FairComponents::new(e, problem)?;
    let mut parts = vec![(problem.invariant.clone(), e.space.none())];
    while let Some((v, start)) = parts.pop() {
        e.line("chain(V, S):", &v);
        if !found.is_possible(e, &v)? {
            continue;
        }
        let pivot = e.space.pick(if e.is_empty(&start) { &v } else { &start })?;
        e.line("v := a state of S if S ≠ ∅, else of V", &pivot);
        let (f, last) = forward(e, &v, &pivot)?;
        let c = e.eu(&f, &pivot)?;
        e.line("C is a component", &c);
        found.report(e, &c)?;
        let before = e.ex(&c)?;
        let rest = e.minus(&v, &f)?;
        let start = e.and(&before, &rest)?;
        parts.push((rest, start));
        parts.push((e.minus(&f, &c)?, e.minus(&last, &c)?));
    }
    found.before(e, problem)
}

/// What `pivot` reaches inside `v`, and the last layer of the search.
fn forward<S: Space>(e: &mut Engine<S>, v: &S::Set, pivot: &S::Set) -> Result<(S::Set, S::Set), Stop> {
    let (mut f, mut layer) = (pivot.clone(), pivot.clone());
    loop {
        let after = e.ey(&layer)?;
        let next = e.minus(&e.and(&after, v)?, &f)?;
        if e.is_empty(&next) {
            return Ok((f, layer));
        }
        f = e.or(&f, &next)?;
        e.line("F := {v}, layer by layer:", &f);
        layer = next;
    }
}
