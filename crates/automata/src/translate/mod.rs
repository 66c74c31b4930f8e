//! From LTL to automata: one construction per file, named by citation key, and what is done before and after.

pub mod closure;
mod containment;
pub mod couvreur99;
pub mod go01;
pub mod gpvw96;
pub mod project;
mod recurring;
mod union;

use crate::product::disjoint;
use crate::reduce::{degeneralise, downward, simulation, trim, wdba};
use crate::{Edge, Label, Tgba};
use riata_ltl::past::remove_past;
use riata_ltl::simplify::{Rules, Simplifier};
use riata_ltl::{Arena, Id, Ltl, Op, Props};
use std::time::Instant;

/// Which construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Construction {
    /// [`couvreur99`].
    #[default]
    Couvreur99,
    /// [`closure`].
    Closure,
    /// [`gpvw96`].
    Gpvw96,
    /// [`go01`].
    Go01,
}

impl Construction {
    /// All constructions.
    pub const ALL: [Construction; 4] =
        [Construction::Couvreur99, Construction::Closure, Construction::Gpvw96, Construction::Go01];

    /// The name on the command line: the citation key.
    pub fn name(self) -> &'static str {
        match self {
            Construction::Couvreur99 => "couvreur99",
            Construction::Closure => "closure",
            Construction::Gpvw96 => "gpvw96",
            Construction::Go01 => "go01",
        }
    }

    /// Its text, from the documentation of its module; empty if there is none.
    pub fn text(self) -> Vec<String> {
        let source = match self {
            Construction::Couvreur99 => include_str!("couvreur99.rs"),
            Construction::Closure => include_str!("closure.rs"),
            Construction::Gpvw96 => include_str!("gpvw96.rs"),
            Construction::Go01 => include_str!("go01.rs"),
        };
        let doc =
            source.lines().map_while(|l| l.strip_prefix("//!")).map(|l| l.strip_prefix(' ').unwrap_or(l));
        doc.skip_while(|l| *l != "```text").skip(1).take_while(|l| *l != "```").map(str::to_string).collect()
    }

    /// The construction of that name.
    pub fn from_name(name: &str) -> Option<Construction> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }
}

/// What kind of automaton is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Output {
    /// Transition-based, generalised.
    #[default]
    Tgba,
    /// One acceptance set, on states.
    Ba,
}

/// How much a translation may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most states before reduction.
    pub states: usize,
    /// Most nodes of Boolean functions.
    pub nodes: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 100_000, nodes: 2_000_000, deadline: None }
    }
}

impl Budget {
    /// Is there time left? Reductions that run out of it leave the automaton as it is.
    pub(crate) fn in_time(&self) -> bool {
        self.deadline.is_none_or(|d| Instant::now() <= d)
    }

    pub(crate) fn too_many_nodes(&self) -> TranslateError {
        TranslateError::Budget(format!("more than {} nodes of Boolean functions", self.nodes))
    }

    pub(crate) fn check(&self, states: usize, nodes: usize) -> Result<(), TranslateError> {
        if states > self.states {
            return Err(TranslateError::Budget(format!("more than {} states", self.states)));
        }
        if nodes > self.nodes {
            return Err(TranslateError::Budget(format!(
                "more than {} nodes of Boolean functions",
                self.nodes
            )));
        }
        if !self.in_time() {
            return Err(TranslateError::Budget("out of time".into()));
        }
        Ok(())
    }
}

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranslateError {
    /// The budget is used up.
    Budget(String),
    /// More acceptance sets than [`crate::Marks`] can hold.
    TooManySets,
    /// An operator that the construction cannot take (a bug of the caller, who did not normalise).
    Unsupported(Op),
}

impl std::fmt::Display for TranslateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TranslateError::Budget(what) => write!(f, "the translation was stopped by its budget: {what}"),
            TranslateError::TooManySets => {
                write!(f, "the automaton needs more than {} acceptance sets", crate::Marks::MAX)
            }
            TranslateError::Unsupported(op) => write!(f, "the construction has no rule for {op:?}"),
        }
    }
}

impl std::error::Error for TranslateError {}

/// What to build, and which stages to use.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The construction.
    pub construction: Construction,
    /// The kind of automaton.
    pub output: Output,
    /// Rewriting rules.
    pub rules: Rules,
    /// Rewriting by containment of languages, after the rules: costs many small translations.
    pub containment: bool,
    /// Remove dead states and useless marks.
    pub trim: bool,
    /// Try branching postponement too, and keep the smaller automaton.
    pub postpone: bool,
    /// Direct and reverse simulation.
    pub simulation: bool,
    /// Replacement by later components.
    pub downward: bool,
    /// Minimal weak automata for obligations.
    pub wdba: bool,
    /// How to degeneralise.
    pub degeneralise: degeneralise::Options,
    /// Simulation on the Büchi automaton.
    pub ba_simulation: bool,
    /// The budget.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            construction: Construction::default(),
            output: Output::default(),
            rules: Rules::ALL,
            containment: false,
            trim: true,
            postpone: false,
            simulation: true,
            downward: true,
            wdba: true,
            degeneralise: degeneralise::Options::default(),
            ba_simulation: true,
            budget: Budget::default(),
        }
    }
}

/// The automaton of `f`.
pub fn translate(f: &Ltl, options: &Options) -> Result<Tgba, TranslateError> {
    let input = Input::new(f, options)?;
    let raw = match input.construct(options, false) {
        Err(e @ TranslateError::Budget(_)) => by_complement(f, options).ok_or(e)?,
        raw => raw?,
    };
    let a = tgba_stages(raw, options);
    let mut best = finish(a.clone(), options);
    let mut offer = |b: Tgba| {
        if (b.states(), b.edge_count()) < (best.states(), best.edge_count()) {
            best = b;
        }
    };
    if options.postpone {
        let budget = Budget { states: a.states() * 4 + 64, ..options.budget };
        if let Ok(raw) = input.construct(&Options { budget, ..*options }, true) {
            offer(finish(tgba_stages(raw, options), options));
        }
    }
    if options.wdba {
        if let Some(b) = recurring::recurring_guarantee(&input, options) {
            offer(finish(tgba_stages(b, options), options));
        }
        let mut a = a;
        let limit = (a.states() * 16 + 256).min(SUBSETS);
        if let Some(w) = wdba::candidate(&mut a, limit, &options.budget) {
            let smaller = (w.states(), w.edge_count()) <= (best.states(), best.edge_count());
            let obligation = f.arena.props(f.root).has(Props::OBLIGATION);
            if smaller && (obligation || is_language_of(&mut a, &w, f, options)) {
                best = w;
            }
        }
    }
    Ok(best)
}

/// The automaton of an obligation as the complement of the minimal weak deterministic one of its negation: a chain of
/// `R` has exponentially many letters to tell apart where the same chain of `U` has few.
fn by_complement(f: &Ltl, options: &Options) -> Option<Tgba> {
    if !f.arena.props(f.root).has(Props::OBLIGATION) || !options.wdba || !options.budget.in_time() {
        return None;
    }
    let budget = &options.budget;
    let few =
        Budget { states: budget.states.min(MODEST_STATES), nodes: budget.nodes.min(MODEST_NODES), ..*budget };
    let options = Options { budget: few, ..*options };
    let input = Input::new(&f.negated(), &options).ok()?;
    let mut a = tgba_stages(input.construct(&options, false).ok()?, &options);
    let w = wdba::candidate(&mut a, SUBSETS, &few)?;
    Some(wdba::complement(&w))
}

/// A formula made ready for the constructions: negation normal form, no past operators, simplified.
pub(crate) struct Input {
    pub(crate) arena: Arena,
    pub(crate) root: Id,
    /// The propositions that stand for the past.
    fresh: Vec<String>,
}

impl Input {
    fn new(f: &Ltl, options: &Options) -> Result<Input, TranslateError> {
        let mut arena = f.arena.clone();
        let future = remove_past(&mut arena, f.root);
        let mut root = Simplifier::new(options.rules).simplify(&mut arena, future.root);
        if options.containment {
            root = containment::rewrite(&mut arena, root, options.rules, &options.budget);
        }
        if options.wdba {
            root = drop_constant_parts(&mut arena, root, &options.budget)?;
        }
        let fresh = future.fresh.iter().map(|&p| arena.aps()[p as usize].clone()).collect();
        Ok(Input { arena, root, fresh })
    }

    fn construct(&self, options: &Options, postpone: bool) -> Result<Tgba, TranslateError> {
        Ok(project::project(self.automaton(self.root, options, postpone)?, &self.fresh))
    }

    /// The automaton of `f`. If that takes much by the construction that was asked for, other ways are tried first: a
    /// disjunction is the union of its parts, and go01 does not tell letters apart that lead to the same formulas.
    fn automaton(&self, f: Id, options: &Options, postpone: bool) -> Result<Tgba, TranslateError> {
        let budget = &options.budget;
        let modest = Budget { nodes: budget.nodes.min(MODEST_NODES), ..*budget };
        match self.by(options.construction, f, postpone, &modest) {
            Err(TranslateError::Budget(_)) if budget.in_time() => {}
            other => return other,
        }
        if self.arena.op(f) == Op::Or {
            let parts = self.arena.operands(f).as_slice().to_vec();
            let parts: Result<Vec<Tgba>, TranslateError> = parts
                .into_iter()
                .map(|k| Ok(tgba_stages(self.automaton(k, options, postpone)?, options)))
                .collect();
            return Ok(union::union(&parts?));
        }
        let few = Budget { states: budget.states.min(MODEST_STATES), ..modest };
        if options.construction == Construction::Couvreur99
            && let Ok(a) = self.by(Construction::Go01, f, false, &few)
        {
            return Ok(a);
        }
        self.by(options.construction, f, postpone, budget)
    }

    fn by(
        &self,
        construction: Construction,
        f: Id,
        postpone: bool,
        budget: &Budget,
    ) -> Result<Tgba, TranslateError> {
        match construction {
            Construction::Couvreur99 => couvreur99::translate(&self.arena, f, postpone, budget),
            Construction::Closure => closure::translate(&self.arena, f, budget),
            Construction::Gpvw96 => gpvw96::translate(&self.arena, f, budget),
            Construction::Go01 => go01::translate(&self.arena, f, budget),
        }
    }
}

/// What a construction may take before another way is tried.
const MODEST_NODES: usize = 50_000;
/// What the other way may take.
const MODEST_STATES: usize = 2_000;
/// The subset construction, which is an optional improvement, has at most so many states.
const SUBSETS: usize = 10_000;

/// `root` without top-level operands that are obligations and constant, which their minimal automata show.
fn drop_constant_parts(arena: &mut Arena, root: Id, budget: &Budget) -> Result<Id, TranslateError> {
    let op = arena.op(root);
    if !matches!(op, Op::And | Op::Or) || arena.props(root).has(Props::OBLIGATION) {
        return Ok(root);
    }
    let kids = arena.operands(root).as_slice().to_vec();
    let mut rest = Vec::with_capacity(kids.len());
    for &k in &kids {
        let worthwhile = arena.props(k).has(Props::OBLIGATION)
            && !arena.props(k).has(Props::SAFETY)
            && !arena.props(k).has(Props::GUARANTEE)
            && arena.subformulas(k).len() <= CONSTANT_PARTS;
        let constant = if worthwhile { constant(arena, k, budget)? } else { None };
        match constant {
            Some(value) if value == (op == Op::And) => {} // neutral
            Some(value) => return Ok(if value { Id::TRUE } else { Id::FALSE }),
            None => rest.push(k),
        }
    }
    Ok(if rest.len() == kids.len() { root } else { arena.raw(op, &rest) })
}

/// Larger operands are not examined.
const CONSTANT_PARTS: usize = 24;

/// The value of an obligation that is constant.
fn constant(arena: &Arena, f: Id, budget: &Budget) -> Result<Option<bool>, TranslateError> {
    let mut a = trim::trim(couvreur99::translate(arena, f, false, budget)?, trim::Outside::None);
    let limit = a.states() * 4 + 32;
    let Some(w) = wdba::candidate(&mut a, limit, budget) else { return Ok(None) };
    let loops = |e: &Edge| e.to == 0 && e.label == Label::TRUE;
    Ok(match w.edges(0) {
        [] => Some(false),
        [e] if w.states() == 1 && w.sets == 0 && loops(e) => Some(true),
        _ => None,
    })
}

pub(crate) fn tgba_stages(mut a: Tgba, options: &Options) -> Tgba {
    if options.trim {
        a = trim::trim(a, trim::Outside::Entering);
    }
    if options.simulation {
        a = simulation::iterate(a, &options.budget);
    }
    if options.trim {
        a = trim::trim(a, trim::Outside::None);
    }
    if options.simulation {
        a = simulation::iterate(a, &options.budget);
        if options.trim {
            a = trim::trim(a, trim::Outside::None);
        }
        if options.downward {
            loop {
                let before = (a.states(), a.edge_count());
                a = downward::downward(a, &options.budget);
                if (a.states(), a.edge_count()) >= before {
                    break;
                }
                a = trim::trim(simulation::iterate(a, &options.budget), trim::Outside::None);
            }
        }
    }
    a
}

fn finish(mut a: Tgba, options: &Options) -> Tgba {
    if options.output == Output::Ba {
        a = degeneralise::degeneralise(a, options.degeneralise);
        if options.ba_simulation {
            a = simulation::iterate(a, &options.budget);
        }
    }
    a
}

/// Is the weak deterministic automaton `w`, made from `a`, an automaton of `f` too?
fn is_language_of(a: &mut Tgba, w: &Tgba, f: &Ltl, options: &Options) -> bool {
    let complement = wdba::complement(w);
    if !options.budget.in_time() || !disjoint(a, &complement) {
        return false;
    }
    // Of a union of many parts the negation can be exponentially larger.
    let states = options.budget.states.min(a.states() * 16 + 256);
    let nodes = options.budget.nodes.min(4 * MODEST_NODES);
    let options = &Options { budget: Budget { states, nodes, ..options.budget }, ..*options };
    match Input::new(&f.negated(), options).and_then(|input| input.construct(options, false)) {
        Ok(negated) => disjoint(&trim::trim(negated, trim::Outside::None), w),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::union::tests::words;
    use super::*;
    use crate::lasso::accepts;
    use riata_ltl::{Dialect, evaluate, parse};

    #[test]
    fn an_obligation_is_the_complement_of_its_negation() {
        let names = ["a".to_string(), "b".to_string()];
        for text in ["a R b", "a U b", "G a | F b", "G (a | G b)", "(a U b) & G !b", "F a & F b", "X a"] {
            // `a` is named first, so that the propositions are numbered like the letters.
            let f = parse(&format!("(a & 0) | (b & 0) | ({text})"), Dialect::Spot).expect("a formula");
            let a = by_complement(&f, &Options::default()).expect("an obligation");
            for word in words() {
                assert_eq!(accepts(&a, &word, &names), evaluate(&f.arena, f.root, &word), "{text}: {word:?}");
            }
        }
        let f = parse("G F a", Dialect::Spot).expect("a formula");
        assert!(by_complement(&f, &Options::default()).is_none());
    }
}
