//! One step after another: which edges of a state can be taken, and what taking them does.

use super::claimed::{ClaimPlace, Wrong};
use super::code::{
    ActionCode, ChannelCode, EdgeCode, GuardCode, OfferCode, Piece, ReceiveCode, RunCode, WorkCode,
};
use super::context::{Context, ContextMut};
use super::form::{DEFAULT_PRIORITY, Order};
use super::frame::Queue;
use super::head::Failed;
use super::interp::{Cursor, Interpreter, Message, Step, TypeCode};
use super::shape::Shape;
use crate::ids::EdgeId;
use crate::machine::{Fault, Trap};
use crate::program::{MAX_MESSAGE, StoreRule};
use riata_source::Span;
use riata_system::ActionId;

/// The most actions of one deterministic step.
const LONGEST: u32 = 1_000_000;

/// What an edge needs of others before it can be taken.
enum Ready {
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

/// A receive that begins a block, and where the block goes on.
type Begins<'b> = (&'b ActionCode, &'b ReceiveCode, Option<(u32, Option<u32>, Span)>);

/// The sending side of a rendezvous.
struct Sent<'b> {
    edge: &'b EdgeCode,
    channel: i32,
    message: Message,
    /// Is the message evaluated?
    known: bool,
}

impl<'b> Sent<'b> {
    fn new(edge: &'b EdgeCode, channel: i32) -> Self {
        Sent { edge, channel, message: [0; MAX_MESSAGE], known: false }
    }
}

/// The receiving side of a rendezvous.
struct Partner<'b> {
    pid: u32,
    edge: &'b EdgeCode,
    action: &'b ActionCode,
    receive: &'b ReceiveCode,
    /// The block that it begins: where that goes on.
    then: Option<(u32, Option<u32>, Span)>,
}

type Attempt<T> = Result<T, Trap>;

impl Interpreter<'_> {
    /// The next step from `src`, which is not the fault state.
    pub(crate) fn advance(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let shape = self.shape(src);
        if !at.started {
            at.started = true;
            self.begin(src, at);
        }
        let holder = self.head.holder(src) as u16;
        loop {
            while at.process > 0 {
                let pid = self.pid(at.process, shape);
                let (of, base) = shape.processes[pid as usize];
                let code = &self.types[of as usize];
                let (lo, hi) = range(code, self.at(src, of, base), at.committed);
                let mut context =
                    Context { interpreter: self, shape, s: src, me: pid, base, timeout: at.timeout };
                if lo < hi
                    && !at.allowed
                    && self.scheduled
                    && let Err(trap) = self.provided(&mut context)
                {
                    // Whether the process may move cannot be told: that is its step.
                    at.process = if holder > 0 { 0 } else { at.process - 1 };
                    at.moved = true;
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
                        if let Some(action) = self.try_edge(edge, &mut context, at, dst) {
                            at.mine = true;
                            at.moved = true;
                            at.rank = edge.rank + 1;
                            return Some(action);
                        }
                    }
                }
                at.process = if holder > 0 { 0 } else { at.process - 1 };
                at.edge = 0;
                at.rank = 0;
                at.mine = false;
                at.allowed = false;
            }
            if at.moved || at.timeout || !self.uses_timeout {
                at.ended = true;
                return None;
            }
            at.timeout = true;
            self.begin(src, at);
        }
    }

    fn begin(&self, src: &[u32], at: &mut Cursor) {
        let holder = self.head.holder(src) as u16;
        let all = self.shape(src).processes.len() as u16;
        at.process = match (holder, self.program.scheduling.order) {
            (0, _) => all,
            (holder, Order::Youngest) => holder,
            (holder, Order::Oldest) => all + 1 - holder,
        };
        at.committed = self.is_committed(src);
        at.edge = 0;
    }

    /// The process whose turn it is when so many are to come, with itself.
    #[inline]
    fn pid(&self, left: u16, shape: &Shape) -> u32 {
        match self.program.scheduling.order {
            Order::Youngest => u32::from(left) - 1,
            Order::Oldest => shape.processes.len() as u32 - u32::from(left),
        }
    }

    /// Is some process at a committed location, so that only those that are can move?
    #[inline]
    fn is_committed(&self, s: &[u32]) -> bool {
        let commits = |&(of, base): &(u32, u32)| {
            let code = &self.types[of as usize];
            code.commits && code.committed[self.at(s, of, base) as usize]
        };
        self.commits && self.shape(s).processes.iter().any(commits)
    }

    /// Tries one edge: its step, or none and the cursor advanced to the next edge.
    #[inline]
    fn try_edge(
        &self,
        edge: &EdgeCode,
        context: &mut Context,
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let pid = context.me;
        let ready = self.ready(edge, context, at.mine);
        let done = match ready {
            Ok(Ready::No) => {
                at.edge += 1;
                return None;
            }
            Ok(Ready::Meet(channel)) => return self.meet(edge, channel, context, at, dst),
            Ok(ready) => self.take(edge, context, ready, dst),
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
    pub(super) fn settle(&self, done: Attempt<()>, held: u32, at: &mut Cursor, dst: &mut [u32]) {
        match done {
            Err(trap) => {
                at.trap = Some((trap.fault, trap.span));
                self.head.fail(dst, if trap.fault.is_event() { Failed::Event } else { Failed::Fault });
            }
            Ok(()) => {
                if held > 0 && self.can_go_on(dst, held - 1) {
                    self.head.hold(dst, held);
                }
            }
        }
    }

    /// Can process `pid`, which holds control, move, the others waiting?
    fn can_go_on(&self, s: &mut [u32], pid: u32) -> bool {
        if pid as usize >= self.shape(s).processes.len() {
            return false;
        }
        self.has_step(s, pid, self.is_committed(s))
    }

    /// Has process `pid` a step of its own, without a timeout? A rendezvous needs a partner.
    fn has_step(&self, s: &[u32], pid: u32, committed: bool) -> bool {
        let mut context = Context::new(self, s, pid);
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(s, of, base), committed);
        if lo < hi && self.scheduled && !self.may_move(&mut context) {
            return false;
        }
        code.edges[lo as usize..hi as usize].iter().any(|edge| match self.ready(edge, &mut context, false) {
            Ok(Ready::No) => false,
            Ok(Ready::Meet(channel)) => self.partners(edge, channel, &mut context, committed),
            Ok(_) | Err(_) => true,
        })
    }

    /// Can no process move, unless by `timeout`?
    pub(crate) fn is_idle(&self, s: &[u32]) -> bool {
        let committed = self.is_committed(s);
        !(0..self.processes(s)).any(|pid| self.has_step(s, pid, committed))
    }

    fn partners(&self, edge: &EdgeCode, channel: i32, context: &mut Context, committed: bool) -> bool {
        let partner = context.shape.processes.len() as u16;
        let mut at = Cursor { partner, committed, ..Cursor::default() };
        !matches!(self.partner(&mut Sent::new(edge, channel), context, &mut at), Ok(None))
    }

    /// Can process `pid` move, as `enabled` tells? A send by rendezvous counts, a receive by rendezvous does not.
    pub(crate) fn enabled(&self, s: &[u32], pid: u32, timeout: bool) -> bool {
        let mut context = Context { timeout, ..Context::new(self, s, pid) };
        let (of, base) = context.shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(s, of, base), self.is_committed(s));
        code.edges[lo as usize..hi as usize]
            .iter()
            .any(|edge| !matches!(self.ready(edge, &mut context, false), Ok(Ready::No)))
    }

    /// Is the process provided for, and has no other that could move a higher priority?
    pub(crate) fn may_move(&self, context: &mut Context) -> bool {
        if matches!(self.provided(context), Ok(false)) {
            return false;
        }
        if !self.program.scheduling.priorities {
            return true;
        }
        let priority = |&(of, base): &(u32, u32)| {
            self.frames.types[of as usize].priority.raw(&context.s[base as usize..])
        };
        let mine = priority(&context.shape.processes[context.me as usize]);
        !(0..context.shape.processes.len()).any(|i| {
            i as u32 != context.me
                && priority(&context.shape.processes[i]) > mine
                && !matches!(self.provided(&mut Context::new(self, context.s, i as u32)), Ok(false))
                && self.enabled(context.s, i as u32, context.timeout)
        })
    }

    /// Is the condition true under which the process may move?
    fn provided(&self, context: &mut Context) -> Attempt<bool> {
        let (of, _) = context.shape.processes[context.me as usize];
        match self.types[of as usize].provided {
            None => Ok(true),
            Some(pc) => Ok(context.value(pc)? != 0),
        }
    }

    /// The number of the channel.
    #[inline]
    pub(crate) fn channel_of(&self, context: &mut Context, channel: ChannelCode) -> Attempt<i32> {
        match channel {
            ChannelCode::Known(k) => Ok(k),
            ChannelCode::Code(pc) => context.value(pc),
        }
    }

    #[inline]
    fn ready(&self, edge: &EdgeCode, context: &mut Context, mine: bool) -> Attempt<Ready> {
        match edge.plain {
            Some(GuardCode::When(pc)) => Ok(if context.value(pc)? == 0 { Ready::No } else { Ready::Yes }),
            Some(_) => Ok(Ready::Yes),
            None => self.work_ready(&edge.work, context, mine),
        }
    }

    fn work_ready(&self, work: &WorkCode, context: &mut Context, mine: bool) -> Attempt<Ready> {
        match work {
            WorkCode::Action(action) => self.action_ready(action, context, mine),
            WorkCode::Block(b, span) => {
                let Some(block) = &self.blocks[*b as usize] else { return Ok(Ready::No) };
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
    fn first_ready(
        &self,
        node: &[(ActionCode, Option<u32>)],
        context: &mut Context,
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
    fn queue_of<'q>(
        &self,
        receive: &ReceiveCode,
        context: &mut Context<'q, '_>,
    ) -> Attempt<(&'q Queue, u32)> {
        let id = self.channel_of(context, receive.channel)?;
        channel_at(context, id, receive.span)
    }

    #[inline]
    fn action_ready(&self, action: &ActionCode, context: &mut Context, mine: bool) -> Attempt<Ready> {
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
                if queue.capacity > 0 && queue.count.raw(&context.s[at as usize..]) >= queue.capacity {
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
                let mut message = [0; MAX_MESSAGE];
                let Some(slot) = context.find(receive, queue, at, &mut message)? else {
                    return Ok(Ready::No);
                };
                check_length(queue, receive.patterns.len() as u32, receive.span)?;
                Ok(Ready::Take(slot))
            }
        }
    }

    /// Takes an edge that needs no partner.
    fn take(&self, edge: &EdgeCode, context: &Context, ready: Ready, dst: &mut [u32]) -> Attempt<()> {
        let mut to = self.copy(context, dst);
        self.go(&mut to, edge.to);
        self.perform(edge, ready, &mut to)
    }

    /// The edges that the claim can take in `s`, each with what it makes of the state `to` or what is wrong with it. The
    /// claim sees states as an observer does.
    pub(crate) fn claim_steps(
        &self,
        s: &[u32],
        claim: ClaimPlace,
        to: &[u32],
    ) -> Vec<(EdgeId, Result<Vec<u32>, Wrong>)> {
        let mut steps = Vec::new();
        let Some(place) = self.frames.shared[claim.at as usize].fields().next() else { return steps };
        let code = &self.types[claim.process.index()];
        let (lo, hi) = code.ranges[place.load(s) as usize];
        let mut rank = 0;
        for edge in &code.edges[lo as usize..hi as usize] {
            if rank > 1 && edge.rank + 1 != rank {
                break;
            }
            let mut context = self.observer(s);
            let taken = match self.ready(edge, &mut context, !steps.is_empty()) {
                Ok(Ready::No) => continue,
                Ok(ready) => {
                    let mut t = to.to_vec();
                    place.store(&mut t, edge.to as i32);
                    let Context { me, base, timeout, .. } = context;
                    let shape = self.shape(to);
                    let mut to = ContextMut { interpreter: self, shape, s: &mut t, me, base, timeout };
                    self.perform(edge, ready, &mut to).map(|()| t)
                }
                Err(trap) => Err(trap),
            };
            rank = edge.rank + 1;
            steps.push((EdgeId(edge.number), taken.map_err(|trap| (trap.fault, trap.span))));
        }
        steps
    }

    /// Takes an edge as if there were no others, without what it offers.
    pub(super) fn alone(&self, edge: &EdgeCode, context: &Context, dst: &mut [u32]) -> Attempt<()> {
        let mut to = self.copy(context, dst);
        self.go(&mut to, edge.to);
        match &edge.work {
            WorkCode::Action(action) => self.effect(&action.pieces, &mut to),
            WorkCode::Block(..) => Ok(()),
        }
    }

    /// Does what an edge does that needs no partner.
    fn perform(&self, edge: &EdgeCode, ready: Ready, to: &mut ContextMut) -> Attempt<()> {
        match (&edge.work, ready) {
            (WorkCode::Action(action), _) if edge.plain.is_some() => self.effect(&action.pieces, to),
            (WorkCode::Action(action), Ready::Take(slot)) => self.act(action, Some(slot), to),
            (WorkCode::Action(action), _) => self.act(action, None, to),
            (WorkCode::Block(b, span), Ready::Begin(option, slot)) => {
                let Some(block) = &self.blocks[*b as usize] else { return Ok(()) };
                let (action, next) = &block.nodes[0][option as usize];
                self.act(action, slot, to)?;
                self.block(*b, *next, *span, to)
            }
            (WorkCode::Block(b, span), _) => self.block(*b, Some(0), *span, to),
        }
    }

    /// The state of `context`, without a holder, to be changed by its process.
    #[inline]
    fn copy<'b, 's>(&self, context: &Context<'b, '_>, dst: &'s mut [u32]) -> ContextMut<'b, 's> {
        let len = context.shape.words as usize;
        dst[..len].copy_from_slice(&context.s[..len]);
        self.head.hold(dst, 0);
        if let Some(last) = self.program.last {
            self.frames.shared[last as usize].fields().for_each(|f| f.store(dst, context.me as i32));
        }
        let Context { shape, me, base, timeout, .. } = *context;
        ContextMut { interpreter: context.interpreter, shape, s: dst, me, base, timeout }
    }

    #[inline]
    fn go(&self, to: &mut ContextMut, location: u32) {
        let (of, base) = to.shape.processes[to.me as usize];
        self.frames.types[of as usize].location.store(&mut to.s[base as usize..], location as i32);
    }

    /// Does what an action does, in the state of `to`, in which it can be taken.
    fn act(&self, action: &ActionCode, slot: Option<u32>, to: &mut ContextMut) -> Attempt<()> {
        let message = &mut [0; MAX_MESSAGE];
        match &action.offer {
            OfferCode::None => {}
            OfferCode::Send { channel, sorted, message: values, .. } => {
                let mut now = to.now();
                let id = self.channel_of(&mut now, *channel)?;
                self.run(*values, &mut now, message)?;
                let (queue, at) = now.channel(id).map_err(|fault| Trap { fault, span: action.span })?;
                put(queue, &mut to.s[at as usize..], *sorted, message);
                self.observe(true, id, message, to)?;
            }
            OfferCode::Receive(r) => {
                if let (Some(receive), Some(slot)) = (&self.receives[*r as usize], slot) {
                    let mut now = to.now();
                    let id = self.channel_of(&mut now, receive.channel)?;
                    let (queue, at) = now.channel(id).map_err(|fault| Trap { fault, span: action.span })?;
                    now.load(queue, at, slot, message);
                    if !receive.keeps {
                        remove(queue, &mut to.s[at as usize..], slot);
                        self.observe(false, id, message, to)?;
                    }
                    self.run(receive.bind, to, message)?;
                }
            }
        }
        self.effect(&action.pieces, to)
    }

    #[inline]
    fn effect(&self, pieces: &[Piece], to: &mut ContextMut) -> Attempt<()> {
        for piece in pieces {
            match piece {
                Piece::Code(pc) => {
                    self.run(*pc, to, &mut [])?;
                }
                Piece::Run(run) => self.start(run, to)?,
                Piece::SetPriority(pc) => {
                    let mut message = [0; MAX_MESSAGE];
                    self.run(*pc, &mut to.now(), &mut message)?;
                    let found =
                        usize::try_from(message[0]).ok().and_then(|i| to.shape.processes.get(i).copied());
                    if let Some((of, base)) = found {
                        let field = self.frames.types[of as usize].priority;
                        field.store(&mut to.s[base as usize..], message[1].clamp(0, 255));
                    }
                }
                Piece::Exit => {
                    self.head.set_shape(to.s, to.shape.parent);
                    to.shape = to.interpreter.shape(to.s);
                }
            }
        }
        Ok(())
    }

    fn start(&self, run: &RunCode, to: &mut ContextMut) -> Attempt<()> {
        let mut message = [0; MAX_MESSAGE];
        self.run(run.arguments, &mut to.now(), &mut message)?;
        let priority = match run.has_priority {
            true => message[run.count as usize].clamp(0, 255),
            false => DEFAULT_PRIORITY,
        };
        let shape = self.head.shape(to.s);
        let (pid, _) = self
            .create(to.s, shape, run.process, (&message[..run.count as usize], priority))
            .map_err(|t| Trap { span: if t.span == Span::default() { run.span } else { t.span }, ..t })?;
        to.shape = to.interpreter.shape(to.s);
        if let Some(pc) = run.pid {
            self.run(pc, to, &mut [pid as i32])?;
        }
        Ok(())
    }

    /// Adds a process to a state of shape `before`, and tells its pid and the shape then.
    pub(crate) fn create(
        &self,
        s: &mut [u32],
        before: u32,
        of: u32,
        (arguments, priority): (&[i32], i32),
    ) -> Attempt<(u32, u32)> {
        let trap = |fault| Trap { fault, span: Span::default() };
        let child = self.shapes.child(before, of, &self.frames).map_err(trap)?;
        let shape = self.shapes.get(child);
        if shape.words as usize > s.len() {
            return Err(trap(Fault::StateTooLarge));
        }
        let old = self.shapes.get(before);
        let me = old.processes.len() as u32;
        let end = shape.words as usize;
        s[old.words as usize..end].fill(0);
        self.head.set_shape(s, child);
        let base = shape.processes[me as usize].1 as usize;
        let (process, frame) = (&self.program.processes[of as usize], &self.frames.types[of as usize]);
        let words = &mut s[base..end];
        frame.location.store(words, process.initial.0 as i32);
        frame.priority.store(words, priority);
        for (slot, variable) in frame.locals.iter().zip(&process.locals) {
            slot.fields().zip(&variable.initial).for_each(|(f, &v)| f.store(words, v));
        }
        for ((slot, variable), &value) in frame.locals.iter().zip(&process.locals).zip(arguments) {
            if variable.rule == StoreRule::Fault && !variable.domain.contains(value) {
                return Err(trap(Fault::ValueOutOfRange { value }));
            }
            let value = if variable.rule == StoreRule::Wrap { variable.domain.wrap(value) } else { value };
            slot.fields().take(1).for_each(|f| f.store(words, value));
        }
        for (i, open) in process.opens.iter().enumerate() {
            let id = (old.channels.len() + i + 1) as i32;
            let field = frame.locals[open.var as usize].fields().nth(open.element as usize);
            field.into_iter().for_each(|f| f.store(words, id));
        }
        if let Some(pc) = self.types[of as usize].initialisers {
            let mut to = ContextMut { interpreter: self, shape, s, me, base: base as u32, timeout: false };
            self.run(pc, &mut to, &mut [])?;
        }
        Ok((me, child))
    }

    /// Runs a block from a node on.
    fn block(&self, b: u32, mut node: Option<u32>, span: Span, to: &mut ContextMut) -> Attempt<()> {
        let Some(block) = &self.blocks[b as usize] else { return Ok(()) };
        for _ in 0..LONGEST {
            let Some(n) = node else { return Ok(()) };
            let mut now = to.now();
            let options = &block.nodes[n as usize];
            let (option, slot) = match self.first_ready(options, &mut now)? {
                None => return Err(Trap { fault: Fault::BlockedInStep, span }),
                Some((_, Ready::Meet(_))) => return Err(Trap { fault: Fault::RendezvousInStep, span }),
                Some((option, Ready::Take(slot))) => (option, Some(slot)),
                Some((option, _)) => (option, None),
            };
            let (action, next) = &options[option as usize];
            self.act(action, slot, to)?;
            node = *next;
        }
        Err(Trap { fault: Fault::EndlessStep, span })
    }

    /// Evaluates the message that an edge sends by rendezvous, unless that is done.
    fn message(&self, sent: &mut Sent, context: &mut Context) -> Attempt<()> {
        if let WorkCode::Action(ActionCode { offer: OfferCode::Send { message: values, .. }, span, .. }) =
            &sent.edge.work
            && !sent.known
        {
            self.run(*values, context, &mut sent.message)?;
            let (queue, _) = context.channel(sent.channel).map_err(|fault| Trap { fault, span: *span })?;
            cut(queue, &mut sent.message);
            sent.known = true;
        }
        Ok(())
    }

    /// The next partner for a rendezvous. A fault is the sender's, or that of the edge of the receiver at hand, which is
    /// passed over.
    fn partner<'b>(
        &'b self,
        sent: &mut Sent,
        context: &mut Context,
        at: &mut Cursor,
    ) -> Attempt<Option<Partner<'b>>> {
        if !self.program.scheduling.lazy {
            self.message(sent, context)?;
        }
        while at.partner > 0 {
            let pid = self.pid(at.partner, context.shape);
            let (of, base) = context.shape.processes[pid as usize];
            let code = &self.types[of as usize];
            let location = self.at(context.s, of, base) as usize;
            let (lo, hi) = range(code, location as u32, at.committed);
            if pid != context.me && code.receives[location] >> (sent.channel & 63) & 1 != 0 {
                let mut other = Context { me: pid, base, ..*context };
                let mut may = None;
                while lo + at.partner_edge < hi {
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
                        at.partner_rank = edge.rank + 1;
                        return Ok(Some(Partner { pid, edge, action, receive, then }));
                    }
                }
            }
            at.partner -= 1;
            at.partner_edge = 0;
            at.partner_rank = 0;
        }
        Ok(None)
    }

    fn block_receives<'b>(
        &'b self,
        b: u32,
        span: Span,
        sent: &mut Sent,
        (sender, receiver): (&mut Context, &mut Context),
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
    fn receives_now<'b>(
        &'b self,
        action: &ActionCode,
        sent: &mut Sent,
        sender: &mut Context,
        receiver: &mut Context,
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
        self.message(sent, sender)?;
        if !receiver.fits(receive, &sent.message)? {
            return Ok(None);
        }
        let (queue, _) = channel_at(receiver, sent.channel, receive.span)?;
        check_length(queue, receive.patterns.len() as u32, receive.span)?;
        Ok(Some(receive))
    }

    /// The next rendezvous of a sending edge; none and the cursor advanced to the next edge.
    fn meet(
        &self,
        edge: &EdgeCode,
        channel: i32,
        context: &mut Context,
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let pid = context.me;
        if at.partner == 0 {
            at.partner = context.shape.processes.len() as u16;
            at.partner_edge = 0;
            at.partner_rank = 0;
        }
        let mut sent = Sent::new(edge, channel);
        match self.partner(&mut sent, context, at) {
            Ok(None) => {
                at.edge += 1;
                None
            }
            Ok(Some(partner)) => {
                let done = self.handshake(&mut sent, &partner, context, dst);
                self.settle(done, if partner.edge.keeps { partner.pid + 1 } else { 0 }, at, dst);
                let other = Some((partner.pid, EdgeId(partner.edge.number)));
                at.step = Some(Step { pid, edge: EdgeId(edge.number), partner: other });
                Some(ActionId(pid | partner.pid << 8))
            }
            Err(trap) if self.program.scheduling.lazy => {
                // The fault is of a pair, and there may be others.
                let other = self.pid(at.partner, context.shape);
                let (of, base) = context.shape.processes[other as usize];
                let code = &self.types[of as usize];
                let (lo, _) = code.ranges[self.at(context.s, of, base) as usize];
                let taken = &code.edges[(lo + at.partner_edge - 1) as usize];
                at.partner_rank = taken.rank + 1;
                self.settle(Err(trap), 0, at, dst);
                let partner = Some((other, EdgeId(taken.number)));
                at.step = Some(Step { pid, edge: EdgeId(edge.number), partner });
                Some(ActionId(pid | other << 8))
            }
            Err(trap) => {
                at.partner = 0;
                at.edge += 1;
                self.settle(Err(trap), 0, at, dst);
                at.step = Some(Step { pid, edge: EdgeId(edge.number), partner: None });
                Some(ActionId(pid | pid << 8))
            }
        }
    }

    /// Takes both edges of a rendezvous: both go on, the receiver does what it does, and then the sender.
    fn handshake(
        &self,
        sent: &mut Sent,
        partner: &Partner,
        context: &Context,
        dst: &mut [u32],
    ) -> Attempt<()> {
        let mut to = self.copy(context, dst);
        self.go(&mut to, sent.edge.to);
        let sender = (to.me, to.base);
        (to.me, to.base) = (partner.pid, context.shape.processes[partner.pid as usize].1);
        self.go(&mut to, partner.edge.to);
        if let Some(last) = self.program.last {
            self.frames.shared[last as usize].fields().for_each(|f| f.store(to.s, partner.pid as i32));
        }
        self.observe(true, sent.channel, &sent.message, &mut to)?;
        self.observe(false, sent.channel, &sent.message, &mut to)?;
        self.run(partner.receive.bind, &mut to, &mut sent.message)?;
        self.effect(&partner.action.pieces, &mut to)?;
        if let Some((b, node, span)) = partner.then {
            self.block(b, node, span, &mut to)?;
        }
        (to.me, to.base) = sender;
        match &sent.edge.work {
            WorkCode::Action(action) => self.effect(&action.pieces, &mut to),
            WorkCode::Block(..) => Ok(()),
        }
    }

    /// The fairness of a step is about who took part in it.
    pub fn movers(action: ActionId) -> (u32, u32) {
        (action.0 & 0xff, action.0 >> 8 & 0xff)
    }
}

/// The edges that may be taken from a location: none if it is not committed while another one is.
#[inline]
fn range(code: &TypeCode, location: u32, committed: bool) -> (u32, u32) {
    let (lo, hi) = code.ranges[location as usize];
    if committed && !code.committed[location as usize] { (lo, lo) } else { (lo, hi) }
}

fn channel_at<'q>(context: &Context<'q, '_>, id: i32, span: Span) -> Attempt<(&'q Queue, u32)> {
    context.channel(id).map_err(|fault| Trap { fault, span })
}

/// A message has as many values as the channel's messages, or it is a fault to send or receive it.
fn check_length(queue: &Queue, given: u32, span: Span) -> Attempt<()> {
    let wanted = queue.domains.len() as u32;
    if wanted == given { Ok(()) } else { Err(Trap { fault: Fault::WrongMessage { given, wanted }, span }) }
}

/// Cuts the values of a message to the widths of the channel.
fn cut(queue: &Queue, message: &mut Message) {
    for (domain, value) in queue.domains.iter().zip(message.iter_mut()) {
        *value = domain.wrap(*value);
    }
}

/// Puts a message into a queue that has room. As in Spin, its place is found before its values are cut.
fn put(queue: &Queue, words: &mut [u32], sorted: bool, message: &mut Message) {
    let count = queue.count.raw(words);
    let greater = |slot: u32, words: &[u32]| {
        let mut order =
            queue.fields.iter().zip(message.iter()).map(|(f, &v)| f.element(slot).load(words).cmp(&v));
        order.find(|o| o.is_ne()).is_some_and(|o| o.is_gt())
    };
    let slot = if sorted { (0..count).find(|&i| greater(i, words)).unwrap_or(count) } else { count };
    cut(queue, message);
    for (field, &mut value) in queue.fields.iter().zip(message) {
        for i in (slot..count).rev() {
            let moved = field.element(i).load(words);
            field.element(i + 1).store(words, moved);
        }
        field.element(slot).store(words, value);
    }
    queue.count.store(words, count as i32 + 1);
}

/// Removes the message in a slot; the free slot is zero bits.
fn remove(queue: &Queue, words: &mut [u32], slot: u32) {
    let count = queue.count.raw(words);
    for field in &queue.fields {
        for i in slot + 1..count {
            let moved = field.element(i).load(words);
            field.element(i - 1).store(words, moved);
        }
        field.element(count - 1).store(words, field.min);
    }
    queue.count.store(words, count as i32 - 1);
}
