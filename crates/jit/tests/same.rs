//! Native code against the interpreter: random programs with every construct of the form, and what each tells of their
//! first states, small steps and large ones, one by one and all at once.
//!
//! `PROPTEST_CASES=20000 cargo test --release -p riata-jit --test same` takes minutes.

#[path = "same/compare.rs"]
mod compare;
#[path = "../../program/tests/readings/expression.rs"]
mod expression;
#[path = "../../program/tests/readings/program.rs"]
mod program;
#[path = "../../program/tests/readings/tape.rs"]
mod tape;

use compare::explore;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use riata_program::{Asserts, Options};

fn options(tape: &[u16]) -> Options {
    Options { asserts: [Asserts::Fault, Asserts::Count, Asserts::Ignore][tape.len() % 3] }
}

/// The same programs each time; with `PROPTEST_CASES` set, as many other ones.
fn config() -> ProptestConfig {
    let usual =
        ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => usual,
        None => ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..usual },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn native_code_tells_what_the_interpreter_tells(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        explore(&program::program(&tape), options(&tape)).map_err(TestCaseError::fail)?;
    }

    /// Without what only the interpreter schedules.
    #[test]
    fn also_where_little_is_left_to_it(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        explore(&program::quiet(&tape), options(&tape)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn most_programs_are_compiled() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let tapes = prop::collection::vec(any::<u16>(), 200..1200);
    let (mut programs, mut edges) = (0, 0);
    for _ in 0..100 {
        let tape = tapes.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        let native = explore(&program::quiet(&tape), options(&tape)).unwrap_or_else(|e| panic!("{e}"));
        programs += usize::from(native > 0);
        edges += native;
    }
    assert!(programs >= 60 && edges >= 300, "{programs} programs, {edges} edges");
}

/// Ways through an atomic sequence meet again. From some length on each state on the way is passed through once; how long that is
/// does not depend on what native code passes through in one go.
#[test]
fn long_atomic_sequences_with_choices() {
    for choices in 1..9 {
        let mut text = String::from("byte a, b;\nactive proctype P() { atomic {\n");
        for _ in 0..choices {
            text += "  if :: a = 1 :: a = 2 :: a = 2; b = 3 fi;\n  b = 1; b = 2; b = b + a; b = 4;\n";
        }
        text += "} }\n";
        let parsed =
            riata_promela::parse("p.pml", text.as_bytes(), &Default::default(), &mut riata_promela::NoFiles);
        let lowered = riata_promela::lower::lower(&parsed).expect("it is a program");
        let native =
            explore(&lowered.program, Options::default()).unwrap_or_else(|e| panic!("{choices}: {e}"));
        assert!(native > 0);
    }
}
