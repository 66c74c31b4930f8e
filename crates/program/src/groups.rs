//! Which steps an [observer](crate::Observer) tries together.

use crate::code::{ActionCode, ChannelCode, EdgeCode, GuardCode, OfferCode, WorkCode};
use crate::interp::{Interpreter, TypeCode};
use crate::shape::Shape;

/// A rendezvous, or those of an edge with all edges that leave a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// The sender and its location.
    pub sender: (u32, u32),
    /// Its edge, by its place among the edges of its type.
    pub edge: u32,
    /// The receiver and its location.
    pub receiver: (u32, u32),
    /// The first of its edges, counted from the first of the location.
    pub first: u32,
    /// The first that is not meant any more.
    pub until: u32,
}

/// Steps that are tried together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Group {
    /// Those of a process that is at a location.
    Own {
        /// Process and location.
        at: (u32, u32),
        /// With those that need a partner?
        whole: bool,
        /// Those that can be taken where nothing else can?
        timeout: bool,
    },
    /// Those of two processes that meet.
    Meet(Meeting),
    /// All.
    All,
}

/// The groups of a program in whose initial state the processes are these.
pub(super) fn groups(interpreter: &Interpreter, all: &Shape) -> Vec<Group> {
    if interpreter.program.scheduling.lockstep {
        return vec![Group::All];
    }
    let maker = Maker { interpreter, all };
    let mut groups = Vec::new();
    for (pid, &(of, _)) in (0u32..).zip(&all.processes) {
        let code = &interpreter.types[of as usize];
        for (from, &(lo, hi)) in (0u32..).zip(&code.ranges).filter(|(_, (lo, hi))| lo < hi) {
            let at = (pid, from);
            let edges = &code.edges[lo as usize..hi as usize];
            let sends = edges.iter().any(|e| maker.sends(e));
            let whole = sends && edges.iter().any(|e| e.rank > 0 || is_else(e));
            groups.push(Group::Own { at, whole, timeout: false });
            if interpreter.uses_timeout {
                groups.push(Group::Own { at, whole: true, timeout: true });
            }
            if sends && !whole {
                (lo..hi).for_each(|edge| maker.meetings(at, edge, code, &mut groups));
            }
        }
    }
    groups
}

struct Maker<'a> {
    interpreter: &'a Interpreter,
    all: &'a Shape,
}

impl Maker<'_> {
    /// May it be a rendezvous channel? What is no channel is a fault, which is found out elsewhere.
    fn may_meet(&self, channel: ChannelCode) -> bool {
        let capacity = |kind: u32| self.interpreter.frames.queues[kind as usize].capacity;
        match channel {
            ChannelCode::Known(k) => {
                let found = usize::try_from(k).ok().and_then(|k| self.all.channels.get(k.checked_sub(1)?));
                found.is_some_and(|&(kind, _)| capacity(kind) == 0)
            }
            ChannelCode::Code(_) => self.all.channels.iter().any(|&(kind, _)| capacity(kind) == 0),
        }
    }

    /// May the edge send by rendezvous?
    fn sends(&self, edge: &EdgeCode) -> bool {
        match &edge.work {
            WorkCode::Action(ActionCode { offer: OfferCode::Send { channel, .. }, .. }) => {
                self.may_meet(*channel)
            }
            _ => false,
        }
    }

    /// May the edge receive from this channel, by rendezvous?
    fn receives(&self, edge: &EdgeCode, sent: ChannelCode) -> bool {
        let does = |action: &ActionCode| {
            let OfferCode::Receive(r) = action.offer else { return false };
            let Some(receive) = &self.interpreter.receives[r as usize] else { return false };
            match (sent, receive.channel) {
                (ChannelCode::Known(a), ChannelCode::Known(b)) => a == b,
                (_, channel) => self.may_meet(channel),
            }
        };
        match &edge.work {
            WorkCode::Action(action) => does(action),
            WorkCode::Block(b, _) => {
                let block = &self.interpreter.blocks[*b as usize];
                block.iter().flat_map(|b| &b.nodes[0]).any(|(action, _)| does(action))
            }
        }
    }

    /// All rendezvous of an edge that leaves a location.
    fn meetings(&self, sender: (u32, u32), edge: u32, code: &TypeCode, groups: &mut Vec<Group>) {
        let WorkCode::Action(ActionCode { offer: OfferCode::Send { channel, .. }, .. }) =
            code.edges[edge as usize].work
        else {
            return;
        };
        if !self.may_meet(channel) {
            return;
        }
        let others = (0u32..).zip(&self.all.processes).filter(|(pid, _)| *pid != sender.0);
        for (pid, &(of, _)) in others {
            let other = &self.interpreter.types[of as usize];
            for (there, &(lo, hi)) in (0u32..).zip(&other.ranges) {
                // Either both leave committed locations, or nobody may be at one.
                if code.committed[sender.1 as usize] != other.committed[there as usize] {
                    continue;
                }
                let edges = &other.edges[lo as usize..hi as usize];
                let receiver = (pid, there);
                let takes = (0u32..).zip(edges).filter(|(_, e)| self.receives(e, channel));
                if edges.iter().any(|e| e.rank > 0) {
                    // An edge that is taken hides others.
                    if takes.count() > 0 {
                        let until = hi - lo;
                        groups.push(Group::Meet(Meeting { sender, edge, receiver, first: 0, until }));
                    }
                    continue;
                }
                groups.extend(takes.map(|(first, _)| {
                    Group::Meet(Meeting { sender, edge, receiver, first, until: first + 1 })
                }));
            }
        }
    }
}

fn is_else(edge: &EdgeCode) -> bool {
    matches!(edge.work, WorkCode::Action(ActionCode { guard: GuardCode::Else, .. }))
}
