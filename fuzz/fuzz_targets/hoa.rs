//! Any bytes: the HOA reader refuses or reads them; what it reads is written, read again and the same; and all
//! emptiness checks agree on it.
//!
//! `cargo +nightly fuzz run hoa -- -dict=fuzz_targets/hoa.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_automata::hoa::{Automaton, Reader, to_string};
use riata_automata::scc::Sccs;
use riata_automata::{Tgba, strength};
use riata_explore::Algorithm;
use riata_store::{Compact, Dense, Exact, Tree};
use riata_system::{Degeneralised, DegeneralisedStates, Explicit, Limits, OnStates, Run, Verdict};

fuzz_target!(|data: &[u8]| {
    for automaton in Reader::new(data).take(20) {
        match automaton {
            Ok(a) => {
                round_trip(&a);
                if a.tgba.states() <= 200 && a.tgba.edge_count() <= 500 && a.tgba.sets <= 8 {
                    emptiness(&a.tgba);
                }
            }
            Err(diagnostics) => {
                assert!(!diagnostics.is_empty());
                for d in diagnostics {
                    assert!(d.span.start <= d.span.end && d.span.end <= data.len());
                    assert!(!d.message.is_empty());
                }
            }
        }
    }
});

fn round_trip(a: &Automaton) {
    let text = to_string(a);
    let mut again = Reader::new(text.as_bytes());
    let b = again.next().expect("one automaton").unwrap_or_else(|d| panic!("{d:?} in\n{text}"));
    assert!(again.next().is_none());
    assert_eq!(text, to_string(&b));
    assert_eq!((&a.name, &a.tgba.aps, &a.tgba.initial), (&b.name, &b.tgba.aps, &b.tgba.initial));
    assert_eq!(a.tgba.state_marks, b.tgba.state_marks);
    for s in 0..a.tgba.states() as u32 {
        let edges = |t: &Tgba| t.edges(s).iter().map(|e| (e.to, e.marks)).collect::<Vec<_>>();
        assert_eq!(edges(&a.tgba), edges(&b.tgba));
    }
}

fn emptiness(a: &Tgba) {
    let empty = !Sccs::new(a).components.iter().any(|c| c.accepting);
    let strength = strength::of_graph(a);
    let graph = || Explicit::with_strength(a, strength);
    for check in Algorithm::ALL {
        if check.refuses(strength, true).is_some() {
            continue;
        }
        let mut run = Run::new(Limits::default());
        let verdict = if !check.needs_one_set() {
            let g = graph();
            agree(check, empty, riata_explore::check(check, &g, &mut Exact::new(usize::MAX), &mut run));
            agree(check, empty, riata_explore::check(check, &g, &mut Tree::new(usize::MAX), &mut run));
            riata_explore::check(check, &g, &mut Dense, &mut run)
        } else {
            match OnStates::new(graph()) {
                Some(g) if a.sets <= 1 => riata_explore::check(check, &g, &mut Dense, &mut run),
                Some(g) => riata_explore::check(
                    check,
                    &DegeneralisedStates::new(&g),
                    &mut Exact::new(usize::MAX),
                    &mut run,
                ),
                None => {
                    let g = graph();
                    let d = Degeneralised::new(&g);
                    let lossy = riata_explore::check(check, &d, &mut Compact::new(usize::MAX, 0), &mut run);
                    assert!(matches!(lossy, Ok(Verdict::Inconclusive(_) | Verdict::Accepting(_))));
                    riata_explore::check(check, &d, &mut Tree::new(usize::MAX), &mut run)
                }
            }
        };
        agree(check, empty, verdict);
    }
}

fn agree(check: Algorithm, empty: bool, verdict: Result<Verdict, riata_explore::Refused>) {
    match verdict {
        Ok(Verdict::Empty) => assert!(empty, "{check} says empty"),
        Ok(Verdict::Accepting(_)) => assert!(!empty, "{check} says nonempty"),
        other => panic!("{check}: {other:?}"),
    }
}
