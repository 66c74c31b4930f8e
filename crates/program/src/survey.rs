//! What a whole state space has in it: which statements are ever taken, and what the propositions ever say.
//!
//! A search does not keep this. Whoever wants to know walks through the states that the search stored, once more, and
//! shows them to a survey.

use crate::form::{Edge, Statement, Work};
use crate::ids::{LocId, ProcId};
use crate::interp::{Cursor, Interpreter, Step};
use riata_source::Span;
use riata_system::System;
use std::collections::HashSet;

/// The most different valuations that are kept.
const MOST: usize = 4096;

/// What was seen so far.
#[derive(Debug)]
pub struct Survey<'a> {
    interpreter: &'a Interpreter,
    /// For each process type and edge: was it taken?
    taken: Vec<Vec<bool>>,
    missing: usize,
    valuations: HashSet<u64>,
    slot: Vec<u32>,
}

impl<'a> Survey<'a> {
    /// Nothing was seen yet.
    pub fn new(interpreter: &'a Interpreter) -> Self {
        let processes = &interpreter.program().processes;
        let taken: Vec<Vec<bool>> = processes.iter().map(|p| vec![false; p.edges.len()]).collect();
        let missing = taken.iter().map(Vec::len).sum();
        let slot = vec![0; interpreter.words()];
        Survey { interpreter, taken, missing, valuations: HashSet::new(), slot }
    }

    /// Looks at a state in which control is free, and at those between it and the next such states.
    pub fn visit(&mut self, s: &[u32]) {
        let i = self.interpreter;
        let mut todo = vec![s.to_vec()];
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        while let Some(s) = todo.pop() {
            if i.is_fault(&s) {
                continue;
            }
            if self.valuations.len() < MOST {
                self.valuations.insert(i.valuation(&s).0);
            }
            let mut at = Cursor::default();
            while i.next(&s, &mut at, &mut self.slot).is_some() {
                if let Some(step) = at.step {
                    self.take(&s, step);
                }
                if i.holder(&self.slot).is_some() {
                    let held = self.slot[..i.len(&self.slot)].to_vec();
                    if seen.insert(held.clone()) {
                        todo.push(held);
                    }
                }
            }
        }
    }

    fn take(&mut self, s: &[u32], step: Step) {
        for (pid, edge) in [(step.pid, step.edge)].into_iter().chain(step.partner) {
            let Some(of) = self.interpreter.type_of(s, pid) else { continue };
            let taken = &mut self.taken[of.index()][edge.index()];
            self.missing -= usize::from(!*taken);
            *taken = true;
        }
    }

    /// Were all edges taken, so that nothing more can be learnt of them?
    pub fn all_taken(&self) -> bool {
        self.missing == 0
    }

    /// All valuations that occurred; none if there were too many.
    pub fn valuations(&self) -> Option<&HashSet<u64>> {
        (self.valuations.len() < MOST).then_some(&self.valuations)
    }

    /// The statements that were taken, for a process type. That it ends counts as soon as it could: a process waits for
    /// those that it has started.
    pub fn reached(&self, p: ProcId) -> HashSet<Span> {
        let process = &self.interpreter.program().processes[p.index()];
        let mut reached: HashSet<Span> = HashSet::new();
        let mut places: HashSet<LocId> = HashSet::from([process.initial]);
        for (edge, _) in process.edges.iter().zip(&self.taken[p.index()]).filter(|(_, taken)| **taken) {
            reached.insert(edge.span());
            reached.extend(edge.merged.iter().copied());
            places.insert(edge.to);
        }
        let ends =
            |edge: &&Edge| matches!(&edge.work, Work::Action(a) if a.effect.contains(&Statement::Exit));
        let ended = process.edges.iter().filter(ends).filter(|e| places.contains(&e.from));
        reached.extend(ended.map(Edge::span));
        reached
    }
}
