//! Checks specifications of a model.

mod compute;

pub use compute::Length;

use crate::ast::{Logic, Sort};
use crate::encode::{Encoder, Fail};
use crate::evaluate::{self, Concrete, State, Step};
use crate::formula::{Linear, branching, linear};
use crate::machine::{Layout, system};
use crate::model::{Domain, Model, Spec, Value};
use crate::types::Types;
use riata_automata::translate::Budget;
use riata_automata::{Tgba, strength, translate};
use riata_ltl::Ltl;
use riata_source::Diagnostic;
use riata_symbolic::ctl::{Arena, Checker};
use riata_symbolic::fsm::{Fairness, Fsm};
use riata_symbolic::ltl::{Found, Search};
use riata_symbolic::product::bits_of;
use riata_symbolic::relation::Shape;
use riata_symbolic::witness::{Lasso, path};
use riata_symbolic::{Algorithm, Bdd, Counters, Space, Strength, Symbolic, tableau};
use riata_system::Stop;
use std::cell::RefCell;
use std::time::{Duration, Instant};

mod explore;
mod listed;
mod walk;

pub use explore::Explored;
pub use listed::Listed;
pub use walk::{Coin, Walk, Walker, Way};

/// How runs of an LTL formula are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By an automaton if it is small, and by the tableau otherwise.
    Chosen,
    /// By an automaton, whatever it costs.
    Automaton,
    /// By the tableau.
    Tableau,
}

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

/// What an automaton may cost that is tried before the tableau. With more states than this it is no shortcut: in the
/// product they are bits, too.
const SMALL: Budget = Budget { states: 200, nodes: 20_000, deadline: None };
/// How long the translation is tried before the tableau takes its place: the budget above ends it much earlier, unless the
/// machine is very busy.
const PATIENCE: Duration = Duration::from_secs(2);

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
        let budget = match method {
            Method::Chosen => Some(Budget { deadline: Instant::now().checked_add(PATIENCE), ..SMALL }),
            Method::Automaton => Some(Budget::default()),
            Method::Tableau => None,
        };
        let translated = budget.map(|budget| {
            translate(&wanted, &riata_automata::Options { budget, ..riata_automata::Options::default() })
        });
        let tgba = match translated {
            Some(Ok(tgba)) => Some(tgba),
            Some(Err(e)) if method == Method::Automaton => {
                return Err(Diagnostic::error(spec.span, e.to_string()));
            }
            _ => None,
        };
        Ok(Some(Automaton { linear, wanted, tgba, exists }))
    }

    /// Fresh bits that its product needs.
    pub fn bits(&self) -> u32 {
        self.tgba.as_ref().map_or_else(|| tableau::bits_of(&self.wanted), bits_of)
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
    fsm: Fsm<'a, B>,
    /// The reachable states and the steps between them.
    pub graph: Symbolic<'a, B>,
    shape: Shape,
    /// Levels of the search for reachable states.
    pub levels: usize,
    /// Is there a reachable state without a successor?
    pub deadlock: bool,
    /// The states with a fair path, once a specification needed them.
    fair: RefCell<Option<B::F>>,
}

/// Encodes a model and forgets it: tells what is wrong with it, when nothing is to be checked.
pub fn encode<B: Bdd>(bdd: &B, model: &Model, layout: &Layout) -> Result<(), Fail> {
    system(&mut Encoder::new(model, bdd, &layout.bits), layout)?;
    Ok(())
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
        let mut session = Session::unexplored(bdd, model, types, layout, shape)?;
        session.levels = session.graph.restrict_to_reachable(&session.fsm.init)?;
        // Assignments alone always leave a next state: `case` covers everything, and values are in their ranges.
        let (graph, total) = (&session.graph, model.trans.is_empty() && model.invar.is_empty());
        session.deadlock = !total && graph.pre(&graph.universe)? != graph.universe;
        Ok(session)
    }

    /// Encodes a model, and searches nothing.
    fn unexplored(
        bdd: &'a B,
        model: &'a Model,
        types: &'a Types,
        layout: &'a Layout,
        shape: Shape,
    ) -> Result<Self, Fail> {
        let mut encoder = Encoder::new(model, bdd, &layout.bits);
        let fsm = system(&mut encoder, layout)?;
        encoder.forget();
        bdd.settle()?;
        let graph = fsm.graph(shape)?;
        let fair = RefCell::default();
        Ok(Session { model, types, layout, fsm, graph, shape, levels: 0, deadlock: false, fair })
    }

    /// Are there no initial states?
    pub fn is_empty(&self) -> bool {
        self.fsm.init == self.graph.none()
    }

    /// How many reachable states there are, without the bits that fairness adds.
    pub fn states(&self) -> Result<f64, Stop> {
        let shown = self.layout.bits.iter().zip(&self.model.vars).filter(|(_, v)| !v.hidden);
        let own: Vec<_> = shown.flat_map(|(b, _)| &b.current).copied().collect();
        let bits = self.graph.vars.current.iter().filter(|v| own.contains(v)).count();
        let extra: Vec<_> = self.graph.vars.current.iter().copied().filter(|v| !own.contains(v)).collect();
        let cube = self.graph.bdd.cube(&extra)?;
        Ok(self.graph.bdd.count(&self.graph.bdd.exists(&self.graph.universe, &cube)?, bits as u32))
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
        Encoder::new(self.model, self.graph.bdd, &self.layout.bits)
    }

    fn check_invariant(&self, spec: &Spec) -> Result<Answer, Fail> {
        let good = self.encoder().condition(spec.formula)?;
        let mut e = self.graph.engine();
        let bad = e.minus(&self.graph.universe, &good)?;
        let holds = e.is_empty(&bad);
        let mut trace = None;
        if !holds && let Some(run) = path(&mut e, &self.fsm.init, &bad, &self.graph.universe)? {
            // A run that ends in a violation; fairness plays no role.
            trace = Some(self.trace(&Lasso { stem: run, cycle: Vec::new() }, &self.fsm, &self.graph)?);
        }
        if let Some(t) = &trace {
            self.confirm(t, false);
            let last = &t.stem[t.stem.len() - 1];
            let violated = !evaluate::holds(self.model, Step { now: last, then: None }, spec.formula);
            assert!(violated, "internal error: the trace does not violate the invariant");
        }
        let (algorithm, why) = (Algorithm::El, Some("an invariant: reachability alone decides"));
        Ok(Answer {
            holds,
            value: None,
            unfair: false,
            trace,
            counters: e.counters,
            algorithm,
            why,
            strength: None,
        })
    }

    fn check_ctl(&self, spec: &Spec, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let (chosen, why) = Algorithm::choose(Strength::General, self.fsm.justice.len());
        let (algorithm, why) = algorithm.map_or((chosen, Some(why)), |a| (a, None));
        let mut arena = Arena(Vec::new());
        let mut encoder = self.encoder();
        let root = branching(&mut encoder, self.types, &mut arena, spec.formula)?;
        drop(encoder);
        let mut e = self.graph.engine();
        let mut checker = self.checker(algorithm)?;
        checker.evaluate(&mut e, &arena)?;
        let mut bad = e.minus(&self.fsm.init, checker.of(root))?;
        let mut unfair = false;
        if !e.is_empty(&bad) && !arena.fails_only_fairly(root) {
            // As NuSMV has it, initial states without a fair path do not count, unless there are no others.
            let fair = checker.fair(&mut e)?;
            let fair_bad = e.and(&bad, &fair)?;
            if e.is_empty(&fair_bad) && !e.is_empty(&e.and(&self.fsm.init, &fair)?) {
                (bad, unfair) = (fair_bad, true);
            }
        }
        let holds = e.is_empty(&bad);
        let counters = e.counters.clone();
        let mut trace = None;
        if !holds && let Some(lasso) = checker.explain(&mut e, &arena, &self.fsm.init, root)? {
            let t = self.trace(&lasso, &self.fsm, &self.graph)?;
            self.confirm(&t, true);
            trace = Some(t);
        }
        if let Some(fair) = checker.known_fair() {
            *self.fair.borrow_mut() = Some(fair.clone());
        }
        Ok(Answer { holds, value: None, unfair, trace, counters, algorithm, why, strength: None })
    }

    /// A checker of CTL.
    fn checker(&self, algorithm: Algorithm) -> Result<Checker<'_, B>, Fail> {
        let fairness = Fairness::new(&self.fsm, &self.graph, algorithm)?;
        // Without fairness every path is fair, and where there is no deadlock every state has one.
        let trivial = self.fsm.justice.is_empty() && self.fsm.compassion.is_empty() && !self.deadlock;
        let known = if trivial { Some(self.graph.universe.clone()) } else { self.fair.borrow().clone() };
        Ok(match known {
            Some(fair) => Checker::with(fairness, fair),
            None => Checker::new(fairness),
        })
    }

    fn check_ltl(&self, automaton: &Automaton, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let found = match &automaton.tgba {
            Some(tgba) => self.search_automaton(automaton, tgba, algorithm)?,
            None => self.search_tableau(automaton, algorithm)?,
        };
        let mut trace = None;
        if let Some(lasso) = &found.lasso {
            let t = self.trace(lasso, &found.fsm, &found.graph)?;
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

    fn search_automaton(
        &self,
        automaton: &Automaton,
        tgba: &Tgba,
        algorithm: Option<Algorithm>,
    ) -> Result<Found<'a, B>, Fail> {
        let mut encoder = self.encoder();
        let mut atoms = Vec::new();
        for name in &tgba.aps {
            let number: usize = name.trim_start_matches('p').parse().unwrap_or(0);
            atoms.push(encoder.condition(automaton.linear.atoms[number])?);
        }
        drop(encoder);
        let search = Search {
            fsm: &self.fsm,
            reached: &self.graph.universe,
            endless: !self.deadlock,
            automaton: (tgba, strength::of_property(tgba)),
            atoms: &atoms,
            fresh: &self.layout.fresh,
            algorithm,
            shape: self.shape,
        };
        Ok(search.run()?)
    }

    fn search_tableau(
        &self,
        automaton: &Automaton,
        algorithm: Option<Algorithm>,
    ) -> Result<Found<'a, B>, Fail> {
        let mut encoder = self.encoder();
        let atoms: Result<Vec<B::F>, Fail> =
            automaton.linear.atoms.iter().map(|&e| encoder.condition(e)).collect();
        drop(encoder);
        let search = tableau::Search {
            fsm: &self.fsm,
            reached: &self.graph.universe,
            formula: &automaton.wanted,
            atoms: &atoms?,
            fresh: &self.layout.fresh,
            algorithm,
            shape: self.shape,
        };
        Ok(search.run()?)
    }

    /// A lasso of the graph as states of the model.
    fn trace(&self, lasso: &Lasso<B::F>, fsm: &Fsm<'a, B>, graph: &Symbolic<B>) -> Result<Trace, Fail> {
        let states: Vec<&B::F> = lasso.stem.iter().chain(&lasso.cycle).collect();
        let mut found: Vec<State> = Vec::new();
        let mut encoder = self.encoder();
        for (i, set) in states.iter().enumerate() {
            let back = (!lasso.cycle.is_empty()).then(|| states[lasso.stem.len()]);
            let then = states.get(i + 1).copied().or(back);
            let state = graph.bits(set).unwrap_or_default();
            let inputs = match then {
                Some(then) => self.inputs(fsm, graph, set, then)?,
                None => vec![false; graph.vars.inputs.len()],
            };
            let value = |x| {
                let now = graph.vars.current.iter().position(|v| *v == x).map(|p| state[p]);
                now.or_else(|| graph.vars.inputs.iter().position(|v| *v == x).map(|p| inputs[p]))
                    .unwrap_or(false)
            };
            let state: Result<State, Fail> =
                (0..self.model.vars.len()).map(|v| concrete(&mut encoder, self.layout, v, &value)).collect();
            found.push(state?);
        }
        let cycle = found.split_off(lasso.stem.len());
        // States that differ in the automaton alone may be the same here.
        let Lasso { stem, cycle } = Lasso { stem: found, cycle }.reduced();
        Ok(Trace { stem, cycle })
    }

    /// Inputs with which `now` becomes `then`.
    fn inputs(
        &self,
        fsm: &Fsm<'a, B>,
        graph: &Symbolic<B>,
        now: &B::F,
        then: &B::F,
    ) -> Result<Vec<bool>, Fail> {
        let bdd = graph.bdd;
        if graph.vars.inputs.is_empty() {
            return Ok(Vec::new());
        }
        let pairs = graph.vars.current.iter().copied().zip(graph.vars.next.iter().copied()).collect();
        let then = bdd.rename(then, &bdd.renaming(pairs))?;
        let both = bdd.and(now, &then)?;
        for step in &fsm.steps {
            let mut f = both.clone();
            let mut written = vec![false; graph.vars.current.len()];
            step.written.iter().for_each(|&i| written[i] = true);
            for (i, (&now, &then)) in graph.vars.current.iter().zip(&graph.vars.next).enumerate() {
                if !written[i] {
                    f = bdd.and(&f, &bdd.iff(&bdd.var(now)?, &bdd.var(then)?)?)?;
                }
            }
            for c in &step.conjuncts {
                f = bdd.and(&f, c)?;
            }
            if let Some(bits) = bdd.pick(&f, &graph.vars.inputs) {
                return Ok(bits);
            }
        }
        panic!("internal error: a step of a lasso is none of the model");
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
