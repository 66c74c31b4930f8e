//! Rendezvous: who receives, and what both do.

use super::act::Mover;
use super::ready::{Sending, length};
use super::{Reading, hidden, order};
use crate::evaluate::Sight;
use crate::form::{Action, Edge, Guard, Offer, Receive, Work};
use crate::ids::EdgeId;
use crate::interp::Step;
use crate::machine::Fault;

/// The block that an action begins, and where that goes on.
type Then = Option<(u32, Option<u32>)>;

/// The receiving side.
pub(super) struct Accepted<'a> {
    edge: &'a Edge,
    action: &'a Action,
    receive: &'a Receive,
    message: Vec<i32>,
    then: Then,
}

/// Somebody who receives, by which edge, or a fault on the way to it; nobody for a fault of the sender alone.
pub(super) struct Meeting<'a> {
    partner: Option<(u32, EdgeId)>,
    accepted: Result<Accepted<'a>, Fault>,
}

impl<'a> Sight<'a, '_> {
    /// The message, cut to the widths of the channel.
    fn sent(self, sending: &Sending) -> Result<Vec<i32>, Fault> {
        let cut = |(&e, domain): (_, &crate::Domain)| self.value(e).map(|v| domain.wrap(v));
        sending.values.iter().zip(&sending.queue.domains).map(cut).collect()
    }

    /// All who can receive, in their order.
    pub(super) fn meetings(self, sending: &Sending<'a>) -> Vec<Meeting<'a>> {
        let mut all = Vec::new();
        if !self.interpreter.program.scheduling.lazy
            && let Err(fault) = self.sent(sending)
        {
            return vec![Meeting { partner: None, accepted: Err(fault) }];
        }
        for pid in order(self.interpreter, self.s).into_iter().filter(|&pid| pid != self.me) {
            let other = Sight { me: pid, ..self };
            let mut taken = None;
            for (number, edge) in other.edges() {
                if hidden(taken, edge) {
                    break;
                }
                let accepted = match self.accepts(other, edge, sending) {
                    Ok(None) => continue,
                    Ok(Some(_)) if !other.may_move() => continue,
                    Ok(Some(accepted)) => Ok(accepted),
                    Err(fault) => Err(fault),
                };
                taken = Some(edge.rank);
                all.push(Meeting { partner: Some((pid, number)), accepted });
            }
        }
        all
    }

    /// Does an edge of another process take what is sent? A block may begin with a receive: the first that fits.
    fn accepts(self, other: Sight, edge: &'a Edge, sending: &Sending) -> Result<Option<Accepted<'a>>, Fault> {
        let program = &self.interpreter.program;
        let options: Vec<(&Action, Then)> = match &edge.work {
            Work::Action(action) => vec![(action, None)],
            Work::Block(b, _) => {
                let first = &program.blocks[*b as usize].nodes[0];
                first.iter().map(|(action, to)| (action, Some((*b, *to)))).collect()
            }
        };
        for (action, then) in options {
            let Offer::Receive(r) = action.offer else { continue };
            let receive = &program.receives[r as usize];
            if other.value(receive.channel)? != sending.channel {
                continue;
            }
            if let Guard::When(e) = action.guard
                && other.value(e)? == 0
            {
                continue;
            }
            let message = self.sent(sending)?;
            if other.fits(receive, &message)? {
                length(sending.queue, receive.patterns.len())?;
                return Ok(Some(Accepted { edge, action, receive, message, then }));
            }
        }
        Ok(None)
    }

    /// All steps of a send by rendezvous: the receiver does what it does, and then the sender.
    pub(super) fn meet(self, number: EdgeId, edge: &'a Edge, sending: &Sending<'a>) -> Vec<Reading> {
        let mut all = Vec::new();
        for Meeting { partner, accepted } in self.meetings(sending) {
            let step = Step { pid: self.me, edge: number, partner };
            all.push(match (accepted, partner) {
                (Err(fault), _) => self.fails(step, fault, Vec::new()),
                (Ok(accepted), Some((other, _))) => {
                    let mut mover = Mover::new(self);
                    let done = mover.handshake(other, edge, &accepted, sending);
                    self.settle(step, done, mover, accepted.edge.keeps.then_some(other))
                }
                (Ok(_), None) => continue,
            });
        }
        all
    }
}

impl<'a> Mover<'a> {
    fn handshake(
        &mut self,
        other: u32,
        edge: &'a Edge,
        accepted: &Accepted<'a>,
        sending: &Sending<'a>,
    ) -> Result<(), Fault> {
        let (sender, channel, message) = (self.me, sending.channel, &accepted.message);
        self.tell_sent(channel, message, None);
        self.go(sender, edge);
        self.me = other;
        self.tell_received(channel, message, None, false);
        let early = self.interpreter.program.scheduling.early;
        if early {
            self.go(other, accepted.edge);
        }
        self.observe(true, channel, message)?;
        self.observe(false, channel, message)?;
        self.bind(accepted.receive, message)?;
        self.effect(&accepted.action.effect)?;
        if let Some((b, node)) = accepted.then {
            self.block(b, node)?;
        }
        if !early {
            self.go(other, accepted.edge);
        }
        self.me = sender;
        self.effect(&sending.action.effect)
    }
}
