//! Streett emptiness on components: strong fairness.
//!
//! A pair (*asks*, *serves*) is met by a run that takes edges that ask only finitely often, or edges that serve
//! infinitely often. A run counts if it meets every pair and every mark of the graph.
//!
//! ```text
//! procedure streett (G)
//!   for all components C of G that are not trivial and have every mark do
//!     bad := {i | C has an edge of asks_i and none of serves_i};
//!     if bad = ∅ then report cycle;
//!     G' := G' ∪ (C without the edges of asks_i, for all i ∈ bad);
//!   if G' ≠ ∅ then call streett(G');
//! ```
//!
//! A component that is bad for a pair has no cycle that serves it, so a cycle in it that counts does without the edges
//! that ask. There are at most as many rounds as pairs, and one.
//!
//! Deviations. The components of a round are taken together, so that there is one search a round; its states are the
//! numbers of the first round's store, and their successors are generated again.
//!
//! # References
//! Emerson, Lei: Modalities for model checking: branching time logic strikes back. Sci. Comput. Program. 8, 1987.

use crate::cycle;
use crate::outcome::full;
use crate::roots::Inside;
use crate::tarjan72::components;
use riata_automata::Marks;
use riata_store::{Dense, Recall};
use riata_system::{Choice, Graph, Lasso, Path, Run, Stop, Verdict, replay};
use std::ops::ControlFlow;

/// A Streett pair: if its first set is met infinitely often, so is its second (strong fairness).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The marks that ask.
    pub asks: Marks,
    /// The marks that serve.
    pub serves: Marks,
}

/// What a component with these marks lacks.
fn bad(pairs: &[Pair], marks: Marks) -> Marks {
    let lacks = |p: &&Pair| !(p.asks & marks).is_empty() && (p.serves & marks).is_empty();
    pairs.iter().filter(lacks).fold(Marks::NONE, |bad, p| bad | p.asks)
}

/// The marks that a cycle of a component with these marks, which is not bad, has to take.
fn wanted(pairs: &[Pair], all: Marks, marks: Marks) -> Marks {
    let asked = pairs.iter().filter(|p| !(p.asks & marks).is_empty());
    asked.fold(all, |wanted, p| wanted | (p.serves & marks))
}

/// Is there a run that takes every mark of `all` infinitely often and meets every pair? The other marks of `g` are
/// those of the pairs. The store must be exact.
///
/// # Panics
/// If a lasso that was found is no such run: that is a bug.
pub fn check<G: Graph, S: Recall>(
    g: &G,
    (all, pairs): (Marks, &[Pair]),
    store: &mut S,
    run: &mut Run,
) -> Verdict {
    match search(g, all, pairs, store, run) {
        Err(stop) => Verdict::Inconclusive(stop),
        Ok(None) => Verdict::Empty,
        Ok(Some(lasso)) => {
            let taken = lasso.marks.iter().fold(Marks::NONE, |taken, &m| taken | m);
            let graph = Asking { graph: g, all };
            assert!(bad(pairs, taken).is_empty(), "internal error: the lasso is not fair");
            match replay(&graph, &lasso) {
                Ok(choices) => Verdict::Accepting(Lasso { choices, ..lasso }),
                Err(e) => panic!("internal error: the lasso cannot be replayed: {e}"),
            }
        }
    }
}

/// The states of a round: for each state of the store its component and what that must do without.
struct Round {
    component: Vec<u32>,
    banned: Vec<Marks>,
}

const NOWHERE: u32 = u32::MAX;

fn search<G: Graph, S: Recall>(
    g: &G,
    all: Marks,
    pairs: &[Pair],
    store: &mut S,
    run: &mut Run,
) -> Result<Option<Lasso>, Stop> {
    let mut next = Round { component: Vec::new(), banned: Vec::new() };
    let mut found = None;
    components(&Asking { graph: g, all }, store, run, |c| {
        if c.trivial || !c.marks.contains(all) {
            return ControlFlow::Continue(());
        }
        let lacks = bad(pairs, c.marks);
        if lacks.is_empty() {
            found = Some(((c.path)(), Inside::new(c.states), wanted(pairs, all, c.marks)));
            return ControlFlow::Break(());
        }
        next.add(c.states, lacks);
        ControlFlow::Continue(())
    })?;
    if let Some((path, inside, all)) = found {
        let member = |t: &[u32]| inside.has(store, t);
        return cycle::lasso(&Asking { graph: g, all }, &path, &member).map(Some).ok_or(Stop::Unconfirmed);
    }
    let mut counters = run.counters;
    while !next.banned.is_empty() {
        let narrow = Narrow { graph: g, store: &*store, round: &next, all };
        let mut after = Round { component: Vec::new(), banned: Vec::new() };
        let mut found = None;
        components(&narrow, &mut Dense, run, |c| {
            if c.trivial || !c.marks.contains(all) {
                return ControlFlow::Continue(());
            }
            let lacks = bad(pairs, c.marks);
            if lacks.is_empty() {
                found = Some((c.states.to_vec(), wanted(pairs, all, c.marks)));
                return ControlFlow::Break(());
            }
            let banned = next.banned[next.component[c.states[0] as usize] as usize];
            after.add(c.states, lacks | banned);
            ControlFlow::Continue(())
        })?;
        // States and memory are those of the first round.
        counters.transitions = run.counters.transitions;
        run.counters = counters;
        if let Some((states, all)) = found {
            return lead(g, &Narrow { all, ..narrow }, &states).map(Some);
        }
        next = after;
    }
    Ok(None)
}

impl Round {
    fn add(&mut self, states: &[u32], banned: Marks) {
        let number = self.banned.len() as u32;
        self.banned.push(banned);
        for &s in states {
            if self.component.len() <= s as usize {
                self.component.resize(s as usize + 1, NOWHERE);
            }
            self.component[s as usize] = number;
        }
    }
}

/// The lasso that leads to a component of a narrowed graph and round in it.
fn lead<G: Graph, S: Recall>(g: &G, narrow: &Narrow<G, S>, states: &[u32]) -> Result<Lasso, Stop> {
    let root = states[0];
    let mut members = states.to_vec();
    members.sort_unstable();
    let path: Path = [&[root][..]].into_iter().collect();
    let inside = |t: &[u32]| members.binary_search(&t[0]).is_ok();
    let around = cycle::lasso(narrow, &path, &inside).ok_or(Stop::Unconfirmed)?;
    let mut state = Vec::new();
    let mut cycle = Path::new();
    for id in around.cycle.iter() {
        narrow.store.load(id[0], &mut state);
        cycle.push(&state);
    }
    let stem = cycle::path_to(g, cycle.get(0)).map_err(full)?.ok_or(Stop::Unconfirmed)?;
    Ok(Lasso { stem, cycle, marks: around.marks, choices: Vec::new() }.shortened())
}

/// A graph of which other marks are asked.
struct Asking<'a, G> {
    graph: &'a G,
    all: Marks,
}

impl<G: Graph> Graph for Asking<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.graph.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s)
    }
    fn all(&self) -> Marks {
        self.all
    }
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.graph.initial(at, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        self.graph.next(src, at, dst)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(at)
    }
}

/// The components of a round, without the edges that each must do without. A state is its number in the store.
struct Narrow<'a, G, S> {
    graph: &'a G,
    store: &'a S,
    round: &'a Round,
    all: Marks,
}

/// The cursor of [`Narrow`]; for initial states, the number of the next.
struct NarrowCursor<C> {
    inner: C,
    number: u32,
    src: Vec<u32>,
    dst: Vec<u32>,
}

impl<C: Default> Default for NarrowCursor<C> {
    fn default() -> Self {
        NarrowCursor { inner: C::default(), number: 0, src: Vec::new(), dst: Vec::new() }
    }
}

impl<G: Graph, S: Recall> Graph for Narrow<'_, G, S> {
    type Cursor = NarrowCursor<G::Cursor>;

    fn words(&self) -> usize {
        1
    }

    fn all(&self) -> Marks {
        self.all
    }

    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        let rest = self.round.component.get(at.number as usize..).unwrap_or_default();
        let Some(i) = rest.iter().position(|&c| c != NOWHERE) else { return false };
        dst[0] = at.number + i as u32;
        at.number = dst[0] + 1;
        true
    }

    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let component = self.round.component[src[0] as usize];
        if at.src.is_empty() {
            self.store.load(src[0], &mut at.src);
            at.dst.resize(self.graph.words(), 0);
        }
        loop {
            let marks = self.graph.next(&at.src, &mut at.inner, &mut at.dst)?;
            let target = self.store.find(&at.dst[..self.graph.len(&at.dst)]);
            let same = target.filter(|&t| self.round.component.get(t as usize) == Some(&component));
            if let (Some(t), true) = (same, (marks & self.round.banned[component as usize]).is_empty()) {
                dst[0] = t;
                return Some(marks);
            }
        }
    }

    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(&at.inner)
    }
}
