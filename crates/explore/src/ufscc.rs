//! Components by several workers, over one union-find forest; any number of acceptance sets.
//!
//! ```text
//! procedure ufscc (v, p)
//!   push(R_p, v);
//!   while v' := pick(v) do                        // a state of v's set that is not done; null if all are
//!     for all w ∈ post_p(v') do
//!       claim := make_claim(w, p);
//!       if claim = dead then                      // in a complete component
//!         continue;
//!       else if claim = success then              // new to this worker
//!         call ufscc(w, p);
//!       else                                      // found: w is in a set on the stack
//!         while ¬same_set(w, v) do
//!           r := pop(R_p); unite(r, top(R_p));
//!     done(v');
//!   if v = top(R_p) then pop(R_p);
//! ```
//!
//! Each worker `p` runs this from the initial states, with successors in an order of its own. Workers explore one component
//! together: a state that one of them has done is picked by nobody again, and a component is complete when all its
//! states are done, whoever did it. So the first worker that comes to its end has seen that everything is dead.
//!
//! Marks are on edges, as in the work on generalised automata: a set has those of the edges inside of it, and *R* those
//! of the edge by which each of its states was entered. When an edge leads back into a set, its marks, and those of
//! the entries that were popped, are added; a set that has every mark holds an accepting cycle. No edge inside of a component is
//! forgotten: who first has done its source has *found* its target, or has had a call for it. Such a call returns when the
//! component of the target is complete, which is then another one, or when its entry was popped, and the marks added.
//!
//! The lasso is found afterwards, by a breadth-first search through the states that were stored to the component, and by
//! one inside of it (`lasso`).
//!
//! Deviations. All successors of a state are looked up when it is picked. A call whose set was united by this worker with one
//! below it on the stack (so that `v` is no longer in *R*) returns after `done`: the call below goes on with the list, which
//! is one now. Otherwise the states of a component would be picked again by the innermost call while the others wait.
//!
//! # References
//! Bloemen, Laarman, van de Pol: Multi-core on-the-fly SCC decomposition. PPoPP 2016. Figure 7.
//! Bloemen, Duret-Lutz, van de Pol: Model checking with generalized Rabin and Fin-less automata. STTT 21, 2019.

use crate::cycle;
use crate::forest::{Claim, Forest};
use crate::outcome::{Found, conclude, deepen};
use crate::parallel::post::Post;
use crate::parallel::team::{Complete, Leave, Worker, together};
use riata_automata::Marks;
use riata_store::shared::Kept;
use riata_system::{Graph, Lasso, Path, Run, Stop, Verdict};

/// Is there an accepting cycle?
///
/// # Panics
/// If a worker does.
pub fn check<G: Graph + Sync, S: Kept>(g: &G, store: &S, threads: usize, run: &mut Run) -> Verdict {
    let sets = g.all().len();
    let forest = Forest::new(sets);
    let threads = threads.min(Forest::most_workers(sets));
    let accepting = together(threads, Complete::ByOne, run, |worker| {
        let (post, frames, arena, roots) =
            (Post::new(g, store, worker.number)?, Vec::new(), Vec::new(), Vec::new());
        let mut search = Search { post, forest: &forest, frames, arena, roots };
        let found = search.all(worker);
        worker.run.counters.bytes = search.bytes() as u64;
        found
    });
    run.counters.states = store.len() as u64;
    run.counters.bytes += (store.bytes() + store.len() * Forest::BYTES) as u64;
    let found = accepting.and_then(|found| match found {
        None => Ok(None),
        Some(w) => lasso(g, store, &forest, w, run),
    });
    conclude(g, store.is_exact(), found)
}

/// A call.
struct Frame {
    v: u32,
    /// The state of the set of `v` whose successors are looked at.
    picked: Option<u32>,
    /// Where its successors begin.
    from: usize,
}

/// One worker's search.
struct Search<'s, G, S: Kept> {
    post: Post<'s, G, S>,
    forest: &'s Forest,
    frames: Vec<Frame>,
    /// The successors that the calls have not looked at, with the marks of the edges.
    arena: Vec<(u32, Marks)>,
    /// *R*, with the marks of the edge to each.
    roots: Vec<(u32, Marks)>,
}

impl<G: Graph, S: Kept> Search<'_, G, S> {
    /// A state of a set that accepts.
    fn all(&mut self, worker: &mut Worker) -> Result<Option<u32>, Leave> {
        for s in self.post.initial()? {
            if self.forest.claim(s, worker.number) != Claim::Success {
                continue;
            }
            self.call(s, Marks::NONE, worker);
            if let Some(w) = self.ufscc(worker)? {
                return Ok(Some(w));
            }
        }
        Ok(None)
    }

    /// What this worker holds.
    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + (self.arena.capacity() + self.roots.capacity()) * 16
    }

    fn call(&mut self, v: u32, entry: Marks, worker: &mut Worker) {
        self.roots.push((v, entry));
        self.frames.push(Frame { v, picked: None, from: self.arena.len() });
        worker.run.counters.states += 1;
        worker.run.counters.max_roots = worker.run.counters.max_roots.max(self.roots.len() as u64);
        deepen(worker.run, self.frames.len());
    }

    fn ufscc(&mut self, worker: &mut Worker) -> Result<Option<u32>, Leave> {
        let all = self.post.g.all();
        while let Some(&Frame { v, from, .. }) = self.frames.last() {
            if self.arena.len() > from
                && let Some((w, marks)) = self.arena.pop()
            {
                match self.forest.claim(w, worker.number) {
                    Claim::Dead => {}
                    Claim::Success => self.call(w, marks, worker),
                    Claim::Found => {
                        if self.merge(w, v, marks).contains(all) {
                            return Ok(Some(w));
                        }
                    }
                }
                continue;
            }
            self.pick_next(worker)?;
        }
        Ok(None)
    }

    /// `while ¬same_set(w, v) do r := pop(R); unite(r, top(R))`: the marks of the set.
    fn merge(&mut self, w: u32, v: u32, edge: Marks) -> Marks {
        let mut marks = edge;
        while !self.forest.same_set(w, v) {
            let (Some((r, entry)), Some(&(top, _))) = (self.roots.pop(), self.roots.last()) else {
                panic!("internal error: a set that was entered is not on the stack")
            };
            marks |= entry;
            self.forest.unite(r, top);
        }
        self.forest.add_marks(w, marks)
    }

    /// The call on top is ready with the state that it had picked: it picks another, or returns.
    fn pick_next(&mut self, worker: &mut Worker) -> Result<(), Leave> {
        self.breathe(worker)?;
        let Some(top) = self.frames.last_mut() else { return Ok(()) };
        let v = top.v;
        if let Some(picked) = top.picked.take() {
            self.forest.done(picked);
            // Deviation: its set was united with one below.
            if self.roots.last().is_none_or(|&(root, _)| root != v) {
                self.frames.pop();
                return Ok(());
            }
        }
        top.picked = self.forest.pick(v);
        if let Some(picked) = top.picked {
            let from = self.arena.len();
            self.post.of(picked, worker, &mut self.arena, |w, marks| (w, marks))?;
            self.arena[from..].iter().for_each(|&(w, _)| self.forest.prefetch(w));
            return Ok(());
        }
        self.roots.pop_if(|(root, _)| *root == v);
        self.frames.pop();
        Ok(())
    }

    fn breathe(&self, worker: &mut Worker) -> Result<(), Leave> {
        let (store, threads) = (self.post.store, worker.threads);
        // The others hold about as much.
        let bytes = || store.bytes() + store.len() * Forest::BYTES + self.bytes() * threads;
        worker.breathe(self.frames.len(), bytes)
    }
}

/// The lasso to the component of `w` and round in it.
///
/// The states of a set are in one component, but the ways between them may lead through states of it that are in no set with
/// them yet: a worker stops to unite when another has closed the circle elsewhere. Then the component is looked for among all
/// states that were stored; every edge that united two sets is between such.
fn lasso<G: Graph, S: Kept>(g: &G, store: &S, forest: &Forest, w: u32, run: &mut Run) -> Found {
    let in_set = |s: u32| forest.same_set(s, w);
    if let Some(lasso) = lasso_inside(g, store, &in_set, run)? {
        return Ok(Some(lasso));
    }
    let component = component(g, store, w, run)?;
    let inside = |s: u32| component[s as usize];
    lasso_inside(g, store, &inside, run)?.map(Some).ok_or(Stop::Unconfirmed)
}

/// A lasso whose cycle has every mark, `inside` of some states; none if these are not connected with each other.
fn lasso_inside<G: Graph, S: Kept>(
    g: &G,
    store: &S,
    inside: &dyn Fn(u32) -> bool,
    run: &mut Run,
) -> Result<Option<Lasso>, Stop> {
    let seat = store.seat().ok_or(Stop::Interrupted)?;
    let path = path_to(g, store, inside, run)?.ok_or(Stop::Unconfirmed)?;
    Ok(cycle::lasso(g, &path, &|t| store.find(&seat, t).is_some_and(inside)))
}

/// The states that `w` can reach and that can reach it, through states that are in the store.
fn component<G: Graph, S: Kept>(g: &G, store: &S, w: u32, run: &mut Run) -> Result<Vec<bool>, Stop> {
    let seat = store.seat().ok_or(Stop::Interrupted)?;
    let (mut seen, mut reached) = (vec![false; store.len()], vec![w]);
    // Edges from what was reached, by their targets.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let (mut state, mut slot) = (Vec::new(), vec![0; g.words()]);
    seen[w as usize] = true;
    let mut at = 0;
    while let Some(&s) = reached.get(at) {
        at += 1;
        store.load(s, &mut state);
        let mut cursor = G::Cursor::default();
        let before = edges.len();
        while g.next(&state, &mut cursor, &mut slot).is_some() {
            let Some(t) = store.find(&seat, &slot[..g.len(&slot)]) else { continue };
            edges.push((t, s));
            if !std::mem::replace(&mut seen[t as usize], true) {
                reached.push(t);
            }
        }
        run.transitions((edges.len() - before) as u64);
        run.breathe(0, || store.bytes() + store.len() * (Forest::BYTES + 5) + edges.capacity() * 8)?;
    }
    edges.sort_unstable();
    let mut returns = vec![false; store.len()];
    returns[w as usize] = true;
    let mut todo = vec![w];
    while let Some(t) = todo.pop() {
        let first = edges.partition_point(|&(to, _)| to < t);
        for &(_, from) in edges[first..].iter().take_while(|&&(to, _)| to == t) {
            if !std::mem::replace(&mut returns[from as usize], true) {
                todo.push(from);
            }
        }
    }
    Ok(returns)
}

/// A shortest path, through states that are in the store, to a `goal`.
fn path_to<G: Graph, S: Kept>(
    g: &G,
    store: &S,
    goal: impl Fn(u32) -> bool,
    run: &mut Run,
) -> Result<Option<Path>, Stop> {
    const UNSEEN: u32 = u32::MAX;
    const INITIAL: u32 = u32::MAX - 1;
    let seat = store.seat().ok_or(Stop::Interrupted)?;
    let mut parents = vec![UNSEEN; store.len()];
    let mut queue = Vec::new();
    let (mut state, mut slot) = (Vec::new(), vec![0; g.words()]);
    let mut initial = G::Cursor::default();
    while g.initial(&mut initial, &mut slot) {
        if let Some(s) = store.find(&seat, &slot[..g.len(&slot)])
            && parents[s as usize] == UNSEEN
        {
            parents[s as usize] = INITIAL;
            queue.push(s);
        }
    }
    let mut at = 0;
    while let Some(&s) = queue.get(at) {
        if goal(s) {
            let before = |&s: &u32| Some(parents[s as usize]).filter(|&p| p != INITIAL);
            let back: Vec<u32> = std::iter::successors(Some(s), before).collect();
            let mut path = Path::new();
            for &s in back.iter().rev() {
                store.load(s, &mut state);
                path.push(&state);
            }
            return Ok(Some(path));
        }
        at += 1;
        store.load(s, &mut state);
        let mut cursor = G::Cursor::default();
        let mut count = 0;
        while g.next(&state, &mut cursor, &mut slot).is_some() {
            count += 1;
            if let Some(t) = store.find(&seat, &slot[..g.len(&slot)])
                && parents[t as usize] == UNSEEN
            {
                parents[t as usize] = s;
                queue.push(t);
            }
        }
        run.transitions(count);
        run.breathe(0, || store.bytes() + store.len() * (Forest::BYTES + 8))?;
    }
    Ok(None)
}
