//! Coverage: the statements that no run reaches.

use super::Loaded;
use riata_program::{Interpreter, ProcId, Survey};
use riata_report::answer::{Constant, Counted, Statements, Unreached};
use riata_source::Span;

/// How many states there are, and a way to have the words of each.
pub type States<'a> = (usize, &'a dyn Fn(u32, &mut Vec<u32>));

/// Looks through all states that a complete search has stored: so many, which `load` writes down.
pub fn of((states, load): States, interpreter: &Interpreter, loaded: &Loaded) -> Statements {
    let original = loaded.program();
    let mut survey = Survey::new(interpreter);
    let mut s = Vec::new();
    let wants = !original.propositions.is_empty();
    for id in 0..states as u32 {
        if survey.all_taken() && !wants {
            break;
        }
        load(id, &mut s);
        survey.visit(&s);
    }
    let (mut unreached, mut constant, mut processes) = (Vec::new(), Vec::new(), Vec::new());
    for (p, process) in original.processes.iter().enumerate() {
        let reached = survey.reached(ProcId::new(p));
        let all = loaded.statements(ProcId::new(p));
        // A property process leaves its place, and nothing in it.
        if all.is_empty() {
            continue;
        }
        processes.push(Counted { name: process.name.clone(), statements: all.len() });
        for &span in all.iter().filter(|s| !reached.contains(s)) {
            let place = loaded.sources.locate(span);
            unreached.push(Unreached {
                process: process.name.clone(),
                file: place.file.to_string(),
                line: place.line,
                statement: statement(loaded, span),
            });
        }
    }
    if let Some(valuations) = survey.valuations() {
        for (i, p) in original.propositions.iter().enumerate().take(64) {
            let mut values = valuations.iter().map(|v| v >> i & 1 == 1);
            if let Some(first) = values.next()
                && values.all(|v| v == first)
            {
                constant.push(Constant { proposition: p.name.clone(), value: first });
            }
        }
    }
    Statements { complete: true, unreached: Some(unreached), constant: Some(constant), processes }
}

/// A statement as it is written; the end of a process has no text.
fn statement(loaded: &Loaded, span: Span) -> String {
    let text = loaded.excerpt(span);
    if text.is_empty() || text == "}" { "-end-".into() } else { text }
}
