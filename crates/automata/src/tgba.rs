//! The automaton: states are numbers, edges carry a label and acceptance marks.

use crate::{Label, Labels, Marks};

/// One edge; its source is known from where it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Target state.
    pub to: u32,
    /// The letters that the edge can read. Never [`Label::FALSE`]: such an edge does not exist.
    pub label: Label,
    /// The acceptance sets that the edge belongs to.
    pub marks: Marks,
}

/// A transition-based generalised Büchi automaton: a run is accepting when it takes edges of each of the
/// `sets` acceptance sets infinitely often (every run is, when there are none).
///
/// Acceptance on states is the special case in which all edges that leave a state carry the same marks; such an
/// automaton says so in [`Tgba::state_marks`].
#[derive(Clone, Debug, Default)]
pub struct Tgba {
    /// The names of the atomic propositions; a label's variable `i` is `aps[i]`.
    pub aps: Vec<String>,
    /// The owner of the edges' labels.
    pub labels: Labels,
    /// How many acceptance sets there are.
    pub sets: u32,
    /// The initial states, in the order in which a search takes them.
    pub initial: Vec<u32>,
    /// For each state its marks, when acceptance is on states (also for states without an edge).
    pub state_marks: Option<Vec<Marks>>,
    edges: Vec<Edge>,
    /// Edges of state `s` are `edges[first[s]..first[s + 1]]`; empty when there is no state.
    first: Vec<u32>,
}

impl Tgba {
    /// An automaton with `states` states and the given (source, edge) pairs, kept in their order per source.
    ///
    /// # Panics
    /// If a state number is out of range, or there are 2^32 edges or more.
    pub fn set_edges(&mut self, states: usize, edges: &[(u32, Edge)]) {
        assert!(edges.len() < u32::MAX as usize && states < u32::MAX as usize);
        let mut first = vec![0u32; states + 1];
        for (s, e) in edges {
            assert!((e.to as usize) < states);
            first[*s as usize + 1] += 1;
        }
        for s in 0..states {
            first[s + 1] += first[s];
        }
        let mut at = first.clone();
        let blank = Edge { to: 0, label: Label::FALSE, marks: Marks::NONE };
        let mut sorted = riata_memory::filled(edges.len(), blank);
        for (s, e) in edges {
            let place = &mut at[*s as usize];
            sorted[*place as usize] = *e;
            *place += 1;
        }
        self.first = riata_memory::settled(first);
        self.edges = sorted;
    }

    /// As [`Tgba::set_edges`], for edges that are grouped by source already: those of `s` are
    /// `edges[first[s]..first[s + 1]]`. Copies nothing, so that a large file costs its edges once.
    ///
    /// # Panics
    /// If `first` is not a partition of `edges`, or a target is out of range.
    pub fn set_grouped(&mut self, first: Vec<u32>, edges: Vec<Edge>) {
        assert!(first.first() == Some(&0) && first.last().is_some_and(|&l| l as usize == edges.len()));
        assert!(first.is_sorted() && edges.iter().all(|e| (e.to as usize) < first.len() - 1));
        self.first = riata_memory::settled(first);
        self.edges = riata_memory::settled(edges);
    }

    /// How many states there are, reachable or not.
    pub fn states(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges that leave `s`.
    #[inline]
    pub fn edges(&self, s: u32) -> &[Edge] {
        &self.edges[self.first[s as usize] as usize..self.first[s as usize + 1] as usize]
    }

    /// Edge number `at`, counted over all states; see [`Tgba::range`].
    #[inline]
    pub fn edge(&self, at: u32) -> &Edge {
        &self.edges[at as usize]
    }

    /// The numbers of the edges that leave `s`.
    #[inline]
    pub fn range(&self, s: u32) -> std::ops::Range<u32> {
        self.first[s as usize]..self.first[s as usize + 1]
    }

    /// All acceptance marks: what a cycle must meet.
    pub fn all(&self) -> Marks {
        Marks::first(self.sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_grouped_by_source_in_order() {
        let e = |to| Edge { to, label: Label::TRUE, marks: Marks::NONE };
        let mut a = Tgba::default();
        assert_eq!(a.states(), 0);
        a.set_edges(3, &[(2, e(0)), (0, e(1)), (2, e(1)), (0, e(0))]);
        assert_eq!(a.states(), 3);
        assert_eq!(a.edges(0).iter().map(|e| e.to).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(a.edges(1).len(), 0);
        assert_eq!(a.edges(2).iter().map(|e| e.to).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(a.range(2), 2..4);
    }
}
