//! What taking an edge does to a state: messages in queues, effects, blocks, processes that come and go.

use crate::code::{ActionCode, EdgeCode, OfferCode, Piece, RunCode, WorkCode};
use crate::context::ContextMut;
use crate::domain::{MAX_MESSAGE, StoreRule};
use crate::form::DEFAULT_PRIORITY;
use crate::frame::Queue;
use crate::interp::{Interpreter, Message};
use crate::machine::{Fault, Trap};
use crate::memory::{Reader, Writer};
use crate::step::{Attempt, Ready};
use riata_source::Span;

/// The most actions of one deterministic step.
const LONGEST: u32 = 1_000_000;

impl Interpreter {
    /// Does what an edge does that needs no partner, and goes to a location, if one is given, between what it sends or
    /// receives and the rest.
    pub(super) fn perform<T: Writer + ?Sized>(
        &self,
        edge: &EdgeCode,
        ready: Ready,
        goes: Option<u32>,
        to: &mut ContextMut<T>,
    ) -> Attempt<()> {
        match (&edge.work, ready) {
            (WorkCode::Action(action), Ready::Take(slot)) => self.act(action, Some(slot), goes, to),
            (WorkCode::Action(action), _) => self.act(action, None, goes, to),
            (WorkCode::Block(b, span), Ready::Begin(option, slot)) => {
                let Some(block) = &self.blocks[*b as usize] else { return Ok(()) };
                let (action, next) = &block.nodes[0][option as usize];
                self.act(action, slot, goes, to)?;
                self.block(*b, *next, *span, to)
            }
            (WorkCode::Block(b, span), _) => self.block(*b, Some(0), *span, to),
        }
    }

    /// The process goes to a location, if it has not ended, and is the last that moved.
    #[inline]
    pub(super) fn go<T: Writer + ?Sized>(&self, to: &mut ContextMut<T>, location: u32) {
        if let Some(&(of, base)) = to.shape.processes.get(to.me as usize) {
            to.s.store(self.frames.types[of as usize].location, base, location as i32);
        }
        self.moved(to);
    }

    /// The process is the last that moved.
    #[inline]
    pub(super) fn moved<T: Writer + ?Sized>(&self, to: &mut ContextMut<T>) {
        if let Some(last) = self.last {
            to.s.store(last, 0, to.me as i32);
        }
    }

    /// Does what an action does, in the state of `to`, in which it can be taken.
    fn act<T: Writer + ?Sized>(
        &self,
        action: &ActionCode,
        slot: Option<u32>,
        goes: Option<u32>,
        to: &mut ContextMut<T>,
    ) -> Attempt<()> {
        let message = &mut [0; MAX_MESSAGE];
        match &action.offer {
            OfferCode::None => {}
            OfferCode::Send { channel, sorted, message: values, .. } => {
                let mut now = to.now();
                let id = self.channel_of(&mut now, *channel)?;
                self.run(*values, &mut now, message)?;
                let (queue, at) = now.channel(id).map_err(|fault| Trap { fault, span: action.span })?;
                put(queue, (to.s, at), *sorted, message);
                self.observe(true, id, message, to)?;
            }
            OfferCode::Receive(r) => {
                if let (Some(receive), Some(slot)) = (&self.receives[*r as usize], slot) {
                    let mut now = to.now();
                    let id = self.channel_of(&mut now, receive.channel)?;
                    let (queue, at) = now.channel(id).map_err(|fault| Trap { fault, span: action.span })?;
                    now.load(queue, at, slot, message);
                    if !receive.keeps {
                        remove(queue, to.s, at, slot);
                        self.observe(false, id, message, to)?;
                    }
                    self.run(receive.bind, to, message)?;
                }
            }
        }
        if let Some(location) = goes {
            self.go(to, location);
        }
        self.effect(&action.pieces, to)
    }

    #[inline]
    pub(super) fn effect<T: Writer + ?Sized>(&self, pieces: &[Piece], to: &mut ContextMut<T>) -> Attempt<()> {
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
                        to.s.store(field, base, message[1].clamp(0, 255));
                    }
                }
                Piece::Exit => {
                    let before = to.shape;
                    self.head.set_shape(to.s, before.parent);
                    to.shape = to.interpreter.shapes.get(before.parent);
                    to.s.forget(to.shape.words, before.words);
                }
            }
        }
        Ok(())
    }

    fn start<T: Writer + ?Sized>(&self, run: &RunCode, to: &mut ContextMut<T>) -> Attempt<()> {
        let mut message = [0; MAX_MESSAGE];
        self.run(run.arguments, &mut to.now(), &mut message)?;
        let priority = match run.has_priority {
            true => message[run.count as usize].clamp(0, 255),
            false => DEFAULT_PRIORITY,
        };
        let shape = self.head.shape(to.s.now());
        let (pid, _) = self
            .create(to.s, shape, run.process, (&message[..run.count as usize], priority))
            .map_err(|t| Trap { span: if t.span == Span::default() { run.span } else { t.span }, ..t })?;
        to.shape = to.interpreter.shape(to.s.now());
        if let Some(pc) = run.pid {
            self.run(pc, to, &mut [pid as i32])?;
        }
        Ok(())
    }

    /// Adds a process to a state of shape `before`, and tells its pid and the shape then.
    pub(crate) fn create<T: Writer + ?Sized>(
        &self,
        s: &mut T,
        before: u32,
        of: u32,
        (arguments, priority): (&[i32], i32),
    ) -> Attempt<(u32, u32)> {
        let trap = |fault| Trap { fault, span: Span::default() };
        let child = self.shapes.child(before, of, &self.frames).map_err(trap)?;
        let shape = self.shapes.get(child);
        if shape.words as usize > s.room() {
            return Err(trap(Fault::StateTooLarge));
        }
        let old = self.shapes.get(before);
        let me = old.processes.len() as u32;
        s.clear(old.words, shape.words);
        self.head.set_shape(s, child);
        let base = shape.processes[me as usize].1;
        let (process, frame) = (&self.program.processes[of as usize], &self.frames.types[of as usize]);
        s.store(frame.location, base, process.initial.0 as i32);
        s.store(frame.priority, base, priority);
        for (slot, variable) in frame.locals.iter().zip(&process.locals) {
            slot.fields().zip(&variable.initial).for_each(|(f, &v)| s.store(f, base, v));
        }
        for ((slot, variable), &value) in frame.locals.iter().zip(&process.locals).zip(arguments) {
            if variable.rule == StoreRule::Fault && !variable.domain.contains(value) {
                return Err(trap(Fault::ValueOutOfRange { value }));
            }
            let value = if variable.rule == StoreRule::Wrap { variable.domain.wrap(value) } else { value };
            slot.fields().take(1).for_each(|f| s.store(f, base, value));
        }
        for (i, open) in process.opens.iter().enumerate() {
            let id = (old.channels.len() + i + 1) as i32;
            let field = frame.locals[open.var as usize].fields().nth(open.element as usize);
            field.into_iter().for_each(|f| s.store(f, base, id));
        }
        if let Some(pc) = self.types[of as usize].initialisers {
            let mut to = ContextMut { interpreter: self, shape, s, me, base, timeout: false, violations: 0 };
            self.run(pc, &mut to, &mut [])?;
        }
        Ok((me, child))
    }

    /// Runs a block from a node on.
    pub(super) fn block<T: Writer + ?Sized>(
        &self,
        b: u32,
        mut node: Option<u32>,
        span: Span,
        to: &mut ContextMut<T>,
    ) -> Attempt<()> {
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
            self.act(action, slot, None, to)?;
            node = *next;
        }
        Err(Trap { fault: Fault::EndlessStep, span })
    }
}

/// Cuts the values of a message to the widths of the channel.
pub(super) fn cut(queue: &Queue, message: &mut Message) {
    for (domain, value) in queue.domains.iter().zip(message.iter_mut()) {
        *value = domain.wrap(*value);
    }
}

/// Puts a message into a queue that has room and is at this place. As in Spin, its place in the queue is found before its
/// values are cut.
fn put<T: Writer + ?Sized>(queue: &Queue, (to, at): (&mut T, u32), sorted: bool, message: &mut Message) {
    let count = to.now().raw(queue.count, at);
    let greater = |slot: u32, now: T::Now<'_>| {
        let mut order =
            queue.fields.iter().zip(message.iter()).map(|(f, v)| now.load(f.element(slot), at).cmp(v));
        order.find(|o| o.is_ne()).is_some_and(|o| o.is_gt())
    };
    let slot = if sorted { (0..count).find(|&i| greater(i, to.now())).unwrap_or(count) } else { count };
    cut(queue, message);
    for (field, &mut value) in queue.fields.iter().zip(message) {
        for i in (slot..count).rev() {
            let moved = to.now().load(field.element(i), at);
            to.store(field.element(i + 1), at, moved);
        }
        to.store(field.element(slot), at, value);
    }
    to.store(queue.count, at, count as i32 + 1);
}

/// Removes the message in a slot; the free slot is zero bits.
fn remove<T: Writer + ?Sized>(queue: &Queue, to: &mut T, at: u32, slot: u32) {
    let count = to.now().raw(queue.count, at);
    for field in &queue.fields {
        for i in slot + 1..count {
            let moved = to.now().load(field.element(i), at);
            to.store(field.element(i - 1), at, moved);
        }
        to.store(field.element(count - 1), at, field.min);
    }
    to.store(queue.count, at, count as i32 - 1);
}
