//! What a step does to a state, statement by statement.

use super::ready::{Chosen, Deal, Ready};
use crate::domain::{Domain, StoreRule};
use crate::evaluate::{Sight, count};
use crate::form::{DEFAULT_PRIORITY, Edge, Pattern, Place, Receive, Statement};
use crate::frame::Queue;
use crate::ids::ProcId;
use crate::interp::{Asserts, Interpreter};
use crate::machine::Fault;
use crate::narrate::{Happening, Told};
use riata_system::System;

/// The most actions of one deterministic step.
const LONGEST: u32 = 1_000_000;

/// The value that a variable holds when `v` is stored to it.
fn stored(domain: Domain, rule: StoreRule, value: i32) -> Result<i32, Fault> {
    match rule {
        StoreRule::Wrap => Ok(domain.wrap(value)),
        StoreRule::Fault if domain.contains(value) => Ok(value),
        StoreRule::Fault => Err(Fault::ValueOutOfRange { value }),
    }
}

/// A state that is being changed by a step.
pub(crate) struct Mover<'a> {
    pub interpreter: &'a Interpreter,
    pub s: Vec<u32>,
    /// Who acts.
    pub me: u32,
    pub timeout: bool,
    /// What has happened.
    pub told: Vec<Told>,
}

impl<'a> Mover<'a> {
    /// Begins a step of the process of `sight`. Control is free.
    pub fn new(sight: Sight<'a, '_>) -> Self {
        let interpreter = sight.interpreter;
        let mut s = sight.s.to_vec();
        s.resize(interpreter.words(), 0);
        interpreter.head.hold(&mut s[..], 0);
        Mover { interpreter, s, me: sight.me, timeout: sight.timeout, told: Vec::new() }
    }

    pub fn sight(&self) -> Sight<'a, '_> {
        Sight { interpreter: self.interpreter, s: &self.s, me: self.me, timeout: self.timeout, asked: false }
    }

    /// Moves a process to where an edge leads; it is the last that moved.
    pub fn go(&mut self, pid: u32, edge: &Edge) {
        let i = self.interpreter;
        // One that has ended is nowhere.
        if let Some(&(of, base)) = i.shape(&self.s).processes.get(pid as usize) {
            i.frames.types[of as usize].location.store(&mut self.s[base as usize..], edge.to.0 as i32);
        }
        if let Some(last) = i.program.last {
            i.frames.shared[last as usize].fields().for_each(|f| f.store(&mut self.s, pid as i32));
        }
    }

    /// Does what an edge does that needs no partner.
    pub(super) fn perform(&mut self, chosen: Chosen<'a>, edge: &Edge) -> Result<(), Fault> {
        let then = chosen.then;
        self.act(chosen, Some(edge))?;
        match then {
            Some((b, node)) => self.block(b, node),
            None => Ok(()),
        }
    }

    /// Does what an action does. An early process is at its next location before the effect.
    fn act(&mut self, Chosen { action, deal, .. }: Chosen<'a>, edge: Option<&Edge>) -> Result<(), Fault> {
        match deal {
            Deal::None => {}
            Deal::Put { channel, sorted, values } => self.put(channel, sorted, &values)?,
            Deal::Take { channel, slot, receive } => self.take(channel, slot, receive)?,
        }
        if let Some(edge) = edge.filter(|_| self.interpreter.program.scheduling.early) {
            self.go(self.me, edge);
        }
        self.effect(&action.effect)
    }

    /// Runs a block from a node on.
    pub fn block(&mut self, b: u32, mut node: Option<u32>) -> Result<(), Fault> {
        for _ in 0..LONGEST {
            let Some(n) = node else { return Ok(()) };
            match self.sight().node_ready(b, n)? {
                Ready::No => return Err(Fault::BlockedInStep),
                Ready::Meet(_) => return Err(Fault::RendezvousInStep),
                Ready::Go(chosen) => {
                    node = chosen.then.and_then(|(_, to)| to);
                    self.act(chosen, None)?;
                }
            }
        }
        Err(Fault::EndlessStep)
    }

    /// The messages of a queue, the oldest first.
    fn messages(&self, queue: &Queue, at: u32) -> Vec<Vec<i32>> {
        (0..count(queue, &self.s, at)).map(|slot| self.sight().message(queue, at, slot)).collect()
    }

    /// Makes these the messages of a queue; a free slot is zero bits.
    fn fill(&mut self, queue: &Queue, at: u32, messages: &[Vec<i32>]) {
        let words = &mut self.s[at as usize..];
        for (i, field) in queue.fields.iter().enumerate() {
            for slot in 0..queue.capacity {
                let value = messages.get(slot as usize).map_or(field.min, |m| m[i]);
                field.element(slot).store(words, value);
            }
        }
        queue.count.store(words, messages.len() as i32);
    }

    fn put(&mut self, channel: i32, sorted: bool, values: &[i32]) -> Result<(), Fault> {
        let (queue, at) = self.sight().queue(channel)?;
        let mut messages = self.messages(queue, at);
        // As in Spin, the place is found before the values are cut.
        let greater = messages.iter().position(|m| sorted && &m[..] > values);
        let slot = greater.unwrap_or(messages.len());
        let message: Vec<i32> =
            values.iter().zip(&queue.domains).map(|(&v, domain)| domain.wrap(v)).collect();
        self.tell_sent(channel, &message, Some(slot as u32));
        messages.insert(slot, message.clone());
        self.fill(queue, at, &messages);
        self.observe(true, channel, &message)
    }

    fn take(&mut self, channel: i32, slot: u32, receive: &'a Receive) -> Result<(), Fault> {
        let (queue, at) = self.sight().queue(channel)?;
        let mut messages = self.messages(queue, at);
        let message = messages.remove(slot as usize);
        self.tell_received(channel, &message, Some(slot), receive.keeps);
        if !receive.keeps {
            self.fill(queue, at, &messages);
            self.observe(false, channel, &message)?;
        }
        self.bind(receive, &message)
    }

    /// Stores the values of a message.
    pub fn bind(&mut self, receive: &Receive, message: &[i32]) -> Result<(), Fault> {
        for (pattern, &value) in receive.patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.store(*place, value)?;
            }
        }
        Ok(())
    }

    fn store(&mut self, place: Place, value: i32) -> Result<(), Fault> {
        let i = self.interpreter;
        let sight = self.sight();
        let index = place.index.map_or(Ok(0), |e| sight.value(e))?;
        let (field, base) = sight.field(place.var, index)?;
        let of = i.type_of(&self.s, self.me);
        let Some(variable) = i.program.variable(of, place.var) else { return Ok(()) };
        let value = stored(variable.domain, variable.rule, value)?;
        field.store(&mut self.s[base..], value);
        Ok(())
    }

    pub fn effect(&mut self, statements: &'a [Statement]) -> Result<(), Fault> {
        statements.iter().try_for_each(|s| self.statement(s))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Fault> {
        let i = self.interpreter;
        match statement {
            Statement::Assign(place, value) => {
                let value = self.sight().value(*value)?;
                self.store(*place, value)?;
            }
            Statement::Assert(_) if i.options.asserts == Asserts::Ignore => {}
            Statement::Assert(e) => {
                if self.sight().value(*e)? == 0 && i.options.asserts == Asserts::Fault {
                    return Err(Fault::AssertionFailed);
                }
            }
            Statement::Run { process, arguments, priority, pid, .. } => {
                let values = arguments.iter().map(|&e| self.sight().value(e));
                let values: Vec<i32> = values.collect::<Result<_, _>>()?;
                let priority = match priority {
                    Some(e) => self.sight().value(*e)?.clamp(0, 255),
                    None => DEFAULT_PRIORITY,
                };
                let child = self.create(*process, &values, priority)?;
                self.tell(Happening::Started(child));
                if let Some(place) = pid {
                    self.store(*place, child as i32)?;
                }
            }
            Statement::Print(p) => {
                let text = self.sight().printed(&i.program.prints[*p as usize]);
                self.tell(Happening::Printed(text));
            }
            Statement::SetPriority(pid, priority) => {
                let (pid, priority) = (self.sight().value(*pid)?, self.sight().value(*priority)?);
                let found = usize::try_from(pid).ok().and_then(|p| i.shape(&self.s).processes.get(p));
                if let Some(&(of, base)) = found {
                    let field = i.frames.types[of as usize].priority;
                    field.store(&mut self.s[base as usize..], priority.clamp(0, 255));
                }
            }
            Statement::Exit => {
                let parent = i.shape(&self.s).parent;
                i.head.set_shape(&mut self.s[..], parent);
                self.tell(Happening::Ended);
            }
        }
        Ok(())
    }

    /// Adds a process: its variables have their initial values, then arguments, channels and initialisers are stored.
    fn create(&mut self, of: ProcId, arguments: &[i32], priority: i32) -> Result<u32, Fault> {
        let i = self.interpreter;
        let old = i.shape(&self.s);
        let child = i.shapes.child(i.head.shape(&self.s), of.0, &i.frames)?;
        let shape = i.shapes.get(child);
        if shape.words as usize > self.s.len() {
            return Err(Fault::StateTooLarge);
        }
        self.s[old.words as usize..shape.words as usize].fill(0);
        i.head.set_shape(&mut self.s[..], child);
        let pid = old.processes.len();
        let base = shape.processes[pid].1 as usize;
        let (process, frame) = (&i.program.processes[of.index()], &i.frames.types[of.index()]);
        let words = &mut self.s[base..];
        frame.location.store(words, process.initial.0 as i32);
        frame.priority.store(words, priority);
        for (slot, variable) in frame.locals.iter().zip(&process.locals) {
            slot.fields().zip(&variable.initial).for_each(|(f, &v)| f.store(words, v));
        }
        for ((slot, variable), &value) in frame.locals.iter().zip(&process.locals).zip(arguments) {
            let value = stored(variable.domain, variable.rule, value)?;
            slot.fields().take(1).for_each(|f| f.store(words, value));
        }
        for (number, open) in (old.channels.len() + 1..).zip(&process.opens) {
            let field = frame.locals[open.var as usize].fields().nth(open.element as usize);
            field.into_iter().for_each(|f| f.store(words, number as i32));
        }
        let (creator, timeout) = (self.me, self.timeout);
        (self.me, self.timeout) = (pid as u32, false);
        for &(place, value) in &process.initialisers {
            let value = self.sight().value(value)?;
            self.store(place, value)?;
        }
        (self.me, self.timeout) = (creator, timeout);
        Ok(pid as u32)
    }

    /// Tells the monitor, if there is one, that a message was sent or received.
    pub fn observe(&mut self, sends: bool, channel: i32, message: &[i32]) -> Result<(), Fault> {
        let i = self.interpreter;
        let Some(monitor) = &i.program.monitor else { return Ok(()) };
        let receive = |number: u32| &i.program.receives[number as usize];
        let mut watched = false;
        for event in monitor.locations.iter().flatten().filter(|e| e.sends == sends) {
            watched = watched || self.sight().value(receive(event.receive).channel)? == channel;
        }
        let Some(at) = i.frames.shared.get(monitor.at as usize).and_then(|slot| slot.fields().next()) else {
            return Ok(());
        };
        if !watched {
            return Ok(());
        }
        let mut next = Vec::new();
        for event in monitor.locations[at.load(&self.s) as usize].iter().filter(|e| e.sends == sends) {
            let sight = self.sight();
            let receive = receive(event.receive);
            if sight.value(receive.channel)? == channel && sight.fits(receive, message)? {
                next.push(event.to);
                if next.len() > 1 {
                    return Err(Fault::EventAmbiguous);
                }
            }
        }
        let to = match next.first() {
            Some(&to) if monitor.negated && to == monitor.last => return Err(Fault::EventsMatched),
            Some(&to) => to,
            None if monitor.negated => monitor.last,
            None => return Err(Fault::EventUnexpected),
        };
        at.store(&mut self.s, to as i32);
        Ok(())
    }
}
