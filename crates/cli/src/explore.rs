//! `riata explore`: the whole state space of a model.

use crate::args::{Common, ExploreArgs};
use crate::output::Exit;
use crate::{model, program, smv};

/// Runs the command.
pub fn run(args: &ExploreArgs, common: &Common) -> Exit {
    match model::synchronous(&args.model, args.input) {
        Some(kind) => smv::explore(kind, args, common),
        None => program::explore(args, common),
    }
}
