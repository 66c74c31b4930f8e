//! The JSON of the contract, schema `riata/1`. Fields are added, never renamed within a schema version.

use serde::Serialize;
use serde_json::{Map, Value};

/// The schema's name.
pub const SCHEMA: &str = "riata/1";

/// What a command prints with `--json`: one object on standard output.
#[derive(Clone, Debug, Serialize)]
pub struct Document<R> {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The subcommand.
    pub command: &'static str,
    /// The input as the user named it.
    pub input: String,
    /// One entry for each property and algorithm.
    pub results: Vec<R>,
    /// Checks that were asked for and do not apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What is wrong with the input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Problem>,
    /// The peak of the process's memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
}

impl<R: Serialize> Document<R> {
    /// A document without results.
    pub fn new(command: &'static str, input: impl Into<String>) -> Self {
        Document {
            schema: SCHEMA,
            command,
            input: input.into(),
            results: Vec::new(),
            skipped: Vec::new(),
            errors: Vec::new(),
            resident_bytes: None,
        }
    }

    /// The object as a text that ends in a newline.
    pub fn to_text(&self) -> String {
        // Only maps with keys that are no strings can fail, and there are none.
        let mut text = serde_json::to_string(self).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
        text.push('\n');
        text
    }
}

/// An error of the input, for programs; people get a picture on standard error.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Problem {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A check that does not apply, and why.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Skipped {
    /// The position of the automaton in its stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The check's name.
    pub algorithm: String,
    /// Why it was not run.
    pub reason: String,
}

/// The answer to one property by one algorithm.
#[derive(Clone, Debug, Serialize, Default)]
pub struct Entry {
    /// The position of the automaton in its stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The automaton's own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The property's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// `holds`, `violated`, `empty`, `nonempty`, `complete` or `inconclusive`.
    pub verdict: &'static str,
    /// Why it is inconclusive, or another remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The check's name.
    pub algorithm: String,
    /// Why this check was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// `explicit` or `symbolic`.
    pub engine: &'static str,
    /// The store's name.
    pub store: String,
    /// Did the check run on a degeneralised graph?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub degeneralised: bool,
    /// `terminal`, `weak` or `general`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<&'static str>,
    /// What the search counted.
    pub counters: Counters,
    /// What the store holds at the end, tables included.
    pub memory_bytes: u64,
    /// Processor time of the check.
    pub cpu_seconds: f64,
    /// The run that was found.
    pub lasso: Option<Lasso>,
    /// What only some engines or stores know (coverage, iterations).
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The counters of the papers.
#[derive(Clone, Copy, Debug, Serialize, Default, PartialEq, Eq)]
pub struct Counters {
    /// States that the search entered.
    pub states: u64,
    /// Transitions considered, repeats included.
    pub transitions: u64,
    /// How often a state's successors were begun.
    pub post_calls: u64,
    /// The largest depth.
    pub max_depth: u64,
    /// The largest stack of roots.
    pub max_roots: u64,
    /// The largest stack of active states.
    pub max_active: u64,
    /// States of a model without a successor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlocks: Option<u64>,
    /// States of a model in which an assertion does not hold, or that a run-time error leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<u64>,
    /// Levels of a breadth-first search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<u64>,
}

impl From<riata_system::Counters> for Counters {
    fn from(c: riata_system::Counters) -> Self {
        Counters {
            states: c.states,
            transitions: c.transitions,
            post_calls: c.post_calls,
            max_depth: c.max_depth,
            max_roots: c.max_roots,
            max_active: c.max_active,
            ..Counters::default()
        }
    }
}

/// A run: the stem, then the cycle for ever.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Lasso {
    /// May be empty.
    pub stem: Vec<Value>,
    /// Never empty; its first state is repeated neither at its end nor in the stem.
    pub cycle: Vec<Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_s_fields_are_there() {
        let mut doc = Document::new("empty", "a.hoa");
        doc.results.push(Entry {
            verdict: "nonempty",
            algorithm: "ascc".into(),
            engine: "explicit",
            store: "dense".into(),
            lasso: Some(Lasso { stem: vec![], cycle: vec![Value::from(3)] }),
            ..Entry::default()
        });
        let text = doc.to_text();
        let wanted = concat!(
            r#"{"schema":"riata/1","command":"empty","input":"a.hoa","results":[{"verdict":"nonempty","#,
            r#""algorithm":"ascc","engine":"explicit","store":"dense","counters":{"states":0,"transitions":0,"#,
            r#""post_calls":0,"max_depth":0,"max_roots":0,"max_active":0},"memory_bytes":0,"cpu_seconds":0.0,"#,
            r#""lasso":{"stem":[],"cycle":[3]}}]}"#,
            "\n"
        );
        assert_eq!(text, wanted);
        doc.results[0].lasso = None;
        assert!(doc.to_text().contains(r#""lasso":null"#));
    }
}
