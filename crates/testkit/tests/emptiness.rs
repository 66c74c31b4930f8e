//! Every check, with every store, on random automata: against the definition, against the papers' recursive texts,
//! and the papers' theorems.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use riata_explore::{Algorithm, check, cvwy92, scc, shortest};
use riata_store::{Dense, Exact};
use riata_system::{Counters, Explicit, Limits, OnStates, Run, Strength, Verdict, replay};
use riata_testkit::conformance::{self, Answer, StoreKind};
use riata_testkit::counting::Counting;
use riata_testkit::oracle::{self, Texts};
use riata_testkit::together::Together;
use riata_testkit::{Case, Shape, cases};

/// 12,000 automata in all, five kinds of store each.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(6000))]
    #[test]
    fn all_agree_on_general_automata(case in cases(Shape::General)) {
        theorems(&case, &conformance::answers(&case)?)?;
    }
}

proptest! {
    #![proptest_config(config(3000))]
    #[test]
    fn all_agree_on_weak_automata(case in cases(Shape::Weak)) {
        prop_assert!(case.strength() <= Strength::Weak);
        theorems(&case, &conformance::answers(&case)?)?;
    }

    #[test]
    fn all_agree_on_terminal_automata(case in cases(Shape::Terminal)) {
        prop_assert!(case.sets == 0 || case.strength() == Strength::Terminal);
        theorems(&case, &conformance::answers(&case)?)?;
    }
}

proptest! {
    #![proptest_config(config(2000))]
    #[test]
    fn decompositions_agree_with_the_definition(case in cases(Shape::General)) {
        let automaton = case.automaton();
        let g = Explicit::new(&automaton);
        let run = || Run::new(Limits::default());
        let tarjan = scc::tarjan(&g, &mut Dense, &mut run()).unwrap();
        let (mut once, mut twice) = (run(), run());
        let se05 = scc::se05(&g, &mut Dense, &mut twice).unwrap();
        prop_assert_eq!(&tarjan, &se05);
        scc::tarjan(&g, &mut Exact::new(1 << 26), &mut once).unwrap();
        prop_assert_eq!(once.counters.transitions * 2, twice.counters.transitions);
        let (reach, reachable) = (oracle::closure(&case), oracle::reachable(&case));
        let of = |s: usize| tarjan.of.get(s).copied().unwrap_or(scc::Components::NONE);
        for s in 0..case.states {
            prop_assert_eq!(of(s) != scc::Components::NONE, reachable[s]);
            for t in (0..case.states).filter(|&t| reachable[s] && reachable[t]) {
                prop_assert_eq!(of(s) == of(t), s == t || reach[s][t] && reach[t][s]);
            }
        }
        for (c, summary) in tarjan.all.iter().enumerate() {
            let inside = |s: &usize| of(*s) as usize == c;
            let members: Vec<_> = (0..case.states).filter(inside).collect();
            prop_assert_eq!(members.len(), summary.states as usize);
            prop_assert_eq!(summary.trivial, !reach[members[0]][members[0]]);
            let leaves = case.edges.iter().any(|e| inside(&e.0) && !inside(&e.1));
            prop_assert_eq!(summary.terminal, !leaves);
        }
        for &(s, t, _) in case.edges.iter().filter(|e| reachable[e.0]) {
            prop_assert!(of(s) >= of(t));
            prop_assert!(of(s) == of(t) || tarjan.edges.contains(&(of(s), of(t))));
        }
    }

    #[test]
    fn the_shortest_lasso_is_shortest(case in cases(Shape::General)) {
        let automaton = case.automaton();
        let g = Explicit::new(&automaton);
        let found = shortest::shortest(&g, &mut Run::new(Limits::default())).unwrap();
        let length = conformance::shortest_length(&case);
        prop_assert_eq!(found.as_ref().map(|s| s.lasso.len()), length);
        if let Some(s) = found {
            prop_assert_eq!(s.interrupted, None);
            replay(&g, &s.lasso).map_err(|e| TestCaseError::fail(e.to_string()))?;
        }
    }
}

/// The checks by several threads, on threads that get into each other's way.
fn together(case: &Case) -> Result<(), TestCaseError> {
    for algorithm in Algorithm::SHARED {
        for threads in [1, 2, 3, 4, 8] {
            let rarely = if threads > 1 { 3 } else { 0 };
            Together { algorithm, threads, rarely, tree: threads == 3 }
                .agrees(case)
                .map_err(TestCaseError::fail)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]
    #[test]
    fn threads_agree_on_general_automata(case in cases(Shape::General)) {
        together(&case)?;
    }
}

proptest! {
    #![proptest_config(config(500))]
    #[test]
    fn threads_agree_on_weak_automata(case in cases(Shape::Weak)) {
        together(&case)?;
    }

    #[test]
    fn threads_agree_on_terminal_automata(case in cases(Shape::Terminal)) {
        together(&case)?;
    }
}

/// The papers' theorems, on what the checks did with the dense store.
fn theorems(case: &Case, answers: &[Answer]) -> Result<(), TestCaseError> {
    // All exact stores make a search do the same.
    for a in answers.iter().filter(|a| matches!(a.store, StoreKind::Exact | StoreKind::Tree)) {
        let dense = answers.iter().find(|d| d.algorithm == a.algorithm && d.store == StoreKind::Dense);
        if let Some(d) = dense {
            prop_assert_eq!(Counters { bytes: 0, ..a.counters }, Counters { bytes: 0, ..d.counters });
        }
    }
    let ran = |algorithm: Algorithm| {
        answers.iter().find(|a| a.algorithm == algorithm && a.store == StoreKind::Exact).map(|a| a.counters)
    };
    use Algorithm::*;
    for c in [Couvreur99, Ascc].into_iter().filter_map(ran) {
        prop_assert!(c.max_roots <= c.max_depth, "Roots is a subsequence of the call stack");
    }
    // ASCC and Couvreur's algorithm see the same on generalised automata too.
    let (Some(ascc), Some(couvreur)) = (ran(Ascc), ran(Couvreur99)) else { return Ok(()) };
    prop_assert_eq!(ascc.states, couvreur.states);
    prop_assert_eq!(ascc.max_roots, couvreur.max_roots);
    if case.sets > 1 || case.state_marks.is_none() {
        return per_transition(case);
    }

    // From here on: one set (or none), on states, so that all checks ran on the same graph.
    let of = |a: Algorithm| ran(a).expect("every check runs on a Büchi automaton");
    for (check, text) in [
        (Cvwy92, Texts::new(case).cvwy92(false)),
        (Hpy96, Texts::new(case).hpy96()),
        (Gmz04, Texts::new(case).gmz04()),
        (Se05, Texts::new(case).se05()),
        (And, Texts::new(case).and()),
        (Gv04, Texts::new(case).gv04()),
        (Couvreur99, Texts::new(case).couvreur99()),
        (Ascc, Texts::new(case).ascc()),
    ] {
        prop_assert_eq!(
            (of(check).states, of(check).transitions),
            (text.states, text.transitions),
            "{}",
            check
        );
        prop_assert_eq!(text.cycle, oracle::nonempty(case), "the text of {}", check);
    }
    prop_assert_eq!(of(Gv04).states, of(Ascc).states, "minimal exploration");
    prop_assert_eq!(of(Gv04).transitions, of(Ascc).transitions);
    prop_assert!(of(Se05).transitions <= of(Hpy96).transitions);
    prop_assert!(of(Se05).transitions <= of(Gmz04).transitions);
    prop_assert!(of(And).transitions <= of(Se05).transitions);
    prop_assert!(of(Gv04).states <= of(Se05).states, "no search in this order reports earlier");
    if case.strength() <= Strength::Weak {
        let sd = of(Sd);
        for check in [Se05, And, Gv04, Couvreur99, Ascc] {
            prop_assert_eq!(of(check).states, sd.states, "{} on a weak automaton", check);
        }
        prop_assert_eq!(of(Ascc).transitions, sd.transitions);
    }
    per_transition(case)
}

/// How often each single transition is considered, on automata that are searched to the end.
fn per_transition(case: &Case) -> Result<(), TestCaseError> {
    if oracle::nonempty(case) {
        return Ok(()); // the extraction and the replay of the lasso consider transitions too
    }
    let automaton = case.automaton();
    let n = case.sets.max(1);
    let bounds = [
        (Algorithm::Tau03, n + 1),
        (Algorithm::Couvreur99, 2),
        (Algorithm::Ascc, 1),
        (Algorithm::Tarjan72, 1),
    ];
    let explicit = Explicit::new(&automaton);
    for (algorithm, bound) in bounds {
        let g = Counting::new(&explicit);
        let verdict = check(algorithm, &g, &mut Dense, &mut Run::new(Limits::default()));
        prop_assert_eq!(verdict, Ok(Verdict::Empty));
        prop_assert!(g.most() <= bound, "{} considered a transition {} times", algorithm, g.most());
    }
    if case.sets > 1 || case.state_marks.is_none() {
        return Ok(());
    }
    let bounds = [
        // Figure 1 starts a red search from an accepting state even if that is red already, so that the edges of
        // such a state can come a third time. The slides' form does not: see below.
        (Algorithm::Cvwy92, 3),
        (Algorithm::Hpy96, 2),
        // The blue search, the test for black successors, the red search.
        (Algorithm::Gmz04, 3),
        (Algorithm::Se05, 2),
        (Algorithm::And, 2),
        (Algorithm::Gv04, 1),
    ];
    for (algorithm, bound) in bounds {
        let g = Counting::new(&explicit);
        let verdict = check(algorithm, &g, &mut Dense, &mut Run::new(Limits::default()));
        prop_assert_eq!(verdict, Ok(Verdict::Empty));
        prop_assert!(g.most() <= bound, "{} considered a transition {} times", algorithm, g.most());
    }
    let on_states = OnStates::new(explicit).expect("marks on states");
    let g = Counting::new(&on_states);
    let mut run = Run::new(Limits::default());
    prop_assert_eq!(cvwy92::check_as(cvwy92::Form::Slides, &g, &mut Dense, &mut run), Verdict::Empty);
    prop_assert!(g.most() <= 2);
    let text = Texts::new(case).cvwy92(true);
    prop_assert_eq!((run.counters.states, run.counters.transitions), (text.states, text.transitions));
    Ok(())
}
