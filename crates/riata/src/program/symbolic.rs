//! The symbolic engine for programs whose processes are there from the start: the transition relation is learned from
//! the interpreter.
//!
//! Time is looked at between operations on diagrams: what was answered before it is over is kept.

use super::Loaded;
use super::cycles::{Cycles, Target};
use super::explore::show_bad;
use super::safety::Safety;
use crate::error::Error;
use crate::how::How;
use crate::infinite::{Done, Question};
use crate::options::{Fairness, Store};
use crate::search::Outcome;
use crate::sets::{self, algorithms, manager, open, shape};
use crate::subject::Out;
use riata_automata::{Edge, Label, Marks, Tgba, strength};
use riata_program::{
    Asserts, Beside, Claim, Condensed, Interpreter, Observer, Options, Prepared, Property, Sees, Statement,
};
use riata_report::answer::{Answer, Counters, Engine, Sets, Verdict as Word};
use riata_symbolic::learn::Sampling;
use riata_symbolic::learn::session::{At, Session, Setup, with};
use riata_symbolic::product::bits_of;
use riata_symbolic::{Algorithm, Bdd, Space};
use riata_system::{Choice, Deadlocks, FAILED, Failures, Graph, Lasso, Path, Stop, Verdict, Walk, replay};

/// A program whose steps can be observed, or why they cannot.
fn observer<'a>(interpreter: &'a Interpreter) -> Result<Observer<'a>, Error> {
    Observer::new(interpreter).map_err(|why| {
        Error::usage(format!(
            "{why}, and the symbolic engine needs processes that are there from the start; leave out --engine symbolic"
        ))
    })
}

/// How to make a session.
fn setup(how: &How, fresh: u32) -> Setup {
    Setup { fresh, shape: shape(&how.options.symbolic), sampling: Sampling::default() }
}

/// A lasso of the product, its states as `words` has them.
fn lasso((stem, cycle): &(Vec<At>, Vec<At>), words: impl Fn(&At) -> Vec<u32>) -> Lasso {
    let states = |list: &[At]| -> Path {
        let list: Vec<Vec<u32>> = list.iter().map(&words).collect();
        list.iter().map(Vec::as_slice).collect()
    };
    let marks = (1..=cycle.len()).map(|i| cycle[i % cycle.len()].marks).collect();
    Lasso { stem: states(stem), cycle: states(cycle), marks, choices: Vec::new() }.shortened()
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
    ) -> Result<(Result<Bad, Stop>, f64), Error> {
        let observer = observer(interpreter)?;
        let make = |bits| manager(self.how, bits);
        Ok(sets::work(self.how, || {
            with(&observer, &setup(self.how, 0), make, |session| {
                let set = &session.learned;
                let bad = if violations { wrong(session, &observer)? } else { stuck(session, &observer)? };
                let way = way(session, &observer, &bad)?;
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
    let (failed, violated) = (failed(session, observer)?, violated(session, observer)?);
    session.learned.bdd().or(&failed, &violated)
}

/// Where an assertion about states does not hold.
fn violated<B: Bdd>(session: &Session<B, Observer>, observer: &Observer) -> Result<B::F, Stop> {
    let mut bad = session.learned.bdd().constant(false);
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

/// Where a run has failed: after a run-time error, and where a process holds control for ever.
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
    bdd.or(&session.sink, &bdd.minus(&held, &leaves)?)
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
    pub fn symbolic(&self, name: &str, target: &Target, out: &mut Out) -> Result<(), Error> {
        let how = self.how;
        if how.fairness() != Fairness::None {
            return Err(Error::usage(
                "fairness of processes is for the explicit engine; leave out --engine symbolic",
            ));
        }
        let prepared = self.prepared(target)?;
        let interpreter = prepared.interpreter();
        let claim;
        let automaton = match target {
            Target::Formula(f) | Target::Idle(f) => &f.tgba,
            Target::Claim(automaton) => {
                claim = (automaton.clone(), strength::of_property(automaton));
                &claim
            }
            Target::Process(_) => {
                return Err(Error::usage(
                    "claims with variables or assignments are for the explicit engine; leave out --engine symbolic",
                ));
            }
        };
        let observer = observer(interpreter)?;
        let names = self.names();
        let system = Condensed::new(interpreter);
        let (ends, failures) = (self.ends(target), self.failures(target));
        let question = Question { names: &names, automaton, ba: None, ends, failures, apart: None };
        let graph = question.product(&system, automaton)?;
        let seeing = seeing(&automaton.0, failures);
        let last = automaton.0.states() as u32;
        let strength = strength::of_property(&seeing);
        let setup = setup(how, bits_of(&seeing));
        let make = |bits| manager(how, bits);
        let wanted = algorithms(how)?;
        let kept: Deadlocks = ends.into();
        let ignores = kept == Deadlocks::Ignore;
        let (found, cpu_seconds) = sets::work(how, || {
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
                return Err(Error::usage(format!(
                    "`{name}` has no value in some state: the symbolic engine cannot decide this; leave out --engine symbolic"
                )));
            }
            Ok(Ok(found)) => Ok(found),
            Err(stop) => Err(stop),
        };
        let (mut done, mut counted) = (Vec::new(), Vec::new());
        let mut add = |algorithm, why, verdict, states: f64, bytes| {
            let counters = riata_system::Counters { states: states as u64, bytes, ..Default::default() };
            let outcome = Outcome {
                verdict,
                counters,
                store: Store::Exact,
                degeneralised: false,
                coverage: None,
                cpu_seconds,
                threads: 1,
                taken: None,
            };
            done.push(Done {
                algorithm,
                why,
                strength: automaton.1,
                outcome,
                shortest: None,
                product: None,
                cluster: None,
            });
        };
        match found {
            Ok((runs, peak, bytes)) => {
                for run in runs {
                    let small = |at: &At| [observer.trimmed(&at.state), &[at.automaton]].concat();
                    let verdict = match run.lasso.as_ref().map(|l| lasso(l, small)) {
                        Some(lasso) => {
                            let mut lasso = visible(&observer, &lasso, last);
                            lasso.marks.iter_mut().for_each(|m| *m = *m & graph.all());
                            // A lasso is shown only if it can be replayed.
                            let choices = replay(&graph, &lasso).unwrap_or_else(|e| {
                                panic!("internal error: the lasso is no accepting run: {e}")
                            });
                            Verdict::Accepting(Lasso { choices, ..lasso }.shortened())
                        }
                        None => Verdict::Empty,
                    };
                    add(run.algorithm.name(), run.why, verdict, run.states, bytes as u64);
                    counted.push((run.counters, peak));
                }
            }
            Err(stop) => {
                let name = wanted[0].map_or("auto", Algorithm::name);
                add(name, None, Verdict::Inconclusive(stop), 0.0, 0);
            }
        }
        crate::infinite::agree(&done);
        let warnings = self.warnings(target, &done);
        let mut counted = counted.into_iter();
        self.answers((name, target), (&prepared, None), done, |mut answer| {
            (answer.engine, answer.store) = (Engine::Symbolic, "bdd".into());
            answer.warnings.clone_from(&warnings);
            if let Some((counters, peak)) = counted.next() {
                let states = answer.counters;
                sets::count(&mut answer, &counters, states.states as f64, peak);
                answer.counters = states;
            }
            out.answer(answer);
        })
    }
}

/// What a whole space has in it.
struct Counted {
    states: f64,
    transitions: Option<f64>,
    deadlocks: f64,
    /// Nothing if they were not counted.
    violations: Option<f64>,
    nodes: usize,
    relation: usize,
    peak: usize,
    bytes: usize,
    sweeps: usize,
    attempts: usize,
    reorderings: usize,
}

impl Counted {
    fn fill(&self, answer: &mut Answer) {
        answer.verdict = Word::Complete;
        answer.counters = Counters {
            states: self.states as u64,
            transitions: self.transitions.unwrap_or(0.0) as u64,
            deadlocks: Some(self.deadlocks as u64),
            violations: self.violations.map(|n| n as u64),
            ..Counters::default()
        };
        answer.memory_bytes = self.bytes as u64;
        answer.sets = Some(Box::new(Sets {
            peak_nodes: Some(self.peak as u64),
            state_nodes: Some(self.nodes as u64),
            relation_nodes: Some(self.relation as u64),
            sweeps: Some(self.sweeps as u64),
            attempts: Some(self.attempts as u64),
            reorderings: Some(self.reorderings as u64),
            reachable_states: Some(self.states),
            distinct_transitions: self.transitions,
            ..Sets::default()
        }));
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
    // All runs that fail end in one state.
    let (deadlocks, violated) = (stuck(session, observer)?, violated(session, observer)?);
    let fails = failed(session, observer)? != bdd.constant(false);
    let mut space = Counted {
        states: set.count(&states),
        transitions: transitions(session, observer)?,
        deadlocks: set.count(&deadlocks),
        violations: Some(set.count(&violated) + f64::from(u8::from(fails))),
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
        let violations = wrong(session, observer)?;
        let product = session.product(automaton, &atoms, &[&deadlocks, &violations])?;
        (space.states, space.transitions) = (product.states, None);
        (space.deadlocks, space.violations) = (product.counts[0], Some(product.counts[1]));
    }
    Ok(Some(space))
}

/// The automaton of the property process that is part of a DVE model.
fn claim_of(loaded: &Loaded) -> Result<Option<Tgba>, Error> {
    match (loaded.claim(), loaded.stated()) {
        (Some(_), [Property::Never(_, Claim::Automaton(states))]) => {
            Ok(Some(loaded.program().automaton(states)))
        }
        (Some(_), _) => Err(Error::usage(
            "the property process has effects, or is looked at; the explicit engine takes such models",
        )),
        (None, _) => Ok(None),
    }
}

/// What a space has in it, and shortest ways to what is bad in it.
struct Explored {
    counted: Counted,
    violation: Option<Path>,
    deadlock: Option<Path>,
}

/// Counts the states. A violated assertion does not end a run; steps that violate one are not states, so they are looked
/// for in a second session, and not counted.
pub fn explore(how: &How, loaded: &Loaded) -> Result<Answer, Error> {
    let claim = claim_of(loaded)?;
    let lenient = loaded.prepared(how, Beside::Nothing, Sees::default(), Asserts::Ignore)?;
    let strict = loaded.sound(lenient.again(Options::default()))?;
    let (observer, strict_observer) = (observer(lenient.interpreter())?, observer(strict.interpreter())?);
    let make = |bits| manager(how, bits);
    let first = setup(how, claim.as_ref().map_or(0, bits_of));
    let asserts = loaded.program().statements().any(|s| matches!(s, Statement::Assert(_)));
    let (found, cpu_seconds) = sets::work(how, || {
        let found = with(&observer, &first, make, |session| {
            let Some(mut counted) = count(session, &observer, claim.as_ref())? else { return Ok(None) };
            counted.reorderings = session.learned.bdd().reorderings();
            let (mut violation, mut deadlock) = (None, None);
            if claim.is_none() {
                violation = way(session, &observer, &wrong(session, &observer)?)?;
                deadlock = way(session, &observer, &stuck(session, &observer)?)?;
            }
            Ok(Some(Explored { counted, violation, deadlock }))
        })?;
        let Some(mut space) = found else { return Ok::<_, Stop>(None) };
        if asserts && claim.is_none() {
            let way = with(&strict_observer, &setup(how, 0), make, |session| {
                way(session, &strict_observer, &wrong(session, &strict_observer)?)
            })?;
            if way.is_some() {
                (space.violation, space.counted.violations) = (way, None);
            }
        }
        Ok(Some(space))
    });
    let mut answer = Answer { cpu_seconds, algorithm: "chaining".into(), ..open(None) };
    let space = match found {
        Ok(Some(space)) => space,
        Ok(None) => {
            return Err(Error::usage(
                "to evaluate a guard of the property process is a run-time error in a reachable state; the explicit engine takes such models",
            ));
        }
        Err(stop) => {
            answer.reason = Some(stop.to_string());
            return Ok(answer);
        }
    };
    space.counted.fill(&mut answer);
    let run = |prepared: &Prepared, path: Path| {
        let system = Condensed::new(prepared.interpreter());
        let walk = Walk::along(&system, path);
        loaded.sound(prepared.run(&system, &walk, false))
    };
    let violation = space.violation.map(|path| run(&strict, path)).transpose()?;
    let deadlock = space.deadlock.map(|path| run(&lenient, path)).transpose()?;
    show_bad(how, loaded, &mut answer, violation, deadlock);
    Ok(answer)
}

/// A shortest way to a state of `bad`, in states in which nobody holds control.
fn way<B: Bdd>(
    session: &Session<B, Observer>,
    observer: &Observer,
    bad: &B::F,
) -> Result<Option<Path>, Stop> {
    if *bad == session.learned.bdd().constant(false) {
        return Ok(None);
    }
    Ok(session.path_to(bad)?.map(|states| free(observer, &states)))
}
