//! Any text is read as a formula or refused; what is printed in a dialect is read back as it was meant.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_ltl::simplify::simplify;
use riata_ltl::{Dialect, parse, parse_in, print};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for dialect in [Dialect::Auto, Dialect::Spot, Dialect::Spin, Dialect::Smv, Dialect::Unicode] {
        match parse(text, dialect) {
            Ok(mut f) => {
                let again = print(&f.arena, f.root, Dialect::Spot);
                assert_eq!(parse_in(&mut f.arena, &again, Dialect::Spot), Ok(f.root), "{again}");
                let s = simplify(&mut f.arena, f.root);
                print(&f.arena, s, dialect);
            }
            Err(d) => assert!(d.span.start <= d.span.end && d.span.end <= text.len(), "{d:?}"),
        }
    }
});
