//! Specifications of a model as questions to the symbolic engine ([`riata_symbolic::prepared`]), and its answers as runs of
//! the model, each confirmed by [`evaluate`].

use crate::ast::{Kind, Logic, Modal2, Sort};
use crate::encode::{Encoder, Fail};
use crate::evaluate::{self, Concrete, State, Step};
use crate::formula::{Linear, branching, linear};
use crate::machine::{Layout, system};
use crate::model::{Domain, Model, Op, Spec, Value};
use crate::types::Types;
use riata_automata::Tgba;
use riata_ltl::Ltl;
use riata_source::Diagnostic;
use riata_symbolic::ctl::Arena;
use riata_symbolic::fsm::Fsm;
pub use riata_symbolic::lengths::Length;
use riata_symbolic::ltl::Outcome;
pub use riata_symbolic::method::Method;
use riata_symbolic::method::bits_of;
use riata_symbolic::prepared::{Decided, Prepared, Wanted};
use riata_symbolic::relation::Shape;
use riata_symbolic::witness::Lasso;
use riata_symbolic::{Algorithm, Bdd, Counters, Strength, Symbolic};
use riata_system::Stop;

mod listed;
mod walk;

pub use listed::Listed;
pub use riata_symbolic::walk::Coin;
pub use walk::{Walk, Walker, Way};

/// What exploring a model tells.
pub type Explored = riata_symbolic::explore::Explored<Trace>;

/// An LTL specification made ready: with the automaton of its negation, if it has a small one.
pub struct Automaton {
    /// The formula.
    pub linear: Linear,
    /// The negation, or the formula itself.
    pub wanted: Ltl,
    /// The automaton of `wanted`; none if the tableau takes its place.
    pub tgba: Option<Tgba>,
    /// Is a run wanted that satisfies the formula, instead of one that violates it?
    pub exists: bool,
}

impl Automaton {
    /// Makes a specification ready; `None` if it is not of LTL. With `exists` a run is wanted that satisfies it.
    pub fn new(
        model: &Model,
        types: &Types,
        spec: &Spec,
        exists: bool,
        method: Method,
    ) -> Result<Option<Automaton>, Diagnostic> {
        if !spec.logic.is_linear() {
            return Ok(None);
        }
        let linear = linear(model, types, spec.formula)?;
        let wanted = if exists { linear.ltl.clone() } else { linear.ltl.negated() };
        let tgba = method.automaton(&wanted).map_err(|e| Diagnostic::error(spec.span, e.to_string()))?;
        Ok(Some(Automaton { linear, wanted, tgba, exists }))
    }

    /// Fresh bits that its product needs.
    pub fn bits(&self) -> u32 {
        bits_of(&self.wanted, self.tgba.as_ref())
    }
}

/// A run of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The states before the cycle.
    pub stem: Vec<State>,
    /// The cycle; empty if the run was cut off after a violation that no infinite run is needed to show.
    pub cycle: Vec<State>,
}

/// What was found out about a specification.
pub struct Answer {
    /// Does it hold?
    pub holds: bool,
    /// The length that was asked for, for COMPUTE.
    pub value: Option<Length>,
    /// Are there initial states in which a CTL formula does not hold, and does it hold only because they have no fair
    /// path?
    pub unfair: bool,
    /// A run that shows that it does not.
    pub trace: Option<Trace>,
    /// What was counted.
    pub counters: Counters,
    /// The algorithm for fair cycles.
    pub algorithm: Algorithm,
    /// Why it was chosen, if it was not asked for.
    pub why: Option<&'static str>,
    /// The strength of the automaton in its product, for LTL.
    pub strength: Option<Strength>,
}

/// A model made ready.
pub struct Session<'a, B: Bdd> {
    model: &'a Model,
    types: &'a Types,
    layout: &'a Layout,
    prepared: Prepared<'a, B>,
}

/// Encodes a model and forgets it: tells what is wrong with it, when nothing is to be checked.
pub fn encode<B: Bdd>(bdd: &B, model: &Model, layout: &Layout) -> Result<(), Fail> {
    system(&mut Encoder::new(model, bdd, &layout.bits), layout)?;
    Ok(())
}

/// A model as a system of bits.
fn encoded<'a, B: Bdd>(bdd: &'a B, model: &Model, layout: &Layout) -> Result<Fsm<'a, B>, Fail> {
    let mut encoder = Encoder::new(model, bdd, &layout.bits);
    let fsm = system(&mut encoder, layout)?;
    encoder.forget();
    bdd.settle()?;
    Ok(fsm)
}

/// Assignments alone always leave a next state: `case` covers everything, and values are in their ranges.
fn is_total(model: &Model) -> bool {
    model.trans.is_empty() && model.invar.is_empty()
}

impl<'a, B: Bdd> Session<'a, B> {
    /// Encodes a model and finds its reachable states.
    pub fn new(
        bdd: &'a B,
        model: &'a Model,
        types: &'a Types,
        layout: &'a Layout,
        shape: Shape,
    ) -> Result<Self, Fail> {
        let prepared = Prepared::new(encoded(bdd, model, layout)?, shape, is_total(model))?;
        Ok(Session { model, types, layout, prepared })
    }

    /// Explores a model level by level.
    pub fn explore(
        bdd: &'a B,
        model: &'a Model,
        types: &'a Types,
        layout: &'a Layout,
        shape: Shape,
    ) -> Result<Explored, Fail> {
        let prepared = Prepared::unexplored(encoded(bdd, model, layout)?, shape)?;
        let mut session = Session { model, types, layout, prepared };
        let found = session.prepared.explore(&layout.memory(model), is_total(model));
        found.map(|stem| {
            let trace = session.trace(&Lasso { stem, cycle: Vec::new() })?;
            session.confirm(&trace, false);
            Ok(trace)
        })
    }

    /// Are there no initial states?
    pub fn is_empty(&self) -> bool {
        self.prepared.is_empty()
    }

    /// Is there a reachable state without a successor?
    pub fn has_deadlock(&self) -> bool {
        self.prepared.deadlock
    }

    /// How many reachable states there are, without the bits that fairness adds.
    pub fn states(&self) -> Result<f64, Stop> {
        let graph = &self.prepared.graph;
        let shown = self.layout.bits.iter().zip(&self.model.vars).filter(|(_, v)| !v.hidden);
        let own: Vec<_> = shown.flat_map(|(b, _)| &b.current).copied().collect();
        let bits = graph.vars.current.iter().filter(|v| own.contains(v)).count();
        let extra: Vec<_> = graph.vars.current.iter().copied().filter(|v| !own.contains(v)).collect();
        let cube = graph.bdd.cube(&extra)?;
        Ok(graph.bdd.count(&graph.bdd.exists(&graph.universe, &cube)?, bits as u32))
    }

    /// Checks a specification; `automaton` is there if it is of LTL.
    pub fn check(
        &self,
        spec: &Spec,
        automaton: Option<&Automaton>,
        algorithm: Option<Algorithm>,
    ) -> Result<Answer, Fail> {
        match (spec.logic, automaton) {
            (Logic::Compute, _) => self.check_compute(spec, algorithm),
            (Logic::Ltl | Logic::Psl, Some(a)) => self.check_ltl(a, algorithm),
            (Logic::Invariant, _) => self.check_invariant(spec),
            _ => self.check_ctl(spec, algorithm),
        }
    }

    fn encoder(&self) -> Encoder<'a, 'a, B> {
        Encoder::new(self.model, self.prepared.graph.bdd, &self.layout.bits)
    }

    fn check_invariant(&self, spec: &Spec) -> Result<Answer, Fail> {
        let good = self.encoder().condition(spec.formula)?;
        let answer = self.answer(self.prepared.invariant(&good)?, false)?;
        if let Some(t) = &answer.trace {
            let last = &t.stem[t.stem.len() - 1];
            let violated = !evaluate::holds(self.model, Step { now: last, then: None }, spec.formula);
            assert!(violated, "internal error: the trace does not violate the invariant");
        }
        Ok(answer)
    }

    fn check_ctl(&self, spec: &Spec, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let mut arena = Arena(Vec::new());
        let root = branching(&mut self.encoder(), self.types, &mut arena, spec.formula)?;
        self.answer(self.prepared.ctl(&arena, root, algorithm)?, true)
    }

    /// The length that a COMPUTE specification asks for.
    fn check_compute(&self, spec: &Spec, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let node = self.model.node(spec.formula);
        let (shortest, kids) = match (&node.op, node.kids.as_slice()) {
            (Op::Apply(Kind::Modal2(op @ (Modal2::Shortest | Modal2::Longest))), [p, q]) => {
                (*op == Modal2::Shortest, [*p, *q])
            }
            _ => {
                let d = Diagnostic::error(spec.span, "COMPUTE takes `MIN [p, q]` or `MAX [p, q]`");
                return Err(Fail::Wrong(Box::new(d)));
            }
        };
        let mut arena = Arena(Vec::new());
        let mut encoder = self.encoder();
        let p = branching(&mut encoder, self.types, &mut arena, kids[0])?;
        let q = branching(&mut encoder, self.types, &mut arena, kids[1])?;
        drop(encoder);
        let found = self.prepared.length(arena, (p, q), shortest, algorithm)?;
        Ok(Answer {
            holds: true,
            value: Some(found.length),
            unfair: false,
            trace: None,
            counters: found.counters,
            algorithm: found.algorithm,
            why: found.why,
            strength: None,
        })
    }

    /// An answer of the engine, with a run of the model.
    fn answer(&self, found: Decided<B::F>, fair: bool) -> Result<Answer, Fail> {
        let trace = found.lasso.map(|lasso| self.trace(&lasso)).transpose()?;
        if let Some(t) = &trace {
            self.confirm(t, fair);
        }
        let Decided { holds, unfair, counters, algorithm, why, .. } = found;
        Ok(Answer { holds, value: None, unfair, trace, counters, algorithm, why, strength: None })
    }

    /// Looks for a run that an LTL specification wants.
    fn runs(&self, automaton: &Automaton, algorithm: Option<Algorithm>) -> Result<Outcome<'a, B>, Fail> {
        let mut encoder = self.encoder();
        // By their places in the automaton, or by their numbers in the formula.
        let numbers: Vec<usize> = match &automaton.tgba {
            Some(tgba) => {
                tgba.aps.iter().map(|name| name.trim_start_matches('p').parse().unwrap_or(0)).collect()
            }
            None => (0..automaton.linear.atoms.len()).collect(),
        };
        let atoms: Result<Vec<B::F>, Fail> =
            numbers.iter().map(|&i| encoder.condition(automaton.linear.atoms[i])).collect();
        drop(encoder);
        let wanted = Wanted {
            formula: &automaton.wanted,
            automaton: automaton.tgba.as_ref(),
            atoms: &atoms?,
            fresh: &self.layout.fresh,
        };
        Ok(self.prepared.ltl(&wanted, algorithm)?)
    }

    fn check_ltl(&self, automaton: &Automaton, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let found = self.runs(automaton, algorithm)?;
        let mut trace = None;
        if let Some(lasso) = &found.lasso {
            let t = self.decoded(lasso, &found.fsm, &found.graph)?;
            self.confirm(&t, true);
            self.confirm_ltl(&t, automaton);
            trace = Some(t);
        }
        Ok(Answer {
            holds: trace.is_some() == automaton.exists,
            value: None,
            unfair: false,
            trace,
            counters: found.counters,
            algorithm: found.algorithm,
            why: found.why,
            strength: Some(found.strength),
        })
    }

    /// A lasso of the system as states of the model.
    fn trace(&self, lasso: &Lasso<B::F>) -> Result<Trace, Fail> {
        self.decoded(lasso, &self.prepared.fsm, &self.prepared.graph)
    }

    /// A lasso of the system, or of its product with a formula, as states of the model.
    fn decoded(&self, lasso: &Lasso<B::F>, fsm: &Fsm<'a, B>, graph: &Symbolic<B>) -> Result<Trace, Fail> {
        let states: Vec<&B::F> = lasso.stem.iter().chain(&lasso.cycle).collect();
        let mut decoded: Vec<State> = Vec::new();
        let mut encoder = self.encoder();
        for (i, set) in states.iter().enumerate() {
            let back = (!lasso.cycle.is_empty()).then(|| states[lasso.stem.len()]);
            let then = states.get(i + 1).copied().or(back);
            let state = graph.bits(set).unwrap_or_default();
            let inputs = match then {
                Some(then) => {
                    let inputs = fsm.inputs(set, then)?;
                    inputs.unwrap_or_else(|| panic!("internal error: a step of a lasso is none of the model"))
                }
                None => vec![false; graph.vars.inputs.len()],
            };
            let value = |x| {
                let now = graph.vars.current.iter().position(|v| *v == x).map(|p| state[p]);
                now.or_else(|| graph.vars.inputs.iter().position(|v| *v == x).map(|p| inputs[p]))
                    .unwrap_or(false)
            };
            let state: Result<State, Fail> =
                (0..self.model.vars.len()).map(|v| concrete(&mut encoder, self.layout, v, &value)).collect();
            decoded.push(state?);
        }
        let cycle = decoded.split_off(lasso.stem.len());
        // States that differ in the automaton alone may be the same here.
        let Lasso { stem, cycle } = Lasso { stem: decoded, cycle }.reduced();
        Ok(Trace { stem, cycle })
    }

    /// A trace is shown only if the model's own meaning allows it.
    fn confirm(&self, t: &Trace, fair: bool) {
        if let Err(e) = evaluate::replay(self.model, &t.stem, &t.cycle, fair) {
            panic!("internal error: the trace is no run of the model: {e}");
        }
    }

    fn confirm_ltl(&self, t: &Trace, automaton: &Automaton) {
        let linear = &automaton.linear;
        let letter = |s: &State| {
            let step = Step { now: s, then: None };
            linear.atoms.iter().map(|&a| evaluate::holds(self.model, step, a)).collect()
        };
        let word = riata_ltl::Word {
            stem: t.stem.iter().map(letter).collect(),
            cycle: t.cycle.iter().map(letter).collect(),
        };
        let satisfied = riata_ltl::evaluate(&linear.ltl.arena, linear.ltl.root, &word);
        assert!(satisfied == automaton.exists, "internal error: the run does not show what it is to show");
    }

    /// The values of a state by name; inputs are left out.
    pub fn show(&self, s: &State) -> Vec<(String, String)> {
        let vars = self.model.vars.iter().zip(s).filter(|(v, _)| v.sort != Sort::Input && !v.hidden);
        vars.map(|(v, x)| (v.name.clone(), show(self.model, *x))).collect()
    }
}

/// The value of variable `v` where `value` tells the bits.
fn concrete<B: Bdd>(
    encoder: &mut Encoder<B>,
    layout: &Layout,
    v: usize,
    value: &dyn Fn(riata_symbolic::Var) -> bool,
) -> Result<Concrete, Fail> {
    let (bits, domain) = (&layout.bits[v], &encoder.model.vars[v].domain);
    if let Some(body) = bits.body {
        return Ok(encoder.at(body, value)?.unwrap_or(match domain {
            Domain::Bool => Concrete::Value(Value::Bool(false)),
            Domain::Values(values) => Concrete::Value(values[0]),
            Domain::Word { signed, width } => Concrete::Word(*width, *signed, 0),
        }));
    }
    let code = bits.current.iter().fold(0u64, |code, &x| code << 1 | u64::from(value(x)));
    Ok(match domain {
        Domain::Bool => Concrete::Value(Value::Bool(code == 1)),
        // An input after the last step has no value: any will do.
        Domain::Values(values) => Concrete::Value(values.get(code as usize).copied().unwrap_or(values[0])),
        Domain::Word { signed, width } => Concrete::Word(*width, *signed, code),
    })
}

/// A value as the language writes it.
pub fn show(model: &Model, value: Concrete) -> String {
    match value {
        Concrete::Value(v) => model.show(v),
        Concrete::Word(w, signed, x) => format!("0{}d{w}_{x}", if signed { 's' } else { 'u' }),
    }
}
