//! Text that is read back, and text that is refused.

use super::read;
use crate::{Program, print, verify, verify::tests::sample};

/// What is told about a text, the first of it, and what the caret points at.
fn refused(text: &str) -> (String, String) {
    let wrong = read(text).expect_err("it is refused");
    let d = &wrong[0];
    assert!(d.span.start <= d.span.end && d.span.end <= text.len());
    (d.message.clone(), text[d.span.start..d.span.end].to_string())
}

fn again(program: &Program) -> Program {
    let text = print(program);
    let read = read(&text).unwrap_or_else(|wrong| panic!("{wrong:?} in\n{text}"));
    assert_eq!(print(&read), text);
    read
}

#[test]
fn the_sample_is_read_back() {
    let read = again(&sample());
    assert_eq!(verify(&read), []);
    // Once numbered in the order of the text, it stays.
    assert_eq!(again(&read), read);
}

#[test]
fn the_text_reads_well() {
    let text = "\
program youngest
symbols S0 { ack }
shared x: 0..255 wrap = 0
shared a[3]: 0..255 wrap = 0
shared q: 0..255 wrap = 0
shared \"last\": 0..255 wrap = 0
shared \"monitor\": 0..255 wrap = 0
shared \"claim\": 0..255 wrap = 0
channel q[2] { 0..255 as S0, 0..1 }
open q for q
process P priority 1 {
  local y: 0..255 wrap = 0
  local z: 0..255 wrap = 0
  open q for z
  initially y := x
  provided x
  location L0 initial
  location L1
    assert Q[1]@L0
  location L2
  edge L0 -> L1 rank 1 keeps when poll @q(= x, _)
  edge L0 -> L1 send @q((a[x] + Q[1]:n), 1)
  edge L0 -> L2 else
  edge L1 -> L2 receive @q(y, _) do run Q(x) priority 1 into z; print \"%d\"(y)
  edge L2 -> L0 block {
    node N0
      option when x -> N1
      option else -> out
    node N1
      option -> out
  }
  edge L2 -> L2 do a[x] := y; exit
}
process Q priority 1 {
  parameter n: 0..255 wrap = 0
  location L0 initial
}
process never priority 1 {
  location L0 initial
  location L1
  edge L0 -> L1 when Q[1]@L0
}
start P
start Q named one
last \"last\"
proposition \"at\" = Q[1]@L0
monitor \"monitor\" ends W1 {
  at W0
    send @q(= x, _) -> W1
  at W1
}
claim never at \"claim\"
";
    assert_eq!(print(&sample()), text);
}

#[test]
fn names_may_be_anything() {
    let mut p = sample();
    p.shared[0].name = "x \"y\"\\\n\u{1}ü".into();
    p.shared[1].name = "point.x".into();
    p.shared[3].name = "y".into();
    p.shared[4].name = "y".into();
    p.processes[0].name = "if".into();
    p.processes[1].name = "if".into();
    p.processes[0].locals[0].name = "y".into();
    p.processes[0].locals[1].name = "y".into();
    p.processes[0].locations[1].labels = vec!["a b".into(), "end".into()];
    p.processes[0].locations[2].number = i32::MIN;
    p.symbols[0].push(String::new());
    p.propositions[0].name = "x == 1".into();
    let read = again(&p);
    let names = |p: &Program| p.shared.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&p));
    assert_eq!((&read.symbols, &read.start), (&p.symbols, &p.start));
    assert_eq!(read.processes[0].locations[1].labels, p.processes[0].locations[1].labels);
    assert_eq!(read.propositions[0].name, "x == 1");
}

#[test]
fn what_is_refused_says_where() {
    for (text, message, caret) in [
        ("", "`program` is expected here, not the end of the text", ""),
        ("program", "`youngest` or `oldest` is expected here", ""),
        ("program oldest shared x 0", "`:` is expected here, not `0`", "0"),
        ("program oldest shared x: 0..1 wrap = 0 shared x: 0..1 wrap = 0", "`x` is declared already", "x"),
        ("program oldest shared x#1: 0..1 wrap = 0", "`x` is not yet declared", "x"),
        ("program oldest proposition p = x", "there is no variable called `x`", "x"),
        ("program oldest proposition p = (1 + 2 + 3)", "`)` is expected here, not `+`", "+"),
        ("program oldest proposition p = 4294967295", "this number is too large", "4294967295"),
        ("program oldest proposition p = 42949672950", "this number is too large", "42949672950"),
        ("program oldest proposition p = §", "has no meaning here", "§"),
        ("program oldest proposition p = \"x", "does not end", "\""),
        ("program oldest proposition \"\\u{110000}\" = 1", "this is no character", "\\u"),
        ("program oldest proposition \"\\ü\" = 1", "begins nothing known", "\\"),
        ("program oldest process P { location L1 }", "`L0` is expected here, not `L1`", "L1"),
        ("program oldest process P { }", "has no locations", "P"),
        ("program oldest process P { location L0 edge L0 -> L1 }", "a location of process `P`", "L0 -> L1"),
        ("program oldest shared x[4294967295]: 0..1 wrap = 0", "more than a state could hold", "x"),
        ("program oldest proposition p = @x", "there is no shared variable", "x"),
        ("program oldest start P", "there is no process type called `P`", "P"),
        ("program oldest keeps", "a declaration is expected here, not `keeps`", "keeps"),
        ("program oldest shared if: 0..1", "a name is expected here, not `if`", "if"),
    ] {
        let (told, at) = refused(text);
        assert!(told.contains(message), "{text}: {told}");
        assert!(at.starts_with(caret), "{text}: {at}");
    }
}

#[test]
fn much_nesting_is_no_recursion() {
    for (open, close) in [("(", ")"), ("!", ""), ("if(1, 1, ", ")"), ("a[", "]"), ("enabled(", ")")] {
        let deep = |n: usize| format!("{}pid{}", open.repeat(n), close.repeat(n));
        let text = format!("program oldest shared a[2]: 0..1 wrap = 0 proposition p = {}", deep(100_000));
        let program = read(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        again(&program);
    }
    let polls = "poll 1(= ".repeat(100_000);
    assert!(read(&format!("program oldest proposition p = {polls}")).is_err());
    let polls = format!("program oldest proposition p = {polls}1{}", ")".repeat(100_000));
    assert!(refused(&polls).0.contains("nest too deep"));
}
