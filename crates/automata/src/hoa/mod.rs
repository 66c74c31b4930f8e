//! The Hanoi Omega-Automata format, version 1: reading and writing.
//!
//! Our own reader, because an automaton of ten million edges must load in seconds, because every error must point
//! at a place, and because aliases, implicit labels and state labels are all in use. What the format allows and a
//! generalised Büchi automaton is not (`Fin`, alternation) is refused with a clear error; every positive combination
//! of `Inf` is accepted, since it *is* a generalised Büchi condition (see `acceptance`).
//!
//! The way of the bytes: `lexer` (tokens), `label` (Boolean expressions, interned by their text), `acceptance`,
//! `header`, `body`, and [`Reader`], the stream of automata. [`write`](fn@write) is the way back.
//!
//! Time and memory are linear in the text, whatever it says: nothing is allocated by a number that the text merely
//! claims, no function recurses on the depth of an expression, and labels have a budget of BDD nodes that grows with
//! the text.
//!
//! ```
//! use riata_automata::hoa::{Reader, to_string};
//!
//! let text = r#"HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
//!     --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"#;
//! let automaton = Reader::new(text.as_bytes()).next().unwrap().unwrap();
//! assert_eq!(automaton.tgba.edges(0).len(), 2);
//! assert!(to_string(&automaton).contains("[!0] 0\n"));
//! ```
//!
//! # References
//! T. Babiak, F. Blahoudek, A. Duret-Lutz, J. Klein, J. Křetínský, D. Müller, D. Parker, J. Strejček: *The Hanoi
//! Omega-Automata Format*, CAV 2015.

mod acceptance;
mod body;
mod header;
mod label;
mod lexer;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::Reader;
pub use writer::{to_string, write};

use crate::{Label, Tgba};
use riata_source::{Diagnostic, Span};

/// One automaton of a HOA stream.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// The automaton itself. Its sets are those that the acceptance condition needs, not those that are declared.
    pub tgba: Tgba,
    /// `name:`
    pub name: Option<String>,
    /// The names of states; empty when no state has one.
    pub state_names: Vec<Option<String>>,
    /// The labels of states, when every state has one: then this is a Kripke structure, and every edge of the
    /// automaton carries the label of its source.
    pub state_labels: Option<Vec<Label>>,
    /// What else the header says.
    pub header: Header,
    /// The automaton's place in the text.
    pub span: Span,
    /// What is odd in the text and does not keep it from being used.
    pub warnings: Vec<Diagnostic>,
}

/// Facts of the header that do not change what the automaton accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The version of the format, as in `HOA: v1`.
    pub version: String,
    /// `tool:` and its version.
    pub tool: Vec<String>,
    /// The words of `acc-name:`.
    pub acc_name: Vec<String>,
    /// The words of all `properties:`; hints that nobody has to believe.
    pub properties: Vec<String>,
    /// How many acceptance sets `Acceptance:` declares.
    pub declared_sets: u32,
}

impl From<Tgba> for Automaton {
    fn from(tgba: Tgba) -> Self {
        Automaton { tgba, ..Automaton::default() }
    }
}
