//! Systems written in Rust, their products with automata, and what limits do to a search.

use riata_automata::hoa::Reader;
use riata_automata::{Tgba, strength};
use riata_explore::Algorithm::{self, *};
use riata_explore::ascc;
use riata_store::{Bitstate, Compact, Exact, Tree};
use riata_system::{
    Deadlocks, Degeneralised, Interned, Limits, Model, Product, Run, Stop, Strength, Verdict, replay,
};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Counts to `end`, and then stops or begins again.
struct Counter {
    end: u32,
    cyclic: bool,
}

impl Model for Counter {
    type State = u32;

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn successors(&self, &s: &u32, out: &mut Vec<u32>) {
        if s < self.end {
            out.push(s + 1);
        } else if self.cyclic {
            out.push(0);
        }
    }

    fn propositions(&self) -> Vec<String> {
        vec!["zero".into(), "end".into()]
    }

    fn holds(&self, p: usize, &s: &u32) -> bool {
        s == if p == 0 { 0 } else { self.end }
    }
}

fn automaton(hoa: &str) -> Tgba {
    Reader::new(hoa.as_bytes()).next().expect("one automaton").expect("valid HOA").tgba
}

/// G F zero & G F end, with marks on edges.
const BOTH_AGAIN: &str = r#"HOA: v1 States: 1 Start: 0 AP: 2 "end" "zero" Acceptance: 2 Inf(0)&Inf(1)
--BODY-- State: 0 [0&1] 0 {0 1} [0&!1] 0 {1} [!0&1] 0 {0} [!0&!1] 0 --END--"#;

/// F G end.
const ENDS: &str = r#"HOA: v1 States: 2 Start: 0 AP: 1 "end" Acceptance: 1 Inf(0)
--BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 --END--"#;

fn check(model: Counter, hoa: &str, deadlocks: Deadlocks) -> Verdict {
    let (system, a) = (Interned::new(model), automaton(hoa));
    let names = system.model().propositions();
    let product = || Product::new(&system, &names, &a, deadlocks).expect("known propositions");
    let strength = strength::of_property(&a);
    let mut verdicts = Vec::new();
    let edges = product().with_strength(strength);
    for algorithm in Algorithm::ALL.into_iter().filter(|a| !a.needs_one_set()) {
        let mut run = Run::new(Limits::default());
        if let Ok(v) = riata_explore::check(algorithm, &edges, &mut Exact::new(1 << 24), &mut run) {
            verdicts.push(v);
        }
    }
    let one_set = Degeneralised::new(&edges);
    for algorithm in [Cvwy92, Hpy96, Gmz04, Se05, And, Gv04] {
        let mut run = Run::new(Limits::default());
        verdicts.push(
            riata_explore::check(algorithm, &one_set, &mut Tree::new(1 << 24), &mut run).expect("one set"),
        );
    }
    if let Ok(states) = product().on_states() {
        let mut run = Run::new(Limits::default());
        let v = riata_explore::check(Se05, &states, &mut Exact::new(1 << 24), &mut run);
        verdicts.push(v.expect("one set"));
    }
    let empty = verdicts[0] == Verdict::Empty;
    assert!(verdicts.iter().all(|v| (*v == Verdict::Empty) == empty), "{verdicts:?}");
    verdicts.swap_remove(0)
}

#[test]
fn every_check_decides_the_product() {
    let cyclic = || Counter { end: 5, cyclic: true };
    assert!(matches!(check(cyclic(), BOTH_AGAIN, Deadlocks::Stutter), Verdict::Accepting(_)));
    assert_eq!(check(cyclic(), ENDS, Deadlocks::Stutter), Verdict::Empty);
}

#[test]
fn a_run_that_ends_stutters_or_is_left_out() {
    let finite = || Counter { end: 3, cyclic: false };
    let Verdict::Accepting(lasso) = check(finite(), ENDS, Deadlocks::Stutter) else { panic!("it ends") };
    assert_eq!(lasso.cycle.len(), 1);
    assert_eq!(check(finite(), ENDS, Deadlocks::Ignore), Verdict::Empty);
    assert_eq!(check(finite(), BOTH_AGAIN, Deadlocks::Stutter), Verdict::Empty);
}

#[test]
fn an_unknown_proposition_is_refused() {
    let system = Interned::new(Counter { end: 1, cyclic: false });
    let a = automaton(ENDS);
    let Err(e) = Product::new(&system, &["zero"], &a, Deadlocks::Stutter) else {
        panic!("`end` is not there")
    };
    assert_eq!(e.to_string(), "the system has no proposition `end`");
}

#[test]
fn a_check_outside_its_class_refuses() {
    let system = Interned::new(Counter { end: 1, cyclic: true });
    let a = automaton(BOTH_AGAIN);
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &a, Deadlocks::Stutter).expect("known propositions");
    let product = product.with_strength(strength::of_property(&a));
    for (check, message) in [
        (Sd, "`sd` is correct only on weak automata, and this one is not weak"),
        (Reach, "`reach` is correct only on terminal automata, and this one is not weak"),
        (Se05, "`se05` needs one acceptance set on states; degeneralise first"),
    ] {
        let mut run = Run::new(Limits::default());
        let refused =
            riata_explore::check(check, &product, &mut Exact::new(1 << 20), &mut run).expect_err("outside");
        assert_eq!(refused.to_string(), message);
    }
    // A terminal automaton is only weak in a product whose runs may end.
    let f_end = automaton(
        r#"HOA: v1 States: 2 Start: 0 AP: 1 "end" Acceptance: 1 Inf(0)
        --BODY-- State: 0 [!0] 0 [0] 1 State: 1 {0} [t] 1 --END--"#,
    );
    assert_eq!(strength::of_property(&f_end), Strength::Terminal);
    let ignoring = Product::new(&system, &names, &f_end, Deadlocks::Ignore).expect("known propositions");
    let ignoring = ignoring.with_strength(Strength::Terminal);
    let mut run = Run::new(Limits::default());
    assert!(riata_explore::check(Reach, &ignoring, &mut Exact::new(1 << 20), &mut run).is_err());
}

/// A search of many states: the counter, and an automaton that accepts nothing of it.
fn long(limits: Limits, store: &mut Exact) -> (Verdict, u64) {
    let system = Interned::new(Counter { end: 200_000, cyclic: true });
    let a = automaton(ENDS);
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &a, Deadlocks::Stutter).expect("known propositions");
    let mut run = Run::new(limits);
    let verdict = ascc::check(&product, store, &mut run);
    (verdict, run.counters.states)
}

#[test]
fn a_limit_is_inconclusive_and_keeps_the_counters() {
    let past = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let stop = AtomicBool::new(true);
    let interrupted = Limits { interrupt: Some(&stop), ..Limits::default() };
    let little = Limits { memory: Some(1 << 20), ..Limits::default() };
    for (limits, why) in [(past, Stop::Time), (interrupted, Stop::Interrupted), (little, Stop::Memory)] {
        let (verdict, states) = long(limits, &mut Exact::new(usize::MAX));
        assert_eq!(verdict, Verdict::Inconclusive(why));
        assert!(states > 1000 && states < 200_000, "{why:?}: {states}");
    }
    let (verdict, _) = long(Limits::default(), &mut Exact::new(1 << 20));
    assert_eq!(verdict, Verdict::Inconclusive(Stop::Memory), "the store's own limit");
    assert_eq!(long(Limits::default(), &mut Exact::new(1 << 30)).0, Verdict::Empty);
}

#[test]
fn a_lossy_store_finds_but_never_says_empty() {
    let a = automaton(BOTH_AGAIN);
    for end in [10, 3000] {
        let system = Interned::new(Counter { end, cyclic: true });
        let names = system.model().propositions();
        let product = Product::new(&system, &names, &a, Deadlocks::Stutter).expect("known propositions");
        let one_set = Degeneralised::new(&product);
        let run = || Run::new(Limits::default());
        let compact = ascc::check(&product, &mut Compact::new(1 << 24, 0), &mut run());
        assert!(matches!(compact, Verdict::Accepting(_)));
        let mut roomy = Bitstate::new(1 << 20, 3, 0);
        let Verdict::Accepting(lasso) = riata_explore::and::check(&one_set, &mut roomy, &mut run()) else {
            panic!("bits enough for all")
        };
        assert!(replay(&one_set, &lasso).is_ok());
        // A few bits: states are left out, and the search cannot tell.
        let mut tiny = Bitstate::new(16, 2, 0);
        let verdict = riata_explore::and::check(&one_set, &mut tiny, &mut run());
        assert_ne!(verdict, Verdict::Empty);
    }
    let empty = automaton(ENDS);
    let system = Interned::new(Counter { end: 10, cyclic: true });
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &empty, Deadlocks::Stutter).expect("known propositions");
    let verdict = ascc::check(&product, &mut Compact::new(1 << 24, 0), &mut Run::new(Limits::default()));
    assert_eq!(verdict, Verdict::Inconclusive(Stop::Lossy));
}

#[test]
fn a_lasso_of_a_rust_model_tells_its_steps() {
    let a = automaton(BOTH_AGAIN);
    let system = Interned::new(Counter { end: 10, cyclic: true });
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &a, Deadlocks::Stutter).expect("known propositions");
    let mut run = Run::new(Limits::default());
    let Verdict::Accepting(lasso) = ascc::check(&product, &mut Exact::new(usize::MAX), &mut run) else {
        panic!("there is a run")
    };
    let walk = lasso.walk();
    assert_eq!(walk.choices.len(), lasso.len());
    for (src, choice, dst) in (0..walk.choices.len()).filter_map(|i| walk.step(i)) {
        let mut all = Vec::new();
        system.model().successors(&system.state(src), &mut all);
        assert_eq!(all[choice.0 as usize], system.state(dst));
    }
}
