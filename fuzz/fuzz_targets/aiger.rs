//! Any bytes: the AIGER reader refuses them with a message, or makes a model of them.
//!
//! `cargo +nightly fuzz run aiger`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    match riata_aiger::parse(data) {
        Ok((model, _)) => assert!(model.specs.iter().all(|s| !s.name.is_empty())),
        Err(wrong) => {
            assert!(!wrong.is_empty());
            for d in wrong {
                assert!(d.span.start <= d.span.end && d.span.end <= data.len());
                assert!(!d.message.is_empty());
            }
        }
    }
});
