//! Hashing of words.

/// Odd constants without structure: the fraction of the golden ratio, and of the roots of 2, 3 and 7 (5 is in the golden ratio).
const P: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0xa54f_f53a_5f1d_36f1];

/// The folded product: high half exclusive-or low half of the 128-bit product.
#[inline]
pub fn fold(a: u64, b: u64) -> u64 {
    let p = u128::from(a) * u128::from(b);
    (p as u64) ^ (p >> 64) as u64
}

/// The hash of a state; other seeds give unrelated functions.
#[inline]
pub fn words(s: &[u32], seed: u64) -> u64 {
    let (fours, rest) = s.as_chunks::<4>();
    // Each place has its own keys: the products are added, and none waits for another.
    let (mut sum, mut key) = (seed, seed ^ P[0]);
    for &[a, b, c, d] in fours {
        let four =
            fold((u64::from(a) | u64::from(b) << 32) ^ key, (u64::from(c) | u64::from(d) << 32) ^ key ^ P[3]);
        sum = sum.wrapping_add(four);
        key = key.wrapping_add(P[1]);
    }
    let word = |i: usize| rest.get(i).map_or(0, |&w| u64::from(w));
    if !rest.is_empty() {
        sum = sum.wrapping_add(fold((word(0) | word(1) << 32) ^ key, word(2) ^ P[3]));
    }
    // The length tells a state from its own prefix padded with zeros.
    fold(sum ^ P[2], P[0] ^ s.len() as u64)
}

/// The hash of a key of two words, of which the second may be zero.
#[inline]
pub fn key(low: u64, high: u64) -> u64 {
    fold(low ^ P[1], high ^ P[2])
}

/// The hash of a pair.
#[inline]
pub fn pair(a: u32, b: u32) -> u64 {
    fold(fold((u64::from(a) | u64::from(b) << 32) ^ P[1], P[2]) ^ P[3], P[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_collisions_among_small_states() {
        let mut seen = HashSet::new();
        for n in 0..4usize {
            for x in 0..16u32.pow(n as u32) {
                let s: Vec<u32> = (0..n).map(|i| x >> (4 * i) & 15).collect();
                assert!(seen.insert(words(&s, 0)), "{s:?}");
            }
        }
        assert_ne!(words(&[1, 2], 0), words(&[1, 2], 1));
    }

    /// Longer states, in which two words are small and the others are the same.
    #[test]
    fn no_collisions_among_states_that_differ_in_two_words() {
        let mut seen = HashSet::new();
        let (mut same, mut tags) = (0, HashSet::new());
        for n in [4usize, 5, 8, 11, 30] {
            for i in 0..n {
                for j in i + 1..n {
                    for (x, y) in (1..24).flat_map(|x| (1..24).map(move |y| (x, y))) {
                        let mut s = vec![0; n];
                        (s[i], s[j]) = (x, y << 7);
                        let hash = words(&s, 0);
                        assert!(seen.insert(hash), "{s:?}");
                        same += usize::from(!tags.insert(hash >> 32));
                    }
                }
            }
        }
        // 280,000 of them among 2^32: nine are expected.
        assert!(same < 40, "{same}");
    }

    #[test]
    fn every_bit_of_the_hash_is_used() {
        for bit in 0..64 {
            let ones = (0..4096u32).filter(|&x| words(&[x, 7], 3) >> bit & 1 == 1).count();
            assert!((1700..2400).contains(&ones), "bit {bit}: {ones}");
        }
    }
}
