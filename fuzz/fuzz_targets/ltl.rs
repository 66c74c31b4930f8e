//! Any text is read as a formula or refused; what is printed in a dialect is read back as it was meant.
#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_ltl::simplify::simplify;
use riata_ltl::{Arena, Dialect, Id, parse, parse_in, print};

/// How many operators and leaves the text of a formula has.
fn written(arena: &Arena, f: Id) -> u64 {
    let mut sizes = std::collections::HashMap::new();
    for g in arena.subformulas(f) {
        let kids = arena.operands(g).as_slice().iter().map(|k| sizes[k]).fold(1, u64::saturating_add);
        sizes.insert(g, kids);
    }
    sizes[&f]
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for dialect in [Dialect::Auto, Dialect::Spot, Dialect::Spin, Dialect::Smv, Dialect::Unicode] {
        match parse(text, dialect) {
            Ok(mut f) => {
                let again = print(&f.arena, f.root, Dialect::Spot);
                assert_eq!(parse_in(&mut f.arena, &again, Dialect::Spot), Ok(f.root), "{again}");
                let s = simplify(&mut f.arena, f.root);
                // Rewriting shares what text repeats: a chain of n xors is of size n, and 2^n written out.
                if written(&f.arena, s) < 10_000 {
                    print(&f.arena, s, dialect);
                }
            }
            Err(d) => assert!(d.span.start <= d.span.end && d.span.end <= text.len(), "{d:?}"),
        }
    }
});
