//! The traits between systems and searches.
//!
//! A front end implements [`System`], a Rust programmer [`Model`]; every emptiness check walks a [`Graph`];
//! [`Product`] makes the one of the other and a property automaton. What a search finds is a [`Lasso`], replayed
//! through [`Graph`] before anyone sees it.
//!
//! Knows nothing of languages, stores or algorithms, and does no input or output.

mod degeneralise;
mod doing;
mod explicit;
mod graph;
mod kripke;
mod lasso;
mod model;
mod observable;
mod product;
mod run;
mod system;
pub mod watch;

pub use degeneralise::{Degeneralised, DegeneralisedStates, Project};
pub use doing::{Doing, Mark, Marked};
pub use explicit::{Explicit, OnStates};
pub use graph::{ForStateMarked, ForStateMarkedAmong, Graph, Rooted, StateMarked};
pub use kripke::{Kripke, KripkeError};
pub use lasso::{Lasso, Path, ReplayError, Walk, replay};
pub use model::{Interned, Model};
pub use observable::{Effect, Look, Observable, Observation, Slot, Truth};
pub use product::{Deadlocks, FAILED, Failures, Product, ProductError, ProductOnStates};
pub use riata_automata::Strength;
pub use run::{Counters, Limits, Progress, Run, Stop, Verdict};
pub use system::{ActionId, Choice, Successors, System, Valuation, told_one_by_one};
