//! `riata explore MODEL`: the whole state space.

use super::coverage::Coverage;
use super::view::Viewer;
use super::{Loaded, load};
use crate::args::{Common, EngineKind, ExploreArgs, Printed, StoreKind};
use crate::empty::{resident, store_name};
use crate::output::{Exit, complain, print};
use crate::watch::{Interrupt, Spinner};
use cpu_time::ThreadTime;
use riata_explore::bfs::{Levels, bfs, shortest_path};
use riata_program::{
    Asserts, Beside, Claimed, Condensed, CondensedCursor, Execution, Interpreter, Options, Prepared, Sees,
};
use riata_report::json::{Counters, Document, Entry};
use riata_store::{Exact, Recall, Tree};
use riata_system::{ActionId, Run, Stop, System, Valuation, Walk};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs the command.
pub fn run(args: &ExploreArgs, common: &Common) -> Exit {
    let interrupt = Interrupt::listen();
    let mut doc: Document<Entry> = Document::new("explore", args.model.to_string_lossy());
    let loaded = match load(&args.model, args.input, &args.pre, common) {
        Ok(loaded) => loaded,
        Err(bad) => {
            doc.errors = bad.problems;
            if common.json {
                print(&doc.to_text());
            }
            return bad.exit;
        }
    };
    if args.symbolic.engine == Some(EngineKind::Symbolic) {
        return match super::symbolic::explore(args, common, &interrupt, &loaded) {
            Ok(exit) | Err(exit) => exit,
        };
    }
    // The whole space: a violated assertion is counted, and does not end a run.
    let beside = loaded.claim().map_or(Beside::Nothing, Beside::Claim);
    let passes = (loaded.passes(&args.pre), Sees { propositions: args.coverage, ..Sees::default() });
    let counted = Prepared::new(loaded.program(), beside, passes, Options { asserts: Asserts::Count });
    let both = counted.and_then(|counted| Ok((counted.again(Options::default())?, counted)));
    let (strict, counted) = match loaded.sound(common, both) {
        Ok(both) => both,
        Err(exit) => return exit,
    };
    let interpreter = counted.interpreter();
    let claim = interpreter.program().claim;
    if let Some(Printed::Program) = args.print {
        if common.json {
            return complain("--print writes text, which --json is not");
        }
        print(&riata_program::print(interpreter.program()));
        return Exit::Holds;
    }
    let limits = interrupt.limits(&args.limits);
    let room = limits.memory.unwrap_or(usize::MAX);
    let mut spinner = Spinner::new(common, "explore", args.limits.memory);
    let mut search = Run::new(limits).listen(&mut spinner);
    let start = ThreadTime::now();
    let covered = args.coverage.then_some(&loaded);
    let job = Job { interpreter, strict: strict.interpreter(), covered };
    let counting = Counting { system: Condensed(interpreter), violations: AtomicU64::new(0) };
    let met = || counting.violations.load(Ordering::Relaxed);
    let claimed = |claim| Claimed { interpreter, claim, stutters: true, justice: None };
    let found = match (args.store, claim.map(claimed)) {
        (StoreKind::Exact, None) => job.count(&counting, met, (&mut Exact::new(room), &mut search)),
        (StoreKind::Tree, None) => job.count(&counting, met, (&mut Tree::new(room), &mut search)),
        (StoreKind::Exact, Some(claimed)) => job.count(&claimed, || 0, (&mut Exact::new(room), &mut search)),
        (StoreKind::Tree, Some(claimed)) => job.count(&claimed, || 0, (&mut Tree::new(room), &mut search)),
        (other, _) => {
            return complain(&format!("explore needs the store exact or tree, not {}", store_name(other)));
        }
    };
    let cpu_seconds = start.elapsed().as_secs_f64();
    let counters = search.counters;
    drop(spinner);
    let shown = match loaded.sound(common, found.trace.clone().map(|run| strict.lifted(run)).transpose()) {
        Ok(shown) => shown,
        Err(exit) => return exit,
    };
    let viewer = Viewer::new(&loaded, shown.as_ref().map_or(strict.interpreter(), |s| &s.interpreter));
    let trace = shown.as_ref().map(|s| &s.run);
    let faults = found.faults;
    let mut entry = Entry {
        verdict: if found.stopped.is_some() { "inconclusive" } else { "complete" },
        reason: found.stopped.map(|s| s.to_string()),
        algorithm: "bfs".into(),
        engine: "explicit",
        store: store_name(args.store),
        counters: Counters {
            deadlocks: Some(found.deadlocks),
            violations: Some(found.violations),
            levels: Some(found.levels as u64),
            ..Counters::from(counters)
        },
        memory_bytes: counters.bytes,
        cpu_seconds,
        ..Entry::default()
    };
    // The state after a run-time error is not one of the model's.
    entry.counters.states -= faults;
    if let Some(run) = trace {
        entry.more.insert("trace".into(), viewer.states(&run.states).into());
        entry.more.insert("steps".into(), viewer.steps(run).into());
    }
    if args.coverage {
        let known = found.coverage.as_ref().map(|c| c.to_json(&loaded));
        entry.more.insert("statements".into(), known.unwrap_or(serde_json::json!({"complete": false})));
    }
    if common.json {
        doc.results.push(entry);
        doc.resident_bytes = resident();
        print(&doc.to_text());
    } else if !common.quiet {
        print(&text(&loaded, (&found, trace), &entry, &viewer));
    }
    if found.stopped.is_some() { Exit::Inconclusive } else { Exit::Holds }
}

/// What was found.
#[derive(Default)]
struct Found {
    stopped: Option<Stop>,
    levels: usize,
    deadlocks: u64,
    violations: u64,
    faults: u64,
    /// A shortest path to a violation.
    trace: Option<Execution>,
    /// If it was asked for and the search was complete.
    coverage: Option<Coverage>,
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

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.system.valuation(s)
    }
}

struct Job<'a> {
    interpreter: &'a Interpreter,
    strict: &'a Interpreter,
    /// The model, if it is asked what of it is reached.
    covered: Option<&'a Loaded>,
}

impl Job<'_> {
    fn count<S: System, R: Recall>(
        &self,
        system: &S,
        violations: impl Fn() -> u64,
        (store, run): (&mut R, &mut Run),
    ) -> Found {
        let i = self.interpreter;
        // With a claim the end of a run is not seen from outside: the claim goes on.
        let claimed = i.program().claim.is_some();
        let mut found = Found::default();
        let mut scratch = vec![0; system.words()];
        let (mut first, mut before) = (None, 0);
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
            before = violations();
            ControlFlow::Continue(())
        });
        found.stopped = searched.stopped;
        found.levels = searched.levels.len();
        found.trace = first.and_then(|id| self.path(system, store, &searched.levels, id));
        if let (Some(loaded), None) = (self.covered, found.stopped) {
            found.coverage = Some(Coverage::of(store, i, loaded));
        }
        found
    }

    fn path<S: System, R: Recall>(
        &self,
        system: &S,
        store: &R,
        levels: &Levels,
        id: u32,
    ) -> Option<Execution> {
        let mut path = shortest_path(system, store, levels, id);
        if let Some(claim) = self.interpreter.program().claim {
            let claimed = Claimed { interpreter: self.interpreter, claim, stutters: true, justice: None };
            return claimed.unfold(&Walk::along(system, path));
        }
        let strict = Condensed(self.strict);
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
        Execution::unfold(self.strict, &Walk::along(&strict, path))
    }
}

fn text(
    loaded: &Loaded,
    (found, trace): (&Found, Option<&Execution>),
    entry: &Entry,
    viewer: &Viewer,
) -> String {
    let c = &entry.counters;
    let per_state = entry.memory_bytes as f64 / c.states.max(1) as f64;
    let mut text = format!("{}: {}", loaded.given, entry.verdict);
    if let Some(reason) = &entry.reason {
        text += &format!(" ({reason})");
    }
    text += &format!(
        "\n  {} states, {} transitions, {} levels, {} deadlocks, {} violations\n",
        c.states, c.transitions, found.levels, found.deadlocks, found.violations
    );
    text += &format!(
        "  {}{per_state:.1} bytes a state in the {} store\n  {:.3} s, {:.0} states/s\n",
        viewer.interpreter.length().map_or(String::new(), |n| format!("{n} words a state, ")),
        entry.store,
        entry.cpu_seconds,
        c.states as f64 / entry.cpu_seconds.max(1e-9),
    );
    if let Some(run) = trace {
        let mut trace = viewer.trace(run);
        trace.end = viewer.fault(run);
        text += &format!("a shortest way to a violation:\n{}", trace.to_text());
    }
    match &found.coverage {
        Some(coverage) => text += &coverage.to_text(loaded),
        None if entry.more.contains_key("statements") => {
            text += "coverage: not known, the search ended early\n"
        }
        None => {}
    }
    text
}
