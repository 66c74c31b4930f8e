//! SMV models and AIGER circuits.
//!
//! Sets of states are found by the symbolic engine, runs are walked by `riata_smv::evaluate`, which is the meaning.

mod check;
mod explore;
mod order;
mod reading;
mod replay;
mod tell;
mod view;
mod walk;
mod written;

use crate::error::{Error, Remarks};
use crate::how::How;
use crate::options::{Kind, Symbolic};
use crate::subject::{Out, Replayed, Stated, Subject, Walker};
use crate::written::{Wish, Written};
use order::Order;
use riata_aiger::Circuit;
use riata_aiger::witness::Property;
use riata_report::answer::{Answer, Location};
use riata_smv::ast::Logic;
use riata_smv::machine::Layout;
use riata_smv::model::Spec;
use riata_smv::{Fail, Model, Types};
use riata_source::{Diagnostic, Span};
use riata_symbolic::Bdd;

/// A model that was read.
pub struct Synchronous {
    /// As the user named it.
    given: String,
    /// For messages.
    file: String,
    /// The text as it was read.
    bytes: Vec<u8>,
    /// The model with its specifications, or with the formulas that were given instead.
    source: Source,
    remarks: Vec<Remarks>,
}

/// A model in one of its readings.
struct Source {
    /// As the user named it.
    given: String,
    /// For messages.
    file: String,
    /// The text; formulas that were given stand behind it.
    text: String,
    /// The model.
    model: Model,
    /// Its types.
    types: Types,
    /// The circuit, if it is one.
    circuit: Option<Circuit>,
}

/// Which specifications a reading has.
#[derive(Clone, Copy)]
enum Specs<'a> {
    /// Its own, or these if there are any.
    Given(&'a [(Logic, String)]),
    /// None.
    Without,
}

impl Synchronous {
    /// Reads a model of this kind.
    pub fn read(given: &str, name: &str, bytes: Vec<u8>, kind: Kind) -> Result<Synchronous, Error> {
        let circuit = kind == Kind::Aiger;
        let source = Source::read((given, name), &bytes, circuit, Specs::Given(&[]))?;
        let remarks = vec![Remarks::about(name, source.text.as_bytes(), source.model.warnings.clone())];
        Ok(Synchronous { given: given.into(), file: name.into(), bytes, source, remarks })
    }

    /// The model without its specifications: it has no variables that only remember what they say of steps.
    fn bare(&self) -> Result<Source, Error> {
        Source::read((&self.given, &self.file), &self.bytes, self.source.circuit.is_some(), Specs::Without)
    }
}

impl Source {
    fn read((given, name): (&str, &str), bytes: &[u8], circuit: bool, specs: Specs) -> Result<Source, Error> {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        let parsed = match specs {
            _ if circuit => riata_aiger::parse(bytes),
            Specs::Given(formulas) => riata_smv::parse_with(&text, formulas),
            Specs::Without => riata_smv::parse_bare(&text),
        };
        // Formulas stand behind the text, so that places in them can be shown.
        if let Specs::Given(formulas) = specs {
            for (_, formula) in formulas {
                text.push('\n');
                text += formula;
            }
        }
        let (model, types) = parsed.map_err(|wrong| Error::text(name, text.as_bytes(), wrong))?;
        let circuit = if circuit { riata_aiger::read(bytes).ok() } else { None };
        Ok(Source { given: given.into(), file: name.into(), text, model, types, circuit })
    }

    /// What is wrong with the model, which only its encoding showed.
    fn wrong(&self, wrong: Diagnostic) -> Error {
        Error::text(&self.file, self.text.as_bytes(), vec![wrong])
    }

    /// Why the engine failed.
    fn failed(&self, fail: Fail) -> Error {
        match fail {
            Fail::Wrong(d) => self.wrong(*d),
            Fail::Stop(stop) => Error::Stopped(stop),
        }
    }

    /// The order of the variables, from a file.
    fn order(&self, flags: &Symbolic) -> Result<Order, Error> {
        match &flags.order {
            Some(file) => Order::read(file, &self.model).map_err(Error::usage),
            None => Ok(Order::default()),
        }
    }

    /// Writes the order of the variables as it is now, if that was asked for.
    fn write_order(&self, how: &How, layout: &Layout, bdd: &impl Bdd) {
        let Some(file) = &how.options.symbolic.write_order else { return };
        if let Err(e) = std::fs::write(file, order::text(&self.model, layout, bdd)) {
            how.warn(format!("cannot write {}: {e}", file.display()));
        }
    }

    /// How many bits the variables have.
    fn bits(&self) -> u32 {
        self.model.vars.iter().map(|v| v.domain.bits()).sum()
    }

    /// The property of a circuit that a specification is.
    fn numbered(&self, spec: &Spec) -> Option<(&Circuit, Property)> {
        let circuit = self.circuit.as_ref()?;
        let number = self.model.specs.iter().position(|s| s.name == spec.name)?;
        Some((circuit, Property::of(circuit, number)))
    }

    fn location(&self, span: Span) -> Option<Location> {
        let (line, column) = riata_source::line_column(&self.text, span.start);
        let written = self.circuit.is_none() && span != Span::default();
        written.then(|| Location { file: self.given.clone(), line, column })
    }

    /// The formula of a specification as it is written. The brackets around the last part belong to no expression.
    fn whole(&self, spec: &Spec) -> String {
        let text = self.excerpt(spec.formula);
        let open = text.matches('(').count().saturating_sub(text.matches(')').count());
        text + &")".repeat(open)
    }

    fn stated(&self, spec: &Spec) -> Stated {
        let formula = Some(self.whole(spec)).filter(|f| !f.is_empty());
        let alias = self.numbered(spec).map(|(_, property)| match property {
            Property::Bad(i) => format!("b{i}"),
            Property::Justice(j) => format!("j{j}"),
        });
        Stated {
            formula,
            location: self.location(spec.span),
            aliases: alias.into_iter().collect(),
            ..Stated::named(spec.name.clone())
        }
    }
}

impl Subject for Synchronous {
    fn kind(&self) -> Kind {
        if self.source.circuit.is_some() { Kind::Aiger } else { Kind::Smv }
    }

    fn name(&self) -> &str {
        &self.given
    }

    fn remarks(&self) -> &[Remarks] {
        &self.remarks
    }

    fn sources(&self) -> Vec<(String, String)> {
        self.source.files()
    }

    fn take(&mut self, how: &How) -> Result<Vec<Stated>, Error> {
        let ltl = how.options.ltl.iter().map(|f| (Logic::Ltl, f.clone()));
        let ctl = how.options.ctl.iter().map(|f| (Logic::Ctl, f.clone()));
        let formulas: Vec<(Logic, String)> = ltl.chain(ctl).collect();
        let names = (&*self.given, &*self.file);
        self.source =
            Source::read(names, &self.bytes, self.source.circuit.is_some(), Specs::Given(&formulas))?;
        if formulas.is_empty() {
            return Ok(Vec::new());
        }
        let stated = |s: &Spec| Stated { location: None, ..self.source.stated(s) };
        Ok(self.source.model.specs.iter().map(stated).collect())
    }

    fn properties(&self) -> Vec<Stated> {
        self.source.model.specs.iter().map(|s| self.source.stated(s)).collect()
    }

    fn check(&mut self, names: &[String], out: &mut Out) -> Result<(), Error> {
        check::check(&self.source, names, out)
    }

    fn explore(&mut self, how: &How) -> Result<Answer, Error> {
        explore::explore(&self.bare()?, how)
    }

    fn walk(&mut self, how: &How, walker: &mut Walker) -> Result<(), Error> {
        walk::walk(&self.bare()?, how, walker)
    }

    fn replay(&self, trace: (&str, &[u8]), _: &How) -> Result<Replayed, Error> {
        replay::replay(&self.bare()?, trace)
    }

    fn write_down(&mut self, wish: &Wish, how: &How) -> Result<Written, Error> {
        match &wish.property {
            None => written::write_down(&self.bare()?, None, wish.most, how),
            Some(name) => written::write_down(&self.source, Some(name), wish.most, how),
        }
    }

    fn print(&self, _: &How) -> Result<String, Error> {
        Err(Error::usage("--print program is for Promela and DVE models"))
    }

    fn explain(&self, _: &How) -> Result<String, Error> {
        Err(Error::usage("--explain por is for Promela and DVE models"))
    }
}
