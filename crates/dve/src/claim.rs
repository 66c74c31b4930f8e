//! The property process: an automaton that watches, or a claim with variables and effects of its own.

use crate::lower::Lowered;
use riata_program::{Claim, ClaimEdge, ClaimProcess, ClaimState, Expr, Guard, Process, Property, Work};
use riata_program::{ExprId, Proposition};
use riata_source::Span;

/// More conditions than a valuation has room for, if formulas want some, too.
const MANY: usize = 48;

/// What the model states with its property process, that no run may be accepted; and the process, if it is not one of
/// those that move all at once.
pub(crate) fn property(lowered: &mut Lowered, lockstep: bool) -> (Option<Property>, Option<ClaimProcess>) {
    let (claim, process) = match lockstep {
        true => (Some(moving(lowered)), None),
        false => watching(lowered),
    };
    (claim.map(|claim| Property::Never(Some("property".into()), claim)), process)
}

/// One that moves with all others, at once: what counts is where it is.
fn moving(lowered: &mut Lowered) -> Claim {
    let program = &mut lowered.program;
    if !program.processes.iter().any(|p| p.locations.iter().any(|l| l.accepting)) {
        return Claim::Automaton(vec![ClaimState::default()]);
    }
    let accepting = program.exprs.add(Expr::Accepting, Span::default());
    let p = proposition(lowered, "the property process accepts".into(), accepting);
    let edges = vec![ClaimEdge { when: vec![(p, false)], to: 0 }, ClaimEdge { when: vec![(p, true)], to: 1 }];
    Claim::Automaton(vec![
        ClaimState { accepting: false, edges: edges.clone() },
        ClaimState { accepting: true, edges },
    ])
}

/// One that moves with every step of the others. Its conditions are about the state before the step.
fn watching(lowered: &mut Lowered) -> (Option<Claim>, Option<ClaimProcess>) {
    let Some(watcher) = lowered.claim.take() else { return (None, None) };
    // The program has no such process: only its place is left.
    let left = &mut lowered.program.processes[watcher.process.index()];
    let process = left.clone();
    left.edges.clear();
    left.locations.iter_mut().for_each(|l| l.asserts.clear());
    let claim = ClaimProcess { process, variables: watcher.variables.clone(), late: true };
    if watcher.seen {
        // Those who look at it find what it has in every state.
        lowered.program = std::mem::take(&mut lowered.program).claimed(&claim);
        lowered.claim = Some(watcher);
        return (Some(Claim::Process(Box::new(claim.clone()))), Some(claim));
    }
    let edges = &claim.process.edges;
    let guards = edges.iter().filter(|e| guard(&e.work).is_some()).count();
    let plain = |work: &Work| matches!(work, Work::Action(a) if a.effect.is_empty());
    let form = if guards > MANY || !edges.iter().all(|e| plain(&e.work)) {
        Claim::Process(Box::new(claim.clone()))
    } else {
        Claim::Automaton(automaton(lowered, &claim.process))
    };
    (Some(form), Some(claim))
}

fn automaton(lowered: &mut Lowered, process: &Process) -> Vec<ClaimState> {
    let mut states: Vec<ClaimState> =
        process.locations.iter().map(|l| ClaimState { accepting: l.accepting, edges: Vec::new() }).collect();
    for (e, edge) in process.edges.iter().enumerate() {
        let when = guard(&edge.work).map(|g| proposition(lowered, format!("{}: edge {e}", process.name), g));
        let when = when.into_iter().map(|p| (p, true)).collect();
        states[edge.from.index()].edges.push(ClaimEdge { when, to: edge.to.index() });
    }
    // The automaton starts in its first state.
    let first = process.initial.index();
    states.swap(0, first);
    let moved = |to: usize| match to {
        0 => first,
        to if to == first => 0,
        to => to,
    };
    states.iter_mut().flat_map(|s| &mut s.edges).for_each(|e| e.to = moved(e.to));
    states
}

fn guard(work: &Work) -> Option<ExprId> {
    match work {
        Work::Action(a) => match a.guard {
            Guard::When(e) => Some(e),
            _ => None,
        },
        Work::Block(..) => None,
    }
}

fn proposition(lowered: &mut Lowered, name: String, expr: ExprId) -> usize {
    lowered.program.propositions.push(Proposition { name, expr });
    lowered.program.propositions.len() - 1
}
