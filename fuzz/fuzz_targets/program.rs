//! Any text: the reader of programs refuses it with messages that have places, or reads it; what it reads is well
//! formed, printed, read again and the same program; and the interpreter takes its first steps.
//!
//! `cargo +nightly fuzz run program -- -dict=fuzz_targets/program.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_program::{Execution, Interpreter, Options, print, read, verify};
use riata_system::System;

/// So many states are looked at, if they are small.
const STATES: usize = 60;
const WORDS: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let program = match read(text) {
        Ok(program) => program,
        Err(wrong) => {
            assert!(!wrong.is_empty());
            for d in wrong {
                assert!(d.span.start <= d.span.end && d.span.end <= text.len());
                assert!(!d.message.is_empty());
            }
            return;
        }
    };
    assert!(verify(&program).is_empty());
    let printed = print(&program);
    let again = read(&printed).unwrap_or_else(|d| panic!("{d:?} in\n{printed}"));
    assert_eq!(print(&again), printed);
    if program.scheduling.lockstep {
        return;
    }
    let Ok(i) = Interpreter::new(&program, Options::default()) else { return };
    if i.words() > WORDS {
        return;
    }
    let mut run = Execution::start(&i);
    for k in 0..STATES {
        let next = i.steps(run.last());
        if next.is_empty() {
            break;
        }
        run.push(&next[(k * 7 + 3) % next.len()]);
    }
});
