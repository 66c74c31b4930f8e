//! One step after another: which edges of a state can be taken.

use crate::claimed::{ClaimPlace, Wrong};
use crate::closed::{ALL, EDGES};
use crate::code::{ActionCode, ChannelCode, EdgeCode, GuardCode, OfferCode, ReceiveCode, WorkCode};
use crate::context::{Context, ContextMut};
use crate::frame::Queue;
use crate::head::Failed;
use crate::ids::EdgeId;
use crate::interp::{Cursor, Interpreter, Step, TypeCode};
use crate::machine::{self, Fault, Trap};
use crate::memory::{CopyOf, Reader, Writer};
use crate::shape::Shape;
use riata_source::Span;
use riata_system::ActionId;

/// What an edge needs of others before it can be taken.
pub(super) enum Ready {
    No,
    /// It can be taken now.
    Yes,
    /// It takes the message in this slot of a queue.
    Take(u32),
    /// It is a block that begins with this action of its first node, and the message in this slot.
    Begin(u32, Option<u32>),
    /// It needs a receiver at this channel.
    Meet(i32),
}

/// An action of a node of a block, by its number, and what it needs.
type Chosen = (u32, Ready);

pub(super) type Attempt<T> = Result<T, Trap>;

impl Interpreter {
    /// The next step from `src`, which is not the fault state.
    pub(crate) fn advance(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let shape = self.shape(src);
        if !at.started {
            at.started = true;
            self.begin(src, at);
        }
        let holder = self.head.holder(src);
        loop {
            while at.process > 0 {
                let context = Context { timeout: at.timeout, ..self.context(src, shape, at.process) };
                if !at.wants(context.me) {
                    at.process -= 1;
                    continue;
                }
                if at.edge == 0 {
                    let (of, base) = shape.processes[context.me as usize];
                    let location = self.at(src, of, base);
                    at.closed = if at.timeout { 0 } else { self.closed(src, context.me, (of, location)) };
                }
                if at.closed & ALL == 0
                    && let Some(action) = self.own_step(context, at, dst)
                {
                    at.moved = true;
                    return Some(action);
                }
                at.closed = 0;
                at.process = if holder > 0 { 0 } else { at.process - 1 };
                at.edge = 0;
                at.rank = 0;
                at.mine = false;
                at.allowed = false;
            }
            if at.moved || at.timeout || at.only != 0 || !self.uses_timeout {
                at.ended = true;
                return None;
            }
            at.timeout = true;
            self.begin(src, at);
        }
    }

    pub(super) fn begin(&self, src: &[u32], at: &mut Cursor) {
        let holder = self.head.holder(src) as u16;
        let all = self.shape(src).processes.len() as u16;
        at.process = match (holder, self.oldest) {
            (0, _) => all,
            (holder, false) => holder,
            (holder, true) => all + 1 - holder,
        };
        at.committed = self.is_committed(src);
        at.edge = 0;
    }

    /// The process whose turn it is when so many are to come, with itself.
    #[inline]
    pub(super) fn pid(&self, left: u16, shape: &Shape) -> u32 {
        if self.oldest { shape.processes.len() as u32 - u32::from(left) } else { u32::from(left) - 1 }
    }

    /// The state as the process sees it whose turn it is when so many are to come.
    #[inline]
    fn context<'b, S: Reader>(&'b self, s: S, shape: &'b Shape, left: u16) -> Context<'b, S> {
        let me = self.pid(left, shape);
        Context {
            interpreter: self,
            shape,
            s,
            me,
            base: shape.processes[me as usize].1,
            timeout: false,
            asked: false,
        }
    }

    /// Is some process at a committed location, so that only those that are can move?
    #[inline]
    pub(super) fn is_committed(&self, s: impl Reader) -> bool {
        self.commits && self.some_location(s, |t| &t.committed)
    }

    /// The next step of the process that `context` is about.
    #[inline]
    pub(super) fn own_step<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        mut context: Context<S>,
        at: &mut Cursor,
        dst: &mut T,
    ) -> Option<ActionId> {
        let (pid, s) = (context.me, context.s);
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(s, of, base), at.committed);
        if self.scheduled
            && lo < hi
            && !at.allowed
            && let Err(trap) = self.provided(&mut context)
        {
            // Whether the process may move cannot be told: that is its step, and the only one.
            (at.allowed, at.edge) = (true, hi - lo);
            self.settle(Err(trap), 0, at, dst);
            at.step = Some(Step { pid, edge: EdgeId(code.edges[lo as usize].number), partner: None });
            return Some(ActionId(pid | pid << 8));
        }
        if lo < hi && !at.allowed {
            at.allowed = !self.scheduled || self.may_move(&mut context);
        }
        if at.allowed {
            while lo + at.edge < hi {
                let edge = &code.edges[(lo + at.edge) as usize];
                if at.rank > 1 && edge.rank + 1 != at.rank {
                    break;
                }
                if edge.passive || at.edge < EDGES && at.closed >> at.edge & 1 != 0 {
                    at.edge += 1;
                    continue;
                }
                if let Some(action) = self.try_edge(edge, &mut context, at, dst) {
                    at.mine = true;
                    at.rank = edge.rank + 1;
                    return Some(action);
                }
            }
        }
        None
    }

    /// Tries one edge: its step, or none and the cursor advanced to the next edge.
    #[inline]
    pub(super) fn try_edge<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        edge: &EdgeCode,
        context: &mut Context<S>,
        at: &mut Cursor,
        dst: &mut T,
    ) -> Option<ActionId> {
        let pid = context.me;
        let ready = self.ready(edge, context, at.mine);
        let done = match ready {
            Ok(Ready::No) => {
                at.edge += 1;
                return None;
            }
            Ok(Ready::Meet(channel)) => return self.meet(edge, channel, context, at, dst),
            Ok(ready) => self.take(edge, context, ready, dst).map(|n| at.violations += n),
            Err(trap) => Err(trap),
        };
        at.edge += 1;
        let held = if edge.keeps { pid + 1 } else { 0 };
        self.settle(done, held, at, dst);
        at.step = Some(Step { pid, edge: EdgeId(edge.number), partner: None });
        Some(ActionId(pid | pid << 8))
    }

    /// Ends a step: a fault leads to the fault state; otherwise control is held, if the holder can go on.
    #[inline]
    pub(super) fn settle<T: Writer + ?Sized>(
        &self,
        done: Attempt<()>,
        held: u32,
        at: &mut Cursor,
        dst: &mut T,
    ) {
        match done {
            Err(trap) => {
                at.trap = Some((trap.fault, trap.span));
                dst.fail(&self.head, if trap.fault.is_event() { Failed::Event } else { Failed::Fault });
            }
            Ok(()) => {
                if held > 0 && self.can_go_on(dst.now(), held - 1) {
                    self.head.hold(dst, held);
                }
            }
        }
    }

    /// Can process `pid`, which holds control, move, the others waiting?
    fn can_go_on(&self, s: impl Reader, pid: u32) -> bool {
        if pid as usize >= self.shape(s).processes.len() {
            return false;
        }
        self.has_step(s, pid, self.is_committed(s))
    }

    /// Has process `pid` a step of its own, without a timeout? A rendezvous needs a partner.
    pub(super) fn has_step(&self, s: impl Reader, pid: u32, committed: bool) -> bool {
        let mut context = Context::new(self, s, pid);
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(s, of, base), committed);
        if lo < hi && self.scheduled {
            match self.provided(&mut context) {
                Err(_) => return true,
                Ok(_) if !self.may_move(&mut context) => return false,
                Ok(_) => {}
            }
        }
        code.edges[lo as usize..hi as usize].iter().any(|edge| match self.ready(edge, &mut context, false) {
            Ok(Ready::No) => false,
            Ok(Ready::Meet(channel)) => self.partners(edge, channel, &mut context, committed),
            Ok(_) | Err(_) => true,
        })
    }

    /// Can no process move, unless by `timeout`? The state is not the fault state.
    pub(crate) fn is_idle(&self, s: impl Reader) -> bool {
        let committed = self.is_committed(s);
        !(0..self.shape(s).processes.len() as u32).any(|pid| self.has_step(s, pid, committed))
    }

    /// Can process `pid` move, as `enabled` tells? A send by rendezvous counts, a receive by rendezvous does not.
    pub(crate) fn enabled(&self, s: impl Reader, pid: u32, timeout: bool, asked: bool) -> bool {
        let mut context = Context { timeout, asked, ..Context::new(self, s, pid) };
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(s, of, base), self.is_committed(s));
        code.edges[lo as usize..hi as usize]
            .iter()
            .any(|edge| !matches!(self.ready(edge, &mut context, false), Ok(Ready::No)))
    }

    /// Is the process provided for, and has no other that could move a higher priority?
    pub(crate) fn may_move<S: Reader>(&self, context: &mut Context<S>) -> bool {
        if matches!(self.provided(context), Ok(false)) {
            return false;
        }
        if !self.program.scheduling.priorities {
            return true;
        }
        let priority =
            |&(of, base): &(u32, u32)| context.s.raw(self.frames.types[of as usize].priority, base);
        let mine = priority(&context.shape.processes[context.me as usize]);
        !(0..context.shape.processes.len()).any(|i| {
            i as u32 != context.me
                && priority(&context.shape.processes[i]) > mine
                && !matches!(
                    self.provided(&mut Context {
                        timeout: context.timeout,
                        ..Context::new(self, context.s, i as u32)
                    }),
                    Ok(false)
                )
                && self.enabled(context.s, i as u32, context.timeout, context.asked)
        })
    }

    /// Is the condition true under which the process may move?
    pub(super) fn provided<S: Reader>(&self, context: &mut Context<S>) -> Attempt<bool> {
        let (of, _) = context.shape.processes[context.me as usize];
        match self.types[of as usize].provided {
            None => Ok(true),
            Some(pc) => Ok(context.value(pc)? != 0),
        }
    }

    /// The number of the channel.
    #[inline]
    pub(crate) fn channel_of<S: Reader>(
        &self,
        context: &mut Context<S>,
        channel: ChannelCode,
    ) -> Attempt<i32> {
        match channel {
            ChannelCode::Known(k) => Ok(k),
            ChannelCode::Code(pc) => match machine::loaded(&self.code, pc, context) {
                Some(k) => Ok(k),
                None => context.value(pc),
            },
        }
    }

    #[inline]
    pub(super) fn ready<S: Reader>(
        &self,
        edge: &EdgeCode,
        context: &mut Context<S>,
        mine: bool,
    ) -> Attempt<Ready> {
        match edge.plain {
            Some(GuardCode::When(pc)) => Ok(if context.value(pc)? == 0 { Ready::No } else { Ready::Yes }),
            Some(_) => Ok(Ready::Yes),
            None => self.work_ready(&edge.work, context, mine),
        }
    }

    fn work_ready<S: Reader>(&self, work: &WorkCode, context: &mut Context<S>, mine: bool) -> Attempt<Ready> {
        match work {
            WorkCode::Action(action) => self.action_ready(action, context, mine),
            WorkCode::Block(b, span) => {
                let Some(block) = &self.blocks[*b as usize] else { return Ok(Ready::No) };
                // An `else` alone at the start speaks of the other edges.
                if let [(ActionCode { guard: GuardCode::Else, .. }, _)] = block.nodes[0][..]
                    && mine
                {
                    return Ok(Ready::No);
                }
                let first = self.first_ready(&block.nodes[0], context)?;
                match first {
                    None => Ok(Ready::No),
                    Some((_, Ready::Meet(_))) => Err(Trap { fault: Fault::RendezvousInStep, span: *span }),
                    Some((option, Ready::Take(slot))) => Ok(Ready::Begin(option, Some(slot))),
                    Some((option, _)) => Ok(Ready::Begin(option, None)),
                }
            }
        }
    }

    /// The first action of a block's node that can be taken.
    pub(super) fn first_ready<S: Reader>(
        &self,
        node: &[(ActionCode, Option<u32>)],
        context: &mut Context<S>,
    ) -> Attempt<Option<Chosen>> {
        for (i, (action, _)) in node.iter().enumerate() {
            match self.action_ready(action, context, false)? {
                Ready::No => {}
                ready => return Ok(Some((i as u32, ready))),
            }
        }
        Ok(None)
    }

    /// The channel of a receive: its kind and its first word.
    #[inline]
    fn queue_of<'q, S: Reader>(
        &self,
        receive: &ReceiveCode,
        context: &mut Context<'q, S>,
    ) -> Attempt<(&'q Queue, u32)> {
        let id = self.channel_of(context, receive.channel)?;
        channel_at(context, id, receive.span)
    }

    #[inline]
    fn action_ready<S: Reader>(
        &self,
        action: &ActionCode,
        context: &mut Context<S>,
        mine: bool,
    ) -> Attempt<Ready> {
        // A receive by rendezvous is a step of the sender, which looks at its guard.
        let receiving = match action.offer {
            OfferCode::Receive(r) => match &self.receives[r as usize] {
                Some(receive) => Some((receive, self.queue_of(receive, context)?)),
                None => return Ok(Ready::No),
            },
            _ => None,
        };
        if let Some((receive, (queue, _))) = receiving
            && queue.capacity == 0
            && !receive.keeps
        {
            return Ok(Ready::No);
        }
        match action.guard {
            GuardCode::Always => {}
            GuardCode::Else => return Ok(if mine { Ready::No } else { Ready::Yes }),
            GuardCode::When(pc) => {
                if context.value(pc)? == 0 {
                    return Ok(Ready::No);
                }
            }
        }
        if action.exits && context.me as usize + 1 != context.shape.processes.len() {
            return Ok(Ready::No);
        }
        match &action.offer {
            OfferCode::None => Ok(Ready::Yes),
            OfferCode::Send { channel, values, .. } => {
                let id = self.channel_of(context, *channel)?;
                let (queue, at) = channel_at(context, id, action.span)?;
                if queue.capacity > 0 && context.s.raw(queue.count, at) >= queue.capacity {
                    return Ok(Ready::No);
                }
                check_length(queue, *values, action.span)?;
                Ok(if queue.capacity == 0 { Ready::Meet(id) } else { Ready::Yes })
            }
            OfferCode::Receive(_) => {
                let Some((receive, (queue, at))) = receiving else { return Ok(Ready::No) };
                if queue.capacity == 0 {
                    return Err(Trap { fault: Fault::PollsRendezvous, span: receive.span });
                }
                let Some(slot) = context.find(receive, queue, at)? else {
                    return Ok(Ready::No);
                };
                check_length(queue, receive.patterns.len() as u32, receive.span)?;
                Ok(Ready::Take(slot))
            }
        }
    }

    /// Takes an edge that needs no partner, and tells how many assertions it violates.
    fn take<S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        edge: &EdgeCode,
        context: &Context<S>,
        ready: Ready,
        dst: &mut T,
    ) -> Attempt<u32> {
        let mut to = self.copy(context, dst);
        match edge.fused {
            Some(pc) => {
                if self.early {
                    self.moved(&mut to);
                }
                self.run(pc, &mut to, &mut [])?;
                if !self.early {
                    self.moved(&mut to);
                }
            }
            None if self.early => self.perform(edge, ready, Some(edge.to), &mut to)?,
            None => {
                self.perform(edge, ready, None, &mut to)?;
                self.go(&mut to, edge.to);
            }
        }
        Ok(to.violations)
    }

    /// The edges that the claim can take in `s`, or could with other guards if that is not told, each with what it makes of
    /// the state `to` or what is wrong with it. The claim sees states as an observer does.
    pub(crate) fn claim_steps(
        &self,
        s: Option<&[u32]>,
        claim: ClaimPlace,
        to: &[u32],
    ) -> Vec<(EdgeId, Result<Vec<u32>, Wrong>)> {
        let mut steps = Vec::new();
        let Some(place) = self.frames.shared[claim.at as usize].fields().next() else { return steps };
        let code = &self.types[claim.process.index()];
        let (lo, hi) = code.ranges[place.load(s.unwrap_or(to)) as usize];
        let mut rank = 0;
        for edge in &code.edges[lo as usize..hi as usize] {
            if rank > 1 && edge.rank + 1 != rank {
                break;
            }
            let mut context = self.observer(s.unwrap_or(to));
            let ready = match s {
                Some(_) => self.ready(edge, &mut context, !steps.is_empty()),
                None => Ok(Ready::Yes),
            };
            let taken = match ready {
                Ok(Ready::No) => continue,
                Ok(ready) => {
                    let mut t = to.to_vec();
                    place.store(&mut t, edge.to as i32);
                    let Context { me, base, timeout, .. } = context;
                    let shape = self.shape(to);
                    let s = &mut t[..];
                    let mut to = ContextMut { interpreter: self, shape, s, me, base, timeout, violations: 0 };
                    self.perform(edge, ready, None, &mut to).map(|()| t)
                }
                Err(trap) => Err(trap),
            };
            rank = edge.rank + 1;
            steps.push((EdgeId(edge.number), taken.map_err(|trap| (trap.fault, trap.span))));
        }
        steps
    }

    /// Takes an edge as if there were no others, without what it offers.
    pub(super) fn alone(&self, edge: &EdgeCode, context: &Context<&[u32]>, dst: &mut [u32]) -> Attempt<()> {
        let mut to = self.copy(context, dst);
        if self.early {
            self.go(&mut to, edge.to);
        }
        if let WorkCode::Action(action) = &edge.work {
            self.effect(&action.pieces, &mut to)?;
        }
        if !self.early {
            self.go(&mut to, edge.to);
        }
        Ok(())
    }

    /// The state of `context`, without a holder, to be changed by its process.
    #[inline]
    pub(super) fn copy<'b, 's, S: Reader, T: CopyOf<S> + ?Sized>(
        &self,
        context: &Context<'b, S>,
        dst: &'s mut T,
    ) -> ContextMut<'b, 's, T> {
        let Context { interpreter, shape, s, me, base, timeout, .. } = *context;
        dst.copy(s, shape.words as usize);
        self.head.hold(dst, 0);
        ContextMut { interpreter, shape, s: dst, me, base, timeout, violations: 0 }
    }

    /// The fairness of a step is about who took part in it.
    pub fn movers(action: ActionId) -> (u32, u32) {
        (action.0 & 0xff, action.0 >> 8 & 0xff)
    }
}

/// The edges that may be taken from a location: none if it is not committed while another one is.
#[inline]
pub(super) fn range(code: &TypeCode, location: u32, committed: bool) -> (u32, u32) {
    let (lo, hi) = code.ranges[location as usize];
    if committed && !code.committed[location as usize] { (lo, lo) } else { (lo, hi) }
}

pub(super) fn channel_at<'q, S: Reader>(
    context: &Context<'q, S>,
    id: i32,
    span: Span,
) -> Attempt<(&'q Queue, u32)> {
    context.channel(id).map_err(|fault| Trap { fault, span })
}

/// A message has as many values as the channel's messages, or it is a fault to send or receive it.
pub(super) fn check_length(queue: &Queue, given: u32, span: Span) -> Attempt<()> {
    let wanted = queue.domains.len() as u32;
    if wanted == given { Ok(()) } else { Err(Trap { fault: Fault::WrongMessage { given, wanted }, span }) }
}
