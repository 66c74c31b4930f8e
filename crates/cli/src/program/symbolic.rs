//! `--engine symbolic` for Promela models whose processes are there from the start: the transition relation is learned
//! from the interpreter, as for DVE models.
//!
//! Time is looked at between operations on diagrams: what was answered before it is over is kept.

use super::Loaded;
use super::check::Safety;
use super::cycles::{Cycles, Target};
use crate::args::{Common, ExploreArgs, Fairness, StoreKind};
use crate::check::Answer;
use crate::dispatch::Outcome;
use crate::learned::{confirmed, lasso, manager, refuse, setup};
use crate::output::{Exit, complain, print};
use crate::symbolic::{Board, algorithms, inconclusive, on_large_stack, watch};
use crate::watch::Interrupt;
use cpu_time::ThreadTime;
use riata_automata::{Edge, Label, Marks, Tgba, strength};
use riata_program::{
    Asserts, Beside, Claim, Condensed, Interpreter, Observer, Options, Prepared, Property, Sees,
};
use riata_report::json::{Counters, Document, Entry};
use riata_symbolic::learn::session::{Session, with};
use riata_symbolic::product::bits_of;
use riata_symbolic::{Algorithm, Bdd, Space};
use riata_system::{Choice, Deadlocks, FAILED, Failures, Graph, Lasso, Path, Stop, Verdict, replay};
use std::sync::{Arc, Mutex};

/// A program whose steps can be observed, or why they cannot.
fn observer<'a>(interpreter: &'a Interpreter) -> Result<Observer<'a>, Exit> {
    Observer::new(interpreter).map_err(|why| {
        complain(&format!(
            "{why}, and the symbolic engine needs processes that are there from the start; leave out --engine symbolic"
        ))
    })
}

/// Does work on diagrams, and tells its CPU seconds.
fn timed<T: Send>(work: impl FnOnce() -> T + Send) -> (T, f64) {
    on_large_stack(|| {
        let start = ThreadTime::now();
        let found = work();
        (found, start.elapsed().as_secs_f64())
    })
}

/// What a search for bad states found: a path of the interpreter's steps to the first kind, and to the second.
pub struct Bad {
    /// A violated assertion or a run-time error.
    pub violation: Option<Path>,
    /// An invalid end state.
    pub deadlock: Option<Path>,
    /// How many states there are.
    pub states: f64,
    /// How many steps, if every step is one between states that a property sees.
    pub transitions: Option<f64>,
    /// Bytes of diagrams.
    pub bytes: usize,
}

impl Safety<'_> {
    /// Bad states, by sets: violations, or invalid end states; and the CPU seconds.
    pub fn symbolic(
        &self,
        interpreter: &Interpreter,
        violations: bool,
    ) -> Result<(Result<Bad, Stop>, f64), Exit> {
        let args = self.args;
        refuse(&args.symbolic, args.store)?;
        let observer = observer(interpreter)?;
        let limits = self.interrupt.limits(&args.limits);
        let make = |bits| manager(&args.symbolic, self.common, limits, bits);
        Ok(timed(|| {
            with(&observer, &setup(&args.symbolic, 0), make, |session| {
                let set = &session.learned;
                let bad = if violations { wrong(session, &observer)? } else { stuck(session, &observer)? };
                let none = bad == set.bdd().constant(false);
                let way = if none { None } else { session.path_to(&bad)? };
                let way = way.map(|states| free(&observer, &states));
                let (violation, deadlock) = if violations { (way, None) } else { (None, way) };
                let (states, bytes) = (set.count(&set.reached), set.bdd().bytes());
                let transitions = transitions(session, &observer)?;
                Ok(Bad { violation, deadlock, states, transitions, bytes })
            })
        }))
    }
}

/// Where something is wrong: a run has failed, or an assertion about states does not hold.
fn wrong<B: Bdd>(session: &Session<B, Observer>, observer: &Observer) -> Result<B::F, Stop> {
    let mut bad = failed(session, observer)?;
    for i in 0..observer.assertions().len() {
        if let Some(set) = session.set(observer.violates(i), false, true)? {
            bad = session.learned.bdd().or(&bad, &set)?;
        }
    }
    Ok(bad)
}

/// How many steps there are, if nobody ever holds control.
fn transitions<B: Bdd>(session: &Session<B, Observer>, observer: &Observer) -> Result<Option<f64>, Stop> {
    let set = &session.learned;
    let free = session.set(observer.is_free(), true, true)?;
    if free.is_none_or(|free| free == set.reached) { set.transitions().map(Some) } else { Ok(None) }
}

/// Where a run has failed: after a run-time error, and where a process has just begun to hold control for ever.
fn failed<B: Bdd>(session: &Session<B, Observer>, observer: &Observer) -> Result<B::F, Stop> {
    let (set, bdd) = (&session.learned, session.learned.bdd());
    let free = session.set(observer.is_free(), true, true)?.unwrap_or_else(|| set.reached.clone());
    let held = bdd.minus(&set.reached, &free)?;
    if held == bdd.constant(false) {
        return Ok(session.sink.clone());
    }
    let graph = set.fsm(&bdd.constant(false)).graph(session.shape())?;
    let mut leaves = free.clone();
    loop {
        let more = bdd.and(&graph.pre(&leaves)?, &held)?;
        let next = bdd.or(&leaves, &more)?;
        if next == leaves {
            break;
        }
        leaves = next;
    }
    let endless = bdd.minus(&held, &leaves)?;
    let begun =
        if endless == bdd.constant(false) { endless } else { bdd.and(&graph.post(&free)?, &endless)? };
    bdd.or(&session.sink, &begun)
}

/// The automaton for a system whose states may be hidden from it. Proposition `free` tells which it sees, `failed` where
/// a run fails, and `ended` where it ends if such runs are left out. It waits in hidden states, and what fails leads to a
/// state of its own, the last, in which everything is accepted.
fn seeing(automaton: &Tgba, failures: Failures) -> Tgba {
    let n = automaton.states() as u32;
    let mut result = Tgba::default();
    result.aps = automaton.aps.clone();
    let first = result.aps.len() as u32;
    result.aps.extend(["free_", "failed_", "ended_"].map(String::from));
    result.labels = automaton.labels.clone();
    result.sets = automaton.sets.max(1);
    result.initial = automaton.initial.clone();
    let labels = &mut result.labels;
    let [free, failed, ended] = [first, first + 1, first + 2].map(|v| labels.var(v));
    let lives = labels.not(failed);
    let goes_on = labels.minus(lives, ended);
    let sees = labels.and(goes_on, free);
    let waits = labels.minus(goes_on, free);
    let all = Marks::first(result.sets);
    let mut edges = Vec::new();
    for q in 0..n {
        for e in automaton.edges(q) {
            let label = labels.and(e.label, sees);
            let marks = if automaton.sets == 0 { all } else { e.marks };
            edges.push((q, Edge { to: e.to, label, marks }));
        }
        edges.push((q, Edge { to: q, label: waits, marks: Marks::NONE }));
        if failures == Failures::Accept {
            edges.push((q, Edge { to: n, label: failed, marks: Marks::NONE }));
        }
    }
    edges.push((n, Edge { to: n, label: Label::TRUE, marks: all }));
    edges.retain(|(_, e)| e.label != Label::FALSE);
    result.set_edges(n as usize + 1, &edges);
    result
}

/// Where nothing can move, and not every process may end.
fn stuck<B: Bdd>(session: &Session<B, Observer>, observer: &Observer) -> Result<B::F, Stop> {
    let ends = session.deadlocks()?;
    match session.set(observer.may_end(), false, true)? {
        Some(fine) => session.learned.bdd().minus(&ends, &fine),
        None => Ok(ends),
    }
}

/// The states of a path in which nobody holds control; one that ends where control is held for ever has failed. Each
/// step was one of the interpreter, or it is a bug.
fn free(observer: &Observer, states: &[Vec<u32>]) -> Path {
    let it = observer.interpreter();
    let small: Vec<&[u32]> = states.iter().map(|s| observer.trimmed(s)).collect();
    for pair in small.windows(2) {
        let step = Choice::between(it, pair[0], pair[1]);
        assert!(step.is_some(), "internal error: the path has a step that is none of the model");
    }
    let mut path: Path = small.iter().copied().filter(|s| it.holder(s).is_none()).collect();
    if small.last().is_some_and(|s| it.holder(s).is_some()) {
        path.push(&it.fault_state());
    }
    path
}

/// A lasso of the product with hidden states as one of the product without them.
fn visible(observer: &Observer, lasso: &Lasso, failed: u32) -> Lasso {
    let it = observer.interpreter();
    let split = |s: &[u32]| (s[..s.len() - 1].to_vec(), s[s.len() - 1]);
    let mut result = Lasso::default();
    if lasso.cycle.get(0).last() == Some(&failed) {
        // What fails does so behind the last free state, and the automaton is where it was when that came.
        let mut last: Option<(Vec<u32>, u32)> = None;
        for (s, q) in lasso.stem.iter().map(split).filter(|&(_, q)| q != failed) {
            if it.holder(&s).is_none() && !it.is_fault(&s) {
                result.stem.push(&[&s[..], &[q]].concat());
            }
            last = Some((s, q));
        }
        let q = last.map_or(0, |(_, q)| q);
        let fault = it.fault_state();
        result.stem.push(&[&fault[..], &[q]].concat());
        result.cycle.push(&[&fault[..], &[FAILED]].concat());
        result.marks.push(Marks(u64::MAX));
        return result;
    }
    let free = |s: &&[u32]| it.holder(s).is_none();
    result.stem = lasso.stem.iter().filter(free).collect();
    // The marks of an edge that leaves a free state; what leaves a hidden one has none.
    for (i, s) in lasso.cycle.iter().enumerate().filter(|(_, s)| free(s)) {
        result.cycle.push(s);
        result.marks.push(lasso.marks[i]);
    }
    result
}

impl Cycles<'_> {
    /// Accepting runs, by sets.
    pub fn symbolic(&self, name: &str, target: &Target) -> Result<Vec<Answer>, Exit> {
        let args = self.args;
        refuse(&args.symbolic, args.store)?;
        if args.fairness != Fairness::None {
            return Err(complain(
                "fairness of processes is for the explicit engine; leave out --engine symbolic",
            ));
        }
        let prepared = self.prepared(target)?;
        let interpreter = prepared.interpreter();
        let observer = observer(interpreter)?;
        let claim;
        let automaton = match target {
            Target::Formula(f) | Target::Idle(f) => &f.tgba,
            Target::Claim(automaton) => {
                claim = (automaton.clone(), strength::of_property(automaton));
                &claim
            }
            Target::Process(_) => {
                return Err(complain(
                    "claims with variables or assignments are for the explicit engine; leave out --engine symbolic",
                ));
            }
        };
        let names = self.names();
        let system = Condensed(interpreter);
        let graph = self.product(&system, target, automaton)?;
        let failures = if self.exists(target) { Failures::Reject } else { Failures::Accept };
        let seeing = seeing(&automaton.0, failures);
        let last = automaton.0.states() as u32;
        let strength = strength::of_property(&seeing);
        let limits = self.interrupt.limits(&args.limits);
        let setup = setup(&args.symbolic, bits_of(&seeing));
        let make = |bits| manager(&args.symbolic, self.common, limits, bits);
        let wanted = algorithms(args)?;
        let kept: Deadlocks = self.ends(target).into();
        let ignores = kept == Deadlocks::Ignore;
        let (found, cpu_seconds) = timed(|| {
            with(&observer, &setup, make, |session| {
                let bdd = session.learned.bdd();
                let number = |ap: &String| names.iter().position(|n| n == ap);
                let mut atoms = Vec::new();
                for i in automaton.0.aps.iter().filter_map(number) {
                    match session.set(i, false, false)? {
                        Some(set) => atoms.push(set),
                        None => return Ok(Err(names[i])),
                    }
                }
                let free = session.set(observer.is_free(), true, true)?;
                let free = free.unwrap_or_else(|| session.learned.reached.clone());
                let failed = failed(session, &observer)?;
                // Where nothing is hidden and nothing fails, the automaton does as it is.
                let plain = free == session.learned.reached && failed == bdd.constant(false);
                let (with, ends) = match plain {
                    true => ((&automaton.0, automaton.1), kept),
                    false => ((&seeing, strength), Deadlocks::Stutter),
                };
                if !plain {
                    atoms.extend([free, failed]);
                    atoms.push(if ignores { session.deadlocks()? } else { bdd.constant(false) });
                }
                let mut runs = Vec::new();
                for &algorithm in &wanted {
                    runs.push(session.runs(with, &atoms, ends, algorithm)?);
                }
                Ok(Ok((runs, bdd.peak_live(), bdd.bytes())))
            })
        });
        let found = match found {
            Ok(Err(name)) => {
                return Err(complain(&format!(
                    "`{name}` has no value in some state: the symbolic engine cannot decide this; leave out --engine symbolic"
                )));
            }
            Ok(Ok(found)) => Ok(found),
            Err(stop) => Err(stop),
        };
        let (mut outcomes, mut counted) = (Vec::new(), Vec::new());
        let mut outcome = |name, why, verdict, states: f64, bytes| {
            let counters = riata_system::Counters { states: states as u64, bytes, ..Default::default() };
            let store = StoreKind::Exact;
            let o = Outcome { verdict, counters, store, degeneralised: false, coverage: None, cpu_seconds };
            outcomes.push((name, why, o));
        };
        match found {
            Ok((runs, peak, bytes)) => {
                for run in runs {
                    let small = |at: &riata_symbolic::learn::session::At| {
                        [observer.trimmed(&at.state), &[at.automaton]].concat()
                    };
                    let verdict = match run.lasso.as_ref().map(|l| lasso(l, small)) {
                        Some(lasso) => {
                            let mut lasso = visible(&observer, &lasso, last);
                            lasso.marks.iter_mut().for_each(|m| *m = *m & graph.all());
                            let choices = confirmed(replay(&graph, &lasso));
                            Verdict::Accepting(Lasso { choices, ..lasso }.shortened())
                        }
                        None => Verdict::Empty,
                    };
                    outcome(run.algorithm.name(), run.why, verdict, run.states, bytes as u64);
                    counted.push((run.counters, peak));
                }
            }
            Err(stop) => {
                let name = wanted[0].map_or("auto", Algorithm::name);
                outcome(name, None, Verdict::Inconclusive(stop), 0.0, 0);
            }
        }
        let mut answers = self.answers(name, target, &prepared, automaton.1, outcomes)?;
        for (i, answer) in answers.iter_mut().enumerate() {
            (answer.entry.engine, answer.entry.store) = ("symbolic", "bdd".into());
            if let Some((counters, peak)) = counted.get(i) {
                let states = answer.entry.counters;
                crate::symbolic::count(&mut answer.entry, counters, 0.0, *peak);
                answer.entry.counters = states;
            }
        }
        Ok(answers)
    }
}

/// What a whole space has in it.
struct Counted {
    states: f64,
    transitions: Option<f64>,
    deadlocks: f64,
    violations: f64,
    nodes: usize,
    relation: usize,
    peak: usize,
    bytes: usize,
    sweeps: usize,
    attempts: usize,
    reorderings: usize,
}

impl Counted {
    fn text(&self, seconds: f64) -> String {
        let number = |n: f64| if n < 1e15 { format!("{n:.0}") } else { format!("{n:.3e}") };
        let transitions = self.transitions.map_or(String::new(), |t| format!(", {} transitions", number(t)));
        format!(
            "  {} states{transitions}, {} deadlocks, {} violations\n  {} nodes for the states, {} for the relation, peak {}\n  {} attempts at steps, {} sweeps, {seconds:.3} s\n",
            number(self.states),
            number(self.deadlocks),
            number(self.violations),
            self.nodes,
            self.relation,
            self.peak,
            self.attempts,
            self.sweeps,
        )
    }

    fn fill(&self, entry: &mut Entry) {
        entry.verdict = "complete";
        entry.counters = Counters {
            states: self.states as u64,
            transitions: self.transitions.unwrap_or(0.0) as u64,
            deadlocks: Some(self.deadlocks as u64),
            violations: Some(self.violations as u64),
            ..Counters::default()
        };
        entry.memory_bytes = self.bytes as u64;
        let numbers = [
            ("peak_nodes", self.peak),
            ("state_nodes", self.nodes),
            ("relation_nodes", self.relation),
            ("sweeps", self.sweeps),
            ("attempts", self.attempts),
            ("reorderings", self.reorderings),
        ];
        entry.more.extend(numbers.map(|(name, n)| (name.to_string(), n.into())));
        entry.more.insert("reachable_states".into(), self.states.into());
    }
}

/// Counts; with a claim the states of both together. Nothing if a condition of the claim has no value somewhere.
fn count<B: Bdd>(
    session: &Session<B, Observer>,
    observer: &Observer,
    claim: Option<&Tgba>,
) -> Result<Option<Counted>, Stop> {
    let (set, bdd) = (&session.learned, session.learned.bdd());
    let states = session.set(observer.is_free(), false, true)?.unwrap_or_else(|| set.reached.clone());
    let (deadlocks, violations) = (stuck(session, observer)?, wrong(session, observer)?);
    let mut space = Counted {
        states: set.count(&states),
        transitions: transitions(session, observer)?,
        deadlocks: set.count(&deadlocks),
        violations: set.count(&violations),
        nodes: bdd.size(&[&set.reached]),
        relation: set.size(),
        peak: bdd.peak_live(),
        bytes: bdd.bytes(),
        sweeps: set.sweeps,
        attempts: set.attempts,
        reorderings: 0,
    };
    if let Some(automaton) = claim {
        let mut atoms = Vec::new();
        for i in 0..automaton.aps.len() {
            let Some(atom) = session.set(i, false, false)? else { return Ok(None) };
            atoms.push(atom);
        }
        let product = session.product(automaton, &atoms, &[&deadlocks, &violations])?;
        (space.states, space.transitions) = (product.states, None);
        (space.deadlocks, space.violations) = (product.counts[0], product.counts[1]);
    }
    Ok(Some(space))
}

/// The automaton of the property process that is part of a DVE model.
fn watching(loaded: &Loaded) -> Result<Option<Tgba>, Exit> {
    match (loaded.claim(), loaded.properties()) {
        (Some(_), [Property::Never(_, Claim::Automaton(states))]) => {
            Ok(Some(loaded.program().automaton(states)))
        }
        (Some(_), _) => Err(complain(
            "the property process has effects, or is looked at; the explicit engine takes such models",
        )),
        (None, _) => Ok(None),
    }
}

/// `riata explore MODEL --engine symbolic`.
pub fn explore(
    args: &ExploreArgs,
    common: &Common,
    interrupt: &Interrupt,
    loaded: &Loaded,
) -> Result<Exit, Exit> {
    refuse(&args.symbolic, args.store)?;
    let claim = watching(loaded)?;
    let run = (loaded.passes(&args.pre), Sees::default());
    let options = Options { asserts: Asserts::Ignore };
    let prepared = loaded.sound(common, Prepared::new(loaded.program(), Beside::Nothing, run, options))?;
    let observer = observer(prepared.interpreter())?;
    let limits = interrupt.limits(&args.limits);
    let document = Document::new("explore", args.model.to_string_lossy());
    let board = Arc::new(Mutex::new(Board::new(document, vec![loaded.given.clone()])));
    let guard = watch(&board, limits.deadline, common);
    let make = |bits| manager(&args.symbolic, common, limits, bits);
    let setup = setup(&args.symbolic, claim.as_ref().map_or(0, bits_of));
    let (found, cpu_seconds) = timed(|| {
        with(&observer, &setup, make, |session| {
            let mut found = count(session, &observer, claim.as_ref())?;
            if let Some(found) = &mut found {
                found.reorderings = session.learned.bdd().reorderings();
            }
            Ok(found)
        })
    });
    drop(guard);
    let mut entry = Entry { cpu_seconds, ..inconclusive("", "") };
    (entry.property, entry.reason, entry.algorithm) = (None, None, "chaining".into());
    let mut text = loaded.given.clone();
    let exit = match &found {
        Ok(Some(space)) => {
            space.fill(&mut entry);
            text += &format!(": complete\n{}", space.text(cpu_seconds));
            Exit::Holds
        }
        Ok(None) => {
            return Err(complain(
                "to evaluate a guard of the property process is a run-time error in a reachable state; the explicit engine takes such models",
            ));
        }
        Err(stop) => {
            entry.reason = Some(stop.to_string());
            text += &format!(": inconclusive ({stop})\n");
            Exit::Inconclusive
        }
    };
    if common.json {
        let mut document = Document::new("explore", args.model.to_string_lossy());
        document.results.push(entry);
        document.resident_bytes = crate::empty::resident();
        print(&document.to_text());
    } else if !common.quiet {
        print(&text);
    }
    Ok(exit)
}
