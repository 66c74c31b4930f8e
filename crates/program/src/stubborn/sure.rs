//! Inside an atomic sequence nobody else moves, so what was tested is still true: a queue that was not empty when the
//! sequence began can be received from, one that was not full can be sent to, until the sequence itself uses it. Such edges
//! are *sure*: nobody decides whether they can be taken.

use super::edge::{Env, Reader};
use crate::Binary::{Ge, Gt, Ne};
use crate::form::{Action, Expr, Guard, Offer, Pattern, Query, Work};
use crate::ids::{ExprId, ProcId};
use std::collections::BTreeSet;

/// What is known of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    NonEmpty(i32),
    NonFull(i32),
}

type Facts = BTreeSet<Fact>;

impl Reader<'_> {
    /// For each edge of a process: is it sure?
    pub fn sure<'k>(&self, p: ProcId, env: &dyn Fn(usize) -> Env<'k>) -> Vec<bool> {
        let process = &self.program.processes[p.index()];
        if !process.edges.iter().any(|e| e.keeps) {
            return vec![false; process.edges.len()];
        }
        // Nothing if it is not known yet how a location is reached.
        let mut at: Vec<Option<Facts>> = vec![None; process.locations.len()];
        at[process.initial.index()] = Some(Facts::new());
        let mut again = true;
        while std::mem::take(&mut again) {
            for (e, edge) in process.edges.iter().enumerate() {
                let Some(facts) = at[edge.from.index()].clone() else { continue };
                // Where a process may have to wait, others may have moved.
                let here = || process.edges.iter().enumerate().filter(|(_, o)| o.from == edge.from);
                let waits = !here().any(|(o, other)| self.is_sure(&env(o), &other.work, &facts));
                let after = match &edge.work {
                    Work::Action(action) if edge.keeps => {
                        self.after(&env(e), action, if waits { Facts::new() } else { facts })
                    }
                    _ => Facts::new(),
                };
                let to = &mut at[edge.to.index()];
                let met = match to {
                    None => after,
                    Some(known) => known.intersection(&after).copied().collect(),
                };
                if to.as_ref() != Some(&met) {
                    *to = Some(met);
                    again = true;
                }
            }
        }
        let sure = |(e, edge): (usize, &crate::form::Edge)| {
            at[edge.from.index()].as_ref().is_some_and(|facts| self.is_sure(&env(e), &edge.work, facts))
        };
        process.edges.iter().enumerate().map(sure).collect()
    }

    /// The number of a channel, if it is a queue of which there is one.
    fn one_queue(&self, env: &Env, channel: ExprId) -> Option<i32> {
        let values = self.values(env, channel)?;
        let [k] = values[..] else { return None };
        matches!(self.cells.channels(Some(&values))[..], [(_, true, false)]).then_some(k)
    }

    fn is_sure(&self, env: &Env, work: &Work, facts: &Facts) -> bool {
        let Work::Action(action) = work else { return false };
        if action.guard != Guard::Always || action.effect.contains(&crate::form::Statement::Exit) {
            return false;
        }
        let knows = |channel: ExprId, fact: fn(i32) -> Fact| {
            self.one_queue(env, channel).is_some_and(|k| facts.contains(&fact(k)))
        };
        match &action.offer {
            Offer::None => true,
            Offer::Send { channel, .. } => knows(*channel, Fact::NonFull),
            Offer::Receive(r) => {
                let receive = &self.program.receives[*r as usize];
                let takes_any = receive.patterns.iter().all(|p| !matches!(p, Pattern::Match(_)));
                takes_any && knows(receive.channel, Fact::NonEmpty)
            }
        }
    }

    /// What is known after an action.
    fn after(&self, env: &Env, action: &Action, mut facts: Facts) -> Facts {
        let exprs = &self.program.exprs;
        if let Guard::When(e) = action.guard {
            for part in exprs.conjuncts(e) {
                let known = match exprs.get(part) {
                    Expr::Channel(Query::NonEmpty, c) => self.one_queue(env, c).map(Fact::NonEmpty),
                    Expr::Channel(Query::NonFull, c) => self.one_queue(env, c).map(Fact::NonFull),
                    Expr::Binary(Gt | Ne, a, b) if exprs.constant(b) == Some(0) => self.length(env, a),
                    Expr::Binary(Ge, a, b) if exprs.constant(b) == Some(1) => self.length(env, a),
                    _ => None,
                };
                facts.extend(known);
            }
        }
        let (channel, then): (_, fn(i32) -> Fact) = match &action.offer {
            Offer::None => return facts,
            Offer::Send { channel, .. } => (*channel, Fact::NonEmpty),
            Offer::Receive(r) => (self.program.receives[*r as usize].channel, Fact::NonFull),
        };
        match self.one_queue(env, channel) {
            None => Facts::new(),
            Some(k) => {
                facts.retain(|f| !matches!(f, Fact::NonEmpty(c) | Fact::NonFull(c) if *c == k));
                facts.insert(then(k));
                facts
            }
        }
    }

    fn length(&self, env: &Env, e: ExprId) -> Option<Fact> {
        match self.program.exprs.get(e) {
            Expr::Channel(Query::Len, c) => self.one_queue(env, c).map(Fact::NonEmpty),
            _ => None,
        }
    }
}
