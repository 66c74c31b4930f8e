//! Random automata: the digraphs of FFKVY01, and generalised Büchi automata of chosen shape.
//!
//! FFKVY01 section 3.1 uses Karp's model of random digraphs D(n, d/n), with the number of edges fixed to its expected
//! value: `m = round(d·n)` distinct edges among the `n(n−1)` candidates, and a fair set of fixed size. That is
//! [`Shape`] with its defaults and [`Shape::fair`]. Other shapes are made of blocks, with edges only inside a block
//! and to later ones, so that the components are known before the edges are drawn.
//!
//! Everything is a function of the seed, the same on every machine, and takes time O(n + m).
//!
//! # References
//! - K. Fisler, R. Fraer, G. Kamhi, M. Y. Vardi, Z. Yang, *Is there a best symbolic cycle-detection algorithm?*,
//!   TACAS 2001.
//! - R. M. Karp, *The transitive closure of a random digraph*, Random Structures and Algorithms 1(1), 1990.
//! - R. W. Floyd and J. Bentley, *A sample of brilliance*, CACM 30(9), 1987.

use crate::scc::Sccs;
use crate::{Edge, Label, Marks, Tgba};
use std::collections::HashSet;

/// A small generator of random numbers, SplitMix64: its stream is part of what `--seed` promises.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, each equally likely; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // Lemire's multiplication; what would make small numbers likelier is drawn again.
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        ((self.bits() >> 11) as f64) < p * (1u64 << 53) as f64
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// What is known of the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Structure {
    /// Nothing.
    #[default]
    Free,
    /// Weak: a block carries all marks, or one of them nowhere.
    Weak,
    /// Terminal: the last block carries all marks and is never left or stuck; no edge before it carries all.
    Terminal,
}

/// A kind of random automata. State 0 is initial.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many states.
    pub states: u32,
    /// Edges per state; the number of edges is this times the number of states, rounded.
    pub density: f64,
    /// How many acceptance sets.
    pub sets: u32,
    /// How likely a state or edge belongs to a set.
    pub mark_probability: f64,
    /// The exact number of states in each set, instead of a probability; implies acceptance on states.
    pub fair: Option<u32>,
    /// Acceptance on states rather than on edges.
    pub on_states: bool,
    /// How many blocks the states are cut into.
    pub blocks: u32,
    /// What the components are like.
    pub structure: Structure,
    /// Takes one mark from each accepting component, so that the language is empty.
    pub empty: bool,
    /// How many atomic propositions the labels speak of; without any, every label is true.
    pub aps: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            states: 10,
            density: 2.0,
            sets: 1,
            mark_probability: 0.1,
            fair: None,
            on_states: false,
            blocks: 1,
            structure: Structure::Free,
            empty: false,
            aps: 0,
        }
    }
}

impl Shape {
    /// An automaton of this shape.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn generate(&self, seed: u64) -> Result<Tgba, String> {
        let count = self.check()?;
        let mut rng = Rng::new(seed);
        let mut edges = if self.blocks == 1 && self.structure == Structure::Free {
            distinct_edges(&mut rng, self.states, count)
        } else {
            self.block_edges(&mut rng, count)
        };
        let mut a = Tgba::default();
        a.aps = (0..self.aps).map(|i| format!("p{i}")).collect();
        a.sets = self.sets;
        a.initial = vec![0; usize::from(self.states > 0)];
        if self.on_states || self.fair.is_some() {
            let marks = self.state_marks(&mut rng);
            for (s, e) in &mut edges {
                e.marks = marks[*s as usize];
            }
            a.state_marks = Some(marks);
        } else {
            for (s, e) in &mut edges {
                e.marks = self.marks(&mut rng, *s, e.to);
            }
        }
        if self.aps > 0 {
            for (_, e) in &mut edges {
                e.label = self.label(&mut rng, &mut a);
            }
        }
        a.set_edges(self.states as usize, &edges);
        if self.empty {
            make_empty(&mut a, &mut edges, &mut rng);
        }
        Ok(a)
    }

    /// The number of edges, if the shape is possible.
    fn check(&self) -> Result<u64, String> {
        let n = u64::from(self.states);
        if self.states >= 1 << 31 || self.aps >= 1 << 20 {
            return Err("too many states or propositions".into());
        }
        if self.sets > Marks::MAX {
            return Err(format!("at most {} acceptance sets", Marks::MAX));
        }
        if !(0.0..=1e9).contains(&self.density) || !(0.0..=1.0).contains(&self.mark_probability) {
            return Err("the density must not be negative, and a probability lies between 0 and 1".into());
        }
        let count = (self.density * n as f64).round() as u64;
        if self.blocks == 1 && self.structure == Structure::Free && count > n * n.saturating_sub(1) {
            return Err(format!("{n} states have at most {} different edges", n * n.saturating_sub(1)));
        }
        if count >= 1 << 32 || (n == 0 && count > 0) {
            return Err("too many edges".into());
        }
        if self.fair.is_some_and(|f| f > self.states) {
            return Err("the fair set cannot be larger than the set of states".into());
        }
        if self.fair.is_some() && self.structure != Structure::Free {
            return Err("a weak or terminal automaton cannot have a fair set of fixed size".into());
        }
        if self.blocks == 0 {
            return Err("there must be one block at least".into());
        }
        if self.empty && self.sets == 0 {
            return Err(
                "without acceptance sets every infinite run is accepting: the language cannot be made empty"
                    .into(),
            );
        }
        if self.empty && self.structure == Structure::Terminal {
            return Err("a terminal automaton whose last block is reached is not empty".into());
        }
        Ok(count)
    }

    /// The block of a state, and the states of a block: cut as evenly as possible.
    fn block(&self, s: u32) -> u64 {
        u64::from(s) * u64::from(self.blocks) / u64::from(self.states)
    }

    fn block_start(&self, block: u64) -> u64 {
        (block * u64::from(self.states)).div_ceil(u64::from(self.blocks))
    }

    fn last_block(&self) -> u64 {
        self.block(self.states - 1)
    }

    /// Edges inside blocks and to later ones; half of them stay inside.
    fn block_edges(&self, rng: &mut Rng, count: u64) -> Vec<(u32, Edge)> {
        let n = u64::from(self.states);
        let mut edges = Vec::with_capacity(count as usize);
        let mut out = vec![false; self.states as usize];
        for _ in 0..count {
            let s = rng.below(n);
            let (start, end) =
                (self.block_start(self.block(s as u32)), self.block_start(self.block(s as u32) + 1));
            let to =
                if rng.chance(0.5) { start + rng.below(end - start) } else { start + rng.below(n - start) };
            out[s as usize] = true;
            edges.push(plain(s, to));
        }
        if self.structure == Structure::Terminal {
            for s in 0..n {
                let needs = self.sets == 0 || self.block(s as u32) == self.last_block();
                if needs && !out[s as usize] {
                    let start = self.block_start(self.block(s as u32));
                    edges.push(plain(s, start + rng.below(n - start)));
                }
            }
        }
        edges
    }

    fn state_marks(&self, rng: &mut Rng) -> Vec<Marks> {
        if let Some(size) = self.fair {
            let mut marks = vec![Marks::NONE; self.states as usize];
            let mut states: Vec<u32> = (0..self.states).collect();
            for set in 0..self.sets {
                // The first `size` places of a shuffle.
                for i in 0..size as usize {
                    let j = i + rng.below((states.len() - i) as u64) as usize;
                    states.swap(i, j);
                    marks[states[i] as usize] |= Marks::one(set);
                }
            }
            return marks;
        }
        (0..self.states).map(|s| self.marks(rng, s, s)).collect()
    }

    /// The marks of an edge, or those of a state when both ends are the same.
    fn marks(&self, rng: &mut Rng, s: u32, to: u32) -> Marks {
        let all = Marks::first(self.sets);
        let random: Marks = (0..self.sets).filter(|_| rng.chance(self.mark_probability)).collect();
        // What a block lacks is a function of the block, since a component must lack one mark everywhere.
        let mut own = Rng::new(self.block(s).wrapping_mul(0x2545_f491_4f6c_dd1d) ^ u64::from(self.sets));
        match self.structure {
            _ if self.sets == 0 => all,
            Structure::Free => random,
            Structure::Weak if self.block(s) != self.block(to) => random,
            Structure::Weak => match own.below(u64::from(self.sets) + 1) as u32 {
                lacks if lacks < self.sets => random.without(Marks::one(lacks)),
                _ => all,
            },
            Structure::Terminal if self.block(s) == self.last_block() => all,
            Structure::Terminal => random.without(Marks::one(own.below(u64::from(self.sets)) as u32)),
        }
    }

    /// A random cube: each proposition true, false or free.
    fn label(&self, rng: &mut Rng, a: &mut Tgba) -> Label {
        let mut cube = Label::TRUE;
        for var in (0..self.aps).rev() {
            cube = match rng.below(3) {
                0 => a.labels.make(var, Label::FALSE, cube),
                1 => a.labels.make(var, cube, Label::FALSE),
                _ => cube,
            };
        }
        cube
    }
}

fn plain(s: u64, to: u64) -> (u32, Edge) {
    (s as u32, Edge { to: to as u32, label: Label::TRUE, marks: Marks::NONE })
}

/// `count` different edges without self-loops, in random order: Floyd's sample of the numbers below n(n−1).
fn distinct_edges(rng: &mut Rng, states: u32, count: u64) -> Vec<(u32, Edge)> {
    let n = u64::from(states);
    let candidates = n * n.saturating_sub(1);
    let mut chosen = HashSet::with_capacity(count as usize);
    let mut edges = Vec::with_capacity(count as usize);
    for j in candidates - count..candidates {
        let t = rng.below(j + 1);
        let e = if chosen.insert(t) { t } else { j };
        chosen.insert(e);
        let (s, to) = (e / (n - 1), e % (n - 1));
        edges.push(plain(s, to + u64::from(to >= s)));
    }
    rng.shuffle(&mut edges);
    edges
}

/// Takes one mark from the edges inside each accepting component.
fn make_empty(a: &mut Tgba, edges: &mut [(u32, Edge)], rng: &mut Rng) {
    let sccs = Sccs::new(a);
    let lacks: Vec<Option<Marks>> = sccs
        .components
        .iter()
        .map(|c| c.accepting.then(|| Marks::one(rng.below(u64::from(a.sets)) as u32)))
        .collect();
    let lack = |s: u32| lacks.get(sccs.of[s as usize] as usize).copied().flatten().unwrap_or(Marks::NONE);
    for (s, e) in edges.iter_mut() {
        if a.state_marks.is_some() || sccs.of[*s as usize] == sccs.of[e.to as usize] {
            e.marks = e.marks.without(lack(*s));
        }
    }
    for (s, m) in a.state_marks.iter_mut().flatten().enumerate() {
        *m = m.without(lack(s as u32));
    }
    a.set_edges(a.states(), edges);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoa::{Automaton, to_string};

    #[test]
    fn digraphs_have_exactly_the_edges_and_the_fair_set() {
        for (n, d, fair) in [(4096, 1.2, 40), (100, 2.4, 90), (5, 4.0, 5), (1, 0.0, 1), (0, 0.0, 0)] {
            let shape = Shape { states: n, density: d, fair: Some(fair), ..Shape::default() };
            let a = shape.generate(7).expect("possible");
            assert_eq!(a.edge_count(), (d * f64::from(n)).round() as usize);
            let marks = a.state_marks.as_ref().expect("on states");
            assert_eq!(marks.iter().filter(|m| m.has(0)).count(), fair as usize);
            let mut seen = HashSet::new();
            for s in 0..n {
                for e in a.edges(s) {
                    assert!(e.to != s && seen.insert((s, e.to)) && e.marks == marks[s as usize]);
                }
            }
        }
        assert!(Shape { states: 3, density: 3.0, ..Shape::default() }.generate(0).is_err());
    }

    #[test]
    fn every_edge_is_equally_likely() {
        // 20 candidates, 5 chosen, 4000 times: each about 1000 times.
        let shape = Shape { states: 5, density: 1.0, ..Shape::default() };
        let mut hits = [[0u32; 5]; 5];
        for seed in 0..4000 {
            let a = shape.generate(seed).expect("possible");
            for s in 0..5 {
                a.edges(s).iter().for_each(|e| hits[s as usize][e.to as usize] += 1);
            }
        }
        for (s, row) in hits.iter().enumerate() {
            for (t, &h) in row.iter().enumerate() {
                assert!(if s == t { h == 0 } else { (850..1150).contains(&h) }, "{hits:?}");
            }
        }
    }

    #[test]
    fn the_stream_of_a_seed_is_fixed() {
        let mut rng = Rng::new(1);
        assert_eq!([rng.bits(), rng.bits()], [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
        let shape =
            Shape { states: 3, density: 1.0, sets: 2, mark_probability: 0.5, aps: 1, ..Shape::default() };
        let one = to_string(&Automaton::from(shape.generate(5).expect("possible")));
        assert_eq!(one, to_string(&Automaton::from(shape.generate(5).expect("possible"))));
        assert_ne!(one, to_string(&Automaton::from(shape.generate(6).expect("possible"))));
    }

    #[test]
    fn empty_ones_have_no_accepting_component() {
        let mut nonempty = 0;
        for seed in 0..500 {
            let mut shape = Shape {
                states: 1 + (seed % 30) as u32,
                density: 0.9,
                sets: 1 + (seed % 3) as u32,
                mark_probability: 0.7,
                on_states: seed % 2 == 0,
                blocks: 1 + (seed % 4) as u32,
                ..Shape::default()
            };
            if shape.blocks == 1 && shape.states == 1 {
                continue;
            }
            let accepting = |a: &Tgba| Sccs::new(a).components.iter().any(|c| c.accepting);
            nonempty += usize::from(accepting(&shape.generate(seed).expect("possible")));
            shape.empty = true;
            let a = shape.generate(seed).expect("possible");
            assert!(!accepting(&a));
            for s in 0..shape.states {
                let marks = a.state_marks.as_ref().map(|m| m[s as usize]);
                assert!(a.edges(s).iter().all(|e| marks.is_none_or(|m| m == e.marks)));
            }
        }
        assert!(nonempty > 50, "{nonempty}");
    }
}
