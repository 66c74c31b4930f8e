//! A system that is remembered is the system: every check says and counts the same, whatever is kept and forgotten, and with
//! any number of scouts.

use proptest::prelude::*;
use riata_automata::hoa::Reader;
use riata_automata::{Strength, Tgba, strength};
use riata_explore::known::{Known, Remembers, Room};
use riata_explore::scouts::Scouted;
use riata_explore::{Algorithm, check, lowered};
use riata_store::{Exact, Store, shared};
use riata_system::{
    ActionId, Deadlocks, Degeneralised, Failures, Graph, Limits, Product, Run, Stop, System, Valuation,
    Verdict,
};
use std::fmt::Write;

/// A system of numbers, each with its successors, the truth of two propositions, and whether these have values.
#[derive(Clone, Debug)]
struct Table {
    initial: Vec<u32>,
    states: Vec<(Vec<u32>, u64, u64)>,
    failed: Option<u32>,
}

impl System for Table {
    type Cursor = usize;

    fn words(&self) -> usize {
        3
    }

    fn len(&self, s: &[u32]) -> usize {
        2 + (s[0] % 2) as usize
    }

    fn initial(&self, at: &mut usize, dst: &mut [u32]) -> bool {
        *at += 1;
        let Some(&s) = self.initial.get(*at - 1) else { return false };
        dst.copy_from_slice(&[s, 7, s]);
        true
    }

    fn next(&self, src: &[u32], at: &mut usize, dst: &mut [u32]) -> Option<ActionId> {
        *at += 1;
        let &s = self.states[src[0] as usize].0.get(*at - 1).filter(|_| !self.failed(src))?;
        dst.copy_from_slice(&[s, 7, s]);
        Some(ActionId(*at as u32))
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        Valuation(self.states[s[0] as usize].1)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        Valuation(self.states[s[0] as usize].2)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.failed == Some(s[0])
    }
}

fn tables() -> impl Strategy<Value = Table> {
    (1u32..12).prop_flat_map(|n| {
        let rare = prop_oneof![6 => Just(0u64), 1 => 0u64..4];
        let state = (prop::collection::vec(0..n, 0..4), 0u64..4, rare);
        let failed = prop_oneof![3 => Just(None), 1 => (0..n).prop_map(Some)];
        (prop::collection::vec(0..n, 0..3), prop::collection::vec(state, n as usize), failed)
            .prop_map(|(initial, states, failed)| Table { initial, states, failed })
    })
}

/// Automata of up to twenty states, so that identities are made in both ways.
fn automata() -> impl Strategy<Value = (Tgba, bool)> {
    const LABELS: [&str; 9] = ["t", "0", "!0", "1", "!1", "0&1", "0&!1", "0|1", "!0&!1"];
    let size = prop_oneof![3 => 1usize..4, 1 => 4usize..20];
    (size, 0u32..3, any::<bool>()).prop_flat_map(move |(n, sets, on_states)| {
        let edge = (0..n, prop::sample::select(&LABELS[..]), 0..1u32 << sets);
        let state = (0..1u32 << sets, prop::collection::vec(edge, 0..4));
        prop::collection::vec(state, n).prop_map(move |states| {
            let marks = |m: u32| {
                let sets: Vec<String> =
                    (0..sets).filter(|i| m >> i & 1 == 1).map(|i| i.to_string()).collect();
                format!("{{{}}}", sets.join(" "))
            };
            let condition: Vec<String> = (0..sets).map(|i| format!("Inf({i})")).collect();
            let condition = if sets == 0 { "t".into() } else { condition.join("&") };
            let mut hoa = format!(
                "HOA: v1 States: {n} Start: 0 AP: 2 \"p\" \"q\" Acceptance: {sets} {condition}\n--BODY--\n"
            );
            for (i, (own, edges)) in states.iter().enumerate() {
                let own = if on_states { marks(*own) } else { String::new() };
                writeln!(hoa, "State: {i} {own}").expect("a string");
                for (to, label, m) in edges {
                    let m = if on_states { String::new() } else { marks(*m) };
                    writeln!(hoa, "[{label}] {to} {m}").expect("a string");
                }
            }
            hoa.push_str("--END--");
            let read = Reader::new(hoa.as_bytes()).next().expect("one automaton").expect("valid HOA");
            (read.tgba, on_states && sets == 1)
        })
    })
}

/// What a check says, if it says something, and what it counts: states, transitions, enumerations.
fn told<G: Graph, S: Store>(algorithm: Algorithm, g: &G, store: &mut S) -> Option<(Verdict, [u64; 4])> {
    let mut run = Run::new(Limits::default());
    let verdict = check(algorithm, g, store, &mut run).ok()?;
    let c = run.counters;
    Some((verdict, [c.states, c.transitions, c.post_calls, c.max_depth]))
}

/// A question to a system.
struct Question<'a> {
    table: &'a Table,
    automaton: &'a Tgba,
    on_states: bool,
    strength: Strength,
    ends: Deadlocks,
    failures: Failures,
}

impl Question<'_> {
    fn product<'s, S: System>(&'s self, system: &'s S) -> Product<'s, S> {
        let product = Product::new(system, &["p", "q"], self.automaton, self.ends).expect("a product");
        product.with_strength(self.strength).with_failures(self.failures)
    }

    /// What a check says about the system itself, and about what is known of it.
    fn compare<R: Remembers>(&self, algorithm: Algorithm, known: &Known<R>) -> Result<(), TestCaseError> {
        let (product, beneath) = (self.product(known), self.product(self.table));
        let n = self.automaton.states() as u32;
        let mut exact = Exact::new(usize::MAX);
        let (right, said) = if !algorithm.needs_one_set() {
            (told(algorithm, &beneath, &mut exact), told(algorithm, &product, &mut known.numbers(n, 1)))
        } else if self.on_states {
            let (beneath, product) = (beneath.on_states().ok().unwrap(), product.on_states().ok().unwrap());
            let right = told(algorithm, &beneath, &mut exact);
            (right, told(algorithm, &product, &mut known.numbers(n, 1)))
        } else {
            let (above, below) = (Degeneralised::new(&product), Degeneralised::new(&beneath));
            let right = told(algorithm, &below, &mut exact);
            let said = told(algorithm, &above, &mut known.numbers(n, self.automaton.sets + 1));
            let lowers = |(v, c)| (lowered(&product, &above, v), c);
            (right.map(|(v, c)| (lowered(&beneath, &below, v), c)), said.map(lowers))
        };
        prop_assert_eq!(known.full(), None);
        // The run is one of the system itself, which `lowered` sees to.
        let beneath = self.product(self.table);
        let said = said.map(|(v, c)| (lowered(&beneath, known, v), c));
        prop_assert_eq!(right, said, "{:?}", algorithm);
        Ok(())
    }
}

proptest! {
    #[test]
    fn every_check_says_and_counts_the_same(
        table in tables(),
        (automaton, on_states) in automata(),
        stutters in any::<bool>(),
        rejects in any::<bool>(),
        compressed in any::<bool>(),
        lists in prop_oneof![Just(usize::MAX), 40usize..200],
        scouts in prop_oneof![Just(0usize), 1usize..4],
    ) {
        let ends = if stutters { Deadlocks::Stutter } else { Deadlocks::Ignore };
        let failures = if rejects { Failures::Reject } else { Failures::Accept };
        let strength = strength::of_property(&automaton);
        let q = Question { table: &table, automaton: &automaton, on_states, strength, ends, failures };
        for algorithm in Algorithm::ALL {
            let room = Room { states: usize::MAX, lists };
            if scouts == 0 {
                q.compare(algorithm, &Known::new(&table, compressed, room))?;
                continue;
            }
            let states = match compressed {
                true => shared::Any::Tree(shared::Tree::new(usize::MAX, 3, 2)),
                false => shared::Any::Exact(shared::Exact::new(usize::MAX, 3, 2)),
            };
            let scouted = Scouted::new(&table, states, room);
            scouted.with(scouts, |leader| q.compare(algorithm, &Known::by(leader)))?;
        }
    }
}

/// A long line of states is not all of it if there is no room: nothing is said to be empty.
#[test]
fn who_has_no_room_does_not_say_empty() {
    let n = 20_000;
    let states = (0..n).map(|i| (vec![(i + 1) % n], 0, 0)).collect();
    let table = Table { initial: vec![0], states, failed: None };
    let hoa =
        "HOA: v1 States: 1 Start: 0 AP: 2 \"p\" \"q\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 --END--";
    let automaton = Reader::new(hoa.as_bytes()).next().unwrap().unwrap().tgba;
    for ends in [Deadlocks::Stutter, Deadlocks::Ignore] {
        for compressed in [false, true] {
            let room = Room { states: 40_000, lists: 10_000 };
            says_so(&Known::new(&table, compressed, room), &automaton, ends);
            let states = match compressed {
                true => shared::Any::Tree(shared::Tree::new(room.states, 3, 2)),
                false => shared::Any::Exact(shared::Exact::new(room.states, 3, 2)),
            };
            Scouted::new(&table, states, room).with(2, |l| says_so(&Known::by(l), &automaton, ends));
        }
    }
}

fn says_so<R: Remembers>(known: &Known<R>, automaton: &Tgba, ends: Deadlocks) {
    let product = Product::new(known, &["p", "q"], automaton, ends).unwrap();
    let (verdict, _) = told(Algorithm::Ascc, &product, &mut known.numbers(1, 1)).unwrap();
    let said = known.full().is_some() || verdict == Verdict::Inconclusive(Stop::Memory);
    assert!(said && !matches!(verdict, Verdict::Accepting(_)), "{verdict:?}");
}
