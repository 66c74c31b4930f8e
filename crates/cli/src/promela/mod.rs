//! Promela models: reading them, and the commands on them.

mod chart;
mod check;
mod coverage;
mod cycles;
mod explore;
mod replay;
mod simulate;
mod stuck;
mod symbolic;
mod tell;
mod trail;
mod vacuity;
mod view;

use crate::args::{Common, Pass, Preprocessing};
use crate::input::Input;
use crate::model::Unreadable;
use crate::output::{Exit, complain, eprint};
use riata_program::dynamic::{Interpreter, Options, Passes, Program, Sees, optimise};
use riata_promela::lower::{Lowered, lower};
use riata_promela::{Define, Parsed};
use riata_report::diagnostics::{self, Source};
use riata_report::json::Problem;
use riata_source::{Diagnostic, Severity, Span};
use std::borrow::Cow;
use std::path::Path;

pub use check::run as check;
pub use explore::run as explore;
pub use replay::run as replay;
pub use simulate::run as simulate;

/// A model with its texts.
pub struct Loaded {
    /// As the user named it.
    pub given: String,
    /// What was read.
    pub parsed: Parsed,
    /// What it means.
    pub lowered: Lowered,
}

/// Draws diagnostics about the texts of a model.
fn diagnose(common: &Common, parsed: &Parsed, found: &[Diagnostic]) {
    let wanted: Vec<Diagnostic> =
        found.iter().filter(|d| !common.quiet || d.severity == Severity::Error).cloned().collect();
    let sources: Vec<Source> = parsed
        .sources
        .files()
        .map(|(path, span)| Source { path, text: parsed.sources.text(span), start: span.start })
        .collect();
    eprint(&diagnostics::render_files(&sources, &wanted, common.colour_errors()));
}

/// Reads a model; what is wrong with it is told on standard error.
pub fn load(path: &Path, pre: &Preprocessing, common: &Common) -> Result<Loaded, Unreadable> {
    let bad = |exit| Unreadable { exit, problems: Vec::new() };
    let mut input = Input::read(path).map_err(bad)?;
    if let Some(command) = &pre.cpp {
        input.bytes = preprocessed(command, pre, path).map_err(bad)?;
    }
    let options = if pre.cpp.is_some() { Default::default() } else { pre.options() };
    let mut files = |path: &str| std::fs::read(path);
    let parsed = riata_promela::parse(&input.name, &input.bytes, &options, &mut files);
    let unreadable = |found: &[Diagnostic]| {
        diagnose(common, &parsed, found);
        let problem = |d: &Diagnostic| {
            let place = parsed.sources.locate(d.span);
            let (line, column) = (place.line, place.column);
            Problem { line, column, message: d.message.clone(), help: d.help.clone() }
        };
        let errors = found.iter().filter(|d| d.severity == Severity::Error);
        Unreadable { exit: Exit::Bad, problems: errors.map(problem).collect() }
    };
    if parsed.failed() {
        return Err(unreadable(&parsed.diagnostics));
    }
    match lower(&parsed) {
        Ok(lowered) => {
            let mut warnings = parsed.diagnostics.clone();
            warnings.extend(lowered.warnings.iter().cloned());
            diagnose(common, &parsed, &warnings);
            Ok(Loaded { given: input.given, parsed, lowered })
        }
        Err(wrong) => Err(unreadable(&wrong)),
    }
}

/// What an external preprocessor makes of a file.
fn preprocessed(command: &str, pre: &Preprocessing, path: &Path) -> Result<Vec<u8>, Exit> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("cpp");
    let mut run = std::process::Command::new(program);
    run.args(words);
    for d in &pre.define {
        run.arg(format!("-D{d}"));
    }
    for u in &pre.undefine {
        run.arg(format!("-U{u}"));
    }
    for i in &pre.include {
        run.arg(format!("-I{i}"));
    }
    let done = run.arg(path).output().map_err(|e| complain(&format!("cannot run {program}: {e}")))?;
    if !done.status.success() {
        eprint(&String::from_utf8_lossy(&done.stderr));
        return Err(complain(&format!("{program} failed")));
    }
    Ok(done.stdout)
}

impl Preprocessing {
    /// The passes that may run.
    fn passes(&self) -> Passes {
        let runs = |pass| !self.no_optimise.contains(&pass) && !self.no_optimise.contains(&Pass::All);
        Passes { unread: runs(Pass::Unread), merge: runs(Pass::Merge), dead: runs(Pass::Dead) }
    }

    /// For our own preprocessor.
    fn options(&self) -> riata_promela::Options {
        let mut defines: Vec<Define> = self.define.iter().cloned().map(Define::Define).collect();
        defines.extend(self.undefine.iter().cloned().map(Define::Undefine));
        riata_promela::Options { defines, includes: self.include.clone() }
    }
}

impl Loaded {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.lowered.program
    }

    /// The program as it is run for a property that sees so much: optimised, unless that is not wanted.
    pub fn prepared(&self, pre: &Preprocessing, sees: Sees) -> Cow<'_, Program> {
        match pre.passes() {
            Passes::NONE => Cow::Borrowed(self.program()),
            passes => Cow::Owned(optimise(self.program(), passes, sees)),
        }
    }

    /// Makes a program of this model ready to run.
    pub fn ready<'p>(
        &self,
        common: &Common,
        program: &'p Program,
        options: Options,
    ) -> Result<Interpreter<'p>, Exit> {
        Interpreter::new(program, options).map_err(|d| {
            diagnose(common, &self.parsed, &[d]);
            Exit::Bad
        })
    }

    /// The same program with other options.
    pub fn again<'a>(
        &self,
        common: &Common,
        interpreter: &Interpreter<'a>,
        options: Options,
    ) -> Result<Interpreter<'a>, Exit> {
        interpreter.again(options).map_err(|d| {
            diagnose(common, &self.parsed, &[d]);
            Exit::Bad
        })
    }

    /// The files of the model: names and texts.
    pub fn sources(&self) -> Vec<(String, String)> {
        let sources = &self.parsed.sources;
        let file = |(name, span): (&str, Span)| (name.to_string(), sources.str(span).into_owned());
        sources.files().map(file).collect()
    }

    /// File and line.
    pub fn place(&self, span: Span) -> String {
        let place = self.parsed.sources.locate(span);
        let file = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", place.line)
    }

    /// A piece of the text on one line.
    pub fn excerpt(&self, span: Span) -> String {
        self.parsed.sources.str(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
