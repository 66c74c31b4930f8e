//! Drawing diagnostics: the line, the caret, and what to do.
//!
//! The source may be anything: not UTF-8, one line of ten megabytes, full of control characters. So the renderer is
//! never given the source itself, only an excerpt of one line around the place, made harmless.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use riata_source::{Diagnostic, Severity, Span};

/// How much of a line is shown on each side of the place, in bytes.
const AROUND: usize = 60;
/// How many diagnostics of one input are shown.
const SHOWN: usize = 10;

/// One file of an input.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name.
    pub path: &'a str,
    /// Its content.
    pub text: &'a [u8],
    /// The number that spans have for its first byte.
    pub start: usize,
}

/// Draws `diagnostics` of the input `path` with content `text`; of many only the first.
pub fn render(path: &str, text: &[u8], diagnostics: &[Diagnostic], colour: bool) -> String {
    render_files(&[Source { path, text, start: 0 }], diagnostics, colour)
}

/// Draws `diagnostics` of an input of several files, which come in the order of their `start`; a span belongs to the
/// last file that begins at or before it. Without a file there is nothing to draw on, and only messages are told.
pub fn render_files(sources: &[Source<'_>], diagnostics: &[Diagnostic], colour: bool) -> String {
    let nothing = [Source { path: "", text: b"", start: 0 }];
    let sources = if sources.is_empty() { &nothing } else { sources };
    let mut out = String::new();
    for d in diagnostics.iter().take(SHOWN) {
        out.push_str(&render_one(sources, d, colour));
        out.push('\n');
    }
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("… and {} more\n", diagnostics.len() - SHOWN));
    }
    out
}

/// Line and column of byte `at` of any bytes, both counted from 1; columns count characters.
pub fn position(text: &[u8], at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[line_start..]).chars().count() + 1)
}

fn render_one(sources: &[Source<'_>], d: &Diagnostic, colour: bool) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let main = Excerpt::of(sources, d.span);
    let notes: Vec<Excerpt> = d.notes.iter().map(|n| Excerpt::of(sources, n.span)).collect();
    let title = level.primary_title(harmless(&d.message));
    let mut first = title.element(main.snippet(&d.label));
    if let Some(help) = &d.help {
        first = first.element(Level::HELP.message(harmless(help)));
    }
    let mut groups = vec![first];
    for (note, excerpt) in d.notes.iter().zip(&notes) {
        let title = Level::NOTE.secondary_title(harmless(&note.message));
        groups.push(Group::with_title(title).element(excerpt.snippet("")));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut drawn = renderer.render(&groups);
    // The renderer counts columns in the excerpt; the user counts them in the line.
    for e in [&main].into_iter().chain(&notes) {
        let place = |column| format!("{}:{}:{column}", e.path, e.line);
        drawn = drawn.replacen(&place(e.column_in_excerpt()), &place(e.column), 1);
    }
    drawn
}

/// A part of one line, and where the caret is in it.
struct Excerpt {
    path: String,
    line: usize,
    column: usize,
    text: String,
    caret: (usize, usize),
}

impl Excerpt {
    fn snippet(&self, label: &str) -> Snippet<'_, Annotation<'_>> {
        let mut annotation = AnnotationKind::Primary.span(self.caret.0..self.caret.1);
        if !label.is_empty() {
            annotation = annotation.label(harmless(label));
        }
        Snippet::source(&self.text).line_start(self.line).path(self.path.as_str()).annotation(annotation)
    }

    fn column_in_excerpt(&self) -> usize {
        self.text[..self.caret.0].chars().count() + 1
    }

    /// The place in the file to which it belongs.
    fn of(sources: &[Source<'_>], span: Span) -> Excerpt {
        let number = sources.partition_point(|s| s.start <= span.start).saturating_sub(1);
        let Source { path, text, start } = sources[number];
        let (from, to) = (span.start.saturating_sub(start), span.end.saturating_sub(start));
        Excerpt::new(path, text, Span::new(from, to.max(from)))
    }

    fn new(path: &str, text: &[u8], span: Span) -> Excerpt {
        let start = span.start.min(text.len());
        let newline = |b: &u8| *b == b'\n';
        let line_start = text[..start].iter().rposition(newline).map_or(0, |p| p + 1);
        let line_end = text[start..].iter().position(newline).map_or(text.len(), |p| start + p);
        let end = span.end.clamp(start, line_end);
        let from = boundary(text, line_start.max(start.saturating_sub(AROUND)));
        let to = boundary(text, line_end.min(start + AROUND).max(from));
        let end = end.clamp(start, to.max(start));
        let mut shown = String::new();
        if from > line_start {
            shown.push('…');
        }
        shown.push_str(&harmless(&String::from_utf8_lossy(&text[from..start.max(from)])));
        let caret_start = shown.len();
        shown.push_str(&harmless(&String::from_utf8_lossy(&text[start..end])));
        let caret_end = shown.len();
        shown.push_str(&harmless(&String::from_utf8_lossy(&text[end..to.max(end)])));
        if to < line_end {
            shown.push('…');
        }
        let (line, column) = position(text, start);
        Excerpt { path: harmless(path), line, column, text: shown, caret: (caret_start, caret_end) }
    }
}

/// The first byte at or after `at` that begins a character.
fn boundary(text: &[u8], at: usize) -> usize {
    (at..text.len()).take(3).find(|&i| text[i] & 0xc0 != 0x80).unwrap_or(at)
}

/// The text without characters that move the cursor, colour the terminal or reverse the line.
pub(crate) fn harmless(text: &str) -> String {
    let risky = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if risky(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &[u8], span: (usize, usize)) -> String {
        let d = Diagnostic::error(Span::new(span.0, span.1), "bad").label("here").help("fix it");
        render("f.hoa", text, &[d], false)
    }

    #[test]
    fn the_caret_points_at_the_place() {
        let shown = plain("first\nsecond βγ line\n".as_bytes(), (13, 17));
        let wanted = "\
error: bad
 --> f.hoa:2:8
  |
2 | second βγ line
  |        ^^ here
  |
  = help: fix it
";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn long_lines_are_shortened() {
        let mut text = vec![b'('; 1_000_000];
        text[500_000] = b'x';
        let shown = plain(&text, (500_000, 700_000));
        assert!(shown.len() < 2_000 && shown.contains("f.hoa:1:500001"), "{shown}");
        assert!(shown.contains('…'));
    }

    #[test]
    fn any_bytes_and_any_span_can_be_drawn() {
        let text = b"a\xff\xfe\x1b[31m\xe2\x82\n\r\n\0z\xc3";
        for start in 0..text.len() + 2 {
            for end in start..text.len() + 2 {
                let shown = plain(text, (start, end));
                assert!(!shown.contains('\x1b') && shown.contains("bad"));
            }
        }
        plain(b"", (0, 0));
    }

    #[test]
    fn notes_have_their_own_place() {
        let d = Diagnostic::error(Span::new(4, 5), "twice").note(Span::new(0, 1), "first here");
        let shown = render("f", b"a\nb\nc", &[d], false);
        assert!(
            shown.contains("f:3:1") && shown.contains("note: first here") && shown.contains("f:1:1"),
            "{shown}"
        );
    }

    #[test]
    fn every_place_is_in_its_own_file() {
        let sources = [
            Source { path: "main", text: b"a\nb\n", start: 0 },
            Source { path: "included", text: b"c\nd e\n", start: 5 },
        ];
        let d = Diagnostic::error(Span::new(9, 10), "twice").note(Span::new(2, 3), "first here");
        let shown = render_files(&sources, std::slice::from_ref(&d), false);
        let wanted = "\
error: twice
 --> included:2:3
  |
2 | d e
  |   ^
  |
note: first here
 --> main:2:1
  |
2 | b
  | ^
";
        assert_eq!(shown, wanted);
        assert!(render_files(&[], &[d], false).contains("twice"));
    }
}
