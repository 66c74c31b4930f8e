//! Riata: does every infinite behaviour of a system satisfy a temporal property, and if not, which lasso breaks it?
//!
//! A model is a file (Promela, DVE, SMV, AIGER, a Kripke structure in HOA) or a Rust type:
//!
//! ```
//! use riata::{Model, Verdict};
//! # let path = std::env::temp_dir().join("riata-doc-flip.pml");
//! # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
//! let report = Model::open(&path)?.check().ltl("[]<> (x == 1)")?.run()?;
//! assert!(report.holds());
//! let report = Model::open(&path)?.check().ltl("<>[] (x == 1)")?.run()?;
//! assert_eq!(report.verdict(), Verdict::Violated);
//! let run = report.answers[0].run.as_ref().expect("a lasso");
//! println!("{}", run.trace.to_text());
//! # Ok::<(), riata::Error>(())
//! ```
//!
//! For models in Rust see [`rust`]. What can be asked for is in [`Options`]; what means nothing for a kind of model is
//! refused ([`table`]), never dropped in silence. Answers are typed ([`Answer`]); their JSON is what serde makes of them.
//!
//! The crate prints nothing, and never ends the process.

pub mod animate;
mod beside;
mod check;
pub mod compare;
mod error;
mod how;
pub mod infinite;
mod kripke;
mod model;
pub mod options;
mod owcty;
mod plain;
pub mod profile;
mod program;
mod reasons;
pub mod room;
pub mod rust;
pub mod samples;
mod saved;
pub mod search;
pub mod sets;
pub mod size;
mod smv;
mod spread;
pub mod subject;
pub mod table;
mod vacuity;
pub mod written;

pub use check::Report;
pub use error::{Error, Remarks};
pub use how::{How, Listener, Nobody};
pub use model::{Check, Model};
pub use options::{Kind, Options};
pub use riata_cluster as cluster;
pub use riata_report as report;
pub use riata_report::answer::{Answer, Problem, Skipped, Verdict};
pub use riata_system::Progress;

/// The programs of the guide's chapter about models in Rust are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/src/rust.md")]
struct Guide;
