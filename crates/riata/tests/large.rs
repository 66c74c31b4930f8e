//! Searches of more states than one thread looks at: by all cores unless somebody says how many threads, and with the same answers.

use riata::options::{Por, Store, Threads};
use riata::{Answer, How, Model, Nobody, Options};

/// Some 700,000 states of the counters, a run to nowhere and a violated assertion far away.
const TEXT: &str = "byte a, b, c;
active proctype A() { do :: a < 44 -> a++ od }
active proctype B() { do :: b < 44 -> b++ od }
active proctype C() { do :: c < 44 -> c++ od }
active proctype W() { atomic { a == 40 && b == 41 && c == 42 -> assert(false) } }";

fn answers(options: &Options) -> Vec<Answer> {
    let path = std::env::temp_dir().join(format!("riata-large-{}.pml", std::process::id()));
    std::fs::write(&path, TEXT).expect("it can be written");
    let mut model = Model::open(&path).expect("a model");
    let never = false.into();
    let how = How::new(options, model.kind(), &never, &Nobody);
    let mut answers = vec![model.explore_how(&how).expect("an answer")];
    answers.extend(model.check_how(&how).expect("answers").answers);
    answers
}

/// What does not depend on threads.
fn told(answers: &[Answer]) -> Vec<String> {
    answers
        .iter()
        .map(|a| {
            let c = &a.counters;
            let shown = [&a.run, &a.also].map(|run| run.as_ref().map(|run| run.states.len()));
            // Several threads end with the level of what was found.
            let counted =
                (a.property.is_none()).then_some((c.states, c.transitions, c.deadlocks, c.violations));
            format!("{:?} {:?} {counted:?} {:?} {shown:?}", a.property, a.verdict, c.levels)
        })
        .collect()
}

#[test]
fn the_default_says_what_one_thread_says() {
    for store in [Store::Exact, Store::Tree] {
        let mut options = Options::default();
        options.store = Some(store);
        options.reducing.por = Some(Por::Off);
        let usual = answers(&options);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for answer in &usual {
            assert_eq!(answer.threads, (cores > 1).then_some(cores), "{:?}", answer.property);
        }
        options.limits.threads = Some(Threads::Just(1));
        let alone = answers(&options);
        assert!(alone.iter().all(|a| a.threads.is_none()));
        assert_eq!(told(&usual), told(&alone));
        options.limits.threads = Some(Threads::Just(3));
        assert_eq!(told(&answers(&options)), told(&alone));
    }
}
