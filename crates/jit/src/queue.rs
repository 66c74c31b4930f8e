//! Messages in channels that keep them.
//!
//! Free slots of a queue are zero bits and its messages come first, so a message is put by an `or`, and the first one is
//! taken by moving all bits of each field down by the width of one.

use crate::expression::{Bits, Code, PLAIN, Words};
use crate::meet::Number;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use riata_program::native::{ChannelCode, PatternCode, Queue, ReceiveCode};
use riata_program::{ArrayField, Field};

/// Offsets of what is told of channels in a turn.
const CHANNELS: i32 = 24;
const COUNT: i32 = 32;

/// Where a channel is in a state.
#[derive(Clone, Copy)]
pub(crate) enum At {
    /// At this word.
    Known(u32),
    /// So many bytes after the first word.
    Bytes(Value),
}

/// A channel as it is known when the code is made.
#[derive(Clone, Copy)]
pub(crate) struct Channel<'a> {
    pub queue: &'a Queue,
    pub at: At,
}

/// Which channel an action is about.
pub(crate) enum Which<'a> {
    /// One whose kind and place are constants.
    One(Channel<'a>),
    /// One that a piece of code tells: its kind is a number, at run time.
    Told { kind: Value, at: At },
    /// Native code cannot tell.
    Unknown,
}

impl<'a> Code<'a, '_> {
    /// The channel that `code` tells, and its number. A number that is none goes `away`.
    pub fn channel(
        &mut self,
        code: ChannelCode,
        words: Words,
        turn: Value,
        away: Block,
    ) -> (Which<'a>, Number) {
        let frames = self.listing.frames;
        match code {
            ChannelCode::Known(k) => {
                let found = usize::try_from(k.wrapping_sub(1)).ok().and_then(|k| frames.channels.get(k));
                let which = match found {
                    Some(&(kind, at)) => {
                        Which::One(Channel { queue: &frames.queues[kind as usize], at: At::Known(at) })
                    }
                    None => Which::Unknown,
                };
                (which, Number::Known(k))
            }
            ChannelCode::Code(pc) => {
                let id = self.run(pc, words, &mut Vec::new(), away);
                let number = Number::Told(id);
                let id = self.b.ins().iadd_imm(id, -1);
                let count = self.b.ins().load(I32, PLAIN, turn, COUNT);
                let wrong = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, id, count);
                self.unless(wrong, away);
                let table = self.b.ins().load(I64, PLAIN, turn, CHANNELS);
                let id = self.b.ins().uextend(I64, id);
                let bytes = self.b.ins().ishl_imm(id, 3);
                let entry = self.b.ins().iadd(table, bytes);
                let kind = self.b.ins().load(I32, PLAIN, entry, 0);
                let at = self.b.ins().load(I32, PLAIN, entry, 4);
                let at = self.b.ins().uextend(I64, at);
                let at = self.b.ins().ishl_imm(at, 2);
                (Which::Told { kind, at: At::Bytes(at) }, number)
            }
        }
    }

    /// Where a field of a channel is.
    fn place(&mut self, words: Words, at: At, word: u32) -> Bits {
        match at {
            At::Known(first) => {
                Bits { pointer: words.all, offset: ((first + word) * 4) as i32, shift: 0, mask: 0 }
            }
            At::Bytes(bytes) => {
                let pointer = self.b.ins().iadd(words.all, bytes);
                Bits { pointer, offset: (word * 4) as i32, shift: 0, mask: 0 }
            }
        }
    }

    fn count_at(&mut self, words: Words, channel: Channel) -> Bits {
        let Field { word, shift, mask, .. } = channel.queue.count;
        Bits { shift: shift.into(), mask, ..self.place(words, channel.at, word) }
    }

    /// Goes on if there is room for a message.
    pub fn has_room(&mut self, words: Words, channel: Channel, no: Block) {
        let place = self.count_at(words, channel);
        let count = self.load(place);
        let full = self.b.ins().icmp_imm(
            IntCC::UnsignedGreaterThanOrEqual,
            count,
            i64::from(channel.queue.capacity),
        );
        self.unless(full, no);
    }

    /// Puts a message after the others; there is room.
    pub fn put(&mut self, words: Words, channel: Channel, message: &[Value]) {
        let place = self.count_at(words, channel);
        let count = self.load(place);
        for ((field, domain), &value) in channel.queue.fields.iter().zip(&channel.queue.domains).zip(message)
        {
            let raw = self.b.ins().iadd_imm(value, -i64::from(domain.min));
            let extent = domain.extent();
            let raw = if extent == u32::MAX { raw } else { self.b.ins().band_imm(raw, i64::from(extent)) };
            let base = self.place(words, channel.at, field.word);
            let (f, shift) = self.slot(base, (field.first.into(), field.log), count);
            let raw = match shift {
                Some(shift) => self.b.ins().ishl(raw, shift),
                None => raw,
            };
            let w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
            let w = self.b.ins().bor(w, raw);
            self.b.ins().store(PLAIN, w, f.pointer, f.offset);
        }
        self.more(place, 1);
    }

    /// Adds to the number of messages.
    fn more(&mut self, place: Bits, by: i32) {
        let w = self.b.ins().load(I32, PLAIN, place.pointer, place.offset);
        let w = self.b.ins().iadd_imm(w, i64::from(by) << place.shift);
        self.b.ins().store(PLAIN, w, place.pointer, place.offset);
    }

    /// The first message of a queue, which has one.
    pub fn first(&mut self, words: Words, channel: Channel) -> Vec<Value> {
        let mut message = Vec::new();
        for field in &channel.queue.fields {
            let Field { word, shift, mask, min } = field.element(0);
            let place = Bits { shift: shift.into(), mask, ..self.place(words, channel.at, word) };
            let raw = self.load(place);
            message.push(self.b.ins().iadd_imm(raw, i64::from(min)));
        }
        message
    }

    /// Goes on, with the first message, if there is one and the receive takes it.
    pub fn has_message(
        &mut self,
        words: Words,
        channel: Channel,
        receive: &ReceiveCode,
        (no, away): (Block, Block),
    ) -> Vec<Value> {
        let place = self.count_at(words, channel);
        let count = self.load(place);
        self.when(count, no);
        let message = self.first(words, channel);
        for (pattern, &value) in receive.patterns.iter().zip(&message) {
            let wanted = match *pattern {
                PatternCode::Any | PatternCode::Bind => continue,
                PatternCode::Known(k) => self.iconst(k),
                PatternCode::Match(pc) => self.run(pc, words, &mut Vec::new(), away),
            };
            let same = self.b.ins().icmp(IntCC::Equal, value, wanted);
            self.when(same, no);
        }
        message
    }

    /// Takes the first message away.
    pub fn take_first(&mut self, words: Words, channel: Channel) {
        for field in &channel.queue.fields {
            self.shift_down(words, channel.at, *field);
        }
        let place = self.count_at(words, channel);
        self.more(place, -1);
    }

    /// Moves the elements of an array down by one.
    fn shift_down(&mut self, words: Words, at: At, field: ArrayField) {
        let width = 1u32 << field.log;
        let (first, end) = (u32::from(field.first) * width, (u32::from(field.first) + field.len) * width);
        for word in 0..end.div_ceil(32) {
            // The bits of the array in this word.
            let lo = if word == 0 { first } else { 0 };
            let hi = (end - word * 32).min(32);
            let mask = (u32::MAX >> (32 - (hi - lo))) << lo;
            let place = self.place(words, at, field.word + word);
            let w = self.b.ins().load(I32, PLAIN, place.pointer, place.offset);
            let mut new = if width == 32 {
                self.iconst(0)
            } else {
                let inside = self.b.ins().band_imm(w, i64::from(mask));
                let down = self.b.ins().ushr_imm(inside, i64::from(width));
                self.b.ins().band_imm(down, i64::from(mask))
            };
            if (word + 1) * 32 < end {
                // The first element of the next word is the last one of this.
                let next = self.b.ins().load(I32, PLAIN, place.pointer, place.offset + 4);
                new = if width == 32 {
                    next
                } else {
                    let up = self.b.ins().ishl_imm(next, i64::from(32 - width));
                    self.b.ins().bor(new, up)
                };
            }
            let kept = self.b.ins().band_imm(w, i64::from(!mask));
            let new = self.b.ins().bor(kept, new);
            self.b.ins().store(PLAIN, new, place.pointer, place.offset);
        }
    }
}
