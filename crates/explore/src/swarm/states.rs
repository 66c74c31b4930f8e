//! A depth-first search for states with any store, in an order and to a depth of its own.

use crate::outcome::{deepen, full};
use riata_store::hash::fold;
use riata_store::{StateSet, Store};
use riata_system::{Doing, Path, Run, Stop, Successors, System};

/// In which order, and how deep.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Another seed takes successors in another order; 0 takes that of the system.
    pub seed: u64,
    /// No path is longer.
    pub depth: usize,
}

/// Is told a state and how many successors it has; tells bits.
pub type Visit<'a> = dyn FnMut(&[u32], u64) -> u32 + 'a;

/// Paths to the first states found for each of the bits that `visit` tells of a state and the number of its successors;
/// the search ends early when all that are `wanted` were told.
///
/// # Errors
/// If a limit is reached, with what was found before.
pub fn find<S: System, T: Store>(
    system: &S,
    store: &mut T,
    order: Order,
    (wanted, visit): (u32, &mut Visit),
    run: &mut Run,
) -> (Vec<(u32, Path)>, Option<Stop>) {
    let [seen] = store.sets();
    let (frames, stack, ahead) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Search { system, store, seen, order, frames, stack, ahead, found: Vec::new() };
    let stopped = search.all((wanted, visit), run).err();
    run.counters.bytes = search.bytes() as u64;
    (search.found, stopped)
}

/// A state on the path: where its words are, and where those of its successors that were not entered.
struct Frame {
    start: usize,
    ahead: usize,
}

struct Search<'a, S, T: Store> {
    system: &'a S,
    store: &'a mut T,
    seen: T::Set,
    order: Order,
    frames: Vec<Frame>,
    stack: Vec<u32>,
    /// States to be entered: their words, and then how many.
    ahead: Vec<u32>,
    found: Vec<(u32, Path)>,
}

impl<S: System, T: Store> Search<'_, S, T> {
    fn bytes(&self) -> usize {
        let paths = (self.stack.capacity() + self.ahead.capacity()) * 4;
        self.store.bytes() + self.seen.bytes() + paths + self.frames.capacity() * size_of::<Frame>()
    }

    /// Puts a state ahead, if it was not seen; true if it was not.
    fn add(&mut self, s: &[u32], run: &Run) -> Result<(), Stop> {
        run.doing(Doing::Store);
        let id = self.store.intern(s).map_err(full)?;
        let new = !self.seen.contains(id);
        if new {
            self.seen.insert(id);
        }
        run.doing(Doing::Search);
        if new {
            self.ahead.extend_from_slice(s);
            self.ahead.push(s.len() as u32);
        }
        Ok(())
    }

    fn all(&mut self, (wanted, visit): (u32, &mut Visit), run: &mut Run) -> Result<(), Stop> {
        let mut slot = vec![0; self.system.words()];
        let mut initial = S::Cursor::default();
        while self.system.initial(&mut initial, &mut slot) {
            self.add(&slot[..self.system.len(&slot)], run)?;
        }
        let mut successors = Successors::default();
        loop {
            let bottom = self.frames.last().map_or(0, |f| f.ahead);
            if self.ahead.len() == bottom {
                let Some(frame) = self.frames.pop() else { return Ok(()) };
                self.stack.truncate(frame.start);
                continue;
            }
            self.enter();
            let start = self.frames.last().map_or(0, |f| f.start);
            run.counters.states += 1;
            run.counters.post_calls += 1;
            deepen(run, self.frames.len());
            run.doing(Doing::Successors);
            self.system.post(&self.stack[start..], &mut successors);
            run.doing(Doing::Search);
            run.transitions(successors.len() as u64);
            run.breathe(self.frames.len(), || self.bytes())?;
            let told = visit(&self.stack[start..], successors.len() as u64);
            self.note(told);
            if self.found.iter().fold(0, |all, (bit, _)| all | 1 << bit) & wanted == wanted {
                return Ok(());
            }
            if self.frames.len() < self.order.depth {
                self.look_ahead(&successors, run)?;
            }
        }
    }

    /// The last state ahead becomes the end of the path.
    fn enter(&mut self) {
        let length = self.ahead.pop().unwrap_or(0) as usize;
        let from = self.ahead.len() - length;
        let start = self.stack.len();
        self.stack.extend_from_slice(&self.ahead[from..]);
        self.ahead.truncate(from);
        self.frames.push(Frame { start, ahead: from });
    }

    fn look_ahead(&mut self, successors: &Successors, run: &Run) -> Result<(), Stop> {
        let n = successors.len();
        // Where it begins follows from the place, so that a seed is an order.
        let turn = match self.order.seed {
            0 => 0,
            seed => fold(seed ^ self.stack.len() as u64, 0x9e37_79b9_7f4a_7c15) as usize % n.max(1),
        };
        // The last one is entered first.
        (0..n).rev().try_for_each(|i| self.add(successors.get((i + turn) % n).0, run))
    }

    fn note(&mut self, told: u32) {
        for bit in (0..u32::BITS).filter(|b| told >> b & 1 == 1) {
            if self.found.iter().all(|&(b, _)| b != bit) {
                let ends = self.frames.iter().skip(1).map(|f| f.start).chain([self.stack.len()]);
                let states = self.frames.iter().zip(ends).map(|(f, end)| &self.stack[f.start..end]);
                self.found.push((bit, states.collect()));
            }
        }
    }
}
