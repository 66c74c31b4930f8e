//! Tauriainen's nested search on generalised automata: n + 1 traversals instead of 2n.
//!
//! ```text
//! procedure dfs_blue (s)                        procedure dfs_red (s, A)
//!   s.blue := true;                               s.acc := s.acc ∪ A;
//!   for all (s, a, t) ∈ post(s) do                for all (s, a, t) ∈ post(s) do
//!     if ¬t.blue then                               if t.blue ∧ A ⊄ t.acc then
//!       call dfs_blue(t);                             call dfs_red(t, A);
//!     if s.acc ∪ a ⊄ t.acc then
//!       call dfs_red(t, s.acc ∪ a);
//!   if s.acc = K then report cycle;
//! ```
//!
//! `s.acc` are the marks of edges that can reach `s`. Each red visit adds to the set of its state, so there are at
//! most n of them for a state. Marks that come to `s` while it is on the stack are carried on by the red search
//! itself, so the edges of `s` need not be gone through again before the test.
//!
//! With no acceptance set, where every cycle is accepting, the sets say nothing: as many sets as one is used, with
//! every edge in it.
//!
//! # References
//! Tauriainen: Nested emptiness search for generalized Büchi automata. Fundamenta Informaticae 70, 2006 (report A79,
//! Helsinki University of Technology, 2003).

use crate::cycle;
use crate::outcome::{Found, conclude, deepen, intern};
use crate::scc;
use crate::stack::Stack;
use riata_automata::Marks;
use riata_memory::extend_to;
use riata_store::Numbered;
use riata_system::watch::{Event, Procedure};
use riata_system::{Graph, Run, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: Graph, S: Numbered>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let (blue, red) = (Stack::new(g, Procedure::Outer), Stack::new(g, Procedure::Inner));
    let mut search = Search { g, store, seen: Vec::new(), blue, red };
    let found = search.nested_dfs(run);
    run.counters.bytes = search.bytes() as u64;
    conclude(g, store.is_exact(), found)
}

/// What is kept of a state.
#[derive(Clone, Copy, Default)]
struct Seen {
    blue: bool,
    acc: Marks,
}

/// A call of `dfs_blue`, and the edge whose target it has called last.
struct Call {
    s: u32,
    calling: Option<(u32, Marks)>,
}

struct Search<'a, G: Graph, S> {
    g: &'a G,
    store: &'a mut S,
    seen: Vec<Seen>,
    blue: Stack<G::Cursor, Call>,
    /// For each call of `dfs_red` the set A; the state is in the arena.
    red: Stack<G::Cursor, Marks>,
}

impl<G: Graph, S: Numbered> Search<'_, G, S> {
    fn bytes(&self) -> usize {
        let seen = self.seen.capacity() * size_of::<Seen>();
        self.store.bytes() + seen + self.blue.bytes() + self.red.bytes()
    }

    fn depth(&self) -> usize {
        self.blue.depth() + self.red.depth()
    }

    /// K, and the marks of an edge with the marks `a`: where there is no set, one that holds every edge.
    fn marks(&self, a: Marks) -> (Marks, Marks) {
        if self.g.all().is_empty() { (Marks::one(0), Marks::one(0)) } else { (self.g.all(), a) }
    }

    fn nested_dfs(&mut self, run: &mut Run) -> Found {
        let mut initial = G::Cursor::default();
        while self.g.initial(&mut initial, self.blue.slot()) {
            let s0 = self.intern_blue(run)?;
            if !self.seen[s0 as usize].blue {
                self.call_blue(s0, run);
                if self.dfs_blue(run)? {
                    return self.lasso(run).map(Some).ok_or(Stop::Unconfirmed);
                }
            }
        }
        Ok(None)
    }

    fn known(&mut self, t: u32) -> u32 {
        extend_to(&mut self.seen, t as usize + 1, Seen::default());
        t
    }

    fn intern_blue(&mut self, run: &Run) -> Result<u32, Stop> {
        let t = intern(self.store, self.blue.target(self.g), run)?;
        Ok(self.known(t))
    }

    fn call_blue(&mut self, t: u32, run: &mut Run) {
        self.blue.push(self.g, Call { s: t, calling: None }, run);
        self.seen[t as usize].blue = true;
        self.g.watch(|| Event::Insert(0, t));
        run.counters.states += 1;
        deepen(run, self.depth());
    }

    /// True when a cycle is to be reported.
    fn dfs_blue(&mut self, run: &mut Run) -> Result<bool, Stop> {
        loop {
            let Some(call) = self.blue.top() else { return Ok(false) };
            let (s, calling) = (call.s, call.calling.take());
            let (t, a) = if let Some(edge) = calling {
                edge // back from `call dfs_blue(t)`; t is still in the slot
            } else {
                run.breathe(self.depth(), || self.bytes())?;
                let Some(a) = self.blue.next(self.g, run) else {
                    if self.seen[s as usize].acc.contains(self.marks(Marks::NONE).0) {
                        return Ok(true);
                    }
                    self.blue.pop(self.g);
                    continue;
                };
                let t = self.intern_blue(run)?;
                if !self.seen[t as usize].blue {
                    if let Some(call) = self.blue.top() {
                        call.calling = Some((t, a));
                    }
                    self.call_blue(t, run);
                    continue;
                }
                (t, a)
            };
            let acc = self.seen[s as usize].acc | self.marks(a).1;
            if !self.seen[t as usize].acc.contains(acc) {
                let target = self.blue.target(self.g);
                self.red.slot()[..target.len()].copy_from_slice(target);
                self.call_red(t, acc, run);
                self.dfs_red(run)?;
            }
        }
    }

    fn call_red(&mut self, t: u32, acc: Marks, run: &mut Run) {
        self.red.push(self.g, acc, run);
        self.seen[t as usize].acc |= acc;
        self.g.watch(|| Event::Marks(t, self.seen[t as usize].acc));
        deepen(run, self.depth());
    }

    fn dfs_red(&mut self, run: &mut Run) -> Result<(), Stop> {
        while let Some(&mut acc) = self.red.top() {
            run.breathe(self.depth(), || self.bytes())?;
            if self.red.next(self.g, run).is_none() {
                self.red.pop(self.g);
                continue;
            }
            let t = intern(self.store, self.red.target(self.g), run)?;
            let t = self.known(t);
            let Seen { blue, acc: known } = self.seen[t as usize];
            if blue && !known.contains(acc) {
                self.call_red(t, acc, run);
            }
        }
        Ok(())
    }

    /// The cycle lies in the component of the state on top of the blue stack, among the states seen.
    fn lasso(&self, run: &Run) -> Option<riata_system::Lasso> {
        let path = self.blue.path();
        let seen = |t: &[u32]| {
            let id = self.store.find(t);
            id.is_some_and(|t| self.seen.get(t as usize).is_some_and(|s| s.blue))
        };
        let component = scc::component_of(self.g, path.get(path.len() - 1), &seen, run.limits)?;
        cycle::lasso(self.g, &path, &|t| component.contains(t))
    }
}
