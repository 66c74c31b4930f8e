//! Random well-formed models: printed and parsed again they are the same program with the same state space, and the
//! interpreter keeps its promises on them.

use proptest::prelude::*;
use riata_program::{Interpreter, Options};
use riata_system::System;
use std::collections::HashMap;

/// Expressions of a process, from leaves up. `x`, `y` are shared, `l` is local, `a` has three elements.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..5i32).prop_map(|k| k.to_string()),
        prop::sample::select(vec!["x", "y", "l", "a[0]", "a[2]", "P0.s0", "P1.s1", "P0->l", "N"])
            .prop_map(String::from),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let ops = vec![
            "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or",
            "imply", "&&", "||",
        ];
        prop_oneof![
            6 => (inner.clone(), prop::sample::select(ops), inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            2 => inner.clone().prop_map(|e| format!("({e})")),
            1 => (prop::sample::select(vec!["-", "~", "not ", "!"]), inner.clone()).prop_map(|(op, e)| format!("{op}{e}")),
            1 => inner.prop_map(|e| format!("a[({e}) % 3]")),
        ]
    })
}

/// Guards and effects that seldom leave their ranges, so that state spaces are not all faults.
fn transition() -> impl Strategy<Value = String> {
    let guard = prop::option::of(expression());
    let sync =
        prop::sample::select(vec!["", "", "", "sync c!x;", "sync c?l;", "sync d!{l, 1};", "sync d?{y, x};"]);
    let effect = prop_oneof![
        3 => prop::sample::select(vec![
            "", "effect x = (x + 1) % 3;", "effect l = (l + 2) % 4, y = l;", "effect a[l % 3] = x;", "effect y = 0, x = y;",
        ]).prop_map(String::from),
        1 => expression().prop_map(|e| format!("effect l = ({e}) & 3;")),
        1 => expression().prop_map(|e| format!("effect x = {e};")),
    ];
    (0..3u8, 0..3u8, guard, sync, effect).prop_map(|(from, to, guard, sync, effect)| {
        let guard = guard.map_or(String::new(), |g| format!("guard {g};"));
        format!("s{from} -> s{to} {{ {guard} {sync} {effect} }}")
    })
}

fn model() -> impl Strategy<Value = String> {
    let process = (
        prop::collection::vec(transition(), 1..5),
        prop::bool::weighted(0.2),
        prop::option::of(expression()),
    );
    (prop::collection::vec(process, 2..4), prop::bool::weighted(0.15)).prop_map(|(processes, lockstep)| {
        let mut text = String::from(
            "const byte N = 2;\nbyte x, a[3] = {1, 0, 2};\nint y = -1;\nchannel c;\nchannel {byte, int} d[2];\n",
        );
        for (i, (transitions, commit, assert)) in processes.iter().enumerate() {
            let commit = if *commit { "commit s1;" } else { "" };
            let assert = assert.as_ref().map_or(String::new(), |e| format!("assert s2: {e};"));
            text += &format!(
                "process P{i} {{ byte l = {i}; state s0, s1, s2; init s0; {commit} {assert}\n trans {}; }}\n",
                transitions.join(",\n ")
            );
        }
        text + if lockstep { "system sync;\n" } else { "system async;\n" }
    })
}

/// The first 500 states in breadth-first order, with the numbers of their successors.
fn space(it: &Interpreter) -> Vec<(Vec<u32>, Vec<usize>)> {
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut ids = HashMap::from([(s.clone(), 0)]);
    let mut states = vec![(s, Vec::new())];
    let mut at = 0;
    while at < states.len() && states.len() < 500 {
        let s = states[at].0.clone();
        let mut cursor = Default::default();
        // What the slot holds before must not matter.
        let mut t = vec![0xdead_beef; s.len()];
        while let Some(action) = it.next(&s, &mut cursor, &mut t) {
            if !it.is_fault(&t) {
                let mask = it.changed_words(action);
                assert!(s.iter().zip(&t).enumerate().all(|(w, (a, b))| a == b || mask >> w & 1 == 1));
            }
            let n = ids.len();
            let id = *ids.entry(t.clone()).or_insert_with(|| {
                states.push((t.clone(), Vec::new()));
                n
            });
            states[at].1.push(id);
            t.fill(0xdead_beef);
        }
        at += 1;
    }
    states
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printed_and_parsed_again(text in model()) {
        // A constant index outside its array is refused, which random text can have.
        let Ok(first) = riata_dve::parse(&text) else { return Ok(()) };
        let printed = riata_dve::format(&text).unwrap();
        let second = riata_dve::parse(&printed).unwrap_or_else(|e| panic!("{e:#?}\n{printed}"));
        prop_assert_eq!(riata_program::print(&first.program), riata_program::print(&second.program));
        prop_assert_eq!(riata_dve::format(&printed).unwrap(), printed);
        let (a, b) = (
            Interpreter::new(&first.program, Options::default()).unwrap(),
            Interpreter::new(&second.program, Options::default()).unwrap(),
        );
        prop_assert_eq!(space(&a), space(&b));
    }
}
