//! What the enumerations of components share.

use super::Problem;
use crate::{Engine, Space};
use riata_system::Stop;

/// The fair components that were found, and what a component needs to be one.
pub(super) struct FairComponents<S: Space> {
    fair: Vec<S::Set>,
    /// The union of the fair components.
    states: S::Set,
}

impl<S: Space> FairComponents<S> {
    pub fn new(e: &Engine<S>, problem: &Problem<S::Set>) -> Result<Self, Stop> {
        Ok(FairComponents { fair: problem.fair_sets(e)?, states: e.space.none() })
    }

    /// Can a part of the graph with the states `v` hold a fair component?
    pub fn is_possible(&self, e: &Engine<S>, v: &S::Set) -> Result<bool, Stop> {
        if e.is_empty(v) {
            return Ok(false);
        }
        for f in &self.fair {
            if e.is_empty(&e.and(f, v)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes notice of the component `c`: fair if it meets every fair set and has an edge inside.
    pub fn report(&mut self, e: &mut Engine<S>, c: &S::Set) -> Result<(), Stop> {
        e.iterated(c);
        if self.is_possible(e, c)? {
            let back = e.ex(c)?;
            if !e.is_empty(&e.and(&back, c)?) {
                self.states = e.or(&self.states, c)?;
            }
        }
        Ok(())
    }

    /// The states of the invariant from which a fair component can be reached.
    pub fn before(self, e: &mut Engine<S>, problem: &Problem<S::Set>) -> Result<S::Set, Stop> {
        e.eu(&problem.invariant, &self.states)
    }
}
