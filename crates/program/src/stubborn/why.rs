//! Why the steps of a program are not reduced.

use super::Visible;
use crate::form::{Expr, Program};

/// Why there is no reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// Processes have priorities.
    Priorities,
    /// A process has a `provided` clause.
    Provided,
    /// All processes move at once.
    Lockstep,
    /// It is asked whether a process can move, or by which number its location goes.
    AsksProcess,
    /// It is kept who moved last.
    Last,
    /// Messages are watched.
    Trace,
    /// The property asks whether nothing can move.
    Timeout,
    /// A claim is part of the states.
    Claim,
    /// There is one process only.
    Alone,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Why::Priorities => "priorities",
            Why::Provided => "`provided` clauses",
            Why::Lockstep => "all processes move at once",
            Why::AsksProcess => "`enabled`, `pc_value` or priorities are asked for",
            Why::Last => "`_last` is used",
            Why::Trace => "messages are watched",
            Why::Timeout => "the property asks for `timeout`",
            Why::Claim => "the claim has variables or looks at the system's steps",
            Why::Alone => "there is one process only",
        })
    }
}

/// May the steps of a program be reduced at all?
pub(super) fn possible(program: &Program, visible: Visible) -> Result<(), Why> {
    let asks =
        |is: fn(Expr) -> bool| (0..program.exprs.len()).any(|e| is(program.exprs.get(crate::ExprId::new(e))));
    let sees = |is: fn(Expr) -> bool| {
        visible.propositions.iter().any(|&p| program.mentions(program.propositions[p as usize].expr, is))
    };
    let scheduling = program.scheduling;
    let problems = [
        (scheduling.lockstep, Why::Lockstep),
        (scheduling.priorities, Why::Priorities),
        (program.processes.iter().any(|p| p.provided.is_some()), Why::Provided),
        (program.last.is_some(), Why::Last),
        (program.monitor.is_some(), Why::Trace),
        (program.claim.is_some(), Why::Claim),
        (
            asks(|e| matches!(e, Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_))),
            Why::AsksProcess,
        ),
        (sees(|e| matches!(e, Expr::Timeout)), Why::Timeout),
        (program.start.len() < 2 && !program.runs(), Why::Alone),
    ];
    problems.into_iter().find(|(is, _)| *is).map_or(Ok(()), |(_, why)| Err(why))
}
