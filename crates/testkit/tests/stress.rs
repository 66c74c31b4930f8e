//! Hard cases for checks by several threads, again and again: small cycles, many components, large ones, early and late
//! violations. The verdict is that of Tarjan's algorithm by one thread.
//!
//! `RIATA_STRESS=100 cargo test --release -p riata-testkit --test stress` repeats each a hundred times.

use riata_automata::Marks;
use riata_explore::{Algorithm, check};
use riata_store::Dense;
use riata_system::{Explicit, Limits, Run, Strength, Verdict, replay};
use riata_testkit::Case;
use riata_testkit::together::Together;

fn numbers(mut x: u64) -> impl FnMut(usize) -> usize {
    x = x.wrapping_mul(2) + 1;
    move |n| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) as usize % n
    }
}

/// An automaton with marks on states from its edges and the marks of each state.
fn case(sets: u32, edges: &[(usize, usize)], marks: impl Fn(usize) -> Marks) -> Case {
    let states = edges.iter().map(|e| e.0.max(e.1)).max().unwrap_or(0) + 1;
    Case {
        states,
        sets,
        initial: vec![0],
        edges: edges.iter().map(|&(s, t)| (s, t, marks(s))).collect(),
        state_marks: Some((0..states).map(marks).collect()),
    }
}

/// No state, or one.
fn at(accepting: Option<usize>) -> impl Fn(usize) -> Marks {
    move |s| if accepting == Some(s) { Marks::one(0) } else { Marks::NONE }
}

/// A chain of small cycles, each left by one edge.
fn small_cycles(n: usize, length: usize, accepting: Option<usize>) -> Case {
    let mut edges = Vec::new();
    for c in 0..n {
        let first = c * length;
        (0..length).for_each(|i| edges.push((first + i, first + (i + 1) % length)));
        if c + 1 < n {
            edges.push((first + length / 2, first + length));
        }
    }
    case(1, &edges, at(accepting))
}

/// A ladder without cycles, whose many ways meet again and again.
fn ladder(n: usize, back: Option<(usize, usize)>, accepting: Option<usize>) -> Case {
    let mut edges: Vec<_> = (0..n - 2).flat_map(|i| [(i, i + 1), (i, i + 2)]).collect();
    edges.extend(back);
    case(1, &edges, at(accepting))
}

/// One component: a ring with chords.
fn ring(n: usize, chords: usize, sets: u32, marks: impl Fn(usize) -> Marks) -> Case {
    let mut r = numbers(n as u64);
    let mut edges: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
    (0..chords).for_each(|_| edges.push((r(n), r(n))));
    case(sets, &edges, marks)
}

/// Components in a tree: each a ring, with two below.
fn tree(n: usize, length: usize, accepting: Option<usize>) -> Case {
    let mut edges = Vec::new();
    for c in 0..n {
        (0..length).for_each(|i| edges.push((c * length + i, c * length + (i + 1) % length)));
        let below = [2 * c + 1, 2 * c + 2].into_iter().filter(|&b| b < n);
        below.for_each(|b| edges.push((c * length + b % length, b * length)));
    }
    case(1, &edges, at(accepting))
}

/// Random edges, and marks that are rare.
fn random(n: usize, degree: usize, sets: u32, rare: usize, seed: u64) -> Case {
    let mut r = numbers(seed);
    let edges: Vec<_> = (0..n * degree).map(|i| (i / degree, r(n))).collect();
    let marks: Vec<Marks> = (0..n)
        .map(|_| {
            let some = (0..sets).filter(|_| r(rare) == 0).map(Marks::one);
            some.fold(Marks::NONE, |all, m| all | m)
        })
        .collect();
    case(sets, &edges, |s| marks[s])
}

/// Edges that only lead on, and a few back: many components of a few states.
fn layered(n: usize, seed: u64, accepting: Option<usize>) -> Case {
    let mut r = numbers(seed);
    let mut edges: Vec<_> = (0..n - 1).flat_map(|i| [(i, i + 1), (i, (i + 1 + r(20)).min(n - 1))]).collect();
    (0..n / 10).for_each(|_| {
        let s = 5 + r(n - 5);
        edges.push((s, s - r(5)));
    });
    case(1, &edges, at(accepting))
}

fn hard() -> Vec<Case> {
    vec![
        small_cycles(200, 2, None),
        small_cycles(200, 2, Some(399)),
        small_cycles(200, 3, Some(4)),
        small_cycles(400, 1, Some(399)),
        ladder(600, None, Some(300)),
        ladder(600, Some((590, 580)), Some(585)),
        ladder(600, Some((300, 10)), Some(599)),
        ring(500, 0, 1, at(None)),
        ring(500, 300, 1, at(Some(250))),
        ring(700, 100, 3, |s| if s % 100 == 7 { Marks::one(s as u32 / 100 % 2) } else { Marks::NONE }),
        ring(700, 100, 2, |s| if s % 300 == 7 { Marks::one(s as u32 / 300 % 2) } else { Marks::NONE }),
        tree(120, 4, None),
        tree(120, 4, Some(479)),
        tree(120, 4, Some(1)),
        random(500, 2, 1, 200, 3),
        random(500, 2, 3, 100, 4),
        random(500, 1, 1, 20, 5),
        random(800, 3, 2, 900, 6),
        layered(600, 7, None),
        layered(600, 8, Some(300)),
        layered(600, 9, Some(590)),
    ]
}

#[test]
fn four_threads_never_disagree() {
    let times = std::env::var("RIATA_STRESS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let (mut empty, mut accepting) = (0, 0);
    for (number, case) in hard().iter().enumerate() {
        let automaton = case.automaton();
        let g = Explicit::with_strength(&automaton, Strength::General);
        let alone = check(Algorithm::Tarjan72, &g, &mut Dense, &mut Run::new(Limits::default()));
        let nonempty = matches!(alone, Ok(Verdict::Accepting(_)));
        if nonempty {
            accepting += 1
        } else {
            empty += 1
        }
        for time in 0..times {
            for algorithm in Algorithm::SHARED {
                let together =
                    Together { algorithm, threads: 4, rarely: 1 + time % 7 * 20, tree: time % 2 == 1 };
                match together.run(case).0 {
                    Verdict::Empty => assert!(!nonempty, "case {number}: {together:?} finds nothing"),
                    Verdict::Accepting(lasso) => {
                        assert!(nonempty, "case {number}: {together:?} finds a run that is none");
                        assert!(replay(&g, &lasso).is_ok(), "case {number}: {together:?}");
                    }
                    Verdict::Inconclusive(stop) => panic!("case {number}: {together:?}: {stop}"),
                }
            }
        }
    }
    assert!(empty >= 7 && accepting >= 7, "{empty} empty, {accepting} accepting");
}
