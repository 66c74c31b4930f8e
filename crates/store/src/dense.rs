//! The store that stores nothing: states that are numbers already.

use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Store};

/// For graphs whose states are one word, a small number: the identity is that number.
#[derive(Default)]
pub struct Dense;

impl Store for Dense {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        assert_eq!(s.len(), 1, "only a state of one word is a number");
        Ok(s[0])
    }

    fn bytes(&self) -> usize {
        0
    }

    fn sets<const N: usize>(&self) -> [BitSet; N] {
        std::array::from_fn(|_| BitSet::default())
    }

    fn colours(&self, palette: Palette) -> Packed {
        Packed::new(palette)
    }

    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl Numbered for Dense {
    fn find(&self, s: &[u32]) -> Option<u32> {
        Some(s[0])
    }
}
