//! Films show what happened: at their end they have the counters, stacks and verdicts of the ordinary run, and no step
//! takes from a list what is not there.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use riata::animate::{Shown, components, fixpoint, search, translation};
use riata::options::{Hashing, Store};
use riata::report::animate::{Change, Film, Paint, page};
use riata::report::answer::{Counters, Verdict};
use riata::search::{Plan, Search};
use riata::written::Written;
use riata::{How, Kind, Nobody, Options};
use riata_automata::hoa::Automaton;
use riata_automata::strength;
use riata_automata::translate::{self, Construction, Output};
use riata_explore::Algorithm;
use riata_symbolic::automaton::{accepting_run, bits_of};
use riata_symbolic::{Algorithm as Fixpoint, Oxi};
use riata_system::{Limits, Verdict as Found};
use riata_testkit::{Case, Shape, cases};
use std::sync::atomic::AtomicBool;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn written(case: &Case) -> Written {
    Written::automaton(&Automaton::from(case.automaton()), 300).expect("it is small")
}

fn with_how<T>(work: impl FnOnce(&How) -> T) -> T {
    let (options, never) = (Options::default(), AtomicBool::new(false));
    work(&How::new(&options, Kind::Hoa, &never, &Nobody))
}

/// Every change is about something that is there.
fn sound(film: &Film) -> Result<(), TestCaseError> {
    let mut lengths = vec![0usize; film.lists.len()];
    let mut keys: Vec<(usize, String)> = Vec::new();
    let arcs = film.picture.matches("id=\"a").count() - film.picture.matches("id=\"arrow").count();
    let states = film.picture.matches("<g class=\"node").count();
    prop_assert_eq!(states, film.states.len());
    for shot in &film.shots {
        prop_assert!(shot.line.is_none_or(|l| l < film.code.len()) && !shot.says.is_empty());
        prop_assert!(shot.focus.iter().all(|s| *s < states) && shot.arc.is_none_or(|a| a < arcs));
        for change in &shot.changes {
            match change {
                Change::Paint(s, _) | Change::Note(s, _) => prop_assert!(*s < states),
                Change::Draw(a, _) => prop_assert!(*a < arcs),
                Change::Push(l, _) => lengths[*l] += 1,
                Change::Pop(l, n) => {
                    prop_assert!(lengths[*l] >= *n, "{:?} in {:?}", change, shot);
                    lengths[*l] -= n;
                }
                Change::Top(l, _) => prop_assert!(lengths[*l] > 0),
                Change::Entry(l, key, _) => {
                    if !keys.contains(&(*l, key.clone())) {
                        keys.push((*l, key.clone()));
                        lengths[*l] += 1;
                    }
                }
                Change::Count(c, _) => prop_assert!(*c < film.counters.len()),
            }
        }
    }
    let end = film.scene(film.shots.len());
    prop_assert_eq!(end.lists.iter().map(Vec::len).collect::<Vec<_>>(), lengths);
    // The page is one text, in which the data cannot end its script.
    prop_assert_eq!(page(film).matches("</script>").count(), 2);
    Ok(())
}

fn count(film: &Film, name: &str) -> u64 {
    // What a search does not have is not shown.
    let at = film.counters.iter().position(|c| c == name);
    at.map_or(0, |at| film.scene(film.shots.len()).counts[at])
}

/// The same as the ordinary check of the same automaton.
fn as_checked(case: &Case, algorithm: Algorithm, shown: &Shown) -> Result<(), TestCaseError> {
    let automaton = case.automaton();
    let search = Search {
        algorithm,
        store: Store::Exact,
        hashing: &Hashing::default(),
        bitstate: None,
        threads: 1,
        limits: Limits::default(),
        profile: None,
    };
    let plan = Plan { automaton: &automaton, strength: strength::of_graph(&automaton), search };
    let done = plan.run(&mut Nobody).expect("it applies");
    let (c, answer) = (done.counters, &shown.answer);
    prop_assert_eq!(&answer.counters, &Counters::from(c), "{}", algorithm);
    prop_assert_eq!(answer.degeneralised, done.degeneralised);
    prop_assert_eq!(answer.verdict == Verdict::Nonempty, matches!(done.verdict, Found::Accepting(_)));
    let film = &shown.film;
    let active = if algorithm == Algorithm::Ascc { "max Active" } else { "max Current" };
    let names = ["states", "transitions", "post calls", "max depth", "max Roots", active];
    let wanted = [c.states, c.transitions, c.post_calls, c.max_depth, c.max_roots, c.max_active];
    prop_assert_eq!(names.map(|n| count(film, n)), wanted, "{}", algorithm);
    let end = film.scene(film.shots.len());
    match answer.verdict {
        Verdict::Nonempty => prop_assert!(end.paint.contains(&Paint::Gold)),
        _ => prop_assert!(end.lists.iter().all(Vec::is_empty), "{:?}", end.lists),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]
    #[test]
    fn checks(case in prop_oneof![cases(Shape::General), cases(Shape::Weak), cases(Shape::Terminal)]) {
        let strength = strength::of_graph(&case.automaton());
        for algorithm in Algorithm::ALL.into_iter().filter(|a| a.refuses(strength, true).is_none()) {
            let shown = with_how(|how| search(written(&case), Some(algorithm), 10_000, how, "it")).expect("it applies");
            sound(&shown.film)?;
            as_checked(&case, algorithm, &shown)?;
        }
        for tarjan in [true, false] {
            let shown = with_how(|how| components(written(&case), tarjan, how, "it")).expect("it is small");
            sound(&shown.film)?;
        }
    }

    #[test]
    fn fixpoints(case in cases(Shape::General)) {
        let automaton = case.automaton();
        for algorithm in Fixpoint::ALL {
            let shown = fixpoint(written(&case), Some(algorithm), 10_000, "it").expect("it is small");
            sound(&shown.film)?;
            let bdd = Oxi::for_bits(Limits::default(), bits_of(&automaton));
            let strength = strength::of_graph(&automaton);
            let done = accepting_run(&bdd, (&automaton, strength), Some(algorithm)).expect("it is small");
            prop_assert_eq!(shown.answer.verdict == Verdict::Nonempty, done.lasso.is_some(), "{}", algorithm.name());
            // These two pick states, and diagrams pick others.
            if !matches!(algorithm, Fixpoint::Lockstep | Fixpoint::Chain) {
                let (c, film) = (&done.found.counters, &shown.film);
                let counts = ["iterations", "EX", "EY", "EU", "ES"].map(|n| count(film, n));
                prop_assert_eq!(counts, [c.external_iterations, c.ex, c.ey, c.eu, c.es], "{}", algorithm.name());
            }
        }
    }
}

#[test]
fn translations_end_with_the_automaton() {
    for text in
        ["p U q", "G F p", "X (p & F q)", "!(p U (q U r))", "G (p -> F q)", "p W !p", "p & !p", "true"]
    {
        let ltl = riata_ltl::parse(text, riata_ltl::Dialect::Spot).unwrap();
        for construction in [Construction::Closure, Construction::Gpvw96] {
            let shown = translation(&ltl, construction, 300).expect("it is small");
            sound(&shown.film).unwrap();
            let end = shown.film.scene(shown.film.shots.len());
            if (text, construction) != ("p & !p", Construction::Closure) {
                assert!(!end.paint.contains(&Paint::Hidden), "{text}: every state is there at the end");
            }
            // The automaton of the film has the language of the one that everybody uses.
            let options = translate::Options { output: Output::Ba, ..translate::Options::default() };
            let automaton = translate::translate(&ltl, &options).unwrap();
            assert!(automaton.states() <= shown.film.states.len().max(1), "{text}");
        }
        let too_large = translation(&ltl, Construction::Closure, 0).map(|_| ());
        assert!(too_large.is_err(), "{text}: {too_large:?}");
    }
}

/// The degeneralised copies count for the limit, too.
#[test]
fn too_many_states_are_refused_with_advice() {
    let case = Case::buchi(4, &[1], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let error = Written::automaton(&Automaton::from(case.automaton()), 3).expect_err("there are four");
    assert!(error.to_string().contains("--max-states"), "{error}");
}
