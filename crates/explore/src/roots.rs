//! What the searches by components share: a number for each state, the call stack, *Roots*, and *Current* (GS09 calls
//! it *Active*); and how a lasso is read off them.
//!
//! A number is a `dfsnum` or a `lowlink`, as the algorithm has it. It also tells what became of the state: [`NEW`]
//! before its call, [`REMOVED`] when its component is complete; the states between are current.

use crate::cycle;
use crate::outcome::{Found, deepen, intern};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_memory::extend_to;
use riata_store::Numbered;
use riata_system::watch::{Event, Procedure};
use riata_system::{Graph, Run, Stop};

/// The number of a state that was not seen.
pub(crate) const NEW: u32 = 0;
/// The number of a state that is no longer current: larger than all others.
pub(crate) const REMOVED: u32 = u32::MAX;

/// A search in progress, with a `D` for each call. An algorithm leaves alone what it does not need.
pub(crate) struct Search<'a, G: Graph, S, D> {
    pub g: &'a G,
    pub store: &'a mut S,
    pub count: u32,
    pub number: Vec<u32>,
    pub calls: Stack<G::Cursor, D>,
    pub roots: Roots,
    pub current: Vec<u32>,
    /// Bytes that the algorithm holds besides.
    pub besides: usize,
}

impl<'a, G: Graph, S: Numbered, D> Search<'a, G, S, D> {
    pub fn new(g: &'a G, store: &'a mut S) -> Self {
        let (number, current, roots) = (Vec::new(), Vec::new(), Roots(Vec::new()));
        Search {
            g,
            store,
            count: 0,
            number,
            calls: Stack::new(g, Procedure::Outer),
            roots,
            current,
            besides: 0,
        }
    }

    fn bytes(&self) -> usize {
        let numbers = (self.number.capacity() + self.current.capacity()) * 4;
        let roots = self.roots.0.capacity() * size_of::<Root>();
        self.store.bytes() + numbers + roots + self.calls.bytes() + self.besides
    }

    /// `call dfs(s0)` for each initial state that is still new, until one gives an answer.
    #[inline]
    pub fn for_each_initial<R>(
        &mut self,
        run: &mut Run,
        mut dfs: impl FnMut(&mut Self, u32, &mut Run) -> Result<Option<R>, Stop>,
    ) -> Result<Option<R>, Stop> {
        let mut initial = G::Cursor::default();
        let mut found = Ok(None);
        while matches!(found, Ok(None)) && self.g.initial(&mut initial, self.calls.slot()) {
            found = self.intern(run).and_then(|s0| match self.number[s0 as usize] {
                NEW => dfs(self, s0, run),
                _ => Ok(None),
            });
        }
        run.counters.bytes = self.bytes() as u64;
        found
    }

    /// The identity of the target; it has a number.
    #[inline]
    fn intern(&mut self, run: &Run) -> Result<u32, Stop> {
        let t = intern(self.store, self.calls.target(self.g), run)?;
        extend_to(&mut self.number, t as usize + 1, NEW);
        Ok(t)
    }

    /// `count := count + 1`, which becomes the number of `t`.
    #[inline]
    pub fn count(&mut self, t: u32) -> u32 {
        self.count += 1;
        self.number[t as usize] = self.count;
        self.g.watch(|| Event::Number(t, self.count));
        self.count
    }

    /// The call of the state in the slot begins.
    #[inline]
    pub fn push_call(&mut self, call: D, run: &mut Run) {
        self.calls.push(self.g, call, run);
        run.counters.states += 1;
        deepen(run, self.calls.depth());
    }

    /// `push(Current, t)`
    #[inline]
    pub fn push_current(&mut self, t: u32, run: &mut Run) {
        self.current.push(t);
        self.g.watch(|| Event::Current(t));
        run.counters.max_active = run.counters.max_active.max(self.current.len() as u64);
    }

    /// The next `t ∈ post(s)` of the call on top, with the marks of the edge.
    #[inline]
    pub fn post(&mut self, run: &mut Run) -> Result<Option<(u32, Marks)>, Stop> {
        self.breathe(0, run)?;
        let Some(marks) = self.calls.next(self.g, run) else { return Ok(None) };
        Ok(Some((self.intern(run)?, marks)))
    }

    /// A look at the limits; the algorithm has so many calls besides.
    #[inline]
    pub fn breathe(&self, besides: usize, run: &mut Run) -> Result<(), Stop> {
        run.breathe(self.calls.depth() + besides, || self.bytes())
    }

    pub fn is_current(&self, t: u32) -> bool {
        self.number.get(t as usize).is_some_and(|&n| n != NEW && n != REMOVED)
    }

    /// `repeat t := pop(Current); t.current := false until t is last`; `last` is told the state and its number.
    #[inline]
    pub fn pop_current(&mut self, last: impl Fn(u32, u32) -> bool) {
        while let Some(t) = self.current.pop() {
            self.g.watch(|| Event::Removed(t));
            if last(t, std::mem::replace(&mut self.number[t as usize], REMOVED)) {
                break;
            }
        }
    }

    /// `t.current := false`, without a stack of current states
    #[inline]
    pub fn remove(&mut self, t: u32) {
        self.number[t as usize] = REMOVED;
        self.g.watch(|| Event::Removed(t));
    }

    /// `report cycle`: the call stack leads to a component that accepts, and each current state can come back.
    pub fn report(&self) -> Found {
        let inside = |t: &[u32]| self.store.find(t).is_some_and(|t| self.is_current(t));
        cycle::lasso(self.g, &self.calls.path(), &inside).map(Some).ok_or(Stop::Unconfirmed)
    }
}

/// A component, named by the `dfsnum` of its root.
struct Root {
    dfsnum: u32,
    /// The marks of the edges inside.
    inside: Marks,
    /// The marks of the edge by which the search entered it.
    entry: Marks,
}

/// The stack of roots. As marks are on edges, an entry has those inside its component and those of the edge to it.
pub(crate) struct Roots(Vec<Root>);

impl Roots {
    /// `push(Roots, (s, ∅))`
    #[inline]
    pub fn push<G: Graph>(&mut self, g: &G, dfsnum: u32, entry: Marks, run: &mut Run) {
        g.watch(|| Event::Root(dfsnum));
        self.0.push(Root { dfsnum, inside: Marks::NONE, entry });
        run.counters.max_roots = run.counters.max_roots.max(self.0.len() as u64);
    }

    /// `if top(Roots) = (s, C) then pop(Roots)`: the marks C.
    #[inline]
    pub fn pop_if<G: Graph>(&mut self, g: &G, dfsnum: u32) -> Option<Marks> {
        let top = self.0.pop_if(|top| top.dfsnum == dfsnum)?;
        g.watch(|| Event::Unroot);
        Some(top.inside)
    }

    /// An edge with the marks `edge` leads to a current state: the components above that of `t` become one with it. True
    /// as soon as `report` says so of the marks that were collected.
    ///
    /// ```text
    /// B := edge;
    /// repeat (u, C) := pop(Roots); B := B ∪ C; if report(B) then report cycle until u.dfsnum ≤ t.dfsnum;
    /// push(Roots, (u, B));
    /// ```
    #[inline]
    pub fn merge<G: Graph>(
        &mut self,
        g: &G,
        t: u32,
        edge: Marks,
        mut report: impl FnMut(Marks) -> bool,
    ) -> bool {
        let mut b = edge;
        while let Some(u) = self.0.last_mut() {
            b |= u.inside;
            if report(b) {
                g.watch(|| Event::Merged(self.0.len(), b));
                return true;
            }
            if u.dfsnum <= t {
                u.inside = b;
                break;
            }
            b |= u.entry;
            self.0.pop();
        }
        g.watch(|| Event::Merged(self.0.len(), b));
        false
    }
}

/// A set of states, by their numbers in a store.
pub(crate) struct Inside(Vec<bool>);

impl Inside {
    pub fn new(states: &[u32]) -> Self {
        let mut inside = vec![false; states.iter().max().map_or(0, |&m| m as usize + 1)];
        states.iter().for_each(|&s| inside[s as usize] = true);
        Inside(inside)
    }

    /// Is the state `t` of the store among them?
    pub fn has<S: Numbered>(&self, store: &S, t: &[u32]) -> bool {
        store.find(t).is_some_and(|t| self.0.get(t as usize) == Some(&true))
    }
}
