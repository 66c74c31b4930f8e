//! The syntax tree of Promela, as Spin 6.5 reads it.
//!
//! Expressions lie in one arena, [`Exprs`], in postfix order: operands before operators, and all nodes of one
//! expression side by side, so that a pass over an expression is a loop over [`Exprs::range`]. Statements own their
//! parts; they nest at most [`DEEPEST`] deep (the parser refuses more), so a pass over them may recurse.
//!
//! Macros and inlines are expanded. Every statement, declaration and node has a [`Span`] in the source map, and an
//! [`OriginId`] that says through which macros and inlines it came to be there.
//!
//! Nothing is resolved here: a name may be a variable, an `mtype` constant, or unknown.

mod expression;
mod statement;
mod unit;

pub use expression::*;
pub use statement::*;
pub use unit::*;

use riata_source::Span;
use std::sync::Arc;

/// How deep statements may nest. Spin's own limit is 256 scopes.
pub const DEEPEST: usize = 250;

/// The chain of expansions that something came from: an entry of [`crate::origin::Origins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct OriginId(pub u32);

impl OriginId {
    /// Written in a file as it is.
    pub const NONE: OriginId = OriginId(0);
}

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
    /// Through which expansions.
    pub origin: OriginId,
}
