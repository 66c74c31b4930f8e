//! The traits between systems and searches.
//!
//! A front end implements [`System`]; every emptiness check walks a [`Graph`]; [`Product`] makes the one of the
//! other and a property automaton. What a search finds is a [`Lasso`], replayed before anyone sees it.
//!
//! Knows nothing of languages, stores or algorithms, and does no input or output.

mod graph;
mod system;

pub use graph::{Graph, StateMarked, Strength};
pub use system::{ActionId, Successors, System, Valuation};
