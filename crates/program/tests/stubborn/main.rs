//! Stubborn sets against their definition: on random programs, in every state of the full state space in which a process
//! was chosen, D0, D1, D2 and V hold along all ways that the others can go; the reduced system keeps deadlocks, violations
//! and failures; every cycle of it has a state that was expanded fully. And an analysis that forgets something is caught.
//!
//! `PROPTEST_CASES=20000 cargo test --release -p riata-program --test stubborn` takes minutes.

#[path = "../readings/expression.rs"]
mod expression;
#[path = "../readings/program.rs"]
mod program;
#[path = "../readings/tape.rs"]
mod tape;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use riata_program::{
    Asserts, Condensed, CondensedCursor, Forgets, Interpreter, Options, Program, Proviso, Reduction, Step,
    Visible, print,
};
use riata_system::{Successors, System};
use std::collections::{HashMap, HashSet};

/// Larger programs are left out.
fn most() -> usize {
    if std::env::var_os("RIATA_PROGRAM").is_some() { 20_000 } else { 300 }
}

type State = Vec<u32>;

/// A large step: by which small ones, and where it leads.
#[derive(Clone, Debug, PartialEq)]
struct Large {
    by: Vec<Step>,
    to: State,
    violations: u32,
}

impl Large {
    /// Does one of these processes take part in it?
    fn is_of(&self, set: u64) -> bool {
        let is = |pid: u32| pid < 64 && set >> pid & 1 == 1;
        let part = |s: &Step| is(s.pid) || s.partner.is_some_and(|(q, _)| is(q));
        self.by.iter().any(part)
    }

    /// What it is, whoever looks.
    fn label(&self) -> &[Step] {
        &self.by
    }
}

/// The steps from a state; nothing if they are too many, or too long.
fn larges(system: &Condensed, s: &[u32]) -> Option<Vec<Large>> {
    let mut at = CondensedCursor::default();
    let mut slot = vec![0; system.words()];
    let mut all = Vec::new();
    while system.next(s, &mut at, &mut slot).is_some() {
        let to = slot[..system.len(&slot)].to_vec();
        if all.len() > 40 || at.steps().count() > 40 {
            return None;
        }
        all.push(Large { by: at.steps().collect(), to, violations: at.violations() });
    }
    Some(all)
}

/// All states of a system with their steps; nothing if they are too many.
fn space(system: &Condensed) -> Option<HashMap<State, Vec<Large>>> {
    let mut first = vec![0; system.words()];
    system.initial(&mut Default::default(), &mut first);
    first.truncate(system.len(&first));
    let mut all = HashMap::new();
    let mut todo = vec![first];
    while let Some(s) = todo.pop() {
        if all.contains_key(&s) {
            continue;
        }
        if all.len() > most() || s.len() > 1000 {
            return None;
        }
        let steps = larges(system, &s)?;
        todo.extend(steps.iter().map(|l| l.to.clone()));
        all.insert(s, steps);
    }
    Some(all)
}

/// What is wrong with the choice of these processes in `s`, by the definition.
fn wrong(
    i: &Interpreter,
    all: &HashMap<State, Vec<Large>>,
    s: &State,
    set: u64,
    sees: u64,
) -> Option<String> {
    let mine: Vec<&Large> = all[s].iter().filter(|l| l.is_of(set)).collect();
    if mine.is_empty() {
        return Some("D0: it cannot move".into());
    }
    if mine.iter().any(|l| i.is_fault(&l.to)) {
        // Then the others are not left out.
        return None;
    }
    let mut seen = HashSet::from([s.clone()]);
    let mut todo = vec![s.clone()];
    while let Some(now) = todo.pop() {
        if i.is_fault(&now) {
            continue;
        }
        let here = &all[&now];
        let own: Vec<&Large> = here.iter().filter(|l| l.is_of(set)).collect();
        for t in &mine {
            let Some(there) = own.iter().find(|l| l.label() == t.label()) else {
                return Some(format!("D1: {:?} is not possible any more in {:?}", t.by, i.parts(&now)));
            };
            let (before, after) = (i.valuation(&now).0 & sees, i.valuation(&there.to).0 & sees);
            if before != after {
                return Some(format!("V: {:?} is visible in {:?}", t.by, i.parts(&now)));
            }
            for u in here.iter().filter(|l| !l.is_of(set)) {
                if i.is_fault(&u.to) {
                    // It fails after t, too.
                    let fails = |l: &Large| l.label() == u.label() && i.is_fault(&l.to);
                    if !all[&there.to].iter().any(fails) {
                        return Some(format!("D1: {:?} does not fail after {:?}", u.by, t.by));
                    }
                    continue;
                }
                let one = all[&u.to].iter().find(|l| l.label() == t.label());
                let other = all[&there.to].iter().find(|l| l.label() == u.label());
                let same = matches!((one, other), (Some(a), Some(b)) if a.to == b.to && a.violations == t.violations && b.violations == u.violations);
                if !same {
                    return Some(format!(
                        "D1: {:?} and {:?} do not commute in {:?}",
                        t.by,
                        u.by,
                        i.parts(&now)
                    ));
                }
            }
        }
        if let Some(new) = own.iter().find(|l| !mine.iter().any(|t| t.label() == l.label())) {
            return Some(format!("D2: {:?} has become possible in {:?}", new.by, i.parts(&now)));
        }
        for u in here.iter().filter(|l| !l.is_of(set)) {
            if seen.insert(u.to.clone()) {
                todo.push(u.to.clone());
            }
        }
    }
    None
}

/// What the states of a system tell: is there a deadlock, a failure, a violation?
fn verdicts(i: &Interpreter, all: &HashMap<State, Vec<Large>>) -> [bool; 3] {
    let stuck = |(s, steps): (&State, &Vec<Large>)| steps.is_empty() && !i.is_fault(s) && !i.is_end(s);
    [
        all.iter().any(stuck),
        all.keys().any(|s| i.is_fault(s) || i.violated(s).is_some())
            || all.values().flatten().any(|l| l.violations > 0),
        all.keys().any(|s| !i.is_fault(s) && i.violated(s).is_some()),
    ]
}

/// The reduced system as a search with the proviso of closed sets sees it: breadth-first, as `explore::bfs` does.
fn searched(system: &Condensed) -> HashMap<State, Vec<Large>> {
    let mut first = vec![0; system.words()];
    system.initial(&mut Default::default(), &mut first);
    first.truncate(system.len(&first));
    let mut number = HashMap::from([(first.clone(), 0)]);
    let mut order = vec![first];
    let mut all = HashMap::new();
    let mut at = 0;
    while at < order.len() {
        let s = order[at].clone();
        let mut cursor = CondensedCursor::default();
        let mut slot = vec![0; system.words()];
        let mut steps = Vec::new();
        let mut later = false;
        let mut rest = false;
        loop {
            if system.next(&s, &mut cursor, &mut slot).is_none() {
                if rest || later || !system.left_out(&cursor) {
                    break;
                }
                cursor = CondensedCursor::default();
                rest = true;
                if !system.rest(&s, &mut cursor) {
                    break;
                }
                continue;
            }
            let to = slot[..system.len(&slot)].to_vec();
            let n = number.len();
            let id = *number.entry(to.clone()).or_insert_with(|| {
                order.push(to.clone());
                n
            });
            later |= id > at;
            steps.push(Large { by: cursor.steps().collect(), to, violations: cursor.violations() });
        }
        all.insert(s, steps);
        at += 1;
    }
    all
}

/// Is there a cycle of the reduced system in whose states something was left out?
fn ignores(i: &Interpreter, reduction: &Reduction, all: &HashMap<State, Vec<Large>>) -> bool {
    // Where a step fails, nothing is left out.
    let reduced = |s: &&State| reduction.choose(i, s) != 0 && !all[*s].iter().any(|l| i.is_fault(&l.to));
    let mut left: HashSet<&State> = all.keys().filter(reduced).collect();
    loop {
        let before = left.len();
        let gone: Vec<&State> =
            left.iter().copied().filter(|s| !all[*s].iter().any(|l| left.contains(&l.to))).collect();
        left.retain(|s| !gone.contains(s));
        if left.len() == before {
            return before > 0;
        }
    }
}

/// A state has the same successors whoever asks: one by one, all together, and with those that a search leaves out.
fn told_alike(system: &Condensed, s: &State) -> Result<(), String> {
    let whole = system.whole();
    let mut expanded = [Successors::default(), Successors::default()];
    system.expand(s, &mut Default::default(), &mut expanded[0]);
    whole.expand(s, &mut Default::default(), &mut expanded[1]);
    let [some, more] = expanded.map(|all| (0..all.len()).map(|n| all.get(n).0.to_vec()).collect::<Vec<_>>());
    for (one, name, all) in [(system, "reduced", &some), (&whole, "whole", &more)] {
        let Some(told) = larges(one, s) else { return Ok(()) };
        if told.len() != all.len() || told.iter().zip(all).any(|(large, to)| large.to != *to) {
            return Err(format!("{name}: other successors together than one by one"));
        }
    }
    match some.iter().find(|&to| !more.contains(to)) {
        Some(to) => Err(format!("{to:?} is a successor only where others are left out")),
        None => Ok(()),
    }
}

/// What was seen of a program.
#[derive(Default)]
struct Seen {
    states: usize,
    reduced: usize,
    pairs: usize,
}

/// Compares the sets of a program with their definition; an `Err` tells what is wrong.
fn judge(program: &Program, forgets: Forgets, tape: &[u16]) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let options = Options { asserts: Asserts::Count };
    let Ok(i) = Interpreter::new(program, options) else { return Ok(seen) };
    let plain = Condensed::new(&i);
    let Some(all) = space(&plain) else { return Ok(seen) };
    let count = program.propositions.len() as u32;
    let propositions: Vec<u32> = (0..count).filter(|p| tape.len() >> p & 1 == 0).collect();
    let sees = propositions.iter().fold(0, |bits, p| bits | 1u64 << p);
    let kinds = [
        Visible { propositions: &propositions, ..Visible::default() },
        Visible { proviso: Proviso::Search, ..Visible::default() },
        Visible { proviso: Proviso::None, ..Visible::default() },
    ];
    for (visible, ahead) in kinds.into_iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let Ok(mut reduction) = Reduction::forgetting(&i, visible, forgets) else { return Ok(seen) };
        if !ahead {
            reduction.looks_no_further();
        }
        let sees = if visible.proviso == Proviso::Static { sees } else { 0 };
        for s in all.keys() {
            let chosen = reduction.choose(&i, s);
            seen.states += 1;
            if chosen != 0 {
                seen.reduced += 1;
                seen.pairs += usize::from(chosen.count_ones() > 1);
                if let Some(text) = wrong(&i, &all, s, chosen, sees) {
                    return Err(format!("{text}\nin {:?}, {:?}", i.parts(s), visible.proviso));
                }
            }
        }
        let system = plain.reduced(Some(&reduction));
        for s in all.keys() {
            told_alike(&system, s)?;
        }
        let (small, kinds) = match visible.proviso {
            Proviso::Search => (searched(&system), 2),
            Proviso::None => (space(&system).unwrap_or_default(), 1),
            _ => {
                let small = space(&system).unwrap_or_default();
                if ignores(&i, &reduction, &small) {
                    return Err("a cycle in which something is left out".into());
                }
                (small, 2)
            }
        };
        if verdicts(&i, &all)[..kinds] != verdicts(&i, &small)[..kinds] {
            let (a, b) = (verdicts(&i, &all), verdicts(&i, &small));
            return Err(format!("{:?}: {a:?} becomes {b:?}", visible.proviso));
        }
    }
    Ok(seen)
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig {
        max_shrink_iters: 4_000,
        failure_persistence: None,
        ..ProptestConfig::with_cases(1024)
    };
    match std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()) {
        Some(cases) => ProptestConfig { cases, ..usual },
        None => ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..usual },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sets_are_stubborn(tape in prop::collection::vec(any::<u16>(), 0..1200)) {
        let program = program::quiet(&tape);
        if let Err(text) = judge(&program, Forgets::Nothing, &tape) {
            return Err(TestCaseError::fail(format!("{text}\nof\n{}", print(&program))));
        }
    }
}

/// What forgets something is caught, and what forgets nothing reduces something.
#[test]
fn what_is_forgotten_is_noticed() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = prop::collection::vec(any::<u16>(), 0..1200);
    let mut seen = Seen::default();
    let mut open: Vec<Forgets> = vec![
        Forgets::Shared,
        Forgets::Ends,
        Forgets::Stack,
        Forgets::Offers,
        Forgets::Needs,
        Forgets::Visible,
        Forgets::Opening,
        Forgets::Partner,
    ];
    for _ in 0..12_000 {
        let tape = strategy.new_tree(&mut runner).expect("a tape").current();
        let program = program::quiet(&tape);
        if let Ok(s) = judge(&program, Forgets::Nothing, &tape) {
            seen.states += s.states;
            seen.reduced += s.reduced;
            seen.pairs += s.pairs;
        }
        open.retain(|&forgets| judge(&program, forgets, &tape).is_ok());
        if open.is_empty() && seen.reduced > 1000 && seen.pairs > 10 {
            break;
        }
    }
    println!("{} of {} states reduced, {} to pairs", seen.reduced, seen.states, seen.pairs);
    assert!(open.is_empty(), "not noticed: {open:?}");
    assert!(seen.reduced > 1000, "{} of {} states reduced", seen.reduced, seen.states);
}

/// What random programs hardly ever are like. Each with what it is for, and an analysis that gets it wrong.
const RARE: [(&str, Forgets, &str); 2] = [
    (
        "whom to meet decides where an atomic sequence ends",
        Forgets::Inside,
        "program youngest
shared c: 0..255 wrap = 0 as channels
channel c[0] { 0..3 }
open c for c
process P priority 1 {
  location L0 initial
  location L1
  location L2
  edge L0 -> L1
  edge L1 -> L2 receive @c(_)
}
process Q priority 1 {
  location L0 initial
  location L1
  location L2
  edge L0 -> L1 keeps
  edge L1 -> L2 send @c(0)
}
start P
start Q
",
    ),
    (
        "each part of a block's guard can be what makes it possible",
        Forgets::Needs,
        "program youngest
shared x: 0..1 wrap = 1
shared y: 0..1 wrap = 0
process P priority 1 {
  location L0 initial
  location L1
  edge L0 -> L1 block {
    node N0
      option when ((x == 1) && (y == 1)) -> out
  }
  edge L0 -> L1
}
process Q priority 1 {
  location L0 initial
  location L1
  edge L0 -> L1 do y := 1
}
start P
start Q
",
    ),
];

#[test]
fn rare_sets_are_stubborn() {
    for (what, forgets, text) in RARE {
        let program = riata_program::read(text).unwrap_or_else(|e| panic!("{what}: {e:?}"));
        assert_eq!(judge(&program, Forgets::Nothing, &[]).err(), None, "{what}");
        assert!(judge(&program, forgets, &[]).is_err(), "{what}: not noticed");
    }
}

/// The sets of the program in the file that `RIATA_PROGRAM` names, as `riata explore --print program` writes it.
#[test]
#[ignore = "for a program that somebody wants to look at"]
fn sets_of_a_file_are_stubborn() {
    let Some(path) = std::env::var_os("RIATA_PROGRAM") else { return };
    let text = std::fs::read_to_string(path).expect("a file");
    let program = riata_program::read(&text).expect("a program");
    let seen = judge(&program, Forgets::Nothing, &[]);
    let seen = seen.unwrap_or_else(|text| panic!("{text}"));
    println!("{} of {} states reduced, {} to pairs", seen.reduced, seen.states, seen.pairs);
}
