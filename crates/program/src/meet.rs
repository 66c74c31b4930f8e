//! Rendezvous: a sender looks for receivers, and both move in one step.

use crate::act::cut;
use crate::code::{ActionCode, EdgeCode, GuardCode, OfferCode, ReceiveCode, WorkCode};
use crate::context::Context;
use crate::domain::MAX_MESSAGE;
use crate::ids::EdgeId;
use crate::interp::{Cursor, Interpreter, Message, Step};
use crate::memory::{CopyOf, Reader};
use crate::step::{Attempt, channel_at, check_length};
use riata_source::Span;
use riata_system::ActionId;

/// A receive that begins a block, and where the block goes on.
type Begins<'b> = (&'b ActionCode, &'b ReceiveCode, Option<(u32, Option<u32>, Span)>);

/// The sending side of a rendezvous.
pub(super) struct Sent<'b> {
    edge: &'b EdgeCode,
    channel: i32,
    message: Message,
    /// Is the message evaluated?
    known: bool,
}

impl<'b> Sent<'b> {
    /// What an edge sends to this channel, to be evaluated.
    pub fn new(edge: &'b EdgeCode, channel: i32) -> Self {
        Sent { edge, channel, message: [0; MAX_MESSAGE], known: false }
    }
}

/// The receiving side of a rendezvous.
struct Partner<'b> {
    edge: &'b EdgeCode,
    action: &'b ActionCode,
    receive: &'b ReceiveCode,
    /// The block that it begins: where that goes on.
    then: Option<(u32, Option<u32>, Span)>,
}

impl Interpreter {
    /// Is there somebody who takes part in the rendezvous of a sending edge?
    pub(super) fn partners<S: Reader>(
        &self,
        edge: &EdgeCode,
        channel: i32,
        context: &mut Context<S>,
        committed: bool,
    ) -> bool {
        let mut sent = Sent::new(edge, channel);
        if self.announce(&mut sent, context).is_err() {
            return true;
        }
        (1..=context.shape.processes.len() as u16).rev().any(|left| {
            let pid = self.pid(left, context.shape);
            let mut at = Cursor { committed, ..Cursor::default() };
            let Some(location) = self.receives_at(pid, channel, context, committed) else { return false };
            !matches!(self.partner((pid, location, u32::MAX), &mut sent, context, &mut at), Ok(None))
        })
    }

    /// Evaluates the message before somebody is found to receive it, if that makes a difference.
    #[inline]
    pub(super) fn announce<S: Reader>(&self, sent: &mut Sent, context: &mut Context<S>) -> Attempt<()> {
        match &sent.edge.work {
            WorkCode::Action(ActionCode { offer: OfferCode::Send { fails: true, .. }, .. })
                if !self.program.scheduling.lazy =>
            {
                self.message(sent, context)
            }
            _ => Ok(()),
        }
    }

    /// Evaluates the message that an edge sends by rendezvous.
    fn message<S: Reader>(&self, sent: &mut Sent, context: &mut Context<S>) -> Attempt<()> {
        if let WorkCode::Action(ActionCode { offer: OfferCode::Send { message: values, .. }, span, .. }) =
            &sent.edge.work
        {
            self.run(*values, context, &mut sent.message)?;
            let (queue, _) = channel_at(context, sent.channel, *span)?;
            cut(queue, &mut sent.message);
            sent.known = true;
        }
        Ok(())
    }

    /// The location of another process, if it may receive there from a channel by rendezvous.
    #[inline(always)]
    pub(super) fn receives_at<S: Reader>(
        &self,
        pid: u32,
        channel: i32,
        context: &Context<S>,
        committed: bool,
    ) -> Option<u32> {
        // Those that have ended do not come back.
        if pid == context.me || pid as usize >= context.shape.processes.len() {
            return None;
        }
        let (of, base) = context.shape.processes[pid as usize];
        let (code, field) = (&self.types[of as usize], self.frames.types[of as usize].location);
        context.s.which(field, base, code.receives.len(), |l| {
            code.receives[l] >> (channel & 63) & 1 != 0 && (!committed || code.committed[l])
        })
    }

    /// The next edge of a process at a location with which it takes part in a rendezvous, of its edges up to a number. A
    /// fault is that of the edge at hand, which is passed over.
    fn partner<'b, S: Reader>(
        &'b self,
        (pid, location, until): (u32, u32, u32),
        sent: &mut Sent,
        context: &mut Context<S>,
        at: &mut Cursor,
    ) -> Attempt<Option<Partner<'b>>> {
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = code.ranges[location as usize];
        let mut other = Context { me: pid, base, ..*context };
        let mut may = None;
        while at.partner_edge < until && lo + at.partner_edge < hi {
            let edge = &code.edges[(lo + at.partner_edge) as usize];
            if at.partner_rank > 1 && edge.rank + 1 != at.partner_rank {
                break;
            }
            at.partner_edge += 1;
            let found = match &edge.work {
                WorkCode::Action(action) => {
                    self.receives_now(action, sent, context, &mut other)?.map(|r| (action, r, None))
                }
                // A deterministic step may begin with a receive: the first that fits.
                WorkCode::Block(b, span) => {
                    self.block_receives(*b, *span, sent, (&mut *context, &mut other))?
                }
            };
            if let Some((action, receive, then)) = found
                && *may.get_or_insert_with(|| !self.scheduled || self.may_move(&mut other))
            {
                return Ok(Some(Partner { edge, action, receive, then }));
            }
        }
        Ok(None)
    }

    fn block_receives<'b, S: Reader>(
        &'b self,
        b: u32,
        span: Span,
        sent: &mut Sent,
        (sender, receiver): (&mut Context<S>, &mut Context<S>),
    ) -> Attempt<Option<Begins<'b>>> {
        let Some(block) = &self.blocks[b as usize] else { return Ok(None) };
        for (action, to) in &block.nodes[0] {
            if let Some(receive) = self.receives_now(action, sent, sender, receiver)? {
                return Ok(Some((action, receive, Some((b, *to, span)))));
            }
        }
        Ok(None)
    }

    /// Does an action of the receiver take what is sent, by rendezvous?
    fn receives_now<'b, S: Reader>(
        &'b self,
        action: &ActionCode,
        sent: &mut Sent,
        sender: &mut Context<S>,
        receiver: &mut Context<S>,
    ) -> Attempt<Option<&'b ReceiveCode>> {
        let OfferCode::Receive(r) = action.offer else { return Ok(None) };
        let Some(receive) = &self.receives[r as usize] else { return Ok(None) };
        if self.channel_of(receiver, receive.channel)? != sent.channel {
            return Ok(None);
        }
        if let GuardCode::When(pc) = action.guard
            && receiver.value(pc)? == 0
        {
            return Ok(None);
        }
        if !sent.known {
            self.message(sent, sender)?;
        }
        if !receiver.fits(receive, &sent.message)? {
            return Ok(None);
        }
        let (queue, _) = channel_at(receiver, sent.channel, receive.span)?;
        check_length(queue, receive.patterns.len() as u32, receive.span)?;
        Ok(Some(receive))
    }

    /// The next rendezvous of a sending edge; none and the cursor advanced to the next edge.
    pub(super) fn meet<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        edge: &EdgeCode,
        channel: i32,
        context: &mut Context<S>,
        at: &mut Cursor,
        dst: &mut T,
    ) -> Option<ActionId> {
        let mut sent = Sent::new(edge, channel);
        if let Err(trap) = self.announce(&mut sent, context) {
            at.partner = 0;
            at.edge += 1;
            self.settle(Err(trap), 0, at, dst);
            at.step = Some(Step { pid: context.me, edge: EdgeId(edge.number), partner: None });
            return Some(ActionId(context.me | context.me << 8));
        }
        let known = usize::try_from(channel - 1).ok().and_then(|c| self.receivers.get(c));
        if at.partner == 0 && !at.alone {
            at.partner = known.map_or(context.shape.processes.len(), Vec::len) as u16;
            (at.partner_edge, at.partner_rank) = (0, 0);
        }
        while at.partner > 0 {
            let pid = match known {
                Some(pids) => pids[pids.len() - usize::from(at.partner)],
                None => self.pid(at.partner, context.shape),
            };
            if let Some(location) = self.receives_at(pid, channel, context, at.committed)
                && let Some(action) = self.meet_with((pid, location, u32::MAX), &mut sent, context, at, dst)
            {
                return Some(action);
            }
            at.partner -= 1;
            (at.partner_edge, at.partner_rank) = (0, 0);
        }
        at.edge += 1;
        None
    }

    /// The next rendezvous with one receiver at a location, its edges tried up to a number.
    pub(super) fn meet_with<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        (other, location, until): (u32, u32, u32),
        sent: &mut Sent,
        context: &mut Context<S>,
        at: &mut Cursor,
        dst: &mut T,
    ) -> Option<ActionId> {
        let edge = match self.partner((other, location, until), sent, context, at) {
            Ok(None) => return None,
            Ok(Some(partner)) => {
                let done = self.handshake(sent, (other, &partner), context, dst).map(|n| at.violations += n);
                self.settle(done, if partner.edge.keeps { other + 1 } else { 0 }, at, dst);
                partner.edge
            }
            Err(trap) => {
                let code = &self.types[context.shape.processes[other as usize].0 as usize];
                let (lo, _) = code.ranges[location as usize];
                self.settle(Err(trap), 0, at, dst);
                &code.edges[(lo + at.partner_edge - 1) as usize]
            }
        };
        at.partner_rank = edge.rank + 1;
        let partner = Some((other, EdgeId(edge.number)));
        at.step = Some(Step { pid: context.me, edge: EdgeId(sent.edge.number), partner });
        Some(ActionId(context.me | other << 8))
    }

    /// Takes both edges of a rendezvous: both go on, the receiver does what it does, and then the sender. Tells how many
    /// assertions they violate.
    fn handshake<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        sent: &mut Sent,
        (other, partner): (u32, &Partner),
        context: &Context<S>,
        dst: &mut T,
    ) -> Attempt<u32> {
        let mut to = self.copy(context, dst);
        self.go(&mut to, sent.edge.to);
        let sender = (to.me, to.base);
        (to.me, to.base) = (other, context.shape.processes[other as usize].1);
        if self.early {
            self.go(&mut to, partner.edge.to);
        }
        self.observe(true, sent.channel, &sent.message, &mut to)?;
        self.observe(false, sent.channel, &sent.message, &mut to)?;
        self.run(partner.receive.bind, &mut to, &mut sent.message)?;
        self.effect(&partner.action.pieces, &mut to)?;
        if let Some((b, node, span)) = partner.then {
            self.block(b, node, span, &mut to)?;
        }
        if !self.early {
            self.go(&mut to, partner.edge.to);
        }
        (to.me, to.base) = sender;
        if let WorkCode::Action(action) = &sent.edge.work {
            self.effect(&action.pieces, &mut to)?;
        }
        Ok(to.violations)
    }
}
