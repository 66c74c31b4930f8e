//! Spin's numbers of statements, as they are in its trails.
//!
//! Spin makes an element of each statement when it has read it, and numbers the elements of the whole model in this
//! order: what is inside a compound statement before the statement itself, process types in the order of the file.
//! The elements of [`super::flow`] are made in the same order, up to what is corrected there; here the process types
//! are put one after the other.

use super::Lowering;
use riata_program::{EdgeId, ProcId};

/// The number of the statement of each edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// By process type and edge.
    edges: Vec<Vec<Option<u32>>>,
}

/// Why the statements of a model have no numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnumbered {
    /// Spin splits a jump whose label others speak of, and numbers it when they do.
    Jump,
}

impl std::fmt::Display for Unnumbered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unnumbered::Jump => write!(
                f,
                "Spin's statement numbers are not known: other processes speak of the label of a goto"
            ),
        }
    }
}

impl Numbers {
    /// Spin's number of the statement of an edge.
    pub fn of(&self, process: ProcId, edge: EdgeId) -> Option<u32> {
        self.edges.get(process.index())?.get(edge.index()).copied().flatten()
    }

    /// Has the process type a statement with this number?
    pub fn has(&self, process: ProcId, number: u32) -> bool {
        self.edges.get(process.index()).is_some_and(|edges| edges.contains(&Some(number)))
    }
}

impl Lowering<'_> {
    /// The numbers of all edges.
    pub(super) fn numbers(&mut self) -> Result<Numbers, Unnumbered> {
        if self.spoken_of_jumps {
            return Err(Unnumbered::Jump);
        }
        let mut edges = vec![Vec::new(); self.program.processes.len()];
        for (p, (start, own)) in &self.numbers {
            let base: u32 = self.made.range(..*start).map(|(_, n)| n).sum();
            if let Some(slot) = edges.get_mut(p.index()) {
                *slot = own.iter().map(|n| n.map(|n| n + base)).collect();
            }
        }
        Ok(Numbers { edges })
    }
}
