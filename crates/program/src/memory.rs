//! How steps read and write a state.
//!
//! The words of a state are a slice, and that is what a search runs on. An [observer](crate::Observer) runs the same
//! code on a state that notes what was looked at and what was written, so the code is generic over the two.

use crate::head::{Failed, Head};
use crate::layout::Field;

/// A state to be read.
pub(crate) trait Reader: Copy {
    /// The bits of a field.
    fn field(self, word: u32, shift: u32, mask: u32) -> u32;

    /// Are the bits of a field these?
    #[inline(always)]
    fn is(self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        self.field(word, shift, mask) == raw
    }

    /// The bits of a field whose place is counted from `base`.
    #[inline(always)]
    fn raw(self, f: Field, base: u32) -> u32 {
        self.field(f.word + base, f.shift.into(), f.mask)
    }

    /// The value of a field whose place is counted from `base`.
    #[inline(always)]
    fn load(self, f: Field, base: u32) -> i32 {
        (self.raw(f, base) as i32).wrapping_add(f.min)
    }

    /// Are the bits of a field whose place is counted from `base` these?
    #[inline(always)]
    fn holds(self, f: Field, base: u32, raw: u32) -> bool {
        self.is(f.word + base, f.shift.into(), f.mask, raw)
    }

    /// The bits of a field, less than `count`, if they are `wanted`.
    #[inline(always)]
    fn which(self, f: Field, base: u32, count: usize, wanted: impl Fn(usize) -> bool) -> Option<u32> {
        let raw = self.raw(f, base);
        debug_assert!((raw as usize) < count, "a process is at one of its locations");
        wanted(raw as usize).then_some(raw)
    }
}

impl Reader for &[u32] {
    #[inline(always)]
    fn field(self, word: u32, shift: u32, mask: u32) -> u32 {
        (self[word as usize] >> shift) & mask
    }
}

impl Reader for &Vec<u32> {
    #[inline(always)]
    fn field(self, word: u32, shift: u32, mask: u32) -> u32 {
        self.as_slice().field(word, shift, mask)
    }
}

/// A state to be changed.
pub(crate) trait Writer {
    /// The state as it is now.
    type Now<'n>: Reader
    where
        Self: 'n;

    /// The state as it is now.
    fn now(&self) -> Self::Now<'_>;

    /// Stores the bits of a field.
    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32);

    /// Stores a value of a field whose place is counted from `base`; the value must be in the domain.
    #[inline(always)]
    fn store(&mut self, f: Field, base: u32, v: i32) {
        self.put(f.word + base, f.shift.into(), f.mask, v.wrapping_sub(f.min) as u32 & f.mask);
    }

    /// How many words there is room for.
    fn room(&self) -> usize;

    /// Makes words zero.
    fn clear(&mut self, from: u32, to: u32);

    /// These words are no part of the state any more.
    fn forget(&mut self, from: u32, to: u32);

    /// The run has failed.
    fn fail(&mut self, head: &Head, how: Failed);
}

/// A state that can be made a copy of another one.
pub(crate) trait CopyOf<S: Reader>: Writer {
    /// Makes it a copy of so many words.
    fn copy(&mut self, from: S, words: usize);
}

impl Writer for [u32] {
    type Now<'n> = &'n [u32];

    #[inline(always)]
    fn now(&self) -> &[u32] {
        self
    }

    #[inline(always)]
    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32) {
        let w = &mut self[word as usize];
        *w = *w & !(mask << shift) | (raw & mask) << shift;
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.len()
    }

    #[inline]
    fn clear(&mut self, from: u32, to: u32) {
        self[from as usize..to as usize].fill(0);
    }

    #[inline(always)]
    fn forget(&mut self, _: u32, _: u32) {}

    fn fail(&mut self, head: &Head, how: Failed) {
        head.fail(self, how);
    }
}

impl CopyOf<&[u32]> for [u32] {
    #[inline(always)]
    fn copy(&mut self, from: &[u32], words: usize) {
        self[..words].copy_from_slice(&from[..words]);
    }
}
