//! Corners of the language, one idea a test: what Spin 6.5.2 accepts, and what it makes of it.
//!
//! The numbers of states are those of `spin -a -o1 -o2 -o3`, `pan -E -A`, but a run-time error ends the run here.

mod common;

use common::{fine, model, refused, stuck, wrong};
use riata_ltl::{Dialect, print};
use riata_program::Location;
use riata_promela::lower::{Property, lower};
use riata_promela::{NoFiles, parse};

/// What is warned of when a model is read.
fn warnings(text: &str) -> Vec<String> {
    let parsed = parse("m.pml", text.as_bytes(), &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    parsed.diagnostics.iter().chain(&lowered.warnings).map(|d| d.message.clone()).collect()
}

#[track_caller]
fn warned(text: &str, of: &str) {
    let found = warnings(text);
    assert!(found.iter().any(|w| w.contains(of)), "{text}\n{found:?}");
}

/// Where the first step of an option leads, and what marks that has.
fn marked(body: &str, mark: fn(&Location) -> bool) -> Vec<bool> {
    let lowered = model(&format!("byte x, y; active proctype P() {{ {body} }}"));
    lowered.program.processes[0].locations.iter().map(mark).collect()
}

#[test]
fn a_label_at_the_beginning_of_an_option_counts_for_where_the_step_leads() {
    for body in [
        "do :: accept: x = 1 - x od",
        "do :: accept: { x = 1 - x } od",
        "do :: accept: d_step { x = 1 - x; y = x } od",
        "do :: accept: if :: x = 1 - x fi od",
        "do :: if :: accept: x = 1 - x :: y = 1 fi od",
    ] {
        assert!(marked(body, |l| l.accepting)[0], "{body}");
        warned(&format!("byte x, y; active proctype P() {{ {body} }}"), "label `accept`");
        let lowered = model(&format!("byte x, y; active proctype P() {{ {body} }}"));
        assert!(lowered.properties.iter().any(|p| matches!(p, Property::Acceptance)), "{body}");
    }
    // The state of the selection is not marked, but the one behind the step is.
    assert_eq!(marked("do :: accept: x = 1; y = 1 od", |l| l.accepting)[..2], [false, true]);
    assert_eq!(marked("do :: progress: x = 1; y = 1 :: y = 2 od", |l| l.progress)[..2], [false, true]);
    stuck("byte x; active proctype P() { do :: end: x == 1; x = 2 od }", 1);
    fine("byte x; active proctype P() { do :: end: x == 1 od }", 1);
    stuck("byte x; active proctype P() { do :: end: do :: x == 1 od od }", 1);
    // To others, nobody is ever at such a label.
    let text =
        "byte x; active proctype P() { do :: L: x = 1 - x; x = x od } active proctype Q() { assert(!P@L) }";
    fine(text, 12);
    warned(text, "ever at label `L`");
}

#[test]
fn else_may_stand_where_nothing_is_else() {
    fine("byte x; active proctype P() { if :: x == 0; else; x = 1 :: x == 2 fi }", 5);
    fine("byte x; active proctype P() { { x = 1; x = 2 } unless { else -> x = 10 }; assert(x == 10) }", 5);
    wrong("byte x; active proctype P() { x = 1; else; x = 2; assert(x == 1) }", 6);
    warned("byte x; active proctype P() { x = 1; else -> x = 2 }", "`else`");
}

#[test]
fn an_option_is_no_scope_but_braces_are() {
    fine(
        "byte x; active proctype P() { do :: x == 0 -> byte v; v = 3; x = 1 :: x == 1 -> assert(v == 3); break od }",
        8,
    );
    fine("active proctype P() { if :: byte x; x = 1 :: skip fi; x = 2 }", 6);
    refused("active proctype P() { if :: { byte x; x = 1 } :: skip fi; x = 2 }", "`x` is not declared");
    refused("active proctype P() { if :: byte x; x = 1 :: byte x; skip fi }", "declared twice");
}

#[test]
fn structures_are_passed_field_by_field_and_declared_in_a_step() {
    fine(
        "typedef F { short f = 3; byte g }; proctype me(F z; byte k) { assert(z.f == 5 && z.g == 7 && k == 9) }
         init { F foo; foo.f = 5; foo.g = 7; run me(foo, 9) }",
        7,
    );
    refused("typedef F { byte a[2] }; proctype me(F z) { skip } init { F f; run me(f) }", "array");
    refused("typedef F { byte a; byte b }; proctype me(F z) { skip } init { run me(1) }", "2 parameters");
    fine("typedef T { byte a; byte b }; active proctype P() { skip; T t; t.a = 1 }", 5);
    fine("typedef T { byte a; byte b }; active proctype P() { skip; T t[2]; t[1].a = 1 }", 5);
    // Its values are those from the start: they are not stored again.
    fine(
        "typedef T { byte a = 3 }; active proctype P() { byte i;
         do :: i < 2 -> T t; assert(t.a == 3 + i); t.a++; i++ :: else -> break od }",
        13,
    );
}

#[test]
fn initial_values_are_repeated_and_may_be_channels() {
    fine(
        "byte a[3] = { 1, 2 }; active proctype P() { byte b[4] = { 5 }; assert(a[2] == 2 && b[3] == 5) }",
        3,
    );
    fine(
        "chan K[2] = [1] of { byte }; chan F = K[1]; chan G[2] = F;
         active proctype P() { F!3; assert(len(K[1]) == 1 && full(G[0]) && empty(K[0])) }",
        4,
    );
    refused("active proctype P() { skip; byte a[2] = { 1, 2 }; skip }", "behind the first statement");
    refused("chan F = K; chan K = [1] of { bit }; active proctype P() { F!1 }", "`K` is not declared");
    fine("mtype:t v; mtype:t = { A, B }; active proctype P() { v = A; assert(v == A) }", 4);
}

#[test]
fn a_scalar_is_an_array_of_one() {
    fine("byte x; active proctype P() { x[0] = 1; assert(x[0] == 1 && x == 1) }", 4);
    refused("byte x; active proctype P() { x[1] = 1 }", "no array");
    refused("byte x, i; active proctype P() { x[i] = 1 }", "no array");
}

#[test]
fn run_is_an_operand() {
    wrong("byte x; proctype Q() { skip } active proctype P() { x = run Q() + 5; assert(x != 6) }", 8);
    fine("byte x; proctype Q() { skip } active proctype P() { x = run Q() + run Q(); assert(x == 3) }", 16);
    wrong("proctype Q() { skip } active proctype P() { assert(run Q() == 4) }", 5);
    refused("proctype Q() { skip } active proctype P() { if :: run Q() > 3 fi }", "`run`");
    refused("byte x; proctype Q() { skip } active proctype P() { x = (x -> run Q() : 1) }", "`run`");
}

#[test]
fn signs_are_read_as_spins_lexer_does() {
    wrong("byte x; active proctype P() { if :: x == 0 --> x = 1 :: x == 2 --> x = 3 fi; assert(x == 0) }", 5);
    fine("byte x = 5, y; active proctype P() { y !!= x; x-- -> assert(x == 4) }", 5);
}

#[test]
fn a_selection_is_written_out_for_plain_names_outside_of_inlines() {
    fine("active proctype P() { byte one_six; select (one_six : 1 .. 2) }", 7);
    fine("active proctype P() { byte x; select (x : 1 .. 2) }", 4);
    fine("byte x; inline sel() { select (x : 1 .. 2) } active proctype P() { sel() }", 8);
}

#[test]
fn channels_hold_more_than_255_messages() {
    fine(
        "chan c = [256] of { byte }; int i;
         active proctype P() { do :: i < 256 -> c!7; i++ :: else -> break od; assert(len(c) == 256) }",
        772,
    );
    refused("chan c = [65536] of { byte }; active proctype P() { c!1 }", "at most 65535");
}

#[test]
fn what_is_only_evaluated_can_be_wrong() {
    wrong("byte a[2], i = 7; active proctype P() { printf(\"%d\\n\", a[i]) }", 1);
    wrong("byte i; active proctype P() { printf(\"%d\\n\", 1 / i) }", 1);
    wrong("byte a[2], i = 7; active proctype P() { _ = a[i] }", 1);
    fine("byte a[2], i = 1; active proctype P() { printf(\"%d\\n\", a[i]); _ = a[i] }", 4);
    wrong("byte a[3], i = 5; active proctype P() provided (a[i] == 0) { skip }", 1);
    wrong(
        "byte a[3], i; active proctype P() provided (a[i] == 0) { i = 5; skip } active proctype Q() { skip }",
        6,
    );
}

#[test]
fn priorities_and_rendezvous_do_not_go_together() {
    let text = "active proctype P() priority 2 { c!1 } active proctype Q() { byte x; c?x }";
    refused(&format!("chan c = [0] of {{ byte }}; {text}"), "rendezvous");
    fine(&format!("chan c = [1] of {{ byte }}; {text}"), 5);
}

#[test]
fn a_temporal_operator_is_about_the_whole_comparison() {
    let formula = |text: &str| {
        let lowered = model(&format!("byte x; active proctype P() {{ x = 1 }} ltl p {{ {text} }}"));
        lowered.properties.into_iter().find_map(|p| match p {
            Property::Ltl(_, f) => Some(print(&f.ltl.arena, f.ltl.root, Dialect::Spin)),
            _ => None,
        })
    };
    for (loose, tight) in [
        ("[] x < 2", "[] (x < 2)"),
        ("<> x + 1 == 2", "<> (x + 1 == 2)"),
        ("[]<> x == 2 && <> x == 1", "([]<> (x == 2)) && (<> (x == 1))"),
        ("[] x < 2 U x == 2", "([] (x < 2)) U (x == 2)"),
        ("eventually x == 1", "<> (x == 1)"),
        ("! <> x == 1 || x == 0", "(! <> (x == 1)) || (x == 0)"),
    ] {
        assert_eq!(
            formula(loose).map(|f| f.replace(['(', ')'], "")),
            formula(tight).map(|f| f.replace(['(', ')'], "")),
            "{loose}"
        );
        let text = |f: &str| format!("byte x; active proctype P() {{ x = 1 }} ltl p {{ {f} }}");
        warned(&text(loose), "temporal operator");
        assert!(warnings(&text(tight)).is_empty(), "{tight}");
    }
}
