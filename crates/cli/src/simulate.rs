//! `riata simulate`: one run of a model, by chance or by hand.

use crate::args::{Common, ModelKind, SimulateArgs};
use crate::check::ready;
use crate::explore::describe_end;
use crate::model;
use crate::output::{Exit, complain, print};
use crate::trace::Viewer;
use riata_automata::random::Rng;
use riata_program::Options;
use riata_report::trace::Step;
use riata_system::{Choice, Successors, System, Walk};
use std::io::BufRead;

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let kind = args.input.or_else(|| model::kind_of(&args.model));
    if let Some(why) = args.pictures.refused(kind) {
        return complain(why);
    }
    match kind {
        Some(ModelKind::Promela) => return crate::promela::simulate(args, common),
        Some(kind @ (ModelKind::Smv | ModelKind::Aiger)) => return crate::smv::simulate(kind, args, common),
        _ => {}
    }
    if args.guide.is_some() {
        return complain(
            "guided simulation is for Promela models; `riata replay -v` shows a trace of this one",
        );
    }
    let loaded = match model::load(&args.model, args.input, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let interpreter = match ready(&loaded, common, Options::default()) {
        Ok(interpreter) => interpreter,
        Err(exit) => return exit,
    };
    let viewer = Viewer::new(&loaded, &interpreter);
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    let mut walk = Walk::default();
    walk.states.push(&s);
    let mut random = Rng::new(args.seed);
    let mut choices = Successors::default();
    let mut end = String::new();
    while walk.states.len() <= args.steps.unwrap_or(50) {
        end = describe_end(&loaded, &interpreter, &walk);
        if !end.is_empty() {
            break;
        }
        interpreter.post(&s, &mut choices);
        if choices.is_empty() {
            end = "no process can move".into();
            break;
        }
        let choice = if args.interactive {
            match choose(choices.len(), |i| viewer.step(&s, Choice(i as u32), choices.get(i).0)) {
                Some(choice) => choice,
                None => break,
            }
        } else {
            random.below(choices.len() as u64) as usize
        };
        s.copy_from_slice(choices.get(choice).0);
        walk.choices.push(Choice(choice as u32));
        walk.states.push(&s);
    }
    if common.json {
        let itf = viewer.itf(&walk, &format!("simulation with seed {}", args.seed));
        print(&format!("{itf}\n"));
    } else if !common.quiet {
        let mut trace = viewer.trace(&walk);
        trace.end = end;
        print(&trace.to_text());
    }
    if let Some(file) = &args.trace {
        let itf = viewer.itf(&walk, &format!("simulation with seed {}", args.seed));
        if let Err(e) = std::fs::write(file, itf.to_string() + "\n") {
            return complain(&format!("cannot write {}: {e}", file.display()));
        }
    }
    Exit::Holds
}

/// Lets the user choose one of `n` steps; nothing to stop.
pub fn choose(n: usize, step: impl Fn(usize) -> Step) -> Option<usize> {
    let mut menu = String::new();
    for i in 0..n {
        let step = step(i);
        let changes: Vec<&str> = step.cells.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
        menu += &format!("  {i:>3}  {}  {}  [{}]\n", step.place, step.statement, changes.join(", "));
    }
    print(&menu);
    let mut lines = std::io::stdin().lock().lines();
    loop {
        print("which step (number, or q to stop)? ");
        let line = lines.next()?.ok()?;
        match line.trim() {
            "q" | "quit" => return None,
            number => match number.parse() {
                Ok(i) if i < n => return Some(i),
                _ => print("there is no such step\n"),
            },
        }
    }
}
