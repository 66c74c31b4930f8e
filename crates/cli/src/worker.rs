//! `riata worker`: does what the first process does, and leaves it to that one to tell about it.

use crate::args::{Args, Command, Common, Member, Pictures, WorkerArgs};
use crate::check;
use crate::output::{Exit, complain};
use clap::Parser;

/// Runs `riata worker`.
pub fn run(args: &WorkerArgs, common: &Common) -> Exit {
    let words = std::iter::once("riata".into()).chain(args.command.iter().cloned());
    let parsed = match Args::try_parse_from(words) {
        Ok(parsed) => parsed,
        Err(wrong) => return complain(common, wrong.render().to_string().trim()),
    };
    let mut own = parsed.common;
    own.command = parsed.command.name().into();
    (own.json, own.quiet, own.verbose) = (false, true, false);
    own.member = Some(Member { number: args.number, listen: args.listen.clone() });
    match parsed.command {
        Command::Check(mut args) if args.spreading.processes.is_some() || args.spreading.hosts.is_some() => {
            // The first process writes the files.
            (args.trace, args.witness, args.format) = (None, None, None);
            args.pictures = Pictures::default();
            check::check(&args, &own)
        }
        Command::Explore(args) if args.spreading.processes.is_some() || args.spreading.hosts.is_some() => {
            check::explore(&args, &own)
        }
        _ => complain(common, "a worker does what `check` and `explore` do with --hosts"),
    }
}
