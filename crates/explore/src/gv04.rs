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
//! used; per state there is the `lowlink`, which is larger than all others when the state is no longer current.
//!
//! # References
//! Geldenhuys, Valmari: Tarjan's algorithm makes on-the-fly LTL verification more efficient. TACAS 2004.
//! In the form of Schwoon, Esparza, TACAS 2005, Figure 7.

use crate::outcome::{Found, conclude};
use crate::roots::{NEW, REMOVED, Search};
use riata_store::Numbered;
use riata_system::watch::Event;
use riata_system::{Run, StateMarked, Verdict};

/// Is there an accepting cycle?
pub fn check<G: StateMarked, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = Search::new(g, store).for_each_initial(run, gv_dfs);
    conclude(g, store.is_exact(), found)
}

struct Call {
    id: u32,
    dfsnum: u32,
    lowlink: u32,
    /// The `dfsnum` of the goal, or 0.
    goal: u32,
}

/// The number of a state is its `lowlink`.
type Gv<'a, G, S> = Search<'a, G, S, Call>;

/// `call gv_dfs(t, t ∈ A ? t : goal)`, up to the loop.
#[inline]
fn call<G: StateMarked, S: Numbered>(c: &mut Gv<G, S>, t: u32, goal: u32, run: &mut Run) {
    let n = c.count(t);
    let goal = if c.g.accepting(c.calls.target(c.g)) { n } else { goal };
    c.push_current(t, run);
    c.push_call(Call { id: t, dfsnum: n, lowlink: n, goal }, run);
}

fn gv_dfs<G: StateMarked, S: Numbered>(c: &mut Gv<G, S>, s0: u32, run: &mut Run) -> Found {
    call(c, s0, 0, run);
    while let Some(goal) = c.calls.top().map(|s| s.goal) {
        if let Some((t, _)) = c.post(run)? {
            match c.number[t as usize] {
                NEW => call(c, t, goal, run),
                REMOVED => {}
                lowlink => {
                    if lower(c, lowlink) {
                        return c.report();
                    }
                }
            }
            continue;
        }
        let Some(&mut Call { id, dfsnum, lowlink, .. }) = c.calls.top() else { break };
        if lowlink == dfsnum {
            c.pop_current(|t, _| t == id);
            c.calls.pop(c.g);
            continue;
        }
        c.calls.pop(c.g);
        if lower(c, lowlink) {
            return c.report();
        }
    }
    Ok(None)
}

/// `s.lowlink := min{s.lowlink, lowlink}` for the call on top; true when the goal is reached.
#[inline]
fn lower<G: StateMarked, S: Numbered>(c: &mut Gv<G, S>, lowlink: u32) -> bool {
    let Some(s) = c.calls.top() else { return false };
    if lowlink < s.lowlink {
        s.lowlink = lowlink;
        c.number[s.id as usize] = lowlink;
        c.g.watch(|| Event::Number(s.id, lowlink));
    }
    s.lowlink <= s.goal
}
