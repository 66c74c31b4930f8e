//! What a search asks of a device: room for states, and that the states of a level be expanded.

use riata_system::Stop;

/// A device cannot be used, or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(pub String);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// Why a device is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// It cannot be used.
    Failed(Failed),
    /// Its compiler was not waited for any longer.
    Stopped(Stop),
}

impl From<Failed> for NotReady {
    fn from(failed: Failed) -> NotReady {
        NotReady::Failed(failed)
    }
}

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
    pub listed: u64,
    pub members: u64,
    pub lost: u64,
}

impl Tally {
    /// How many words it has.
    pub const WORDS: usize = 10;

    /// Nothing counted, nothing found.
    pub fn new() -> Tally {
        Tally { first_stuck: u64::MAX, found: u64::MAX, ..Tally::default() }
    }
}

/// What is to be done, as in `table.h`: addresses are those of the device.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Job {
    pub lo: u64,
    pub hi: u64,
    pub asks: u64,
    pub target: u64,
    pub op: u64,
    pub wanted: u64,
    pub marks: u64,
    pub todo: u64,
    pub next: u64,
    pub asked: u64,
    pub from: u64,
    pub first: u64,
    pub to: u64,
    pub lent: u64,
}

/// What edges do to the states of a set that they lead to, as in `waves.h`.
#[allow(missing_docs, reason = "waves.h says it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wave {
    Reach = 1,
    Count = 2,
    Remove = 3,
}

/// What becomes of the states of a set, as in `waves.h`.
#[allow(missing_docs, reason = "waves.h says it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    Every = 4,
    Flag = 5,
    Keep = 6,
    Clear = 7,
    Zero = 8,
}

/// The bit of a state's word that says that it is in the set.
pub const IN: u32 = 1;
/// The bytes of a state in sets: its word, and a place in each of two lists.
pub const SET_BYTES: u64 = 12;

/// The edges of those states that the interpreter expands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToldEdges {
    /// The numbers of the states, ascending.
    pub from: Vec<u64>,
    /// Of each its first edge, and the end.
    pub first: Vec<u64>,
    /// Where the edges lead.
    pub to: Vec<u64>,
    /// Their marks.
    pub marks: Vec<u64>,
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
    /// Is the row of states in the memory of the host?
    pub outside: bool,
}

/// What a state takes: words in the row, words in the table, and bytes for sets of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Packed words.
    pub packed: usize,
    /// Is it in the table itself?
    pub inline: bool,
    /// Bytes that are needed later.
    pub later: u64,
}

/// The share of the table that is in use when there is no more room for states.
const LOAD: f64 = 0.7;

impl Room {
    /// Room for so many states of a size.
    pub fn new(capacity: u64, size: Size, chunk: u64) -> Room {
        let words = capacity as f64 / LOAD * if size.inline { size.packed as f64 } else { 1.0 };
        Room { capacity, buckets: (words / 4.0) as u64 + 64, chunk, outside: false }
    }

    /// Room for as many states as fit with the row in the memory of the host, so many bytes, and the rest in that of the device.
    /// Only states that are in the table themselves: others would be read from the row in no order.
    pub(crate) fn outside((memory, spare): (u64, u64), size: Size, chunk: u64) -> Option<Room> {
        let row = 8 * size.packed as u64;
        let table = Room::new(1 << 20, size, 0).buckets as f64 * 32.0 / 1048576.0;
        let most = (memory.saturating_sub(chunk * row) as f64 / table) as u64;
        let room = Room { outside: true, ..Room::new(most.min(spare / row), size, chunk) };
        (size.inline && room.capacity > 0).then_some(room)
    }

    /// All of it, in bytes.
    pub fn bytes(&self, size: Size) -> u64 {
        self.buckets * 32 + (self.capacity + self.chunk) * 8 * size.packed as u64 + self.capacity * size.later
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

    /// The memory of the host in which the row of states may be, in bytes.
    fn spare(&self) -> u64 {
        0
    }

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

    /// The numbers of states that are known; all ones for one that is not.
    fn find(&mut self, keys: &[u64]) -> Result<Vec<u64>, Failed>;

    /// Makes room for a set of the states that were found, so many, of which the interpreter has told some edges.
    fn sets(&mut self, states: u64, edges: &ToldEdges) -> Result<(), Failed>;

    /// Follows the edges with these marks, of all states of the set, or of the last list with so many. What is listed is
    /// counted from 0.
    fn wave(&mut self, op: Wave, marks: u64, list: Option<u64>) -> Result<Tally, Failed>;

    /// Looks at all states. Members and what is listed are counted from 0.
    fn sweep(&mut self, op: Sweep) -> Result<Tally, Failed>;

    /// The states with these numbers, and their words.
    fn members(&mut self, lo: u64, hi: u64) -> Result<(Vec<u64>, Vec<u32>), Failed>;

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

    fn spare(&self) -> u64 {
        (**self).spare()
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

    fn find(&mut self, keys: &[u64]) -> Result<Vec<u64>, Failed> {
        (**self).find(keys)
    }

    fn sets(&mut self, states: u64, edges: &ToldEdges) -> Result<(), Failed> {
        (**self).sets(states, edges)
    }

    fn wave(&mut self, op: Wave, marks: u64, list: Option<u64>) -> Result<Tally, Failed> {
        (**self).wave(op, marks, list)
    }

    fn sweep(&mut self, op: Sweep) -> Result<Tally, Failed> {
        (**self).sweep(op)
    }

    fn members(&mut self, lo: u64, hi: u64) -> Result<(Vec<u64>, Vec<u32>), Failed> {
        (**self).members(lo, hi)
    }

    fn seconds(&self) -> f64 {
        (**self).seconds()
    }
}
