//! Searches on a graphics processor: the whole state space, bad states, and cycles of products.

use super::Loaded;
use super::cycles::{self, Target};
use super::explore::{Job, show_bad};
use crate::error::Error;
use crate::how::How;
use crate::infinite::{Done, Question};
use crate::options::EndOfRuns;
use crate::search::Outcome;
use crate::subject::Out;
use cpu_time::ThreadTime;
use riata_gpu::{
    Aim, Beside as Watching, Compiled, Cuda, Cycles, Device, Found, Host, NotReady, Place, Plan, Search,
    Wrong, text,
};
use riata_program::{Asserts, Beside, Condensed, Execution, Interpreter, Options, Prepared, Sees};
use riata_report::answer::{self, Answer, Engine, Verdict};
use riata_system::{Counters, Graph, Lasso, Limits, Path, Stop, Verdict as Emptiness, replay};
use std::time::Instant;

/// Set to `host`, this lets threads of the host run what is made for a device, by a C compiler: for tests.
const INSTEAD: &str = "RIATA_GPU";

/// What a search found, with the paths.
pub struct Searched {
    pub found: Found,
    pub violation: Option<Path>,
    pub deadlock: Option<Path>,
    pub told: answer::Gpu,
}

impl Searched {
    /// What it counted.
    pub fn counters(&self) -> Counters {
        counters(&self.found)
    }
}

fn counters(found: &Found) -> Counters {
    Counters {
        states: found.states,
        transitions: found.transitions,
        bytes: found.bytes,
        max_depth: found.levels as u64,
        ..Counters::default()
    }
}

/// The refusal of a program, with the reason.
fn refused(why: impl std::fmt::Display) -> Error {
    Error::usage(format!("--engine gpu: {why}"))
}

/// A device with a text, or why its compiler was not waited for.
fn device(text: &str, packed: usize, limits: &Limits) -> Result<Result<Box<dyn Device>, Stop>, Error> {
    match ready(text, packed, limits) {
        Ok(device) => Ok(Ok(device)),
        Err(NotReady::Stopped(stop)) => Ok(Err(stop)),
        Err(NotReady::Failed(failed)) => Err(refused(failed)),
    }
}

fn ready(text: &str, packed: usize, limits: &Limits) -> Result<Box<dyn Device>, NotReady> {
    if std::env::var_os(INSTEAD).is_some_and(|v| v == "host") {
        let library = Compiled::new(&[text.into()], &["-O1"])?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        return Ok(Box::new(Host::new(&library, "model", packed, threads)?));
    }
    Ok(Box::new(Cuda::new(text, packed, limits)?))
}

/// Searches the states of a program: with widths that were guessed, and if that was wrong, with all bits.
pub fn search(how: &How, interpreter: &Interpreter, aim: Aim) -> Result<Searched, Error> {
    match search_with(how, interpreter, aim, true)? {
        Some(searched) => Ok(searched),
        None => search_with(how, interpreter, aim, false)?.ok_or_else(|| refused(Wrong::Guess)),
    }
}

/// Nothing if widths were guessed, and wrong.
fn search_with(
    how: &How,
    interpreter: &Interpreter,
    aim: Aim,
    guess: bool,
) -> Result<Option<Searched>, Error> {
    let plan = Plan::new(interpreter, guess).map_err(refused)?;
    let text = text(&plan, "model").map_err(refused)?;
    let start = Instant::now();
    let device = match device(&text, plan.packing.packed, &how.limits())? {
        Ok(device) => device,
        Err(stop) => {
            let found = Found { stopped: Some(stop), ..Found::default() };
            let told = unready(&plan, start);
            return Ok(Some(Searched { found, violation: None, deadlock: None, told }));
        }
    };
    let mut search = Search::new(interpreter, &plan, device, on_device(how));
    let start = Instant::now();
    let mut found = match search.run(aim, |_| ()) {
        Err(Wrong::Guess) => return Ok(None),
        found => found.map_err(refused)?,
    };
    let search_seconds = start.elapsed().as_secs_f64();
    let kernel_seconds = search.device().seconds();
    let mut path = |place: &Option<Place>| match place {
        Some(place) => search.path(place).map_err(refused),
        None => Ok(None),
    };
    let (violation, deadlock) = (path(&found.violation)?, path(&found.deadlock)?);
    // What was found, and cannot be shown, is no answer, and nor is that there was nothing.
    let shown = |place: &Option<Place>, path: &Option<Path>| place.is_some() == path.is_some();
    if !shown(&found.violation, &violation) || !shown(&found.deadlock, &deadlock) {
        let stop = search.stops().unwrap_or(Stop::Unconfirmed);
        found.stopped.get_or_insert(stop);
    }
    let told = told(search.device(), &plan, &found, (kernel_seconds, search_seconds));
    Ok(Some(Searched { found, violation, deadlock, told }))
}

/// The limits of a device: the memory is its own.
fn on_device<'a>(how: &How<'a>) -> Limits<'a> {
    Limits { memory: how.options.limits.memory, ..how.limits() }
}

/// What only such a search knows.
fn told(
    device: &dyn Device,
    plan: &Plan,
    found: &Found,
    (kernel_seconds, search_seconds): (f64, f64),
) -> answer::Gpu {
    let (ready_seconds, cached) = device.ready();
    answer::Gpu {
        device: device.name(),
        state_bits: plan.packing.bits.into(),
        state_bytes: plan.packing.packed as u64 * 8,
        inline: plan.packing.inline,
        asked: found.asked,
        restarts: found.again.into(),
        ready_seconds,
        cached,
        kernel_seconds,
        search_seconds,
    }
}

/// What is known where the compiler of the device was not waited for.
fn unready(plan: &Plan, start: Instant) -> answer::Gpu {
    answer::Gpu {
        device: "none: its compiler was not ready".into(),
        state_bits: plan.packing.bits.into(),
        state_bytes: plan.packing.packed as u64 * 8,
        inline: plan.packing.inline,
        asked: 0,
        restarts: 0,
        ready_seconds: start.elapsed().as_secs_f64(),
        cached: false,
        kernel_seconds: 0.0,
        search_seconds: 0.0,
    }
}

/// Searches the cycles of a product: with widths that were guessed, and if that was wrong, with all bits.
fn cycles<G: Graph>(
    how: &How,
    product: (&Interpreter, &G),
    beside: &Watching,
) -> Result<(Emptiness, Found, answer::Gpu), Error> {
    match cycles_with(how, product, beside, true)? {
        Some(searched) => Ok(searched),
        None => cycles_with(how, product, beside, false)?.ok_or_else(|| refused(Wrong::Guess)),
    }
}

/// Nothing if widths were guessed, and wrong.
fn cycles_with<G: Graph>(
    how: &How,
    (interpreter, graph): (&Interpreter, &G),
    beside: &Watching,
    guess: bool,
) -> Result<Option<(Emptiness, Found, answer::Gpu)>, Error> {
    let plan = Plan::product(interpreter, beside, guess).map_err(refused)?;
    let text = text(&plan, "model").map_err(refused)?;
    let start = Instant::now();
    let device = match device(&text, plan.packing.packed, &how.limits())? {
        Ok(device) => device,
        Err(stop) => {
            return Ok(Some((Emptiness::Inconclusive(stop), Found::default(), unready(&plan, start))));
        }
    };
    let mut search = Cycles::new((interpreter, graph), &plan, device, (on_device(how), how.limits()));
    let start = Instant::now();
    let (verdict, found) = match search.run() {
        Err(Wrong::Guess) => return Ok(None),
        found => found.map_err(refused)?,
    };
    let seconds = (search.device().seconds(), start.elapsed().as_secs_f64());
    let told = told(search.device(), &plan, &found, seconds);
    Ok(Some((verdict, found, told)))
}

impl cycles::Cycles<'_> {
    /// The answer of OWCTY on a device.
    pub fn on_device(&self, name: &str, target: &Target, out: &mut Out) -> Result<(), Error> {
        let how = self.how;
        if let Target::Process(_) = target {
            return Err(refused(riata_gpu::Refused::Claim));
        }
        let prepared = self.prepared(target)?;
        let interpreter = prepared.interpreter();
        let (automaton, _) = self.automata(target);
        let names = self.names();
        let (ends, failures) = (self.ends(target), self.failures(target));
        let question =
            Question { names: &names, automaton: &automaton, ba: None, ends, failures, apart: None };
        let system = Condensed::new(interpreter);
        let graph = question.product(&system, &automaton)?;
        let beside = Watching::new(&automaton.0, &names, ends == EndOfRuns::Stutter).map_err(refused)?;
        let start = ThreadTime::now();
        let (verdict, found, told) = cycles(how, (interpreter, &graph), &beside)?;
        let verdict = match verdict {
            Emptiness::Accepting(lasso) => match replay(&graph, &lasso) {
                Ok(choices) => Emptiness::Accepting(Lasso { choices, ..lasso }),
                Err(e) => panic!("internal error: the lasso cannot be replayed: {e}"),
            },
            other => other,
        };
        let done = vec![Done {
            algorithm: "owcty",
            why: Some("a graphics processor: no depth-first order is needed"),
            strength: graph.strength(),
            outcome: Outcome {
                verdict,
                counters: counters(&found),
                store: how.store(),
                degeneralised: false,
                coverage: None,
                cpu_seconds: start.elapsed().as_secs_f64(),
                threads: 1,
                taken: None,
            },
            shortest: None,
            product: None,
            cluster: None,
        }];
        let warnings = self.warnings(target, &done);
        self.answers((name, target), (&prepared, None), done, |mut answer| {
            (answer.engine, answer.store) = (Engine::Gpu, "device".into());
            answer.gpu = Some(told.clone());
            answer.warnings.clone_from(&warnings);
            out.answer(answer);
        })
    }
}

/// Counts the states.
pub fn explore(how: &How, loaded: &Loaded) -> Result<Answer, Error> {
    let beside = loaded.claim().map_or(Beside::Nothing, Beside::Claim);
    let counted = loaded.prepared(how, beside, Sees::default(), Asserts::Count)?;
    let strict: Prepared = loaded.sound(counted.again(Options::default()))?;
    let interpreter = counted.interpreter();
    let start = ThreadTime::now();
    let searched = search(how, interpreter, Aim::default())?;
    let cpu_seconds = start.elapsed().as_secs_f64();
    let found = &searched.found;
    let mut answer =
        crate::search::all_states(how, found.stopped, found.levels, searched.counters(), cpu_seconds);
    (answer.engine, answer.store) = (Engine::Gpu, "device".into());
    answer.counters.deadlocks = Some(found.deadlocks);
    answer.counters.violations = Some(found.violations);
    answer.gpu = Some(searched.told.clone());
    answer.words = interpreter.length();
    let job =
        Job { interpreter, strict: strict.interpreter(), reduction: None, covered: None, most: usize::MAX };
    let system = Condensed::new(interpreter);
    let lifted = |run: Option<Execution>| run.map(|run| loaded.sound(strict.lifted(run))).transpose();
    let run = |path: &Option<Path>, violation| {
        lifted(path.as_ref().and_then(|path| job.run(&system, path.clone(), violation)))
    };
    let (violation, deadlock) = (run(&searched.violation, true)?, run(&searched.deadlock, false)?);
    show_bad(how, loaded, &mut answer, violation, deadlock);
    debug_assert!(answer.verdict == Verdict::Complete || found.stopped.is_some());
    Ok(answer)
}
