//! The worked examples of the papers and the slides, with the exact numbers of states and transitions.

use riata_explore::Algorithm::{self, *};
use riata_explore::scc;
use riata_store::Dense;
use riata_system::{Explicit, Limits, Run, Verdict};
use riata_testkit::conformance::{StoreKind, answer, answers};
use riata_testkit::oracle::Texts;
use riata_testkit::{Case, figures};

/// (states, transitions, length of the counterexample).
fn run(case: &Case, algorithm: Algorithm) -> (u64, u64, Option<usize>) {
    let a = answer(case, algorithm, StoreKind::Dense).expect("dense").expect("a Büchi automaton");
    let length = match &a.verdict {
        Verdict::Accepting(lasso) => Some(lasso.len()),
        _ => None,
    };
    (a.counters.states, a.counters.transitions, length)
}

fn check(case: &Case, expected: &[(Algorithm, u64, u64)]) {
    answers(case).expect("all checks are right");
    for &(algorithm, states, transitions) in expected {
        let (s, t, _) = run(case, algorithm);
        assert_eq!((s, t), (states, transitions), "{algorithm}");
    }
}

#[test]
fn se05_figure_2a_the_red_search_goes_round_again() {
    // CVWY92 goes from s1 over s0 to s1; HPY96 stops at s0, which is on the stack; SE05 reports from the blue search.
    let case = figures::se05_figure_2a();
    check(
        &case,
        &[
            (Cvwy92, 2, 4),
            (Hpy96, 2, 3),
            (Gmz04, 2, 4),
            (Se05, 2, 2),
            (And, 2, 2),
            (Gv04, 2, 2),
            (Ascc, 2, 2),
        ],
    );
}

#[test]
fn se05_figure_2b_the_blue_search_sees_the_accepting_state() {
    let case = figures::se05_figure_2b(100);
    // HPY96 needs both searches; GMZ04 and SE05 see the edge back to the accepting state.
    check(
        &case,
        &[(Hpy96, 100, 200), (Gmz04, 100, 100), (Se05, 100, 100), (And, 100, 100), (Couvreur99, 100, 100)],
    );
    assert_eq!(run(&case, Se05).2, Some(100));
}

#[test]
fn se05_figure_4_tarjan_explores_everything() {
    let case = figures::se05_figure_4(60);
    check(&case, &[(Se05, 2, 2), (Gmz04, 2, 2), (And, 2, 2), (Gv04, 2, 2), (Couvreur99, 2, 2), (Ascc, 2, 2)]);
    // Every state, before the component of s0 is tested.
    check(&case, &[(Tarjan72, 62, 62), (Hpy96, 62, 64)]);
    assert_eq!(run(&case, Ascc).2, Some(2));
}

#[test]
fn se05_figure_6_nested_searches_explore_the_large_part() {
    let case = figures::se05_figure_6(60);
    // The components report when the edge s3 → s0 closes the cycle.
    check(&case, &[(Gv04, 3, 3), (Couvreur99, 3, 3), (Ascc, 3, 3)]);
    // The nested searches must finish s1 first.
    for algorithm in [Cvwy92, Hpy96, Gmz04, Se05, And] {
        assert_eq!(run(&case, algorithm).0, 64, "{algorithm}");
    }
}

#[test]
fn slides_a_plain_dfs_misses_the_cycle() {
    let case = figures::slides_missed_cycle();
    let plain = Texts::new(&case).plain_dfs();
    assert!(!plain.cycle, "0, 1, 2 are visited, 2 is popped, 3 is explored, and 2 is not entered again");
    assert_eq!(plain.states, 4);
    check(&case, &[(Cvwy92, 4, 10), (Hpy96, 4, 7), (Se05, 4, 7), (Ascc, 4, 5), (Gv04, 4, 5)]);
    assert_eq!(run(&case, Cvwy92).2, Some(4), "0, 1, 3, 2");
}

#[test]
fn slides_double_dfs() {
    // Outer: 0, 1, 2, 4 (cycle 1, 2, 4 not accepting), 3; inner from 3: 4, 1, 2, and 3 again.
    let case = figures::slides_double_dfs();
    check(&case, &[(Cvwy92, 5, 11)]);
    let a = answer(&case, Cvwy92, StoreKind::Dense).expect("dense").expect("a Büchi automaton");
    let Verdict::Accepting(lasso) = a.verdict else { panic!("the cycle 3, 4, 1, 2 is accepting") };
    let mut cycle: Vec<u32> = lasso.cycle.iter().map(|s| s[0]).collect();
    cycle.sort_unstable();
    assert_eq!(cycle, [1, 2, 3, 4]);
    assert_eq!(lasso.stem.iter().map(|s| s[0]).collect::<Vec<_>>(), [0]);
}

#[test]
fn slides_the_acyclic_graph_of_components() {
    let case = figures::slides_components();
    let automaton = case.automaton();
    let c = scc::tarjan(&Explicit::new(&automaton), &mut Dense, &mut Run::new(Limits::default()))
        .expect("no limit");
    let [a, b, cc, d, e, f, g, h, i] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(c.all.len(), 5);
    for group in [vec![b, cc, f], vec![e], vec![g, h], vec![a, d], vec![i]] {
        assert!(group.iter().all(|&s: &usize| c.of[s] == c.of[group[0]]));
        assert_eq!(c.all[c.of[group[0]] as usize].states as usize, group.len());
    }
    let terminal = |s: usize| c.all[c.of[s] as usize].terminal;
    assert!(terminal(a) && terminal(i) && !terminal(b) && !terminal(e) && !terminal(g));
    assert!(c.all[c.of[e] as usize].trivial && !c.all[c.of[i] as usize].trivial);
}
