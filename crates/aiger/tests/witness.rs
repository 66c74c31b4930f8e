//! Random circuits: each witness that is written shows what it says, by a simulator that shares nothing with the rest;
//! and a bad state that a search of all states finds is found.

use proptest::prelude::*;
use riata_aiger::witness::{Answer, Property, follow, write};
use riata_aiger::{parse, read};
use riata_smv::check::{Automaton, Method, Session};
use riata_smv::evaluate::State;
use riata_smv::machine::Layout;
use riata_symbolic::Oxi;
use riata_symbolic::relation::Shape;
use riata_system::Limits;
use std::collections::HashSet;

/// A circuit as numbers, for the simulator.
#[derive(Clone, Debug)]
struct Random {
    inputs: usize,
    /// Next value, and 0, 1 or 2 for a first value that is free.
    latches: Vec<(u32, u8)>,
    gates: Vec<(u32, u32)>,
    bad: u32,
    constraint: Option<u32>,
    justice: Vec<u32>,
    fairness: Option<u32>,
}

impl Random {
    fn text(&self) -> String {
        let (i, l, a) = (self.inputs, self.latches.len(), self.gates.len());
        let (c, f) = (usize::from(self.constraint.is_some()), usize::from(self.fairness.is_some()));
        let mut text = format!("aag {} {i} {l} 0 {a} 1 {c} 1 {f}\n", i + l + a);
        (0..i).for_each(|k| text += &format!("{}\n", 2 * (k + 1)));
        for (k, (next, first)) in self.latches.iter().enumerate() {
            let lit = 2 * (i + k + 1);
            text += &match first {
                2 => format!("{lit} {next} {lit}\n"),
                first => format!("{lit} {next} {first}\n"),
            };
        }
        text += &format!("{}\n", self.bad);
        self.constraint.iter().for_each(|c| text += &format!("{c}\n"));
        text += &format!("{}\n", self.justice.len());
        self.justice.iter().for_each(|j| text += &format!("{j}\n"));
        self.fairness.iter().for_each(|f| text += &format!("{f}\n"));
        for (k, (a, b)) in self.gates.iter().enumerate() {
            text += &format!("{} {a} {b}\n", 2 * (i + l + k + 1));
        }
        text
    }

    /// The values of the literals.
    fn values(&self, inputs: u32, latches: u32) -> impl Fn(u32) -> bool + use<> {
        let mut values = vec![false];
        values.extend((0..self.inputs).map(|k| inputs >> k & 1 == 1));
        values.extend((0..self.latches.len()).map(|k| latches >> k & 1 == 1));
        for (a, b) in &self.gates {
            let get = |lit: u32| values[lit as usize / 2] ^ (lit & 1 == 1);
            values.push(get(*a) && get(*b));
        }
        move |lit| values[lit as usize / 2] ^ (lit & 1 == 1)
    }

    fn next(&self, value: impl Fn(u32) -> bool) -> u32 {
        self.latches.iter().enumerate().fold(0, |s, (k, (next, _))| s | u32::from(value(*next)) << k)
    }

    fn starts(&self, latches: u32) -> bool {
        let fits =
            |(k, (_, first)): (usize, &(u32, u8))| *first == 2 || latches >> k & 1 == u32::from(*first);
        self.latches.iter().enumerate().all(fits)
    }

    /// Is a bad state reachable along states that satisfy the constraint?
    fn reaches_bad(&self) -> bool {
        let mut todo: Vec<u32> = (0..1 << self.latches.len()).filter(|&s| self.starts(s)).collect();
        let mut seen: HashSet<u32> = todo.iter().copied().collect();
        while let Some(s) = todo.pop() {
            for inputs in 0..1 << self.inputs {
                let value = self.values(inputs, s);
                if self.constraint.is_some_and(|c| !value(c)) {
                    continue;
                }
                if value(self.bad) {
                    return true;
                }
                let t = self.next(value);
                if seen.insert(t) {
                    todo.push(t);
                }
            }
        }
        false
    }

    /// Does the witness show a violation of the property that it names?
    fn shows(&self, witness: &str) -> bool {
        let lines: Vec<&str> = witness.lines().collect();
        let bits = |line: &str| line.chars().enumerate().fold(0, |s, (k, c)| s | u32::from(c == '1') << k);
        let (["1", name, first], Some((&".", inputs))) = (&lines[..3], lines[3..].split_last()) else {
            return false;
        };
        let mut latches = bits(first);
        if !self.starts(latches) || first.len() != self.latches.len() || inputs.is_empty() {
            return false;
        }
        let (mut before, mut letters) = (Vec::new(), Vec::new());
        for line in inputs {
            let value = self.values(bits(line), latches);
            if line.len() != self.inputs || self.constraint.is_some_and(|c| !value(c)) {
                return false;
            }
            before.push(latches);
            latches = self.next(&value);
            letters.push(value);
        }
        if *name == "b0" {
            return letters.last().is_some_and(|value| value(self.bad));
        }
        let wanted: Vec<u32> = self.justice.iter().chain(&self.fairness).copied().collect();
        (0..before.len()).any(|from| {
            let cycle = &letters[from..];
            before[from] == latches && wanted.iter().all(|&l| cycle.iter().any(|value| value(l)))
        })
    }
}

fn circuit() -> impl Strategy<Value = Random> {
    (0..=2usize, 1..=4usize, 0..=7usize).prop_flat_map(|(inputs, latches, gates)| {
        let all = 2 * (inputs + latches + gates + 1) as u32;
        let gate = move |k: usize| {
            (0..2 * (inputs + latches + k + 1) as u32, 0..2 * (inputs + latches + k + 1) as u32)
        };
        (
            prop::collection::vec((0..all, 0..3u8), latches),
            (0..gates).map(gate).collect::<Vec<_>>(),
            0..all,
            prop::option::of(0..all),
            prop::collection::vec(0..all, 0..3),
            prop::option::of(0..all),
        )
            .prop_map(move |(latches, gates, bad, constraint, justice, fairness)| Random {
                inputs,
                latches,
                gates,
                bad,
                constraint,
                justice,
                fairness,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn witnesses_show_violations(random in circuit()) {
        let text = random.text();
        let circuit = read(text.as_bytes()).expect("a circuit");
        let (model, types) = parse(text.as_bytes()).expect("a model");
        let automata: Vec<_> =
            model.specs.iter().map(|s| Automaton::new(&model, &types, s, false, Method::Chosen).expect("small")).collect();
        let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
        let fresh = automata.iter().flatten().map(Automaton::bits).max().unwrap_or(0);
        let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
        let Ok(session) = Session::new(&bdd, &model, &types, &layout, Shape::default()) else {
            return Err(TestCaseError::fail("a limit"));
        };
        for (i, (spec, automaton)) in model.specs.iter().zip(&automata).enumerate() {
            let Ok(answer) = session.check(spec, automaton.as_ref(), None) else {
                return Err(TestCaseError::fail("a limit"));
            };
            let property = Property::of(&circuit, i);
            if i == 0 {
                prop_assert_eq!(answer.holds, !random.reaches_bad(), "{}", &text);
            }
            let Some(trace) = &answer.trace else {
                prop_assert!(answer.holds, "{}", text);
                continue;
            };
            let states: Vec<&State> = trace.stem.iter().chain(&trace.cycle).collect();
            let witness = write(&circuit, property, Answer::Violated(&states));
            prop_assert!(random.shows(&witness), "{}{}", text, witness);
            let followed = follow(&circuit, witness.as_bytes()).map_err(TestCaseError::fail)?;
            prop_assert_eq!(followed.property, property);
            prop_assert!(followed.states.iter().eq(states));
        }
    }
}
