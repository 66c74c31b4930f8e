//! On-the-fly degeneralisation: any number of acceptance sets becomes one, on states.
//!
//! A state of the new graph is a state of the old one and, in its last word, a level: how many of the sets
//! `0, 1, …` have been met in this order since the last accepting state. With marks on edges there are `n + 1`
//! levels, the last one accepting. With marks on states the last level is not needed: a state on level `n - 1` whose
//! own marks complete the round is itself accepting, which makes `n` copies, as CVWY92 counts them.
//!
//! # References
//! Courcoubetis, Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the verification of temporal
//! properties. FMSD 1, 1992. The counter construction is also in the slides, «From GNBA to NBA».

use crate::{Choice, ForStateMarked, ForStateMarkedAmong, Graph, Lasso, Path, StateMarked, Strength};
use riata_automata::Marks;

/// Graphs whose lassos have a meaning in another graph.
pub trait Project {
    /// The lasso in terms of the graph beneath.
    fn project(&self, lasso: &Lasso) -> Lasso;
}

/// The level after an edge with `marks`, from level `i`; `n` when the round is complete.
fn advance(mut i: u32, marks: Marks, n: u32) -> u32 {
    while i < n && marks.has(i) {
        i += 1;
    }
    i
}

/// Marks on edges to one set on states: levels `0..=n`, level `n` accepts and continues like level 0.
pub struct Degeneralised<'a, G> {
    graph: &'a G,
    sets: u32,
}

impl<'a, G: Graph> Degeneralised<'a, G> {
    /// The graph with one acceptance set.
    pub fn new(graph: &'a G) -> Self {
        Degeneralised { graph, sets: graph.all().len() }
    }

    fn level(s: &[u32]) -> u32 {
        s[s.len() - 1]
    }

    fn target_level(&self, level: u32, marks: Marks) -> u32 {
        advance(if level == self.sets { 0 } else { level }, marks, self.sets)
    }
}

impl<G: Graph> Graph for Degeneralised<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.graph.words() + 1
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s) + 1
    }
    fn all(&self) -> Marks {
        Marks::one(0)
    }
    fn initial(&self, at: &mut G::Cursor, dst: &mut [u32]) -> bool {
        let found = self.graph.initial(at, &mut dst[..self.graph.words()]);
        if found {
            let end = self.graph.len(dst);
            dst[end] = 0;
        }
        found
    }
    fn next(&self, src: &[u32], at: &mut G::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let end = self.graph.len(src);
        let marks = self.graph.next(&src[..end], at, &mut dst[..self.graph.words()])?;
        let to = self.graph.len(dst);
        dst[to] = self.target_level(src[end], marks);
        Some(if src[end] == self.sets { Marks::one(0) } else { Marks::NONE })
    }
    fn choice(&self, at: &G::Cursor) -> Choice {
        self.graph.choice(at)
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

impl<G: Graph> StateMarked for Degeneralised<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        if s[self.graph.len(s)] == self.sets { Marks::one(0) } else { Marks::NONE }
    }
}

impl<G: Graph> Project for Degeneralised<'_, G> {
    fn project(&self, lasso: &Lasso) -> Lasso {
        project(self.graph, lasso, |from, to, marks| {
            self.target_level(Self::level(from), marks) == Self::level(to)
        })
    }
}

/// Marks on states to one set on states: levels `0..n`.
pub struct DegeneralisedStates<'a, G> {
    graph: &'a G,
    sets: u32,
}

impl<'a, G: StateMarked> DegeneralisedStates<'a, G> {
    /// The graph with one acceptance set.
    pub fn new(graph: &'a G) -> Self {
        DegeneralisedStates { graph, sets: graph.all().len() }
    }
}

impl<G: StateMarked> Graph for DegeneralisedStates<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.graph.words() + 1
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s) + 1
    }
    fn all(&self) -> Marks {
        Marks::one(0)
    }
    fn initial(&self, at: &mut G::Cursor, dst: &mut [u32]) -> bool {
        let found = self.graph.initial(at, &mut dst[..self.graph.words()]);
        if found {
            let end = self.graph.len(dst);
            dst[end] = 0;
        }
        found
    }
    fn next(&self, src: &[u32], at: &mut G::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let end = self.graph.len(src);
        let marks = self.graph.next(&src[..end], at, &mut dst[..self.graph.words()])?;
        let level = advance(src[end], marks, self.sets);
        let to = self.graph.len(dst);
        dst[to] = if level == self.sets { 0 } else { level };
        Some(if level == self.sets { Marks::one(0) } else { Marks::NONE })
    }
    fn choice(&self, at: &G::Cursor) -> Choice {
        self.graph.choice(at)
    }
    fn strength(&self) -> Strength {
        // One set on states: the copies change nothing.
        if self.sets <= 1 { self.graph.strength() } else { Strength::General }
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

impl<G: StateMarked> StateMarked for DegeneralisedStates<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        let end = self.graph.len(s);
        let done = advance(s[end], self.graph.marks(&s[..end]), self.sets) == self.sets;
        if done { Marks::one(0) } else { Marks::NONE }
    }
}

impl<G: StateMarked> Project for DegeneralisedStates<'_, G> {
    fn project(&self, lasso: &Lasso) -> Lasso {
        project(self.graph, lasso, |_, _, _| true)
    }
}

/// Drops the last word of each state, and finds for each step of the cycle the marks of an edge of `g` that `fits`.
fn project<G: Graph>(g: &G, lasso: &Lasso, fits: impl Fn(&[u32], &[u32], Marks) -> bool) -> Lasso {
    let strip = |path: &Path| path.iter().map(|s| &s[..s.len() - 1]).collect::<Path>();
    let (stem, cycle) = (strip(&lasso.stem), strip(&lasso.cycle));
    let mut buffer = vec![0; g.words()];
    let marks = (0..cycle.len()).map(|i| {
        let j = (i + 1) % cycle.len();
        let mut at = G::Cursor::default();
        while let Some(marks) = g.next(cycle.get(i), &mut at, &mut buffer) {
            let there = buffer[..g.len(&buffer)] == *cycle.get(j);
            if there && fits(lasso.cycle.get(i), lasso.cycle.get(j), marks) {
                return marks;
            }
        }
        Marks::NONE
    });
    let marks = marks.collect();
    // Without levels the cycle may be entered earlier.
    Lasso { stem, cycle, marks, choices: Vec::new() }.shortened()
}
