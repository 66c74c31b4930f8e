//! One search, and threads that go ahead of it.
//!
//! Most of the time of a depth-first search of a product goes to the states of the system: three quarters are their successors,
//! hashing, and waiting for memory; the automaton and the search itself take the rest. The order of a depth-first search
//! cannot be shared, but that work can. *Scouts* walk through the system, expand what nobody has expanded, and publish
//! the lists of successors; the search reads those that are there and makes the others itself:
//!
//! ```text
//! search:  list(s) if it is published, else expand(s)
//! scout:   queue := initial states
//!          while the search goes on, for s in queue:
//!              list(s) if it is published, else expand(s);  queue the successors that this scout has not queued
//! expand:  generate post(s), intern all of it in the shared store, publish list(s) unless somebody was faster
//! ```
//!
//! The search takes the same successors in the same order as without scouts, so that verdict, run and counters are the same
//! for any number of threads: only the numbers of the states differ, which nobody sees. Two threads may expand a state
//! at once; then one list is lost, and nothing else.
//!
//! The first scout walks breadth-first, others take a random one of their queues, so that they come apart. They wait when they are
//! far ahead: what the search never asks for is memory for nothing.
//!
//! When the lists have grown to what they may hold, the scouts go home; from then on the search forgets all lists when there
//! is no room, as [`Alone`](crate::known::Alone) does.

use crate::known::{Kind, Remembers, Room};
use riata_memory::Chunks;
use riata_store::shared::{Any, Kept, Seat, Shared};
use riata_store::{BitSet, Full, StateSet as _};
use riata_system::{Successors, System};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A thread takes room for so many numbers of lists at once.
const BLOCK: usize = 1 << 12;

/// Scouts go so many states ahead, and then as many more as the search has asked for.
const AHEAD: usize = 1 << 14;

/// The search tells how far it is, and a scout looks, after so many states.
const MILE: usize = 256;

/// What all threads remember.
pub struct Scouted<'a, S> {
    system: &'a S,
    states: Any,
    /// For each state the place of its list plus one, or nothing.
    places: Chunks<AtomicU32>,
    /// Lists: the kind of the state, how many successors there are, and they.
    lists: Chunks<AtomicU32>,
    /// Where nobody's numbers begin.
    end: AtomicUsize,
    /// The most numbers in the lists.
    most: usize,
    /// Of each kind: its valuation, what is undefined of it, and whether the run has failed.
    kinds: Chunks<AtomicU64>,
    kind_of: Mutex<HashMap<Kind, u32>>,
    /// Is the search over, or is there no room for more lists?
    home: AtomicBool,
    /// How many scouts are out.
    out: AtomicUsize,
    /// How many states of the product the search has expanded, more or less.
    asked: AtomicUsize,
}

/// What one of the threads has for itself.
struct Own<'c> {
    seat: Seat<'c>,
    state: Vec<u32>,
    successors: Successors,
    coming: Vec<<Any as Shared>::Coming>,
    found: Vec<u32>,
    /// Room in the lists: from here to there.
    room: (usize, usize),
    /// Kinds that it has met.
    kinds: Vec<(Kind, u32)>,
}

/// Why a list was not made.
enum Not {
    /// There is no room for the states.
    Full(Full),
    /// There is no room for it.
    Room,
}

/// Tells that a scout is back, whatever happens.
struct Back<'a>(&'a AtomicUsize);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Sends the scouts home, whatever happens.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl<'a, S: System + Sync> Scouted<'a, S> {
    /// Nothing is known yet. `states` is empty. Fairness of the system's own is not carried over.
    pub fn new(system: &'a S, states: Any, room: Room) -> Self {
        Scouted {
            system,
            states,
            places: Chunks::new(1),
            lists: Chunks::new(1),
            end: AtomicUsize::new(0),
            most: (room.lists / 4).min(u32::MAX as usize - 1),
            kinds: Chunks::new(3),
            kind_of: Mutex::new(HashMap::new()),
            home: AtomicBool::new(false),
            out: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
        }
    }

    /// Runs `search` while so many scouts are out.
    pub fn with<T>(&self, scouts: usize, search: impl FnOnce(Leader<'_, 'a, S>) -> T) -> T {
        std::thread::scope(|scope| {
            let seat = self.states.seat().expect("nobody has a seat yet");
            let leader = Leader {
                all: self,
                own: RefCell::new(Own::new(seat)),
                full: Cell::new(None),
                asked: Cell::new(0),
            };
            let initial = leader.initial();
            let _over = Over(&self.home);
            for number in 0..scouts {
                let Some(seat) = self.states.seat() else { break };
                let initial = initial.clone();
                self.out.fetch_add(1, Ordering::AcqRel);
                scope.spawn(move || {
                    let _back = Back(&self.out);
                    self.scout(Own::new(seat), initial, number as u64);
                });
            }
            search(leader)
        })
    }

    /// Goes through the system until there is nothing left, or until it is time to go home.
    fn scout(&self, mut own: Own, initial: Vec<u32>, number: u64) {
        let (mut queue, mut seen, mut random) = (VecDeque::new(), BitSet::default(), number);
        let mut ask = |queue: &mut VecDeque<u32>, id: u32| {
            if !seen.contains(id) {
                seen.insert(id);
                queue.push_back(id);
            }
        };
        initial.into_iter().for_each(|id| ask(&mut queue, id));
        for step in 1.. {
            if number > 0 && !queue.is_empty() {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let other = (random >> 33) as usize % queue.len();
                queue.swap(0, other);
            }
            let Some(id) = queue.pop_front() else { return };
            if step % MILE == 0 {
                self.rest(step);
            }
            if self.home.load(Ordering::Relaxed) {
                return;
            }
            let Ok(place) = self.place(id).map_or_else(|| self.expand(id, &mut own), Ok) else { return };
            (0..self.number(place + 1)).for_each(|n| ask(&mut queue, self.number(place + 2 + n as usize)));
        }
    }

    /// A scout that has seen so many states waits for the search, if that is far behind.
    fn rest(&self, seen: usize) {
        while seen > AHEAD + 2 * self.asked.load(Ordering::Relaxed) && !self.home.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// Where the list of a state is, if it is published.
    #[inline]
    fn place(&self, id: u32) -> Option<usize> {
        (self.places.get(id as usize).load(Ordering::Acquire) as usize).checked_sub(1)
    }

    #[inline]
    fn number(&self, at: usize) -> u32 {
        self.lists.get(at).load(Ordering::Relaxed)
    }

    /// Makes the list of a state, and publishes it.
    #[inline(never)]
    fn expand(&self, id: u32, own: &mut Own) -> Result<usize, Not> {
        self.states.load(id, &mut own.state);
        let kind = self.kind(Kind::of(self.system, &own.state), own);
        own.successors.clear();
        self.system.expand(&own.state, &mut S::Cursor::default(), &mut own.successors);
        self.intern_all(own).map_err(Not::Full)?;
        let count = own.found.len();
        let place = self.room(count + 2, own).ok_or(Not::Room)?;
        let numbers = [kind, count as u32].into_iter().chain(own.found.iter().copied());
        for (at, number) in (place..).zip(numbers) {
            self.lists.get(at).store(number, Ordering::Relaxed);
        }
        // Who reads the place reads the list.
        let first = self.places.get(id as usize).compare_exchange(
            0,
            place as u32 + 1,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        Ok(first.map_or_else(|other| other as usize - 1, |_| place))
    }

    /// Interns all successors, and tells their numbers in order.
    fn intern_all(&self, own: &mut Own) -> Result<(), Full> {
        let inside = own.seat.enter();
        own.coming.clear();
        for s in own.successors.states_from(0) {
            own.coming.push(self.states.comes(&inside, s)?);
        }
        let successors = &own.successors;
        self.states.arrive(&inside, &own.coming, |i| successors.get(i).0, &mut own.found)
    }

    /// Room for so many numbers.
    fn room(&self, wanted: usize, own: &mut Own) -> Option<usize> {
        if own.room.1 - own.room.0 < wanted {
            let taken = wanted.max(BLOCK.min(self.most / 8));
            // One list is always possible.
            let grown = |end: usize| (end == 0 || end + taken <= self.most).then_some(end + taken);
            let start = self.end.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).ok()?;
            own.room = (start, start + taken);
        }
        own.room.0 += wanted;
        Some(own.room.0 - wanted)
    }

    /// The number of a kind of states.
    fn kind(&self, kind: Kind, own: &mut Own) -> u32 {
        // There are few of them.
        if let Some(&(_, number)) = own.kinds.iter().find(|(k, _)| *k == kind) {
            return number;
        }
        let mut numbers = self.kind_of.lock().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as u32;
        let number = *numbers.entry(kind).or_insert_with(|| {
            let words = [kind.valuation.0, kind.undefined.0, u64::from(kind.failed)];
            let row = self.kinds.rows(next as usize, 1);
            row.iter().zip(words).for_each(|(cell, word)| cell.store(word, Ordering::Relaxed));
            next
        });
        if own.kinds.len() < 16 {
            own.kinds.push((kind, number));
        }
        number
    }
}

impl<'c> Own<'c> {
    fn new(seat: Seat<'c>) -> Self {
        Own {
            seat,
            state: Vec::new(),
            successors: Successors::default(),
            coming: Vec::new(),
            found: Vec::new(),
            room: (0, 0),
            kinds: Vec::new(),
        }
    }
}

/// The search's own view of what all remember.
pub struct Leader<'c, 'a, S> {
    all: &'c Scouted<'a, S>,
    own: RefCell<Own<'c>>,
    full: Cell<Option<Full>>,
    asked: Cell<usize>,
}

impl<S: System + Sync> Leader<'_, '_, S> {
    /// Where the list of a state is.
    #[inline]
    fn place(&self, id: u32) -> Option<usize> {
        self.all.place(id).or_else(|| self.expand(id))
    }

    #[inline(never)]
    fn expand(&self, id: u32) -> Option<usize> {
        let mut own = self.own.borrow_mut();
        loop {
            match self.all.expand(id, &mut own) {
                Ok(place) => return Some(place),
                Err(Not::Full(full)) => {
                    self.full.set(Some(full));
                    return None;
                }
                Err(Not::Room) => self.forget(&mut own),
            }
        }
    }

    /// Tells the scouts now and then how far the search is.
    #[inline]
    fn is_asked(&self) {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get().is_multiple_of(MILE) {
            self.all.asked.store(self.asked.get(), Ordering::Relaxed);
        }
    }

    /// Sends the scouts home, and forgets all lists.
    fn forget(&self, own: &mut Own) {
        self.all.home.store(true, Ordering::Release);
        while self.all.out.load(Ordering::Acquire) > 0 {
            std::thread::yield_now();
        }
        self.all.end.store(0, Ordering::Release);
        own.room = (0, 0);
        (0..self.all.states.len()).for_each(|id| self.all.places.get(id).store(0, Ordering::Relaxed));
    }
}

impl<S: System + Sync> Remembers for Leader<'_, '_, S> {
    fn initial(&self) -> Vec<u32> {
        let (mut initial, mut cursor) = (Vec::new(), S::Cursor::default());
        let (system, own) = (self.all.system, self.own.borrow());
        let mut slot = vec![0; system.words()];
        while self.full.get().is_none() && system.initial(&mut cursor, &mut slot) {
            match self.all.states.intern(&own.seat, &slot[..system.len(&slot)]) {
                Ok(id) => initial.push(id),
                Err(full) => self.full.set(Some(full)),
            }
        }
        initial
    }

    #[inline]
    fn kind(&self, id: u32) -> Kind {
        let Some(place) = self.place(id) else { return Kind::UNKNOWN };
        let row = self.all.kinds.rows(self.all.number(place) as usize, 1);
        let [valuation, undefined, failed] = [0, 1, 2].map(|n| row[n].load(Ordering::Relaxed));
        Kind {
            valuation: riata_system::Valuation(valuation),
            undefined: riata_system::Valuation(undefined),
            failed: failed != 0,
        }
    }

    #[inline]
    fn successor(&self, id: u32, n: u32) -> Option<u32> {
        if n == 0 {
            self.is_asked();
        }
        let place = self.place(id)?;
        (n < self.all.number(place + 1)).then(|| self.all.number(place + 2 + n as usize))
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        self.all.states.load(id, out);
    }

    fn bytes(&self) -> usize {
        let lists = self.all.end.load(Ordering::Relaxed) * 4;
        self.all.states.bytes() + self.all.states.len() * 4 + lists
    }

    fn full(&self) -> Option<Full> {
        self.full.get()
    }
}
