//! AIGER 1.9, ascii and binary: from a circuit to a synchronous model.
//!
//! The model is that of SMV ([`riata_smv::Model`]), so that properties, traces and their confirmation are the same. A
//! latch is a Boolean variable, a gate a definition. An input is a variable that nothing constrains: bad states and
//! constraints may look at inputs, so they belong to the state.
//!
//! * `bad` literal b: the invariant ¬b. In files without any property section the outputs are bad, as in AIGER 1.0.
//! * `constraint` literal c: every state satisfies c.
//! * `justice` j with literals j₁ …: no run visits all of them infinitely often.
//! * `fairness` literal f: runs visit f infinitely often; for justice properties only.
//!
//! Answers are written, and read again and followed, as witnesses ([`witness`]).

mod circuit;
mod reader;
pub mod witness;

pub use reader::{And, Circuit, Latch, read};

use riata_smv::{Model, Types};
use riata_source::Diagnostic;

/// Reads a circuit as a model. On failure it is told what is wrong.
pub fn parse(bytes: &[u8]) -> Result<(Model, Types), Vec<Diagnostic>> {
    let circuit = read(bytes).map_err(|d| vec![d])?;
    circuit::model(&circuit)
}
