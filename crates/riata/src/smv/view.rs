//! States and runs of a model, for people and for programs.

use riata_report::wave::{self, Row, Wave};
use riata_smv::Model;
use riata_smv::ast::Sort;
use riata_smv::check::{Trace, show};
use riata_smv::evaluate::{Concrete, State};
use riata_smv::model::{Domain, Value, Variable};
use serde_json::{Map, Value as Json};

/// Shows states of one model.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The model.
    pub model: &'a Model,
}

impl View<'_> {
    /// A value for scripts.
    pub fn value(&self, x: Concrete) -> Json {
        match x {
            Concrete::Value(Value::Bool(b)) => b.into(),
            Concrete::Value(Value::Int(n)) => n.into(),
            _ => show(self.model, x).into(),
        }
    }

    /// A state for scripts.
    pub fn json(&self, s: &State) -> Json {
        let pairs = self.model.vars.iter().zip(s).filter(|(v, _)| !v.hidden);
        Json::Object(pairs.map(|(v, x)| (v.name.clone(), self.value(*x))).collect::<Map<_, _>>())
    }

    /// A state for people: what is new in it, of the variables that are `wanted`.
    fn differences(&self, before: Option<&State>, s: &State, wanted: impl Fn(&Variable) -> bool) -> String {
        let values = self.model.vars.iter().zip(s).enumerate();
        let new = values
            .filter(|(v, (x, value))| !x.hidden && wanted(x) && before.is_none_or(|b| b[*v] != **value));
        let new: Vec<String> =
            new.map(|(_, (v, x))| format!("{}={}", v.name, show(self.model, *x))).collect();
        new.join(" ")
    }

    /// What is new in a state, inputs left out: they belong to the step that leaves it.
    pub fn state_changes(&self, before: Option<&State>, s: &State) -> String {
        self.differences(before, s, |v| v.sort != Sort::Input)
    }

    /// The inputs of the step that leaves a state.
    pub fn inputs(&self, s: &State) -> String {
        self.differences(None, s, |v| v.sort == Sort::Input)
    }

    /// What is new in a state, with the inputs of the step that leaves it.
    pub fn changes(&self, before: Option<&State>, s: &State) -> String {
        self.differences(before, s, |_| true)
    }

    /// The variables that are inputs.
    pub fn input_names(&self) -> Vec<String> {
        let inputs = self.model.vars.iter().filter(|v| v.sort == Sort::Input && !v.hidden);
        inputs.map(|v| v.name.clone()).collect()
    }

    /// A run as a waveform; `wrong` is the state that is wrong, if one is.
    pub fn wave(&self, trace: &Trace, wrong: Option<usize>) -> Wave {
        let states: Vec<&State> = trace.stem.iter().chain(&trace.cycle).collect();
        let row = |(i, v): (usize, &Variable)| {
            let bit = v.domain == Domain::Bool;
            Row {
                name: v.name.clone(),
                input: v.sort == Sort::Input,
                values: states.iter().map(|s| self.wave_value(s[i], bit)).collect(),
            }
        };
        Wave {
            rows: self.model.vars.iter().enumerate().filter(|(_, v)| !v.hidden).map(row).collect(),
            states: states.len(),
            back: (!trace.cycle.is_empty()).then_some(trace.stem.len()),
            wrong,
        }
    }

    fn wave_value(&self, x: Concrete, bit: bool) -> wave::Value {
        match x {
            Concrete::Value(Value::Bool(b)) if bit => wave::Value::Bit(b),
            Concrete::Value(Value::Int(n)) => wave::Value::Number(n),
            Concrete::Word(width, _, bits) => wave::Value::Word { width, bits, shown: show(self.model, x) },
            Concrete::Value(_) => wave::Value::Text(show(self.model, x)),
        }
    }
}
