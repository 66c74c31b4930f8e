//! Standard output, standard error and exit codes.

use crate::args::{Colour, Common};
use riata_report::answer::{Document, Verdict};
use riata_report::diagnostics;
use riata_source::{Diagnostic, Severity};
use std::io::{self, IsTerminal, Write};

/// How the program ends; see the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything holds, or is empty, and the search was complete.
    Holds = 0,
    /// Something does not hold: an accepting run exists.
    Violated = 1,
    /// Bad input or usage.
    Bad = 2,
    /// A limit, a lossy store or an interrupt.
    Inconclusive = 3,
}

impl Exit {
    /// The exit code for two results together: bad input first, then a violation, then an open question.
    pub fn and(self, other: Exit) -> Exit {
        let rank =
            |e| [Exit::Holds, Exit::Inconclusive, Exit::Violated, Exit::Bad].iter().position(|&x| x == e);
        if rank(self) >= rank(other) { self } else { other }
    }
}

/// Writes to standard output. A reader that has gone away (`riata … | head`) is no error: the exit code still tells
/// the verdict.
pub fn print(text: &str) {
    print_with(|out| out.write_all(text.as_bytes()));
}

/// Writes to standard output, through the pager of the user if that is a terminal and the text is longer than it.
pub fn page(text: &str) {
    let lines = crate::args::terminal_size().map_or(usize::MAX, |(_, lines)| lines);
    if !io::stdout().is_terminal() || text.lines().count() < lines {
        return print(text);
    }
    let pager = std::env::var("PAGER").ok().filter(|p| !p.trim().is_empty());
    let pager = pager.unwrap_or_else(|| "less -FRX".into());
    let mut words = pager.split_whitespace();
    let started = words.next().and_then(|program| {
        let mut command = std::process::Command::new(program);
        command.args(words).stdin(std::process::Stdio::piped()).spawn().ok()
    });
    let Some(mut child) = started else { return print(text) };
    // Who leaves the pager early has seen enough.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
}

/// As [`print()`], for what is too long to be a string.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => eprint(&format!("error: cannot write: {e}\n")),
        _ => {}
    }
}

/// Writes to standard error, and does not mind if it is closed.
pub fn eprint(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `error: …`, as a line.
pub fn error_line(colour: bool, message: &str) -> String {
    let error = if colour { "\x1b[1;31merror\x1b[0m" } else { "error" };
    format!("{error}: {message}\n")
}

/// Says what is wrong with the command or its input; with `--json` also as an object.
pub fn complain(common: &Common, message: &str) -> Exit {
    eprint(&error_line(common.colour_errors(), message));
    if common.json {
        let mut document: Document<()> = Document::new(common.command.clone(), "");
        document.errors.push(message.to_string().into());
        print(&document.to_text());
    }
    Exit::Bad
}

impl Common {
    /// Is standard error to be coloured?
    pub fn colour_errors(&self) -> bool {
        match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never,
        }
    }

    /// Paints the verdict of a text that begins with `title: verdict`, if standard output is to be coloured.
    pub fn painted(&self, text: String, title: &str, verdict: Verdict) -> String {
        let Some(rest) = text.strip_prefix(title).and_then(|t| t.strip_prefix(": ")) else { return text };
        let end = [" (", " [", "\n"].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
        format!("{title}: {}{}", self.paint(&rest[..end], verdict), &rest[end..])
    }

    /// Paints a word in the colour of a verdict, if standard output is to be coloured.
    pub fn paint(&self, word: &str, verdict: Verdict) -> String {
        let colour = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        };
        let number = match verdict {
            Verdict::Violated | Verdict::Nonempty => 31,
            Verdict::Inconclusive => 33,
            _ => 32,
        };
        if colour { format!("\x1b[1;{number}m{word}\x1b[0m") } else { word.to_string() }
    }

    /// Draws diagnostics on standard error; `-q` leaves out warnings.
    pub fn diagnose(&self, path: &str, text: &[u8], diagnostics: &[Diagnostic]) {
        let wanted: Vec<Diagnostic> =
            diagnostics.iter().filter(|d| !self.quiet || d.severity == Severity::Error).cloned().collect();
        eprint(&diagnostics::render(path, text, &wanted, self.colour_errors()));
    }

    /// Is progress to be shown: is standard error a terminal?
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}
