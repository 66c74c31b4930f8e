//! The text of a program against the interpreter, on random programs with every construct of the form: the same large steps
//! from each of their first states, or the interpreter is asked; and the same counts of a whole search.
//!
//! Without a C compiler nothing can be compared, and these tests fail. `RIATA_GPU_PROGRAMS=2000 cargo test -p riata-gpu --test
//! same` compares as many programs of each kind.

#[path = "../../program/tests/readings/expression.rs"]
mod expression;
#[path = "../../program/tests/readings/program.rs"]
mod program;
#[path = "../../program/tests/readings/tape.rs"]
mod tape;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use riata_gpu::{Aim, Compiled, Device, Found, Host, Plan, Room, Search, Size, text};
use riata_program::{Asserts, Condensed, Interpreter, Options, Program, print};
use riata_system::{Limits, Successors, System};
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// So many states of a program are looked at one by one.
const STATES: usize = 60;
/// Programs with more states than this are not searched.
const SPACE: usize = 4000;
/// Nor those whose states take longer than this: a deterministic step may have many thousand rounds.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many programs are compiled at a time.
const BATCH: usize = 25;

type State = Vec<u32>;

fn first(i: &Interpreter) -> State {
    let mut s = vec![0; i.words()];
    i.initial(&mut Default::default(), &mut s);
    s.truncate(i.len(&s));
    s
}

/// The ends of the large steps of a state, and the assertions violated on the way.
fn steps(i: &Interpreter, s: &[u32]) -> (Vec<State>, u32) {
    let (mut at, mut out) = (Default::default(), Successors::default());
    Condensed::new(i).expand(s, &mut at, &mut out);
    ((0..out.len()).map(|n| out.get(n).0.to_vec()).collect(), at.violations())
}

/// What a search by the interpreter alone finds; nothing if there are many states, or if their steps are so long that it takes
/// seconds.
fn reference(i: &Interpreter) -> Option<Found> {
    let start = Instant::now();
    let mut found = Found::default();
    let mut seen = HashSet::from([first(i)]);
    let mut level = vec![first(i)];
    let mut scratch = vec![0; i.words()];
    while !level.is_empty() {
        found.levels += 1;
        let mut next = Vec::new();
        for s in &level {
            if start.elapsed() > PATIENCE {
                return None;
            }
            if i.is_fault(s) {
                found.faults = true;
                found.violations += 1;
                continue;
            }
            found.states += 1;
            let (to, violations) = steps(i, s);
            found.transitions += to.len() as u64;
            found.violations += u64::from(violations) + u64::from(i.violated(s).is_some());
            let stuck = to.is_empty() && !i.is_end(s) && i.is_stuck(s, &mut scratch);
            found.deadlocks += u64::from(stuck);
            next.extend(to.into_iter().filter(|t| seen.insert(t.clone())));
        }
        if seen.len() > SPACE {
            return None;
        }
        level = next;
    }
    Some(found)
}

/// Compares the steps of the first states; tells how many the interpreter was asked for, and of how many.
fn by_state(i: &Interpreter, plan: &Plan, host: &mut Host) -> Result<(usize, usize), String> {
    let size = Size { packed: plan.packing.packed, inline: plan.packing.inline, later: 0 };
    let mut seen = HashSet::from([first(i)]);
    let mut todo = VecDeque::from([first(i)]);
    let mut asked = 0;
    let mut looked = 0;
    while let Some(s) = todo.pop_front() {
        let (to, violations) = steps(i, &s);
        for t in &to {
            if seen.len() < STATES && seen.insert(t.clone()) {
                todo.push_back(t.clone());
            }
        }
        let mut key = Vec::new();
        if i.is_fault(&s) || plan.packing.pack(&s, &mut key).is_err() {
            continue;
        }
        looked += 1;
        host.start(Room::new(1 << 12, size, 4)).map_err(|e| e.to_string())?;
        host.insert(&key).map_err(|e| e.to_string())?;
        let tally = host.expand(0, 1, None).map_err(|e| e.to_string())?;
        if tally.asked > 0 {
            asked += 1;
            continue;
        }
        let mut told = BTreeSet::new();
        for n in 0..tally.count {
            let mut t = plan.packing.unpack(&host.state(n).map_err(|e| e.to_string())?);
            t.truncate(i.len(&t));
            told.insert(t);
        }
        let mut wanted: BTreeSet<State> = to.iter().cloned().collect();
        wanted.insert(s.clone());
        let mut scratch = vec![0; i.words()];
        let stuck = u64::from(to.is_empty() && !i.is_end(&s) && i.is_stuck(&s, &mut scratch));
        let same = told == wanted && tally.transitions == to.len() as u64 && tally.stuck == stuck;
        if !same || violations > 0 || i.violated(&s).is_some() {
            return Err(format!("in {s:?}: {} steps {wanted:?}, text {told:?} {tally:?}", to.len()));
        }
    }
    Ok((asked, looked))
}

struct Case {
    program: Program,
    interpreter: Interpreter,
}

fn cases(quiet: bool, count: usize) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let tapes = prop::collection::vec(any::<u16>(), 0..1200);
    let mut cases = Vec::new();
    for n in 0..count {
        let tape = tapes.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        let program = if quiet { program::quiet(&tape) } else { program::program(&tape) };
        let asserts = [Asserts::Fault, Asserts::Count, Asserts::Ignore][n % 3];
        if let Ok(interpreter) = Interpreter::new(program.clone(), Options { asserts }) {
            cases.push(Case { program, interpreter });
        }
    }
    cases
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    programs: usize,
    searched: usize,
    states: usize,
    asked: usize,
    together: usize,
}

/// As many workers as there are processors share the batches: most of the time is that of the C compiler.
fn compare(quiet: bool, threads: usize) -> Compared {
    let wanted = std::env::var("RIATA_GPU_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = |first| scope.spawn(move || batches(quiet, wanted, (first, workers), threads));
        let all: Vec<_> = (0..workers).map(work).collect();
        all.into_iter().fold(Compared::default(), |sum, worker| {
            let one = worker.join().unwrap_or_else(|why| std::panic::resume_unwind(why));
            Compared {
                programs: sum.programs + one.programs,
                searched: sum.searched + one.searched,
                states: sum.states + one.states,
                asked: sum.asked + one.asked,
                together: sum.together + one.together,
            }
        })
    })
}

/// Compares each so-many-th batch, from one on.
fn batches(quiet: bool, wanted: usize, (from, each): (usize, usize), threads: usize) -> Compared {
    let mut compared = Compared::default();
    for batch in cases(quiet, wanted).chunks(BATCH).skip(from).step_by(each) {
        let planned: Vec<(&Case, Plan, String)> = (batch.iter().enumerate())
            .filter_map(|(n, case)| {
                let mut plan = Plan::new(&case.interpreter, n % 2 == 0).ok()?;
                // Every other pair with one code for all processes of a type, as long texts have it.
                plan.long = [0, usize::MAX][n / 2 % 2];
                let text = text(&plan, &format!("p{n}")).ok()?;
                Some((case, plan, format!("p{n}\n{text}")))
            })
            .collect();
        let texts: Vec<String> =
            planned.iter().map(|p| p.2.split_once('\n').expect("a tag").1.into()).collect();
        let library = Compiled::new(&texts, &["-O0"]).unwrap_or_else(|e| panic!("{e}"));
        for (case, plan, tagged) in &planned {
            let (tag, text) = tagged.split_once('\n').expect("a tag");
            let i = &case.interpreter;
            let host =
                |threads| Host::new(&library, tag, plan.packing.packed, threads).expect("it was compiled");
            let wrong = |why: String| panic!("{why}\nof\n{}\n{text}", print(&case.program));
            let (asked, looked) = by_state(i, plan, &mut host(1)).unwrap_or_else(&wrong);
            compared.programs += 1;
            compared.together += usize::from(text.contains("i32 me;"));
            compared.states += looked;
            compared.asked += asked;
            let Some(reference) = reference(i) else { continue };
            let mut search = Search::new(i, plan, host(threads), Limits::default());
            let Ok(found) = search.run(Aim::default(), |_| ()) else { continue };
            compared.searched += 1;
            let counts = |f: &Found| (f.states, f.transitions, f.levels, f.deadlocks, f.violations, f.faults);
            if counts(&found) != counts(&reference) {
                wrong(format!("found {found:?}, not {reference:?}"));
            }
            for place in found.violation.iter().chain(&found.deadlock) {
                let path = search.path(place).expect("the host works").expect("there is a path");
                for n in 1..path.len() {
                    assert!(steps(i, path.get(n - 1)).0.iter().any(|t| t == path.get(n)));
                }
                assert_eq!(path.get(0), first(i));
                assert_eq!(path.len(), place.level + 1 + usize::from(place.fault));
            }
        }
    }
    compared
}

#[test]
fn the_text_tells_what_the_interpreter_tells() {
    let compared = compare(true, 2);
    println!("{compared:?}");
    assert!(compared.programs >= 60 && compared.searched >= 40, "{compared:?}");
    assert!(compared.together >= 5, "{compared:?}");
    // Random programs fail often, and that is for the interpreter to say.
    assert!(compared.asked + 100 < compared.states, "{compared:?}");
}

#[test]
fn also_with_what_only_the_interpreter_does() {
    let compared = compare(false, 2);
    println!("{compared:?}");
    assert!(compared.searched >= 10, "{compared:?}");
}
