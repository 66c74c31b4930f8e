//! LTL by the tableau and by an automaton: the same on random formulas and random systems, whose steps are one conjunction
//! or a disjunction of parts that write some bits and keep the others. A run of either satisfies the formula.

use proptest::prelude::*;
use riata_automata::{Options, strength, translate};
use riata_ltl::random::{Alphabet, from_bytes};
use riata_ltl::{Arena, Ltl, Word, evaluate};
use riata_symbolic::fsm::{Disjunct, Fsm};
use riata_symbolic::ltl::{Outcome, Search};
use riata_symbolic::relation::{Shape, Vars};
use riata_symbolic::{Algorithm, Bdd, Oxi, product, tableau};
use riata_system::Limits;

const BITS: usize = 3;

/// A function of the bits now and, if it may, of those after the step, by a table of truth values.
fn function<B: Bdd>(bdd: &B, vars: &[u32], table: u64) -> B::F {
    let mut f = bdd.constant(false);
    for row in 0..1u64 << vars.len() {
        if table >> (row % 64) & 1 == 0 {
            continue;
        }
        let mut cube = bdd.constant(true);
        for (i, &v) in vars.iter().enumerate() {
            let x = bdd.var(v).expect("no limit");
            let literal = if row >> i & 1 == 1 { x } else { bdd.not(&x) };
            cube = bdd.and(&cube, &literal).expect("no limit");
        }
        f = bdd.or(&f, &cube).expect("no limit");
    }
    f
}

/// The letters of a run: the values of the bits.
fn word<B: Bdd>(found: &Outcome<B>) -> Option<Word> {
    let lasso = found.lasso.as_ref()?;
    let letter = |s: &B::F| found.graph.bits(s).expect("a state")[..BITS].to_vec();
    Some(Word {
        stem: lasso.stem.iter().map(letter).collect(),
        cycle: lasso.cycle.iter().map(letter).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_tableau_agrees_with_the_automaton(
        bytes in prop::collection::vec(any::<u8>(), 1..14),
        (init, whole, parts) in (any::<u64>(), any::<u64>(), prop::collection::vec(any::<u64>(), BITS)),
        (split, fair) in (any::<bool>(), prop::option::of(any::<u64>())),
    ) {
        let mut arena = Arena::new();
        let names = ["a", "b", "c"];
        names.iter().for_each(|n| { arena.ap(n); });
        let root = from_bytes(&mut arena, &names, &bytes, Alphabet::Past);
        let formula = Ltl { arena, root };
        let Ok(automaton) = translate(&formula, &Options::default()) else { return Ok(()) };

        let bdd = Oxi::new(Limits { memory: Some(64 << 20), ..Limits::default() });
        let pairs = |n: u32| -> Vec<(u32, u32)> {
            (0..n).map(|_| { let v = bdd.add_vars(2); (v, v + 1) }).collect()
        };
        let fresh = pairs(product::bits_of(&automaton).max(tableau::bits_of(&formula)));
        let own = pairs(BITS as u32);
        let vars = Vars {
            current: own.iter().map(|p| p.0).collect(),
            next: own.iter().map(|p| p.1).collect(),
            inputs: Vec::new(),
        };
        let both: Vec<u32> = vars.current.iter().chain(&vars.next).copied().collect();
        let steps = if split {
            // Part i writes bit i alone, by a function of all bits and the new one.
            (0..BITS).map(|i| {
                let reads: Vec<u32> = vars.current.iter().copied().chain([vars.next[i]]).collect();
                Disjunct { written: vec![i], conjuncts: vec![function(&bdd, &reads, parts[i])] }
            }).collect()
        } else {
            vec![Disjunct { written: (0..BITS).collect(), conjuncts: vec![function(&bdd, &both, whole)] }]
        };
        let justice = fair.iter().map(|&t| function(&bdd, &vars.current, t)).collect();
        let init = function(&bdd, &vars.current, init);
        let fsm = Fsm { bdd: &bdd, vars: vars.clone(), init, steps, justice, compassion: Vec::new() };
        let mut graph = fsm.graph(Shape::default()).expect("no limit");
        graph.restrict_to_reachable(&fsm.init).expect("no limit");
        let atoms: Vec<_> = vars.current.iter().map(|&v| bdd.var(v).expect("no limit")).collect();
        let of_automaton: Vec<_> = automaton.aps.iter()
            .map(|n| atoms[names.iter().position(|m| m == n).expect("a name")].clone())
            .collect();

        let by_automaton = Search {
            fsm: &fsm,
            reached: &graph.universe,
            endless: false,
            automaton: (&automaton, strength::of_property(&automaton)),
            atoms: &of_automaton,
            fresh: &fresh,
            algorithm: None,
            shape: Shape::default(),
        }.run().expect("no limit");
        for algorithm in [None, Some(Algorithm::El), Some(Algorithm::Lockstep)] {
            let by_tableau = tableau::Search {
                fsm: &fsm,
                reached: &graph.universe,
                formula: &formula,
                atoms: &atoms,
                fresh: &fresh,
                algorithm,
                shape: Shape::default(),
            }.run().expect("no limit");
            prop_assert_eq!(by_automaton.lasso.is_some(), by_tableau.lasso.is_some());
            for word in [word(&by_automaton), word(&by_tableau)].into_iter().flatten() {
                prop_assert!(evaluate(&formula.arena, formula.root, &word));
            }
        }
    }
}
