//! Saved traces: in the Informal Trace Format, or in what `check --json` printed.

use crate::error::Error;
use serde_json::{Map, Value};

/// A trace as it was saved.
pub struct Saved {
    /// The states: names and values.
    pub states: Vec<Map<String, Value>>,
    /// The state to which the last one returns.
    pub back: Option<usize>,
    /// The step that leaves each state, where that was saved; null where it was not.
    steps: Vec<Value>,
}

impl Saved {
    /// The step that leaves state `i`, if it was saved.
    pub fn step(&self, i: usize) -> Option<&Value> {
        self.steps.get(i).filter(|step| !step.is_null())
    }

    /// Reads a trace: in the Informal Trace Format, or the first one in what `check --json` printed.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Saved, Error> {
        let bad =
            |what: &str| Error::usage(format!("{name} is not a trace in the Informal Trace Format: {what}"));
        let trace: Value = serde_json::from_slice(bytes).map_err(|e| bad(&e.to_string()))?;
        let (states, back, steps) = match trace.get("results").and_then(Value::as_array) {
            Some(results) => match results.iter().find_map(told) {
                Some(found) => found,
                None => return Err(bad("no result has a trace")),
            },
            None => (trace.get("states").cloned(), trace.get("loop").cloned(), None),
        };
        let Some(Value::Array(states)) = states else { return Err(bad("there is no list `states`")) };
        let mut saved = Saved { states: Vec::new(), back: None, steps: Vec::new() };
        for (i, state) in states.into_iter().enumerate() {
            let Value::Object(state) = state else { return Err(bad("a state is not an object")) };
            if i > 0 {
                saved.steps.push(state.get("#step").cloned().unwrap_or_default());
            }
            saved.states.push(state.into_iter().filter(|(k, _)| !k.starts_with('#')).collect());
        }
        saved.steps.push(trace.get("#loop_step").cloned().unwrap_or_default());
        if let Some(Value::Array(steps)) = steps {
            saved.steps = steps;
        }
        if saved.states.is_empty() {
            return Err(bad("it has no states"));
        }
        if let Some(back) = back {
            match back.as_u64() {
                Some(i) if (i as usize) < saved.states.len() => saved.back = Some(i as usize),
                _ => return Err(bad("`loop` is not the number of a state")),
            }
        }
        Ok(saved)
    }
}

/// States, where the cycle begins, and steps.
type Told = (Option<Value>, Option<Value>, Option<Value>);

/// What a result of `check --json` tells of a run.
fn told(result: &Value) -> Option<Told> {
    let steps = result.get("steps").cloned();
    if let Some(trace) = result.get("trace") {
        return Some((Some(trace.clone()), None, steps));
    }
    let lasso = result.get("lasso")?;
    let (stem, cycle) = (lasso.get("stem")?.as_array()?, lasso.get("cycle")?.as_array()?);
    let states = stem.iter().chain(cycle).cloned().collect();
    Some((Some(Value::Array(states)), Some(stem.len().into()), steps))
}
