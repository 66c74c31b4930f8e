//! `riata replay`: is a saved trace a run of a model?

use crate::args::{Common, ModelKind, ReplayArgs};
use crate::check::ready;
use crate::input::Input;
use crate::model;
use crate::output::{Exit, complain, print};
use crate::trace::Viewer;
use riata_program::{Ends, Interpreter, Options};
use riata_system::{Choice, System, Walk};
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
            Ok(walk) => {
                let steps = walk.states.len() - 1;
                if common.json {
                    print(&format!(
                        "{}\n",
                        serde_json::json!({"schema": riata_report::json::SCHEMA, "command": "replay",
                            "input": loaded.given, "confirmed": true, "steps": steps, "loop": saved.back})
                    ));
                } else if !common.quiet {
                    let text = if common.verbose { viewer.trace(&walk).to_text() } else { String::new() };
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
    /// The step that leaves each state, where that was saved; null where it was not.
    steps: Vec<Value>,
}

impl Saved {
    /// The step that leaves state `i`, if it was saved.
    pub fn step(&self, i: usize) -> Option<&Value> {
        self.steps.get(i).filter(|step| !step.is_null())
    }

    /// Reads a trace: in the Informal Trace Format, or the first one in what `check --json` printed.
    pub fn read(input: &Input) -> Result<Saved, Exit> {
        let bad = |what: &str| {
            complain(&format!("{} is not a trace in the Informal Trace Format: {what}", input.name))
        };
        let trace: Value = serde_json::from_slice(&input.bytes).map_err(|e| bad(&e.to_string()))?;
        let (states, back, steps) = match trace.get("results").and_then(Value::as_array) {
            Some(results) => match results.iter().find_map(found) {
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
type Found = (Option<Value>, Option<Value>, Option<Value>);

/// What a result of `check --json` tells of a run.
fn found(result: &Value) -> Option<Found> {
    let steps = result.get("steps").cloned();
    if let Some(trace) = result.get("trace") {
        return Some((Some(trace.clone()), None, steps));
    }
    let lasso = result.get("lasso")?;
    let (stem, cycle) = (lasso.get("stem")?.as_array()?, lasso.get("cycle")?.as_array()?);
    let states = stem.iter().chain(cycle).cloned().collect();
    Some((Some(Value::Array(states)), Some(stem.len().into()), steps))
}

/// Walks through the model along the trace, by the steps that were saved where they were.
fn follow(interpreter: &Interpreter, viewer: &Viewer, saved: &Saved) -> Result<Walk, String> {
    let is = |s: &[u32], wanted: &Map<String, Value>| viewer.json(s).as_object() == Some(wanted);
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    if !is(&s, &saved.states[0]) {
        return Err("state 0 is not the initial state".into());
    }
    let mut walk = Walk::default();
    walk.states.push(&s);
    for (i, wanted) in saved.states.iter().enumerate().skip(1) {
        let found = step(interpreter, &s, saved.step(i - 1), |t| is(t, wanted));
        let (choice, to) = found.ok_or_else(|| format!("no step leads to state {i}"))?;
        s = to;
        walk.choices.push(choice);
        walk.states.push(&s);
    }
    if let Some(back) = saved.back {
        let found =
            step(interpreter, &s, saved.step(saved.states.len() - 1), |t| *t == *walk.states.get(back));
        let (choice, _) = found.ok_or_else(|| format!("no step leads back to state {back}"))?;
        walk.choices.push(choice);
        walk.back = Some(back);
    }
    Ok(walk)
}

/// A successor with this property, by the step that was saved if one was; a state that cannot move repeats.
fn step(
    interpreter: &Interpreter,
    s: &[u32],
    saved: Option<&Value>,
    is: impl Fn(&[u32]) -> bool,
) -> Option<(Choice, Vec<u32>)> {
    let wanted = saved.and_then(|v| v.get("choice")).and_then(Value::as_u64);
    let mut at = Default::default();
    let mut t = s.to_vec();
    let mut n = 0;
    while interpreter.next(s, &mut at, &mut t).is_some() {
        if wanted.is_none_or(|w| w == u64::from(n)) && is(&t) {
            return Some((Choice(n), t));
        }
        n += 1;
    }
    (n == 0 && is(s)).then(|| (Choice::STUTTER, s.to_vec()))
}
