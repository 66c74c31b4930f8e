//! The notations: which words and symbols are operators, and how tightly they bind.

use crate::formula::Op;
use crate::lexer::Lexer;

/// A notation for formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// Operators of all notations alike. `GFa` is `G F a` unless the text has Spin's `[]`, `<>` or word operators.
    #[default]
    Auto,
    /// `G F X U R W M`, `! & | -> <-> xor`; `GFa` is `G F a`.
    Spot,
    /// `[] <> X U V W`, `! && || -> <->`, and the words `always`, `eventually`, `until` …; `GFa` is a name.
    Spin,
    /// `G F X U V`, `Y Z O H S T`, `! & | -> <-> xor xnor`, `TRUE`, `FALSE`; U, V, S and T associate to the left.
    Smv,
    /// `□ ◇ ○ U R W M`, `¬ ∧ ∨ → ↔ ⊕`, `⊤`, `⊥`.
    Unicode,
}

/// What a word or symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// ⊤ or ⊥.
    Constant(bool),
    /// A prefix operator.
    Prefix(Op),
    /// An infix operator.
    Infix(Op),
    /// The negation of an infix operator (`xnor`).
    Xnor,
}

impl Dialect {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Auto => "auto",
            Dialect::Spot => "spot",
            Dialect::Spin => "spin",
            Dialect::Smv => "smv",
            Dialect::Unicode => "unicode",
        }
    }

    /// The dialect of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        [Dialect::Auto, Dialect::Spot, Dialect::Spin, Dialect::Smv, Dialect::Unicode]
            .into_iter()
            .find(|d| d.name() == name)
    }

    /// The dialect in which to answer a text that was read in this one.
    pub fn of(self, text: &str) -> Dialect {
        match self {
            Dialect::Auto if Lexer::looks_like_spin(text) => Dialect::Spin,
            Dialect::Auto if text.contains(['□', '◇', '○', '¬', '∧', '∨']) => Dialect::Unicode,
            Dialect::Auto => Dialect::Spot,
            named => named,
        }
    }

    /// The meaning of an alphabetic word, if it has one in this dialect.
    pub(crate) fn word(self, text: &str) -> Option<Word> {
        use Word::{Constant, Infix, Prefix};
        let constant = match text {
            "true" | "TRUE" | "True" => Some(true),
            "false" | "FALSE" | "False" => Some(false),
            _ => None,
        };
        if let Some(c) = constant {
            return Some(Constant(c));
        }
        let letters = self != Dialect::Spin;
        let words = matches!(self, Dialect::Auto | Dialect::Spin);
        match text {
            "X" => Some(Prefix(Op::Next)),
            "U" => Some(Infix(Op::Until)),
            "V" => Some(Infix(Op::Release)),
            "W" if self != Dialect::Smv => Some(Infix(Op::WeakUntil)),
            "xor" => Some(Infix(Op::Xor)),
            "G" if letters => Some(Prefix(Op::Globally)),
            "F" if letters => Some(Prefix(Op::Finally)),
            "R" if letters && self != Dialect::Smv => Some(Infix(Op::Release)),
            "M" if letters && self != Dialect::Smv => Some(Infix(Op::StrongRelease)),
            "Y" if letters => Some(Prefix(Op::Yesterday)),
            "Z" if letters => Some(Prefix(Op::WeakYesterday)),
            "O" if letters => Some(Prefix(Op::Once)),
            "H" if letters => Some(Prefix(Op::Historically)),
            "S" if letters => Some(Infix(Op::Since)),
            "T" if letters => Some(Infix(Op::Trigger)),
            "xnor" if matches!(self, Dialect::Auto | Dialect::Smv) => Some(Word::Xnor),
            "not" if words => Some(Prefix(Op::Not)),
            "and" if words => Some(Infix(Op::And)),
            "or" if words => Some(Infix(Op::Or)),
            "implies" if words => Some(Infix(Op::Implies)),
            "equivalent" if words => Some(Infix(Op::Iff)),
            "always" if words => Some(Prefix(Op::Globally)),
            "eventually" if words => Some(Prefix(Op::Finally)),
            "next" if words => Some(Prefix(Op::Next)),
            "until" | "stronguntil" if words => Some(Infix(Op::Until)),
            "weakuntil" if words => Some(Infix(Op::WeakUntil)),
            "release" | "releases" if words => Some(Infix(Op::Release)),
            "prev" if words => Some(Prefix(Op::Yesterday)),
            "weakprev" if words => Some(Prefix(Op::WeakYesterday)),
            "once" if words => Some(Prefix(Op::Once)),
            "historically" if words => Some(Prefix(Op::Historically)),
            "since" if words => Some(Infix(Op::Since)),
            "trigger" | "triggered" if words => Some(Infix(Op::Trigger)),
            _ => None,
        }
    }

    /// The words that show that a text in [`Dialect::Auto`] is not in Spot's compact style.
    pub(crate) const SPIN_WORDS: [&'static str; 8] =
        ["always", "eventually", "until", "stronguntil", "weakuntil", "release", "implies", "equivalent"];

    /// How tightly an infix operator binds, and whether it associates to the right.
    pub(crate) fn precedence(self, op: Op) -> (u8, bool) {
        let smv = self == Dialect::Smv;
        match op {
            Op::Implies => (1, true),
            Op::Iff if smv => (2, false),
            Op::Iff => (1, true),
            Op::Xor if smv => (4, false),
            Op::Xor => (3, false),
            Op::Or => (4, false),
            Op::And => (5, false),
            _ => (6, !smv),
        }
    }

    /// Prefix operators bind more tightly than every infix operator.
    pub(crate) const PREFIX: u8 = 7;

    /// How the dialect writes an operator that it has.
    pub(crate) fn symbol(self, op: Op) -> &'static str {
        let i = match self {
            Dialect::Auto | Dialect::Spot => 0,
            Dialect::Spin => 1,
            Dialect::Smv => 2,
            Dialect::Unicode => 3,
        };
        let row: [&'static str; 4] = match op {
            Op::False => ["0", "false", "FALSE", "⊥"],
            Op::True => ["1", "true", "TRUE", "⊤"],
            Op::Ap => [""; 4],
            Op::Not => ["!", "!", "!", "¬"],
            Op::And => ["&", "&&", "&", "∧"],
            Op::Or => ["|", "||", "|", "∨"],
            Op::Implies => ["->", "->", "->", "→"],
            Op::Iff => ["<->", "<->", "<->", "↔"],
            Op::Xor => ["xor", "xor", "xor", "⊕"],
            Op::Next => ["X", "X", "X", "○"],
            Op::Finally => ["F", "<>", "F", "◇"],
            Op::Globally => ["G", "[]", "G", "□"],
            Op::Until => ["U"; 4],
            Op::Release => ["R", "V", "V", "R"],
            Op::WeakUntil => ["W"; 4],
            Op::StrongRelease => ["M"; 4],
            Op::Yesterday => ["Y", "prev", "Y", "Y"],
            Op::WeakYesterday => ["Z", "weakprev", "Z", "Z"],
            Op::Once => ["O", "once", "O", "O"],
            Op::Historically => ["H", "historically", "H", "H"],
            Op::Since => ["S", "since", "S", "S"],
            Op::Trigger => ["T", "trigger", "T", "T"],
        };
        row[i]
    }

    /// Has the dialect this operator? Otherwise the printer rewrites it.
    pub(crate) fn has(self, op: Op) -> bool {
        match op {
            Op::StrongRelease => !matches!(self, Dialect::Spin | Dialect::Smv),
            Op::WeakUntil => self != Dialect::Smv,
            _ => true,
        }
    }
}
