//! Where the bits of states that vary go: a state becomes a key of at most 128 bits, and the key the state.
//!
//! A state is read as pairs of words; before them comes one for its length, and what it has not is zero. Of each pair only the
//! bits are kept that have ever been different from those of the first state, and of those the difference. So a bit that begins
//! to vary late finds a place behind all others, and the keys that there are remain what they are: their new bit is zero.
//! From time to time the bits of each pair are put together again ([`Packing::settle`]); then all keys are others.
//!
//! Some models begin with a few states of other lengths than all others. These are kept apart, so that not all bits vary.
//!
//! It needs the instructions that gather and scatter bits (`pext` and `pdep`); processors without them keep states as they are.

use crate::gather::{Gather, is_supported};

/// A key.
pub type Key = [u64; 2];

/// Places of the bits that vary.
#[derive(Clone)]
pub struct Packing {
    /// The length, and the words, two by two.
    pairs: Vec<Pair>,
    /// The words of the first state, and zeros, as many as there are pairs.
    first: Vec<u32>,
    halves: [Half; 2],
    /// The length of most states.
    usual: usize,
    /// A few states of other lengths, which have nothing in common with the others: in the place of the length they have a number.
    strange: Vec<Vec<u32>>,
    /// The same for states of the usual length.
    gather: Gather,
}

/// So many are strange, and no more.
const STRANGE: usize = 16;

/// Two words: as the first state had them, and the bits that stay.
#[derive(Clone, Copy)]
struct Pair {
    first: u64,
    fixed: u64,
}

/// What makes one half of a key.
#[derive(Clone, Default)]
struct Half {
    /// So many bits of it are in use.
    used: u32,
    /// Bits of pairs: the length, and what a usual state has not, are among them.
    fields: Vec<Field>,
    /// Bits that came later, or found no place where they should be.
    extras: Vec<Field>,
}

/// Bits of a pair, and where they are in their half of a key.
#[derive(Clone, Copy)]
struct Field {
    /// As the first state had the pair.
    first: u64,
    mask: u64,
    shift: u32,
    pair: u32,
}

/// More bits vary than a key has.
#[derive(Debug)]
pub struct TooMany;

impl Field {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn gather(&self, pair: u64) -> u64 {
        gather(pair ^ self.first, self.mask).wrapping_shl(self.shift)
    }

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn scatter(&self, half: u64) -> u64 {
        scatter(half.wrapping_shr(self.shift), self.mask)
    }
}

impl Half {
    /// All that is in it.
    fn all(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().chain(&self.extras)
    }

    /// The same of any state, but not what should not be there.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn any_key(&self, s: &[u32]) -> u64 {
        self.all().fold(0, |key, field| key | field.gather(pair(s, field.pair as usize)))
    }

    /// This half of the key of a strange state.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn strange_key(&self, number: u64) -> u64 {
        self.all()
            .filter(|field| field.pair == 0)
            .fold(0, |key, field| key | field.gather(field.first ^ number))
    }
}

/// What strange state `i` has before its length.
fn number(i: usize) -> u64 {
    (i as u64 + 1) << 32
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn gather(x: u64, mask: u64) -> u64 {
    std::arch::x86_64::_pext_u64(x, mask)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn scatter(x: u64, mask: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(x, mask)
}

/// Nobody asks for it.
#[cfg(not(target_arch = "x86_64"))]
fn gather(_: u64, _: u64) -> u64 {
    0
}

/// Nobody asks for it.
#[cfg(not(target_arch = "x86_64"))]
fn scatter(_: u64, _: u64) -> u64 {
    0
}

#[inline]
fn both([a, b]: [u32; 2]) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

/// Pair `i` of a state.
#[inline]
fn pair(s: &[u32], i: usize) -> u64 {
    match i.checked_sub(1) {
        None => s.len() as u64,
        Some(i) => {
            let word = |i: usize| s.get(i).copied().unwrap_or(0);
            both([word(2 * i), word(2 * i + 1)])
        }
    }
}

/// How many pairs a state of so many words has.
fn pairs(words: usize) -> usize {
    1 + words.div_ceil(2)
}

/// The lowest `n` of the bits that are set.
fn lowest(mask: u64, n: u32) -> u64 {
    (n..mask.count_ones()).fold(mask, |mask, _| mask & !(1 << mask.ilog2()))
}

impl Packing {
    /// Nothing varies from this state, yet; if this processor can pack at all.
    pub fn new(first: &[u32]) -> Option<Packing> {
        is_supported().then(|| {
            let pair = |i| Pair { first: pair(first, i), fixed: u64::MAX };
            let pairs = (0..pairs(first.len())).map(pair).collect();
            let (halves, usual, strange) = (Default::default(), first.len(), Vec::new());
            let mut words = first.to_vec();
            words.resize(words.len().next_multiple_of(2), 0);
            let gather = Gather::default();
            let mut packing = Packing { pairs, first: words, halves, usual, strange, gather };
            packing.settle();
            packing
        })
    }

    /// The bytes of a key.
    pub fn bytes(&self) -> usize {
        let [low, high] = [0, 1].map(|half| self.halves[half].used.div_ceil(8) as usize);
        if high == 0 { low } else { 8 + high }
    }

    /// So many bits are apart from the others of their pairs.
    pub fn extras(&self) -> usize {
        self.halves.iter().map(|half| half.extras.len()).sum()
    }

    /// Is this the length of most states?
    pub fn is_usual(&self, s: &[u32]) -> bool {
        s.len() == self.usual
    }

    /// The key of a state; none, if bits are different that have always been the same.
    #[inline]
    pub fn key(&self, s: &[u32]) -> Option<Key> {
        // SAFETY: there is no packing where it is not supported.
        #[allow(unused_unsafe, reason = "elsewhere the functions need nothing")]
        unsafe {
            if self.gather.is_for(s.len()) { self.usual_key(s) } else { self.any_key(s) }
        }
    }

    /// The same of a state of the usual length.
    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi2"))]
    fn usual_key(&self, s: &[u32]) -> Option<Key> {
        // SAFETY: it is of the usual length.
        unsafe { self.gather.key(s) }
    }

    /// The bits of the lower half of a key that are in use.
    pub fn used(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.halves[0].used).unwrap_or(0)
    }

    /// Is the upper half of every key zero?
    pub fn is_narrow(&self) -> bool {
        self.halves[1].used == 0
    }

    /// The lower half of the key of a state of the usual length, whatever else is in its words.
    pub fn low(&self, s: &[u32]) -> u64 {
        assert!(self.is_listed(s.len()));
        // SAFETY: there is no packing where it is not supported, and it has the usual length.
        unsafe { self.gather.low(s) }
    }

    /// Is this the length of most states, and is there a list for them?
    #[inline]
    pub fn is_listed(&self, words: usize) -> bool {
        self.gather.is_for(words)
    }

    /// Tells `each` the keys of states that have so many words each, the usual number, and whose keys have one half: up to one that has none,
    /// and then it says so.
    #[inline]
    pub fn narrow_keys(&self, words: &[u32], length: usize, mut each: impl FnMut(u64)) -> bool {
        assert!(self.is_listed(length));
        // SAFETY: there is no packing where it is not supported, and they have the usual length.
        unsafe { self.listed_keys(words, length, &mut each) }
    }

    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi2"))]
    unsafe fn listed_keys(&self, words: &[u32], length: usize, each: &mut impl FnMut(u64)) -> bool {
        // SAFETY: as the caller says.
        unsafe { self.gather.narrow_keys(words, length, each) }
    }

    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn any_key(&self, s: &[u32]) -> Option<Key> {
        let [low, high] = &self.halves;
        if let Some(i) = self.strange.iter().position(|t| t == s) {
            return Some([low.strange_key(number(i)), high.strange_key(number(i))]);
        }
        let stays = |(i, known): (usize, &Pair)| (pair(s, i) ^ known.first) & known.fixed == 0;
        let known = pairs(s.len()) <= self.pairs.len() && self.pairs.iter().enumerate().all(stays);
        known.then(|| [low.any_key(s), high.any_key(s)])
    }

    /// Finds places for the bits of a state that vary from now on; if there are none, nothing changes that matters.
    #[cold]
    pub fn widen(&mut self, s: &[u32]) -> Result<(), TooMany> {
        if s.len() != self.usual && self.strange.len() < STRANGE {
            self.vary(0, number(self.strange.len()))?;
            self.strange.push(s.to_vec());
            self.list();
            return Ok(());
        }
        self.pairs.resize(self.pairs.len().max(pairs(s.len())), Pair { first: 0, fixed: u64::MAX });
        self.first.resize(2 * (self.pairs.len() - 1), 0);
        for i in 0..self.pairs.len() {
            self.vary(i, pair(s, i) ^ self.pairs[i].first)?;
        }
        self.list();
        Ok(())
    }

    /// Such bits of a pair vary.
    fn vary(&mut self, pair: usize, bits: u64) -> Result<(), TooMany> {
        let new = bits & self.pairs[pair].fixed;
        self.pairs[pair].fixed &= !new;
        self.place(pair, new)
    }

    /// Finds places for more bits of a pair.
    fn place(&mut self, pair: usize, mut bits: u64) -> Result<(), TooMany> {
        while bits != 0 {
            let half = self.halves.iter_mut().find(|half| half.used < 64).ok_or(TooMany)?;
            let mask = lowest(bits, 64 - half.used);
            let Pair { first, .. } = self.pairs[pair];
            half.extras.push(Field { first, mask, shift: half.used, pair: pair as u32 });
            half.used += mask.count_ones();
            bits &= !mask;
        }
        Ok(())
    }

    /// Puts the bits of each pair together.
    pub fn settle(&mut self) {
        let total: u32 = self.pairs.iter().map(|pair| pair.fixed.count_zeros()).sum();
        let (mut at, mut left) = (0, Vec::new());
        self.halves = Default::default();
        for (i, &Pair { first, fixed }) in self.pairs.iter().enumerate() {
            if total > 64 && at == 0 && self.halves[0].used + fixed.count_zeros() > 64 {
                at = 1;
            }
            let half = &mut self.halves[at];
            let mask = lowest(!fixed, 64 - half.used);
            let field = Field { first, mask, shift: half.used, pair: i as u32 };
            half.used += mask.count_ones();
            left.push(!fixed & !mask);
            half.fields.push(field);
        }
        for (i, bits) in left.into_iter().enumerate() {
            self.place(i, bits).expect("there are no more bits than there were");
        }
        self.list();
    }

    /// Writes down what states of the usual length need.
    fn list(&mut self) {
        let usual = self.usual;
        let is_own = |field: &&Field| field.pair > 0 && (field.pair as usize) < pairs(usual);
        let others = [0, 1].map(|half: usize| {
            let (mut mask, mut constant) = (0, 0);
            for field in self.halves[half].all().filter(|field| field.mask != 0 && !is_own(field)) {
                mask |= u64::MAX >> (64 - field.mask.count_ones()) << field.shift;
                let usually = if field.pair == 0 { usual as u64 } else { 0 };
                // SAFETY: there is no packing where it is not supported.
                #[allow(unused_unsafe, reason = "elsewhere the functions need nothing")]
                unsafe {
                    constant |= field.gather(usually);
                }
            }
            (mask, constant)
        });
        let fixed: Vec<u32> = self.pairs[1..]
            .iter()
            .flat_map(|p| [p.fixed as u32, (p.fixed >> 32) as u32])
            .take(usual)
            .collect();
        self.gather = Gather::new(&self.first[..usual], &fixed, others);
        for (i, half) in self.halves.iter().enumerate() {
            for field in half.all().filter(is_own) {
                let word = 2 * (field.pair as usize - 1);
                self.gather.place(i, (word, field.mask), field.shift);
            }
        }
    }

    /// Writes the state with this key to `out`.
    #[inline]
    pub fn state(&self, key: Key, out: &mut Vec<u32>) {
        // SAFETY: there is no packing where it is not supported.
        #[allow(unused_unsafe, reason = "elsewhere the functions need nothing")]
        unsafe {
            if !self.usual_state(key, out) {
                self.unpack(key, out);
            }
        }
    }

    /// The same of a state of the usual length; false if it is not.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi2"))]
    fn usual_state(&self, key: Key, out: &mut Vec<u32>) -> bool {
        // SAFETY: as this function has them, the processor has the instructions.
        unsafe { self.gather.state(key, out) }
    }

    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi2"))]
    fn unpack(&self, key: Key, out: &mut Vec<u32>) {
        out.clear();
        riata_memory::append(out, &self.first);
        let mut length = self.pairs[0].first;
        for (half, key) in self.halves.iter().zip(key) {
            for field in half.all() {
                let x = field.scatter(key);
                match field.pair.checked_sub(1) {
                    None => length ^= x,
                    Some(pair) => {
                        let two = &mut out[2 * pair as usize..][..2];
                        two[0] ^= x as u32;
                        two[1] ^= (x >> 32) as u32;
                    }
                }
            }
        }
        match (length >> 32).checked_sub(1) {
            None => out.resize(length as usize, 0),
            Some(i) => {
                out.clear();
                out.extend_from_slice(&self.strange[i as usize]);
            }
        }
    }
}
