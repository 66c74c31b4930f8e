//! What a breadth-first search by several threads shows to who visits, and leaves behind.

use super::parts::At;
use riata_system::{Stop, System};

/// A state that is visited.
pub struct Visit<'a, S: System> {
    /// Its words.
    pub state: &'a [u32],
    /// How many successors the cursor has told.
    pub successors: u64,
    /// The cursor, which has told all its successors.
    pub cursor: &'a S::Cursor,
    /// Are these the successors that were left out before? Then the state is visited for the second time.
    pub again: bool,
}

/// What was found for the first time on some level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which of the bits that a visit can tell.
    pub bit: u32,
    /// The level.
    pub level: usize,
    /// All such states of the level.
    pub states: Vec<At>,
}

/// What a search leaves behind.
#[derive(Debug)]
pub struct Searched<T> {
    /// For each level and each part the number of its first state.
    pub levels: Vec<Vec<u32>>,
    /// Why it ended early, if it did so against the will of its visitors.
    pub stopped: Option<Stop>,
    /// For each bit that a visit told: where it was told first.
    pub found: Vec<Found>,
    /// What each worker made of its visits.
    pub tallies: Vec<T>,
}

impl<T> Searched<T> {
    /// Where `bit` was told first.
    pub fn first(&self, bit: u32) -> Option<&Found> {
        self.found.iter().find(|f| f.bit == bit)
    }
}

/// Keeps what was found for the first time.
pub(super) fn note(found: &mut Vec<Found>, level: usize, told: Vec<(At, u32)>) {
    let known = found.iter().fold(0, |bits, f| bits | 1 << f.bit);
    let new = told.iter().fold(0, |bits, &(_, b)| bits | b) & !known;
    for bit in (0..u32::BITS).filter(|b| new >> b & 1 == 1) {
        let mut states: Vec<At> = told.iter().filter(|(_, b)| b >> bit & 1 == 1).map(|&(s, _)| s).collect();
        states.sort_unstable();
        states.dedup();
        found.push(Found { bit, level, states });
    }
}
