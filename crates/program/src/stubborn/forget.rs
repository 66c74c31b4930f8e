//! Analyses that forget something, for tests of tests.

use super::edge::Reader;
use super::footprint::Row;

/// What an analysis can forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forgets {
    /// Nothing: it is right.
    Nothing,
    /// That shared variables are read and written.
    Shared,
    /// The two ends of queues.
    Ends,
    /// That processes are created and end.
    Stack,
    /// That rendezvous have two halves.
    Offers,
    /// What an edge that cannot be taken waits for.
    Needs,
    /// What the property sees.
    Visible,
    /// That what is closed can be opened.
    Opening,
    /// The other process of a pair.
    Partner,
    /// That whether somebody is there to be met decides where an atomic sequence ends.
    Inside,
}

impl Reader<'_> {
    /// For tests of tests.
    pub fn forget(&self, row: &mut Row) {
        let cells: Vec<usize> = match self.forgets {
            Forgets::Nothing | Forgets::Visible | Forgets::Opening | Forgets::Partner | Forgets::Inside => {
                return;
            }
            Forgets::Shared => self.cells.shared().flat_map(|(first, n)| first..first + n).collect(),
            Forgets::Ends => self.cells.ends().collect(),
            Forgets::Stack => vec![self.cells.grow, self.cells.shrink],
            Forgets::Offers => {
                (row.partners, row.offers) = (self.cells.none(), self.cells.none());
                return;
            }
            Forgets::Needs => {
                row.parts.iter_mut().for_each(|part| *part = self.cells.none());
                let none = || self.cells.none();
                (row.needs, row.besides, row.fills, row.empties) = (none(), none(), none(), none());
                return;
            }
        };
        for set in [&mut row.touches, &mut row.writes] {
            cells.iter().for_each(|&cell| set.0[cell / 64] &= !(1 << (cell % 64)));
        }
    }
}
