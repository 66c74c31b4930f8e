//! What happens in a step, told event by event: messages sent and received, text printed, processes started and ended.
//!
//! A search needs only where a step leads. Whoever is shown a run wants to know more, also of what happens inside a
//! deterministic step; so the step is [read](crate::reading) again, statement by statement, straight from the form. Where
//! it leads must be where the search said: [`Interpreter::narrate`] tells nothing else.

use crate::evaluate::Sight;
use crate::form::{Expr, Print, Shown};
use crate::ids::ExprId;
use crate::interp::{Interpreter, Step};
use crate::reading::{self, Mover};
use crate::view::Value;
use riata_system::System;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A message was sent. By rendezvous, the next event is that it is received.
    Sent {
        /// The channel's number.
        channel: i32,
        /// Its name.
        name: String,
        /// The values.
        message: Vec<Value>,
        /// Its place in the queue, the oldest first; none for a rendezvous.
        slot: Option<u32>,
    },
    /// A message was received.
    Received {
        /// The channel's number.
        channel: i32,
        /// Its name.
        name: String,
        /// The values.
        message: Vec<Value>,
        /// Its place in the queue before; none for a rendezvous.
        slot: Option<u32>,
        /// Is it still in the queue?
        kept: bool,
    },
    /// Text was printed.
    Printed(String),
    /// A process was started: its pid.
    Started(u32),
    /// The process ended.
    Ended,
}

/// What happened, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The process.
    pub pid: u32,
    /// What happened.
    pub what: Happening,
}

impl Interpreter {
    /// What happens in a step from `src` to `dst`. A step that ends in a fault is told up to there.
    pub fn narrate(&self, src: &[u32], step: Step, dst: &[u32]) -> Option<Vec<Told>> {
        reading::step(self, src, step, &dst[..self.len(dst)]).map(|r| r.told)
    }
}

impl Mover<'_> {
    /// Something happens to who acts.
    pub fn tell(&mut self, what: Happening) {
        self.told.push(Told { pid: self.me, what });
    }

    /// A message is sent; by rendezvous it has no slot.
    pub fn tell_sent(&mut self, channel: i32, message: &[i32], slot: Option<u32>) {
        let (name, message) = self.shown(channel, message);
        self.tell(Happening::Sent { channel, name, message, slot });
    }

    /// A message is received.
    pub fn tell_received(&mut self, channel: i32, message: &[i32], slot: Option<u32>, kept: bool) {
        let (name, message) = self.shown(channel, message);
        self.tell(Happening::Received { channel, name, message, slot, kept });
    }

    /// The name of a channel and a message of it, for people.
    fn shown(&self, id: i32, message: &[i32]) -> (String, Vec<Value>) {
        let i = self.interpreter;
        let name = i.channel_name(&self.s, id).unwrap_or_default();
        let kind = usize::try_from(id - 1).ok().and_then(|c| i.shape(&self.s).channels.get(c));
        let shown = kind.map_or(&[][..], |&(kind, _)| &i.program.channels[kind as usize].shown);
        (name, message.iter().zip(shown).map(|(&v, &shown)| i.shown(shown, v)).collect())
    }
}

impl Sight<'_, '_> {
    /// What is printed. An argument that has no value does not stop the run: it is shown as `?`.
    pub fn printed(self, print: &Print) -> String {
        let mut arguments = print.arguments.iter();
        let mut text = String::new();
        let mut chars = print.format.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => {}
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(other) => text.push(other),
                    None => {}
                },
                '%' => {
                    let Some(form) = chars.next() else { break };
                    if form == '%' {
                        text.push('%');
                        continue;
                    }
                    let Some(&e) = arguments.next() else { continue };
                    let Ok(v) = self.value(e) else {
                        text.push('?');
                        continue;
                    };
                    match form {
                        'c' => text.push(char::from(v as u8)),
                        'e' => text += &self.symbol(e, v),
                        'x' => text += &format!("{v:x}"),
                        'o' => text += &format!("{v:o}"),
                        'u' => text += &(v as u32).to_string(),
                        _ => text += &v.to_string(),
                    }
                }
                c => text.push(c),
            }
        }
        text
    }

    /// A value of a symbol's name: of the set that its variable is of, else of the first.
    fn symbol(self, e: ExprId, v: i32) -> String {
        let i = self.interpreter;
        let of = i.type_of(self.s, self.me);
        let shown = match i.program.exprs.get(e) {
            Expr::Read(place) => i.program.variable(of, place.var).map(|v| v.shown),
            _ => None,
        };
        let set = match shown {
            Some(Shown::Symbol(set)) => set,
            _ => 0,
        };
        match i.shown(Shown::Symbol(set), v) {
            Value::Symbol(name) => name,
            _ => v.to_string(),
        }
    }
}
