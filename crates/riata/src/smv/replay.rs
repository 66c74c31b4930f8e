//! Is a saved trace a run of a synchronous model? The evaluator walks it.

use super::Source;
use super::tell::{Said, Telling};
use super::view::View;
use crate::error::Error;
use crate::saved::Saved;
use crate::subject::Replayed;
use riata_aiger::witness;
use riata_smv::Model;
use riata_smv::check::Trace;
use riata_smv::evaluate::{self, Concrete, State, Unfair};
use riata_smv::model::{Domain, Value, Variable};
use serde_json::{Map, Value as Json};

/// Follows a saved trace.
pub fn replay(source: &Source, (name, bytes): (&str, &[u8])) -> Result<Replayed, Error> {
    let read = match &source.circuit {
        Some(circuit) if witness::is_witness(bytes) => {
            witness::follow(circuit, bytes).map(|found| split(found.states, found.back))
        }
        _ => {
            let saved = Saved::read(name, bytes)?;
            states(&source.model, &saved).map(|states| split(states, saved.back))
        }
    };
    let trace = match read {
        Ok(trace) => trace,
        Err(why) => return Ok(Replayed::Refuted(why)),
    };
    if let Err(why) = evaluate::replay(&source.model, &trace.stem, &trace.cycle, false) {
        return Ok(Replayed::Refuted(why));
    }
    // A lasso that is not fair does not count as a run; say which constraint it misses.
    if let Some(constraint) = evaluate::unfair(&source.model, &trace.cycle) {
        return Ok(Replayed::Refuted(match constraint {
            Unfair::Justice(j) => format!("the cycle misses the fairness constraint `{}`", source.excerpt(j)),
            Unfair::Compassion(p, q) => {
                format!("the cycle visits `{}` and never `{}`", source.excerpt(p), source.excerpt(q))
            }
        }));
    }
    let fair = !source.model.justice.is_empty() || !source.model.compassion.is_empty();
    let kind = match trace.cycle.is_empty() {
        false if fair => "a fair lasso",
        false => "a lasso",
        true => "a path",
    };
    let run = Telling { source, trace: &trace, said: &Said::default() }.tell("replay");
    Ok(Replayed::Confirmed(Box::new(run), kind))
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
