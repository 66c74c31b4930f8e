//! Tarjan's algorithm; a component is tested when it is complete.
//!
//! ```text
//! procedure dfs (s)
//!   count := count + 1;
//!   s.dfsnum := count; s.lowlink := count;
//!   push(Current, s); s.current := true;
//!   for all t ∈ post(s) do
//!     if t.dfsnum = 0 then
//!       call dfs(t);
//!     if t.current then
//!       s.lowlink := min{s.lowlink, t.lowlink};
//!   if s.lowlink = s.dfsnum then
//!     C := ∅;
//!     repeat t := pop(Current); t.current := false; C := C ∪ {t} until s = t;
//!     if C is not trivial and has every mark then report cycle;
//! ```
//!
//! Deviations. `dfsnum` lives in the call, where alone it is used, and `lowlink` tells by its value whether a state
//! is current. Marks are on edges: each call collects those of the edges inside its part of the component.
//!
//! # References
//! Tarjan: Depth-first search and linear graph algorithms. SIAM J. Comput. 1, 1972.

use crate::cycle;
use crate::outcome::conclude;
use crate::roots::{Inside, NEW, REMOVED, Search};
use riata_automata::Marks;
use riata_store::Numbered;
use riata_system::watch::Event;
use riata_system::{Graph, Path, Run, Stop, Verdict};
use std::ops::ControlFlow;

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut accepting: Option<(Path, Inside)> = None;
    let searched = components(g, store, run, |c| {
        if c.trivial || !c.marks.contains(g.all()) {
            return ControlFlow::Continue(());
        }
        accepting = Some(((c.path)(), Inside::new(c.states)));
        ControlFlow::Break(())
    });
    let found = searched.and_then(|()| {
        let Some((path, inside)) = accepting else { return Ok(None) };
        cycle::lasso(g, &path, &|t| inside.has(store, t)).map(Some).ok_or(Stop::Unconfirmed)
    });
    conclude(g, store.is_exact(), found)
}

/// A complete component.
pub(crate) struct Component<'a> {
    pub states: &'a [u32],
    /// The marks of the edges inside.
    pub marks: Marks,
    pub trivial: bool,
    /// The call stack up to and with the root.
    pub path: &'a dyn Fn() -> Path,
}

struct Call {
    id: u32,
    dfsnum: u32,
    lowlink: u32,
    /// The marks of the edges seen inside the component, below this call.
    marks: Marks,
    /// The marks of the edge that led here.
    entry: Marks,
    /// Has an edge inside the component been seen?
    looped: bool,
}

/// The number of a state is its `lowlink`.
type Tarjan<'a, G, S> = Search<'a, G, S, Call>;

/// Tells `each` of the components as they are completed, until it breaks off.
pub(crate) fn components<G: Graph, S: Numbered>(
    g: &G,
    store: &mut S,
    run: &mut Run,
    mut each: impl FnMut(Component) -> ControlFlow<()>,
) -> Result<(), Stop> {
    let dfs = |c: &mut Tarjan<G, S>, s0, run: &mut Run| dfs(c, s0, run, &mut each);
    Search::new(g, store).for_each_initial(run, dfs).map(|_| ())
}

/// `call dfs(t)`, up to the loop.
#[inline]
fn call<G: Graph, S: Numbered>(c: &mut Tarjan<G, S>, t: u32, entry: Marks, run: &mut Run) {
    let n = c.count(t);
    c.push_current(t, run);
    c.push_call(Call { id: t, dfsnum: n, lowlink: n, marks: Marks::NONE, entry, looped: false }, run);
}

/// `Some` when `each` breaks off.
#[inline]
fn dfs<G: Graph, S: Numbered>(
    c: &mut Tarjan<G, S>,
    s0: u32,
    run: &mut Run,
    each: &mut impl FnMut(Component) -> ControlFlow<()>,
) -> Result<Option<()>, Stop> {
    call(c, s0, Marks::NONE, run);
    while !c.calls.is_empty() {
        if let Some((t, marks)) = c.post(run)? {
            match c.number[t as usize] {
                NEW => call(c, t, marks, run),
                REMOVED => {}
                lowlink => lower(c, lowlink, marks),
            }
            continue;
        }
        let Some(&mut Call { id, dfsnum, lowlink, marks, entry, looped }) = c.calls.top() else { break };
        if lowlink == dfsnum {
            let from = c.current.iter().rposition(|&t| t == id).unwrap_or(0);
            let states = &c.current[from..];
            for &t in states.iter().rev() {
                c.number[t as usize] = REMOVED;
                c.g.watch(|| Event::Removed(t));
            }
            let path = || c.calls.path();
            if each(Component { states, marks, trivial: !looped, path: &path }).is_break() {
                return Ok(Some(()));
            }
            c.current.truncate(from);
            c.calls.pop(c.g);
        } else {
            c.calls.pop(c.g);
            lower(c, lowlink, marks | entry);
        }
    }
    Ok(None)
}

/// An edge with these marks (or a call that returns) has joined a current state with `lowlink`.
#[inline]
fn lower<G: Graph, S: Numbered>(c: &mut Tarjan<G, S>, lowlink: u32, marks: Marks) {
    if let Some(s) = c.calls.top() {
        s.lowlink = s.lowlink.min(lowlink);
        s.marks |= marks;
        s.looped = true;
        c.number[s.id as usize] = s.lowlink;
        c.g.watch(|| Event::Number(s.id, s.lowlink));
    }
}
