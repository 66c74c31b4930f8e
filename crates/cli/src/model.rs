//! Reading models.

use crate::args::ModelKind;
use crate::output::Exit;
use riata_report::json::Problem;
use riata_source::{Diagnostic, line_column};
use std::path::Path;

/// What is wrong with a model, for JSON.
pub struct Unreadable {
    /// Always [`Exit::Bad`].
    pub exit: Exit,
    /// What is wrong.
    pub problems: Vec<Problem>,
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
