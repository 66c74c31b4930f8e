//! What can go wrong before there is an answer.

use riata_report::answer::Problem;
use riata_report::diagnostics::{self, Source};
use riata_source::{Diagnostic, Severity, SourceMap};
use riata_system::Stop;

/// Remarks about texts, with the texts.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// The texts.
    pub sources: SourceMap,
    /// What is said of them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Remarks {
    /// Remarks about one text.
    pub fn about(name: &str, text: &[u8], diagnostics: Vec<Diagnostic>) -> Remarks {
        let mut sources = SourceMap::default();
        sources.add(name, text);
        Remarks { sources, diagnostics }
    }

    /// Each with its place in the text, in colour or not.
    pub fn draw(&self, colour: bool) -> String {
        let sources: Vec<Source> = (self.sources.files())
            .map(|(path, span)| Source { path, text: self.sources.text(span), start: span.start })
            .collect();
        diagnostics::render_files(&sources, &self.diagnostics, colour)
    }

    /// For programs: those of this severity.
    pub fn problems(&self, severity: Severity) -> Vec<Problem> {
        let problem = |d: &Diagnostic| {
            let place = self.sources.locate(d.span);
            Problem {
                file: Some(place.file.to_string()),
                line: Some(place.line),
                column: Some(place.column),
                message: d.message.clone(),
                help: d.help.clone(),
            }
        };
        self.diagnostics.iter().filter(|d| d.severity == severity).map(problem).collect()
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text is wrong: a model or a formula.
    Text(Box<Remarks>),
    /// What was asked for cannot be had, or a file cannot be read.
    Usage(String),
    /// A limit was reached before there was anything to answer.
    Stopped(Stop),
    /// A graph that is to be shown has more states than this.
    Large(usize),
}

impl Error {
    /// Something that cannot be had.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }

    /// One thing that is wrong with a text.
    pub fn text(name: &str, text: &[u8], diagnostics: Vec<Diagnostic>) -> Error {
        Error::Text(Box::new(Remarks::about(name, text, diagnostics)))
    }

    /// For programs.
    pub fn problems(&self) -> Vec<Problem> {
        match self {
            Error::Text(remarks) => remarks.problems(Severity::Error),
            Error::Usage(message) => vec![message.clone().into()],
            Error::Stopped(stop) => vec![stop.to_string().into()],
            Error::Large(_) => vec![self.to_string().into()],
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Text(remarks) => f.write_str(remarks.draw(false).trim_end()),
            Error::Usage(message) => f.write_str(message),
            Error::Stopped(stop) => write!(f, "inconclusive: {stop}"),
            Error::Large(most) => write!(
                f,
                "there are more than {most} states, too many to be shown; take a smaller instance of the model, or say \
                 with --max-states how many you want"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        Error::Stopped(stop)
    }
}
