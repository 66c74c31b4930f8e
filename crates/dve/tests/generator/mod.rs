//! Random models.

use proptest::prelude::*;

/// Expressions of a process, from leaves up. `x`, `y` are shared, `l` is local, `a` has three elements.
pub fn expression() -> impl Strategy<Value = String> {
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

/// Models of two or three processes.
pub fn model() -> impl Strategy<Value = String> {
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
