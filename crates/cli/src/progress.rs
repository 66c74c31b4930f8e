//! What is told of a search while it runs: how far, how fast, how deep, how much memory, and when that will be full.

use crate::args::Common;
use indicatif::{ProgressBar, ProgressStyle};
use riata_symbolic::oxi::Pulse;
use riata_system::{Counters, Progress};
use std::time::{Duration, Instant};

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
    let bar = if common.shows_progress() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
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

/// The memory that a search can come to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// What the user allowed.
    Limit(usize),
    /// What the machine had left at the start.
    Machine(usize),
    /// Nobody knows.
    Unknown,
}

impl Room {
    /// The limit of the search, or else what is left to the process.
    pub fn new(limit: Option<usize>) -> Room {
        match limit {
            Some(limit) => Room::Limit(limit),
            None => riata::room::available().map_or(Room::Unknown, Room::Machine),
        }
    }

    fn bytes(self) -> Option<usize> {
        match self {
            Room::Limit(b) | Room::Machine(b) => Some(b),
            Room::Unknown => None,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// States so far.
    pub states: u64,
    /// The present depth, or level.
    pub depth: usize,
    /// Bytes held.
    pub bytes: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// The line for people.
pub fn line(now: Now, room: Room) -> String {
    let rate = now.states as f64 / now.elapsed.as_secs_f64().max(1e-3);
    let mut text = format!(
        "{} states, {} states/s, depth {}, {}",
        grouped(now.states),
        grouped(rate as u64),
        grouped(now.depth as u64),
        memory(now.bytes as f64)
    );
    if let Some(left) = time_left(now, rate, room) {
        text += &format!(", {} full in {left}", memory(room.bytes().unwrap_or(0) as f64));
    }
    text
}

/// When the memory will be full if states keep coming at this rate and keep their size; nothing while it is too early
/// to tell, or when that is days away.
fn time_left(now: Now, rate: f64, room: Room) -> Option<String> {
    const EARLY: u64 = 10_000;
    let left = room.bytes()?.saturating_sub(now.bytes as usize) as f64;
    if now.states < EARLY || now.bytes == 0 {
        return None;
    }
    let seconds = left / (now.bytes as f64 / now.states as f64) / rate.max(1.0);
    match seconds {
        s if s < 90.0 => Some(format!("{s:.0} s")),
        s if s < 90.0 * 60.0 => Some(format!("{:.0} min", s / 60.0)),
        s if s < 48.0 * 3600.0 => Some(format!("{:.0} h", s / 3600.0)),
        _ => None,
    }
}

fn memory(bytes: f64) -> String {
    let (mib, gib) = (f64::from(1 << 20), f64::from(1 << 30));
    if bytes < gib { format!("{:.0} MiB", bytes / mib) } else { format!("{:.1} GiB", bytes / gib) }
}

/// A number with its digits in groups of three.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(states: u64, bytes: u64, seconds: u64) -> Now {
        Now { states, depth: 12, bytes, elapsed: Duration::from_secs(seconds) }
    }

    #[test]
    fn the_forecast_is_by_rate_and_size_of_states() {
        let text = line(now(2_000_000, 100 << 20, 2), Room::Limit(1 << 30));
        assert_eq!(text, "2 000 000 states, 1 000 000 states/s, depth 12, 100 MiB, 1.0 GiB full in 18 s");
        let text = line(now(2_000_000, 100 << 20, 2), Room::Machine(100 << 30));
        assert_eq!(text, "2 000 000 states, 1 000 000 states/s, depth 12, 100 MiB, 100.0 GiB full in 34 min");
    }

    #[test]
    fn no_forecast_without_ground() {
        for (now, room) in [
            (now(5, 1 << 20, 2), Room::Limit(1 << 30)),
            (now(20_000, 1 << 20, 100_000), Room::Limit(1 << 40)),
            (now(2_000_000, 1 << 20, 2), Room::Unknown),
        ] {
            assert!(!line(now, room).contains("full"), "{now:?} {room:?}");
        }
        assert!(line(now(20_000, 2 << 20, 0), Room::Limit(1 << 20)).ends_with("1 MiB full in 0 s"));
    }
}
