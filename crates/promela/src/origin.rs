//! Where things come from: macros and inlines.
//!
//! A token's span is a place in a file: for a macro the outermost use, for an inline a place in its body. The rest of
//! the story is here: an [`OriginId`] is a chain of expansions, innermost first, and [`Origins::explain`] tells it as
//! notes of a diagnostic.

use crate::ast::OriginId;
use riata_source::{Diagnostic, Span};
use std::sync::Arc;

/// How many steps of a chain a diagnostic tells.
const TOLD: usize = 8;

/// What was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expansion {
    /// A `#define`; the place is its definition, or its outermost use where it has none in a file.
    Macro,
    /// An `inline`; the place is the call.
    Inline,
}

/// One expansion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Macro or inline.
    pub kind: Expansion,
    /// Its name.
    pub name: Arc<str>,
    /// The definition of a macro, the call of an inline.
    pub place: Span,
    /// What this expansion is part of.
    pub parent: OriginId,
}

/// All expansions of a model.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Number `i` is [`OriginId`] `i + 1`.
    entries: Vec<Origin>,
}

impl Origins {
    /// Adds one.
    pub fn add(&mut self, origin: Origin) -> OriginId {
        self.entries.push(origin);
        OriginId(self.entries.len() as u32)
    }

    /// The expansion, unless the thing is written as it is.
    pub fn get(&self, id: OriginId) -> Option<&Origin> {
        (id.0 as usize).checked_sub(1).and_then(|i| self.entries.get(i))
    }

    /// The expansions that led to something, innermost first.
    pub fn chain(&self, id: OriginId) -> impl Iterator<Item = &Origin> {
        std::iter::successors(self.get(id), |o| self.get(o.parent))
    }

    /// The diagnostic, with a note for each expansion that led to its place.
    pub fn explain(&self, mut diagnostic: Diagnostic, id: OriginId) -> Diagnostic {
        for origin in self.chain(id).take(TOLD) {
            let message = match origin.kind {
                Expansion::Macro => format!("in expansion of macro `{}`, defined here", origin.name),
                Expansion::Inline => format!("in expansion of inline `{}`, called here", origin.name),
            };
            diagnostic = diagnostic.note(origin.place, message);
        }
        diagnostic
    }
}
