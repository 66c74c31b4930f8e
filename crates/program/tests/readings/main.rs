//! Two readings of the one form: bytecode, and the form itself. Random programs with every construct are printed, read
//! back and verified, and in their first states both readings must tell the same steps, faults and propositions.
//!
//! `PROPTEST_CASES=20000 cargo test --release -p riata-program --test readings` takes minutes.

mod expression;
mod program;
mod tape;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use riata_program::{
    Asserts, Execution, Expr, Interpreter, Options, Program, Statement, print, read, reading, verify,
};
use riata_program::{ExprId, Fault};
use riata_system::System;
use std::collections::HashSet;

/// So many states of a program are looked at.
const STATES: usize = 150;

/// Are two faults the same? Whether a value or the index of its place is looked at first is not settled.
fn same(a: Option<Fault>, b: Option<Fault>) -> bool {
    let place = |f| matches!(f, Some(Fault::IndexOutOfRange { .. } | Fault::ValueOutOfRange { .. }));
    a == b || (place(a) && place(b))
}

/// What the two readings of a state disagree about.
fn disagreement(i: &Interpreter, s: &[u32]) -> Option<String> {
    let (code, form) = (i.steps(s), reading::steps(i, s));
    for at in 0..code.len().max(form.len()) {
        let agree = match (code.get(at), form.get(at)) {
            (Some(a), Some(b)) => {
                a.step == b.step && a.to == b.to && same(a.failure.map(|f| f.fault), b.fault)
            }
            _ => false,
        };
        if !agree {
            return Some(format!("step {at}: code {:?}, form {:?}", code.get(at), form.get(at)));
        }
    }
    for p in 0..i.program().propositions.len() {
        let code = (i.valuation(s).0 >> p & 1, i.why_undefined(s, p).map(|(fault, _)| fault));
        let form = match reading::proposition(i, s, p) {
            Some(Ok(v)) => (u64::from(v != 0), None),
            Some(Err(fault)) => (0, Some(fault)),
            None => (0, None),
        };
        if code.0 != form.0 || !same(code.1, form.1) {
            return Some(format!("proposition {p}: code {code:?}, form {form:?}"));
        }
    }
    None
}

/// Looks at the first states of a program, and of the same program read back.
fn explore(program: &Program, again: &Program, options: Options) -> Result<(), TestCaseError> {
    let Ok(i) = Interpreter::new(program, options) else { return Ok(()) };
    let other = Interpreter::new(again, options).expect("it is the same program");
    // One that knows nothing of the states that the others have met.
    let far = Interpreter::new(program, options).map_err(|d| TestCaseError::fail(d.message))?;
    let first = Execution::start(&i).last().to_vec();
    prop_assert_eq!(&first, &Execution::start(&other).last().to_vec());
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = std::collections::VecDeque::from([first]);
    while let Some(s) = todo.pop_front() {
        if i.is_fault(&s) {
            continue;
        }
        if let Some(text) = disagreement(&i, &s) {
            return Err(TestCaseError::fail(format!("{text}\nin {:?} of\n{}", i.parts(&s), print(program))));
        }
        portable(&i, &far, &s)?;
        // The two number the shapes of states as they come.
        let there = other.import(&i.export(&s)).unwrap_or_default();
        let (steps, others) = (i.steps(&s), other.steps(&there));
        prop_assert_eq!(steps.len(), others.len());
        for (a, b) in steps.into_iter().zip(others) {
            prop_assert_eq!((a.step, i.export(&a.to)), (b.step, other.export(&b.to)));
            if seen.len() < STATES && a.to.len() < 1000 && seen.insert(a.to.clone()) {
                todo.push_back(a.to);
            }
        }
    }
    Ok(())
}

/// A state and its steps mean the same elsewhere.
fn portable(i: &Interpreter, far: &Interpreter, s: &[u32]) -> Result<(), TestCaseError> {
    let words = i.export(s);
    let there = far.import(&words);
    prop_assert!(there.is_some(), "{:?}", words);
    let there = there.unwrap_or_default();
    prop_assert_eq!(far.export(&there), words);
    let here: Vec<Vec<u32>> = i.steps(s).iter().map(|taken| i.export(&taken.to)).collect();
    let elsewhere: Vec<Vec<u32>> = far.steps(&there).iter().map(|taken| far.export(&taken.to)).collect();
    prop_assert_eq!(here, elsewhere);
    Ok(())
}

fn check(tape: &[u16]) -> Result<(), TestCaseError> {
    let program = program::program(tape);
    let wrong = verify(&program);
    prop_assert!(wrong.is_empty(), "{:?} in\n{}", wrong, print(&program));
    let text = print(&program);
    let again = read(&text);
    prop_assert!(again.is_ok(), "{:?} in\n{}", again, text);
    let again = again.unwrap_or_default();
    prop_assert_eq!(&print(&again), &text);
    let asserts = [Asserts::Fault, Asserts::Count, Asserts::Ignore][tape.len() % 3];
    explore(&program, &again, Options { asserts })
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
    fn two_readings_of_a_program_agree(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        check(&tape)?;
    }

    #[test]
    fn changed_text_is_read_or_refused(
        tape in prop::collection::vec(any::<u16>(), 0..300),
        changes in prop::collection::vec((any::<usize>(), any::<usize>(), 0..3u8), 1..4),
    ) {
        let mut words: Vec<String> = print(&program::program(&tape)).split(' ').map(String::from).collect();
        for (at, from, how) in changes {
            let (at, from) = (at % words.len(), from % words.len());
            match how {
                0 => words.swap(at, from),
                1 => words[at] = words[from].clone(),
                _ => words[at] = format!("{}{}", words[at], words[from]),
            }
        }
        let text = words.join(" ");
        match read(&text) {
            Ok(program) => {
                let again = print(&program);
                let read = read(&again);
                prop_assert!(read.is_ok(), "{:?} in\n{}", read, again);
                prop_assert_eq!(print(&read.unwrap_or_default()), again);
            }
            Err(wrong) => {
                prop_assert!(!wrong.is_empty());
                prop_assert!(wrong.iter().all(|d| d.span.start <= d.span.end && d.span.end <= text.len()));
            }
        }
    }
}

/// Programs about which the two readings have disagreed.
const FOUND: [&str; 2] = [
    // The receiver is a block that begins with the receive.
    "program youngest lazy shared c: 0..255 wrap = 0 channel c[0] { 0..3 } open c for c
     process P { location L0 initial edge L0 -> L0 block { node N0 option receive @c(_) -> out } }
     process Q { location L0 initial edge L0 -> L0 send @c(1) } start P start Q",
    // Violated assertions are counted where all addresses are constants, too.
    "program youngest shared x: 0..1 wrap = 0
     process P { location L0 initial edge L0 -> L0 do assert x } start P",
];

#[test]
fn what_was_found_stays_fixed() {
    for text in FOUND {
        let program = read(text).unwrap_or_else(|wrong| panic!("{wrong:?} in\n{text}"));
        for asserts in [Asserts::Fault, Asserts::Count, Asserts::Ignore] {
            explore(&program, &program, Options { asserts }).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// What random programs are made of, and what happens in them.
#[derive(Debug, Default)]
struct Seen {
    expressions: HashSet<std::mem::Discriminant<Expr>>,
    statements: HashSet<std::mem::Discriminant<Statement>>,
    faults: HashSet<std::mem::Discriminant<Fault>>,
    programs: usize,
    states: usize,
    steps: usize,
    rendezvous: usize,
    held: usize,
}

impl Seen {
    fn look(&mut self, program: &Program) {
        let exprs = (0..program.exprs.len()).map(|e| program.exprs.get(ExprId::new(e)));
        self.expressions.extend(exprs.map(|e| std::mem::discriminant(&e)));
        self.statements.extend(program.statements().map(std::mem::discriminant));
        let Ok(i) = Interpreter::new(program, Options::default()) else { return };
        self.programs += 1;
        let first = Execution::start(&i).last().to_vec();
        let mut seen = HashSet::from([first.clone()]);
        let mut todo = vec![first];
        while let Some(s) = todo.pop() {
            self.states += 1;
            self.held += usize::from(i.holder(&s).is_some());
            for taken in i.steps(&s) {
                self.steps += 1;
                self.rendezvous += usize::from(taken.step.partner.is_some());
                self.faults.extend(taken.failure.map(|f| std::mem::discriminant(&f.fault)));
                if seen.len() < STATES && taken.to.len() < 1000 && seen.insert(taken.to.clone()) {
                    todo.push(taken.to);
                }
            }
        }
    }
}

#[test]
fn every_construct_occurs() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let tapes = prop::collection::vec(any::<u16>(), 200..1200);
    let mut seen = Seen::default();
    for _ in 0..600 {
        let tape = tapes.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        seen.look(&program::program(&tape));
    }
    let counts = (seen.expressions.len(), seen.statements.len());
    assert_eq!(counts, (17, 6), "{seen:?}");
    assert!(seen.faults.len() >= 14, "{seen:?}");
    assert!(seen.states > 4_000 && seen.rendezvous > 500 && seen.held > 500, "{seen:?}");
}
