//! LOCKSTEP: components in O(n log n) images, by Bloem, Gabow and Somenzi.
//!
//! ```text
//! report(V):
//!   if V = ∅ return
//!   v := a state of V
//!   F, B, FFront, BFront := {v}
//!   while FFront ≠ ∅ and BFront ≠ ∅:
//!     FFront := (EY FFront ∧ V) \ F;  BFront := (EX BFront ∧ V) \ B
//!     F := F ∪ FFront;                B := B ∪ BFront
//!   if FFront = ∅:
//!     Converged := F
//!     while BFront ∧ F ≠ ∅:  BFront := (EX BFront ∧ V) \ B;  B := B ∪ BFront
//!   else:
//!     Converged := B
//!     while FFront ∧ B ≠ ∅:  FFront := (EY FFront ∧ V) \ F;  F := F ∪ FFront
//!   C := F ∧ B, a component
//!   report(Converged \ C);  report(V \ Converged)
//! ```
//!
//! An external iteration is one component. Parts that miss a fair set are not decomposed: they hold no fair
//! component. A stack takes the place of the recursion.
//!
//! # References
//! R. Bloem, H. N. Gabow, F. Somenzi, *An algorithm for strongly connected component analysis in n log n symbolic
//! steps*, FMCAD 2000.

use super::{Problem, scc::FairComponents};
use crate::{Engine, Space};
use riata_system::Stop;

/// EG_fair invariant.
pub fn fair_states<S: Space>(e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
    let mut found = FairComponents::new(e, problem)?;
    let mut parts = vec![problem.invariant.clone()];
    while let Some(v) = parts.pop() {
        e.line("report(V):", &v);
        if !found.is_possible(e, &v)? {
            continue;
        }
        let (c, converged) = component(e, &v)?;
        found.report(e, &c)?;
        parts.push(e.minus(&v, &converged)?);
        parts.push(e.minus(&converged, &c)?);
    }
    found.before(e, problem)
}

/// A component of the part `v`, and the set that converged first.
fn component<S: Space>(e: &mut Engine<S>, v: &S::Set) -> Result<(S::Set, S::Set), Stop> {
    let mut forth = e.space.pick(v)?;
    let mut back = forth.clone();
    let (mut f, mut b) = (forth.clone(), forth.clone());
    e.line("v := a state of V", &f);
    while !e.is_empty(&forth) && !e.is_empty(&back) {
        let (after, before) = (e.ey(&forth)?, e.ex(&back)?);
        forth = e.minus(&e.and(&after, v)?, &f)?;
        back = e.minus(&e.and(&before, v)?, &b)?;
        f = e.or(&f, &forth)?;
        b = e.or(&b, &back)?;
        e.line("F := F ∪ FFront;", &f);
        e.line("B := B ∪ BFront", &b);
    }
    let converged = if e.is_empty(&forth) {
        while !e.is_empty(&e.and(&back, &f)?) {
            let before = e.ex(&back)?;
            back = e.minus(&e.and(&before, v)?, &b)?;
            b = e.or(&b, &back)?;
            e.line("while BFront ∧ F ≠ ∅:", &b);
        }
        f.clone()
    } else {
        while !e.is_empty(&e.and(&forth, &b)?) {
            let after = e.ey(&forth)?;
            forth = e.minus(&e.and(&after, v)?, &f)?;
            f = e.or(&f, &forth)?;
            e.line("while FFront ∧ B ≠ ∅:", &f);
        }
        b.clone()
    };
    let c = e.and(&f, &b)?;
    e.line("C := F ∧ B, a component", &c);
    Ok((c, converged))
}
