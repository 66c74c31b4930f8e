//! Searches on a graphics processor: the whole state space, and bad states.

use super::Loaded;
use super::explore::{Job, show_bad};
use crate::error::Error;
use crate::how::How;
use cpu_time::ThreadTime;
use riata_gpu::{Aim, Compiled, Cuda, Device, Failed, Found, Host, Place, Plan, Search, Wrong, text};
use riata_program::{Asserts, Beside, Condensed, Execution, Interpreter, Options, Prepared, Sees};
use riata_report::answer::{self, Answer, Engine, Verdict};
use riata_system::{Counters, Limits, Path};
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
        Counters {
            states: self.found.states,
            transitions: self.found.transitions,
            bytes: self.found.bytes,
            max_depth: self.found.levels as u64,
            ..Counters::default()
        }
    }
}

/// The refusal of a program, with the reason.
fn refused(why: impl std::fmt::Display) -> Error {
    Error::usage(format!("--engine gpu: {why}"))
}

fn device(text: &str, packed: usize) -> Result<Box<dyn Device>, Failed> {
    if std::env::var_os(INSTEAD).is_some_and(|v| v == "host") {
        let library = Compiled::new(&[text.into()], &["-O1"])?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        return Ok(Box::new(Host::new(&library, "model", packed, threads)?));
    }
    Ok(Box::new(Cuda::new(text, packed)?))
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
    let packed = plan.packing.packed;
    let device = device(&text, packed).map_err(refused)?;
    let (ready_seconds, cached) = device.ready();
    // The memory is that of the device.
    let limits = Limits { memory: how.options.limits.memory, ..how.limits() };
    let mut search = Search::new(interpreter, &plan, device, limits);
    let start = Instant::now();
    let found = match search.run(aim, |_| ()) {
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
    let told = answer::Gpu {
        device: search.device().name(),
        state_bits: plan.packing.bits.into(),
        state_bytes: packed as u64 * 8,
        inline: plan.packing.inline,
        asked: found.asked,
        restarts: found.again.into(),
        ready_seconds,
        cached,
        kernel_seconds,
        search_seconds,
    };
    Ok(Some(Searched { found, violation, deadlock, told }))
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
    let job = Job { interpreter, strict: strict.interpreter(), reduction: None, covered: None };
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
