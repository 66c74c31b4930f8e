//! `riata simulate MODEL.pml`: one run, by chance, by hand, or as a file tells.

use super::replay::{Told, ends};
use super::tell::{Run, Teller};
use super::trail::Followed;
use super::view::Viewer;
use super::{Loaded, load};
use crate::args::{Common, SimulateArgs};
use crate::output::{Exit, complain, print};
use crate::simulate::choose;
use riata_automata::random::Rng;
use riata_program::dynamic::{Asserts, Interpreter, Options};
use riata_system::{Path, Successors, System};

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let loaded = match load(&args.model, &args.pre, common) {
        Ok(loaded) => loaded,
        Err(bad) => return bad.exit,
    };
    let told = match args.guide.as_ref().map(|file| Told::read(file)).transpose() {
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
            None => Ok(start(&interpreter)),
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

/// The run without steps.
fn start(interpreter: &Interpreter) -> Followed {
    let mut s = vec![0; interpreter.words()];
    interpreter.initial(&mut Default::default(), &mut s);
    s.truncate(interpreter.len(&s));
    let mut path = Path::new();
    path.push(&s);
    Followed { path, back: None }
}

fn simulate(
    args: &SimulateArgs,
    common: &Common,
    loaded: &Loaded,
    interpreter: &Interpreter,
    Followed { mut path, back }: Followed,
) -> Exit {
    if args.guide.is_some() {
        // Only what the file tells, and no more of it than was asked for.
        let most = args.steps.map_or(path.len(), |n| path.len().min(n + 1));
        if most < path.len() {
            path = path.iter().take(most).collect();
            return show(args, common, loaded, interpreter, &Followed { path, back: None });
        }
        return show(args, common, loaded, interpreter, &Followed { path, back });
    }
    let steps = args.steps.unwrap_or(50);
    let viewer = Viewer::new(loaded, interpreter);
    let mut random = Rng::new(args.seed);
    let mut choices = Successors::default();
    while path.len() <= steps {
        let s = path.get(path.len() - 1).to_vec();
        interpreter.post(&s, &mut choices);
        if choices.is_empty() {
            break;
        }
        let choice = if args.interactive {
            print(&menu(&viewer, &path, &s));
            let columns = viewer.processes(&s) as usize + 2;
            match choose(choices.len(), |i| viewer.step(columns, &s, choices.get(i).0)) {
                Some(choice) => choice,
                None => {
                    print("\n");
                    break;
                }
            }
        } else {
            random.below(choices.len() as u64) as usize
        };
        let next = choices.get(choice).0.to_vec();
        path.push(&next);
        if args.interactive {
            for (who, text) in viewer.step(viewer.processes(&s) as usize + 2, &s, &next).printed {
                print(&format!("  » {who}: {}\n", text.trim_end()));
            }
        }
    }
    show(args, common, loaded, interpreter, &Followed { path, back: None })
}

/// Where the processes are, above the choices.
fn menu(viewer: &Viewer, path: &Path, s: &[u32]) -> String {
    let columns = viewer.processes(s) as usize + 1;
    let cells = viewer.whole(columns, s);
    let mut text = format!("step {}:", path.len());
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
    Followed { path, back }: &Followed,
) -> Exit {
    let viewer = Viewer::new(loaded, interpreter);
    let name = match &args.guide {
        Some(file) => format!("simulation guided by {}", file.display()),
        None if args.interactive => "interactive simulation".into(),
        None => format!("simulation with seed {}", args.seed),
    };
    let end = ends(loaded, interpreter, path, *back);
    let teller = Teller { loaded, pictures: &args.pictures };
    let run = Run { interpreter, written: true, path, back: *back, name: &name, end };
    let mut told = teller.tell(&run, !common.json && !common.quiet);
    if common.json {
        let mut itf = viewer.itf(path, *back, &name);
        if let serde_json::Value::Object(object) = &mut itf {
            object.append(&mut told.more);
            object.insert("#printed".into(), printed(&viewer, path).into());
        }
        print(&format!("{itf}\n"));
    } else if !common.quiet {
        print(&told.shown);
    }
    let mut exit = crate::check::write(&told.files);
    if let Some(file) = &args.trace
        && let Err(e) = std::fs::write(file, viewer.itf(path, *back, &name).to_string() + "\n")
    {
        exit = complain(&format!("cannot write {}: {e}", file.display()));
    }
    exit
}

/// What is printed in a run: step, process and text.
fn printed(viewer: &Viewer, path: &Path) -> Vec<serde_json::Value> {
    let mut all = Vec::new();
    for i in 1..path.len() {
        for (who, text) in viewer.step(1, path.get(i - 1), path.get(i)).printed {
            all.push(serde_json::json!({"step": i, "process": who, "text": text}));
        }
    }
    all
}
