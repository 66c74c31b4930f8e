//! SMV models and AIGER circuits: every command that takes them.
//!
//! Sets of states are found by the symbolic engine, runs are walked by `riata_smv::evaluate`, which is the meaning.

mod check;
mod explore;
mod order;
mod reading;
mod replay;
mod simulate;
mod tell;
mod view;

pub use check::run as check;
pub use explore::run as explore;
pub use replay::run as replay;
pub use simulate::run as simulate;

use crate::args::{Common, EngineKind, ModelKind, Symbolic};
use crate::input::Input;
use crate::model::{Unreadable, problem};
use crate::output::{Exit, complain};
use order::Order;
use riata_aiger::Circuit;
use riata_smv::ast::Logic;
use riata_smv::machine::Layout;
use riata_smv::{Model, Types};
use riata_source::Diagnostic;
use riata_symbolic::Bdd;
use riata_symbolic::relation::Shape;
use std::path::Path;

/// A model that was read.
pub struct Source {
    /// As the user named it.
    pub given: String,
    /// For messages.
    pub name: String,
    /// The text; formulas of the command line stand behind it.
    pub text: String,
    /// The model.
    pub model: Model,
    /// Its types.
    pub types: Types,
    /// The circuit, if it is one.
    pub circuit: Option<Circuit>,
}

impl Source {
    /// Reads a model; what is wrong with it is told on standard error. Formulas replace its own specifications; without
    /// `formulas` it has none.
    pub fn read(
        path: &Path,
        kind: ModelKind,
        formulas: Option<&[(Logic, String)]>,
        common: &Common,
    ) -> Result<Source, Unreadable> {
        let input = Input::read(path).map_err(|exit| Unreadable { exit, problems: Vec::new() })?;
        let mut text = String::from_utf8_lossy(&input.bytes).into_owned();
        let parsed = match kind {
            ModelKind::Aiger => riata_aiger::parse(&input.bytes),
            _ => match formulas {
                Some(formulas) => riata_smv::parse_with(&text, formulas),
                None => riata_smv::parse_bare(&text),
            },
        };
        // Formulas stand behind the text, so that places in them can be shown.
        for (_, formula) in formulas.unwrap_or_default() {
            text.push('\n');
            text += formula;
        }
        match parsed {
            Ok((model, types)) => {
                common.diagnose(&input.name, text.as_bytes(), &model.warnings);
                let circuit =
                    if kind == ModelKind::Aiger { riata_aiger::read(&input.bytes).ok() } else { None };
                Ok(Source { given: input.given, name: input.name, text, model, types, circuit })
            }
            Err(wrong) => {
                common.diagnose(&input.name, text.as_bytes(), &wrong);
                let problems = wrong.iter().map(|d| problem(&text, d)).collect();
                Err(Unreadable { exit: Exit::Bad, problems })
            }
        }
    }

    /// Tells what is wrong with the model, which only its encoding showed.
    pub fn refuse(&self, wrong: &Diagnostic, common: &Common) -> Unreadable {
        common.diagnose(&self.name, self.text.as_bytes(), std::slice::from_ref(wrong));
        Unreadable { exit: Exit::Bad, problems: vec![problem(&self.text, wrong)] }
    }

    /// The order of the variables, from a file.
    fn order(&self, flags: &Symbolic) -> Result<Order, Exit> {
        match &flags.order {
            Some(file) => Order::read(file, &self.model).map_err(|wrong| complain(&wrong)),
            None => Ok(Order::default()),
        }
    }

    /// Writes the order of the variables as it is now, if that was asked for.
    fn write_order(&self, flags: &Symbolic, layout: &Layout, bdd: &impl Bdd) {
        let Some(file) = &flags.write_order else { return };
        if let Err(e) = std::fs::write(file, order::text(&self.model, layout, bdd)) {
            complain(&format!("cannot write {}: {e}", file.display()));
        }
    }

    /// How many bits the variables have.
    fn bits(&self) -> u32 {
        self.model.vars.iter().map(|v| v.domain.bits()).sum()
    }
}

fn shape(flags: &Symbolic) -> Shape {
    if flags.monolithic { Shape::Monolithic } else { Shape::default() }
}

/// Is another engine asked for than the only one there is?
fn refused(flags: &Symbolic) -> Option<Exit> {
    (flags.engine == Some(EngineKind::Explicit))
        .then(|| complain("SMV and AIGER models are for the symbolic engine; leave out --engine explicit"))
}
