//! The stream of automata in a text.

use super::lexer::{Kind, Lexer, Stop};
use super::{Automaton, body, header};
use riata_source::{Diagnostic, Span};

/// Reads the automata of a HOA stream one after the other.
///
/// Automata that end in `--ABORT--` are left out. After an error the reader goes on behind the next `--END--`. A text
/// without any automaton is an error.
pub struct Reader<'t> {
    lexer: Lexer<'t>,
    yielded: bool,
    aborted: bool,
    finished: bool,
}

impl<'t> Reader<'t> {
    /// A reader of all of `text`.
    pub fn new(text: &'t [u8]) -> Self {
        Reader { lexer: Lexer::new(text), yielded: false, aborted: false, finished: false }
    }

    fn automaton(&mut self) -> Result<Option<Automaton>, Stop> {
        let lexer = &mut self.lexer;
        // Before the text, or at the last token of the automaton before, which is done with.
        lexer.now.kind = Kind::Eof;
        lexer.advance()?;
        match lexer.now.kind {
            Kind::Eof => return Ok(None),
            Kind::Header if lexer.slice(lexer.now.span) == b"HOA:" => {}
            _ => {
                let message = format!("expected `HOA:`, found {}", lexer.found());
                return Err(Diagnostic::error(lexer.now.span, message)
                    .help("an automaton begins with `HOA: v1`")
                    .into());
            }
        }
        let begin = lexer.now.span.start;
        let head = header::parse(lexer)?;
        body::parse(lexer, head, begin).map(Some)
    }

    /// Goes to the next token that ends an automaton, or to the end of the text.
    fn recover(&mut self) {
        let lexer = &mut self.lexer;
        while !matches!(lexer.now.kind, Kind::End | Kind::Abort) {
            match lexer.advance() {
                Ok(()) if lexer.now.kind == Kind::Eof => return,
                Ok(()) | Err(Stop::Abort) => {}
                Err(Stop::Error(d)) => {
                    // A string or comment without end reaches to the end of the text.
                    let endless = matches!(lexer.text[d.span.start], b'"' | b'/');
                    lexer.now.span = Span::at(if endless { lexer.text.len() } else { d.span.end });
                }
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Automaton, Vec<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.finished {
            match self.automaton() {
                Ok(Some(a)) => {
                    self.yielded = true;
                    return Some(Ok(a));
                }
                Ok(None) => {
                    self.finished = true;
                    if !self.yielded {
                        let d = if self.aborted {
                            Diagnostic::error(Span::at(0), "every automaton of this text ends in `--ABORT--`")
                        } else {
                            Diagnostic::error(Span::at(0), "there is no automaton in this text")
                                .help("an automaton begins with `HOA: v1`")
                        };
                        return Some(Err(vec![d]));
                    }
                }
                Err(Stop::Abort) => self.aborted = true,
                Err(Stop::Error(d)) => {
                    self.yielded = true;
                    self.recover();
                    return Some(Err(vec![*d]));
                }
            }
        }
        None
    }
}
