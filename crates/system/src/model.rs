//! Models written in Rust.
//!
//! Whoever has a transition system as a Rust type implements [`Model`] and checks it like any other system, through
//! [`Interned`], which gives each state a number: the state of the [`System`] is that one word.

use crate::{ActionId, System, Valuation};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A transition system as a Rust programmer writes it.
pub trait Model: Sync {
    /// A state.
    type State: Clone + Eq + Hash + Debug + Send;

    /// The initial states.
    fn initial(&self) -> Vec<Self::State>;

    /// Adds the successors of `s` to `out`; always in the same order.
    fn successors(&self, s: &Self::State, out: &mut Vec<Self::State>);

    /// The names of the atomic propositions; at most 64.
    fn propositions(&self) -> Vec<String>;

    /// Is proposition number `p` true in `s`?
    fn holds(&self, p: usize, s: &Self::State) -> bool;

    /// What the step to successor number `i` of `s` is called in traces; nothing if steps have no names.
    fn action(&self, s: &Self::State, i: usize) -> String {
        let _ = (s, i);
        String::new()
    }
}

/// A [`Model`] as a [`System`].
pub struct Interned<M: Model> {
    model: M,
    propositions: usize,
    states: Mutex<States<M::State>>,
}

struct States<T> {
    numbers: HashMap<T, u32>,
    all: Vec<T>,
}

impl<T: Clone + Eq + Hash> States<T> {
    fn number(&mut self, s: T) -> u32 {
        match self.numbers.entry(s) {
            Entry::Occupied(e) => *e.get(),
            Entry::Vacant(e) => {
                let id = u32::try_from(self.all.len()).expect("fewer than 2^32 states");
                self.all.push(e.key().clone());
                *e.insert(id)
            }
        }
    }
}

impl<M: Model> Interned<M> {
    /// The system of `model`.
    ///
    /// # Panics
    /// If the model has more than 64 propositions.
    pub fn new(model: M) -> Self {
        let propositions = model.propositions().len();
        assert!(propositions <= 64, "a model has at most 64 propositions, not {propositions}");
        let states = Mutex::new(States { numbers: HashMap::new(), all: Vec::new() });
        Interned { model, propositions, states }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The model's state behind the system's state `s`.
    pub fn state(&self, s: &[u32]) -> M::State {
        self.table().all[s[0] as usize].clone()
    }

    fn table(&self) -> MutexGuard<'_, States<M::State>> {
        // A panic of the model while the lock is held leaves whole states behind.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The successors of one state, as numbers, and how many were taken.
#[derive(Default)]
pub struct InternedCursor {
    numbers: Option<Box<[u32]>>,
    taken: usize,
}

impl InternedCursor {
    fn take(&mut self, numbers: impl FnOnce() -> Box<[u32]>) -> Option<u32> {
        let next = self.numbers.get_or_insert_with(numbers).get(self.taken).copied();
        self.taken += 1;
        next
    }
}

impl<M: Model> System for Interned<M> {
    type Cursor = InternedCursor;

    fn words(&self) -> usize {
        1
    }

    fn initial(&self, at: &mut InternedCursor, dst: &mut [u32]) -> bool {
        let next = at.take(|| {
            let states = self.model.initial();
            let mut table = self.table();
            states.into_iter().map(|s| table.number(s)).collect()
        });
        if let Some(n) = next {
            dst[0] = n;
        }
        next.is_some()
    }

    fn next(&self, src: &[u32], at: &mut InternedCursor, dst: &mut [u32]) -> Option<ActionId> {
        dst[0] = at.take(|| {
            let state = self.state(src);
            let mut out = Vec::new();
            self.model.successors(&state, &mut out);
            let mut table = self.table();
            out.into_iter().map(|s| table.number(s)).collect()
        })?;
        Some(ActionId(at.taken as u32 - 1))
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        let state = self.state(s);
        let bit = |p| u64::from(self.model.holds(p, &state)) << p;
        Valuation((0..self.propositions).map(bit).fold(0, |v, b| v | b))
    }
}
