//! States that were sent not long ago, and need not be sent again.

use riata_store::hash;

/// How many there are at most.
const SLOTS: usize = 1 << 14;
/// Longer states are sent again.
const LONGEST: usize = 128;
const SEED: u64 = 0x7365_6e74;

/// A table in which a state takes the place of the one before it. It knows states by all their words: one that is said to
/// have been sent has been.
#[derive(Default)]
pub struct Sent {
    slots: Vec<Vec<u32>>,
}

impl Sent {
    /// Is it known that this was sent? From now on it is, as far as there is room.
    pub fn again(&mut self, words: &[u32]) -> bool {
        if words.len() > LONGEST {
            return false;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, Vec::new);
        }
        let slot = &mut self.slots[hash::words(words, SEED) as usize % SLOTS];
        if slot[..] == *words {
            return true;
        }
        slot.clear();
        slot.extend_from_slice(words);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_sent_is_known() {
        let mut sent = Sent::default();
        let long = vec![1; LONGEST + 1];
        assert!(!sent.again(&long) && !sent.again(&long));
        let mut hits = 0;
        for x in 0..100_000u32 {
            assert!(!sent.again(&[x + 1, 5]));
            hits += u32::from(sent.again(&[x + 1, 5]));
        }
        assert_eq!(hits, 100_000);
    }
}
