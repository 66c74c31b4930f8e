//! Random automata, small enough to be understood when a test fails, and shrinking to smaller ones.

use crate::oracle;
use proptest::prelude::*;
use riata_automata::{Edge, Label, Marks, Tgba};
use riata_system::Strength;

/// A generalised Büchi automaton without labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// How many states.
    pub states: usize,
    /// How many acceptance sets.
    pub sets: u32,
    /// The initial states.
    pub initial: Vec<usize>,
    /// (from, to, marks).
    pub edges: Vec<(usize, usize, Marks)>,
    /// The marks of each state, when they are there and not on edges.
    pub state_marks: Option<Vec<Marks>>,
}

/// What kind of automaton to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anything.
    General,
    /// Each component accepts wholly or not at all.
    Weak,
    /// After an accepting edge there is no way back to a rejecting one.
    Terminal,
}

impl Case {
    /// An automaton with one set on states, from state 0, as the papers draw them.
    pub fn buchi(states: usize, accepting: &[usize], edges: &[(usize, usize)]) -> Case {
        let mark = |s: usize| if accepting.contains(&s) { Marks::one(0) } else { Marks::NONE };
        Case {
            states,
            sets: 1,
            initial: vec![0],
            edges: edges.iter().map(|&(s, t)| (s, t, mark(s))).collect(),
            state_marks: Some((0..states).map(mark).collect()),
        }
    }

    /// The automaton as Riata has it.
    pub fn automaton(&self) -> Tgba {
        let mut a = Tgba::default();
        a.sets = self.sets;
        a.initial = self.initial.iter().map(|&s| s as u32).collect();
        a.state_marks = self.state_marks.clone();
        let edge = |&(s, t, marks): &(usize, usize, Marks)| {
            (s as u32, Edge { to: t as u32, label: Label::TRUE, marks })
        };
        a.set_edges(self.states, &self.edges.iter().map(edge).collect::<Vec<_>>());
        a
    }

    /// For each state its edges in order: (to, marks).
    pub fn post(&self) -> Vec<Vec<(usize, Marks)>> {
        let mut post = vec![Vec::new(); self.states];
        for &(s, t, marks) in &self.edges {
            post[s].push((t, marks));
        }
        post
    }

    /// All marks.
    pub fn all(&self) -> Marks {
        Marks::first(self.sets)
    }

    /// The class of the automaton, by its definition.
    pub fn strength(&self) -> Strength {
        oracle::strength(self)
    }

    /// Marks on states: the edges take those of their source.
    fn on_states(mut self, marks: Vec<Marks>) -> Case {
        for (s, _, m) in &mut self.edges {
            *m = marks[*s];
        }
        self.state_marks = Some(marks);
        self
    }

    /// Makes the automaton weak: `choice` tells which components accept.
    fn weakened(mut self, choice: u64) -> Case {
        let all = self.all();
        let reach = oracle::closure(&self);
        let component = |s: usize| (0..=s).find(|&r| r == s || reach[r][s] && reach[s][r]).unwrap_or(s);
        let accepts = |s: usize| choice >> (component(s) % 64) & 1 == 1;
        if self.state_marks.is_some() {
            let marks = (0..self.states).map(|s| if accepts(s) { all } else { Marks::NONE }).collect();
            return self.on_states(marks);
        }
        for e in &mut self.edges {
            if component(e.0) == component(e.1) {
                e.2 = if accepts(e.0) { all } else { e.2.without(Marks::one(0)) };
            }
        }
        self
    }

    /// Makes the automaton terminal: the states that `choice` tells accept, and stay among themselves.
    fn terminated(mut self, choice: u64) -> Case {
        let all = self.all();
        let accepts = |s: usize| choice >> (s % 64) & 1 == 1;
        let inner: Vec<usize> = (0..self.states).filter(|&s| accepts(s)).collect();
        for e in &mut self.edges {
            if accepts(e.0) {
                e.1 = inner[e.1 % inner.len()];
                e.2 = all;
            } else if self.sets > 0 {
                e.2 = e.2.without(Marks::one(0));
            }
        }
        for &s in &inner {
            if self.edges.iter().all(|e| e.0 != s) {
                self.edges.push((s, s, all));
            }
        }
        if self.state_marks.is_some() {
            let marks = (0..self.states).map(|s| if accepts(s) { all } else { Marks::NONE }).collect();
            return self.on_states(marks);
        }
        self
    }
}

/// Random automata of a shape: sizes, densities, 0 to 4 acceptance sets, on states or on edges, self-loops and
/// parallel edges, unreachable parts, several initial states or none, no edges at all.
pub fn cases(shape: Shape) -> impl Strategy<Value = Case> {
    let size = prop_oneof![4 => 1usize..7, 2 => 7usize..20, 1 => 20usize..60];
    let sets = prop_oneof![1 => Just(0u32), 5 => Just(1), 2 => 2u32..5];
    (size, sets, 0u32..4, any::<bool>(), 0usize..10).prop_flat_map(
        move |(n, sets, density, on_states, roots)| {
            // Marks are rare or frequent: of two random sets take the intersection or one of them.
            let mark = (any::<u64>(), any::<u64>(), any::<bool>())
                .prop_map(move |(a, b, rare)| Marks(if rare { a & b } else { a }) & Marks::first(sets));
            let edge = (0..n, 0..n, mark.clone());
            let most = n * density as usize + density as usize;
            let initial = match roots {
                0 => 0..1usize,
                1 => 2..4,
                _ => 1..2,
            };
            let parts = (
                prop::collection::vec(edge, 0..most + 1),
                prop::collection::vec(mark, n),
                prop::collection::vec(0..n, initial),
                any::<u64>(),
            );
            parts.prop_map(move |(edges, marks, initial, choice)| {
                let case = Case { states: n, sets, initial, edges, state_marks: None };
                let case = if on_states { case.on_states(marks) } else { case };
                match shape {
                    Shape::General => case,
                    Shape::Weak => case.weakened(choice),
                    Shape::Terminal => case.terminated(choice),
                }
            })
        },
    )
}
