//! `riata replay`: is a saved trace a run of a model?

use crate::args::{Common, ModelKind, ReplayArgs};
use crate::check::ready;
use crate::input::Input;
use crate::model;
use crate::output::{Exit, complain, print};
use crate::trace::Viewer;
use riata_program::{Ends, Interpreter, Options};
use riata_system::{Path, System};
use serde_json::{Map, Value};

/// Runs the command.
pub fn run(args: &ReplayArgs, common: &Common) -> Exit {
    let kind = args.input.or_else(|| model::kind_of(&args.model));
    if let Some(why) = args.pictures.refused(kind) {
        return complain(why);
    }
    match kind {
        Some(ModelKind::Promela) => return crate::promela::replay(args, common),
        Some(kind @ (ModelKind::Smv | ModelKind::Aiger)) => return crate::smv::replay(kind, args, common),
        _ => {}
    }
    let loaded = match model::load(&args.model, args.input, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let saved = match Input::read(&args.trace).and_then(|input| Saved::read(&input)) {
        Ok(saved) => saved,
        Err(exit) => return exit,
    };
    // A trace of the model's property process has the steps of that process in it, other traces do not.
    let mut problem = String::new();
    for claim in [false, true] {
        let interpreter = match ready(&loaded, common, Options { claim, ends: Ends::Stutter }) {
            Ok(interpreter) => interpreter,
            Err(exit) => return exit,
        };
        let viewer = Viewer::new(&loaded, &interpreter);
        match follow(&interpreter, &viewer, &saved) {
            Ok(path) => {
                let steps = path.len() - 1;
                if common.json {
                    print(&format!(
                        "{}\n",
                        serde_json::json!({"schema": riata_report::json::SCHEMA, "command": "replay",
                            "input": loaded.given, "confirmed": true, "steps": steps, "loop": saved.back})
                    ));
                } else if !common.quiet {
                    let text = if common.verbose {
                        viewer.trace(&path, saved.back).to_text()
                    } else {
                        String::new()
                    };
                    let kind = if saved.back.is_some() { "a lasso" } else { "a path" };
                    print(&format!("{text}confirmed: {kind} of {steps} steps of {}\n", loaded.given));
                }
                return Exit::Holds;
            }
            Err(why) => problem = why,
        }
    }
    if common.json {
        print(&format!(
            "{}\n",
            serde_json::json!({"schema": riata_report::json::SCHEMA, "command": "replay",
                "input": loaded.given, "confirmed": false, "reason": problem})
        ));
    } else if !common.quiet {
        print(&format!("not a run of {}: {problem}\n", loaded.given));
    }
    Exit::Violated
}

/// A trace as it was saved.
pub struct Saved {
    /// The states: names and values.
    pub states: Vec<Map<String, Value>>,
    /// The state to which the last one returns.
    pub back: Option<usize>,
}

impl Saved {
    /// Reads a trace: in the Informal Trace Format, or the first one in what `check --json` printed.
    pub fn read(input: &Input) -> Result<Saved, Exit> {
        let bad = |what: &str| {
            complain(&format!("{} is not a trace in the Informal Trace Format: {what}", input.name))
        };
        let trace: Value = serde_json::from_slice(&input.bytes).map_err(|e| bad(&e.to_string()))?;
        let (states, back) = match trace.get("results").and_then(Value::as_array) {
            Some(results) => match results.iter().find_map(found) {
                Some(found) => found,
                None => return Err(bad("no result has a trace")),
            },
            None => (trace.get("states").cloned(), trace.get("loop").cloned()),
        };
        let Some(Value::Array(states)) = states else { return Err(bad("there is no list `states`")) };
        let mut saved = Saved { states: Vec::new(), back: None };
        for state in states {
            let Value::Object(state) = state else { return Err(bad("a state is not an object")) };
            saved.states.push(state.into_iter().filter(|(k, _)| !k.starts_with('#')).collect());
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

/// The states of a result of `check --json`, and where the cycle begins.
fn found(result: &Value) -> Option<(Option<Value>, Option<Value>)> {
    if let Some(trace) = result.get("trace") {
        return Some((Some(trace.clone()), None));
    }
    let lasso = result.get("lasso")?;
    let (stem, cycle) = (lasso.get("stem")?.as_array()?, lasso.get("cycle")?.as_array()?);
    let states = stem.iter().chain(cycle).cloned().collect();
    Some((Some(Value::Array(states)), Some(stem.len().into())))
}

/// Walks through the model along the trace.
fn follow(interpreter: &Interpreter, viewer: &Viewer, saved: &Saved) -> Result<Path, String> {
    let is = |s: &[u32], wanted: &Map<String, Value>| viewer.json(s).as_object() == Some(wanted);
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    if !is(&s, &saved.states[0]) {
        return Err("state 0 is not the initial state".into());
    }
    let mut path = Path::new();
    path.push(&s);
    for (i, wanted) in saved.states.iter().enumerate().skip(1) {
        s = step(interpreter, &s, |t| is(t, wanted)).ok_or_else(|| format!("no step leads to state {i}"))?;
        path.push(&s);
    }
    if let Some(back) = saved.back {
        step(interpreter, &s, |t| *t == *path.get(back))
            .ok_or_else(|| format!("no step leads back to state {back}"))?;
    }
    Ok(path)
}

/// A successor with this property; a state that cannot move repeats.
fn step(interpreter: &Interpreter, s: &[u32], is: impl Fn(&[u32]) -> bool) -> Option<Vec<u32>> {
    let mut at = Default::default();
    let mut t = s.to_vec();
    let mut moved = false;
    while interpreter.next(s, &mut at, &mut t).is_some() {
        moved = true;
        if is(&t) {
            return Some(t);
        }
    }
    (!moved && is(s)).then(|| s.to_vec())
}
