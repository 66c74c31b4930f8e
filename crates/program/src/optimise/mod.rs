//! Smaller state spaces for the same answers. Each pass turns a program into a program, and states which answers it
//! keeps; a pass whose condition is not met does not run.
//!
//! | pass | what it does | keeps |
//! |---|---|---|
//! | [`unread`] | what is stored to a variable that nobody reads is forgotten | everything: the programs are bisimilar |
//! | [`merge`] | a statement that concerns nobody else is joined with the one before | bad states, stutter-invariant properties without fairness |
//! | [`dead`] | a variable that is not read again before it is written is set to 0 | everything: the programs are bisimilar |
//!
//! That is shown by comparison: every property of random programs with and without each pass
//! (`bench/promela/selfcheck.py`), and by tests in which a pass without one of its conditions is caught.

mod dead;
mod merge;
mod unread;

use crate::form::{Expr, Exprs, Guard, Offer, Pattern, Program, Statement, Work};
use crate::ids::{ExprId, ProcId};

/// Which passes may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Stores to variables that nobody reads.
    pub unread: bool,
    /// Statements that concern nobody else.
    pub merge: bool,
    /// Variables that are not read again.
    pub dead: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes { unread: true, merge: true, dead: true };
    /// None.
    pub const NONE: Passes = Passes { unread: false, merge: false, dead: false };
}

/// What a property sees of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sees {
    /// The truth of the program's propositions. If nobody looks at them, the result has none.
    pub propositions: bool,
    /// How many steps there are: `X`, and claims that move with every step.
    pub steps: bool,
    /// Who can move: fairness.
    pub enabledness: bool,
}

/// A condition under which a pass keeps the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Merging: others do not look at the location.
    RemoteLocations,
    /// Merging, dead variables: others do not look at the variable.
    RemoteVariables,
    /// Merging: accept and progress labels are the same before and after.
    Labels,
    /// Merging: nobody asks for numbers of locations or who is enabled.
    Enabledness,
    /// Merging: nobody asks who moved last.
    Last,
    /// Merging: no proposition asks whether nothing can move.
    Timeout,
    /// Merging: whether a send by rendezvous finds a receiver matters for the send alone.
    Rendezvous,
    /// Merging: steps are not counted.
    Steps,
    /// Merging: there is no fairness.
    Fairness,
    /// Unread variables: no proposition reads the variable.
    Propositions,
    /// Unread variables: to compute the value cannot fail.
    Faults,
}

/// The program for a property that sees no more than `sees`.
pub fn optimise(program: &Program, passes: Passes, sees: Sees) -> Program {
    optimise_without(program, passes, sees, &[])
}

/// The same with conditions left out, which is wrong: for tests that show what each of them is for.
pub fn optimise_without(program: &Program, passes: Passes, sees: Sees, without: &[Condition]) -> Program {
    let asks = |condition| !without.contains(&condition);
    let mut result = program.clone();
    if passes == Passes::NONE {
        return result;
    }
    if !sees.propositions {
        result.propositions.clear();
    }
    let spoken = spoken(&result);
    always(&mut result);
    if passes.unread {
        unread::forget_unread(&mut result, &asks);
        check(&result, "unread");
    }
    let counted = sees.steps && asks(Condition::Steps) || sees.enabledness && asks(Condition::Fairness);
    let merges = passes.merge && !counted;
    let rules = merge::Rules::new(&result, &spoken, &asks);
    let seen = if asks(Condition::RemoteVariables) { dead::Seen::new(&spoken) } else { dead::Seen::new(&[]) };
    for p in (0..program.processes.len()).map(ProcId::new) {
        if merges {
            merge::merge_statements(&mut result, p, &rules);
            check(&result, "merge");
        }
        if passes.dead {
            dead::reset_dead(&mut result, p, &seen);
            check(&result, "dead");
        }
    }
    result
}

/// What a pass makes of a well-formed program is well formed.
fn check(program: &Program, pass: &str) {
    debug_assert!(crate::verify(program).is_empty(), "{pass}: {:?}", crate::verify(program));
}

/// Conditions that are true by themselves are none.
fn always(program: &mut Program) {
    let Program { processes, blocks, exprs, .. } = program;
    let edges = processes.iter_mut().flat_map(|p| &mut p.edges);
    let alone = edges.filter_map(|e| match &mut e.work {
        Work::Action(a) => Some(a),
        Work::Block(..) => None,
    });
    let in_blocks = blocks.iter_mut().flat_map(|b| b.nodes.iter_mut().flatten()).map(|(a, _)| a);
    for action in alone.chain(in_blocks) {
        if let Guard::When(e) = action.guard
            && exprs.constant(e).is_some_and(|k| k != 0)
        {
            action.guard = Guard::Always;
        }
    }
}

/// All expressions that processes and propositions speak, those of their operands included.
fn spoken(program: &Program) -> Vec<Expr> {
    let mut roots: Vec<ExprId> = program.propositions.iter().map(|p| p.expr).collect();
    for receive in &program.receives {
        roots.push(receive.channel);
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Match(e) => roots.push(*e),
                Pattern::Bind(place) => roots.extend(place.exprs()),
                Pattern::Any => {}
            }
        }
    }
    roots.extend(program.prints.iter().flat_map(|p| p.arguments.iter().copied()));
    for process in &program.processes {
        roots.extend(process.provided);
        roots.extend(process.initialisers.iter().flat_map(|(place, e)| place.exprs().chain([*e])));
    }
    let alone = program.processes.iter().flat_map(|p| &p.edges).filter_map(|e| match &e.work {
        Work::Action(a) => Some(a),
        Work::Block(..) => None,
    });
    let in_blocks = program.blocks.iter().flat_map(|b| b.nodes.iter().flatten()).map(|(a, _)| a);
    for action in alone.chain(in_blocks) {
        if let Guard::When(e) = action.guard {
            roots.push(e);
        }
        if let Offer::Send { channel, values, .. } = &action.offer {
            roots.extend(values.iter().chain([channel]));
        }
        for statement in &action.effect {
            match statement {
                Statement::Assign(place, e) => roots.extend(place.exprs().chain([*e])),
                Statement::Assert(e) => roots.push(*e),
                Statement::Run { arguments, priority, pid, .. } => {
                    roots.extend(arguments.iter().chain(priority));
                    roots.extend(pid.iter().flat_map(|place| place.exprs()));
                }
                Statement::SetPriority(a, b) => roots.extend([*a, *b]),
                Statement::Print(_) | Statement::Exit => {}
            }
        }
    }
    let mut seen = vec![false; program.exprs.len()];
    let mut all = Vec::new();
    while let Some(e) = roots.pop() {
        if !std::mem::replace(&mut seen[e.index()], true) {
            all.push(program.exprs.get(e));
            roots.extend(Exprs::operands(program.exprs.get(e)));
        }
    }
    all
}
