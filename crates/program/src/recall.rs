//! What came of looking at a state, remembered by what was looked at.
//!
//! Guards look at a few fields. What was looked at, in its order, and what came of it, is a path in a tree: each node
//! asks whether a field has a value. The next state in which the same is asked goes down the tree, and no code is run.
//! What is looked at next depends on nothing but what was seen before, so a path that fits to its end tells what the code
//! would.
//!
//! A tree with many ends, or a long path, is given up: what it is asked about is hardly ever the same.

use crate::memory::Reader;
use arrayvec::ArrayVec;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU32, Ordering};

/// A path has at most so many nodes.
const LONGEST: usize = 48;
/// A tree has at most so many ends,
const ENDS: u32 = 256;
/// And all trees together at most so many nodes.
const MOST: usize = 1 << 16;

/// Not the number of a node, but what came of it.
const END: u32 = 1 << 31;
/// The tree is given up.
const NEVER: u32 = END | 1 << 30;
/// What can be remembered is smaller.
pub(crate) const LIMIT: u32 = 1 << 30;

/// A look at a field: has it this value?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    word: u32,
    shift: u32,
    mask: u32,
    value: u32,
}

/// A node. Each of the two is an end, one more than the number of a node, or 0 if nothing is known.
#[derive(Debug)]
struct Node {
    look: Look,
    same: AtomicU32,
    other: AtomicU32,
}

/// Where a tree begins.
#[derive(Debug, Default)]
pub(crate) struct Root {
    at: AtomicU32,
    ends: AtomicU32,
}

/// What a tree tells of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Told(u32),
    /// Nothing like it was seen.
    Unknown,
    /// Nothing, and nothing is to be learnt.
    Never,
}

/// The looks at a state, each with its answer.
type Seen = ArrayVec<(Look, bool), LONGEST>;

/// A state that notes what is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Noting<'a> {
    s: &'a [u32],
    seen: &'a RefCell<Seen>,
    /// Was there no room for a look?
    full: &'a Cell<bool>,
}

impl Noting<'_> {
    fn note(self, look: Look, same: bool) {
        let mut seen = self.seen.borrow_mut();
        if !seen.contains(&(look, same)) && seen.try_push((look, same)).is_err() {
            self.full.set(true);
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

/// The nodes of trees. They only grow.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    nodes: boxcar::Vec<Node>,
}

impl Trees {
    /// What is known of a state.
    #[inline]
    pub fn find(&self, root: &Root, s: &[u32]) -> Found {
        let mut at = root.at.load(Ordering::Acquire);
        while at & END == 0 {
            let Some(node) = (at as usize).checked_sub(1).and_then(|n| self.nodes.get(n)) else {
                return Found::Unknown;
            };
            let Look { word, shift, mask, value } = node.look;
            let next = if s.field(word, shift, mask) == value { &node.same } else { &node.other };
            at = next.load(Ordering::Acquire);
        }
        if at == NEVER { Found::Never } else { Found::Told(at & !END) }
    }

    /// Finds out what is below [`LIMIT`], and remembers it.
    #[cold]
    pub fn learn(&self, root: &Root, s: &[u32], look: impl FnOnce(Noting) -> u32) -> u32 {
        let (seen, full) = (RefCell::new(Seen::new()), Cell::new(false));
        let told = look(Noting { s, seen: &seen, full: &full });
        debug_assert!(told < LIMIT, "there is room for it");
        let ends = root.ends.fetch_add(1, Ordering::Relaxed);
        let is_hopeless = full.get() || ends >= ENDS || self.nodes.count() > MOST;
        if is_hopeless || !self.plant(root, &seen.into_inner(), END | told) {
            root.at.store(NEVER, Ordering::Release);
        }
        told
    }

    /// Adds a path. False if it would be too long: a field that is looked at has many values.
    fn plant(&self, root: &Root, seen: &[(Look, bool)], end: u32) -> bool {
        let (mut slot, mut k, mut passed) = (&root.at, 0, 0);
        while let Some(&(look, same)) = seen.get(k) {
            let at = slot.load(Ordering::Acquire);
            if at == 0 {
                break;
            }
            // An end is there already: another thread was here with the same.
            let node = if at & END == 0 { self.nodes.get(at as usize - 1) } else { None };
            let Some(node) = node else { return true };
            let is_it = node.look == look;
            debug_assert!(is_it || same, "a field is read, and had another value before");
            slot = if is_it && same { &node.same } else { &node.other };
            k += usize::from(is_it);
            passed += 1;
        }
        if passed + seen.len() - k > LONGEST {
            return false;
        }
        // From the end, so that whoever comes finds all of it.
        let mut next = end;
        for &(look, same) in seen[k..].iter().rev() {
            let (same, other) = if same { (next, 0) } else { (0, next) };
            let node = Node { look, same: AtomicU32::new(same), other: AtomicU32::new(other) };
            next = self.nodes.push(node) as u32 + 1;
        }
        let _ = slot.compare_exchange(0, next, Ordering::Release, Ordering::Relaxed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Looks at fields until it knows: a program of pseudo-random reads and tests.
    fn look(seed: u32, s: impl Reader) -> u32 {
        let mut at = seed;
        for _ in 0..at % 7 {
            let (word, shift) = (at % 3, 4 * (at / 3 % 8));
            let value = match at / 24 % 2 {
                0 => s.field(word, shift, 3),
                _ => u32::from(s.is(word, shift, 3, at / 48 % 4)),
            };
            at = (at ^ value).wrapping_mul(0x9e37_79b9).rotate_left(7);
        }
        at % LIMIT
    }

    proptest! {
        #[test]
        fn it_tells_what_the_code_would(
            seed: u32,
            states in prop::collection::vec(prop::array::uniform3(any::<u32>()), 1..600),
        ) {
            let (trees, root) = (Trees::default(), Root::default());
            for s in &states {
                let told = match trees.find(&root, s) {
                    Found::Told(told) => told,
                    Found::Unknown => trees.learn(&root, s, |s| look(seed, s)),
                    Found::Never => continue,
                };
                prop_assert_eq!(told, look(seed, &s[..]));
            }
        }
    }
}
