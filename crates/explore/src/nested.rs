//! What the nested searches share: two call stacks, colours, and how a lasso is read off the stacks.

use crate::outcome::{Found, deepen, intern};
use crate::stack::Stack;
use riata_store::{Colour, Colours, Palette, Store};
use riata_system::watch::Procedure;
use riata_system::{Lasso, Run, StateMarked, Stop};

/// A call of one of the two searches.
pub(crate) struct Call<Id> {
    /// The state.
    pub id: Id,
    /// `s ∈ A`.
    pub accepting: bool,
    /// GS09 Fig. 1 line 4; the other algorithms leave it alone.
    pub allred: bool,
}

/// A nested search in progress.
pub(crate) struct Nested<'a, G: StateMarked, S: Store> {
    pub g: &'a G,
    pub store: &'a mut S,
    pub colour: S::Colours,
    pub blue: Stack<G::Cursor, Call<S::Id>>,
    pub red: Stack<G::Cursor, S::Id>,
}

impl<'a, G: StateMarked, S: Store> Nested<'a, G, S> {
    pub fn new(g: &'a G, store: &'a mut S, palette: Palette) -> Self {
        let colour = store.colours(palette);
        let (blue, red) = (Stack::new(g, Procedure::Outer), Stack::new(g, Procedure::Inner));
        Nested { g, store, colour, blue, red }
    }

    /// Calls `dfs_blue` for each initial state that is still white, with the state as the only call on the stack.
    pub fn for_each_initial(
        &mut self,
        run: &mut Run,
        dfs_blue: impl Fn(&mut Self, &mut Run) -> Found,
    ) -> Found {
        let mut initial = G::Cursor::default();
        let mut found = Ok(None);
        while matches!(found, Ok(None)) && self.g.initial(&mut initial, self.blue.slot()) {
            found = intern(self.store, self.blue.target(self.g), run).and_then(|s| {
                if self.colour.get(s) != Colour::White {
                    return Ok(None);
                }
                self.call_blue(s, run);
                dfs_blue(self, run)
            });
        }
        run.counters.bytes = self.bytes() as u64;
        found
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.colour.bytes() + self.blue.bytes() + self.red.bytes()
    }

    fn depth(&self) -> usize {
        self.blue.depth() + self.red.depth()
    }

    /// `call dfs_blue(t)`, where `t` is in the slot of the blue stack; its first line makes `t` cyan.
    pub fn call_blue(&mut self, t: S::Id, run: &mut Run) {
        let call = Call { id: t, accepting: self.target_accepting(), allred: true };
        self.blue.push(self.g, call, run);
        self.colour.set(t, Colour::Cyan);
        run.counters.states += 1;
        deepen(run, self.blue.depth());
    }

    /// The next `t ∈ post(s)` of the blue search.
    #[inline]
    pub fn post_blue(&mut self, run: &mut Run) -> Result<Option<S::Id>, Stop> {
        run.breathe(self.depth(), || self.bytes())?;
        if self.blue.next(self.g, run).is_none() {
            return Ok(None);
        }
        intern(self.store, self.blue.target(self.g), run).map(Some)
    }

    /// `t ∈ A`, for the `t` that [`Nested::post_blue`] told.
    #[inline]
    pub fn target_accepting(&self) -> bool {
        self.g.accepting(self.blue.target(self.g))
    }

    /// `call dfs_red(s)` for the top of the blue stack.
    pub fn call_red_on_top(&mut self, run: &mut Run) {
        let top = self.blue.depth() - 1;
        let Some(id) = self.blue.top().map(|c| c.id) else { return };
        let s = self.blue.state(top);
        self.red.slot()[..s.len()].copy_from_slice(s);
        self.call_red(id, run);
    }

    /// `call dfs_red(t)`, where `t` is in the slot of the red stack.
    pub fn call_red(&mut self, t: S::Id, run: &mut Run) {
        self.red.push(self.g, t, run);
        deepen(run, self.depth());
    }

    /// The next `t ∈ post(s)` of the red search.
    #[inline]
    pub fn post_red(&mut self, run: &mut Run) -> Result<Option<S::Id>, Stop> {
        run.breathe(self.depth(), || self.bytes())?;
        if self.red.next(self.g, run).is_none() {
            return Ok(None);
        }
        intern(self.store, self.red.target(self.g), run).map(Some)
    }

    /// `dfs_red` of HPY96, SE05 and GS09: from the top of the blue stack through blue states to a cyan one.
    ///
    /// ```text
    /// for all t ∈ post(s) do
    ///   if t.colour = cyan then report cycle
    ///   else if t.colour = blue then t.colour := red; call dfs_red(t)
    /// ```
    pub fn dfs_red(&mut self, run: &mut Run) -> Found {
        self.call_red_on_top(run);
        while !self.red.is_empty() {
            let Some(t) = self.post_red(run)? else {
                self.red.pop(self.g);
                continue;
            };
            match self.colour.get(t) {
                Colour::Cyan => {
                    if let Some(lasso) = self.report(true) {
                        return Ok(Some(lasso));
                    }
                }
                Colour::Blue => {
                    self.colour.set(t, Colour::Red);
                    self.call_red(t, run);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// `report cycle`: the target of the blue search (or of the red one) closes a cycle over the blue stack. `None`
    /// if the target is not there, which a lossy store can make it seem to be.
    pub fn report(&self, red: bool) -> Option<Lasso> {
        let target = if red { self.red.target(self.g) } else { self.blue.target(self.g) };
        let from = (0..self.blue.depth()).rev().find(|&i| self.blue.state(i) == target)?;
        Some(self.lasso_from(from))
    }

    /// The lasso that leaves the blue stack at call `from`, goes up the blue stack, and on over the red one.
    pub fn lasso_from(&self, from: usize) -> Lasso {
        let blue = |i| self.blue.state(i);
        let mut lasso = Lasso { stem: (0..from).map(blue).collect(), ..Lasso::default() };
        (from..self.blue.depth()).for_each(|i| lasso.cycle.push(blue(i)));
        // The red search begins with the state in which the blue one is.
        (1..self.red.depth()).for_each(|i| lasso.cycle.push(self.red.state(i)));
        lasso.marks = lasso.cycle.iter().map(|s| self.g.marks(s) & self.g.all()).collect();
        lasso
    }
}
