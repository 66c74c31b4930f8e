//! Streett emptiness against all choices of what to do without.

use proptest::prelude::*;
use riata_automata::{Marks, Tgba};
use riata_explore::scc;
use riata_explore::streett::{Pair, check};
use riata_store::{Exact, Tree};
use riata_system::{Explicit, Limits, Run, Verdict};
use riata_testkit::case::Case;

const PAIRS: usize = 3;

/// Mark 0 is the automaton's; then come three marks that ask and three that serve.
fn pairs() -> Vec<Pair> {
    (0..PAIRS).map(|i| Pair { asks: Marks(2 << i), serves: Marks(16 << i) }).collect()
}

fn automaton(states: usize, initial: Vec<usize>, edges: &[(usize, usize, u64)], without: Marks) -> Tgba {
    let edges = edges.iter().map(|&(s, t, m)| (s % states, t % states, Marks(m)));
    let edges = edges.filter(|e| (e.2 & without).is_empty()).collect();
    Case { states, sets: 7, initial, edges, state_marks: None }.automaton()
}

/// Has a component that is not trivial all these marks?
fn has_component(a: &Tgba, marks: Marks) -> bool {
    let mut store = Exact::new(usize::MAX);
    let found = scc::tarjan(&Explicit::new(a), &mut store, &mut Run::new(Limits::default())).unwrap();
    found.all.iter().any(|c| !c.trivial && c.marks.contains(marks))
}

fn reachable(a: &Tgba) -> Vec<usize> {
    let mut store = Exact::new(usize::MAX);
    let found = scc::tarjan(&Explicit::new(a), &mut store, &mut Run::new(Limits::default())).unwrap();
    let mut states = Vec::new();
    for id in 0..found.of.len() as u32 {
        let mut words = Vec::new();
        riata_store::Row::load(&store, id, &mut words);
        states.push(words[0] as usize);
    }
    states
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// A run counts if it does without the edges that ask for some of the pairs, and serves all others.
    #[test]
    fn as_by_all_choices(
        n in 1usize..7,
        edges in prop::collection::vec((0usize..7, 0usize..7, 0u64..128, 0u64..128), 0..20),
    ) {
        // Fewer marks are more interesting.
        let edges: Vec<_> = edges.iter().map(|&(a, b, m, l)| (a, b, m & (l | 1))).collect();
        let (all, pairs) = (Marks(1), pairs());
        let whole = automaton(n, vec![0], &edges, Marks::NONE);
        let reached = reachable(&whole);
        let expected = (0..1 << PAIRS).any(|choice| {
            let (without, with) = (0..PAIRS).fold((Marks::NONE, all), |(out, with), i| match choice >> i & 1 {
                1 => (out | pairs[i].asks, with),
                _ => (out, with | pairs[i].serves),
            });
            has_component(&automaton(n, reached.clone(), &edges, without), with)
        });
        let graph = Explicit::new(&whole);
        let accepts = |verdict| match verdict {
            Verdict::Accepting(_) => true,
            Verdict::Empty => false,
            Verdict::Inconclusive(stop) => panic!("{stop}"),
        };
        let mut run = Run::new(Limits::default());
        let exact = check(&graph, (all, &pairs), &mut Exact::new(usize::MAX), &mut run);
        let tree = check(&graph, (all, &pairs), &mut Tree::new(usize::MAX), &mut Run::new(Limits::default()));
        prop_assert_eq!(accepts(exact), expected);
        prop_assert_eq!(accepts(tree), expected);
        if !expected {
            prop_assert_eq!(run.counters.states as usize, reached.len());
        }
    }
}
