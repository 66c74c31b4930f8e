//! Runs carry their steps: every step of a lasso that a check finds is taken by the process that it names, and a fair
//! lasso is fair when it is read from its steps alone.
//!
//! The programs are made so that many steps lead to the same state: who moved cannot be told from the states.
mod common;

use common::model;
use proptest::prelude::*;
use riata_automata::{Marks, Tgba, translate};
use riata_explore::streett::{self, Pair};
use riata_explore::{Algorithm, ascc, check, lowered};
use riata_program::Proposition;
use riata_program::{
    Asserts, Condensed, Execution, Fair, Interpreter, Justice, Lift, Options, Passes, Program, Sees, optimise,
};
use riata_promela::lower::Property;
use riata_store::Exact;
use riata_system::{Deadlocks, Degeneralised, Lasso, Product, Run, Verdict};

const FORMULAS: [&str; 5] =
    ["<>[] (x == 0)", "[]<> (x == 1)", "<> (x == 1 && y == 1)", "[] (x == 0 -> <> (y == 1))", "[] (y == 0)"];

/// What an option of a loop does.
const OPTIONS: [&str; 12] = [
    "x = 1 - x",
    "x = 1 - x",
    "y = 1 - y",
    "y = x",
    "atomic { x = 1 - x; y = x }",
    "atomic { y = 1; x == 1; y = 0 }",
    "d_step { x = 1 - x; y = 1 - y }",
    "c!1",
    "c?_",
    "x == 1 -> y = 0",
    "timeout -> x = 0",
    "break",
];

prop_compose! {
    fn programs()(capacity in 0..2, bodies in prop::collection::vec(prop::collection::vec(0..OPTIONS.len(), 1..4), 2..4), formula in 0..FORMULAS.len()) -> String {
        let mut text = format!("bit x, y; chan c = [{capacity}] of {{ bit }};\n");
        for (i, options) in bodies.iter().enumerate() {
            let options: Vec<String> = options.iter().map(|&o| format!(":: {}", OPTIONS[o])).collect();
            text += &format!("active proctype P{i}() {{ do {} od }}\n", options.join(" "));
        }
        text + &format!("ltl p {{ {} }}\n", FORMULAS[formula])
    }
}

/// All lassos that violate the formula, found by several checks.
fn lassos(i: &Interpreter, names: &[&str], bad: &Tgba, justice: Option<Justice>) -> Vec<Lasso> {
    let (mut store, mut run) = (Exact::new(1 << 30), Run::new(Default::default()));
    let processes = i.program().start.len() as u32;
    let ends = Deadlocks::Stutter;
    let mut verdicts = Vec::new();
    match justice {
        None => {
            let system = Condensed::new(i);
            let product = Product::new(&system, names, bad, ends).expect("a product");
            verdicts.push(ascc::check(&product, &mut store, &mut run));
            let one = Degeneralised::new(&product);
            for algorithm in [Algorithm::Se05, Algorithm::Cvwy92] {
                let found = check(algorithm, &one, &mut Exact::new(1 << 30), &mut run).expect("a check");
                verdicts.push(lowered(&product, &one, found));
            }
        }
        Some(Justice::Weak) => {
            let fair = Fair { interpreter: i, processes, justice: Justice::Weak };
            let product = Product::new(&fair, names, bad, ends).expect("a product");
            verdicts.push(ascc::check(&product, &mut store, &mut run));
        }
        Some(Justice::Strong) => {
            let fair = Fair { interpreter: i, processes, justice: Justice::Strong };
            let product = Product::new(&fair, names, bad, ends).expect("a product");
            let mark = |k| Marks::one(bad.sets + k);
            let pairs: Vec<Pair> =
                (0..processes).map(|p| Pair { asks: mark(processes + p), serves: mark(p) }).collect();
            verdicts.push(streett::check(&product, (Marks::first(bad.sets), &pairs), &mut store, &mut run));
        }
    }
    verdicts
        .into_iter()
        .filter_map(|v| if let Verdict::Accepting(lasso) = v { Some(lasso) } else { None })
        .collect()
}

/// Every step is taken by the process that it names, and leads where it says.
fn is_run(i: &Interpreter, run: &Execution) {
    assert_eq!(run.states.get(0), Execution::start(i).last());
    for k in 0..run.steps.len() {
        let (src, step, dst) = run.step(k).expect("a step");
        match step {
            Some(step) => assert_eq!(i.follow(src, |s| s == step).expect("a step").to, dst, "step {k}"),
            None => assert!(src == dst && i.steps(src).is_empty(), "step {k}"),
        }
    }
}

/// Fairness by its definition, from the steps.
fn is_fair(i: &Interpreter, run: &Execution, justice: Justice) {
    let Some(back) = run.back else { return };
    let moves = |pid: u32| {
        run.steps[back..].iter().flatten().any(|s| s.pid == pid || s.partner.is_some_and(|(p, _)| p == pid))
    };
    let visible: Vec<usize> = run.visible(i).into_iter().filter(|&k| k >= back).collect();
    for pid in 0..i.program().start.len() as u32 {
        let able = |k: &usize| i.steps(run.states.get(*k)).iter().any(|t| t.step.pid == pid);
        let owed = match justice {
            Justice::Weak => visible.iter().all(able),
            Justice::Strong => visible.iter().any(able),
        };
        assert!(!owed || moves(pid), "process {pid} is treated unfairly");
    }
}

fn property(program: &Program, properties: &[Property]) -> (Vec<String>, Tgba) {
    let names = program.propositions.iter().map(|p: &Proposition| p.name.clone()).collect();
    let formula =
        properties.iter().find_map(|p| if let Property::Ltl(_, f) = p { Some(&f.ltl) } else { None });
    (names, translate(&formula.expect("a formula").negated(), &Default::default()).expect("an automaton"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_step_is_the_one_that_was_taken(text in programs()) {
        let model = model(&text);
        let (names, bad) = property(&model.program, &model.properties);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let options = Options { asserts: Asserts::Ignore };
        let full = Interpreter::new(&model.program, options).expect("a program");
        for justice in [None, Some(Justice::Weak), Some(Justice::Strong)] {
            let sees = Sees { propositions: true, steps: false, enabledness: justice.is_some() };
            let small = optimise(&model.program, Passes::ALL, sees);
            let small = Interpreter::new(&small, options).expect("a program");
            let mut found = Vec::new();
            for i in [&full, &small] {
                let lassos = lassos(i, &names, &bad, justice);
                found.push(lassos.is_empty());
                for lasso in lassos {
                    let Some(run) = (match lasso.failure() {
                        Some(walk) => Execution::unfold(&Condensed::new(i), &walk),
                        None => Execution::unfold(&Condensed::new(i), &lasso.walk()),
                    }) else {
                        panic!("the lasso has no steps: {text}");
                    };
                    if run.failure.is_none() {
                        is_run(i, &run);
                    }
                    if let Some(justice) = justice {
                        is_fair(i, &run, justice);
                    }
                    if std::ptr::eq(i, &small) && let Some(lifted) = Lift::new(&small, &full).run(&run) {
                        is_run(&full, &lifted);
                    }
                }
            }
            prop_assert_eq!(found[0], found[1], "optimised {} {:?}", text, justice);
        }
    }
}

/// The two processes lead to the same states; only a run in which both move is strongly fair.
#[test]
fn who_moves_is_not_guessed() {
    let text = "byte x; active proctype A() { do :: x = 1 - x od } active proctype B() { do :: x = 1 - x od }
                ltl p { <>[] (x == 0) }";
    let model = model(text);
    let (names, bad) = property(&model.program, &model.properties);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let i = Interpreter::new(&model.program, Options { asserts: Asserts::Ignore }).expect("a program");
    for justice in [Justice::Weak, Justice::Strong] {
        for lasso in lassos(&i, &names, &bad, Some(justice)) {
            let run = Execution::unfold(&Condensed::new(&i), &lasso.walk()).expect("a run");
            let movers: std::collections::HashSet<u32> =
                run.steps[run.back.unwrap_or(0)..].iter().flatten().map(|s| s.pid).collect();
            assert_eq!(movers.len(), 2, "{justice:?}");
        }
    }
}
