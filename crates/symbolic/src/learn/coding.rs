//! Slots as bits: which variables of the diagrams hold which part of a state.
//!
//! A slot has the bits of its type, and most types are larger than what a program uses of them. A bit that never
//! changes is a level in every diagram, so a slot gets only the bits of a range, first guessed from a few states; a
//! value outside is an error of the guess, after which the work begins again with a wider range.

use crate::bdd::{Bdd, Var};
use crate::relation::Vars;
use riata_system::{Slot, Stop, Watched};
use std::collections::HashSet;

/// The values that a slot can have in the diagrams: `low` and `2^bits - 1` more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    low: u32,
    bits: u32,
}

/// Slots up to this width get all their bits at once.
const NARROW: u32 = 4;

impl Range {
    /// From `low` to `high`, for a slot with this mask.
    fn new(low: u32, high: u32, mask: u32) -> Range {
        let width = mask.count_ones();
        let bits = 32 - (high - low).leading_zeros();
        if width <= NARROW || bits >= width {
            return Range { low: 0, bits: width };
        }
        // From zero on, if that costs no bit.
        let low = if 32 - high.leading_zeros() <= bits { 0 } else { low };
        Range { low: low.min(mask - ((1 << bits) - 1)), bits }
    }

    /// The range and this value; twice as wide at least, so that there are few attempts.
    fn wider(self, value: u32, mask: u32) -> Range {
        let high = self.low.saturating_add(self.most());
        let (low, high) = (self.low.min(value), high.max(value).min(mask));
        let bits = (32 - (high - low).leading_zeros()).max(self.bits + 1);
        if bits >= mask.count_ones() {
            return Range { low: 0, bits: mask.count_ones() };
        }
        Range { low: low.min(mask - ((1 << bits) - 1)), bits }
    }

    /// How many bits it takes.
    pub fn bits(self) -> u32 {
        self.bits
    }

    fn most(self) -> u32 {
        if self.bits == 32 { u32::MAX } else { (1 << self.bits) - 1 }
    }

    fn code(self, value: u32) -> Option<u32> {
        value.checked_sub(self.low).filter(|&c| c <= self.most())
    }
}

/// The ranges of slots, as far as a few states tell: the first `states` in the order of a breadth-first search.
pub fn sample<S: Watched>(system: &S, states: usize) -> Vec<Range> {
    let (sink, fault, _) = system.sink();
    let slots = system.slots();
    let mut bounds = vec![(u32::MAX, 0u32); slots.len()];
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut queue = Vec::new();
    let mut s = vec![0; system.words()];
    let mut at = S::Cursor::default();
    while queue.len() < states && system.initial(&mut at, &mut s) {
        if seen.insert(s.clone()) {
            queue.push(s.clone());
        }
    }
    let mut next = 0;
    while let Some(s) = queue.get(next).cloned() {
        next += 1;
        if slots[sink as usize].load(&s) == fault {
            continue;
        }
        for (slot, (low, high)) in slots.iter().zip(&mut bounds) {
            let value = slot.load(&s);
            (*low, *high) = ((*low).min(value), (*high).max(value));
        }
        let (mut at, mut t) = (S::Cursor::default(), vec![0; s.len()]);
        while queue.len() < states && system.next(&s, &mut at, &mut t).is_some() {
            if !seen.contains(&t) {
                seen.insert(t.clone());
                queue.push(t.clone());
            }
        }
    }
    let range = |(i, (slot, &(low, high))): (u32, (&Slot, &(u32, u32)))| {
        // The slot of the sink needs room for the sink.
        let high = if i == sink { high.max(fault) } else { high };
        Range::new(low.min(high), high, slot.mask)
    };
    (0u32..).zip(slots.iter().zip(&bounds)).map(range).collect()
}

/// A slot has a value outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The slot.
    pub slot: u32,
    /// The value.
    pub value: u32,
}

/// Makes room for a value.
pub fn widen(ranges: &mut [Range], slots: &[Slot], wide: Wide) {
    let range = &mut ranges[wide.slot as usize];
    *range = range.wider(wide.value, slots[wide.slot as usize].mask);
}

/// Which variables hold which slot.
#[derive(Debug)]
pub struct Coding {
    slots: Vec<Slot>,
    ranges: Vec<Range>,
    /// For each slot, the number of its first bit; then the number of all.
    first: Vec<usize>,
    /// The variables.
    pub vars: Vars,
    sink: (u32, u32, Vec<u32>),
}

impl Coding {
    /// Makes variables for all slots, each pair of now and then side by side, in the order of the slots.
    pub fn new<B: Bdd, S: Watched>(bdd: &B, system: &S, ranges: &[Range]) -> Coding {
        let mut first = vec![0];
        for range in ranges {
            first.push(first[first.len() - 1] + range.bits as usize);
        }
        let bits = first[ranges.len()] as u32;
        let vars = crate::encode::interleaved(bdd, bits);
        Coding { slots: system.slots().to_vec(), ranges: ranges.to_vec(), first, vars, sink: system.sink() }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Is there no slot?
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The bits of a slot, by their places in [`Vars::current`], the highest first.
    pub fn bits(&self, slot: u32) -> std::ops::Range<usize> {
        self.first[slot as usize]..self.first[slot as usize + 1]
    }

    /// The literals of «the slot has this value»: now, or after the step.
    pub fn literals(
        &self,
        slot: u32,
        value: u32,
        then: bool,
        out: &mut Vec<(Var, bool)>,
    ) -> Result<(), Wide> {
        let code = self.ranges[slot as usize].code(value).ok_or(Wide { slot, value })?;
        self.code(slot, code, then, out);
        Ok(())
    }

    fn code(&self, slot: u32, code: u32, then: bool, out: &mut Vec<(Var, bool)>) {
        let bits = self.bits(slot);
        let vars = if then { &self.vars.next } else { &self.vars.current };
        let high = bits.end;
        out.extend(bits.map(|b| (vars[b], code >> (high - 1 - b) & 1 == 1)));
    }

    /// The literals of the sink: what other slots hold in it is not told, and kept as zero.
    pub fn sink(&self, then: bool) -> Result<Vec<(Var, bool)>, Wide> {
        let mut literals = Vec::new();
        for slot in 0..self.slots.len() as u32 {
            if slot == self.sink.0 {
                self.literals(slot, self.sink.1, then, &mut literals)?;
            } else {
                self.code(slot, 0, then, &mut literals);
            }
        }
        Ok(literals)
    }

    /// The state with these bits, where `s` tells what is in no slot.
    pub fn decode(&self, bits: &[bool], s: &mut [u32]) {
        for slot in 0..self.slots.len() as u32 {
            self.decode_slot(slot, &bits[self.bits(slot)], s);
        }
        if self.slots[self.sink.0 as usize].load(s) == self.sink.1 {
            s.copy_from_slice(&self.sink.2);
        }
    }

    /// One slot of a state.
    pub fn decode_slot(&self, slot: u32, bits: &[bool], s: &mut [u32]) {
        let code = bits.iter().fold(0, |code, &b| code << 1 | u32::from(b));
        self.slots[slot as usize].store(s, self.ranges[slot as usize].low.wrapping_add(code));
    }
}

/// The conjunction of literals.
pub fn cube<B: Bdd>(bdd: &B, literals: &mut [(Var, bool)], level: &[u32]) -> Result<B::F, Stop> {
    // From the bottom up, each conjunction is one node.
    literals.sort_unstable_by_key(|(v, _)| std::cmp::Reverse(level[*v as usize]));
    let mut cube = bdd.constant(true);
    for &(v, positive) in literals.iter() {
        let var = bdd.var(v)?;
        cube = bdd.and(&if positive { var } else { bdd.not(&var) }, &cube)?;
    }
    Ok(cube)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_what_it_was_made_for() {
        for (low, high, mask) in [(0, 0, 255), (3, 200, 255), (32768, 32770, 65535), (65535, 65535, 65535), (7, 9, 15)] {
            let range = Range::new(low, high, mask);
            assert!((low..=high).all(|v| range.code(v).is_some()), "{range:?}");
            assert!(range.low.checked_add(range.most()).is_some_and(|top| top <= mask), "{range:?}");
            for value in [0, 1, 100, mask].into_iter().filter(|v| *v <= mask) {
                let wide = range.wider(value, mask);
                assert!((low..=high).chain([value]).all(|v| wide.code(v).is_some()), "{wide:?} {value}");
                assert!(wide.bits > range.bits || range.most() == mask);
            }
        }
        let all = Range::new(0, u32::MAX, u32::MAX);
        assert_eq!((all.low, all.bits, all.code(u32::MAX)), (0, 32, Some(u32::MAX)));
    }
}
