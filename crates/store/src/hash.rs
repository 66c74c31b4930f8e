//! Hashing of words.

/// Odd constants without structure: the fraction of the golden ratio, and of the roots of 2, 3 and 5.
const P: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];

/// The folded product: high half exclusive-or low half of the 128-bit product.
#[inline]
pub fn fold(a: u64, b: u64) -> u64 {
    let p = u128::from(a) * u128::from(b);
    (p as u64) ^ (p >> 64) as u64
}

/// The hash of a state; other seeds give unrelated functions.
#[inline]
pub fn words(s: &[u32], seed: u64) -> u64 {
    let mut h = seed ^ P[0];
    let (fours, rest) = s.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        h = fold(h ^ (u64::from(a) | u64::from(b) << 32) ^ P[1], (u64::from(c) | u64::from(d) << 32) ^ P[2]);
    }
    let word = |i: usize| rest.get(i).map_or(0, |&w| u64::from(w));
    if !rest.is_empty() {
        h = fold(h ^ (word(0) | word(1) << 32) ^ P[3], word(2) ^ P[1]);
    }
    // The length tells a state from its own prefix padded with zeros.
    fold(h ^ s.len() as u64, P[0] | 1)
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

    #[test]
    fn every_bit_of_the_hash_is_used() {
        for bit in 0..64 {
            let ones = (0..4096u32).filter(|&x| words(&[x, 7], 3) >> bit & 1 == 1).count();
            assert!((1700..2400).contains(&ones), "bit {bit}: {ones}");
        }
    }
}
