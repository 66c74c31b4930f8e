//! Any text that is a program: native code tells the successors that the interpreter tells, in the same order.
//!
//! `cargo +nightly fuzz run native -- -dict=fuzz_targets/program.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_program::{Condensed, Interpreter, Options, read};
use riata_system::{Successors, System};

/// So many states are looked at, if they are small.
const STATES: usize = 60;
const WORDS: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(program) = read(text) else { return };
    let Ok(plain) = Interpreter::new(&program, Options::default()) else { return };
    if plain.words() > WORDS {
        return;
    }
    let Ok(native) = plain.again(Options::default()) else { return };
    let native = native.compiled(riata_jit::compile);
    if let Some(Err(why)) = native.native_edges() {
        assert!(!why.contains("failed"), "{why}");
    }
    let (mut a, mut b) = (Successors::default(), Successors::default());
    let mut s = vec![0; plain.words()];
    plain.initial(&mut Default::default(), &mut s);
    for k in 0..STATES {
        for large in [false, true] {
            if large {
                Condensed::new(&plain).post(&s, &mut a);
                Condensed::new(&native).post(&s, &mut b);
            } else {
                plain.post(&s, &mut a);
                native.post(&s, &mut b);
            }
            assert_eq!(a.len(), b.len());
            assert!((0..a.len()).all(|n| a.get(n) == b.get(n)));
        }
        if a.is_empty() {
            break;
        }
        let next = a.get((k * 7 + 3) % a.len()).0.to_vec();
        s[..next.len()].copy_from_slice(&next);
    }
});
