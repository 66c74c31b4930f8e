//! Automata that are written down: every symbolic algorithm and the explicit engine agree on whether there is an accepting
//! run, by the definition, and each lasso can be replayed.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use riata_explore::ascc;
use riata_store::Dense;
use riata_symbolic::automaton::{accepting_run, bits_of};
use riata_symbolic::{Algorithm, Oxi};
use riata_system::{Explicit, Limits, Run, Verdict, replay};
use riata_testkit::{Case, Shape, cases, oracle};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn engines_agree(case: &Case) -> Result<(), TestCaseError> {
    let automaton = case.automaton();
    let graph = Explicit::new(&automaton);
    let nonempty = oracle::nonempty(case);
    let explicit = ascc::check(&graph, &mut Dense, &mut Run::new(Limits::default()));
    prop_assert_eq!(matches!(explicit, Verdict::Accepting(_)), nonempty);
    let reachable = oracle::reachable(case).iter().filter(|r| **r).count();
    let asked = Algorithm::ALL.into_iter().map(Some).chain([None]);
    for algorithm in asked {
        let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
        let bdd = Oxi::for_bits(limits, bits_of(&automaton));
        let answer = accepting_run(&bdd, (&automaton, case.strength()), algorithm).expect("no limit");
        let name = answer.found.algorithm.name();
        prop_assert_eq!(answer.lasso.is_some(), nonempty, "{}", name);
        prop_assert_eq!(answer.states, reachable as f64, "{}", name);
        if let Some(lasso) = &answer.lasso {
            replay(&graph, lasso).map_err(|e| TestCaseError::fail(format!("{name}: {e}")))?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn engines_agree_on_general_automata(case in cases(Shape::General)) {
        engines_agree(&case)?;
    }

    #[test]
    fn engines_agree_on_weak_automata(case in cases(Shape::Weak)) {
        engines_agree(&case)?;
    }

    #[test]
    fn engines_agree_on_terminal_automata(case in cases(Shape::Terminal)) {
        engines_agree(&case)?;
    }
}

#[test]
fn one_state_and_none() {
    for states in 0..=1 {
        let case = Case { states, sets: 0, initial: (0..states).collect(), edges: vec![], state_marks: None };
        engines_agree(&case).expect("no run");
    }
    engines_agree(&Case::buchi(1, &[0], &[(0, 0)])).expect("a run");
    engines_agree(&Case::buchi(2, &[1], &[(0, 1)])).expect("a state that accepts and ends");
}
