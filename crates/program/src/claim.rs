//! A program with a claim as a graph: what emptiness checks walk when the property is part of the model.

use crate::interp::{Cursor, Interpreter};
use crate::program::Program;
use riata_automata::{Edge, Label, Marks, Strength, Tgba, strength};
use riata_system::{Choice, Graph, StateMarked, System};

/// The graph of a program and its claim, accepting where the claim is.
#[derive(Debug)]
pub struct ClaimGraph<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    strength: Strength,
}

impl<'a, 'p> ClaimGraph<'a, 'p> {
    /// The graph of a program that is run with its claim.
    pub fn new(interpreter: &'a Interpreter<'p>) -> Self {
        ClaimGraph { interpreter, strength: claim_strength(interpreter.program()) }
    }
}

/// A component of the graph lies in one component of the claim, so a weak claim makes a weak graph. Whether a claim
/// can always go on depends on its guards: no graph is called terminal.
fn claim_strength(program: &Program) -> Strength {
    let Some(claim) = program.claim else { return Strength::Weak };
    let process = program.process_of(claim);
    let mut skeleton = Tgba::default();
    (skeleton.sets, skeleton.initial) = (1, vec![process.initial.0]);
    let marks = |l: usize| if process.locations[l].accepting { Marks::first(1) } else { Marks::NONE };
    let edges: Vec<(u32, Edge)> = process
        .edges
        .iter()
        .map(|e| (e.from.0, Edge { to: e.to.0, label: Label::TRUE, marks: marks(e.from.index()) }))
        .collect();
    skeleton.set_edges(process.locations.len(), &edges);
    strength::of_graph(&skeleton).max(Strength::Weak)
}

/// The cursor of [`ClaimGraph`]: the interpreter's, and how many successors were told.
#[derive(Default)]
pub struct ClaimCursor {
    own: Cursor,
    told: u32,
}

impl Graph for ClaimGraph<'_, '_> {
    type Cursor = ClaimCursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn all(&self) -> Marks {
        Marks::first(1)
    }

    fn initial(&self, at: &mut ClaimCursor, dst: &mut [u32]) -> bool {
        self.interpreter.initial(&mut at.own, dst)
    }

    fn next(&self, src: &[u32], at: &mut ClaimCursor, dst: &mut [u32]) -> Option<Marks> {
        self.interpreter.next(src, &mut at.own, dst)?;
        at.told += 1;
        Some(self.marks(src))
    }

    fn choice(&self, at: &ClaimCursor) -> Choice {
        Choice(at.told - 1)
    }

    fn strength(&self) -> Strength {
        self.strength
    }
}

impl StateMarked for ClaimGraph<'_, '_> {
    fn marks(&self, s: &[u32]) -> Marks {
        if self.interpreter.accepting(s) { Marks::first(1) } else { Marks::NONE }
    }
}
