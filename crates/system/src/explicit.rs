//! An automaton that is written down, seen as a graph.

use crate::{Choice, ForStateMarked, ForStateMarkedAmong, Graph, StateMarked, Strength};
use riata_automata::{Marks, Tgba};

/// An explicit automaton as a [`Graph`]: a state is one word, its number; labels are forgotten.
#[derive(Clone, Copy)]
pub struct Explicit<'a> {
    automaton: &'a Tgba,
    strength: Strength,
}

impl<'a> Explicit<'a> {
    /// The graph of `automaton`, of unknown strength.
    pub fn new(automaton: &'a Tgba) -> Self {
        Explicit { automaton, strength: Strength::General }
    }

    /// The graph of `automaton`, which is known to have the given strength.
    pub fn with_strength(automaton: &'a Tgba, strength: Strength) -> Self {
        Explicit { automaton, strength }
    }
}

/// Where to go on among the edges of a state (or among the initial states).
pub struct EdgeCursor {
    begin: u32,
    at: u32,
    end: u32,
}

impl Default for EdgeCursor {
    /// `at > end`: not begun.
    fn default() -> Self {
        EdgeCursor { begin: 0, at: 1, end: 0 }
    }
}

impl Graph for Explicit<'_> {
    type Cursor = EdgeCursor;

    fn words(&self) -> usize {
        1
    }

    fn all(&self) -> Marks {
        self.automaton.all()
    }

    fn initial(&self, at: &mut EdgeCursor, dst: &mut [u32]) -> bool {
        if at.at > at.end {
            *at = EdgeCursor { begin: 0, at: 0, end: self.automaton.initial.len() as u32 };
        }
        let Some(&s) = self.automaton.initial.get(at.at as usize) else { return false };
        dst[0] = s;
        at.at += 1;
        true
    }

    #[inline]
    fn next(&self, src: &[u32], at: &mut EdgeCursor, dst: &mut [u32]) -> Option<Marks> {
        if at.at > at.end {
            let r = self.automaton.range(src[0]);
            *at = EdgeCursor { begin: r.start, at: r.start, end: r.end };
        }
        if at.at == at.end {
            return None;
        }
        let edge = self.automaton.edge(at.at);
        at.at += 1;
        dst[0] = edge.to;
        Some(edge.marks)
    }

    fn choice(&self, at: &EdgeCursor) -> Choice {
        Choice(at.at - at.begin - 1)
    }

    fn strength(&self) -> Strength {
        self.strength
    }

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        match OnStates::new(*self) {
            Some(g) => Ok(work.with(&g)),
            None => Err(work),
        }
    }

    fn if_state_marked_among<W: ForStateMarkedAmong>(&self, work: W) -> Result<W::Output, W>
    where
        Self: Sync,
    {
        match OnStates::new(*self) {
            Some(g) => Ok(work.with(&g)),
            None => Err(work),
        }
    }
}

/// An explicit automaton whose marks sit on states.
pub struct OnStates<'a> {
    graph: Explicit<'a>,
    marks: &'a [Marks],
}

impl<'a> OnStates<'a> {
    /// The graph, if its automaton has marks on states.
    pub fn new(graph: Explicit<'a>) -> Option<Self> {
        let marks = graph.automaton.state_marks.as_deref()?;
        Some(OnStates { graph, marks })
    }
}

impl Graph for OnStates<'_> {
    type Cursor = EdgeCursor;

    fn words(&self) -> usize {
        1
    }
    fn all(&self) -> Marks {
        self.graph.all()
    }
    fn initial(&self, at: &mut EdgeCursor, dst: &mut [u32]) -> bool {
        self.graph.initial(at, dst)
    }
    #[inline]
    fn next(&self, src: &[u32], at: &mut EdgeCursor, dst: &mut [u32]) -> Option<Marks> {
        self.graph.next(src, at, dst)
    }
    fn choice(&self, at: &EdgeCursor) -> Choice {
        self.graph.choice(at)
    }
    fn strength(&self) -> Strength {
        self.graph.strength
    }

    const FOR_ONE_SET: bool = true;

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }

    fn if_state_marked_among<W: ForStateMarkedAmong>(&self, work: W) -> Result<W::Output, W>
    where
        Self: Sync,
    {
        Ok(work.with(self))
    }
}

impl StateMarked for OnStates<'_> {
    #[inline]
    fn marks(&self, s: &[u32]) -> Marks {
        self.marks[s[0] as usize]
    }
}
