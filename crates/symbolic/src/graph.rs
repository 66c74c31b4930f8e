//! A relation as a [`Space`]: the graph that the fixpoint algorithms walk.

use crate::bdd::Bdd;
use crate::relation::{Relation, Vars};
use crate::{Engine, Space};
use riata_system::Stop;

/// The states of a system, and its steps.
pub struct Symbolic<'b, B: Bdd> {
    /// The manager.
    pub bdd: &'b B,
    /// The variables.
    pub vars: Vars,
    /// The steps.
    pub relation: Relation<B>,
    /// The states that count; first those that satisfy the invariants of the model, then the reachable ones.
    pub universe: B::F,
}

impl<B: Bdd> Symbolic<'_, B> {
    /// The states reachable from `init`, which become the universe, and the care set of the relation.
    ///
    /// Returns the number of rounds of the search: of its levels, if the relation has one part.
    pub fn restrict_to_reachable(&mut self, init: &B::F) -> Result<usize, Stop> {
        let init = self.and(init, &self.universe)?;
        let (mut reached, mut frontier, mut levels) = (init.clone(), init, 0);
        while frontier != self.none() {
            levels += 1;
            self.settle()?;
            // Anything between the frontier and all that is reached will do; the smaller diagram is taken.
            let from = if self.size(&reached) < self.size(&frontier) { &reached } else { &frontier };
            let after = match self.relation.parts.len() {
                0..=1 => self.post(from)?,
                _ => self.relation.chained(self.bdd, from, &self.universe)?,
            };
            frontier = self.minus(&after, &reached)?;
            reached = self.or(&reached, &frontier)?;
        }
        self.universe = reached;
        if self.universe != self.none() {
            self.relation.simplify(self.bdd, &self.universe)?;
        }
        Ok(levels)
    }

    /// The set that holds one state, given by its bits.
    pub fn state(&self, bits: &[bool]) -> Result<B::F, Stop> {
        let mut cube = self.bdd.constant(true);
        for (&v, &bit) in self.vars.current.iter().zip(bits) {
            let var = self.bdd.var(v)?;
            cube = self.bdd.and(&cube, &if bit { var } else { self.bdd.not(&var) })?;
        }
        Ok(cube)
    }

    /// The bits of some state of a set, if there is one.
    pub fn bits(&self, set: &B::F) -> Option<Vec<bool>> {
        self.bdd.pick(set, &self.vars.current)
    }

    /// How many states a set has.
    pub fn count(&self, set: &B::F) -> f64 {
        self.bdd.count(set, self.vars.current.len() as u32)
    }

    /// An engine on this graph.
    pub fn engine(&self) -> Engine<'_, Self> {
        Engine::new(self)
    }
}

impl<B: Bdd> Space for Symbolic<'_, B> {
    type Set = B::F;

    fn none(&self) -> B::F {
        self.bdd.constant(false)
    }

    fn all(&self) -> B::F {
        self.universe.clone()
    }

    fn and(&self, a: &B::F, b: &B::F) -> Result<B::F, Stop> {
        self.bdd.and(a, b)
    }

    fn or(&self, a: &B::F, b: &B::F) -> Result<B::F, Stop> {
        self.bdd.or(a, b)
    }

    fn minus(&self, a: &B::F, b: &B::F) -> Result<B::F, Stop> {
        self.bdd.minus(a, b)
    }

    fn pre(&self, a: &B::F) -> Result<B::F, Stop> {
        self.bdd.and(&self.relation.preimage(self.bdd, a)?, &self.universe)
    }

    fn post(&self, a: &B::F) -> Result<B::F, Stop> {
        self.bdd.and(&self.relation.image(self.bdd, a)?, &self.universe)
    }

    fn pick(&self, a: &B::F) -> Result<B::F, Stop> {
        match self.bits(a) {
            Some(bits) => self.state(&bits),
            None => Ok(self.none()),
        }
    }

    fn size(&self, a: &B::F) -> usize {
        self.bdd.size(&[a])
    }

    fn settle(&self) -> Result<(), Stop> {
        self.bdd.settle()
    }
}
