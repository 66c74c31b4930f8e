//! Systems whose steps can be observed: an attempt at a step tells what it looked at and what it wrote.
//!
//! A search state by state does not care which parts of a state a step depends on. A search with sets of states does:
//! what one state did, all states do that look the same where the step looked. So the meaning stays in one place, the
//! interpreter, and a transition relation is learned from it, one observation after the other. (LTSmin asks its
//! language modules for dependencies in advance; to look at what is really read is finer: an element instead of an
//! array, and nothing at all behind a conjunction that failed.)
//!
//! # References
//! S. Blom, J. van de Pol, M. Weber, *LTSmin: distributed and symbolic reachability*, CAV 2010.

use crate::System;

/// A part of a state: adjacent bits of one word. What is in no slot is the same in all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Which word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// All ones, as many as the slot has bits; not zero.
    pub mask: u32,
}

impl Slot {
    /// Its bits in the state `s`.
    pub fn load(self, s: &[u32]) -> u32 {
        (s[self.word as usize] >> self.shift) & self.mask
    }

    /// Stores bits.
    pub fn store(self, s: &mut [u32], raw: u32) {
        let w = &mut s[self.word as usize];
        *w = *w & !(self.mask << self.shift) | (raw & self.mask) << self.shift;
    }
}

/// A look at a slot: it has this value, or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// Which slot.
    pub slot: u32,
    /// The value that it was compared with.
    pub value: u32,
    /// Was it that value?
    pub equal: bool,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It leads to the state after a run-time error, in which nothing moves.
    Sink,
    /// It writes these slots, by increasing number; the others keep their values.
    Writes(Vec<(u32, u32)>),
}

/// What an attempt looked at, and the steps that came of it.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// All that the outcome depends on.
    pub looks: Vec<Look>,
    /// The steps.
    pub steps: Vec<Effect>,
}

impl Observation {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.looks.clear();
        self.steps.clear();
    }
}

/// The answer to a question about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// No.
    False,
    /// Yes.
    True,
    /// To answer it is a run-time error.
    Fault,
}

/// A system whose steps can be observed.
///
/// The steps of a state are those of all groups together. A group or a question sees nothing but what it looks at: in
/// two states, neither of them the sink, that agree with its looks in the one it looks at the same and does the same.
/// The looks of an attempt that has steps tell that the state is not the sink.
pub trait Observable: System {
    /// The parts of a state, those that belong together side by side.
    fn slots(&self) -> &[Slot];

    /// How many groups of steps there are.
    fn groups(&self) -> usize;

    /// Tries the steps of a group in the state `s`, which is not the sink. What was `seen` before is forgotten.
    fn attempt(&self, group: usize, s: &[u32], seen: &mut Observation);

    /// Asks a question about the state `s`, which is not the sink. What is asked is a matter of the system; questions
    /// from 0 on are its propositions.
    fn ask(&self, question: usize, s: &[u32], seen: &mut Observation) -> Truth;

    /// The slot and the value by which the sink is known, and the words of the sink.
    fn sink(&self) -> (u32, u32, Vec<u32>);
}
