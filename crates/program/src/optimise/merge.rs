//! Statements that concern nobody else are joined with the one before.
//!
//! A location that is left by one edge only, which can always be taken and concerns nothing but the process's own
//! variables, is passed through: what leads there does both. A run of the original program in which others move in
//! between is one of the joined program with the silent step moved forward, because the others' steps commute with it.
//!
//! **Condition**, which [`Rules`] states piece by piece. What is passed through must not be seen:
//!
//! * No remote reference and no proposition tells the location from the one that is reached: neither is one that
//!   `P@L` asks about, and both have the same accept and progress labels as far as a proposition speaks of these.
//! * Nobody asks for numbers of locations, who is enabled, or who moved last; no priorities, no `provided` clause.
//! * No proposition asks for `timeout`: it is false while the silent step can be taken.
//! * Whether a send by rendezvous finds a receiver must not matter for anything but the send itself: no `else`
//!   and no escape beside it, and no atomic sequence that goes on with it. The receiver is ready one step earlier.
//!
//! Joining changes how many steps there are, and who can move when, so it is not for properties that see these
//! ([`Sees`](super::Sees)).

use super::Condition;
use crate::form::{Action, Expr, Guard, Location, Offer, Place, Program, Statement, Var, Work};
use crate::ids::{ExprId, LocId, ProcId};
use std::collections::HashSet;

/// What must not be passed through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// Something asks for more than joining keeps: nothing is joined.
    pub never: bool,
    /// Variables that others look at.
    pub variables: HashSet<(ProcId, u32)>,
    /// Locations that others look at.
    pub locations: HashSet<(ProcId, LocId)>,
    /// Do accept labels count?
    pub accepting: bool,
    /// Do progress labels count?
    pub progress: bool,
}

impl Rules {
    pub fn new(program: &Program, spoken: &[Expr], asks: &dyn Fn(Condition) -> bool) -> Rules {
        let last = program.last.is_some() && asks(Condition::Last);
        let mut rules = Rules {
            never: program.scheduling.priorities
                || last
                || (asks(Condition::Rendezvous) && contested(program)),
            variables: HashSet::new(),
            locations: HashSet::new(),
            accepting: false,
            progress: false,
        };
        for &expr in spoken {
            match expr {
                Expr::Read(Place { var: Var::Remote(p, v, _), .. }) if asks(Condition::RemoteVariables) => {
                    rules.variables.insert((p, v));
                }
                Expr::At(p, _, l) if asks(Condition::RemoteLocations) => {
                    rules.locations.insert((p, l));
                }
                Expr::LocationOf(_) | Expr::Enabled(_) => rules.never |= asks(Condition::Enabledness),
                Expr::Accepting => rules.accepting = asks(Condition::Labels),
                Expr::NonProgress => rules.progress = asks(Condition::Labels),
                _ => {}
            }
        }
        let idle = |e: ExprId| program.mentions(e, |e| e == Expr::Timeout);
        rules.never |= asks(Condition::Timeout) && program.propositions.iter().any(|p| idle(p.expr));
        rules
    }

    /// Can nobody tell whether process type `p` is at the one location or at the other?
    fn alike(&self, program: &Program, p: ProcId, a: LocId, b: LocId) -> bool {
        let location = |l: LocId| -> &Location { &program.processes[p.index()].locations[l.index()] };
        let seen = |l: LocId| self.locations.contains(&(p, l));
        !seen(a)
            && !seen(b)
            && (!self.accepting || location(a).accepting == location(b).accepting)
            && (!self.progress || location(a).progress == location(b).progress)
    }
}

/// Does it matter, besides for the send itself, whether a send by rendezvous finds a receiver?
fn contested(program: &Program) -> bool {
    if program.channels.iter().all(|c| c.capacity > 0) {
        return false;
    }
    program.processes.iter().any(|process| {
        let sends = |work: &Work| match work {
            Work::Action(a) => matches!(a.offer, Offer::Send { .. }),
            Work::Block(..) => false,
        };
        process.edges.iter().filter(|e| sends(&e.work)).any(|send| {
            let beside = process.edges.iter().filter(|e| e.from == send.from);
            let decided = beside.into_iter().any(|e| {
                let other = matches!(&e.work, Work::Action(a) if a.guard == Guard::Else);
                other || e.rank != send.rank
            });
            decided || process.edges.iter().any(|e| e.to == send.from && e.keeps)
        })
    })
}

/// Does an expression concern the process's own variables only?
fn own(program: &Program, root: ExprId) -> bool {
    let mut own = true;
    program.walk(root, &mut |e| {
        own &= match e {
            Expr::Read(place) => matches!(place.var, Var::Local(_)),
            Expr::Const(_)
            | Expr::Pid
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::If(..)
            | Expr::Bounded(..) => true,
            _ => false,
        }
    });
    own
}

fn own_place(program: &Program, place: Place) -> bool {
    matches!(place.var, Var::Local(_)) && place.index.is_none_or(|i| own(program, i))
}

/// Is an action always possible, and about the process alone?
fn silent(program: &Program, p: ProcId, action: &Action, rules: &Rules) -> bool {
    action.guard == Guard::Always
        && action.offer == Offer::None
        && action.effect.iter().all(|s| match s {
            Statement::Assign(place, value) => {
                let unseen = match place.var {
                    Var::Local(v) => !rules.variables.contains(&(p, v)),
                    _ => false,
                };
                unseen && own_place(program, *place) && own(program, *value)
            }
            Statement::Assert(e) => own(program, *e),
            Statement::Print(_) => true,
            Statement::Run { .. } | Statement::SetPriority(..) | Statement::Exit => false,
        })
}

pub(super) fn merge_statements(program: &mut Program, p: ProcId, rules: &Rules) {
    if rules.never || program.processes[p.index()].provided.is_some() {
        return;
    }
    let process = &program.processes[p.index()];
    let mut only: Vec<Option<usize>> = vec![None; process.locations.len()];
    let mut count = vec![0; process.locations.len()];
    for (i, edge) in process.edges.iter().enumerate() {
        only[edge.from.index()] = Some(i);
        count[edge.from.index()] += 1;
    }
    let passed: Vec<Option<usize>> = (0..process.locations.len())
        .map(|l| {
            let edge = only[l].filter(|_| count[l] == 1)?;
            let Work::Action(action) = &process.edges[edge].work else { return None };
            let to = process.edges[edge].to;
            let joins = silent(program, p, action, rules) && rules.alike(program, p, LocId::new(l), to);
            joins.then_some(edge)
        })
        .collect();
    let mut merged = process.edges.clone();
    for edge in &mut merged {
        let Work::Action(action) = &mut edge.work else { continue };
        if action.effect.contains(&Statement::Exit) {
            continue;
        }
        let mut visited = vec![edge.from];
        while let Some(next) = passed[edge.to.index()].map(|i| &process.edges[i]) {
            // Control that was given up is not taken again behind the others' backs.
            if (next.keeps && !edge.keeps) || visited.contains(&edge.to) {
                break;
            }
            visited.push(edge.to);
            let Work::Action(more) = &next.work else { break };
            action.effect.extend(more.effect.iter().cloned());
            edge.merged.push(more.span);
            edge.to = next.to;
            edge.keeps = next.keeps;
        }
    }
    program.processes[p.index()].edges = merged;
}
