//! Interrupts: the user, or the system, wants a search to stop.

use riata::options::Limits;
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
        riata_system::Limits { memory, deadline, interrupt: Some(&self.0), ..Default::default() }
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
