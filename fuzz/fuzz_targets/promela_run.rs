//! Any bytes that are a Promela model: it is lowered and made ready or refused with a message, and in the first states
//! every step can be told event by event and leads where it was said to lead, optimised or not.
//!
//! `cargo +nightly fuzz run promela_run -- -dict=fuzz_targets/promela.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_program::{Execution, Interpreter, Lift, Options as Run, Passes, Sees, optimise};
use riata_promela::lower::lower;
use riata_promela::{NoFiles, Options, parse};

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
    let small = optimise(&lowered.program, Passes::ALL, Sees::default());
    let Ok(full) = Interpreter::new(&lowered.program, Run::default()) else { return };
    let Ok(small) = Interpreter::new(&small, Run::default()) else { return };
    for i in [&full, &small] {
        let mut run = Execution::start(i);
        for k in 0..STATES {
            let s = run.last().to_vec();
            if s.len() > WORDS {
                return;
            }
            let next = i.steps(&s);
            if next.is_empty() {
                break;
            }
            for taken in &next {
                assert!(i.narrate(&s, taken.step, &taken.to).is_some());
            }
            run.push(&next[(k * 7 + 3) % next.len()]);
        }
        if std::ptr::eq(i, &small) {
            assert!(Lift::new(&small, &full).run(&run).is_some());
        }
    }
});
