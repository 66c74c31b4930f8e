//! What the tests of meaning share: the state space of a small program, as written and optimised.

#![allow(dead_code)]

use riata_explore::bfs::bfs;
use riata_program::{Asserts, Condensed, Interpreter, Options, Passes, Sees, optimise};
use riata_promela::lower::{Lowered, lower};
use riata_promela::{NoFiles, parse};
use riata_store::Exact;
use riata_system::{Run, System};
use std::ops::ControlFlow;

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct Space {
    pub states: u64,
    /// Is an assertion violated, or is there a run-time error?
    pub wrong: bool,
    /// Can a run end where it must not?
    pub stuck: bool,
}

pub fn model(text: &str) -> Lowered {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    assert!(!parsed.failed(), "{text}\n{:?}", parsed.diagnostics);
    lower(&parsed).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
}

pub fn explore(program: &riata_program::Program, asserts: Asserts) -> Space {
    let interpreter = Interpreter::new(program, Options { asserts }).expect("a program");
    let system = Condensed::new(&interpreter);
    let mut space = Space { states: 0, wrong: false, stuck: false };
    let mut scratch = vec![0; system.words()];
    let mut run = Run::new(Default::default());
    let searched = bfs(&system, &mut Exact::new(1 << 30), &mut run, |_, s, successors| {
        let fault = interpreter.is_fault(s);
        space.wrong |= fault;
        space.states += u64::from(!fault);
        let mut at = Default::default();
        while !space.wrong && system.next(s, &mut at, &mut scratch).is_some() {
            space.wrong |= at.violations() > 0;
        }
        space.stuck |= successors == 0 && !interpreter.is_end(s) && interpreter.is_stuck(s, &mut scratch);
        ControlFlow::Continue(())
    });
    assert_eq!(searched.stopped, None);
    space
}

/// The whole space, as written; the same answers must come out of the optimised program.
pub fn check(text: &str) -> Space {
    let lowered = model(text);
    let space = explore(&lowered.program, Asserts::Count);
    for merge in [false, true] {
        let small = explore(
            &optimise(&lowered.program, Passes { merge, ..Passes::ALL }, Sees::default()),
            Asserts::Count,
        );
        assert_eq!(
            (small.wrong, small.stuck),
            (space.wrong, space.stuck),
            "optimised, merge {merge}:\n{text}"
        );
        assert!(small.states <= space.states, "{text}");
    }
    space
}

#[track_caller]
pub fn fine(text: &str, states: u64) {
    assert_eq!(check(text), Space { states, wrong: false, stuck: false }, "{text}");
}

#[track_caller]
pub fn wrong(text: &str, states: u64) {
    assert_eq!(check(text), Space { states, wrong: true, stuck: false }, "{text}");
}

#[track_caller]
pub fn both(text: &str, states: u64) {
    assert_eq!(check(text), Space { states, wrong: true, stuck: true }, "{text}");
}

#[track_caller]
pub fn stuck(text: &str, states: u64) {
    assert_eq!(check(text), Space { states, wrong: false, stuck: true }, "{text}");
}

#[track_caller]
pub fn refused(text: &str, message: &str) {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    let found =
        if parsed.failed() { parsed.diagnostics.clone() } else { lower(&parsed).expect_err("an error") };
    assert!(found.iter().any(|d| d.message.contains(message)), "{text}\n{found:?}");
}
