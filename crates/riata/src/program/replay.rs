//! Is a saved trace a run of a program?

use super::Loaded;
use super::tell::Telling;
use super::trail::Trail;
use super::view::Viewer;
use crate::error::Error;
use crate::how::How;
use crate::saved::Saved;
use crate::subject::Replayed;
use riata_program::{
    Asserts, Claim, Claimed, Execution, Failure, Interpreter, Options, Passes, Program, Property, Sees, Step,
    optimise,
};
use riata_system::System;
use serde_json::{Map, Value};

/// A run in a file: states, or Spin's numbers of statements.
enum Told {
    /// States of our own.
    States(Saved),
    /// A trail of Spin's.
    Trail(Trail),
}

impl Told {
    /// Reads a file about a model.
    fn read((name, bytes): (&str, &[u8]), loaded: &Loaded) -> Result<Told, Error> {
        if loaded.numbers().is_none() {
            return Saved::read(name, bytes).map(Told::States);
        }
        let text = String::from_utf8_lossy(bytes);
        // A run without steps is an empty trail.
        let trail = |c: char| c == '-' || c.is_ascii_digit();
        if text.trim().is_empty() || text.trim_start().starts_with(trail) {
            let trail = Trail::read(&text);
            return trail.map(Told::Trail).map_err(|e| Error::usage(format!("{name}: {e}")));
        }
        Saved::read(name, bytes).map(Told::States)
    }

    /// The run of the model that it tells, or why there is none.
    fn follow(&self, loaded: &Loaded, interpreter: &Interpreter) -> Result<Execution, String> {
        match self {
            Told::States(saved) => follow(loaded, interpreter, saved),
            Told::Trail(trail) => trail.follow(loaded, interpreter),
        }
    }
}

/// Follows a saved trace.
pub fn replay(loaded: &Loaded, trace: (&str, &[u8]), how: &How) -> Result<Replayed, Error> {
    let told = Told::read(trace, loaded)?;
    // A run of infinite length does not end where an assertion fails, so both are tried. A lasso that repeats only
    // because some variables do not count is one of an optimised program.
    let mut problem = String::new();
    let small = [false, true].map(|merge| {
        optimise(
            loaded.program(),
            Passes { merge, ..Passes::ALL },
            Sees { propositions: true, ..Sees::default() },
        )
    });
    // A claim with variables of its own is part of the states, and so is where a trace has come to.
    let with_more = loaded.stated().iter().filter_map(|p| match p {
        Property::Never(_, Claim::Process(claim)) => Some(loaded.program().clone().claimed(claim)),
        Property::Trace(_, monitor) => Some(loaded.program().clone().monitored(monitor)),
        _ => None,
    });
    let with_more: Vec<Program> = with_more.collect();
    let programs = [loaded.program()].into_iter().chain(&with_more).chain(&small);
    let ways = programs.map(|p| [(p, Asserts::Fault), (p, Asserts::Ignore)]);
    for (n, (program, asserts)) in ways.flatten().enumerate() {
        let written = n < 2 + 2 * with_more.len();
        if !written && matches!(told, Told::Trail(_)) {
            break;
        }
        let interpreter = loaded.sound(Interpreter::new(program, Options { asserts }))?;
        match told.follow(loaded, &interpreter) {
            Ok(taken) => {
                let end = ends(loaded, &interpreter, &taken);
                let kind = if taken.back.is_some() { "a lasso" } else { "a path" };
                let telling =
                    Telling { loaded, interpreter: &interpreter, written, taken: &taken, end, beside: None };
                let run = telling.tell("replay", how.options.forms);
                return Ok(Replayed::Confirmed(Box::new(run), kind));
            }
            Err(why) if problem.is_empty() || program.claim.is_some() || program.monitor.is_some() => {
                problem = why
            }
            Err(_) => {}
        }
    }
    Ok(Replayed::Refuted(problem))
}

/// What is to be said of the last state of a run.
pub fn ends(loaded: &Loaded, interpreter: &Interpreter, run: &Execution) -> String {
    let viewer = Viewer::new(loaded, interpreter);
    let last = run.last();
    let mut scratch = vec![0; interpreter.words()];
    if run.back.is_some() {
        String::new()
    } else if run.failure.is_some() || interpreter.violated(last).is_some() {
        viewer.fault(run)
    } else if !interpreter.is_stuck(last, &mut scratch) {
        String::new()
    } else if interpreter.is_end(last) {
        "the run has ended".into()
    } else {
        viewer.stuck(last)
    }
}

/// A state that fits a place of a saved run: the state, the place of its predecessor among those that fit the place
/// before, the step between them, and what was wrong with it.
struct Fits {
    s: Vec<u32>,
    from: usize,
    step: Option<Step>,
    failure: Option<Failure>,
}

/// Is a step the one that was saved, as far as that was told?
fn same(step: Option<Step>, told: Option<&Value>) -> bool {
    let Some(Value::Object(told)) = told else { return true };
    let says = |o: &Map<String, Value>, pid: u32, edge: u32| {
        let number = |key| o.get(key).and_then(Value::as_u64);
        number("pid").is_none_or(|p| p == u64::from(pid))
            && number("edge").is_none_or(|e| e == u64::from(edge))
    };
    match step {
        None => told.get("pid").is_none(),
        // Nobody moved.
        Some(_) if told.get("process") == Some(&Value::Null) => false,
        Some(step) => {
            says(told, step.pid, step.edge.0)
                && match (step.partner, told.get("receiver")) {
                    (Some((pid, edge)), Some(Value::Object(o))) => says(o, pid, edge.0),
                    (None, None) => true,
                    _ => false,
                }
        }
    }
}

/// Walks through the model along states and, where they were saved, steps. Names and values may be those of several
/// states (who holds control is not told), so all that fit are kept.
fn follow(loaded: &Loaded, interpreter: &Interpreter, saved: &Saved) -> Result<Execution, String> {
    let viewer = Viewer::new(loaded, interpreter);
    let is = |s: &[u32], wanted: &Map<String, Value>| viewer.json(s).as_object() == Some(wanted);
    let start = Execution::start(interpreter);
    if !is(start.last(), &saved.states[0]) {
        return Err("state 0 is not the initial state".into());
    }
    let first = Fits { s: start.last().to_vec(), from: 0, step: None, failure: None };
    let mut fitting: Vec<Vec<Fits>> = vec![vec![first]];
    let claim = interpreter.program().claim;
    let claimed = claim.map(|claim| Claimed { interpreter, claim, stutters: true, justice: None });
    let next = |from: &[Fits], fits: &dyn Fn(&[u32], Option<Step>) -> bool| {
        let mut found: Vec<Fits> = Vec::new();
        for (i, Fits { s, .. }) in from.iter().enumerate() {
            let all = claimed.as_ref().map_or_else(|| interpreter.steps(s), |c| c.steps(s));
            // A claim that has come to its end stays there, whatever the processes could do.
            let stays =
                !interpreter.is_fault(s) && claimed.as_ref().map_or(all.is_empty(), |c| c.has_ended(s));
            let repeats = stays.then(|| (s.clone(), None, None));
            let moves = all.into_iter().map(|taken| (taken.to, Some(taken.step), taken.failure));
            for (to, step, failure) in moves.chain(repeats) {
                if !found.iter().any(|f| f.s == to) && fits(&to, step) {
                    found.push(Fits { s: to, from: i, step, failure });
                }
            }
        }
        found
    };
    for (i, wanted) in saved.states.iter().enumerate().skip(1) {
        let found = next(&fitting[i - 1], &|t, step| is(t, wanted) && same(step, saved.step(i - 1)));
        if found.is_empty() {
            return Err(match saved.step(i - 1) {
                Some(_) => format!("the step that was saved does not lead to state {i}"),
                None => format!("no step leads to state {i}"),
            });
        }
        fitting.push(found);
    }
    let last = fitting.len() - 1;
    // The way back from each state that fits the last place.
    let way = |end: usize| {
        let mut way = Vec::new();
        let mut at = end;
        for place in fitting.iter().rev() {
            way.push(&place[at]);
            at = place[at].from;
        }
        way.reverse();
        let failure = way.last().and_then(|f| f.failure);
        Execution {
            states: way.iter().map(|f| &f.s[..]).collect(),
            steps: way.iter().skip(1).map(|f| f.step).collect(),
            back: None,
            failure,
        }
    };
    let turns = |run: &Execution| claimed.as_ref().is_none_or(|c| c.takes_turns(run));
    let late = "claim and processes do not move in turn".to_string();
    let Some(back) = saved.back else { return if turns(&way(0)) { Ok(way(0)) } else { Err(late) } };
    for end in 0..fitting[last].len() {
        let mut run = way(end);
        let from = [Fits { s: run.last().to_vec(), from: 0, step: None, failure: None }];
        let returns = next(&from, &|t, step| t == run.states.get(back) && same(step, saved.step(last)));
        if let Some(step) = returns.first() {
            run.steps.push(step.step);
            run.back = Some(back);
            return if turns(&run) { Ok(run) } else { Err(late) };
        }
    }
    Err(format!("no step leads back to state {back}"))
}
