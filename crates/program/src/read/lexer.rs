//! Words of the text form.

use riata_source::{Diagnostic, Span};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier that is no keyword.
    Name(String),
    /// Text in quotes.
    Text(String),
    /// A number without sign.
    Number(u32),
    /// A keyword or a sign.
    Sign(&'static str),
    /// Nothing more.
    End,
}

impl Kind {
    /// In words, for messages.
    pub fn told(&self) -> String {
        match self {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Text(_) => "a text in quotes".into(),
            Kind::Number(n) => format!("`{n}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the text".into(),
        }
    }
}

/// A word and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
}

const KEYWORDS: &[&str] = &[
    "program",
    "youngest",
    "oldest",
    "priorities",
    "early",
    "lazy",
    "lockstep",
    "symbols",
    "shared",
    "channel",
    "open",
    "for",
    "process",
    "priority",
    "start",
    "named",
    "last",
    "proposition",
    "monitor",
    "ends",
    "negated",
    "at",
    "claim",
    "late",
    "wrap",
    "fault",
    "as",
    "channels",
    "send",
    "receive",
    "parameter",
    "local",
    "initially",
    "provided",
    "location",
    "initial",
    "end",
    "accepting",
    "progress",
    "committed",
    "number",
    "assert",
    "edge",
    "rank",
    "keeps",
    "merged",
    "block",
    "node",
    "option",
    "out",
    "when",
    "else",
    "do",
    "sorted",
    "any",
    "keeping",
    "run",
    "into",
    "print",
    "set_priority",
    "exit",
    "if",
    "bounded",
    "enabled",
    "location_of",
    "priority_of",
    "len",
    "empty",
    "nonempty",
    "full",
    "nonfull",
    "poll",
    "pid",
    "processes",
    "timeout",
    "nonprogress",
    "_",
];

/// Those that begin alike: the longer first.
const SIGNS: &[&str] = &[
    "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "=>", ":=", "::", "->", "..", "+", "-", "*", "/", "%",
    "&", "|", "^", "<", ">", "!", "~", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "@", "#",
];

fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().find(|k| **k == word).copied()
}

fn begins(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// How many bytes of `text` are an identifier, points inside included.
fn identifier(text: &str) -> usize {
    let mut len = 0;
    loop {
        let rest = &text[len..];
        if !rest.starts_with(begins) {
            // Not a point that begins nothing.
            return len.saturating_sub(usize::from(len > 0));
        }
        len += rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if !text[len..].starts_with('.') {
            return len;
        }
        len += 1;
    }
}

/// Can a name be written without quotes?
pub(in super::super) fn plain_name(name: &str) -> bool {
    !name.is_empty() && identifier(name) == name.len() && keyword(name).is_none()
}

/// All words, the end as the last.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let Some(c) = rest.chars().next() else {
            tokens.push(Token { kind: Kind::End, span: Span::at(at) });
            return Ok(tokens);
        };
        let (kind, len) = if begins(c) {
            let len = identifier(rest);
            let word = &rest[..len];
            (keyword(word).map_or_else(|| Kind::Name(word.to_string()), Kind::Sign), len)
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..len].parse().map_err(|_| {
                Diagnostic::error(Span::new(at, at + len), "this number is too large")
                    .help("numbers have 32 bits")
            })?;
            (Kind::Number(number), len)
        } else if c == '"' {
            let (string, len) = quoted(rest, at)?;
            (Kind::Text(string), len)
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let span = Span::new(at, at + c.len_utf8());
            return Err(Diagnostic::error(span, format!("`{}` has no meaning here", c.escape_default()))
                .help("names with such characters are written in quotes"));
        };
        tokens.push(Token { kind, span: Span::new(at, at + len) });
        at += len;
    }
}

/// A text in quotes at the beginning of `rest`, which is at byte `at`, and how long it is.
fn quoted(rest: &str, at: usize) -> Result<(String, usize), Diagnostic> {
    let mut string = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Ok((string, i + 1)),
            '\\' => {
                let escape = chars.next();
                match escape {
                    Some((_, '"')) => string.push('"'),
                    Some((_, '\\')) => string.push('\\'),
                    Some((_, 'n')) => string.push('\n'),
                    Some((_, 't')) => string.push('\t'),
                    Some((_, 'u')) => {
                        let digits = rest[i + 2..].strip_prefix('{').and_then(|r| r.split_once('}'));
                        let code = digits.and_then(|(d, _)| Some((d, u32::from_str_radix(d, 16).ok()?)));
                        let Some((digits, c)) = code.and_then(|(d, n)| Some((d, char::from_u32(n)?))) else {
                            let span = Span::new(at + i, at + i + 2);
                            return Err(Diagnostic::error(span, "this is no character")
                                .help("write the number of a character, such as `\\u{7f}`"));
                        };
                        string.push(c);
                        // Past the digits and their brackets.
                        chars.by_ref().take(digits.chars().count() + 2).for_each(drop);
                    }
                    _ => {
                        let span = Span::new(at + i, at + i + 1);
                        return Err(Diagnostic::error(span, "`\\` begins nothing known here")
                            .help("write `\\\\` for the character itself"));
                    }
                }
            }
            c => string.push(c),
        }
    }
    Err(Diagnostic::error(Span::new(at, at + 1), "this text in quotes does not end").help("add a `\"`"))
}
