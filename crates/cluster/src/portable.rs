//! States that mean the same in every process, and whose they are.

use riata_store::hash;

/// States as words that every process which runs the same program can read.
pub trait Portable {
    /// Writes the portable words of a state to `out`.
    fn export(&self, s: &[u32], out: &mut Vec<u32>);

    /// Writes the state that was told in portable words to `out`; false if there is no such state.
    fn import(&self, words: &[u32], out: &mut Vec<u32>) -> bool;
}

/// Words that are portable as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsTheyAre {
    /// How many words a state has at most.
    pub most: usize,
}

impl Portable for AsTheyAre {
    fn export(&self, s: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(s);
    }

    fn import(&self, words: &[u32], out: &mut Vec<u32>) -> bool {
        self.export(words, out);
        words.len() <= self.most
    }
}

/// Another seed than that of the stores: what one process has is to be spread in its store, too.
const SEED: u64 = 0x7269_6174_6121;

/// Whose a state is: by the hash of its portable words.
#[inline]
pub fn owner(words: &[u32], processes: usize) -> usize {
    let hash = hash::words(words, SEED);
    ((u128::from(hash) * processes as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_spread_evenly() {
        for processes in [1, 2, 3, 7, 100] {
            let mut count = vec![0; processes];
            (0..100_000u32).for_each(|x| count[owner(&[x, 3, x >> 4], processes)] += 1);
            let even = 100_000 / processes;
            let off = count.iter().map(|&n| (n as i64 - even as i64).unsigned_abs()).max();
            assert!(off < Some(even as u64 / 5 + 50), "{processes}: {count:?}");
        }
    }
}
