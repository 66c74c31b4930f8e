//! Coverage: the statements that no run reaches.

use super::Loaded;
use riata_program::ProcId;
use riata_program::{Interpreter, Survey};
use riata_source::Span;
use riata_store::Recall;
use serde_json::{Value, json};

/// What a complete search never did.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each process type its name, its number of statements, and those that no run reaches.
    processes: Vec<(String, usize, Vec<Span>)>,
    /// Propositions that never change: the name and the value.
    constant: Vec<(String, bool)>,
}

impl Coverage {
    /// Looks through all states that a search has stored.
    pub fn of<R: Recall>(store: &R, interpreter: &Interpreter, loaded: &Loaded) -> Coverage {
        let original = loaded.program();
        let mut survey = Survey::new(interpreter);
        let mut s = Vec::new();
        let wants = !original.propositions.is_empty();
        for id in 0..store.len() as u32 {
            if survey.all_taken() && !wants {
                break;
            }
            store.load(id, &mut s);
            survey.visit(&s);
        }
        let mut coverage = Coverage::default();
        for (p, process) in original.processes.iter().enumerate() {
            let reached = survey.reached(ProcId::new(p));
            let all = loaded.statements(ProcId::new(p));
            // A property process leaves its place, and nothing in it.
            if all.is_empty() {
                continue;
            }
            let unreached = all.iter().copied().filter(|s| !reached.contains(s)).collect();
            coverage.processes.push((process.name.clone(), all.len(), unreached));
        }
        if let Some(valuations) = survey.valuations() {
            for (i, p) in original.propositions.iter().enumerate().take(64) {
                let mut values = valuations.iter().map(|v| v >> i & 1 == 1);
                if let Some(first) = values.next()
                    && values.all(|v| v == first)
                {
                    coverage.constant.push((p.name.clone(), first));
                }
            }
        }
        coverage
    }

    /// For people.
    pub fn to_text(&self, loaded: &Loaded) -> String {
        let mut text = String::new();
        for (name, all, unreached) in &self.processes {
            if unreached.is_empty() {
                text += &format!("coverage: {name}: all {all} statements are reached\n");
                continue;
            }
            text += &format!("coverage: {name}: {} of {all} statements are not reached\n", unreached.len());
            for &span in unreached {
                text += &format!("  {}  {}\n", loaded.place(span), statement(loaded, span));
            }
        }
        for (name, value) in &self.constant {
            text += &format!("coverage: `{name}` is {value} in every state\n");
        }
        text
    }

    /// For programs.
    pub fn to_json(&self, loaded: &Loaded) -> Value {
        let one = |name: &str, span: Span| {
            let place = loaded.sources.locate(span);
            json!({"process": name, "file": place.file, "line": place.line, "statement": statement(loaded, span)})
        };
        let unreached: Vec<Value> = self
            .processes
            .iter()
            .flat_map(|(name, _, list)| list.iter().map(move |&s| one(name, s)))
            .collect();
        let constant: Vec<Value> =
            self.constant.iter().map(|(name, value)| json!({"proposition": name, "value": value})).collect();
        json!({"complete": true, "unreached": unreached, "constant": constant})
    }
}

/// A statement as it is written; the end of a process has no text.
fn statement(loaded: &Loaded, span: Span) -> String {
    let text = loaded.excerpt(span);
    if text.is_empty() || text == "}" { "-end-".into() } else { text }
}
