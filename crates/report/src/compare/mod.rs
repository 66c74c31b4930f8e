//! Comparisons of algorithms: a row for each model, property, algorithm and store; tables and plots of rows.

mod plot;
mod table;

pub use plot::{cactus, scatter};
pub use table::{Columns, csv, markdown, text};

use crate::answer::{Answer, Engine, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one algorithm did to decide one property of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The model as the user named it.
    pub model: String,
    /// The property.
    pub property: String,
    /// Its formula, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The algorithm.
    pub algorithm: String,
    /// The engine.
    pub engine: Engine,
    /// The store of states.
    pub store: String,
    /// The strength of the automaton: terminal, weak or general.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is inconclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// States visited.
    pub states: u64,
    /// Transitions generated; one counts as often as it was generated.
    pub transitions: u64,
    /// The largest depth of the call stack.
    pub depth: u64,
    /// The largest stack of roots.
    pub roots: u64,
    /// The largest stack of active states.
    pub active: u64,
    /// States of the whole product, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product_states: Option<u64>,
    /// Its transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product_transitions: Option<u64>,
    /// Iterations of the outer fixpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Images and preimages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<u64>,
    /// The most nodes of diagrams that were live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Bytes of the store, or of diagrams.
    pub bytes: u64,
    /// CPU seconds of each repetition.
    pub seconds: Vec<f64>,
    /// What the row is an answer to, for a comparison that is resumed.
    #[serde(default)]
    pub key: String,
}

impl Row {
    /// The row of an answer.
    pub fn of(model: &str, a: &Answer) -> Row {
        let c = &a.counters;
        let sets = a.sets.as_deref();
        Row {
            model: model.into(),
            property: a.property.clone().unwrap_or_default(),
            formula: a.formula.clone(),
            algorithm: a.algorithm.to_string(),
            engine: a.engine,
            store: a.store.to_string(),
            strength: a.strength.map(Into::into),
            verdict: a.verdict,
            reason: a.reason.clone().filter(|_| a.verdict == Verdict::Inconclusive),
            states: c.states,
            transitions: c.transitions,
            depth: c.max_depth,
            roots: c.max_roots,
            active: c.max_active,
            product_states: a.product.map(|p| p.states),
            product_transitions: a.product.map(|p| p.transitions),
            iterations: sets.and_then(|s| s.external_iterations),
            images: sets.and_then(|s| Some(s.ex? + s.ey?)),
            nodes: sets.and_then(|s| s.peak_nodes),
            bytes: a.memory_bytes,
            seconds: vec![a.cpu_seconds],
            key: String::new(),
        }
    }

    /// The median of the CPU seconds.
    pub fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        match sorted.len() {
            0 => 0.0,
            n if n % 2 == 1 => sorted[n / 2],
            n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
        }
    }

    /// The least and the most CPU seconds.
    pub fn spread(&self) -> (f64, f64) {
        let least = self.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        (if least.is_finite() { least } else { 0.0 }, self.seconds.iter().copied().fold(0.0, f64::max))
    }

    /// The algorithm, with the store if it is not the usual one.
    pub fn competitor(&self) -> String {
        match self.store.as_str() {
            "exact" | "bdd" => self.algorithm.clone(),
            store => format!("{} ({store})", self.algorithm),
        }
    }

    fn decided(&self) -> bool {
        self.verdict != Verdict::Inconclusive
    }
}

/// What is plotted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// The median of the CPU seconds.
    #[default]
    Seconds,
    /// States visited.
    States,
    /// Transitions generated.
    Transitions,
    /// Bytes.
    Bytes,
}

impl Measure {
    /// Its value for a row.
    pub fn of(self, row: &Row) -> f64 {
        match self {
            Measure::Seconds => row.median(),
            Measure::States => row.states as f64,
            Measure::Transitions => row.transitions as f64,
            Measure::Bytes => row.bytes as f64,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Seconds => "CPU seconds",
            Measure::States => "states",
            Measure::Transitions => "transitions",
            Measure::Bytes => "bytes",
        }
    }

    /// The smallest value that is told apart on a logarithmic scale.
    fn least(self) -> f64 {
        if self == Measure::Seconds { 1e-4 } else { 1.0 }
    }
}

/// Properties whose verdicts differ: one algorithm says that it holds, another that it does not. Each is told in a line.
pub fn disagreements(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let which = (row.model.as_str(), row.property.as_str());
        if seen.contains(&which) {
            continue;
        }
        seen.push(which);
        let same = |r: &&Row| (r.model.as_str(), r.property.as_str()) == which && r.decided();
        let decided: Vec<&Row> = rows.iter().filter(same).collect();
        if let Some(other) = decided.iter().find(|r| r.verdict != decided[0].verdict) {
            let (a, b) = (decided[0], other);
            lines.push(format!(
                "{} {}: {} says «{}», {} says «{}»",
                row.model,
                row.property,
                a.competitor(),
                a.verdict,
                b.competitor(),
                b.verdict
            ));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn row(model: &str, algorithm: &str, verdict: Verdict, seconds: &[f64]) -> Row {
        Row {
            model: model.into(),
            property: "p".into(),
            algorithm: algorithm.into(),
            store: "exact".into(),
            verdict,
            states: 10,
            transitions: 20,
            seconds: seconds.to_vec(),
            ..Row::default()
        }
    }

    #[test]
    fn the_median_is_between_the_extremes() {
        let r = row("m", "a", Verdict::Holds, &[0.3, 0.1, 0.2]);
        assert_eq!((r.median(), r.spread()), (0.2, (0.1, 0.3)));
        assert_eq!(row("m", "a", Verdict::Holds, &[1.0, 3.0]).median(), 2.0);
    }

    #[test]
    fn a_disagreement_is_told_once_and_limits_are_none() {
        let mut rows = vec![
            row("m", "a", Verdict::Holds, &[1.0]),
            row("m", "b", Verdict::Inconclusive, &[1.0]),
            row("n", "a", Verdict::Holds, &[1.0]),
        ];
        assert_eq!(disagreements(&rows), Vec::<String>::new());
        rows.push(row("m", "c", Verdict::Violated, &[1.0]));
        assert_eq!(disagreements(&rows), ["m p: a says «holds», c says «violated»"]);
    }
}
