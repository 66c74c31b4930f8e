//! The words and symbols of expressions, how tightly each binds, and the bounds of temporal operators.

use crate::ast::{Binary, Function, Kind, Modal, Modal2};
use crate::lexer::Token;
use crate::parser::Parser;
use riata_source::{Diagnostic, Span};

/// The largest bound of a temporal operator; each step is a node of the formula.
const MOST_STEPS: u32 = 10_000;
/// The largest bound of a temporal operator of LTL; each step is a state of an automaton.
pub(crate) const MOST_LINEAR_STEPS: u32 = 250;

pub(crate) fn infix(token: &Token) -> Option<(Kind, u8, bool)> {
    use Binary::*;
    let (op, binds) = match token {
        Token::Symbol(s) => match *s {
            "->" => (Implies, 1),
            "<->" => (Iff, 2),
            "|" => (Or, 4),
            "&" => (And, 5),
            "=" => (Equal, 8),
            "!=" => (NotEqual, 8),
            "<" => (Less, 8),
            ">" => (Greater, 8),
            "<=" => (LessEqual, 8),
            ">=" => (GreaterEqual, 8),
            "<<" => (ShiftLeft, 11),
            ">>" => (ShiftRight, 11),
            "+" => (Plus, 12),
            "-" => (Minus, 12),
            "*" => (Times, 13),
            "/" => (Divide, 13),
            "::" => (Concat, 14),
            ".." => return Some((Kind::Range, 15, false)),
            _ => return None,
        },
        Token::Word(w) => match w.as_str() {
            "xor" => (Xor, 4),
            "xnor" => (Xnor, 4),
            "in" => (In, 9),
            "union" => (Union, 10),
            "mod" => (Mod, 13),
            "U" => return Some((Kind::Modal2(Modal2::Until), 6, false)),
            "V" => return Some((Kind::Modal2(Modal2::Release), 6, false)),
            "S" => return Some((Kind::Modal2(Modal2::Since), 6, false)),
            "T" => return Some((Kind::Modal2(Modal2::Trigger), 6, false)),
            _ => return None,
        },
        _ => return None,
    };
    Some((Kind::Binary(op), binds, op == Implies))
}

pub(crate) fn modal(word: &str) -> Option<Modal> {
    Some(match word {
        "EX" => Modal::Ex,
        "AX" => Modal::Ax,
        "EF" => Modal::Ef,
        "AF" => Modal::Af,
        "EG" => Modal::Eg,
        "AG" => Modal::Ag,
        "X" => Modal::Next,
        "F" => Modal::Finally,
        "G" => Modal::Globally,
        "Y" => Modal::Yesterday,
        "Z" => Modal::WeakYesterday,
        "O" => Modal::Once,
        "H" => Modal::Historically,
        _ => return None,
    })
}

pub(crate) fn function(word: &str) -> Option<Function> {
    Some(match word {
        "bool" => Function::Bool,
        "word1" => Function::Word1,
        "toint" => Function::ToInt,
        "signed" => Function::Signed,
        "unsigned" => Function::Unsigned,
        "extend" => Function::Extend,
        "resize" => Function::Resize,
        "uwconst" => Function::UnsignedConst,
        "swconst" => Function::SignedConst,
        "count" => Function::Count,
        "sizeof" => Function::SizeOf,
        "abs" => Function::Abs,
        "min" => Function::Min,
        "max" => Function::Max,
        _ => return None,
    })
}

/// How many operands a function takes.
pub(crate) fn arity(f: Function) -> std::ops::RangeInclusive<usize> {
    match f {
        Function::Bool | Function::Word1 | Function::ToInt | Function::Signed | Function::Unsigned => 1..=1,
        Function::Abs | Function::SizeOf => 1..=1,
        Function::Count => 1..=usize::MAX,
        _ => 2..=2,
    }
}

/// A token for messages.
pub(crate) fn describe(token: &Token) -> String {
    match token {
        Token::Word(w) => format!("`{w}`"),
        Token::Int(n) => format!("`{n}`"),
        Token::Bits(..) => "a word constant".into(),
        Token::Symbol(s) => format!("`{s}`"),
        Token::End => "the end of the text".into(),
    }
}

/// Words that begin a section.
pub(crate) const SECTIONS: [&str; 22] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "PSLSPEC",
    "COMPUTE",
    "ISA",
    "MDEFINE",
    "FUN",
];

/// Words that are no names, besides those that begin a section: what NuSMV's lexer knows.
const RESERVED: [&str; 72] = [
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "AX",
    "BU",
    "COMPID",
    "COMPWFF",
    "CONSTARRAY",
    "CONSTRAINT",
    "CTLWFF",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FALSE",
    "G",
    "H",
    "IN",
    "ITYPE",
    "LTLWFF",
    "MAX",
    "MIN",
    "NAME",
    "NEXTWFF",
    "O",
    "READ",
    "S",
    "SIMPWFF",
    "T",
    "TRUE",
    "U",
    "V",
    "WRITE",
    "Word",
    "X",
    "Y",
    "Z",
    "abs",
    "array",
    "bool",
    "boolean",
    "case",
    "count",
    "esac",
    "extend",
    "in",
    "init",
    "max",
    "min",
    "mod",
    "next",
    "of",
    "process",
    "resize",
    "self",
    "signed",
    "sizeof",
    "swconst",
    "toint",
    "typeof",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "xnor",
    "xor",
];

/// Words that are no names.
pub(crate) fn is_keyword(word: &str) -> bool {
    SECTIONS.contains(&word) || RESERVED.contains(&word)
}

impl Parser {
    /// A number of steps.
    pub(crate) fn steps(&mut self, most: u32) -> Option<(u32, Span)> {
        let (token, span) = self.peek();
        let n = if let Token::Int(n) = token { u32::try_from(*n).ok() } else { None };
        match n.filter(|&n| n <= most) {
            Some(n) => {
                self.next();
                Some((n, span))
            }
            None => {
                self.expected(&format!("a number of steps from 0 to {most}"));
                None
            }
        }
    }

    /// The bounds `[a, b]` of a temporal operator of LTL.
    pub(crate) fn list_of_bounds(&mut self) -> Option<(u32, u32)> {
        self.take("[");
        let bounds = self.bounds_with(",", MOST_LINEAR_STEPS)?;
        if !self.take("]") {
            self.expected("`]` after the numbers of steps");
            return None;
        }
        Some(bounds)
    }

    /// The bounds `a..b` of a temporal operator of CTL.
    pub(crate) fn bounds(&mut self) -> Option<(u32, u32)> {
        self.bounds_with("..", MOST_STEPS)
    }

    pub(crate) fn bounds_with(&mut self, between: &str, most: u32) -> Option<(u32, u32)> {
        let (from, begin) = self.steps(most)?;
        if !self.take(between) {
            self.expected(&format!("`{between}` between two numbers of steps"));
            return None;
        }
        let (to, end) = self.steps(most)?;
        if from > to {
            self.wrong.push(Diagnostic::error(begin.to(end), "the first number of steps is the larger one"));
            return None;
        }
        Some((from, to))
    }
}
