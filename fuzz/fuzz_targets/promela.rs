//! Any bytes: the Promela parser refuses them with messages that have places, or reads them; what it reads is printed,
//! read again and the same tree.
//!
//! `cargo +nightly fuzz run promela -- -dict=fuzz_targets/promela.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_promela::{NoFiles, Options, parse, parse_formula, print};

fuzz_target!(|data: &[u8]| {
    let options = Options::default();
    let parsed = parse("m", data, &options, &mut NoFiles);
    for d in &parsed.diagnostics {
        assert!(d.span.start <= d.span.end && d.span.end <= parsed.sources.len());
        assert!(!d.message.is_empty());
        for note in &d.notes {
            assert!(note.span.start <= note.span.end && note.span.end <= parsed.sources.len());
        }
    }
    let exprs = &parsed.model.exprs;
    for (i, &start) in exprs.starts.iter().enumerate() {
        assert!(start as usize <= i && exprs.spans[i].end <= parsed.sources.len());
    }
    if !parsed.failed() {
        let printed = print(&parsed.model);
        let again = parse("printed", printed.as_bytes(), &options, &mut NoFiles);
        assert!(!again.failed(), "{:?} in\n{printed}", again.diagnostics);
        assert_eq!(print(&again.model), printed);
    }
    parse_formula("formula", data, &options);
});
