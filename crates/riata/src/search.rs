//! The one place where enums become monomorphised calls: a check, a graph and a store, each chosen at run time.

use crate::how::How;
use crate::options::{Hashing, Store as StoreKind};
use crate::profile::{Profile, Taken};
use cpu_time::{ProcessTime, ThreadTime};
use riata_automata::{Marks, Strength, Tgba};
use riata_explore::known::{Known, Remembers, Room};
use riata_explore::parallel::{self, Parts};
use riata_explore::streett::{self, Pair};
use riata_explore::swarm::{Member, swarm};
use riata_explore::{Algorithm, Refused, check, check_shared, full as full_store, lowered};
use riata_report::answer::{Answer, Counters as Counted, Verdict as Word};
use riata_store::shared;
use riata_store::{Any, Bitstate, Compact, Dense, Exact, Sorted, Tree};
use riata_system::{
    Counters, Degeneralised, DegeneralisedStates, Explicit, Graph, Limits, OnStates, Progress, Run,
    StateMarked, Stop, Verdict,
};
use std::sync::{Mutex, PoisonError};

/// The memory of a bitstate store when nobody says how much.
const BITSTATE_BYTES: usize = 64 << 20;

/// The bytes of lists of successors beside a tree.
const TREE_LISTS: usize = 64 << 20;

/// What to run.
pub struct Plan<'a> {
    /// The automaton.
    pub automaton: &'a Tgba,
    /// Its strength, as far as it is known.
    pub strength: Strength,
    /// How.
    pub search: Search<'a>,
}

/// How to search a graph.
pub struct Search<'a> {
    /// The check.
    pub algorithm: Algorithm,
    /// The store.
    pub store: StoreKind,
    /// Parameters of lossy stores.
    pub hashing: &'a Hashing,
    /// The bytes of a bitstate store, if somebody says how many.
    pub bitstate: Option<usize>,
    /// Limits of the check.
    pub limits: Limits<'a>,
    /// Threads: a check for several has so many; of others with a lossy store there are so many at once, and with an exact one
    /// all but one are [scouts](riata_explore::scouts).
    pub threads: usize,
    /// Who looks where the time goes.
    pub profile: Option<&'a Profile>,
}

/// What came out.
pub struct Outcome {
    /// The verdict; a lasso is one of the automaton itself.
    pub verdict: Verdict,
    /// What was counted, in the last run.
    pub counters: Counters,
    /// The store that was used.
    pub store: StoreKind,
    /// Did the check run on a degeneralised graph?
    pub degeneralised: bool,
    /// Of bitstate: the estimated share of the states that were not left out, and how many runs there were.
    pub coverage: Option<(f64, u32)>,
    /// Processor time of the check.
    pub cpu_seconds: f64,
    /// How many threads there were.
    pub threads: usize,
    /// Where the time went, if somebody looked.
    pub taken: Option<Taken>,
}

/// The processor time of a search.
pub enum Clock {
    /// Of this thread.
    One(ThreadTime),
    /// Of all threads.
    All(ProcessTime),
}

impl Clock {
    /// Begins now, for a search by so many threads.
    pub fn start(threads: usize) -> Clock {
        if threads > 1 { Clock::All(ProcessTime::now()) } else { Clock::One(ThreadTime::now()) }
    }

    /// The seconds since then.
    pub fn seconds(&self) -> f64 {
        match self {
            Clock::One(start) => start.elapsed().as_secs_f64(),
            Clock::All(start) => start.elapsed().as_secs_f64(),
        }
    }
}

/// The bytes of a bitstate store, of this memory if somebody says how much: an eighth is left to the stacks.
pub fn bitstate_bytes(memory: Option<usize>) -> usize {
    memory.map_or(BITSTATE_BYTES, |m| m - m / 8)
}

/// The estimated share of the states that are not left out, when `states` were entered in so many bytes.
pub fn coverage(bytes: usize, bits: u32, states: u64) -> f64 {
    Bitstate::new(bytes, bits, 0).coverage(states)
}

/// The shared store of that kind; `first` is one of its states.
pub fn shared_store(kind: StoreKind, room: usize, widest: usize, first: usize) -> shared::Any {
    match kind {
        StoreKind::Tree => shared::Any::Tree(shared::Tree::new(room, widest, first)),
        _ => shared::Any::Exact(shared::Exact::new(room, widest, first)),
    }
}

/// A store for each of so many threads; together they may hold so many bytes.
pub fn parts<R: Sorted>(threads: usize, room: usize, store: fn(usize) -> R) -> Parts<R> {
    let share = parallel::share(room, threads);
    Parts::new((0..threads).map(|_| store(share)))
}

/// The length of the first initial state, which is that of most.
fn usual<G: Graph>(g: &G) -> usize {
    let mut slot = vec![0; g.words()];
    if g.initial(&mut G::Cursor::default(), &mut slot) { g.len(&slot) } else { g.words() }
}

/// What a breadth-first search of all states tells, without what it looked for in them.
pub fn all_states(
    how: &How,
    stopped: Option<Stop>,
    levels: usize,
    counters: Counters,
    cpu_seconds: f64,
) -> Answer {
    Answer {
        verdict: if stopped.is_some() { Word::Inconclusive } else { Word::Complete },
        reason: stopped.map(|s| s.to_string()),
        algorithm: "bfs".into(),
        store: how.store().name().into(),
        counters: Counted { levels: Some(levels as u64), ..Counted::from(counters) },
        memory_bytes: counters.bytes,
        cpu_seconds,
        ..Answer::default()
    }
}

impl Outcome {
    /// The same with the verdict on the graph beneath.
    fn lowered(mut self, lower: impl Fn(Verdict) -> Verdict) -> Self {
        self.verdict = lower(self.verdict);
        self
    }
}

impl Plan<'_> {
    /// Runs the check on the graph that it needs.
    pub fn run(&self, progress: &mut dyn Progress) -> Result<Outcome, Refused> {
        let (search, automaton) = (&self.search, self.automaton);
        search.refuses(self.strength)?;
        let g = Explicit::with_strength(automaton, self.strength);
        let on_states = OnStates::new(g);
        if !search.algorithm.needs_one_set() || on_states.is_some() && automaton.sets <= 1 {
            return match search.store {
                StoreKind::Dense if !search.algorithm.needs_shared() => {
                    search.measure(StoreKind::Dense, progress, &|run, _| {
                        check(search.algorithm, &g, &mut Dense, run)
                    })
                }
                _ => search.on(&g, progress),
            };
        }
        let outcome = match on_states {
            Some(g) => {
                let d = DegeneralisedStates::new(&g);
                search.on(&d, progress)?.lowered(|v| lowered(&g, &d, v))
            }
            None => {
                let d = Degeneralised::new(&g);
                search.on(&d, progress)?.lowered(|v| lowered(&g, &d, v))
            }
        };
        Ok(Outcome { degeneralised: true, ..outcome })
    }
}

impl Search<'_> {
    /// Is the check wrong for graphs of this strength, or for the store?
    pub fn refuses(&self, strength: Strength) -> Result<(), Refused> {
        self.algorithm.refuses(strength, self.store != StoreKind::Bitstate).map_or(Ok(()), Err)
    }

    /// Runs the check on a graph whose states are not mere numbers.
    fn on<G: Graph + Sync>(&self, g: &G, progress: &mut dyn Progress) -> Result<Outcome, Refused> {
        let store = if self.store == StoreKind::Dense { StoreKind::Exact } else { self.store };
        if self.algorithm.needs_shared() {
            if store.is_lossy() {
                return Err(Refused::Threads { check: self.algorithm });
            }
            return self.measure(store, progress, &|run, _| {
                let shared = shared_store(store, self.room(), g.words(), usual(g));
                check_shared(self.algorithm, g, &shared, self.threads, run)
            });
        }
        if self.threads > 1 && store.is_lossy() {
            return self.swarm(g, store, progress);
        }
        self.measure(store, progress, &|run, seed| match store {
            StoreKind::Bitstate => check(self.algorithm, g, &mut self.bitstate(seed), run),
            kind => check(self.algorithm, g, &mut self.numbered(kind, seed), run),
        })
    }

    /// Runs the check with a lossy store once for each thread, at the same time, with other hash functions each.
    fn swarm<G: Graph + Sync>(
        &self,
        g: &G,
        store: StoreKind,
        progress: &mut dyn Progress,
    ) -> Result<Outcome, Refused> {
        let start = Clock::start(self.threads);
        let mut run = Run::new(self.limits).listen(progress);
        let refused = Mutex::new(None);
        let (seed, bits) = (self.hashing.seed.unwrap_or(0), self.hashing.bits());
        let flown = swarm(self.threads, &mut run, |number, run| {
            let seed = seed.wrapping_add(number as u64);
            let room = self.room() / self.threads;
            let verdict = match store {
                StoreKind::Bitstate => {
                    let bytes = self.bitstate_bytes() / self.threads;
                    check(self.algorithm, g, &mut Bitstate::new(bytes, bits, seed), run)
                }
                _ => check(self.algorithm, g, &mut Any::Compact(Compact::new(room, seed)), run),
            };
            let (found, stopped) = match verdict {
                Ok(Verdict::Accepting(lasso)) => (vec![lasso], None),
                Ok(Verdict::Empty | Verdict::Inconclusive(Stop::Lossy | Stop::Unconfirmed)) => (vec![], None),
                Ok(Verdict::Inconclusive(stop)) => (vec![], Some(stop)),
                Err(why) => {
                    *refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                    (vec![], None)
                }
            };
            Member { enough: !found.is_empty(), found, stopped }
        });
        if let Some(why) = *refused.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(why);
        }
        let verdict = match flown.found.into_iter().next() {
            Some(lasso) => Verdict::Accepting(lasso),
            None => Verdict::Inconclusive(flown.stopped.unwrap_or(Stop::Lossy)),
        };
        let left_out =
            flown.states.iter().map(|&n| 1.0 - self.coverage_among(self.threads, n)).product::<f64>();
        Ok(Outcome {
            verdict,
            counters: run.counters,
            store,
            degeneralised: false,
            coverage: (store == StoreKind::Bitstate).then_some((1.0 - left_out, self.threads as u32)),
            cpu_seconds: start.seconds(),
            threads: self.threads,
            taken: None,
        })
    }

    /// Runs a check that takes marks on edges.
    pub fn on_edges<G: Graph + Sync>(&self, g: &G, progress: &mut dyn Progress) -> Result<Outcome, Refused> {
        self.on(g, progress)
    }

    /// Runs a check that needs one set on states; `lower` maps a verdict back to what was degeneralised.
    pub fn on_states<G: StateMarked + Sync>(
        &self,
        g: &G,
        degeneralised: bool,
        lower: impl Fn(Verdict) -> Verdict,
        progress: &mut dyn Progress,
    ) -> Result<Outcome, Refused> {
        Ok(Outcome { degeneralised, ..self.on(g, progress)?.lowered(lower) })
    }

    /// Does the check keep the successors of states that it has seen? One thread's do, if the store gives states back.
    pub fn remembers(&self) -> bool {
        !self.algorithm.needs_shared() && matches!(self.store, StoreKind::Exact | StoreKind::Tree)
    }

    /// What it may keep of a system: who asks for the tree wants to save memory, and who sets a limit wants most of it for states.
    pub fn room_of_known(&self) -> Room {
        let lists = if self.store == StoreKind::Tree { TREE_LISTS } else { usize::MAX };
        Room { states: self.room(), lists: lists.min(self.room() / 4) }
    }

    /// Runs the check on a product of a [`Known`] system, with an automaton of so many states and so many levels on top.
    pub fn on_known<G: Graph, R: Remembers>(
        &self,
        g: &G,
        known: &Known<R>,
        (states, levels): (u32, u32),
        lower: impl Fn(Verdict) -> Verdict,
        progress: &mut dyn Progress,
    ) -> Result<Outcome, Refused> {
        let outcome = self.measure(self.store, progress, &|run, _| {
            let verdict = check(self.algorithm, g, &mut known.numbers(states, levels), run)?;
            Ok(match (verdict, known.full()) {
                (Verdict::Empty, Some(full)) => Verdict::Inconclusive(full_store(full)),
                (verdict, _) => verdict,
            })
        })?;
        Ok(outcome.lowered(lower))
    }

    /// Looks for a run that takes all marks of `asked.0` and meets the pairs, with the store `exact` or `tree`.
    pub fn streett<G: Graph>(
        &self,
        g: &G,
        asked: (Marks, &[Pair]),
        progress: &mut dyn Progress,
    ) -> Result<Outcome, Refused> {
        let store = if self.store == StoreKind::Tree { StoreKind::Tree } else { StoreKind::Exact };
        self.measure(store, progress, &|run, _| match store {
            StoreKind::Tree => Ok(streett::check(g, asked, &mut Tree::new(self.room()), run)),
            _ => Ok(streett::check(g, asked, &mut Exact::new(self.room()), run)),
        })
    }

    /// Runs `check`, with a lossy store as often as asked, and takes the time.
    fn measure(
        &self,
        store: StoreKind,
        progress: &mut dyn Progress,
        check: &dyn Fn(&mut Run, u64) -> Result<Verdict, Refused>,
    ) -> Result<Outcome, Refused> {
        let lossy = matches!(store, StoreKind::Bitstate | StoreKind::Compact);
        let runs = if lossy { self.hashing.runs.unwrap_or(1) } else { 1 };
        // With a lossy store each of several threads has a search of its own.
        let threads = if lossy { 1 } else { self.threads };
        let start = Clock::start(threads);
        self.profile.inspect(|profile| profile.begins());
        let mut done = 0;
        loop {
            let mut run = Run::new(self.limits).listen(&mut *progress);
            let verdict = check(&mut run, self.hashing.seed.unwrap_or(0).wrapping_add(u64::from(done)))?;
            done += 1;
            let again =
                matches!(verdict, Verdict::Inconclusive(Stop::Lossy | Stop::Unconfirmed)) && done < runs;
            if again {
                continue;
            }
            let (counters, taken) = (run.counters, self.profile.map(Profile::ends));
            return Ok(Outcome {
                verdict,
                counters,
                store,
                degeneralised: false,
                coverage: (store == StoreKind::Bitstate).then(|| (self.coverage(counters.states), done)),
                cpu_seconds: start.seconds(),
                threads,
                taken,
            });
        }
    }

    /// The bytes that a store may hold.
    pub fn room(&self) -> usize {
        self.limits.memory.unwrap_or(usize::MAX)
    }

    /// A store that numbers states; `kind` is not one of those that are types of their own.
    fn numbered(&self, kind: StoreKind, seed: u64) -> Any {
        match kind {
            StoreKind::Tree => Any::Tree(Tree::new(self.room())),
            StoreKind::Compact => Any::Compact(Compact::new(self.room(), seed)),
            StoreKind::Exact | StoreKind::Dense | StoreKind::Bitstate => Any::Exact(Exact::new(self.room())),
        }
    }

    fn bitstate(&self, seed: u64) -> Bitstate {
        Bitstate::new(self.bitstate_bytes(), self.hashing.bits(), seed)
    }

    /// An eighth of the memory is left to the stacks.
    fn bitstate_bytes(&self) -> usize {
        bitstate_bytes(self.bitstate)
    }

    /// The estimated share of the states that bitstate hashing did not leave out, when `states` were entered.
    fn coverage(&self, states: u64) -> f64 {
        self.coverage_among(1, states)
    }

    /// The same of one of several searches that share the memory.
    fn coverage_among(&self, searches: usize, states: u64) -> f64 {
        // How many planes of bits a check shares the memory among.
        let planes = match self.algorithm {
            Algorithm::Sd | Algorithm::Reach => 1,
            Algorithm::Gmz04 => 3,
            _ => 2,
        };
        coverage(self.bitstate_bytes() / planes / searches, self.hashing.bits(), states)
    }
}
