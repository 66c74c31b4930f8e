//! Programs that are observed: groups have the interpreter's steps, and groups and questions depend on nothing but their
//! looks.

use riata_program::ProcId;
use riata_program::{
    Asserts, Expr, Interpreter, NotObservable, Observer, Options, Order, Passes, Program, Sees, optimise,
};
use riata_promela::lower::{Property, lower};
use riata_promela::{NoFiles, parse};
use riata_source::Span;
use riata_system::{Effect, Observable, Observation, System, Truth};
use std::collections::HashSet;

const MODELS: [&str; 20] = [
    "byte n; active [2] proctype P() { byte i; do :: i < 3 -> i++; n = (n + i) % 4 :: else -> break od }",
    "chan q = [2] of { byte, bit }; active proctype A() { byte i; do :: q!i,1; i = 1 - i :: q!2,0 od }
     active proctype B() { byte x; bit y; do :: q?x,y :: q?2,y :: q??1,y; assert(x < 7) od }",
    "chan r = [0] of { byte }; byte g; active proctype A() { do :: r!1 :: r!g; g = 1 - g od }
     active [2] proctype B() { byte x; do :: r?x; g = x :: r?eval(g) -> x = 0 od }",
    "chan r = [0] of { byte }; byte g, h; active proctype A() { do :: atomic { r!1; g++; g = g % 3 } :: else -> h = 1 - h od }
     active proctype B() { byte x; do :: atomic { r?x; x++; (g > 0); x = 0 } :: h = 0 od }",
    "byte n; active proctype A() { do :: n < 4 -> d_step { n++; if :: n == 2 -> n = 3 :: else fi } :: timeout -> n = 0 od }
     active proctype B() { do :: n == 4 -> n = 1 od }",
    "byte n; active proctype A() { { do :: n++; n = n % 5 od } unless { n == 3 -> n = 0 } }
     active proctype B() provided (n != 2) { byte k; do :: k = n :: k > 1 -> n = 0 od }",
    "byte n; active proctype A() { byte v; L: n = 1; M: v = 1 - v; n = 2; goto L }
     active proctype B() { byte x; do :: A@M -> x = A:v + 1 :: n == 2 -> x = 0 :: _last == 0 -> x = 5 od }",
    "chan q = [2] of { byte }; active proctype A() { chan own = [1] of { byte }; byte x; own!1; q!!3; q!!2; own?x }
     active proctype B() { byte y; do :: q?<y> :: q?[3] -> q?y :: full(q) -> y = len(q) :: nempty(q) -> q?_ od }",
    "byte a[3]; active proctype A() { byte i; do :: a[i]++; i++ od } active proctype B() { do :: a[1] = a[2] od }",
    "byte n; active proctype A() priority 2 { n = 1; n = 2 } active proctype B() priority 1 { do :: n < 2 -> n = 3 :: n = 0 od }",
    "chan c[2] = [0] of { bit }; active [2] proctype P() { bit b; do :: c[_pid]!b :: c[1 - _pid]?b :: b = 1 - b od }",
    "byte x = 2; active proctype A() { do :: x = 6 / x :: x-- od } active proctype B() { (x == 0); x = 1 }",
    "chan r = [0] of { byte }; byte g; active proctype A() { do :: r!1/g :: g = 1 - g od }
     active [2] proctype B() { byte x; do :: r?eval(1 / g) :: r?x; x = 0 od }",
    "chan r = [0] of { byte }; chan q = [1] of { byte }; byte g;
     active proctype A() { do :: atomic { r!g; g = (g + 1) % 3 } :: q!g od }
     active proctype B() { byte x; do :: d_step { r?x; x = 0 } :: d_step { q?x; x = 0; g = 1 } od unless { g == 2 -> g = 0 } }",
    "chan r = [0] of { byte }; byte g; active proctype A() { { do :: r!1 :: r!2 od } unless { r!3 } }
     active proctype B() { byte x; { do :: r?1 :: r?2 od } unless { r?3 -> x = 1 } }",
    "byte n; active proctype A() { do :: n < 2 -> n++ :: timeout -> n = 0 od }
     active proctype B() { atomic { n == 1 -> timeout -> n = 2 } }
     active proctype C() { do :: enabled(0) -> n = 1 :: np_ -> skip od }",
    "mtype = { a, b }; chan q = [1] of { mtype }; chan r = [0] of { mtype };
     active proctype A() { do :: q!a; q!b :: r!b od } active proctype B() { do :: q?a :: q?b :: r?_ od }
     trace { do :: q!a; q!b od }",
    "chan q = [3] of { byte, byte }; active proctype A() { do :: q!!2,1 :: q!!1,3 :: q?_,_ :: q??2,_ :: q?<1,_> od }",
    "chan a = [0] of { chan }; chan b = [0] of { byte }; chan c = [1] of { byte };
     active proctype A() { do :: a!b :: a!c od }
     active proctype B() { chan x; do :: a?x; if :: x!3 :: nfull(x) -> skip fi od }
     active proctype C() { byte y; do :: b?y; y = 0 :: c?y; y = 0 od }",
    "byte n; active [2] proctype P() { n++ } active proctype Q() { n++; L: do :: n == 3 -> break :: n == 9 od }
     active proctype R() { Q[2]@L -> n = 0 }",
];

/// Small programs from one text: as written and optimised, and with what other languages have.
fn programs(text: &str) -> Vec<Program> {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    assert!(!parsed.failed(), "{:?}", parsed.diagnostics);
    let lowered = lower(&parsed).unwrap_or_else(|d| panic!("{d:?}"));
    let mut program = lowered.program;
    for property in &lowered.properties {
        if let Property::Trace(_, watch) = property {
            program = program.monitored(watch);
        }
    }
    let small = optimise(&program, Passes::ALL, Sees::default());
    let mut other = program.clone();
    other.scheduling.order = Order::Oldest;
    other.scheduling.lazy = true;
    for (p, process) in other.processes.iter_mut().enumerate() {
        for (l, location) in process.locations.iter_mut().enumerate() {
            location.committed = (l + p) % 4 == 1;
            if l % 2 == 1 {
                let span = Span::default();
                let of = other.exprs.add(Expr::Const(((l + p) % 3) as i32), span);
                location.asserts = vec![
                    other.exprs.add(Expr::LocationOf(of), span),
                    other.exprs.add(Expr::Enabled(of), span),
                ];
            }
        }
    }
    vec![program, small, other]
}

fn holds(observer: &Observer, seen: &Observation, s: &[u32]) -> bool {
    seen.looks.iter().all(|l| (observer.slots()[l.slot as usize].load(s) == l.value) == l.equal)
}

/// Questions depend on nothing but their looks, and have the interpreter's answers.
fn ask(observer: &Observer, s: &[u32], asked: &mut [Vec<(Observation, Truth)>]) {
    let it = observer.interpreter();
    let mut seen = Observation::default();
    let mut violated = false;
    for (question, before) in asked.iter_mut().enumerate() {
        let truth = observer.ask(question, s, &mut seen);
        assert!(holds(observer, &seen, s));
        match before.iter().find(|(o, _)| holds(observer, o, s)) {
            Some((_, t)) => assert_eq!(*t, truth, "question {question} in {s:?}"),
            None => before.push((seen.clone(), truth)),
        }
        let expected = if question < it.program().propositions.len() {
            match (it.undefined(s).0 >> question & 1, it.valuation(s).0 >> question & 1) {
                (0, bit) => Some(bit == 1),
                _ => None,
            }
        } else if question < observer.may_end() {
            violated |= truth == Truth::True;
            continue;
        } else if question == observer.may_end() {
            Some(it.is_end(s))
        } else if question == observer.is_free() {
            Some(it.holder(s).is_none())
        } else {
            continue;
        };
        let truth = match truth {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Fault => None,
        };
        assert_eq!(truth, expected, "question {question} in {s:?}");
    }
    assert_eq!(violated, it.violated(s).is_some());
}

fn observe(text: &str, program: &Program) -> usize {
    let interpreter = Interpreter::new(program, Options { asserts: Asserts::Fault }).expect("a program");
    let observer = Observer::new(&interpreter).expect("its processes are fixed").with_guards(ProcId(0));
    let (sink, fault, words) = observer.sink();
    let is_sink = |s: &[u32]| observer.slots()[sink as usize].load(s) == fault;
    let mut all = vec![vec![0; observer.words()]];
    observer.initial(&mut Default::default(), &mut all[0]);
    let mut known: HashSet<Vec<u32>> = all.iter().cloned().collect();
    let mut learned: Vec<Vec<Observation>> = vec![Vec::new(); observer.groups()];
    let mut asked = vec![Vec::new(); observer.guard(program.processes[0].edges.len())];
    let mut seen = Observation::default();
    let mut next = 0;
    while next < all.len() {
        let s = all[next].clone();
        next += 1;
        assert_eq!(is_sink(&s), s == words, "{text}");
        if is_sink(&s) {
            continue;
        }
        ask(&observer, &s, &mut asked);
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let (mut at, mut t) = (Default::default(), vec![0; observer.words()]);
        while observer.next(&s, &mut at, &mut t).is_some() {
            expected.push(t.clone());
            if known.insert(t.clone()) {
                all.push(t.clone());
            }
        }
        for (group, before) in learned.iter_mut().enumerate() {
            observer.attempt(group, &s, &mut seen);
            for step in &seen.steps {
                let mut t = s.clone();
                match step {
                    Effect::Sink => t = words.clone(),
                    Effect::Writes(w) => {
                        assert!(w.is_sorted_by(|a, b| a.0 < b.0));
                        w.iter().for_each(|&(i, v)| observer.slots()[i as usize].store(&mut t, v));
                    }
                }
                found.push(t);
            }
            assert!(holds(&observer, &seen, &s), "{text}");
            assert!(seen.steps.is_empty() || !holds(&observer, &seen, &words), "{text}");
            match before.iter().find(|o| holds(&observer, o, &s)) {
                Some(o) => assert_eq!(o.steps, seen.steps, "{text}: group {group} in {s:?}"),
                None => before.push(seen.clone()),
            }
        }
        expected.sort();
        found.sort();
        assert_eq!(expected, found, "{text}: {s:?}");
        assert!(all.len() < 100_000, "{text}");
    }
    all.len()
}

#[test]
fn groups_have_the_steps_and_depend_on_their_looks() {
    for text in MODELS {
        let sizes: Vec<usize> = programs(text).iter().map(|p| observe(text, p)).collect();
        assert!(sizes[0] >= 3 && sizes[1] <= sizes[0], "{text}: {sizes:?}");
    }
}

#[test]
fn processes_that_start_others_are_told() {
    let text = "proctype P() { skip } init { run P() }";
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).expect("a model");
    let interpreter = Interpreter::new(&lowered.program, Options::default()).expect("a program");
    assert_eq!(Observer::new(&interpreter).err(), Some(NotObservable::Starts));
}
