//! What Promela means, one idea a test: small programs, how many states they have, what goes wrong in them.
//!
//! The numbers are those of Spin 6.5.2 without its optimisations (`spin -a -o1 -o2 -o3`, `pan -E -A`).
mod common;

use common::{both, explore, fine, model, refused, stuck, wrong};
use riata_program::{Asserts, Passes, Sees, optimise};

#[test]
fn a_process_steps_and_ends() {
    fine("active proctype A() { skip }", 3);
    fine("byte x; active proctype A() { x = 1; x = 2 }", 4);
    fine("byte x; active [2] proctype A() { x = 1 }", 7);
}

#[test]
fn steps_in_a_row_that_do_nothing() {
    // In an option of a selection only the first counts; in the body of a `for` all do.
    fine("byte k; active proctype A() { if :: skip; skip; skip; k = 1 fi }", 4);
    fine("active proctype A() { byte k; for (k : 0 .. 1) { skip; skip; skip } }", 14);
}

#[test]
fn control_is_lost_where_an_atomic_sequence_blocks() {
    fine(
        "byte v; active proctype A() { atomic { v = 7; (v == 8); v = 9; assert(v == 9) } }
         active proctype B() { (v == 7); v = 8; assert(v == 8 || v == 9) }",
        10,
    );
}

#[test]
fn after_a_rendezvous_control_is_with_the_receiver_if_anyone() {
    // Both sides are atomic: the receiver goes on.
    fine(
        "chan c = [0] of { bit }; byte n;
         active proctype S() { atomic { c!1; n = 1 } }
         active proctype R() { bit b; atomic { c?b; assert(n == 0); n = 2 } }",
        6,
    );
    // The sender alone is: a third process may come between.
    wrong(
        "chan c = [0] of { bit }; byte n, done;
         active proctype S() { atomic { c!1; assert(n == 0) } }
         active proctype R() { bit b; c?b }
         active proctype Z() { atomic { (done == 0) -> done = 1; n = 7 } }",
        12,
    );
}

#[test]
fn values_are_cut_where_they_are_stored_and_sent() {
    fine(
        "chan c = [1] of { byte }; active proctype P() { int v = 300; byte b; short s; c!v; c?b; assert(b == 44);
         s = 70001; assert(s == 4465); b = -2; assert(b == 254) }",
        9,
    );
    fine(
        "chan c = [1] of { byte }; active proctype P() { c!257; if :: c?257 -> assert(false) :: c?1 fi }",
        4,
    );
    fine("byte i = 255; active proctype P() { i++; assert(i == 0); i--; assert(i == 255) }", 6);
    fine("unsigned u : 3 = 9; active proctype P() { assert(u == 1); u = 15; assert(u == 7) }", 5);
}

#[test]
fn else_is_for_when_the_process_has_nothing_else() {
    fine(
        "chan c = [1] of { byte }; active proctype P() { byte x; if :: c?x -> assert(false) :: else fi; c!1;
         if :: c!2 -> assert(false) :: else fi }",
        5,
    );
    // A receive by rendezvous is the sender's step; a send is one's own if there is a receiver.
    fine(
        "chan c = [0] of { byte }; active proctype P() { if :: c!1 :: else fi }
         active proctype Q() { byte x; end: c?x }",
        4,
    );
}

#[test]
fn the_youngest_process_dies_first_and_pids_are_used_again() {
    both(
        "byte z; proctype C() { skip } proctype D() { (false) }
         init { pid a, b; a = run C(); b = run D(); (_nr_pr == 2); z = run C(); assert(z == a) }",
        14,
    );
    wrong("proctype T() { (false) } init { do :: run T() od }", 255);
}

#[test]
fn an_escape_goes_before_what_it_escapes_from() {
    fine(
        "byte x; active proctype P() { { x = 1; x = 2; x = 3; (false) } unless { (x == 2) -> x = 10 };
         assert(x == 10) }",
        7,
    );
    wrong(
        "byte x; active proctype P() { { atomic { x = 1; x = 2; x = 3 }; (false) } unless { (x == 2) -> x = 10 };
         assert(false) }",
        5,
    );
    // In a rendezvous, too.
    fine(
        "short g = 3; chan c = [0] of { short };
         active proctype A() { { end: do :: c?g od } unless { c?0 } } init { c!(g * 0) }",
        4,
    );
}

#[test]
fn timeout_is_when_nothing_else_can_move() {
    fine(
        "byte x; active proctype P() { if :: timeout -> x = 1 :: x == 5 fi }
         active proctype Q() { (x == 1); x = 2; (timeout); assert(x == 2) }",
        9,
    );
    fine(
        "byte x; active proctype P() { atomic { timeout -> x = 1; (x == 2) }; x = 3 }
         active proctype Q() { do :: x == 1 -> x = 2; break od }",
        10,
    );
}

#[test]
fn a_deterministic_step_is_one_and_must_not_block() {
    fine("byte x; active proctype P() { d_step { if :: x = 1 :: x = 2 fi }; assert(x == 1) }", 4);
    wrong(
        "byte x; active proctype P() { d_step { x = 1; (x == 2); x = 3 } } active proctype Q() { x = 2 }",
        3,
    );
    refused("active proctype P() { d_step { skip; goto L }; skip; L: skip }", "d_step");
    // One inside another changes nothing.
    fine(
        "byte x; active proctype P() { d_step { x = 1; d_step { x = 2; x = 3 }; x = 4 }; assert(x == 4) }",
        4,
    );
}

#[test]
fn a_deterministic_step_may_begin_with_a_receive() {
    fine(
        "chan c = [0] of { byte }; byte x;
         active proctype P() { byte y; d_step { c?y; x = y + 1; y = 0 }; assert(x == 4) }
         active proctype Q() { c!3 }",
        6,
    );
}

#[test]
fn run_time_errors_are_violations() {
    wrong("byte x; active proctype P() { x = 1 / x }", 1);
    wrong("byte a[3]; byte i = 3; active proctype P() { a[i] = 1 }", 1);
    wrong("chan g; active proctype P() { byte x; if :: len(g) > 0 :: else fi }", 1);
    wrong("chan c = [1] of { byte, byte }; active proctype P() { c!1 }", 1);
}

#[test]
fn messages_are_matched_sorted_and_polled() {
    fine(
        "chan c = [2] of { byte, byte }; byte me = 3;
         active proctype P() { byte v; c!3,7; c!4,8;
         if :: c?eval(me + 1),v -> assert(false) :: c??eval(me + 1),v -> assert(v == 8) fi }",
        6,
    );
    fine(
        "chan c = [3] of { byte, byte }; active proctype P() { byte a, b; c!!2,1; c!!1,9; c!!1,3;
         c?a,b; assert(a == 1 && b == 3); c?a,b; assert(a == 1 && b == 9) }",
        9,
    );
    // The place of a message is found before its values are cut, as in Spin.
    fine(
        "chan c = [2] of { byte }; active proctype P() { byte x; c!0; c!!(0 - 1); c?x; assert(x == 255) }",
        6,
    );
    // A message that does not fit is not stored in part.
    fine(
        "chan c = [1] of { byte, byte }; byte a;
         active proctype P() { c!5,6; if :: c?a,7 -> assert(false) :: a == 0 fi; assert(a == 0) }",
        5,
    );
    fine(
        "chan c = [2] of { byte }; active proctype P() { byte x; c!4; c?<x>; assert(x == 4 && len(c) == 1) }",
        5,
    );
    stuck("chan c = [1] of { byte }; active proctype P() { c!1; c!2 }", 2);
}

#[test]
fn channels_are_values_and_belong_to_processes() {
    fine(
        "chan g = [1] of { chan }; active proctype A() { chan l = [1] of { byte }; l!5; g!l }
         active proctype B() { chan r; byte v; g?r; r?v; assert(v == 5) }",
        8,
    );
    refused("chan c; active proctype P() { c!1 }", "never initialised");
}

#[test]
fn priorities_and_conditions_of_processes() {
    fine(
        "byte x; active proctype A() priority 5 { x = 1 } active proctype B() priority 1 { assert(x == 1) }",
        5,
    );
    stuck("byte n; active proctype A() provided (n == 0) { do :: n < 3 -> n++ od }", 3);
}

#[test]
fn declarations_initialise_where_they_are() {
    fine("byte g = 1; active proctype A() { g = 5; byte l = g; assert(l == 5) }", 5);
    fine("active proctype A() { byte i; for (i : 1 .. 2) { byte z; z++; assert(z == 1) } }", 14);
}

#[test]
fn loops_and_selections_are_written_out_as_spin_does() {
    fine("active proctype A() { byte i; byte a[3]; for (i in a) { a[i] = i }; assert(i == 3) }", 14);
    fine("active proctype A() { int s; select (s : 2 .. 4); assert(s >= 2 && s <= 4) }", 8);
    fine(
        "typedef M { byte v }; chan c = [2] of { M };
         active proctype A() { M m; m.v = 1; c!m; m.v = 2; c!m; for (m in c) { skip }; assert(len(c) == 2) }",
        19,
    );
}

#[test]
fn structures_are_laid_out_flat_and_indices_are_checked_each() {
    fine(
        "typedef I { byte b[2] }; typedef O { I i[3]; short s }; O o;
         active proctype A() { o.i[2].b[1] = 7; o.s = -1; assert(o.i[2].b[1] == 7 && o.i[1].b[1] == 0) }",
        5,
    );
    wrong(
        "typedef I { byte b[2] }; typedef O { I i[3] }; O o; byte k = 2;
         active proctype A() { o.i[0].b[k] = 7 }",
        1,
    );
}

#[test]
fn symbols_are_numbered_from_the_last() {
    fine("mtype = { a, b, c }; mtype = { d }; active proctype A() { assert(a == 3 && c == 1 && d == 4) }", 3);
}

#[test]
fn remote_references_speak_of_other_processes() {
    both(
        "active proctype A() { byte k = 3; L: k = 4 }
         active proctype B() { (A[0]@L && A[0]:k == 3); assert(false) }",
        9,
    );
}

#[test]
fn who_is_atomic_after_a_rendezvous_goes_on_alone() {
    // The receiver is: nobody sees what it does before it is done. Then the sender's rest is free for all.
    fine(
        "chan c = [0] of { byte }; byte busy, other;
         active proctype S() { atomic { c!4; assert(busy == 0); busy = 3 } }
         active proctype R() { byte v; atomic { c?v; busy = v; v = 0; busy = 0 }; other = 1 }
         active proctype W() { (other == 1); assert(busy != 4) }",
        14,
    );
    // The receiver is not: it and others may go before the sender.
    both(
        "chan c = [0] of { byte }; byte seen, mark;
         active proctype S() { atomic { c!1; assert(seen == 0); mark = 1 } }
         active proctype R() { byte v; c?v; mark = 2 }
         active proctype W() { (mark == 2); seen = 1 }",
        20,
    );
}

#[test]
fn a_sender_that_blocks_in_an_atomic_sequence_loses_control() {
    wrong(
        "chan c = [1] of { byte }; byte x; active proctype S() { atomic { c!5; x = 1; c!6; x = 2 }; assert(x == 2) }
         active proctype R() { byte y; c?y; x = x + 7; c?y; assert(y == 6) }",
        24,
    );
}

#[test]
fn a_jump_from_one_atomic_sequence_into_another_keeps_control() {
    fine(
        "byte x; active proctype A() { atomic { x = 3; goto there }; here: skip; x = 9;
         atomic { x = 4; there: assert(x == 3); x = 0 } } active proctype B() { x = 8 }",
        10,
    );
    // Out of it, it does not.
    wrong(
        "byte x; active proctype A() { atomic { x = 3; goto out }; x = 9; out: assert(x == 3) }
         active proctype B() { x = 8 }",
        15,
    );
}

#[test]
fn there_are_255_processes_at_most_and_pids_in_the_order_of_starting() {
    stuck(
        "byte started; proctype W() { (false) }
         init { do :: started < 254 -> run W(); started++ :: else -> break od; assert(_nr_pr == 255) }",
        765,
    );
    // Active ones come first, whatever stands first in the file.
    stuck(
        "byte who; proctype G() { who = _pid; (who == 200) } init { run G() }
         active proctype H() { assert(_pid == 1) }",
        9,
    );
    fine(
        "byte n; proctype W(byte a; short b) { n = a + b }
         init { byte p; p = run W(300, 2); assert(p == 1); (_nr_pr == 1); assert(n == 46) }",
        10,
    );
}

#[test]
fn a_rendezvous_cannot_be_polled_and_holds_nothing() {
    fine(
        "chan c = [0] of { byte }; active proctype A() { c!7 } active proctype B() { byte v;
         assert(len(c) == 0); if :: empty(c) fi; if :: nfull(c) fi; c?v; assert(v == 7) }",
        8,
    );
    wrong("chan c = [0] of { byte }; active proctype B() { if :: c?[7] -> skip :: else fi }", 1);
    wrong("chan c = [0] of { byte }; active proctype B() { if :: c??[7] -> skip :: else fi }", 1);
    wrong("chan c = [0] of { byte }; byte v; active proctype B() { c?<v> }", 1);
}

#[test]
fn an_expression_is_a_statement_that_waits_until_it_is_not_zero() {
    stuck(
        "byte x, y; active proctype A() { x + y; y = 5 } active proctype B() { x = 256 - 1; (x - 255); assert(false) }
         active proctype C() { (y == 5 && x > 0); !(x == 0) -> skip }",
        8,
    );
    fine(
        "active proctype A() { int a = (3 > 2 -> 10 : 20), b; b = (a == 20 -> 1 : (a == 10 -> 2 : 3)); assert(b == 2);
         assert((-7 >> 1) == -4 && (1 << 31) < 0 && ~5 == -6 && -7 / 2 == -3 && -7 % 2 == -1) }",
        5,
    );
    // A shift by more than 31 is an error here.
    wrong("byte n = 33; active proctype A() { assert((1 << n) == 2) }", 1);
}

#[test]
fn printing_changes_nothing_and_loops_leave_the_next_value() {
    fine(
        "byte i, k; active proctype A() { do :: i < 2 -> i = i + 1; printf(\"i is %d\\n\", i) :: break od;
         for (k : 3 .. 4) { i = k }; assert(k == 5 && (i == 4)) }",
        24,
    );
}

#[test]
fn what_is_asked_of_a_process_that_ended_is_zero() {
    stuck(
        "byte n; active proctype D() { byte k = 6; L: k = 7 }
         active proctype E() { n = D[0]:k; (n == 6); (_nr_pr == 1); skip }",
        7,
    );
}

#[test]
fn enabled_asks_whether_another_process_can_move() {
    both(
        "byte x; active proctype A() { (x == 1) }
         active proctype B() { if :: enabled(0) -> assert(false) :: else fi; x = 1; assert(enabled(0)); x = 2 }",
        11,
    );
}

#[test]
fn a_run_may_end_at_end_labels_only() {
    fine(
        "active proctype P() { end_here: do :: false od }
         active proctype Q() { chan own = [1] of { byte }; own!3; end: own!4 }",
        2,
    );
    stuck("active proctype P() { byte x; waits: do :: (x == 1) od } active proctype Q() { skip }", 3);
}

#[test]
fn channels_of_signed_values_keep_the_sign() {
    fine(
        "chan i = [1] of { int }; chan s = [1] of { short, bit };
         active proctype P() { int v; bit b; i!-70000; i?v; assert(v == -70000); s!70000,3; s?v,b;
         assert(v == 4464 && b == 1) }",
        8,
    );
}

#[test]
fn what_is_not_executed_is_named() {
    refused("active proctype A() { c_code { x = 1; } }", "c_code");
    refused("active proctype A() { byte x; y = 1 }", "`y` is not declared");
    refused("active proctype A() { goto L }", "no label `L`");
    refused("chan c = [1] of { byte }; active proctype A() { c!1,2 }", "has 1 values");
    refused("proctype P(byte a) { skip } init { run P() }", "1 parameters");
    refused("active proctype P() { atomic { L: skip; goto L } }", "label `L`");
    // Found by fuzzing: names that are there twice, and what comes after them.
    refused("active proctype P() { skip } active proctype P() { skip }", "`P` is declared twice");
    refused("init { skip } init { run Q() } proctype Q() { skip }", "twice");
    refused(
        "proctype P(byte x) { skip } proctype P() { L: skip } init { run P(); (P@L) }",
        "`P` is declared twice",
    );
}

#[test]
fn what_nobody_reads_is_forgotten() {
    let sizes = |text: &str| {
        let lowered = model(text);
        let space = explore(&lowered.program, Asserts::Count);
        let small = explore(&optimise(&lowered.program, Passes::ALL, Sees::default()), Asserts::Count);
        assert_eq!((space.wrong, space.stuck), (small.wrong, small.stuck), "{text}");
        (space.states, small.states)
    };
    assert_eq!(sizes("byte n; active proctype P() { do :: n++ od }"), (256, 1));
    assert_eq!(sizes("byte a[3]; active [2] proctype P() { do :: a[_pid]++ od }"), (65536, 1));
    // Indices still matter, and so do divisors.
    let (_, small) = sizes("byte a[3], i; active proctype P() { do :: a[i]++; i++ od }");
    assert!(small > 3, "{small}");
    sizes("byte n, i = 3; active proctype P() { do :: n = 1 / i; i-- od }");
    // It is read.
    assert_eq!(sizes("byte n, m; active proctype P() { do :: n++; m = n od }").1, 512);
    assert_eq!(sizes("byte n; active proctype P() { do :: n++; assert(n < 255) od }").1, 512);
}

#[test]
fn a_block_is_looked_at_statement_by_statement() {
    // `i` is written before it is read in the block, and not read after it.
    let text = "byte n, r; active proctype P() { byte i; do
                :: d_step { i = n; n = (i + 1) % 8; r = r ^ (i & 1) } :: r = 0; i = 1 od }";
    let lowered = model(text);
    let small = explore(
        &optimise(&lowered.program, Passes { merge: false, ..Passes::ALL }, Sees::default()),
        Asserts::Count,
    );
    let large = explore(&lowered.program, Asserts::Count);
    assert!(small.states < large.states, "{small:?} {large:?}");
}

#[test]
fn only_a_one_is_a_skip() {
    let states = |guard: &str, then: &str| {
        let text = format!(
            "byte g; active proctype B() {{ short b = 3; if :: {guard} -> {then}; b = b; fi; g = 1 }}"
        );
        explore(&model(&text).program, Asserts::Count).states
    };
    for (guard, then, expected) in [
        ("1", "skip", 5),
        ("true", "(1)", 5),
        ("skip", "2", 6),
        ("2", "skip", 6),
        ("1 == 1", "1", 6),
        ("1", "1 == 1", 6),
    ] {
        assert_eq!(states(guard, then), expected, "{guard} -> {then}");
    }
}
