//! `riata explore`: the whole state space of a model.

use crate::args::{Common, ExploreArgs};
use crate::output::{Exit, complain};
use crate::{model, program, smv};

/// Runs the command.
pub fn run(args: &ExploreArgs, common: &Common) -> Exit {
    match model::synchronous(&args.model, args.input) {
        Some(_) if args.print.is_some() => complain("--print is for DVE and Promela models"),
        Some(kind) => smv::explore(kind, args, common),
        None => program::explore(args, common),
    }
}
