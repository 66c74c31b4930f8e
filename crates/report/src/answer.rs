//! Answers: what a command found, typed. The JSON of the contract, schema `riata/1`, is what serde makes of these types;
//! its JSON Schema is what schemars makes of them. Fields are added, never renamed within a schema version.

use crate::chart::Lifelines;
use crate::run::{Run, Taken};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The schema's name.
pub const SCHEMA: &str = "riata/1";

/// What a command prints with `--json`: one object on standard output.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Document<R> {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The subcommand.
    pub command: String,
    /// The input as the user named it; several are joined by spaces.
    pub input: String,
    /// The inputs, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// One entry for each property and algorithm.
    pub results: Vec<R>,
    /// Checks that were asked for and do not apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What is odd about the input, or about the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
    /// What is wrong with the input, or with the command.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Problem>,
    /// The texts of the models, if there is a run or coverage to be shown in them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The peak of the process's memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
}

impl<R: Serialize> Document<R> {
    /// A document without results.
    pub fn new(command: impl Into<String>, input: impl Into<String>) -> Self {
        Document {
            schema: SCHEMA,
            command: command.into(),
            input: input.into(),
            inputs: Vec::new(),
            results: Vec::new(),
            skipped: Vec::new(),
            warnings: Vec::new(),
            errors: Vec::new(),
            sources: Vec::new(),
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

/// A file of a model.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Source {
    /// The input that it is part of, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// An error or a warning, for programs; people get a picture on standard error.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Problem {
    /// The file, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Counted from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Problem { message, ..Problem::default() }
    }
}

/// A check that does not apply, and why.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Skipped {
    /// The position of the automaton in its stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The check's name.
    pub algorithm: String,
    /// Why it was not run.
    pub reason: String,
}

/// What is known of a property, of a language, or of a state space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// Every run has the property; with `--exists`, some run does.
    Holds,
    /// Some run violates the property; with `--exists`, no run has it.
    Violated,
    /// No run is accepted.
    Empty,
    /// Some run is accepted.
    Nonempty,
    /// All states were seen.
    Complete,
    /// A limit was reached, a lossy store was used, or the search was interrupted.
    #[default]
    Inconclusive,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Empty => "empty",
            Verdict::Nonempty => "nonempty",
            Verdict::Complete => "complete",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// An engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Engine {
    /// States one by one.
    #[default]
    Explicit,
    /// Sets of states as decision diagrams.
    Symbolic,
    /// States one by one, on a graphics processor.
    Gpu,
}

/// A place in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Location {
    /// The file as the user named it.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The answer to one property by one algorithm.
#[derive(Clone, Debug, Serialize, JsonSchema, Default)]
pub struct Answer {
    /// The input, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The position of the automaton in its stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The automaton's own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The property's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The property's formula, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// Where the property is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// What is known.
    pub verdict: Verdict,
    /// Was a run looked for that satisfies the formula?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exists: bool,
    /// Why it is inconclusive, or what is wrong at the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The check's name.
    pub algorithm: String,
    /// Why this check was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The engine.
    pub engine: Engine,
    /// The store's name.
    pub store: String,
    /// How many threads searched, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
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
    /// Where the time went, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// The infinite run that was found.
    pub lasso: Option<Lasso>,
    /// The finite run that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<Value>>,
    /// For each step of the run who moved, and by which statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Taken>>,
    /// The messages of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Value>,
    /// The lifelines of the processes and what happens on them, in the order of time; its messages are those above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<Lifelines>,
    /// The variables that are inputs: their values belong to the step that leaves a state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input_variables: Vec<String>,
    /// The automaton of the property, and its run along the run that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automaton: Option<Box<Automaton>>,
    /// What is said of the run to people, a line each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Why the run violates the formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// What is odd about the property.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Which statements were reached, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statements: Option<Statements>,
    /// The value of a quantity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Are there initial states without a fair path? They do not count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfair_initial_states: bool,
    /// Is the lasso one of minimal length?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// Partial-order reduction, where it is possible for the kind of model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub por: Option<Por>,
    /// Native code, if the search was so long that some was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<Native>,
    /// What only the search on a graphics processor knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<Gpu>,
    /// What only searches by several processes, or with a checkpoint, know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Cluster>,
    /// The whole product of the model and the automaton, if it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<Size>,
    /// How far the search was at some moments; none if it was too short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
    /// What only bitstate hashing knows.
    #[serde(flatten)]
    pub hashing: Option<Hashing>,
    /// What only the symbolic engine knows.
    #[serde(flatten)]
    pub sets: Option<Box<Sets>>,
    /// The run in the forms for people; JSON has it above.
    #[serde(skip)]
    pub run: Option<Arc<Run>>,
    /// A second run, if there is more than one thing to show.
    #[serde(skip)]
    pub also: Option<Arc<Run>>,
    /// How many words a state has, if all have as many.
    #[serde(skip)]
    pub words: Option<usize>,
    /// The property's AIGER witness, if the model is a circuit.
    #[serde(skip)]
    pub witness: Option<String>,
}

impl Answer {
    /// What the answer is about: its property, its automaton, or else the command.
    pub fn label(&self, command: &str) -> String {
        match (&self.property, &self.name, self.index) {
            (Some(name), ..) | (None, Some(name), _) => name.clone(),
            (None, None, Some(index)) => format!("{command} {index}"),
            (None, None, None) => command.to_string(),
        }
    }

    /// The answer in one line: the reason, else what is said of the end of the run, else the verdict.
    pub fn message(&self) -> String {
        let end = || self.run.as_ref().and_then(|run| run.trace.end.lines().next()).filter(|l| !l.is_empty());
        match (&self.reason, end()) {
            (Some(reason), _) => reason.clone(),
            (None, Some(end)) => end.trim().to_string(),
            (None, None) => self.verdict.to_string(),
        }
    }

    /// Puts a run into the answer.
    pub fn show(&mut self, run: Run) {
        match run.back {
            // The states may not have been wanted.
            _ if run.states.is_empty() => {}
            Some(back) => {
                let mut stem = run.states.clone();
                let cycle = stem.split_off(back);
                self.lasso = Some(Lasso { stem, cycle });
            }
            None => self.trace = Some(run.states.clone()),
        }
        if !run.steps.is_empty() {
            self.steps = Some(run.steps.clone());
        }
        self.messages = run.chart.as_ref().map(crate::chart::Chart::to_json);
        self.chart = run.chart.as_ref().map(crate::chart::Chart::lifelines);
        self.input_variables.clone_from(&run.inputs);
        self.explanation = Some(run.trace.end.clone()).filter(|end| !end.is_empty());
        self.run = Some(Arc::new(run));
    }
}

/// What partial-order reduction did.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Por {
    /// Why there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
    /// In so many expansions of states all steps were needed.
    pub full: u64,
    /// In so many some of them sufficed.
    pub reduced: u64,
}

/// The machine code that a search ran.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Native {
    /// Why there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
    /// So many edges of the program were compiled.
    pub edges: u64,
    /// So many were left to the interpreter.
    pub left: u64,
}

/// Where the time of a search went: a thread looked at it about a thousand times a second. The parts make up the whole.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema, PartialEq)]
pub struct Stats {
    /// Before it: the model is read, if it was not before, and made ready, native code included.
    pub preparing_seconds: f64,
    /// Successors are generated.
    pub successors_seconds: f64,
    /// States are hashed, looked up and stored.
    pub store_seconds: f64,
    /// Automaton and propositions.
    pub product_seconds: f64,
    /// The rest: stacks, colours, components, and a look at each state.
    pub search_seconds: f64,
    /// So many times it was looked.
    pub samples: u64,
}

impl Stats {
    /// The parts of the search with their names.
    pub fn parts(&self) -> [(&'static str, f64); 4] {
        [
            ("successors", self.successors_seconds),
            ("hashing and store", self.store_seconds),
            ("product", self.product_seconds),
            ("search", self.search_seconds),
        ]
    }
}

/// A search on a graphics processor.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct Gpu {
    /// The device.
    pub device: String,
    /// The bits of a state that say something.
    pub state_bits: u64,
    /// The bytes of a packed state.
    pub state_bytes: u64,
    /// Are packed states in the table themselves, not their numbers?
    pub inline: bool,
    /// States that the interpreter expanded.
    pub asked: u64,
    /// How many times the search began again with a larger table.
    pub restarts: u64,
    /// Seconds until the device was ready, its compiler among them.
    pub ready_seconds: f64,
    /// Was the text compiled before?
    pub cached: bool,
    /// Seconds in which kernels ran.
    pub kernel_seconds: f64,
    /// Seconds of the search.
    pub search_seconds: f64,
}

/// A search by several processes, or one that is written down.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Cluster {
    /// How many processes there were.
    pub processes: usize,
    /// The states of each.
    pub states: Vec<u64>,
    /// The bytes that each holds in its store.
    pub bytes: Vec<u64>,
    /// The bytes that all of them sent.
    pub sent_bytes: u64,
    /// The level from which the search went on, if it was written down before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
}

/// The size of a graph.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Size {
    /// Its states.
    pub states: u64,
    /// Its transitions.
    pub transitions: u64,
}

/// The automaton of a property: it accepts the runs that are looked for. A run is accepted if it takes an edge of each
/// acceptance set infinitely often.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Automaton {
    /// Which runs it accepts: `that violate the formula`, …
    pub of: String,
    /// The number of its states.
    pub states: usize,
    /// The number of its acceptance sets.
    pub sets: u32,
    /// Its edges.
    pub edges: Vec<AutomatonEdge>,
    /// The state that it is in at each state of the run, before it has read that; null where it does not look. May go
    /// round the loop of the run several times.
    pub run: Vec<Option<u32>>,
    /// The edge by which it leaves each of them, by its place among the edges.
    pub taken: Vec<Option<u32>>,
    /// The place in `run` that comes after its end.
    pub back: usize,
}

/// An edge of an automaton.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct AutomatonEdge {
    /// Where it leaves.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// What must hold of the state that is read; `1` if nothing must.
    pub label: String,
    /// The acceptance sets that it belongs to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<u32>,
}

/// How far a search was at some moment.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema, PartialEq)]
pub struct Sample {
    /// Since the search began.
    pub seconds: f64,
    /// States so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// What the search held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The depth of the stack, or the level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// States that were found and not yet looked at, of a breadth-first search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontier: Option<u64>,
    /// Nodes of decision diagrams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What is known of a lossy search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, PartialEq)]
pub struct Hashing {
    /// The estimated share of the states that were not left out.
    pub coverage: f64,
    /// How many runs there were.
    pub runs: u32,
    /// How many bits are set for a state.
    pub hashes: u32,
    /// The seed of the hash functions of the first run.
    pub seed: u64,
}

/// Why a run violates a formula.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Reason {
    /// The part of the formula.
    pub formula: String,
    /// Since when it is owed, or where it fails.
    pub step: usize,
    /// `never fulfilled`, `broken` or `fails`.
    pub kind: &'static str,
    /// Where it is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

/// Which statements were reached.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Statements {
    /// Were all states seen?
    pub complete: bool,
    /// Those that no run reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached: Option<Vec<Unreached>>,
    /// Propositions that never change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<Vec<Constant>>,
    /// The process types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<Counted>,
}

/// A process type and its statements.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Counted {
    /// Its name.
    pub name: String,
    /// How many statements it has.
    pub statements: usize,
}

/// A statement that no run reaches.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Unreached {
    /// The process type.
    pub process: String,
    /// The file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// As it is written.
    pub statement: String,
}

/// A proposition that never changes.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub proposition: String,
    /// Its value.
    pub value: bool,
}

/// What the symbolic engine counted; what it did not count is left out.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq)]
#[serde(default)]
pub struct Sets {
    /// Iterations of the outer fixpoint, with the last one, which confirms it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_iterations: Option<u64>,
    /// Pre-images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ex: Option<u64>,
    /// Images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ey: Option<u64>,
    /// Backward reachability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eu: Option<u64>,
    /// Forward reachability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub es: Option<u64>,
    /// The most nodes that were live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_nodes: Option<u64>,
    /// The size of the set after each iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_sizes: Option<Vec<u64>>,
    /// Reachable states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reachable_states: Option<f64>,
    /// Initial states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_states: Option<f64>,
    /// States on fair paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair_states: Option<f64>,
    /// Transitions, parallel ones counted once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_transitions: Option<f64>,
    /// Nodes for the set of states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_nodes: Option<u64>,
    /// Nodes for the transition relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_nodes: Option<u64>,
    /// Rounds of chaining.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweeps: Option<u64>,
    /// Attempts at steps, from which the relation was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u64>,
    /// How often the order of the variables was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorderings: Option<u64>,
    /// What all properties share: the relation and the reachable states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup_seconds: Option<f64>,
}

/// The counters of the papers.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
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
        doc.results.push(Answer {
            verdict: Verdict::Nonempty,
            algorithm: "ascc".into(),
            store: "dense".into(),
            lasso: Some(Lasso { stem: vec![], cycle: vec![Value::from(3)] }),
            ..Answer::default()
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
