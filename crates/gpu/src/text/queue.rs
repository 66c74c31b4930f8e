//! Messages in channels that keep them.
//!
//! The messages of a queue come first in each of its arrays, and free slots are zero bits. The first message is taken by
//! moving all bits down by the width of one.

use super::writer::{Array, Words, Writer, constant, plus, signed};
use crate::plan::Door;
use riata_program::native::{ChannelCode, PatternCode, Queue, ReceiveCode};
use riata_program::{ArrayField, Domain};

/// A channel of which the place is known.
#[derive(Clone, Copy)]
pub(crate) struct Channel<'a> {
    pub number: i32,
    pub queue: &'a Queue,
    pub at: u32,
}

fn array(field: ArrayField, at: u32) -> Array {
    Array { word: field.word + at, first: field.first.into(), log: field.log.into(), len: field.len }
}

impl<'a> Writer<'a> {
    /// The interpreter is asked if a channel is not there.
    pub fn there(&mut self, door: Door) {
        if let Some(owner) = door.owner {
            let count = self.count();
            self.ask_if(&format!("{count} <= {owner}"));
        }
    }

    /// Writes something for each channel that it may be.
    pub fn channels(
        &mut self,
        code: ChannelCode,
        words: Words,
        mut then: impl FnMut(&mut Self, Channel<'a>),
    ) {
        let plan = self.plan;
        let channel = |n: usize, door: Door| Channel {
            number: n as i32 + 1,
            queue: &plan.listing.frames.queues[door.kind as usize],
            at: door.at,
        };
        match code {
            ChannelCode::Known(k) => {
                let n = usize::try_from(k.wrapping_sub(1)).unwrap_or(usize::MAX);
                match plan.doors.get(n) {
                    Some(&door) => {
                        self.there(door);
                        then(self, channel(n, door));
                    }
                    None => self.line("return ASK;"),
                }
            }
            ChannelCode::Code(pc) => {
                let id = self.run(pc, words, &mut Vec::new());
                let id = self.named(&id);
                self.line(format!("switch ({id}) {{"));
                for (n, &door) in plan.doors.iter().enumerate() {
                    self.line(format!("case {}:", n + 1));
                    self.block(|this| {
                        this.there(door);
                        then(this, channel(n, door));
                    });
                    self.line("break;");
                }
                self.line("default: return ASK;\n}");
            }
        }
    }

    /// How many messages there are.
    pub fn messages(&self, words: Words, queue: &Queue, at: u32) -> String {
        self.raw(words, (queue.count.word + at, queue.count.shift.into(), queue.count.mask))
    }

    fn set_messages(&mut self, channel: Channel, count: &str) {
        let f = channel.queue.count;
        self.put((f.word + channel.at, f.shift.into(), f.mask), count);
    }

    /// A value cut to a domain.
    pub fn cut(&mut self, value: &str, domain: Domain) -> String {
        let extent = domain.extent();
        if extent == u32::MAX {
            return self.named(value);
        }
        let raw = format!("(i32)((u32)({}) & {extent:#x}u)", plus(value, domain.min.wrapping_neg()));
        self.named(&plus(&raw, domain.min))
    }

    /// Puts a message, whose values are names, into a queue that has room.
    pub fn send(&mut self, channel: Channel, sorted: bool, message: &[String]) {
        let Channel { queue, at, .. } = channel;
        let count = self.messages(Words::After, queue, at);
        let count = self.named(&signed(&count));
        let slot = if sorted { self.place_of(channel, &count, message) } else { count.clone() };
        for ((&field, &domain), value) in queue.fields.iter().zip(&queue.domains).zip(message) {
            let value = self.cut(value, domain);
            if sorted {
                for i in (1..queue.capacity).rev() {
                    let (from, to) = (field.element(i - 1), field.element(i));
                    let raw = self.raw(Words::After, (from.word + at, from.shift.into(), from.mask));
                    self.line(format!("if ({slot} < {i} && {i} <= {count}) {{"));
                    self.put((to.word + at, to.shift.into(), to.mask), &raw);
                    self.line("}");
                }
            }
            let raw = self.named(&plus(&value, field.min.wrapping_neg()));
            self.store_element(array(field, at), &slot, &raw);
        }
        self.set_messages(channel, &format!("(u32){count} + 1u"));
    }

    /// The slot of the first message that is greater than this one, or the first free one.
    fn place_of(&mut self, channel: Channel, count: &str, message: &[String]) -> String {
        let slot = self.name();
        self.line(format!("{slot} = {count};"));
        for i in (0..channel.queue.capacity).rev() {
            let mut greater = String::from("0");
            for (field, value) in channel.queue.fields.iter().zip(message).rev() {
                let other = self.value_of(Words::After, *field, channel.at, i);
                greater = format!("({other} == {value} ? {greater} : {other} > {value})");
            }
            self.line(format!("if ({i} < {count} && {greater}) {slot} = {i};"));
        }
        slot
    }

    /// A value of the message in a slot.
    fn value_of(&self, words: Words, field: ArrayField, at: u32, slot: u32) -> String {
        let f = field.element(slot);
        plus(&signed(&self.raw(words, (f.word + at, f.shift.into(), f.mask))), f.min)
    }

    /// The slot of the message that a receive takes, as a name, -1 if there is none; the number of values is right.
    pub fn find(&mut self, words: Words, channel: Channel, receive: &ReceiveCode) -> String {
        let Channel { queue, at, .. } = channel;
        let slot = self.name();
        self.line(format!("{slot} = -1;"));
        let count = self.messages(words, queue, at);
        self.line(format!("if ({count} != 0u)"));
        self.block(|this| {
            let wanted: Vec<Option<String>> = (receive.patterns.iter())
                .map(|pattern| match *pattern {
                    PatternCode::Any | PatternCode::Bind => None,
                    PatternCode::Known(k) => Some(constant(k)),
                    PatternCode::Match(pc) => {
                        let value = this.run(pc, words, &mut Vec::new());
                        Some(this.named(&value))
                    }
                })
                .collect();
            let slots = if receive.any { queue.capacity } else { 1 };
            for i in (0..slots).rev() {
                let mut fits = format!("{i} < (i32){count}");
                for (field, wanted) in queue.fields.iter().zip(&wanted) {
                    if let Some(wanted) = wanted {
                        let value = this.value_of(words, *field, at, i);
                        fits.push_str(&format!(" && {value} == {wanted}"));
                    }
                }
                this.line(format!("if ({fits}) {slot} = {i};"));
            }
        });
        slot
    }

    /// The values of the message in a slot that is a name, as names.
    pub fn message_at(&mut self, words: Words, channel: Channel, slot: &str, any: bool) -> Vec<String> {
        let mut message = Vec::new();
        for &field in &channel.queue.fields {
            let value = if any {
                let raw = self.load_element(words, array(field, channel.at), slot);
                plus(&signed(&raw), field.min)
            } else {
                self.value_of(words, field, channel.at, 0)
            };
            let name = self.name();
            self.line(format!("{name} = {value};"));
            message.push(name);
        }
        message
    }

    /// Takes the message in a slot away.
    pub fn remove(&mut self, channel: Channel, slot: &str, any: bool) {
        let Channel { queue, at, .. } = channel;
        for &field in &queue.fields {
            if !any {
                self.shift_down(at, field);
                continue;
            }
            for i in 0..queue.capacity {
                let to = field.element(i);
                let raw = if i + 1 < queue.capacity {
                    let from = field.element(i + 1);
                    self.raw(Words::After, (from.word + at, from.shift.into(), from.mask))
                } else {
                    "0u".into()
                };
                self.line(format!("if ({slot} <= {i}) {{"));
                self.put((to.word + at, to.shift.into(), to.mask), &raw);
                self.line("}");
            }
        }
        let count = self.messages(Words::After, queue, at);
        self.set_messages(channel, &format!("{count} - 1u"));
    }

    /// Moves the elements of an array down by one.
    fn shift_down(&mut self, at: u32, field: ArrayField) {
        let width = 1u32 << field.log;
        let (first, end) = (u32::from(field.first) * width, (u32::from(field.first) + field.len) * width);
        for word in 0..end.div_ceil(32) {
            // The bits of the array in this word.
            let lo = if word == 0 { first } else { 0 };
            let hi = (end - word * 32).min(32);
            let mask = (u32::MAX >> (32 - (hi - lo))) << lo;
            let place = field.word + at + word;
            let mut new = if width == 32 {
                "0u".into()
            } else {
                format!("(((t[{place}] & {mask:#x}u) >> {width}) & {mask:#x}u)")
            };
            if (word + 1) * 32 < end {
                // The first element of the next word is the last one of this.
                let next = place + 1;
                new = match width {
                    32 => format!("t[{next}]"),
                    _ => format!("({new} | (t[{next}] << {}))", 32 - width),
                };
            }
            self.line(format!("t[{place}] = (t[{place}] & {:#x}u) | {new};", !mask));
        }
    }

    /// Would a receive find a message now?
    pub fn poll(&mut self, r: u32, words: Words) -> String {
        let Some(receive) = &self.plan.listing.receives[r as usize] else { return "0".into() };
        let result = self.name();
        self.channels(receive.channel, words, |this, channel| {
            if channel.queue.capacity == 0 || channel.queue.domains.len() != receive.patterns.len() {
                this.line("return ASK;");
                return;
            }
            let slot = this.find(words, channel, receive);
            this.line(format!("{result} = {slot} >= 0;"));
        });
        result
    }
}
