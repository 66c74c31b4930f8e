//! States as trees of their parts: lossless, a few bytes a state.
//!
//! A state of `n > 1` words is the pair of its first `2^k` words and the rest (`2^k < n` as large as possible), each
//! again such a pair, down to single words. Every pair is stored once, in the table of its length. Neighbouring
//! states share most of their parts, so nearly all of the memory is in the roots: one pair of small numbers a state.
//!
//! The number of a pair is its place in order of arrival, not its slot in a hash table: so the tables grow without
//! limit and the identities stay. When states of several lengths occur, one more table of (length, root) pairs gives
//! the identities.
//!
//! A search loads a state and then asks for its successors, which differ from it in a few words. So the numbers of all parts of
//! the state that was loaded last are kept ([`Known`]), and of a successor only the parts that changed are looked up.
//!
//! # References
//! Laarman, van de Pol, Weber: Parallel recursive state compression for free. SPIN 2011. There a number is a slot of
//! a table of fixed size; here it is not, which costs one index entry a pair and buys growth.

use crate::index::There;
use crate::pairs::Pairs;
use crate::{BitSet, ForNumbered, Full, Numbered, Packed, Palette, Recall, Row, Store, all_arrive, all_come};
use std::cell::RefCell;

/// All states, compressed. Identities are numbers in order of arrival.
pub struct Parts {
    /// By length of the part, the pairs of its halves; `None` for lengths that did not occur.
    tables: Vec<Option<Pairs>>,
    /// By length of the state, its roots.
    roots: Vec<Option<Pairs>>,
    /// By length of the state, the one that was loaded last.
    known: RefCell<Vec<Option<Box<Known>>>>,
    shape: Shape,
    held: usize,
    limit: usize,
}

/// A part of more than one word: the table of its length, and where the numbers of its halves are.
#[derive(Clone, Copy)]
struct Part {
    length: u32,
    halves: [u32; 2],
}

/// A state whose parts have numbers: its words, and then the numbers of the parts, halves before what they are halves of.
struct Known {
    /// All parts but the whole.
    parts: Vec<Part>,
    /// The halves of the whole.
    halves: [u32; 2],
    /// The numbers, if there is a state.
    numbers: Option<Vec<u32>>,
    /// Room for the numbers of another state.
    others: Vec<u32>,
}

impl Known {
    /// For states of `n > 1` words.
    fn new(n: usize) -> Self {
        /// Cuts a part of a state of `all` words; recursion ends at depth log2 of the length.
        fn half(all: usize, start: usize, n: usize, parts: &mut Vec<Part>) -> u32 {
            if n == 1 {
                return start as u32;
            }
            let halves = halves(all, start, n, parts);
            parts.push(Part { length: n as u32, halves });
            (all + parts.len() - 1) as u32
        }
        fn halves(all: usize, start: usize, n: usize, parts: &mut Vec<Part>) -> [u32; 2] {
            let c = cut(n);
            [half(all, start, c, parts), half(all, start + c, n - c, parts)]
        }
        let mut parts = Vec::new();
        let halves = halves(n, 0, n, &mut parts);
        let others = vec![0; n + parts.len()];
        Known { parts, halves, numbers: None, others }
    }
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

impl Parts {
    /// An empty store that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        let known = RefCell::default();
        Parts { tables: Vec::new(), roots: Vec::new(), known, shape: Shape::Empty, held: 0, limit }
    }

    /// From now on it may hold so many bytes.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Does something with one of the tables, which may then hold so many bytes, and keeps account of the memory.
    #[inline]
    fn enter(
        pairs: &mut Pairs,
        held: &mut usize,
        limit: usize,
        enter: impl FnOnce(&mut Pairs, usize) -> Result<u32, Full>,
    ) -> Result<u32, Full> {
        let before = pairs.bytes();
        let id = enter(pairs, limit.saturating_add(before).saturating_sub(*held))?;
        *held += pairs.bytes() - before.min(pairs.bytes());
        Ok(id)
    }

    /// The numbers of the two halves of a state; a state of one word has no second half, and one of none no first. With
    /// `learns`, this is the state that is known from now on.
    fn halves(&mut self, s: &[u32], learns: bool) -> Result<(u32, u32), Full> {
        match s {
            [] => return Ok((0, 0)),
            [word] => return Ok((*word, 0)),
            _ => {}
        }
        let n = s.len();
        let mut kept = take(self.known.get_mut(), n);
        let Known { parts, halves, numbers, others } = &mut *kept;
        others[..n].copy_from_slice(s);
        for (i, part) in parts.iter().enumerate() {
            let [a, b] = part.halves.map(|half| others[half as usize]);
            others[n + i] = match numbers {
                Some(known) if part.halves.map(|half| known[half as usize]) == [a, b] => known[n + i],
                _ => {
                    let pairs = table(&mut self.tables, part.length as usize);
                    let intern = |pairs: &mut Pairs, room| pairs.intern_again(a, b, room);
                    Self::enter(pairs, &mut self.held, self.limit, intern)?
                }
            };
        }
        let [a, b] = halves.map(|half| others[half as usize]);
        if learns {
            std::mem::swap(numbers.get_or_insert_with(|| others.clone()), others);
        }
        self.known.get_mut()[n] = Some(kept);
        Ok((a, b))
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
                    Self::enter(&mut all, &mut self.held, self.limit, |all, room| all.intern(m, r, room))?;
                }
                self.shape = Shape::Many(all);
                return self.identity(n, root);
            }
            Shape::Many(all) => {
                let intern = |all: &mut Pairs, room| all.intern(n as u32, root, room);
                return Self::enter(all, &mut self.held, self.limit, intern);
            }
        }
        Ok(root)
    }

    /// The words of a state of `n` words, from the numbers of its halves.
    fn unfold(&self, n: usize, (a, b): (u32, u32), out: &mut Vec<u32>) {
        match n {
            0 => return,
            1 => return out.push(a),
            _ => {}
        }
        let mut all = self.known.borrow_mut();
        let mut kept = take(&mut all, n);
        let Known { parts, halves, numbers, others } = &mut *kept;
        let numbers = numbers.get_or_insert_with(|| others.clone());
        let set = |numbers: &mut [u32], halves: [u32; 2], (a, b)| {
            numbers[halves[0] as usize] = a;
            numbers[halves[1] as usize] = b;
        };
        set(numbers, *halves, (a, b));
        for (i, part) in parts.iter().enumerate().rev() {
            let pairs =
                self.tables[part.length as usize].as_ref().expect("a table for each length of a part");
            let pair = pairs.get(numbers[n + i]);
            set(numbers, part.halves, pair);
        }
        out.extend_from_slice(&numbers[..n]);
        all[n] = Some(kept);
    }
}

/// What is known of states of `n` words; it is to be put back.
fn take(known: &mut Vec<Option<Box<Known>>>, n: usize) -> Box<Known> {
    if known.len() <= n {
        known.resize_with(n + 1, || None);
    }
    known[n].take().unwrap_or_else(|| Box::new(Known::new(n)))
}

impl Store for Parts {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        let (a, b) = self.halves(s, true)?;
        self.arrives(s, Coming { a, b, there: There::UNKNOWN })
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

impl Numbered for Parts {
    fn find(&self, s: &[u32]) -> Option<u32> {
        let (a, b) = self.find_halves(s)?;
        let root = self.roots.get(s.len())?.as_ref()?.find(a, b)?;
        match &self.shape {
            Shape::Many(all) => all.find(s.len() as u32, root),
            _ => Some(root),
        }
    }
}

impl Row for Parts {
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

    fn held(&self) -> usize {
        self.bytes()
    }

    type Batch = Vec<Coming>;

    #[inline]
    fn come<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]>,
        batch: &mut Vec<Coming>,
    ) -> Result<(), Full> {
        all_come(self, states, batch)
    }

    #[inline]
    fn add<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u32]> + Clone,
        batch: &mut Vec<Coming>,
        told: impl FnMut(u32),
    ) -> Result<(), Full> {
        all_arrive(self, states, batch, told)
    }
}

impl Recall for Parts {
    type Coming = Coming;

    #[inline]
    fn comes(&mut self, s: &[u32]) -> Result<Coming, Full> {
        let (a, b) = self.halves(s, false)?;
        if let Some(roots) = self.roots.get(s.len()).and_then(Option::as_ref) {
            roots.comes(a, b);
        }
        Ok(Coming { a, b, there: There::UNKNOWN })
    }

    #[inline]
    fn nears(&self, coming: &mut Coming) {
        // With several lengths it is not known which of the tables is meant.
        if let Shape::One(n) = self.shape
            && let Some(roots) = &self.roots[n]
        {
            coming.there = roots.nears(coming.a, coming.b);
        }
    }

    #[inline]
    fn arrives(&mut self, s: &[u32], Coming { a, b, there }: Coming) -> Result<u32, Full> {
        let there = if matches!(self.shape, Shape::One(n) if n == s.len()) { there } else { There::UNKNOWN };
        let roots = table(&mut self.roots, s.len());
        let arrive = |roots: &mut Pairs, room| roots.arrives(a, b, there, room);
        let root = Self::enter(roots, &mut self.held, self.limit, arrive)?;
        self.identity(s.len(), root)
    }
}

/// A state on its way into the store: the numbers of its halves, and what is there.
#[derive(Clone, Copy)]
pub struct Coming {
    a: u32,
    b: u32,
    there: There,
}
