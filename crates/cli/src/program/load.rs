//! Reading models.

use super::{Language, Loaded, diagnose};
use crate::args::{CheckArgs, Common, ModelKind, Preprocessing};
use crate::input::Input;
use crate::model::{Unreadable, kind_of};
use crate::output::{Exit, complain, eprint};
use riata_ltl::Ltl;
use riata_promela::Define;
use riata_promela::lower::lower;
use riata_report::json::Problem;
use riata_source::{Diagnostic, Severity, SourceMap};
use std::path::Path;

/// Reads a model; what is wrong with it is told on standard error.
pub fn load(
    path: &Path,
    kind: Option<ModelKind>,
    pre: &Preprocessing,
    common: &Common,
) -> Result<Loaded, Unreadable> {
    match kind.or_else(|| kind_of(path)) {
        Some(ModelKind::Dve) => dve(path, common),
        Some(ModelKind::Promela) => promela(path, pre, common),
        other => {
            let message = match other {
                Some(ModelKind::Hoa) => "a Kripke structure can be checked, and only with --ltl",
                Some(_) => "SMV and AIGER models can be checked; this command does not take them",
                None => {
                    "what kind of model is this? Models end in .pml, .dve, .smv, .aag, .aig or .hoa; --input says otherwise"
                }
            };
            let exit = complain(&format!("{}: {message}", path.display()));
            Err(Unreadable { exit, problems: Vec::new() })
        }
    }
}

/// Tells what is wrong with a model.
fn unreadable(common: &Common, sources: &SourceMap, found: &[Diagnostic]) -> Unreadable {
    diagnose(common, sources, found);
    let problem = |d: &Diagnostic| {
        let place = sources.locate(d.span);
        Problem { line: place.line, column: place.column, message: d.message.clone(), help: d.help.clone() }
    };
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    Unreadable { exit: Exit::Bad, problems: errors.map(problem).collect() }
}

fn bad(exit: Exit) -> Unreadable {
    Unreadable { exit, problems: Vec::new() }
}

fn promela(path: &Path, pre: &Preprocessing, common: &Common) -> Result<Loaded, Unreadable> {
    let mut input = Input::read(path).map_err(bad)?;
    if let Some(command) = &pre.cpp {
        input.bytes = preprocessed(command, pre, path).map_err(bad)?;
    }
    let options = if pre.cpp.is_some() { Default::default() } else { pre.options() };
    let mut files = |path: &str| std::fs::read(path);
    let parsed = riata_promela::parse(&input.name, &input.bytes, &options, &mut files);
    if parsed.failed() {
        return Err(unreadable(common, &parsed.sources, &parsed.diagnostics));
    }
    match lower(&parsed) {
        Ok(lowered) => {
            let mut warnings = parsed.diagnostics;
            warnings.extend(lowered.warnings.iter().cloned());
            diagnose(common, &parsed.sources, &warnings);
            let language = Language::Promela(Box::new(lowered));
            Ok(Loaded { given: input.given, sources: parsed.sources, language })
        }
        Err(wrong) => Err(unreadable(common, &parsed.sources, &wrong)),
    }
}

fn dve(path: &Path, common: &Common) -> Result<Loaded, Unreadable> {
    let input = Input::read(path).map_err(bad)?;
    let text = match String::from_utf8(input.bytes) {
        Ok(text) => text,
        // Comments of old models are in old encodings; any other place is an error in the language.
        Err(e) => e.into_bytes().iter().map(|&b| if b.is_ascii() { b as char } else { '\u{fffd}' }).collect(),
    };
    let mut sources = SourceMap::default();
    sources.add(&input.name, text.as_bytes());
    match riata_dve::parse(&text) {
        Ok(model) => {
            diagnose(common, &sources, &model.warnings);
            Ok(Loaded { given: input.given, sources, language: Language::Dve(Box::new(model)) })
        }
        Err(wrong) => Err(unreadable(common, &sources, &wrong)),
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
    /// For our own preprocessor.
    fn options(&self) -> riata_promela::Options {
        let mut defines: Vec<Define> = self.define.iter().cloned().map(Define::Define).collect();
        defines.extend(self.undefine.iter().cloned().map(Define::Undefine));
        riata_promela::Options { defines, includes: self.include.clone() }
    }
}

impl Loaded {
    /// A formula over expressions of the model's language, which become propositions of the program.
    pub fn formula(&mut self, args: &CheckArgs, common: &Common, text: &str) -> Result<Ltl, Exit> {
        let ltl = riata_ltl::parse(text, args.dialect).map_err(|d| {
            common.diagnose("formula", text.as_bytes(), &[d]);
            Exit::Bad
        })?;
        // A proposition is known to the program by the name that it gets there.
        let mut renamed = Vec::new();
        for ap in ltl.arena.ap_numbers(ltl.root) {
            let name = ltl.arena.aps()[ap as usize].clone();
            match &mut self.language {
                Language::Promela(lowered) => {
                    let options = args.pre.options();
                    let (parsed, formula) =
                        riata_promela::parse_formula("formula", name.as_bytes(), &options);
                    diagnose(common, &parsed.sources, &parsed.diagnostics);
                    if parsed.failed() {
                        return Err(Exit::Bad);
                    }
                    let read = lowered.formula(&parsed, &formula).map_err(|wrong| {
                        diagnose(common, &parsed.sources, &wrong);
                        Exit::Bad
                    })?;
                    renamed.push((name, read));
                }
                Language::Dve(model) => {
                    if !model.program().propositions.iter().any(|p| p.name == name) {
                        model.proposition(&name).map_err(|wrong| {
                            common.diagnose("formula", name.as_bytes(), &wrong);
                            Exit::Bad
                        })?;
                    }
                }
            }
        }
        Ok(if renamed.is_empty() { ltl } else { riata_ltl::substitute(&ltl, &renamed) })
    }
}
