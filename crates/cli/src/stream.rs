//! A HOA file as a stream of automata, with what is said about the bad ones.

use crate::args::Common;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, eprint};
use riata_automata::hoa::{Automaton, Reader};
use riata_report::answer::Problem;
use riata_report::diagnostics::position;
use riata_source::Diagnostic;

/// After so many bad automata the rest of a stream is not read.
const PATIENCE: usize = 10;

/// Calls `each` with every good automaton and its place in the stream; draws the errors, and returns them.
pub fn for_each(
    input: &Input,
    common: &Common,
    interrupt: &Interrupt,
    mut each: impl FnMut(usize, &Automaton) -> Exit,
) -> (Exit, Vec<Problem>) {
    let mut exit = Exit::Holds;
    let mut problems = Vec::new();
    for (index, automaton) in Reader::new(&input.bytes).enumerate() {
        if interrupt.is_set() {
            return (exit.and(Exit::Inconclusive), problems);
        }
        match automaton {
            Ok(a) => {
                common.diagnose(&input.name, &input.bytes, &a.warnings);
                exit = exit.and(each(index, &a));
            }
            Err(diagnostics) => {
                common.diagnose(&input.name, &input.bytes, &diagnostics);
                problems.extend(diagnostics.iter().map(|d| problem(input, d)));
                exit = exit.and(Exit::Bad);
                if problems.len() >= PATIENCE {
                    eprint("error: too many bad automata; the rest of the input is not read\n");
                    break;
                }
            }
        }
    }
    (exit, problems)
}

fn problem(input: &Input, d: &Diagnostic) -> Problem {
    let (line, column) = position(&input.bytes, d.span.start);
    Problem {
        file: Some(input.given.clone()),
        line: Some(line),
        column: Some(column),
        message: d.message.clone(),
        help: d.help.clone(),
    }
}
