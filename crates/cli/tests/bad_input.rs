//! Inputs that are too large for a file in the repository: the program says what is wrong, and lives.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `riata empty -` on `input`.
fn empty(input: &[u8], args: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_riata"))
        .args(["empty", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may end before it has read everything; that is its right.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn refused(input: &[u8], wanted: &str) {
    let output = empty(input, &[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(wanted) && said.len() < 5_000, "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn ten_megabytes_of_parentheses() {
    let parens = "(".repeat(10_000_000);
    refused(parens.as_bytes(), "<stdin>:1:1");
    let label = format!("HOA: v1\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0 [{parens}");
    refused(label.as_bytes(), "<stdin>:5:10000011");
    let acceptance = format!("HOA: v1\nAcceptance: 1 {parens}");
    refused(acceptance.as_bytes(), "<stdin>:2:10000015");
}

#[test]
fn ten_thousand_acceptance_sets() {
    let sets: Vec<String> = (0..10_000).map(|i| format!("Inf({i})")).collect();
    let text =
        format!("HOA: v1\nStart: 0\nAcceptance: 10000 {}\n--BODY--\nState: 0\n--END--\n", sets.join("&"));
    refused(text.as_bytes(), "64 acceptance sets");
    // Declared but not used is fine.
    let text = "HOA: v1\nStart: 0\nAcceptance: 10000 Inf(9999)\n--BODY--\nState: 0 [t] 0 {9999 3}\n--END--\n";
    assert_eq!(empty(text.as_bytes(), &[]).status.code(), Some(1));
}

#[test]
fn a_million_propositions() {
    let aps: String = (0..1_000_000).map(|i| format!(" \"p{i}\"")).collect();
    let text = format!(
        "HOA: v1\nStart: 0\nAP: 1000000{aps}\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 [999999&!0] 0 {{0}}\n--END--\n"
    );
    assert_eq!(empty(text.as_bytes(), &["-q"]).status.code(), Some(1));
    let implicit = text.replace("[999999&!0]", "");
    refused(implicit.as_bytes(), "2^1000000");
}

#[test]
fn billions_of_states() {
    refused(
        b"HOA: v1\nStates: 2000000000\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n--END--\n",
        "<stdin>:2:9",
    );
    refused(
        b"HOA: v1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 2000000000\n--END--\n",
        "<stdin>:5:14",
    );
}

#[test]
fn endless_errors() {
    refused("--END-- ".repeat(1_000_000).as_bytes(), "too many bad automata");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let automaton = "HOA: v1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0\n--END--\n";
    let mut child = Command::new(env!("CARGO_BIN_EXE_riata"))
        .args(["empty", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Nobody reads; more results than a pipe holds.
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(automaton.repeat(2_000).as_bytes()).expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn limits_end_inconclusively() {
    // A chain of 200,000 states without acceptance, so that everything must be seen.
    let n = 200_000;
    let mut text = format!("HOA: v1\nStates: {n}\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\n");
    for s in 0..n {
        text += &format!("State: {s} [t] {}\n", (s + 1) % n);
    }
    text += "--END--\n";
    for (args, why) in [(["--memory", "64KiB"], "memory limit"), (["--time", "0"], "time limit")] {
        let mut all = vec!["--algorithm", "ascc", "--store", "exact"];
        all.extend(args);
        let output = empty(text.as_bytes(), &all);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("inconclusive") && said.contains(why) && said.contains("states"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_riata"))
        .args(["empty", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // More than a pipe holds: once it is written, the program is reading, and so is listening for interrupts. It
    // waits for the end of its input, which does not come.
    stdin.write_all(" ".repeat(1 << 20).as_bytes()).expect("the program reads");
    let status = loop {
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
    };
    assert_eq!(status.code(), Some(3));
}
