//! Programs of fixed processes under watch: groups have the interpreter's steps, and depend on nothing but their looks.

use riata_program::dynamic::{Asserts, Fixed, Interpreter, NotFixed, Options, Passes, Sees, optimise};
use riata_promela::lower::lower;
use riata_promela::{NoFiles, parse};
use riata_system::{Effect, Observation, System, Watched};
use std::collections::HashSet;

const MODELS: [&str; 12] = [
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
];

fn watch(text: &str, optimised: bool) -> usize {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    assert!(!parsed.failed(), "{:?}", parsed.diagnostics);
    let lowered = lower(&parsed).unwrap_or_else(|d| panic!("{d:?}"));
    let program =
        if optimised { optimise(&lowered.program, Passes::ALL, Sees::default()) } else { lowered.program };
    let interpreter = Interpreter::new(&program, Options { asserts: Asserts::Fault }).expect("a program");
    let fixed = Fixed::new(&interpreter).expect("its processes are fixed");
    let (sink, fault, words) = fixed.sink();
    let is_sink = |s: &[u32]| fixed.slots()[sink as usize].load(s) == fault;
    let mut all = vec![vec![0; fixed.words()]];
    fixed.initial(&mut Default::default(), &mut all[0]);
    let mut known: HashSet<Vec<u32>> = all.iter().cloned().collect();
    let mut learned: Vec<Vec<Observation>> = vec![Vec::new(); fixed.groups()];
    let mut seen = Observation::default();
    let mut next = 0;
    while next < all.len() {
        let s = all[next].clone();
        next += 1;
        if is_sink(&s) {
            assert_eq!(s, words);
            continue;
        }
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let (mut at, mut t) = (Default::default(), vec![0; fixed.words()]);
        while fixed.next(&s, &mut at, &mut t).is_some() {
            expected.push(t.clone());
            if known.insert(t.clone()) {
                all.push(t.clone());
            }
        }
        for (group, before) in learned.iter_mut().enumerate() {
            fixed.attempt(group, &s, &mut seen);
            for step in &seen.steps {
                let mut t = s.clone();
                match step {
                    Effect::Sink => t = words.clone(),
                    Effect::Writes(w) => {
                        w.iter().for_each(|&(i, v)| fixed.slots()[i as usize].store(&mut t, v))
                    }
                }
                found.push(t);
            }
            let holds = |o: &Observation| {
                o.looks.iter().all(|l| (fixed.slots()[l.slot as usize].load(&s) == l.value) == l.equal)
            };
            assert!(holds(&seen), "{text}");
            match before.iter().find(|o| holds(o)) {
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
        let sizes = (watch(text, false), watch(text, true));
        assert!(sizes.0 >= 4 && sizes.1 <= sizes.0, "{text}: {sizes:?}");
    }
}

#[test]
fn processes_that_start_others_are_told() {
    let text = "proctype P() { skip } init { run P() }";
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).expect("a model");
    let interpreter = Interpreter::new(&lowered.program, Options::default()).expect("a program");
    assert_eq!(Fixed::new(&interpreter).err(), Some(NotFixed::Starts));
}
