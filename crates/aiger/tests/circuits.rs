//! Small circuits, good and bad.

use riata_aiger::{parse, read};
use riata_smv::check::{Automaton, Method, Session};
use riata_smv::machine::Layout;
use riata_symbolic::Oxi;
use riata_symbolic::relation::Shape;
use riata_system::Limits;

/// The verdicts on a circuit's properties, by name: the same by automata and by tableaux.
fn verdicts(bytes: &[u8]) -> Vec<(String, bool)> {
    let found = verdicts_by(bytes, Method::Automaton);
    assert_eq!(found, verdicts_by(bytes, Method::Tableau));
    found
}

fn verdicts_by(bytes: &[u8], method: Method) -> Vec<(String, bool)> {
    let (model, types) = parse(bytes).expect("a good circuit");
    let automata: Vec<_> = model
        .specs
        .iter()
        .map(|s| Automaton::new(&model, &types, s, false, method).expect("a small formula"))
        .collect();
    let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
    let fresh = automata.iter().flatten().map(Automaton::bits).max().unwrap_or(0);
    let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
    let Ok(session) = Session::new(&bdd, &model, &types, &layout, Shape::default()) else {
        panic!("a limit")
    };
    let specs = model.specs.iter().zip(&automata);
    specs
        .map(|(s, a)| {
            let Ok(answer) = session.check(s, a.as_ref(), None) else { panic!("a limit") };
            (s.name.clone(), answer.holds)
        })
        .collect()
}

/// A counter of two bits; bad when both are set.
const COUNTER: &str = "aag 5 0 2 0 3 1\n2 3\n4 11\n10\n6 2 4\n8 3 5\n10 7 9\nb0 both\nc\na comment\n";

#[test]
fn a_counter_reaches_three() {
    // The second latch becomes ¬(¬(2 ∧ 4) ∧ ¬(¬2 ∧ ¬4)): the exclusive or, negated twice.
    assert_eq!(verdicts(COUNTER.as_bytes()), [("both".to_string(), false)]);
}

#[test]
fn constraints_and_first_values() {
    // A latch that holds its value, which is free at first; the constraint says that it is 0.
    assert_eq!(verdicts(b"aag 1 0 1 0 0 1 1\n2 2 2\n2\n3\n"), [("bad_0".to_string(), true)]);
    assert_eq!(verdicts(b"aag 1 0 1 0 0 1\n2 2 2\n2\n"), [("bad_0".to_string(), false)]);
    assert_eq!(verdicts(b"aag 1 0 1 0 0 1\n2 2\n2\n"), [("bad_0".to_string(), true)]);
    // Without property sections outputs are bad; an input may make them so.
    assert_eq!(verdicts(b"aag 1 1 0 1 0\n2\n2\n"), [("output_0".to_string(), false)]);
}

#[test]
fn justice_and_fairness() {
    // A latch that toggles: it is 1 infinitely often, and so is its negation.
    let toggle = "aag 1 0 1 0 0 0 0 2 0\n2 3\n1\n2\n2\n2\n3\n";
    assert_eq!(verdicts(toggle.as_bytes()), [("justice_0".into(), false), ("justice_1".into(), false)]);
    // A latch that stays 0 is never just.
    assert_eq!(verdicts(b"aag 1 0 1 0 0 0 0 1\n2 2\n1\n2\n"), [("justice_0".to_string(), true)]);
    // An input is just, unless fairness forbids all runs.
    assert_eq!(verdicts(b"aag 1 1 0 0 0 0 0 1 1\n2\n1\n2\n2\n"), [("justice_0".to_string(), false)]);
    assert_eq!(verdicts(b"aag 1 1 0 0 0 0 0 1 1\n2\n1\n2\n0\n"), [("justice_0".to_string(), true)]);
}

#[test]
fn binary_is_the_same_circuit() {
    let ascii = read(b"aag 3 1 1 0 1 1\n2\n4 6\n4\n6 4 2\n").expect("good");
    let binary = read(b"aig 3 1 1 0 1 1\n6\n4\n\x02\x02").expect("good");
    assert_eq!(ascii, binary);
}

#[test]
fn every_wrong_circuit_gets_a_message() {
    let cases: [(&[u8], &str); 23] = [
        (b"", "not an AIGER file"),
        (b"aag", "not an AIGER file"),
        (b"aag 1 2\n", "fewer than five"),
        (b"aag 1 0 0 0 0 0 0 0 0 0\n", "more than nine"),
        (b"aag x 0 0 0 0\n", "expected a number"),
        (b"aag 1 1 1 0 1\n", "do not fit together"),
        (b"aag 99999999999 0 0 0 0\n", "too large"),
        (b"aag 2000000000 2000000000 0 0 0\n", "more than the file holds"),
        (b"aig 2000000000 2000000000 0 0 0\n", "at most 65536"),
        (b"aag 444444478 0 0 0 0\n", "only 0 are defined"),
        (b"aig 2 1 0 0 0\n", "do not fit together"),
        (b"aag 1 1 0 0 0\n", "expected a literal"),
        (b"aag 1 1 0 0 0\n9\n", "largest literal is 3"),
        (b"aag 1 1 0 0 0\n2 2\n", "end of the line"),
        (b"aag 1 0 1 0 0\n2\n", "expected a space"),
        (b"aag 2 0 1 0 0\n2 2 4\n", "no first value"),
        (b"aag 1 1 0 0 0\n3\n", "cannot be"),
        (b"aag 2 2 0 0 0\n2\n2\n", "defined twice"),
        (b"aag 2 0 0 1 0\n4\n", "not defined"),
        (b"aag 2 0 0 0 2\n2 4 4\n4 2 2\n", "is defined by itself"),
        (b"aig 1 0 0 0 1\n\x00\x00", "later one"),
        (b"aig 1 0 0 0 1\n\x81", "inside a gate"),
        (b"aag 1 1 0 0 0\n2\ni1 name\n", "there are 1 of these"),
    ];
    for (bytes, wanted) in cases {
        let wrong = parse(bytes).err().unwrap_or_else(|| panic!("nothing is said: {wanted}"));
        assert!(wrong[0].message.contains(wanted), "{wanted}: {}", wrong[0].message);
        assert!(wrong.iter().all(|d| d.span.end <= bytes.len()));
    }
}
