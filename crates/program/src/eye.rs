//! A state that is watched: memory that notes which fields of the source state are looked at, and which are written.

use crate::layout::Field;
use crate::machine::{Fault, Memory};
use riata_system::{Effect, Look, Slot};
use std::cell::RefCell;

/// No slot: a field without bits.
const NOWHERE: u32 = u32::MAX;

/// The slots of a state, and which slot begins at which bit.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    pub list: Vec<Slot>,
    at: Vec<u32>,
}

impl Slots {
    pub fn new(words: usize) -> Self {
        Slots { list: Vec::new(), at: vec![NOWHERE; words * 32] }
    }

    /// Adds a field as the next slot; one without bits is no slot.
    pub fn add(&mut self, f: Field) {
        if f.mask != 0 {
            self.at[f.word as usize * 32 + usize::from(f.shift)] = self.list.len() as u32;
            self.list.push(Slot { word: f.word, shift: f.shift, mask: f.mask });
        }
    }

    /// The slot of a field; none if it has no bits, or is the same in all states.
    pub fn of(&self, f: Field) -> Option<u32> {
        self.find(f.word, f.shift.into(), f.mask)
    }

    fn find(&self, word: u32, shift: u32, mask: u32) -> Option<u32> {
        let slot = self.at[(word * 32 + shift) as usize];
        let found = mask != 0 && slot != NOWHERE;
        debug_assert!(!found || self.list[slot as usize].mask == mask, "code knows the fields");
        found.then_some(slot)
    }
}

/// What is known of a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Its value in the source state was seen.
    Value,
    /// It was written.
    Written,
}

/// A state under watch. What was written is no look at the source state any more.
pub(crate) struct Eye<'a> {
    slots: &'a Slots,
    s: Vec<u32>,
    log: RefCell<Log>,
}

struct Log {
    known: Vec<Known>,
    looks: Vec<Look>,
}

impl<'a> Eye<'a> {
    pub fn new(slots: &'a Slots, s: &[u32]) -> Self {
        let known = vec![Known::Nothing; slots.list.len()];
        Eye { slots, s: s.to_vec(), log: RefCell::new(Log { known, looks: Vec::new() }) }
    }

    /// The bits of a field.
    pub fn raw(&self, f: Field) -> u32 {
        self.field(f.word, f.shift.into(), f.mask)
    }

    /// Are the bits of a field these?
    pub fn at(&self, f: Field, raw: u32) -> bool {
        self.is(f.word, f.shift.into(), f.mask, raw)
    }

    /// Stores the bits of a field.
    pub fn store(&mut self, f: Field, raw: u32) {
        self.put(f.word, f.shift.into(), f.mask, raw);
    }

    /// What was looked at so far, without what was written.
    pub fn looks(&self) -> Vec<Look> {
        self.log.borrow().looks.clone()
    }

    /// What was written.
    pub fn effect(&self) -> Effect {
        let log = self.log.borrow();
        let written = (0u32..).zip(&log.known).filter(|(_, k)| **k == Known::Written);
        Effect::Writes(written.map(|(i, _)| (i, self.slots.list[i as usize].load(&self.s))).collect())
    }

    fn value(&self, word: u32, shift: u32, mask: u32) -> u32 {
        (self.s[word as usize] >> shift) & mask
    }

    fn look(&self, slot: u32, value: u32, equal: bool) {
        let mut log = self.log.borrow_mut();
        if log.known[slot as usize] == Known::Nothing {
            log.looks.push(Look { slot, value, equal });
            if equal {
                log.known[slot as usize] = Known::Value;
            }
        }
    }
}

impl Memory for Eye<'_> {
    fn word(&self, i: u32) -> u32 {
        for (slot, place) in (0u32..).zip(&self.slots.list).filter(|(_, p)| p.word == i) {
            self.look(slot, place.load(&self.s), true);
        }
        self.s[i as usize]
    }

    fn set(&mut self, i: u32, w: u32) {
        self.s[i as usize] = w;
        let log = self.log.get_mut();
        for (slot, _) in self.slots.list.iter().enumerate().filter(|(_, p)| p.word == i) {
            log.known[slot] = Known::Written;
        }
    }

    fn field(&self, word: u32, shift: u32, mask: u32) -> u32 {
        let value = self.value(word, shift, mask);
        if let Some(slot) = self.slots.find(word, shift, mask) {
            self.look(slot, value, true);
        }
        value
    }

    fn is(&self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        let equal = self.value(word, shift, mask) == raw;
        if let Some(slot) = self.slots.find(word, shift, mask) {
            self.look(slot, raw, equal);
        }
        equal
    }

    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32) {
        let Some(slot) = self.slots.find(word, shift, mask) else { return };
        self.slots.list[slot as usize].store(&mut self.s, raw);
        self.log.get_mut().known[slot as usize] = Known::Written;
    }

    fn ask(&mut self, _: u32, _: i32) -> Result<i32, Fault> {
        unreachable!("code of a program with fixed places asks nothing")
    }

    fn violated(&mut self) -> bool {
        true
    }
}
