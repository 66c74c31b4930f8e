//! `riata replay TRACE MODEL.smv`: is a saved trace a run of the model? The evaluator walks it.

use super::Source;
use super::tell::{Run, Said};
use super::view::View;
use crate::args::{Common, ModelKind, ReplayArgs};
use crate::check::write;
use crate::input::Input;
use crate::output::{Exit, print};
use crate::replay::Saved;
use riata_aiger::witness;
use riata_report::json::SCHEMA;
use riata_smv::Model;
use riata_smv::check::Trace;
use riata_smv::evaluate::{self, Concrete, State, Unfair};
use riata_smv::model::{Domain, Value, Variable};
use serde_json::{Map, Value as Json, json};

/// Runs the command.
pub fn run(kind: ModelKind, args: &ReplayArgs, common: &Common) -> Exit {
    let source = match Source::read(&args.model, kind, None, common) {
        Ok(source) => source,
        Err(bad) => return bad.exit,
    };
    let input = match Input::read(&args.trace) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let read = match &source.circuit {
        Some(circuit) if witness::is_witness(&input.bytes) => {
            witness::follow(circuit, &input.bytes).map(|found| split(found.states, found.back))
        }
        _ => match Saved::read(&input) {
            Ok(saved) => states(&source.model, &saved).map(|states| split(states, saved.back)),
            Err(exit) => return exit,
        },
    };
    let trace = match read {
        Ok(trace) => trace,
        Err(why) => return refuse(&source, common, &why),
    };
    let steps = trace.stem.len() + trace.cycle.len() - 1;
    let back = (!trace.cycle.is_empty()).then_some(trace.stem.len());
    if let Err(why) = evaluate::replay(&source.model, &trace.stem, &trace.cycle, false) {
        return refuse(&source, common, &why);
    }
    // A lasso that is not fair does not count as a run; say which constraint it misses.
    if let Some(constraint) = evaluate::unfair(&source.model, &trace.cycle) {
        let why = match constraint {
            Unfair::Justice(j) => format!("the cycle misses the fairness constraint `{}`", source.excerpt(j)),
            Unfair::Compassion(p, q) => {
                format!("the cycle visits `{}` and never `{}`", source.excerpt(p), source.excerpt(q))
            }
        };
        return refuse(&source, common, &why);
    }
    if common.json {
        print(&format!(
            "{}\n",
            json!({"schema": SCHEMA, "command": "replay", "input": source.given, "confirmed": true,
                "steps": steps, "loop": back})
        ));
    } else if !common.quiet {
        let text = if common.verbose { View { model: &source.model }.text(&trace) } else { String::new() };
        let fair = !source.model.justice.is_empty() || !source.model.compassion.is_empty();
        let kind = match back {
            Some(_) if fair => "a fair lasso",
            Some(_) => "a lasso",
            None => "a path",
        };
        print(&format!("{text}confirmed: {kind} of {steps} steps of {}\n", source.given));
    }
    let run = Run { source: &source, name: &input.name, trace: &trace, said: &Said::default() };
    write(&run.files(&args.pictures, None))
}

/// Says why it is no run.
fn refuse(source: &Source, common: &Common, why: &str) -> Exit {
    if common.json {
        print(&format!(
            "{}\n",
            json!({"schema": SCHEMA, "command": "replay", "input": source.given, "confirmed": false,
                "reason": why})
        ));
    } else if !common.quiet {
        print(&format!("not a run of {}: {why}\n", source.given));
    }
    Exit::Violated
}

fn split(mut states: Vec<State>, back: Option<usize>) -> Trace {
    let cycle = back.map_or_else(Vec::new, |b| states.split_off(b));
    Trace { stem: states, cycle }
}

/// The states of a saved trace. Tells what is wrong with them.
fn states(model: &Model, saved: &Saved) -> Result<Vec<State>, String> {
    let one = |(i, state): (usize, &Map<String, Json>)| {
        if let Some(name) = state.keys().find(|k| !model.vars.iter().any(|v| v.name == **k)) {
            return Err(format!("state {i}: the model has no variable `{name}`"));
        }
        let value = |v: &Variable| match state.get(&v.name) {
            None => Err(format!("state {i} does not tell the value of `{}`", v.name)),
            Some(x) => {
                read(model, v, x).ok_or_else(|| format!("state {i}: `{}` cannot have the value {x}", v.name))
            }
        };
        model.vars.iter().map(value).collect()
    };
    saved.states.iter().enumerate().map(one).collect()
}

/// A value of a variable, if it is one.
fn read(model: &Model, v: &Variable, x: &Json) -> Option<Concrete> {
    let candidates: Vec<Concrete> = match &v.domain {
        Domain::Bool => [false, true].map(|b| Concrete::Value(Value::Bool(b))).to_vec(),
        Domain::Values(values) => values.iter().map(|v| Concrete::Value(*v)).collect(),
        Domain::Word { signed, width } => {
            let head = format!("0{}d{width}_", if *signed { 's' } else { 'u' });
            let bits: u64 = x.as_str()?.strip_prefix(&head)?.parse().ok()?;
            let fits = *width >= 64 || bits >> width == 0;
            return fits.then_some(Concrete::Word(*width, *signed, bits));
        }
    };
    candidates.into_iter().find(|c| View { model }.value(*c) == *x)
}
