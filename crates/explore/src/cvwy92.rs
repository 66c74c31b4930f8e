//! The first nested depth-first search.
//!
//! ```text
//! procedure dfs_blue (s)                       procedure dfs_red (s)
//!   s.blue := true;                              s.red := true;
//!   for all t ∈ post(s) do                       for all t ∈ post(s) do
//!     if ¬t.blue then                              if ¬t.red then
//!       call dfs_blue(t);                            call dfs_red(t);
//!   if s ∈ A then                                  else if t = seed then
//!     seed := s;                                     report cycle;
//!     call dfs_red(s);
//! ```
//!
//! [`Form::Figure1`] is this text, SE05 Figure 1. [`Form::Slides`] is the lecture's: it starts no red search from
//! a state that is red already, and looks for the seed first, which makes no difference as the seed is always red.
//!
//! A red search may enter states before the blue one does, so blue and red are two sets and not an order of colours.
//! On a generalised automaton it runs on the n copies of `riata_system::DegeneralisedStates`: 2n traversals.
//!
//! # References
//! Courcoubetis, Vardi, Wolper, Yannakakis: Memory-efficient algorithms for the verification of temporal
//! properties. FMSD 1, 1992.

use crate::outcome::{Found, conclude, deepen, intern};
use crate::stack::Stack;
use riata_store::{StateSet, Store};
use riata_system::watch::Procedure;
use riata_system::{Graph, Lasso, Path, Run, StateMarked, Verdict};

/// Which text of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SE05 Figure 1.
    Figure1,
    /// The slides «Nested depth-first search: Algorithm».
    Slides,
}

/// Is there an accepting cycle? The text of Figure 1.
pub fn check<G: StateMarked, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    check_as(Form::Figure1, g, store, run)
}

/// Is there an accepting cycle? In either form.
pub fn check_as<G: StateMarked, S: Store>(form: Form, g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let [blue, red] = store.sets();
    let calls = (Stack::new(g, Procedure::Outer), Stack::new(g, Procedure::Inner));
    let found = Search { form, g, store, blue, red, calls }.nested_dfs(run);
    conclude(g, store.is_exact(), found)
}

/// A call stack: a state and its identity for each call.
type Calls<G, S> = Stack<<G as Graph>::Cursor, <S as Store>::Id>;

struct Search<'a, G: StateMarked, S: Store> {
    form: Form,
    g: &'a G,
    store: &'a mut S,
    blue: S::Set,
    red: S::Set,
    /// The call stacks of `dfs_blue` and `dfs_red`.
    calls: (Calls<G, S>, Calls<G, S>),
}

impl<G: StateMarked, S: Store> Search<'_, G, S> {
    fn nested_dfs(&mut self, run: &mut Run) -> Found {
        let mut initial = G::Cursor::default();
        let mut found = Ok(None);
        while matches!(found, Ok(None)) && self.g.initial(&mut initial, self.calls.0.slot()) {
            found = match intern(self.store, self.calls.0.target(self.g), run) {
                Err(stop) => Err(stop),
                Ok(s) if self.blue.contains(s) => Ok(None),
                Ok(s) => {
                    self.call_blue(s, run);
                    self.dfs_blue(run)
                }
            };
        }
        run.counters.bytes = self.bytes() as u64;
        found
    }

    fn bytes(&self) -> usize {
        let calls = self.calls.0.bytes() + self.calls.1.bytes();
        self.store.bytes() + self.blue.bytes() + self.red.bytes() + calls
    }

    fn depth(&self) -> usize {
        self.calls.0.depth() + self.calls.1.depth()
    }

    fn call_blue(&mut self, t: S::Id, run: &mut Run) {
        run.counters.states += u64::from(!self.red.contains(t));
        self.calls.0.push(self.g, t, run);
        self.blue.insert(t);
        deepen(run, self.depth());
    }

    fn call_red(&mut self, t: S::Id, run: &mut Run) {
        run.counters.states += u64::from(!self.blue.contains(t) && !self.red.contains(t));
        self.calls.1.push(self.g, t, run);
        self.red.insert(t);
        deepen(run, self.depth());
    }

    fn dfs_blue(&mut self, run: &mut Run) -> Found {
        while let Some(&mut s) = self.calls.0.top() {
            run.breathe(self.depth(), || self.bytes())?;
            if self.calls.0.next(self.g, run).is_some() {
                let t = intern(self.store, self.calls.0.target(self.g), run)?;
                if !self.blue.contains(t) {
                    self.call_blue(t, run);
                }
                continue;
            }
            let state = self.calls.0.state(self.calls.0.depth() - 1);
            let start = self.form == Form::Figure1 || !self.red.contains(s);
            if start && self.g.accepting(state) {
                self.calls.1.slot()[..state.len()].copy_from_slice(state);
                self.call_red(s, run);
                if let Some(lasso) = self.dfs_red(run)? {
                    return Ok(Some(lasso));
                }
            }
            self.calls.0.pop(self.g);
        }
        Ok(None)
    }

    fn dfs_red(&mut self, run: &mut Run) -> Found {
        while !self.calls.1.is_empty() {
            run.breathe(self.depth(), || self.bytes())?;
            if self.calls.1.next(self.g, run).is_none() {
                self.calls.1.pop(self.g);
                continue;
            }
            let target = self.calls.1.target(self.g);
            // Deviation: the seed is compared as a state, so that a lossy store cannot confuse it with another.
            if target == self.calls.1.state(0) {
                return Ok(Some(self.lasso()));
            }
            let t = intern(self.store, target, run)?;
            if !self.red.contains(t) {
                self.call_red(t, run);
            }
        }
        Ok(None)
    }

    /// The blue stack leads to the seed, the red one from the seed back to it.
    fn lasso(&self) -> Lasso {
        let (blue, red) = &self.calls;
        let stem: Path = (0..blue.depth() - 1).map(|i| blue.state(i)).collect();
        let cycle = red.path();
        let marks = cycle.iter().map(|s| self.g.marks(s) & self.g.all()).collect();
        Lasso { stem, cycle, marks, choices: Vec::new() }.shortened()
    }
}
