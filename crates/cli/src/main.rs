//! The command line: flags, files, exit codes, and the one place where enums become monomorphised calls.
//!
//! Exit codes are part of the contract with scripts: 0 everything holds (or is empty), 1 something does not, 2 bad
//! input or usage, 3 inconclusive. 101, the code of a panic, is a bug.

mod args;
mod careful;
mod check;
mod cluster;
mod compare;
mod draw;
mod empty;
mod explain;
mod files;
mod input;
mod interrupt;
mod ltl;
mod manual;
mod output;
mod progress;
mod random;
mod replay;
mod report;
mod scc;
mod serve;
mod session;
mod simulate;
mod stream;
mod walking;
mod worker;

use args::{Args, Command};
use clap::Parser;
use riata_report::answer::Document;
use std::process::ExitCode;

fn main() -> ExitCode {
    careful::small_stacks();
    let mut args = match Args::try_parse() {
        Ok(args) => args,
        Err(wrong) => return misused(&wrong),
    };
    args.common.command = args.command.name().into();
    careful::announce(args.common.json);
    let common = &args.common;
    let exit = match &args.command {
        Command::Check(args) => check::check(args, common),
        Command::Explore(args) if args.serve => serve::run(args, common),
        Command::Explore(args) => check::explore(args, common),
        Command::Worker(args) => worker::run(args, common),
        Command::Report(args) => report::run(args, common),
        Command::Simulate(args) => simulate::run(args, common),
        Command::Replay(args) => replay::run(args, common),
        Command::Compare(args) => compare::run(args, common),
        Command::Ltl(args) => ltl::run(args, common),
        Command::Empty(args) => empty::run(args, common),
        Command::Scc(args) => scc::run(args, common),
        Command::Random(args) => random::run(args, common),
        Command::Man(args) => manual::pages(args, common),
        Command::Completions(args) => manual::completions(args, common),
        Command::Graph(args) => draw::graph(args, common),
        Command::Animate(args) => draw::animate(args, common),
    };
    ExitCode::from(exit as u8)
}

/// A command that cannot be understood, or one that asks for help. Who wants JSON gets an object.
fn misused(wrong: &clap::Error) -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if wrong.use_stderr() && words.iter().any(|w| w == "--json") {
        let command = words.get(1).filter(|w| !w.starts_with('-')).cloned().unwrap_or_default();
        let mut document: Document<()> = Document::new(command, "");
        document.errors.push(wrong.render().to_string().trim().to_string().into());
        output::print(&document.to_text());
    }
    let _ = wrong.print();
    ExitCode::from(wrong.exit_code() as u8)
}
