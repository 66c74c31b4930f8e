//! Spans and diagnostics: what every parser of Riata says when its input is wrong.
//!
//! Plain data. This crate knows nothing of any language and prints nothing; `riata-report` draws the carets.

mod map;

pub use map::{Place, SourceMap};

/// A range of bytes in one source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// The empty span before byte `at`.
    pub fn at(at: usize) -> Self {
        Span { start: at, end: at }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A further place in the same source that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input is usable, but probably not what was meant.
    Warning,
    /// The input cannot be used.
    Error,
}

/// One thing that is wrong with an input, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The place the caret points at.
    pub span: Span,
    /// A word beside the caret; may be empty.
    pub label: String,
    /// What the user can do.
    pub help: Option<String>,
    /// Other places that matter.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds a word beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds what the user can do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that matters.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { span, message: message.into() });
        self
    }
}

/// Line and column of byte `at`, both counted from 1; columns count characters.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let at = at.min(text.len());
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let column = text.get(start..at).map_or(at - start, |s| s.chars().count()) + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_column("a\nβγ x", 7), (2, 4));
        assert_eq!(line_column("", 5), (1, 1));
        assert_eq!(line_column("ab\n", 3), (2, 1));
    }
}
