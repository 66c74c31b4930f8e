//! The language as NuSMV 2.6 has it: `language.txt` has models, `language.expected` what NuSMV says of each
//! specification, but for the model with an empty fair set, where the difference is wanted.
//!
//! Found by `bench/smv/random.py`, or easily got wrong. `RIATA_BLESS=1 cargo test -p riata-smv --test language` writes
//! the answers anew; compare them with NuSMV's before they are committed.

use riata_smv::Fail;
use riata_smv::check::{Automaton, Method, Session};
use riata_smv::machine::Layout;
use riata_symbolic::Oxi;
use riata_symbolic::relation::Shape;
use riata_system::Limits;

/// The name and the answer of each specification, and the number of reachable states.
fn answers(text: &str) -> String {
    let (model, types) = riata_smv::parse(text).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
    let of = |s| {
        Automaton::new(&model, &types, s, false, Method::Chosen).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
    };
    let automata: Vec<Option<Automaton>> = model.specs.iter().map(of).collect();
    let fresh = automata.iter().flatten().map(Automaton::bits).max().unwrap_or(0);
    let bdd = Oxi::new(Limits { memory: Some(64 << 20), ..Limits::default() });
    let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
    let fail = |f: Fail| -> ! {
        match f {
            Fail::Wrong(d) => panic!("{d:?}\n{text}"),
            Fail::Stop(stop) => panic!("{stop}"),
        }
    };
    let session = Session::new(&bdd, &model, &types, &layout, Shape::default()).unwrap_or_else(|f| fail(f));
    let mut found = format!("{} states\n", session.states().expect("no limit"));
    for (spec, automaton) in model.specs.iter().zip(&automata) {
        let answer = session.check(spec, automaton.as_ref(), None).unwrap_or_else(|f| fail(f));
        let value = answer.value.map_or_else(|| answer.holds.to_string(), |v| v.to_string());
        found += &format!("{} {value}\n", spec.name);
    }
    found
}

#[test]
fn specifications_mean_what_they_mean_in_nusmv() {
    let mut found = String::new();
    for case in include_str!("language.txt").split("=== ").skip(1) {
        let (name, text) = case.split_once('\n').unwrap_or((case, ""));
        found += &format!("=== {name}\n{}", answers(text));
    }
    if std::env::var_os("RIATA_BLESS").is_some() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language.expected");
        std::fs::write(file, &found).expect("the answers can be written");
        return;
    }
    for (a, b) in found.lines().zip(include_str!("language.expected").lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(found.lines().count(), include_str!("language.expected").lines().count());
}
