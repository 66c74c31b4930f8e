//! Any text: the DVE parser refuses it with messages that have places, or reads it; what it reads is printed, read
//! again and the same program; and the interpreter runs it.
//!
//! `cargo +nightly fuzz run dve -- -dict=fuzz_targets/dve.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_program::{Interpreter, Options, print};
use riata_system::System;
use std::collections::HashSet;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let model = match riata_dve::parse(text) {
        Ok(model) => model,
        Err(wrong) => {
            assert!(!wrong.is_empty());
            for d in wrong {
                assert!(d.span.start <= d.span.end && d.span.end <= text.len());
                assert!(!d.message.is_empty());
            }
            return;
        }
    };
    let printed = riata_dve::format(text).expect("what is parsed can be printed");
    let again = riata_dve::parse(&printed).unwrap_or_else(|d| panic!("{d:?} in\n{printed}"));
    assert_eq!(print(model.program()), print(again.program()));
    let Ok(it) = Interpreter::new(model.program(), Options::default()) else { return };
    if it.words() > 1000 {
        return;
    }
    // A few hundred states; a fault must be explained.
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut seen = HashSet::from([s.clone()]);
    let mut todo = vec![s];
    while let Some(s) = todo.pop() {
        it.violated(&s);
        let mut t = vec![0; s.len()];
        let mut at = Default::default();
        let mut steps = 0;
        while it.next(&s, &mut at, &mut t).is_some() && steps < 1000 {
            if it.is_fault(&t) {
                assert!(it.steps(&s).iter().any(|taken| taken.failure.is_some()));
            }
            steps += 1;
            if seen.len() < 300 && seen.insert(t.clone()) {
                todo.push(t.clone());
            }
        }
    }
});
