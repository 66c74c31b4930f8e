//! The DVE language, DiVinE's: from text to a [`Program`].
//!
//! A model is a list of shared variables and channels, processes that are control graphs, and a `system` line.
//!
//! # Meaning
//!
//! Where the language's description leaves something open, DiVinE's original implementation decides, since the BEEM
//! database was measured with it:
//!
//! * `byte` is `0..=255`, `int` 16 bits with sign. Arithmetic is done with 32 bits. To store a value outside the
//!   variable's range is a run-time error, as are division by zero and an index outside an array. A value sent
//!   through a typed channel is cut to its type.
//! * An array without an index is its first element, in expressions and where it is stored to.
//! * `and` and `or` have the same precedence; see the module `expression`.
//! * While a process is in a committed state, only transitions that leave committed states are taken; both sides of
//!   a rendezvous must leave one.
//! * The property process moves with every step of the others; its guards are evaluated before the step.
//! * In a rendezvous the message is evaluated in the old state, then stored, then the receiver's effect runs, then
//!   the sender's.
//!
//! Two things differ from DiVinE. A buffered receive stores the message before the effect runs, as a rendezvous does,
//! and a buffered send evaluates it in the old state; DiVinE runs the effect first. A rendezvous whose two sides
//! write the same shared variable is carried out, in the order above; DiVinE makes it an error.

mod ast;
mod claim;
mod expression;
mod lexer;
mod lower;
mod parser;
mod print;
mod scope;

use riata_program::{ClaimProcess, Program, Property, verify};
use riata_program::{ExprId, Proposition};
use riata_source::{Diagnostic, Severity};

/// A model: its program, and the names in it, so that properties can be read.
#[derive(Clone, Debug)]
pub struct Model {
    /// The property that it states, if it has a property process.
    pub property: Option<Property>,
    /// Its property process, to be run with the others.
    pub claim: Option<ClaimProcess>,
    /// What may be wrong with it.
    pub warnings: Vec<Diagnostic>,
    lowered: lower::Lowered,
}

/// Reads a model. On failure everything that is wrong with it is told, in the order of the text.
pub fn parse(text: &str) -> Result<Model, Vec<Diagnostic>> {
    let parser::Parsed { model: syntax, mut wrong, whole } = parser::parse(text);
    let mut lowered = lower::lower(&syntax, whole, &mut wrong);
    wrong.sort_by_key(|d| (d.span, d.severity));
    if wrong.iter().any(|d| d.severity == Severity::Error) {
        return Err(wrong);
    }
    let system = syntax.system.as_ref().filter(|s| s.property.is_some());
    let (property, claim) = system.map_or((None, None), |s| claim::property(&mut lowered, s.lockstep));
    let internal = verify(&lowered.program);
    if !internal.is_empty() {
        return Err(internal);
    }
    Ok(Model { property, claim, warnings: wrong, lowered })
}

/// A model in one layout, with all brackets written. Comments are lost.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parser::Parsed { model: syntax, wrong, .. } = parser::parse(text);
    if wrong.iter().any(|d| d.severity == Severity::Error) { Err(wrong) } else { Ok(print::print(&syntax)) }
}

impl Model {
    /// What it means.
    pub fn program(&self) -> &Program {
        &self.lowered.program
    }

    /// What it means, to add propositions.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.lowered.program
    }

    /// Reads an expression over the model's variables and states, such as `P.busy and x == 3`, with a local variable
    /// written `P->x`, and adds it to the program. Spans in diagnostics are places in `text`.
    pub fn expression(&mut self, text: &str) -> Result<ExprId, Vec<Diagnostic>> {
        let (syntax, tree) = parser::parse_expression(text)?;
        let mut wrong = Vec::new();
        let e = lower::proposition(&mut self.lowered, &syntax, tree, &mut wrong);
        if wrong.iter().any(|d| d.severity == Severity::Error) { Err(wrong) } else { Ok(e) }
    }

    /// Reads an expression and makes it the program's next proposition, named as it is written. Returns its number.
    pub fn proposition(&mut self, text: &str) -> Result<usize, Vec<Diagnostic>> {
        let expr = self.expression(text)?;
        let propositions = &mut self.lowered.program.propositions;
        propositions.push(Proposition { name: text.to_string(), expr });
        Ok(propositions.len() - 1)
    }
}
