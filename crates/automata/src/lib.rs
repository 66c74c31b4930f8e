//! Transition-based generalised Büchi automata.
//!
//! Knows nothing of systems, stores, searches or the command line.

pub mod classify;
pub mod draw;
pub mod hoa;
pub mod labels;
pub mod lasso;
pub mod letters;
pub mod marks;
pub mod never;
pub mod product;
pub mod random;
pub mod reduce;
pub mod scc;
pub mod strength;
pub mod tgba;
pub mod translate;

pub use labels::{Label, Labels};
pub use marks::Marks;
pub use scc::Sccs;
pub use strength::Strength;
pub use tgba::{Edge, Tgba};
pub use translate::{Options, translate};
