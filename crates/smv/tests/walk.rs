//! Random walks: every next state is equally likely, and the end of a run is noticed.

use riata_automata::random::Rng;
use riata_smv::check::Walker;
use riata_smv::evaluate::{Concrete, State};
use riata_smv::machine::Layout;
use riata_smv::model::Value;
use riata_smv::parse_bare;
use riata_symbolic::Oxi;
use riata_system::Limits;
use std::collections::BTreeMap;

/// The runs of some seeds, of at most so many states.
fn runs(text: &str, seeds: u64, states: usize) -> Vec<Vec<State>> {
    let (model, types) = parse_bare(text).expect("a model");
    let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
    let layout = Layout::new(&bdd, &model, &types, 0, &[]);
    let Ok(walker) = Walker::new(&bdd, &model, &layout) else { panic!("a limit") };
    let run = |seed| {
        let (mut walk, mut random) = (walker.walk(), Rng::new(seed));
        for _ in 0..states {
            match walk.go(&mut |p| random.chance(p)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) => panic!("a limit"),
            }
        }
        walk.states()
    };
    (0..seeds).map(run).collect()
}

fn count(values: impl Iterator<Item = Concrete>) -> BTreeMap<Concrete, usize> {
    let mut counts = BTreeMap::new();
    values.for_each(|v| *counts.entry(v).or_default() += 1);
    counts
}

#[test]
fn every_state_is_equally_likely() {
    // The next x is 0 for one input of four only, and all the same as likely as 1.
    let text = "MODULE main VAR x : 0..4; b : boolean; DEFINE low := x < 2; IVAR i : 0..3;
        ASSIGN next(x) := i = 2 ? 0 : 1; next(b) := TRUE; FAIRNESS i = 1";
    let runs = runs(text, 2000, 2);
    let first = count(runs.iter().map(|r| r[0][0]));
    assert_eq!(first.len(), 5);
    assert!(first.values().all(|n| (340..460).contains(n)), "{first:?}");
    let second = count(runs.iter().map(|r| r[1][0]));
    assert_eq!(second.len(), 2);
    assert!(second.values().all(|n| (900..1100).contains(n)), "{second:?}");
    // The input is that of the step: 2 exactly if the next x is 0; else one of three.
    let zero = Concrete::Value(Value::Int(0));
    let two = Concrete::Value(Value::Int(2));
    assert!(runs.iter().all(|r| (r[0][2] == two) == (r[1][0] == zero)));
    let others = count(runs.iter().filter(|r| r[1][0] != zero).map(|r| r[0][2]));
    assert_eq!(others.len(), 3);
    assert!(others.values().all(|n| (270..400).contains(n)), "{others:?}");
}

#[test]
fn a_run_ends_where_nothing_follows() {
    let text = "MODULE main VAR x : 0..9; INIT x = 0 TRANS next(x) = x + 1 & x < 7";
    assert_eq!(runs(text, 1, 50)[0].len(), 8);
    assert!(runs("MODULE main VAR x : boolean; INIT x & !x", 1, 5)[0].is_empty());
}

#[test]
fn all_ways_are_shown() {
    let (model, types) =
        parse_bare("MODULE main VAR x : 0..4; y : boolean; ASSIGN init(x) := 0;").expect("a model");
    let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
    let layout = Layout::new(&bdd, &model, &types, 0, &[]);
    let Ok(walker) = Walker::new(&bdd, &model, &layout) else { panic!("a limit") };
    let mut walk = walker.walk();
    let Ok((ways, more)) = walk.ways(10) else { panic!("a limit") };
    assert_eq!((ways.len(), more), (2, false));
    assert!(walk.follow(&ways[1]).is_ok() && walk.last() == Some(&ways[1].state));
    let Ok((ways, more)) = walk.ways(10) else { panic!("a limit") };
    assert_eq!((ways.len(), more), (10, false));
    let Ok((ways, more)) = walk.ways(9) else { panic!("a limit") };
    assert_eq!((ways.len(), more), (9, true));
}
