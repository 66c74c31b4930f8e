//! The whole state space of a program.

use super::por::Reduced;
use super::portable::States;
use super::tell::Telling;
use super::view::Viewer;
use super::{Loaded, coverage, native};
use crate::error::Error;
use crate::how::How;
use crate::options::Store as StoreKind;
use crate::search::{Clock, all_states, parts};
use crate::spread::{self, Spread};
use riata_cluster::SUMS;
use riata_cluster::bfs::Job as Divided;
use riata_explore::bfs::{bfs, shortest_path};
use riata_explore::parallel::{self, Parts, first_path};
use riata_program::{
    AsWritten, Asserts, Beside, Claimed, Condensed, CondensedCursor, Execution, Interpreter, Options,
    Reduction, Sees,
};
use riata_report::answer::{Answer, Statements};
use riata_store::{Exact, Keyed, Row, Sorted, Tree};
use riata_system::{ActionId, Counters, Path, Run, Stop, Successors, System, Valuation, Walk};
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
    let mut threads = how.threads();
    let covered = how.options.coverage.then_some(loaded);
    let reduced = Reduced::of_space(how, interpreter);
    let reduction = reduced.as_ref().and_then(Reduced::reduction);
    // With reduction, one thread and several may count different states.
    let more = how.more_threads().filter(|_| reduction.is_none() && how.cluster.is_none());
    let start = Clock::start(more.map_or(threads, |(_, threads)| threads));
    let most = more.map_or(usize::MAX, |(most, _)| most);
    let job = Job { interpreter, strict: strict.interpreter(), reduction, covered, most };
    let system = Condensed::new(interpreter).reduced(reduction);
    let counting = Counting { system, violations: AtomicU64::new(0) };
    let met = || counting.violations.load(Ordering::Relaxed);
    let claimed = |claim| Claimed { interpreter, claim, stutters: true, justice: None };
    let (mut divided, mut together) = (None, None);
    how.begins();
    let divided_among = |threads: usize, search: &mut Run| {
        let claimed = interpreter.program().claim.map(claimed);
        let keyed = || match &claimed {
            None => Parts::keyed(&counting.system, threads, room, limits),
            Some(claimed) => Parts::keyed(claimed, threads, room, limits),
        };
        match how.store() {
            StoreKind::Tree => {
                job.count_divided(&counting.system, claimed, (&parts(threads, room, Tree::new), search))
            }
            _ if reduction.is_none() => {
                let parts = keyed();
                job.count_divided(&counting.system, claimed, (&parts, search))
            }
            // A reduction asks which of the successors are on the next level.
            _ => job.count_divided(&counting.system, claimed, (&parts(threads, room, Exact::new), search)),
        }
    };
    let mut found = match (how.store(), interpreter.program().claim.map(claimed)) {
        (_, claimed) if how.cluster.is_some() => {
            let (found, spread) = match claimed {
                None => job.count_apart(how, &counting.system, |at| at.violations().into())?,
                Some(claimed) => job.count_apart(how, &claimed, |_| 0)?,
            };
            search.counters = spread.counters();
            (divided, together) = (Some(spread.told()), Some(spread.cpu_seconds()));
            found
        }
        _ if threads > 1 => divided_among(threads, &mut search),
        (StoreKind::Tree, None) => job.count(&counting, met, (&mut Tree::new(room), &mut search)),
        // A reduction asks which of the successors come later.
        (_, None) if reduction.is_none() => job.count(&counting, met, (&mut Keyed::new(room), &mut search)),
        (_, None) => job.count(&counting, met, (&mut Exact::new(room), &mut search)),
        (StoreKind::Tree, Some(claimed)) => job.count(&claimed, || 0, (&mut Tree::new(room), &mut search)),
        (_, Some(claimed)) => job.count(&claimed, || 0, (&mut Keyed::new(room), &mut search)),
    };
    if found.large
        && let Some((_, all)) = more
    {
        threads = all;
        search.counters = Counters::default();
        found = divided_among(threads, &mut search);
    }
    let cpu_seconds = together.unwrap_or_else(|| start.seconds());
    let taken = how.ends_search();
    let counters = search.counters;
    drop(progress);
    let mut answer = all_states(how, found.stopped, found.levels, counters, cpu_seconds);
    answer.words = interpreter.length();
    answer.threads = Some(threads).filter(|&n| n > 1);
    answer.por = reduced.as_ref().map(Reduced::told);
    answer.native = native(how, interpreter);
    answer.stats = taken.map(|taken| taken.native(interpreter.native_made()).told());
    answer.cluster = divided;
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
    /// Was it left off because there are more states than one thread should look at?
    large: bool,
}

/// What a visit of one of several threads finds.
const VIOLATES: u32 = 1;
const STUCK: u32 = 2;

/// What one of several threads counts.
#[derive(Default)]
struct Tally {
    deadlocks: u64,
    violations: u64,
    faults: u64,
    scratch: Vec<u32>,
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
        if at.violations() > 0 {
            self.violations.fetch_add(at.violations().into(), Ordering::Relaxed);
        }
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
    /// One thread looks at so many states.
    pub most: usize,
}

impl Job<'_> {
    fn count<S: System, R: Row>(
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
            found.large = id as usize >= self.most;
            if found.large { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if found.large {
            return found;
        }
        found.stopped = searched.stopped;
        found.levels = searched.levels.len();
        let first = first.map(|id| self.earliest(store, id));
        let path = |id| shortest_path(system, store, &searched.levels, id);
        found.trace = first.and_then(|id| self.run(system, path(id), true));
        found.deadlock = stops.and_then(|id| self.run(system, path(id), false));
        if let (Some(loaded), None) = (self.covered, found.stopped) {
            let load = |id, out: &mut Vec<u32>| store.load(id, out);
            found.coverage = Some(coverage::of((store.len(), &load), i, loaded));
        }
        found
    }

    /// The first state with a step that fails, up to `seen`. With reduction, steps that were left out at first are taken after
    /// other states were told of, so the state that a violation was noticed at may be a later one.
    fn earliest<R: Row>(&self, store: &R, seen: u32) -> u32 {
        if self.reduction.is_none() {
            return seen;
        }
        let strict = Condensed::new(self.strict).reduced(self.reduction).whole();
        let (mut state, mut dst) = (Vec::new(), vec![0; strict.words()]);
        let fails = |&id: &u32| {
            store.load(id, &mut state);
            let mut at = Default::default();
            std::iter::from_fn(|| strict.next(&state, &mut at, &mut dst).map(|_| self.strict.is_fault(&dst)))
                .any(|fault| fault)
        };
        (0..=seen).find(fails).unwrap_or(seen)
    }

    /// The same by a thread for each part.
    fn count_divided<R: Sorted + Send>(
        &self,
        system: &Condensed,
        claimed: Option<Claimed>,
        (parts, run): (&Parts<R>, &mut Run),
    ) -> Outcome {
        match claimed {
            None => self.count_together(system, |at| at.violations().into(), (parts, run)),
            Some(claimed) => self.count_together(&claimed, |_| 0, (parts, run)),
        }
    }

    /// The same of any system; `violations` tells how many assertions the steps of a cursor have violated.
    fn count_together<S: System + Sync, R: Sorted + Send>(
        &self,
        system: &S,
        violations: impl Fn(&S::Cursor) -> u64 + Sync,
        (parts, run): (&Parts<R>, &mut Run),
    ) -> Outcome {
        let visit = self.visit(system, violations);
        let threads = parts.count();
        let searched = parallel::bfs::bfs(system, parts, threads, run, &visit, |_| false);
        let mut found = Outcome {
            stopped: searched.stopped,
            levels: searched.levels.len(),
            deadlocks: searched.tallies.iter().map(|t| t.deadlocks).sum(),
            violations: searched.tallies.iter().map(|t| t.violations).sum(),
            faults: searched.tallies.iter().map(|t| t.faults).sum(),
            ..Outcome::default()
        };
        let mut path = |bit: u32, found: &mut Outcome| {
            let first = searched.first(bit.trailing_zeros())?;
            let levels = &searched.levels[..=first.level];
            match first_path(system, parts, levels, &first.states, (threads, &mut *run)) {
                Ok(path) => Some(path),
                Err(stop) => {
                    found.stopped = found.stopped.or(Some(stop));
                    None
                }
            }
        };
        let (violation, deadlock) = (path(VIOLATES, &mut found), path(STUCK, &mut found));
        found.trace = violation.and_then(|path| self.run(system, path, true));
        found.deadlock = deadlock.and_then(|path| self.run(system, path, false));
        if let (Some(loaded), None) = (self.covered, found.stopped) {
            let load = |n, out: &mut Vec<u32>| parts.nth(n, out);
            found.coverage = Some(coverage::of((parts.states(), &load), self.interpreter, loaded));
        }
        found
    }

    /// What is looked for in a state, and counted.
    fn visit<S: System>(
        &self,
        system: &S,
        violations: impl Fn(&S::Cursor) -> u64,
    ) -> impl Fn(&mut Tally, &parallel::bfs::Visit<S>) -> u32 {
        let i = self.interpreter;
        let claimed = i.program().claim.is_some();
        move |tally, v| {
            if !v.again && i.is_fault(v.state) {
                tally.faults += 1;
                tally.violations += 1;
                return VIOLATES;
            }
            let violated = violations(v.cursor) + u64::from(!v.again && i.violated(v.state).is_some());
            tally.violations += violated;
            tally.scratch.resize(system.words(), 0);
            let stuck = !v.again
                && (claimed || v.successors == 0)
                && !i.is_end(v.state)
                && i.is_stuck(v.state, &mut tally.scratch);
            tally.deadlocks += u64::from(stuck);
            (u32::from(violated > 0) * VIOLATES) | (u32::from(stuck) * STUCK)
        }
    }

    /// The same by several processes, or with a checkpoint.
    fn count_apart<S: System>(
        &self,
        how: &How,
        system: &S,
        violations: impl Fn(&S::Cursor) -> u64,
    ) -> Result<(Outcome, Spread), Error> {
        let sums = |t: &Tally| -> [u64; SUMS] { [t.deadlocks, t.violations, t.faults, 0] };
        let (portable, visit) = (States(self.interpreter), self.visit(system, violations));
        let job = Divided { system, portable: &portable, visit: &visit, sums, enough: 0 };
        let mut spread = spread::states(how, ("explore", &portable.text()), &job)?;
        let [deadlocks, violations, faults, _] = spread.done.total().sums;
        let found = Outcome {
            stopped: spread.done.stopped,
            levels: spread.done.starts.len(),
            deadlocks,
            violations,
            faults,
            trace: spread.path(VIOLATES).and_then(|path| self.run(system, path, true)),
            deadlock: spread.path(STUCK).and_then(|path| self.run(system, path, false)),
            ..Outcome::default()
        };
        Ok((found, spread))
    }

    /// The run along a path, to a violation or to a deadlock.
    pub fn run<S: System>(&self, system: &S, mut path: Path, violation: bool) -> Option<Execution> {
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
