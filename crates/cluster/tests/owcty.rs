//! OWCTY by several processes against a check by one, on random automata.

mod together;

use riata_automata::random::Shape;
use riata_cluster::bfs::{Job, bfs};
use riata_cluster::edges::Edges;
use riata_cluster::lasso::lasso;
use riata_cluster::owcty::{members, owcty};
use riata_cluster::wave::Waves;
use riata_cluster::{AsTheyAre, SUMS, Signals};
use riata_explore::parallel::bfs::Visit;
use riata_explore::{Algorithm, check};
use riata_store::Exact;
use riata_system::{Explicit, Limits, Run, Verdict, replay};
use together::together;

/// States, and the lengths of stem and cycle if there is a lasso. It is replayed here.
fn decide(g: &Explicit, n: usize) -> Vec<(u64, Option<(usize, usize)>)> {
    let portable = AsTheyAre { most: 1 };
    together(n, |mesh| {
        let edges = Edges(g);
        let visit = |_: &mut (), _: &Visit<Edges<Explicit>>| 0;
        let sums = |_: &()| [0; SUMS];
        let job = Job { system: &edges, portable: &portable, visit: &visit, sums, enough: 0 };
        let (mut store, mut run) = (Exact::new(usize::MAX), Run::new(Limits::default()));
        let done = bfs(&job, (&mut store, mesh), None, &mut run);
        assert_eq!(done.stopped, None);
        let signals = Signals::new(mesh.processes());
        let mut waves = Waves { graph: g, portable: &portable, store: &store, mesh, run: &mut run, signals };
        let (s, size) = owcty(&mut waves).expect("no limit");
        let states = done.total().states;
        if size == 0 {
            return (states, None);
        }
        let left = members(&s);
        let found = lasso(&mut waves, &job, (&left, &done.starts), usize::MAX).expect("no limit");
        let choices = replay(g, &found).expect("an accepting run");
        assert_eq!(choices.len(), found.len());
        (states, Some((found.stem.len(), found.cycle.len())))
    })
}

#[test]
fn it_agrees_with_a_check_by_one() {
    let mut accepting = 0;
    for seed in 0..24 {
        let sets = seed as u32 % 4;
        let shape = Shape {
            states: 40 + 7 * (seed as u32 % 9),
            density: 1.2 + 0.1 * (seed % 10) as f64,
            sets,
            mark_probability: 0.04,
            ..Shape::default()
        };
        let automaton = shape.generate(seed).expect("a possible shape");
        let g = Explicit::new(&automaton);
        let mut run = Run::new(Limits::default());
        let verdict =
            check(Algorithm::Couvreur99, &g, &mut Exact::new(usize::MAX), &mut run).expect("a check");
        let one = decide(&g, 1);
        assert_eq!(matches!(verdict, Verdict::Accepting(_)), one[0].1.is_some(), "seed {seed}");
        accepting += u32::from(one[0].1.is_some());
        for n in [2, 3] {
            let all = decide(&g, n);
            assert!(all.iter().all(|said| *said == all[0]), "seed {seed}, {n} processes: {all:?}");
            assert_eq!(all[0].0, one[0].0, "seed {seed}, {n} processes");
            assert_eq!(all[0].1.is_some(), one[0].1.is_some(), "seed {seed}, {n} processes");
        }
    }
    assert!((5..20).contains(&accepting), "{accepting} of 24");
}
