//! Renaming of variables.
//!
//! Where the order is kept, a node becomes a node: no *ite*, one pass. That is the case that matters, next-state
//! variables becoming current ones, with each pair adjacent in the order. Elsewhere *ite* puts the variable in its
//! place, so the result is right for every renaming. Results stay in OxiDD's cache under the operator of
//! substitution, with the renaming's own number.

use super::{E, M, Rules};
use crate::bdd::Renaming;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, Ref};
use oxidd::{BooleanFunction, Function, HasLevel, LevelNo, Manager, Node};
use oxidd_core::util::{EdgeDropGuard, Own};
use oxidd_core::{ApplyCache, DiagramRules, HasApplyCache};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

/// `f` with its variables renamed.
pub fn rename(m: &M<'_>, f: &BCDDFunction, renaming: &Renaming) -> AllocResult<BCDDFunction> {
    let mut to: Vec<LevelNo> = (0..m.num_levels()).collect();
    for &(a, b) in &renaming.pairs {
        to[m.var_to_level(a) as usize] = m.var_to_level(b);
    }
    Ok(BCDDFunction::from_edge(m, step(m, f.as_edge(m), &to, renaming.id)?))
}

fn level<'id>(m: &M<'id>, e: Ref<'_, E<'id>>) -> LevelNo {
    match m.get_node(e) {
        Node::Inner(node) => node.level(),
        Node::Terminal(_) => LevelNo::MAX,
    }
}

/// The recursion is as deep as there are levels.
fn step<'id>(m: &M<'id>, f: Ref<'_, E<'id>>, to: &[LevelNo], id: u32) -> AllocResult<Own<E<'id>>> {
    let Node::Inner(node) = m.get_node(f) else { return Ok(m.clone_edge(f)) };
    // A function and its complement share their results.
    let (tag, f) = (f.tag(), f.with_tag(EdgeTag::None));
    let flip = |e: Own<E<'id>>| {
        let own = e.tag();
        e.with_tag(own ^ tag)
    };
    if let Some(([done], [])) = m.apply_cache().get_extended(m, BCDDOp::Substitute, (&[f], &[id])) {
        return Ok(flip(done));
    }
    let mut cofactors = <Rules<'id> as DiagramRules<_, _, _>>::cofactors(f.tag(), node);
    let (Some(high), Some(low)) = (cofactors.next(), cofactors.next()) else { unreachable!() };
    let high = EdgeDropGuard::new(m, step(m, high, to, id)?);
    let low = EdgeDropGuard::new(m, step(m, low, to, id)?);
    let at = to[node.level() as usize];
    let done = if at < level(m, high.borrowed()) && at < level(m, low.borrowed()) {
        <Rules<'id> as DiagramRules<_, _, _>>::reduce(m, at, [high.into_edge(), low.into_edge()])
            .then_insert(m, at)?
    } else {
        let v = EdgeDropGuard::new(m, BCDDFunction::var_edge(m, m.level_to_var(at))?);
        BCDDFunction::ite_edge(m, v.borrowed(), high.borrowed(), low.borrowed())?
    };
    m.apply_cache().add_extended(m, BCDDOp::Substitute, (&[f], &[id]), (&[done.borrowed()], &[]));
    Ok(flip(done))
}
