//! Long conjunctions and disjunctions: what is checked is the automaton of the negation, and that must be small and cheap.

use riata_automata::translate::{Budget, Output, TranslateError};
use riata_automata::{Options, Tgba, translate};
use riata_ltl::{Dialect, Ltl, parse};

fn formula(part: &str, n: usize, op: &str) -> Ltl {
    let parts: Vec<String> = (0..n).map(|i| format!("({})", part.replace('#', &i.to_string()))).collect();
    parse(&parts.join(op), Dialect::Spot).expect("a formula")
}

fn negation(part: &str, n: usize, op: &str, output: Output) -> Tgba {
    let options = Options { output, ..Options::default() };
    translate(&formula(part, n, op).negated(), &options).expect("within the budget")
}

#[test]
fn a_conjunction_of_properties_has_a_small_automaton() {
    for n in [2, 8, 12, 20] {
        for (part, more) in [("F p#", 1), ("G F p#", 1), ("G (p# -> F q#)", 1), ("p# U q#", 2)] {
            for output in [Output::Tgba, Output::Ba] {
                let a = negation(part, n, " & ", output);
                assert!(a.states() <= n + more, "{part}, {n}: {} states", a.states());
            }
        }
    }
}

#[test]
fn a_disjunction_of_simple_properties_has_a_small_automaton() {
    for part in ["F p#", "G F p#"] {
        assert!(negation(part, 20, " | ", Output::Tgba).states() <= 2, "{part}");
    }
}

#[test]
fn chains_of_until() {
    let n = 20;
    let chain = (0..n).map(|i| format!("p{i} U (")).collect::<String>() + "q" + &")".repeat(n);
    let f = parse(&chain, Dialect::Spot).expect("a formula");
    for f in [f.negated(), f] {
        let a = translate(&f, &Options::default()).expect("within the budget");
        assert_eq!(a.states(), n + 1);
    }
}

/// The conjunction itself has 2^n states: the budget speaks, and before memory is used up.
#[test]
fn what_is_too_large_is_said() {
    let budget = Budget { states: 5_000, nodes: 200_000, deadline: None };
    for part in ["F p#", "G (p# -> F q#)"] {
        let f = formula(part, 20, " & ");
        let error = translate(&f, &Options { budget, ..Options::default() }).expect_err("too large");
        assert!(matches!(error, TranslateError::Budget(_)), "{part}: {error}");
    }
}

/// Without any time there is an answer all the same, or the budget says why not.
#[test]
fn no_time_at_all() {
    let budget = Budget { deadline: Some(std::time::Instant::now()), ..Budget::default() };
    let f = formula("G (p# -> F q#)", 6, " & ");
    match translate(&f, &Options { budget, ..Options::default() }) {
        Ok(_) | Err(TranslateError::Budget(_)) => {}
        Err(e) => panic!("{e}"),
    }
}
