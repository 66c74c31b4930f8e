//! What Riata's tests are made of: the papers' recursive texts as oracles, random automata that shrink, and the
//! conformance suite that every emptiness check and every store inherits.
//!
//! For tests only: clear before fast, recursive as the papers are, and for small systems.

pub mod case;
pub mod conformance;
pub mod counting;
pub mod deep;
pub mod figures;
pub mod oracle;
pub mod shaken;
pub mod together;

pub use case::{Case, Shape, cases};
