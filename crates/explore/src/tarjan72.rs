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
use crate::outcome::{conclude, deepen, full};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_memory::reach;
use riata_store::Numbered;
use riata_system::{Graph, Path, Run, Stop, Verdict};
use std::ops::ControlFlow;

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut accepting: Option<(Path, Vec<bool>)> = None;
    let searched = components(g, store, run, |c| {
        if c.trivial || !c.marks.contains(g.all()) {
            return ControlFlow::Continue(());
        }
        let mut inside = vec![false; c.states.iter().max().map_or(0, |&m| m as usize + 1)];
        c.states.iter().for_each(|&s| inside[s as usize] = true);
        accepting = Some(((c.path)(), inside));
        ControlFlow::Break(())
    });
    let found = searched.and_then(|()| {
        let Some((path, inside)) = accepting else { return Ok(None) };
        let member = |t: &[u32]| store.find(t).is_some_and(|t| inside.get(t as usize) == Some(&true));
        cycle::lasso(g, &path, member).map(Some).ok_or(Stop::Unconfirmed)
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

/// The `lowlink` of a state that is no longer current; a state not seen has 0.
const REMOVED: u32 = u32::MAX;

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

/// Tells `each` of the components as they are completed, until it breaks off.
pub(crate) fn components<G: Graph, S: Numbered>(
    g: &G,
    store: &mut S,
    run: &mut Run,
    mut each: impl FnMut(Component) -> ControlFlow<()>,
) -> Result<(), Stop> {
    let mut search = Search { count: 0, lowlink: Vec::new(), current: Vec::new(), calls: Stack::new(g) };
    let mut initial = G::Cursor::default();
    let mut result = Ok(ControlFlow::Continue(()));
    while result == Ok(ControlFlow::Continue(())) && g.initial(&mut initial, search.calls.slot()) {
        result = search.intern(g, store).and_then(|s0| {
            if search.lowlink[s0 as usize] != 0 {
                return Ok(ControlFlow::Continue(()));
            }
            search.call(g, s0, Marks::NONE, run);
            search.dfs(g, store, run, &mut each)
        });
    }
    run.counters.bytes = (store.bytes() + search.bytes()) as u64;
    result.map(|_| ())
}

struct Search<C> {
    count: u32,
    lowlink: Vec<u32>,
    current: Vec<u32>,
    calls: Stack<C, Call>,
}

impl<C: Default> Search<C> {
    fn bytes(&self) -> usize {
        (self.lowlink.capacity() + self.current.capacity()) * 4 + self.calls.bytes()
    }

    /// The identity of the target; it has a `lowlink`.
    fn intern<G: Graph<Cursor = C>, S: Numbered>(&mut self, g: &G, store: &mut S) -> Result<u32, Stop> {
        let t = store.intern(self.calls.target(g)).map_err(full)?;
        reach(&mut self.lowlink, t as usize + 1, 0);
        Ok(t)
    }

    /// `call dfs(t)`, up to the loop.
    fn call<G: Graph<Cursor = C>>(&mut self, g: &G, t: u32, entry: Marks, run: &mut Run) {
        self.count += 1;
        let n = self.count;
        self.lowlink[t as usize] = n;
        self.current.push(t);
        let call = Call { id: t, dfsnum: n, lowlink: n, marks: Marks::NONE, entry, looped: false };
        self.calls.push(g, call, run);
        run.counters.states += 1;
        run.counters.max_active = run.counters.max_active.max(self.current.len() as u64);
        deepen(run, self.calls.depth());
    }

    fn dfs<G: Graph<Cursor = C>, S: Numbered>(
        &mut self,
        g: &G,
        store: &mut S,
        run: &mut Run,
        each: &mut impl FnMut(Component) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        while let Some(s) = self.calls.top() {
            let (id, dfsnum, lowlink) = (s.id, s.dfsnum, s.lowlink);
            run.breathe(self.calls.depth(), || store.bytes() + self.bytes())?;
            if let Some(marks) = self.calls.next(g, run) {
                let t = self.intern(g, store)?;
                match self.lowlink[t as usize] {
                    0 => self.call(g, t, marks, run),
                    REMOVED => {}
                    low => self.lower(low, marks),
                }
                continue;
            }
            if lowlink == dfsnum {
                let from = self.current.iter().rposition(|&t| t == id).unwrap_or(0);
                let states = &self.current[from..];
                states.iter().for_each(|&t| self.lowlink[t as usize] = REMOVED);
                let (marks, looped) = self.calls.top().map_or((Marks::NONE, false), |s| (s.marks, s.looped));
                let path = || self.calls.path();
                if each(Component { states, marks, trivial: !looped, path: &path }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.current.truncate(from);
                self.calls.pop();
            } else if let Some(child) = self.calls.pop() {
                self.lower(lowlink, child.marks | child.entry);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// An edge with these marks (or a call that returns) has joined a current state with `lowlink`.
    fn lower(&mut self, lowlink: u32, marks: Marks) {
        if let Some(s) = self.calls.top() {
            s.lowlink = s.lowlink.min(lowlink);
            s.marks |= marks;
            s.looped = true;
            self.lowlink[s.id as usize] = s.lowlink;
        }
    }
}
