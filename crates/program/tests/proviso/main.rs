//! SE05 §6 as an experiment: partial-order reduction with a proviso that looks at the stack of a search.
//!
//! The cycle proviso of the textbooks asks for a successor that is not on the stack. A nested depth-first search has two
//! stacks, so the red search may leave out what the blue one took, and the other way round: an accepting cycle of the
//! reduced graph is missed (Holzmann, Peled, Yannakakis 1996; Schwoon and Esparza 2005 §6). The remedy of SE05 §6: the red
//! search generates all successors, and discards those that the blue one has not explored. Riata's sets are a function of
//! the state alone, so both searches see one graph, and nothing has to be remembered or discarded.
//!
//! That the red search looks for the blue stack and not for its seed alone hides the mistake: in no product was that wrong. Here
//! are all of them, on random programs and a few formulas: what they answer, and what they generate. The page that tells
//! the story is `docs/guide/src/reduction.md`.

mod nested;
mod rings;
mod small;

use nested::{
    Cost, accepting_cycle, discarding_unexplored, function_of_the_state, naive_stack_proviso,
    naive_to_the_stack,
};
use small::{AUTOMATA, Automaton, Small};

/// What was counted over many products.
#[derive(Default)]
struct Tally {
    products: u32,
    accepting: u32,
    naive_wrong: u32,
    stack_wrong: u32,
    discarding_wrong: u32,
    full: u64,
    naive: Cost,
    discarding: Cost,
    ours: Cost,
}

/// One product by all ways; tells whether the naive way is wrong.
fn compare(small: &Small, a: &Automaton, tally: &mut Tally, text: &str) -> bool {
    let (truth, full) = accepting_cycle(&small.full, a);
    let (naive, cost) = naive_stack_proviso(&small.full, a);
    tally.naive.add(cost);
    let (discarding, cost) = discarding_unexplored(&small.full, a);
    tally.discarding.add(cost);
    let (ours, cost) = function_of_the_state(&small.reduced, a);
    tally.ours.add(cost);
    tally.stack_wrong += u32::from(naive_to_the_stack(&small.full, a).0 != truth);
    tally.products += 1;
    tally.accepting += u32::from(truth);
    tally.full += full;
    tally.naive_wrong += u32::from(naive != truth);
    tally.discarding_wrong += u32::from(discarding != truth);
    assert_eq!(ours, truth, "{} of\n{text}", a.name);
    naive != truth
}

/// The smallest program found by [`random_programs`] for which the naive combination is wrong.
const EXAMPLE: &str = include_str!("example.txt");

#[test]
fn the_naive_combination_misses_a_cycle() {
    let program = riata_program::read(EXAMPLE).expect("a program");
    let small = Small::new(&program).expect("a small program");
    let a = AUTOMATA.iter().find(|a| a.name == "FG !p").expect("an automaton");
    assert!(accepting_cycle(&small.full, a).0);
    assert!(!naive_stack_proviso(&small.full, a).0, "the naive way finds it");
    assert!(naive_to_the_stack(&small.full, a).0, "to the stack it is found");
    assert!(discarding_unexplored(&small.full, a).0, "the remedy finds it");
    assert!(function_of_the_state(&small.reduced, a).0, "ours finds it");
}

/// One process goes round and is seen by nobody, the other makes `p` true, once.
const ROUND: &str = "program youngest
shared x: 0..1 wrap = 0
process P0 priority 1 {
  location L0 initial
  edge L0 -> L0
}
process P1 priority 1 {
  location L0 initial
  location L1
  edge L0 -> L1 do x := 1
}
start P0
start P1
proposition p = (x == 1)
";

/// «First `!p`, then `p` for ever», however often: a language that does not count. But the automaton counts: only from every
/// second state on the way can it see `p` next.
const COUNTS: Automaton = Automaton {
    name: "!p & (!p U G p)",
    edges: &[
        (0, 0, 1, 2),
        (0, 0, 1, 1),
        (0, 0, 1, 3),
        (1, 0, 1, 2),
        (1, 0, 1, 3),
        (2, 0, 1, 1),
        (3, 1, 0, 4),
        (4, 1, 0, 4),
    ],
    accepting: 4,
};

/// Siegel's observation (*What's wrong with on-the-fly partial order reduction*, CAV 2019), in an example of our own: a proviso
/// of the product's stack expands one state of each cycle of the product, and that may be the wrong one for the automaton, even
/// if the language does not count. The blue search alone goes wrong, so that no care about the red one helps.
#[test]
fn a_proviso_of_the_product_misses_a_run() {
    let program = riata_program::read(ROUND).expect("a program");
    let small = Small::new(&program).expect("a small program");
    assert!(accepting_cycle(&small.full, &COUNTS).0);
    assert!(!naive_stack_proviso(&small.full, &COUNTS).0, "the naive way finds it");
    assert!(!naive_to_the_stack(&small.full, &COUNTS).0, "to the stack it is found");
    assert!(!discarding_unexplored(&small.full, &COUNTS).0, "the remedy finds it");
    assert!(function_of_the_state(&small.reduced, &COUNTS).0, "ours finds it");
}

#[test]
fn random_programs() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let mut tally = Tally::default();
    let mut smallest: Option<(String, &str)> = None;
    for seed in 0..cases {
        let text = rings::program(seed);
        let program = riata_program::read(&text).unwrap_or_else(|e| panic!("{e:?} in\n{text}"));
        let Some(small) = Small::new(&program) else { continue };
        for automaton in &AUTOMATA {
            if compare(&small, automaton, &mut tally, &text)
                && smallest.as_ref().is_none_or(|(best, _)| text.len() < best.len())
            {
                smallest = Some((text.clone(), automaton.name));
            }
        }
    }
    let Tally {
        products,
        accepting,
        naive_wrong,
        stack_wrong,
        discarding_wrong,
        full,
        naive,
        discarding,
        ours,
    } = tally;
    println!("{products} products, {accepting} with an accepting cycle, {full} edges");
    println!("naive: {naive_wrong} wrong ({stack_wrong} if red looks for the blue stack), {naive}");
    println!("discarding: {discarding_wrong} wrong, {discarding}");
    println!("ours: 0 wrong, {ours}");
    if let Some((text, name)) = smallest {
        println!("smallest, {name}:\n{text}");
    }
    assert!(naive_wrong > 0, "the naive way was never wrong");
    assert_eq!(discarding_wrong, 0, "the remedy is wrong");
}
