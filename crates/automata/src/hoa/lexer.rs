//! Tokens of HOA, with one token of lookahead.

use riata_source::{Diagnostic, Span};

/// Why the reading of one automaton stops early.
#[derive(Debug)]
pub(super) enum Stop {
    /// `--ABORT--`: the producer takes the automaton back.
    Abort,
    /// The text is wrong.
    Error(Box<Diagnostic>),
}

pub(super) type Parse<T> = Result<T, Stop>;

impl From<Diagnostic> for Stop {
    fn from(d: Diagnostic) -> Self {
        Stop::Error(Box::new(d))
    }
}

/// What a token is; its text is found by its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `name:`; the colon is part of the token.
    Header,
    Ident,
    Alias,
    Int(u32),
    /// A string with its quotes.
    Str,
    /// `--BODY--`
    Body,
    /// `--END--`
    End,
    /// `--ABORT--`; the lexer stands at it and says [`Stop::Abort`].
    Abort,
    /// One of `! & | ( ) [ ] { }`.
    Sign(u8),
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The token under the reader's eye, and how to go on from it.
pub(super) struct Lexer<'t> {
    pub(super) text: &'t [u8],
    pub(super) now: Token,
}

/// Bytes of identifiers; `.` is not in version 1 of the format, but in the header names that Spot writes.
fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

impl<'t> Lexer<'t> {
    /// A lexer before the first token: call [`Lexer::advance`] first.
    pub(super) fn new(text: &'t [u8]) -> Self {
        Lexer { text, now: Token { kind: Kind::Eof, span: Span::at(0) } }
    }

    /// The text of a token.
    pub(super) fn slice(&self, span: Span) -> &'t [u8] {
        &self.text[span.start..span.end]
    }

    /// Goes to the next token.
    pub(super) fn advance(&mut self) -> Parse<()> {
        self.advance_from(self.now.span.end)
    }

    /// Goes to the first token at or after byte `at`.
    pub(super) fn advance_from(&mut self, mut at: usize) -> Parse<()> {
        let text = self.text;
        loop {
            match text.get(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(b'/') if text.get(at + 1) == Some(&b'*') => at = self.comment(at)?,
                _ => break,
            }
        }
        let start = at;
        let Some(&first) = text.get(at) else {
            self.now = Token { kind: Kind::Eof, span: Span::at(at) };
            return Ok(());
        };
        let kind = match first {
            b'!' | b'&' | b'|' | b'(' | b')' | b'[' | b']' | b'{' | b'}' => {
                at += 1;
                Kind::Sign(first)
            }
            b'0'..=b'9' => {
                let mut value = 0u64;
                while let Some(d) = text.get(at).filter(|b| b.is_ascii_digit()) {
                    value = (value * 10 + u64::from(d - b'0')).min(1 << 40);
                    at += 1;
                }
                self.int(Span::new(start, at), value)?
            }
            b'"' => {
                at = self.string(start)?;
                Kind::Str
            }
            b'@' => {
                at += 1;
                while text.get(at).copied().is_some_and(is_word) {
                    at += 1;
                }
                if at == start + 1 {
                    return Err(
                        Diagnostic::error(Span::new(start, at), "an alias needs a name after `@`").into()
                    );
                }
                Kind::Alias
            }
            b'-' if text[at..].starts_with(b"--") => self.separator(&mut at)?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while text.get(at).copied().is_some_and(is_word) {
                    at += 1;
                }
                if text.get(at) == Some(&b':') {
                    at += 1;
                    Kind::Header
                } else {
                    Kind::Ident
                }
            }
            _ => return Err(self.stray(start).into()),
        };
        self.now = Token { kind, span: Span::new(start, at) };
        if kind == Kind::Abort { Err(Stop::Abort) } else { Ok(()) }
    }

    fn int(&self, span: Span, value: u64) -> Parse<Kind> {
        if self.text[span.start] == b'0' && span.end > span.start + 1 {
            return Err(Diagnostic::error(span, "a number may not begin with a useless 0").into());
        }
        match u32::try_from(value) {
            Ok(n) if n < 1 << 31 => Ok(Kind::Int(n)),
            _ => Err(Diagnostic::error(span, "number too large")
                .help("HOA's numbers are less than 2^31")
                .into()),
        }
    }

    /// The end of the comment that starts at `start`; comments nest.
    fn comment(&self, start: usize) -> Parse<usize> {
        let text = self.text;
        let (mut at, mut depth) = (start + 2, 1usize);
        while depth > 0 {
            match (text.get(at), text.get(at + 1)) {
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    at += 2;
                }
                (Some(b'/'), Some(b'*')) => {
                    depth += 1;
                    at += 2;
                }
                (Some(_), _) => at += 1,
                (None, _) => {
                    return Err(Diagnostic::error(Span::new(start, start + 2), "this comment does not end")
                        .help("comments nest: every `/*` needs its own `*/`")
                        .into());
                }
            }
        }
        Ok(at)
    }

    fn string(&self, start: usize) -> Parse<usize> {
        let mut at = start + 1;
        loop {
            match self.text.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    return Err(
                        Diagnostic::error(Span::new(start, start + 1), "this string does not end").into()
                    );
                }
            }
        }
    }

    fn separator(&self, at: &mut usize) -> Parse<Kind> {
        let start = *at;
        while self.text.get(*at).copied().is_some_and(is_word) {
            *at += 1;
        }
        match &self.text[start..*at] {
            b"--BODY--" => Ok(Kind::Body),
            b"--END--" => Ok(Kind::End),
            b"--ABORT--" => Ok(Kind::Abort),
            _ => Err(Diagnostic::error(Span::new(start, *at), "unknown separator")
                .help("HOA knows `--BODY--`, `--END--` and `--ABORT--`")
                .into()),
        }
    }

    fn stray(&self, at: usize) -> Diagnostic {
        let rest = &self.text[at..self.text.len().min(at + 4)];
        let valid = match std::str::from_utf8(rest) {
            Ok(s) => s,
            Err(e) => std::str::from_utf8(&rest[..e.valid_up_to()]).unwrap_or(""),
        };
        match valid.chars().next() {
            Some(c) if !c.is_control() => {
                Diagnostic::error(Span::new(at, at + c.len_utf8()), format!("unexpected character `{c}`"))
            }
            _ => Diagnostic::error(Span::new(at, at + 1), format!("unexpected byte 0x{:02x}", self.text[at]))
                .help("is this a HOA file? It is a text that begins with `HOA: v1`"),
        }
    }

    /// The current token in words, for messages.
    pub(super) fn found(&self) -> String {
        match self.now.kind {
            Kind::Eof => "the end of the file".into(),
            Kind::Str => "a string".into(),
            _ => {
                let text = String::from_utf8_lossy(self.slice(self.now.span));
                let short: String = text.chars().take(40).collect();
                format!("`{short}{}`", if short.len() < text.len() { "…" } else { "" })
            }
        }
    }

    /// An error at the current token, which is not what was expected.
    pub(super) fn expected(&self, what: &str) -> Stop {
        let d = Diagnostic::error(self.now.span, format!("expected {what}, found {}", self.found()));
        if self.now.kind == Kind::Eof { d.help("is the file truncated?").into() } else { d.into() }
    }

    /// Goes past the sign `c` if it is there.
    pub(super) fn eat(&mut self, c: u8) -> Parse<bool> {
        let there = self.now.kind == Kind::Sign(c);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    /// Goes past a number.
    pub(super) fn number(&mut self, what: &str) -> Parse<(u32, Span)> {
        let Kind::Int(n) = self.now.kind else { return Err(self.expected(what)) };
        let span = self.now.span;
        self.advance()?;
        Ok((n, span))
    }

    /// The bytes that the string token at `span` means.
    pub(super) fn unescape(&self, span: Span) -> Vec<u8> {
        let inner = &self.text[span.start + 1..span.end - 1];
        let mut bytes = Vec::with_capacity(inner.len());
        let mut escaped = false;
        for &b in inner {
            if b == b'\\' && !escaped {
                escaped = true;
            } else {
                escaped = false;
                bytes.push(b);
            }
        }
        bytes
    }

    /// The current token as text for a human: strings without quotes and escapes.
    pub(super) fn word(&self) -> String {
        match self.now.kind {
            Kind::Str => String::from_utf8_lossy(&self.unescape(self.now.span)).into_owned(),
            _ => String::from_utf8_lossy(self.slice(self.now.span)).into_owned(),
        }
    }
}
