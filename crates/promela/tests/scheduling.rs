//! What the one program form has and Promela has not: other orders, committed locations, lazy messages, stores that fail,
//! assertions about states. The programs are Promela's, changed.
mod common;

use common::model;
use riata_program::{
    Action, Expr, Guard, Interpreter, Offer, Options, Order, Place, Program, Query, Statement, Taken, Var,
    Work,
};
use riata_program::{Binary, Domain, ExprId, Fault, StoreRule};
use riata_source::Span;
use riata_system::System;

fn program(text: &str) -> Program {
    model(text).program
}

fn shared(program: &mut Program, name: &str) -> ExprId {
    let v = program.shared.iter().position(|v| v.name == name).expect("a variable") as u32;
    program.exprs.add(Expr::Read(Place { var: Var::Shared(v), index: None }), Span::default())
}

fn binary(program: &mut Program, op: Binary, a: ExprId, k: i32) -> ExprId {
    let k = program.exprs.add(Expr::Const(k), Span::default());
    program.exprs.add(Expr::Binary(op, a, k), Span::default())
}

/// The actions of a process that receive, or that send.
fn offers(program: &mut Program, process: usize, receives: bool) -> Vec<&mut Action> {
    let is = |a: &Action| match a.offer {
        Offer::None => false,
        Offer::Send { .. } => !receives,
        Offer::Receive(_) => receives,
    };
    let edges = program.processes[process].edges.iter_mut();
    let actions = edges.filter_map(|e| match &mut e.work {
        Work::Action(a) => Some(a),
        Work::Block(..) => None,
    });
    actions.filter(|a| is(a)).collect()
}

fn initial(i: &Interpreter) -> Vec<u32> {
    let mut s = vec![0; i.words()];
    i.initial(&mut Default::default(), &mut s);
    s.truncate(i.len(&s));
    s
}

/// The steps from the initial state: who takes part, and what goes wrong.
fn first(program: &Program) -> Vec<(u32, Option<u32>, Option<Fault>)> {
    let i = Interpreter::new(program, Options::default()).expect("a program");
    let told = |t: &Taken| (t.step.pid, t.step.partner.map(|p| p.0), t.failure.map(|f| f.fault));
    i.steps(&initial(&i)).iter().map(told).collect()
}

#[test]
fn the_oldest_can_come_first() {
    let mut p = program(
        "chan r = [0] of { bit }; active proctype A() { r!1 } active [2] proctype B() { r?1 }
         active proctype C() { skip }",
    );
    assert_eq!(first(&p), [(3, None, None), (0, Some(2), None), (0, Some(1), None)]);
    p.scheduling.order = Order::Oldest;
    assert_eq!(first(&p), [(0, Some(1), None), (0, Some(2), None), (3, None, None)]);
    // A holder is found whatever the order is.
    let mut p = program(
        "byte n; active proctype A() { atomic { n = 1; n = 2 } } active proctype B() { atomic { n = 3; n = 4 } }",
    );
    p.scheduling.order = Order::Oldest;
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    for (pid, taken) in i.steps(&initial(&i)).iter().enumerate() {
        assert_eq!(taken.step.pid, pid as u32);
        let then = i.steps(&taken.to);
        assert_eq!(then.iter().map(|t| t.step.pid).collect::<Vec<_>>(), [pid as u32]);
    }
}

#[test]
fn who_is_not_at_a_committed_location_waits() {
    let text = "chan r = [0] of { bit }; byte n; active proctype A() { n = 1; r!1 }
         active proctype B() { if :: r?1 :: n = 2 fi } active proctype C() { r?1 }";
    let mut p = program(text);
    let from = p.processes[0].initial.index();
    assert_eq!(first(&p), [(1, None, None), (0, None, None)]);
    p.processes[0].locations[from].committed = true;
    assert_eq!(first(&p), [(0, None, None)]);
    // A rendezvous needs two that are.
    let mut p = program(text);
    let second = p.processes[0].edges.iter().find(|e| e.from.index() == from).expect("an edge").to;
    p.processes[0].locations[second.index()].committed = true;
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    let taken = i.follow(&initial(&i), |s| s.pid == 0).expect("a step");
    assert!(i.steps(&taken.to).is_empty());
    let c = p.processes[2].initial.index();
    let mut p = p.clone();
    p.processes[2].locations[c].committed = true;
    // Now it is there from the start, so that nobody else moves, and it waits for ever.
    assert_eq!(first(&p), []);
    p.processes[0].locations[from].committed = true;
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    let taken = i.follow(&initial(&i), |s| s.pid == 0).expect("a step");
    let then = i.steps(&taken.to);
    assert_eq!(
        then.iter().map(|t| (t.step.pid, t.step.partner.map(|x| x.0))).collect::<Vec<_>>(),
        [(0, Some(2))]
    );
}

#[test]
fn a_lazy_message_is_evaluated_for_a_receiver_that_is_ready() {
    let text = "chan r = [0] of { byte }; byte zero; active proctype A() { r!(1 / zero) } active [2] proctype B() { byte x; r?x }";
    let wrong = Some(Fault::DivisionByZero);
    let mut p = program(text);
    assert_eq!(first(&p), [(0, None, wrong)]);
    p.scheduling.lazy = true;
    assert_eq!(first(&p), [(0, Some(2), wrong), (0, Some(1), wrong)]);
    let zero = shared(&mut p, "zero");
    offers(&mut p, 1, true)[0].guard = Guard::When(zero);
    assert_eq!(first(&p), []);
    p.scheduling.lazy = false;
    assert_eq!(first(&p), [(0, None, wrong)]);
    // A guard of a receiver that fails is a step of the pair, and the search goes on.
    let mut p = program(
        "chan r = [0] of { byte }; byte zero; active proctype A() { r!1 } active [2] proctype B() { byte x; if :: r?x :: r?x fi }",
    );
    let zero = shared(&mut p, "zero");
    let one = p.exprs.add(Expr::Const(1), Span::default());
    let fails = p.exprs.add(Expr::Binary(Binary::Div, one, zero), Span::default());
    offers(&mut p, 1, true)[0].guard = Guard::When(fails);
    for lazy in [true, false] {
        p.scheduling.lazy = lazy;
        assert_eq!(
            first(&p),
            [(0, Some(2), wrong), (0, Some(2), None), (0, Some(1), wrong), (0, Some(1), None)]
        );
    }
}

#[test]
fn the_receiver_acts_before_the_sender() {
    let mut p =
        program("chan r = [0] of { byte }; byte n; active proctype A() { r!3 } active proctype B() { r?n }");
    let n = shared(&mut p, "n");
    let Expr::Read(place) = p.exprs.get(n) else { unreachable!() };
    let (added, doubled) = (binary(&mut p, Binary::Add, n, 1), binary(&mut p, Binary::Mul, n, 2));
    offers(&mut p, 0, false)[0].effect.push(Statement::Assign(place, doubled));
    offers(&mut p, 1, true)[0].effect.push(Statement::Assign(place, added));
    let value = binary(&mut p, Binary::Eq, n, 8);
    let at = p.processes[0].locations.len();
    (0..at).for_each(|l| p.processes[0].locations[l].asserts = vec![value]);
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    let s = initial(&i);
    assert_eq!(i.violated(&s), Some((0, value)));
    assert_eq!(i.violated(&i.steps(&s)[0].to), None);
}

#[test]
fn values_outside_a_domain_are_faults_where_the_rule_says_so() {
    let text = "byte a, b[3], i = 1; active proctype A() {
        if :: a = i + 1 :: a = 2 :: a = i + 2 :: a = 3 :: b[i] = i + 1 :: b[i] = i + 2 :: b[2] = 2 :: b[2] = 3 :: b[2] = i + 2 fi }";
    for max in [2, 1] {
        let mut p = program(text);
        for v in ["a", "b"] {
            let v = p.shared.iter_mut().find(|x| x.name == v).expect("a variable");
            (v.rule, v.domain) = (StoreRule::Fault, Domain { min: 0, max });
        }
        let wrong = |value| (value > max).then_some(Fault::ValueOutOfRange { value });
        let told: Vec<Option<Fault>> = first(&p).into_iter().map(|(.., fault)| fault).collect();
        assert_eq!(told, [2, 2, 3, 3, 2, 3, 2, 3, 3].map(wrong), "{max}");
    }
    // What is cut is cut in an array as well.
    common::fine(
        "typedef T { unsigned u : 3 } T t[2]; byte i = 1; active proctype A() { int x = 9; t[0].u = x; t[i].u = x; assert(t[0].u == 1 && t[1].u == 1) }",
        5,
    );
}

#[test]
fn an_assertion_about_states_holds_where_it_is_made() {
    let mut p = program(
        "chan q = [1] of { byte }; byte n; active proctype A() { n = 1; n = 2 } active [2] proctype B() { do :: q!1 od }",
    );
    let n = shared(&mut p, "n");
    let small = binary(&mut p, Binary::Lt, n, 2);
    let zero = binary(&mut p, Binary::Mul, n, 0);
    let fails = p.exprs.add(Expr::Binary(Binary::Div, small, zero), Span::default());
    let q = p.exprs.add(Expr::Const(1), Span::default());
    let empty = p.exprs.add(Expr::Channel(Query::Empty, q), Span::default());
    let b = p.processes[1].initial.index();
    p.processes[1].locations[b].asserts = vec![empty, small];
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    let s = initial(&i);
    assert_eq!(i.violated(&s), None);
    let sent = i.follow(&s, |step| step.pid == 2).expect("a step").to;
    assert_eq!(i.violated(&sent), Some((1, empty)));
    let one = i.follow(&s, |step| step.pid == 0).expect("a step").to;
    let two = i.follow(&one, |step| step.pid == 0).expect("a step").to;
    assert_eq!(i.violated(&one), None);
    assert_eq!(i.violated(&two), Some((1, small)));
    assert_eq!(i.violated(&i.fault_state()), None);
    p.processes[1].locations[b].asserts = vec![fails];
    let i = Interpreter::new(&p, Options::default()).expect("a program");
    assert_eq!(i.violated(&initial(&i)), Some((1, fails)));
}
