//! Flooding consensus with crashes as a Rust type, checked against automata written in HOA.
//!
//! `cargo run --release --example consensus`
//!
//! Three processes begin with 0 or 1 and tell each other, in rounds, all values they know; then each decides for the
//! smallest. One process may crash in the middle of a round, so that only some others hear it. Two rounds are enough
//! for agreement; after one round, the lasso shows how two processes come to disagree.

use riata_automata::hoa::Reader;
use riata_explore::ascc;
use riata_store::Exact;
use riata_system::{Deadlocks, Interned, Limits, Model, Product, Run, Verdict};

const PROCESSES: usize = 3;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    round: u8,
    /// For each process the values it knows: bit 0 for 0, bit 1 for 1.
    knows: [u8; PROCESSES],
    crashed: Option<usize>,
}

struct Flooding {
    rounds: u8,
}

impl State {
    /// What the process `p` decides, when the rounds are over.
    fn decision(&self, p: usize) -> Option<u32> {
        (self.crashed != Some(p)).then(|| self.knows[p].trailing_zeros())
    }

    /// One round in which the message of `silent.0` (if any) reaches only the processes in the set `silent.1`.
    fn after_round(&self, silent: Option<(usize, u8)>) -> State {
        let mut next = self.clone();
        next.round += 1;
        for from in 0..PROCESSES {
            let reached = match silent {
                Some((p, set)) if p == from => set,
                _ if self.crashed == Some(from) => 0,
                _ => !0,
            };
            for to in (0..PROCESSES).filter(|to| reached >> to & 1 == 1) {
                next.knows[to] |= self.knows[from];
            }
        }
        next.crashed = self.crashed.or(silent.map(|(p, _)| p));
        next
    }
}

impl Model for Flooding {
    type State = State;

    fn initial(&self) -> Vec<State> {
        let inputs = |bits: usize| std::array::from_fn(|p| 1 << (bits >> p & 1));
        (0..1 << PROCESSES).map(|bits| State { round: 0, knows: inputs(bits), crashed: None }).collect()
    }

    fn successors(&self, s: &State, out: &mut Vec<State>) {
        if s.round == self.rounds {
            return; // decided; the run stutters
        }
        out.push(s.after_round(None));
        if s.crashed.is_none() {
            for p in 0..PROCESSES {
                out.extend((0..1 << PROCESSES).map(|set| s.after_round(Some((p, set)))));
            }
        }
    }

    fn propositions(&self) -> Vec<String> {
        ["decided", "disagree"].map(String::from).to_vec()
    }

    fn holds(&self, p: usize, s: &State) -> bool {
        let decided = s.round == self.rounds;
        let mut values = (0..PROCESSES).filter_map(|p| s.decision(p));
        let first = values.next();
        decided && (p == 0 || values.any(|v| Some(v) != first))
    }
}

/// The negation of agreement, G !disagree.
const DISAGREE: &str = r#"
HOA: v1  States: 2  Start: 0  AP: 1 "disagree"  Acceptance: 1 Inf(0)
--BODY--
State: 0      [!0] 0  [0] 1
State: 1 {0}  [t] 1
--END--"#;

/// The negation of termination, F decided.
const UNDECIDED: &str = r#"
HOA: v1  States: 1  Start: 0  AP: 1 "decided"  Acceptance: 1 Inf(0)
--BODY--
State: 0 {0}  [!0] 0
--END--"#;

fn check(rounds: u8, name: &str, negation: &str) -> bool {
    let system = Interned::new(Flooding { rounds });
    let automaton = Reader::new(negation.as_bytes()).next().expect("one automaton").expect("valid HOA").tgba;
    let names = system.model().propositions();
    let product = Product::new(&system, &names, &automaton, Deadlocks::Stutter)
        .expect("the automaton speaks of the model's propositions");
    let mut run = Run::new(Limits::default());
    let verdict = ascc::check(&product, &mut Exact::new(1 << 30), &mut run);
    println!("{rounds} rounds, {name}: {} states", run.counters.states);
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
    for rounds in [1, 2] {
        assert!(check(rounds, "termination", UNDECIDED));
    }
    assert!(!check(1, "agreement", DISAGREE));
    assert!(check(2, "agreement", DISAGREE));
}
