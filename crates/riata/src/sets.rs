//! What all uses of the symbolic engine share: the stack, the choice of algorithms, what it counted.

use crate::error::Error;
use crate::how::How;
use crate::options::{Algorithms, Symbolic};
use crate::room;
use cpu_time::ThreadTime;
use riata_report::answer::{Answer, Counters, Engine, Sets};
use riata_symbolic::relation::Shape;
use riata_symbolic::{Algorithm, Oxi, oxi::Reordering};
use riata_system::Limits;

/// The algorithms that were asked for; `None` leaves the choice to the engine.
pub fn algorithms(how: &How) -> Result<Vec<Option<Algorithm>>, Error> {
    match how.algorithms() {
        Algorithms::Auto => Ok(vec![None]),
        Algorithms::All => Ok(Algorithm::ALL.into_iter().map(Some).collect()),
        Algorithms::Symbolic(a) => Ok(vec![Some(a)]),
        Algorithms::One(a) => Err(Error::usage(format!(
            "{} is an algorithm of the explicit engine; this is checked by the symbolic one",
            a.name()
        ))),
    }
}

/// One relation, or clusters.
pub fn shape(flags: &Symbolic) -> Shape {
    if flags.monolithic { Shape::Monolithic } else { Shape::default() }
}

/// A manager for so many bits.
pub fn manager<'a>(how: &'a How<'a>, bits: u32) -> Oxi<'a> {
    let flags = &how.options.symbolic;
    let reordering = match (flags.reorder, flags.no_reorder) {
        (true, _) => Reordering::Eager,
        (_, true) => Reordering::Never,
        _ => Reordering::Late,
    };
    let listener = how.listener;
    // What diagrams may hold is reserved at the start.
    let memory = how.options.limits.memory.or(how.memory.map(|m| m.min(DIAGRAMS)));
    Oxi::for_bits(Limits { memory, ..how.limits() }, bits)
        .reordering(reordering)
        .listen(move |pulse| listener.pulse(pulse))
}

/// What diagrams may hold if nobody says how much.
const DIAGRAMS: usize = 3 << 30;

/// The stack of the engine's thread. Operations on diagrams are recursive, as deep as there are variables.
const STACK: usize = 1 << 30;

/// Does work on diagrams, on a thread with a large stack, and tells its CPU seconds.
pub fn work<T: Send>(how: &How, work: impl FnOnce() -> T + Send) -> (T, f64) {
    how.listener.diagrams(true);
    let timed = || {
        let start = ThreadTime::now();
        let found = work();
        (found, start.elapsed().as_secs_f64())
    };
    let found = on_large_stack(timed);
    how.listener.diagrams(false);
    found
}

/// Runs `work` on a thread with a large stack: as large as the limits of the process allow, and at most an eighth of the
/// memory that is left.
///
/// # Panics
/// If there is not even memory for a small one.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cell = std::sync::Mutex::new(Some(work));
    let once = || {
        let work = cell.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        work.expect("work is done once")()
    };
    let share = room::available().map_or(STACK, |bytes| bytes / 8);
    std::thread::scope(|scope| {
        for stack in [STACK, STACK / 4, STACK / 16, STACK / 64] {
            if stack > share && stack > STACK / 64 {
                continue;
            }
            // A thread that cannot be started has not begun to work.
            if let Ok(thread) = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, once) {
                return thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        }
        panic!("there is no memory for a thread")
    })
}

/// An answer of the symbolic engine that says nothing yet.
pub fn open(property: Option<&str>) -> Answer {
    Answer {
        property: property.map(Into::into),
        engine: Engine::Symbolic,
        store: "bdd".into(),
        ..Answer::default()
    }
}

/// An answer that says that nothing is known.
pub fn inconclusive(property: &str, algorithm: Option<Algorithm>, reason: &str) -> Answer {
    Answer {
        reason: Some(reason.into()),
        algorithm: algorithm.map_or("auto", Algorithm::name).into(),
        ..open(Some(property))
    }
}

/// Fills in what an algorithm counted.
pub fn count(answer: &mut Answer, c: &riata_symbolic::Counters, states: f64, peak: usize) {
    answer.counters = Counters { states: states as u64, ..Counters::default() };
    answer.sets = Some(Box::new(Sets {
        external_iterations: Some(c.external_iterations),
        ex: Some(c.ex),
        ey: Some(c.ey),
        eu: Some(c.eu),
        es: Some(c.es),
        peak_nodes: Some(peak as u64),
        iteration_sizes: Some(c.sizes.iter().map(|&n| n as u64).collect()),
        reachable_states: Some(states),
        ..Sets::default()
    }));
}
