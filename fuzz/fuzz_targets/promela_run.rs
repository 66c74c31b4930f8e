//! Any bytes that are a Promela model: it is lowered and made ready or refused with a message, and in the first states
//! every step can be told event by event and leads where it was said to lead, optimised or not.
//!
//! `cargo +nightly fuzz run promela_run -- -dict=fuzz_targets/promela.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_program::dynamic::{Interpreter, Lift, Options as Run, optimise};
use riata_promela::lower::lower;
use riata_promela::{NoFiles, Options, parse};
use riata_system::{Path, Successors, System};

/// So many states are looked at, if they are small.
const STATES: usize = 60;
const WORDS: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let parsed = parse("m", data, &Options::default(), &mut NoFiles);
    if parsed.failed() {
        return;
    }
    let lowered = match lower(&parsed) {
        Ok(lowered) => lowered,
        Err(wrong) => {
            assert!(wrong.iter().any(|d| !d.message.is_empty() && d.span.end <= parsed.sources.len()));
            return;
        }
    };
    let small = optimise(&lowered.program, true);
    let Ok(full) = Interpreter::new(&lowered.program, Run::default()) else { return };
    let Ok(small) = Interpreter::new(&small, Run::default()) else { return };
    for i in [&full, &small] {
        let mut s = vec![0; i.words()];
        i.initial(&mut Default::default(), &mut s);
        s.truncate(i.len(&s));
        let mut path = Path::new();
        path.push(&s);
        let mut next = Successors::default();
        for k in 0..STATES {
            if s.len() > WORDS {
                return;
            }
            i.post(&s, &mut next);
            if next.is_empty() {
                break;
            }
            for j in 0..next.len() {
                assert!(i.narrate(&s, next.get(j).0).is_some());
            }
            s = next.get((k * 7 + 3) % next.len()).0.to_vec();
            path.push(&s);
        }
        if std::ptr::eq(i, &small) {
            assert!(Lift::new(&small, &full).path(&path).is_some());
        }
    }
});
