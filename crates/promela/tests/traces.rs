//! `trace` and `notrace`: what is sent and received.

use riata_explore::bfs::bfs;
use riata_program::{Asserts, Condensed, Interpreter, Options};
use riata_promela::lower::{Property, lower};
use riata_store::Exact;
use riata_system::{Limits, Run};
use std::ops::ControlFlow;

/// Is the assertion about messages violated?
fn watched(text: &str) -> bool {
    let parsed =
        riata_promela::parse("m.pml", text.as_bytes(), &Default::default(), &mut riata_promela::NoFiles);
    assert!(!parsed.failed(), "{:?}", parsed.diagnostics);
    let lowered = lower(&parsed).unwrap_or_else(|d| panic!("{d:?}"));
    let watch = lowered.properties.iter().find_map(|p| match p {
        Property::Trace(_, watch) => Some(watch.clone()),
        _ => None,
    });
    let program = lowered.program.monitored(&watch.expect("a trace"));
    let interpreter = Interpreter::new(&program, Options { asserts: Asserts::Ignore }).unwrap();
    let mut unexpected = false;
    let mut store = Exact::new(usize::MAX);
    bfs(&Condensed::new(&interpreter), &mut store, &mut Run::new(Limits::default()), |_, s, _| {
        unexpected |= interpreter.is_unexpected(s);
        ControlFlow::Continue(())
    });
    unexpected
}

#[test]
fn every_watched_event_must_fit() {
    let model = |trace: &str| {
        format!(
            "chan q = [2] of {{ byte, byte }}; chan r = [0] of {{ byte }};
             active proctype A() {{ byte x; q!1,7; q!2,8; r!3 }}
             active proctype B() {{ byte x, y; q?x,y; q?x,y; r?x }}
             trace {{ {trace} }}"
        )
    };
    // The channels that do not occur, and the receives of those that are only sent to, do not matter.
    assert!(!watched(&model("q!1,_; q!_,8")));
    assert!(watched(&model("q!1,_; q!_,9")));
    assert!(!watched(&model("q?1,7; q?2,8")));
    assert!(watched(&model("do :: q!_,_ ; q?_,_ od")));
    assert!(!watched(&model("q!1,7; if :: q!2,8; q?1,7 :: q?1,7; q!2,8 fi; q?2,8")));
    // A rendezvous is a send and then a receive.
    assert!(!watched(&model("r!3; r?3")));
    assert!(watched(&model("r?3; r!3")));
    // A run may end early.
    assert!(!watched(&model("q!1,_; q!2,_; q!3,_")));
}

#[test]
fn what_must_not_be_counts_from_the_first_event() {
    let model = |events: &str, trace: &str| {
        format!("chan q = [3] of {{ byte }}; active proctype A() {{ {events} }} notrace {{ {trace} }}")
    };
    assert!(watched(&model("q!1; q!2", "q!1; q!2")));
    assert!(watched(&model("q!1; q!2; q!3", "q!1; q!2")));
    assert!(!watched(&model("q!3; q!1; q!2", "q!1; q!2")), "only the first try counts");
    assert!(!watched(&model("q!1", "q!1; q!2")));
    assert!(watched(&model("if :: q!1 :: q!2 fi; q!2", "q!1; q!2")));
}

#[test]
fn traces_of_anything_else_are_refused() {
    let wrong = |trace: &str| {
        let text =
            format!("chan q = [1] of {{ byte }}; byte n; active proctype A() {{ q!1 }} trace {{ {trace} }}");
        let parsed =
            riata_promela::parse("m.pml", text.as_bytes(), &Default::default(), &mut riata_promela::NoFiles);
        assert!(!parsed.failed());
        lower(&parsed).err().map(|d| d[0].message.clone()).unwrap_or_default()
    };
    assert_eq!(wrong("n == 1; q!1"), "a trace consists of sends and receives");
    assert_eq!(wrong("q!n"), "a trace has simple sends and receives of constants and `_`");
    assert_eq!(wrong("q??1"), "a trace has simple sends and receives of constants and `_`");
    assert_eq!(wrong("byte x; q!1"), "variables in traces are not possible");
}
