//! Places in the words of a state, and how variables are packed into them.
//!
//! A scalar takes just the bits of its domain and never straddles a word; an array element takes a power of two of
//! bits, so that indexing is shifting. What is aligned most comes first, which wastes least.
//!
//! A value is kept as its distance from the smallest value of its domain.

use crate::domain::Domain;

/// The most words that a state may have.
const MAX_WORDS: u64 = 1 << 16;

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// All ones, as many as the field has bits.
    pub mask: u32,
    /// What zero bits mean.
    pub min: i32,
}

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayField {
    /// The word of the first element.
    pub word: u32,
    /// How many elements would fit before the first one in its word.
    pub first: u16,
    /// The logarithm of the bits of an element.
    pub log: u8,
    /// The number of elements.
    pub len: u32,
    /// What zero bits mean.
    pub min: i32,
}

/// A variable's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A scalar.
    One(Field),
    /// An array.
    Many(ArrayField),
}

impl Field {
    /// The bits, as the distance from the smallest value.
    pub fn raw(self, s: &[u32]) -> u32 {
        (s[self.word as usize] >> self.shift) & self.mask
    }

    /// The value in the state `s`.
    pub fn load(self, s: &[u32]) -> i32 {
        (self.raw(s) as i32).wrapping_add(self.min)
    }

    /// Stores `v`, which must be in the domain.
    pub fn store(self, s: &mut [u32], v: i32) {
        let raw = v.wrapping_sub(self.min) as u32 & self.mask;
        let w = &mut s[self.word as usize];
        *w = *w & !(self.mask << self.shift) | raw << self.shift;
    }

    pub(crate) fn moved(self, words: u32) -> Field {
        // A field without bits is nowhere: word 0 will do, since there is a location with bits in every program.
        if self.mask == 0 { self } else { Field { word: self.word + words, ..self } }
    }
}

impl ArrayField {
    /// Element `i`, which must be less than `len`.
    pub fn element(self, i: u32) -> Field {
        let at = i + u32::from(self.first);
        let per = 5 - self.log;
        Field {
            word: self.word + (at >> per),
            shift: ((at & ((1 << per) - 1)) << self.log) as u8,
            mask: self.mask(),
            min: self.min,
        }
    }

    /// All ones, as many as an element has bits.
    pub fn mask(self) -> u32 {
        u32::MAX >> (32 - (1u32 << self.log))
    }
}

impl Slot {
    /// All its scalars.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        let len = match self {
            Slot::One(_) => 1,
            Slot::Many(a) => a.len,
        };
        (0..len).map(move |i| match self {
            Slot::One(f) => f,
            Slot::Many(a) => a.element(i),
        })
    }

    pub(crate) fn moved(self, words: u32) -> Slot {
        match self {
            Slot::One(f) => Slot::One(f.moved(words)),
            Slot::Many(a) => Slot::Many(ArrayField { word: a.word + words, ..a }),
        }
    }
}

/// A state would have more words than are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// So many words, at least.
    pub words: u64,
}

/// What is to be placed, known to the caller as a `T`.
pub(crate) struct Wish<T> {
    pub what: T,
    pub domain: Domain,
    pub len: Option<u32>,
}

impl<T> Wish<T> {
    /// The logarithm of the bits of an array element.
    fn log(&self) -> u32 {
        self.domain.bits().max(1).next_power_of_two().trailing_zeros()
    }
}

/// Places variables, one after the other.
#[derive(Default)]
pub(crate) struct Packer {
    /// The next free bit.
    bit: u64,
}

impl Packer {
    pub fn words(&self) -> u64 {
        self.bit.div_ceil(32)
    }

    /// Places all, arrays before scalars, wide before narrow, otherwise in order.
    pub fn place<T>(&mut self, mut wanted: Vec<Wish<T>>) -> Result<Vec<(T, Slot)>, TooLarge> {
        wanted.sort_by_key(|w| {
            (w.len.is_none(), std::cmp::Reverse(if w.len.is_some() { w.log() } else { w.domain.bits() }))
        });
        wanted
            .into_iter()
            .map(|w| {
                let slot = self.one(&w)?;
                Ok((w.what, slot))
            })
            .collect()
    }

    fn one<T>(&mut self, wish: &Wish<T>) -> Result<Slot, TooLarge> {
        let min = wish.domain.min;
        let slot = if let Some(len) = wish.len {
            let log = wish.log();
            self.bit = self.bit.next_multiple_of(1 << log);
            let slot = ArrayField {
                word: (self.bit / 32) as u32,
                first: ((self.bit % 32) >> log) as u16,
                log: log as u8,
                len,
                min,
            };
            self.bit += u64::from(len) << log;
            Slot::Many(slot)
        } else {
            let bits = u64::from(wish.domain.bits());
            if self.bit % 32 + bits > 32 {
                self.bit = self.bit.next_multiple_of(32);
            }
            let mask = if bits == 0 { 0 } else { u32::MAX >> (32 - bits) };
            let word = if bits == 0 { 0 } else { (self.bit / 32) as u32 };
            let slot = Field { word, shift: if bits == 0 { 0 } else { (self.bit % 32) as u8 }, mask, min };
            self.bit += bits;
            Slot::One(slot)
        };
        if self.words() > MAX_WORDS {
            return Err(TooLarge { words: self.words() });
        }
        Ok(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Nothing overlaps, nothing straddles, every value comes back.
        #[test]
        fn fields_are_disjoint(
            wishes in prop::collection::vec((any::<i32>(), 0u32..70000, prop::option::of(1u32..9)), 1..20),
            seed in any::<u32>(),
        ) {
            let wanted: Vec<Wish<usize>> = wishes
                .iter()
                .enumerate()
                .map(|(i, &(min, extent, len))| {
                    let min = min.min(i32::MAX - 70000);
                    let domain = Domain { min, max: min + extent as i32 };
                    Wish { what: i, domain, len }
                })
                .collect();
            let domains: Vec<Domain> = wanted.iter().map(|w| w.domain).collect();
            let mut packer = Packer::default();
            let placed = packer.place(wanted).unwrap();
            let mut words = vec![0u32; packer.words() as usize + 1];
            let mut used = vec![0u32; words.len()];
            let mut stored = Vec::new();
            let mut x = seed;
            for (v, slot) in placed {
                for field in slot.fields() {
                    let bits = field.mask << field.shift;
                    prop_assert_eq!(bits >> field.shift, field.mask);
                    prop_assert_eq!(used[field.word as usize] & bits, 0);
                    used[field.word as usize] |= bits;
                    x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                    let value = domains[v].min + (x % (domains[v].extent() + 1)) as i32;
                    field.store(&mut words, value);
                    stored.push((field, value));
                }
            }
            for (field, value) in stored {
                prop_assert_eq!(field.load(&words), value);
            }
        }
    }
}
