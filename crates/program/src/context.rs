//! What code sees of a state: its words, its own frame, and answers to questions.

use crate::code::{OWN, PatternCode, Question, ReceiveCode};
use crate::frame::Queue;
use crate::interp::{Asserts, Interpreter, Message, NOBODY};
use crate::layout::Slot;
use crate::machine::{Fault, Memory, Trap};
use crate::memory::{Reader, Writer};
use crate::shape::Shape;

/// A state seen by one of its processes.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, S: Reader> {
    pub interpreter: &'a Interpreter,
    pub shape: &'a Shape,
    pub s: S,
    pub me: u32,
    pub base: u32,
    pub timeout: bool,
    /// Is it asked whether a process can move, in a question of another process whether it can?
    pub asked: bool,
}

/// The same, to be changed.
pub(crate) struct ContextMut<'a, 's, T: Writer + ?Sized> {
    pub interpreter: &'a Interpreter,
    /// Of `s` as it is now: who adds or removes a process changes it, too.
    pub shape: &'a Shape,
    pub s: &'s mut T,
    pub me: u32,
    pub base: u32,
    pub timeout: bool,
    /// How many violated assertions were met.
    pub violations: u32,
}

#[inline(always)]
fn place(i: u32, base: u32) -> u32 {
    // All ones if the word is the process's own.
    let own = ((i as i32) >> 31) as u32;
    (i & !OWN) + (base & own)
}

impl<'a, S: Reader> Context<'a, S> {
    /// The state as process `me` sees it.
    #[inline]
    pub fn new(interpreter: &'a Interpreter, s: S, me: u32) -> Self {
        let shape = interpreter.shape(s);
        let base = shape.processes.get(me as usize).map_or(0, |p| p.1);
        Context { interpreter, shape, s, me, base, timeout: false, asked: false }
    }

    /// Kind and first word of a channel.
    pub fn channel(&self, id: i32) -> Result<(&'a Queue, u32), Fault> {
        let known = usize::try_from(id.wrapping_sub(1)).ok().and_then(|i| self.shape.channels.get(i));
        let &(kind, at) = known.ok_or(Fault::NoSuchChannel { channel: id })?;
        Ok((&self.interpreter.frames.queues[kind as usize], at))
    }

    /// The value of a piece of code.
    #[inline]
    pub fn value(&mut self, pc: u32) -> Result<i32, Trap> {
        let interpreter = self.interpreter;
        interpreter.run(pc, self, &mut [])
    }

    /// The pid of the process of type `of` that the expression `pid` means; -1 is the first of the type.
    fn process(&self, of: u32, pid: i32) -> Option<u32> {
        let processes = &self.shape.processes;
        if pid == -1 {
            return processes.iter().position(|&(t, _)| t == of).map(|i| i as u32);
        }
        let found = usize::try_from(pid).ok().and_then(|i| processes.get(i));
        found.filter(|&&(t, _)| t == of).map(|_| pid as u32)
    }

    /// Do the values of a message fit the patterns of a receive?
    pub fn fits(&mut self, receive: &ReceiveCode, message: &Message) -> Result<bool, Trap> {
        for (pattern, &value) in receive.patterns.iter().zip(message) {
            let fits = match *pattern {
                PatternCode::Any | PatternCode::Bind => true,
                PatternCode::Known(k) => k == value,
                PatternCode::Match(pc) => self.value(pc)? == value,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The message in a slot of a queue.
    pub fn load(&self, queue: &Queue, at: u32, slot: u32, message: &mut Message) {
        for (field, value) in queue.fields.iter().zip(message.iter_mut()) {
            *value = self.s.load(field.element(slot), at);
        }
    }

    /// The slot of the message that a receive would take from a queue. No more of a message is looked at than what decides.
    pub fn find(&mut self, receive: &ReceiveCode, queue: &Queue, at: u32) -> Result<Option<u32>, Trap> {
        let count = self.s.raw(queue.count, at);
        'slots: for slot in 0..if receive.any { count } else { count.min(1) } {
            for (n, pattern) in receive.patterns.iter().enumerate() {
                // A pattern too many is compared with 0, before that is found to be a fault.
                let field = queue.fields.get(n).map(|field| field.element(slot));
                let fits = match (*pattern, field) {
                    (PatternCode::Any | PatternCode::Bind, _) => true,
                    (PatternCode::Known(k), Some(field)) => {
                        let raw = k.wrapping_sub(field.min) as u32;
                        raw <= field.mask && self.s.holds(field, at, raw)
                    }
                    (PatternCode::Known(k), None) => k == 0,
                    (PatternCode::Match(pc), field) => {
                        self.value(pc)? == field.map_or(0, |field| self.s.load(field, at))
                    }
                };
                if !fits {
                    continue 'slots;
                }
            }
            return Ok(Some(slot));
        }
        Ok(None)
    }

    fn answer(&mut self, question: Question, operand: i32) -> Result<i32, Fault> {
        let interpreter = self.interpreter;
        Ok(match question {
            Question::Pid if self.me == NOBODY => 0,
            Question::Pid => self.me as i32,
            Question::Processes => self.shape.processes.len() as i32,
            Question::Timeout => i32::from(self.timeout),
            Question::NonProgress => i32::from(!interpreter.some_location(self.s, |t| &t.progress)),
            Question::Accepting => i32::from(interpreter.some_location(self.s, |t| &t.accepting)),
            Question::Enabled => {
                // Two that ask about each other would do so for ever.
                if self.asked || self.me != NOBODY && operand == self.me as i32 {
                    return Err(Fault::OwnEnabledness);
                }
                let there = usize::try_from(operand).is_ok_and(|p| p < self.shape.processes.len());
                i32::from(there && interpreter.enabled(self.s, operand as u32, self.timeout, true))
            }
            Question::LocationOf => {
                let found = usize::try_from(operand).ok().and_then(|i| self.shape.processes.get(i));
                let Some(&(of, base)) = found else { return Ok(0) };
                interpreter.types[of as usize].numbers[interpreter.at(self.s, of, base) as usize]
            }
            Question::PriorityOf => {
                let found = usize::try_from(operand).ok().and_then(|i| self.shape.processes.get(i));
                let Some(&(of, base)) = found else { return Ok(0) };
                self.s.load(interpreter.frames.types[of as usize].priority, base)
            }
            Question::Channel(query) => {
                let (queue, at) = self.channel(operand)?;
                let count = if queue.capacity == 0 { 0 } else { self.s.raw(queue.count, at) };
                query.answer(count, queue.capacity)
            }
            Question::Poll(r) => i32::from(self.poll(r)?),
            Question::At(of, location) => i32::from(self.process(of.0, operand).is_some_and(|pid| {
                let (of, base) = self.shape.processes[pid as usize];
                self.s.holds(interpreter.frames.types[of as usize].location, base, location.0)
            })),
            Question::Remote { process, slot, index } => {
                let Some(pid) = self.process(process.0, operand) else { return Ok(0) };
                let base = self.shape.processes[pid as usize].1;
                let field = match (slot, index) {
                    (Slot::One(f), _) => f,
                    (Slot::Many(a), None) => a.element(0),
                    (Slot::Many(a), Some(pc)) => {
                        let index = self.value(pc).map_err(|t| t.fault)?;
                        if index as u32 >= a.len {
                            return Err(Fault::IndexOutOfRange { index, len: a.len });
                        }
                        a.element(index as u32)
                    }
                };
                self.s.load(field, base)
            }
        })
    }

    fn poll(&mut self, r: u32) -> Result<bool, Fault> {
        let interpreter = self.interpreter;
        let Some(receive) = &interpreter.receives[r as usize] else { return Ok(false) };
        let id = interpreter.channel_of(self, receive.channel).map_err(|t| t.fault)?;
        let (queue, at) = self.channel(id)?;
        if queue.capacity == 0 {
            return Err(Fault::PollsRendezvous);
        }
        self.find(receive, queue, at).map(|slot| slot.is_some()).map_err(|t| t.fault)
    }
}

impl<S: Reader> Memory for Context<'_, S> {
    #[inline(always)]
    fn word(&self, i: u32) -> u32 {
        self.s.field(place(i, self.base), 0, u32::MAX)
    }

    #[inline(always)]
    fn set(&mut self, _: u32, _: u32) {
        debug_assert!(false, "a guard stores nothing");
    }

    #[inline(always)]
    fn field(&self, word: u32, shift: u32, mask: u32) -> u32 {
        self.s.field(place(word, self.base), shift, mask)
    }

    #[inline(always)]
    fn is(&self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        self.s.is(place(word, self.base), shift, mask, raw)
    }

    fn ask(&mut self, question: u32, operand: i32) -> Result<i32, Fault> {
        self.answer(self.interpreter.questions[question as usize], operand)
    }

    fn violated(&mut self) -> bool {
        true
    }
}

impl<'a, T: Writer + ?Sized> ContextMut<'a, '_, T> {
    /// The state as it is now.
    #[inline]
    pub fn now(&self) -> Context<'a, T::Now<'_>> {
        let ContextMut { interpreter, shape, ref s, me, base, timeout, .. } = *self;
        Context { interpreter, shape, s: s.now(), me, base, timeout, asked: false }
    }
}

impl<T: Writer + ?Sized> Memory for ContextMut<'_, '_, T> {
    #[inline(always)]
    fn word(&self, i: u32) -> u32 {
        self.s.now().field(place(i, self.base), 0, u32::MAX)
    }

    #[inline(always)]
    fn set(&mut self, i: u32, w: u32) {
        self.s.put(place(i, self.base), 0, u32::MAX, w);
    }

    #[inline(always)]
    fn field(&self, word: u32, shift: u32, mask: u32) -> u32 {
        self.s.now().field(place(word, self.base), shift, mask)
    }

    #[inline(always)]
    fn is(&self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        self.s.now().is(place(word, self.base), shift, mask, raw)
    }

    #[inline(always)]
    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32) {
        self.s.put(place(word, self.base), shift, mask, raw);
    }

    fn ask(&mut self, question: u32, operand: i32) -> Result<i32, Fault> {
        self.now().answer(self.interpreter.questions[question as usize], operand)
    }

    fn violated(&mut self) -> bool {
        self.violations += 1;
        self.interpreter.options.asserts == Asserts::Fault
    }
}
