//! Reading what is right, refusing what is wrong, and the way there and back.

use super::{Automaton, Reader, to_string};
use crate::{Edge, Label, Marks, Tgba};
use proptest::prelude::*;
use std::collections::HashMap;

fn read(text: &str) -> Automaton {
    let mut all: Vec<_> = Reader::new(text.as_bytes()).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0).unwrap_or_else(|d| panic!("{d:?} in {text}"))
}

/// The first error, as `line:column message`.
fn error(text: &[u8]) -> String {
    let d = Reader::new(text).find_map(Result::err).expect("an error").remove(0);
    let before = &text[..d.span.start.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    format!("{line}:{column} {}", d.message)
}

/// An automaton with this acceptance and body, `AP: 2`, start 0.
fn with(acceptance: &str, body: &str) -> String {
    format!("HOA: v1\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: {acceptance}\n--BODY--\n{body}\n--END--\n")
}

fn edges(a: &Automaton, s: u32) -> Vec<(u32, String)> {
    a.tgba.edges(s).iter().map(|e| (e.to, e.marks.to_string())).collect()
}

/// The letters that a label reads, as a set of bits: letter `i` has the propositions of `i`'s bits.
fn letters(a: &Automaton, l: Label) -> u16 {
    (0..4).filter(|i| a.tgba.labels.eval(l, |v| i >> v & 1 == 1)).fold(0, |m, i| m | 1 << i)
}

#[test]
fn all_features_together() {
    let a = read(
        r#"/* a /* nested */ comment */ HOA: v1 name: "GF \"a\" \\ b" tool: "x" "1"
        States: 3 Start: 0 Start: 2 acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0)&Inf(1)
        properties: trans-labels unknown-thing properties: trans-acc some.thing: 1 t "x"
        Alias: @a 0 Alias: @c !@a | 1 AP: 2 "a" "b \"quoted\""
        --BODY--
        State: 0 "first" {0} [@c & 0] 1 {1} [f] 2 [!(0|1)] 0
        State: 2 0 1 2 2
        State: [0 /* ] */ & !!1] 1 {1 0} 0 1
        --END--"#,
    );
    assert_eq!(a.name.as_deref(), Some("GF \"a\" \\ b"));
    assert_eq!(a.tgba.aps, ["a", "b \"quoted\""]);
    assert_eq!(a.tgba.initial, [0, 2]);
    assert_eq!(edges(&a, 0), [(1, "{0 1}".into()), (0, "{0}".into())]);
    assert_eq!(edges(&a, 1), [(0, "{0 1}".into()), (1, "{0 1}".into())]);
    let label = |s, k: usize| letters(&a, a.tgba.edges(s)[k].label);
    assert_eq!((label(0, 0), label(0, 1)), (0b1000, 0b0001));
    assert_eq!((label(2, 0), label(2, 1), label(2, 2), label(2, 3)), (1, 2, 4, 8));
    assert_eq!(label(1, 0), 0b1000);
    assert_eq!(a.state_names, [Some("first".into()), None, None]);
    assert_eq!(a.header.properties, ["trans-labels", "unknown-thing", "trans-acc"]);
    assert!(a.tgba.state_marks.is_none() && a.state_labels.is_none());
}

#[test]
fn several_automata_and_aborts() {
    let one = with("0 t", "State: 0 [t] 0");
    let text = format!("{one}HOA: v1 name: \"gone\" --ABORT-- {one} HOA: --ABORT--\n{one}");
    assert_eq!(Reader::new(text.as_bytes()).filter(|a| a.is_ok()).count(), 3);
    let aborted = "HOA: v1 /* --END-- --ABORT-- */ --ABORT--";
    assert_eq!(error(aborted.as_bytes()), "1:1 every automaton of this text ends in `--ABORT--`");
    // One bad automaton does not hide the next.
    let text = format!("{}\n{one}", with("1 Fin(0)", "State: 0 [t] 0"));
    let all: Vec<bool> = Reader::new(text.as_bytes()).map(|a| a.is_ok()).collect();
    assert_eq!(all, [false, true]);
}

#[test]
fn every_condition_without_fin_is_a_generalised_buchi_condition() {
    let marks = |acceptance: &str, sig: &str| {
        let a = read(&with(acceptance, &format!("State: 0 [t] 0 {sig} [0] 0")));
        (a.tgba.sets, a.tgba.edges(0)[0].marks.to_string())
    };
    assert_eq!(marks("0 t", ""), (0, "{}".into()));
    assert_eq!(marks("0 f", ""), (1, "{}".into()));
    assert_eq!(marks("1 t", "{0}"), (0, "{}".into()));
    assert_eq!(marks("2 Inf(1)&Inf(0)", "{1}"), (2, "{1}".into()));
    assert_eq!(marks("4 Inf(3)&(Inf(1)&Inf(3))", "{0 3}"), (2, "{1}".into()));
    assert_eq!(marks("3 (Inf(0)|Inf(1))&Inf(2)", "{1}"), (2, "{0}".into()));
    assert_eq!(marks("3 Inf(0)&Inf(1)|Inf(2)", "{2}"), (2, "{0 1}".into()));
    assert_eq!(marks("3 Inf(0)|Inf(1)&t|f", "{1}"), (1, "{0}".into()));
    assert_eq!(marks("2 Inf(!0)&Inf(1)", ""), (2, "{0}".into()));
    assert_eq!(marks("2 Inf(!0)&Inf(1)", "{0 1}"), (2, "{1}".into()));
    assert_eq!(marks("1 Inf(0)|Inf(!0)", "{0}"), (0, "{}".into()));
    assert_eq!(marks("10000 Inf(7)&Inf(9999)", "{9999 3}"), (2, "{1}".into()));
}

#[test]
fn acceptance_on_states_is_noticed() {
    let state_marks = |text: &str| read(text).tgba.state_marks;
    let m = |i| Marks::one(i);
    let two = "State: 0 {0} [t] 0 [t] 1 State: 1";
    assert_eq!(state_marks(&with("1 Inf(0)", two)), Some(vec![m(0), Marks::NONE]));
    let two = "State: 1 {1} State: 0 [t] 0 {0} [0] 1 {0}";
    assert_eq!(state_marks(&with("2 Inf(0)&Inf(1)", two)), Some(vec![m(0), m(1)]));
    assert_eq!(state_marks(&with("1 Inf(0)", "State: 0 [t] 0 {0} [0] 0")), None);
}

#[test]
fn a_kripke_structure_has_labels_on_states() {
    let a = read(&with("0 t", "State: [0&!1] 0 1 State: [f] 1 0 1"));
    let labels = a.state_labels.as_ref().expect("labels on states");
    assert_eq!((letters(&a, labels[0]), labels[1]), (0b0010, Label::FALSE));
    assert_eq!(a.tgba.edges(0)[0].label, labels[0]);
    assert!(a.tgba.edges(1).is_empty());
    assert!(to_string(&a).contains("State: [0&!1] 0\n1\nState: [f] 1\n--END--"));
}

#[test]
fn bad_texts_get_errors_with_places() {
    let e = |acceptance: &str, body: &str| error(with(acceptance, body).as_bytes());
    assert_eq!(error(b""), "1:1 there is no automaton in this text");
    assert_eq!(error(b" /* only a comment */\n"), "1:1 there is no automaton in this text");
    assert_eq!(error(b"\x00\x01\xff"), "1:1 unexpected byte 0x00");
    assert_eq!(error("HOA: v1\n…".as_bytes()), "2:1 unexpected character `…`");
    assert_eq!(error(b"hello"), "1:1 expected `HOA:`, found `hello`");
    assert_eq!(error(b"HOA: v7"), "1:6 unknown version `v7` of HOA");
    assert_eq!(error(b"HOA: v1\nStates: 2 States: 3"), "2:11 `States:` occurs twice in this header");
    assert_eq!(error(b"HOA: v1 Weird: 2"), "1:9 unknown header item `Weird:`");
    assert_eq!(error(b"HOA: v1 AP: 2 \"a\""), "1:13 `AP:` announces 2 propositions and lists 1");
    assert_eq!(error(b"HOA: v1 AP: 2 \"a\" \"a\""), "1:19 the proposition \"a\" is listed twice");
    assert_eq!(error(b"HOA: v1 AP: 1 \"\xff\""), "1:15 the name of this proposition is not UTF-8");
    assert_eq!(error(b"HOA: v1 Start: 0&1"), "1:17 alternating automata are not supported");
    assert_eq!(error(b"HOA: v1 name: \"x"), "1:15 this string does not end");
    assert_eq!(error(b"HOA: v1 /* /* */"), "1:9 this comment does not end");
    assert_eq!(error(b"HOA: v1 --BODY--"), "1:1 this header has no `Acceptance:`");
    assert_eq!(
        error(b"HOA: v1 Alias: @x 3 Acceptance: 0 t --BODY--"),
        "1:19 there is no atomic proposition 3"
    );
    assert_eq!(e("1 Fin(0)", ""), "4:15 this acceptance condition is not a (generalised) Büchi condition");
    assert_eq!(e("1 Inf(1)", ""), "4:19 there is no acceptance set 1");
    assert_eq!(e("0 t", "State: 0 [t 0"), "6:13 expected `]`, `&` or `|`, found `0`");
    assert_eq!(e("0 t", "State: 0 [2] 0"), "6:11 there is no atomic proposition 2");
    assert_eq!(e("0 t", "State: 0 [@x] 0"), "6:11 the alias `@x` is not defined");
    assert_eq!(e("0 t", "State: 0 [t] 0&0"), "6:15 alternating automata are not supported");
    assert_eq!(e("0 t", "State: 0 [t] 0 {0}"), "6:17 there is no acceptance set 0");
    assert_eq!(
        e("0 t", "State: 0 [t] 0 0"),
        "6:16 some edges of this state have a label, and some have none"
    );
    assert_eq!(e("0 t", "State: 0 0"), "6:8 this state has 1 edges without labels, which must be 4");
    assert_eq!(e("0 t", "State: [t] 0 [t] 0"), "6:14 a label on an edge of a state that has a label");
    assert_eq!(e("0 t", "State: 0 State: 0"), "6:17 state 0 is defined twice");
    assert_eq!(e("0 t", "State: 0 [t] 1"), "7:1 state 1 is used and not defined");
    assert_eq!(e("0 t", "State: 2000000000"), "6:8 a text of this size cannot define 2000000000 states");
    assert_eq!(e("0 t", "State: 99999999999"), "6:8 number too large");
    assert_eq!(e("0 t", "State: 00"), "6:8 a number may not begin with a useless 0");
    assert_eq!(
        error(b"HOA: v1 States: 2000000000 Acceptance: 0 t --BODY-- --END--"),
        "1:17 a text of this size cannot define 2000000000 states"
    );
    assert_eq!(error(b"HOA: v1 States: 1 Acceptance: 0 t --BODY-- State: 1"), "1:51 there is no state 1");
    let whole = with("1 Inf(0)", "State: 0 [0] 0 {0}");
    for cut in 1..whole.len() - 2 {
        assert!(Reader::new(&whole.as_bytes()[..cut]).all(|a| a.is_err()), "cut at {cut}");
    }
}

#[test]
fn hostile_texts_end_in_errors() {
    let parens = "(".repeat(10_000_000);
    error(parens.as_bytes());
    assert!(error(with("0 t", &format!("State: 0 [{parens}")).as_bytes()).contains("expected a label"));
    assert!(error(with(&format!("1 {parens}"), "").as_bytes()).contains("expected an acceptance condition"));
    error(format!("{}{}", "/*".repeat(1_000_000), "*/".repeat(10)).as_bytes());
    let deep = format!("State: 0 [{}0{}] 0", "!(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(letters(&read(&with("0 t", &deep)), read(&with("0 t", &deep)).tgba.edges(0)[0].label), 0b1010);
    let sets: Vec<String> = (0..10_000).map(|i| format!("Inf({i})")).collect();
    let many = error(with(&format!("10000 {}", sets.join("&")), "").as_bytes());
    assert_eq!(many, "4:19 the acceptance condition needs too many acceptance sets");
    // A short label with an exponential diagram: (0 & 40) | (1 & 41) | …
    let aps: String = (0..80).map(|i| format!(" \"p{i}\"")).collect();
    let label: Vec<String> = (0..40).map(|i| format!("{i}&{}", i + 40)).collect();
    let label = label.join("|");
    let text = format!("HOA: v1 AP: 80{aps} Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--");
    assert!(error(text.as_bytes()).contains("this label is too complicated"));
}

#[test]
fn a_million_propositions() {
    let n = 1_000_000;
    let aps: String = (0..n).map(|i| format!(" \"{i}\"")).collect();
    let all: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    let (and, or) = (all.join("&"), all.join("|"));
    let text = format!(
        "HOA: v1 Start: 0 AP: {n}{aps} Acceptance: 0 t --BODY-- State: 0 [{and}] 0 [{or}] 0 [!({or})] 0 --END--"
    );
    let a = read(&text);
    let edges = a.tgba.edges(0);
    assert_eq!(edges.len(), 3);
    let all_true = |_| true;
    assert!(a.tgba.labels.eval(edges[0].label, all_true) && !a.tgba.labels.eval(edges[2].label, all_true));
    let none = text.replace(&format!("[{and}] 0"), "0");
    assert!(error(none.as_bytes()).contains("some edges of this state"));
}

/// Moves the labels of `b` into the diagrams of `a`, so that equal functions are equal numbers.
fn import(a: &mut Tgba, b: &Tgba, l: Label, known: &mut HashMap<Label, Label>) -> Label {
    let Some((var, lo, hi)) = b.labels.node(l) else { return l };
    if let Some(&k) = known.get(&l) {
        return k;
    }
    let (lo, hi) = (import(a, b, lo, known), import(a, b, hi, known));
    let moved = a.labels.make(var, lo, hi);
    known.insert(l, moved);
    moved
}

fn assert_same(a: &Automaton, b: &Automaton) {
    let mut t = a.tgba.clone();
    let mut known = HashMap::new();
    assert_eq!((&t.aps, t.sets, &t.initial), (&b.tgba.aps, b.tgba.sets, &b.tgba.initial));
    assert_eq!(t.states(), b.tgba.states());
    assert_eq!((&a.name, &a.state_names), (&b.name, &b.state_names));
    for s in 0..t.states() as u32 {
        let theirs: Vec<Edge> = b
            .tgba
            .edges(s)
            .iter()
            .map(|e| Edge { label: import(&mut t, &b.tgba, e.label, &mut known), ..*e })
            .collect();
        assert_eq!(t.edges(s), theirs);
    }
    if let Some(labels) = &a.state_labels {
        let theirs = b.state_labels.as_ref().expect("state labels");
        let theirs: Vec<Label> = theirs.iter().map(|&l| import(&mut t, &b.tgba, l, &mut known)).collect();
        assert_eq!(labels, &theirs);
    }
    if t.state_marks.is_some() {
        assert_eq!(t.state_marks, b.tgba.state_marks);
    }
}

/// A random automaton; labels are functions of three propositions, given by their truth tables.
fn automaton() -> impl Strategy<Value = Automaton> {
    let edge = (any::<u8>(), any::<u64>(), any::<u8>());
    let states = prop::collection::vec((prop::collection::vec(edge, 0..4), any::<u64>(), any::<u8>()), 0..6);
    (states, 0u32..=3, any::<bool>(), any::<bool>(), prop::option::of(".*")).prop_map(
        |(states, sets, by_state, kripke, name)| {
            let mut t = Tgba::default();
            t.aps = vec!["p".into(), "\"".into(), "β\\".into()];
            t.sets = sets;
            let n = states.len();
            let mut labels = Vec::new();
            let mut edges = Vec::new();
            for (s, (out, marks, table)) in states.iter().enumerate() {
                let state_label = function(&mut t, *table);
                labels.push(state_label);
                for &(to, own, table) in out {
                    let label = if kripke { state_label } else { function(&mut t, table) };
                    let marks = Marks(if by_state { *marks } else { own }) & Marks::first(sets);
                    if label != Label::FALSE {
                        edges.push((s as u32, Edge { to: u32::from(to) % n as u32, label, marks }));
                    }
                }
            }
            t.state_marks =
                by_state.then(|| states.iter().map(|(_, m, _)| Marks(*m) & Marks::first(sets)).collect());
            t.initial = (0..n.min(2) as u32).collect();
            t.set_edges(n, &edges);
            let mut state_names = vec![None; n];
            if let Some(last) = state_names.last_mut() {
                *last = name.clone();
            }
            if name.is_none() {
                state_names.clear();
            }
            Automaton {
                state_labels: (kripke && n > 0).then_some(labels),
                name,
                state_names,
                ..Automaton::from(t)
            }
        },
    )
}

/// The function of three propositions with this truth table.
fn function(t: &mut Tgba, table: u8) -> Label {
    let mut sum = Label::FALSE;
    for i in (0..8).filter(|i| table >> i & 1 == 1) {
        let mut cube = Label::TRUE;
        for v in 0..3 {
            let p = t.labels.var(v);
            let literal = if i >> v & 1 == 1 { p } else { t.labels.not(p) };
            cube = t.labels.and(cube, literal);
        }
        sum = t.labels.or(sum, cube);
    }
    sum
}

#[test]
fn labels_with_many_paths_are_written_by_aliases() {
    let aps: String = (0..20).map(|i| format!(" \"p{i}\"")).collect();
    // Parity of twenty propositions: 2^19 paths, 40 nodes.
    let mut xor = String::from("Alias: @x0 0 ");
    for i in 1..20 {
        xor += &format!("Alias: @x{i} @x{} & !{i} | !@x{} & {i} ", i - 1, i - 1);
    }
    let a = read(&format!(
        "HOA: v1 AP: 20{aps} {xor} Acceptance: 0 t --BODY-- State: 0 [@x19] 0 [!@x19] 0 --END--"
    ));
    let text = to_string(&a);
    assert!(text.len() < 5_000, "{}", text.len());
    assert_same(&a, &read(&text));
    assert_eq!(text, to_string(&read(&text)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read_back(a in automaton()) {
        let text = to_string(&a);
        let b = read(&text);
        assert_same(&a, &b);
        prop_assert!(b.warnings.is_empty());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(HOA: v1 )?[ -~\n]{0,60}(--BODY--)?[ -~\n]{0,60}(--END--)?") {
        for a in Reader::new(text.as_bytes()) {
            drop(a);
        }
    }
}
