//! States for people: names and values instead of words.

use crate::ids::{ChanId, InstanceId, VarId};
use crate::interp::{Action, Interpreter};
use crate::layout::{Layout, Slot};
use crate::program::Program;
use riata_source::Span;
use riata_system::ActionId;

/// A named part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As the user knows it: `x`, `P` (its location), `P.x`, `c` (the messages in a channel).
    pub name: String,
    /// The process it belongs to; none if it is shared.
    pub owner: Option<InstanceId>,
    /// Its name without the process.
    pub short: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Variable(VarId, InstanceId),
    Location(InstanceId),
    Messages(ChanId),
}

/// The value of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// The elements of an array.
    Array(Vec<i32>),
    /// The name of a location.
    Location(String),
    /// The messages in a channel, oldest first.
    Messages(Vec<Vec<i32>>),
}

/// All parts of a program's states: shared variables, channels, then each process.
pub fn parts(program: &Program) -> Vec<Part> {
    let mut parts = Vec::new();
    let variables = |owner: Option<InstanceId>, parts: &mut Vec<Part>| {
        let process = owner.map(|i| program.instances[i.index()].process);
        for (v, var) in program.vars.iter().enumerate().filter(|(_, v)| v.owner == process) {
            let name = match owner {
                None => var.name.clone(),
                Some(i) => format!("{}.{}", program.instances[i.index()].name, var.name),
            };
            let kind = Kind::Variable(VarId::new(v), owner.unwrap_or(InstanceId(0)));
            parts.push(Part { name, owner, short: var.name.clone(), kind });
        }
    };
    variables(None, &mut parts);
    for (c, channel) in program.channels.iter().enumerate().filter(|(_, c)| c.capacity > 0) {
        let name = channel.name.clone();
        parts.push(Part { short: name.clone(), name, owner: None, kind: Kind::Messages(ChanId::new(c)) });
    }
    for i in program.instance_ids() {
        let name = program.instances[i.index()].name.clone();
        parts.push(Part { name, owner: Some(i), short: String::new(), kind: Kind::Location(i) });
        variables(Some(i), &mut parts);
    }
    parts
}

impl Part {
    /// Its value in the state `s`, which is not the fault state.
    pub fn value(&self, program: &Program, layout: &Layout, s: &[u32]) -> Value {
        match self.kind {
            Kind::Variable(v, i) => match layout.slot(v, i) {
                Slot::One(f) => Value::Number(f.load(s)),
                Slot::Many(a) => Value::Array((0..a.len).map(|i| a.element(i).load(s)).collect()),
            },
            Kind::Location(i) => {
                let l = layout.location(i).raw(s) as usize;
                Value::Location(
                    program.process_of(i).locations.get(l).map_or(String::new(), |l| l.name.clone()),
                )
            }
            Kind::Messages(c) => {
                let messages = layout.channel(c).map_or(Vec::new(), |channel| {
                    let message = |m| channel.fields.iter().map(|f| f.element(m).load(s)).collect();
                    (0..channel.count.raw(s)).map(message).collect()
                });
                Value::Messages(messages)
            }
        }
    }
}

impl Interpreter<'_> {
    /// The places of the edges that an action takes, with their processes: the mover or sender first.
    pub fn places(&self, action: ActionId) -> Vec<(InstanceId, Span)> {
        let place =
            |(i, e): (InstanceId, crate::EdgeId)| (i, self.program.process_of(i).edges[e.index()].span);
        match self.action(action) {
            Action::Alone(i, e) => vec![place((i, e))],
            Action::Rendezvous(a, b) => vec![place(a), place(b)],
            Action::Claim | Action::Lockstep => Vec::new(),
        }
    }
}
