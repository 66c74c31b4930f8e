//! From text to tokens.

use riata_source::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number(i32),
    Keyword(Word),
    /// A sign; `Sign("->")`, say.
    Sign(&'static str),
    End,
}

macro_rules! words {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word { $($variant),* }

        impl Word {
            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Word::$variant => $text),* }
            }

            fn of(text: &str) -> Option<Word> {
                match text { $($text => Some(Word::$variant),)* _ => None }
            }
        }
    };
}

words! {
    Accept "accept", And "and", Assert "assert", Async "async", Byte "byte", Channel "channel", Commit "commit",
    Const "const", Effect "effect", False "false", Guard "guard", Imply "imply", Init "init", Int "int", Not "not",
    Or "or", Process "process", Property "property", State "state", Sync "sync", System "system", Trans "trans",
    True "true",
}

/// A token and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// Two-character signs come first, so that the longest match wins.
const SIGNS: [&str; 33] = [
    "->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "=", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "~", "!", "?", ",", ";", ":", ".", "(", ")", "[", "]", "{",
];

/// All tokens, an [`Kind::End`] last.
pub(crate) fn lex(text: &str, wrong: &mut Vec<Diagnostic>) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let start = at;
        let c = bytes[at];
        if c.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.get(2..).and_then(|r| r.find("*/")) {
                Some(n) => at += n + 4,
                None => {
                    wrong.push(Diagnostic::error(Span::new(at, at + 2), "this comment never ends"));
                    at = bytes.len();
                }
            }
        } else if c.is_ascii_alphabetic() || c == b'_' {
            at += rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let kind = Word::of(&text[start..at]).map_or(Kind::Name, Kind::Keyword);
            tokens.push(Token { kind, span: Span::new(start, at) });
        } else if c.is_ascii_digit() {
            at += rest.bytes().take_while(u8::is_ascii_digit).count();
            let span = Span::new(start, at);
            let value = text[start..at].parse().unwrap_or_else(|_| {
                wrong.push(
                    Diagnostic::error(span, "this number is too large").help("numbers go up to 2147483647"),
                );
                0
            });
            tokens.push(Token { kind: Kind::Number(value), span });
        } else if c == b'}' {
            at += 1;
            tokens.push(Token { kind: Kind::Sign("}"), span: Span::new(start, at) });
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            at += sign.len();
            tokens.push(Token { kind: Kind::Sign(sign), span: Span::new(start, at) });
        } else {
            // A whole run of foreign characters is one error.
            let run: usize = rest
                .chars()
                .take_while(|c| !c.is_ascii() || c.is_ascii_control() || "\"#$'@\\`".contains(*c))
                .take_while(|c| !c.is_ascii_whitespace())
                .map(char::len_utf8)
                .sum();
            at += run.max(1);
            wrong.push(Diagnostic::error(Span::new(start, at), "this is no part of the DVE language"));
        }
    }
    tokens.push(Token { kind: Kind::End, span: Span::at(text.len()) });
    tokens
}
