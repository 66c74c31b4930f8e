//! Cycles of products, found on the host: random programs beside random automata and formulas, of every strength and with up to
//! three acceptance sets, whatever becomes of runs that end or fail. The verdict is that of a depth-first search, the states of
//! the product are as many, and a lasso is one of the product.
//!
//! `RIATA_GPU_PROGRAMS=2000 cargo test -p riata-gpu --test cycles` compares as many programs; it takes minutes.

#[path = "../../program/tests/readings/expression.rs"]
mod expression;
#[path = "../../program/tests/readings/program.rs"]
mod program;
#[path = "../../program/tests/readings/tape.rs"]
mod tape;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use riata_automata::random::{Rng as Random, Shape, Structure};
use riata_automata::{Strength, Tgba, strength};
use riata_explore::{Algorithm, check};
use riata_gpu::{Beside, Compiled, Cycles, Host, Plan, text};
use riata_ltl::random::{Alphabet, from_bytes};
use riata_ltl::{Arena, Ltl};
use riata_program::{Asserts, Condensed, Interpreter, Options, print};
use riata_store::Exact;
use riata_system::{Deadlocks, Failures, Graph, Limits, Product, Run, Verdict, replay};
use std::collections::{BTreeMap, HashSet};

/// Products with more states than this are not searched.
const SPACE: usize = 6000;
/// So many programs are compiled at a time.
const BATCH: usize = 25;

struct Case {
    interpreter: Interpreter,
    names: Vec<String>,
    automaton: Tgba,
    strength: Strength,
    deadlocks: Deadlocks,
    failures: Failures,
}

impl Case {
    fn product<'a>(&'a self, system: &'a Condensed<'a>) -> Product<'a, Condensed<'a>> {
        let product =
            Product::new(system, &self.names, &self.automaton, self.deadlocks).expect("it is bound");
        product.with_strength(self.strength).with_failures(self.failures)
    }

    fn beside(&self) -> Beside<'_> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Beside::new(&self.automaton, &names, self.deadlocks == Deadlocks::Stutter).expect("it is small")
    }
}

/// A random automaton, or that of a random formula.
fn automaton(random: &mut Random, names: &[String]) -> Option<Tgba> {
    let aps = names.len() as u32;
    if random.chance(0.5) {
        let structure = [Structure::Free, Structure::Weak, Structure::Terminal][random.below(3) as usize];
        let shape = Shape {
            states: 1 + random.below(6) as u32,
            density: 1.0 + random.below(4) as f64 / 2.0,
            sets: random.below(4) as u32,
            mark_probability: 0.3,
            blocks: 1 + random.below(3) as u32,
            structure,
            empty: random.chance(0.3),
            aps,
            ..Shape::default()
        };
        let mut automaton = shape.generate(random.bits()).ok()?;
        automaton.aps = names.get(..automaton.aps.len())?.to_vec();
        return Some(automaton);
    }
    let bytes: Vec<u8> = (0..2 + random.below(7)).map(|_| random.bits() as u8).collect();
    let mut arena = Arena::new();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let names = if names.is_empty() { vec!["p 0"] } else { names };
    let root = from_bytes(&mut arena, &names, &bytes, Alphabet::Future);
    let automaton = riata_automata::translate(&Ltl { arena, root }, &Default::default()).ok()?;
    (aps > 0 || automaton.aps.is_empty()).then_some(automaton)
}

fn cases(count: usize) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let tapes = prop::collection::vec(any::<u16>(), 0..1200);
    let mut random = Random::new(19);
    let mut cases = Vec::new();
    for _ in 0..count {
        let tape = tapes.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        let program = program::quiet(&tape);
        let names: Vec<String> = program.propositions.iter().map(|p| p.name.clone()).collect();
        let (Ok(interpreter), Some(automaton)) =
            (Interpreter::new(program, Options { asserts: Asserts::Ignore }), automaton(&mut random, &names))
        else {
            continue;
        };
        let strength = strength::of_property(&automaton);
        let deadlocks = [Deadlocks::Stutter, Deadlocks::Ignore][random.below(2) as usize];
        let failures = [Failures::Accept, Failures::Reject][random.below(2) as usize];
        cases.push(Case { interpreter, names, automaton, strength, deadlocks, failures });
    }
    cases
}

/// How many states a product has in which no run has failed, if they are not many.
fn size(graph: &impl Graph, interpreter: &Interpreter) -> Option<u64> {
    let (mut at, mut slot) = (Default::default(), vec![0; graph.words()]);
    let (mut seen, mut todo) = (HashSet::new(), Vec::new());
    while graph.initial(&mut at, &mut slot) {
        let s = slot[..graph.len(&slot)].to_vec();
        seen.insert(s.clone());
        todo.push(s);
    }
    while let Some(s) = todo.pop() {
        let mut at = Default::default();
        while graph.next(&s, &mut at, &mut slot).is_some() {
            let t = slot[..graph.len(&slot)].to_vec();
            let fails = t.last() == Some(&riata_system::FAILED) || interpreter.is_fault(&t);
            if !fails && seen.insert(t.clone()) {
                todo.push(t);
            }
        }
        if seen.len() > SPACE {
            return None;
        }
    }
    Some(seen.len() as u64)
}

/// What was compared: by strength, number of sets and verdict.
type Compared = BTreeMap<(&'static str, u32, bool), usize>;

fn compare(batch: &[Case], compared: &mut Compared) -> (u64, u64) {
    let besides: Vec<Beside> = batch.iter().map(Case::beside).collect();
    let planned: Vec<(&Case, Plan, String, String)> = (batch.iter().zip(&besides).enumerate())
        .filter_map(|(n, (case, beside))| {
            let plan = Plan::product(&case.interpreter, beside, n % 2 == 0).ok()?;
            let tag = format!("p{n}");
            let text = text(&plan, &tag).ok()?;
            Some((case, plan, tag, text))
        })
        .collect();
    let texts: Vec<String> = planned.iter().map(|p| p.3.clone()).collect();
    let library = Compiled::new(&texts, &["-O0"]).unwrap_or_else(|e| panic!("{e}"));
    let (mut states, mut asked) = (0, 0);
    for (case, plan, tag, text) in &planned {
        let i = &case.interpreter;
        let system = Condensed::new(i);
        let graph = case.product(&system);
        let Some(size) = size(&graph, i) else { continue };
        let expected = check(
            Algorithm::Couvreur99,
            &graph,
            &mut Exact::new(usize::MAX),
            &mut Run::new(Limits::default()),
        );
        let expected = matches!(expected.expect("it is for all"), Verdict::Accepting(_));
        let host = Host::new(&library, tag, plan.packing.packed, 2).expect("it was compiled");
        let limits = Limits::default();
        let mut cycles = Cycles::new((i, &graph), plan, host, (limits, limits));
        let wrong = |why: String| panic!("{why}\nof\n{}\n{text}", print(i.program()));
        // Widths or processes that were guessed wrongly are begun again by others.
        let Ok((verdict, found)) = cycles.run() else { continue };
        let accepting = match &verdict {
            Verdict::Accepting(lasso) => {
                if let Err(e) = replay(&graph, lasso) {
                    wrong(format!("{e}: {lasso:?}"));
                }
                true
            }
            Verdict::Empty => false,
            Verdict::Inconclusive(stop) => wrong(format!("stopped: {stop}")),
        };
        if accepting != expected || found.violation.is_none() && found.states != size {
            wrong(format!("{verdict:?} with {found:?}, not {expected} with {size} states"));
        }
        *compared.entry((graph.strength().name(), case.automaton.sets, accepting)).or_default() += 1;
        (states, asked) = (states + found.states, asked + found.asked);
    }
    (states, asked)
}

#[test]
fn cycles_of_random_products_are_found() {
    let wanted = std::env::var("RIATA_GPU_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
    let mut compared = Compared::new();
    let (mut states, mut asked) = (0, 0);
    for batch in cases(wanted).chunks(BATCH) {
        let (more, others) = compare(batch, &mut compared);
        (states, asked) = (states + more, asked + others);
    }
    println!("{compared:?}: {states} states, {asked} of them asked");
    for strength in ["terminal", "weak", "general"] {
        for accepting in [false, true] {
            let some = compared.keys().any(|&(s, _, a)| (s, a) == (strength, accepting));
            // An automaton that accepts after its first edge is terminal, and most are.
            assert!(some, "{strength}, {accepting}: {compared:?}");
        }
    }
    for sets in 0..4 {
        assert!(compared.keys().any(|&(_, n, _)| n == sets), "{sets} sets: {compared:?}");
    }
    assert!(asked * 2 < states, "{asked} of {states} states were asked for");
}
