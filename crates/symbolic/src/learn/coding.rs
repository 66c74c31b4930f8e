//! Slots as bits: which variables of the diagrams hold which part of a state.
//!
//! A slot has the bits of its type, and most types are larger than what a program uses of them. A bit that never
//! changes is a level in every diagram, so a slot gets only the bits that a few states show to be needed, and more when
//! a value comes that they cannot hold. More bits or more [values](super::values) never change the code of a value.

use super::values::{Codes, Seen, bits_of};
use crate::bdd::{Bdd, Var};
use crate::relation::Vars;
use riata_system::{Observable, Slot, Stop};
use std::collections::HashSet;

/// States that are looked at before the work begins: the first ones in the order of a breadth-first search, and those
/// on random ways, which go deeper. None is the sink.
pub struct Sample {
    /// The states near the initial ones.
    pub near: Vec<Vec<u32>>,
    /// Some of those on the random ways.
    pub far: Vec<Vec<u32>>,
    seen: Vec<Seen>,
}

/// So many states of each random way are kept.
const KEPT: usize = 16;

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
        let seen = vec![Seen::default(); system.slots().len()];
        let mut this = Sample { near: Vec::new(), far: Vec::new(), seen };
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
            for step in 1..=sampling.steps {
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
                if step.is_multiple_of((sampling.steps / KEPT).max(1)) {
                    self.far.push(s.clone());
                }
            }
        }
    }

    fn note(&mut self, slots: &[Slot], s: &[u32]) {
        slots.iter().zip(&mut self.seen).for_each(|(slot, seen)| seen.note(slot.load(s)));
    }

    /// Were several values of a slot seen?
    pub fn varies(&self, slot: u32) -> bool {
        self.seen[slot as usize].varies()
    }

    /// The codes of each slot's values, and how many bits they need.
    fn codes<S: Observable>(&self, system: &S) -> Vec<(Codes, u32)> {
        let (sink, fault, _) = system.sink();
        let codes = |(i, (slot, seen)): (u32, (&Slot, &Seen))| {
            let mut seen = seen.clone();
            if i == sink {
                // It needs room for the sink, which was not seen.
                seen.note(fault);
            }
            seen.codes(slot.mask)
        };
        (0u32..).zip(system.slots().iter().zip(&self.seen)).map(codes).collect()
    }
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
    codes: Vec<Codes>,
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
        let (codes, widths): (Vec<Codes>, Vec<u32>) = sample.codes(system).into_iter().unzip();
        let mut bits = vec![Vec::new(); widths.len()];
        let mut count = 0;
        for &slot in order {
            let n = widths[slot as usize] as usize;
            // The highest bit on top.
            bits[slot as usize] = (count..count + n).rev().collect();
            count += n;
        }
        let vars = crate::encode::interleaved(bdd, count as u32);
        Coding {
            slots: system.slots().to_vec(),
            codes,
            bits,
            order: order.to_vec(),
            vars,
            sink: system.sink(),
        }
    }

    /// How many bits each slot has after a look around.
    pub fn widths<S: Observable>(system: &S, sample: &Sample) -> Vec<u32> {
        sample.codes(system).iter().map(|c| c.1).collect()
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

    /// Makes room for a value. Returns the new bits, if it needs some; in all codes so far they are zero.
    pub fn grow<B: Bdd>(&mut self, bdd: &B, wide: Wide) -> Vec<usize> {
        let code = self.codes[wide.slot as usize].add(wide.value, self.slots[wide.slot as usize].mask);
        let more = bits_of(code).saturating_sub(self.bits(wide.slot).len() as u32);
        if more == 0 {
            return Vec::new();
        }
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

    /// The literals of «the slot has this value»: now, or after the step.
    pub fn literals(
        &self,
        slot: u32,
        value: u32,
        then: bool,
        out: &mut Vec<(Var, bool)>,
    ) -> Result<(), Wide> {
        let code = self.codes[slot as usize].of(value, self.slots[slot as usize].mask);
        match code.filter(|&code| bits_of(code) as usize <= self.bits(slot).len()) {
            Some(code) => self.code(slot, code, then, out),
            None => return Err(Wide { slot, value }),
        }
        Ok(())
    }

    /// The states in which a slot has a value that has a code.
    pub fn coded<B: Bdd>(&self, bdd: &B, slot: u32) -> Result<B::F, Stop> {
        let (bits, all) = (self.bits(slot), bdd.constant(true));
        let Some(open) = self.codes[slot as usize].open().filter(|&n| n >> bits.len() == 0) else {
            return Ok(all);
        };
        // Less than the first that is open: what the lower bits tell, then the next one.
        bits.iter().enumerate().try_fold(bdd.constant(false), |less, (i, &b)| {
            let bit = bdd.var(self.vars.current[b])?;
            if open >> i & 1 == 1 { bdd.ite(&bit, &less, &all) } else { bdd.minus(&less, &bit) }
        })
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
        self.slots[slot as usize].store(s, self.codes[slot as usize].value(code));
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
