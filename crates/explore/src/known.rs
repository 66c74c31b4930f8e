//! A system whose states are numbers: each state is stored, expanded and looked up once, however often a search comes to it.
//!
//! A depth-first search of a product comes to a state of the system again and again: once for each state of the automaton
//! beside it, once more in a nested search, and through every transition that leads to it. Each time it would
//! generate the successors, hash their words and wait for memory. [`Known`] does it the first time, for all successors of a state at
//! once, so that the waits overlap as in [`bfs`](crate::bfs), and keeps their numbers:
//!
//! ```text
//! next(s, i):  if s has no list:  generate post(s), intern all of it, list(s) := the numbers, with the propositions of s
//!              tell list(s)[i]
//! ```
//!
//! A state of the product is then two numbers, and its own identity follows from them ([`Numbers`]), or from a table of pairs
//! where the automaton is so large that most combinations never occur. The lists are what takes memory: four bytes a
//! transition. When they have grown to what they may hold, all are forgotten; whoever comes back makes them again.
//!
//! The steps of a state are numbered as the system beneath tells them, so a run of one is a run of the other:
//! [`Project::project`] only puts the words of the states back.
//!
//! Who remembers is another question ([`Remembers`]): the search itself ([`Alone`]), or it together with [scouts](crate::scouts),
//! threads that expand states before the search comes to them.

use riata_store::{
    BitSet, Exact, ForNumbered, Full, Numbered, Packed, Pairs, Palette, Recall, Row, Store, Tree,
};
use riata_system::{ActionId, Doing, FAILED, Lasso, Mark, Path, Project, Successors, System, Valuation};
use std::cell::RefCell;
use std::collections::HashMap;

/// A system as it becomes known.
pub struct Known<R> {
    initial: Vec<u32>,
    memory: R,
}

/// Remembers states and their successors.
pub trait Remembers {
    /// The identities of the initial states.
    fn initial(&self) -> Vec<u32>;

    /// What a property sees of a state.
    fn kind(&self, id: u32) -> Kind;

    /// The successor of a state by its step `n`, if it has so many.
    fn successor(&self, id: u32, n: u32) -> Option<u32>;

    /// Writes the words of a state to `out`.
    fn load(&self, id: u32, out: &mut Vec<u32>);

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Could something not be kept? Then successors are missing, and only a run that was found means something.
    fn full(&self) -> Option<Full>;
}

/// What one thread remembers.
pub struct Alone<'a, S> {
    system: &'a S,
    memory: RefCell<Memory>,
    mark: Mark<'a>,
}

/// How much [`Known`] may keep.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of the states.
    pub states: usize,
    /// Bytes of the lists.
    pub lists: usize,
}

struct Memory {
    states: States,
    /// For each state the place of its list plus one, or nothing.
    places: Vec<u32>,
    /// One after the other: what is known of the state, how many successors there are, and they.
    lists: Vec<u32>,
    /// The most numbers in the lists.
    most: usize,
    kinds: Vec<Kind>,
    kind_of: HashMap<Kind, u32>,
    full: Option<Full>,
    state: Vec<u32>,
    successors: Successors,
}

/// What a property sees of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as a system calls it")]
pub struct Kind {
    pub valuation: Valuation,
    pub undefined: Valuation,
    pub failed: bool,
}

impl Kind {
    /// Of a state whose successors could not be kept.
    pub const UNKNOWN: Kind = Kind { valuation: Valuation(0), undefined: Valuation(0), failed: false };

    /// Of a state of a system.
    pub fn of<S: System>(system: &S, state: &[u32]) -> Kind {
        Kind {
            valuation: system.valuation(state),
            undefined: system.undefined(state),
            failed: system.failed(state),
        }
    }
}

enum States {
    Exact(Exact),
    Tree(Tree),
}

/// Interns all states, and tells their numbers, in order.
fn intern_all<R: Recall>(store: &mut R, states: &Successors, out: &mut Vec<u32>) -> Result<(), Full> {
    /// So many at a time wait for memory.
    const AT_ONCE: usize = 16;
    let mut all = states.states_from(0);
    loop {
        let mut coming: [Option<(&[u32], R::Coming)>; AT_ONCE] = [None; AT_ONCE];
        let mut count = 0;
        for (place, s) in coming.iter_mut().zip(&mut all) {
            *place = Some((s, store.comes(s)?));
            count += 1;
        }
        if count == 0 {
            return Ok(());
        }
        coming.iter_mut().flatten().for_each(|(_, coming)| store.nears(coming));
        for (s, coming) in coming.into_iter().flatten() {
            out.push(store.arrives(s, coming)?);
        }
    }
}

impl States {
    fn intern_all(&mut self, states: &Successors, out: &mut Vec<u32>) -> Result<(), Full> {
        match self {
            States::Exact(store) => intern_all(store, states, out),
            States::Tree(store) => intern_all(store, states, out),
        }
    }

    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        match self {
            States::Exact(store) => store.intern(s),
            States::Tree(store) => store.intern(s),
        }
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        match self {
            States::Exact(store) => store.load(id, out),
            States::Tree(store) => store.load(id, out),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            States::Exact(store) => store.bytes(),
            States::Tree(store) => store.bytes(),
        }
    }
}

impl Memory {
    fn bytes(&self) -> usize {
        self.states.bytes() + self.places.capacity() * 4 + self.lists.capacity() * 4
    }

    /// Where the list of a state is.
    #[inline]
    fn place(&self, id: u32) -> Option<usize> {
        self.places.get(id as usize).and_then(|&place| (place as usize).checked_sub(1))
    }

    /// Makes the list of a state.
    #[inline(never)]
    fn expand<S: System>(&mut self, system: &S, id: u32, mark: Mark) -> Result<usize, Full> {
        let mut state = std::mem::take(&mut self.state);
        mark.during(Doing::Store, || self.states.load(id, &mut state));
        let kind = Kind::of(system, &state);
        self.successors.clear();
        system.expand(&state, &mut S::Cursor::default(), &mut self.successors);
        self.state = state;
        let kind = self.kind(kind);
        if self.lists.len() + 2 + self.successors.len() > self.most {
            self.lists.clear();
            self.places.fill(0);
        }
        let place = self.lists.len();
        self.lists.extend([kind, self.successors.len() as u32]);
        mark.during(Doing::Store, || self.states.intern_all(&self.successors, &mut self.lists))?;
        riata_memory::extend_to(&mut self.places, id as usize + 1, 0);
        self.places[id as usize] = place as u32 + 1;
        Ok(place)
    }

    /// The number of a kind of states.
    fn kind(&mut self, kind: Kind) -> u32 {
        // As a rule it is one of the first.
        if let Some(number) = self.kinds.iter().take(4).position(|&k| k == kind) {
            return number as u32;
        }
        if let Some(&number) = self.kind_of.get(&kind) {
            return number;
        }
        let number = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.kind_of.insert(kind, number);
        number
    }
}

impl<'a, S: System> Known<Alone<'a, S>> {
    /// Nothing is known but the initial states. `compressed`: the states are kept in a tree. Fairness of the system's own is
    /// not carried over.
    pub fn new(system: &'a S, compressed: bool, room: Room) -> Self {
        let states = if compressed {
            States::Tree(Tree::new(room.states))
        } else {
            States::Exact(Exact::new(room.states))
        };
        let memory = Memory {
            states,
            places: Vec::new(),
            lists: Vec::new(),
            most: (room.lists / 4).min(u32::MAX as usize - 1),
            kinds: Vec::new(),
            kind_of: HashMap::new(),
            full: None,
            state: Vec::new(),
            successors: Successors::default(),
        };
        Known::by(Alone { system, memory: RefCell::new(memory), mark: Mark::default() })
    }

    /// The same; it says there when it stores.
    pub fn marking(mut self, mark: Mark<'a>) -> Self {
        self.memory.mark = mark;
        self
    }
}

impl<R: Remembers> Known<R> {
    /// What this one remembers.
    pub fn by(memory: R) -> Known<R> {
        Known { initial: memory.initial(), memory }
    }

    /// Could something not be kept? Then successors are missing, and only a run that was found means something.
    pub fn full(&self) -> Option<Full> {
        self.memory.full()
    }

    /// The identities of the states of a product with an automaton of so many states, and on top of it so many levels.
    pub fn numbers(&self, automaton: u32, levels: u32) -> Numbers<'_, R> {
        let bits = |n: u32| 32 - n.leading_zeros();
        // One more than there are, for what comes after a run-time error.
        let (states, levels) = (bits(automaton), bits(levels.saturating_sub(1)));
        let pairs = (states + levels > SPARSE).then(Pairs::new);
        Numbers { known: self, failed: automaton, states, levels, pairs }
    }
}

impl<S: System> Alone<'_, S> {
    /// Looks at the list of a state: the kind of the state, and its successors.
    #[inline]
    fn look<T>(&self, id: u32, at: impl FnOnce(&Kind, &[u32]) -> T) -> T {
        let mut memory = self.memory.borrow_mut();
        let memory = &mut *memory;
        let place = match memory.place(id) {
            Some(place) => place,
            None => match memory.expand(self.system, id, self.mark) {
                Ok(place) => place,
                Err(full) => {
                    memory.full = Some(full);
                    return at(&Kind::UNKNOWN, &[]);
                }
            },
        };
        let list = &memory.lists[place..];
        at(&memory.kinds[list[0] as usize], &list[2..][..list[1] as usize])
    }
}

impl<S: System> Remembers for Alone<'_, S> {
    fn initial(&self) -> Vec<u32> {
        let mut memory = self.memory.borrow_mut();
        let (mut initial, mut cursor) = (Vec::new(), S::Cursor::default());
        let mut slot = vec![0; self.system.words()];
        while memory.full.is_none() && self.system.initial(&mut cursor, &mut slot) {
            match memory.states.intern(&slot[..self.system.len(&slot)]) {
                Ok(id) => initial.push(id),
                Err(full) => memory.full = Some(full),
            }
        }
        initial
    }

    #[inline]
    fn kind(&self, id: u32) -> Kind {
        self.look(id, |kind, _| *kind)
    }

    #[inline]
    fn successor(&self, id: u32, n: u32) -> Option<u32> {
        self.look(id, |_, list| list.get(n as usize).copied())
    }

    fn load(&self, id: u32, out: &mut Vec<u32>) {
        self.memory.borrow().states.load(id, out);
    }

    fn bytes(&self) -> usize {
        self.memory.borrow().bytes()
    }

    fn full(&self) -> Option<Full> {
        self.memory.borrow().full
    }
}

impl<R: Remembers> System for Known<R> {
    type Cursor = u32;

    fn words(&self) -> usize {
        1
    }

    fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
        let Some(&id) = self.initial.get(*at as usize) else { return false };
        *at += 1;
        dst[0] = id;
        true
    }

    #[inline]
    fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<ActionId> {
        let step = *at;
        dst[0] = self.memory.successor(src[0], step)?;
        *at += 1;
        Some(ActionId(step))
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.memory.kind(s[0]).valuation
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.memory.kind(s[0]).failed
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        self.memory.kind(s[0]).undefined
    }
}

impl<R: Remembers> Project for Known<R> {
    fn project(&self, lasso: &Lasso) -> Lasso {
        let mut words = Vec::new();
        let mut path = |numbers: &Path| {
            let mut path = Path::new();
            for s in numbers.iter() {
                self.memory.load(s[0], &mut words);
                words.extend_from_slice(&s[1..]);
                path.push(&words);
            }
            path
        };
        let (stem, cycle) = (path(&lasso.stem), path(&lasso.cycle));
        Lasso { stem, cycle, marks: lasso.marks.clone(), choices: Vec::new() }
    }
}

/// So many bits beside a state of the system, and its identity is followed by them; with more there is a table of those that
/// occur.
const SPARSE: u32 = 3;

/// The identities of states of a product of a [`Known`] system.
pub struct Numbers<'k, R> {
    known: &'k Known<R>,
    /// The automaton's part after a run-time error.
    failed: u32,
    /// Bits of the automaton's part.
    states: u32,
    /// Bits of the level on top.
    levels: u32,
    pairs: Option<Pairs>,
}

impl<R: Remembers> Numbers<'_, R> {
    /// What is beside the state of the system, as one number.
    #[inline]
    fn beside(&self, s: &[u32]) -> u32 {
        let q = if s[1] == FAILED { self.failed } else { s[1] };
        q << self.levels | s.get(2).copied().unwrap_or(0)
    }

    #[inline]
    fn direct(&self, id: u32, beside: u32) -> Result<u32, Full> {
        let bits = self.states + self.levels;
        if id >> (31 - bits) == 0 { Ok(id << bits | beside) } else { Err(Full::Identities) }
    }
}

impl<R: Remembers> Store for Numbers<'_, R> {
    type Id = u32;
    type Set = BitSet;
    type Colours = Packed;

    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        if let Some(full) = self.known.full() {
            return Err(full);
        }
        let beside = self.beside(s);
        match &mut self.pairs {
            None => self.direct(s[0], beside),
            Some(pairs) => pairs.intern(s[0], beside, usize::MAX),
        }
    }

    fn bytes(&self) -> usize {
        self.known.memory.bytes() + self.pairs.as_ref().map_or(0, Pairs::bytes)
    }

    fn sets<const N: usize>(&self) -> [BitSet; N] {
        std::array::from_fn(|_| BitSet::default())
    }

    fn colours(&self, palette: Palette) -> Packed {
        Packed::new(palette)
    }

    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl<R: Remembers> Numbered for Numbers<'_, R> {
    fn find(&self, s: &[u32]) -> Option<u32> {
        let beside = self.beside(s);
        match &self.pairs {
            None => self.direct(s[0], beside).ok(),
            Some(pairs) => pairs.find(s[0], beside),
        }
    }
}
