//! Where every variable lives in the words of a state.
//!
//! Shared variables and the counters and slots of buffered channels come first, then one frame per instance, each
//! starting at a word of its own, so that a step of one process changes the words of that process and few others.
//! A scalar takes just the bits of its domain and never straddles a word; an array element takes a power of two of
//! bits, so that indexing is shifting. What is aligned most comes first, which wastes least.
//!
//! A value is kept as its distance from the smallest value of its domain.

use crate::ids::{ChanId, InstanceId, LocId, ProcId, VarId};
use crate::program::{Domain, Program};

/// The most words that a state may have.
const MAX_WORDS: u64 = 1 << 16;

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// All ones, as many as the field has bits.
    pub mask: u32,
    /// What zero bits mean.
    pub min: i32,
}

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayField {
    /// The word of the first element.
    pub word: u32,
    /// How many elements would fit before the first one in its word.
    pub first: u16,
    /// The logarithm of the bits of an element.
    pub log: u8,
    /// The number of elements.
    pub len: u32,
    /// What zero bits mean.
    pub min: i32,
}

/// A variable's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A scalar.
    One(Field),
    /// An array.
    Many(ArrayField),
}

impl Field {
    /// The bits, as the distance from the smallest value.
    pub fn raw(self, s: &[u32]) -> u32 {
        (s[self.word as usize] >> self.shift) & self.mask
    }

    /// The value in the state `s`.
    pub fn load(self, s: &[u32]) -> i32 {
        (self.raw(s) as i32).wrapping_add(self.min)
    }

    /// Stores `v`, which must be in the domain.
    pub fn store(self, s: &mut [u32], v: i32) {
        let raw = v.wrapping_sub(self.min) as u32 & self.mask;
        let w = &mut s[self.word as usize];
        *w = *w & !(self.mask << self.shift) | raw << self.shift;
    }

    pub(crate) fn moved(self, words: u32) -> Field {
        // A field without bits is nowhere: word 0 will do, since there is a location with bits in every program.
        if self.mask == 0 { self } else { Field { word: self.word + words, ..self } }
    }
}

impl ArrayField {
    /// Element `i`, which must be less than `len`.
    pub fn element(self, i: u32) -> Field {
        let at = i + u32::from(self.first);
        let per = 5 - self.log;
        Field {
            word: self.word + (at >> per),
            shift: ((at & ((1 << per) - 1)) << self.log) as u8,
            mask: self.mask(),
            min: self.min,
        }
    }

    /// All ones, as many as an element has bits.
    pub fn mask(self) -> u32 {
        u32::MAX >> (32 - (1u32 << self.log))
    }
}

impl Slot {
    /// All its scalars.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        let len = match self {
            Slot::One(_) => 1,
            Slot::Many(a) => a.len,
        };
        (0..len).map(move |i| match self {
            Slot::One(f) => f,
            Slot::Many(a) => a.element(i),
        })
    }

    pub(crate) fn moved(self, words: u32) -> Slot {
        match self {
            Slot::One(f) => Slot::One(f.moved(words)),
            Slot::Many(a) => Slot::Many(ArrayField { word: a.word + words, ..a }),
        }
    }
}

/// Where a process type keeps its location, relative to the start of an instance's frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// How many words an instance has.
    pub words: u32,
    /// The location.
    pub location: Field,
}

/// Where a buffered channel keeps its messages, oldest first; free slots are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelLayout {
    /// How many messages there are.
    pub count: Field,
    /// For each value of a message, its slots.
    pub fields: Vec<ArrayField>,
}

/// A state would have more words than are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// So many words, at least.
    pub words: u64,
}

/// The layout of a program's states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    words: u32,
    slots: Vec<Slot>,
    local: Vec<bool>,
    channels: Vec<Option<ChannelLayout>>,
    frames: Vec<Frame>,
    starts: Vec<u32>,
    of: Vec<ProcId>,
    /// The instance that is at location number `fault` in the fault state.
    marker: InstanceId,
    fault: u32,
}

impl Layout {
    /// Lays out `program`, which must be well formed.
    pub fn new(program: &Program) -> Result<Layout, TooLarge> {
        let mut slots = vec![None; program.vars.len()];
        let mut shared = Packer::default();
        let mut wanted = Vec::new();
        let (shared_vars, local_vars) = program.variables_by_owner();
        let wish = |v: VarId| {
            let var = &program.vars[v.index()];
            Wish { what: What::Var(v.index()), domain: var.domain, len: var.len }
        };
        wanted.extend(shared_vars.into_iter().map(wish));
        for (c, channel) in program.channels.iter().enumerate().filter(|(_, c)| c.capacity > 0) {
            let count = Domain { min: 0, max: channel.capacity.min(i32::MAX as u32) as i32 };
            wanted.push(Wish { what: What::Count(c), domain: count, len: None });
            for (f, &domain) in channel.fields.iter().enumerate() {
                wanted.push(Wish { what: What::Message(c, f), domain, len: Some(channel.capacity) });
            }
        }
        let mut counts = vec![None; program.channels.len()];
        let mut messages: Vec<Vec<Option<ArrayField>>> =
            program.channels.iter().map(|c| vec![None; c.fields.len()]).collect();
        for (what, slot) in shared.place(wanted)? {
            match (what, slot) {
                (What::Var(v), _) => slots[v] = Some(slot),
                (What::Count(c), Slot::One(f)) => counts[c] = Some(f),
                (What::Message(c, f), Slot::Many(a)) => messages[c][f] = Some(a),
                _ => {}
            }
        }
        let channels = counts
            .into_iter()
            .zip(messages)
            .map(|(count, fields)| {
                count.map(|count| ChannelLayout { count, fields: fields.into_iter().flatten().collect() })
            })
            .collect();

        // The first instance but the claim has one location more than it needs: in the fault state it is there.
        let marker = program.instance_ids().find(|&i| Some(i) != program.claim).unwrap_or(InstanceId(0));
        let first = program.instances.get(marker.index()).map(|i| i.process);
        let mut frames = Vec::new();
        for (p, process) in program.processes.iter().enumerate() {
            let extra = usize::from(first == Some(ProcId::new(p)));
            let domain = Domain { min: 0, max: (process.locations.len() - 1 + extra) as i32 };
            let mut wanted = vec![Wish { what: What::Location, domain, len: None }];
            wanted.extend(local_vars[p].iter().copied().map(wish));
            let mut packer = Packer::default();
            let mut location = None;
            for (what, slot) in packer.place(wanted)? {
                match (what, slot) {
                    (What::Var(v), _) => slots[v] = Some(slot),
                    (What::Location, Slot::One(f)) => location = Some(f),
                    _ => {}
                }
            }
            let location = location.expect("a location was placed");
            frames.push(Frame { words: packer.words() as u32, location });
        }
        let mut words = shared.words();
        let mut starts = Vec::new();
        for instance in &program.instances {
            starts.push(words as u32);
            words += u64::from(frames[instance.process.index()].words);
            if words > MAX_WORDS {
                return Err(TooLarge { words });
            }
        }
        Ok(Layout {
            words: words as u32,
            slots: slots.into_iter().map(|s| s.expect("every variable was placed")).collect(),
            local: program.vars.iter().map(|v| v.owner.is_some()).collect(),
            channels,
            frames,
            starts,
            of: program.instances.iter().map(|i| i.process).collect(),
            marker,
            fault: first.map_or(0, |p| program.processes[p.index()].locations.len() as u32),
        })
    }

    /// How many words a state has.
    pub fn words(&self) -> usize {
        self.words as usize
    }

    /// How many bits of a state carry information.
    pub fn bits(&self, program: &Program) -> u64 {
        let of = |v: &crate::Variable| u64::from(v.domain.bits()) * u64::from(v.len.unwrap_or(1));
        let shared: u64 = program.vars.iter().filter(|v| v.owner.is_none()).map(of).sum();
        let frames = program.instances.iter().map(|i| {
            let locals: u64 = program.vars.iter().filter(|v| v.owner == Some(i.process)).map(of).sum();
            locals + u64::from(self.frames[i.process.index()].location.mask.count_ones())
        });
        shared + frames.sum::<u64>()
    }

    /// Where `var` is, for `instance` if it is local.
    pub fn slot(&self, var: VarId, instance: InstanceId) -> Slot {
        let slot = self.slots[var.index()];
        if self.local[var.index()] { slot.moved(self.starts[instance.index()]) } else { slot }
    }

    /// Where the location of `instance` is.
    pub fn location(&self, instance: InstanceId) -> Field {
        self.frames[self.of[instance.index()].index()].location.moved(self.starts[instance.index()])
    }

    /// Where `instance` is in the state `s`; none in the fault state.
    pub fn at(&self, instance: InstanceId, s: &[u32]) -> Option<LocId> {
        (!self.is_fault(s)).then(|| LocId(self.location(instance).raw(s)))
    }

    /// The words of `instance`.
    pub fn frame(&self, instance: InstanceId) -> std::ops::Range<usize> {
        let start = self.starts[instance.index()] as usize;
        start..start + self.frames[self.of[instance.index()].index()].words as usize
    }

    /// Where a buffered channel is.
    pub fn channel(&self, channel: ChanId) -> Option<&ChannelLayout> {
        self.channels[channel.index()].as_ref()
    }

    /// Writes the fault state: everything is zero, and one instance is at no location of its own.
    pub fn fault(&self, s: &mut [u32]) {
        s[..self.words()].fill(0);
        self.location(self.marker).store(s, self.fault as i32);
    }

    /// The instance by whose location the fault state is known, and that location.
    pub(crate) fn marker(&self) -> (InstanceId, u32) {
        (self.marker, self.fault)
    }

    /// Is `s` the fault state?
    pub fn is_fault(&self, s: &[u32]) -> bool {
        self.location(self.marker).raw(s) == self.fault
    }
}

/// What is to be placed.
#[derive(Clone, Copy)]
enum What {
    Var(usize),
    Location,
    Count(usize),
    Message(usize, usize),
}

/// What is to be placed, known to the caller as a `T`.
pub(crate) struct Wish<T> {
    pub what: T,
    pub domain: Domain,
    pub len: Option<u32>,
}

impl<T> Wish<T> {
    /// The logarithm of the bits of an array element.
    fn log(&self) -> u32 {
        self.domain.bits().max(1).next_power_of_two().trailing_zeros()
    }
}

/// Places variables, one after the other.
#[derive(Default)]
pub(crate) struct Packer {
    /// The next free bit.
    bit: u64,
}

impl Packer {
    pub fn words(&self) -> u64 {
        self.bit.div_ceil(32)
    }

    /// Places all, arrays before scalars, wide before narrow, otherwise in order.
    pub fn place<T>(&mut self, mut wanted: Vec<Wish<T>>) -> Result<Vec<(T, Slot)>, TooLarge> {
        wanted.sort_by_key(|w| {
            (w.len.is_none(), std::cmp::Reverse(if w.len.is_some() { w.log() } else { w.domain.bits() }))
        });
        wanted
            .into_iter()
            .map(|w| {
                let slot = self.one(&w)?;
                Ok((w.what, slot))
            })
            .collect()
    }

    fn one<T>(&mut self, wish: &Wish<T>) -> Result<Slot, TooLarge> {
        let min = wish.domain.min;
        let slot = if let Some(len) = wish.len {
            let log = wish.log();
            self.bit = self.bit.next_multiple_of(1 << log);
            let slot = ArrayField {
                word: (self.bit / 32) as u32,
                first: ((self.bit % 32) >> log) as u16,
                log: log as u8,
                len,
                min,
            };
            self.bit += u64::from(len) << log;
            Slot::Many(slot)
        } else {
            let bits = u64::from(wish.domain.bits());
            if self.bit % 32 + bits > 32 {
                self.bit = self.bit.next_multiple_of(32);
            }
            let mask = if bits == 0 { 0 } else { u32::MAX >> (32 - bits) };
            let word = if bits == 0 { 0 } else { (self.bit / 32) as u32 };
            let slot = Field { word, shift: if bits == 0 { 0 } else { (self.bit % 32) as u8 }, mask, min };
            self.bit += bits;
            Slot::One(slot)
        };
        if self.words() > MAX_WORDS {
            return Err(TooLarge { words: self.words() });
        }
        Ok(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Nothing overlaps, nothing straddles, every value comes back.
        #[test]
        fn fields_are_disjoint(
            wishes in prop::collection::vec((any::<i32>(), 0u32..70000, prop::option::of(1u32..9)), 1..20),
            seed in any::<u32>(),
        ) {
            let wanted: Vec<Wish<What>> = wishes
                .iter()
                .enumerate()
                .map(|(i, &(min, extent, len))| {
                    let min = min.min(i32::MAX - 70000);
                    let domain = Domain { min, max: min + extent as i32 };
                    Wish { what: What::Var(i), domain, len }
                })
                .collect();
            let domains: Vec<Domain> = wanted.iter().map(|w| w.domain).collect();
            let mut packer = Packer::default();
            let placed = packer.place(wanted).unwrap();
            let mut words = vec![0u32; packer.words() as usize + 1];
            let mut used = vec![0u32; words.len()];
            let mut stored = Vec::new();
            let mut x = seed;
            for (what, slot) in placed {
                let What::Var(v) = what else { unreachable!() };
                for field in slot.fields() {
                    let bits = field.mask << field.shift;
                    prop_assert_eq!(bits >> field.shift, field.mask);
                    prop_assert_eq!(used[field.word as usize] & bits, 0);
                    used[field.word as usize] |= bits;
                    x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                    let value = domains[v].min + (x % (domains[v].extent() + 1)) as i32;
                    field.store(&mut words, value);
                    stored.push((field, value));
                }
            }
            for (field, value) in stored {
                prop_assert_eq!(field.load(&words), value);
            }
        }
    }
}
