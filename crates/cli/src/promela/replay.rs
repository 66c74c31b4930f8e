//! `riata replay TRACE MODEL.pml`: is a saved trace a run of a model?

use super::tell::{Run, Teller};
use super::trail::{Followed, Trail};
use super::view::Viewer;
use super::{Loaded, load};
use crate::args::{Common, ReplayArgs};
use crate::input::Input;
use crate::output::{Exit, complain, print};
use crate::replay::Saved;
use riata_program::dynamic::{Asserts, Interpreter, Options, optimise};
use riata_system::{Path, Successors, System};
use serde_json::{Map, Value, json};

/// A run in a file: states, or Spin's numbers of statements.
pub enum Told {
    /// States of our own.
    States(Saved),
    /// A trail of Spin's.
    Trail(Trail),
}

impl Told {
    /// Reads a file.
    pub fn read(path: &std::path::Path) -> Result<Told, Exit> {
        let input = Input::read(path)?;
        let text = String::from_utf8_lossy(&input.bytes);
        // A run without steps is an empty trail.
        let trail = |c: char| c == '-' || c.is_ascii_digit();
        if text.trim().is_empty() || text.trim_start().starts_with(trail) {
            let trail = Trail::read(&text);
            return trail.map(Told::Trail).map_err(|e| complain(&format!("{}: {e}", input.name)));
        }
        Saved::read(&input).map(Told::States)
    }

    /// The run of the model that it tells, or why there is none.
    pub fn follow(&self, loaded: &Loaded, interpreter: &Interpreter) -> Result<Followed, String> {
        match self {
            Told::States(saved) => follow(loaded, interpreter, saved),
            Told::Trail(trail) => trail.follow(loaded, interpreter),
        }
    }
}

/// Runs the command.
pub fn run(args: &ReplayArgs, common: &Common) -> Exit {
    let loaded = match load(&args.model, &args.pre, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let told = match Told::read(&args.trace) {
        Ok(told) => told,
        Err(exit) => return exit,
    };
    // A run of infinite length does not end where an assertion fails, so both are tried. A lasso that repeats only
    // because some variables do not count is one of an optimised program.
    let mut problem = String::new();
    let small = [false, true].map(|merge| optimise(loaded.program(), merge));
    let ways = [loaded.program(), &small[0], &small[1]].map(|p| [(p, Asserts::Fault), (p, Asserts::Ignore)]);
    for (n, &(program, asserts)) in ways.iter().flatten().enumerate() {
        let written = n < 2;
        if !written && matches!(told, Told::Trail(_)) {
            break;
        }
        let interpreter = match loaded.ready(common, program, Options { asserts }) {
            Ok(interpreter) => interpreter,
            Err(exit) => return exit,
        };
        match told.follow(&loaded, &interpreter) {
            Ok(run) => return confirmed(args, common, &loaded, (&interpreter, written), &run),
            Err(why) if problem.is_empty() => problem = why,
            Err(_) => {}
        }
    }
    if common.json {
        print(&format!(
            "{}\n",
            json!({"schema": riata_report::json::SCHEMA, "command": "replay",
                "input": loaded.given, "confirmed": false, "reason": problem})
        ));
    } else if !common.quiet {
        print(&format!("not a run of {}: {problem}\n", loaded.given));
    }
    Exit::Violated
}

fn confirmed(
    args: &ReplayArgs,
    common: &Common,
    loaded: &Loaded,
    (interpreter, written): (&Interpreter, bool),
    Followed { path, back }: &Followed,
) -> Exit {
    let steps = path.len() - 1;
    let teller = Teller { loaded, pictures: &args.pictures };
    let for_people = common.verbose && !common.json && !common.quiet;
    let end = ends(loaded, interpreter, path, *back);
    let run = Run { interpreter, written, path, back: *back, name: "replay", end: end.clone() };
    let told = teller.tell(&run, for_people);
    if common.json {
        let mut object = json!({"schema": riata_report::json::SCHEMA, "command": "replay",
            "input": loaded.given, "confirmed": true, "steps": steps, "loop": back});
        if let Value::Object(object) = &mut object {
            object.extend(told.more);
        }
        print(&format!("{object}\n"));
    } else if !common.quiet {
        let kind = if back.is_some() { "a lasso" } else { "a path" };
        let shown = if for_people {
            told.shown
        } else if end.is_empty() {
            end
        } else {
            format!("  {end}\n")
        };
        print(&format!("{shown}confirmed: {kind} of {steps} steps of {}\n", loaded.given));
    }
    crate::check::write(&told.files)
}

/// What is to be said of the last state of a path.
pub fn ends(loaded: &Loaded, interpreter: &Interpreter, path: &Path, back: Option<usize>) -> String {
    let viewer = Viewer::new(loaded, interpreter);
    let last = path.get(path.len() - 1);
    let mut scratch = vec![0; interpreter.words()];
    if back.is_some() {
        String::new()
    } else if interpreter.is_fault(last) {
        viewer.fault(path)
    } else if !interpreter.is_stuck(last, &mut scratch) {
        String::new()
    } else if interpreter.is_end(last) {
        "the run has ended".into()
    } else {
        viewer.stuck(last)
    }
}

/// Walks through the model along states. Names and values may be those of several states (who holds control is not
/// told), so all that fit are kept.
fn follow(loaded: &Loaded, interpreter: &Interpreter, saved: &Saved) -> Result<Followed, String> {
    let viewer = Viewer::new(loaded, interpreter);
    let is = |s: &[u32], wanted: &Map<String, Value>| viewer.json(s).as_object() == Some(wanted);
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    s.truncate(interpreter.len(&s));
    if !is(&s, &saved.states[0]) {
        return Err("state 0 is not the initial state".into());
    }
    // For each place the states that fit, each with the number of its predecessor.
    let mut fitting: Vec<Vec<(Vec<u32>, usize)>> = vec![vec![(s, 0)]];
    let mut all = Successors::default();
    let next = |from: &[(Vec<u32>, usize)], all: &mut Successors, fits: &dyn Fn(&[u32]) -> bool| {
        let mut found: Vec<(Vec<u32>, usize)> = Vec::new();
        for (i, (s, _)) in from.iter().enumerate() {
            interpreter.post(s, all);
            let stays = all.is_empty() && !interpreter.is_fault(s);
            let targets = (0..all.len()).map(|k| all.get(k).0).chain(stays.then_some(&s[..]));
            for t in targets {
                if !found.iter().any(|(f, _)| f == t) && fits(t) {
                    found.push((t.to_vec(), i));
                }
            }
        }
        found
    };
    for (i, wanted) in saved.states.iter().enumerate().skip(1) {
        let found = next(&fitting[i - 1], &mut all, &|t| is(t, wanted));
        if found.is_empty() {
            return Err(format!("no step leads to state {i}"));
        }
        fitting.push(found);
    }
    let last = fitting.len() - 1;
    // The way back from each state that fits the last place.
    let way = |end: usize| {
        let mut states = Vec::new();
        let mut at = end;
        for place in fitting.iter().rev() {
            states.push(&place[at].0[..]);
            at = place[at].1;
        }
        states.reverse();
        states.into_iter().collect::<Path>()
    };
    let Some(back) = saved.back else { return Ok(Followed { path: way(0), back: None }) };
    for end in 0..fitting[last].len() {
        let path = way(end);
        if !next(&[(path.get(last).to_vec(), 0)], &mut all, &|t| t == path.get(back)).is_empty() {
            return Ok(Followed { path, back: Some(back) });
        }
    }
    Err(format!("no step leads back to state {back}"))
}
