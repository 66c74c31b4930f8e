//! Searches that are watched: the events of a run, replayed, end in the colours, verdict and counters of a run that
//! nobody watched; and each event is a line of the paper's text.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use riata_automata::Tgba;
use riata_explore::watch::{self, Replay, Script};
use riata_explore::{Algorithm, Whole, check, scc};
use riata_store::{
    BitSet, Colour, Colours, Dense, Exact, ForNumbered, Full, Numbered, Packed, Palette, Row, StateSet, Store,
};
use riata_system::watch::{Event, Procedure};
use riata_system::{
    Counters, Degeneralised, DegeneralisedStates, Explicit, Graph, Lasso, Limits, OnStates, Path, Run,
    StateMarked, Strength, Verdict,
};
use riata_testkit::{Case, Shape, cases};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(2000))]
    #[test]
    fn general_automata(case in cases(Shape::General)) {
        every_check(&case)?;
    }

    #[test]
    fn weak_automata(case in cases(Shape::Weak)) {
        every_check(&case)?;
    }

    #[test]
    fn terminal_automata(case in cases(Shape::Terminal)) {
        every_check(&case)?;
    }

    #[test]
    fn decompositions(case in cases(Shape::General)) {
        let automaton = case.automaton();
        for tarjan in [true, false] {
            let g = Explicit::new(&automaton);
            let (mut alone, mut run) = (Run::new(Limits::default()), Run::new(Limits::default()));
            let wanted = match tarjan {
                true => scc::tarjan(&g, &mut Dense, &mut alone),
                false => scc::se05(&g, &mut Dense, &mut alone),
            };
            let (found, events) = watch::components(tarjan, &automaton, &mut run).unwrap();
            prop_assert_eq!(Ok(&found), wanted.as_ref());
            prop_assert_eq!(counted(run.counters), counted(alone.counters));
            let algorithm = if tarjan { Algorithm::Tarjan72 } else { Algorithm::Couvreur99 };
            let end = replayed(algorithm, &automaton, &events)?;
            prop_assert_eq!(end.counters, counted(run.counters));
            // Components are removed one after the other, in the order of their numbers.
            let removed = events.iter().filter_map(|e| if let Event::Removed(s) = e { Some(*s) } else { None });
            let order: Vec<u32> = removed.map(|s| found.of[s as usize]).collect();
            prop_assert!(order.is_sorted());
            prop_assert_eq!(order.len() as u64, run.counters.states);
        }
    }
}

/// Without what memory a search held: a store that is watched holds more.
fn counted(c: Counters) -> Counters {
    Counters { bytes: 0, ..c }
}

/// Replays events, and sees that each has its line.
fn replayed(algorithm: Algorithm, automaton: &Tgba, events: &[Event]) -> Result<Replay, TestCaseError> {
    let script = Script::of(algorithm);
    let mut now = Replay::new(automaton.states());
    for &event in events {
        let outside = match event {
            Event::Initial(_) => true,
            Event::Return(Procedure::Outer) => now.calls[0].len() == 1,
            _ => false,
        };
        prop_assert_eq!(script.line_of(&now, event).is_none(), outside, "{} {:?}", algorithm, event);
        if let Event::Removed(s) = event
            && !now.current.is_empty()
        {
            prop_assert_eq!(now.current.last(), Some(&s), "what is removed is popped");
        }
        if let Event::Edge(p, ..) | Event::Return(p) | Event::Again(p) = event {
            prop_assert!(!now.calls[p as usize].is_empty());
        }
        now.apply(event);
    }
    Ok(now)
}

fn every_check(case: &Case) -> Result<(), TestCaseError> {
    let automaton = case.automaton();
    let strength = case.strength();
    for algorithm in Algorithm::ALL.into_iter().filter(|a| a.refuses(strength, true).is_none()) {
        let g = Explicit::with_strength(&automaton, strength);
        if !algorithm.needs_one_set() || automaton.state_marks.is_some() && case.sets <= 1 {
            one(algorithm, &g, (&automaton, strength), &|s| vec![s])?;
            continue;
        }
        match OnStates::new(g) {
            Some(g) => degeneralised(algorithm, &DegeneralisedStates::new(&g))?,
            None => degeneralised(algorithm, &Degeneralised::new(&g))?,
        }
    }
    Ok(())
}

/// A graph that was made for a check is written down for the film.
fn degeneralised<G: StateMarked>(algorithm: Algorithm, g: &G) -> Result<(), TestCaseError> {
    let mut run = Run::new(Limits::default());
    let whole = Whole::on_states(g, &mut run, usize::MAX, &mut |_| {}).unwrap().expect("there is no limit");
    let words = |s: u32| {
        let mut state = Vec::new();
        whole.states.load(s, &mut state);
        state
    };
    one(algorithm, g, (&whole.automaton, g.strength()), &words)
}

/// A check on `g` alone, and watched on what was written down of it.
fn one<G: Graph>(
    algorithm: Algorithm,
    g: &G,
    (automaton, strength): (&Tgba, Strength),
    words: &dyn Fn(u32) -> Vec<u32>,
) -> Result<(), TestCaseError> {
    let mut alone = Run::new(Limits::default());
    let wanted = check(algorithm, g, &mut Exact::new(1 << 26), &mut alone).unwrap();
    let mut run = Run::new(Limits::default());
    let (found, events) = watch::check(algorithm, (automaton, strength), &mut run).unwrap();
    prop_assert_eq!(counted(run.counters), counted(alone.counters), "{}", algorithm);
    let end = replayed(algorithm, automaton, &events)?;
    prop_assert_eq!(end.counters, counted(run.counters), "{}", algorithm);
    match (&wanted, &found) {
        (Verdict::Empty, Verdict::Empty) => {
            prop_assert!(
                end.calls.iter().all(Vec::is_empty) && end.roots.is_empty() && end.current.is_empty()
            );
            let numbered = end.numbers.iter().filter(|n| **n > 0).count();
            let removed = end.removed.iter().filter(|r| **r).count();
            prop_assert_eq!(numbered, removed, "{}", algorithm);
        }
        (Verdict::Accepting(a), Verdict::Accepting(b)) => {
            let named = |p: &Path| p.iter().map(|s| words(s[0])).collect::<Vec<_>>();
            let plain = |p: &Path| p.iter().map(<[u32]>::to_vec).collect::<Vec<_>>();
            prop_assert_eq!(
                (plain(&a.stem), plain(&a.cycle)),
                (named(&b.stem), named(&b.cycle)),
                "{}",
                algorithm
            );
            on_the_stacks(algorithm, &end, b)?;
        }
        _ => prop_assert!(false, "{} says {:?}, watched {:?}", algorithm, wanted, found),
    }
    colours(algorithm, automaton, strength, &end)
}

/// What a nested search reports is what is on its stacks.
fn on_the_stacks(algorithm: Algorithm, end: &Replay, lasso: &Lasso) -> Result<(), TestCaseError> {
    use Algorithm::*;
    if matches!(algorithm, Hpy96 | Gmz04 | Se05 | And | Sd) {
        let stacks: Vec<u32> = end.calls[0].iter().chain(end.calls[1].iter().skip(1)).copied().collect();
        let states: Vec<u32> = lasso.stem.iter().chain(lasso.cycle.iter()).map(|s| s[0]).collect();
        prop_assert_eq!(stacks, states, "{}", algorithm);
    }
    Ok(())
}

/// The colours and sets of a run that nobody watched.
#[derive(Clone, Default)]
struct Spy(Rc<RefCell<Seen>>);

#[derive(Default)]
struct Seen {
    colours: BTreeMap<u32, u8>,
    sets: [Vec<u32>; 2],
}

struct SpyColours(Packed, Spy);
struct SpySet(BitSet, usize, Spy);

impl Store for Spy {
    type Id = u32;
    type Set = SpySet;
    type Colours = SpyColours;

    fn is_exact(&self) -> bool {
        true
    }
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        Ok(s[0])
    }
    fn bytes(&self) -> usize {
        0
    }
    fn sets<const N: usize>(&self) -> [SpySet; N] {
        std::array::from_fn(|i| SpySet(BitSet::default(), i, self.clone()))
    }
    fn colours(&self, palette: Palette) -> SpyColours {
        SpyColours(Packed::new(palette), self.clone())
    }
    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl Numbered for Spy {
    fn find(&self, s: &[u32]) -> Option<u32> {
        Some(s[0])
    }
}

impl Colours<u32> for SpyColours {
    fn get(&self, id: u32) -> Colour {
        self.0.get(id)
    }
    fn set(&mut self, id: u32, colour: Colour) {
        self.0.set(id, colour);
        self.1.0.borrow_mut().colours.insert(id, self.0.get(id) as u8);
    }
    fn bytes(&self) -> usize {
        0
    }
}

impl StateSet<u32> for SpySet {
    fn contains(&self, id: u32) -> bool {
        self.0.contains(id)
    }
    fn insert(&mut self, id: u32) {
        self.0.insert(id);
        self.2.0.borrow_mut().sets[self.1].push(id);
    }
    fn bytes(&self) -> usize {
        0
    }
}

fn colours(
    algorithm: Algorithm,
    automaton: &Tgba,
    strength: Strength,
    end: &Replay,
) -> Result<(), TestCaseError> {
    let spy = Spy::default();
    let g = Explicit::with_strength(automaton, strength);
    check(algorithm, &g, &mut spy.clone(), &mut Run::new(Limits::default())).unwrap();
    let seen = spy.0.borrow();
    for s in 0..automaton.states() as u32 {
        let colour = seen.colours.get(&s).copied().unwrap_or(0);
        prop_assert_eq!(end.colours[s as usize], colour, "{}: state {}", algorithm, s);
        // TAU03 keeps its sets itself.
        for set in (0..2).filter(|_| algorithm != Algorithm::Tau03) {
            prop_assert_eq!(
                end.sets[set][s as usize],
                seen.sets[set].contains(&s),
                "{}: state {}",
                algorithm,
                s
            );
        }
    }
    Ok(())
}
