//! Breadth-first search by several processes: a state belongs to one of them, by its hash, and only that one keeps it.
//!
//! ```text
//! V, L := own initial states;
//! repeat
//!   commit L to the checkpoint, if it is time;
//!   for all s ∈ L do
//!     visit s;
//!     for all t ∈ post(s) do if own(t) then insert t into V else send t to its owner;
//!   insert what others send into V;                                 — until the round is over
//!   exchange notes: how many states, what was found, who has to stop;
//!   L := what came into V in this round;
//! until no process had a state on the level, or what was found is enough, or one has to stop
//! ```
//!
//! States, transitions, levels and what is found do not depend on the number of processes, nor on how fast they are: a
//! level is searched to its end before it is asked whether what was found is enough, and of the states that were found the
//! first in the order of their portable words is taken. No predecessors are kept: see [`path`](mod@crate::path).
//!
//! Deviation from the text: a state that was sent not long ago is not sent again (`Sent`).

use crate::checkpoint::{Kept, Log, Record};
use crate::mesh::{Lost, Mesh};
use crate::note::{Counts, Note, SUMS, Told};
use crate::portable::{Portable, owner};
use crate::sent::Sent;
use crate::signal::Signals;
use cpu_time::ProcessTime;
use riata_explore::full;
use riata_explore::parallel::bfs::Visit;
use riata_store::Recall;
use riata_system::{ActionId, Run, Stop, Successors, System};

/// So many states are expanded before what has come is looked at.
const BLOCK: u32 = 64;

/// What is searched, and what for.
pub struct Job<'a, S: System, T> {
    /// The system.
    pub system: &'a S,
    /// Its states, for others.
    pub portable: &'a dyn Portable,
    /// Looks at a state; tells bits of what it finds.
    pub visit: &'a dyn Fn(&mut T, &Visit<S>) -> u32,
    /// What visits have counted.
    pub sums: fn(&T) -> [u64; SUMS],
    /// The search ends with the level on which all these bits have been told; with none of them, it does not.
    pub enough: u32,
}

/// A bit that a visit told, and where that was first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which bit.
    pub bit: u32,
    /// The level.
    pub level: usize,
    /// The first such state of the level, in portable words.
    pub state: Vec<u32>,
}

/// What a search leaves behind. But for `starts`, every process has the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// For each level the number of this process's first state.
    pub starts: Vec<u32>,
    /// Why it ended early.
    pub stopped: Option<Stop>,
    /// What was found.
    pub found: Vec<Found>,
    /// What each process counted.
    pub counts: Vec<Counts>,
}

impl Searched {
    /// What all processes counted.
    pub fn total(&self) -> Counts {
        self.counts.iter().fold(Counts::default(), Counts::and)
    }

    fn bits(&self) -> u32 {
        self.found.iter().fold(0, |bits, f| bits | 1 << f.bit)
    }
}

/// Visits every reachable state, together with the others of `mesh`. A search with a checkpoint begins where that ends.
pub fn bfs<S: System, R: Recall, T: Default>(
    job: &Job<S, T>,
    (store, mesh): (&mut R, &mut Mesh),
    log: Option<&mut Log>,
    run: &mut Run,
) -> Searched {
    let counts = vec![Counts::default(); mesh.processes()];
    let mut search = Search {
        job,
        store,
        signals: Signals::new(mesh.processes()),
        mesh,
        log,
        run,
        tally: T::default(),
        before: Counts::default(),
        told: Vec::new(),
        trouble: None,
        sent: Sent::default(),
        room: Room::default(),
        clock: ProcessTime::now(),
        done: Searched { counts, ..Searched::default() },
    };
    search.done.stopped = search.begin().and_then(|from| search.levels(from)).err();
    let Search { done, .. } = search;
    run.counters.max_depth = done.starts.len() as u64;
    run.counters.bytes = store.bytes() as u64;
    done
}

struct Search<'s, 'j, 'r, S: System, R: Recall, T> {
    job: &'s Job<'j, S, T>,
    store: &'s mut R,
    mesh: &'s mut Mesh,
    signals: Signals,
    log: Option<&'s mut Log>,
    run: &'s mut Run<'r>,
    tally: T,
    /// What was counted before the checkpoint that the search began with.
    before: Counts,
    /// What was found on this level.
    told: Vec<Told>,
    /// Why this process has to stop, if it knows that only since its last note.
    trouble: Option<Stop>,
    sent: Sent,
    room: Room<R::Coming>,
    clock: ProcessTime,
    done: Searched,
}

/// Buffers.
struct Room<C> {
    state: Vec<u32>,
    words: Vec<u32>,
    successors: Successors,
    /// The own ones among the successors, on their way into the store.
    coming: Vec<(usize, C)>,
}

impl<C> Default for Room<C> {
    fn default() -> Self {
        Room { state: Vec::new(), words: Vec::new(), successors: Successors::default(), coming: Vec::new() }
    }
}

impl<S: System, R: Recall, T> Search<'_, '_, '_, S, R, T> {
    /// The first level, or the last one of the checkpoint; tells where it begins.
    fn begin(&mut self) -> Result<u32, Stop> {
        if let Some(kept) = self.log.as_deref_mut().and_then(Log::kept) {
            self.replay()?;
            (self.before, self.done.found) = (kept.counts, kept.found);
            return Ok(self.done.starts.pop().unwrap_or(0));
        }
        let system = self.job.system;
        let mut slot = vec![0; system.words()];
        let mut initial = S::Cursor::default();
        while system.initial(&mut initial, &mut slot) {
            let s = &slot[..system.len(&slot)];
            if self.mesh.processes() > 1 {
                self.job.portable.export(s, &mut self.room.words);
            }
            if owner(&self.room.words, self.mesh.processes()) == self.mesh.me() {
                self.store.intern(s).map_err(full)?;
            }
        }
        Ok(0)
    }

    /// Takes the states of the checkpoint.
    fn replay(&mut self) -> Result<(), Stop> {
        let Some(log) = self.log.as_deref_mut() else { return Ok(()) };
        let (store, portable, state) = (&mut *self.store, self.job.portable, &mut self.room.state);
        let starts = &mut self.done.starts;
        log.replay(&mut |record| match record {
            Record::Level => {
                starts.push(store.len() as u32);
                Ok(())
            }
            Record::State(words) if portable.import(words, state) => {
                store.intern(state).map(|_| ()).map_err(full)
            }
            Record::State(_) => Err(Stop::Disk),
        })
    }

    /// Level by level, from the one that begins at `from`.
    fn levels(&mut self, mut from: u32) -> Result<(), Stop> {
        let mut due = true;
        loop {
            let to = self.store.len() as u32;
            self.done.starts.push(from);
            self.run.counters.waiting = u64::from(to - from);
            if due && self.trouble.is_none() {
                self.trouble = self.commit(to).err();
            }
            if self.trouble.is_none() {
                self.trouble = self.expand(from, to).err();
            }
            let Some(next) = self.exchange(to - from)? else {
                self.done.starts.pop();
                return Ok(());
            };
            if self.job.enough != 0 && self.done.bits() & self.job.enough == self.job.enough {
                return Ok(());
            }
            (from, due) = (to, next);
        }
    }

    /// Writes what is new to the checkpoint: the states up to `to`.
    fn commit(&mut self, to: u32) -> Result<(), Stop> {
        let counts = self.counts();
        let Some(log) = self.log.as_deref_mut() else { return Ok(()) };
        let (starts, room) = (&self.done.starts, &mut self.room);
        for level in log.levels()..starts.len() {
            log.level();
            for id in starts[level]..starts.get(level + 1).copied().unwrap_or(to) {
                self.store.load(id, &mut room.state);
                self.job.portable.export(&room.state, &mut room.words);
                log.state(&room.words);
            }
        }
        log.commit(Kept { counts, found: self.done.found.clone() }).map_err(|_| Stop::Disk)
    }

    /// Expands the states of the level, from one number to the other.
    fn expand(&mut self, from: u32, to: u32) -> Result<(), Stop> {
        for block in (from..to).step_by(BLOCK as usize) {
            for id in block..to.min(block + BLOCK) {
                self.one(id)?;
            }
            self.arrive()?;
            self.mesh.step().map_err(|Lost| Stop::Lost)?;
            self.absorb()?;
            self.signals.heed(self.mesh, &self.run.counters)?;
            let (store, signals) = (&*self.store, &self.signals);
            self.run.breathe_among(self.done.starts.len(), || store.bytes(), |own| signals.total(own))?;
        }
        Ok(())
    }

    /// Expands and visits one state.
    fn one(&mut self, id: u32) -> Result<(), Stop> {
        let (system, room) = (self.job.system, &mut self.room);
        self.store.load(id, &mut room.state);
        let mut cursor = S::Cursor::default();
        let from = room.successors.len();
        let successors = system.expand(&room.state, &mut cursor, &mut room.successors);
        self.run.counters.states += 1;
        self.run.counters.post_calls += 1;
        self.run.transitions(successors);
        for i in from..room.successors.len() {
            let t = room.successors.get(i).0;
            if self.mesh.processes() > 1 {
                self.job.portable.export(t, &mut room.words);
                let whose = owner(&room.words, self.mesh.processes());
                if whose != self.mesh.me() {
                    if !self.sent.again(&room.words) {
                        self.mesh.send(whose, &room.words);
                    }
                    continue;
                }
            }
            room.coming.push((i, self.store.comes(t).map_err(full)?));
        }
        let visit = Visit { state: &room.state, successors, cursor: &cursor, again: false };
        let bits = (self.job.visit)(&mut self.tally, &visit) & !self.done.bits();
        if bits != 0 {
            self.job.portable.export(&room.state, &mut room.words);
            (0..u32::BITS).filter(|b| bits >> b & 1 == 1).for_each(|b| tell(&mut self.told, b, &room.words));
        }
        Ok(())
    }

    /// The own successors come into the store.
    fn arrive(&mut self) -> Result<(), Stop> {
        let Room { successors, coming, .. } = &mut self.room;
        coming.iter_mut().for_each(|(_, coming)| self.store.nears(coming));
        for (i, coming) in coming.drain(..) {
            self.store.arrives(successors.get(i).0, coming).map_err(full)?;
        }
        successors.clear();
        Ok(())
    }

    /// What others have sent comes into the store.
    fn absorb(&mut self) -> Result<(), Stop> {
        let (successors, coming) = (&mut self.room.successors, &mut self.room.coming);
        for parcel in self.mesh.received() {
            for record in parcel.records() {
                if !self.job.portable.import(record, &mut self.room.state) {
                    return Err(Stop::Lost);
                }
                successors.push(&self.room.state, ActionId(0));
                let next = self.store.comes(&self.room.state).map_err(full)?;
                coming.push((successors.len() - 1, next));
            }
            coming.iter_mut().for_each(|(_, coming)| self.store.nears(coming));
            for (i, coming) in coming.drain(..) {
                self.store.arrives(successors.get(i).0, coming).map_err(full)?;
            }
            successors.clear();
        }
        Ok(())
    }

    /// Ends the round: everybody hears of everybody. Nothing if no process had a state on this level; else whether it is
    /// time for a checkpoint.
    fn exchange(&mut self, level: u32) -> Result<Option<bool>, Stop> {
        if let Some(stop) = self.trouble {
            self.signals.stop(self.mesh, stop);
        }
        let note = Note {
            counts: self.counts(),
            level: level.into(),
            stop: self.trouble,
            due: self.log.as_deref().is_some_and(Log::is_due),
            told: std::mem::take(&mut self.told),
        };
        self.mesh.close(&note.words());
        loop {
            let over = self.mesh.wait().map_err(|Lost| Stop::Lost)?;
            if let Err(stop) = self.absorb() {
                self.trouble = self.trouble.or(Some(stop));
            }
            if over {
                break;
            }
            // Whoever has to stop says so in its note; here it is only heard of earlier.
            let _ = self.signals.heed(self.mesh, &self.run.counters);
            let (store, signals) = (&*self.store, &self.signals);
            let now = self.run.wait_among(self.done.starts.len(), || store.bytes(), |own| signals.total(own));
            if let Err(stop) = now {
                self.signals.stop(self.mesh, stop);
            }
        }
        let notes: Option<Vec<Note>> = self.mesh.notes().iter().map(|words| Note::read(words)).collect();
        let notes = notes.ok_or(Stop::Lost)?;
        self.done.counts = notes.iter().map(|n| n.counts).collect();
        self.gather(&notes);
        if let Some(stop) = notes.iter().find_map(|n| n.stop) {
            return Err(stop);
        }
        let some = notes.iter().any(|n| n.level > 0);
        Ok(some.then(|| notes[0].due))
    }

    /// What was found on this level for the first time.
    fn gather(&mut self, notes: &[Note]) {
        let mut first: Vec<Told> = Vec::new();
        for (bit, state) in notes.iter().flat_map(|n| &n.told) {
            tell(&mut first, *bit, state);
        }
        first.sort_unstable();
        let level = self.done.starts.len() - 1;
        self.done.found.extend(first.into_iter().map(|(bit, state)| Found { bit, level, state }));
    }

    /// What this process has counted.
    fn counts(&self) -> Counts {
        let own = Counts {
            states: self.run.counters.states,
            transitions: self.run.counters.transitions,
            sums: (self.job.sums)(&self.tally),
            bytes: self.store.bytes() as u64,
            sent: self.mesh.sent(),
            micros: self.clock.elapsed().as_micros() as u64,
        };
        own.and(&Counts { bytes: 0, ..self.before })
    }
}

/// Keeps for each bit the first state in the order of words.
fn tell(told: &mut Vec<Told>, bit: u32, state: &[u32]) {
    match told.iter_mut().find(|(b, _)| *b == bit) {
        Some((_, known)) if known[..] <= *state => {}
        Some((_, known)) => *known = state.to_vec(),
        None => told.push((bit, state.to_vec())),
    }
}
