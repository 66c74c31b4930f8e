//! Couvreur's algorithm: one number a state, no stack but *Roots*, and a second traversal to remove components.
//!
//! ```text
//! procedure cow_dfs(s):                         procedure remove (s):
//!   count := count + 1;                           if ¬s.current then return;
//!   s.dfsnum := count;                            s.current := false;
//!   push(Roots, s); s.current := true;            for all t ∈ post(s) do remove(t);
//!   for all t ∈ post(s) do
//!     if t.dfsnum = 0 then
//!       call cow_dfs(t);
//!     else if t.current then
//!       repeat
//!         u := pop(Roots);
//!         if u ∈ A then report cycle;
//!       until u.dfsnum ≤ t.dfsnum;
//!       push(Roots, u);
//!   if top(Roots) = s then
//!     pop(Roots);
//!     call remove(s);
//! ```
//!
//! Deviations. As SE05 section 5.2 says for generalised automata, *Roots* holds pairs of a state and the marks of
//! its component; they are on edges, as in Couvreur's own text, so an entry also holds the marks of the edge that
//! entered the component. `current` is lost by making `dfsnum` larger than all others.
//!
//! Without the report this is the decomposition into components of SE05 section 4.4: the trait `Visitor` sees both uses.
//!
//! # References
//! Couvreur: On-the-fly verification of linear temporal logic. FM 1999.
//! Schwoon, Esparza: A note on on-the-fly verification algorithms. TACAS 2005. Figure 5.

use crate::cycle;
use crate::outcome::{Found, conclude, deepen, full};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_memory::reach;
use riata_store::Numbered;
use riata_system::{Graph, Run, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut search = Search::new(g, store, Report);
    let found = search.cow(run);
    run.counters.bytes = search.bytes() as u64;
    conclude(g, store.is_exact(), found)
}

/// What is done with what the search finds.
pub(crate) trait Visitor {
    /// A component has grown to hold these marks; true to report a cycle.
    fn merged(&mut self, inside: Marks, all: Marks) -> bool;
    /// The component of the state that `remove` is called on is complete, with these marks.
    fn complete(&mut self, inside: Marks);
    /// `remove` comes to the state `id`.
    fn removed(&mut self, id: u32);
    /// `remove` considers an edge from the state it was told last to the state `to`, which may be of a component
    /// that was removed before.
    fn edge(&mut self, from: u32, to: u32);
}

/// The emptiness check: report, and nothing else.
struct Report;

impl Visitor for Report {
    fn merged(&mut self, inside: Marks, all: Marks) -> bool {
        inside.contains(all)
    }
    fn complete(&mut self, _: Marks) {}
    fn removed(&mut self, _: u32) {}
    fn edge(&mut self, _: u32, _: u32) {}
}

/// The `dfsnum` of a state that is no longer current.
const REMOVED: u32 = u32::MAX;

struct Root {
    dfsnum: u32,
    inside: Marks,
    entry: Marks,
}

pub(crate) struct Search<'a, G: Graph, S, V> {
    g: &'a G,
    store: &'a mut S,
    pub visitor: V,
    count: u32,
    dfsnum: Vec<u32>,
    roots: Vec<Root>,
    /// For each call its state and `dfsnum`.
    calls: Stack<G::Cursor, (u32, u32)>,
    /// The calls of `remove`.
    removing: Stack<G::Cursor, u32>,
}

impl<'a, G: Graph, S: Numbered, V: Visitor> Search<'a, G, S, V> {
    pub fn new(g: &'a G, store: &'a mut S, visitor: V) -> Self {
        let (calls, removing) = (Stack::new(g), Stack::new(g));
        Search { g, store, visitor, count: 0, dfsnum: Vec::new(), roots: Vec::new(), calls, removing }
    }

    pub fn bytes(&self) -> usize {
        let roots = self.roots.capacity() * size_of::<Root>();
        self.store.bytes() + self.dfsnum.capacity() * 4 + roots + self.calls.bytes() + self.removing.bytes()
    }

    pub fn cow(&mut self, run: &mut Run) -> Found {
        let mut initial = G::Cursor::default();
        while self.g.initial(&mut initial, self.calls.slot()) {
            let s0 = self.intern()?;
            if self.dfsnum[s0 as usize] == 0 {
                self.call(s0, Marks::NONE, run);
                if self.cow_dfs(run)? {
                    let inside = |t: &[u32]| self.store.find(t).is_some_and(|t| self.is_current(t));
                    return cycle::lasso(self.g, &self.calls.path(), inside)
                        .map(Some)
                        .ok_or(Stop::Unconfirmed);
                }
            }
        }
        Ok(None)
    }

    fn is_current(&self, t: u32) -> bool {
        self.dfsnum.get(t as usize).is_some_and(|&n| n != 0 && n != REMOVED)
    }

    /// The identity of the target; it has a `dfsnum`.
    fn intern(&mut self) -> Result<u32, Stop> {
        let t = self.store.intern(self.calls.target(self.g)).map_err(full)?;
        reach(&mut self.dfsnum, t as usize + 1, 0);
        Ok(t)
    }

    /// `call cow_dfs(t)`, up to the loop; `entry` are the marks of the edge to `t`.
    fn call(&mut self, t: u32, entry: Marks, run: &mut Run) {
        self.count += 1;
        self.dfsnum[t as usize] = self.count;
        self.roots.push(Root { dfsnum: self.count, inside: Marks::NONE, entry });
        self.calls.push(self.g, (t, self.count), run);
        run.counters.states += 1;
        run.counters.max_roots = run.counters.max_roots.max(self.roots.len() as u64);
        deepen(run, self.calls.depth());
    }

    /// True when a cycle is to be reported.
    fn cow_dfs(&mut self, run: &mut Run) -> Result<bool, Stop> {
        while let Some(&mut (s, num)) = self.calls.top() {
            run.breathe(self.calls.depth(), || self.bytes())?;
            if let Some(marks) = self.calls.next(self.g, run) {
                let t = self.intern()?;
                match self.dfsnum[t as usize] {
                    0 => self.call(t, marks, run),
                    REMOVED => {}
                    t => {
                        if self.merge(t, marks) {
                            return Ok(true);
                        }
                    }
                }
                continue;
            }
            if self.roots.last().is_some_and(|r| r.dfsnum == num) {
                let inside = self.roots.pop().map_or(Marks::NONE, |r| r.inside);
                self.visitor.complete(inside);
                self.remove(s, run)?;
            }
            self.calls.pop();
        }
        Ok(false)
    }

    /// The components above the one of `t` become one with it. True when a cycle is to be reported.
    fn merge(&mut self, t: u32, edge: Marks) -> bool {
        let mut b = edge;
        while let Some(u) = self.roots.last_mut() {
            b |= u.inside;
            if self.visitor.merged(b, self.g.all()) {
                return true;
            }
            if u.dfsnum <= t {
                u.inside = b;
                break;
            }
            b |= u.entry;
            self.roots.pop();
        }
        false
    }

    /// `remove(s)` for the state on top of the call stack.
    fn remove(&mut self, s: u32, run: &mut Run) -> Result<(), Stop> {
        let state = self.calls.state(self.calls.depth() - 1);
        self.removing.slot()[..state.len()].copy_from_slice(state);
        self.call_remove(s, run);
        while let Some(&mut s) = self.removing.top() {
            run.breathe(self.calls.depth() + self.removing.depth(), || self.bytes())?;
            if self.removing.next(self.g, run).is_none() {
                self.removing.pop();
                continue;
            }
            let t = self.store.intern(self.removing.target(self.g)).map_err(full)?;
            self.visitor.edge(s, t);
            if self.is_current(t) {
                self.call_remove(t, run);
            }
        }
        Ok(())
    }

    fn call_remove(&mut self, s: u32, run: &mut Run) {
        self.dfsnum[s as usize] = REMOVED;
        self.visitor.removed(s);
        self.removing.push(self.g, s, run);
        deepen(run, self.calls.depth() + self.removing.depth());
    }
}
