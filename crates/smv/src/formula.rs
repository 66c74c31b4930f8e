//! Specifications in the forms of the engines: CTL as an arena over sets, LTL as a formula over propositions.

use crate::ast::{Binary, Kind, Modal, Modal2, Unary};
use crate::encode::{Encoder, Fail};
use crate::model::{E, Model, Op};
use crate::types::Types;
use riata_ltl::{Ltl, Op as L};
use riata_source::Diagnostic;
use riata_symbolic::Bdd;
use riata_symbolic::ctl::{Arena, Ctl, Id};
use std::collections::HashMap;

/// An LTL formula, and the conditions that its propositions stand for.
pub struct Linear {
    /// The formula; proposition `p3` is the fourth of the conditions.
    pub ltl: Ltl,
    /// The conditions.
    pub atoms: Vec<E>,
}

fn mixed(model: &Model, e: E) -> Diagnostic {
    Diagnostic::error(model.node(e).span, "temporal operators cannot be inside this operator")
        .help("they can be combined by `!`, `&`, `|`, `->`, `<->` and `xor`")
}

/// A specification as an LTL formula.
pub fn linear(model: &Model, types: &Types, root: E) -> Result<Linear, Diagnostic> {
    let mut arena = riata_ltl::Arena::new();
    let mut atoms = Vec::new();
    let mut done: HashMap<E, riata_ltl::Id> = HashMap::new();
    for e in temporal_parts(model, root, |e| types.of(e).ltl) {
        let node = model.node(e);
        let kids: Vec<riata_ltl::Id> = node.kids.iter().filter_map(|k| done.get(k).copied()).collect();
        let id = if types.of(e).ltl {
            let op = match &node.op {
                Op::Apply(Kind::Unary(Unary::Not)) => L::Not,
                Op::Apply(Kind::Binary(op)) => match op {
                    Binary::And => L::And,
                    Binary::Or => L::Or,
                    Binary::Implies => L::Implies,
                    Binary::Iff | Binary::Xnor => L::Iff,
                    Binary::Xor => L::Xor,
                    _ => return Err(mixed(model, e)),
                },
                Op::Apply(Kind::Modal(op)) => match op {
                    Modal::Next => L::Next,
                    Modal::Finally => L::Finally,
                    Modal::Globally => L::Globally,
                    Modal::Yesterday => L::Yesterday,
                    Modal::WeakYesterday => L::WeakYesterday,
                    Modal::Once => L::Once,
                    Modal::Historically => L::Historically,
                    Modal::FinallyIn(from, to)
                    | Modal::GloballyIn(from, to)
                    | Modal::OnceIn(from, to)
                    | Modal::HistoricallyIn(from, to) => {
                        done.insert(e, bounded_linear(&mut arena, *op, kids[0], *from, *to));
                        continue;
                    }
                    _ => return Err(mixed(model, e)),
                },
                Op::Apply(Kind::Modal2(op)) => match op {
                    Modal2::Until => L::Until,
                    Modal2::Release => L::Release,
                    Modal2::Since => L::Since,
                    Modal2::Trigger => L::Trigger,
                    _ => return Err(mixed(model, e)),
                },
                _ => return Err(mixed(model, e)),
            };
            if op == L::Not { arena.not(kids[0]) } else { arena.raw(op, &kids) }
        } else {
            atoms.push(e);
            arena.ap(&format!("p{}", atoms.len() - 1))
        };
        done.insert(e, id);
    }
    let root = done[&root];
    Ok(Linear { ltl: Ltl { arena, root }, atoms })
}

/// `p` after (or before) some or each number of steps between `from` and `to`. There may have been fewer steps before:
/// then `O` has fewer states to look at, and `H` is false, as NuSMV has it.
fn bounded_linear(
    arena: &mut riata_ltl::Arena,
    op: Modal,
    p: riata_ltl::Id,
    from: u32,
    to: u32,
) -> riata_ltl::Id {
    let (step, join) = match op {
        Modal::FinallyIn(..) => (L::Next, L::Or),
        Modal::GloballyIn(..) => (L::Next, L::And),
        Modal::OnceIn(..) => (L::Yesterday, L::Or),
        _ => (L::Yesterday, L::And),
    };
    let mut now = p;
    for _ in from..to {
        let then = arena.raw(step, &[now]);
        now = arena.raw(join, &[p, then]);
    }
    (0..from).fold(now, |now, _| arena.raw(step, &[now]))
}

/// The temporal parts of a formula and the conditions right under them, operands first.
pub(crate) fn temporal_parts(model: &Model, root: E, temporal: impl Fn(E) -> bool) -> Vec<E> {
    let (mut parts, mut stack, mut seen) = (Vec::new(), vec![root], std::collections::HashSet::new());
    while let Some(e) = stack.pop() {
        if seen.insert(e) {
            parts.push(e);
            if temporal(e) {
                stack.extend(&model.node(e).kids);
            }
        }
    }
    parts.sort_unstable();
    parts
}

/// A specification as a CTL formula of `arena`.
pub(crate) fn branching<B: Bdd>(
    encoder: &mut Encoder<B>,
    types: &Types,
    arena: &mut Arena<B::F>,
    root: E,
) -> Result<Id, Fail> {
    let model = encoder.model;
    let mut done: HashMap<E, Id> = HashMap::new();
    for e in temporal_parts(model, root, |e| types.of(e).ctl) {
        let node = model.node(e);
        let bad = || Err(Fail::Wrong(Box::new(mixed(model, e))));
        let id = if types.of(e).ctl {
            let kids: Vec<Id> = node.kids.iter().map(|k| done[k]).collect();
            let Op::Apply(kind) = &node.op else { return bad() };
            match kind {
                Kind::Unary(Unary::Not) => arena.not(kids[0]),
                Kind::Binary(op) => {
                    let (p, q) = (kids[0], kids[1]);
                    match op {
                        Binary::And => arena.and(p, q),
                        Binary::Or => arena.or(p, q),
                        Binary::Implies => {
                            let not_p = arena.not(p);
                            arena.or(not_p, q)
                        }
                        Binary::Iff | Binary::Xnor | Binary::Xor => {
                            let (not_p, not_q) = (arena.not(p), arena.not(q));
                            let (both, neither) = (arena.and(p, q), arena.and(not_p, not_q));
                            let same = arena.or(both, neither);
                            if *op == Binary::Xor { arena.not(same) } else { same }
                        }
                        _ => return bad(),
                    }
                }
                Kind::Modal(op) => {
                    let truth = arena.push(Ctl::Atom(encoder.bdd.constant(true)));
                    let p = kids[0];
                    match op {
                        Modal::Ex => arena.push(Ctl::Ex(p)),
                        Modal::Ef => arena.push(Ctl::Eu(truth, p)),
                        Modal::Eg => arena.push(Ctl::Eg(p)),
                        Modal::Ebf(from, to) => bounded(arena, p, *from, *to, true),
                        Modal::Ebg(from, to) => bounded(arena, p, *from, *to, false),
                        Modal::Abf(from, to) | Modal::Abg(from, to) => {
                            let not_p = arena.not(p);
                            let dual = bounded(arena, not_p, *from, *to, matches!(op, Modal::Abg(..)));
                            arena.not(dual)
                        }
                        _ => {
                            let not_p = arena.not(p);
                            let dual = match op {
                                Modal::Ax => Ctl::Ex(not_p),
                                Modal::Ag => Ctl::Eu(truth, not_p),
                                Modal::Af => Ctl::Eg(not_p),
                                _ => return bad(),
                            };
                            let dual = arena.push(dual);
                            arena.not(dual)
                        }
                    }
                }
                Kind::Modal2(Modal2::Eu) => arena.push(Ctl::Eu(kids[0], kids[1])),
                Kind::Modal2(Modal2::Au) => arena.au(kids[0], kids[1]),
                Kind::Modal2(Modal2::Ebu(from, to)) => within(arena, kids[0], kids[1], *from, *to, true),
                Kind::Modal2(Modal2::Abu(from, to)) => within(arena, kids[0], kids[1], *from, *to, false),
                _ => return bad(),
            }
        } else {
            let f = encoder.condition(e)?;
            arena.push(Ctl::Atom(f))
        };
        done.insert(e, id);
    }
    Ok(done[&root])
}

/// On some path `p` holds after some (`any`) or each number of steps between `from` and `to`.
fn bounded<F: Clone>(arena: &mut Arena<F>, p: Id, from: u32, to: u32, any: bool) -> Id {
    let mut now = p;
    for _ in from..to {
        let then = arena.push(Ctl::Ex(now));
        now = if any { arena.or(p, then) } else { arena.and(p, then) };
    }
    for _ in 0..from {
        now = arena.push(Ctl::Ex(now));
    }
    now
}

/// On some path (or each) `q` holds after a number of steps between `from` and `to`, and `p` all the time until then.
fn within<F: Clone>(arena: &mut Arena<F>, p: Id, q: Id, from: u32, to: u32, some: bool) -> Id {
    let next = |arena: &mut Arena<F>, now: Id| {
        if some {
            return arena.push(Ctl::Ex(now));
        }
        let not_now = arena.not(now);
        let dual = arena.push(Ctl::Ex(not_now));
        arena.not(dual)
    };
    let mut now = q;
    for _ in from..to {
        let then = next(arena, now);
        let on = arena.and(p, then);
        now = arena.or(q, on);
    }
    for _ in 0..from {
        let then = next(arena, now);
        now = arena.and(p, then);
    }
    now
}
