//! The tree-compressed table for many threads. How a state is cut is told at [`crate::Tree`].
//!
//! The pairs are stored in eight bytes, since records that move could not be read meanwhile; so a state takes more than
//! with the tree for one thread.

use super::gate::{Gate, Inside, SEATS, Seat};
use super::pairs::{MOST, Pairs, halved, join};
use super::{Kept, Shared};
use crate::Full;
use riata_memory::Once;
use std::sync::Arc;

/// All states, compressed. Identities are numbers without gaps.
pub struct Tree {
    gate: Arc<Gate>,
    /// By length of the part, the pairs of its halves.
    tables: Box<[Once<Pairs>]>,
    /// By length of the state, its roots.
    roots: Box<[Once<Pairs>]>,
    /// If states have several lengths: the pairs of a length and a root.
    all: Option<Pairs>,
    limit: usize,
}

/// How a part of `n > 1` words is cut.
fn cut(n: usize) -> usize {
    1 << (usize::BITS - 1 - (n - 1).leading_zeros())
}

impl Tree {
    /// An empty store that holds at most `limit` bytes, for states of at most `widest` words. If the `usual` length is the
    /// largest, most states are expected to have it.
    pub fn new(limit: usize, widest: usize, usual: usize) -> Self {
        let gate = Arc::new(Gate::new());
        let tables = || (0..=widest).map(|_| Once::new()).collect();
        // A state of one or two words has words where others have numbers of pairs.
        let one = usual == widest && widest > 2 && widest < (1 << 16);
        let all = (!one).then(|| Pairs::new(gate.clone()));
        Tree { tables: tables(), roots: tables(), all, gate, limit }
    }

    fn widest(&self) -> usize {
        self.roots.len() - 1
    }

    /// The bytes that may be added, with a reserve for what others add meanwhile.
    fn room(&self) -> usize {
        self.limit.saturating_sub(self.bytes() + 8 * 256 * SEATS)
    }

    fn table<'a>(&self, tables: &'a [Once<Pairs>], n: usize) -> &'a Pairs {
        tables[n].get_or_init(|| Pairs::new(self.gate.clone()))
    }

    /// The number of a part: a word is its own. Recursion ends at depth log2 of the length.
    fn part(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full> {
        if let [word] = s {
            return Ok(*word);
        }
        let halves = self.halves(seat, s)?;
        self.table(&self.tables, s.len()).intern(seat, halves, || self.room())
    }

    fn halves(&self, seat: &Seat, s: &[u32]) -> Result<(u32, u32), Full> {
        match s {
            [] => Ok((0, 0)),
            [word] => Ok((*word, 0)),
            _ => {
                let (left, right) = s.split_at(cut(s.len()));
                Ok((self.part(seat, left)?, self.part(seat, right)?))
            }
        }
    }

    fn find_part(&self, seat: &Seat, s: &[u32]) -> Option<u32> {
        if let [word] = s {
            return Some(*word);
        }
        let (a, b) = self.find_halves(seat, s)?;
        self.tables[s.len()].get()?.find(seat, a, b)
    }

    fn find_halves(&self, seat: &Seat, s: &[u32]) -> Option<(u32, u32)> {
        match s {
            [] => Some((0, 0)),
            [word] => Some((*word, 0)),
            _ => {
                let (left, right) = s.split_at(cut(s.len()));
                Some((self.find_part(seat, left)?, self.find_part(seat, right)?))
            }
        }
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
        self.unfold(n, self.table(&self.tables, n).get(id), out);
    }

    /// Where the identity of a state of length `n` is, and under which pair: that of its halves if that is its length,
    /// and otherwise its length and its root; lengths are told by numbers that no pair has.
    fn place(&self, n: usize, root: u32) -> (&Pairs, (u32, u32)) {
        match &self.all {
            Some(all) => (all, (n as u32, root)),
            None => (self.table(&self.roots, self.widest()), (MOST + n as u32, root)),
        }
    }

    /// The identity of a state of length `n` with these halves.
    fn root(&self, seat: &Seat, n: usize, halves: u64) -> Result<u32, Full> {
        let room = || self.room();
        let root = self.table(&self.roots, n).intern(seat, halved(halves), room)?;
        if self.is_usual(n) {
            return Ok(root);
        }
        let (table, pair) = self.place(n, root);
        table.intern(seat, pair, room)
    }

    fn is_usual(&self, n: usize) -> bool {
        self.all.is_none() && n == self.widest()
    }
}

impl Shared for Tree {
    fn is_exact(&self) -> bool {
        true
    }

    fn seat(&self) -> Option<Seat<'_>> {
        self.gate.seat()
    }

    fn len(&self) -> usize {
        match &self.all {
            Some(all) => all.len(),
            None => self.roots[self.widest()].get().map_or(0, Pairs::len),
        }
    }

    fn bytes(&self) -> usize {
        let tables = self.tables.iter().chain(&self.roots).filter_map(Once::get);
        tables.chain(&self.all).map(Pairs::bytes).sum()
    }

    /// The numbers of its halves.
    type Coming = u64;

    fn comes(&self, inside: &Inside, s: &[u32]) -> Result<u64, Full> {
        let (a, b) = self.halves(inside.seat(), s)?;
        self.table(&self.roots, s.len()).comes(inside, a, b);
        Ok(join(a, b))
    }

    fn arrive<'a>(
        &self,
        inside: &Inside,
        coming: &[u64],
        state: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full> {
        if self.all.is_none() {
            let usual = self.table(&self.roots, self.widest());
            coming.iter().for_each(|&halves| usual.nears(inside, halves));
        }
        ids.clear();
        for (i, &halves) in coming.iter().enumerate() {
            ids.push(self.root(inside.seat(), state(i).len(), halves)?);
        }
        Ok(())
    }

    fn intern(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full> {
        let inside = seat.enter();
        let halves = self.comes(&inside, s)?;
        self.root(seat, s.len(), halves)
    }

    fn find(&self, seat: &Seat, s: &[u32]) -> Option<u32> {
        let (a, b) = self.find_halves(seat, s)?;
        let root = self.roots[s.len()].get()?.find(seat, a, b)?;
        if self.is_usual(s.len()) {
            return Some(root);
        }
        let (table, (n, root)) = self.place(s.len(), root);
        table.find(seat, n, root)
    }
}

impl Kept for Tree {
    fn load(&self, id: u32, out: &mut Vec<u32>) {
        out.clear();
        let (n, root) = match &self.all {
            Some(all) => all.get(id),
            None => match self.table(&self.roots, self.widest()).get(id) {
                (n, root) if n >= MOST => (n - MOST, root),
                halves => return self.unfold(self.widest(), halves, out),
            },
        };
        self.unfold(n as usize, self.table(&self.roots, n as usize).get(root), out);
    }
}
