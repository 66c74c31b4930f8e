//! Breadth-first search by several threads: level by level, each level shared among them.
//!
//! ```text
//! L := initial states;
//! while L ≠ ∅ do
//!   for all blocks B of L, by whoever is free, do
//!     for all s ∈ B do visit s; insert post(s) into the store;
//!   if enough was found then return;
//!   L := the states that came into the store meanwhile;
//! ```
//!
//! Identities of one level stay together, so a level is a range of them. States, transitions, levels and what is found do
//! not depend on the number of threads, and not on their schedule: a level is searched to its end before it is asked
//! whether what was found is enough. Which of the states that were found is shown, and by which path, is
//! [`first_path`](super::first_path)'s choice.
//!
//! Where a reduction leaves successors out unless one of the others is new ([`System::left_out`]): a successor is new if it
//! is on the next level. That is a little stricter than the search by one thread, where a state that comes later
//! on the same level is new, too; but it does not depend on the order.

use super::crew::Crew;
use super::found::note;
pub use super::found::{Found, Searched, Visit};
use super::team::add;
use crate::outcome::full;
use riata_store::shared::{Inside, Kept, Seat};
use riata_system::{Counters, Run, Stop, Successors, System};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;

/// What a worker does in a phase: with which states, and where the next level begins.
#[derive(Default)]
struct Phase {
    states: States,
    again: bool,
    fresh: u32,
    block: usize,
}

impl Phase {
    fn of(states: States, again: bool, fresh: u32) -> Phase {
        let block = (states.len() / 64).clamp(16, 128);
        Phase { states, again, fresh, block }
    }
}

enum States {
    Range(u32, u32),
    List(Vec<u32>),
}

impl Default for States {
    fn default() -> Self {
        States::List(Vec::new())
    }
}

impl States {
    fn len(&self) -> usize {
        match self {
            States::Range(from, to) => (to - from) as usize,
            States::List(list) => list.len(),
        }
    }

    fn get(&self, i: usize) -> u32 {
        match self {
            States::Range(from, _) => from + i as u32,
            States::List(list) => list[i],
        }
    }
}

/// What workers tell the leader at the end of a phase.
#[derive(Default)]
struct Told {
    found: Vec<(u32, u32)>,
    barren: Vec<u32>,
    stop: Option<Stop>,
}

struct Search<'a, S, R, V> {
    system: &'a S,
    store: &'a R,
    visit: &'a V,
    crew: Crew,
    phase: RwLock<Phase>,
    /// The first state of the phase that nobody has taken.
    next: AtomicUsize,
    ended: AtomicBool,
    told: Mutex<Told>,
    /// For progress.
    others: [AtomicU64; 2],
}

/// How many successors are gathered before they are looked up.
const BATCH: usize = 128;
/// A smaller level is done by the leader alone.
const SMALL: usize = 256;

/// What one worker has for itself.
struct Local<'r, 'a, C, T> {
    run: &'r mut Run<'a>,
    leads: bool,
    counted: Counters,
    tally: T,
    state: Vec<u32>,
    successors: Successors,
    coming: Vec<C>,
    ids: Vec<u32>,
    /// Expanded states of which successors were left out, each with where its successors here begin and end.
    reduced: Vec<(u32, usize, usize)>,
    told: Told,
}

/// Visits every reachable state, with `threads` workers. A visit may tell bits; the search ends with the level on which
/// those told so far are `enough`.
///
/// # Panics
/// If a visit does.
pub fn bfs<S: System + Sync, R: Kept, T: Default + Send>(
    system: &S,
    store: &R,
    threads: usize,
    run: &mut Run,
    visit: &(impl Fn(&mut T, &Visit<S>) -> u32 + Sync),
    enough: impl Fn(u32) -> bool,
) -> Searched<T> {
    let search = Search {
        system,
        store,
        visit,
        crew: Crew::new(),
        phase: RwLock::default(),
        next: AtomicUsize::new(0),
        ended: AtomicBool::new(false),
        told: Mutex::default(),
        others: Default::default(),
    };
    let limits = run.limits;
    let mut searched = Searched { levels: Vec::new(), stopped: None, found: Vec::new(), tallies: Vec::new() };
    let Some(seat) = store.seat() else { return Searched { stopped: Some(Stop::Interrupted), ..searched } };
    let mut panic = None;
    thread::scope(|scope| {
        let search = &search;
        let _over = Over(&search.crew);
        let mut helpers = Vec::new();
        for _ in 1..threads {
            let Some(seat) = store.seat() else { break };
            search.crew.join();
            let helper = thread::Builder::new().spawn_scoped(scope, move || {
                let mut run = Run::new(limits);
                let mut local = Local::new(&mut run, false);
                search.crew.help(|| search.work(&seat, &mut local));
                let tally = local.tally;
                (tally, run.counters)
            });
            match helper {
                Ok(helper) => helpers.push(helper),
                // Where there is no thread to be had, the others do its work.
                Err(_) => search.crew.part(),
            }
        }
        let mut local = Local::new(run, true);
        let outcome = search.lead(&seat, &mut local, (&mut searched.levels, &mut searched.found), enough);
        searched.stopped = outcome.err();
        searched.tallies.push(local.tally);
        search.crew.over();
        for helper in helpers {
            match helper.join() {
                Ok((tally, counters)) => {
                    add(&mut run.counters, &counters);
                    searched.tallies.push(tally);
                }
                Err(payload) => panic = Some(payload),
            }
        }
    });
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
    run.counters.max_depth = searched.levels.len() as u64;
    run.counters.bytes = store.bytes() as u64;
    searched
}

/// Lets the helpers go, even if the leader panics.
struct Over<'a>(&'a Crew);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.over();
    }
}

/// Tells the others that a worker was lost.
struct Lost<'a>(&'a AtomicBool);

impl Drop for Lost<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}

impl<'r, 'a, C, T: Default> Local<'r, 'a, C, T> {
    fn new(run: &'r mut Run<'a>, leads: bool) -> Self {
        Local {
            run,
            leads,
            counted: Counters::default(),
            tally: T::default(),
            state: Vec::new(),
            successors: Successors::default(),
            coming: Vec::new(),
            ids: Vec::new(),
            reduced: Vec::new(),
            told: Told::default(),
        }
    }
}

impl<S: System + Sync, R: Kept, V> Search<'_, S, R, V> {
    /// What the leader does; it also works.
    fn lead<T>(
        &self,
        seat: &Seat,
        local: &mut Local<R::Coming, T>,
        (levels, found): (&mut Vec<u32>, &mut Vec<Found>),
        enough: impl Fn(u32) -> bool,
    ) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let mut slot = vec![0; self.system.words()];
        let mut initial = S::Cursor::default();
        while self.system.initial(&mut initial, &mut slot) {
            self.store.intern(seat, &slot[..self.system.len(&slot)]).map_err(full)?;
        }
        let mut from = 0;
        loop {
            let to = self.store.len() as u32;
            if from == to {
                return Ok(());
            }
            levels.push(from);
            local.run.counters.waiting = u64::from(to - from);
            let mut told = self.share(seat, local, Phase::of(States::Range(from, to), false, to))?;
            if !told.barren.is_empty() {
                // All these successors were known: what was left out comes after all.
                let barren = std::mem::take(&mut told.barren);
                told.found
                    .append(&mut self.share(seat, local, Phase::of(States::List(barren), true, to))?.found);
            }
            note(found, levels.len() - 1, told.found);
            if enough(found.iter().fold(0, |bits, f| bits | 1 << f.bit)) {
                return Ok(());
            }
            from = to;
        }
    }

    /// One phase, by all if it is worth it.
    fn share<T>(&self, seat: &Seat, local: &mut Local<R::Coming, T>, phase: Phase) -> Result<Told, Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let n = phase.states.len();
        *self.phase.write().unwrap_or_else(PoisonError::into_inner) = phase;
        self.next.store(0, Ordering::Release);
        if n < SMALL {
            self.work(seat, local);
        } else {
            self.crew.phase(|| self.work(seat, local));
        }
        let told = std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner));
        match told.stop {
            Some(stop) => Err(stop),
            // A worker is lost; its panic will be heard.
            None if self.ended.load(Ordering::Acquire) => Err(Stop::Interrupted),
            None => Ok(told),
        }
    }

    /// What every worker does in a phase.
    fn work<T>(&self, seat: &Seat, local: &mut Local<R::Coming, T>)
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let _lost = Lost(&self.ended);
        let phase = self.phase.read().unwrap_or_else(PoisonError::into_inner);
        let done = self.blocks(seat, local, &phase);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.found.append(&mut local.told.found);
        told.barren.append(&mut local.told.barren);
        if let Err(stop) = done {
            self.ended.store(true, Ordering::Release);
            told.stop = told.stop.or(Some(stop));
        }
    }

    fn blocks<T>(&self, seat: &Seat, local: &mut Local<R::Coming, T>, phase: &Phase) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let n = phase.states.len();
        loop {
            let from = self.next.fetch_add(phase.block, Ordering::Relaxed);
            if from >= n || self.ended.load(Ordering::Relaxed) {
                return Ok(());
            }
            // One way through the gate for all look-ups of a block.
            let inside = seat.enter();
            for i in from..n.min(from + phase.block) {
                self.expand(&inside, local, phase, phase.states.get(i))?;
            }
            self.arrive(&inside, local, phase.fresh)?;
            drop(inside);
            self.breathe(local)?;
        }
    }

    fn expand<T>(
        &self,
        inside: &Inside,
        local: &mut Local<R::Coming, T>,
        phase: &Phase,
        id: u32,
    ) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        self.store.load(id, &mut local.state);
        let mut cursor = S::Cursor::default();
        if phase.again {
            if !self.system.rest(&local.state, &mut cursor) {
                return Ok(());
            }
        } else {
            local.run.counters.states += 1;
            local.run.counters.post_calls += 1;
        }
        let from = local.successors.len();
        let successors = self.system.expand(&local.state, &mut cursor, &mut local.successors);
        local.run.transitions(successors);
        for i in from..local.successors.len() {
            let coming = self.store.comes(inside, local.successors.get(i).0).map_err(full)?;
            local.coming.push(coming);
        }
        if !phase.again && successors > 0 && self.system.left_out(&cursor) {
            local.reduced.push((id, from, local.coming.len()));
        }
        let visit = Visit { id, state: &local.state, successors, cursor: &cursor, again: phase.again };
        let bits = (self.visit)(&mut local.tally, &visit);
        if bits != 0 {
            local.told.found.push((id, bits));
        }
        if local.coming.len() >= BATCH { self.arrive(inside, local, phase.fresh) } else { Ok(()) }
    }

    /// The successors that were gathered come into the store.
    fn arrive<T>(&self, inside: &Inside, local: &mut Local<R::Coming, T>, fresh: u32) -> Result<(), Stop> {
        let (successors, ids) = (&local.successors, &mut local.ids);
        self.store.arrive(inside, &local.coming, |i| successors.get(i).0, ids).map_err(full)?;
        let mut reduced = local.reduced.drain(..).peekable();
        let mut new = false;
        for (i, &id) in local.ids.iter().enumerate() {
            if let Some(&(source, from, to)) = reduced.peek()
                && i >= from
            {
                new = id >= fresh || new && i > from;
                if i + 1 == to {
                    local.told.barren.extend((!new).then_some(source));
                    reduced.next();
                }
            }
        }
        drop(reduced);
        local.coming.clear();
        local.successors.clear();
        Ok(())
    }

    fn breathe<T>(&self, local: &mut Local<R::Coming, T>) -> Result<(), Stop> {
        let [states, transitions] = &self.others;
        let (leads, counted) = (local.leads, &mut local.counted);
        let total = |own: Counters| {
            if leads {
                let (states, transitions) =
                    (states.load(Ordering::Relaxed), transitions.load(Ordering::Relaxed));
                return Counters {
                    states: own.states + states,
                    transitions: own.transitions + transitions,
                    ..own
                };
            }
            states.fetch_add(own.states - counted.states, Ordering::Relaxed);
            transitions.fetch_add(own.transitions - counted.transitions, Ordering::Relaxed);
            *counted = own;
            own
        };
        local.run.breathe_among(0, || self.store.bytes(), total)
    }
}
