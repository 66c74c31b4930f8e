//! The whole state space of a program.

use super::por::Reduced;
use super::tell::Telling;
use super::view::Viewer;
use super::{Loaded, coverage, native};
use crate::error::Error;
use crate::how::How;
use crate::options::Store as StoreKind;
use crate::search::all_states;
use cpu_time::ThreadTime;
use riata_explore::bfs::{Levels, bfs, shortest_path};
use riata_program::{
    AsWritten, Asserts, Beside, Claimed, Condensed, CondensedCursor, Execution, Interpreter, Options,
    Reduction, Sees,
};
use riata_report::answer::{Answer, Statements};
use riata_store::{Exact, Recall, Tree};
use riata_system::{ActionId, Path, Run, Stop, Successors, System, Valuation, Walk};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the states.
pub fn explore(how: &How, loaded: &Loaded) -> Result<Answer, Error> {
    // The whole space: a violated assertion is counted, and does not end a run.
    let beside = loaded.claim().map_or(Beside::Nothing, Beside::Claim);
    let sees = Sees { propositions: how.options.coverage, ..Sees::default() };
    let counted = loaded.prepared(how, beside, sees, Asserts::Count)?;
    let strict = loaded.sound(counted.again(Options::default()))?;
    let interpreter = counted.interpreter();
    let limits = how.limits();
    let room = limits.memory.unwrap_or(usize::MAX);
    let mut progress = how.listener.search("explore", limits.memory);
    let mut search = Run::new(limits).listen(&mut *progress);
    let start = ThreadTime::now();
    let covered = how.options.coverage.then_some(loaded);
    let reduced = Reduced::of_space(how, interpreter);
    let reduction = reduced.as_ref().and_then(Reduced::reduction);
    let job = Job { interpreter, strict: strict.interpreter(), reduction, covered };
    let system = Condensed::new(interpreter).reduced(reduction);
    let counting = Counting { system, violations: AtomicU64::new(0) };
    let met = || counting.violations.load(Ordering::Relaxed);
    let claimed = |claim| Claimed { interpreter, claim, stutters: true, justice: None };
    let found = match (how.store(), interpreter.program().claim.map(claimed)) {
        (StoreKind::Tree, None) => job.count(&counting, met, (&mut Tree::new(room), &mut search)),
        (_, None) => job.count(&counting, met, (&mut Exact::new(room), &mut search)),
        (StoreKind::Tree, Some(claimed)) => job.count(&claimed, || 0, (&mut Tree::new(room), &mut search)),
        (_, Some(claimed)) => job.count(&claimed, || 0, (&mut Exact::new(room), &mut search)),
    };
    let cpu_seconds = start.elapsed().as_secs_f64();
    let counters = search.counters;
    drop(progress);
    let mut answer = all_states(how, found.stopped, found.levels, counters, cpu_seconds);
    answer.words = interpreter.length();
    answer.por = reduced.as_ref().map(Reduced::told);
    answer.native = native(how, interpreter);
    answer.counters.deadlocks = Some(found.deadlocks);
    answer.counters.violations = Some(found.violations);
    // The state after a run-time error is not one of the model's.
    answer.counters.states -= found.faults;
    if how.options.coverage {
        answer.statements = Some(found.coverage.unwrap_or_default());
    }
    let lifted = |run: Option<Execution>| run.map(|run| loaded.sound(strict.lifted(run))).transpose();
    show_bad(how, loaded, &mut answer, lifted(found.trace)?, lifted(found.deadlock)?);
    Ok(answer)
}

/// Shows shortest runs to a violation and to a deadlock.
pub fn show_bad(
    how: &How,
    loaded: &Loaded,
    answer: &mut Answer,
    violation: Option<AsWritten>,
    deadlock: Option<AsWritten>,
) {
    let told = |shown: &AsWritten, title: &str, end: &dyn Fn(&Viewer, &Execution) -> String| {
        let (interpreter, taken) = (&*shown.interpreter, &shown.run);
        let end = end(&Viewer::new(loaded, interpreter), taken);
        let telling = Telling { loaded, interpreter, written: shown.written, taken, end, beside: None };
        telling.tell(title, how.options.forms)
    };
    if let Some(shown) = &violation {
        answer.show(told(shown, "a shortest way to a violation", &|v, run| v.fault(run)));
    }
    if let Some(shown) = &deadlock {
        let told = told(shown, "a shortest way to a deadlock", &|v, run| v.stuck(run.last()));
        match answer.run {
            Some(_) => answer.also = Some(std::sync::Arc::new(told)),
            None => answer.show(told),
        }
    }
}

/// What the search tells.
#[derive(Default)]
struct Outcome {
    stopped: Option<Stop>,
    levels: usize,
    deadlocks: u64,
    violations: u64,
    faults: u64,
    /// A shortest path to a violation.
    trace: Option<Execution>,
    /// A shortest path to a deadlock.
    deadlock: Option<Execution>,
    /// If it was asked for and the search was complete.
    coverage: Option<Statements>,
}

/// A system that counts the assertions that its steps violate.
struct Counting<'a> {
    system: Condensed<'a>,
    violations: AtomicU64,
}

impl System for Counting<'_> {
    type Cursor = CondensedCursor;

    fn words(&self) -> usize {
        self.system.words()
    }

    fn len(&self, s: &[u32]) -> usize {
        self.system.len(s)
    }

    fn initial(&self, at: &mut CondensedCursor, dst: &mut [u32]) -> bool {
        self.system.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut CondensedCursor, dst: &mut [u32]) -> Option<ActionId> {
        let action = self.system.next(src, at, dst);
        self.violations.fetch_add(at.violations().into(), Ordering::Relaxed);
        action
    }

    fn expand(&self, src: &[u32], at: &mut CondensedCursor, out: &mut Successors) -> u64 {
        let count = self.system.expand(src, at, out);
        self.violations.fetch_add(at.violations().into(), Ordering::Relaxed);
        count
    }

    fn left_out(&self, at: &CondensedCursor) -> bool {
        self.system.left_out(at)
    }

    fn rest(&self, src: &[u32], at: &mut CondensedCursor) -> bool {
        self.system.rest(src, at)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.system.valuation(s)
    }
}

/// A search of the whole space.
pub struct Job<'a> {
    /// Counts violated assertions.
    pub interpreter: &'a Interpreter,
    /// For it, they are faults.
    pub strict: &'a Interpreter,
    /// What is left out.
    pub reduction: Option<&'a Reduction>,
    /// The model, if it is asked what of it is reached.
    pub covered: Option<&'a Loaded>,
}

impl Job<'_> {
    fn count<S: System, R: Recall>(
        &self,
        system: &S,
        violations: impl Fn() -> u64,
        (store, run): (&mut R, &mut Run),
    ) -> Outcome {
        let i = self.interpreter;
        // With a claim the end of a run is not seen from outside: the claim goes on.
        let claimed = i.program().claim.is_some();
        let mut found = Outcome::default();
        let mut scratch = vec![0; system.words()];
        let (mut first, mut stops, mut before) = (None, None, 0);
        let searched = bfs(system, store, run, |id, s, successors| {
            if i.is_fault(s) {
                // The step that led here was counted as a state.
                found.faults += 1;
                found.violations += 1;
                first.get_or_insert(id);
                return ControlFlow::Continue(());
            }
            if i.violated(s).is_some() {
                found.violations += 1;
                first.get_or_insert(id);
            }
            if violations() > before {
                found.violations += violations() - before;
                first.get_or_insert(id);
            }
            let stuck = (claimed || successors == 0) && !i.is_end(s) && i.is_stuck(s, &mut scratch);
            found.deadlocks += u64::from(stuck);
            if stuck {
                stops.get_or_insert(id);
            }
            before = violations();
            ControlFlow::Continue(())
        });
        found.stopped = searched.stopped;
        found.levels = searched.levels.len();
        found.trace = first.and_then(|id| self.path(system, store, &searched.levels, id, true));
        found.deadlock = stops.and_then(|id| self.path(system, store, &searched.levels, id, false));
        if let (Some(loaded), None) = (self.covered, found.stopped) {
            found.coverage = Some(coverage::of(store, i, loaded));
        }
        found
    }

    fn path<S: System, R: Recall>(
        &self,
        system: &S,
        store: &R,
        levels: &Levels,
        id: u32,
        violation: bool,
    ) -> Option<Execution> {
        self.unfold(system, shortest_path(system, store, levels, id), violation)
    }

    /// The run along a path.
    pub fn unfold<S: System>(&self, system: &S, mut path: Path, violation: bool) -> Option<Execution> {
        if let Some(claim) = self.interpreter.program().claim {
            let claimed = Claimed { interpreter: self.interpreter, claim, stutters: true, justice: None };
            return claimed.unfold(&Walk::along(system, path));
        }
        if !violation {
            // Assertions that are violated on the way do not end this run.
            let lenient = Condensed::new(self.interpreter).reduced(self.reduction).whole();
            return Execution::unfold(&lenient, &Walk::along(&lenient, path));
        }
        let strict = Condensed::new(self.strict).reduced(self.reduction).whole();
        let last = path.get(path.len() - 1).to_vec();
        if !self.interpreter.is_fault(&last) && self.interpreter.violated(&last).is_none() {
            let mut at = Default::default();
            let mut dst = vec![0; strict.words()];
            while strict.next(&last, &mut at, &mut dst).is_some() {
                if self.strict.is_fault(&dst) {
                    path.push(&dst[..strict.len(&dst)]);
                    break;
                }
            }
        }
        Execution::unfold(&strict, &Walk::along(&strict, path))
    }
}
