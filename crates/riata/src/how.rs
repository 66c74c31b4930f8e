//! What every engine is told: the options, the limits, who listens.

use crate::options::{Algorithms, EndOfRuns, Engine, Fairness, Kind, Options, Store, Threads, cores};
use crate::profile::{Profile, Taken};
use crate::room;
use riata_cluster::Cluster;
use riata_report::answer::{Answer, Problem, Skipped};
use riata_symbolic::oxi::Pulse;
use riata_system::{Counters, Limits, Progress};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Somebody who is told what happens, as it happens. Every method does nothing unless it is written.
#[allow(unused_variables)]
pub trait Listener: Sync {
    /// These properties will be decided.
    fn begin(&self, properties: &[String]) {}

    /// An answer was found.
    fn answer(&self, answer: &Answer) {}

    /// A check does not apply.
    fn skipped(&self, skipped: &Skipped) {}

    /// Something is odd.
    fn warning(&self, warning: &Problem) {}

    /// A search begins: its name, the property, and the memory that it may use. What is returned is told how far it is.
    fn search(&self, what: &str, memory: Option<usize>) -> Box<dyn Progress + '_> {
        Box::new(Nobody)
    }

    /// The symbolic engine is so far.
    fn pulse(&self, pulse: Pulse) {}

    /// Work on diagrams begins or ends. One operation on them may take long, and cannot be stopped from outside.
    fn diagrams(&self, busy: bool) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Listener for Nobody {}

impl Progress for Nobody {
    fn tick(&mut self, _: &Counters, _: usize) {}
}

/// So many states one thread looks at in a moment.
const ALONE: usize = 1 << 19;

/// With fewer cores, searches for cycles by several threads are not chosen by themselves: one thread remembers the successors of each
/// state ([`riata_explore::known`]), and then takes a seventh of the processor time that `ufscc` takes with two.
const WORTH: usize = 12;

/// How to do what was asked for.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// What was asked for.
    pub options: &'a Options,
    /// Of a model of this kind.
    pub kind: Kind,
    /// The bytes that a search may hold.
    pub memory: Option<usize>,
    /// When everything must end.
    pub deadline: Option<Instant>,
    /// Set when everything is to end.
    pub interrupt: &'a AtomicBool,
    /// Who listens.
    pub listener: &'a dyn Listener,
    /// Those who search together, or write down what they search.
    pub cluster: Option<&'a Cluster>,
    /// Who looks where the time goes, if that is asked for.
    pub profile: Option<&'a Profile>,
}

impl<'a> How<'a> {
    /// Begins now.
    pub fn new(
        options: &'a Options,
        kind: Kind,
        interrupt: &'a AtomicBool,
        listener: &'a dyn Listener,
    ) -> Self {
        let deadline = options.limits.time.and_then(|t| Instant::now().checked_add(t));
        let memory = options.limits.memory.or_else(room::default);
        How { options, kind, memory, deadline, interrupt, listener, cluster: None, profile: None }
    }

    /// The same, by one of several processes. Those on one machine share its memory.
    pub fn among(self, cluster: Option<&'a Cluster>) -> Self {
        let sharing = cluster.map_or(1, Cluster::sharing);
        How { cluster, memory: self.memory.map(|m| m / sharing), ..self }
    }

    /// The limits of a search.
    pub fn limits(&self) -> Limits<'a> {
        let mark = self.profile.map(Profile::mark).unwrap_or_default();
        Limits { memory: self.memory, deadline: self.deadline, interrupt: Some(self.interrupt), mark }
    }

    /// What comes now prepares the search for another property.
    pub fn prepares(&self) {
        self.profile.inspect(|profile| profile.prepares());
    }

    /// A search begins.
    pub fn begins(&self) {
        self.profile.inspect(|profile| profile.begins());
    }

    /// The search has ended: where its time went, if that is asked for.
    pub fn ends_search(&self) -> Option<Taken> {
        self.profile.map(Profile::ends)
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        let usual = if self.kind.is_synchronous() { Engine::Symbolic } else { Engine::Explicit };
        self.options.symbolic.engine.unwrap_or(usual)
    }

    /// Is it the symbolic one?
    pub fn is_symbolic(&self) -> bool {
        self.engine() == Engine::Symbolic
    }

    /// Is it the one on a graphics processor?
    pub fn is_gpu(&self) -> bool {
        self.engine() == Engine::Gpu
    }

    /// The store.
    pub fn store(&self) -> Store {
        self.options.store.unwrap_or_default()
    }

    /// How many threads a breadth-first search has, which gains by all there are.
    pub fn threads(&self) -> usize {
        Threads::number(self.options.limits.threads)
    }

    /// Where nobody says how many threads there are: a breadth-first search of more states than this begins again with so many.
    pub fn more_threads(&self) -> Option<(usize, usize)> {
        let free = self.options.limits.threads.is_none() && self.profile.is_none();
        (free && cores() > 1)
            .then(|| (self.options.limits.alone.unwrap_or(ALONE), Threads::number(Some(Threads::Auto))))
    }

    /// How many threads a search for cycles has: it goes through some states several times, and gains less.
    pub fn threads_for_cycles(&self) -> usize {
        match self.options.limits.threads {
            Some(Threads::Auto) if cores() < WORTH => 1,
            _ => self.threads(),
        }
    }

    /// Is a search for cycles one of several threads, when nobody names a check? Scouts help one search to less than twice its
    /// speed, so many cores want another check; and it is the only way where there cannot be scouts.
    pub fn together(&self, scouted: bool) -> bool {
        self.threads_for_cycles() > if scouted { WORTH - 1 } else { 1 }
    }

    /// The checks.
    pub fn algorithms(&self) -> Algorithms {
        self.options.deciding.algorithm.unwrap_or_default()
    }

    /// Which runs count.
    pub fn fairness(&self) -> Fairness {
        self.options.deciding.fairness.unwrap_or_default()
    }

    /// What becomes of runs that end.
    pub fn ends(&self) -> EndOfRuns {
        self.options.deciding.deadlocks.unwrap_or_default()
    }

    /// Tells that something is odd.
    pub fn warn(&self, message: impl Into<String>) {
        self.listener.warning(&message.into().into());
    }
}
