//! A program with a claim as a graph: what emptiness checks walk when the property is part of the model.

use crate::interp::{Cursor, Interpreter};
use riata_automata::Marks;
use riata_system::{Graph, StateMarked, System};

/// The graph of a program and its claim, accepting where the claim is.
#[derive(Debug)]
pub struct ClaimGraph<'a, 'p>(pub &'a Interpreter<'p>);

impl Graph for ClaimGraph<'_, '_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.0.words()
    }

    fn all(&self) -> Marks {
        Marks::first(1)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.0.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<Marks> {
        self.0.next(src, at, dst).map(|_| self.marks(src))
    }
}

impl StateMarked for ClaimGraph<'_, '_> {
    fn marks(&self, s: &[u32]) -> Marks {
        if self.0.accepting(s) { Marks::first(1) } else { Marks::NONE }
    }
}
