//! `riata simulate MODEL.pml`: one run, by chance or by hand.

use super::load;
use super::view::Viewer;
use crate::args::{Common, SimulateArgs};
use crate::output::{Exit, complain, print};
use crate::simulate::choose;
use riata_automata::random::Rng;
use riata_program::dynamic::Options;
use riata_system::{Path, Successors, System};

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let loaded = match load(&args.model, &args.pre, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let interpreter = match loaded.ready(common, loaded.program(), Options::default()) {
        Ok(interpreter) => interpreter,
        Err(exit) => return exit,
    };
    let viewer = Viewer::new(&loaded, &interpreter);
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    s.truncate(interpreter.len(&s));
    let mut path = Path::new();
    path.push(&s);
    let mut random = Rng::new(args.seed);
    let mut choices = Successors::default();
    let mut end = String::new();
    while path.len() <= args.steps {
        if interpreter.is_fault(&s) {
            end = viewer.fault(&path);
            break;
        }
        interpreter.post(&s, &mut choices);
        if choices.is_empty() {
            end = if interpreter.is_end(&s) { "the run has ended".into() } else { viewer.stuck(&s) };
            break;
        }
        let choice = if args.interactive {
            let columns = interpreter.processes(&s) as usize + 2;
            match choose(choices.len(), |i| viewer.step(columns, &s, choices.get(i).0)) {
                Some(choice) => choice,
                None => break,
            }
        } else {
            random.below(choices.len() as u64) as usize
        };
        s = choices.get(choice).0.to_vec();
        path.push(&s);
    }
    let itf = || viewer.itf(&path, None, &format!("simulation with seed {}", args.seed));
    if common.json {
        print(&format!("{}\n", itf()));
    } else if !common.quiet {
        let mut trace = viewer.trace(&path, None);
        trace.end = end;
        print(&trace.to_text());
    }
    if let Some(file) = &args.trace
        && let Err(e) = std::fs::write(file, itf().to_string() + "\n")
    {
        return complain(&format!("cannot write {}: {e}", file.display()));
    }
    Exit::Holds
}
