//! Any text: the SMV parser refuses it with messages that have places, or reads it; what it reads becomes a system, or is
//! refused with a place; small systems are checked, and every trace is confirmed by the engine itself.
//!
//! `cargo +nightly fuzz run smv -- -dict=fuzz_targets/smv.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;
use riata_smv::check::{Automaton, Method, Session};
use riata_smv::machine::Layout;
use riata_smv::{Fail, parse};
use riata_source::Diagnostic;
use riata_symbolic::Oxi;
use riata_symbolic::relation::Shape;
use riata_system::Limits;

fn sound(d: &Diagnostic, text: &str) {
    assert!(d.span.start <= d.span.end && d.span.end <= text.len());
    assert!(!d.message.is_empty());
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (model, types) = match parse(text) {
        Ok(parsed) => parsed,
        Err(wrong) => {
            assert!(!wrong.is_empty());
            wrong.iter().for_each(|d| sound(d, text));
            return;
        }
    };
    if model.vars.iter().map(|v| v.domain.bits()).sum::<u32>() > 24 || model.nodes.len() > 500 {
        return;
    }
    let mut automata = Vec::new();
    for spec in &model.specs {
        match Automaton::new(&model, &types, spec, false, Method::Chosen) {
            Ok(a) if a.as_ref().is_none_or(|a| a.bits() < 12) => automata.push(a),
            Ok(_) => return,
            Err(d) => return sound(&d, text),
        }
    }
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(1);
    let bdd = Oxi::new(Limits { memory: Some(4 << 20), deadline: Some(deadline), ..Limits::default() });
    let fresh = automata.iter().flatten().map(Automaton::bits).max().unwrap_or(0);
    let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
    match Session::new(&bdd, &model, &types, &layout, Shape::default()) {
        Ok(session) => {
            for (spec, automaton) in model.specs.iter().zip(&automata) {
                if let Err(Fail::Wrong(d)) = session.check(spec, automaton.as_ref(), None) {
                    sound(&d, text);
                }
            }
        }
        Err(Fail::Wrong(d)) => sound(&d, text),
        Err(Fail::Stop(_)) => {}
    }
});
