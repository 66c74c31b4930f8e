//! From text to tokens: operators of every dialect, and atomic propositions, which may be expressions of a model.

use crate::dialect::{Dialect, Word};
use crate::formula::Op;
use riata_source::{Diagnostic, Span};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// ⊤ or ⊥
    Constant(bool),
    /// An operator before its operand.
    Prefix(Op),
    /// An operator between its operands.
    Infix(Op),
    /// The negation of ↔'s negation: `xnor`.
    Xnor,
    /// An atomic proposition, by name.
    Ap(String),
}

/// The symbols, longest first where one begins another.
const SYMBOLS: &[(&str, Token)] = &[
    ("<-->", Token::Infix(Op::Iff)),
    ("<->", Token::Infix(Op::Iff)),
    ("<=>", Token::Infix(Op::Iff)),
    ("-->", Token::Infix(Op::Implies)),
    ("->", Token::Infix(Op::Implies)),
    ("=>", Token::Infix(Op::Implies)),
    ("<>", Token::Prefix(Op::Finally)),
    ("[]", Token::Prefix(Op::Globally)),
    ("&&", Token::Infix(Op::And)),
    ("||", Token::Infix(Op::Or)),
    ("/\\", Token::Infix(Op::And)),
    ("\\/", Token::Infix(Op::Or)),
    ("&", Token::Infix(Op::And)),
    ("|", Token::Infix(Op::Or)),
    ("!", Token::Prefix(Op::Not)),
    ("~", Token::Prefix(Op::Not)),
    ("^", Token::Infix(Op::Xor)),
    ("(", Token::Open),
    (")", Token::Close),
    ("□", Token::Prefix(Op::Globally)),
    ("◻", Token::Prefix(Op::Globally)),
    ("◇", Token::Prefix(Op::Finally)),
    ("⋄", Token::Prefix(Op::Finally)),
    ("♢", Token::Prefix(Op::Finally)),
    ("○", Token::Prefix(Op::Next)),
    ("◯", Token::Prefix(Op::Next)),
    ("¬", Token::Prefix(Op::Not)),
    ("∧", Token::Infix(Op::And)),
    ("∨", Token::Infix(Op::Or)),
    ("→", Token::Infix(Op::Implies)),
    ("⇒", Token::Infix(Op::Implies)),
    ("↔", Token::Infix(Op::Iff)),
    ("⇔", Token::Infix(Op::Iff)),
    ("⊕", Token::Infix(Op::Xor)),
    ("⊻", Token::Infix(Op::Xor)),
    ("⊤", Token::Constant(true)),
    ("⊥", Token::Constant(false)),
];

/// Comparisons and arithmetic that join terms to one proposition.
const JOINS: [&str; 12] = ["==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%"];

/// Where a token begins with a join's symbol but is an operator.
const NOT_JOINS: [&str; 9] = ["<-->", "<->", "<=>", "-->", "->", "=>", "<>", "/\\", "<-"];

pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Is `GFa` read as `G F a`?
    compact: bool,
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '#')
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Self {
        let compact = match dialect {
            Dialect::Spot => true,
            Dialect::Auto => !Self::looks_like_spin(text),
            _ => false,
        };
        Lexer { text, at: 0, dialect, compact }
    }

    pub(crate) fn looks_like_spin(text: &str) -> bool {
        text.contains("[]")
            || text.contains("<>")
            || text.split(|c: char| !in_name(c)).any(|w| Dialect::SPIN_WORDS.contains(&w))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn here(&self) -> Span {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + len)
    }

    /// The next token with its place; `None` at the end. The end's place is [`Lexer::end`].
    pub(crate) fn next(&mut self) -> Result<Option<(Token, Span)>, Diagnostic> {
        self.skip_space();
        let start = self.at;
        let Some(c) = self.rest().chars().next() else { return Ok(None) };
        for (symbol, token) in SYMBOLS {
            if self.rest().starts_with(symbol) {
                self.at += symbol.len();
                return Ok(Some((token.clone(), Span::new(start, self.at))));
            }
        }
        let token = match c {
            '"' => Token::Ap(self.quoted()?),
            '{' => Token::Ap(self.braced()?),
            c if c.is_ascii_digit() || starts_name(c) => self.word()?,
            _ => {
                let error =
                    Diagnostic::error(self.here(), format!("`{c}` begins no operator and no proposition"));
                return Err(
                    error.help("write a proposition with other characters in double quotes or in braces")
                );
            }
        };
        Ok(Some((token, Span::new(start, self.at))))
    }

    pub(crate) fn end(&self) -> Span {
        Span::at(self.text.len())
    }

    fn quoted(&mut self) -> Result<String, Diagnostic> {
        let open = self.here();
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c => name.push(c),
            }
        }
        Err(Diagnostic::error(open, "this quotation mark is not closed").label("opened here"))
    }

    fn braced(&mut self) -> Result<String, Diagnostic> {
        let open = self.here();
        let inside = self
            .balanced('{', '}')
            .ok_or_else(|| Diagnostic::error(open, "this brace is not closed").label("opened here"))?;
        Ok(squeeze(&inside[1..inside.len() - 1]))
    }

    /// Consumes text from an opening bracket to the one that closes it.
    fn balanced(&mut self, open: char, close: char) -> Option<&'a str> {
        let rest = self.rest();
        let mut depth = 0usize;
        for (i, c) in rest.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    self.at += i + c.len_utf8();
                    return Some(&rest[..i + c.len_utf8()]);
                }
            }
        }
        None
    }

    /// A word operator, a constant, or a proposition that is a name, `name[…]@label`, `f(…)`, or a comparison.
    fn word(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let name = &rest[..rest.find(|c| !in_name(c)).unwrap_or(rest.len())];
        if let Some(word) = self.dialect.word(name) {
            self.at += name.len();
            if name == "X" && self.rest().starts_with("[!]") {
                self.at += 3; // the strong next of finite words, the same on infinite ones
            }
            return Ok(match word {
                Word::Constant(b) => Token::Constant(b),
                Word::Prefix(op) => Token::Prefix(op),
                Word::Infix(op) => Token::Infix(op),
                Word::Xnor => Token::Xnor,
            });
        }
        if self.compact && name.starts_with(['G', 'F', 'X']) {
            self.at += 1;
            let op = match name.as_bytes()[0] {
                b'G' => Op::Globally,
                b'F' => Op::Finally,
                _ => Op::Next,
            };
            return Ok(Token::Prefix(op));
        }
        self.term()?;
        let joined = self.joins()?;
        let text = &self.text[start..self.at];
        match text {
            "0" => Ok(Token::Constant(false)),
            "1" => Ok(Token::Constant(true)),
            _ if !joined && text.bytes().all(|b| b.is_ascii_digit()) => {
                Err(Diagnostic::error(Span::new(start, self.at), "a number is not a formula")
                    .help("only 0 and 1 are; compare it with something, as in `x > 3`"))
            }
            _ => Ok(Token::Ap(squeeze(text))),
        }
    }

    /// A name or number with what hangs on it.
    fn term(&mut self) -> Result<(), Diagnostic> {
        let rest = self.rest();
        self.at += rest.find(|c| !in_name(c)).unwrap_or(rest.len());
        loop {
            let rest = self.rest();
            let at = self.here();
            let unclosed = || Diagnostic::error(at, "this bracket is not closed").label("opened here");
            if rest.starts_with('[') && !rest.starts_with("[]") {
                self.balanced('[', ']').ok_or_else(unclosed)?;
            } else if rest.starts_with('(') {
                self.balanced('(', ')').ok_or_else(unclosed)?;
            } else if rest.starts_with(['@', ':', '.']) && rest[1..].starts_with(starts_name) {
                self.at += 1;
                let rest = self.rest();
                self.at += rest.find(|c| !in_name(c)).unwrap_or(rest.len());
            } else {
                return Ok(());
            }
        }
    }

    /// Any comparisons and sums that continue a term; tells whether there were some.
    fn joins(&mut self) -> Result<bool, Diagnostic> {
        let mut any = false;
        loop {
            let before = self.at;
            self.skip_space();
            let rest = self.rest();
            let join = JOINS.iter().find(|j| rest.starts_with(**j));
            let Some(join) = join.filter(|_| !NOT_JOINS.iter().any(|n| rest.starts_with(n))) else {
                self.at = before;
                return Ok(any);
            };
            self.at += join.len();
            any = true;
            self.skip_space();
            if self.rest().starts_with('-') {
                self.at += 1;
                self.skip_space();
            }
            let at = self.here();
            let rest = self.rest();
            if rest.starts_with('(') {
                let unclosed = Diagnostic::error(at, "this bracket is not closed").label("opened here");
                self.balanced('(', ')').ok_or(unclosed)?;
            } else if rest.starts_with(|c: char| c.is_ascii_digit() || starts_name(c)) {
                self.term()?;
            } else {
                return Err(Diagnostic::error(at, format!("expected a number or a name after `{join}`")));
            }
        }
    }
}

/// Runs of white space become one space.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
