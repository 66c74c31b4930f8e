//! Runs told to people: every step can be told event by event, and a run of the optimised program is one of the
//! program as it is written.

use riata_program::{EdgeId, ProcId};
use riata_program::{
    Execution, Happening, Interpreter, Lift, Options, Passes, Program, Sees, Taken, Told, Value, optimise,
};
use riata_promela::lower::lower;
use riata_promela::{NoFiles, parse};
use riata_system::System;
use std::collections::{HashMap, VecDeque};

const MODELS: &[&str] = &[
    // Queues of all kinds.
    "chan c = [2] of { byte, short }; chan d = [1] of { bit };
     active proctype P() { byte n; do :: n < 3 -> c!!(3 - n),300; n++ :: n == 3 -> break od; d!1 }
     active proctype Q() { byte a; short b; do :: c?<a,b> -> c?a,b :: c??1,b :: d?[1] -> d?_; break od }",
    // Rendezvous into and out of atomic sequences, and into a deterministic step.
    "chan r = [0] of { mtype, byte }; mtype = { one, two }; byte got;
     active proctype S() { byte k; atomic { k = 7; r!one,k; k = 8; k = 9 }; r!two,k }
     active proctype R() { byte x, y; atomic { r?one,x; y = x; x = y + 1; got = x }; d_step { r?two,y; y = y + 1; got = y; y = 0 } }",
    // Processes that come and go, with channels of their own.
    "chan up = [1] of { chan }; byte sum;
     proctype W(byte n) { chan mine = [1] of { byte }; byte m; up!mine; mine?m; sum = sum + m * n }
     init { chan to; byte i; do :: i < 2 -> i++; run W(i); up?to; to!i; (_nr_pr == 1) :: else -> break od; printf(\"%d %x\\n\", sum, i) }",
    // Silent statements, a failing assertion behind them, and escapes.
    "byte x, y; active proctype A() { byte a, b; { do :: a = 1; b = a + x; b = b * 2; x = b % 5; a = 0 od } unless { x == 4 };
     a = y; b = a; assert(b == 0) } active proctype B() { byte t; y = 1; t = y; t = t + 1; y = t }",
    // Priorities, conditions and arrays.
    "typedef T { byte v[3] }; T t[2]; byte n;
     active proctype A() provided (n < 2) { byte i; for (i : 0 .. 2) { t[1].v[i] = i; n = n + (i == 1) } }
     active proctype B() { (t[1].v[2] == 0); d_step { byte j = 0; do :: j < 3 -> t[0].v[j] = j * 2; j++ :: else -> break od };
     if :: timeout -> n = 0 :: n == 7 fi }",
];

fn program(text: &str) -> Program {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    assert!(!parsed.failed(), "{text}\n{:?}", parsed.diagnostics);
    lower(&parsed).unwrap_or_else(|e| panic!("{text}\n{e:?}")).program
}

fn initial(i: &Interpreter) -> Vec<u32> {
    let mut s = vec![0; i.words()];
    i.initial(&mut Default::default(), &mut s);
    s.truncate(i.len(&s));
    s
}

/// A state, and the step from another one that led there first.
type Before = HashMap<Vec<u32>, Option<(Vec<u32>, Taken)>>;

/// All states, each with the step that led there first.
fn reachable(i: &Interpreter, mut visit: impl FnMut(&[u32], &Taken)) -> Before {
    let start = initial(i);
    let mut before: Before = HashMap::from([(start.clone(), None)]);
    let mut todo = VecDeque::from([start]);
    while let Some(s) = todo.pop_front() {
        for taken in i.steps(&s) {
            visit(&s, &taken);
            if !before.contains_key(&taken.to) {
                todo.push_back(taken.to.clone());
                before.insert(taken.to.clone(), Some((s.clone(), taken)));
            }
        }
    }
    before
}

/// The run to a state.
fn way(i: &Interpreter, before: &Before, s: &[u32]) -> Execution {
    let mut steps = Vec::new();
    let mut at = s.to_vec();
    while let Some(Some((src, taken))) = before.get(&at) {
        steps.push(taken.clone());
        at = src.clone();
    }
    let mut run = Execution::start(i);
    steps.iter().rev().for_each(|taken| run.push(taken));
    run
}

/// Every step is taken by the process that it names, and leads where it says.
fn is_run(i: &Interpreter, run: &Execution) {
    assert_eq!(run.states.get(0), initial(i));
    assert_eq!(run.steps.len() + usize::from(run.back.is_none()), run.states.len());
    for k in 0..run.steps.len() {
        let (src, step, dst) = run.step(k).expect("a step");
        match step {
            Some(step) => {
                let taken = i.follow(src, |s| s == step).unwrap_or_else(|| panic!("step {k}"));
                assert_eq!(taken.to, dst, "step {k}");
            }
            None => assert!(src == dst && i.steps(src).is_empty(), "step {k}"),
        }
    }
}

#[test]
fn every_step_is_told() {
    for text in MODELS {
        let program = program(text);
        let passes = [Passes::NONE, Passes { merge: false, ..Passes::ALL }, Passes::ALL];
        for program in passes.map(|p| optimise(&program, p, Sees::default())) {
            let i = Interpreter::new(&program, Options::default()).expect("a program");
            let mut steps = 0;
            reachable(&i, |s, taken| {
                assert!(i.narrate(s, taken.step, &taken.to).is_some(), "{text}");
                steps += 1;
            });
            assert!(steps > 5, "{text}");
        }
    }
}

#[test]
fn messages_and_text_are_told() {
    let program = program(
        "mtype = { hello }; chan c = [1] of { mtype, byte }; byte n = 2;
         active proctype P() { c!hello,300; d_step { c?hello,n; printf(\"n is %d, %e, 100%%\\n\", n, hello) } }",
    );
    let i = Interpreter::new(&program, Options::default()).expect("a program");
    let mut s = initial(&i);
    let mut told: Vec<Told> = Vec::new();
    while let Some(taken) = i.steps(&s).into_iter().next() {
        told.extend(i.narrate(&s, taken.step, &taken.to).expect("a step"));
        s = taken.to;
    }
    let message = vec![Value::Symbol("hello".into()), Value::Number(44)];
    let (channel, name) = (1, "c".to_string());
    let slot = Some(0);
    let wanted = [
        Happening::Sent { channel, name: name.clone(), message: message.clone(), slot },
        Happening::Received { channel, name, message, slot, kept: false },
        Happening::Printed("n is 44, hello, 100%\n".into()),
        Happening::Ended,
    ];
    assert_eq!(told.into_iter().map(|e| e.what).collect::<Vec<_>>(), wanted);
}

#[test]
fn runs_of_optimised_programs_are_runs() {
    for text in MODELS {
        let program = program(text);
        let small = optimise(&program, Passes::ALL, Sees::default());
        let small = Interpreter::new(&small, Options::default()).expect("a program");
        let full = Interpreter::new(&program, Options::default()).expect("a program");
        let lift = Lift::new(&small, &full);
        let mut edges: Vec<(Vec<u32>, Taken)> = Vec::new();
        let before = reachable(&small, |s, taken| edges.push((s.to_vec(), taken.clone())));
        for s in before.keys() {
            let lifted = lift.run(&way(&small, &before, s)).unwrap_or_else(|| panic!("{text}"));
            is_run(&full, &lifted);
            assert_eq!(full.is_fault(lifted.last()), small.is_fault(s), "{text}");
        }
        // Cycles of one edge back to a state on the way.
        for (s, taken) in edges {
            let mut run = way(&small, &before, &s);
            run.back = run.states.iter().position(|x| x == taken.to);
            if run.back.is_some() {
                run.steps.push(Some(taken.step));
                let lifted = lift.run(&run).expect("a lasso");
                assert!(lifted.back.is_some(), "{text}");
                is_run(&full, &lifted);
            }
        }
    }
}

/// The numbers are those that Spin 6.5.2 gives (`settr` in its `pan.t`).
#[test]
fn statements_have_spin_s_numbers() {
    let text = "byte x; chan c = [1] of { byte };
        inline twice(v) { v++; v++ }
        active proctype A() { byte i = 1; x = 1; L: goto M; x = 9; M: if :: x == 1 -> twice(x) :: else fi;
            atomic { x = 2; c!1 }; end: goto N; N: x = 8; d_step { x = 3; x = 4 } }
        never { do :: !A[0]@L :: x > 200 -> break od }
        active proctype B() { do :: c?x -> break :: x > 3 -> skip od; { x = 6; x = 7 } unless { x == 3 }; x = 5 unless x == 33;
            byte k; for (k : 1 .. 2) { x = k }; select (k : 1 .. 2); select (k : 1 .. x) }
        init { x = 0 unless (A[0]@L); skip }";
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).expect("a model");
    let mut found: Vec<(u32, String)> = Vec::new();
    for (p, process) in lowered.program.processes.iter().enumerate() {
        for (e, edge) in process.edges.iter().enumerate() {
            let number = lowered.numbers.of(ProcId::new(p), EdgeId::new(e)).expect("a number");
            let text = parsed.sources.str(edge.span()).split_whitespace().collect::<Vec<_>>().join(" ");
            found.push((number, text.chars().take(12).collect()));
        }
    }
    found.sort();
    found.dedup();
    let wanted: Vec<(u32, String)> = WANTED.iter().map(|&(n, t)| (n, t.to_string())).collect();
    assert_eq!(found, wanted, "{found:#?}");
}

const WANTED: &[(u32, &str)] = &[
    (0, "x = 1"),
    (1, "goto M"),
    (3, "x == 1"),
    (4, "v++"),
    (5, "v++"),
    (7, "else"),
    (10, "x = 2"),
    (11, "c!1"),
    (14, "goto N"),
    (15, "x = 8"),
    (18, "d_step { x ="),
    (19, ""),
    (28, "c?x"),
    (30, "x > 3"),
    (31, "skip"),
    (35, "x = 6"),
    (36, "x = 7"),
    (37, "x == 3"),
    (40, "x == 33"),
    (41, "x = 5"),
    (44, "k"),
    (45, "for (k : 1 ."),
    (46, "for (k : 1 ."),
    (47, "x = k"),
    (48, "for (k : 1 ."),
    (49, "for (k : 1 ."),
    (54, "select (k : "),
    (55, "select (k : "),
    (58, "select (k : "),
    (59, "select (k : "),
    (60, "select (k : "),
    (61, "select (k : "),
    (65, ""),
    (66, "(A[0]@L)"),
    (67, "x = 0"),
    (70, "skip"),
    (71, ""),
];
