//! The tree-compressed table: lossless, a few bytes a state.
//!
//! A state of `n > 1` words is the pair of its first `2^k` words and the rest (`2^k < n` as large as possible), each
//! again such a pair, down to single words. Every pair is stored once, in the table of its length. Neighbouring
//! states share most of their parts, so nearly all of the memory is in the roots: one pair of small numbers a state.
//!
//! The number of a pair is its place in order of arrival, not its slot in a hash table: so the tables grow without
//! limit and the identities stay. When states of several lengths occur, one more table of (length, root) pairs gives
//! the identities.
//!
//! # References
//! Laarman, van de Pol, Weber: Parallel recursive state compression for free. SPIN 2011. There a number is a slot of
//! a table of fixed size; here it is not, which costs one index entry a pair and buys growth.

use crate::pairs::Pairs;
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Store};

/// All states, compressed. Identities are numbers in order of arrival.
pub struct Tree {
    /// By length of the part, the pairs of its halves; `None` for lengths that did not occur.
    tables: Vec<Option<Pairs>>,
    /// By length of the state, its roots.
    roots: Vec<Option<Pairs>>,
    shape: Shape,
    held: usize,
    limit: usize,
}

enum Shape {
    /// No state yet.
    Empty,
    /// All states have this length; identities are the numbers of the roots.
    One(usize),
    /// Identities are the numbers of the pairs (length, root).
    Many(Pairs),
}

/// How a part of `n > 1` words is cut.
fn cut(n: usize) -> usize {
    1 << (usize::BITS - 1 - (n - 1).leading_zeros())
}

fn table(tables: &mut Vec<Option<Pairs>>, n: usize) -> &mut Pairs {
    if tables.len() <= n {
        tables.resize_with(n + 1, || None);
    }
    tables[n].get_or_insert_with(Pairs::new)
}

impl Tree {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Tree { tables: Vec::new(), roots: Vec::new(), shape: Shape::Empty, held: 0, limit }
    }

    /// Interns a pair in one of the tables and keeps account of the memory.
    fn enter(pairs: &mut Pairs, a: u32, b: u32, held: &mut usize, limit: usize) -> Result<u32, Full> {
        let before = pairs.bytes();
        let id = pairs.intern(a, b, limit.saturating_add(before).saturating_sub(*held))?;
        *held += pairs.bytes() - before.min(pairs.bytes());
        Ok(id)
    }

    /// The number of a part: a word is its own. Recursion ends at depth log2 of the length.
    fn part(&mut self, s: &[u32]) -> Result<u32, Full> {
        if let [word] = s {
            return Ok(*word);
        }
        let (a, b) = self.halves(s)?;
        Self::enter(table(&mut self.tables, s.len()), a, b, &mut self.held, self.limit)
    }

    /// The numbers of the two halves of a state; a state of one word has no second half, and one of none no first.
    fn halves(&mut self, s: &[u32]) -> Result<(u32, u32), Full> {
        match s {
            [] => Ok((0, 0)),
            [word] => Ok((*word, 0)),
            _ => {
                let (left, right) = s.split_at(cut(s.len()));
                Ok((self.part(left)?, self.part(right)?))
            }
        }
    }

    fn find_halves(&self, s: &[u32]) -> Option<(u32, u32)> {
        match s {
            [] => Some((0, 0)),
            [word] => Some((*word, 0)),
            _ => {
                let (left, right) = s.split_at(cut(s.len()));
                Some((self.find_part(left)?, self.find_part(right)?))
            }
        }
    }

    fn find_part(&self, s: &[u32]) -> Option<u32> {
        if let [word] = s {
            return Some(*word);
        }
        let (a, b) = self.find_halves(s)?;
        self.tables.get(s.len())?.as_ref()?.find(a, b)
    }

    /// The identity of the state of length `n` with number `root` in its table.
    fn identity(&mut self, n: usize, root: u32) -> Result<u32, Full> {
        match &mut self.shape {
            Shape::Empty => self.shape = Shape::One(n),
            Shape::One(m) if *m == n => {}
            Shape::One(m) => {
                // A second length: the states so far keep their numbers.
                let (m, mut all) = (*m as u32, Pairs::new());
                let known = self.roots[m as usize].as_ref().map_or(0, Pairs::len) as u32;
                for r in 0..known {
                    Self::enter(&mut all, m, r, &mut self.held, self.limit)?;
                }
                self.shape = Shape::Many(all);
                return self.identity(n, root);
            }
            Shape::Many(all) => return Self::enter(all, n as u32, root, &mut self.held, self.limit),
        }
        Ok(root)
    }

    fn unfold(&self, n: usize, (a, b): (u32, u32), out: &mut Vec<u32>) {
        match n {
            0 => {}
            1 => out.push(a),
            _ => {
                self.unfold_part(cut(n), a, out);
                self.unfold_part(n - cut(n), b, out);
            }
        }
    }

    fn unfold_part(&self, n: usize, id: u32, out: &mut Vec<u32>) {
        if n == 1 {
            return out.push(id);
        }
        let pairs = self.tables[n].as_ref().expect("a table for each length of a part");
        self.unfold(n, pairs.get(id), out);
    }
}

impl Store for Tree {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        let halves = self.halves(s)?;
        self.arrives(s, halves)
    }

    fn bytes(&self) -> usize {
        self.held
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

impl Numbered for Tree {
    fn find(&self, s: &[u32]) -> Option<u32> {
        let (a, b) = self.find_halves(s)?;
        let root = self.roots.get(s.len())?.as_ref()?.find(a, b)?;
        match &self.shape {
            Shape::Many(all) => all.find(s.len() as u32, root),
            _ => Some(root),
        }
    }
}

impl Recall for Tree {
    fn len(&self) -> usize {
        match &self.shape {
            Shape::Empty => 0,
            Shape::One(n) => self.roots[*n].as_ref().map_or(0, Pairs::len),
            Shape::Many(all) => all.len(),
        }
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        let (n, root) = match &self.shape {
            Shape::Empty => return,
            Shape::One(n) => (*n, id),
            Shape::Many(all) => {
                let (n, root) = all.get(id);
                (n as usize, root)
            }
        };
        let roots = self.roots[n].as_ref().expect("a table for each length of a state");
        self.unfold(n, roots.get(root), out);
    }

    /// The numbers of its halves.
    type Coming = (u32, u32);

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<(u32, u32), Full> {
        let (a, b) = self.halves(s)?;
        if let Some(roots) = self.roots.get(s.len()).and_then(Option::as_ref) {
            roots.comes(a, b);
        }
        Ok((a, b))
    }

    #[inline]
    fn nears(&self, &mut (a, b): &mut (u32, u32)) {
        if let Shape::One(n) = self.shape
            && let Some(roots) = &self.roots[n]
        {
            roots.nears(a, b);
        }
    }

    fn arrives(&mut self, s: &[u32], (a, b): (u32, u32)) -> Result<u32, Full> {
        let root = Self::enter(table(&mut self.roots, s.len()), a, b, &mut self.held, self.limit)?;
        self.identity(s.len(), root)
    }
}
