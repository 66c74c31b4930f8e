//! Sets of acceptance marks.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of acceptance marks: mark `i` is present when the edge (or state) belongs to acceptance set `i`.
///
/// One machine word, so that the union in GS09 Fig. 2 line 18 is one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Marks(pub u64);

impl Marks {
    /// How many acceptance sets an automaton may have.
    pub const MAX: u32 = 64;
    /// No mark.
    pub const NONE: Marks = Marks(0);

    /// Mark `i` alone.
    pub fn one(i: u32) -> Marks {
        debug_assert!(i < Self::MAX);
        Marks(1 << i)
    }

    /// The marks `0..n`.
    pub fn first(n: u32) -> Marks {
        debug_assert!(n <= Self::MAX);
        if n == Self::MAX { Marks(!0) } else { Marks((1 << n) - 1) }
    }

    /// Is mark `i` present?
    #[inline]
    pub fn has(self, i: u32) -> bool {
        self.0 >> i & 1 == 1
    }

    /// Are all marks of `other` present?
    #[inline]
    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// The marks of `self` that are not in `other`.
    #[inline]
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Is there no mark?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many marks.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The marks in increasing order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let i = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (i < 64).then_some(i)
        })
    }
}

impl BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

impl BitAnd for Marks {
    type Output = Marks;
    fn bitand(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(marks: I) -> Marks {
        marks.into_iter().fold(Marks::NONE, |m, i| m | Marks::one(i))
    }
}

/// `{0 2}`, as in HOA.
impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (k, i) in self.iter().enumerate() {
            write!(f, "{}{i}", if k == 0 { "" } else { " " })?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_marks() {
        let m: Marks = [0, 2, 63].into_iter().collect();
        assert_eq!(m.iter().collect::<Vec<_>>(), [0, 2, 63]);
        assert_eq!(m.to_string(), "{0 2 63}");
        assert!(Marks::first(64).contains(m) && !m.contains(Marks::first(2)));
        assert_eq!(m.without(Marks::one(2)).len(), 2);
        assert!(Marks::first(0).is_empty());
    }
}
