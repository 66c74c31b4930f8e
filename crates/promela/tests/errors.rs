//! Wrong models, and what is said about them.
//!
//! Each file in `tests/errors` holds cases: `=== title`, the model, `--- says`, the diagnostics as drawn. `--- file NAME`
//! before `--- says` begins a file that the model can include. `BLESS=1 cargo test -p riata-promela --test errors`
//! writes what is said now.

use riata_promela::{Options, parse};
use riata_report::diagnostics::{Source, render_files};
use std::fmt::Write as _;
use std::path::Path;

struct Case {
    title: String,
    model: String,
    files: Vec<(String, String)>,
    says: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut says = false;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            says = false;
            let (model, files, says) = Default::default();
            cases.push(Case { title: title.to_string(), model, files, says });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if line == "--- says" {
            says = true;
        } else if let Some(name) = line.strip_prefix("--- file ") {
            case.files.push((name.to_string(), String::new()));
        } else {
            let part = match case.files.last_mut() {
                _ if says => &mut case.says,
                Some((_, text)) => text,
                None => &mut case.model,
            };
            part.push_str(line);
            part.push('\n');
        }
    }
    cases
}

fn said(case: &Case) -> String {
    let mut files = |path: &str| match case.files.iter().find(|f| f.0 == path) {
        Some((_, text)) => Ok(text.clone().into_bytes()),
        None => Err(std::io::ErrorKind::NotFound.into()),
    };
    let parsed = parse("m.pml", case.model.as_bytes(), &Options::default(), &mut files);
    let sources: Vec<Source<'_>> = parsed
        .sources
        .files()
        .map(|(path, span)| Source { path, text: parsed.sources.text(span), start: span.start })
        .collect();
    render_files(&sources, &parsed.diagnostics, false)
}

#[test]
fn wrong_models_get_the_right_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let bless = std::env::var_os("BLESS").is_some();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut count = 0;
    let mut wrong = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut blessed = String::new();
        for case in cases(&text) {
            count += 1;
            let says = said(&case);
            if says != case.says {
                writeln!(wrong, "{}: {}\nsaid:\n{says}\nwanted:\n{}", path.display(), case.title, case.says)
                    .unwrap();
            }
            write!(blessed, "=== {}\n{}", case.title, case.model).unwrap();
            for (name, text) in &case.files {
                write!(blessed, "--- file {name}\n{text}").unwrap();
            }
            write!(blessed, "--- says\n{says}").unwrap();
        }
        if bless {
            std::fs::write(&path, blessed).unwrap();
        }
    }
    assert!(bless || wrong.is_empty(), "{wrong}");
    assert!(count >= 60, "only {count} cases");
}
