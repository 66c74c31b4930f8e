//! `riata explore`: the whole state space of a model.

use crate::args::{Common, EngineKind, ExploreArgs, ModelKind, StoreKind};
use crate::empty::{resident, store_name};
use crate::learned;
use crate::model::{self, Loaded};
use crate::output::{Exit, complain, print};
use crate::trace::Viewer;
use crate::watch::{Interrupt, Spinner};
use cpu_time::ThreadTime;
use riata_explore::bfs::{bfs, shortest_path};
use riata_program::{Ends, Interpreter, Options};
use riata_report::json::{Counters, Document, Entry};
use riata_store::{Exact, Recall, Tree};
use riata_system::{Run, Stop, Walk};
use std::ops::ControlFlow;

/// Runs the command.
pub fn run(args: &ExploreArgs, common: &Common) -> Exit {
    if args.input.or_else(|| model::kind_of(&args.model)) == Some(ModelKind::Promela) {
        return crate::promela::explore(args, common);
    }
    if let Some(kind) = model::synchronous(&args.model, args.input) {
        return crate::smv::explore(kind, args, common);
    }
    if args.coverage {
        return complain("--coverage is for Promela models");
    }
    let interrupt = Interrupt::listen();
    let mut doc: Document<Entry> = Document::new("explore", args.model.to_string_lossy());
    let loaded = match model::load(&args.model, args.input, common) {
        Ok(loaded) => loaded,
        Err(bad) => {
            doc.errors = bad.problems;
            if common.json {
                print(&doc.to_text());
            }
            return bad.exit;
        }
    };
    if args.symbolic.engine == Some(EngineKind::Symbolic) {
        return learned::explore(args, common, &interrupt, &loaded);
    }
    let options = Options { claim: true, ends: Ends::Stutter };
    let interpreter = match Interpreter::new(&loaded.model.program, options) {
        Ok(interpreter) => interpreter,
        Err(d) => {
            common.diagnose(&loaded.given, loaded.text.as_bytes(), &[d]);
            return Exit::Bad;
        }
    };
    let limits = interrupt.limits(&args.limits);
    let room = limits.memory.unwrap_or(usize::MAX);
    let mut spinner = Spinner::new(common, "explore", args.limits.memory);
    let mut search = Run::new(limits).listen(&mut spinner);
    let start = ThreadTime::now();
    let found = match args.store {
        StoreKind::Exact => count(&interpreter, &mut Exact::new(room), &mut search),
        StoreKind::Tree => count(&interpreter, &mut Tree::new(room), &mut search),
        other => {
            return complain(&format!("explore needs the store exact or tree, not {}", store_name(other)));
        }
    };
    let cpu_seconds = start.elapsed().as_secs_f64();
    let counters = search.counters;
    drop(spinner);
    let viewer = Viewer::new(&loaded, &interpreter);
    let mut entry = Entry {
        verdict: if found.stopped.is_some() { "inconclusive" } else { "complete" },
        reason: found.stopped.map(|s| s.to_string()),
        algorithm: "bfs".into(),
        engine: "explicit",
        store: store_name(args.store),
        counters: Counters {
            deadlocks: Some(found.deadlocks),
            violations: Some(found.violations),
            levels: Some(found.levels as u64),
            ..Counters::from(counters)
        },
        memory_bytes: counters.bytes,
        cpu_seconds,
        ..Entry::default()
    };
    if let Some(walk) = &found.trace {
        entry.more.insert("trace".into(), viewer.states(&walk.states).into());
        entry.more.insert("steps".into(), viewer.steps(walk).into());
    }
    if common.json {
        doc.results.push(entry);
        doc.resident_bytes = resident();
        print(&doc.to_text());
    } else if !common.quiet {
        print(&text(&loaded, &interpreter, &found, &entry, &viewer));
    }
    if found.stopped.is_some() { Exit::Inconclusive } else { Exit::Holds }
}

/// What was found.
#[derive(Default)]
struct Found {
    stopped: Option<Stop>,
    levels: usize,
    deadlocks: u64,
    violations: u64,
    /// A shortest path to a violated assertion or a run-time error.
    trace: Option<Walk>,
}

fn count<R: Recall>(interpreter: &Interpreter, store: &mut R, run: &mut Run) -> Found {
    let mut found = Found::default();
    let mut first = None;
    // With a claim the end of a run is not seen from outside: the claim goes on.
    let claimed = interpreter.program().claim.is_some();
    let mut scratch = vec![0; interpreter.layout().words()];
    let searched = bfs(interpreter, store, run, |id, s, successors| {
        if interpreter.is_fault(s) || interpreter.violated(s).is_some() {
            found.violations += 1;
            first.get_or_insert(id);
        }
        let stuck = if claimed { interpreter.is_deadlock(s, &mut scratch) } else { successors == 0 };
        found.deadlocks += u64::from(stuck && !interpreter.is_fault(s));
        ControlFlow::Continue(())
    });
    found.stopped = searched.stopped;
    let levels = searched.levels;
    found.levels = levels.len();
    let path = first.map(|id| shortest_path(interpreter, store, &levels, id));
    found.trace = path.map(|path| Walk::along(interpreter, path));
    found
}

fn text(loaded: &Loaded, interpreter: &Interpreter, found: &Found, entry: &Entry, viewer: &Viewer) -> String {
    let c = &entry.counters;
    let per_state = entry.memory_bytes as f64 / c.states.max(1) as f64;
    let mut text = format!("{}: {}", loaded.given, entry.verdict);
    if let Some(reason) = &entry.reason {
        text += &format!(" ({reason})");
    }
    text += &format!(
        "\n  {} states, {} transitions, {} levels, {} deadlocks, {} violations\n",
        c.states, c.transitions, found.levels, found.deadlocks, found.violations
    );
    text += &format!(
        "  {} words a state, {per_state:.1} bytes a state in the {} store\n  {:.3} s, {:.0} states/s\n",
        interpreter.layout().words(),
        entry.store,
        entry.cpu_seconds,
        c.states as f64 / entry.cpu_seconds.max(1e-9),
    );
    if let Some(walk) = &found.trace {
        let mut trace = viewer.trace(walk);
        trace.end = describe_end(loaded, interpreter, walk);
        text += &format!("a shortest way to a violation:\n{}", trace.to_text());
    }
    text
}

/// What is wrong with the last state of a path to a violation.
pub fn describe_end(loaded: &Loaded, interpreter: &Interpreter, walk: &Walk) -> String {
    let last = walk.states.get(walk.states.len() - 1);
    if interpreter.is_fault(last) {
        let before = walk.states.len().checked_sub(2).and_then(|i| walk.step(i));
        return match before.and_then(|(src, choice, _)| interpreter.explain(src, choice)?.1) {
            Some((fault, span)) => {
                format!(
                    "run-time error at {}: {fault}, in `{}`",
                    loaded.place(span.start),
                    loaded.excerpt(span)
                )
            }
            None => "run-time error".into(),
        };
    }
    match interpreter.violated(last) {
        Some((i, e)) => {
            let program = interpreter.program();
            let span = program.exprs.span(e);
            let process = &program.instances[i.index()].name;
            let place = loaded.place(span.start);
            format!("assertion of {process} at {place} does not hold: {}", loaded.excerpt(span))
        }
        None => String::new(),
    }
}
