//! States for people: names and values instead of words.

use crate::code::{GuardCode, OfferCode, WorkCode};
use crate::context::Context;
use crate::form::{Guard, Offer, Shown, Variable, Work};
use crate::ids::{EdgeId, LocId, ProcId};
use crate::interp::Interpreter;
use crate::layout::Slot;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A symbol.
    Symbol(String),
    /// A channel, by its number.
    Channel(i32),
    /// Elements of an array, or values of a message, or messages of a channel.
    List(Vec<Value>),
    /// Where a process is.
    Location(LocId),
}

/// A named part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The process it belongs to; none if it is shared.
    pub owner: Option<u32>,
    /// Its name without the process; empty for the location.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// Why an edge cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its condition is false.
    False,
    /// The channel has no room.
    Full,
    /// The channel has no message.
    Empty,
    /// No message in the channel fits, or the first does not.
    Unfit,
    /// Nobody is there to receive.
    NoReceiver,
    /// Nobody is there to send.
    NoSender,
    /// Younger processes are still there.
    NotYoungest,
    /// Another edge of the process can be taken.
    Otherwise,
    /// The process is not provided for, or has too low a priority.
    NotProvided,
}

impl Interpreter {
    pub(crate) fn shown(&self, shown: Shown, v: i32) -> Value {
        match shown {
            Shown::Number => Value::Number(v),
            Shown::Channel => Value::Channel(v),
            Shown::Symbol(set) => {
                let names = self.program.symbols.get(set as usize);
                let name = usize::try_from(v - 1).ok().and_then(|i| names?.get(i));
                name.map_or(Value::Number(v), |n| Value::Symbol(n.clone()))
            }
        }
    }

    fn held(&self, slot: Slot, variable: &Variable, words: &[u32]) -> Value {
        match slot {
            Slot::One(f) => self.shown(variable.shown, f.load(words)),
            Slot::Many(_) => {
                Value::List(slot.fields().map(|f| self.shown(variable.shown, f.load(words))).collect())
            }
        }
    }

    fn messages(&self, kind: u32, at: u32, s: &[u32]) -> Option<Value> {
        let (queue, channel) = (&self.frames.queues[kind as usize], &self.program.channels[kind as usize]);
        if queue.capacity == 0 {
            return None;
        }
        let words = &s[at as usize..];
        let message = |slot| {
            let value = |(f, &shown): (&crate::layout::ArrayField, &Shown)| {
                self.shown(shown, f.element(slot).load(words))
            };
            Value::List(queue.fields.iter().zip(&channel.shown).map(value).collect())
        };
        Some(Value::List((0..queue.count.raw(words)).map(message).collect()))
    }

    /// All parts of a state: shared variables, channels, then each process.
    pub fn parts(&self, s: &[u32]) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.is_fault(s) {
            return parts;
        }
        let shape = self.shape(s);
        let is_channel = |v: usize| self.program.opens.iter().any(|o| o.var as usize == v);
        for (v, (slot, variable)) in self.frames.shared.iter().zip(&self.program.shared).enumerate() {
            if !is_channel(v) {
                let value = self.held(*slot, variable, s);
                parts.push(Part { owner: None, name: variable.name.clone(), value });
            }
        }
        let name = |open: &crate::form::Opening, of: &[Variable]| {
            let variable = &of[open.var as usize];
            if variable.len.is_some() {
                format!("{}[{}]", variable.name, open.element)
            } else {
                variable.name.clone()
            }
        };
        for (open, &(kind, at)) in self.program.opens.iter().zip(&shape.channels) {
            if let Some(value) = self.messages(kind, at, s) {
                parts.push(Part { owner: None, name: name(open, &self.program.shared), value });
            }
        }
        for (pid, &(of, base)) in shape.processes.iter().enumerate() {
            let (frame, process) = (&self.frames.types[of as usize], &self.program.processes[of as usize]);
            let owner = Some(pid as u32);
            let words = &s[base as usize..];
            let at = Value::Location(LocId(self.at(s, of, base)));
            parts.push(Part { owner, name: String::new(), value: at });
            for (slot, variable) in frame.locals.iter().zip(&process.locals) {
                let value = self.held(*slot, variable, words);
                parts.push(Part { owner, name: variable.name.clone(), value });
            }
            for (open, &(kind, at)) in process.opens.iter().zip(&frame.channels) {
                if let Some(value) = self.messages(kind, base + at, s) {
                    parts.push(Part { owner, name: format!("{}[]", name(open, &process.locals)), value });
                }
            }
        }
        parts
    }

    /// The edges of process `pid` in `s`, each with why it cannot be taken; those that can are left out.
    pub fn waits(&self, s: &[u32], pid: u32) -> Vec<(EdgeId, Reason)> {
        if self.is_fault(s) {
            return Vec::new();
        }
        let mut context = Context::new(self, s, pid);
        let Some(&(of, base)) = context.shape.processes.get(pid as usize) else { return Vec::new() };
        let code = &self.types[of as usize];
        let (lo, hi) = code.ranges[self.at(s, of, base) as usize];
        let allowed = !self.scheduled || self.may_move(&mut context);
        let mut waits = Vec::new();
        for edge in &code.edges[lo as usize..hi as usize] {
            let action = match &edge.work {
                WorkCode::Action(a) => Some(a),
                WorkCode::Block(b, _) => {
                    self.blocks[*b as usize].as_ref().and_then(|b| b.nodes[0].first()).map(|n| &n.0)
                }
            };
            let Some(action) = action else { continue };
            let reason = match (&action.guard, &action.offer) {
                _ if !allowed => Reason::NotProvided,
                (GuardCode::Else, _) => Reason::Otherwise,
                (GuardCode::When(pc), _) if matches!(context.value(*pc), Ok(0)) => Reason::False,
                _ if action.exits => Reason::NotYoungest,
                (_, OfferCode::Send { channel, .. }) => {
                    let id = self.channel_of(&mut context, *channel).unwrap_or(0);
                    match context.channel(id) {
                        Ok((queue, _)) if queue.capacity == 0 => Reason::NoReceiver,
                        _ => Reason::Full,
                    }
                }
                (_, OfferCode::Receive(r)) => {
                    let Some(receive) = &self.receives[*r as usize] else { continue };
                    let id = self.channel_of(&mut context, receive.channel).unwrap_or(0);
                    match context.channel(id) {
                        Ok((queue, _)) if queue.capacity == 0 => Reason::NoSender,
                        Ok((queue, at)) if queue.count.raw(&s[at as usize..]) == 0 => Reason::Empty,
                        _ => Reason::Unfit,
                    }
                }
                _ => Reason::False,
            };
            waits.push((EdgeId(edge.number), reason));
        }
        waits
    }

    /// What an edge does with channels: the channel's number now, and whether it sends.
    pub fn channel_use(&self, s: &[u32], pid: u32, of: ProcId, edge: EdgeId) -> Option<(i32, bool)> {
        let mut context = Context::new(self, s, pid);
        let Work::Action(action) = &self.program.processes.get(of.index())?.edges.get(edge.index())?.work
        else {
            return None;
        };
        debug_assert!(matches!(action.guard, Guard::Always | Guard::When(_) | Guard::Else));
        let sends = match action.offer {
            Offer::None => return None,
            Offer::Send { .. } => true,
            Offer::Receive(_) => false,
        };
        let code = self.types[of.index()].edges.iter().find(|e| e.number == edge.0)?;
        let WorkCode::Action(code) = &code.work else { return None };
        let channel = match &code.offer {
            OfferCode::Send { channel, .. } => *channel,
            OfferCode::Receive(r) => self.receives[*r as usize].as_ref()?.channel,
            OfferCode::None => return None,
        };
        Some((self.channel_of(&mut context, channel).ok()?, sends))
    }

    /// The messages of a channel, by its number in `s`; none for a rendezvous.
    pub fn contents(&self, s: &[u32], id: i32) -> Option<Value> {
        let &(kind, at) = self.shape(s).channels.get(usize::try_from(id.checked_sub(1)?).ok()?)?;
        self.messages(kind, at, s)
    }

    /// How many channels there are.
    pub fn channels(&self, s: &[u32]) -> usize {
        if self.is_fault(s) { 0 } else { self.shape(s).channels.len() }
    }

    /// The name of a channel, by its number in `s`.
    pub fn channel_name(&self, s: &[u32], id: i32) -> Option<String> {
        let shape = self.shape(s);
        let i = usize::try_from(id.checked_sub(1)?).ok()?;
        let &(kind, _) = shape.channels.get(i)?;
        let name = &self.program.channels[kind as usize].name;
        match self.program.opens.get(i) {
            Some(open) if self.program.shared[open.var as usize].len.is_some() => {
                Some(format!("{name}[{}]", open.element))
            }
            _ => Some(name.clone()),
        }
    }
}
