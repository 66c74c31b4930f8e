//! Partial-order reduction changes no answer: random models with random formulas without `X`, and their deadlocks and
//! violations, with it and without it. A lasso that is found with it is one of the model.
//!
//! `PROPTEST_CASES=20000 cargo test --release -p riata-dve --test reduction` takes minutes.

mod generator;

use generator::{expression, model};
use proptest::prelude::*;
use riata_automata::{Options as Translation, translate};
use riata_explore::bfs::bfs;
use riata_explore::{ascc, couvreur99};
use riata_program::{Asserts, Condensed, Execution, Interpreter, Options, Proviso, Reduction, Visible};
use riata_store::Exact;
use riata_system::{Deadlocks, Failures, Lasso, Limits, Product, Run, Verdict, replay};
use std::ops::ControlFlow;

/// So many states are enough.
const MANY: u32 = 2000;

/// States, and whether one is a deadlock, one a violation or failure; nothing if there are too many.
fn seen(it: &Interpreter, reduction: Option<&Reduction>) -> Option<(u32, bool, bool)> {
    let system = Condensed::new(it).reduced(reduction);
    let (mut states, mut stuck, mut bad) = (0, false, false);
    bfs(&system, &mut Exact::new(usize::MAX), &mut Run::new(Limits::default()), |_, s, successors| {
        states += 1;
        stuck |= successors == 0 && !it.is_fault(s);
        bad |= it.is_fault(s) || it.violated(s).is_some();
        if states > MANY { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (states <= MANY).then_some((states, stuck, bad))
}

/// An expression of a process as one of the model.
fn global(e: &str, process: &str) -> String {
    let mut text = String::new();
    for word in e.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let local = word.trim_end_matches(|c: char| !c.is_alphanumeric()) == "l" && !text.ends_with('>');
        text += &if local { format!("{process}->{word}") } else { word.to_string() };
    }
    text
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..ProptestConfig::with_cases(400)
    };
    match std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()) {
        Some(cases) => ProptestConfig { cases, ..usual },
        None => ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..usual },
    }
}

const FORMULAS: [&str; 10] = [
    "G a",
    "F a",
    "G (a -> F b)",
    "F G a",
    "G F a",
    "a U b",
    "G F a -> G F b",
    "F (a & F b)",
    "(a U b) | G F !a",
    "G (a -> (b R a))",
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn reduction_changes_no_answer(
        text in model(),
        p in expression(),
        q in expression(),
        formula in prop::sample::select(FORMULAS.to_vec()),
        ahead in any::<bool>(),
    ) {
        let Ok(mut model) = riata_dve::parse(&text) else { return Ok(()) };
        let (p, q) = (global(&p, "P0"), global(&q, "P1"));
        if model.proposition(&p).is_err() || model.proposition(&q).is_err() {
            return Ok(());
        }
        let it = Interpreter::new(model.program(), Options { asserts: Asserts::Fault }).unwrap();
        let Some((states, stuck, bad)) = seen(&it, None) else { return Ok(()) };
        for proviso in [Proviso::None, Proviso::Search, Proviso::Static] {
            let Ok(mut reduction) = Reduction::new(&it, Visible { proviso, ..Visible::default() }) else { return Ok(()) };
            if !ahead {
                reduction.looks_no_further();
            }
            let found = seen(&it, Some(&reduction));
            prop_assert!(found.is_some());
            let (fewer, also_stuck, also_bad) = found.unwrap_or_default();
            prop_assert!(fewer <= states);
            prop_assert_eq!(also_stuck, stuck, "{:?}", proviso);
            if proviso != Proviso::None {
                prop_assert_eq!(also_bad, bad, "{:?}", proviso);
            }
        }
        let ltl = riata_ltl::parse(formula, riata_ltl::Dialect::Auto).unwrap();
        let mut automaton = translate(&ltl.negated(), &Translation::default()).unwrap();
        automaton.aps = automaton.aps.drain(..).map(|ap| if ap == "a" { p.clone() } else { q.clone() }).collect();
        let known: Vec<&str> = model.program().propositions.iter().map(|p| p.name.as_str()).collect();
        let number = |ap: &String| known.iter().position(|n| n == ap).unwrap() as u32;
        let propositions: Vec<u32> = automaton.aps.iter().map(number).collect();
        let visible = Visible { propositions: &propositions, ..Visible::default() };
        let Ok(mut reduction) = Reduction::new(&it, visible) else { return Ok(()) };
        if !ahead {
            reduction.looks_no_further();
        }
        for (deadlocks, failures) in [(Deadlocks::Stutter, Failures::Accept), (Deadlocks::Ignore, Failures::Reject)] {
            let plain = Condensed::new(&it);
            let full = Product::new(&plain, &known, &automaton, deadlocks).unwrap().with_failures(failures);
            let run = || Run::new(Limits::default());
            let right = ascc::check(&full, &mut Exact::new(usize::MAX), &mut run());
            let system = plain.reduced(Some(&reduction));
            let product = Product::new(&system, &known, &automaton, deadlocks).unwrap().with_failures(failures);
            for found in [
                ascc::check(&product, &mut Exact::new(usize::MAX), &mut run()),
                couvreur99::check(&product, &mut Exact::new(usize::MAX), &mut run()),
            ] {
                let accepting = |v: &Verdict| matches!(v, Verdict::Accepting(_));
                prop_assert_eq!(accepting(&found), accepting(&right), "{:?} {} {} {}", deadlocks, formula, p, q);
                if let Verdict::Accepting(lasso) = found
                    && let Ok(choices) = replay(&product, &lasso)
                {
                    let lasso = Lasso { choices, ..lasso };
                    let walk = lasso.failure().unwrap_or_else(|| lasso.walk());
                    prop_assert!(Execution::unfold(&system, &walk).is_some());
                }
            }
        }
    }
}
