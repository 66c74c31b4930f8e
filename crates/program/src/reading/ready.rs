//! Who may move, and what an edge needs before it can be taken.

use crate::evaluate::{Sight, count};
use crate::form::{Action, Edge, Guard, Location, Offer, Receive, Statement, Work};
use crate::frame::Queue;
use crate::ids::{EdgeId, ExprId};
use crate::machine::Fault;

/// What an action does with messages, as it is found before anything is changed.
pub(super) enum Deal<'a> {
    None,
    /// Puts a message into a queue.
    Put {
        channel: i32,
        sorted: bool,
        /// Its values, not yet cut.
        values: Vec<i32>,
    },
    /// Takes the message in a slot of a queue.
    Take {
        channel: i32,
        slot: u32,
        receive: &'a Receive,
    },
}

/// An action that can be taken.
pub(super) struct Chosen<'a> {
    pub action: &'a Action,
    pub deal: Deal<'a>,
    /// The block that it is in, and the node where it leads.
    pub then: Option<(u32, Option<u32>)>,
}

/// A send by rendezvous.
pub(super) struct Sending<'a> {
    pub channel: i32,
    pub queue: &'a Queue,
    pub values: &'a [ExprId],
    pub action: &'a Action,
}

/// What an edge needs.
pub(super) enum Ready<'a> {
    /// It cannot be taken.
    No,
    /// Nothing.
    Go(Chosen<'a>),
    /// Somebody to receive.
    Meet(Sending<'a>),
}

impl<'a> Sight<'a, '_> {
    /// Where a process is.
    pub fn at(self, pid: u32) -> Option<&'a Location> {
        let i = self.interpreter;
        let process = i.program.processes.get(i.type_of(self.s, pid)?.index())?;
        process.locations.get(i.location(self.s, pid)?.index())
    }

    /// The priority of a process; 0 where they do not matter.
    pub fn priority(self, pid: u32) -> Option<i32> {
        let i = self.interpreter;
        let &(of, base) = i.shape(self.s).processes.get(pid as usize)?;
        Some(i.frames.types[of as usize].priority.load(&self.s[base as usize..]))
    }

    /// The edges that leave the location of the process; none if others are committed and it is not.
    pub fn edges(self) -> Vec<(EdgeId, &'a Edge)> {
        let i = self.interpreter;
        let is = |pid: u32| self.at(pid).is_some_and(|l| l.committed);
        let (Some(of), Some(at)) = (i.type_of(self.s, self.me), i.location(self.s, self.me)) else {
            return Vec::new();
        };
        if i.commits && !is(self.me) && (0..i.processes(self.s)).any(is) {
            return Vec::new();
        }
        let edges = i.program.processes[of.index()].edges.iter().enumerate();
        edges.filter(|(_, e)| e.from == at).map(|(n, e)| (EdgeId::new(n), e)).collect()
    }

    /// Is the condition true under which the process may move?
    pub fn provided(self) -> Result<bool, Fault> {
        let i = self.interpreter;
        let process = i.type_of(self.s, self.me).map(|of| &i.program.processes[of.index()]);
        match process.and_then(|p| p.provided) {
            None => Ok(true),
            Some(e) => Ok(self.value(e)? != 0),
        }
    }

    /// Is the process provided for, and has no other that could move a higher priority?
    pub fn may_move(self) -> bool {
        let i = self.interpreter;
        if self.provided() == Ok(false) {
            return false;
        }
        if !i.program.scheduling.priorities {
            return true;
        }
        let mine = self.priority(self.me);
        !(0..i.processes(self.s)).any(|pid| {
            let other = Sight { me: pid, ..self };
            self.priority(pid) > mine && other.provided() != Ok(false) && other.enabled()
        })
    }

    /// Can the process move, as others see it? A send by rendezvous counts, a receive by rendezvous does not.
    pub fn enabled(self) -> bool {
        self.edges().into_iter().any(|(_, edge)| !matches!(self.ready(&edge.work, false), Ok(Ready::No)))
    }

    /// What an edge needs. `mine` tells whether the process has a step already.
    pub(super) fn ready(self, work: &'a Work, mine: bool) -> Result<Ready<'a>, Fault> {
        match work {
            Work::Action(action) if action.guard == Guard::Else && mine => Ok(Ready::No),
            Work::Action(action) => self.action_ready(action, None),
            // An `else` alone at the start of a block speaks of the other edges.
            Work::Block(b, _)
                if mine
                    && matches!(&self.interpreter.program.blocks[*b as usize].nodes[0][..], [(a, _)] if a.guard == Guard::Else) =>
            {
                Ok(Ready::No)
            }
            Work::Block(b, _) => match self.node_ready(*b, 0)? {
                Ready::Meet(_) => Err(Fault::RendezvousInStep),
                ready => Ok(ready),
            },
        }
    }

    /// The first action of a node of a block that can be taken.
    pub(super) fn node_ready(self, b: u32, node: u32) -> Result<Ready<'a>, Fault> {
        for (action, to) in &self.interpreter.program.blocks[b as usize].nodes[node as usize] {
            match self.action_ready(action, Some((b, *to)))? {
                Ready::No => {}
                ready => return Ok(ready),
            }
        }
        Ok(Ready::No)
    }

    /// `then` tells the block of the action, and where it leads. `Else` comes last, where nothing else could be taken.
    fn action_ready(self, action: &'a Action, then: Option<(u32, Option<u32>)>) -> Result<Ready<'a>, Fault> {
        let i = self.interpreter;
        // A receive by rendezvous is a step of the sender, which looks at its guard.
        let receiving = match action.offer {
            Offer::Receive(r) => {
                let receive = &i.program.receives[r as usize];
                let channel = self.value(receive.channel)?;
                let (queue, at) = self.queue(channel)?;
                if queue.capacity == 0 && !receive.keeps {
                    return Ok(Ready::No);
                }
                Some((receive, channel, queue, at))
            }
            _ => None,
        };
        if let Guard::When(e) = action.guard
            && self.value(e)? == 0
        {
            return Ok(Ready::No);
        }
        if action.effect.contains(&Statement::Exit) && self.me + 1 != i.processes(self.s) {
            return Ok(Ready::No);
        }
        let go = |deal| Ok(Ready::Go(Chosen { action, deal, then }));
        if let Some((receive, channel, queue, at)) = receiving {
            if queue.capacity == 0 {
                return Err(Fault::PollsRendezvous);
            }
            let Some(slot) = self.find(receive, queue, at)? else { return Ok(Ready::No) };
            length(queue, receive.patterns.len())?;
            return go(Deal::Take { channel, slot, receive });
        }
        let Offer::Send { channel, sorted, values } = &action.offer else { return go(Deal::None) };
        let channel = self.value(*channel)?;
        let (queue, at) = self.queue(channel)?;
        if queue.capacity > 0 && count(queue, self.s, at) >= queue.capacity {
            return Ok(Ready::No);
        }
        length(queue, values.len())?;
        if queue.capacity == 0 {
            return Ok(Ready::Meet(Sending { channel, queue, values, action }));
        }
        let values = values.iter().map(|&e| self.value(e)).collect::<Result<_, _>>()?;
        go(Deal::Put { channel, sorted: *sorted, values })
    }
}

/// A message has as many values as the channel's messages, or it is a fault to send or receive it.
pub(super) fn length(queue: &Queue, given: usize) -> Result<(), Fault> {
    let (given, wanted) = (given as u32, queue.domains.len() as u32);
    if given == wanted { Ok(()) } else { Err(Fault::WrongMessage { given, wanted }) }
}
