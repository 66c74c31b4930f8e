//! Hash compaction for many threads: a 64-bit fingerprint stands for the state. What that costs is told at
//! [`crate::Compact`].

use super::gate::{Gate, Inside, SEATS, Seat};
use super::pairs::{Pairs, halved};
use super::{Seen, Shared};
use crate::{Full, hash};
use std::sync::Arc;

/// The fingerprints of all states. Identities are numbers without gaps.
pub struct Compact {
    gate: Arc<Gate>,
    prints: Pairs,
    seed: u64,
    limit: usize,
}

impl Compact {
    /// An empty store that holds at most `limit` bytes; other seeds give other fingerprints.
    pub fn new(limit: usize, seed: u64) -> Self {
        let gate = Arc::new(Gate::new());
        Compact { prints: Pairs::new(gate.clone()), gate, seed, limit }
    }

    fn print(&self, s: &[u32]) -> u64 {
        hash::words(s, self.seed)
    }

    /// The number of a fingerprint, and whether it is new.
    fn number(&self, seat: &Seat, print: u64) -> Result<(u32, bool), Full> {
        // The bytes that may be added, with a reserve for what others add meanwhile.
        let room = || self.limit.saturating_sub(self.prints.bytes() + 8 * 256 * SEATS);
        self.prints.number(seat, halved(print), room)
    }
}

impl Shared for Compact {
    fn is_exact(&self) -> bool {
        false
    }

    fn seat(&self) -> Option<Seat<'_>> {
        self.gate.seat()
    }

    fn len(&self) -> usize {
        self.prints.len()
    }

    fn bytes(&self) -> usize {
        self.prints.bytes()
    }

    /// Its fingerprint.
    type Coming = u64;

    fn comes(&self, inside: &Inside, s: &[u32]) -> Result<u64, Full> {
        let print = self.print(s);
        let (a, b) = halved(print);
        self.prints.comes(inside, a, b);
        Ok(print)
    }

    fn arrive<'a>(
        &self,
        inside: &Inside,
        coming: &[u64],
        _: impl Fn(usize) -> &'a [u32],
        ids: &mut Vec<u32>,
    ) -> Result<(), Full> {
        coming.iter().for_each(|&print| self.prints.nears(inside, print));
        ids.clear();
        for &print in coming {
            ids.push(self.number(inside.seat(), print)?.0);
        }
        Ok(())
    }

    fn intern(&self, seat: &Seat, s: &[u32]) -> Result<u32, Full> {
        Ok(self.number(seat, self.print(s))?.0)
    }

    fn find(&self, seat: &Seat, s: &[u32]) -> Option<u32> {
        let (a, b) = halved(self.print(s));
        self.prints.find(seat, a, b)
    }
}

impl Seen for Compact {
    fn seat(&self) -> Option<Seat<'_>> {
        self.gate.seat()
    }

    fn comes(&self, inside: &Inside, s: &[u32]) -> u64 {
        let print = self.print(s);
        let (a, b) = halved(print);
        self.prints.comes(inside, a, b);
        print
    }

    fn add(&self, seat: &Seat, coming: u64) -> Result<bool, Full> {
        Ok(self.number(seat, coming)?.1)
    }

    fn bytes(&self) -> usize {
        self.prints.bytes()
    }
}
