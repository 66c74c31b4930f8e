//! All files of a model as one text.
//!
//! A model is its file and what that includes. Every file that is read is appended to one text, each behind the end of
//! the one before, so that a [`Span`] says both file and place. A byte between two files belongs to neither: the empty
//! span at a file's end is still in that file.

use crate::Span;

/// The files of a model.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    text: Vec<u8>,
    files: Vec<File>,
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    start: usize,
    end: usize,
}

/// A place as people say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl SourceMap {
    /// Appends a file. Returns the span of its text.
    pub fn add(&mut self, name: impl Into<String>, text: &[u8]) -> Span {
        if !self.files.is_empty() {
            self.text.push(b'\n');
        }
        let start = self.text.len();
        self.text.extend_from_slice(text);
        let end = self.text.len();
        self.files.push(File { name: name.into(), start, end });
        Span::new(start, end)
    }

    /// The text of a span; empty if it is not one of this map.
    pub fn text(&self, span: Span) -> &[u8] {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The byte at `at`; zero outside the text.
    pub fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// How many bytes all files have.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True if no file was read, or only empty ones.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text of a span, with what is not UTF-8 replaced.
    pub fn str(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.text(span))
    }

    /// All files: name, and the span of the text.
    pub fn files(&self) -> impl Iterator<Item = (&str, Span)> {
        self.files.iter().map(|f| (f.name.as_str(), Span::new(f.start, f.end)))
    }

    /// The number of the file with this byte, in the order in which they were read.
    pub fn file_of(&self, at: usize) -> usize {
        self.files.partition_point(|f| f.start <= at).saturating_sub(1)
    }

    /// Both if they are in one file, the first alone otherwise.
    pub fn join(&self, first: Span, last: Span) -> Span {
        if self.file_of(first.start) == self.file_of(last.start) { first.to(last) } else { first }
    }

    /// File, line and column where a span begins.
    pub fn locate(&self, span: Span) -> Place {
        let Some(file) = self.files.get(self.file_of(span.start)) else {
            return Place { file: String::new(), line: 1, column: 1 };
        };
        let at = span.start.clamp(file.start, file.end);
        let before = &self.text[file.start..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Place { file: file.name.clone(), line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_says_file_and_place() {
        let mut map = SourceMap::default();
        let a = map.add("a", b"one\ntwo");
        let b = map.add("b", "β x\n".as_bytes());
        assert_eq!(map.text(a), b"one\ntwo");
        let place = |at| map.locate(Span::at(at));
        assert_eq!(place(a.start + 4), Place { file: "a".into(), line: 2, column: 1 });
        assert_eq!(place(a.end), Place { file: "a".into(), line: 2, column: 4 });
        assert_eq!(place(b.start), Place { file: "b".into(), line: 1, column: 1 });
        assert_eq!(place(b.start + 3), Place { file: "b".into(), line: 1, column: 3 });
        assert_eq!(place(b.end + 10), Place { file: "b".into(), line: 2, column: 1 });
        assert_eq!(map.join(a, b), a);
        assert_eq!(SourceMap::default().locate(a).line, 1);
    }
}
