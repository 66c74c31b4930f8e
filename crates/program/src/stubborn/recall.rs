//! What came of looking at the edges of a process, [remembered](crate::recall).
//!
//! Whether a process suffices at a place with certain marks is told by its guards.

use super::choose::{Alone, Asked};
use crate::recall::{Found, Noting, Root, Trees};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// No case.
pub(super) const NOTHING: u32 = u32::MAX;

const SUFFICES: u32 = 1 << 29;
const CLOSES: u32 = 1 << 28;
const KEEPS: u32 = 1 << 27;
/// In the other bits: how many edges can be taken.
const ENABLED: u32 = KEEPS - 1;

/// What is asked of a case: is it to be the only edge that can be taken, and is a location committed?
#[derive(Clone, Copy)]
pub(super) struct Question(usize);

impl Question {
    pub fn new(asked: Asked, committed: bool) -> Question {
        Question(usize::from(asked == Asked::Lone) | usize::from(committed) << 1)
    }
}

/// A shape, and a place with its marks.
type Case = (u32, (u32, u64));

/// The trees.
#[derive(Debug, Default)]
pub(super) struct Recall {
    trees: Trees,
    /// Of each case the roots, by the question.
    roots: boxcar::Vec<[Root; 4]>,
    /// The numbers of places with marks, in states of one shape.
    cases: Mutex<BTreeMap<Case, u32>>,
}

impl Recall {
    /// The number of a place with marks, in states of a shape.
    pub fn case(&self, shape: u32, known: (u32, u64)) -> u32 {
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        *cases.entry((shape, known)).or_insert_with(|| self.roots.push(Default::default()) as u32)
    }

    /// What comes of a case in a state: those that suffice, if they do.
    #[inline]
    pub fn find(
        &self,
        (case, question): (u32, Question),
        s: &[u32],
        look: impl FnOnce(Noting) -> Option<Alone>,
        plainly: impl FnOnce() -> Option<Alone>,
    ) -> Option<Alone> {
        let Some(roots) = self.roots.get(case as usize) else { return plainly() };
        let root = &roots[question.0];
        let told = match self.trees.find(root, s) {
            Found::Told(told) => told,
            Found::Never => return plainly(),
            Found::Unknown => self.trees.learn(root, s, |s| look(s).map_or(0, packed)),
        };
        let alone = Alone { enabled: told & ENABLED, closes: told & CLOSES != 0, keeps: told & KEEPS != 0 };
        (told & SUFFICES != 0).then_some(alone)
    }
}

fn packed(alone: Alone) -> u32 {
    let flag = |is: bool, bit: u32| if is { bit } else { 0 };
    SUFFICES | flag(alone.closes, CLOSES) | flag(alone.keeps, KEEPS) | alone.enabled
}
