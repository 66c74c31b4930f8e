//! `riata check`: does a model have its properties?

use crate::args::{CheckArgs, Common, ModelKind};
use crate::output::{Exit, complain, print};
use crate::property::untranslated;
use crate::watch::Interrupt;
use crate::{kripke, model, program, smv};
use riata_report::json::Entry;

/// Runs the command.
pub fn run(args: &CheckArgs, common: &Common) -> Exit {
    let kind = args.input.or_else(|| model::kind_of(&args.model));
    if let Some(why) = args.pictures.refused(kind).or_else(|| args.refused(kind)) {
        return complain(why);
    }
    let interrupt = Interrupt::listen();
    match kind {
        Some(ModelKind::Hoa) => kripke::run(args, common, &interrupt),
        Some(kind @ (ModelKind::Smv | ModelKind::Aiger)) => smv::check(kind, args, common, &interrupt),
        _ => program::check(args, common, &interrupt),
    }
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
