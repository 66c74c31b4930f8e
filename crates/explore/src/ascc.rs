//! Couvreur's algorithm with Tarjan's stack put back, on generalised automata.
//!
//! ```text
//! procedure couv_dfs(s):                        else if t.current then
//!   count := count + 1;                           B := ∅;
//!   s.dfsnum := count;                            repeat
//!   s.current := true;                              (u, C) := pop(Roots);
//!   push(Roots, (s, A(s)));                         B := B ∪ C;
//!   push(Active, s);                                if B = K then report cycle
//!   for all t ∈ post(s) do                        until u.dfsnum ≤ t.dfsnum;
//!     if t.dfsnum = 0 then                        push(Roots, (u, B));
//!       call couv_dfs(t)                      if top(Roots) = (s, ?) then
//!                                               pop(Roots);
//!                                               repeat u := pop(Active); u.current := false
//!                                               until u = s
//! ```
//!
//! Deviations. Marks are on edges: an entry of *Roots* holds the marks inside its component and those of the edge
//! that entered it, and B begins with the marks of the edge (s, t). One number a state: `current` is lost by making
//! `dfsnum` larger than all others. A component is named by the `dfsnum` of its root.
//!
//! # References
//! Gaiser, Schwoon: Comparison of algorithms for checking emptiness on Büchi automata. MEMICS 2009. Figure 2.
//! Couvreur, Duret-Lutz, Poitrenaud: On-the-fly emptiness checks for generalized Büchi automata. SPIN 2005.

use crate::cycle;
use crate::outcome::{Found, conclude, deepen, full};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_memory::reach;
use riata_store::Numbered;
use riata_system::{Graph, Run, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut search = Search {
        g,
        store,
        count: 0,
        dfsnum: Vec::new(),
        roots: Vec::new(),
        active: Vec::new(),
        calls: Stack::new(g),
    };
    let found = search.couv(run);
    run.counters.bytes = search.bytes() as u64;
    conclude(g, store.is_exact(), found)
}

/// The `dfsnum` of a state that is no longer current.
const REMOVED: u32 = u32::MAX;

struct Root {
    dfsnum: u32,
    /// The marks of the edges inside the component.
    inside: Marks,
    /// The marks of the edge by which the search entered it.
    entry: Marks,
}

struct Search<'a, G: Graph, S> {
    g: &'a G,
    store: &'a mut S,
    count: u32,
    dfsnum: Vec<u32>,
    roots: Vec<Root>,
    active: Vec<u32>,
    /// For each call its `dfsnum`.
    calls: Stack<G::Cursor, u32>,
}

impl<G: Graph, S: Numbered> Search<'_, G, S> {
    fn bytes(&self) -> usize {
        let numbers = (self.dfsnum.capacity() + self.active.capacity()) * 4;
        self.store.bytes() + numbers + self.roots.capacity() * size_of::<Root>() + self.calls.bytes()
    }

    fn couv(&mut self, run: &mut Run) -> Found {
        let mut initial = G::Cursor::default();
        while self.g.initial(&mut initial, self.calls.slot()) {
            let s0 = self.intern()?;
            if self.dfsnum[s0 as usize] == 0 {
                self.call(s0, Marks::NONE, run);
                if self.couv_dfs(run)? {
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
    #[inline]
    fn intern(&mut self) -> Result<u32, Stop> {
        let t = self.store.intern(self.calls.target(self.g)).map_err(full)?;
        reach(&mut self.dfsnum, t as usize + 1, 0);
        Ok(t)
    }

    /// `call couv_dfs(t)`, up to the loop; `entry` are the marks of the edge to `t`.
    #[inline]
    fn call(&mut self, t: u32, entry: Marks, run: &mut Run) {
        self.count += 1;
        self.dfsnum[t as usize] = self.count;
        self.roots.push(Root { dfsnum: self.count, inside: Marks::NONE, entry });
        self.active.push(t);
        self.calls.push(self.g, self.count, run);
        run.counters.states += 1;
        run.counters.max_roots = run.counters.max_roots.max(self.roots.len() as u64);
        run.counters.max_active = run.counters.max_active.max(self.active.len() as u64);
        deepen(run, self.calls.depth());
    }

    /// True when a cycle is to be reported.
    fn couv_dfs(&mut self, run: &mut Run) -> Result<bool, Stop> {
        let all = self.g.all();
        while let Some(&mut s) = self.calls.top() {
            run.breathe(self.calls.depth(), || self.bytes())?;
            if let Some(marks) = self.calls.next(self.g, run) {
                let t = self.intern()?;
                let num = self.dfsnum[t as usize];
                if num == 0 {
                    self.call(t, marks, run);
                } else if num != REMOVED && self.merge(num, marks, all) {
                    return Ok(true);
                }
                continue;
            }
            if self.roots.last().is_some_and(|r| r.dfsnum == s) {
                self.roots.pop();
                while let Some(u) = self.active.pop() {
                    if std::mem::replace(&mut self.dfsnum[u as usize], REMOVED) == s {
                        break;
                    }
                }
            }
            self.calls.pop();
        }
        Ok(false)
    }

    /// The components above the one of `t` become one with it. True when that has all marks.
    #[inline]
    fn merge(&mut self, t: u32, edge: Marks, all: Marks) -> bool {
        let mut b = edge;
        loop {
            let Some(u) = self.roots.last_mut() else { return false };
            b |= u.inside;
            if b.contains(all) {
                return true;
            }
            if u.dfsnum <= t {
                u.inside = b;
                return false;
            }
            b |= u.entry;
            self.roots.pop();
        }
    }
}
