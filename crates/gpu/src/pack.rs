//! Which bits of a state say something, and how they are packed for the device.
//!
//! The words of a state have room that nobody uses: each frame begins with a word of its own. On the device a state is
//! the bits in use, one after the other, in words of 63 bits (short states, of which one more than the word is kept in the
//! table) or 64.
//!
//! A variable may never have the values that its type allows. So the bits are those in which some thousand states differ from
//! the first one, and the text sees whether a state fits: one that does not is left to the interpreter, and the search begins
//! again with all bits.

use crate::plan::Refused;
use riata_program::native::{Frames, Stack};
use riata_program::{Field, Slot};
use std::fmt::Write;

/// The most bits of a state.
const MOST_BITS: u32 = 1024;
/// So many bits are two words of 63, which the table itself can hold.
const SHORT_BITS: u32 = 126;

/// A piece of a word of a state, and where it is in a packed word.
#[derive(Clone, Copy, Debug)]
struct Part {
    word: u32,
    shift: u32,
    bits: u32,
    to: u32,
    at: u32,
}

/// How states are packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The words of an unpacked state.
    pub words: usize,
    /// The words of a packed one, of 64 bits each.
    pub packed: usize,
    /// The bits in use.
    pub bits: u32,
    /// Are packed states in the table themselves?
    pub inline: bool,
    /// Is the last word that of an automaton?
    pub(crate) beside: bool,
    masks: Vec<u32>,
    /// What the other bits are.
    base: Vec<u32>,
    parts: Vec<Part>,
}

/// What some states look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'s> {
    /// The first one.
    pub first: &'s [u32],
    /// The bits in which others differ from it.
    pub varying: &'s [u32],
}

/// Why a state cannot be packed: it has processes that were not foreseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoesNotFit;

/// Marks the bits of fields, as many of each as differ in one of them.
struct Marks<'s> {
    masks: Vec<u32>,
    sample: Option<Sample<'s>>,
}

impl Marks<'_> {
    /// The fields are of one kind: elements of an array.
    fn mark(&mut self, fields: impl Iterator<Item = Field>, base: u32) {
        // Fields without bits are nowhere.
        let fields: Vec<Field> = fields.filter(|f| f.mask != 0).collect();
        let needed =
            |f: Field, bits: &[u32]| bits.get((f.word + base) as usize).map_or(0, |w| w >> f.shift & f.mask);
        let bits = match self.sample {
            Some(Sample { varying, .. }) => fields.iter().fold(0, |all, &f| all | needed(f, varying)),
            None => u32::MAX,
        };
        let all = u32::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0);
        for f in fields {
            self.masks[(f.word + base) as usize] |= (f.mask & all) << f.shift;
        }
    }
}

impl Packing {
    /// For the states of a stack and of those below it, of which the head has so many bits, and an automaton's state beside it
    /// so many; of variables all bits, or those that a sample needs.
    pub(crate) fn new(
        frames: &Frames,
        stack: &Stack,
        (head, beside): (u32, Option<u32>),
        sample: Option<Sample>,
    ) -> Result<Packing, Refused> {
        let words = stack.words as usize;
        let mut marks = Marks { masks: vec![0; words.max(1)], sample };
        if !frames.known {
            marks.masks[0] |= (1 << head) - 1;
        }
        for slot in &frames.shared {
            marks.mark(slot.fields(), 0);
        }
        for &(kind, at) in stack.channels {
            let queue = &frames.queues[kind as usize];
            if queue.capacity > 0 {
                // How many messages there are is never guessed.
                let guess = std::mem::take(&mut marks.sample);
                marks.mark(std::iter::once(queue.count), at);
                marks.sample = guess;
                for &field in &queue.fields {
                    marks.mark(Slot::Many(field).fields(), at);
                }
            }
        }
        for &(of, base) in stack.processes {
            let frame = &frames.types[of as usize];
            let guess = std::mem::take(&mut marks.sample);
            marks.mark(std::iter::once(frame.location), base);
            marks.mark(std::iter::once(frame.priority), base);
            marks.sample = guess;
            for slot in &frame.locals {
                marks.mark(slot.fields(), base);
            }
        }
        let first = sample.map_or(&[][..], |sample| sample.first);
        let first = &first[..first.len().min(words)];
        match beside {
            None => Packing::of(marks.masks, first, true),
            Some(bits) => {
                let masks = [marks.masks, vec![ones(bits)]].concat();
                // Sets of states need their numbers, which the table has only of states that are not in it themselves.
                Packing::of(masks, first, false).map(|packing| Packing { beside: true, ..packing })
            }
        }
    }

    fn of(masks: Vec<u32>, first: &[u32], inline: bool) -> Result<Packing, Refused> {
        let bits: u32 = masks.iter().map(|m| m.count_ones()).sum();
        if bits > MOST_BITS {
            return Err(Refused::Wide(bits));
        }
        let inline = inline && bits <= SHORT_BITS;
        let width = if inline { 63 } else { 64 };
        let mut parts = Vec::new();
        let (mut to, mut at) = (0, 0);
        for (word, &mask) in masks.iter().enumerate() {
            let mut left = mask;
            while left != 0 {
                let shift = left.trailing_zeros();
                let run = (left >> shift).trailing_ones();
                if at == width {
                    (to, at) = (to + 1, 0);
                }
                let bits = run.min(width - at);
                parts.push(Part { word: word as u32, shift, bits, to, at });
                left &= !(ones(bits) << shift);
                at += bits;
            }
        }
        let base = masks.iter().enumerate().map(|(i, m)| first.get(i).copied().unwrap_or(0) & !m).collect();
        Ok(Packing {
            words: masks.len(),
            packed: to as usize + 1,
            bits,
            inline,
            beside: false,
            masks,
            base,
            parts,
        })
    }

    /// The packed state.
    pub fn pack(&self, s: &[u32], out: &mut Vec<u64>) -> Result<(), DoesNotFit> {
        let Some((q, program)) = s.split_last().filter(|_| self.beside) else {
            return self.pack_words(s, out);
        };
        if program.len() >= self.words {
            return Err(DoesNotFit);
        }
        let mut words = program.to_vec();
        words.resize(self.words - 1, 0);
        words.push(*q);
        self.pack_words(&words, out)
    }

    fn pack_words(&self, s: &[u32], out: &mut Vec<u64>) -> Result<(), DoesNotFit> {
        let word = |i: usize| s.get(i).copied().unwrap_or(0);
        let fits = |i: usize| match self.masks.get(i) {
            Some(mask) => (word(i) ^ self.base[i]) & !mask == 0,
            None => word(i) == 0,
        };
        if !(0..s.len().max(self.words)).all(fits) {
            return Err(DoesNotFit);
        }
        let first = out.len();
        out.resize(first + self.packed, 0);
        for p in &self.parts {
            let raw = word(p.word as usize) >> p.shift & ones(p.bits);
            out[first + p.to as usize] |= u64::from(raw) << p.at;
        }
        Ok(())
    }

    /// The state, with zeros for what it may be shorter.
    pub fn unpack(&self, key: &[u64]) -> Vec<u32> {
        let mut s = self.base.clone();
        for p in &self.parts {
            s[p.word as usize] |= ((key[p.to as usize] >> p.at) as u32 & ones(p.bits)) << p.shift;
        }
        s
    }

    /// The functions `pack` and `unpack`.
    pub fn text(&self, out: &mut String) {
        let mut packs = vec![Vec::new(); self.packed];
        let known = |&base: &u32| if base == 0 { Vec::new() } else { vec![format!("{base:#x}u")] };
        let mut unpacks: Vec<Vec<String>> = self.base.iter().map(known).collect();
        for &Part { word, shift, bits, to, at } in &self.parts {
            let mask = ones(bits);
            packs[to as usize].push(format!("(u64)((t[{word}] >> {shift}) & {mask:#x}u) << {at}"));
            unpacks[word as usize].push(format!("((u32)(k[{to}] >> {at}) & {mask:#x}u) << {shift}"));
        }
        let body = |parts: &[String]| if parts.is_empty() { "0".into() } else { parts.join(" | ") };
        let outside = |(i, mask): (usize, &u32)| {
            (*mask != u32::MAX).then(|| format!("((t[{i}] ^ {:#x}u) & {:#x}u)", self.base[i], !mask))
        };
        let outside: Vec<String> = self.masks.iter().enumerate().filter_map(outside).collect();
        let _ = writeln!(out, "/* Does it fit? */\nDEVICE int pack(const u32 *t, u64 *k) {{");
        packs.iter().enumerate().for_each(|(i, p)| {
            let _ = writeln!(out, "k[{i}] = {};", body(p));
        });
        let _ = writeln!(out, "return ({}) == 0;", body(&outside));
        let _ = writeln!(out, "}}\nDEVICE void unpack(const u64 *k, u32 *s) {{");
        unpacks.iter().enumerate().for_each(|(i, p)| {
            let _ = writeln!(out, "s[{i}] = {};", body(p));
        });
        let _ = writeln!(out, "}}");
    }
}

fn ones(bits: u32) -> u32 {
    u32::MAX >> (32 - bits.clamp(1, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for (masks, inline) in [
            (vec![0xff, 0, 0x8001_0ff0], true),
            (vec![u32::MAX; 3], true),
            (vec![u32::MAX, 0xffff, u32::MAX, u32::MAX, u32::MAX], false),
        ] {
            let packing = Packing::of(masks.clone(), &[], true).expect("they are few");
            assert_eq!(packing.inline, inline);
            for seed in 0..50u32 {
                let s: Vec<u32> = masks
                    .iter()
                    .zip(1..)
                    .map(|(m, i)| m & (seed * 7 + i).wrapping_mul(0x9e37_79b9))
                    .collect();
                let mut key = Vec::new();
                packing.pack(&s, &mut key).expect("it fits");
                assert!(!inline || key.iter().all(|k| k >> 63 == 0));
                assert_eq!(packing.unpack(&key), s);
            }
        }
        let packing = Packing::of(vec![0xff], &[], true).expect("they are few");
        assert_eq!(packing.pack(&[0x100], &mut Vec::new()), Err(DoesNotFit));
        assert_eq!(packing.pack(&[1, 1], &mut Vec::new()), Err(DoesNotFit));
        assert_eq!(packing.pack(&[1, 0], &mut Vec::new()), Ok(()));
        let packing = Packing::of(vec![0xff], &[0x8000_0001], true).expect("they are few");
        let mut key = Vec::new();
        assert_eq!(packing.pack(&[0x8000_0007], &mut key), Ok(()));
        assert_eq!(packing.unpack(&key), [0x8000_0007]);
        assert_eq!(packing.pack(&[7], &mut Vec::new()), Err(DoesNotFit));
    }

    #[test]
    fn wide_states_are_refused() {
        assert!(Packing::of(vec![u32::MAX; 33], &[], true).is_err());
    }
}
