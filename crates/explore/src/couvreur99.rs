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

use crate::outcome::{Found, conclude, deepen, intern};
use crate::roots::{NEW, REMOVED, Search};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_store::Numbered;
use riata_system::watch::Procedure;
use riata_system::{Graph, Run, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = cow(g, store, &mut Report, run);
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

/// A call is its state and the `dfsnum` of that.
type Cow<'a, G, S> = Search<'a, G, S, (u32, u32)>;
/// The calls of `remove`.
type Removing<G> = Stack<<G as Graph>::Cursor, u32>;

pub(crate) fn cow<G: Graph, S: Numbered>(
    g: &G,
    store: &mut S,
    visitor: &mut impl Visitor,
    run: &mut Run,
) -> Found {
    let mut removing = Stack::new(g, Procedure::Inner);
    let mut search = Search::new(g, store);
    search.besides = removing.bytes();
    let dfs = |c: &mut Cow<G, S>, s0, run: &mut Run| cow_dfs(c, s0, &mut removing, visitor, run);
    search.for_each_initial(run, dfs)
}

/// `call cow_dfs(t)`, up to the loop; `entry` are the marks of the edge to `t`.
#[inline]
fn call<G: Graph, S: Numbered>(c: &mut Cow<G, S>, t: u32, entry: Marks, run: &mut Run) {
    let dfsnum = c.count(t);
    c.roots.push(c.g, dfsnum, entry, run);
    c.push_call((t, dfsnum), run);
}

fn cow_dfs<G: Graph, S: Numbered>(
    c: &mut Cow<G, S>,
    s0: u32,
    removing: &mut Removing<G>,
    visitor: &mut impl Visitor,
    run: &mut Run,
) -> Found {
    let all = c.g.all();
    call(c, s0, Marks::NONE, run);
    while let Some(&mut (s, dfsnum)) = c.calls.top() {
        if let Some((t, marks)) = c.post(run)? {
            match c.number[t as usize] {
                NEW => call(c, t, marks, run),
                REMOVED => {}
                t => {
                    if c.roots.merge(c.g, t, marks, |b| visitor.merged(b, all)) {
                        return c.report();
                    }
                }
            }
            continue;
        }
        if let Some(inside) = c.roots.pop_if(c.g, dfsnum) {
            visitor.complete(inside);
            remove(c, s, removing, visitor, run)?;
        }
        c.calls.pop(c.g);
    }
    Ok(None)
}

/// `remove(s)` for the state on top of the call stack.
fn remove<G: Graph, S: Numbered>(
    c: &mut Cow<G, S>,
    s: u32,
    removing: &mut Removing<G>,
    visitor: &mut impl Visitor,
    run: &mut Run,
) -> Result<(), Stop> {
    let state = c.calls.state(c.calls.depth() - 1);
    removing.slot()[..state.len()].copy_from_slice(state);
    let mut next = Some(s);
    loop {
        if let Some(s) = next.take() {
            removing.push(c.g, s, run);
            c.remove(s);
            visitor.removed(s);
            deepen(run, c.calls.depth() + removing.depth());
            c.besides = removing.bytes();
        }
        let Some(&mut s) = removing.top() else { return Ok(()) };
        c.breathe(removing.depth(), run)?;
        if removing.next(c.g, run).is_none() {
            removing.pop(c.g);
            continue;
        }
        let t = intern(c.store, removing.target(c.g), run)?;
        visitor.edge(s, t);
        next = Some(t).filter(|&t| c.is_current(t));
    }
}
