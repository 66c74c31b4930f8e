//! Any text is read as a never claim or refused; a claim that was read is written and read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_automata::never;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match never::read(text) {
        Ok(a) => {
            // Names that hold operators of Promela are read back as expressions: only plain ones are compared.
            let plain = a.aps.iter().all(|p| p.chars().all(|c| c.is_ascii_lowercase()));
            if plain && a.states() < 20 && a.aps.len() < 8 {
                let again = never::write(&a, "again");
                let b = never::read(&again);
                assert!(b.is_ok(), "{again}");
            }
        }
        Err(d) => assert!(d.span.start <= d.span.end && d.span.end <= text.len(), "{d:?}"),
    }
});
