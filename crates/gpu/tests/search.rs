//! Whole searches by threads of the host, which run the table's own code: the same counts each time, whatever the width of
//! a state, and a race in the table is seen.

use riata_gpu::{Aim, Compiled, Found, Host, Plan, Search, text};
use riata_program::{Asserts, Condensed, Interpreter, Options};
use riata_promela::{NoFiles, lower::lower};
use riata_system::{Limits, Stop, Successors, System};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Four who take two forks each; `wide` adds what makes a state longer.
fn forks(wide: &str) -> String {
    format!(
        "bit fork[4]; active [4] proctype P() {{ {wide} do :: d_step {{ !fork[_pid] -> fork[_pid] = 1 }};
         d_step {{ !fork[(_pid + 1) % 4] -> fork[(_pid + 1) % 4] = 1 }}; n = 1 - n; m = n * 1000000;
         fork[_pid] = 0; fork[(_pid + 1) % 4] = 0 od }}"
    )
}

const SHORT: &str = "bit n; bit m;";
const TWO_WORDS: &str = "bit n; int m;";
const LONG: &str = "int n = -5; int m; int k = 7; int l = 9;";

fn interpreter(source: &str) -> Interpreter {
    let parsed = riata_promela::parse("m.pml", source.as_bytes(), &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).unwrap_or_else(|e| panic!("{source}\n{e:?}"));
    Interpreter::new(lowered.program, Options { asserts: Asserts::Count }).expect("a program")
}

/// States, transitions, levels and states where nothing moves.
type Counts = (u64, u64, usize, u64);

fn counted(i: &Interpreter) -> Counts {
    let mut first = vec![0; i.words()];
    i.initial(&mut Default::default(), &mut first);
    first.truncate(i.len(&first));
    let mut seen = HashSet::from([first.clone()]);
    let mut level = vec![first];
    let (mut levels, mut transitions, mut stuck) = (0, 0, 0);
    while !level.is_empty() {
        levels += 1;
        let mut next = Vec::new();
        for s in &level {
            let mut out = Successors::default();
            let count = Condensed::new(i).expand(s, &mut Default::default(), &mut out);
            transitions += count;
            stuck += u64::from(count == 0);
            let successors = (0..out.len()).map(|n| out.get(n).0.to_vec());
            next.extend(successors.filter(|t| seen.insert(t.clone())));
        }
        level = next;
    }
    (seen.len() as u64, transitions, levels, stuck)
}

fn searched(i: &Interpreter, guess: bool, flags: &[&str]) -> (Found, usize) {
    let plan = Plan::new(i, guess).expect("nothing is refused");
    let library = Compiled::new(&[text(&plan, "one").expect("it is short")], flags).expect("C");
    let host = Host::new(&library, "one", plan.packing.packed, 4).expect("it was compiled");
    let deadline = Instant::now().checked_add(Duration::from_secs(20));
    let limits = Limits { memory: Some(64 << 20), deadline, ..Limits::default() };
    let mut search = Search::new(i, &plan, host, limits);
    (search.run(Aim::default(), |_| ()).expect("the host works"), plan.packing.packed)
}

fn counts(found: &Found) -> Counts {
    (found.states, found.transitions, found.levels, found.deadlocks)
}

#[test]
fn ten_searches_by_threads_count_the_same() {
    for (wide, guess, words) in
        [(SHORT, true, 1), (TWO_WORDS, false, 3), (TWO_WORDS, true, 2), (LONG, false, 9)]
    {
        let i = interpreter(&forks(wide));
        let expected = counted(&i);
        for _ in 0..10 {
            let (found, packed) = searched(&i, guess, &["-O1"]);
            assert_eq!(counts(&found), expected, "{wide}");
            assert_eq!((found.stopped, packed), (None, words), "{wide}");
        }
    }
}

#[test]
fn a_race_in_the_table_is_seen() {
    for (wide, guess) in [(SHORT, true), (TWO_WORDS, true), (LONG, false)] {
        let i = interpreter(&forks(wide));
        let expected = counted(&i);
        let differs = |(found, _): (Found, usize)| found.stopped.is_some() || counts(&found) != expected;
        assert!((0..20).any(|_| differs(searched(&i, guess, &["-O1", "-DRIATA_RACE"]))), "{wide}");
    }
}

#[test]
fn a_full_table_is_no_answer() {
    let i = interpreter(&forks(SHORT));
    let plan = Plan::new(&i, true).expect("nothing is refused");
    let library = Compiled::new(&[text(&plan, "one").expect("it is short")], &["-O1"]).expect("C");
    let host = Host::new(&library, "one", plan.packing.packed, 2).expect("it was compiled");
    let limits = Limits { memory: Some(140_000), ..Limits::default() };
    let found = Search::new(&i, &plan, host, limits).run(Aim::default(), |_| ()).expect("the host works");
    assert_eq!(found.stopped, Some(Stop::Memory));
}

#[test]
fn where_the_table_is_full_the_row_of_states_goes_to_the_memory_of_the_host() {
    for (wide, inline) in [(SHORT, true), (TWO_WORDS, true), (LONG, false)] {
        let i = interpreter(&forks(wide));
        let plan = Plan::new(&i, inline).expect("nothing is refused");
        let library = Compiled::new(&[text(&plan, "one").expect("it is short")], &["-O1"]).expect("C");
        let packed = plan.packing.packed;
        assert_eq!(plan.packing.inline, inline);
        let expected = counted(&i);
        // Too little for the row and the table, and enough for the table.
        let each = if inline { 15 } else { 8 };
        let memory = (1 << 14) * 8 * packed as u64 + expected.0 * each * packed as u64;
        let limits = Limits { memory: Some(memory as usize), ..Limits::default() };
        for (spare, fits) in [(0, false), (expected.0 * 4, false), (1 << 24, inline)] {
            let host = Host::new(&library, "one", packed, 4).expect("it was compiled").with_spare(spare);
            let mut search = Search::new(&i, &plan, host, limits);
            let found = search.run(Aim::default(), |_| ()).expect("the host works");
            assert_eq!(search.device().is_outside(), fits, "{wide} {spare}");
            assert_eq!(found.stopped, (!fits).then_some(Stop::Memory), "{wide} {spare}");
            assert!(!fits || counts(&found) == expected, "{wide} {spare}");
        }
    }
}
