//! What is told of a search while it runs: how far, how fast, how deep, how much memory, and when that will be full.

use std::time::Duration;

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
