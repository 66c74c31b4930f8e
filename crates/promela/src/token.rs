//! Tokens: what the preprocessor hands to the parser.
//!
//! One kind of token serves both. The text of a token is a [`Symbol`], so that comparing names is comparing numbers;
//! the reserved words have the first numbers.

use crate::ast::OriginId;
use riata_source::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// A text that was seen: its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub u32);

macro_rules! words {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word { $($variant),* }

        const WORDS: &[(Word, &str)] = &[$((Word::$variant, $text)),*];
    };
}

words! {
    Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break", Byte "byte",
    CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state", CTrack "c_track", DProctype "D_proctype",
    Do "do", Chan "chan", Else "else", Empty "empty", Enabled "enabled", Eval "eval", False "false", Fi "fi",
    For "for", Full "full", GetPriority "get_priority", Goto "goto", Hidden "hidden", If "if", In "in",
    Init "init", Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl", Mtype "mtype",
    Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace", Np "np_", Od "od", Of "of",
    PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm", Priority "priority", Proctype "proctype",
    Provided "provided", Return "return", Run "run", DStep "d_step", Select "select",
    SetPriority "set_priority", Short "short", Skip "skip", Timeout "timeout", Trace "trace", True "true",
    Show "show", Typedef "typedef", Unless "unless", Unsigned "unsigned", Xr "xr", Xs "xs",
}

impl Symbol {
    /// The reserved word, if it is one.
    pub fn word(self) -> Option<Word> {
        WORDS.get(self.0 as usize).map(|w| w.0)
    }
}

macro_rules! signs {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// A sign. Longer ones come before their beginnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Sign { $($variant),* }

        /// In the order in which they are tried.
        pub(crate) const SIGNS: &[(Sign, &str)] = &[$((Sign::$variant, $text)),*];

        impl Sign {
            /// As written.
            pub fn text(self) -> &'static str {
                match self { $(Sign::$variant => $text),* }
            }
        }
    };
}

signs! {
    Paste "##", Arrow "->", Decrement "--", Increment "++", Shl "<<", Shr ">>", Le "<=", Ge ">=", EqEq "==",
    NotEq "!=", SendSorted "!!", ReceiveRandom "??", AndAnd "&&", OrOr "||", Sep "::", DotDot "..",
    Hash "#", Minus "-", Plus "+", Lt "<", Gt ">", Assign "=", Not "!", Query "?", And "&", Or "|", Colon ":",
    Dot ".", Star "*", Slash "/", Percent "%", Caret "^", Tilde "~", Comma ",", Semi ";", OpenParen "(",
    CloseParen ")", OpenBracket "[", CloseBracket "]", OpenBrace "{", CloseBrace "}", At "@", Backslash "\\",
    Dollar "$",
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a reserved word.
    Name,
    /// Begins with a digit.
    Number,
    /// `'a'`; its text has the quotes.
    Character,
    /// `"…"`; its text has no quotes.
    Text,
    /// A sign.
    Sign(Sign),
    /// Anything else.
    Other,
    /// The end of a file, or of the input.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    /// A new line is between this token and the one before.
    pub line: bool,
    /// White space is between this token and the one before.
    pub space: bool,
    /// A macro's name in its own expansion, never to be expanded.
    pub blue: bool,
    pub text: Symbol,
    start: u32,
    end: u32,
    pub origin: OriginId,
}

impl Token {
    pub fn new(kind: Kind, text: Symbol, span: Span) -> Token {
        let (start, end) = (span.start as u32, span.end as u32);
        Token { kind, line: false, space: false, blue: false, text, start, end, origin: OriginId::NONE }
    }

    /// Where.
    pub fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// The same token elsewhere.
    pub fn at(mut self, span: Span) -> Token {
        (self.start, self.end) = (span.start as u32, span.end as u32);
        self
    }

    /// The reserved word, if it is one.
    pub fn word(&self) -> Option<Word> {
        if self.kind == Kind::Name { self.text.word() } else { None }
    }

    /// True if it is this sign.
    pub fn is(&self, sign: Sign) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

/// All texts of tokens.
#[derive(Debug)]
pub(crate) struct Symbols {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Symbol>,
}

impl Symbols {
    /// With the reserved words.
    pub fn new() -> Symbols {
        let mut symbols = Symbols { texts: Vec::new(), numbers: HashMap::new() };
        for (_, text) in WORDS {
            symbols.intern(text);
        }
        symbols
    }

    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The number of a text that was seen before.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The text.
    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.texts[symbol.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_have_the_first_numbers() {
        let mut symbols = Symbols::new();
        assert_eq!(symbols.intern("unless").word(), Some(Word::Unless));
        assert_eq!(symbols.intern("active").word(), Some(Word::Active));
        assert_eq!(symbols.intern("xs").word(), Some(Word::Xs));
        let x = symbols.intern("x");
        assert_eq!((x.word(), symbols.intern("x"), &**symbols.text(x)), (None, x, "x"));
    }

    #[test]
    fn longer_signs_come_first() {
        for (i, (_, a)) in SIGNS.iter().enumerate() {
            assert!(SIGNS[..i].iter().all(|(_, b)| !a.starts_with(b)), "{a}");
        }
    }
}
