//! A graph that is written down, with sets as strings of bits.
//!
//! The oracle of the tests, and the space in which the paper's experiment on random graphs is repeated.

use crate::Space;
use riata_system::Stop;

/// A set of states.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set of states below `n`.
    pub fn new(n: usize) -> Self {
        BitSet(vec![0; n.div_ceil(64)])
    }

    /// Is `i` in the set?
    pub fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Adds `i`.
    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(w, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let i = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (i < 64).then_some(w * 64 + i as usize)
            })
        })
    }

    fn zip(&self, other: &BitSet, op: impl Fn(u64, u64) -> u64) -> BitSet {
        BitSet(self.0.iter().zip(&other.0).map(|(&a, &b)| op(a, b)).collect())
    }
}

/// A graph that is written down.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    /// The successors of each state.
    pub post: Vec<Vec<u32>>,
    /// The predecessors of each state.
    pub pre: Vec<Vec<u32>>,
}

impl Bits {
    /// A graph of `n` states with these edges, whose ends are below `n`.
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Self {
        let mut graph = Bits { post: vec![Vec::new(); n], pre: vec![Vec::new(); n] };
        for &(a, b) in edges {
            graph.post[a as usize].push(b);
            graph.pre[b as usize].push(a);
        }
        graph
    }

    fn image(&self, a: &BitSet, edges: &[Vec<u32>]) -> BitSet {
        let mut image = BitSet::new(edges.len());
        a.iter().flat_map(|s| &edges[s]).for_each(|&t| image.insert(t as usize));
        image
    }
}

impl Space for Bits {
    type Set = BitSet;

    fn none(&self) -> BitSet {
        BitSet::new(self.post.len())
    }

    fn all(&self) -> BitSet {
        let mut all = self.none();
        (0..self.post.len()).for_each(|i| all.insert(i));
        all
    }

    fn and(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        Ok(a.zip(b, |a, b| a & b))
    }

    fn or(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        Ok(a.zip(b, |a, b| a | b))
    }

    fn minus(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        Ok(a.zip(b, |a, b| a & !b))
    }

    fn pre(&self, a: &BitSet) -> Result<BitSet, Stop> {
        Ok(self.image(a, &self.pre))
    }

    fn post(&self, a: &BitSet) -> Result<BitSet, Stop> {
        Ok(self.image(a, &self.post))
    }

    fn pick(&self, a: &BitSet) -> Result<BitSet, Stop> {
        let mut one = self.none();
        a.iter().take(1).for_each(|i| one.insert(i));
        Ok(one)
    }

    fn size(&self, a: &BitSet) -> usize {
        a.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    fn settle(&self) -> Result<(), Stop> {
        Ok(())
    }
}
