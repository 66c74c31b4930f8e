//! `riata simulate`: one run of a model, by chance or by hand.

use crate::args::{Common, ModelKind, SimulateArgs};
use crate::output::{Exit, complain, print};
use crate::{model, program, smv};
use riata_report::trace::Step;
use std::io::BufRead;

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let kind = args.input.or_else(|| model::kind_of(&args.model));
    if let Some(why) = args.pictures.refused(kind) {
        return complain(why);
    }
    match kind {
        Some(kind @ (ModelKind::Smv | ModelKind::Aiger)) => smv::simulate(kind, args, common),
        _ => program::simulate(args, common),
    }
}

/// Lets the user choose one of `n` steps; nothing to stop.
pub fn choose(n: usize, step: impl Fn(usize) -> Step) -> Option<usize> {
    let mut menu = String::new();
    for i in 0..n {
        let step = step(i);
        let changes: Vec<&str> = step.cells.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
        menu += &format!("  {i:>3}  {}  {}  [{}]\n", step.place, step.statement, changes.join(", "));
    }
    print(&menu);
    let mut lines = std::io::stdin().lock().lines();
    loop {
        print("which step (number, or q to stop)? ");
        let line = lines.next()?.ok()?;
        match line.trim() {
            "q" | "quit" => return None,
            number => match number.parse() {
                Ok(i) if i < n => return Some(i),
                _ => print("there is no such step\n"),
            },
        }
    }
}
