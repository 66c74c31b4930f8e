//! Random well-formed models: printed and parsed again they are the same program with the same state space, and the
//! interpreter keeps its promises on them.

mod generator;

use generator::model;
use proptest::prelude::*;
use riata_program::{Interpreter, Options};
use riata_system::System;
use std::collections::HashMap;

/// The first 500 states in breadth-first order, with the numbers of their successors.
fn space(it: &Interpreter) -> Vec<(Vec<u32>, Vec<usize>)> {
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut ids = HashMap::from([(s.clone(), 0)]);
    let mut states = vec![(s, Vec::new())];
    let mut at = 0;
    while at < states.len() && states.len() < 500 {
        let s = states[at].0.clone();
        let mut cursor = Default::default();
        // What the slot holds before must not matter.
        let mut t = vec![0xdead_beef; s.len()];
        while it.next(&s, &mut cursor, &mut t).is_some() {
            let n = ids.len();
            let id = *ids.entry(t.clone()).or_insert_with(|| {
                states.push((t.clone(), Vec::new()));
                n
            });
            states[at].1.push(id);
            t.fill(0xdead_beef);
        }
        at += 1;
    }
    states
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printed_and_parsed_again(text in model()) {
        // A constant index outside its array is refused, which random text can have.
        let Ok(first) = riata_dve::parse(&text) else { return Ok(()) };
        let printed = riata_dve::format(&text).unwrap();
        let second = riata_dve::parse(&printed).unwrap_or_else(|e| panic!("{e:#?}\n{printed}"));
        prop_assert_eq!(riata_dve::format(&printed).unwrap(), printed);
        let (a, b) = (
            Interpreter::new(first.program(), Options::default()).unwrap(),
            Interpreter::new(second.program(), Options::default()).unwrap(),
        );
        prop_assert_eq!(space(&a), space(&b));
    }
}
