//! What the steps of a process may depend on and write, from the text of a program whose processes are fixed.
//!
//! More than is needed is never wrong, so what is seldom is "everything": `timeout`, `enabled`, priorities, and `else` or
//! an escape beside a send by rendezvous.

use super::form::{Action, Edge, Expr, Exprs, Guard, Offer, Pattern, Place, Program, Statement, Var, Work};
use crate::ids::{ExprId, LocId, ProcId};
use std::collections::BTreeSet;

/// Parts of a state. A process's own channels are part of its frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub everything: bool,
    /// Shared variables.
    pub shared: BTreeSet<u32>,
    /// Channels, by their numbers.
    pub channels: BTreeSet<u32>,
    /// Processes of which the location matters, and those of which everything does.
    pub locations: BTreeSet<u32>,
    pub frames: BTreeSet<u32>,
}

impl Reach {
    /// Adds what another one reaches.
    pub fn join(&mut self, other: &mut Reach) {
        self.everything |= other.everything;
        self.shared.extend(&other.shared);
        self.channels.extend(&other.channels);
        self.locations.extend(&other.locations);
        self.frames.extend(&other.frames);
    }
}

/// What depends on what.
pub(crate) struct Needs<'a> {
    program: &'a Program,
    /// For each process its type.
    types: &'a [u32],
    /// How many channels there are.
    channels: u32,
}

impl<'a> Needs<'a> {
    pub fn new(program: &'a Program, types: &'a [u32]) -> Self {
        let own = types.iter().map(|&of| program.processes[of as usize].opens.len());
        let channels = (program.opens.len() + own.sum::<usize>()) as u32;
        Needs { program, types, channels }
    }

    fn edges(&self, pid: usize, from: LocId) -> impl Iterator<Item = &'a Edge> {
        let edges = &self.program.processes[self.types[pid] as usize].edges;
        edges.iter().filter(move |e| e.from == from)
    }

    fn actions(&self, edge: &'a Edge) -> Vec<&'a Action> {
        match &edge.work {
            Work::Action(a) => vec![a],
            Work::Block(b, _) => {
                self.program.blocks[*b as usize].nodes.iter().flatten().map(|(a, _)| a).collect()
            }
        }
    }

    /// May the channel be a rendezvous?
    fn may_meet(&self, channel: ExprId) -> bool {
        match self.number(channel) {
            Some(k) => self.capacity(k) == 0,
            None => self.program.channels.iter().any(|c| c.capacity == 0),
        }
    }

    /// The number of a channel, if it is always the same.
    fn number(&self, channel: ExprId) -> Option<u32> {
        self.program.exprs.constant(channel).and_then(|k| u32::try_from(k).ok())
    }

    /// The declaration of a channel.
    fn kind(&self, k: u32) -> Option<u32> {
        let first = self.program.opens.iter();
        let own = self.types.iter().flat_map(|&of| &self.program.processes[of as usize].opens);
        first.chain(own).nth(k.checked_sub(1)? as usize).map(|o| o.channel)
    }

    fn capacity(&self, k: u32) -> u32 {
        self.kind(k).map_or(0, |kind| self.program.channels[kind as usize].capacity)
    }

    fn sends_by_rendezvous(&self, edge: &Edge) -> bool {
        match &edge.work {
            Work::Action(Action { offer: Offer::Send { channel, .. }, .. }) => self.may_meet(*channel),
            _ => false,
        }
    }

    /// May it be a run-time error to see whether an edge receives a message?
    fn may_fail(&self, edge: &'a Edge) -> bool {
        self.actions(edge).into_iter().any(|a| {
            let Offer::Receive(r) = a.offer else { return false };
            let receive = &self.program.receives[r as usize];
            let known =
                |p: &Pattern| !matches!(p, Pattern::Match(e) if self.program.exprs.constant(*e).is_none());
            let fits = match self.number(receive.channel).and_then(|k| self.kind(k)) {
                Some(kind) => self.program.channels[kind as usize].fields.len() == receive.patterns.len(),
                None => false,
            };
            !fits || a.guard != Guard::Always || !receive.patterns.iter().all(known)
        })
    }

    /// What the steps of a process from a location may reach, if it moves alone.
    pub fn alone(&self, pid: usize, from: LocId) -> Reach {
        let mut reach = self.ready(pid, from);
        let process = &self.program.processes[self.types[pid] as usize];
        let meets = self.edges(pid, from).any(|e| self.sends_by_rendezvous(e));
        let choosy = self.edges(pid, from).any(|e| {
            let otherwise = matches!(&e.work, Work::Action(a) if a.guard == Guard::Else);
            otherwise || e.rank > 0
        });
        reach.everything |= self.program.scheduling.priorities || meets && choosy;
        // A receive that is a run-time error is a step of the sender alone.
        for (other, location) in self.partners(pid, from) {
            if self.edges(other as usize, LocId(location)).any(|e| self.may_fail(e)) {
                reach.join(&mut self.ready(other as usize, LocId(location)));
            }
        }
        process.provided.into_iter().for_each(|e| self.expr(pid, e, &mut reach));
        reach.shared.extend(self.program.last);
        reach
    }

    /// What the edges of a location may reach, and what tells whether the process goes on where it keeps control.
    fn ready(&self, pid: usize, from: LocId) -> Reach {
        let mut reach = Reach::default();
        // The frame is zeroed when the process dies.
        reach.frames.insert(pid as u32);
        for edge in self.edges(pid, from) {
            self.actions(edge).into_iter().for_each(|a| self.action(pid, a, &mut reach));
            if edge.keeps {
                for next in self.edges(pid, edge.to) {
                    reach.everything |= self.sends_by_rendezvous(next);
                    self.actions(next).into_iter().for_each(|a| self.action(pid, a, &mut reach));
                }
            }
        }
        reach
    }

    /// Processes, with their locations, that may receive what process `pid` sends by rendezvous from a location.
    pub fn partners(&self, pid: usize, from: LocId) -> Vec<(u32, u32)> {
        let mut partners = BTreeSet::new();
        let sends = self.edges(pid, from).filter(|e| self.sends_by_rendezvous(e));
        let wanted: Vec<Option<u32>> = sends
            .filter_map(|e| match &e.work {
                Work::Action(Action { offer: Offer::Send { channel, .. }, .. }) => {
                    Some(self.number(*channel))
                }
                _ => None,
            })
            .collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        for (other, &of) in self.types.iter().enumerate().filter(|&(other, _)| other != pid) {
            for edge in &self.program.processes[of as usize].edges {
                let fits = self.actions(edge).into_iter().any(|a| match a.offer {
                    Offer::Receive(r) => {
                        let k = self.number(self.program.receives[r as usize].channel);
                        wanted.iter().any(|w| w.is_none() || k.is_none() || *w == k)
                    }
                    _ => false,
                });
                if fits {
                    partners.insert((other as u32, edge.from.0));
                }
            }
        }
        partners.into_iter().collect()
    }

    /// What a proposition may reach.
    pub fn proposition(&self, e: ExprId) -> Reach {
        let mut reach = Reach::default();
        self.expr(usize::MAX, e, &mut reach);
        reach
    }

    fn place(&self, pid: usize, place: Place, reach: &mut Reach) {
        match place.var {
            Var::Shared(v) => {
                reach.shared.insert(v);
            }
            Var::Local(_) => {
                reach.frames.insert(pid as u32);
            }
            Var::Remote(p, ..) => self.all_of(p, reach),
        }
        place.index.into_iter().for_each(|i| self.expr(pid, i, reach));
    }

    fn all_of(&self, p: ProcId, reach: &mut Reach) {
        let same = (0..).zip(self.types).filter(|(_, of)| **of == p.0);
        reach.frames.extend(same.map(|(pid, _): (u32, _)| pid));
    }

    fn channel(&self, pid: usize, channel: ExprId, reach: &mut Reach) {
        self.expr(pid, channel, reach);
        match self.number(channel) {
            Some(k) => {
                reach.channels.insert(k);
            }
            None => reach.channels.extend(1..=self.channels),
        }
    }

    fn receive(&self, pid: usize, r: u32, reach: &mut Reach) {
        let receive = &self.program.receives[r as usize];
        self.channel(pid, receive.channel, reach);
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Match(e) => self.expr(pid, *e, reach),
                Pattern::Bind(place) => self.place(pid, *place, reach),
            }
        }
    }

    fn expr(&self, pid: usize, root: ExprId, reach: &mut Reach) {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.program.exprs.get(e);
            match expr {
                Expr::Read(place) => self.place(pid, place, reach),
                Expr::Channel(_, channel) => self.channel(pid, channel, reach),
                Expr::Poll(r) => self.receive(pid, r, reach),
                Expr::At(p, ..) => {
                    let same = (0..).zip(self.types).filter(|(_, of)| **of == p.0);
                    reach.locations.extend(same.map(|(pid, _): (u32, _)| pid));
                }
                Expr::NonProgress | Expr::Accepting => reach.locations.extend(0..self.types.len() as u32),
                Expr::Timeout | Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) => {
                    reach.everything = true;
                }
                Expr::Const(_)
                | Expr::Pid
                | Expr::Processes
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::If(..)
                | Expr::Bounded(..) => {}
            }
            todo.extend(Exprs::operands(expr));
        }
    }

    fn action(&self, pid: usize, action: &Action, reach: &mut Reach) {
        if let Guard::When(e) = action.guard {
            self.expr(pid, e, reach);
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, values, .. } => {
                self.channel(pid, *channel, reach);
                values.iter().for_each(|&e| self.expr(pid, e, reach));
            }
            Offer::Receive(r) => self.receive(pid, *r, reach),
        }
        for statement in &action.effect {
            match statement {
                Statement::Assign(place, value) => {
                    self.place(pid, *place, reach);
                    self.expr(pid, *value, reach);
                }
                Statement::Assert(e) => self.expr(pid, *e, reach),
                Statement::Run { .. } | Statement::SetPriority(..) => reach.everything = true,
                Statement::Print(_) | Statement::Exit => {}
            }
        }
    }
}
