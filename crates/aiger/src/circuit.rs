//! A circuit as a model.

use crate::reader::Circuit;
use riata_smv::ast::{Binary, Kind, Logic, Modal, Sort, Unary, When};
use riata_smv::model::{Assign, Define, Domain, E, Model, Op, Spec, Value, Variable};
use riata_smv::{Types, finish};
use riata_source::{Diagnostic, Span};
use std::collections::HashSet;

/// There are no places in a circuit that people would look at.
const NOWHERE: Span = Span { start: 0, end: 0 };

struct Builder<'c> {
    circuit: &'c Circuit,
    model: Model,
    /// What each variable of the circuit is.
    known: Vec<Option<E>>,
    names: HashSet<String>,
}

/// The model of a circuit.
pub fn model(circuit: &Circuit) -> Result<(Model, Types), Vec<Diagnostic>> {
    let mut b = Builder {
        circuit,
        model: Model::default(),
        known: vec![None; circuit.max as usize + 1],
        names: HashSet::new(),
    };
    b.build().map_err(|d| vec![d])?;
    finish(b.model, Vec::new())
}

impl Builder<'_> {
    fn node(&mut self, op: Op, kids: Vec<E>) -> E {
        self.model.make(op, kids, NOWHERE)
    }

    /// The name of the symbol table, or one from its place; made unique.
    fn name(&mut self, kind: u8, place: usize, otherwise: &str) -> String {
        let given = self.circuit.symbols.iter().find(|s| s.0 == kind && s.1 == place && !s.2.is_empty());
        let mut name = given.map_or_else(|| format!("{otherwise}_{place}"), |s| s.2.clone());
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    fn define(&mut self, lit: u32, e: E) -> Result<(), Diagnostic> {
        let place = &mut self.known[lit as usize / 2];
        if lit < 2 || lit % 2 == 1 || place.is_some() {
            return Err(Diagnostic::error(
                NOWHERE,
                format!("the literal {lit} is defined twice, or cannot be"),
            ));
        }
        *place = Some(e);
        Ok(())
    }

    fn literal(&mut self, lit: u32) -> Result<E, Diagnostic> {
        if lit < 2 {
            return Ok(self.node(Op::Const(Value::Bool(lit == 1)), vec![]));
        }
        let Some(e) = self.known[lit as usize / 2] else {
            return Err(Diagnostic::error(NOWHERE, format!("the literal {lit} is used and not defined")));
        };
        Ok(if lit % 2 == 1 { self.node(Op::Apply(Kind::Unary(Unary::Not)), vec![e]) } else { e })
    }

    fn variable(&mut self, name: String) -> (u32, E) {
        let v = self.model.vars.len() as u32;
        self.model.vars.push(Variable {
            name,
            domain: Domain::Bool,
            sort: Sort::State,
            span: NOWHERE,
            hidden: false,
        });
        (v, self.node(Op::Var(v), vec![]))
    }

    fn build(&mut self) -> Result<(), Diagnostic> {
        let c = self.circuit;
        for (i, &lit) in c.inputs.iter().enumerate() {
            let name = self.name(b'i', i, "input");
            let (_, e) = self.variable(name);
            self.define(lit, e)?;
        }
        let mut latches = Vec::new();
        for (i, latch) in c.latches.iter().enumerate() {
            let name = self.name(b'l', i, "latch");
            let (v, e) = self.variable(name);
            self.define(latch.state, e)?;
            latches.push(v);
        }
        // Gates are definitions, so they may come in any order.
        for gate in &c.gates {
            let d = self.model.defines.len() as u32;
            let name = format!("gate {}", gate.output);
            self.model.defines.push(Define { name, body: E(0), span: NOWHERE });
            let e = self.node(Op::Define(d), vec![]);
            self.define(gate.output, e)?;
        }
        for (d, gate) in c.gates.iter().enumerate() {
            let kids = vec![self.literal(gate.inputs[0])?, self.literal(gate.inputs[1])?];
            self.model.defines[d].body = self.node(Op::Apply(Kind::Binary(Binary::And)), kids);
        }
        for (&var, latch) in latches.iter().zip(&c.latches) {
            let value = self.literal(latch.next)?;
            self.model.assigns.push(Assign {
                var,
                when: When::Next,
                value,
                running: None,
                process: 0,
                span: NOWHERE,
            });
            if let Some(first) = latch.init {
                let value = self.node(Op::Const(Value::Bool(first)), vec![]);
                self.model.assigns.push(Assign {
                    var,
                    when: When::Init,
                    value,
                    running: None,
                    process: 0,
                    span: NOWHERE,
                });
            }
        }
        for &lit in &c.constraints {
            let e = self.literal(lit)?;
            self.model.invar.push(e);
        }
        for &lit in &c.fairness {
            let e = self.literal(lit)?;
            self.model.justice.push(e);
        }
        self.properties()
    }

    fn properties(&mut self) -> Result<(), Diagnostic> {
        let c = self.circuit;
        self.names.clear();
        let old = c.bad.is_empty() && c.justice.is_empty();
        let (bad, kind) = if old { (&c.outputs, b'o') } else { (&c.bad, b'b') };
        for (i, &lit) in bad.iter().enumerate() {
            let name = self.name(kind, i, if old { "output" } else { "bad" });
            let e = self.literal(lit)?;
            let formula = self.node(Op::Apply(Kind::Unary(Unary::Not)), vec![e]);
            self.model.specs.push(Spec { name, logic: Logic::Invariant, formula, span: NOWHERE });
        }
        for (i, lits) in c.justice.iter().enumerate() {
            let name = self.name(b'j', i, "justice");
            let mut all = self.node(Op::Const(Value::Bool(true)), vec![]);
            // TRUE is temporal here, too: an empty justice property is violated by every run.
            for op in [Modal::Finally, Modal::Globally] {
                all = self.node(Op::Apply(Kind::Modal(op)), vec![all]);
            }
            for &lit in lits {
                let mut e = self.literal(lit)?;
                for op in [Modal::Finally, Modal::Globally] {
                    e = self.node(Op::Apply(Kind::Modal(op)), vec![e]);
                }
                all = self.node(Op::Apply(Kind::Binary(Binary::And)), vec![all, e]);
            }
            let formula = self.node(Op::Apply(Kind::Unary(Unary::Not)), vec![all]);
            self.model.specs.push(Spec { name, logic: Logic::Ltl, formula, span: NOWHERE });
        }
        Ok(())
    }
}
