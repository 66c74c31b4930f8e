//! A state that notes which of its parts are looked at, and which are written.
//!
//! It is seen in two ways: as the state before a step, and as the state after it, which is what was written and, where
//! nothing was, the state before. To read what was written is no look.

use crate::head::{Failed, Head};
use crate::layout::Field;
use crate::memory::{CopyOf, Reader, Writer};
use riata_system::{Effect, Look, Observation, Slot};
use std::cell::RefCell;

/// No slot begins at a bit.
const NOWHERE: u32 = u32::MAX;

/// The slots of a state, and which slot begins at which bit.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// The slots.
    pub list: Vec<Slot>,
    at: Vec<u32>,
}

impl Slots {
    /// No slots yet, in states of so many words.
    pub fn new(words: usize) -> Self {
        Slots { list: Vec::new(), at: vec![NOWHERE; words * 32] }
    }

    /// Adds a slot; one without bits is none.
    pub fn add(&mut self, word: u32, shift: u32, mask: u32) {
        let at = (word * 32 + shift) as usize;
        if mask != 0 && self.at[at] == NOWHERE {
            self.at[at] = self.list.len() as u32;
            self.list.push(Slot { word, shift: shift as u8, mask });
        }
    }

    /// Adds a field whose place is counted from `base`.
    pub fn field(&mut self, f: Field, base: u32) {
        if f.mask != 0 {
            self.add(f.word + base, f.shift.into(), f.mask);
        }
    }

    /// The slot of these bits; none if there are none, or they are the same in all states.
    pub fn find(&self, word: u32, shift: u32, mask: u32) -> Option<u32> {
        if mask == 0 {
            return None;
        }
        let slot = self.at[(word * 32 + shift) as usize];
        // The head of a state has more bits than are used.
        let fits = |s: &Slot| s.mask == mask || (s.word == 0 && s.mask & mask == s.mask);
        debug_assert!(self.list.get(slot as usize).is_none_or(fits), "steps know the fields");
        (slot != NOWHERE).then_some(slot)
    }
}

/// What is known of a slot.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its value before the step was seen.
    seen: bool,
    /// It was written.
    written: bool,
}

/// A state that notes what happens to it.
pub(super) struct Record<'a> {
    slots: &'a Slots,
    before: &'a [u32],
    log: RefCell<Log>,
}

struct Log {
    known: Vec<Known>,
    after: Vec<u32>,
    written: Vec<u32>,
    failed: bool,
    observed: Observation,
}

impl<'a> Record<'a> {
    /// Notes what happens to the state `s`, in what was noted so far.
    pub fn new(slots: &'a Slots, s: &'a [u32], observed: &mut Observation) -> Self {
        let observed = std::mem::take(observed);
        let known = vec![Known::default(); slots.list.len()];
        let log = Log { known, after: s.to_vec(), written: Vec::new(), failed: false, observed };
        Record { slots, before: s, log: RefCell::new(log) }
    }

    /// What was noted.
    pub fn finish(self) -> Observation {
        self.log.into_inner().observed
    }

    /// The state before the step.
    pub fn before(&self) -> Before<'_> {
        Before(self)
    }

    /// The state after the step.
    pub fn after(&self) -> After<'_> {
        After(self)
    }

    /// Notes the step that was taken since the last one.
    pub fn take(&self) {
        let log = &mut *self.log.borrow_mut();
        let effect = if log.failed {
            Effect::Sink
        } else {
            log.written.sort_unstable();
            let changed = log.written.iter().filter_map(|&i| {
                let slot = self.slots.list[i as usize];
                let value = slot.load(&log.after);
                // What was seen to be so already is not written.
                let kept = log.known[i as usize].seen && slot.load(self.before) == value;
                (!kept).then_some((i, value))
            });
            Effect::Writes(changed.collect())
        };
        log.observed.steps.push(effect);
    }

    /// Takes back all steps.
    pub fn forget_steps(&self) {
        self.log.borrow_mut().observed.steps.clear();
    }

    fn look(&self, slot: u32, value: u32, equal: bool) {
        let log = &mut *self.log.borrow_mut();
        let known = &mut log.known[slot as usize];
        if !known.seen {
            known.seen = equal;
            let look = Look { slot, value, equal };
            if equal || !log.observed.looks.contains(&look) {
                log.observed.looks.push(look);
            }
        }
    }

    fn value(&self, word: u32, shift: u32, mask: u32) -> u32 {
        (self.before[word as usize] >> shift) & mask
    }

    /// What was written to a slot.
    fn written(&self, slot: Option<u32>) -> Option<u32> {
        let (log, slot) = (self.log.borrow(), slot? as usize);
        log.known[slot].written.then(|| self.slots.list[slot].load(&log.after))
    }
}

/// The state before a step.
#[derive(Clone, Copy)]
pub(super) struct Before<'r>(&'r Record<'r>);

impl Reader for Before<'_> {
    fn field(self, word: u32, shift: u32, mask: u32) -> u32 {
        let value = self.0.value(word, shift, mask);
        if let Some(slot) = self.0.slots.find(word, shift, mask) {
            self.0.look(slot, value, true);
        }
        value
    }

    fn is(self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        let equal = self.0.value(word, shift, mask) == raw;
        if let Some(slot) = self.0.slots.find(word, shift, mask) {
            self.0.look(slot, raw, equal);
        }
        equal
    }

    fn which(self, f: Field, base: u32, count: usize, wanted: impl Fn(usize) -> bool) -> Option<u32> {
        (0..count).filter(|&l| wanted(l)).map(|l| l as u32).find(|&l| self.holds(f, base, l))
    }
}

/// The state after a step, as it is so far.
#[derive(Clone, Copy)]
pub(super) struct After<'r>(&'r Record<'r>);

impl Reader for After<'_> {
    fn field(self, word: u32, shift: u32, mask: u32) -> u32 {
        let slot = self.0.slots.find(word, shift, mask);
        self.0.written(slot).unwrap_or_else(|| Before(self.0).field(word, shift, mask))
    }

    fn is(self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        let slot = self.0.slots.find(word, shift, mask);
        match self.0.written(slot) {
            Some(value) => value == raw,
            None => Before(self.0).is(word, shift, mask, raw),
        }
    }

    fn which(self, f: Field, base: u32, count: usize, wanted: impl Fn(usize) -> bool) -> Option<u32> {
        (0..count).filter(|&l| wanted(l)).map(|l| l as u32).find(|&l| self.holds(f, base, l))
    }
}

impl Writer for After<'_> {
    type Now<'n>
        = After<'n>
    where
        Self: 'n;

    fn now(&self) -> After<'_> {
        After(self.0)
    }

    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32) {
        let Some(slot) = self.0.slots.find(word, shift, mask) else { return };
        let log = &mut *self.0.log.borrow_mut();
        self.0.slots.list[slot as usize].store(&mut log.after, raw);
        if !std::mem::replace(&mut log.known[slot as usize].written, true) {
            log.written.push(slot);
        }
    }

    fn room(&self) -> usize {
        self.0.before.len()
    }

    fn clear(&mut self, from: u32, to: u32) {
        for slot in self.0.slots.list.iter().filter(|s| from <= s.word && s.word < to) {
            self.put(slot.word, slot.shift.into(), slot.mask, 0);
        }
    }

    fn forget(&mut self, from: u32, to: u32) {
        self.clear(from, to);
    }

    fn fail(&mut self, _: &Head, _: Failed) {
        self.0.log.borrow_mut().failed = true;
    }
}

impl<'r> CopyOf<Before<'r>> for After<'r> {
    fn copy(&mut self, _: Before<'r>, _: usize) {
        let log = &mut *self.0.log.borrow_mut();
        for slot in log.written.drain(..) {
            log.known[slot as usize].written = false;
        }
        log.failed = false;
    }
}
