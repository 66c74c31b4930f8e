//! Promela, the language of Spin: from text to a syntax tree.

pub mod ast;
pub mod lower;
pub mod origin;
mod parser;
mod pre;
mod print;
mod token;

use ast::{Formula, Model};
use origin::Origins;
pub use pre::{Define, Files, NoFiles, Options};
pub use print::print;
use riata_source::SourceMap;
use riata_source::{Diagnostic, Severity};

/// What reading a model gives. The tree is of use only if no diagnostic is an error.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub model: Model,
    /// All texts that were read.
    pub sources: SourceMap,
    /// The expansions of macros and inlines.
    pub origins: Origins,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The macros that are defined at the end of the text: formulas about the model may use them.
    pub defines: Vec<Define>,
}

impl Parsed {
    /// True if there is an error among the diagnostics.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

fn finish(parsed: parser::Parsed) -> Parsed {
    let parser::Parsed { model, map, origins, wrong: mut diagnostics } = parsed;
    diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
    Parsed { model, sources: map, origins, diagnostics, defines: Vec::new() }
}

/// Reads the model `name` with content `text`, and the files that it includes.
pub fn parse(name: &str, text: &[u8], options: &Options, files: &mut dyn Files) -> Parsed {
    let mut processed = pre::preprocess(name, text, options, files);
    let defines = std::mem::take(&mut processed.defines);
    Parsed { defines, ..finish(parser::parse(processed)) }
}

/// The text after preprocessing, lines kept, one space between tokens; and what is wrong.
pub fn preprocess(
    name: &str,
    text: &[u8],
    options: &Options,
    files: &mut dyn Files,
) -> (String, Vec<Diagnostic>) {
    let processed = pre::preprocess(name, text, options, files);
    (pre::spell_lines(&processed), processed.wrong)
}

/// Reads a formula over Promela expressions, such as `[] (x > 3 -> <> P[0]@cs)`. Without temporal operators it is one
/// proposition. The expressions are in the model's arena, which holds nothing else.
pub fn parse_formula(name: &str, text: &[u8], options: &Options) -> (Parsed, Formula) {
    let (parsed, formula) = parser::parse_formula(pre::preprocess(name, text, options, &mut NoFiles));
    (finish(parsed), formula)
}
