//! What a search asks of a device: room for states, and that the states of a level be expanded.

/// A device cannot be used, or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(pub String);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// What is counted on a device, as in `table.h`.
#[allow(missing_docs, reason = "table.h says it")]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    pub transitions: u64,
    pub stuck: u64,
    pub first_stuck: u64,
    pub asked: u64,
    pub full: u64,
    pub found: u64,
}

impl Tally {
    /// How many words it has.
    pub const WORDS: usize = 7;

    /// Nothing counted, nothing found.
    pub fn new() -> Tally {
        Tally { first_stuck: u64::MAX, found: u64::MAX, ..Tally::default() }
    }
}

/// How much room a search gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// States.
    pub capacity: u64,
    /// Buckets of the table, of 32 bytes each.
    pub buckets: u64,
    /// States that are expanded at a time.
    pub chunk: u64,
}

/// The share of the table that is in use when there is no more room for states.
const LOAD: f64 = 0.7;

impl Room {
    /// Room for so many states of so many words.
    pub fn new(capacity: u64, packed: usize, inline: bool, chunk: u64) -> Room {
        let words = capacity as f64 / LOAD * if inline { packed as f64 } else { 1.0 };
        Room { capacity, buckets: (words / 4.0) as u64 + 64, chunk }
    }

    /// All of it, in bytes.
    pub fn bytes(&self, packed: usize) -> u64 {
        self.buckets * 32 + (self.capacity + self.chunk) * 8 * packed as u64
    }
}

/// A machine that runs the text of a program.
pub trait Device {
    /// The seconds until it was ready, and whether the text had been compiled before.
    fn ready(&self) -> (f64, bool);

    /// Its name.
    fn name(&self) -> String;

    /// The free memory, in bytes.
    fn memory(&self) -> Result<u64, Failed>;

    /// How many states are tried first, and how many are expanded at a time.
    fn usual(&self) -> (u64, u64);

    /// Forgets everything, and makes room.
    fn start(&mut self, room: Room) -> Result<(), Failed>;

    /// Expands the states with these numbers, or, if a state is wanted, looks for one with a step to it. What is asked is
    /// counted from 0.
    fn expand(&mut self, lo: u64, hi: u64, wanted: Option<&[u64]>) -> Result<Tally, Failed>;

    /// The states that the last expansion left to the interpreter, so many.
    fn asked(&mut self, count: u64) -> Result<Vec<u64>, Failed>;

    /// Inserts states.
    fn insert(&mut self, keys: &[u64]) -> Result<Tally, Failed>;

    /// The state with this number.
    fn state(&mut self, number: u64) -> Result<Vec<u64>, Failed>;

    /// The seconds that kernels ran.
    fn seconds(&self) -> f64;
}

impl Device for Box<dyn Device> {
    fn ready(&self) -> (f64, bool) {
        (**self).ready()
    }

    fn name(&self) -> String {
        (**self).name()
    }

    fn memory(&self) -> Result<u64, Failed> {
        (**self).memory()
    }

    fn usual(&self) -> (u64, u64) {
        (**self).usual()
    }

    fn start(&mut self, room: Room) -> Result<(), Failed> {
        (**self).start(room)
    }

    fn expand(&mut self, lo: u64, hi: u64, wanted: Option<&[u64]>) -> Result<Tally, Failed> {
        (**self).expand(lo, hi, wanted)
    }

    fn asked(&mut self, count: u64) -> Result<Vec<u64>, Failed> {
        (**self).asked(count)
    }

    fn insert(&mut self, keys: &[u64]) -> Result<Tally, Failed> {
        (**self).insert(keys)
    }

    fn state(&mut self, number: u64) -> Result<Vec<u64>, Failed> {
        (**self).state(number)
    }

    fn seconds(&self) -> f64 {
        (**self).seconds()
    }
}
