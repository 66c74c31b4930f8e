//! Bad states: violated assertions, run-time errors, invalid end states, and messages that a monitor does not allow.

mod apart;
mod flock;
mod together;

use super::por::Reduced;
use super::tell::Telling;
use super::view::Viewer;
use super::{Loaded, Wanted, coverage, gpu};
use crate::error::Error;
use crate::how::How;
use crate::options::Store as StoreKind;
use crate::search::{Clock, parts};
use crate::subject::Out;
use riata_explore::bfs::{bfs, shortest_path};
use riata_explore::parallel::Parts;
use riata_explore::parallel::bfs::Visit;
use riata_program::{
    AsWritten, Asserts, Beside, Condensed, Execution, Interpreter, Options, Prepared, Reduction, Sees,
    TraceMonitor,
};
use riata_report::answer::{
    Answer, Cluster, Counters, Engine, Gpu, Hashing, Native, Por, Statements, Stats, Verdict,
};
use riata_store::{Exact, Keyed, Row, Sorted, Tree};
use riata_system::{Path, Run, Stop, System, Walk};
use std::ops::ControlFlow;

/// Searches for bad states.
pub struct Safety<'a> {
    /// How.
    pub how: &'a How<'a>,
    /// The model.
    pub loaded: &'a Loaded,
}

/// Where a search for bad states ended.
struct Bad<W = AsWritten> {
    stopped: Option<Stop>,
    levels: usize,
    /// A run to a violation.
    violation: Option<W>,
    /// A run to a deadlock.
    deadlock: Option<W>,
    /// If steps were left out: are these runs shortest ones all the same?
    shortest: Option<bool>,
    /// If it was asked for and the search was complete.
    coverage: Option<Statements>,
    /// If the store is bitstate: what is known of it.
    hashing: Option<Hashing>,
    /// What only a graphics processor knows.
    gpu: Option<Gpu>,
    /// What only several processes know.
    cluster: Option<Cluster>,
    /// By how many threads.
    threads: usize,
    /// Was it left off because there are more states than were to be looked at?
    large: bool,
}

impl<W> Default for Bad<W> {
    fn default() -> Self {
        Bad {
            stopped: None,
            levels: 0,
            violation: None,
            deadlock: None,
            shortest: None,
            coverage: None,
            hashing: None,
            gpu: None,
            cluster: None,
            threads: 1,
            large: false,
        }
    }
}

struct Searched {
    bad: Bad,
    counters: riata_system::Counters,
    cpu_seconds: f64,
    por: Option<Por>,
    native: Option<Native>,
    /// Where the time went, if somebody looked.
    stats: Option<Stats>,
}

/// A second search, for shortest runs, looks at so many states and so many times as many as the first.
const FEW: usize = 100_000;
const FEWER: usize = 4;

/// The bits that visits tell.
const VIOLATES: u32 = 1;
const STUCK: u32 = 2;

/// What is said of the end of a run.
type End = fn(&Viewer, &Execution) -> String;

impl Safety<'_> {
    fn clock(&self) -> Clock {
        Clock::start(self.how.more_threads().map_or(self.how.threads(), |(_, threads)| threads))
    }

    /// Bad states: one search for all of them; a second one for deadlocks behind violated assertions.
    pub fn check(&self, properties: &[&Wanted], out: &mut Out) -> Result<(), Error> {
        let how = self.how;
        let wants = |p| properties.iter().any(|&w| *w == p);
        let aims = (wants(Wanted::Assertions), wants(Wanted::Deadlock));
        let asserts = if aims.0 { Asserts::Fault } else { Asserts::Ignore };
        let sees = Sees { propositions: how.options.coverage, ..Sees::default() };
        let strict = self.loaded.prepared(how, Beside::Nothing, sees, asserts)?;
        let lenient = self.loaded.sound(strict.again(Options { asserts: Asserts::Ignore }))?;
        if how.is_symbolic() {
            for property in properties {
                out.answer(self.by_sets(property, &strict, &lenient)?);
            }
            return Ok(());
        }
        let start = self.clock();
        let reduced = Reduced::of_states(how, strict.interpreter(), !aims.0);
        how.begins();
        let (mut bad, mut counters) = self.search(&strict, aims, &reduced)?;
        let mut por = reduced.told();
        if aims.0 && aims.1 && bad.violation.is_some() && bad.deadlock.is_none() && bad.stopped.is_none() {
            let reduced = Reduced::of_states(how, lenient.interpreter(), true);
            let (behind, more) = self.search(&lenient, (false, true), &reduced)?;
            bad.deadlock = behind.deadlock;
            bad.shortest = bad.shortest.min(behind.shortest);
            bad.stopped = behind.stopped;
            bad.coverage = behind.coverage;
            counters = more;
            por = reduced.told();
        }
        let (cpu_seconds, native) = (start.seconds(), super::native(how, strict.interpreter()));
        let taken = how.ends_search().map(|taken| taken.native(strict.interpreter().native_made()));
        let stats = taken.map(|taken| taken.told());
        let searched = Searched { bad, counters, cpu_seconds, por: Some(por), native, stats };
        for (i, &property) in properties.iter().enumerate() {
            let (shown, end): (_, End) = match property {
                Wanted::Deadlock => (&searched.bad.deadlock, |v, run| v.stuck(run.last())),
                _ => (&searched.bad.violation, |v, run| v.fault(run)),
            };
            let found = shown.as_ref().map(|shown| (shown, end));
            let mut answer = self.answer(&property.name(), &searched, found);
            if how.options.coverage && i + 1 == properties.len() {
                answer.statements = Some(searched.bad.coverage.clone().unwrap_or_default());
            }
            out.answer(answer);
        }
        Ok(())
    }

    /// The answer of the symbolic engine; deadlocks behind violated assertions count.
    fn by_sets(&self, property: &Wanted, strict: &Prepared, lenient: &Prepared) -> Result<Answer, Error> {
        let violations = *property == Wanted::Assertions;
        let prepared = if violations { strict } else { lenient };
        let (found, cpu_seconds) = self.symbolic(prepared.interpreter(), violations)?;
        let mut bad: Bad = Bad::default();
        let mut counters = riata_system::Counters::default();
        match found {
            Ok(found) => {
                let system = Condensed::new(prepared.interpreter());
                let shown =
                    |path: Option<Path>| path.map(|path| self.shown(prepared, &system, path)).transpose();
                (bad.violation, bad.deadlock) = (shown(found.violation)?, shown(found.deadlock)?);
                (counters.states, counters.bytes) = (found.states as u64, found.bytes as u64);
                counters.transitions = found.transitions.unwrap_or(0.0) as u64;
            }
            Err(stop) => bad.stopped = Some(stop),
        }
        let searched = Searched { bad, counters, cpu_seconds, por: None, native: None, stats: None };
        let end: End = if violations { |v, run| v.fault(run) } else { |v, run| v.stuck(run.last()) };
        let shown = if violations { &searched.bad.violation } else { &searched.bad.deadlock };
        let found = shown.as_ref().map(|shown| (shown, end));
        let mut answer = self.answer(&property.name(), &searched, found);
        (answer.engine, answer.store, answer.algorithm) = (Engine::Symbolic, "bdd".into(), "chaining".into());
        answer.counters.levels = None;
        Ok(answer)
    }

    /// An assertion about messages: the program is monitored.
    pub fn monitor(&self, name: &str, monitor: &TraceMonitor) -> Result<Answer, Error> {
        let beside = Beside::Monitor(monitor);
        let prepared = self.loaded.prepared(self.how, beside, Sees::default(), Asserts::Ignore)?;
        let start = self.clock();
        self.how.begins();
        let (bad, counters) =
            self.search_by(&Aim::TraceMonitor(prepared.interpreter()), (None, usize::MAX))?;
        let bad = self.all_shown(&prepared, &Condensed::new(prepared.interpreter()), bad)?;
        let off = riata_program::Why::Trace.to_string();
        let por = Some(Por { off: Some(off), full: 0, reduced: 0 });
        let (cpu_seconds, stats) = (start.seconds(), self.how.ends_search().map(|taken| taken.told()));
        let searched = Searched { bad, counters, cpu_seconds, por, native: None, stats };
        let end: End = |v, run| v.fault(run);
        let found = searched.bad.violation.as_ref().map(|shown| (shown, end));
        Ok(self.answer(name, &searched, found))
    }

    /// The run along a path of `system`, as one of the program as it is written.
    fn shown(&self, prepared: &Prepared, system: &Condensed, path: Path) -> Result<AsWritten, Error> {
        let walk = Walk::along(system, path);
        self.loaded.sound(prepared.run(system, &walk, false))
    }

    fn all_shown(&self, prepared: &Prepared, system: &Condensed, bad: Bad<Path>) -> Result<Bad, Error> {
        let shown = |path: Option<Path>| path.map(|path| self.shown(prepared, system, path)).transpose();
        Ok(Bad {
            violation: shown(bad.violation)?,
            deadlock: shown(bad.deadlock)?,
            stopped: bad.stopped,
            levels: bad.levels,
            shortest: bad.shortest,
            coverage: bad.coverage,
            gpu: bad.gpu,
            cluster: bad.cluster,
            hashing: bad.hashing,
            threads: bad.threads,
            large: bad.large,
        })
    }

    /// What a search says of a property: it is violated if there is a path, with what it is one of and what to say of
    /// its end.
    fn answer(&self, name: &str, searched: &Searched, found: Option<(&AsWritten, End)>) -> Answer {
        let Searched { bad, counters, cpu_seconds, por, native, stats } = searched;
        let lossy = self.how.store().is_lossy();
        let levels = (!lossy).then_some(bad.levels as u64);
        let mut answer = Answer {
            property: Some(name.into()),
            verdict: match (&found, bad.stopped) {
                (Some(_), _) => Verdict::Violated,
                (None, Some(_)) => Verdict::Inconclusive,
                (None, None) => Verdict::Holds,
            },
            reason: if found.is_none() { bad.stopped.map(|s| s.to_string()) } else { None },
            algorithm: if lossy { "swarm" } else { "bfs" }.into(),
            hashing: bad.hashing,
            store: self.how.store().name().into(),
            counters: Counters { levels, ..Counters::from(*counters) },
            memory_bytes: counters.bytes,
            cpu_seconds: *cpu_seconds,
            threads: Some(bad.threads).filter(|&n| n > 1 && !self.how.is_symbolic()),
            por: por.clone(),
            native: native.clone(),
            stats: *stats,
            gpu: bad.gpu.clone(),
            cluster: bad.cluster.clone(),
            ..Answer::default()
        };
        if bad.gpu.is_some() {
            (answer.engine, answer.store) = (Engine::Gpu, "device".into());
        }
        if let Some((shown, end)) = found {
            answer.shortest = bad.shortest;
            if bad.shortest == Some(false) {
                let message = "a shorter run may exist: partial-order reduction left some out; see --por off";
                answer.warnings.push(message.into());
            }
            let (interpreter, taken) = (&*shown.interpreter, &shown.run);
            let end = end(&Viewer::new(self.loaded, interpreter), taken);
            answer.reason = Some(end.clone());
            let telling = Telling {
                loaded: self.loaded,
                interpreter,
                written: shown.written,
                taken,
                end,
                beside: None,
            };
            answer.show(telling.tell(name, self.how.options.forms));
        }
        answer
    }

    /// Searches for bad states. What is found where steps were left out is found again without, so that runs are shortest
    /// ones, if that is cheap.
    fn search(
        &self,
        prepared: &Prepared,
        (assertions, deadlock): (bool, bool),
        reduced: &Reduced,
    ) -> Result<(Bad, riata_system::Counters), Error> {
        let interpreter = prepared.interpreter();
        if self.how.is_gpu() {
            return self.on_device(prepared, (assertions, deadlock));
        }
        let aim = Aim::States { interpreter, assertions, deadlock };
        let plain = Condensed::new(interpreter);
        let (bad, counters) = self.search_by(&aim, (reduced.reduction(), usize::MAX))?;
        let Some(reduction) = reduced.reduction() else {
            return Ok((self.all_shown(prepared, &plain, bad)?, counters));
        };
        let mut bad = self.all_shown(prepared, &plain.reduced(Some(reduction)).whole(), bad)?;
        if bad.violation.is_none() && bad.deadlock.is_none() {
            return Ok((bad, counters));
        }
        let aim = Aim::States {
            interpreter,
            assertions: bad.violation.is_some(),
            deadlock: bad.deadlock.is_some(),
        };
        let few = FEW + FEWER * counters.states as usize;
        let (again, _) = self.search_by(&aim, (None, few))?;
        let again = self.all_shown(prepared, &plain, again)?;
        let found = |a: &Option<AsWritten>, b: &Option<AsWritten>| a.is_some() || b.is_none();
        bad.shortest = Some(found(&again.violation, &bad.violation) && found(&again.deadlock, &bad.deadlock));
        bad.violation = again.violation.or(bad.violation);
        bad.deadlock = again.deadlock.or(bad.deadlock);
        Ok((bad, counters))
    }

    /// Searches on a graphics processor.
    fn on_device(
        &self,
        prepared: &Prepared,
        (violation, deadlock): (bool, bool),
    ) -> Result<(Bad, riata_system::Counters), Error> {
        let aim = riata_gpu::Aim { violation, deadlock };
        let searched = gpu::search(self.how, prepared.interpreter(), aim)?;
        let counters = searched.counters();
        let bad = Bad {
            stopped: searched.found.stopped,
            levels: searched.found.levels,
            violation: searched.violation.filter(|_| violation),
            deadlock: searched.deadlock.filter(|_| deadlock),
            gpu: Some(searched.told),
            ..Bad::default()
        };
        Ok((self.all_shown(prepared, &Condensed::new(prepared.interpreter()), bad)?, counters))
    }

    /// Searches with a reduction, if there is one, and looks at so many states at most.
    fn search_by(
        &self,
        aim: &Aim,
        how: (Option<&Reduction>, usize),
    ) -> Result<(Bad<Path>, riata_system::Counters), Error> {
        if self.how.cluster.is_some() {
            return apart::search(self.how, aim);
        }
        let limits = self.how.limits();
        let room = limits.memory.unwrap_or(usize::MAX);
        let mut progress = self.how.listener.search("states: bfs", limits.memory);
        let mut run = Run::new(limits).listen(&mut *progress);
        let threads = self.how.threads();
        // A search that is to end after so many states ends at the same one each time, and with reduction one thread and
        // several may look at different states.
        let more = self.how.more_threads().filter(|_| how.0.is_none() && how.1 == usize::MAX);
        let alone = (how.0, more.map_or(how.1, |(most, _)| most));
        let mut bad = match self.how.store() {
            StoreKind::Exact | StoreKind::Tree if threads > 1 && how.1 == usize::MAX => {
                self.states_together(aim, how.0, (threads, room), &mut run)
            }
            StoreKind::Exact if how.0.is_none() => self.states(aim, alone, &mut Keyed::new(room), &mut run),
            StoreKind::Exact => self.states(aim, alone, &mut Exact::new(room), &mut run),
            StoreKind::Tree => self.states(aim, alone, &mut Tree::new(room), &mut run),
            _ => Bad { threads, ..flock::search(self.how, aim, &mut run) },
        };
        if bad.large
            && let Some((_, threads)) = more
        {
            run.counters = riata_system::Counters::default();
            bad = self.states_together(aim, None, (threads, room), &mut run);
        }
        Ok((bad, run.counters))
    }
}

impl Safety<'_> {
    /// The search, and a look at what it stored.
    fn states<R: Row>(
        &self,
        aim: &Aim,
        how: (Option<&Reduction>, usize),
        store: &mut R,
        run: &mut Run,
    ) -> Bad<Path> {
        let mut bad = search(aim, how, store, run);
        self.cover(aim, &mut bad, (store.len(), &|id, out: &mut _| store.load(id, out)));
        bad
    }

    /// The same by so many threads, with so many bytes.
    fn states_together(
        &self,
        aim: &Aim,
        reduction: Option<&Reduction>,
        (threads, room): (usize, usize),
        run: &mut Run,
    ) -> Bad<Path> {
        match self.how.store() {
            StoreKind::Tree => self.parts(aim, reduction, &parts(threads, room, Tree::new), run),
            // A reduction asks which of the successors are on the next level.
            _ if reduction.is_some() => self.parts(aim, reduction, &parts(threads, room, Exact::new), run),
            _ => {
                let system = Condensed::new(aim.interpreter());
                self.parts(aim, None, &Parts::keyed(&system, threads, room, run.limits), run)
            }
        }
    }

    /// The same by a thread for each part.
    fn parts<R: Sorted + Send>(
        &self,
        aim: &Aim,
        reduction: Option<&Reduction>,
        parts: &Parts<R>,
        run: &mut Run,
    ) -> Bad<Path> {
        let mut bad = together::search(aim, reduction, parts, run);
        self.cover(aim, &mut bad, (parts.states(), &|n, out: &mut _| parts.nth(n, out)));
        bad
    }

    fn cover(&self, aim: &Aim, bad: &mut Bad<Path>, states: coverage::States) {
        let (first, second) = aim.wants();
        let ended = bad.large || (!first || bad.violation.is_some()) && (!second || bad.deadlock.is_some());
        if let Aim::States { interpreter, .. } = aim
            && self.how.options.coverage
            && bad.stopped.is_none()
            && !ended
        {
            bad.coverage = Some(coverage::of(states, interpreter, self.loaded));
        }
    }
}

/// What a search looks for.
enum Aim<'a> {
    /// Violated assertions and run-time errors, and deadlocks, as far as they are wanted.
    States { interpreter: &'a Interpreter, assertions: bool, deadlock: bool },
    /// What a monitor does not allow.
    TraceMonitor(&'a Interpreter),
}

impl Aim<'_> {
    fn interpreter(&self) -> &Interpreter {
        match self {
            Aim::States { interpreter, .. } | Aim::TraceMonitor(interpreter) => interpreter,
        }
    }

    /// Is the first kind wanted, and the second?
    fn wants(&self) -> (bool, bool) {
        match *self {
            Aim::States { assertions, deadlock, .. } => (assertions, deadlock),
            Aim::TraceMonitor(_) => (true, false),
        }
    }

    /// The bits that visits tell, as far as they are wanted.
    fn bits(&self) -> u32 {
        let (assertions, deadlock) = self.wants();
        (u32::from(assertions) * VIOLATES) | (u32::from(deadlock) * STUCK)
    }

    /// What one of several threads or processes looks for in a state.
    fn visit(&self, system: &Condensed) -> impl Fn(&mut Vec<u32>, &Visit<Condensed>) -> u32 {
        let (interpreter, words) = (self.interpreter(), system.words());
        let (assertions, deadlock) = self.wants();
        move |scratch, v| {
            if v.again {
                return 0;
            }
            scratch.resize(words, 0);
            let violates = assertions && self.violates(v.state);
            let stops = deadlock && v.successors == 0 && !interpreter.is_fault(v.state);
            let stuck = stops && !interpreter.is_end(v.state) && interpreter.is_stuck(v.state, scratch);
            (u32::from(violates) * VIOLATES) | (u32::from(stuck) * STUCK)
        }
    }

    fn violates(&self, s: &[u32]) -> bool {
        match self {
            Aim::States { interpreter, .. } => interpreter.is_fault(s) || interpreter.violated(s).is_some(),
            Aim::TraceMonitor(interpreter) => interpreter.is_unexpected(s),
        }
    }
}

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
fn search<R: Row>(
    aim: &Aim,
    (reduction, most): (Option<&Reduction>, usize),
    store: &mut R,
    run: &mut Run,
) -> Bad<Path> {
    let interpreter = aim.interpreter();
    let (assertions, deadlock) = aim.wants();
    let system = Condensed::new(interpreter).reduced(reduction);
    let mut scratch = vec![0; system.words()];
    let (mut violation, mut stuck, mut large) = (None, None, false);
    let searched = bfs(&system, store, run, |id, s, successors| {
        if assertions && violation.is_none() && aim.violates(s) {
            violation = Some(id);
        }
        let stops = deadlock && stuck.is_none() && successors == 0 && !interpreter.is_fault(s);
        if stops && !interpreter.is_end(s) && interpreter.is_stuck(s, &mut scratch) {
            stuck = Some(id);
        }
        let done = (!assertions || violation.is_some()) && (!deadlock || stuck.is_some());
        large = !done && id as usize >= most;
        if done || large { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let path = |id: Option<u32>| id.map(|id| shortest_path(&system, store, &searched.levels, id));
    Bad {
        stopped: searched.stopped,
        levels: searched.levels.len(),
        violation: path(violation),
        deadlock: path(stuck),
        large,
        ..Bad::default()
    }
}
