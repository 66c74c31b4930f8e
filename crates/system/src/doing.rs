//! What a search is doing, for somebody who looks at it now and then: a profile by sampling.
//!
//! A search marks where it is in one byte that another thread reads. Nothing is counted and no clock is read where the
//! search runs; and if nobody looks, a mark is one branch that always goes the same way.

use crate::{ActionId, Successors, System, Valuation};
use riata_automata::Marks;
use std::sync::atomic::{AtomicU8, Ordering};

/// The parts of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Doing {
    /// What comes before it and after it.
    Preparing = 0,
    /// Successors are generated.
    Successors = 1,
    /// States are hashed, looked up and stored.
    Store = 2,
    /// Automaton and propositions.
    Product = 3,
    /// The rest: stacks, colours, components, and a look at each state.
    Search = 4,
}

impl Doing {
    /// All of them, each at the place of its number.
    pub const ALL: [Doing; 5] =
        [Doing::Preparing, Doing::Successors, Doing::Store, Doing::Product, Doing::Search];

    /// The part with this number.
    pub fn of(number: u8) -> Doing {
        Doing::ALL.get(usize::from(number)).copied().unwrap_or(Doing::Preparing)
    }
}

/// Where a search says what it is doing, if somebody looks. One thread writes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark<'a>(Option<&'a AtomicU8>);

impl<'a> Mark<'a> {
    /// Somebody looks here.
    pub fn new(place: &'a AtomicU8) -> Self {
        Mark(Some(place))
    }

    /// From now on it is this.
    #[inline(always)]
    pub fn set(self, doing: Doing) {
        if let Some(place) = self.0 {
            place.store(doing as u8, Ordering::Relaxed);
        }
    }

    /// It is this during `work`, and then what it was before.
    #[inline(always)]
    pub fn during<T>(self, doing: Doing, work: impl FnOnce() -> T) -> T {
        let before = self.0.map(|place| place.load(Ordering::Relaxed));
        self.set(doing);
        let done = work();
        if let (Some(place), Some(before)) = (self.0, before) {
            place.store(before, Ordering::Relaxed);
        }
        done
    }
}

/// A system that marks what it is doing, for the products that are made of it.
pub struct Marked<'a, S> {
    /// The system.
    pub system: &'a S,
    /// Where it is said.
    pub mark: Mark<'a>,
}

impl<S: System> System for Marked<'_, S> {
    type Cursor = S::Cursor;
    const FAIR: bool = S::FAIR;

    fn words(&self) -> usize {
        self.system.words()
    }

    #[inline]
    fn len(&self, s: &[u32]) -> usize {
        self.system.len(s)
    }

    fn initial(&self, at: &mut S::Cursor, dst: &mut [u32]) -> bool {
        self.mark.during(Doing::Successors, || self.system.initial(at, dst))
    }

    #[inline]
    fn next(&self, src: &[u32], at: &mut S::Cursor, dst: &mut [u32]) -> Option<ActionId> {
        self.mark.during(Doing::Successors, || self.system.next(src, at, dst))
    }

    fn left_out(&self, at: &S::Cursor) -> bool {
        self.system.left_out(at)
    }

    fn rest(&self, src: &[u32], at: &mut S::Cursor) -> bool {
        self.mark.during(Doing::Successors, || self.system.rest(src, at))
    }

    #[inline]
    fn valuation(&self, s: &[u32]) -> Valuation {
        self.mark.during(Doing::Product, || self.system.valuation(s))
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.system.failed(s)
    }

    #[inline]
    fn undefined(&self, s: &[u32]) -> Valuation {
        self.mark.during(Doing::Product, || self.system.undefined(s))
    }

    fn fair_sets(&self) -> u32 {
        self.system.fair_sets()
    }

    fn fairness(&self, src: &[u32], at: &S::Cursor, action: Option<ActionId>) -> Marks {
        self.mark.during(Doing::Product, || self.system.fairness(src, at, action))
    }

    #[inline]
    fn expand(&self, src: &[u32], at: &mut S::Cursor, out: &mut Successors) -> u64 {
        self.mark.during(Doing::Successors, || self.system.expand(src, at, out))
    }

    fn post(&self, src: &[u32], out: &mut Successors) {
        self.mark.during(Doing::Successors, || self.system.post(src, out));
    }
}
