//! Words, numbers and symbols, each with its place.

use riata_source::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, keywords included. A name in quotation marks keeps them: it is never a keyword, and `"a"` is not `a`.
    Word(String),
    /// A number.
    Int(i64),
    /// A word constant such as `0ud8_255`: width, signed, bits.
    Bits(u32, bool, u64),
    /// A symbol.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Longer symbols first.
const SYMBOLS: [&str; 33] = [
    "<->", "<<", ">>", ":=", "::", "->", "!=", "<=", ">=", "..", "(", ")", "[", "]", "{", "}", ",", ";", ":",
    "?", "!", "&", "|", "=", "<", ">", "+", "-", "*", "/", ".", "~", "^",
];

/// The tokens of a text, an [`Token::End`] last, and everything that is wrong.
pub fn tokens(text: &str) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let bytes = text.as_bytes();
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let start = at;
        if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"/--") {
            match find(&bytes[at + 3..], b"--/") {
                Some(n) => at += 3 + n + 3,
                None => {
                    wrong.push(
                        Diagnostic::error(Span::new(at, at + 3), "this comment is not closed")
                            .help("a comment that begins with `/--` ends with `--/`"),
                    );
                    at = bytes.len();
                }
            }
        } else if rest.starts_with(b"--") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest[0].is_ascii_alphabetic() || rest[0] == b'_' {
            at += name_length(rest);
            found.push((Token::Word(text[start..at].into()), Span::new(start, at)));
        } else if rest[0] == b'"' {
            match rest[1..].iter().position(|&b| b == b'"') {
                Some(n) => {
                    at += n + 2;
                    found.push((Token::Word(text[start..at].into()), Span::new(start, at)));
                }
                None => {
                    let span = Span::new(start, start + 1);
                    wrong.push(Diagnostic::error(span, "this name has no second quotation mark"));
                    at = bytes.len();
                }
            }
        } else if rest[0].is_ascii_digit() {
            at += rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).unwrap_or(rest.len());
            let span = Span::new(start, at);
            match number(&text[start..at]) {
                Ok(token) => found.push((token, span)),
                Err(message) => {
                    wrong.push(Diagnostic::error(span, message));
                    found.push((Token::Int(0), span));
                }
            }
        } else if let Some(s) = SYMBOLS.iter().find(|s| rest.starts_with(s.as_bytes())) {
            at += s.len();
            found.push((Token::Symbol(s), Span::new(start, at)));
        } else {
            let c = text[at..].chars().next().unwrap_or(' ');
            at += c.len_utf8();
            wrong.push(Diagnostic::error(Span::new(start, at), format!("`{c}` has no meaning in SMV")));
        }
    }
    found.push((Token::End, Span::at(bytes.len())));
    (found, wrong)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

/// A name may contain `-`, `#` and `$`; two hyphens begin a comment.
fn name_length(rest: &[u8]) -> usize {
    let mut n = 1;
    while n < rest.len() {
        match rest[n] {
            b'-' if rest.get(n + 1) == Some(&b'-') => break,
            // `a->b` is an implication.
            b'-' if rest.get(n + 1) == Some(&b'>') => break,
            b'-' | b'_' | b'#' | b'$' => n += 1,
            b if b.is_ascii_alphanumeric() => n += 1,
            _ => break,
        }
    }
    n
}

fn number(text: &str) -> Result<Token, String> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().map(Token::Int).map_err(|_| "this number is too large".into());
    }
    let shape = "a word constant looks like `0ud8_255`, `0sd4_7`, `0b4_0101` or `0h8_ff`";
    let mut rest = text.strip_prefix('0').ok_or(shape)?;
    let mut signed = false;
    for (sign, letter) in [(false, 'u'), (true, 's')] {
        if let Some(r) = rest.strip_prefix(letter) {
            (signed, rest) = (sign, r);
            break;
        }
    }
    let (radix, bits) = match rest.as_bytes().first() {
        Some(b'b' | b'B') => (2, 1),
        Some(b'o' | b'O') => (8, 3),
        Some(b'd' | b'D') => (10, 0),
        Some(b'h' | b'H') => (16, 4),
        _ => return Err(shape.into()),
    };
    let (width, digits) = rest[1..].split_once('_').ok_or(shape)?;
    let digits: String = digits.chars().filter(|c| *c != '_').collect();
    let value = u64::from_str_radix(&digits, radix).map_err(|_| shape)?;
    let width = match width {
        "" if bits > 0 => digits.len() as u32 * bits,
        _ => width.parse().map_err(|_| shape)?,
    };
    if width == 0 || width > 64 {
        return Err("words have 1 to 64 bits".into());
    }
    // The largest number of a signed word is written only to be negated; other digits are bits.
    let too_large = signed && radix == 10 && value > 1 << (width - 1);
    if too_large || width < 64 && value >> width != 0 {
        return Err(format!("the value does not fit into {width} bits"));
    }
    Ok(Token::Bits(width, signed, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments() {
        let (found, wrong) = tokens("a-b#1 -- c\n x->y /-- z --/ 0ud4_9 12..3 \"a b\"");
        assert!(wrong.is_empty());
        let words: Vec<Token> = found.into_iter().map(|(t, _)| t).collect();
        let wanted = [
            Token::Word("a-b#1".into()),
            Token::Word("x".into()),
            Token::Symbol("->"),
            Token::Word("y".into()),
            Token::Bits(4, false, 9),
            Token::Int(12),
            Token::Symbol(".."),
            Token::Int(3),
            Token::Word("\"a b\"".into()),
            Token::End,
        ];
        assert_eq!(words, wanted);
    }

    #[test]
    fn bad_numbers() {
        for text in ["0ud4_16", "0sd4_9", "0ud0_0", "99999999999999999999", "0x3", "0b_2", "1abc", "\"open"] {
            assert_eq!(tokens(text).1.len(), 1, "{text}");
        }
    }
}
