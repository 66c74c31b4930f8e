//! Bitstate hashing: a state is k bits of a large array.
//!
//! The store itself keeps nothing; each set of states that a search needs is one plane of bits, and the memory that
//! was asked for is shared among the planes. The states on the call stack (cyan) are the exception: they are few, are
//! forgotten again, and are kept exactly, by their full 64-bit hash. A plane may say yes for a state it was never
//! given: the search then leaves out that state, so it never answers «empty».
//!
//! # References
//! Holzmann: An analysis of bitstate hashing. FMSD 13, 1998.

use crate::hash::fold;
use crate::{Colour, Colours, Full, Palette, StateSet, Store, hash};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// The parameters of bitstate hashing. Identities are 64-bit hashes.
#[derive(Clone, Copy, Debug)]
pub struct Bitstate {
    bytes: usize,
    hashes: u32,
    seed: u64,
}

impl Bitstate {
    /// `bytes` of memory for all planes together, `hashes` bits a state; other seeds give other functions.
    pub fn new(bytes: usize, hashes: u32, seed: u64) -> Self {
        Bitstate { bytes, hashes: hashes.max(1), seed }
    }

    /// The estimated share of the states met that were not left out, when `states` were entered, if all memory is one plane: one
    /// minus the mean of the probability of a false positive over the time of the search.
    pub fn coverage(&self, states: u64) -> f64 {
        coverage((self.bytes / 8).max(1), self.hashes, states)
    }

    fn plane(&self, among: usize) -> Plane {
        Plane { bits: riata_memory::filled((self.bytes / among / 8).max(1), 0), hashes: self.hashes, ones: 0 }
    }
}

impl Store for Bitstate {
    type Id = u64;
    type Set = Plane;
    type Colours = BitColours;

    fn is_exact(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u64, Full> {
        Ok(hash::words(s, self.seed))
    }

    fn bytes(&self) -> usize {
        0
    }

    fn sets<const N: usize>(&self) -> [Plane; N] {
        std::array::from_fn(|_| self.plane(N))
    }

    fn colours(&self, palette: Palette) -> BitColours {
        let planes = match palette {
            Palette::Three => 1,
            Palette::Four => 2,
            Palette::Five => 3,
        };
        let plane = |i| if i < planes { self.plane(planes) } else { Plane::nothing() };
        BitColours { cyan: HashSet::default(), seen: plane(0), red: plane(1), black: plane(2) }
    }
}

/// So many places of `id` in an array of 64 bits each: which element, and which bit.
#[inline]
pub(crate) fn places(id: u64, cells: usize, hashes: u32) -> impl Iterator<Item = (usize, u64)> {
    let size = cells as u64 * 64;
    let step = fold(id ^ 0xd1b5_4a32_d192_ed03, 0x9e37_79b9_7f4a_7c15) | 1;
    (0..u64::from(hashes)).map(move |i| {
        let h = id.wrapping_add(step.wrapping_mul(i));
        let place = (u128::from(h) * u128::from(size)) >> 64;
        ((place >> 6) as usize, 1 << (place & 63))
    })
}

/// One array of bits: a Bloom filter.
#[derive(Clone, Debug)]
pub struct Plane {
    bits: Vec<u64>,
    hashes: u32,
    ones: u64,
}

impl Plane {
    fn nothing() -> Plane {
        Plane { bits: Vec::new(), hashes: 0, ones: 0 }
    }

    /// The places of `id`: the i-th is a hash of its own.
    #[inline]
    fn places(&self, id: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        places(id, self.bits.len(), self.hashes)
    }

    /// How many bits are set, of how many.
    pub fn fill(&self) -> (u64, u64) {
        (self.ones, self.bits.len() as u64 * 64)
    }

    /// The probability that a state which was not inserted seems to be: as it is now.
    pub fn false_positive(&self) -> f64 {
        let (ones, size) = self.fill();
        if size == 0 { 0.0 } else { (ones as f64 / size as f64).powi(self.hashes as i32) }
    }

    /// The same as [`Bitstate::coverage`], for this plane.
    pub fn coverage(&self, states: u64) -> f64 {
        coverage(self.bits.len(), self.hashes, states)
    }
}

fn coverage(cells: usize, hashes: u32, states: u64) -> f64 {
    let size = cells as f64 * 64.0;
    if cells == 0 || states == 0 {
        return 1.0;
    }
    let (k, steps) = (f64::from(hashes), 256);
    let chance = |n: f64| (1.0 - (-k * n / size).exp()).powf(k);
    let mean =
        (0..steps).map(|i| chance(states as f64 * (f64::from(i) + 0.5) / f64::from(steps))).sum::<f64>();
    1.0 - mean / f64::from(steps)
}

impl StateSet<u64> for Plane {
    #[inline]
    fn contains(&self, id: u64) -> bool {
        !self.bits.is_empty() && self.places(id).all(|(cell, bit)| self.bits[cell] & bit != 0)
    }

    #[inline]
    fn insert(&mut self, id: u64) {
        for (cell, bit) in self.places(id) {
            self.ones += u64::from(self.bits[cell] & bit == 0);
            self.bits[cell] |= bit;
        }
    }

    fn bytes(&self) -> usize {
        self.bits.len() * 8
    }
}

/// Identities are hashes already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = self.0 << 8 | u64::from(b);
        }
    }
    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }
}

/// Colours as planes: white is in none, blue in the first, red in the second too, black in the third too; cyan is
/// kept exactly.
pub struct BitColours {
    cyan: HashSet<u64, BuildHasherDefault<Identity>>,
    seen: Plane,
    red: Plane,
    black: Plane,
}

impl BitColours {
    /// The plane of the states that are not white.
    pub fn seen(&self) -> &Plane {
        &self.seen
    }
}

impl Colours<u64> for BitColours {
    #[inline]
    fn get(&self, id: u64) -> Colour {
        if !self.seen.contains(id) {
            Colour::White
        } else if self.cyan.contains(&id) {
            Colour::Cyan
        } else if self.black.contains(id) {
            Colour::Black
        } else if self.red.contains(id) {
            Colour::Red
        } else {
            Colour::Blue
        }
    }

    #[inline]
    fn set(&mut self, id: u64, colour: Colour) {
        self.seen.insert(id);
        match colour {
            Colour::Cyan => {
                self.cyan.insert(id);
                return;
            }
            Colour::White | Colour::Blue => {}
            Colour::Red => self.red.insert(id),
            Colour::Black => self.black.insert(id),
        }
        self.cyan.remove(&id);
    }

    fn bytes(&self) -> usize {
        self.seen.bytes() + self.red.bytes() + self.black.bytes() + self.cyan.capacity() * 9
    }
}
