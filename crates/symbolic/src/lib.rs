//! The symbolic engine: sets of states as decision diagrams, fair cycles by fixpoints.
//!
//! The layers, each of which knows only the one below it:
//!
//! * [`bdd`]: what the engine needs of a package of decision diagrams; [`oxi`] is OxiDD behind it.
//! * [`relation`]: transition relations in parts, images and preimages with early quantification.
//! * [`space`]: what a fixpoint algorithm needs: sets, Boolean operations, EX and EY. [`graph`] is a relation as a
//!   space, [`bits`] an explicit graph with bit sets, the oracle.
//! * [`engine`]: a space with the papers' counters, EU and ES.
//! * [`algorithms`]: fair cycles, one file for each algorithm.
//! * [`product`] and [`tableau`]: LTL, by an explicit automaton or with a bit for each temporal subformula.
//! * [`method`]: which of the two.
//! * [`prepared`]: a system with its reachable states, ready for invariants, CTL, LTL; [`explore`], [`lengths`] and [`walk`]
//!   ask for other things of a system.
//! * [`automaton`]: an automaton that is written down as a system of its own, for emptiness.
//!
//! This crate knows no language. Every operation may run into a limit, so every operation returns a `Result`, and
//! the answer is then inconclusive.

pub mod algorithms;
pub mod automaton;
pub mod bdd;
pub mod bits;
pub mod cluster;
pub mod ctl;
pub mod encode;
pub mod engine;
pub mod explore;
pub mod fsm;
pub mod graph;
pub mod learn;
pub mod lengths;
pub mod ltl;
pub mod method;
pub mod oxi;
pub mod prepared;
pub mod product;
pub mod relation;
pub mod space;
pub mod tableau;
pub mod walk;
pub mod watch;
pub mod witness;

pub use algorithms::{Algorithm, Problem, Strength};
pub use bdd::{Bdd, Var};
pub use engine::{Counters, Engine};
pub use fsm::{Fairness, Fsm};
pub use graph::Symbolic;
pub use oxi::Oxi;
pub use prepared::Prepared;
pub use space::Space;
