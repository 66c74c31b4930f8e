//! What came of looking at the edges of a process, remembered.
//!
//! Whether a process suffices at a place with certain marks is told by its guards, and these look at a few fields of the
//! state. What was looked at, in its order, and what came of it, is a path in a tree: each node asks whether a field has a
//! value. The next state in which it is asked goes down the tree, and no guard is evaluated. What is looked at next depends on nothing
//! but what was seen before, so a path that fits to its end tells what the guards would.
//!
//! Trees only grow. What they have no room for is evaluated each time.

use super::choose::{Alone, Asked};
use crate::memory::Reader;
use arrayvec::ArrayVec;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// A path has at most so many nodes.
const LONGEST: usize = 48;
/// All trees together have at most so many.
const MOST: usize = 1 << 16;
/// No case.
pub(super) const NOTHING: u32 = u32::MAX;

/// A node, or what came of it: in the low bits how many edges can be taken.
const LEAF: u32 = 1 << 31;
const SUFFICES: u32 = 1 << 30;
const CLOSES: u32 = 1 << 29;
const KEEPS: u32 = 1 << 28;
const ENABLED: u32 = KEEPS - 1;

/// A look at a field: has it this value?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    word: u32,
    shift: u32,
    mask: u32,
    value: u32,
}

#[derive(Debug)]
struct Node {
    look: Look,
    same: AtomicU32,
    other: AtomicU32,
}

/// The looks at a state, each with its answer.
type Seen = ArrayVec<(Look, bool), LONGEST>;

/// A state that notes what is looked at.
#[derive(Clone, Copy)]
pub(super) struct Noting<'a> {
    s: &'a [u32],
    seen: &'a RefCell<Seen>,
    /// The looks that there was no room for.
    more: &'a std::cell::Cell<bool>,
}

impl Noting<'_> {
    fn note(self, look: Look, same: bool) {
        let mut seen = self.seen.borrow_mut();
        if !seen.contains(&(look, same)) {
            self.more.set(self.more.get() || seen.try_push((look, same)).is_err());
        }
    }
}

impl Reader for Noting<'_> {
    fn field(self, word: u32, shift: u32, mask: u32) -> u32 {
        let value = self.s.field(word, shift, mask);
        self.note(Look { word, shift, mask, value }, true);
        value
    }

    fn is(self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        let same = self.s.field(word, shift, mask) == raw;
        self.note(Look { word, shift, mask, value: raw }, same);
        same
    }
}

/// What is asked of a case: is it to be the only edge that can be taken, and is a location committed?
#[derive(Clone, Copy)]
pub(super) struct Question(usize);

impl Question {
    pub fn new(asked: Asked, committed: bool) -> Question {
        Question(usize::from(asked == Asked::Lone) | usize::from(committed) << 1)
    }
}

/// The trees.
#[derive(Debug, Default)]
pub(super) struct Recall {
    /// Of each case the roots, by the question.
    roots: boxcar::Vec<[AtomicU32; 4]>,
    nodes: boxcar::Vec<Node>,
    /// The numbers of places with marks.
    cases: Mutex<HashMap<(u32, u64), u32>>,
}

impl Recall {
    /// The number of a place with marks.
    pub fn case(&self, known: (u32, u64)) -> u32 {
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        *cases.entry(known).or_insert_with(|| self.roots.push(Default::default()) as u32)
    }

    /// What came of a case before in a state that looks the same: those that suffice, if they do.
    #[inline]
    pub fn find(&self, case: u32, question: Question, s: &[u32]) -> Option<Option<Alone>> {
        let mut at = self.roots.get(case as usize)?[question.0].load(Ordering::Acquire);
        for _ in 0..2 * LONGEST {
            if at & LEAF != 0 {
                let alone = Alone { enabled: at & ENABLED, closes: at & CLOSES != 0, keeps: at & KEEPS != 0 };
                return Some((at & SUFFICES != 0).then_some(alone));
            }
            let node = self.nodes.get((at as usize).checked_sub(1)?)?;
            let Look { word, shift, mask, value } = node.look;
            let next = if s.field(word, shift, mask) == value { &node.same } else { &node.other };
            at = next.load(Ordering::Acquire);
        }
        None
    }

    /// Finds it out, and remembers it.
    #[cold]
    pub fn learn(
        &self,
        case: u32,
        question: Question,
        s: &[u32],
        look: impl FnOnce(Noting) -> Option<Alone>,
    ) -> Option<Alone> {
        let (seen, more) = (RefCell::new(Seen::new()), std::cell::Cell::new(false));
        let found = look(Noting { s, seen: &seen, more: &more });
        if let Some(roots) = self.roots.get(case as usize)
            && !more.get()
            && self.nodes.count() < MOST
        {
            let leaf = found.map_or(LEAF, |alone| {
                let flags = (u32::from(alone.closes) * CLOSES) | (u32::from(alone.keeps) * KEEPS);
                LEAF | SUFFICES | flags | alone.enabled
            });
            self.plant(&roots[question.0], &seen.into_inner(), leaf);
        }
        found
    }

    /// Adds a path.
    fn plant(&self, root: &AtomicU32, seen: &[(Look, bool)], leaf: u32) {
        let (mut slot, mut k) = (root, 0);
        while let Some(&(look, same)) = seen.get(k) {
            let at = slot.load(Ordering::Acquire);
            if at == 0 {
                break;
            }
            // Another thread was here with the same.
            let Some(node) = (at & LEAF == 0).then(|| self.nodes.get(at as usize - 1)).flatten() else {
                return;
            };
            let is_it = node.look == look;
            slot = if is_it && same { &node.same } else { &node.other };
            k += usize::from(is_it);
        }
        // From the end, so that whoever comes finds all of it.
        let mut next = leaf;
        for &(look, same) in seen[k..].iter().rev() {
            let (same, other) = if same { (next, 0) } else { (0, next) };
            let node = Node { look, same: AtomicU32::new(same), other: AtomicU32::new(other) };
            next = self.nodes.push(node) as u32 + 1;
        }
        let _ = slot.compare_exchange(0, next, Ordering::Release, Ordering::Relaxed);
    }
}
