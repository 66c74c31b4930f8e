//! What models mean: small ones, with state spaces that can be counted by hand.

use riata_program::{Action, Ends, Fault, Interpreter, Options};
use riata_system::{Choice, System};
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

fn explore(it: &Interpreter) -> Space {
    let mut s = vec![0; it.words()];
    assert!(it.initial(&mut Default::default(), &mut s));
    let mut ids = HashMap::from([(s.clone(), 0)]);
    let mut todo = vec![s];
    let mut space = Space::default();
    while let Some(s) = todo.pop() {
        space.fault |= it.is_fault(&s);
        space.violated |= it.violated(&s).is_some();
        let mut t = vec![0; s.len()];
        space.deadlocks += usize::from(it.is_deadlock(&s, &mut t));
        let mut at = Default::default();
        while let Some(action) = it.next(&s, &mut at, &mut t) {
            space.transitions += 1;
            if !it.is_fault(&t) {
                let changed = it.changed_words(action);
                for (w, (a, b)) in s.iter().zip(&t).enumerate() {
                    assert!(a == b || changed & 1 << w != 0, "word {w} changed by {:?}", it.action(action));
                }
            }
            let n = ids.len();
            ids.entry(t.clone()).or_insert_with(|| {
                todo.push(t.clone());
                n
            });
        }
    }
    space.states = ids.len();
    space
}

fn space_with(text: &str, options: Options) -> Space {
    let model = riata_dve::parse(text).unwrap_or_else(|e| panic!("{e:#?}"));
    explore(&Interpreter::new(&model.program, options).unwrap())
}

fn space(text: &str) -> Space {
    space_with(text, Options { claim: true, ..Options::default() })
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
    let s = space_with(WATCHED, Options { claim: true, ends: Ends::Ignore });
    assert_eq!((s.states, s.transitions, s.deadlocks), (4, 3, 2));
    let s = space_with(WATCHED, Options::default());
    assert_eq!((s.states, s.transitions, s.deadlocks), (3, 2, 1));
}

#[test]
fn accepting_states_are_those_of_the_property() {
    let model = riata_dve::parse(WATCHED).unwrap();
    let it = Interpreter::new(&model.program, Options { claim: true, ..Options::default() }).unwrap();
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    assert!(!it.accepting(&s));
    let mut t = s.clone();
    it.next(&s, &mut Default::default(), &mut t);
    let mut at = Default::default();
    it.next(&t, &mut at, &mut s);
    assert!(!it.accepting(&s));
    it.next(&t, &mut at, &mut s);
    assert!(it.accepting(&s));
}

fn fault(text: &str) -> Option<(String, Fault)> {
    let model = riata_dve::parse(text).unwrap_or_else(|e| panic!("{e:#?}"));
    let it = Interpreter::new(&model.program, Options::default()).unwrap();
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut steps = (0..).map(Choice).map_while(|c| it.explain(&s, c));
    let (action, (fault, span)) = steps.find_map(|(a, failure)| Some((a, failure?)))?;
    assert!(matches!(it.action(action), Action::Alone(..) | Action::Rendezvous(..)));
    assert!(explore(&it).fault);
    Some((text[span.start..span.end].to_string(), fault))
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
    assert_eq!(model.proposition("P.s and x == 0"), Ok(0));
    assert_eq!(model.proposition("L.r or x > 0"), Ok(1));
    assert!(model.proposition("L.nowhere").is_err());
    assert!(model.proposition("x ==").is_err());
    assert!(model.proposition("x == 1 1").is_err());
    let it = Interpreter::new(&model.program, Options::default()).unwrap();
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    assert_eq!(it.valuation(&s).0, 1);
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

#[test]
fn a_claim_goes_on_after_a_fault() {
    // The run ends in a division by zero; in the fault state x is 0 and P is nowhere.
    let text = "byte x = 1;
        process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard x == 1; }, r -> r { guard not P.s; }; }
        process P { state s; init s; trans s -> s { effect x = x - 1, x = 1 / x; }; }
        system async property L;";
    let model = riata_dve::parse(text).unwrap();
    let run = |ends| {
        let it = Interpreter::new(&model.program, Options { claim: true, ends }).unwrap();
        let mut s = vec![0; it.words()];
        it.initial(&mut Default::default(), &mut s);
        let mut accepting_loop = false;
        let mut seen = vec![s];
        let mut i = 0;
        while let Some(s) = seen.get(i).cloned() {
            i += 1;
            let mut at = Default::default();
            let mut t = vec![0; s.len()];
            while it.next(&s, &mut at, &mut t).is_some() {
                assert!(it.is_fault(&t));
                accepting_loop |= t == s && it.accepting(&s);
                if !seen.contains(&t) {
                    seen.push(t.clone());
                }
            }
        }
        (seen.len(), accepting_loop)
    };
    assert_eq!(run(Ends::Stutter), (3, true));
    assert_eq!(run(Ends::Ignore), (3, false));
}

#[test]
fn independent_edges_commute() {
    // Edge 0 of each process is local, edge 1 writes g, edge 2 tests it, edge 3 asks where the other one is.
    let p = |me, other| {
        format!(
            "process {me} {{ byte x; state s, t; init s; trans s -> t {{ effect x = 1; }}, t -> s {{ effect g = 1; }},
             t -> t {{ guard g == 1; }}, s -> s {{ guard {other}.t; }}; }}"
        )
    };
    let text = format!("byte g; {} {} system async;", p("P", "Q"), p("Q", "P"));
    let model = riata_dve::parse(&text).unwrap();
    let deps = riata_program::Dependencies::new(&model.program);
    let row = |i, e| deps.row(riata_program::InstanceId(i), riata_program::EdgeId(e));
    assert!(deps.independent(row(0, 0), row(1, 0)));
    assert!(deps.independent(row(0, 0), row(1, 1)));
    assert!(!deps.independent(row(0, 1), row(1, 1)));
    assert!(!deps.independent(row(0, 1), row(1, 2)));
    assert!(deps.independent(row(0, 2), row(1, 2)));
    assert!(!deps.independent(row(0, 0), row(1, 3)));
    // Edges of one process are never independent: both test and write its location.
    assert!(!deps.independent(row(0, 0), row(0, 1)));
}
