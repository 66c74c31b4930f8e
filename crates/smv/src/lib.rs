//! The SMV language, NuSMV's: from text to a transition relation, and its specifications.
//!
//! Text → [`ast`] ([`lexer`], [`parser`]) → [`model`] (modules flattened, names resolved, types checked) →
//! [`machine`] (functions of bits, parts of a relation) → [`check`] (CTL, LTL, invariants, with traces that
//! [`evaluate`] has confirmed).
//!
//! # Meaning
//!
//! As NuSMV 2.6 has it. Where its manual leaves something open:
//!
//! * Paths are infinite. A state without a successor lies on no path, and is satisfied by every universal formula.
//! * Initial states without a fair path do not count for CTL, unless there are no others: an empty fair set means that
//!   there is no fair path, whatever a peer prints.
//! * `H [a, b] p` is false before step b. `E [p BU a..b q]` wants p in all states before q, those before step a, too.
//! * The process that runs is an input of the step; `FAIRNESS running` speaks of steps, and so becomes a bit of the
//!   state that remembers the last step.
//! * A value outside a variable's range is an error of the model where it can be assigned at all, reachable or not; so
//!   is a case whose conditions do not cover everything, and a division by zero that no enclosing `case` or condition
//!   excludes.

mod arrays;
pub mod ast;
pub mod check;
mod depend;
mod dotted;
mod encode;
pub mod evaluate;
mod expression;
mod flatten;
pub mod formula;
mod interleave;
pub mod lexer;
pub mod machine;
pub mod model;
mod order;
pub mod parser;
mod psl;
mod resolve;
mod steps;
mod symbols;
pub mod types;
pub mod vacuity;
mod words;

pub use encode::Fail;
pub use model::Model;
pub use types::Types;

use riata_source::{Diagnostic, Severity};

/// Reads a model. On failure everything that is wrong with it is told, in the order of the text.
pub fn parse(text: &str) -> Result<(Model, Types), Vec<Diagnostic>> {
    parse_with(text, &[])
}

/// Reads a model with further formulas of LTL, named `ltl_0`, `ltl_1` …, and of CTL, named `ctl_0` …, which replace its own
/// specifications. Their places are as if each stood on a line of its own behind the text.
pub fn parse_with(text: &str, formulas: &[(ast::Logic, String)]) -> Result<(Model, Types), Vec<Diagnostic>> {
    let (mut syntax, mut wrong) = parser::parse(text);
    if !formulas.is_empty() {
        for module in &mut syntax.modules {
            module.items.retain(|i| !matches!(i, ast::Item::Spec(..)));
        }
        parser::add_formulas(text, formulas, &mut syntax, &mut wrong);
    }
    if failed(&wrong) {
        wrong.sort_by_key(|d| (d.span, d.severity));
        return Err(wrong);
    }
    let (model, more) = flatten::flatten(&syntax);
    wrong.extend(more);
    finish(model, wrong)
}

/// Reads a model without its specifications, which are looked at for mistakes only. So it has no variables that only
/// remember what a specification says of steps.
pub fn parse_bare(text: &str) -> Result<(Model, Types), Vec<Diagnostic>> {
    let (whole, _) = parse(text)?;
    let (mut syntax, mut wrong) = parser::parse(text);
    for module in &mut syntax.modules {
        module.items.retain(|i| !matches!(i, ast::Item::Spec(..)));
    }
    let (model, more) = flatten::flatten(&syntax);
    wrong.extend(more);
    let (mut model, types) = finish(model, wrong)?;
    model.warnings = whole.warnings;
    Ok((model, types))
}

/// Orders the definitions of a model and finds its types, unless something is wrong already. For front ends of other
/// languages that end at the same model.
pub fn finish(mut model: Model, mut wrong: Vec<Diagnostic>) -> Result<(Model, Types), Vec<Diagnostic>> {
    if !failed(&wrong) {
        depend::check(&mut model, &mut wrong);
    }
    let mut types = (!failed(&wrong)).then(|| types::check(&model, &mut wrong));
    if let Some(known) = &types
        && !failed(&wrong)
        && steps::lower(&mut model, known)
    {
        types = Some(types::check(&model, &mut wrong));
    }
    wrong.sort_by_key(|d| (d.span, d.severity));
    wrong.dedup();
    match types {
        Some(types) if !failed(&wrong) => {
            model.warnings = wrong;
            Ok((model, types))
        }
        _ => Err(wrong),
    }
}

fn failed(wrong: &[Diagnostic]) -> bool {
    wrong.iter().any(|d| d.severity == Severity::Error)
}
