//! States as keys, in order of arrival: of each as many bytes as vary.

use crate::packing::{Key, Packing};
use crate::{Full, hash};

/// So many states are many.
const LARGE: u32 = 1 << 19;

/// So many bits, each apart from the others, cost less than settling a large store.
const BEARABLE: usize = 8;

/// With so many states it may still turn out what is usual.
const EARLY: u32 = 512;

/// Bytes that are held in any case.
const FIRST: usize = 1 << 12;

/// Behind the last record, so that each can be read as two words.
const PADDING: usize = 16;

/// Keys by their numbers, and what makes them.
pub struct Packed {
    packing: Packing,
    records: Vec<u8>,
    count: u32,
    /// Bytes of a record.
    width: usize,
    /// Those bits of the two words at the place of a record that are in it.
    masks: Key,
    /// With so many states it is time to put things in order.
    settles: u32,
    /// Keys stay what they are: no bit of them gets another place.
    stays: bool,
}

/// The room behind the last key.
pub struct End<'a> {
    /// Room for so many more, and padding.
    records: &'a mut [u8],
    at: usize,
    width: usize,
    more: u32,
    /// How many keys there are.
    pub count: u32,
}

impl End<'_> {
    /// Writes a key, which remains if it is `new`: there is no branch on it.
    #[inline]
    pub fn push_if(&mut self, key: Key, new: bool) {
        assert!(self.count < self.more);
        // SAFETY: there is room for `more` keys from the first one on, and for two words behind the last.
        unsafe { self.records.as_mut_ptr().add(self.at).cast::<[u8; 16]>().write_unaligned(bytes(key)) };
        self.at += if new { self.width } else { 0 };
        self.count += u32::from(new);
    }
}

/// A state does not fit.
pub enum Unfit {
    /// For want of memory.
    Full(Full),
    /// Too many bits vary.
    Wide,
}

/// The bytes of a key.
fn bytes([low, high]: Key) -> [u8; 16] {
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

impl Packed {
    /// None, and `first` will be one of them; if this processor can pack at all.
    pub fn new(first: &[u32]) -> Option<Packed> {
        let (packing, records) = (Packing::new(first)?, vec![0; PADDING]);
        Some(Packed { packing, records, count: 0, width: 0, masks: [0; 2], settles: 8, stays: false })
    }

    /// None, with keys that stay what they are.
    pub fn with(packing: Packing) -> Packed {
        let (width, records) = (packing.bytes(), vec![0; PADDING]);
        let mut packed =
            Packed { packing, records, count: 0, width, masks: [0; 2], settles: u32::MAX, stays: true };
        packed.mask();
        packed
    }

    /// What makes the keys.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// How many states there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    pub fn bytes(&self) -> usize {
        self.records.capacity()
    }

    /// The hash of a key.
    #[inline]
    pub fn hash([low, high]: Key) -> u64 {
        hash::key(low, high)
    }

    /// The key of a state, if there may be such a state.
    #[inline]
    pub fn key(&self, s: &[u32]) -> Option<Key> {
        self.packing.key(s)
    }

    /// The key of a state that has bits which did not vary yet. `room` is the bytes that the keys may come to hold.
    #[cold]
    #[inline(never)]
    pub fn widen(&mut self, s: &[u32], room: usize) -> Result<Key, Unfit> {
        // All of it or nothing.
        let mut wider = self.packing.clone();
        if wider.widen(s).is_err() {
            return Err(Unfit::Wide);
        }
        self.spread(wider.bytes(), room).map_err(Unfit::Full)?;
        self.packing = wider;
        Ok(self.key(s).expect("all of its bits may vary"))
    }

    /// Takes a packing that has more bits than this one, behind those that it has.
    pub fn take(&mut self, wider: Packing, room: usize) -> Result<(), Full> {
        self.spread(wider.bytes(), room)?;
        self.packing = wider;
        Ok(())
    }

    /// Records become so wide, if they are not.
    fn spread(&mut self, width: usize, room: usize) -> Result<(), Full> {
        if width <= self.width {
            return Ok(());
        }
        let count = self.count as usize;
        let needed = count * width + PADDING;
        if needed > room {
            return Err(Full::Memory);
        }
        self.records.reserve_exact(needed - self.records.len());
        self.records.resize(needed, 0);
        for id in (0..self.count).rev() {
            let at = id as usize * width;
            let key = bytes(self.get(id));
            self.records[at..at + width].copy_from_slice(&key[..width]);
        }
        self.width = width;
        self.mask();
        Ok(())
    }

    /// Records are as wide as they are.
    fn mask(&mut self) {
        let mask = |bytes: usize| if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        self.masks = [mask(self.width), mask(self.width.saturating_sub(8))];
    }

    #[inline]
    fn get(&self, id: u32) -> Key {
        let at = id as usize * self.width;
        let word = |at: usize| {
            u64::from_le_bytes(*self.records[at..].first_chunk().expect("there is padding behind the last"))
        };
        [word(at) & self.masks[0], if self.width > 8 { word(at + 8) & self.masks[1] } else { 0 }]
    }

    /// The hash of a state.
    pub fn hash_of(&self, id: u32) -> u64 {
        Self::hash(self.get(id))
    }

    /// Is this the key of the state with that number?
    #[inline]
    pub fn has(&self, id: u32, key: Key) -> bool {
        self.get(id) == key
    }

    /// Asks for the key of a state.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        riata_memory::prefetch(&self.records, id as usize * self.width);
    }

    /// Writes the words of a state to `out`.
    #[inline]
    pub fn load(&self, id: u32, out: &mut Vec<u32>) {
        self.packing.state(self.get(id), out);
    }

    /// Adds a state; `room` is the bytes that the keys may come to hold.
    #[inline]
    pub fn push(&mut self, key: Key, room: usize) -> Result<(), Full> {
        let at = self.count as usize * self.width;
        if self.records.capacity() < at + 2 * PADDING {
            self.reserve(room)?;
        }
        if at + self.width + PADDING > room {
            return Err(Full::Memory);
        }
        self.records.truncate(at);
        self.records.extend_from_slice(&bytes(key));
        self.records.extend_from_slice(&[0; PADDING]);
        self.records.truncate(at + self.width + PADDING);
        self.count += 1;
        Ok(())
    }

    /// Is it not yet time to put things in order?
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.count < self.settles
    }

    /// The keys of states that have as many words as most, so many, as [`Packing::narrow_keys`] tells them.
    #[inline]
    pub fn narrow_keys(&self, words: &[u32], length: usize, each: impl FnMut(u64)) -> bool {
        self.packing.narrow_keys(words, length, each)
    }

    /// Is this the length of most states?
    #[inline]
    pub fn is_usual(&self, words: usize) -> bool {
        self.packing.is_listed(words)
    }

    /// Is the second word of every key zero?
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.width <= 8
    }

    /// Key number `id`.
    #[inline]
    pub fn nth(&self, id: u32) -> Key {
        self.get(id)
    }

    /// Where so many more may be written; `room` is the bytes that the keys may come to hold.
    #[inline]
    pub fn open(&mut self, more: usize, room: usize) -> Result<End<'_>, Full> {
        let (at, width) = (self.count as usize * self.width, self.width);
        let needed = at + more * width + 2 * PADDING;
        if needed > self.records.capacity() {
            self.stretch(needed, room)?;
        }
        if self.count as usize + more >= u32::MAX as usize {
            return Err(Full::Identities);
        }
        self.records.resize(needed, 0);
        let more = self.count + more as u32;
        Ok(End { records: &mut self.records[at..], at: 0, width, more, count: self.count })
    }

    /// From now on there are so many: those behind them were written through [`Packed::open`] for nothing.
    #[inline]
    pub fn close(&mut self, count: u32) {
        self.count = count;
        self.records.truncate(count as usize * self.width + PADDING);
    }

    #[cold]
    #[inline(never)]
    fn stretch(&mut self, needed: usize, room: usize) -> Result<(), Full> {
        if room < needed.max(FIRST) {
            return Err(Full::Memory);
        }
        let larger = (needed + needed / 2).max(FIRST).min(room);
        riata_memory::reserve(&mut self.records, larger);
        Ok(())
    }

    #[cold]
    fn reserve(&mut self, room: usize) -> Result<(), Full> {
        let held = self.records.len();
        let needed = held + PADDING;
        if room < needed.max(FIRST) {
            return Err(Full::Memory);
        }
        // By as little as is bearable.
        let larger = (held + held / 16).max(FIRST).max(needed).min(room);
        self.records.reserve_exact(larger - held);
        Ok(())
    }

    /// Puts the bits together that came late, if it is time for that. True: all keys have become others.
    #[inline]
    pub fn settle(&mut self, s: &[u32], room: usize) -> bool {
        self.count >= self.settles && self.settle_now(s, room)
    }

    #[cold]
    #[inline(never)]
    fn settle_now(&mut self, s: &[u32], room: usize) -> bool {
        let now = self.settles;
        self.settles = now.saturating_mul(8);
        // With many states, a few bits here and there cost less than all these keys.
        let bearable = if now < LARGE { 0 } else { BEARABLE };
        self.turn(s, room) || self.packing.extras() > bearable && self.adopt(self.packing.clone(), room)
    }

    /// Takes states like `s` for what is usual, if it is early and they are not. True: all keys have become others.
    #[cold]
    pub fn turn(&mut self, s: &[u32], room: usize) -> bool {
        self.count <= EARLY
            && !self.stays
            && !self.packing.is_usual(s)
            && self.packing_for(s).is_some_and(|packing| self.adopt(packing, room))
    }

    /// Makes other keys of all states, with a packing that will be settled.
    fn adopt(&mut self, mut packing: Packing, room: usize) -> bool {
        packing.settle();
        if self.spread(packing.bytes(), room).is_err() {
            return false;
        }
        let mut state = Vec::new();
        for id in 0..self.count {
            self.load(id, &mut state);
            let key = bytes(packing.key(&state).expect("all of its bits may vary"));
            let at = id as usize * self.width;
            self.records[at..at + self.width].copy_from_slice(&key[..self.width]);
        }
        self.packing = packing;
        true
    }

    /// A packing for the states so far, if those like `s` are what is usual.
    fn packing_for(&self, s: &[u32]) -> Option<Packing> {
        let (mut packing, mut state) = (Packing::new(s)?, Vec::new());
        for id in 0..self.count {
            self.load(id, &mut state);
            if packing.key(&state).is_none() {
                packing.widen(&state).ok()?;
            }
        }
        Some(packing)
    }
}
