//! The same depth-first search by several threads that share one set of the states seen.
//!
//! Each state is put ahead by the thread that adds it to the set, so it is entered once. Who has nothing ahead waits; who sees
//! that somebody waits gives away half of what is ahead at the state nearest to the beginning of his path, with the path to there:
//! so every thread knows a whole path, and below what was given there is likely to be much.
//!
//! ```text
//! put the initial states into the pool;
//! all threads: while some work can be had from the pool do
//!   search(work), and after each state, if somebody waits and the pool is empty:
//!     put half of what is ahead of the first state on the path that has something ahead into the pool
//! ```
//!
//! To copy a path takes as long as it is; so who has given enters as many states as it had before he gives again.

use super::Order;
use crate::outcome::{deepen, full};
use crate::parallel::team::{Complete, Leave, Worker, together};
use riata_store::hash::fold;
use riata_store::shared::{Seat, Seen};
use riata_system::{Path, Run, Stop, Successors, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often who waits looks whether the search is over for another reason.
const LOOK: Duration = Duration::from_millis(5);

/// Paths to states found for each of the bits that `visit` tells of a state and the number of its successors, by `threads`
/// threads; the search ends early when all that are `wanted` were told. `visit` has something of its own for each thread.
///
/// # Errors
/// If a limit is reached, with what was found before.
pub fn find_together<S: System + Sync, T: Seen, L: Default>(
    system: &S,
    store: &T,
    (threads, order): (usize, Order),
    (wanted, visit): (u32, &(impl Fn(&mut L, &[u32], u64) -> u32 + Sync)),
    run: &mut Run,
) -> (Vec<(u32, Path)>, Option<Stop>) {
    let all = All { wanted, found: Mutex::default(), pool: Pool::default(), stacks: AtomicUsize::new(0) };
    let done = together(threads, Complete::ByAll, run, |worker| {
        let Some(seat) = store.seat() else { return Ok(None) };
        let work = Work::default();
        let order = Order { seed: order.seed.wrapping_add(worker.number as u64), ..order };
        let (all, known) = (&all, 0);
        let mut search =
            Search { system, store, seat, order, all, work, floor: 0, entered: 0, known, most: known };
        let done = search.all(worker, visit);
        // Its own; the rest is not to be summed.
        worker.run.counters.bytes = search.most.max(search.work.bytes()) as u64;
        all.stacks.fetch_sub(search.known, Ordering::Relaxed);
        done
    });
    run.counters.bytes += store.bytes() as u64;
    (all.found.into_inner().unwrap_or_else(PoisonError::into_inner), done.err())
}

/// What all threads have together.
struct All {
    wanted: u32,
    found: Mutex<Vec<(u32, Path)>>,
    pool: Pool,
    /// The bytes of all paths, and of what is ahead.
    stacks: AtomicUsize,
}

/// Work that was given away.
#[derive(Default)]
struct Pool {
    inner: Mutex<Given>,
    news: Condvar,
    /// How many wait, less what there is.
    hungry: AtomicUsize,
}

#[derive(Default)]
struct Given {
    begun: bool,
    works: Vec<Work>,
    /// How many have work.
    busy: usize,
    waiting: usize,
}

/// A path, and states ahead of its last ones.
#[derive(Default)]
struct Work {
    frames: Vec<Frame>,
    /// The words of the states on the path.
    stack: Vec<u32>,
    /// States to be entered: their words, and then how many.
    ahead: Vec<u32>,
}

/// A state on the path: where its words are, and where those of its successors that were not entered.
#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    ahead: usize,
}

impl Work {
    fn bytes(&self) -> usize {
        (self.stack.capacity() + self.ahead.capacity()) * 4 + self.frames.capacity() * size_of::<Frame>()
    }

    /// What is ahead of frame `i`.
    fn region(&self, i: usize) -> (usize, usize) {
        (self.frames[i].ahead, self.frames.get(i + 1).map_or(self.ahead.len(), |f| f.ahead))
    }

    /// Half of what is ahead of the first frame that has something ahead, `floor` or later, and at least one state; nothing if it
    /// is all that there is.
    fn split(&mut self, floor: &mut usize) -> Option<Work> {
        while *floor < self.frames.len() && self.region(*floor).0 == self.region(*floor).1 {
            *floor += 1;
        }
        if *floor >= self.frames.len() {
            return None;
        }
        let (from, to) = self.region(*floor);
        // The states are told from the end on.
        let (mut starts, mut end) = (Vec::new(), to);
        while end > from {
            end -= self.ahead[end - 1] as usize + 1;
            starts.push(end);
        }
        // Those at the bottom would be entered last.
        let kept = starts.len() / 2;
        let cut = kept.checked_sub(1).map_or(to, |last| starts[last]);
        if cut == self.ahead.len() {
            return None;
        }
        let path = &self.frames[..=*floor];
        let frames = path.iter().map(|f| Frame { start: f.start, ahead: 0 }).collect();
        let end = self.frames.get(*floor + 1).map_or(self.stack.len(), |f| f.start);
        let stack = self.stack[..end].to_vec();
        let ahead = self.ahead.drain(from..cut).collect();
        self.frames[*floor + 1..].iter_mut().for_each(|f| f.ahead -= cut - from);
        Some(Work { frames, stack, ahead })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Work; none when nobody has any.
    fn take(
        &self,
        begin: impl FnOnce() -> Result<Work, Stop>,
        worker: &mut Worker,
    ) -> Result<Option<Work>, Leave> {
        let mut given = lock(&self.inner);
        if !given.begun {
            given.begun = true;
            let work = begin()?;
            given.works.push(work);
        }
        given.waiting += 1;
        loop {
            self.hungry.store(given.waiting.saturating_sub(given.works.len()), Ordering::Relaxed);
            if worker.is_over() {
                return Err(Leave::Told);
            }
            if let Some(work) = given.works.pop() {
                given.waiting -= 1;
                given.busy += 1;
                return Ok(Some(work));
            }
            if given.busy == 0 {
                self.news.notify_all();
                return Ok(None);
            }
            given = self.news.wait_timeout(given, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn put(&self, work: Work) {
        let mut given = lock(&self.inner);
        given.works.push(work);
        self.hungry.store(given.waiting.saturating_sub(given.works.len()), Ordering::Relaxed);
        self.news.notify_one();
    }

    /// Who had work has none any more.
    fn done(&self) {
        lock(&self.inner).busy -= 1;
        self.news.notify_all();
    }
}

struct Search<'a, S, T> {
    system: &'a S,
    store: &'a T,
    seat: Seat<'a>,
    order: Order,
    all: &'a All,
    work: Work,
    /// Nothing is ahead of the frames before.
    floor: usize,
    /// How many states were entered since something was given away.
    entered: usize,
    /// The bytes that the others know of.
    known: usize,
    /// The most bytes that it had.
    most: usize,
}

impl<S: System + Sync, T: Seen> Search<'_, S, T> {
    fn all<L: Default>(
        &mut self,
        worker: &mut Worker,
        visit: &(impl Fn(&mut L, &[u32], u64) -> u32 + Sync),
    ) -> Result<Option<()>, Leave> {
        let (mut local, mut successors, mut coming) = (L::default(), Successors::default(), Vec::new());
        let all = self.all;
        loop {
            let begin = || self.initial();
            let Some(work) = all.pool.take(begin, worker)? else { return Ok(None) };
            (self.work, self.floor, self.entered) = (work, 0, 0);
            while self.enter() {
                let start = self.work.frames.last().map_or(0, |f| f.start);
                let s = &self.work.stack[start..];
                worker.run.counters.states += 1;
                worker.run.counters.post_calls += 1;
                deepen(worker.run, self.work.frames.len());
                self.system.post(s, &mut successors);
                worker.run.transitions(successors.len() as u64);
                let told = visit(&mut local, s, successors.len() as u64);
                if told != 0 && self.note(told) {
                    return Ok(Some(()));
                }
                worker.breathe(self.work.frames.len(), || self.bytes())?;
                if self.work.frames.len() < self.order.depth {
                    self.look_ahead(&successors, &mut coming)?;
                }
                self.entered += 1;
                if all.pool.hungry.load(Ordering::Relaxed) > 0 && self.entered >= self.work.frames.len() {
                    self.give();
                }
            }
            self.most = self.most.max(self.work.bytes());
            all.pool.done();
        }
    }

    /// The initial states, as work.
    fn initial(&self) -> Result<Work, Stop> {
        let mut work = Work::default();
        let mut slot = vec![0; self.system.words()];
        let mut initial = S::Cursor::default();
        while self.system.initial(&mut initial, &mut slot) {
            let s = &slot[..self.system.len(&slot)];
            let coming = self.store.comes(&self.seat.enter(), s);
            if self.store.add(&self.seat, coming).map_err(full)? {
                work.ahead.extend_from_slice(s);
                work.ahead.push(s.len() as u32);
            }
        }
        Ok(work)
    }

    /// What all hold together.
    fn bytes(&mut self) -> usize {
        let own = self.work.bytes();
        let stacks = &self.all.stacks;
        stacks.fetch_add(own, Ordering::Relaxed);
        let sum = stacks.fetch_sub(self.known, Ordering::Relaxed) - self.known;
        self.known = own;
        self.store.bytes() + sum
    }

    /// The next state ahead becomes the end of the path; there is none if all are done.
    fn enter(&mut self) -> bool {
        let work = &mut self.work;
        while work.ahead.len() == work.frames.last().map_or(0, |f| f.ahead) {
            let Some(frame) = work.frames.pop() else { return false };
            work.stack.truncate(frame.start);
            self.floor = self.floor.min(work.frames.len());
        }
        let length = work.ahead.pop().unwrap_or(0) as usize;
        let from = work.ahead.len() - length;
        let start = work.stack.len();
        work.stack.extend_from_slice(&work.ahead[from..]);
        work.ahead.truncate(from);
        work.frames.push(Frame { start, ahead: from });
        true
    }

    /// Puts the successors ahead that nobody has seen.
    fn look_ahead(&mut self, successors: &Successors, coming: &mut Vec<u64>) -> Result<(), Stop> {
        let (n, work) = (successors.len(), &mut self.work);
        // Where it begins follows from the place, so that a seed is an order.
        let turn = match self.order.seed {
            0 => 0,
            seed => fold(seed ^ work.stack.len() as u64, 0x9e37_79b9_7f4a_7c15) as usize % n.max(1),
        };
        let inside = self.seat.enter();
        coming.clear();
        coming.extend((0..n).map(|i| self.store.comes(&inside, successors.get(i).0)));
        // The last one is entered first.
        for i in (0..n).rev().map(|i| (i + turn) % n) {
            if self.store.add(&self.seat, coming[i]).map_err(full)? {
                let s = successors.get(i).0;
                work.ahead.extend_from_slice(s);
                work.ahead.push(s.len() as u32);
            }
        }
        Ok(())
    }

    fn give(&mut self) {
        if let Some(work) = self.work.split(&mut self.floor) {
            self.all.pool.put(work);
            self.entered = 0;
        }
    }

    /// Keeps the path, if it is the first to a state with one of these bits. Is that all that is looked for?
    fn note(&self, told: u32) -> bool {
        let mut found = lock(&self.all.found);
        for bit in (0..u32::BITS).filter(|b| told >> b & 1 == 1) {
            if found.iter().all(|&(b, _)| b != bit) {
                let (frames, stack) = (&self.work.frames, &self.work.stack);
                let ends = frames.iter().skip(1).map(|f| f.start).chain([stack.len()]);
                found.push((bit, frames.iter().zip(ends).map(|(f, end)| &stack[f.start..end]).collect()));
            }
        }
        let wanted = self.all.wanted;
        found.iter().fold(0, |all, (bit, _)| all | 1 << bit) & wanted == wanted
    }
}
