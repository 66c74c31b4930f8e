//! A transition relation that is learned while the reachable states are found.
//!
//! The system is [`Observable`]: an attempt at a group of steps tells what it looked at. For each group we keep the set
//! of states that are *known*: those that agree with an earlier attempt where that looked.
//!
//! ```text
//! learn(group, set):
//!     todo := set \ known
//!     while todo has a state s:                  (the projection to what the group ever looked at)
//!         (looks, steps) := attempt(group, s)
//!         if it looked elsewhere: project again, with more
//!         known := known ∪ looks;  todo := todo \ looks
//!         for each step: relation(written slots) := relation ∪ (looks ∧ writes′)
//!
//! explore:
//!     while frontier is not empty:
//!         for each group: learn(group, frontier)
//!         states := frontier
//!         for each part of the relation: states := states ∪ image(part, states)      (chaining)
//!         frontier := states \ reached;  reached := reached ∪ frontier
//! ```
//!
//! Every reachable state is in the frontier once, so at the end the relation has all steps of reachable states. A part
//! says nothing of the slots that it does not write. So no arithmetic is ever turned into bits, and the interpreter
//! stays the one meaning.
//!
//! # References
//! S. Blom, J. van de Pol, *Symbolic reachability for process algebras with recursive data types*, ICTAC 2008.
//!
//! K. Ravi, F. Somenzi, *High-density reachability analysis*, ICCAD 1995 (a frontier may be any set between the new
//! states and all); O. Roig, J. Cortadella, E. Pastor, *Verification of asynchronous circuits by BDD-based model
//! checking of Petri nets*, ICATPN 1995 (chaining).

mod coding;
mod order;
pub mod session;
mod values;

pub use coding::{Coding, Sample, Sampling, Wide};
pub use order::{force, order, supports};

use crate::bdd::{Bdd, Renaming, Var};
use crate::fsm::{Disjunct, Fsm};
use coding::cube;
use riata_system::{Effect, Observable, Observation, Stop, Truth};
use std::collections::BTreeMap;

/// Why learning ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fail {
    Stop(Stop),
    Wide(Wide),
}

impl Fail {
    /// For states that are known to be coded.
    fn stop(self) -> Stop {
        match self {
            Fail::Stop(stop) => stop,
            Fail::Wide(wide) => unreachable!("a reachable state has a value without a code: {wide:?}"),
        }
    }
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Fail::Stop(stop)
    }
}

impl From<Wide> for Fail {
    fn from(wide: Wide) -> Self {
        Fail::Wide(wide)
    }
}

/// What is known of a group or a question.
struct Topic<F> {
    /// The states for which the outcome is known.
    known: F,
    /// The slots that were ever looked at, sorted.
    support: Vec<u32>,
    /// The current variables of all other slots.
    others: F,
}

/// The steps that write the same slots.
struct Moves<F> {
    relation: F,
    /// The current variables of what is written.
    cube: F,
    /// From next to current.
    back: Renaming,
    bits: Vec<usize>,
}

/// The reachable states and the steps between them.
pub struct Learned<'a, B: Bdd, S: Observable> {
    bdd: &'a B,
    system: &'a S,
    /// Which variables hold what.
    pub coding: Coding,
    /// Further groups of variables that stay together.
    apart: Vec<Vec<Var>>,
    initial: Vec<u32>,
    moves: BTreeMap<Vec<u32>, Moves<B::F>>,
    topics: Vec<Topic<B::F>>,
    /// For each group, the states in which it has so many steps.
    fires: Vec<BTreeMap<usize, B::F>>,
    /// The initial states.
    pub init: B::F,
    /// The reachable states.
    pub reached: B::F,
    /// How often all groups were tried.
    pub sweeps: usize,
    /// How often the interpreter was asked.
    pub attempts: usize,
}

/// The states of which a question is true, and those where it is a fault.
pub struct Sets<F> {
    /// True.
    pub holds: F,
    /// A fault.
    pub faults: F,
}

impl<'a, B: Bdd, S: Observable> Learned<'a, B, S> {
    /// Finds the reachable states. `apart` are groups of variables that stay together in the order, besides the
    /// system's own.
    pub fn explore(bdd: &'a B, system: &'a S, coding: Coding, apart: Vec<Vec<Var>>) -> Result<Self, Stop> {
        let none = bdd.constant(false);
        let mut this = Learned {
            bdd,
            system,
            coding,
            apart,
            initial: vec![0; system.words()],
            moves: BTreeMap::new(),
            topics: Vec::new(),
            fires: vec![BTreeMap::new(); system.groups()],
            init: none.clone(),
            reached: none,
            sweeps: 0,
            attempts: 0,
        };
        for _ in 0..system.groups() {
            let topic = this.topic()?;
            this.topics.push(topic);
        }
        let mut at = S::Cursor::default();
        let mut s = vec![0; system.words()];
        while system.initial(&mut at, &mut s) {
            this.initial.copy_from_slice(&s);
            let state = this.state(&s).map_err(Fail::stop)?;
            this.init = bdd.or(&this.init, &state)?;
        }
        this.run()?;
        Ok(this)
    }

    fn run(&mut self) -> Result<(), Stop> {
        let bdd = self.bdd;
        let none = bdd.constant(false);
        let mut frontier = self.init.clone();
        self.reached = frontier.clone();
        while frontier != none {
            self.sweeps += 1;
            let mut live = bdd.minus(&frontier, &self.sink()?)?;
            for group in 0..self.topics.len() {
                while let Err(fail) = self.learn_group(group, &live) {
                    let Fail::Wide(wide) = fail else { return Err(fail.stop()) };
                    frontier = bdd.and(&frontier, &self.grow(wide)?)?;
                    live = bdd.minus(&frontier, &self.sink()?)?;
                }
                bdd.settle()?;
            }
            let mut states = frontier;
            for moves in self.moves.values() {
                let after = bdd.and_exists(&states, &moves.relation, &moves.cube)?;
                states = bdd.or(&states, &bdd.rename(&after, &moves.back)?)?;
                bdd.settle()?;
            }
            frontier = bdd.minus(&states, &self.reached)?;
            self.reached = bdd.or(&self.reached, &frontier)?;
        }
        Ok(())
    }

    /// Gives a slot more bits. All that is known so far is known for states in which they are zero, the set that is
    /// returned; where they do not matter, that is learned again.
    fn grow(&mut self, wide: Wide) -> Result<B::F, Stop> {
        let bdd = self.bdd;
        let new = self.coding.grow(bdd, wide);
        if new.is_empty() {
            return Ok(bdd.constant(true));
        }
        let vars = &self.coding.vars;
        let pairs = vars.current.iter().zip(&vars.next).map(|(&now, &then)| vec![now, then]);
        bdd.keep_together(self.apart.iter().cloned().chain(pairs).collect());
        let zero =
            |vars: &[Var]| new.iter().try_fold(bdd.constant(true), |f, &b| bdd.minus(&f, &bdd.var(vars[b])?));
        let (now, then) = (zero(&vars.current)?, zero(&vars.next)?);
        let restrict = |f: &mut B::F| -> Result<(), Stop> {
            *f = bdd.and(f, &now)?;
            Ok(())
        };
        restrict(&mut self.init)?;
        restrict(&mut self.reached)?;
        self.fires.iter_mut().flat_map(|sets| sets.values_mut()).try_for_each(restrict)?;
        for topic in 0..self.topics.len() {
            let others = self.others(&self.topics[topic].support)?;
            let topic = &mut self.topics[topic];
            topic.others = others;
            restrict(&mut topic.known)?;
        }
        for (written, mut moves) in std::mem::take(&mut self.moves) {
            restrict(&mut moves.relation)?;
            if written.contains(&wide.slot) {
                let relation = bdd.and(&moves.relation, &then)?;
                moves = Moves { relation, ..self.moves_of(&written)? };
            }
            self.moves.insert(written, moves);
        }
        Ok(now)
    }

    /// The manager.
    pub fn bdd(&self) -> &'a B {
        self.bdd
    }

    /// A topic of which nothing is known.
    fn topic(&self) -> Result<Topic<B::F>, Stop> {
        let others = self.bdd.cube(&self.coding.vars.current)?;
        Ok(Topic { known: self.bdd.constant(false), support: Vec::new(), others })
    }

    fn levels(&self) -> Vec<u32> {
        let order = self.bdd.order();
        let mut level = vec![0; order.len()];
        (0u32..).zip(&order).for_each(|(l, &v)| level[v as usize] = l);
        level
    }

    /// The set that holds one state.
    fn state(&self, s: &[u32]) -> Result<B::F, Fail> {
        let (slot, fault, _) = self.system.sink();
        let slots = self.system.slots();
        let mut literals = Vec::new();
        if slots[slot as usize].load(s) == fault {
            literals = self.coding.sink(false)?;
        } else {
            for (i, slot) in (0u32..).zip(slots) {
                self.coding.literals(i, slot.load(s), false, &mut literals)?;
            }
        }
        Ok(cube(self.bdd, &mut literals, &self.levels())?)
    }

    /// The state with these bits.
    pub fn decode(&self, bits: &[bool], s: &mut [u32]) {
        s.copy_from_slice(&self.initial);
        self.coding.decode(&|b| bits[b], s);
    }

    /// The state after a run-time error, as a set.
    pub fn sink(&self) -> Result<B::F, Stop> {
        let literals = self.coding.sink(false);
        let mut literals = literals.unwrap_or_else(|wide| unreachable!("the sink has no code: {wide:?}"));
        cube(self.bdd, &mut literals, &self.levels())
    }

    fn learn_group(&mut self, group: usize, set: &B::F) -> Result<(), Fail> {
        let (bdd, coding, system) = (self.bdd, &self.coding, self.system);
        let Some(mut topic) = self.topics.get_mut(group).map(|t| std::mem::replace(t, empty(bdd))) else {
            return Ok(());
        };
        let mut terms: BTreeMap<Vec<u32>, Vec<B::F>> = BTreeMap::new();
        let mut fired: BTreeMap<usize, Vec<B::F>> = BTreeMap::new();
        let mut attempts = 0;
        let sink: Vec<u32> = (0..coding.len() as u32).collect();
        let result = self.learn(
            &mut topic,
            set,
            |s, seen| system.attempt(group, s, seen),
            |looks, seen, (), level| {
                attempts += 1;
                for step in &seen.steps {
                    let (written, mut literals) = match step {
                        Effect::Sink => (sink.clone(), coding.sink(true)?),
                        Effect::Writes(list) => {
                            let mut literals = Vec::new();
                            for &(slot, value) in list {
                                coding.literals(slot, value, true, &mut literals)?;
                            }
                            (list.iter().map(|w| w.0).collect(), literals)
                        }
                    };
                    let after = cube(bdd, &mut literals, level)?;
                    terms.entry(written).or_default().push(bdd.and(looks, &after)?);
                }
                if !seen.steps.is_empty() {
                    fired.entry(seen.steps.len()).or_default().push(looks.clone());
                }
                Ok(())
            },
        );
        self.topics[group] = topic;
        self.attempts += attempts;
        // What was noted before a failure is known, and has to be kept.
        for (n, sets) in fired {
            let entry = self.fires[group].entry(n).or_insert_with(|| bdd.constant(false));
            *entry = bdd.or(entry, &crate::encode::sum(bdd, sets)?)?;
        }
        for (written, cubes) in terms {
            let more = crate::encode::sum(bdd, cubes)?;
            if !self.moves.contains_key(&written) {
                let moves = self.moves_of(&written)?;
                self.moves.insert(written.clone(), moves);
            }
            if let Some(moves) = self.moves.get_mut(&written) {
                moves.relation = bdd.or(&moves.relation, &more)?;
            }
        }
        result
    }

    fn moves_of(&self, written: &[u32]) -> Result<Moves<B::F>, Stop> {
        let vars = &self.coding.vars;
        let bits: Vec<usize> = written.iter().flat_map(|&s| self.coding.bits(s)).copied().collect();
        let current: Vec<Var> = bits.iter().map(|&b| vars.current[b]).collect();
        let pairs = bits.iter().map(|&b| (vars.next[b], vars.current[b])).collect();
        let (cube, back) = (self.bdd.cube(&current)?, self.bdd.renaming(pairs));
        Ok(Moves { relation: self.bdd.constant(false), cube, back, bits })
    }

    /// Makes the states of `set` known. `ask` is asked about some of them; `note` hears what all states with the same
    /// looks do.
    fn learn<T>(
        &self,
        topic: &mut Topic<B::F>,
        set: &B::F,
        ask: impl Fn(&[u32], &mut Observation) -> T,
        mut note: impl FnMut(&B::F, &Observation, T, &[u32]) -> Result<(), Fail>,
    ) -> Result<(), Fail> {
        let bdd = self.bdd;
        let none = bdd.constant(false);
        let mut todo = bdd.minus(set, &topic.known)?;
        let mut seen = Observation::default();
        let mut bit = vec![false; self.coding.vars.current.len()];
        let level = if todo == none { Vec::new() } else { self.levels() };
        while todo != none {
            let mut open = bdd.exists(&todo, &topic.others)?;
            let bits: Vec<usize> =
                topic.support.iter().flat_map(|&slot| self.coding.bits(slot)).copied().collect();
            let vars: Vec<Var> = bits.iter().map(|&b| self.coding.vars.current[b]).collect();
            let mut new: Vec<B::F> = Vec::new();
            let mut failed = None;
            while let Some(values) = bdd.pick(&open, &vars) {
                let mut s = self.initial.clone();
                bits.iter().zip(values).for_each(|(&b, value)| bit[b] = value);
                for &slot in &topic.support {
                    self.coding.decode_slot(slot, &|b| bit[b], &mut s);
                }
                let outcome = ask(&s, &mut seen);
                if seen.looks.iter().any(|l| topic.support.binary_search(&l.slot).is_err()) {
                    // It looked at something of which `open` tells nothing.
                    topic.support.extend(seen.looks.iter().map(|l| l.slot));
                    topic.support.sort_unstable();
                    topic.support.dedup();
                    topic.others = self.others(&topic.support)?;
                    break;
                }
                let looks = self.looks(&seen, &level)?;
                failed = note(&looks, &seen, outcome, &level).err();
                if failed.is_some() {
                    break;
                }
                open = bdd.minus(&open, &looks)?;
                new.push(looks);
            }
            topic.known = bdd.or(&topic.known, &crate::encode::sum(bdd, new)?)?;
            if let Some(failed) = failed {
                return Err(failed);
            }
            todo = bdd.minus(&todo, &topic.known)?;
        }
        Ok(())
    }

    /// The current variables of all slots but these.
    fn others(&self, support: &[u32]) -> Result<B::F, Stop> {
        let others = (0..self.coding.len() as u32).filter(|s| support.binary_search(s).is_err());
        let vars: Vec<Var> =
            others.flat_map(|s| self.coding.bits(s)).map(|&b| self.coding.vars.current[b]).collect();
        self.bdd.cube(&vars)
    }

    /// The states that agree with what was looked at.
    fn looks(&self, seen: &Observation, level: &[u32]) -> Result<B::F, Fail> {
        let bdd = self.bdd;
        let mut literals = Vec::new();
        let mut not: Vec<B::F> = Vec::new();
        for look in &seen.looks {
            if look.equal {
                self.coding.literals(look.slot, look.value, false, &mut literals)?;
            } else {
                let mut other = Vec::new();
                // A value without a code is not there; it is none of those that have one.
                not.push(match self.coding.literals(look.slot, look.value, false, &mut other) {
                    Ok(()) => bdd.not(&cube(bdd, &mut other, level)?),
                    Err(_) => self.coding.coded(bdd, look.slot)?,
                });
            }
        }
        literals.sort_unstable();
        literals.dedup();
        let mut set = cube(bdd, &mut literals, level)?;
        for other in not {
            set = bdd.and(&set, &other)?;
        }
        Ok(set)
    }

    /// Asks a question about all states of `set`, in which the sink is not.
    pub fn ask(&self, question: usize, set: &B::F) -> Result<Sets<B::F>, Stop> {
        let (mut holds, mut faults) = (Vec::new(), Vec::new());
        let mut topic = self.topic()?;
        self.learn(
            &mut topic,
            set,
            |s, seen| self.system.ask(question, s, seen),
            |looks, _, truth, _| {
                match truth {
                    Truth::True => holds.push(looks.clone()),
                    Truth::Fault => faults.push(looks.clone()),
                    Truth::False => {}
                }
                Ok(())
            },
        )
        .map_err(Fail::stop)?;
        let within = |sets| -> Result<B::F, Stop> { self.bdd.and(&crate::encode::sum(self.bdd, sets)?, set) };
        Ok(Sets { holds: within(holds)?, faults: within(faults)? })
    }

    /// The reachable states without a step, the sink included.
    pub fn ends(&self) -> Result<B::F, Stop> {
        let mut ends = self.reached.clone();
        for sets in &self.fires {
            for set in sets.values() {
                ends = self.bdd.minus(&ends, set)?;
            }
        }
        Ok(ends)
    }

    /// How many steps the reachable states have.
    pub fn transitions(&self) -> Result<f64, Stop> {
        let bits = self.coding.vars.current.len() as u32;
        let mut sum = 0.0;
        for (&n, set) in self.fires.iter().flatten() {
            sum += n as f64 * self.bdd.count(&self.bdd.and(set, &self.reached)?, bits);
        }
        Ok(sum)
    }

    /// How many states a set has.
    pub fn count(&self, set: &B::F) -> f64 {
        self.bdd.count(set, self.coding.vars.current.len() as u32)
    }

    /// Slots, groups and the nodes of the relation.
    pub fn size(&self) -> usize {
        let all: Vec<&B::F> = self.moves.values().map(|m| &m.relation).collect();
        self.bdd.size(&all)
    }

    /// The system. States of `repeated` have a step to themselves.
    pub fn fsm(&self, repeated: &B::F) -> Fsm<'a, B> {
        let step =
            |m: &Moves<B::F>| Disjunct { written: m.bits.clone(), conjuncts: vec![m.relation.clone()] };
        let mut steps: Vec<_> = self.moves.values().map(step).collect();
        if *repeated != self.bdd.constant(false) {
            steps.push(Disjunct { written: Vec::new(), conjuncts: vec![repeated.clone()] });
        }
        Fsm {
            bdd: self.bdd,
            vars: self.coding.vars.clone(),
            init: self.init.clone(),
            steps,
            justice: Vec::new(),
            compassion: Vec::new(),
        }
    }
}

fn empty<B: Bdd>(bdd: &B) -> Topic<B::F> {
    Topic { known: bdd.constant(false), support: Vec::new(), others: bdd.constant(true) }
}
