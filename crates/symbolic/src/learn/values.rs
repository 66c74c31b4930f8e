//! The values of one slot, and the numbers that stand for them in the diagrams.
//!
//! Most slots hold neighbours, such as 0 to 4, or 255 and 0 to 3: they are coded as the distance from the first of them,
//! modulo the size of the type. Some hold few values that are far apart, such as 0 and 42: those are listed, and coded as
//! their places in the list, if that takes fewer bits.

use std::collections::HashMap;

/// So many values of a slot are listed when the work begins, or none.
const LISTED: usize = 64;
/// So many values of a slot are kept apart; of more only the bounds are known.
const KEPT: usize = 256;

/// The values of a slot that were seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    last: Option<u32>,
    /// In increasing order; none if there are too many.
    values: Vec<u32>,
    bounds: Option<(u32, u32)>,
}

impl Seen {
    /// Notes a value.
    pub fn note(&mut self, value: u32) {
        // Most slots are as they were in the state before.
        if self.last.replace(value) == Some(value) {
            return;
        }
        let (low, high) = self.bounds.unwrap_or((value, value));
        let many = self.bounds.is_some() && self.values.is_empty();
        self.bounds = Some((low.min(value), high.max(value)));
        if many {
            return;
        }
        if let Err(place) = self.values.binary_search(&value) {
            self.values.insert(place, value);
        }
        if self.values.len() > KEPT {
            self.values = Vec::new();
        }
    }

    /// Were several values seen?
    pub fn varies(&self) -> bool {
        self.bounds.is_some_and(|(low, high)| low < high)
    }

    /// The codes of a slot with this mask, and how many bits they need.
    pub fn codes(&self, mask: u32) -> (Codes, u32) {
        let Some((low, high)) = self.bounds else { return (Codes::Distance(0), 0) };
        // From zero on, if that costs no bit; from behind the largest gap, if that saves one.
        let around = self.values.windows(2).max_by_key(|pair| pair[1] - pair[0]);
        let around = around.map(|pair| (pair[1], pair[0].wrapping_sub(pair[1]) & mask));
        let ranges = [Some((0, high)), Some((low, high - low)), around];
        let (first, last) = ranges.into_iter().flatten().min_by_key(|r| bits_of(r.1)).unwrap_or((0, high));
        let bits = bits_of(last);
        let listed = bits_of((self.values.len() as u32).saturating_sub(1));
        if self.values.is_empty() || self.values.len() > LISTED || bits <= listed {
            return (Codes::Distance(first), bits);
        }
        let places = (0u32..).zip(&self.values).map(|(i, &v)| (v, i)).collect();
        (Codes::Listed { values: self.values.clone(), places }, listed)
    }
}

/// The codes of the values of a slot.
#[derive(Debug)]
pub(super) enum Codes {
    /// The distance from this value.
    Distance(u32),
    /// The place in a list.
    Listed {
        /// The list.
        values: Vec<u32>,
        /// Where each of them is.
        places: HashMap<u32, u32>,
    },
}

impl Codes {
    /// The code of a value of a slot with this mask; none if it has none yet.
    pub fn of(&self, value: u32, mask: u32) -> Option<u32> {
        match self {
            Codes::Distance(first) => Some(value.wrapping_sub(*first) & mask),
            Codes::Listed { places, .. } => places.get(&value).copied(),
        }
    }

    /// The value with this code.
    pub fn value(&self, code: u32) -> u32 {
        match self {
            Codes::Distance(first) => first.wrapping_add(code),
            Codes::Listed { values, .. } => values.get(code as usize).copied().unwrap_or(0),
        }
    }

    /// The code of a value that may be new.
    pub fn add(&mut self, value: u32, mask: u32) -> u32 {
        if let Some(code) = self.of(value, mask) {
            return code;
        }
        let Codes::Listed { values, places } = self else { return 0 };
        let code = values.len() as u32;
        values.push(value);
        places.insert(value, code);
        code
    }

    /// All codes from this one on may become those of values that have none yet.
    pub fn open(&self) -> Option<u32> {
        match self {
            Codes::Distance(_) => None,
            Codes::Listed { values, .. } => Some(values.len() as u32),
        }
    }
}

pub(super) fn bits_of(value: u32) -> u32 {
    32 - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(values: &[u32]) -> (Codes, u32) {
        let mut seen = Seen::default();
        values.iter().for_each(|&v| seen.note(v));
        seen.codes(0xff)
    }

    #[test]
    fn neighbours_are_coded_by_distance() {
        for (values, first, bits) in [
            (&[0, 1, 2, 3, 4][..], 0, 3),
            (&[200, 203, 201, 202], 200, 2),
            (&[3, 0, 255, 1, 2], 255, 3),
            (&[7], 7, 0),
            (&[], 0, 0),
        ] {
            let (codes, needed) = codes(values);
            assert!(matches!(codes, Codes::Distance(f) if f == first), "{values:?}: {codes:?}");
            assert_eq!(needed, bits, "{values:?}");
        }
    }

    #[test]
    fn values_far_apart_are_listed() {
        let (mut codes, bits) = codes(&[42, 0, 42, 0]);
        assert_eq!((bits, codes.open()), (1, Some(2)));
        assert_eq!((codes.of(0, 0xff), codes.of(42, 0xff), codes.of(7, 0xff)), (Some(0), Some(1), None));
        assert_eq!((codes.add(7, 0xff), codes.add(42, 0xff)), (2, 1));
        assert_eq!((0..3).map(|c| codes.value(c)).collect::<Vec<_>>(), [0, 42, 7]);
    }

    #[test]
    fn of_many_values_the_bounds_are_known() {
        let all: Vec<u32> = (0..2000).map(|v| 3 * v).collect();
        let mut seen = Seen::default();
        all.iter().for_each(|&v| seen.note(v));
        let (codes, bits) = seen.codes(u32::MAX);
        assert!(matches!(codes, Codes::Distance(0)));
        assert_eq!(bits, 13);
    }
}
