//! Where the time of a search goes: the parts make up the whole, and each part that the search has is there, whatever the check,
//! the store, and what tells the successors.

use riata::options::{Algorithms, EndOfRuns, Engine, Fairness, Store, Threads};
use riata::report::answer::Stats;
use riata::table::{Command, refused};
use riata::{Answer, How, Kind, Model, Nobody, Options};
use std::time::Instant;

/// Every step counts, so `a` is 0 again and again; 300,000 states.
const TEXT: &str = "byte a, b, c;
active proctype P() {
  do
  :: atomic { a = (a + 1) % 100; if :: b = (b + 1) % 60 :: c = (c + 1) % 50 :: skip fi }
  od
}";

fn options(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    options.stats = true;
    change(&mut options);
    options
}

/// The answers to a question about the model, and how long all of it took.
fn asked(name: &str, options: &Options, explore: bool) -> (Vec<Answer>, f64) {
    let path = std::env::temp_dir().join(format!("riata-stats-{}-{name}.pml", std::process::id()));
    std::fs::write(&path, TEXT).expect("it can be written");
    let start = Instant::now();
    let mut model = Model::open(&path).expect("a model");
    let never = false.into();
    let how = How::new(options, model.kind(), &never, &Nobody);
    let answers = match explore {
        true => vec![model.explore_how(&how).expect("an answer")],
        false => model.check_how(&how).expect("answers").answers,
    };
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path).expect("it is there");
    (answers, seconds)
}

/// The parts of an answer make up the time of its search, which is measured apart from them, and these are there.
fn sound(answer: &Answer, at_most: f64, product: bool) -> Stats {
    let stats =
        answer.stats.unwrap_or_else(|| panic!("{} with {}: no stats", answer.algorithm, answer.store));
    let what = format!("{} with {}: {stats:?} of {} s", answer.algorithm, answer.store, answer.cpu_seconds);
    let whole: f64 = stats.parts().iter().map(|(_, seconds)| seconds).sum();
    // A swarm tells the processor time of the process, other tests included.
    assert!(answer.algorithm == "swarm" || whole >= 0.9 * answer.cpu_seconds, "{what}");
    assert!(stats.preparing_seconds > 0.0, "{what}");
    assert!(stats.preparing_seconds + whole <= at_most, "{what}, {at_most} s in all");
    for (name, seconds) in stats.parts() {
        // If nobody looked often, there is nothing to be told of the parts. The bits of bitstate are the colours of a search.
        let there = stats.samples < 500 || seconds > 0.0;
        let bits = name == "hashing and store" && answer.store == "bitstate";
        assert!(there || bits || name == "product" && !product, "{name}: {what}");
    }
    assert!(product || stats.product_seconds == 0.0, "{what}");
    stats
}

#[test]
fn of_all_states() {
    let mut samples = 0;
    for store in [Store::Exact, Store::Tree] {
        for no_jit in [false, true] {
            let options = options(|o| {
                o.store = Some(store);
                o.reducing.no_jit = no_jit;
            });
            let (answers, seconds) = asked("explore", &options, true);
            samples += sound(&answers[0], seconds, false).samples;
        }
    }
    assert!(samples > 40, "somebody looked {samples} times");
}

#[test]
fn of_bad_states() {
    for store in [Store::Exact, Store::Tree, Store::Bitstate, Store::Compact] {
        let options = options(|o| {
            o.store = Some(store);
            o.property = vec!["assertions".into(), "deadlock".into()];
        });
        let (answers, seconds) = asked("states", &options, false);
        assert_eq!(answers.len(), 2);
        // One search for both.
        assert_eq!(sound(&answers[0], seconds, false), sound(&answers[1], seconds, false));
    }
}

#[test]
fn of_every_check_and_store() {
    let mut samples = 0;
    for store in [Store::Exact, Store::Tree, Store::Bitstate, Store::Compact] {
        let options = options(|o| {
            o.store = Some(store);
            o.deciding.algorithm = Some(Algorithms::All);
            o.ltl.push("[]<> (a == 0)".into());
        });
        let (answers, seconds) = asked("cycles", &options, false);
        let all: Vec<Stats> = answers.iter().map(|a| sound(a, seconds, true)).collect();
        assert!(all.len() > 4, "{store:?}: {}", all.len());
        samples += all.iter().map(|s| s.samples).sum::<u64>();
    }
    assert!(samples > 100, "somebody looked {samples} times");
}

#[test]
fn of_fair_runs() {
    for fairness in [Fairness::Weak, Fairness::Strong] {
        let options = options(|o| {
            o.deciding.fairness = Some(fairness);
            o.deciding.deadlocks = Some(EndOfRuns::Ignore);
            o.ltl.push("[]<> (a == 0)".into());
        });
        let (answers, seconds) = asked("fair", &options, false);
        sound(&answers[0], seconds, true);
    }
}

#[test]
fn nobody_looks_unless_asked() {
    let (answers, _) = asked("nobody", &Options::default(), true);
    assert_eq!(answers[0].stats, None);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let because = |kind, change: fn(&mut Options)| {
        let why = refused(&options(change), kind, Command::Check).expect("refused");
        assert!(why.contains("--stats") || why.contains("--threads"), "{why}");
        why
    };
    because(Kind::Promela, |o| o.symbolic.engine = Some(Engine::Symbolic));
    because(Kind::Promela, |o| o.symbolic.engine = Some(Engine::Gpu));
    because(Kind::Smv, |_| ());
    because(Kind::Aiger, |_| ());
    because(Kind::Dve, |o| o.spreading.processes = Some(2));
    because(Kind::Dve, |o| o.spreading.checkpoint = Some("kept".into()));
    assert!(because(Kind::Dve, |o| o.limits.threads = Some(Threads::Just(2))).contains("one thread"));
    assert!(because(Kind::Dve, |o| o.limits.threads = Some(Threads::Auto)).contains("one thread"));
    assert_eq!(
        refused(&options(|o| o.limits.threads = Some(Threads::Just(1))), Kind::Hoa, Command::Check),
        None
    );
}
