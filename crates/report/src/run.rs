//! A run that was found, in every form that somebody may look at: text, JSON, ITF, a page, a chart, a waveform, a trail.

use crate::chart::{self, Chart};
use crate::page;
use crate::trace::{Step, Trace, itf};
use crate::wave::{self, Wave};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Who moved in a step, and by which statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Taken {
    /// The process; none where nothing can move and the state repeats.
    pub process: Option<String>,
    /// Its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The number of the edge in its control graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    /// The statement as it is written.
    pub statement: String,
    /// File and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The other side of a rendezvous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Box<Taken>>,
}

/// A run: a path as far as it is known, or a lasso.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The model and the property, or another name.
    pub title: String,
    /// The formula that it is about, and its place.
    pub about: String,
    /// For people, with what is to be said of its end.
    pub trace: Trace,
    /// The states as objects of names and values.
    pub states: Vec<Value>,
    /// The state to which the last one returns.
    pub back: Option<usize>,
    /// The step that leaves each state, if steps have names.
    pub steps: Vec<Taken>,
    /// The variables that are inputs.
    pub inputs: Vec<String>,
    /// Its messages, if they were asked for.
    pub chart: Option<Chart>,
    /// Its waveform, if the model is synchronous.
    pub wave: Option<Wave>,
    /// Its trail for Spin, or why there is none, if that was asked for.
    pub trail: Option<Result<String, String>>,
    /// The files of the model: name and text.
    pub sources: Vec<(String, String)>,
}

/// A form of a run that is a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The Informal Trace Format.
    Itf,
    /// A picture: the message sequence chart, or the waveform.
    Svg,
    /// A page with everything.
    Html,
    /// A trail of Spin's.
    Trail,
    /// A value change dump.
    Vcd,
}

impl Run {
    /// How many states it has.
    pub fn length(&self) -> usize {
        self.states.len().max(self.trace.steps.len())
    }

    /// Leaves out what comes after `n` steps.
    pub fn truncate(&mut self, n: usize) {
        if n + 1 < self.length() {
            self.states.truncate(n + 1);
            self.steps.truncate(n);
            self.trace.steps.truncate(n + 1);
            (self.back, self.trace.back) = (None, None);
            self.trace.end.clear();
        }
    }

    /// What JSON has besides the states: steps and messages.
    pub fn more(&self) -> Map<String, Value> {
        let mut more = Map::new();
        if !self.steps.is_empty() {
            more.insert("steps".into(), serde_json::to_value(&self.steps).unwrap_or_default());
        }
        if let Some(chart) = &self.chart {
            more.insert("messages".into(), chart.to_json());
        }
        more
    }

    /// What was printed: step, process and text.
    pub fn printed(&self) -> Value {
        let back = self.trace.back.as_ref().map(|(_, step)| step);
        let one = |(i, step): (usize, &Step)| {
            let line = move |(who, text): &(String, String)| json!({"step": i, "process": who, "text": text});
            step.printed.iter().map(line).collect::<Vec<_>>()
        };
        self.trace.steps.iter().chain(back).enumerate().flat_map(one).collect()
    }

    /// The run in the Informal Trace Format. Each state but the first says which step led to it.
    pub fn itf(&self) -> Value {
        let (source, description) = self.title.split_once(": ").unwrap_or((&self.title, ""));
        let mut states = self.states.clone();
        let mut names: Vec<String> = Vec::new();
        for name in states.iter().filter_map(Value::as_object).flat_map(|o| o.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut steps = self.steps.iter().map(|s| serde_json::to_value(s).unwrap_or_default());
        for (state, step) in states.iter_mut().skip(1).zip(&mut steps) {
            state["#step"] = step;
        }
        let mut whole = itf(source, description, &names, &states, self.back);
        if let Some(step) = steps.next() {
            whole["#loop_step"] = step;
        }
        whole
    }

    /// The run as a file, or why it cannot be one.
    pub fn file(&self, form: Form) -> Result<String, String> {
        match form {
            Form::Itf => Ok(self.itf().to_string() + "\n"),
            Form::Svg => match (&self.wave, &self.chart) {
                (Some(wave), _) => Ok(wave::svg(wave, &self.title)),
                (None, Some(chart)) => Ok(chart::svg(chart, &self.title)),
                (None, None) => Err("there is no picture of such a run".into()),
            },
            Form::Html => Ok(page::of_run(self)),
            Form::Trail => self.trail.clone().unwrap_or_else(|| Err("such a run has no trail".into())),
            Form::Vcd => match &self.wave {
                Some(wave) => Ok(wave::vcd(wave, &self.title)),
                None => Err("such a run has no waveform".into()),
            },
        }
    }
}
