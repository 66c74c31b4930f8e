//! What a process says of itself at the end of a round of breadth-first search.

use riata_system::Stop;

/// How many things visits count.
pub const SUMS: usize = 4;

/// What a process has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Its states that were expanded.
    pub states: u64,
    /// Their successors, repeats included.
    pub transitions: u64,
    /// What visits counted.
    pub sums: [u64; SUMS],
    /// Bytes of its store.
    pub bytes: u64,
    /// Bytes that it sent.
    pub sent: u64,
    /// Its processor time, in microseconds.
    pub micros: u64,
}

/// How many words counts have.
const COUNTS: usize = 2 * (5 + SUMS);

impl Counts {
    /// As words.
    pub(crate) fn words(&self) -> Vec<u32> {
        let all = [self.states, self.transitions, self.bytes, self.sent, self.micros];
        all.iter().chain(&self.sums).flat_map(|&n| [n as u32, (n >> 32) as u32]).collect()
    }

    /// Reads the words, and tells what is behind them.
    pub(crate) fn read(words: &[u32]) -> Option<(Counts, &[u32])> {
        let (own, rest) = words.split_at_checked(COUNTS)?;
        let number = |i: usize| u64::from(own[2 * i]) | u64::from(own[2 * i + 1]) << 32;
        let counts = Counts {
            states: number(0),
            transitions: number(1),
            bytes: number(2),
            sent: number(3),
            micros: number(4),
            sums: std::array::from_fn(|i| number(5 + i)),
        };
        Some((counts, rest))
    }

    /// Both together.
    pub fn and(mut self, other: &Counts) -> Counts {
        self.states += other.states;
        self.transitions += other.transitions;
        self.bytes += other.bytes;
        self.sent += other.sent;
        self.micros += other.micros;
        self.sums.iter_mut().zip(&other.sums).for_each(|(a, b)| *a += b);
        self
    }
}

/// A state that was found for the first time: the bit that its visit told, and its portable words.
pub type Told = (u32, Vec<u32>);

/// A note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    pub counts: Counts,
    /// How many states of this level it had.
    pub level: u64,
    /// Why it wants to end.
    pub stop: Option<Stop>,
    /// Is it time to write a checkpoint?
    pub due: bool,
    /// For each bit that its visits told on this level, the first state in the order of words.
    pub told: Vec<Told>,
}

impl Note {
    pub fn words(&self) -> Vec<u32> {
        let mut words = self.counts.words();
        let stop = self.stop.map_or(0, |s| 1 + position(s));
        words.extend([self.level as u32, (self.level >> 32) as u32, stop, u32::from(self.due)]);
        for (bit, state) in &self.told {
            words.extend([*bit, state.len() as u32]);
            words.extend_from_slice(state);
        }
        words
    }

    pub fn read(words: &[u32]) -> Option<Note> {
        let (counts, rest) = Counts::read(words)?;
        let [low, high, stop, due, rest @ ..] = rest else { return None };
        let mut rest = rest;
        let mut told = Vec::new();
        while let [bit, len, words @ ..] = rest {
            let (state, others) = words.split_at_checked(*len as usize)?;
            told.push((*bit, state.to_vec()));
            rest = others;
        }
        if !rest.is_empty() {
            return None;
        }
        let stop = stop.checked_sub(1).map(|i| STOPS.get(i as usize).copied().unwrap_or(Stop::Lost));
        let level = u64::from(*low) | u64::from(*high) << 32;
        Some(Note { counts, level, stop, due: *due == 1, told })
    }
}

/// Reasons to stop, as numbers.
pub const STOPS: [Stop; 8] = [
    Stop::Memory,
    Stop::Time,
    Stop::Interrupted,
    Stop::States,
    Stop::Lossy,
    Stop::Unconfirmed,
    Stop::Lost,
    Stop::Disk,
];

pub fn position(stop: Stop) -> u32 {
    STOPS.iter().position(|&s| s == stop).unwrap_or(6) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_back() {
        let counts = Counts {
            states: 1 << 40,
            transitions: 2,
            bytes: 3,
            sent: u64::MAX,
            micros: 9,
            sums: [4, 5 << 33, 6, 7],
        };
        for stop in STOPS.iter().copied().map(Some).chain([None]) {
            let told = vec![(1, vec![7, 8]), (31, vec![])];
            let note = Note { counts, level: 3 << 32 | 1, stop, due: stop.is_none(), told };
            assert_eq!(Note::read(&note.words()), Some(note.clone()));
            let words = note.words();
            for cut in 0..words.len() {
                assert_ne!(Note::read(&words[..cut]), Some(note.clone()));
            }
        }
    }
}
