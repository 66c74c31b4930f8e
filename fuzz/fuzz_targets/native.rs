//! Native code tells the successors that the interpreter tells, in the same order, and the same faults: of any text that is a program, and of the
//! program that random choices make of any other bytes.
//!
//! `cargo +nightly fuzz run native -- -dict=fuzz_targets/program.dict`

#![no_main]

#[path = "../../crates/jit/tests/same/compare.rs"]
mod compare;
#[path = "../../crates/program/tests/readings/expression.rs"]
mod expression;
#[path = "../../crates/program/tests/readings/program.rs"]
mod program;
#[path = "../../crates/program/tests/readings/tape.rs"]
mod tape;

use libfuzzer_sys::fuzz_target;
use riata_program::{Asserts, Interpreter, Options, Program, read};
use riata_system::System;

/// Larger states are not looked at: a text can ask for arrays of any size.
const WORDS: usize = 4096;

fn same(program: &Program, asserts: Asserts) {
    let options = Options { asserts };
    if Interpreter::new(program, options).is_ok_and(|i| i.words() <= WORDS)
        && let Err(difference) = compare::explore(program, options)
    {
        panic!("{difference}");
    }
}

fuzz_target!(|data: &[u8]| {
    let asserts = [Asserts::Fault, Asserts::Count, Asserts::Ignore][data.len() % 3];
    let written = std::str::from_utf8(data).ok().and_then(|text| read(text).ok());
    match written {
        Some(program) => same(&program, asserts),
        None => {
            let tape: Vec<u16> =
                data.chunks(2).map(|b| u16::from_le_bytes([b[0], *b.get(1).unwrap_or(&0)])).collect();
            let make = if data.len() % 2 == 0 { program::program } else { program::quiet };
            same(&make(&tape), asserts);
        }
    }
});
