//! `riata simulate MODEL`: one run, by chance, by hand, or as a file tells.

use super::replay::{Told, ends};
use super::tell::{Run, Teller};
use super::view::Viewer;
use super::{Loaded, load};
use crate::args::{Common, SimulateArgs};
use crate::output::{Exit, complain, print};
use crate::simulate::choose;
use riata_automata::random::Rng;
use riata_program::{Asserts, Execution, Interpreter, Options};

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let loaded = match load(&args.model, args.input, &args.pre, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let told = match args.guide.as_ref().map(|file| Told::read(file, &loaded)).transpose() {
        Ok(told) => told,
        Err(exit) => return exit,
    };
    let mut problem = String::new();
    // A saved run of infinite length does not end where an assertion fails.
    for asserts in [Asserts::Fault, Asserts::Ignore] {
        let interpreter = match loaded.ready(common, loaded.program(), Options { asserts }) {
            Ok(interpreter) => interpreter,
            Err(exit) => return exit,
        };
        let followed = match &told {
            None => Ok(Execution::start(&interpreter)),
            Some(told) => told.follow(&loaded, &interpreter),
        };
        match followed {
            Ok(run) => return simulate(args, common, &loaded, &interpreter, run),
            Err(why) if problem.is_empty() => problem = why,
            Err(_) => {}
        }
    }
    complain(&format!("not a run of {}: {problem}", loaded.given))
}

fn simulate(
    args: &SimulateArgs,
    common: &Common,
    loaded: &Loaded,
    interpreter: &Interpreter,
    mut run: Execution,
) -> Exit {
    if args.guide.is_some() {
        // Only what the file tells, and no more of it than was asked for.
        if let Some(n) = args.steps {
            run.truncate(n.saturating_add(1));
        }
        return show(args, common, loaded, interpreter, &run);
    }
    let steps = args.steps.unwrap_or(50);
    let viewer = Viewer::new(loaded, interpreter);
    let mut random = Rng::new(args.seed);
    while run.states.len() <= steps {
        let s = run.last().to_vec();
        let choices = interpreter.steps(&s);
        if choices.is_empty() {
            break;
        }
        let columns = viewer.processes(&s) as usize + 2;
        let shown = |i: usize| {
            let taken = &choices[i];
            viewer.step(columns, &s, (Some(taken.step), taken.failure), &taken.to)
        };
        let choice = if args.interactive {
            print(&menu(&viewer, run.states.len(), &s));
            match choose(choices.len(), shown) {
                Some(choice) => choice,
                None => {
                    print("\n");
                    break;
                }
            }
        } else {
            random.below(choices.len() as u64) as usize
        };
        run.push(&choices[choice]);
        if args.interactive {
            for (who, text) in shown(choice).printed {
                print(&format!("  » {who}: {}\n", text.trim_end()));
            }
        }
    }
    show(args, common, loaded, interpreter, &run)
}

/// Where the processes are, above the choices.
fn menu(viewer: &Viewer, step: usize, s: &[u32]) -> String {
    let columns = viewer.processes(s) as usize + 1;
    let cells = viewer.whole(columns, s);
    let mut text = format!("step {step}:");
    for (i, cell) in cells.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
        let who = match i.checked_sub(1) {
            None => "shared".to_string(),
            Some(pid) => viewer.process(s, pid as u32),
        };
        text += &format!("\n  {who}  {cell}");
    }
    text + "\n"
}

fn show(
    args: &SimulateArgs,
    common: &Common,
    loaded: &Loaded,
    interpreter: &Interpreter,
    taken: &Execution,
) -> Exit {
    let viewer = Viewer::new(loaded, interpreter);
    let name = match &args.guide {
        Some(file) => format!("simulation guided by {}", file.display()),
        None if args.interactive => "interactive simulation".into(),
        None => format!("simulation with seed {}", args.seed),
    };
    let end = ends(loaded, interpreter, taken);
    let teller = Teller { loaded, pictures: &args.pictures };
    let run = Run { interpreter, written: true, taken, name: &name, end, watcher: None };
    let mut told = teller.tell(&run, !common.json && !common.quiet);
    if common.json {
        let mut itf = viewer.itf(taken, &name);
        if let serde_json::Value::Object(object) = &mut itf {
            object.append(&mut told.more);
            object.insert("#printed".into(), printed(&viewer, taken).into());
        }
        print(&format!("{itf}\n"));
    } else if !common.quiet {
        print(&told.shown);
    }
    let mut exit = crate::check::write(&told.files);
    if let Some(file) = &args.trace
        && let Err(e) = std::fs::write(file, viewer.itf(taken, &name).to_string() + "\n")
    {
        exit = complain(&format!("cannot write {}: {e}", file.display()));
    }
    exit
}

/// What is printed in a run: step, process and text.
fn printed(viewer: &Viewer, run: &Execution) -> Vec<serde_json::Value> {
    let mut all = Vec::new();
    for (i, (src, step, dst)) in (0..run.steps.len()).filter_map(|i| run.step(i)).enumerate() {
        for (who, text) in viewer.step(1, src, (step, None), dst).printed {
            all.push(serde_json::json!({"step": i + 1, "process": who, "text": text}));
        }
    }
    all
}
