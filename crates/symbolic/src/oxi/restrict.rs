//! Restriction to a care set: outside it the result may be anything, so it may be small.
//!
//! ```text
//! restrict(f, c):
//!   if c = 1 or f is constant: return f
//!   if f = c: return 1;  if f = ¬c: return 0
//!   v := top variable of c
//!   if v is above f's top variable: return restrict(f, c₀ ∨ c₁)
//!   v := top variable of f
//!   if c₁ = 0: return restrict(f₀, c₀);  if c₀ = 0: return restrict(f₁, c₁)
//!   return (v, restrict(f₁, c₁), restrict(f₀, c₀))
//! ```
//!
//! # References
//! O. Coudert, J.-C. Madre, *A unified framework for the formal verification of sequential circuits*, ICCAD 1990.

use super::{E, M, Rules};
use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, Ref};
use oxidd::{BooleanFunction, Function, HasLevel, LevelNo, Manager, Node};
use oxidd_core::util::{EdgeDropGuard, Own};
use oxidd_core::{ApplyCache, DiagramRules, HasApplyCache};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

/// OxiDD's own operation of that name has no numeric operand, so this one keeps the results apart in the cache.
const CARE: u32 = 1;

/// Some function that agrees with `f` on `care`.
pub fn restrict(m: &M<'_>, f: &BCDDFunction, care: &BCDDFunction) -> AllocResult<BCDDFunction> {
    Ok(BCDDFunction::from_edge(m, step(m, f.as_edge(m), care.as_edge(m))?))
}

fn not<'a, 'id>(e: Ref<'a, E<'id>>) -> Ref<'a, E<'id>> {
    e.with_tag(!e.tag())
}

/// The cofactors (high, low) of `e` by the variable of `level`, which is not below its top.
fn cofactors<'a, 'id>(
    m: &'a M<'id>,
    e: Ref<'a, E<'id>>,
    level: LevelNo,
) -> (Ref<'a, E<'id>>, Ref<'a, E<'id>>) {
    match m.get_node(e) {
        Node::Inner(node) if node.level() == level => {
            let mut both = <Rules<'id> as DiagramRules<_, _, _>>::cofactors(e.tag(), node);
            match (both.next(), both.next()) {
                (Some(high), Some(low)) => (high, low),
                _ => unreachable!("a node has two children"),
            }
        }
        _ => (e, e),
    }
}

/// The recursion is as deep as there are levels.
fn step<'id>(m: &M<'id>, f: Ref<'_, E<'id>>, c: Ref<'_, E<'id>>) -> AllocResult<Own<E<'id>>> {
    let (Node::Inner(f_node), Node::Inner(c_node)) = (m.get_node(f), m.get_node(c)) else {
        return Ok(m.clone_edge(f));
    };
    if f == c {
        return Ok(BCDDFunction::t_edge(m));
    }
    if f == not(c) {
        return Ok(BCDDFunction::f_edge(m));
    }
    if let Some(([done], [])) = m.apply_cache().get_extended(m, BCDDOp::Restrict, (&[f, c], &[CARE])) {
        return Ok(done);
    }
    let (f_level, c_level) = (f_node.level(), c_node.level());
    let done = if c_level < f_level {
        let (high, low) = cofactors(m, c, c_level);
        let either = EdgeDropGuard::new(m, BCDDFunction::or_edge(m, high, low)?);
        step(m, f, either.borrowed())?
    } else {
        let ((f1, f0), (c1, c0)) = (cofactors(m, f, f_level), cofactors(m, c, f_level));
        let never = |e: Ref<'_, E<'id>>| e.tag() == EdgeTag::Complemented && m.get_node(e).is_any_terminal();
        if never(c1) {
            step(m, f0, c0)?
        } else if never(c0) {
            step(m, f1, c1)?
        } else {
            let high = EdgeDropGuard::new(m, step(m, f1, c1)?);
            let low = step(m, f0, c0)?;
            let children = [high.into_edge(), low];
            <Rules<'id> as DiagramRules<_, _, _>>::reduce(m, f_level, children).then_insert(m, f_level)?
        }
    };
    m.apply_cache().add_extended(m, BCDDOp::Restrict, (&[f, c], &[CARE]), (&[done.borrowed()], &[]));
    Ok(done)
}
