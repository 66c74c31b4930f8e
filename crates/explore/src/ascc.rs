//! Couvreur's algorithm with Tarjan's stack put back, on generalised automata.
//!
//! ```text
//! procedure couv_dfs(s):
//!   count := count + 1;
//!   s.dfsnum := count;
//!   s.current := true;
//!   push(Roots, (s, A(s)));
//!   push(Active, s);
//!   for all t ∈ post(s) do
//!     if t.dfsnum = 0 then
//!       call couv_dfs(t)
//!     else if t.current then
//!       B := ∅;
//!       repeat
//!         (u, C) := pop(Roots);
//!         B := B ∪ C;
//!         if B = K then report cycle
//!       until u.dfsnum ≤ t.dfsnum;
//!       push(Roots, (u, B));
//!   if top(Roots) = (s, ?) then
//!     pop(Roots);
//!     repeat u := pop(Active); u.current := false
//!     until u = s
//! ```
//!
//! Deviations. Marks are on edges: an entry of *Roots* holds the marks inside its component and those of the edge
//! that entered it, and B begins with the marks of the edge (s, t). One number a state: `current` is lost by making
//! `dfsnum` larger than all others. A component is named by the `dfsnum` of its root. *Active* is the field `current`
//! of what the searches by components share.
//!
//! # References
//! Gaiser, Schwoon: Comparison of algorithms for checking emptiness on Büchi automata. MEMICS 2009. Figure 2.
//! Couvreur, Duret-Lutz, Poitrenaud: On-the-fly emptiness checks for generalized Büchi automata. SPIN 2005.

use crate::outcome::{Found, conclude};
use crate::roots::{NEW, REMOVED, Search};
use riata_automata::Marks;
use riata_store::Numbered;
use riata_system::{Graph, Run, Verdict};

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = Search::new(g, store).for_each_initial(run, couv_dfs);
    conclude(g, store.is_exact(), found)
}

/// A call is the `dfsnum` of its state.
type Couv<'a, G, S> = Search<'a, G, S, u32>;

/// `call couv_dfs(t)`, up to the loop; `entry` are the marks of the edge to `t`.
#[inline]
fn call<G: Graph, S: Numbered>(c: &mut Couv<G, S>, t: u32, entry: Marks, run: &mut Run) {
    let dfsnum = c.count(t);
    c.roots.push(c.g, dfsnum, entry, run);
    c.push_current(t, run);
    c.push_call(dfsnum, run);
}

fn couv_dfs<G: Graph, S: Numbered>(c: &mut Couv<G, S>, s0: u32, run: &mut Run) -> Found {
    let all = c.g.all();
    call(c, s0, Marks::NONE, run);
    while let Some(&mut s) = c.calls.top() {
        if let Some((t, marks)) = c.post(run)? {
            match c.number[t as usize] {
                NEW => call(c, t, marks, run),
                REMOVED => {}
                t => {
                    if c.roots.merge(c.g, t, marks, |b| b.contains(all)) {
                        return c.report();
                    }
                }
            }
            continue;
        }
        if c.roots.pop_if(c.g, s).is_some() {
            c.pop_current(|_, u| u == s);
        }
        c.calls.pop(c.g);
    }
    Ok(None)
}
