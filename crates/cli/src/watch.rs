//! Watching a search: interrupts and progress.

use crate::args::Common;
use crate::progress::{Now, Room, grouped, line};
use indicatif::{ProgressBar, ProgressStyle};
use riata::options::Limits;
use riata_symbolic::oxi::Pulse;
use riata_system::{Counters, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Set when the user wants the search to stop.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to a request to terminate: the first stops the search, the second the program.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        let handler = move || {
            if flag.0.swap(true, Ordering::Relaxed) {
                std::process::exit(crate::output::Exit::Inconclusive as i32);
            }
        };
        // Without a handler Ctrl-C ends the program at once, which is all right too.
        let _ = ctrlc::set_handler(handler);
        interrupt
    }

    /// Was it set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// The flag, for another thread.
    pub fn shared(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// The limits of a search that begins now.
    pub fn limits(&self, limits: &Limits) -> riata_system::Limits<'_> {
        let deadline = limits.time.and_then(|t| Instant::now().checked_add(t));
        let memory = limits.memory.or_else(riata::room::default);
        riata_system::Limits { memory, deadline, interrupt: Some(&self.0) }
    }
}

/// A line on standard error that tells how far a search is; nothing if nobody watches.
pub struct Spinner {
    bar: ProgressBar,
    start: Instant,
    room: Room,
}

impl Spinner {
    /// A line for the search called `what`, which may use so much memory.
    pub fn new(common: &Common, what: &str, memory: Option<usize>) -> Spinner {
        Spinner { bar: bar(common, what), start: Instant::now(), room: Room::new(memory) }
    }
}

/// A line on standard error; hidden if nobody watches.
fn bar(common: &Common, what: &str) -> ProgressBar {
    let bar = if common.watched() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(what.to_string());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// The same as [`Spinner`] for sets of states.
pub struct Pulses(ProgressBar);

impl Pulses {
    /// A line for the symbolic engine.
    pub fn new(common: &Common) -> Pulses {
        Pulses(bar(common, "symbolic"))
    }

    /// A line that goes away with the engine that it listens to.
    pub fn of(common: &Common) -> impl Fn(Pulse) + use<> {
        let pulses = Pulses::new(common);
        move |pulse| pulses.tell(pulse)
    }

    /// Shows how far the engine is.
    pub fn tell(&self, pulse: Pulse) {
        if self.0.is_hidden() {
            return;
        }
        let Pulse { settled, nodes, reorderings } = pulse;
        let mut text = format!("{} images, {} nodes", grouped(settled), grouped(nodes as u64));
        if reorderings > 0 {
            text += &format!(", order changed {reorderings}×");
        }
        self.0.set_message(text);
        self.0.tick();
    }

    /// Prints something while the line is away.
    pub fn aside(&self, work: impl FnOnce()) {
        self.0.suspend(work);
    }
}

impl Drop for Pulses {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Spinner {
    fn tick(&mut self, c: &Counters, depth: usize) {
        let now = Now { states: c.states, depth, bytes: c.bytes, elapsed: self.start.elapsed() };
        self.bar.set_message(line(now, self.room));
        self.bar.tick();
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_automata::random::Shape;
    use riata_explore::ascc;
    use riata_store::Dense;
    use riata_system::{Explicit, Run, Stop, Verdict};

    #[test]
    fn an_interrupt_stops_a_search_with_its_counters() {
        let shape =
            Shape { states: 10_000, density: 3.0, sets: 1, mark_probability: 0.0, ..Shape::default() };
        let automaton = shape.generate(1).expect("a possible shape");
        let interrupt = Interrupt::default();
        interrupt.0.store(true, Ordering::Relaxed);
        let mut run = Run::new(interrupt.limits(&Limits::default()));
        let verdict = ascc::check(&Explicit::new(&automaton), &mut Dense, &mut run);
        assert_eq!(verdict, Verdict::Inconclusive(Stop::Interrupted));
        assert!((1..10_000).contains(&run.counters.states));
    }
}
