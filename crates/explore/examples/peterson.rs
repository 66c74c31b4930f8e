//! Peterson's mutual exclusion as a Rust type, checked against automata written in HOA.
//!
//! `cargo run --release --example peterson`
//!
//! Shows how to check your own system: implement [`Model`], take the automaton of the *negated* property, and look
//! for an accepting run of the product.

use riata_automata::hoa::Reader;
use riata_automata::strength;
use riata_explore::choose;
use riata_store::Exact;
use riata_system::{Deadlocks, Interned, Limits, Model, Product, Run, Verdict};

/// Where a process is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum At {
    Idle,
    Waiting,
    Critical,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    at: [At; 2],
    /// Who lets the other go first.
    turn: usize,
}

struct Peterson;

impl Model for Peterson {
    type State = State;

    fn initial(&self) -> Vec<State> {
        vec![State { at: [At::Idle; 2], turn: 0 }]
    }

    fn successors(&self, s: &State, out: &mut Vec<State>) {
        for me in 0..2 {
            let other = 1 - me;
            let mut next = s.clone();
            match s.at[me] {
                At::Idle => {
                    next.at[me] = At::Waiting;
                    next.turn = me;
                }
                At::Waiting if s.at[other] == At::Idle || s.turn == other => next.at[me] = At::Critical,
                At::Waiting => continue,
                At::Critical => next.at[me] = At::Idle,
            }
            out.push(next);
        }
    }

    fn propositions(&self) -> Vec<String> {
        ["wait0", "crit0", "crit1"].map(String::from).to_vec()
    }

    fn holds(&self, p: usize, s: &State) -> bool {
        match p {
            0 => s.at[0] == At::Waiting,
            1 => s.at[0] == At::Critical,
            _ => s.at[1] == At::Critical,
        }
    }
}

/// The negation of G !(crit0 & crit1): both are critical at some time.
const BOTH: &str = r#"
HOA: v1  States: 2  Start: 0  AP: 2 "crit0" "crit1"  Acceptance: 1 Inf(0)
--BODY--
State: 0      [t] 0  [0&1] 1
State: 1 {0}  [t] 1
--END--"#;

/// The negation of G (wait0 -> F crit0): 0 waits at some time and is never critical afterwards.
const STARVED: &str = r#"
HOA: v1  States: 2  Start: 0  AP: 2 "wait0" "crit0"  Acceptance: 1 Inf(0)
--BODY--
State: 0      [t] 0  [0&!1] 1
State: 1 {0}  [!1] 1
--END--"#;

/// The negation of G F crit0: from some time on 0 is never critical.
const NEVER_AGAIN: &str = r#"
HOA: v1  States: 2  Start: 0  AP: 1 "crit0"  Acceptance: 1 Inf(0)
--BODY--
State: 0      [t] 0  [!0] 1
State: 1 {0}  [!0] 1
--END--"#;

/// Decides the property whose negation the automaton accepts; true when it holds.
fn check(name: &str, negation: &str) -> bool {
    let system = Interned::new(Peterson);
    let automaton = Reader::new(negation.as_bytes()).next().expect("one automaton").expect("valid HOA").tgba;
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &automaton, Deadlocks::Stutter)
        .expect("the automaton speaks of the model's propositions")
        .with_strength(strength::of_property(&automaton));
    let choice = choose(strength::of_property(&automaton), true);
    let mut run = Run::new(Limits::default());
    let verdict = riata_explore::check(choice.algorithm, &product, &mut Exact::new(1 << 30), &mut run)
        .expect("the choice fits the automaton");
    println!("{name}: checked by {} ({}), {} states", choice.algorithm, choice.reason, run.counters.states);
    match &verdict {
        Verdict::Empty => println!("  holds"),
        Verdict::Inconclusive(stop) => println!("  inconclusive: {stop}"),
        Verdict::Accepting(lasso) => {
            println!("  violated:");
            lasso.stem.iter().for_each(|s| println!("      {:?}", system.state(product.split(s).0)));
            lasso.cycle.iter().for_each(|s| println!("    ↻ {:?}", system.state(product.split(s).0)));
        }
    }
    verdict == Verdict::Empty
}

fn main() {
    assert!(check("mutual exclusion", BOTH));
    assert!(check("whoever waits enters", STARVED));
    // Nobody makes process 0 want to enter: the other may run alone for ever.
    assert!(!check("0 enters again and again", NEVER_AGAIN));
}
