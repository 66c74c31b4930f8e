//! Systems: what a model means, seen as states of packed words and resumable successors.

use riata_automata::Marks;
use std::ops::Range;

/// Which action of the model a step took; the front end can tell its name, place and process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionId(pub u32);

/// Which of the steps that leave a state: its place, from 0, in the order in which [`System::next`] tells them.
///
/// Two steps may lead to the same state, so a run is known by its steps, not by its states alone. What a step did (which
/// process moved, by which statement) the system tells of the state and the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice(pub u32);

impl Choice {
    /// No step: the run has ended, and its last state is repeated.
    pub const STUTTER: Choice = Choice(u32::MAX);

    /// The first step of `system` that leads from `src` to `dst`; if `src` cannot move and is `dst`, none is needed.
    pub fn between<S: System>(system: &S, src: &[u32], dst: &[u32]) -> Option<Choice> {
        let mut at = S::Cursor::default();
        let mut slot = vec![0; system.words()];
        let mut n = 0;
        while system.next(src, &mut at, &mut slot).is_some() {
            if slot[..system.len(&slot)] == dst[..system.len(dst)] {
                return Some(Choice(n));
            }
            n += 1;
        }
        (n == 0 && src[..system.len(src)] == dst[..system.len(dst)]).then_some(Choice::STUTTER)
    }

    /// The cursor of `system` that has just told this step of `src`; none if there is no such step.
    pub fn resume<S: System>(
        self,
        system: &S,
        src: &[u32],
        dst: &mut [u32],
    ) -> Option<(S::Cursor, ActionId)> {
        let mut at = S::Cursor::default();
        let mut last = None;
        for _ in 0..=self.0 {
            last = Some(system.next(src, &mut at, dst)?);
        }
        last.map(|action| (at, action))
    }
}

/// The truth of up to 64 atomic propositions in a state: bit `i` for proposition `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Valuation(pub u64);

/// A transition system whose states are packed words and whose successors come one at a time.
///
/// A cursor is owned and borrows nothing, so a search can keep one for each state on its stack and resume it: lazy
/// successors are what makes the counters of an early exit honest.
pub trait System {
    /// Where to resume in the successors of a state.
    type Cursor: Default;

    /// The largest number of words a state can have.
    fn words(&self) -> usize;

    /// How many words of the buffer `s` its state occupies. A state tells its own length.
    fn len(&self, s: &[u32]) -> usize {
        let _ = s;
        self.words()
    }

    /// Writes the next initial state to `dst`; false when there is none left.
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool;

    /// Writes the next successor of `src` to `dst`; on resumption `dst` may hold anything (in `post` it is a new slot).
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<ActionId>;

    /// Were successors left out because others suffice, unless all of those have been seen before? The cursor has told its
    /// last successor.
    fn left_out(&self, at: &Self::Cursor) -> bool {
        let _ = at;
        false
    }

    /// Makes a new cursor ready for the successors of `src` that are left out; false if there are none.
    fn rest(&self, src: &[u32], at: &mut Self::Cursor) -> bool {
        let _ = (src, at);
        false
    }

    /// The truth of the property's atomic propositions in `s`.
    fn valuation(&self, s: &[u32]) -> Valuation;

    /// Has a run that is in `s` ended by a run-time error? Nothing moves from there.
    fn failed(&self, s: &[u32]) -> bool {
        let _ = s;
        false
    }

    /// The propositions that have no value in `s`, because to evaluate them is a run-time error. Their bits in the
    /// valuation mean nothing.
    fn undefined(&self, s: &[u32]) -> Valuation {
        let _ = s;
        Valuation(0)
    }

    /// Has every such system acceptance sets of its own? Then no product of it has its marks on states, and the checks
    /// that need them there are not even compiled for it.
    const FAIR: bool = false;

    /// How many acceptance sets the system has of its own: fairness. Only runs that meet each of them again and
    /// again are behaviours of the system.
    fn fair_sets(&self) -> u32 {
        0
    }

    /// The fairness marks, among `0..fair_sets()`, of the step `action` from `src` that [`System::next`] has just told
    /// with this cursor; `None` is the step that repeats `src` for ever where the run has ended.
    fn fairness(&self, src: &[u32], at: &Self::Cursor, action: Option<ActionId>) -> Marks {
        let _ = (src, at, action);
        Marks::NONE
    }

    /// Appends all successors that the cursor has not told yet, in the order of [`System::next`]; tells how many.
    fn expand(&self, src: &[u32], at: &mut Self::Cursor, out: &mut Successors) -> u64 {
        told_one_by_one(self, src, at, out)
    }

    /// All successors of `src`, and nothing else.
    fn post(&self, src: &[u32], out: &mut Successors) {
        out.clear();
        self.expand(src, &mut Self::Cursor::default(), out);
    }
}

/// What [`System::expand`] does, by [`System::next`].
pub fn told_one_by_one<S: System + ?Sized>(
    system: &S,
    src: &[u32],
    at: &mut S::Cursor,
    out: &mut Successors,
) -> u64 {
    let mut count = 0;
    loop {
        let dst = out.slot(system.words());
        let Some(action) = system.next(src, at, dst) else { return count };
        let len = system.len(dst);
        out.keep(len, action);
        count += 1;
    }
}

/// A reusable buffer of successors.
#[derive(Debug, Default)]
pub struct Successors {
    words: Vec<u32>,
    ends: Vec<(usize, ActionId)>,
    used: usize,
    /// The length of each, as long as all have the same.
    length: Option<usize>,
    /// Empty buffers for those who need more than one.
    spare: Vec<Successors>,
}

impl Successors {
    /// Forgets all successors; keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.used = 0;
    }

    /// Room for one more state of at most `words` words.
    #[inline]
    pub fn slot(&mut self, words: usize) -> &mut [u32] {
        if self.words.len() < self.used + words {
            self.words.resize(self.used + words, 0);
        }
        &mut self.words[self.used..self.used + words]
    }

    /// Those that follow have so many words.
    #[inline]
    fn are(&mut self, len: usize) {
        self.length =
            if self.ends.is_empty() { Some(len) } else { self.length.filter(|&length| length == len) };
    }

    /// Keeps what was written to the slot: its first `len` words.
    #[inline]
    pub fn keep(&mut self, len: usize, action: ActionId) {
        self.are(len);
        self.used += len;
        self.ends.push((self.used, action));
    }

    /// Keeps as many states as there are actions, each of `len` words, which were written to the slot one after the other.
    #[inline]
    pub fn keep_all(&mut self, len: usize, actions: impl ExactSizeIterator<Item = ActionId>) {
        if actions.len() > 0 {
            self.are(len);
        }
        let mut end = self.used;
        self.used += actions.len() * len;
        self.ends.extend(actions.map(|action| {
            end += len;
            (end, action)
        }));
    }

    /// Adds a state.
    #[inline]
    pub fn push(&mut self, s: &[u32], action: ActionId) {
        self.slot(s.len()).copy_from_slice(s);
        self.keep(s.len(), action);
    }

    /// Forgets all successors but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.used = self.ends.last().map_or(0, |e| e.0);
    }

    /// An empty buffer, to be given [back](Successors::give_back): so its memory is used again.
    pub fn lend(&mut self) -> Successors {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes a buffer back.
    pub fn give_back(&mut self, mut spare: Successors) {
        spare.clear();
        self.spare.push(spare);
    }

    /// How many successors there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The words of the successors `range`, and of how many words each is, if all have the same length, which is not zero.
    #[inline]
    pub fn same_length(&self, range: Range<usize>) -> Option<(&[u32], usize)> {
        let length = self.length.filter(|&length| length > 0)?;
        Some((&self.words[range.start * length..range.end * length], length))
    }

    /// The words of all successors from number `i` on.
    #[inline]
    pub fn states_from(&self, i: usize) -> impl Iterator<Item = &[u32]> + Clone {
        let start = if i == 0 { 0 } else { self.ends[i - 1].0 };
        let mut rest = &self.words[start..self.used];
        let mut at = start;
        self.ends[i..].iter().map(move |&(end, _)| {
            let (state, others) = rest.split_at(end - at);
            (rest, at) = (others, end);
            state
        })
    }

    /// Successor `i`.
    #[inline]
    pub fn get(&self, i: usize) -> (&[u32], ActionId) {
        let start = if i == 0 { 0 } else { self.ends[i - 1].0 };
        (&self.words[start..self.ends[i].0], self.ends[i].1)
    }
}
