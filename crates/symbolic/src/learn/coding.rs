//! Slots as bits: which variables of the diagrams hold which part of a state.
//!
//! A slot has the bits of its type, and most types are larger than what a program uses of them. A bit that never
//! changes is a level in every diagram, so a slot gets only the bits that a few states show to be needed, and more when
//! a value comes that they cannot hold. A value is coded as its distance from the smallest value that was seen, modulo
//! the size of the type, so that more bits never change the code of a value.

use crate::bdd::{Bdd, Var};
use crate::relation::Vars;
use riata_system::{Observable, Slot, Stop};
use std::collections::HashSet;

/// States that are looked at before the work begins: the first ones in the order of a breadth-first search, and those
/// on random ways, which go deeper. None is the sink.
pub struct Sample {
    /// The states near the initial ones.
    pub near: Vec<Vec<u32>>,
    bounds: Vec<(u32, u32)>,
}

/// How far to look around.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// States of the breadth-first search.
    pub near: usize,
    /// Random ways.
    pub ways: usize,
    /// The steps of each.
    pub steps: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { near: 4096, ways: 64, steps: 2000 }
    }
}

impl Sample {
    /// Looks around.
    pub fn new<S: Observable>(system: &S, sampling: Sampling) -> Self {
        let mut this = Sample { near: Vec::new(), bounds: vec![(u32::MAX, 0); system.slots().len()] };
        let (sink, fault, _) = system.sink();
        let alive = |s: &[u32]| system.slots()[sink as usize].load(s) != fault;
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        let mut s = vec![0; system.words()];
        let mut at = S::Cursor::default();
        while this.near.len() < sampling.near && system.initial(&mut at, &mut s) {
            if seen.insert(s.clone()) {
                this.near.push(s.clone());
            }
        }
        let mut next = 0;
        while let Some(s) = this.near.get(next).cloned() {
            next += 1;
            this.note(system.slots(), &s);
            let (mut at, mut t) = (S::Cursor::default(), vec![0; s.len()]);
            while this.near.len() < sampling.near && system.next(&s, &mut at, &mut t).is_some() {
                if alive(&t) && !seen.contains(&t) {
                    seen.insert(t.clone());
                    this.near.push(t.clone());
                }
            }
        }
        // Where all states were seen there is nothing to walk to.
        if this.near.len() >= sampling.near {
            this.walk(system, sampling, &alive);
        }
        this
    }

    fn walk<S: Observable>(&mut self, system: &S, sampling: Sampling, alive: &dyn Fn(&[u32]) -> bool) {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let (mut t, mut kept) = (vec![0; system.words()], vec![0; system.words()]);
        for way in 0..sampling.ways {
            let mut s = self.near[way * self.near.len() / sampling.ways].clone();
            for _ in 0..sampling.steps {
                let (mut at, mut moves) = (S::Cursor::default(), 0);
                while system.next(&s, &mut at, &mut t).is_some() {
                    if !alive(&t) {
                        continue;
                    }
                    moves += 1;
                    // Marsaglia's xorshift; each of the moves is kept with the same probability.
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    if random.is_multiple_of(moves) {
                        kept.copy_from_slice(&t);
                    }
                }
                if moves == 0 {
                    break;
                }
                s.copy_from_slice(&kept);
                self.note(system.slots(), &s);
            }
        }
    }

    fn note(&mut self, slots: &[Slot], s: &[u32]) {
        for (slot, (low, high)) in slots.iter().zip(&mut self.bounds) {
            let value = slot.load(s);
            (*low, *high) = ((*low).min(value), (*high).max(value));
        }
    }

    /// The smallest value of each slot, and how many bits the others need.
    fn ranges<S: Observable>(&self, system: &S) -> Vec<(u32, u32)> {
        let (sink, fault, _) = system.sink();
        let range = |(i, (slot, &(low, high))): (u32, (&Slot, &(u32, u32)))| {
            if i == sink {
                // It needs room for the sink, which was not seen.
                return (0, bits_of(high.max(fault)));
            }
            // From zero on, if that costs no bit.
            let bits = bits_of(high - low.min(high));
            if bits_of(high) <= bits { (0, bits) } else { (low, bits.min(slot.mask.count_ones())) }
        };
        (0u32..).zip(system.slots().iter().zip(&self.bounds)).map(range).collect()
    }
}

fn bits_of(value: u32) -> u32 {
    32 - value.leading_zeros()
}

/// A slot has a value that its bits cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The slot.
    pub slot: u32,
    /// The value.
    pub value: u32,
}

/// Which variables hold which slot.
#[derive(Debug)]
pub struct Coding {
    slots: Vec<Slot>,
    /// What is coded as zero.
    low: Vec<u32>,
    /// The bits of each slot by their places in [`Vars::current`], the lowest first.
    bits: Vec<Vec<usize>>,
    /// The slots from the top to the bottom, at first.
    order: Vec<u32>,
    /// The variables.
    pub vars: Vars,
    sink: (u32, u32, Vec<u32>),
}

impl Coding {
    /// Makes variables for all slots, each pair of now and then side by side, in this order of the slots.
    pub fn new<B: Bdd, S: Observable>(bdd: &B, system: &S, sample: &Sample, order: &[u32]) -> Coding {
        let ranges = sample.ranges(system);
        let mut bits = vec![Vec::new(); ranges.len()];
        let mut count = 0;
        for &slot in order {
            let n = ranges[slot as usize].1 as usize;
            // The highest bit on top.
            bits[slot as usize] = (count..count + n).rev().collect();
            count += n;
        }
        let vars = crate::encode::interleaved(bdd, count as u32);
        let low = ranges.iter().map(|r| r.0).collect();
        Coding { slots: system.slots().to_vec(), low, bits, order: order.to_vec(), vars, sink: system.sink() }
    }

    /// How many bits a system has after a look around.
    pub fn guess<S: Observable>(system: &S, sample: &Sample) -> u32 {
        sample.ranges(system).iter().map(|r| r.1).sum()
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Is there no slot?
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The bits of a slot, by their places in [`Vars::current`], the lowest first.
    pub fn bits(&self, slot: u32) -> &[usize] {
        &self.bits[slot as usize]
    }

    /// Makes room for a value. Returns the new bits; in all codes so far they are zero.
    pub fn grow<B: Bdd>(&mut self, bdd: &B, wide: Wide) -> Vec<usize> {
        let more =
            bits_of(self.distance(wide.slot, wide.value)).saturating_sub(self.bits(wide.slot).len() as u32);
        let added = crate::encode::interleaved(bdd, more);
        let first = self.vars.current.len();
        let new: Vec<usize> = (first..first + more as usize).collect();
        // Above the other bits of the slot, or below those of the one before it; the highest on top.
        let mut order = bdd.order();
        let place = |b: usize| order.iter().position(|&v| v == self.vars.current[b]);
        let before = self.order.iter().take_while(|&&s| s != wide.slot);
        let above = before.filter_map(|&s| self.bits(s).first()).last();
        let top = self.bits(wide.slot).last().and_then(|&b| place(b));
        if let Some(place) = top.or_else(|| above.and_then(|&b| Some(place(b)? + 2))) {
            order.truncate(order.len() - 2 * more as usize);
            for (&now, &then) in added.current.iter().zip(&added.next) {
                order.splice(place..place, [now, then]);
            }
            bdd.set_order(&order);
        }
        self.vars.current.extend(added.current);
        self.vars.next.extend(added.next);
        self.bits[wide.slot as usize].extend(&new);
        new
    }

    fn distance(&self, slot: u32, value: u32) -> u32 {
        value.wrapping_sub(self.low[slot as usize]) & self.slots[slot as usize].mask
    }

    /// The literals of «the slot has this value»: now, or after the step.
    pub fn literals(
        &self,
        slot: u32,
        value: u32,
        then: bool,
        out: &mut Vec<(Var, bool)>,
    ) -> Result<(), Wide> {
        let code = self.distance(slot, value);
        if bits_of(code) as usize > self.bits(slot).len() {
            return Err(Wide { slot, value });
        }
        self.code(slot, code, then, out);
        Ok(())
    }

    fn code(&self, slot: u32, code: u32, then: bool, out: &mut Vec<(Var, bool)>) {
        let vars = if then { &self.vars.next } else { &self.vars.current };
        out.extend(self.bits(slot).iter().enumerate().map(|(i, &b)| (vars[b], code >> i & 1 == 1)));
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

    /// The state whose bits `bit` tells, where `s` tells what is in no slot.
    pub fn decode(&self, bit: &dyn Fn(usize) -> bool, s: &mut [u32]) {
        for slot in 0..self.slots.len() as u32 {
            self.decode_slot(slot, bit, s);
        }
        if self.slots[self.sink.0 as usize].load(s) == self.sink.1 {
            s.copy_from_slice(&self.sink.2);
        }
    }

    /// One slot of a state.
    pub fn decode_slot(&self, slot: u32, bit: &dyn Fn(usize) -> bool, s: &mut [u32]) {
        let code = self.bits(slot).iter().enumerate().fold(0, |c, (i, &b)| c | u32::from(bit(b)) << i);
        self.slots[slot as usize].store(s, self.low[slot as usize].wrapping_add(code));
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
