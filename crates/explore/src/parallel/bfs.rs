//! Breadth-first search by several threads: level by level, each part of the states by one of them.
//!
//! ```text
//! L := initial states, each in its part;
//! while L ≠ ∅ do
//!   for all parts p, by the worker of p, do
//!     for all s ∈ L of p do
//!       visit s;
//!       for all t ∈ post(s) do if t is of p then insert t into p else write t to the part of t;
//!       insert what others have written into p;
//!       if somebody has nothing to do then give him states of p that are left;
//!     insert what others write into p, and do for others what they give, until all are ready;
//!   if enough was found then return;
//!   L := the states that came meanwhile;
//! ```
//!
//! A part is searched by one worker at a time, so its store is one for a single thread ([`Parts`]). States, transitions, levels and
//! what is found do not depend on the number of threads, and not on their schedule: a level is searched to its end before it is asked
//! whether what was found is enough. Which of the states that were found is shown, and by which path, is
//! [`first_path`](super::first_path)'s choice.
//!
//! Where a reduction leaves successors out unless one of the others is new ([`System::left_out`]): a successor is new if it
//! is on the next level. That is a little stricter than the search by one thread, where a state that comes later
//! on the same level is new, too; but it does not depend on the order. Whether a state is new knows the part that it is written to, which
//! tells those who asked for it.
//!
//! # References
//! Stern, Dill: Parallelizing the Murφ verifier. CAV 1997 (there between machines, and not level by level).

use super::crew::Crew;
use super::found::note;
pub use super::found::{Found, Searched, Visit};
use super::idle::{Errand, Idle};
use super::mail::{Letter, Mailbox, Patience};
use super::parts::{At, Parts, part_of};
use super::phase::{Lost, Over, Phase, States, Told};
use super::team::add;
use crate::outcome::full;
use riata_store::{Sort, Sorted};
use riata_system::{ActionId, Counters, Run, Stop, Successors, System};
use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

/// How many successors are gathered before they are looked up.
const BATCH: usize = 128;
/// So many successors of the part at hand are gathered before they are.
const OWN: usize = 128;
/// So many states are expanded before what has come is looked at.
const BLOCK: usize = 64;
/// The words of a letter, if there are few parts; all letters of a worker together have some times as many.
const LETTER: usize = 4096;
/// Who writes to a part that has so many letters waits, and reads his own: or more than that if the parts are large, since a
/// worker whose table grows reads nothing for as long as that takes.
const LETTERS: usize = 32;
/// Letters may take so much less memory than the states.
const SPARED: usize = 16;
/// So many states are given away at once, at most.
const GIFT: usize = 512;
/// A smaller level is done by the leader alone.
const SMALL: usize = 256;

struct Search<'a, S, R: Sorted, V> {
    system: &'a S,
    parts: &'a Parts<R>,
    visit: &'a V,
    mail: Vec<Mailbox<R::Key>>,
    crew: Crew,
    phase: RwLock<Phase>,
    idle: Idle,
    ended: AtomicBool,
    told: Mutex<Told>,
    /// For progress: states, transitions and bytes of those beside the leader.
    others: [AtomicU64; 3],
}

/// The stores of a worker's parts, in a phase.
type Mine<'s, R> = [(usize, MutexGuard<'s, R>)];

/// What one worker has for itself.
struct Local<'r, 'a, R: Sorted, T> {
    run: &'r mut Run<'a>,
    /// From 0; the leader is the first.
    number: usize,
    counted: Counters,
    tally: T,
    state: Vec<u32>,
    successors: Successors,
    /// What is written to each part.
    letters: Vec<Letter<R::Key>>,
    /// What was read, and can be written on again.
    blank: Vec<Letter<R::Key>>,
    read: Vec<Letter<R::Key>>,
    /// Where the states of a letter begin and end.
    places: Vec<(u32, u32)>,
    /// What the store keeps of states on their way.
    batch: R::Batch,
    /// What tells keys, if these mean the same to all parts.
    sorter: Option<R::Sorter>,
    told: Told,
}

/// Visits every reachable state, with `threads` workers. A visit may tell bits; the search ends with the level on which
/// those told so far are `enough`.
///
/// # Panics
/// If a visit does.
pub fn bfs<S: System + Sync, R: Sorted + Send, T: Default + Send>(
    system: &S,
    parts: &Parts<R>,
    threads: usize,
    run: &mut Run,
    visit: &(impl Fn(&mut T, &Visit<S>) -> u32 + Sync),
    enough: impl Fn(u32) -> bool,
) -> Searched<T> {
    let search = Search {
        system,
        parts,
        visit,
        mail: (0..parts.count()).map(|_| Mailbox::default()).collect(),
        crew: Crew::new(),
        phase: RwLock::default(),
        idle: Idle::default(),
        ended: AtomicBool::new(false),
        told: Mutex::default(),
        others: Default::default(),
    };
    let limits = run.limits;
    let mut searched = Searched { levels: Vec::new(), stopped: None, found: Vec::new(), tallies: Vec::new() };
    let mut panic = None;
    thread::scope(|scope| {
        let search = &search;
        let _over = Over(&search.crew);
        let mut helpers = Vec::new();
        for number in 1..threads.min(parts.count()) {
            search.crew.join();
            let helper = thread::Builder::new().spawn_scoped(scope, move || {
                let mut run = Run::new(limits);
                let mut local = Local::new(&mut run, number, search.parts);
                search.crew.help(|| search.work(&mut local));
                let tally = local.tally;
                (tally, run.counters)
            });
            match helper {
                Ok(helper) => helpers.push(helper),
                Err(_) => {
                    // Where there is no thread to be had, the others do its work.
                    search.crew.part();
                    break;
                }
            }
        }
        let mut local = Local::new(run, 0, parts);
        let workers = helpers.len() + 1;
        let outcome = search.lead(workers, &mut local, (&mut searched.levels, &mut searched.found), enough);
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
    run.counters.bytes = parts.bytes() as u64;
    searched
}

impl<'r, 'a, R: Sorted, T: Default> Local<'r, 'a, R, T> {
    fn new(run: &'r mut Run<'a>, number: usize, parts: &Parts<R>) -> Self {
        Local {
            run,
            number,
            counted: Counters::default(),
            tally: T::default(),
            state: Vec::new(),
            successors: Successors::default(),
            letters: (0..parts.count()).map(|_| Letter::default()).collect(),
            blank: Vec::new(),
            read: Vec::new(),
            places: Vec::new(),
            batch: R::Batch::default(),
            sorter: parts.sorter().cloned(),
            told: Told::default(),
        }
    }
}

impl<S: System + Sync, R: Sorted, V> Search<'_, S, R, V> {
    /// What the leader does; it also works.
    fn lead<T>(
        &self,
        workers: usize,
        local: &mut Local<R, T>,
        (levels, found): (&mut Vec<Vec<u32>>, &mut Vec<Found>),
        enough: impl Fn(u32) -> bool,
    ) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let parts = self.parts.count();
        let mut slot = vec![0; self.system.words()];
        let mut initial = S::Cursor::default();
        while self.system.initial(&mut initial, &mut slot) {
            let s = &slot[..self.system.len(&slot)];
            local.successors.push(s, ActionId(0));
        }
        self.write(local, None);
        for (part, letter) in std::mem::take(&mut local.letters).into_iter().enumerate() {
            self.enter(&mut self.parts.lock(part), &letter, local, 0)?;
        }
        local.letters = (0..parts).map(|_| Letter::default()).collect();
        let mut from = vec![0; parts];
        loop {
            let to: Vec<u32> = (0..parts).map(|part| self.parts.lock(part).len() as u32).collect();
            if from == to {
                return Ok(());
            }
            local.run.counters.waiting = from.iter().zip(&to).map(|(from, to)| u64::from(to - from)).sum();
            let states = from.iter().zip(&to).map(|(&from, &to)| States::Range(from, to)).collect();
            levels.push(std::mem::replace(&mut from, to.clone()));
            let phase = Phase { states, fresh: to.clone(), workers, ..Phase::default() };
            let mut told = self.share(local, phase);
            let fertile: HashSet<At> = told.fertile.drain(..).collect();
            told.barren.retain(|at| !fertile.contains(at));
            if told.stop.is_none() && !told.barren.is_empty() {
                // All these successors were known: what was left out comes after all.
                let mut lists = vec![Vec::new(); parts];
                told.barren.drain(..).for_each(|at| lists[at.part as usize].push(at.id));
                let states = lists.into_iter().map(States::List).collect();
                let phase = Phase { states, again: true, fresh: to, workers, letters: 0 };
                let mut rest = self.share(local, phase);
                told.found.append(&mut rest.found);
                told.stop = rest.stop;
            }
            // What was found counts, even if a limit was reached on the same level.
            note(found, levels.len() - 1, told.found);
            if let Some(stop) = told.stop {
                return Err(stop);
            }
            if enough(found.iter().fold(0, |bits, f| bits | 1 << f.bit)) {
                return Ok(());
            }
        }
    }

    /// One phase, by all if it is worth it.
    fn share<T>(&self, local: &mut Local<R, T>, phase: Phase) -> Told
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let alone = phase.states.iter().map(States::len).sum::<usize>() < SMALL;
        let workers = if alone { 1 } else { phase.workers };
        let share = self.parts.bytes() / self.parts.count();
        let letters = (share / SPARED / (4 * self.letter())).max(LETTERS);
        *self.phase.write().unwrap_or_else(PoisonError::into_inner) = Phase { workers, letters, ..phase };
        self.idle.begin();
        if alone {
            self.work(local);
        } else {
            self.crew.phase(|| self.work(local));
        }
        let mut told = std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner));
        if self.ended.load(Ordering::Acquire) {
            // Without a reason a worker is lost; its panic will be heard.
            told.stop = told.stop.or(Some(Stop::Interrupted));
        }
        told
    }

    /// What every worker does in a phase.
    fn work<T>(&self, local: &mut Local<R, T>)
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let _lost = Lost(&self.ended);
        let phase = self.phase.read().unwrap_or_else(PoisonError::into_inner);
        let parts = (local.number..self.parts.count()).step_by(phase.workers);
        let mut mine: Vec<_> = parts.map(|part| (part, self.parts.lock(part))).collect();
        let done = self.level(&mut mine, local, &phase);
        drop(mine);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.append(&mut local.told);
        if let Err(stop) = done {
            self.ended.store(true, Ordering::Release);
            told.stop = told.stop.or(Some(stop));
        }
    }

    fn level<T>(&self, mine: &mut Mine<R>, local: &mut Local<R, T>, phase: &Phase) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        for which in 0..mine.len() {
            let part = mine[which].0;
            let states = &phase.states[part];
            let (mut i, mut end) = (0, states.len());
            while i < end {
                for i in i..end.min(i + BLOCK) {
                    let store = &mut mine[which].1;
                    let at = At { part: part as u32, id: states.get(i) };
                    store.load(at.id, &mut local.state);
                    self.expand(Some(store), local, phase, at)?;
                }
                i += BLOCK;
                if self.ended.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if self.idle.some() && end.saturating_sub(i) > 2 * BLOCK {
                    let errand = || self.errand(part, &mine[which].1, states, (i, end));
                    end -= self.idle.give(errand);
                }
                self.send(mine, local, phase, self.letter())?;
                self.receive(mine, local, phase)?;
                self.breathe(mine, local)?;
            }
            self.own_arrive(&mut mine[which].1, local, part, phase.fresh[part])?;
        }
        self.send(mine, local, phase, 1)?;
        self.idle.ready();
        let mut patience = Patience::default();
        while !self.ended.load(Ordering::Relaxed) {
            // Whoever is ready has sent everything before.
            let all = self.idle.all(phase.workers);
            let some = self.receive(mine, local, phase)?;
            if all {
                break;
            }
            if let Some(errand) = self.idle.take() {
                self.run(&errand, local, phase)?;
                self.send(mine, local, phase, 1)?;
                self.idle.ready();
                patience = Patience::default();
            } else if some {
                patience = Patience::default();
            } else {
                patience.wait();
            }
        }
        self.breathe(mine, local)
    }

    /// Some of the last states, for somebody else.
    fn errand(&self, part: usize, store: &R, states: &States, (from, to): (usize, usize)) -> Errand {
        let count = ((to - from) / 2).min(GIFT);
        let ids: Vec<u32> = (to - count..to).map(|i| states.get(i)).collect();
        let (mut words, mut state) = (Vec::new(), Vec::new());
        for &id in &ids {
            store.load(id, &mut state);
            words.extend_from_slice(&state);
        }
        Errand { part: part as u32, ids, words }
    }

    /// Expands states of somebody else.
    fn run<T>(&self, errand: &Errand, local: &mut Local<R, T>, phase: &Phase) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let mut rest = &errand.words[..];
        for &id in &errand.ids {
            let (s, others) = rest.split_at(self.system.len(rest));
            local.state.clear();
            local.state.extend_from_slice(s);
            self.expand(None, local, phase, At { part: errand.part, id })?;
            rest = others;
        }
        Ok(())
    }

    /// The words of a letter that is sent before all is done.
    fn letter(&self) -> usize {
        (4 * LETTER / self.parts.count()).clamp(64, LETTER)
    }

    /// Expands the state that was loaded; without a store, all its successors are sent.
    fn expand<T>(
        &self,
        store: Option<&mut R>,
        local: &mut Local<R, T>,
        phase: &Phase,
        at: At,
    ) -> Result<(), Stop>
    where
        V: Fn(&mut T, &Visit<S>) -> u32,
    {
        let mut cursor = S::Cursor::default();
        if phase.again {
            if !self.system.rest(&local.state, &mut cursor) {
                return Ok(());
            }
        } else {
            local.run.counters.states += 1;
            local.run.counters.post_calls += 1;
        }
        local.successors.clear();
        let successors = self.system.expand(&local.state, &mut cursor, &mut local.successors);
        local.run.transitions(successors);
        let asks = (!phase.again && successors > 0 && self.system.left_out(&cursor)).then_some(at);
        self.write(local, asks);
        // Unless somebody says that one of these is new.
        local.told.barren.extend(asks);
        let visit = Visit { state: &local.state, successors, cursor: &cursor, again: phase.again };
        let bits = (self.visit)(&mut local.tally, &visit);
        if bits != 0 {
            local.told.found.push((at, bits));
        }
        match store {
            Some(store) if local.letters[at.part as usize].len() >= OWN => {
                self.own_arrive(store, local, at.part as usize, phase.fresh[at.part as usize])
            }
            _ => Ok(()),
        }
    }

    /// Writes the successors that were gathered to the letters to their parts.
    fn write<T>(&self, local: &mut Local<R, T>, asks: Option<At>) {
        let parts = self.parts.count();
        let Local { successors, letters, sorter, .. } = local;
        let Some(sorter) = sorter else {
            for s in successors.states_from(0) {
                letters[part_of(s, parts)].add(s, asks);
            }
            return;
        };
        let mut each = |state: Result<R::Key, &[u32]>, hash: u32| {
            let letter = &mut letters[((u64::from(hash) * parts as u64) >> 32) as usize];
            match state {
                Ok(key) => letter.keys.push(key),
                // If it asks, nobody answers: so it is not said to be new.
                Err(s) => letter.add(s, None),
            }
        };
        match successors.same_length(0..successors.len()) {
            Some((words, length)) => sorter.sort(words, length, each),
            None => {
                for s in successors.states_from(0) {
                    if s.is_empty() { each(Err(s), 0) } else { sorter.sort(s, s.len(), &mut each) }
                }
            }
        }
    }

    /// Those of the part at hand come into its store.
    fn own_arrive<T>(
        &self,
        store: &mut R,
        local: &mut Local<R, T>,
        part: usize,
        fresh: u32,
    ) -> Result<(), Stop> {
        let mut own = std::mem::take(&mut local.letters[part]);
        self.enter(store, &own, local, fresh)?;
        own.clear();
        local.letters[part] = own;
        Ok(())
    }

    /// Sends the letters that have at least so many words.
    fn send<T>(
        &self,
        mine: &mut Mine<R>,
        local: &mut Local<R, T>,
        phase: &Phase,
        least: usize,
    ) -> Result<(), Stop> {
        for part in 0..local.letters.len() {
            if local.letters[part].size() < least {
                continue;
            }
            if let Some((_, store)) = mine.iter_mut().find(|(own, _)| *own == part) {
                self.own_arrive(store, local, part, phase.fresh[part])?;
                continue;
            }
            let mut patience = Patience::default();
            while self.mail[part].waiting() >= phase.letters && !self.ended.load(Ordering::Relaxed) {
                if !self.receive(mine, local, phase)? {
                    patience.wait();
                }
            }
            let blank = local.blank.pop().unwrap_or_default();
            self.mail[part].put(std::mem::replace(&mut local.letters[part], blank));
        }
        Ok(())
    }

    /// Reads the letters to the parts of this worker; false if there are none.
    fn receive<T>(&self, mine: &mut Mine<R>, local: &mut Local<R, T>, phase: &Phase) -> Result<bool, Stop> {
        let mut some = false;
        for (part, store) in mine {
            if self.mail[*part].waiting() == 0 {
                continue;
            }
            some = true;
            let mut read = std::mem::take(&mut local.read);
            self.mail[*part].take(&mut read);
            for mut letter in read.drain(..) {
                self.enter(store, &letter, local, phase.fresh[*part])?;
                letter.clear();
                if local.blank.len() < 2 * LETTERS {
                    local.blank.push(letter);
                }
            }
            local.read = read;
        }
        Ok(some)
    }

    /// The states of a letter come into the store.
    fn enter<T>(
        &self,
        store: &mut R,
        letter: &Letter<R::Key>,
        local: &mut Local<R, T>,
        fresh: u32,
    ) -> Result<(), Stop> {
        let Local { batch, places, told, .. } = local;
        let (mut asks, mut number) = (letter.asks.iter().peekable(), 0);
        let mut heard = |id| {
            if let Some(&(_, source)) = asks.next_if(|(n, _)| *n == number)
                && id >= fresh
            {
                told.fertile.push(source);
            }
            number += 1;
        };
        for keys in letter.keys.chunks(BATCH) {
            store.add_keys(keys, batch).map_err(full)?;
        }
        if let Some(length) = letter.alike.filter(|&length| length > 0) {
            for words in letter.words.chunks(BATCH * length) {
                store.come_alike(words, length, batch).map_err(full)?;
                store.add(words.chunks_exact(length), batch, &mut heard).map_err(full)?;
            }
            return Ok(());
        }
        let mut at = 0;
        while at < letter.words.len() {
            places.clear();
            while at < letter.words.len() && places.len() < BATCH {
                let end = at + self.system.len(&letter.words[at..]);
                places.push((at as u32, end as u32));
                at = end;
            }
            let states = places.iter().map(|&(from, to)| &letter.words[from as usize..to as usize]);
            store.come(states.clone(), batch).map_err(full)?;
            store.add(states, batch, &mut heard).map_err(full)?;
        }
        Ok(())
    }

    fn breathe<T>(&self, mine: &Mine<R>, local: &mut Local<R, T>) -> Result<(), Stop> {
        let [states, transitions, bytes] = &self.others;
        let (leads, counted) = (local.number == 0, &mut local.counted);
        let held: usize = mine.iter().map(|(_, store)| store.held()).sum();
        // Who is alone holds all stores.
        let alone = mine.len() == self.parts.count();
        let total = |now: Counters| {
            let now = Counters { bytes: held as u64, ..now };
            if leads {
                let more = |n: &AtomicU64| n.load(Ordering::Relaxed);
                return Counters {
                    states: now.states + more(states),
                    transitions: now.transitions + more(transitions),
                    bytes: if alone { now.bytes } else { now.bytes + more(bytes) },
                    ..now
                };
            }
            states.fetch_add(now.states - counted.states, Ordering::Relaxed);
            transitions.fetch_add(now.transitions - counted.transitions, Ordering::Relaxed);
            bytes.fetch_add(now.bytes.wrapping_sub(counted.bytes), Ordering::Relaxed);
            *counted = now;
            now
        };
        local.run.breathe_among(0, || held, total)
    }
}
