//! Nested depth-first search by several workers.
//!
//! ```text
//! procedure dfs_blue (s, i)                    procedure dfs_red (s, i)
//!   s.cyan[i] := true;                           R_i := R_i ∪ {s};
//!   for all t ∈ post_i(s) do                     for all t ∈ post_i(s) do
//!     if ¬t.cyan[i] ∧ ¬t.blue then                 if t.cyan[i] then
//!       call dfs_blue(t, i);                         report cycle;
//!   s.blue := true;                                if t ∉ R_i ∧ ¬t.red then
//!   if s ∈ A then                                    call dfs_red(t, i);
//!     R_i := ∅;
//!     call dfs_red(s, i);
//!     await ∀ s' ∈ R_i ∩ A \ {s} : s'.red;
//!     for all s' ∈ R_i do s'.red := true;
//!   s.cyan[i] := false;
//! ```
//!
//! Each worker `i` runs this for every initial state, with successors in an order of its own. Blue and red are shared:
//! what one worker has left, others need not enter. A state that is red before its time would hide a cycle, so a worker
//! makes its red states known only after its red search, and when all accepting states among them are red: who
//! found them first may not be ready. There is no accepting cycle when *all* workers have come to their end.
//!
//! Deviations. A cycle that the blue search closes through an accepting state is reported at once (SE05). `await` ends when
//! somebody has found a cycle, or is lost. All successors of a state are looked up when it is entered.
//!
//! # References
//! Evangelista, Laarman, Petrucci, van de Pol: Improved multi-core nested depth-first search. ATVA 2012. Figure 3.

use crate::outcome::{conclude, deepen};
use crate::parallel::post::Post;
use crate::parallel::team::{Complete, Leave, Worker, together};
use riata_memory::{Chunks, extend_to};
use riata_store::shared::Kept;
use riata_system::{Lasso, Run, StateMarked, Verdict};
use std::sync::atomic::{AtomicU8, Ordering};

/// Is there an accepting cycle?
///
/// # Panics
/// If a worker does.
pub fn check<G: StateMarked + Sync, S: Kept>(g: &G, store: &S, threads: usize, run: &mut Run) -> Verdict {
    let colours = Colours(Chunks::new(1));
    let found = together(threads, Complete::ByAll, run, |worker| {
        let mut search = Search {
            post: Post::new(g, store, worker.number)?,
            colours: &colours,
            own: Own::default(),
            blue: Calls::default(),
            red: Calls::default(),
            r: Vec::new(),
        };
        let found = search.nested_dfs(worker);
        // Those of all workers are added.
        worker.run.counters.bytes = search.bytes() as u64;
        found
    });
    run.counters.states = store.len() as u64;
    run.counters.bytes += (store.bytes() + store.len() / 4) as u64;
    conclude(g, store.is_exact(), found)
}

/// Blue and red, of all workers: two bits a state.
struct Colours(Chunks<AtomicU8>);

const BLUE: u8 = 1;
const RED: u8 = 2;

impl Colours {
    // The proof of the paper is about one order of all steps: sequential consistency.
    fn has(&self, s: u32, colour: u8) -> bool {
        self.0.get(s as usize / 4).load(Ordering::SeqCst) & colour << (s % 4 * 2) != 0
    }

    fn set(&self, s: u32, colour: u8) {
        self.0.get(s as usize / 4).fetch_or(colour << (s % 4 * 2), Ordering::SeqCst);
    }
}

/// What a worker knows for itself: four bits a state.
#[derive(Default)]
struct Own(Vec<u8>);

const CYAN: u8 = 1;
/// In R.
const PINK: u8 = 2;
/// Cyan, and in A.
const ACCEPTING: u8 = 4;

impl Own {
    fn has(&self, s: u32, bits: u8) -> bool {
        self.0.get(s as usize / 2).is_some_and(|b| b >> (s % 2 * 4) & bits != 0)
    }

    fn set(&mut self, s: u32, bits: u8) {
        extend_to(&mut self.0, s as usize / 2 + 1, 0);
        self.0[s as usize / 2] |= bits << (s % 2 * 4);
    }

    fn unset(&mut self, s: u32, bits: u8) {
        self.0[s as usize / 2] &= !(bits << (s % 2 * 4));
    }
}

/// A call stack: states, and the successors that each has not looked at.
#[derive(Default)]
struct Calls {
    frames: Vec<Frame>,
    post: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Frame {
    s: u32,
    accepting: bool,
    /// Where its successors begin.
    from: usize,
}

impl Calls {
    /// The next `t ∈ post(s)` of the call on top.
    fn next(&mut self) -> Option<u32> {
        let from = self.frames.last()?.from;
        if self.post.len() > from { self.post.pop() } else { None }
    }

    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.post.capacity() * 4
    }
}

/// One worker's search.
struct Search<'s, G, S: Kept> {
    post: Post<'s, G, S>,
    colours: &'s Colours,
    own: Own,
    blue: Calls,
    red: Calls,
    /// R, each with whether it is in A.
    r: Vec<(u32, bool)>,
}

impl<G: StateMarked, S: Kept> Search<'_, G, S> {
    fn nested_dfs(&mut self, worker: &mut Worker) -> Result<Option<Lasso>, Leave> {
        for s in self.post.initial()? {
            if self.colours.has(s, BLUE) {
                continue;
            }
            self.call_blue(s, worker)?;
            if let Some(lasso) = self.dfs_blue(worker)? {
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    /// What this worker holds.
    fn bytes(&self) -> usize {
        self.own.0.capacity() + self.blue.bytes() + self.red.bytes() + self.r.capacity() * 8
    }

    fn breathe(&self, worker: &mut Worker) -> Result<(), Leave> {
        let depth = self.blue.frames.len() + self.red.frames.len();
        let (store, threads) = (self.post.store, worker.threads);
        // The others hold about as much.
        worker.breathe(depth, || store.bytes() + store.len() / 4 + self.bytes() * threads)
    }

    fn call_blue(&mut self, s: u32, worker: &mut Worker) -> Result<(), Leave> {
        self.breathe(worker)?;
        let from = self.blue.post.len();
        self.post.of(s, worker, &mut self.blue.post, |t, _| t)?;
        let accepting = self.post.g.accepting(&self.post.state);
        self.own.set(s, if accepting { CYAN | ACCEPTING } else { CYAN });
        self.blue.frames.push(Frame { s, accepting, from });
        worker.run.counters.states += 1;
        deepen(worker.run, self.blue.frames.len());
        Ok(())
    }

    fn dfs_blue(&mut self, worker: &mut Worker) -> Result<Option<Lasso>, Leave> {
        while let Some(&Frame { s, accepting, .. }) = self.blue.frames.last() {
            if let Some(t) = self.blue.next() {
                if self.own.has(t, CYAN) {
                    // Deviation: the cycle is on the stack.
                    if accepting || self.own.has(t, ACCEPTING) {
                        return Ok(Some(self.report(t)));
                    }
                } else if !self.colours.has(t, BLUE) {
                    self.call_blue(t, worker)?;
                }
                continue;
            }
            self.colours.set(s, BLUE);
            if accepting {
                if let Some(lasso) = self.dfs_red(s, worker)? {
                    return Ok(Some(lasso));
                }
                self.make_red(s, worker)?;
            }
            self.own.unset(s, CYAN | ACCEPTING);
            self.blue.frames.pop();
        }
        Ok(None)
    }

    fn call_red(&mut self, s: u32, worker: &mut Worker) -> Result<(), Leave> {
        self.breathe(worker)?;
        let from = self.red.post.len();
        self.post.of(s, worker, &mut self.red.post, |t, _| t)?;
        let accepting = self.post.g.accepting(&self.post.state);
        self.own.set(s, PINK);
        self.r.push((s, accepting));
        self.red.frames.push(Frame { s, accepting, from });
        deepen(worker.run, self.blue.frames.len() + self.red.frames.len());
        Ok(())
    }

    fn dfs_red(&mut self, seed: u32, worker: &mut Worker) -> Result<Option<Lasso>, Leave> {
        self.call_red(seed, worker)?;
        while !self.red.frames.is_empty() {
            let Some(t) = self.red.next() else {
                self.red.frames.pop();
                continue;
            };
            if self.own.has(t, CYAN) {
                return Ok(Some(self.report(t)));
            }
            if !self.own.has(t, PINK) && !self.colours.has(t, RED) {
                self.call_red(t, worker)?;
            }
        }
        Ok(None)
    }

    /// `await ∀ s' ∈ R ∩ A \ {s} : s'.red; for all s' ∈ R do s'.red := true`
    fn make_red(&mut self, s: u32, worker: &mut Worker) -> Result<(), Leave> {
        for &(other, accepting) in &self.r {
            while accepting && other != s && !self.colours.has(other, RED) {
                // Deviation: who is waited for may have left off.
                if worker.is_over() {
                    return Err(Leave::Told);
                }
                std::thread::yield_now();
            }
        }
        for (s, _) in self.r.drain(..) {
            self.colours.set(s, RED);
            self.own.unset(s, PINK);
        }
        Ok(())
    }

    /// `report cycle`: `t` is on the blue stack, and the search has come back to it.
    fn report(&self, t: u32) -> Lasso {
        let blue = || self.blue.frames.iter().map(|f| f.s);
        let from = blue().position(|s| s == t).unwrap_or(0);
        // The red search begins with the state in which the blue one is.
        let red = self.red.frames.iter().skip(1).map(|f| f.s);
        let cycle = self.post.path(blue().skip(from).chain(red));
        let g = self.post.g;
        let marks = cycle.iter().map(|s| g.marks(s) & g.all()).collect();
        Lasso { stem: self.post.path(blue().take(from)), cycle, marks, choices: Vec::new() }
    }
}
