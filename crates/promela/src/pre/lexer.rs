//! From the bytes of one file to tokens, one at a time.
//!
//! Comments and continued lines are white space. The lexer knows lines, because directives do, but no directives: at
//! the beginning of a line the preprocessor looks at the token and says what is to be done with the rest.

use crate::token::{Kind, SIGNS, Sign, Symbols, Token};
use riata_source::SourceMap;
use riata_source::{Diagnostic, Span};

/// A place in one file.
#[derive(Clone, Debug)]
pub(crate) struct Lexer {
    /// The next byte of the source map.
    at: usize,
    end: usize,
    /// Nothing but white space since the line began.
    line: bool,
    space: bool,
}

impl Lexer {
    /// At the beginning of a file.
    pub fn new(file: Span) -> Lexer {
        Lexer { at: file.start, end: file.end, line: true, space: false }
    }

    /// The next token; [`Kind::End`] at the end.
    pub fn next(&mut self, map: &SourceMap, symbols: &mut Symbols, wrong: &mut Vec<Diagnostic>) -> Token {
        self.white(map, wrong, true);
        // Spin passes over the end of a comment that none began.
        while self.rest(map).starts_with(b"*/") {
            let span = Span::new(self.at, self.at + 2);
            wrong.push(Diagnostic::warning(span, "this `*/` ends no comment"));
            self.at += 2;
            self.white(map, wrong, true);
        }
        let mut token = self.token(map, symbols, wrong);
        (token.line, token.space) = (self.line, self.space);
        (self.line, self.space) = (false, false);
        token
    }

    /// The next token of this line, if there is one.
    pub fn next_in_line(
        &mut self,
        map: &SourceMap,
        symbols: &mut Symbols,
        wrong: &mut Vec<Diagnostic>,
    ) -> Option<Token> {
        self.white(map, wrong, false);
        if self.at >= self.end || self.byte(map) == b'\n' {
            return None;
        }
        let mut token = self.token(map, symbols, wrong);
        token.space = self.space;
        (self.line, self.space) = (false, false);
        Some(token)
    }

    /// Goes to the end of the line without looking for tokens, only for comments. What is skipped need not be
    /// Promela: only an unfinished comment is wrong.
    pub fn skip_line(&mut self, map: &SourceMap, wrong: &mut Vec<Diagnostic>) {
        loop {
            self.white(map, wrong, false);
            if self.at >= self.end {
                return;
            }
            match self.byte(map) {
                b'\n' => return,
                // A quoted "/*" begins no comment; a quote that is not closed reaches to the end of its line.
                quote @ (b'"' | b'\'') => self.at += quoted(self.rest(map), quote).0,
                _ => self.at += 1,
            }
        }
    }

    /// True if the next token would be the first of its line and is `#`: then it is taken.
    pub fn directive(&mut self, map: &SourceMap, wrong: &mut Vec<Diagnostic>) -> Option<Span> {
        self.white(map, wrong, true);
        if self.line && self.at < self.end && self.byte(map) == b'#' {
            self.at += 1;
            (self.line, self.space) = (false, false);
            return Some(Span::new(self.at - 1, self.at));
        }
        None
    }

    /// True at the end of the file.
    pub fn finished(&self) -> bool {
        self.at >= self.end
    }

    fn byte(&self, map: &SourceMap) -> u8 {
        map.byte(self.at)
    }

    fn rest<'a>(&self, map: &'a SourceMap) -> &'a [u8] {
        map.text(Span::new(self.at, self.end))
    }

    /// Skips white space and comments; new lines only if told to.
    fn white(&mut self, map: &SourceMap, wrong: &mut Vec<Diagnostic>, lines: bool) {
        let text = map.text(Span::new(0, self.end));
        while let Some(&b) = text.get(self.at) {
            match b {
                b'\n' if lines => {
                    self.line = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                // A byte order mark, as some editors write at the beginning.
                0xef if text[self.at..].starts_with(b"\xef\xbb\xbf") => self.at += 3,
                b'\\' if text[self.at..].starts_with(b"\\\n") => self.at += 2,
                b'\\' if text[self.at..].starts_with(b"\\\r\n") => self.at += 3,
                b'/' if text.get(self.at + 1) == Some(&b'/') => {
                    while self.at < self.end && text[self.at] != b'\n' {
                        let continued = text[self.at] == b'\\' && text.get(self.at + 1) == Some(&b'\n');
                        self.at = (self.at + 1 + usize::from(continued)).min(self.end);
                    }
                }
                b'/' if text.get(self.at + 1) == Some(&b'*') => {
                    let body = &text[self.at + 2..];
                    match body.windows(2).position(|w| w == b"*/") {
                        Some(n) => {
                            // For implied semicolons a comment's lines count, as they do in cpp's output.
                            self.line |= lines && body[..n].contains(&b'\n');
                            self.at += n + 4;
                        }
                        None => {
                            let span = Span::new(self.at, self.at + 2);
                            wrong.push(Diagnostic::error(span, "this comment never ends"));
                            self.at = self.end;
                        }
                    }
                }
                _ => return,
            }
            self.space = true;
        }
    }

    fn token(&mut self, map: &SourceMap, symbols: &mut Symbols, wrong: &mut Vec<Diagnostic>) -> Token {
        let rest = self.rest(map);
        let start = self.at;
        let Some(&first) = rest.first() else {
            return Token::new(Kind::End, symbols.intern(""), Span::at(self.end));
        };
        let word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
        let (kind, len) = if first.is_ascii_digit() {
            (Kind::Number, rest.iter().take_while(word).count())
        } else if first.is_ascii_alphabetic() || first == b'_' {
            (Kind::Name, rest.iter().take_while(word).count())
        } else if first == b'"' {
            return self.string(map, symbols, wrong);
        } else if first == b'\'' {
            let (len, closed) = quoted(rest, b'\'');
            if !closed {
                let span = Span::new(start, start + 1);
                wrong.push(Diagnostic::error(span, "this character has no closing quote"));
            }
            (Kind::Character, len)
        } else if let Some((sign, written)) = LONG.iter().find(|s| rest.starts_with(s.1.as_bytes())) {
            self.at += written.len();
            return Token::new(Kind::Sign(*sign), symbols.intern(sign.text()), Span::new(start, self.at));
        } else if let Some((sign, text)) = SIGNS.iter().find(|s| rest.starts_with(s.1.as_bytes())) {
            self.at += text.len();
            return Token::new(Kind::Sign(*sign), symbols.intern(text), Span::new(start, self.at));
        } else {
            // A whole run of foreign bytes is one token.
            let foreign = |b: &&u8| !b.is_ascii() || (b.is_ascii_control() && !b.is_ascii_whitespace());
            (Kind::Other, rest.iter().take_while(foreign).count().max(1))
        };
        self.at += len;
        let text = String::from_utf8_lossy(&rest[..len]);
        Token::new(kind, symbols.intern(&text), Span::new(start, self.at))
    }

    fn string(&mut self, map: &SourceMap, symbols: &mut Symbols, wrong: &mut Vec<Diagnostic>) -> Token {
        let rest = self.rest(map);
        let start = self.at;
        let (len, closed) = quoted(rest, b'"');
        if !closed {
            wrong.push(
                Diagnostic::error(Span::new(start, start + 1), "this string has no closing quote")
                    .help("a string ends in the line where it begins"),
            );
        }
        self.at += len;
        let body = &rest[1..len - usize::from(closed)];
        let text = String::from_utf8_lossy(body).replace("\\\r\n", "").replace("\\\n", "");
        Token::new(Kind::Text, symbols.intern(&text), Span::new(start, self.at))
    }
}

/// Signs that Spin's lexer takes for others: it looks for the second character of `--` before that of `->`.
const LONG: [(Sign, &str); 2] = [(Sign::Arrow, "-->"), (Sign::NotEq, "!!=")];

/// The length of what is quoted at the beginning of `text`, quotes included, and whether it is closed; if not, it
/// reaches to the end of the line. A backslash protects the byte after it, a new line too.
fn quoted(text: &[u8], quote: u8) -> (usize, bool) {
    let mut i = 1;
    while let Some(&b) = text.get(i) {
        match b {
            b'\\' => i += 2,
            b'\n' => return (i, false),
            b if b == quote => return (i + 1, true),
            _ => i += 1,
        }
    }
    (text.len(), false)
}

/// Makes one token of a text, for `##`; none if the text is not one token.
pub(crate) fn single(text: &str, symbols: &mut Symbols) -> Option<(Kind, crate::token::Symbol)> {
    let mut map = SourceMap::default();
    let span = map.add("", text.as_bytes());
    let mut wrong = Vec::new();
    let mut lexer = Lexer::new(span);
    let token = lexer.next(&map, symbols, &mut wrong);
    let whole = wrong.is_empty() && !token.space && lexer.at == span.end && token.kind != Kind::End;
    (whole && token.kind != Kind::Sign(Sign::Hash)).then_some((token.kind, token.text))
}
