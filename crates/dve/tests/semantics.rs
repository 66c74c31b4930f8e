//! What models mean: small ones, with state spaces that can be counted by hand.

use riata_dve::Model;
use riata_program::Fault;
use riata_program::{Claimed, Interpreter, Options};
use riata_system::System;
use std::collections::HashMap;

/// States, transitions, deadlocks, whether the fault state is reached, whether an assertion is violated.
#[derive(Debug, PartialEq, Eq, Default)]
struct Space {
    states: usize,
    transitions: usize,
    deadlocks: usize,
    fault: bool,
    violated: bool,
}

fn explore<S: System>(it: &Interpreter, system: &S) -> Space {
    let mut s = vec![0; it.words()];
    assert!(system.initial(&mut Default::default(), &mut s));
    s.truncate(it.len(&s));
    let mut ids = HashMap::from([(s.clone(), 0)]);
    let mut todo = vec![s];
    let mut space = Space::default();
    while let Some(s) = todo.pop() {
        space.fault |= it.is_fault(&s);
        space.violated |= it.violated(&s).is_some();
        let mut t = vec![0; it.words()];
        space.deadlocks += usize::from(it.is_stuck(&s, &mut t));
        let mut at = Default::default();
        while system.next(&s, &mut at, &mut t).is_some() {
            space.transitions += 1;
            let n = ids.len();
            let t = t[..it.len(&t)].to_vec();
            ids.entry(t.clone()).or_insert_with(|| {
                todo.push(t);
                n
            });
        }
    }
    space.states = ids.len();
    space
}

fn read(text: &str) -> Model {
    riata_dve::parse(text).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// Without the property process.
fn plain(text: &str) -> Space {
    let model = read(text);
    let it = Interpreter::new(model.program(), Options::default()).unwrap();
    explore(&it, &it)
}

/// With the property process, if there is one.
fn claimed(text: &str, stutters: bool) -> Space {
    let model = read(text);
    let Some(claim) = &model.claim else { return plain(text) };
    let program = model.program().clone().claimed(claim);
    let it = Interpreter::new(&program, Options::default()).unwrap();
    explore(&it, &Claimed { interpreter: &it, claim: program.claim.unwrap(), stutters, justice: None })
}

fn space(text: &str) -> Space {
    claimed(text, true)
}

fn counts(text: &str) -> (usize, usize, usize) {
    let s = space(text);
    (s.states, s.transitions, s.deadlocks)
}

#[test]
fn two_counters_interleave() {
    let p = |n| {
        format!(
            "process P{n} {{ byte x; state s; init s; trans s -> s {{ guard x < 3; effect x = x + 1; }}; }}"
        )
    };
    assert_eq!(counts(&format!("{}{} system async;", p(0), p(1))), (16, 24, 1));
}

#[test]
fn lockstep_moves_all() {
    // Both count together; when one cannot move, none can.
    let p = |n, k| {
        format!(
            "process P{n} {{ byte x; state s; init s; trans s -> s {{ guard x < {k}; effect x = x + 1; }}; }}"
        )
    };
    assert_eq!(counts(&format!("{}{} system sync;", p(0, 3), p(1, 5))), (4, 3, 1));
}

#[test]
fn lockstep_reads_the_old_state() {
    // A swap without a temporary.
    let text = "byte a = 1, b = 2;
        process P { state s, t; init s; trans s -> t { effect a = b; }; }
        process Q { state s, t; init s; assert t: a == 2 and b == 1; trans s -> t { effect b = a; }; }
        system sync;";
    let s = space(text);
    assert_eq!((s.states, s.transitions, s.violated), (2, 1, false));
}

#[test]
fn lockstep_conflict_is_a_fault() {
    let text = "byte a;
        process P { state s; init s; trans s -> s { effect a = 1; }; }
        process Q { state s; init s; trans s -> s { effect a = 1; }; }
        system sync;";
    assert!(space(text).fault);
}

#[test]
fn rendezvous_passes_values_in_order() {
    // The message is taken from the old state, stored, then the receiver's effect runs, then the sender's.
    let text = "byte g = 1; channel c;
        process P { byte mine = 5; state s, t; init s; trans s -> t { sync c!mine; effect mine = 0, g = g * 10; }; }
        process Q { byte got; state s, t; init s; assert t: got == 5 and g == 20;
            trans s -> t { sync c?got; effect g = g + 1; }; }
        system async;";
    let s = space(text);
    assert_eq!((s.states, s.transitions, s.violated), (2, 1, false));
}

#[test]
fn rendezvous_needs_two_processes() {
    let text = "channel c; process P { state s, t; init s; trans s -> t { sync c!; }, s -> t { sync c?; }; } system async;";
    assert_eq!(counts(text), (1, 0, 1));
}

#[test]
fn several_values_in_a_message() {
    let text = "channel {byte, int} c[0];
        process P { state s, t; init s; trans s -> t { sync c!{300, 0 - 7}; }; }
        process Q { byte a; int b; state s, t; init s; assert t: a == 44 and b == 0 - 7;
            trans s -> t { sync c?{a, b}; }; }
        system async;";
    assert!(!space(text).violated);
}

#[test]
fn buffers_are_queues() {
    let text = "channel {byte} c[2];
        process P { byte n; state s; init s; trans s -> s { guard n < 4; sync c!n; effect n = n + 1; }; }
        process Q { byte last, n; state s; init s; assert s: last == 0 or last == n - 1;
            trans s -> s { sync c?last; effect n = n + 1; }; }
        system async;";
    let s = space(text);
    // (sent, received) with 0 <= sent - received <= 2.
    assert_eq!((s.states, s.transitions, s.deadlocks, s.violated), (12, 4 + 4 + 3 + 3, 1, false));
}

#[test]
fn committed_states_go_first() {
    let text = "process P { state s, c, t; init s; commit c; trans s -> c {}, c -> t {}; }
        process Q { state s, t; init s; trans s -> t {}; }
        system async;";
    // (s,s) (c,s) (t,s) (t,t) (s,t) (c,t): from (c,s) only P moves.
    assert_eq!(counts(text), (6, 6, 1));
}

#[test]
fn committed_rendezvous_needs_both_committed() {
    let text = |commit| {
        format!(
            "channel c;
            process P {{ state s, t; init s; commit s; trans s -> t {{ sync c!; }}; }}
            process Q {{ state s, t; init s; {commit} trans s -> t {{ sync c?; }}; }}
            system async;"
        )
    };
    assert_eq!(counts(&text("")), (1, 0, 1));
    assert_eq!(counts(&text("commit s;")), (2, 1, 1));
}

const WATCHED: &str = "byte x;
    process P { state s; init s; trans s -> s { guard x < 2; effect x = x + 1; }; }
    process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard x == 1; }, r -> r {}; }
    system async property L;";

#[test]
fn property_moves_along() {
    // Guards read the old state: r is entered with x = 2. At the end the property moves alone.
    let s = space(WATCHED);
    assert_eq!((s.states, s.transitions), (4, 5));
    let s = claimed(WATCHED, false);
    assert_eq!((s.states, s.transitions, s.deadlocks), (4, 3, 2));
    let s = plain(WATCHED);
    assert_eq!((s.states, s.transitions, s.deadlocks), (3, 2, 1));
}

#[test]
fn effects_of_the_property_come_after_the_step() {
    // The claim looks at x before the step, and counts what x is after it.
    let text = "byte x, sum;
        process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; }
        process L { byte n; state q; init q; trans q -> q { guard x < 3; effect n = n + 1, sum = sum + x; }; }
        system async property L;";
    let s = claimed(text, false);
    assert_eq!((s.states, s.transitions), (4, 3));
    let seen = text.replace("guard x < 3; effect x", "guard x < 3 and L->n == x; effect x");
    let s = claimed(&seen, false);
    assert_eq!((s.states, s.transitions), (4, 3));
    let wrong = text
        .replace("process L", "process A { state s; init s; assert s: sum == x * (x + 1) / 2; } process L");
    assert!(!claimed(&wrong, false).violated);
}

fn fault(text: &str) -> Option<(String, Fault)> {
    let model = read(text);
    let it = Interpreter::new(model.program(), Options::default()).unwrap();
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let failure = it.steps(&s).into_iter().find_map(|taken| taken.failure)?;
    assert!(explore(&it, &it).fault);
    Some((text[failure.span.start..failure.span.end].to_string(), failure.fault))
}

#[test]
fn faults_are_events_with_a_place() {
    let p = |body: &str| {
        format!(
            "byte x, a[3]; int i = 0 - 1; process P {{ state s; init s; trans s -> s {{ {body} }}; }} system async;"
        )
    };
    assert_eq!(fault(&p("guard 1 / x == 0;")), Some(("1 / x".into(), Fault::DivisionByZero)));
    assert_eq!(
        fault(&p("guard a[i] == 0;")),
        Some(("a[i]".into(), Fault::IndexOutOfRange { index: -1, len: 3 }))
    );
    assert_eq!(fault(&p("effect x = 256;")), Some(("256".into(), Fault::ValueOutOfRange { value: 256 })));
    assert_eq!(fault(&p("effect x = i;")), Some(("i".into(), Fault::ValueOutOfRange { value: -1 })));
    assert_eq!(
        fault(&p("effect a[x + 3] = 0;")),
        Some(("x + 3".into(), Fault::IndexOutOfRange { index: 3, len: 3 }))
    );
    assert_eq!(
        fault(&p("effect i = 1 << (x + 32);")),
        Some(("1 << (x + 32)".into(), Fault::ShiftOutOfRange { count: 32 }))
    );
    assert_eq!(fault(&p("guard x != 0 and 1 / x == 1;")), None);
}

#[test]
fn precedence_is_divines() {
    let holds = |e: &str| {
        let text =
            format!("byte zero, one = 1; process P {{ state s; init s; assert s: {e}; }} system async;");
        !space(&text).violated
    };
    assert!(!holds("one == 1 or one == 1 and one == 0"));
    assert!(holds("one == 1 or (one == 1 and one == 0)"));
    assert!(holds("zero == 1 imply one == 0"));
    assert!(holds("1 + 2 * 3 == 7 and 10 - 3 - 2 == 5 and -one + 2 == 1"));
    assert!(holds("1 | 2 == 2"));
    assert!(holds("not zero and ~0 == 0 - 1"));
    assert!(holds("6 & 3 ^ 1 | 8 == 8"));
    assert!(holds("1 << 2 + 1 == 8 and 5 % 3 == 2 and 0 - 5 / 2 == 0 - 2"));
}

#[test]
fn names_reach_into_other_processes() {
    let text = "process P { byte x = 3, y[2] = {4, 5}; state s, t; init t; }
        process Q { state s; init s; assert s: P.t and not P.s and P->x == 3 and P->y[1] == 5; }
        system async;";
    assert!(!space(text).violated);
}

#[test]
fn propositions_are_expressions() {
    let mut model = riata_dve::parse(WATCHED).unwrap();
    // The guard of the property process is one, too.
    assert_eq!(model.proposition("P.s and x == 0"), Ok(1));
    assert_eq!(model.proposition("L.r or x > 0"), Ok(2));
    assert!(model.proposition("L.nowhere").is_err());
    assert!(model.proposition("x ==").is_err());
    assert!(model.proposition("x == 1 1").is_err());
    let it = Interpreter::new(model.program(), Options::default()).unwrap();
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    assert_eq!(it.valuation(&s).0, 0b010);
}

#[test]
fn long_and_deep_expressions() {
    let chain = "x + ".repeat(100_000) + "x == 0";
    let model = |e: &str| format!("byte x; process P {{ state s; init s; assert s: {e}; }} system async;");
    assert!(!space(&model(&chain)).violated);
    let deep = |n: usize| "(1 + ".repeat(n) + "x" + &")".repeat(n) + " > 0";
    assert!(!space(&model(&deep(200))).violated);
    assert!(riata_dve::parse(&model(&deep(100_000))).is_err());
}
