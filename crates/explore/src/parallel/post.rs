//! The successors of a state as identities, in an order of the worker's own.
//!
//! Workers of one search that all took successors in the same order would run after each other. So a worker has all
//! successors at hand and permutes them; since it has them all, it looks them up together, and waits for memory once.

use super::team::{Leave, Worker};
use crate::outcome::full;
use riata_automata::Marks;
use riata_store::shared::{Kept, Seat};
use riata_system::{ActionId, Graph, Path, Stop, Successors};

/// One worker's view of a graph.
pub(crate) struct Post<'s, G, S: Kept> {
    pub g: &'s G,
    pub store: &'s S,
    seat: Seat<'s>,
    /// The state whose successors were told last.
    pub state: Vec<u32>,
    slot: Vec<u32>,
    successors: Successors,
    marks: Vec<Marks>,
    coming: Vec<S::Coming>,
    ids: Vec<u32>,
    random: Option<u64>,
}

impl<'s, G: Graph, S: Kept> Post<'s, G, S> {
    /// The view of worker `number`: the first takes successors in the order of the graph.
    pub fn new(g: &'s G, store: &'s S, number: usize) -> Result<Self, Leave> {
        let seat = store.seat().ok_or(Leave::Stop(Stop::Interrupted))?;
        Ok(Post {
            g,
            store,
            seat,
            state: Vec::new(),
            slot: vec![0; g.words()],
            successors: Successors::default(),
            marks: Vec::new(),
            coming: Vec::new(),
            ids: Vec::new(),
            random: (number > 0).then_some(number as u64),
        })
    }

    /// The initial states.
    pub fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let mut at = G::Cursor::default();
        let mut all = Vec::new();
        while self.g.initial(&mut at, &mut self.slot) {
            let s = &self.slot[..self.g.len(&self.slot)];
            all.push(self.store.intern(&self.seat, s).map_err(full)?);
        }
        Ok(all)
    }

    /// Adds the successors of `s` to `out`, as something made of identity and marks; who takes them from the end takes
    /// them in the worker's order.
    pub fn of<T>(
        &mut self,
        s: u32,
        worker: &mut Worker,
        out: &mut Vec<T>,
        make: impl Fn(u32, Marks) -> T,
    ) -> Result<(), Leave> {
        self.store.load(s, &mut self.state);
        let mut at = G::Cursor::default();
        self.successors.clear();
        self.marks.clear();
        while let Some(marks) = self.g.next(&self.state, &mut at, &mut self.slot) {
            self.successors.push(&self.slot[..self.g.len(&self.slot)], ActionId(0));
            self.marks.push(marks);
        }
        worker.run.counters.post_calls += 1;
        worker.run.transitions(self.successors.len() as u64);
        let from = out.len();
        self.look_up(out, make).map_err(|f| Leave::Stop(full(f)))?;
        match &mut self.random {
            None => out[from..].reverse(),
            Some(random) => shuffle(&mut out[from..], random),
        }
        Ok(())
    }

    fn look_up<T>(
        &mut self,
        out: &mut Vec<T>,
        make: impl Fn(u32, Marks) -> T,
    ) -> Result<(), riata_store::Full> {
        let inside = self.seat.enter();
        self.coming.clear();
        for i in 0..self.successors.len() {
            self.coming.push(self.store.comes(&inside, self.successors.get(i).0)?);
        }
        let (successors, ids) = (&self.successors, &mut self.ids);
        self.store.arrive(&inside, &self.coming, |i| successors.get(i).0, ids)?;
        out.extend(ids.iter().zip(&self.marks).map(|(&t, &marks)| make(t, marks)));
        Ok(())
    }

    /// The words of states in a row.
    pub fn path(&self, ids: impl Iterator<Item = u32>) -> Path {
        let mut path = Path::new();
        let mut state = Vec::new();
        for id in ids {
            self.store.load(id, &mut state);
            path.push(&state);
        }
        path
    }
}

/// Fisher and Yates, with a generator that is good enough for this.
fn shuffle<T>(all: &mut [T], random: &mut u64) {
    for i in (1..all.len()).rev() {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(i, (*random >> 33) as usize % (i + 1));
    }
}
