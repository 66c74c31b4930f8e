//! `riata check`: does a model have its properties?

use crate::args::{Algorithms, CheckArgs, Common, EngineKind, ModelKind, StoreKind};
use crate::empty::{resident, store_name};
use crate::explore::describe_end;
use crate::kripke;
use crate::learned;
use crate::model::{self, Loaded};
use crate::output::{Exit, complain, print};
use crate::property::{Cycles, Formula, Wanted, formulas, untranslated, wanted};
use crate::smv;
use crate::trace::Viewer;
use crate::watch::{Interrupt, Spinner};
use cpu_time::ThreadTime;
use riata_explore::bfs::{bfs, shortest_path};
use riata_program::{Interpreter, Options};
use riata_report::json::{Counters, Document, Entry, Skipped};
use riata_store::{Exact, Recall, Tree};
use riata_system::{Path, Run, Stop, Walk};
use std::ops::ControlFlow;

/// Runs the command.
pub fn run(args: &CheckArgs, common: &Common) -> Exit {
    let kind = args.input.or_else(|| model::kind_of(&args.model));
    if let Some(why) = args.pictures.refused(kind).or_else(|| args.refused(kind)) {
        return complain(why);
    }
    if kind == Some(ModelKind::Promela) {
        return crate::promela::check(args, common);
    }
    let interrupt = Interrupt::listen();
    match kind {
        Some(ModelKind::Hoa) => return kripke::run(args, common, &interrupt),
        Some(kind @ (ModelKind::Smv | ModelKind::Aiger)) => {
            return smv::check(kind, args, common, &interrupt);
        }
        _ => {}
    }
    let mut doc: Document<Entry> = Document::new("check", args.model.to_string_lossy());
    let finish = |mut doc: Document<Entry>, exit| {
        if common.json {
            doc.resident_bytes = resident();
            print(&doc.to_text());
        }
        exit
    };
    let mut loaded = match model::load(&args.model, args.input, common) {
        Ok(loaded) => loaded,
        Err(bad) => {
            doc.errors = bad.problems;
            return finish(doc, bad.exit);
        }
    };
    let chosen = formulas(args, common, &mut loaded).and_then(|f| Ok((f, wanted(args, &loaded)?)));
    let (formulas, properties) = match chosen {
        Ok(chosen) => chosen,
        Err(Exit::Inconclusive) => {
            doc.results = untranslated_formulas(args, common);
            return finish(doc, Exit::Inconclusive);
        }
        Err(exit) => return finish(doc, exit),
    };
    let symbolic = args.symbolic.engine == Some(EngineKind::Symbolic);
    let found = if symbolic {
        let job = learned::Job { args, common, interrupt: &interrupt, loaded: &loaded, formulas: &formulas };
        learned::check(&job, &properties).map(|answers| (answers, Vec::new()))
    } else {
        Job { args, common, interrupt: &interrupt, loaded: &loaded }.explicit(&formulas, &properties)
    };
    let (results, skipped) = match found {
        Ok(found) => found,
        Err(bad) => return finish(doc, bad),
    };
    doc.skipped = skipped;
    let mut exit = Exit::Holds;
    let tables = symbolic && args.algorithm == Algorithms::All;
    for answer in &results {
        exit = exit.and(match answer.entry.verdict {
            "holds" => Exit::Holds,
            "violated" => Exit::Violated,
            _ => Exit::Inconclusive,
        });
        if !common.json && !common.quiet && !tables {
            print(&text(answer, common));
        }
    }
    if tables && !common.json && !common.quiet {
        print(&learned::tables(&results));
    }
    if !common.json && !common.quiet {
        doc.skipped.iter().for_each(|Skipped { algorithm, reason, .. }| {
            print(&format!("skipped {algorithm}: {reason}\n"));
        });
    }
    if let (Some(file), Some(itf)) = (&args.trace, results.iter().find_map(|a| a.itf.as_ref()))
        && let Err(e) = std::fs::write(file, itf.to_string() + "\n")
    {
        exit = exit.and(complain(&format!("cannot write {}: {e}", file.display())));
    }
    doc.results = results.into_iter().map(|a| a.entry).collect();
    finish(doc, exit)
}

/// Open answers to all formulas of the command line: one of them cannot be translated within the limits.
pub fn untranslated_formulas(args: &CheckArgs, common: &Common) -> Vec<Entry> {
    let answers: Vec<Answer> = (0..args.ltl.len()).map(|i| untranslated(format!("ltl_{i}"))).collect();
    for answer in answers.iter().filter(|_| !common.json && !common.quiet) {
        print(&text(answer, common));
    }
    answers.into_iter().map(|a| a.entry).collect()
}

/// Files to write: where, and what, or why not.
pub type Files = Vec<(std::path::PathBuf, Result<String, String>)>;

/// Writes files; what cannot be written is told.
pub fn write(files: &Files) -> Exit {
    let mut exit = Exit::Holds;
    for (path, text) in files {
        let written = match text {
            Ok(text) => std::fs::write(path, text).map_err(|e| e.to_string()),
            Err(e) => Err(e.clone()),
        };
        if let Err(e) = written {
            exit = complain(&format!("cannot write {}: {e}", path.display()));
        }
    }
    exit
}

/// The answer to one property.
#[derive(Default)]
pub struct Answer {
    /// For programs.
    pub entry: Entry,
    /// For people: the trace.
    pub shown: String,
    /// For other tools: the trace.
    pub itf: Option<serde_json::Value>,
    /// Further forms that were asked for.
    pub files: Files,
}

struct Job<'a> {
    args: &'a CheckArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    loaded: &'a Loaded,
}

/// Where a search for bad states ended.
struct Bad {
    stopped: Option<Stop>,
    levels: usize,
    violation: Option<Path>,
    deadlock: Option<Path>,
}

impl Job<'_> {
    /// The answers of the explicit engine, and the checks that do not apply.
    fn explicit(
        &self,
        formulas: &[Formula],
        properties: &[Wanted],
    ) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let Job { args, common, interrupt, loaded } = *self;
        let safety: Vec<&Wanted> = properties.iter().filter(|p| p.is_safety()).collect();
        let mut answers = if safety.is_empty() { Vec::new() } else { self.safety(&safety)? };
        let mut skipped = Vec::new();
        for property in properties.iter().filter(|p| !p.is_safety()) {
            let (found, left_out) = Cycles { args, common, interrupt, loaded, formulas }.check(property)?;
            answers.extend(found);
            skipped.extend(left_out);
        }
        Ok((answers, skipped))
    }

    /// Bad states: one search for all of them.
    fn safety(&self, properties: &[&Wanted]) -> Result<Vec<Answer>, Exit> {
        let interpreter = ready(self.loaded, self.common, Options::default())?;
        let limits = self.interrupt.limits(&self.args.limits);
        let room = limits.memory.unwrap_or(usize::MAX);
        let mut spinner = Spinner::new(self.common, "bfs", self.args.limits.memory);
        let mut run = Run::new(limits).listen(&mut spinner);
        let start = ThreadTime::now();
        let wants = |p| properties.iter().any(|&w| *w == p);
        let aims = (wants(Wanted::Assertions), wants(Wanted::Deadlock));
        let bad = match self.args.store {
            StoreKind::Exact => search(&interpreter, &mut Exact::new(room), &mut run, aims),
            StoreKind::Tree => search(&interpreter, &mut Tree::new(room), &mut run, aims),
            other => {
                let name = store_name(other);
                let message = format!("assertions and deadlocks need the store exact or tree, not {name}");
                return Err(complain(&message));
            }
        };
        let cpu_seconds = start.elapsed().as_secs_f64();
        let counters = run.counters;
        drop(spinner);
        let viewer = Viewer::new(self.loaded, &interpreter);
        let answers = properties.iter().map(|&property| {
            let path = if *property == Wanted::Deadlock { &bad.deadlock } else { &bad.violation };
            let verdict = match (path, bad.stopped) {
                (Some(_), _) => "violated",
                (None, Some(_)) => "inconclusive",
                (None, None) => "holds",
            };
            let entry = Entry {
                property: Some(property.name()),
                verdict,
                reason: if path.is_none() { bad.stopped.map(|s| s.to_string()) } else { None },
                algorithm: "bfs".into(),
                engine: "explicit",
                store: store_name(self.args.store),
                counters: Counters { levels: Some(bad.levels as u64), ..Counters::from(counters) },
                memory_bytes: counters.bytes,
                cpu_seconds,
                ..Entry::default()
            };
            violation(entry, property, path.as_ref(), &viewer)
        });
        Ok(answers.collect())
    }
}

/// The answer about bad states, with the path to one.
pub fn violation(mut entry: Entry, property: &Wanted, path: Option<&Path>, viewer: &Viewer) -> Answer {
    let (mut shown, mut itf) = (String::new(), None);
    if let Some(path) = path {
        let walk = &Walk::along(viewer.interpreter, path.clone());
        let mut trace = viewer.trace(walk);
        trace.end = match property {
            Wanted::Deadlock => "no process can move".into(),
            _ => describe_end(viewer.loaded, viewer.interpreter, walk),
        };
        entry.reason = Some(trace.end.clone());
        entry.more.insert("trace".into(), viewer.states(path).into());
        entry.more.insert("steps".into(), viewer.steps(walk).into());
        shown = trace.to_text();
        itf = Some(viewer.itf(walk, &property.name()));
    }
    Answer { entry, shown, itf, ..Answer::default() }
}

/// The answer for people: a line, and what it shows.
pub fn text(answer: &Answer, common: &Common) -> String {
    let e = &answer.entry;
    let mut text = format!("{}: {}", e.property.as_deref().unwrap_or("property"), e.verdict);
    if let (Some(reason), "inconclusive") = (&e.reason, e.verdict) {
        text += &format!(" ({reason})");
    }
    text += &format!(" [{}", e.algorithm);
    if let Some(why) = e.why.as_ref().filter(|_| common.verbose) {
        text += &format!(", {why}");
    }
    let number = |name| e.more.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let work = match number("external_iterations") {
        // Sets of states: steps are not counted.
        0 if e.engine == "symbolic" && e.counters.transitions == 0 => String::new(),
        0 => format!(", {} transitions", e.counters.transitions),
        n => format!(", {n} iterations, {} images", number("ex") + number("ey")),
    };
    text += &format!(", {} states{work}, {:.3} s]\n{}", e.counters.states, e.cpu_seconds, answer.shown);
    text
}

/// Makes the program of a model ready to run.
pub fn ready<'a>(loaded: &'a Loaded, common: &Common, options: Options) -> Result<Interpreter<'a>, Exit> {
    Interpreter::new(&loaded.model.program, options).map_err(|d| {
        common.diagnose(&loaded.given, loaded.text.as_bytes(), &[d]);
        Exit::Bad
    })
}

/// Looks for the first violated assertion or run-time error, and for the first deadlock, as far as they are wanted.
fn search<R: Recall>(
    interpreter: &Interpreter,
    store: &mut R,
    run: &mut Run,
    (assertions, deadlock): (bool, bool),
) -> Bad {
    let (mut violation, mut stuck) = (None, None);
    let searched = bfs(interpreter, store, run, |id, s, successors| {
        let fault = interpreter.is_fault(s);
        if assertions && violation.is_none() && (fault || interpreter.violated(s).is_some()) {
            violation = Some(id);
        }
        if deadlock && stuck.is_none() && successors == 0 && !fault {
            stuck = Some(id);
        }
        let done = (!assertions || violation.is_some()) && (!deadlock || stuck.is_some());
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let path = |id: Option<u32>| id.map(|id| shortest_path(interpreter, store, &searched.levels, id));
    Bad {
        stopped: searched.stopped,
        levels: searched.levels.len(),
        violation: path(violation),
        deadlock: path(stuck),
    }
}
