//! Reading models.

use crate::args::{Common, ModelKind};
use crate::input::Input;
use crate::output::{Exit, complain};
use riata_dve::Model;
use riata_report::json::Problem;
use riata_source::{Diagnostic, line_column};
use std::path::Path;

/// A model and its text.
pub struct Loaded {
    /// As the user named it.
    pub given: String,
    /// The file's name for places in traces.
    pub name: String,
    /// The text.
    pub text: String,
    /// The model.
    pub model: Model,
}

/// What is wrong with a model, for JSON.
pub struct Unreadable {
    /// Always [`Exit::Bad`].
    pub exit: Exit,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Reads a model; what is wrong with it is told on standard error.
pub fn load(path: &Path, kind: Option<ModelKind>, common: &Common) -> Result<Loaded, Unreadable> {
    let given = path.to_string_lossy().into_owned();
    let bad = |exit| Unreadable { exit, problems: Vec::new() };
    match kind.or_else(|| kind_of(path)) {
        Some(ModelKind::Dve) => {}
        Some(ModelKind::Promela) => {
            return Err(bad(complain(&format!("{given}: this is not possible with Promela models yet"))));
        }
        Some(ModelKind::Hoa) => {
            let message = format!("{given}: a Kripke structure can be checked, and only with --ltl");
            return Err(bad(complain(&message)));
        }
        Some(ModelKind::Smv | ModelKind::Aiger) => {
            let message =
                format!("{given}: SMV and AIGER models can be checked; this command does not take them");
            return Err(bad(complain(&message)));
        }
        None => {
            let message = format!(
                "{given}: what kind of model is this? Models end in .pml, .dve, .smv, .aag, .aig or .hoa; --input says otherwise"
            );
            return Err(bad(complain(&message)));
        }
    }
    let input = Input::read(path).map_err(bad)?;
    let text = match String::from_utf8(input.bytes) {
        Ok(text) => text,
        // Comments of old models are in old encodings; any other place is an error in the language.
        Err(e) => e.into_bytes().iter().map(|&b| if b.is_ascii() { b as char } else { '\u{fffd}' }).collect(),
    };
    match riata_dve::parse(&text) {
        Ok(model) => {
            common.diagnose(&input.name, text.as_bytes(), &model.warnings);
            let name = path.file_name().map_or_else(|| given.clone(), |n| n.to_string_lossy().into_owned());
            Ok(Loaded { given, name, text, model })
        }
        Err(wrong) => {
            common.diagnose(&input.name, text.as_bytes(), &wrong);
            let problems = wrong.iter().map(|d| problem(&text, d)).collect();
            Err(Unreadable { exit: Exit::Bad, problems })
        }
    }
}

/// The kind of a model of SMV or a circuit, if it is one: by what the user says, or by its name.
pub fn synchronous(path: &Path, kind: Option<ModelKind>) -> Option<ModelKind> {
    kind.or_else(|| kind_of(path)).filter(|k| matches!(k, ModelKind::Smv | ModelKind::Aiger))
}

/// The kind of a model by its name.
pub fn kind_of(path: &Path) -> Option<ModelKind> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("dve") => Some(ModelKind::Dve),
        Some("hoa") => Some(ModelKind::Hoa),
        Some("pml" | "promela" | "prom" | "pm") => Some(ModelKind::Promela),
        Some("smv") => Some(ModelKind::Smv),
        Some("aag" | "aig") => Some(ModelKind::Aiger),
        _ => None,
    }
}

/// What is wrong, for JSON.
pub fn problem(text: &str, d: &Diagnostic) -> Problem {
    let (line, column) = line_column(text, d.span.start);
    Problem { line, column, message: d.message.clone(), help: d.help.clone() }
}

impl Loaded {
    /// File and line of a byte of the text.
    pub fn place(&self, at: usize) -> String {
        format!("{}:{}", self.name, line_column(&self.text, at).0)
    }

    /// A piece of the text on one line.
    pub fn excerpt(&self, span: riata_source::Span) -> String {
        self.text.get(span.start..span.end).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
