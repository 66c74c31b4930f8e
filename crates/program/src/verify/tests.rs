//! A well-formed program, and the same with one thing broken.

use super::verify;
use crate::domain::{Domain, MAX_MESSAGE, Proposition, StoreRule};
use crate::form::*;
use crate::ids::{ExprId, LocId, ProcId};
use crate::{Binary, Unary};
use crate::{ClaimPlace, Interpreter, Options};
use riata_source::Span;

const HERE: Span = Span { start: 0, end: 0 };

fn variable(name: &str, len: Option<u32>) -> Variable {
    let initial = vec![0; len.unwrap_or(1) as usize];
    Variable {
        name: name.into(),
        domain: Domain::BYTE,
        rule: StoreRule::Wrap,
        len,
        initial,
        shown: Shown::Number,
        span: HERE,
    }
}

fn place(var: Var) -> Place {
    Place { var, index: None }
}

fn edge(from: u32, to: u32, action: Action) -> Edge {
    Edge {
        from: LocId(from),
        to: LocId(to),
        work: Work::Action(action),
        keeps: false,
        rank: 0,
        merged: Vec::new(),
    }
}

fn process(name: &str, locations: usize, edges: Vec<Edge>) -> Process {
    Process {
        name: name.into(),
        parameters: 0,
        locals: Vec::new(),
        initialisers: Vec::new(),
        opens: Vec::new(),
        locations: vec![Location::default(); locations],
        initial: LocId(0),
        edges,
        provided: None,
        priority: 1,
        span: HERE,
    }
}

/// The numbers of expressions of the sample, for those who break it.
const ONE: ExprId = ExprId(0);
const POLL: ExprId = ExprId(4);

/// Shared: `x`, array `a`, channel variable `q`, `last`, the monitor's, the claim's. Process 0 has everything, process 1
/// has a parameter, process 2 is the claim.
pub(in super::super) fn sample() -> Program {
    let mut p = Program {
        shared: ["x", "a", "q", "last", "monitor", "claim"]
            .map(|n| variable(n, (n == "a").then_some(3)))
            .to_vec(),
        channels: vec![Channel {
            name: "q".into(),
            capacity: 2,
            fields: vec![Domain::BYTE, Domain { min: 0, max: 1 }],
            shown: vec![Shown::Symbol(0), Shown::Number],
            span: HERE,
        }],
        opens: vec![Opening { channel: 0, var: 2, element: 0 }],
        symbols: vec![vec!["ack".into()]],
        last: Some(3),
        ..Program::default()
    };
    let e = &mut p.exprs;
    let one = e.add(Expr::Const(1), HERE);
    let x = e.add(Expr::Read(place(Var::Shared(0))), HERE);
    let y = e.add(Expr::Read(place(Var::Local(0))), HERE);
    let element = e.add(Expr::Read(Place { var: Var::Shared(1), index: Some(x) }), HERE);
    let poll = e.add(Expr::Poll(1), HERE);
    let remote = e.add(Expr::Read(place(Var::Remote(ProcId(1), 0, one))), HERE);
    let at = e.add(Expr::At(ProcId(1), one, LocId(0)), HERE);
    let sum = e.add(Expr::Binary(Binary::Add, element, remote), HERE);
    assert_eq!((one, poll), (ONE, POLL));
    let receive = |channel, patterns| Receive { channel, any: false, keeps: false, patterns, span: HERE };
    p.receives = vec![
        receive(one, vec![Pattern::Bind(place(Var::Local(0))), Pattern::Any]),
        receive(one, vec![Pattern::Match(x), Pattern::Any]),
    ];
    p.prints = vec![Print { format: "%d".into(), arguments: vec![y] }];
    let skip = Action::skip(HERE);
    let send = Offer::Send { channel: one, sorted: false, values: vec![sum, one] };
    let run = Statement::Run {
        process: ProcId(1),
        arguments: vec![x],
        priority: Some(one),
        pid: Some(place(Var::Local(1))),
        span: HERE,
    };
    p.blocks = vec![Block {
        nodes: vec![
            vec![
                (Action { guard: Guard::When(x), ..skip.clone() }, Some(1)),
                (Action { guard: Guard::Else, ..skip.clone() }, None),
            ],
            vec![(skip.clone(), None)],
        ],
    }];
    let mut first = process(
        "P",
        3,
        vec![
            Edge { rank: 1, keeps: true, ..edge(0, 1, Action { guard: Guard::When(poll), ..skip.clone() }) },
            edge(0, 1, Action { offer: send, ..skip.clone() }),
            edge(0, 2, Action { guard: Guard::Else, ..skip.clone() }),
            edge(
                1,
                2,
                Action { offer: Offer::Receive(0), effect: vec![run, Statement::Print(0)], ..skip.clone() },
            ),
            Edge { work: Work::Block(0, HERE), ..edge(2, 0, skip.clone()) },
            edge(
                2,
                2,
                Action {
                    effect: vec![
                        Statement::Assign(Place { var: Var::Shared(1), index: Some(x) }, y),
                        Statement::Exit,
                    ],
                    ..skip.clone()
                },
            ),
        ],
    );
    first.locals = vec![variable("y", None), variable("z", None)];
    first.opens = vec![Opening { channel: 0, var: 1, element: 0 }];
    first.initialisers = vec![(place(Var::Local(0)), x)];
    first.provided = Some(x);
    first.locations[1].asserts = vec![at];
    let mut second = process("Q", 1, Vec::new());
    second.parameters = 1;
    second.locals = vec![variable("n", None)];
    let claim = process("never", 2, vec![edge(0, 1, Action { guard: Guard::When(at), ..skip })]);
    p.processes = vec![first, second, claim];
    p.start = vec![
        Start { process: ProcId(0), name: None },
        Start { process: ProcId(1), name: Some("one".into()) },
    ];
    p.propositions = vec![Proposition { name: "at".into(), expr: at }];
    p.monitor = Some(TraceMonitor {
        at: 4,
        negated: false,
        locations: vec![vec![Event { sends: true, receive: 1, to: 1 }], Vec::new()],
        last: 1,
        span: HERE,
    });
    p.claim = Some(ClaimPlace { process: ProcId(2), at: 5, late: false });
    p
}

/// The action of an edge of a process of the sample.
fn action(p: &mut Program, process: usize, edge: usize) -> &mut Action {
    match &mut p.processes[process].edges[edge].work {
        Work::Action(action) => action,
        Work::Block(..) => panic!("the edge is a block"),
    }
}

#[test]
fn the_sample_is_well_formed_and_runs() {
    let p = sample();
    assert_eq!(verify(&p), []);
    assert!(Interpreter::new(&p, Options::default()).is_ok());
    assert_eq!(verify(&Program::default()), []);
}

/// Names each thing that can be broken, breaks it, and expects just this among what is told.
macro_rules! broken {
    ($($name:ident: $expected:literal, |$p:ident| $break:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut program = sample();
            let $p = &mut program;
            $break;
            let wrong = verify(&program);
            assert!(wrong.iter().any(|d| d.message.contains($expected)), "{wrong:?}");
        }
    )*};
}

fn add(p: &mut Program, expr: Expr) -> ExprId {
    p.exprs.add(expr, HERE)
}

/// Makes it the guard of an edge.
fn when(p: &mut Program, expr: Expr) {
    let e = add(p, expr);
    action(p, 0, 1).guard = Guard::When(e);
}

fn assign(var: Var, value: ExprId) -> Statement {
    Statement::Assign(place(var), value)
}

broken! {
    operand_after_operator: "after its operator", |p| { add(p, Expr::Enabled(ExprId(99))); };
    operand_is_itself: "after its operator", |p| { let e = ExprId::new(p.exprs.len()); add(p, Expr::Enabled(e)); };
    poll_of_itself: "after its operator", |p| p.receives[1].patterns[0] = Pattern::Match(POLL);
    poll_of_nothing: "a receive does not exist", |p| when(p, Expr::Poll(9));
    shared_variable_of_expression: "a variable does not exist", |p| when(p, Expr::Read(place(Var::Shared(9))));
    remote_process: "a variable does not exist", |p| when(p, Expr::Read(place(Var::Remote(ProcId(9), 0, ONE))));
    remote_variable: "a variable does not exist", |p| when(p, Expr::Read(place(Var::Remote(ProcId(1), 9, ONE))));
    location_of_expression: "for a location", |p| when(p, Expr::At(ProcId(1), ONE, LocId(1)));
    receive_of_no_expression: "that does not exist", |p| p.receives[0].channel = ExprId(999);
    polls_nest_too_deep: "nest too deep", |p| {
        for _ in 0..100 {
            let channel = add(p, Expr::Poll(p.receives.len() as u32 - 1));
            p.receives.push(Receive { channel, ..p.receives[1].clone() });
        }
    };
    domain_is_empty: "is empty", |p| p.shared[0].domain = Domain { min: 1, max: 0 };
    domain_is_not_full: "no wrap-around", |p| p.shared[0].domain = Domain { min: 0, max: 2 };
    domain_of_message_is_not_full: "no wrap-around", |p| p.channels[0].fields[1] = Domain { min: 0, max: 2 };
    initial_value: "is not in its domain", |p| p.shared[0].initial = vec![256];
    number_of_initial_values: "another number of initial", |p| p.shared[1].initial = vec![0];
    array_without_elements: "has no elements", |p| { p.shared[1].len = Some(0); p.shared[1].initial.clear(); };
    symbols: "the symbols of", |p| p.shared[0].shown = Shown::Symbol(1);
    symbols_of_message: "the symbols of", |p| p.channels[0].shown[0] = Shown::Symbol(1);
    shown_of_message: "is shown", |p| p.channels[0].shown.clear();
    capacity: "is too large", |p| p.channels[0].capacity = u32::MAX;
    values_of_channel: "too many values", |p| {
        p.channels[0].fields = vec![Domain::BYTE; MAX_MESSAGE + 1];
        p.channels[0].shown = vec![Shown::Number; MAX_MESSAGE + 1];
    };
    opens_no_channel: "not declared", |p| p.opens[0].channel = 1;
    opens_for_no_variable: "for a variable that does not exist", |p| p.opens[0].var = 9;
    opens_for_no_element: "does not have", |p| p.opens[0].element = 1;
    opens_for_small_variable: "cannot hold the number", |p| p.shared[2].domain = Domain { min: 0, max: 0 };
    opens_local_for_small_variable: "cannot hold the number", |p| p.processes[0].locals[1].domain = Domain { min: 0, max: 1 };
    opens_too_many: "more than 255 channels", |p| p.opens = vec![p.opens[0]; 256];
    start_of_nothing: "is started whose type", |p| p.start[0].process = ProcId(9);
    no_locations: "has no locations", |p| { p.processes[1].locations.clear();  };
    initial_location: "a location of process `P`", |p| p.processes[0].initial = LocId(3);
    source_of_edge: "a location of process `P`", |p| p.processes[0].edges[0].from = LocId(3);
    target_of_edge: "a location of process `P`", |p| p.processes[0].edges[0].to = LocId(3);
    parameters: "more parameters than variables", |p| p.processes[1].parameters = 2;
    priority: "more than 255", |p| p.processes[1].priority = 256;
    assert_of_location: "an expression does not exist", |p| p.processes[0].locations[0].asserts = vec![ExprId(99)];
    provided: "an expression does not exist", |p| p.processes[0].provided = Some(ExprId(99));
    group_is_torn: "not side by side", |p| { let torn = p.processes[0].edges[0].clone(); p.processes[0].edges.push(torn); };
    group_of_rank_0_is_not_last: "not the last of its location", |p| p.processes[0].edges[2].rank = 1;
    else_is_not_last: "`else` is not the last edge", |p| p.processes[0].edges.swap(1, 2);
    else_sends: "`else` cannot send", |p| action(p, 0, 1).guard = Guard::Else;
    local_variable_of_nobody: "no process whose", |p| {
        p.propositions[0].expr = add(p, Expr::Read(place(Var::Local(0))));
    };
    local_variable: "no process whose", |p| { let e = add(p, Expr::Read(place(Var::Local(9)))); action(p, 0, 1).guard = Guard::When(e); };
    index_of_scalar: "is no array", |p| {
        let e = add(p, Expr::Read(Place { var: Var::Shared(0), index: Some(ONE) }));
        action(p, 0, 1).guard = Guard::When(e);
    };
    index_of_stored_scalar: "is no array", |p| {
        action(p, 0, 1).effect = vec![Statement::Assign(Place { var: Var::Shared(0), index: Some(ONE) }, ONE)];
    };
    stores_to_another: "variable of another process", |p| action(p, 0, 1).effect = vec![assign(Var::Remote(ProcId(1), 0, ONE), ONE)];
    stores_to_nothing: "a variable does not exist", |p| action(p, 0, 1).effect = vec![assign(Var::Shared(9), ONE)];
    initialiser_stores_to_another: "variable of another process", |p| p.processes[0].initialisers[0].0 = place(Var::Remote(ProcId(1), 0, ONE));
    binds_nothing: "a variable does not exist", |p| p.receives[0].patterns[0] = Pattern::Bind(place(Var::Local(9)));
    pid_is_stored_to_another: "variable of another process", |p| {
        if let Statement::Run { pid, .. } = &mut action(p, 0, 3).effect[0] {
            *pid = Some(place(Var::Remote(ProcId(1), 0, ONE)));
        }
    };
    message: "a message has too many", |p| action(p, 0, 1).offer = Offer::Send { channel: ONE, sorted: false, values: vec![ONE; MAX_MESSAGE + 1] };
    message_received: "a receive has too many", |p| p.receives[0].patterns = vec![Pattern::Any; MAX_MESSAGE + 1];
    receives_nothing: "a receive does not exist", |p| action(p, 0, 1).offer = Offer::Receive(9);
    receive_of_two: "is used by two", |p| {
        let edge = p.processes[0].edges[3].clone();
        p.processes[1].edges.push(Edge { from: LocId(0), to: LocId(0), ..edge });
        action(p, 1, 0).effect.clear();
    };
    statement_after_exit: "after the process is removed", |p| action(p, 0, 5).effect.push(Statement::Assert(ONE));
    exit_after_run: "cannot be removed where", |p| action(p, 0, 3).effect.push(Statement::Exit);
    exit_in_block: "inside a block", |p| p.blocks[0].nodes[1][0].0.effect.push(Statement::Exit);
    runs_nothing: "is created whose type", |p| {
        if let Statement::Run { process, .. } = &mut action(p, 0, 3).effect[0] {
            *process = ProcId(9);
        }
    };
    number_of_arguments: "another number of parameters", |p| {
        if let Statement::Run { arguments, .. } = &mut action(p, 0, 3).effect[0] {
            arguments.clear();
        }
    };
    prints_nothing: "is printed that does not exist", |p| action(p, 0, 3).effect[1] = Statement::Print(9);
    argument_of_print: "an expression does not exist", |p| p.prints[0].arguments[0] = ExprId(99);
    block: "a block does not exist", |p| p.processes[0].edges[4].work = Work::Block(9, HERE);
    block_of_two: "two process types", |p| { let edge = p.processes[0].edges[4].clone(); p.processes[1].edges.push(Edge { from: LocId(0), to: LocId(0), ..edge }); };
    block_without_nodes: "has no nodes", |p| p.blocks[0].nodes.clear();
    node_of_block: "a node of a block", |p| p.blocks[0].nodes[1][0].1 = Some(2);
    else_first_in_node: "`else` is not the last of a node", |p| p.blocks[0].nodes[0].swap(0, 1);
    last_mover: "that does not exist", |p| p.last = Some(9);
    last_mover_is_small: "cannot hold the pid", |p| p.shared[3].domain = Domain { min: 0, max: 1 };
    last_mover_is_array: "cannot hold the pid", |p| p.last = Some(1);
    monitor_variable: "that does not exist", |p| p.monitor.as_mut().unwrap().at = 9;
    monitor_begins: "does not begin with 0", |p| p.shared[4].initial = vec![1];
    monitor_ends: "last location of the monitor", |p| p.monitor.as_mut().unwrap().last = 2;
    monitor_location: "a location of the monitor", |p| p.monitor.as_mut().unwrap().locations[0][0].to = 2;
    monitor_event: "a receive does not exist", |p| p.monitor.as_mut().unwrap().locations[0][0].receive = 9;
    monitor_binds_local: "no process whose", |p| p.monitor.as_mut().unwrap().locations[0][0].receive = 0;
    claim_of_nothing: "the claim does not exist", |p| p.claim.as_mut().unwrap().process = ProcId(9);
    claim_variable: "cannot hold the location of the claim", |p| p.claim.as_mut().unwrap().at = 1;
    claim_begins: "initial location", |p| p.processes[2].initial = LocId(1);
    claim_has_variables: "of a claim are shared", |p| p.processes[2].locals.push(variable("n", None));
    claim_starts: "is created as a process", |p| p.start[0].process = ProcId(2);
    claim_sends: "a claim cannot", |p| action(p, 2, 0).offer = Offer::Send { channel: ONE, sorted: false, values: Vec::new() };
    lockstep_keeps: "no edge keeps", |p| p.scheduling.lockstep = true;
    lockstep_runs: "is created or removed", |p| p.scheduling.lockstep = true;
    proposition: "an expression does not exist", |p| p.propositions[0].expr = ExprId(99);
}

#[test]
fn much_nesting_is_no_recursion() {
    let mut p = sample();
    let mut e = add(&mut p, Expr::Pid);
    for _ in 0..200_000 {
        e = add(&mut p, Expr::Unary(Unary::Not, e));
    }
    action(&mut p, 0, 1).guard = Guard::When(e);
    assert_eq!(verify(&p), []);
}
