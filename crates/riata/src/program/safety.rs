//! Bad states: violated assertions, run-time errors, invalid end states, and messages that a monitor does not allow.

use super::tell::Telling;
use super::view::Viewer;
use super::{Loaded, Wanted, coverage};
use crate::error::Error;
use crate::how::How;
use crate::options::Store as StoreKind;
use crate::subject::Out;
use cpu_time::ThreadTime;
use riata_explore::bfs::{bfs, shortest_path};
use riata_program::{
    Asserts, Beside, Condensed, Execution, Interpreter, Options, Prepared, Sees, TraceMonitor,
};
use riata_report::answer::{Answer, Counters, Engine, Statements, Verdict};
use riata_store::{Exact, Recall, Tree};
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
#[derive(Default)]
struct Bad {
    stopped: Option<Stop>,
    levels: usize,
    violation: Option<Path>,
    deadlock: Option<Path>,
    /// If it was asked for and the search was complete.
    coverage: Option<Statements>,
}

struct Searched {
    bad: Bad,
    counters: riata_system::Counters,
    cpu_seconds: f64,
}

/// What is said of the end of a run.
type End = fn(&Viewer, &Execution) -> String;

impl Safety<'_> {
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
        let start = ThreadTime::now();
        let (mut bad, mut counters) = self.search(strict.interpreter(), aims)?;
        if aims.0 && aims.1 && bad.violation.is_some() && bad.deadlock.is_none() && bad.stopped.is_none() {
            let (behind, more) = self.search(lenient.interpreter(), (false, true))?;
            bad.deadlock = behind.deadlock;
            bad.stopped = behind.stopped;
            bad.coverage = behind.coverage;
            counters = more;
        }
        let searched = Searched { bad, counters, cpu_seconds: start.elapsed().as_secs_f64() };
        for (i, &property) in properties.iter().enumerate() {
            let (path, prepared, end): (_, _, End) = match property {
                Wanted::Deadlock => (&searched.bad.deadlock, &lenient, |v, run| v.stuck(run.last())),
                _ => (&searched.bad.violation, &strict, |v, run| v.fault(run)),
            };
            let found = path.as_ref().map(|path| (path, prepared, end));
            let mut answer = self.answer(&property.name(), &searched, found)?;
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
        let mut bad = Bad::default();
        let mut counters = riata_system::Counters::default();
        match found {
            Ok(found) => {
                (bad.violation, bad.deadlock) = (found.violation, found.deadlock);
                (counters.states, counters.bytes) = (found.states as u64, found.bytes as u64);
                counters.transitions = found.transitions.unwrap_or(0.0) as u64;
            }
            Err(stop) => bad.stopped = Some(stop),
        }
        let searched = Searched { bad, counters, cpu_seconds };
        let end: End = if violations { |v, run| v.fault(run) } else { |v, run| v.stuck(run.last()) };
        let path = if violations { &searched.bad.violation } else { &searched.bad.deadlock };
        let found = path.as_ref().map(|path| (path, prepared, end));
        let mut answer = self.answer(&property.name(), &searched, found)?;
        (answer.engine, answer.store, answer.algorithm) = (Engine::Symbolic, "bdd".into(), "chaining".into());
        answer.counters.levels = None;
        Ok(answer)
    }

    /// An assertion about messages: the program is monitored.
    pub fn monitor(&self, name: &str, monitor: &TraceMonitor) -> Result<Answer, Error> {
        let beside = Beside::Monitor(monitor);
        let prepared = self.loaded.prepared(self.how, beside, Sees::default(), Asserts::Ignore)?;
        let start = ThreadTime::now();
        let (bad, counters) = self.search_by(&Aim::TraceMonitor(prepared.interpreter()))?;
        let searched = Searched { bad, counters, cpu_seconds: start.elapsed().as_secs_f64() };
        let end: End = |v, run| v.fault(run);
        let found = searched.bad.violation.as_ref().map(|path| (path, &prepared, end));
        self.answer(name, &searched, found)
    }

    /// What a search says of a property: it is violated if there is a path, with what it is one of and what to say of
    /// its end.
    fn answer(
        &self,
        name: &str,
        searched: &Searched,
        found: Option<(&Path, &Prepared, End)>,
    ) -> Result<Answer, Error> {
        let Searched { bad, counters, cpu_seconds } = searched;
        let mut answer = Answer {
            property: Some(name.into()),
            verdict: match (&found, bad.stopped) {
                (Some(_), _) => Verdict::Violated,
                (None, Some(_)) => Verdict::Inconclusive,
                (None, None) => Verdict::Holds,
            },
            reason: if found.is_none() { bad.stopped.map(|s| s.to_string()) } else { None },
            algorithm: "bfs".into(),
            store: self.how.store().name().into(),
            counters: Counters { levels: Some(bad.levels as u64), ..Counters::from(*counters) },
            memory_bytes: counters.bytes,
            cpu_seconds: *cpu_seconds,
            ..Answer::default()
        };
        if let Some((path, prepared, end)) = found {
            let walk = Walk::along(&Condensed(prepared.interpreter()), path.clone());
            let shown = self.loaded.sound(prepared.run(&walk, false))?;
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
        Ok(answer)
    }

    fn search(
        &self,
        interpreter: &Interpreter,
        (assertions, deadlock): (bool, bool),
    ) -> Result<(Bad, riata_system::Counters), Error> {
        self.search_by(&Aim::States { interpreter, assertions, deadlock })
    }

    fn search_by(&self, aim: &Aim) -> Result<(Bad, riata_system::Counters), Error> {
        let limits = self.how.limits();
        let room = limits.memory.unwrap_or(usize::MAX);
        let mut progress = self.how.listener.search("states: bfs", limits.memory);
        let mut run = Run::new(limits).listen(&mut *progress);
        let bad = match self.how.store() {
            StoreKind::Exact => self.states(aim, &mut Exact::new(room), &mut run),
            StoreKind::Tree => self.states(aim, &mut Tree::new(room), &mut run),
            other => {
                let name = other.name();
                let message = format!("assertions and deadlocks need the store exact or tree, not {name}");
                return Err(Error::usage(message));
            }
        };
        Ok((bad, run.counters))
    }
}

impl Safety<'_> {
    /// The search, and a look at what it stored.
    fn states<R: Recall>(&self, aim: &Aim, store: &mut R, run: &mut Run) -> Bad {
        let mut bad = search(aim, store, run);
        let (first, second) = aim.wants();
        let ended = (!first || bad.violation.is_some()) && (!second || bad.deadlock.is_some());
        if let Aim::States { interpreter, .. } = aim
            && self.how.options.coverage
            && bad.stopped.is_none()
            && !ended
        {
            bad.coverage = Some(coverage::of(store, interpreter, self.loaded));
        }
        bad
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

    fn violates(&self, s: &[u32]) -> bool {
        match self {
            Aim::States { interpreter, .. } => interpreter.is_fault(s) || interpreter.violated(s).is_some(),
            Aim::TraceMonitor(interpreter) => interpreter.is_unexpected(s),
        }
    }
}

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
fn search<R: Recall>(aim: &Aim, store: &mut R, run: &mut Run) -> Bad {
    let interpreter = aim.interpreter();
    let (assertions, deadlock) = aim.wants();
    let system = Condensed(interpreter);
    let mut scratch = vec![0; system.words()];
    let (mut violation, mut stuck) = (None, None);
    let searched = bfs(&system, store, run, |id, s, successors| {
        if assertions && violation.is_none() && aim.violates(s) {
            violation = Some(id);
        }
        let stops = deadlock && stuck.is_none() && successors == 0 && !interpreter.is_fault(s);
        if stops && !interpreter.is_end(s) && interpreter.is_stuck(s, &mut scratch) {
            stuck = Some(id);
        }
        let done = (!assertions || violation.is_some()) && (!deadlock || stuck.is_some());
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let path = |id: Option<u32>| id.map(|id| shortest_path(&system, store, &searched.levels, id));
    Bad {
        stopped: searched.stopped,
        levels: searched.levels.len(),
        violation: path(violation),
        deadlock: path(stuck),
        coverage: None,
    }
}
