//! Malformed models, each with its golden messages beside it. Set `RIATA_BLESS=1` to write them anew.
//!
//! Models that are well formed but go wrong when they run have the run-time error as their message.

use riata_program::{Failure, Interpreter, Options};
use riata_source::{Diagnostic, Severity, line_column};
use riata_system::System;
use std::fmt::Write;
use std::path::Path;

fn place(text: &str, at: usize) -> String {
    let (line, column) = line_column(text, at);
    format!("{line}:{column}")
}

fn show(text: &str, d: &Diagnostic) -> String {
    let severity = if d.severity == Severity::Error { "error" } else { "warning" };
    let excerpt: String = text[d.span.start..d.span.end].chars().take(40).collect();
    let mut out = format!("{}: {severity}: {} [{}]\n", place(text, d.span.start), d.message, excerpt);
    if !d.label.is_empty() {
        let _ = writeln!(out, "  {}", d.label);
    }
    if let Some(help) = &d.help {
        let _ = writeln!(out, "  help: {help}");
    }
    for note in &d.notes {
        let _ = writeln!(out, "  {}: note: {}", place(text, note.span.start), note.message);
    }
    out
}

/// What a user is told: errors, warnings, or the first thing that goes wrong in the first hundred states.
fn messages(text: &str) -> String {
    let model = match riata_dve::parse(text) {
        Ok(model) => model,
        Err(wrong) => return wrong.iter().map(|d| show(text, d)).collect(),
    };
    let mut out: String = model.warnings.iter().map(|d| show(text, d)).collect();
    let it = Interpreter::new(model.program(), Options::default()).expect("small models are small");
    let mut s = vec![0; it.words()];
    it.initial(&mut Default::default(), &mut s);
    let mut states = vec![s];
    for i in 0..100 {
        let Some(s) = states.get(i).cloned() else { break };
        let mut steps = it.steps(&s).into_iter();
        if let Some(Failure { fault, span, .. }) = steps.find_map(|taken| taken.failure) {
            let _ = writeln!(
                out,
                "{}: run-time error: {fault} [{}]",
                place(text, span.start),
                &text[span.start..span.end]
            );
            break;
        }
        if let Some((_, e)) = it.violated(&s) {
            let span = model.program().exprs.span(e);
            let _ = writeln!(out, "{}: violated [{}]", place(text, span.start), &text[span.start..span.end]);
            break;
        }
        let mut t = vec![0; s.len()];
        let mut at = Default::default();
        while it.next(&s, &mut at, &mut t).is_some() {
            if !states.contains(&t) {
                states.push(t.clone());
            }
        }
    }
    out
}

#[test]
fn golden_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut models: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "dve"))
        .collect();
    models.sort();
    assert!(models.len() >= 60);
    let bless = std::env::var_os("RIATA_BLESS").is_some();
    let mut different = String::new();
    for path in models {
        let text = std::fs::read_to_string(&path).unwrap();
        let said = messages(&text);
        assert!(!said.is_empty(), "nothing is said about {}", path.display());
        let golden = path.with_extension("txt");
        if bless {
            std::fs::write(&golden, &said).unwrap();
        }
        let wanted = std::fs::read_to_string(&golden).unwrap_or_default();
        if said != wanted {
            let _ = writeln!(different, "{}:\n{said}instead of\n{wanted}", path.display());
        }
    }
    assert!(different.is_empty(), "{different}");
}

/// Every prefix of a model, and every model with a token left out, gets an answer without a panic.
#[test]
fn pieces_of_models() {
    let model = "const byte N = 2; byte x = N, a[3] = {1, 2, 3}; int y; channel c; channel {byte, int} d[2];
        process P { byte l; state s, t; init s; commit t; assert s: x < 3 and a[x % 3] > 0;
        trans s -> t { guard not (x == 1) or P.s; sync c!x + 1; effect a[l] = ~l, l = -1; },
        -> s { sync d?{l, y}; }, t -> s { sync d!{1, 2}; }; }
        process Q { state q; init q; accept q; trans q -> q { guard P->l imply x << 1 > 3; }; }
        system async property Q;";
    assert!(riata_dve::parse(model).is_ok(), "{:?}", riata_dve::parse(model));
    for end in 0..model.len() {
        let _ = riata_dve::parse(&model[..end]);
        let _ = riata_dve::parse(&model[end..]);
        for piece in ["", "{", "}", "(", ")", ";", ",", "->", "process", "system", "9"] {
            let _ = riata_dve::parse(&format!("{}{piece}{}", &model[..end], &model[end + 1..]));
        }
    }
}
