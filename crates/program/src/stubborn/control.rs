//! The processes that could move alone, remembered.
//!
//! Who could depends on where the processes are, and on those of their variables that tell something and never change.
//! There are far fewer such *control states* than states, so that mostly one look into a table says it; what it says is
//! computed by [places](super::places) once.
//!
//! Where some variable tells something here, but is changed elsewhere, there is a second look, with what these are.
//!
//! The table only grows. What it has no room for is computed each time.

use super::Reduction;
use super::places::{Candidate, Candidates};
use super::recall::NOTHING;
use crate::interp::Interpreter;
use crate::layout::Field;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// States whose shape has a higher number are not looked up.
const SHAPES: usize = 256;
/// Nor those whose control is in more words, or those with more words of variables that tell something only here.
const WORDS: usize = 24;
/// The table has so many slots, of which at most half are used.
const SLOTS: usize = 1 << 16;
/// So many slots are looked at.
const PROBES: usize = 8;

/// The words of a state that tell its control, each with the bits that do.
type Masks = Box<[(u32, u32)]>;
/// The control of a state: the number of its shape, and what the masks leave; then the same of what tells something here.
type Key = [u32; 2 * WORDS + 1];
/// With the number of the shape, if there is more.
const MORE: u32 = 1 << 31;

/// A control state.
#[derive(Debug)]
struct Entry {
    key: Box<[u32]>,
    could: Told,
}

/// What is known of a control state.
#[derive(Debug)]
enum Told {
    /// Those who could move alone.
    All(Kept),
    /// That depends on more: on these words.
    More(Masks),
}

/// Those who could move alone, and their pids as bits: all of them, and those that could be the only way on.
#[derive(Debug)]
pub(super) struct Kept {
    all: Box<[Candidate]>,
    pids: u64,
    lone: u64,
}

impl Kept {
    fn new(all: &[Candidate]) -> Kept {
        Kept { all: all.into(), pids: pids(all, false), lone: pids(all, true) }
    }
}

/// The pids of those who could move alone, or be the only way on, as bits.
fn pids(all: &[Candidate], lone: bool) -> u64 {
    all.iter().filter(|one| one.lone || !lone).fold(0, |pids, one| pids | 1 << one.pid)
}

/// The control states that occurred.
#[derive(Debug)]
pub(super) struct Control {
    masks: Box<[OnceLock<Masks>]>,
    /// One more than the number of an entry.
    slots: Box<[AtomicU32]>,
    entries: boxcar::Vec<Entry>,
}

/// Those who could move alone.
pub(super) enum Could<'a> {
    Kept(&'a Kept),
    Made(Candidates),
}

impl std::ops::Deref for Could<'_> {
    type Target = [Candidate];

    #[inline]
    fn deref(&self) -> &[Candidate] {
        match self {
            Could::Kept(kept) => &kept.all,
            Could::Made(all) => all,
        }
    }
}

impl Could<'_> {
    /// Their pids as bits, or of those that could be the only way on.
    #[inline]
    pub fn pids(&self, lone: bool) -> u64 {
        match self {
            Could::Kept(kept) if lone => kept.lone,
            Could::Kept(kept) => kept.pids,
            Could::Made(all) => pids(all, lone),
        }
    }
}

impl Control {
    pub fn new() -> Control {
        Control {
            masks: (0..SHAPES).map(|_| OnceLock::new()).collect(),
            slots: (0..SLOTS).map(|_| AtomicU32::new(0)).collect(),
            entries: boxcar::Vec::new(),
        }
    }

    /// The entry of a control state, or the slot that is free for it.
    #[inline]
    fn find(&self, key: &[u32]) -> Result<&Entry, Option<&AtomicU32>> {
        let mixed = |hash: u64, both: u64| (hash ^ both).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let (pairs, last) = key.as_chunks::<2>();
        let hash = pairs.iter().fold(0, |hash, &[a, b]| mixed(hash, u64::from(a) | u64::from(b) << 32));
        let hash = last.iter().fold(hash, |hash, &word| mixed(hash, word.into()));
        let hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
        // Keys are short: to call somebody to compare them costs more.
        let is_it = |entry: &Entry| {
            entry.key.len() == key.len()
                && entry.key.iter().zip(key).fold(0, |all, (a, b)| all | (a ^ b)) == 0
        };
        for probe in 0..PROBES {
            let slot = &self.slots[(hash as usize + probe) % SLOTS];
            match slot.load(Ordering::Acquire).checked_sub(1).and_then(|n| self.entries.get(n as usize)) {
                Some(entry) if is_it(entry) => return Ok(entry),
                Some(_) => {}
                None => return Err(Some(slot)),
            }
        }
        Err(None)
    }
}

impl Reduction {
    /// The processes that could move alone in a state that has not failed and in which control is free.
    #[inline]
    pub(super) fn could(&self, i: &Interpreter, s: &[u32]) -> Could<'_> {
        let shape = i.head.shape(s) as usize;
        let masks = self.control.masks.get(shape).map(|masks| masks.get_or_init(|| self.masks(i, s)));
        let Some(masks) = masks.filter(|masks| masks.len() <= WORDS) else {
            return Could::Made(self.computed(i, s));
        };
        let mut key: Key = [0; 2 * WORDS + 1];
        key[0] = shape as u32;
        let mut len = 1 + masks.len();
        fill(&mut key[1..len], masks, s);
        let mut found = self.control.find(&key[..len]);
        if let Ok(Entry { could: Told::More(masks), .. }) = found {
            if masks.len() > WORDS {
                return Could::Made(self.computed(i, s));
            }
            key[0] |= MORE;
            let before = len;
            len += masks.len();
            fill(&mut key[before..len], masks, s);
            found = self.control.find(&key[..len]);
        }
        match found {
            Ok(Entry { could: Told::All(could), .. }) => Could::Kept(could),
            Ok(Entry { could: Told::More(_), .. }) => Could::Made(self.computed(i, s)),
            Err(free) => Could::Made(self.remembered(i, s, &key[..len], free)),
        }
    }

    /// Computes it, and remembers it where there is room.
    #[cold]
    fn remembered(&self, i: &Interpreter, s: &[u32], key: &[u32], free: Option<&AtomicU32>) -> Candidates {
        let mut made = self.computed(i, s);
        if let Some(slot) = free.filter(|_| self.control.entries.count() < SLOTS / 2) {
            for one in &mut made {
                one.case = one.known.map_or(NOTHING, |known| self.recall.case(key[0] & !MORE, known));
            }
            let more = if key[0] & MORE == 0 { self.more(i, s) } else { Masks::default() };
            let could = if more.is_empty() { Told::All(Kept::new(&made)) } else { Told::More(more) };
            let number = self.control.entries.push(Entry { key: key.into(), could });
            // If another thread was faster, its entry is as good.
            let _ = slot.compare_exchange(0, number as u32 + 1, Ordering::Release, Ordering::Relaxed);
        }
        made
    }

    /// The bits that tell the control of a state of this shape.
    #[cold]
    fn masks(&self, i: &Interpreter, s: &[u32]) -> Masks {
        let mut masks = Vec::new();
        for &(of, base) in &i.shape(s).processes {
            let telling = &self.telling[of as usize];
            let constants = (0..telling.fields.len()).filter(|&n| telling.is_constant(n));
            let fields = constants.map(|n| telling.fields[n]).chain([i.frames.types[of as usize].location]);
            masks.extend(bits(fields, base));
        }
        joined(masks)
    }

    /// The bits of the variables that tell something here and are changed elsewhere.
    fn more(&self, i: &Interpreter, s: &[u32]) -> Masks {
        let mut masks = Vec::new();
        for &(of, base) in &i.shape(s).processes {
            let telling = &self.telling[of as usize];
            if telling.varies {
                let known = &telling.known[i.at(s, of, base) as usize];
                let here = (0..telling.fields.len()).filter(|&n| known[n] && !telling.is_constant(n));
                masks.extend(bits(here.map(|n| telling.fields[n]), base));
            }
        }
        joined(masks)
    }
}

/// The words of some fields of a frame, and their bits.
fn bits(fields: impl Iterator<Item = Field>, base: u32) -> impl Iterator<Item = (u32, u32)> {
    fields.filter(|f| f.mask != 0).map(move |f| (f.word + base, f.mask << f.shift))
}

/// What masks leave of a state.
#[inline]
fn fill(to: &mut [u32], masks: &[(u32, u32)], s: &[u32]) {
    to.iter_mut().zip(masks).for_each(|(to, &(word, bits))| *to = s[word as usize] & bits);
}

/// Each word once.
fn joined(mut masks: Vec<(u32, u32)>) -> Masks {
    masks.sort_unstable();
    masks.dedup_by(|next, one| {
        let same = next.0 == one.0;
        one.1 |= if same { next.1 } else { 0 };
        same
    });
    masks.into()
}
