//! The command line: flags, files, exit codes, and the one place where enums become monomorphised calls.
//!
//! Exit codes are part of the contract with scripts: 0 everything holds (or is empty), 1 something does not, 2 bad
//! input or usage, 3 inconclusive. 101, the code of a panic, is a bug.

mod args;
mod check;
mod dispatch;
mod empty;
mod explain;
mod explore;
mod input;
mod kripke;
mod learned;
mod ltl;
mod model;
mod output;
mod program;
mod progress;
mod property;
mod random;
mod reasons;
mod replay;
mod scc;
mod simulate;
mod size;
mod smv;
mod stream;
mod symbolic;
mod watch;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let exit = match &args.command {
        args::Command::Check(check) => check::run(check, &args.common),
        args::Command::Explore(explore) => explore::run(explore, &args.common),
        args::Command::Simulate(simulate) => simulate::run(simulate, &args.common),
        args::Command::Replay(replay) => replay::run(replay, &args.common),
        args::Command::Ltl(args_ltl) => ltl::run(args_ltl, &args.common),
        args::Command::Empty(empty) => empty::run(empty, &args.common),
        args::Command::Scc(scc) => scc::run(scc, &args.common),
        args::Command::Random(random) => random::run(random, &args.common),
    };
    ExitCode::from(exit as u8)
}
