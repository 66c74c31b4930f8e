//! What each condition of the optimiser is for: a pass without it changes an answer, and the pass as it is does not.
mod common;

use common::{explore, model};
use riata_automata::{Marks, Strength, Tgba, strength, translate};
use riata_explore::ascc;
use riata_explore::streett::{self, Pair};
use riata_ltl::{Dialect, Ltl};
use riata_program::Proposition;
use riata_program::{
    Asserts, Condensed, Condition, Expr, Fair, Interpreter, Justice, Options, Passes, Program, Sees,
    optimise, optimise_without,
};
use riata_promela::lower::Property;
use riata_source::Span;
use riata_store::Exact;
use riata_system::{Deadlocks, Product, Run, System, Verdict};

/// A question about a program.
#[derive(Clone, Copy, Debug)]
enum Asks {
    /// Is there a violated assertion or a run-time error?
    Assertions,
    /// Its first formula.
    Formula(Option<Justice>),
    /// Acceptance, or progress.
    Acceptance,
    Progress,
}

/// The program as it is asked about, what the question sees, and the automaton of bad runs.
fn prepared(text: &str, asks: Asks) -> (Program, Sees, Option<Tgba>) {
    let mut lowered = model(text);
    let mut add = |expr, name: &str| {
        let expr = lowered.program.exprs.add(expr, Span::default());
        lowered.program.propositions.push(Proposition { name: name.into(), expr });
    };
    let formula = |text: &str| riata_ltl::parse(text, Dialect::Auto).expect("a formula");
    let asked: Option<Ltl> = match asks {
        Asks::Assertions => None,
        Asks::Formula(_) => lowered.properties.iter().find_map(|p| match p {
            Property::Ltl(_, f) => Some(f.ltl.clone()),
            _ => None,
        }),
        Asks::Acceptance => {
            add(Expr::Accepting, "accepting");
            Some(formula("<>[] !accepting"))
        }
        Asks::Progress => {
            add(Expr::NonProgress, "idle");
            Some(formula("[]<> !idle"))
        }
    };
    let counts = text.contains(" X ");
    let fair = matches!(asks, Asks::Formula(Some(_)));
    let sees = Sees { propositions: asked.is_some(), steps: counts, enabledness: fair };
    let bad = asked.map(|ltl| translate(&ltl.negated(), &Default::default()).expect("an automaton"));
    (lowered.program, sees, bad)
}

/// Is something wrong?
fn wrong(program: &Program, bad: Option<&Tgba>, asks: Asks) -> bool {
    let Some(bad) = bad else {
        return explore(program, Asserts::Fault).wrong;
    };
    let i = Interpreter::new(program, Options { asserts: Asserts::Ignore }).expect("a program");
    let names: Vec<&str> = program.propositions.iter().map(|p| p.name.as_str()).collect();
    let ends = if matches!(asks, Asks::Progress) { Deadlocks::Ignore } else { Deadlocks::Stutter };
    let justice = if let Asks::Formula(justice) = asks { justice } else { None };
    let (mut store, mut run) = (Exact::new(1 << 30), Run::new(Default::default()));
    let processes = program.start.len() as u32;
    let verdict = match justice {
        None => {
            let system = Condensed::new(&i);
            let product = Product::new(&system, &names, bad, ends).expect("a product");
            ascc::check(
                &product.with_strength(strength::of_property(bad).max(Strength::Weak)),
                &mut store,
                &mut run,
            )
        }
        Some(Justice::Weak) => {
            let fair = Fair { interpreter: &i, processes, justice: Justice::Weak };
            ascc::check(&Product::new(&fair, &names, bad, ends).expect("a product"), &mut store, &mut run)
        }
        Some(Justice::Strong) => {
            let fair = Fair { interpreter: &i, processes, justice: Justice::Strong };
            let product = Product::new(&fair, &names, bad, ends).expect("a product");
            let mark = |k| Marks::one(bad.sets + k);
            let pairs: Vec<Pair> =
                (0..processes).map(|p| Pair { asks: mark(processes + p), serves: mark(p) }).collect();
            streett::check(&product, (Marks::first(bad.sets), &pairs), &mut store, &mut run)
        }
    };
    assert!(i.words() > 0 && !matches!(verdict, Verdict::Inconclusive(_)));
    matches!(verdict, Verdict::Accepting(_))
}

/// Without the condition the answer changes; with all of them it does not, whichever passes run.
#[track_caller]
fn needed(condition: Condition, asks: Asks, text: &str) {
    let (program, sees, bad) = prepared(text, asks);
    let right = wrong(&program, bad.as_ref(), asks);
    for k in 0..8 {
        let passes = Passes { unread: k & 1 != 0, merge: k & 2 != 0, dead: k & 4 != 0 };
        let small = optimise(&program, passes, sees);
        assert_eq!(wrong(&small, bad.as_ref(), asks), right, "{passes:?} {text}");
    }
    let seeded = optimise_without(&program, Passes::ALL, sees, &[condition]);
    assert_ne!(wrong(&seeded, bad.as_ref(), asks), right, "{condition:?} does not matter in {text}");
}

#[test]
fn locations_that_others_look_at() {
    let p = "byte v; active proctype P() { byte z; v = 1; z = 1; B: v == 7 }";
    needed(
        Condition::RemoteLocations,
        Asks::Assertions,
        &format!("{p} active proctype Q() {{ v == 1; assert(P@B) }}"),
    );
    needed(Condition::RemoteLocations, Asks::Formula(None), &format!("{p} ltl p {{ [] (v == 1 -> P@B) }}"));
}

#[test]
fn variables_that_others_look_at() {
    let q = "active proctype Q() { (P:z == 2); assert(false) }";
    let p = "active proctype P() { byte z; z = 1; z = 2; z = 3; end: false }";
    needed(Condition::RemoteVariables, Asks::Assertions, &format!("{p} {}", q));
    // Dead, and not merged.
    let p = "byte g; active proctype P() { byte z = 1; g = 1; z = 2; end: g == 5 }";
    needed(
        Condition::RemoteVariables,
        Asks::Assertions,
        &format!("{p} {q}").replace("(P:z == 2)", "end: (P:z == 2)"),
    );
}

#[test]
fn labels_of_progress_and_acceptance() {
    let toggles = "active proctype Q() { byte y; do :: y = 1 - y od }";
    let text = format!(
        "byte v; active proctype P() {{ byte z; S: progress: v = 1; z = 1; z = 0; goto S }} {toggles}"
    );
    needed(Condition::Labels, Asks::Progress, &text);
    needed(
        Condition::Labels,
        Asks::Acceptance,
        "byte v; active proctype P() { byte z; do :: v = 1 - v; z = 1; accept: z = 0 od }",
    );
}

#[test]
fn numbers_of_locations_and_who_is_enabled() {
    needed(
        Condition::Enabledness,
        Asks::Assertions,
        "active proctype P() { byte z; z = 1; z = 2; z = 3; end: false } active proctype Q() { end: pc_value(0) == 2; assert(false) }",
    );
}

#[test]
fn who_moved_last() {
    needed(
        Condition::Last,
        Asks::Formula(None),
        "byte v; active proctype P() { byte z; v = 1; z = 1; z = 2 } active proctype Q() { v = 2; v = 3 }
         ltl p { !(<>(_last==1 && <>(_last==0 && <>(_last==1 && <>(_last==0 && <>(_last==1 && <>(_last==0))))))) }",
    );
}

#[test]
fn whether_nothing_can_move() {
    needed(
        Condition::Timeout,
        Asks::Formula(None),
        "byte v; active proctype P() { byte z; v = 1; z = 1; v == 7 } ltl p { [] (v == 1 -> timeout) }",
    );
}

#[test]
fn whether_a_send_finds_a_receiver() {
    needed(
        Condition::Rendezvous,
        Asks::Assertions,
        "chan c = [0] of { byte }; byte v; active proctype R() { byte z; v = 1; z = 1; end: c?z }
         active proctype S() { v == 1; if :: c!1 :: else -> assert(false) fi }",
    );
    // An atomic sequence that blocks there lets others in.
    needed(
        Condition::Rendezvous,
        Asks::Assertions,
        "chan c = [0] of { byte }; byte v, w; active proctype R() { byte z; v = 1; z = 1; end: c?v }
         active proctype S() { v == 1; atomic { w = 1; c!9 } } active proctype T() { (w == 1 && v == 1); assert(false) }",
    );
}

#[test]
fn how_many_steps_there_are() {
    needed(
        Condition::Steps,
        Asks::Formula(None),
        "byte v; active proctype P() { byte z; v = 1; z = 1; v = 2 } ltl p { X X (v == 1) }",
    );
}

#[test]
fn who_can_move_under_fairness() {
    let text = "byte v; active proctype P() { byte z; do :: timeout; z = 0 od } active proctype Q() { timeout; v = 1 }
                ltl p { <> (v == 1) }";
    needed(Condition::Fairness, Asks::Formula(Some(Justice::Weak)), text);
}

#[test]
fn what_formulas_read() {
    needed(
        Condition::Propositions,
        Asks::Formula(None),
        "byte v; active proctype P() { v = 1 } ltl p { [] (v == 0) }",
    );
}

#[test]
fn what_cannot_be_computed() {
    needed(Condition::Faults, Asks::Assertions, "byte v, i = 2, a[2]; active proctype P() { v = a[i] }");
    // What may be a fault reads the variable that it is stored to.
    let own = "byte a[2]; active proctype P() { byte x; x = 2; x = a[x] }";
    needed(Condition::Faults, Asks::Assertions, own);
    let own = "byte a[2]; active proctype P() { byte x; x = 2; x = 6 / (x - 2) }";
    needed(Condition::Faults, Asks::Assertions, own);
}
