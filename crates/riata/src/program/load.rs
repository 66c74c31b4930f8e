//! Reading models, and formulas about them.

use super::{Language, Loaded};
use crate::error::{Error, Remarks};
use crate::how::How;
use crate::options::Reading;
use riata_ltl::Ltl;
use riata_promela::Define;
use riata_promela::lower::lower;
use riata_source::{Diagnostic, SourceMap};

impl Loaded {
    fn new(given: &str, sources: SourceMap, language: Language, warnings: Vec<Diagnostic>) -> Loaded {
        let remarks = vec![Remarks { sources: sources.clone(), diagnostics: warnings }];
        let mut loaded = Loaded {
            given: given.into(),
            sources,
            language,
            remarks,
            defines: Vec::new(),
            own: 0,
            formulas: Vec::new(),
        };
        loaded.own = loaded.program().propositions.len();
        loaded
    }

    /// Reads a Promela model: its name as the user gave it, its name in messages, and its text.
    pub fn promela(given: &str, name: &str, bytes: &[u8], reading: &Reading) -> Result<Loaded, Error> {
        let preprocessed;
        let (bytes, options) = match &reading.cpp {
            Some(command) => {
                preprocessed = external(command, reading, given)?;
                (&preprocessed[..], riata_promela::Options::default())
            }
            None => (bytes, options(reading)),
        };
        let mut files = |path: &str| std::fs::read(path);
        let parsed = riata_promela::parse(name, bytes, &options, &mut files);
        let wrong =
            |diagnostics| Error::Text(Box::new(Remarks { sources: parsed.sources.clone(), diagnostics }));
        if parsed.failed() {
            return Err(wrong(parsed.diagnostics.clone()));
        }
        let lowered = lower(&parsed).map_err(wrong)?;
        let mut warnings = parsed.diagnostics;
        warnings.extend(lowered.warnings.iter().cloned());
        let language = Language::Promela(Box::new(lowered));
        let mut loaded = Loaded::new(given, parsed.sources, language, warnings);
        loaded.defines = if reading.cpp.is_some() { self::options(reading).defines } else { parsed.defines };
        Ok(loaded)
    }

    /// Reads a DVE model.
    pub fn dve(given: &str, name: &str, bytes: Vec<u8>) -> Result<Loaded, Error> {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // Comments of old models are in old encodings; any other place is an error in the language.
            Err(e) => {
                e.into_bytes().iter().map(|&b| if b.is_ascii() { b as char } else { '\u{fffd}' }).collect()
            }
        };
        let mut sources = SourceMap::default();
        sources.add(name, text.as_bytes());
        let model = riata_dve::parse(&text).map_err(|diagnostics| {
            Error::Text(Box::new(Remarks { sources: sources.clone(), diagnostics }))
        })?;
        let warnings = model.warnings.clone();
        Ok(Loaded::new(given, sources, Language::Dve(Box::new(model)), warnings))
    }

    /// A formula over expressions of the model's language, which become propositions of the program.
    pub(super) fn formula(&mut self, how: &How, text: &str) -> Result<Ltl, Error> {
        let ltl = riata_ltl::parse(text, how.options.deciding.dialect.unwrap_or_default())
            .map_err(|d| Error::text("formula", text.as_bytes(), vec![d]))?;
        // A proposition is known to the program by the name that it gets there.
        let mut renamed = Vec::new();
        for ap in ltl.arena.ap_numbers(ltl.root) {
            let name = ltl.arena.aps()[ap as usize].clone();
            if let Some(read) = self.proposition(&name)? {
                renamed.push((name, read));
            }
        }
        Ok(if renamed.is_empty() { ltl } else { riata_ltl::substitute(&ltl, &renamed) })
    }

    /// An expression of the model's language as a formula over propositions of the program, if it is not one by itself.
    pub(super) fn proposition(&mut self, name: &str) -> Result<Option<Ltl>, Error> {
        match &mut self.language {
            Language::Promela(lowered) => {
                let options = riata_promela::Options { defines: self.defines.clone(), includes: Vec::new() };
                let (parsed, formula) = riata_promela::parse_formula("formula", name.as_bytes(), &options);
                let about = |diagnostics| Remarks { sources: parsed.sources.clone(), diagnostics };
                if parsed.failed() {
                    return Err(Error::Text(Box::new(about(parsed.diagnostics.clone()))));
                }
                if !parsed.diagnostics.is_empty() {
                    self.remarks.push(about(parsed.diagnostics.clone()));
                }
                let read = lowered.formula(&parsed, &formula);
                read.map(Some).map_err(|wrong| Error::Text(Box::new(about(wrong))))
            }
            Language::Dve(model) => {
                if !model.program().propositions.iter().any(|p| p.name == name) {
                    model
                        .proposition(name)
                        .map_err(|wrong| Error::text("formula", name.as_bytes(), wrong))?;
                }
                Ok(None)
            }
        }
    }
}

/// For our own preprocessor.
fn options(reading: &Reading) -> riata_promela::Options {
    let mut defines: Vec<Define> = reading.define.iter().cloned().map(Define::Define).collect();
    defines.extend(reading.undefine.iter().cloned().map(Define::Undefine));
    riata_promela::Options { defines, includes: reading.include.clone() }
}

/// What an external preprocessor makes of a file.
fn external(command: &str, reading: &Reading, path: &str) -> Result<Vec<u8>, Error> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("cpp");
    let mut run = std::process::Command::new(program);
    run.args(words);
    run.args(reading.define.iter().map(|d| format!("-D{d}")));
    run.args(reading.undefine.iter().map(|u| format!("-U{u}")));
    run.args(reading.include.iter().map(|i| format!("-I{i}")));
    let done = run.arg(path).output().map_err(|e| Error::usage(format!("cannot run {program}: {e}")))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(Error::usage(format!("{program} failed:\n{}", said.trim_end())));
    }
    Ok(done.stdout)
}
