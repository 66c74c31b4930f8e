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
use crate::property::product;
use crate::symbolic::{algorithms, inconclusive, on_large_stack};
use crate::watch::Interrupt;
use cpu_time::ThreadTime;
use riata_automata::strength;
use riata_program::dynamic::{Asserts, Fixed, Interpreter, Options};
use riata_report::json::{Counters, Document, Entry};
use riata_symbolic::learn::session::{Session, with};
use riata_symbolic::product::bits_of;
use riata_symbolic::{Algorithm, Bdd};
use riata_system::{Path, Stop, Verdict, replay};

/// A program of fixed processes, or why it is none.
fn fixed<'a>(interpreter: &'a Interpreter<'a>) -> Result<Fixed<'a>, Exit> {
    Fixed::new(interpreter).map_err(|why| {
        complain(&format!(
            "{why}, and the symbolic engine needs processes that are there from the start; leave out --engine symbolic"
        ))
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
    /// Bytes of diagrams.
    pub bytes: usize,
}

impl Safety<'_> {
    /// Bad states, by sets: violations, or invalid end states.
    pub fn symbolic(&self, interpreter: &Interpreter, violations: bool) -> Result<Result<Bad, Stop>, Exit> {
        let args = self.args;
        refuse(&args.symbolic, args.store)?;
        let fixed = fixed(interpreter)?;
        let limits = self.interrupt.limits(&args.limits);
        let make = |bits| manager(&args.symbolic, self.common, limits, bits);
        Ok(on_large_stack(|| {
            with(&fixed, &setup(&args.symbolic, 0), make, |session| {
                let set = &session.learned;
                let bad = if violations { session.sink.clone() } else { stuck(session, &fixed)? };
                let none = bad == set.bdd().constant(false);
                let way = if none { None } else { session.path_to(&bad)? };
                let way = way.map(|states| free(&fixed, &states));
                let (violation, deadlock) = if violations { (way, None) } else { (None, way) };
                let (states, bytes) = (set.count(&set.reached), set.bdd().bytes());
                Ok(Bad { violation, deadlock, states, bytes })
            })
        }))
    }
}

/// Where nothing can move, and not every process may end.
fn stuck<B: Bdd>(session: &Session<B, Fixed>, fixed: &Fixed) -> Result<B::F, Stop> {
    let ends = session.deadlocks()?;
    match session.set(fixed.may_end(), false, true)? {
        Some(fine) => session.learned.bdd().minus(&ends, &fine),
        None => Ok(ends),
    }
}

/// The states of a path in which nobody holds control. Each step was one of the interpreter, or it is a bug.
fn free(fixed: &Fixed, states: &[Vec<u32>]) -> Path {
    let it = fixed.interpreter();
    let small: Vec<Vec<u32>> = states.iter().map(|s| fixed.to_small(s)).collect();
    for pair in small.windows(2) {
        let step = it.step_between(&pair[0], &pair[1]);
        assert!(step.is_some(), "internal error: the path has a step that is none of the model");
    }
    small.iter().filter(|s| it.holder(s).is_none()).map(Vec::as_slice).collect()
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
        let program = self.loaded.prepared(&args.pre, target.ignores_stuttering());
        let interpreter = self.loaded.ready(self.common, &program, Options { asserts: Asserts::Ignore })?;
        let fixed = fixed(&interpreter)?;
        let claim;
        let automaton = match target {
            Target::Formula(f) | Target::Idle(f) => &f.tgba,
            Target::Claim(automaton) => {
                claim = (automaton.clone(), strength::of_property(automaton));
                &claim
            }
        };
        let names = self.names();
        let graph = product(&interpreter, &names, automaton, self.ends(target))?;
        let limits = self.interrupt.limits(&args.limits);
        let setup = setup(&args.symbolic, bits_of(&automaton.0));
        let make = |bits| manager(&args.symbolic, self.common, limits, bits);
        let wanted = algorithms(args)?;
        let ends = self.ends(target).into();
        let start = ThreadTime::now();
        let found = on_large_stack(|| {
            with(&fixed, &setup, make, |session| {
                let number = |ap: &String| names.iter().position(|n| n == ap);
                let mut atoms = Vec::new();
                for i in automaton.0.aps.iter().filter_map(number) {
                    atoms.extend(session.set(i, false, true)?);
                }
                let mut runs = Vec::new();
                for &algorithm in &wanted {
                    runs.push(session.runs((&automaton.0, automaton.1), &atoms, ends, algorithm)?);
                }
                Ok((runs, session.learned.bdd().peak_live(), session.learned.bdd().bytes()))
            })
        });
        let cpu_seconds = start.elapsed().as_secs_f64();
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
                        [&fixed.to_small(&at.state)[..], &[at.automaton]].concat()
                    };
                    let verdict = match run.lasso.as_ref().map(|l| lasso(l, small)) {
                        Some(lasso) => {
                            confirmed(replay(&graph, &lasso));
                            Verdict::Accepting(lasso)
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
        let mut answers = self.answers(name, target, &interpreter, automaton.1, outcomes)?;
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

/// `riata explore MODEL.pml --engine symbolic`.
pub fn explore(
    args: &ExploreArgs,
    common: &Common,
    interrupt: &Interrupt,
    loaded: &Loaded,
) -> Result<Exit, Exit> {
    refuse(&args.symbolic, args.store)?;
    let program = loaded.prepared(&args.pre, true);
    let interpreter = loaded.ready(common, &program, Options { asserts: Asserts::Ignore })?;
    let fixed = fixed(&interpreter)?;
    let limits = interrupt.limits(&args.limits);
    let make = |bits| manager(&args.symbolic, common, limits, bits);
    let start = ThreadTime::now();
    let found = on_large_stack(|| {
        with(&fixed, &setup(&args.symbolic, 0), make, |session| {
            let (set, bdd) = (&session.learned, session.learned.bdd());
            let states = session.set(fixed.is_free(), false, true)?.unwrap_or_else(|| set.reached.clone());
            let deadlocks = stuck(session, &fixed)?;
            Ok((set.count(&states), set.count(&deadlocks), bdd.peak_live(), bdd.bytes(), set.size()))
        })
    });
    let mut entry = Entry { cpu_seconds: start.elapsed().as_secs_f64(), ..inconclusive("", "") };
    (entry.property, entry.reason, entry.algorithm) = (None, None, "chaining".into());
    let mut text = loaded.given.clone();
    match &found {
        Ok((states, deadlocks, peak, bytes, relation)) => {
            entry.verdict = "complete";
            entry.counters = Counters {
                states: *states as u64,
                deadlocks: Some(*deadlocks as u64),
                ..Counters::default()
            };
            entry.memory_bytes = *bytes as u64;
            entry.more.insert("reachable_states".into(), (*states).into());
            entry.more.insert("peak_nodes".into(), (*peak).into());
            entry.more.insert("relation_nodes".into(), (*relation).into());
            text += &format!(
                ": complete\n  {states:.0} states, {deadlocks:.0} deadlocks\n  {relation} nodes for the relation, peak {peak}\n  {:.3} s\n",
                entry.cpu_seconds
            );
        }
        Err(stop) => {
            entry.reason = Some(stop.to_string());
            text += &format!(": inconclusive ({stop})\n");
        }
    }
    let exit = if found.is_ok() { Exit::Holds } else { Exit::Inconclusive };
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
