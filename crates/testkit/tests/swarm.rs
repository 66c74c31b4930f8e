//! Swarms: what is found is there, what is there is found if the store has room, and «nothing» is never «empty».

use proptest::prelude::*;
use riata_explore::swarm::{Member, Order, Shuffled, find, find_together, swarm};
use riata_explore::{Algorithm, check};
use riata_store::{Bitstate, Compact, Exact, hash, shared};
use riata_system::{
    ActionId, Choice, Explicit, Graph, Limits, Path, Run, Stop, System, Valuation, Verdict, replay,
};
use riata_testkit::{Case, Shape, cases, oracle};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Numbers below `n`, each with as many successors as its hash tells, up to three.
struct Numbers(u32);

impl System for Numbers {
    type Cursor = u32;

    fn words(&self) -> usize {
        2
    }

    fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
        dst.copy_from_slice(&[*at, 7]);
        *at += 1;
        *at <= 2
    }

    fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<ActionId> {
        *at += 1;
        let n = hash::words(src, u64::from(*at)) as u32 % self.0;
        dst.copy_from_slice(&[n, 7]);
        (*at <= hash::words(src, 0) as u32 % 4).then_some(ActionId(*at))
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }
}

fn is_path(system: &Numbers, path: &Path) -> bool {
    let steps = (1..path.len()).all(|i| Choice::between(system, path.get(i - 1), path.get(i)).is_some());
    steps && path.get(0)[0] < 2
}

fn run<'a>() -> Run<'a> {
    Run::new(Limits::default())
}

#[test]
fn with_an_exact_store_everything_is_found() {
    let system = Numbers(3000);
    let mut all = None;
    for seed in 0..5 {
        let (mut stuck, mut seen) = (0, HashSet::new());
        let mut visit = |s: &[u32], n: u64| {
            stuck += u64::from(n == 0);
            assert!(seen.insert(s.to_vec()), "a state is visited once");
            0
        };
        let order = Order { seed, depth: usize::MAX };
        let mut run = run();
        let (found, stopped) = find(&system, &mut Exact::new(1 << 26), order, (1, &mut visit), &mut run);
        assert!(found.is_empty() && stopped.is_none());
        assert_eq!((run.counters.states, stuck), *all.get_or_insert((run.counters.states, stuck)));
    }
}

#[test]
fn what_a_swarm_finds_is_there() {
    let system = Numbers(100_000);
    let wanted = |s: &[u32], n: u64| u32::from(s[0] % 5003 == 11) | u32::from(n == 0) << 1;
    for threads in [1, 2, 4] {
        let mut run = run();
        let flown = swarm(threads, &mut run, |number, run| {
            let mut store = Bitstate::new(1 << 20, 3, number as u64);
            let order = Order { seed: number as u64, depth: 100_000 >> number };
            let (found, stopped) = find(&system, &mut store, order, (3, &mut |s, n| wanted(s, n)), run);
            Member { enough: found.len() == 2, found, stopped }
        });
        assert!(flown.stopped.is_none() && flown.found.len() >= 2);
        assert_eq!(flown.states.iter().sum::<u64>(), run.counters.states);
        for (bit, path) in &flown.found {
            let last = path.get(path.len() - 1);
            let mut cursor = 0;
            let successors = std::iter::from_fn(|| system.next(last, &mut cursor, &mut [0; 2])).count();
            assert!(is_path(&system, path) && wanted(last, successors as u64) >> bit & 1 == 1);
        }
    }
}

#[test]
fn threads_share_one_search() {
    let system = Numbers(30_000);
    let all = {
        let (mut run, order) = (run(), Order { seed: 0, depth: usize::MAX });
        find(&system, &mut Exact::new(1 << 26), order, (1, &mut |_, _| 0), &mut run);
        run.counters
    };
    for (threads, seed) in [(1, 0), (2, 0), (3, 1), (8, 2)] {
        let order = Order { seed, depth: usize::MAX };
        let seen = Mutex::new(HashSet::new());
        let visit = |_: &mut (), s: &[u32], _| {
            assert!(seen.lock().expect("no panic").insert(s.to_vec()), "a state is visited once");
            0
        };
        let (mut run, store) = (self::run(), shared::Compact::new(1 << 26, seed));
        let (found, stopped) = find_together(&system, &store, (threads, order), (1, &visit), &mut run);
        assert!(found.is_empty() && stopped.is_none());
        assert_eq!((run.counters.states, run.counters.transitions), (all.states, all.transitions));
        // What is told twice of bitstate is looked at twice, at most by all threads.
        let (mut run, store) = (self::run(), shared::Bitstate::new(1 << 24, 3, seed));
        let (_, stopped) =
            find_together(&system, &store, (threads, order), (1, &|(): &mut (), _, _| 0), &mut run);
        assert!(stopped.is_none() && run.counters.states + 5 >= all.states);
        assert!(run.counters.states <= all.states * threads as u64);
    }
}

#[test]
fn what_threads_find_together_is_there() {
    let system = Numbers(100_000);
    let wanted = |s: &[u32], n: u64| u32::from(s[0] % 5003 == 11) | u32::from(n == 0) << 1;
    for (threads, seed) in (0..40).map(|i| ([1, 2, 4, 7][i % 4], i as u64)) {
        // Some with too little memory, and some with a depth that is hardly enough.
        let order = Order { seed, depth: [usize::MAX, 30][seed as usize / 4 % 2] };
        let (mut run, store) = (self::run(), shared::Bitstate::new(1 << (10 + seed % 8), 3, seed));
        let visit = |_: &mut (), s: &[u32], n| wanted(s, n);
        let (found, stopped) = find_together(&system, &store, (threads, order), (3, &visit), &mut run);
        assert!(stopped.is_none() && found.len() <= 2 && run.counters.max_depth <= order.depth as u64);
        for (bit, path) in &found {
            let last = path.get(path.len() - 1);
            let mut cursor = 0;
            let successors = std::iter::from_fn(|| system.next(last, &mut cursor, &mut [0; 2])).count();
            assert!(is_path(&system, path) && wanted(last, successors as u64) >> bit & 1 == 1);
        }
    }
}

#[test]
fn limits_end_all_threads() {
    let interrupt = AtomicBool::new(true);
    let order = Order { seed: 0, depth: usize::MAX };
    let visit = |(): &mut (), _: &[u32], _| 0;
    let limited = |limits, store: &shared::Compact| {
        find_together(&Numbers(1 << 30), store, (3, order), (1, &visit), &mut Run::new(limits)).1
    };
    let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
    assert_eq!(limited(limits, &shared::Compact::new(1 << 30, 0)), Some(Stop::Interrupted));
    assert_eq!(limited(Limits::default(), &shared::Compact::new(1 << 21, 0)), Some(Stop::Memory));
    let lost = std::panic::catch_unwind(|| {
        let visit = |(): &mut (), s: &[u32], _| u32::from(s[0] % 97 == 5 && panic!("lost"));
        let store = shared::Bitstate::new(1 << 20, 3, 0);
        find_together(&Numbers(100_000), &store, (3, order), (1, &visit), &mut run())
    });
    assert!(lost.is_err());
}

#[test]
fn who_interrupts_ends_a_swarm() {
    let interrupt = AtomicBool::new(true);
    let mut run = Run::new(Limits { interrupt: Some(&interrupt), ..Limits::default() });
    let flown = swarm(3, &mut run, |number, run| {
        let order = Order { seed: number as u64, depth: usize::MAX };
        let mut store = Compact::new(1 << 30, number as u64);
        let (found, stopped) = find(&Numbers(1 << 30), &mut store, order, (1, &mut |_, _| 0), run);
        Member { enough: false, found, stopped }
    });
    assert_eq!(flown.stopped, Some(Stop::Interrupted));
}

#[test]
fn a_member_that_panics_is_heard() {
    let flown = std::panic::catch_unwind(|| {
        swarm(3, &mut run(), |number, _| {
            assert!(number != 1, "lost");
            Member { found: vec![number], enough: false, stopped: None }
        })
    });
    assert!(flown.is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn another_order_changes_no_verdict(case in cases(Shape::General), seed in 1u64..5) {
        shuffled(&case, seed)?;
    }
}

fn shuffled(case: &Case, seed: u64) -> Result<(), TestCaseError> {
    let automaton = case.automaton();
    let graph = Explicit::new(&automaton);
    let g = Shuffled { graph: &graph, seed };
    for s in 0..case.states as u32 {
        let all = |g: &dyn Fn() -> Vec<(u32, u64)>| {
            let mut all = g();
            all.sort_unstable();
            all
        };
        prop_assert_eq!(all(&|| edges(&g, s)), all(&|| edges(&graph, s)));
    }
    let verdict = check(Algorithm::Ascc, &g, &mut Exact::new(1 << 26), &mut run());
    match verdict {
        Ok(Verdict::Empty) => prop_assert!(!oracle::nonempty(case)),
        Ok(Verdict::Accepting(lasso)) => prop_assert!(replay(&graph, &lasso).is_ok()),
        other => prop_assert!(false, "{:?}", other),
    }
    Ok(())
}

fn edges<G: Graph>(g: &G, s: u32) -> Vec<(u32, u64)> {
    let (mut at, mut slot) = (G::Cursor::default(), vec![0; g.words()]);
    let mut all = Vec::new();
    while let Some(marks) = g.next(&[s], &mut at, &mut slot) {
        all.push((slot[0], marks.0));
    }
    all
}
