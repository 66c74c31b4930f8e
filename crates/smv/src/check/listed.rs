//! The states of a small model one by one, or those of its product with an automaton.

use super::{Automaton, Session, concrete};
use crate::encode::Fail;
use crate::evaluate::State;
use riata_symbolic::fsm::Fsm;
use riata_symbolic::{Bdd, Space, Strength, Symbolic};
use riata_system::Stop;
use std::collections::HashMap;

/// The reachable states. They are numbered by their distance from the initial ones.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// Each state, and the bits that the automaton and fairness add to it.
    pub states: Vec<(State, String)>,
    /// The initial ones.
    pub initial: Vec<u32>,
    /// The steps.
    pub edges: Vec<(u32, u32)>,
    /// For each set that a fair path visits infinitely often, which states are in it.
    pub fair: Vec<Vec<bool>>,
    /// Is there strong fairness besides?
    pub compassion: bool,
    /// The strength of the product, if there is an automaton.
    pub strength: Option<Strength>,
}

impl<'a, B: Bdd> Session<'a, B> {
    /// Lists the reachable states; nothing if there are more than `most`.
    pub fn listed(&self, automaton: Option<&Automaton>, most: usize) -> Result<Option<Listed>, Fail> {
        let Some(automaton) = automaton else {
            return self.list(&self.prepared.fsm, &self.prepared.graph, None, most);
        };
        let found = self.runs(automaton, None)?;
        self.list(&found.fsm, &found.graph, Some(found.strength), most)
    }

    fn list(
        &self,
        fsm: &Fsm<'a, B>,
        graph: &Symbolic<B>,
        strength: Option<Strength>,
        most: usize,
    ) -> Result<Option<Listed>, Fail> {
        if graph.count(&graph.universe) > most as f64 {
            return Ok(None);
        }
        let mut listed = Listed { strength, compassion: !fsm.compassion.is_empty(), ..Listed::default() };
        let mut found = Numbers { graph, number: HashMap::new(), all: Vec::new() };
        listed.initial = found.members(&graph.and(&fsm.init, &graph.universe)?)?;
        let mut at = 0;
        while at < found.all.len() {
            let set = found.all[at].1.clone();
            let after = found.members(&graph.post(&set)?)?;
            listed.edges.extend(after.into_iter().map(|t| (at as u32, t)));
            at += 1;
        }
        for fair in &fsm.justice {
            let inside = found.all.iter().map(|(_, set)| Ok(graph.and(set, fair)? != graph.none()));
            listed.fair.push(inside.collect::<Result<_, Stop>>()?);
        }
        let mut encoder = self.encoder();
        let own: Vec<_> = self.layout.bits.iter().flat_map(|b| b.current.iter().copied()).collect();
        for (bits, _) in &found.all {
            let place = |x| graph.vars.current.iter().position(|v| *v == x);
            let value = |x| place(x).is_some_and(|p| bits[p]);
            let state: Result<State, Fail> =
                (0..self.model.vars.len()).map(|v| concrete(&mut encoder, self.layout, v, &value)).collect();
            let added = graph.vars.current.iter().zip(bits).filter(|(v, _)| !own.contains(v));
            let added = added.map(|(_, bit)| if *bit { '1' } else { '0' }).collect();
            listed.states.push((state?, added));
        }
        Ok(Some(listed))
    }
}

/// The states that were met.
struct Numbers<'g, 'b, B: Bdd> {
    graph: &'g Symbolic<'b, B>,
    number: HashMap<Vec<bool>, u32>,
    all: Vec<(Vec<bool>, B::F)>,
}

impl<B: Bdd> Numbers<'_, '_, B> {
    /// The numbers of the states of a set.
    fn members(&mut self, set: &B::F) -> Result<Vec<u32>, Stop> {
        let mut numbers = Vec::new();
        let mut rest = set.clone();
        while let Some(bits) = self.graph.bits(&rest).filter(|_| rest != self.graph.none()) {
            let one = self.graph.state(&bits)?;
            rest = self.graph.minus(&rest, &one)?;
            let next = self.all.len() as u32;
            let number = *self.number.entry(bits.clone()).or_insert(next);
            if number == next {
                self.all.push((bits, one));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }
}
