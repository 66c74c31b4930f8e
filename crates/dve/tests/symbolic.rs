//! Two engines, one meaning: states, steps, ends and verdicts of random models, one by one and by sets.

mod generator;

use generator::{expression, model};
use proptest::prelude::*;
use riata_automata::{Options as Translation, strength, translate};
use riata_explore::ascc;
use riata_program::{Claim, Interpreter, Observer, Options, Property};
use riata_store::Exact;
use riata_symbolic::learn::Sampling;
use riata_symbolic::learn::session::{At, Session, Setup, with};
use riata_symbolic::product::bits_of;
use riata_symbolic::relation::Shape;
use riata_symbolic::{Algorithm, Oxi};
use riata_system::{
    Deadlocks, Effect, Lasso, Limits, Observable, Observation, Product, Run, System, Verdict, replay,
};
use std::collections::{HashMap, HashSet};

/// So many states are enough.
const MANY: usize = 3000;

/// What a search state by state counts: states, transitions, states without a successor. None if there are too many.
fn explored(it: &Interpreter) -> Option<(usize, usize, usize, Vec<Vec<u32>>)> {
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut seen = HashSet::from([s.clone()]);
    let (mut queue, mut transitions, mut ends) = (vec![s], 0, 0);
    let mut next = 0;
    while let Some(s) = queue.get(next).cloned() {
        next += 1;
        let (mut at, mut t, mut moves) = (Default::default(), s.clone(), 0);
        while it.next(&s, &mut at, &mut t).is_some() {
            moves += 1;
            if seen.insert(t.clone()) {
                queue.push(t.clone());
            }
        }
        transitions += moves;
        ends += usize::from(moves == 0);
        if queue.len() > MANY {
            return None;
        }
    }
    Some((queue.len(), transitions, ends, queue))
}

/// An expression of a process as one of the model: `l` is local.
fn global(e: &str, process: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for c in e.chars() {
        match words.last_mut() {
            Some(w) if c.is_alphanumeric() && w.ends_with(char::is_alphanumeric) => w.push(c),
            _ => words.push(c.into()),
        }
    }
    let mut text = String::new();
    for word in words {
        let local = word == "l" && !text.ends_with("->");
        text += &if local { format!("{process}->l") } else { word };
    }
    text
}

/// The steps of a state, by watching.
fn watched(watch: &Observer, s: &[u32]) -> HashMap<Vec<u32>, usize> {
    let mut found = HashMap::new();
    let mut seen = Observation::default();
    for group in 0..watch.groups() {
        watch.attempt(group, s, &mut seen);
        for look in &seen.looks {
            assert_eq!(watch.slots()[look.slot as usize].load(s) == look.value, look.equal);
        }
        for step in &seen.steps {
            let mut t = s.to_vec();
            match step {
                Effect::Sink => t = watch.sink().2,
                Effect::Writes(list) => {
                    list.iter().for_each(|&(slot, v)| watch.slots()[slot as usize].store(&mut t, v));
                }
            }
            *found.entry(t).or_default() += 1;
        }
    }
    found
}

/// Every step of a lasso is the one that it names, and leads where it says.
fn takes_its_steps(it: &Interpreter, lasso: &Lasso) {
    let walk = lasso.walk();
    assert_eq!(walk.choices.len(), walk.states.len());
    let mut dst = vec![0; it.words()];
    for (src, choice, to) in (0..walk.choices.len()).filter_map(|i| walk.step(i)) {
        let (src, to) = (&src[..it.words()], &to[..it.words()]);
        match choice.resume(it, src, &mut dst) {
            Some(_) => assert_eq!(dst, to),
            None => assert!(src == to && it.next(src, &mut Default::default(), &mut dst).is_none()),
        }
    }
}

fn lasso(stem: &[At], cycle: &[At], words: impl Fn(&At) -> Vec<u32>) -> Lasso {
    let path = |list: &[At]| list.iter().map(&words).collect::<Vec<_>>().iter().map(|w| &w[..]).collect();
    let marks = (1..=cycle.len()).map(|i| cycle[i % cycle.len()].marks).collect();
    Lasso { stem: path(stem), cycle: path(cycle), marks, choices: Vec::new() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn to_watch_changes_nothing(text in model()) {
        let Ok(model) = riata_dve::parse(&text) else { return Ok(()) };
        let it = Interpreter::new(model.program(), Options::default()).unwrap();
        let Some((.., states)) = explored(&it) else { return Ok(()) };
        let watch = Observer::new(&it).unwrap();
        for s in states.iter().filter(|s| !it.is_fault(s)).take(200) {
            let mut expected = HashMap::new();
            let (mut at, mut t) = (Default::default(), s.clone());
            while it.next(s, &mut at, &mut t).is_some() {
                *expected.entry(t.clone()).or_insert(0) += 1;
            }
            prop_assert_eq!(watched(&watch, s), expected, "{}", text);
        }
    }

    #[test]
    fn both_engines_agree(text in model(), p in expression(), q in expression(), shape in 0..5usize) {
        let Ok(mut model) = riata_dve::parse(&text) else { return Ok(()) };
        let (p, q) = (global(&p, "P0"), global(&q, "P1"));
        if model.proposition(&p).is_err() || model.proposition(&q).is_err() {
            return Ok(());
        }
        let it = Interpreter::new(model.program(), Options::default()).unwrap();
        let Some((states, transitions, ends, all)) = explored(&it) else { return Ok(()) };
        // What fails is for the command line to decide.
        let fails = all.iter().any(|s| it.is_fault(s));
        let formula = ["G a", "F a", "G (a -> F b)", "F G a", "a U X b"][shape];
        let ltl = riata_ltl::parse(formula, riata_ltl::Dialect::Auto).unwrap();
        let mut automaton = translate(&ltl.negated(), &Translation::default()).unwrap();
        let names: Vec<String> = automaton.aps.drain(..).map(|ap| if ap == "a" { p.clone() } else { q.clone() }).collect();
        automaton.aps = names;
        let known: Vec<&str> = model.program().propositions.iter().map(|p| p.name.as_str()).collect();
        let watch = Observer::new(&it).unwrap();
        // Where little was seen before, slots have to grow.
        let sampling = Sampling { near: [1, 8, 4096][shape % 3], ways: 0, steps: 0 };
        let setup = Setup { fresh: bits_of(&automaton), shape: Shape::default(), sampling };
        let manager = |bits| Oxi::for_bits(Limits::default(), bits);
        with(&watch, &setup, manager, |session: &Session<_, _>| {
            let learned = &session.learned;
            assert_eq!(learned.count(&learned.reached), states as f64, "{text}");
            assert_eq!(learned.transitions()?, transitions as f64, "{text}");
            assert_eq!(learned.count(&session.ends), ends as f64, "{text}");
            let (.., sink) = watch.sink();
            let mut atoms = Vec::new();
            for ap in &automaton.aps {
                let i = known.iter().position(|n| n == ap).unwrap();
                let in_sink = watch.valuation(&sink).0 >> i & 1 == 1;
                // Where a proposition has no value somewhere, the symbolic engine does not decide.
                let Some(set) = session.set(i, in_sink, false)? else { return Ok(()) };
                atoms.push(set);
            }
            if fails {
                return Ok(());
            }
            let strength = strength::of_property(&automaton);
            for deadlocks in [Deadlocks::Stutter, Deadlocks::Ignore] {
                let product = Product::new(&it, &known, &automaton, deadlocks).unwrap();
                let mut run = Run::new(Limits::default());
                let verdict = ascc::check(&product, &mut Exact::new(usize::MAX), &mut run);
                if let Verdict::Accepting(lasso) = &verdict {
                    takes_its_steps(&it, lasso);
                }
                for algorithm in [None, Some(Algorithm::El), Some(Algorithm::Chain)] {
                    let runs = session.runs((&automaton, strength), &atoms, deadlocks, algorithm)?;
                    assert_eq!(runs.lasso.is_some(), matches!(verdict, Verdict::Accepting(_)), "{text}\n{formula} {p} {q}");
                    if let Some((stem, cycle)) = &runs.lasso {
                        assert!(replay(&product, &lasso(stem, cycle, |at| [&at.state[..], &[at.automaton]].concat())).is_ok(), "{text}");
                    }
                }
            }
            Ok(())
        }).unwrap();
    }

    #[test]
    fn a_property_process_is_an_automaton(
        text in model(),
        edges in prop::collection::vec((0..3u8, 0..3u8, prop::option::of(expression())), 1..5),
    ) {
        let edge = |(from, to, guard): &(u8, u8, Option<String>)| {
            let guard = guard.as_ref().map_or(String::new(), |g| format!("guard {};", global(g, "P0")));
            format!("q{from} -> q{to} {{ {guard} }}")
        };
        let edges: Vec<String> = edges.iter().map(edge).collect();
        let claim = format!(
            "process Watcher {{ state q0, q1, q2; init q0; accept q1; trans {}; }}\n",
            edges.join(", ")
        );
        let text = text.replace("system async", &(claim + "system async property Watcher"));
        let Ok(model) = riata_dve::parse(&text) else { return Ok(()) };
        let Some(Property::Never(_, Claim::Automaton(claim))) = &model.property else { return Ok(()) };
        let it = Interpreter::new(model.program(), Options::default()).unwrap();
        let Some((.., all)) = explored(&it) else { return Ok(()) };
        // What fails, and guards without a value, are for the command line to decide.
        if all.iter().any(|s| it.is_fault(s) || it.undefined(s).0 != 0) {
            return Ok(());
        }
        let automaton = model.program().automaton(claim);
        let strength = strength::of_property(&automaton);
        let names: Vec<&str> = automaton.aps.iter().map(String::as_str).collect();
        let watch = Observer::new(&it).unwrap();
        for deadlocks in [Deadlocks::Stutter, Deadlocks::Ignore] {
            let product = Product::new(&it, &names, &automaton, deadlocks).unwrap();
            let mut run = Run::new(Limits::default());
            let verdict = ascc::check(&product, &mut Exact::new(usize::MAX), &mut run);
            let setup = Setup { fresh: bits_of(&automaton), shape: Shape::default(), sampling: Sampling::default() };
            with(&watch, &setup, |bits| Oxi::for_bits(Limits::default(), bits), |session: &Session<_, _>| {
                let mut atoms = Vec::new();
                for i in 0..names.len() {
                    let Some(set) = session.set(i, false, false)? else { return Ok(()) };
                    atoms.push(set);
                }
                let runs = session.runs((&automaton, strength), &atoms, deadlocks, None)?;
                assert_eq!(runs.lasso.is_some(), matches!(verdict, Verdict::Accepting(_)), "{text}");
                if let Some((stem, cycle)) = &runs.lasso {
                    let words = |at: &At| [&at.state[..], &[at.automaton]].concat();
                    assert!(replay(&product, &lasso(stem, cycle, words)).is_ok(), "{text}");
                }
                Ok(())
            }).unwrap();
        }
    }
}
