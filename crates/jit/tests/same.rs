//! Native code against the interpreter: random programs with every construct of the form, and what each tells of their
//! first states, small steps and large ones, one by one and all at once.
//!
//! `PROPTEST_CASES=20000 cargo test --release -p riata-jit --test same` takes minutes.

#[path = "../../program/tests/readings/expression.rs"]
mod expression;
#[path = "../../program/tests/readings/program.rs"]
mod program;
#[path = "../../program/tests/readings/tape.rs"]
mod tape;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use riata_program::{Asserts, Condensed, Interpreter, Options, Program, Step, print};
use riata_system::{ActionId, Successors, System};
use std::collections::HashSet;

/// So many states of a program are looked at.
const STATES: usize = 150;

/// A step as a search sees it.
type Told = (Vec<u32>, ActionId, Option<Step>, u32);

/// The steps of a state, told one by one.
fn steps(i: &Interpreter, s: &[u32]) -> Vec<Told> {
    let (mut at, mut slot, mut told) = (Default::default(), vec![0; i.words()], Vec::new());
    while let Some(action) = i.next(s, &mut at, &mut slot) {
        told.push((slot[..i.len(&slot)].to_vec(), action, at.last_step(), at.violations));
    }
    told
}

/// The successors of a state, told at once, and the assertions that they violate.
fn at_once<S: System>(
    system: &S,
    s: &[u32],
    violations: impl Fn(&S::Cursor) -> u32,
) -> (Vec<(Vec<u32>, ActionId)>, u32) {
    let (mut at, mut out) = (S::Cursor::default(), Successors::default());
    let count = system.expand(s, &mut at, &mut out);
    assert_eq!(count, out.len() as u64);
    ((0..out.len()).map(|n| (out.get(n).0.to_vec(), out.get(n).1)).collect(), violations(&at))
}

/// What native code says of a state that the interpreter does not.
fn difference(plain: &Interpreter, native: &Interpreter, s: &[u32]) -> Option<String> {
    let (a, b) = (steps(plain, s), steps(native, s));
    if a != b {
        return Some(format!("steps {a:?}, native {b:?}"));
    }
    let small = (a.iter().map(|t| (t.0.clone(), t.1)).collect::<Vec<_>>(), a.iter().map(|t| t.3).sum());
    let told = at_once(native, s, |at| at.violations);
    if told != small {
        return Some(format!("steps {small:?}, natively at once {told:?}"));
    }
    let (large, other) = (Condensed::new(plain), Condensed::new(native));
    let (a, b) = (at_once(&large, s, |at| at.violations()), at_once(&other, s, |at| at.violations()));
    if a != b {
        return Some(format!("large steps {a:?}, native {b:?}"));
    }
    let (mut at, mut slot) = (Default::default(), vec![0; native.words()]);
    for (target, action) in &a.0 {
        let told = other.next(s, &mut at, &mut slot);
        if told != Some(*action) || slot[..other.len(&slot)] != target[..] {
            return Some(format!("large step {target:?}, native {:?}", told.map(|_| &slot)));
        }
    }
    if other.next(s, &mut at, &mut slot).is_some() {
        return Some("natively one large step more".into());
    }
    let (a, b) = ((plain.valuation(s), plain.undefined(s)), (native.valuation(s), native.undefined(s)));
    (a != b).then(|| format!("propositions {a:?}, native {b:?}"))
}

/// Looks at the first states of a program; tells how many edges are native.
fn explore(program: &Program, options: Options) -> Result<usize, String> {
    let Ok(plain) = Interpreter::new(program, options) else { return Ok(0) };
    let native = plain.again(options).map_err(|d| d.message)?.compiled(riata_jit::compile);
    let edges = match native.native_edges() {
        Some(Ok((edges, _))) => edges,
        Some(Err(why)) if why.contains("failed") => return Err(format!("{why}:\n{}", print(program))),
        _ => return Ok(0),
    };
    let mut first = vec![0; plain.words()];
    plain.initial(&mut Default::default(), &mut first);
    first.truncate(plain.len(&first));
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = std::collections::VecDeque::from([first]);
    while let Some(s) = todo.pop_front() {
        if let Some(text) = difference(&plain, &native, &s) {
            return Err(format!("{text}\nin {:?} {s:?} of\n{}", plain.parts(&s), print(program)));
        }
        for (to, ..) in steps(&plain, &s) {
            if seen.len() < STATES && to.len() < 1000 && seen.insert(to.clone()) {
                todo.push_back(to);
            }
        }
    }
    Ok(edges)
}

fn options(tape: &[u16]) -> Options {
    Options { asserts: [Asserts::Fault, Asserts::Count, Asserts::Ignore][tape.len() % 3] }
}

/// The same programs each time; with `PROPTEST_CASES` set, as many other ones.
fn config() -> ProptestConfig {
    let usual =
        ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => usual,
        None => ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..usual },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn native_code_tells_what_the_interpreter_tells(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        explore(&program::program(&tape), options(&tape)).map_err(TestCaseError::fail)?;
    }

    /// Without what only the interpreter schedules.
    #[test]
    fn also_where_little_is_left_to_it(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        explore(&program::quiet(&tape), options(&tape)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn most_programs_are_compiled() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let tapes = prop::collection::vec(any::<u16>(), 200..1200);
    let (mut programs, mut edges) = (0, 0);
    for _ in 0..100 {
        let tape = tapes.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        let native = explore(&program::quiet(&tape), options(&tape)).unwrap_or_else(|e| panic!("{e}"));
        programs += usize::from(native > 0);
        edges += native;
    }
    assert!(programs >= 60 && edges >= 300, "{programs} programs, {edges} edges");
}
