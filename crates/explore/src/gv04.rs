//! Tarjan's algorithm that reports as soon as a cycle closes around an accepting state.
//!
//! ```text
//! procedure gv_dfs (s, goal)
//!   count := count + 1;
//!   s.dfsnum := count; s.lowlink := count;
//!   push(Current, s); s.current := true;
//!   for all t ∈ post(s) do
//!     if t.dfsnum = 0 then
//!       if t ∈ A then call gv_dfs(t, t) else call gv_dfs(t, goal);
//!     if t.current then
//!       s.lowlink := min{s.lowlink, t.lowlink};
//!       if goal ≠ ⊥ ∧ s.lowlink ≤ goal.dfsnum then report cycle;
//!   if s.lowlink = s.dfsnum then
//!     repeat t := pop(Current); t.current := false; until s = t;
//! ```
//!
//! Deviations. The lines after `call gv_dfs` happen when the call returns. ⊥ is the number 0, smaller than all
//! others, so the first test of the report is not needed. `dfsnum` of a state lives in its call, where alone it is
//! used; per state there is the `lowlink`, which is `REMOVED` when the state is no longer current.
//!
//! # References
//! Geldenhuys, Valmari: Tarjan's algorithm makes on-the-fly LTL verification more efficient. TACAS 2004.
//! In the form of Schwoon, Esparza, TACAS 2005, Figure 7.

use crate::cycle;
use crate::outcome::{Found, conclude, deepen, full};
use crate::stack::Stack;
use riata_memory::reach;
use riata_store::Numbered;
use riata_system::{Graph, Run, StateMarked, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: StateMarked, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut search =
        Search { g, store, count: 0, lowlink: Vec::new(), current: Vec::new(), calls: Stack::new(g) };
    let found = search.gv(run);
    run.counters.bytes = search.bytes() as u64;
    conclude(g, store.is_exact(), found)
}

/// The `lowlink` of a state that is no longer current; a state not seen has 0.
const REMOVED: u32 = u32::MAX;

struct Call {
    id: u32,
    dfsnum: u32,
    lowlink: u32,
    /// The `dfsnum` of the goal, or 0.
    goal: u32,
}

struct Search<'a, G: Graph, S> {
    g: &'a G,
    store: &'a mut S,
    count: u32,
    lowlink: Vec<u32>,
    current: Vec<u32>,
    calls: Stack<G::Cursor, Call>,
}

impl<G: StateMarked, S: Numbered> Search<'_, G, S> {
    fn bytes(&self) -> usize {
        self.store.bytes() + (self.lowlink.capacity() + self.current.capacity()) * 4 + self.calls.bytes()
    }

    fn gv(&mut self, run: &mut Run) -> Found {
        let mut initial = G::Cursor::default();
        while self.g.initial(&mut initial, self.calls.slot()) {
            let s0 = self.intern()?;
            if self.lowlink[s0 as usize] == 0 {
                self.call(s0, 0, run);
                if self.gv_dfs(run)? {
                    let current =
                        |t: u32| self.lowlink.get(t as usize).is_some_and(|&l| l != 0 && l != REMOVED);
                    let inside = |t: &[u32]| self.store.find(t).is_some_and(current);
                    return cycle::lasso(self.g, &self.calls.path(), inside)
                        .map(Some)
                        .ok_or(Stop::Unconfirmed);
                }
            }
        }
        Ok(None)
    }

    /// The identity of the target; it has a `lowlink`.
    #[inline]
    fn intern(&mut self) -> Result<u32, Stop> {
        let t = self.store.intern(self.calls.target(self.g)).map_err(full)?;
        reach(&mut self.lowlink, t as usize + 1, 0);
        Ok(t)
    }

    /// `call gv_dfs(t, t ∈ A ? t : goal)`, up to the loop.
    #[inline]
    fn call(&mut self, t: u32, goal: u32, run: &mut Run) {
        self.count += 1;
        let accepting = self.g.accepting(self.calls.target(self.g));
        self.lowlink[t as usize] = self.count;
        self.current.push(t);
        let goal = if accepting { self.count } else { goal };
        self.calls.push(self.g, Call { id: t, dfsnum: self.count, lowlink: self.count, goal }, run);
        run.counters.states += 1;
        run.counters.max_active = run.counters.max_active.max(self.current.len() as u64);
        deepen(run, self.calls.depth());
    }

    /// True when a cycle is to be reported.
    fn gv_dfs(&mut self, run: &mut Run) -> Result<bool, Stop> {
        while !self.calls.is_empty() {
            run.breathe(self.calls.depth(), || self.bytes())?;
            if self.calls.next(self.g, run).is_some() {
                let t = self.intern()?;
                match self.lowlink[t as usize] {
                    0 => {
                        let goal = self.calls.top().map_or(0, |s| s.goal);
                        self.call(t, goal, run);
                    }
                    REMOVED => {}
                    lowlink => {
                        if self.lower(lowlink) {
                            return Ok(true);
                        }
                    }
                }
                continue;
            }
            let Some(s) = self.calls.pop() else { break };
            if s.lowlink == s.dfsnum {
                while let Some(t) = self.current.pop() {
                    self.lowlink[t as usize] = REMOVED;
                    if t == s.id {
                        break;
                    }
                }
            } else if self.lower(s.lowlink) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `s.lowlink := min{s.lowlink, lowlink}` for the call on top; true when the goal is reached.
    #[inline]
    fn lower(&mut self, lowlink: u32) -> bool {
        let Some(s) = self.calls.top() else { return false };
        if lowlink < s.lowlink {
            s.lowlink = lowlink;
            self.lowlink[s.id as usize] = lowlink;
        }
        s.lowlink <= s.goal
    }
}
