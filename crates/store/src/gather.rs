//! Keys of states of the usual length, and back: what [`Packing`](crate::packing) says, as lists that are gone through.
//!
//! Of each pair of words a load, `pext` and a shift; whether a bit is different that has always been the same is asked of eight words at
//! a time. Processors that have not the instructions (`bmi2`, `avx2`) have no packing.

use crate::packing::Key;

/// Where the bits of two words are in a half of a key.
#[derive(Clone, Copy)]
struct Place {
    /// Of the two.
    mask: u64,
    shift: u32,
    /// The first of the two.
    word: u32,
}

/// What makes one half of a key.
#[derive(Clone, Default)]
struct Half {
    places: Vec<Place>,
    /// The bits that are not in places, and what they are for a usual state.
    others: u64,
    constant: u64,
    /// The key of zeros.
    zeros: u64,
}

/// Lists for states of so many words.
#[derive(Clone, Default)]
pub struct Gather {
    length: usize,
    /// The state whose key is zero, and the bits that stay, filled up with zeros.
    first: Vec<[u32; 8]>,
    fixed: Vec<[u32; 8]>,
    words: Vec<u32>,
    halves: [Half; 2],
}

/// Ones for as many of eight words.
const LANES: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// Filled up to eights.
fn eights(words: &[u32]) -> Vec<[u32; 8]> {
    words.chunks(8).map(|some| std::array::from_fn(|i| some.get(i).copied().unwrap_or(0))).collect()
}

/// Does this processor have the instructions?
pub fn is_supported() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl Gather {
    /// Lists for states like `first`, of which the bits in `fixed` stay; `others` are those bits of a key that say something else, each with
    /// what it is for such states.
    pub fn new(first: &[u32], fixed: &[u32], others: [(u64, u64); 2]) -> Gather {
        let half = |(others, constant)| Half { others, constant, ..Half::default() };
        Gather {
            length: first.len(),
            first: eights(first),
            fixed: eights(fixed),
            words: first.to_vec(),
            halves: others.map(half),
        }
    }

    /// The bits `mask` of words `word` and the one after it go to a half of the key, shifted.
    pub fn place(&mut self, half: usize, (mut word, mut mask): (usize, u64), shift: u32) {
        if mask == 0 || self.length < 2 {
            return;
        }
        if word + 1 == self.length {
            // There is no second word; so it becomes the second.
            (word, mask) = (word - 1, mask << 32);
        }
        let first = u64::from(self.words[word]) | u64::from(self.words[word + 1]) << 32;
        self.halves[half].places.push(Place { mask, shift, word: word as u32 });
        self.halves[half].zeros ^= plain_gather(first, mask) << shift;
    }

    /// Is it for states of so many words?
    #[inline]
    pub fn is_for(&self, words: usize) -> bool {
        words == self.length && words >= 2
    }
}

/// `pext`, bit by bit.
fn plain_gather(x: u64, mask: u64) -> u64 {
    let bits = (0..64).filter(|i| mask >> i & 1 == 1);
    bits.enumerate().fold(0, |all, (to, from)| all | (x >> from & 1) << to)
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use super::{Gather, Half, Key, LANES, Place};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_loadu_si256, _mm256_maskload_epi32, _mm256_or_si256,
        _mm256_setzero_si256, _mm256_storeu_si256, _mm256_testz_si256, _mm256_xor_si256, _pdep_u64,
        _pext_u64,
    };

    /// The two words at `word`.
    ///
    /// # Safety
    /// They are there.
    #[inline]
    unsafe fn two(s: &[u32], word: u32) -> u64 {
        debug_assert!(word as usize + 2 <= s.len());
        // SAFETY: as the caller says; it need not be aligned.
        unsafe { s.as_ptr().add(word as usize).cast::<u64>().read_unaligned() }
    }

    impl Half {
        /// # Safety
        /// The state has as many words as the list is for, and `places` are those of this half.
        #[inline]
        #[target_feature(enable = "bmi2")]
        unsafe fn key(&self, places: &[Place], s: &[u32]) -> u64 {
            places.iter().fold(self.zeros ^ self.constant, |key, place| {
                // SAFETY: places are within the words of such states, and the processor has the instruction.
                let bits = unsafe { _pext_u64(two(s, place.word), place.mask) };
                key ^ bits.wrapping_shl(place.shift)
            })
        }

        /// # Safety
        /// As for `key`; these are the words of the first state, or what another half made of them.
        #[inline]
        #[target_feature(enable = "bmi2")]
        unsafe fn scatter(&self, key: u64, out: &mut [u32]) {
            for place in &self.places {
                // SAFETY: places are within the words of such states.
                unsafe {
                    let to = out.as_mut_ptr().add(place.word as usize).cast::<u64>();
                    let bits = _pdep_u64(key.wrapping_shr(place.shift), place.mask);
                    to.write_unaligned(two(out, place.word) ^ bits);
                }
            }
        }
    }

    /// Eight words.
    ///
    /// # Safety
    /// There are.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(eight: *const u32) -> __m256i {
        // SAFETY: as the caller says.
        unsafe { _mm256_loadu_si256(eight.cast::<__m256i>()) }
    }

    impl Gather {
        /// Are all bits that stay as they were?
        ///
        /// # Safety
        /// The state has as many words as the lists are for.
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn fits(&self, s: &[u32]) -> bool {
            let (first, fixed) = (self.first.as_ptr().cast::<u32>(), self.fixed.as_ptr().cast::<u32>());
            let whole = s.len() / 8 * 8;
            let mut bad = _mm256_setzero_si256();
            // SAFETY: both are filled up to eights; lanes behind the last word of the state are not read, and there are sixteen in the
            // table.
            unsafe {
                for i in (0..whole).step_by(8) {
                    let differs = _mm256_xor_si256(load(s.as_ptr().add(i)), load(first.add(i)));
                    bad = _mm256_or_si256(bad, _mm256_and_si256(differs, load(fixed.add(i))));
                }
                if whole < s.len() {
                    let lanes = load(LANES.as_ptr().add(8 - (s.len() - whole)).cast());
                    let rest = _mm256_maskload_epi32(s.as_ptr().add(whole).cast::<i32>(), lanes);
                    let differs = _mm256_xor_si256(rest, load(first.add(whole)));
                    bad = _mm256_or_si256(bad, _mm256_and_si256(differs, load(fixed.add(whole))));
                }
            }
            _mm256_testz_si256(bad, bad) != 0
        }

        /// The key of a state; none, if bits are different that have always been the same.
        ///
        /// # Safety
        /// [`Gather::is_for`] says that it is for such states.
        #[inline]
        #[target_feature(enable = "avx2,bmi2")]
        pub unsafe fn key(&self, s: &[u32]) -> Option<Key> {
            let [low, high] = &self.halves;
            // SAFETY: as the caller says.
            unsafe { self.fits(s).then(|| [low.key(&low.places, s), high.key(&high.places, s)]) }
        }

        /// The lower half of the key of a state, whatever else is in its words.
        ///
        /// # Safety
        /// [`Gather::is_for`] says that it is for such states.
        #[target_feature(enable = "bmi2")]
        pub unsafe fn low(&self, s: &[u32]) -> u64 {
            // SAFETY: as the caller says.
            unsafe { self.halves[0].key(&self.halves[0].places, s) }
        }

        /// Tells `each` the keys of states of so many words, which have one half, up to one that has none: then it says so.
        ///
        /// # Safety
        /// [`Gather::is_for`] says that it is for all of them.
        #[target_feature(enable = "avx2,bmi2")]
        pub unsafe fn narrow_keys(&self, words: &[u32], length: usize, each: &mut impl FnMut(u64)) -> bool {
            /// The loop over the states, with the loop over these places in it.
            macro_rules! all {
                ($places:expr) => {
                    if length > 8 {
                        for s in words.chunks_exact(length) {
                            // SAFETY: as the caller says.
                            unsafe {
                                if !self.fits(s) {
                                    return true;
                                }
                                each(self.halves[0].key($places, s));
                            }
                        }
                    } else {
                        // SAFETY: as for `fits`, with as many lanes as a state has words.
                        unsafe {
                            let lanes = load(LANES.as_ptr().add(8 - length).cast());
                            let first = load(self.first.as_ptr().cast());
                            let fixed = load(self.fixed.as_ptr().cast());
                            for s in words.chunks_exact(length) {
                                let all = _mm256_maskload_epi32(s.as_ptr().cast::<i32>(), lanes);
                                if _mm256_testz_si256(_mm256_xor_si256(all, first), fixed) == 0 {
                                    return true;
                                }
                                each(self.halves[0].key($places, s));
                            }
                        }
                    }
                };
            }
            // For few places the loop over them is written out.
            match &self.halves[0].places[..] {
                &[a, b] => all!(&[a, b]),
                &[a, b, c] => all!(&[a, b, c]),
                &[a, b, c, d] => all!(&[a, b, c, d]),
                &[a, b, c, d, e] => all!(&[a, b, c, d, e]),
                &[a, b, c, d, e, f] => all!(&[a, b, c, d, e, f]),
                places => all!(places),
            }
            false
        }

        /// Writes the state with this key to `out`; false if it is not of the usual length.
        ///
        /// # Safety
        /// The processor has the instructions.
        #[inline]
        #[target_feature(enable = "avx2,bmi2")]
        pub unsafe fn state(&self, [low, high]: Key, out: &mut Vec<u32>) -> bool {
            let [a, b] = &self.halves;
            if ((low ^ a.constant) & a.others) | ((high ^ b.constant) & b.others) != 0 || self.length < 2 {
                return false;
            }
            let eights = self.first.len() * 8;
            if out.capacity() < eights {
                out.reserve(eights);
            }
            // SAFETY: there is room for all eights, the first words of which are those of the first state.
            unsafe {
                for i in (0..eights).step_by(8) {
                    let eight = load(self.first.as_ptr().cast::<u32>().add(i));
                    _mm256_storeu_si256(out.as_mut_ptr().add(i).cast::<__m256i>(), eight);
                }
                out.set_len(self.length);
                a.scatter(low, out);
                b.scatter(high, out);
            }
            true
        }
    }
}

/// Nobody asks, as there is no packing.
#[cfg(not(target_arch = "x86_64"))]
mod machine {
    use super::{Gather, Key};

    impl Gather {
        /// # Safety
        /// None is needed.
        pub unsafe fn key(&self, _: &[u32]) -> Option<Key> {
            None
        }

        /// # Safety
        /// None is needed.
        pub unsafe fn low(&self, _: &[u32]) -> u64 {
            0
        }

        /// # Safety
        /// None is needed.
        pub unsafe fn narrow_keys(&self, _: &[u32], _: usize, _: &mut impl FnMut(u64)) -> bool {
            true
        }

        /// # Safety
        /// None is needed.
        pub unsafe fn state(&self, _: Key, _: &mut Vec<u32>) -> bool {
            false
        }
    }
}
