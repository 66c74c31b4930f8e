//! Questions about a system whose relation was learned: bad states and accepting runs, as states of the system.

use super::Learned;
use super::coding::{Coding, Sample, Sampling};
use super::order::{order, supports};
use crate::algorithms::{Algorithm, Strength};
use crate::bdd::{Bdd, Var};
use crate::engine::Counters;
use crate::graph::Symbolic;
use crate::ltl::Search;
use crate::relation::Shape;
use crate::witness::path;
use riata_automata::{Marks, Tgba};
use riata_system::{Deadlocks, Observable, Stop};

/// How many states near the initial ones are looked at to see which slots belong together.
const SUPPORTS: usize = 512;

/// A system with its reachable states.
pub struct Session<'a, B: Bdd, S: Observable> {
    /// The states and steps.
    pub learned: Learned<'a, B, S>,
    system: &'a S,
    fresh: &'a [(Var, Var)],
    shape: Shape,
    /// The state after a run-time error; empty if it is not reachable.
    pub sink: B::F,
    /// The reachable states without a successor, the sink included.
    pub ends: B::F,
}

/// How to make a session.
pub struct Setup {
    /// Bits for automata.
    pub fresh: u32,
    /// The shape of relations.
    pub shape: Shape,
    /// How far to look around first, for the bits of the slots and their order.
    pub sampling: Sampling,
}

/// A state of a product: the system's words, the automaton's state, the marks of the edge that led here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The system's part.
    pub state: Vec<u32>,
    /// The automaton's.
    pub automaton: u32,
    /// The acceptance sets of the last step.
    pub marks: Marks,
}

/// What a search for accepting runs found.
pub struct Runs {
    /// Stem and cycle.
    pub lasso: Option<(Vec<At>, Vec<At>)>,
    /// How many states the product has, without the bits that remember acceptance.
    pub states: f64,
    /// What was counted.
    pub counters: Counters,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Why it was chosen, if it was not asked for.
    pub why: Option<&'static str>,
    /// The strength of the product.
    pub strength: Strength,
}

/// A product, counted.
pub struct Product {
    /// Its states.
    pub states: f64,
    /// How many of them are in each of the sets.
    pub counts: Vec<f64>,
    /// A shortest path to each of the sets.
    pub paths: Vec<Option<Vec<At>>>,
}

/// Learns the system, with a manager that `manager` makes, and hands it to `work`.
pub fn with<B: Bdd, S: Observable, T>(
    system: &S,
    setup: &Setup,
    manager: impl Fn(u32) -> B,
    work: impl FnOnce(&Session<B, S>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let sample = Sample::new(system, setup.sampling);
    // Evenly among those at hand, and deeper ones: not every step is near the beginning.
    let near = sample.near.iter().step_by(sample.near.len().div_ceil(SUPPORTS).max(1));
    let few: Vec<&[u32]> = near.chain(&sample.far).map(Vec::as_slice).collect();
    let mut groups = supports(system, &few);
    groups.iter_mut().for_each(|g| g.retain(|&slot| sample.varies(slot)));
    let bits = Coding::widths(system, &sample);
    let order = order(&bits, &groups);
    let bdd = manager(bits.iter().sum());
    let first = bdd.add_vars(2 * setup.fresh);
    let fresh: Vec<(Var, Var)> = (0..setup.fresh).map(|i| (first + 2 * i, first + 2 * i + 1)).collect();
    let coding = Coding::new(&bdd, system, &sample, &order);
    let learned = {
        let apart: Vec<Vec<Var>> = fresh.iter().map(|&(now, then)| vec![now, then]).collect();
        let own = coding.vars.current.iter().zip(&coding.vars.next).map(|(&now, &then)| vec![now, then]);
        bdd.keep_together(apart.iter().cloned().chain(own).collect());
        Learned::explore(&bdd, system, coding, apart)?
    };
    let sink = bdd.and(&learned.sink()?, &learned.reached)?;
    let ends = learned.ends()?;
    work(&Session { learned, system, fresh: &fresh, shape: setup.shape, sink, ends })
}

impl<'a, B: Bdd, S: Observable> Session<'a, B, S> {
    /// The shape of relations.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The reachable states in which nothing can move, those after a run-time error left out.
    pub fn deadlocks(&self) -> Result<B::F, Stop> {
        self.learned.bdd.minus(&self.ends, &self.sink)
    }

    /// Where a question is answered with yes; none if the answer is a fault somewhere and `faults` are not allowed.
    /// What it is in the sink is told by `in_sink`.
    pub fn set(&self, question: usize, in_sink: bool, faults: bool) -> Result<Option<B::F>, Stop> {
        let live = self.learned.bdd.minus(&self.learned.reached, &self.sink)?;
        let sets = self.learned.ask(question, &live)?;
        if !faults && sets.faults != self.learned.bdd.constant(false) {
            return Ok(None);
        }
        Ok(Some(if in_sink { self.learned.bdd.or(&sets.holds, &self.sink)? } else { sets.holds }))
    }

    /// A shortest path to a state of `bad`.
    pub fn path_to(&self, bad: &B::F) -> Result<Option<Vec<Vec<u32>>>, Stop> {
        let fsm = self.learned.fsm(&self.learned.bdd.constant(false));
        let mut graph = fsm.graph(self.shape)?;
        graph.universe = self.learned.reached.clone();
        let mut e = graph.engine();
        let Some(states) = path(&mut e, &fsm.init, bad, &graph.universe)? else { return Ok(None) };
        Ok(Some(states.iter().map(|s| self.at(&graph, s, None).state).collect()))
    }

    /// Looks for a run that an automaton accepts, whose propositions hold in the sets `atoms`.
    pub fn runs(
        &self,
        automaton: (&Tgba, riata_automata::Strength),
        atoms: &[B::F],
        deadlocks: Deadlocks,
        algorithm: Option<Algorithm>,
    ) -> Result<Runs, Stop> {
        let found = self.search(automaton, atoms, deadlocks, algorithm, |search| search.run())?;
        let graph = &found.graph;
        let at = |list: &[B::F]| list.iter().map(|s| self.at(graph, s, Some(automaton.0))).collect();
        let lasso = found.lasso.as_ref().map(|l| (at(&l.stem), at(&l.cycle)));
        let states = self.count(graph, automaton.0, &graph.universe)?;
        let (counters, algorithm) = (found.counters, found.algorithm);
        Ok(Runs { lasso, states, counters, algorithm, why: found.why, strength: found.strength })
    }

    fn search<T>(
        &self,
        automaton: (&Tgba, riata_automata::Strength),
        atoms: &[B::F],
        deadlocks: Deadlocks,
        algorithm: Option<Algorithm>,
        work: impl FnOnce(Search<'_, 'a, B>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let none = self.learned.bdd.constant(false);
        let fsm = self.learned.fsm(if deadlocks == Deadlocks::Stutter { &self.ends } else { &none });
        work(Search {
            fsm: &fsm,
            reached: &self.learned.reached,
            endless: deadlocks == Deadlocks::Stutter || self.ends == none,
            automaton,
            atoms,
            fresh: self.fresh,
            algorithm,
            shape: self.shape,
        })
    }

    /// The product with an automaton as it is, with what is asked about it. Runs that end are extended.
    pub fn product(&self, automaton: &Tgba, atoms: &[B::F], sets: &[&B::F]) -> Result<Product, Stop> {
        let bdd = self.learned.bdd;
        let with = (automaton, riata_automata::Strength::General);
        let (fsm, graph) = self.search(with, atoms, Deadlocks::Stutter, None, |search| search.product())?;
        let states = self.count(&graph, automaton, &graph.universe)?;
        let (mut counts, mut paths) = (Vec::new(), Vec::new());
        for set in sets {
            let inside = bdd.and(&graph.universe, set)?;
            counts.push(self.count(&graph, automaton, &inside)?);
            let way = path(&mut graph.engine(), &fsm.init, &inside, &graph.universe)?;
            let at = |list: Vec<B::F>| list.iter().map(|s| self.at(&graph, s, Some(automaton))).collect();
            paths.push(way.map(at));
        }
        Ok(Product { states, counts, paths })
    }

    /// How many states of a product are in a set, without the bits that remember acceptance.
    fn count(&self, graph: &Symbolic<B>, automaton: &Tgba, set: &B::F) -> Result<f64, Stop> {
        let bits = graph.vars.current.len() - automaton.sets as usize;
        let cube = graph.bdd.cube(&graph.vars.current[bits..])?;
        // What was quantified is counted as if it could have both values.
        let all = graph.bdd.count(&graph.bdd.exists(set, &cube)?, graph.vars.current.len() as u32);
        Ok(all / f64::from(automaton.sets).exp2())
    }

    /// One state of a graph.
    fn at(&self, graph: &Symbolic<B>, set: &B::F, automaton: Option<&Tgba>) -> At {
        let bits = graph.bits(set).unwrap_or_default();
        let own = self.learned.coding.vars.current.len();
        let mut state = vec![0; self.system.words()];
        self.learned.decode(&bits[..own], &mut state);
        let number = |bits: &[bool]| bits.iter().rev().fold(0u64, |n, &b| n << 1 | u64::from(b));
        let sets = automaton.map_or(0, |a| a.sets as usize);
        let (states, marks) = bits[own..].split_at(bits.len() - own - sets);
        At { state, automaton: number(states) as u32, marks: Marks(number(marks)) }
    }
}
