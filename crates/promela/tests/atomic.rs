//! Large steps against their definition: from a state in which control is free, the free states that are reached through
//! states in which it is held; and the fault state, if one of these never lets control go.
mod common;

use common::model;
use riata_program::{Condensed, Interpreter, Options};
use riata_system::System;
use std::collections::{BTreeSet, HashMap};

type State = Vec<u32>;

const MODELS: [&str; 9] = [
    "byte x, y; active proctype P() { atomic { y = 1; if :: x = 1 :: do :: x = 2 od fi } } active proctype Q() { x = 5 }",
    "byte x; active proctype P() { atomic { do :: x = 1 - x od } }",
    "byte x; active proctype P() { atomic { do :: x < 200 -> x++ :: x == 200 -> break od } }",
    "byte x; active proctype P() { atomic { do :: x < 90 -> x++ :: x > 5 -> break :: x == 50 -> do :: x == 50 -> skip od od } }",
    "byte x; active proctype P() { atomic { x = 1; L: if :: x = 2; goto L :: x = 3; goto M fi; M: x = 4; goto M } }",
    "byte g = 1; active proctype A() provided (g != 1) { byte b; atomic { select (b : 0 .. 2); g = b; L: skip; goto L } }
     active proctype B() { g = (g + 1) & 1 } active proctype C() { g = 2 }",
    "byte x; active proctype P() { atomic { x = 1; do :: x == 1 -> x = 2 :: x == 2 -> x = 1 :: x == 2 -> x == 7 od } }
     active proctype Q() { x = 7; x = 1 }",
    "chan c = [1] of { byte }; active proctype P() { atomic { do :: c!1 :: c?_ od } } active proctype Q() { byte n; n = 1 }",
    "byte x, z; active proctype P() { atomic { do :: x = 1 / (1 - z); z = 1 :: z == 0 -> do :: skip od od } }",
];

/// The large steps from `s` by their definition.
fn defined(it: &Interpreter, s: &[u32]) -> BTreeSet<State> {
    let steps = |s: &[u32]| it.steps(s).into_iter().map(|taken| taken.to).collect::<Vec<State>>();
    let mut found = BTreeSet::new();
    let mut edges: HashMap<State, Vec<State>> = HashMap::new();
    let mut todo: Vec<State> = Vec::new();
    let held = |t: &State| it.holder(t).is_some();
    for t in steps(s) {
        if held(&t) {
            todo.push(t)
        } else {
            found.insert(t);
        }
    }
    while let Some(t) = todo.pop() {
        if edges.contains_key(&t) {
            continue;
        }
        let next = steps(&t);
        found.extend(next.iter().filter(|u| !held(u)).cloned());
        todo.extend(next.iter().filter(|u| held(u)).cloned());
        edges.insert(t, next);
    }
    // Which of them lead out, again and again, until nothing changes.
    let mut leads: BTreeSet<State> = BTreeSet::new();
    loop {
        let more: Vec<State> = edges
            .iter()
            .filter(|(t, next)| !leads.contains(*t) && next.iter().any(|u| !held(u) || leads.contains(u)))
            .map(|(t, _)| t.clone())
            .collect();
        if more.is_empty() {
            break;
        }
        leads.extend(more);
    }
    if leads.len() < edges.len() {
        found.insert(it.fault_state());
    }
    found
}

#[test]
fn large_steps_are_what_their_definition_says() {
    for text in MODELS {
        let lowered = model(text);
        let it = Interpreter::new(&lowered.program, Options::default()).expect("a program");
        let system = Condensed::new(&it);
        let mut slot = vec![0; system.words()];
        let mut at = Default::default();
        let mut todo: Vec<State> = Vec::new();
        while system.initial(&mut at, &mut slot) {
            todo.push(slot[..system.len(&slot)].to_vec());
        }
        let mut seen: BTreeSet<State> = todo.iter().cloned().collect();
        while let Some(s) = todo.pop() {
            let mut at = Default::default();
            let mut next = BTreeSet::new();
            while system.next(&s, &mut at, &mut slot).is_some() {
                next.insert(slot[..system.len(&slot)].to_vec());
            }
            assert_eq!(next, defined(&it, &s), "{text}");
            todo.extend(next.into_iter().filter(|t| seen.insert(t.clone())));
        }
    }
}
