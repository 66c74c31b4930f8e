//! Breadth-first search by several threads: the same as by one, and so every time.

use riata_explore::bfs::{self, shortest_path};
use riata_explore::parallel::bfs::{Searched, Visit};
use riata_explore::parallel::{Parts, bfs::bfs, first_path};
use riata_store::{Exact, Sorted, Tree, hash};
use riata_system::{ActionId, Counters, Limits, Path, Run, Stop, System, Valuation};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Pseudo-random states of three words and as many successors as their hash tells. Of some states a reduction leaves
/// out all successors but the first.
struct Random {
    seed: u64,
    states: u32,
    degree: u32,
    reduced: bool,
    /// States have different lengths.
    varied: bool,
    /// Nearly all of their bits vary.
    wide: bool,
}

/// Successors from `at` on, up to `end`.
#[derive(Default)]
struct Cursor {
    at: u32,
    end: Option<u32>,
}

impl Random {
    /// The state with this number.
    fn state(&self, n: u32) -> [u32; 4] {
        let far = |i: u64| if self.wide { hash::pair(n, self.seed as u32 + i as u32) as u32 } else { 0 };
        [n, 1 ^ far(1), n.wrapping_mul(7) ^ far(2), 5 ^ far(3)]
    }

    fn degree(&self, s: &[u32]) -> u32 {
        (hash::words(s, self.seed) >> 7) as u32 % (self.degree + 1)
    }

    fn reduces(&self, s: &[u32]) -> bool {
        self.reduced && self.degree(s) > 1 && !hash::words(s, self.seed).is_multiple_of(3)
    }
}

impl System for Random {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        4
    }

    fn len(&self, s: &[u32]) -> usize {
        if self.varied && s[0].is_multiple_of(3) { 3 } else { 4 }
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        dst.copy_from_slice(&self.state(at.at));
        at.at += 1;
        at.at <= 3
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let end = *at.end.get_or_insert(if self.reduces(src) { 1 } else { self.degree(src) });
        if at.at >= end {
            return None;
        }
        at.at += 1;
        let n = hash::words(src, self.seed ^ u64::from(at.at)) as u32 % self.states;
        dst.copy_from_slice(&self.state(n));
        Some(ActionId(at.at))
    }

    fn left_out(&self, at: &Cursor) -> bool {
        self.reduced && at.end == Some(1)
    }

    fn rest(&self, src: &[u32], at: &mut Cursor) -> bool {
        *at = Cursor { at: 1, end: Some(self.degree(src)) };
        self.reduces(src)
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }
}

/// What is looked for: two kinds of states, one of them rare.
fn bits(s: &[u32]) -> u32 {
    u32::from(s[0] % 97 == 5) | u32::from(s[0] % 4001 == 17) << 1
}

fn run<'a>() -> Run<'a> {
    Run::new(Limits::default())
}

/// States, transitions, levels, and what each kind of finding is shown by.
type Seen = (u64, u64, usize, u64, Vec<Option<Path>>);

fn alone(system: &Random, until: u32) -> Seen {
    let mut store = Exact::new(1 << 28);
    let mut run = run();
    let (mut sum, mut first) = (0, [None, None]);
    let searched = bfs::bfs(system, &mut store, &mut run, |id, s, n| {
        sum += n;
        let told = bits(s);
        for b in (0..2).filter(|b| told >> b & 1 == 1) {
            first[b].get_or_insert(id);
        }
        let all = (0..2).fold(0, |all, b| all | u32::from(first[b].is_some()) << b);
        if all & until == until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let paths = first.map(|id| id.map(|id| shortest_path(system, &store, &searched.levels, id)));
    (run.counters.states, run.counters.transitions, searched.levels.len(), sum, paths.to_vec())
}

fn together(system: &Random, threads: usize, until: u32) -> Seen {
    // More parts than threads, too: where the system gives fewer threads than asked for, one works on several parts.
    let seen = divided(system, &stores(threads), threads, until);
    assert_eq!(divided(system, &stores(2 * threads + 1), threads, until), seen, "{threads}");
    let trees = Parts::new((0..threads).map(|_| Tree::new(1 << 28)));
    assert_eq!(divided(system, &trees, threads, until), seen, "{threads}");
    // What is new on a level is known to the others only. Bits begin to vary after the sample, few of them or many.
    for sample in [1, 50, 70_000].into_iter().filter(|_| !system.reduced) {
        let room = threads << 28;
        let keyed = Parts::keyed_after(system, (threads, room), Limits::default(), sample);
        assert_eq!(divided(system, &keyed, threads, until), seen, "{threads}, keys after {sample}");
    }
    seen
}

fn divided<R: Sorted + Send>(system: &Random, parts: &Parts<R>, threads: usize, until: u32) -> Seen {
    let mut run = run();
    let visit = |sum: &mut u64, v: &Visit<Random>| {
        *sum += v.successors;
        assert_eq!(v.state.len(), system.len(v.state));
        if v.again { 0 } else { bits(v.state) }
    };
    let Searched { levels, stopped, found, tallies } =
        bfs(system, parts, threads, &mut run, &visit, |told| told & until == until);
    assert_eq!(stopped, None);
    assert!(parts.states() as u64 >= run.counters.states);
    let Counters { states, transitions, .. } = run.counters;
    let path = |bit| {
        let f = found.iter().find(|f| f.bit == bit)?;
        let way = first_path(system, parts, &levels[..=f.level], &f.states, (threads, &mut run));
        Some(way.expect("a path"))
    };
    let paths = (0..2).map(path).collect();
    (states, transitions, levels.len(), tallies.iter().sum(), paths)
}

fn stores(parts: usize) -> Parts<Exact> {
    Parts::new((0..parts).map(|_| Exact::new(1 << 28)))
}

#[test]
fn the_same_for_any_number_of_threads() {
    for seed in 0..12 {
        let (degree, varied) = (2 + seed as u32 % 3, seed % 2 == 1);
        let system = Random { seed, states: 20_000, degree, reduced: false, varied, wide: seed % 3 == 2 };
        let expected = alone(&system, u32::MAX);
        for threads in [1, 2, 3, 4, 8] {
            assert_eq!(together(&system, threads, u32::MAX), expected, "{seed}, {threads}");
        }
    }
}

#[test]
fn what_is_found_early_is_shown_by_the_same_path() {
    for seed in 0..12 {
        let system =
            Random { seed, states: 50_000, degree: 3, reduced: false, varied: false, wide: seed % 2 == 1 };
        let (_, _, levels, _, paths) = alone(&system, 1);
        let first = together(&system, 1, 1);
        assert_eq!((first.2, &first.4[0]), (levels, &paths[0]), "{seed}");
        for threads in [2, 3, 4, 8] {
            assert_eq!(together(&system, threads, 1), first, "{seed}, {threads}");
        }
    }
}

#[test]
fn what_is_left_out_does_not_depend_on_threads() {
    for seed in 0..12 {
        let system = Random { seed, states: 20_000, degree: 3, reduced: true, varied: false, wide: false };
        let first = together(&system, 1, u32::MAX);
        let whole = alone(&Random { reduced: false, ..system }, u32::MAX);
        assert!(first.0 <= whole.0);
        for threads in [2, 3, 4, 8] {
            assert_eq!(together(&system, threads, u32::MAX), first, "{seed}, {threads}");
        }
    }
}

/// One of the workers is much slower than the others, which do some of its work.
#[test]
fn who_is_slow_is_helped() {
    for seed in 0..4 {
        let system =
            Random { seed, states: 20_000, degree: 3, reduced: seed % 2 == 1, varied: false, wide: false };
        let expected = together(&system, 1, u32::MAX);
        let slow = Mutex::new(None);
        let visit = |sum: &mut u64, v: &Visit<Random>| {
            let me = thread::current().id();
            if *slow.lock().expect("nobody panics").get_or_insert(me) == me {
                thread::sleep(Duration::from_micros(20));
            }
            *sum += v.successors;
            0
        };
        let mut run = run();
        let searched = bfs(&system, &stores(3), 3, &mut run, &visit, |_| false);
        let Counters { states, transitions, .. } = run.counters;
        let sum = searched.tallies.iter().sum::<u64>();
        assert_eq!(
            (states, transitions, searched.levels.len(), sum),
            (expected.0, expected.1, expected.2, expected.3)
        );
    }
}

#[test]
fn limits_end_all_workers() {
    let system = Random { seed: 1, states: 1 << 30, degree: 4, reduced: false, varied: false, wide: false };
    let visit = |_: &mut (), _: &Visit<Random>| 0;
    let interrupt = AtomicBool::new(true);
    let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
    let searched = bfs(&system, &stores(4), 4, &mut Run::new(limits), &visit, |_| false);
    assert_eq!(searched.stopped, Some(Stop::Interrupted));
    let small = Parts::new((0..4).map(|_| Exact::new(1 << 20)));
    let searched = bfs(&system, &small, 4, &mut run(), &visit, |_| false);
    assert_eq!(searched.stopped, Some(Stop::Memory));
}

/// The search is interrupted on the level on which something is found for the first time, or soon after.
#[test]
fn what_was_found_counts_in_spite_of_a_limit() {
    for threads in [1, 2, 4] {
        let system =
            Random { seed: 5, states: 200_000, degree: 4, reduced: false, varied: false, wide: false };
        let (interrupt, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
        let visit = |_: &mut (), _: &Visit<Random>| {
            let finds = seen.fetch_add(1, Ordering::Relaxed) == 60_000;
            interrupt.fetch_or(finds, Ordering::Relaxed);
            u32::from(finds)
        };
        let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
        let searched = bfs(&system, &stores(threads), threads, &mut Run::new(limits), &visit, |_| false);
        assert_eq!(searched.stopped, Some(Stop::Interrupted));
        assert_eq!(searched.first(0).map(|f| f.states.len()), Some(1), "{threads}");
    }
}

#[test]
fn who_panics_is_heard() {
    let system = Random { seed: 1, states: 50_000, degree: 3, reduced: false, varied: false, wide: false };
    let visit = |_: &mut (), v: &Visit<Random>| {
        assert!(v.state[0] % 7001 != 19, "lost");
        0
    };
    let search = std::panic::AssertUnwindSafe(|| {
        bfs(&system, &stores(4), 4, &mut run(), &visit, |_| false);
    });
    assert!(std::panic::catch_unwind(search).is_err());
}
