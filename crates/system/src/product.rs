//! The product of a system and a property automaton: the graph whose accepting runs are the system's runs that the
//! automaton accepts.
//!
//! (s, q) → (s′, q′) when s → s′ and the automaton has an edge q → q′ whose label the propositions of `s` satisfy;
//! the edge lends its marks. A product state is the system's words followed by one word for `q`. Successors of the
//! system come first, edges of the automaton second, so each system successor is generated once.
//!
//! A run that ends in a run-time error, of the system or of a proposition that the automaton has to know in order to
//! move, is accepted if such [`Failures`] are what is looked for: it leads to the state `(s, FAILED)`, in which every run
//! is accepting. An automaton that could not go on before the error did not ask any more.

use crate::{Choice, ForStateMarked, ForStateMarkedAmong, Graph, StateMarked, Strength, System, Valuation};
use riata_automata::{Marks, Tgba};

/// What becomes of a run of the system that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// The last state is repeated for ever, as Spin does.
    Stutter,
    /// The run is no infinite behaviour and is left out, as BEEM's recorded answers do.
    Ignore,
}

/// What becomes of a run of the system that ends in a run-time error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Failures {
    /// It is accepted: the automaton is one of unwanted runs.
    #[default]
    Accept,
    /// It is left out: the automaton is one of wanted runs.
    Reject,
}

/// The automaton's part, the last word, of the states after a run-time error.
pub const FAILED: u32 = u32::MAX;

/// So many undefined propositions at once are tried with all their values.
const UNDEFINED: u32 = 10;

/// Why there is no product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductError {
    /// The automaton has a proposition that the system does not know.
    Unbound(String),
    /// The automaton and the system together have more acceptance sets than there can be.
    TooManySets(u32),
}

impl std::fmt::Display for ProductError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProductError::Unbound(name) => write!(f, "the system has no proposition `{name}`"),
            ProductError::TooManySets(n) => {
                write!(
                    f,
                    "automaton and system have {n} acceptance sets together, and at most {} are possible",
                    Marks::MAX
                )
            }
        }
    }
}

impl std::error::Error for ProductError {}

/// When an edge of the automaton can be taken, by edge number.
enum Guards {
    /// At most six propositions: the truth table of each edge, in one word.
    Tables(Vec<u64>),
    /// More: the label is evaluated.
    Labels,
}

/// The product of the system `S` and an automaton.
pub struct Product<'a, S> {
    system: &'a S,
    automaton: &'a Tgba,
    guards: Guards,
    /// Bit of the system's valuation for each proposition of the automaton.
    bits: Vec<u32>,
    deadlocks: Deadlocks,
    failures: Failures,
    strength: Strength,
}

/// The cursor of [`Product`].
#[derive(Default)]
pub struct ProductCursor<C> {
    system: C,
    letter: u64,
    /// The fairness marks of the step to the system successor in the slot.
    fair: Marks,
    /// The next edge of the automaton to try with the system successor in the slot.
    edge: u32,
    /// How many system successors were told.
    steps: u32,
    phase: Phase,
}

#[derive(Default, PartialEq)]
enum Phase {
    #[default]
    Fresh,
    /// No system successor yet.
    Begun,
    /// There was one.
    Moved,
    /// There is none (any more); the state repeats if there was none.
    Ended,
    /// A run-time error.
    Failed,
}

impl<'a, S: System> Product<'a, S> {
    /// The product, where the system's valuations tell the propositions `names` in this order.
    pub fn new(
        system: &'a S,
        names: &[impl AsRef<str>],
        automaton: &'a Tgba,
        deadlocks: Deadlocks,
    ) -> Result<Self, ProductError> {
        let bit = |ap: &String| {
            let found = names.iter().position(|n| n.as_ref() == ap);
            found.map(|i| i as u32).ok_or_else(|| ProductError::Unbound(ap.clone()))
        };
        let sets = automaton.sets + system.fair_sets();
        if sets > Marks::MAX {
            return Err(ProductError::TooManySets(sets));
        }
        let bits = automaton.aps.iter().map(bit).collect::<Result<Vec<_>, _>>()?;
        let guards = if bits.len() <= 6 {
            let table = |e: u32| {
                let label = automaton.edge(e).label;
                let true_in = |letter: u64| automaton.labels.eval(label, |i| letter >> i & 1 == 1);
                (0..1u64 << bits.len()).filter(|&l| true_in(l)).fold(0, |t, l| t | 1 << l)
            };
            Guards::Tables((0..automaton.edge_count() as u32).map(table).collect())
        } else {
            Guards::Labels
        };
        Ok(Product {
            system,
            automaton,
            guards,
            bits,
            deadlocks,
            failures: Failures::Accept,
            strength: Strength::General,
        })
    }

    /// The same product, of an automaton whose products are known to have this strength if no run ends.
    pub fn with_strength(mut self, strength: Strength) -> Self {
        self.strength = match self.deadlocks {
            // The system's own sets are met as it pleases.
            _ if self.system.fair_sets() > 0 => Strength::General,
            Deadlocks::Stutter => strength,
            // A run may end after the accepting edge.
            Deadlocks::Ignore => strength.max(Strength::Weak),
        };
        self
    }

    /// The same product with this view of run-time errors.
    pub fn with_failures(mut self, failures: Failures) -> Self {
        self.failures = failures;
        if failures == Failures::Reject {
            // A run may fail after the accepting edge.
            self.strength = self.strength.max(Strength::Weak);
        }
        self
    }

    /// The product with marks on states, if the automaton has them there and the system has none.
    pub fn on_states(self) -> Result<ProductOnStates<'a, S>, Self> {
        match self.automaton.state_marks.as_deref() {
            Some(marks) if !S::FAIR && self.system.fair_sets() == 0 => {
                Ok(ProductOnStates { marks, product: self })
            }
            _ => Err(self),
        }
    }

    /// The system's part of a product state, and the automaton's.
    pub fn split<'s>(&self, s: &'s [u32]) -> (&'s [u32], u32) {
        let end = self.system.len(s);
        (&s[..end], s[end])
    }

    /// The letter that the automaton reads in a system state with this valuation.
    fn letter(&self, Valuation(v): Valuation) -> u64 {
        self.bits.iter().enumerate().fold(0, |l, (i, &bit)| l | (v >> bit & 1) << i)
    }

    /// Does it depend on the propositions without a value, whether some edge of `q` can be taken?
    #[cold]
    fn depends(&self, q: u32, letter: u64, undefined: u64) -> bool {
        let unknown: Vec<u32> = (0..self.bits.len() as u32).filter(|i| undefined >> i & 1 == 1).collect();
        if unknown.len() as u32 > UNDEFINED {
            return true;
        }
        let known = letter & !undefined;
        let letters = (0..1u64 << unknown.len()).map(|values| {
            let set = unknown.iter().enumerate().map(|(i, &bit)| (values >> i & 1) << bit);
            known | set.fold(0, |a, b| a | b)
        });
        let letters: Vec<u64> = letters.collect();
        self.automaton.range(q).any(|e| {
            let open = self.open(e, letters[0]);
            letters.iter().any(|&l| self.open(e, l) != open)
        })
    }

    fn open(&self, edge: u32, letter: u64) -> bool {
        match &self.guards {
            Guards::Tables(tables) => tables[edge as usize] >> letter & 1 == 1,
            Guards::Labels => {
                self.automaton.labels.eval(self.automaton.edge(edge).label, |i| letter >> i & 1 == 1)
            }
        }
    }
}

impl<S: System> Graph for Product<'_, S> {
    type Cursor = ProductCursor<S::Cursor>;

    fn words(&self) -> usize {
        self.system.words() + 1
    }

    fn len(&self, s: &[u32]) -> usize {
        self.system.len(s) + 1
    }

    fn all(&self) -> Marks {
        Marks::first(self.automaton.sets + self.system.fair_sets())
    }

    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        let states = &self.automaton.initial;
        if at.phase == Phase::Fresh || at.edge as usize == states.len() {
            if states.is_empty() || !self.system.initial(&mut at.system, &mut dst[..self.system.words()]) {
                return false;
            }
            at.phase = Phase::Moved;
            at.edge = 0;
        }
        dst[self.system.len(dst)] = states[at.edge as usize];
        at.edge += 1;
        true
    }

    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let (s, q) = self.split(src);
        if at.phase == Phase::Fresh {
            at.phase = Phase::Begun;
            if q == FAILED || self.system.failed(s) {
                at.phase = Phase::Failed;
            } else {
                at.letter = self.letter(self.system.valuation(s));
                at.edge = self.automaton.range(q).end;
                let undefined = self.system.undefined(s);
                if undefined.0 != 0 && self.depends(q, at.letter, self.letter(undefined)) {
                    at.phase = Phase::Failed;
                }
            }
            if at.phase == Phase::Failed && self.failures == Failures::Accept {
                dst[..s.len()].copy_from_slice(s);
                dst[s.len()] = FAILED;
                return Some(if q == FAILED { self.all() } else { Marks::NONE });
            }
        }
        if at.phase == Phase::Failed {
            return None;
        }
        let edges = self.automaton.range(q);
        loop {
            while at.edge < edges.end {
                let e = at.edge;
                at.edge += 1;
                if self.open(e, at.letter) {
                    let edge = self.automaton.edge(e);
                    dst[self.system.len(dst)] = edge.to;
                    return Some(edge.marks | at.fair);
                }
            }
            let room = &mut dst[..self.system.words()];
            let step =
                if at.phase == Phase::Ended { None } else { self.system.next(s, &mut at.system, room) };
            if step.is_some() {
                at.phase = Phase::Moved;
                at.steps += 1;
            } else if at.phase == Phase::Begun && self.deadlocks == Deadlocks::Stutter {
                room[..s.len()].copy_from_slice(s);
                at.phase = Phase::Ended;
            } else {
                at.phase = Phase::Ended;
                return None;
            }
            at.edge = edges.start;
            // The system's sets come after the automaton's.
            if self.system.fair_sets() > 0 {
                at.fair = Marks(self.system.fairness(s, &at.system, step).0 << self.automaton.sets);
            }
        }
    }

    fn choice(&self, at: &Self::Cursor) -> Choice {
        match at.phase {
            Phase::Moved => Choice(at.steps - 1),
            _ => Choice::STUTTER,
        }
    }

    fn strength(&self) -> Strength {
        self.strength
    }
}

/// A product with an automaton whose marks sit on states.
pub struct ProductOnStates<'a, S> {
    product: Product<'a, S>,
    marks: &'a [Marks],
}

impl<S: System> Graph for ProductOnStates<'_, S> {
    type Cursor = ProductCursor<S::Cursor>;

    fn words(&self) -> usize {
        self.product.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.product.len(s)
    }
    fn all(&self) -> Marks {
        self.product.all()
    }
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.product.initial(at, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        // The state after a run-time error accepts; the one in which the error comes has the marks of all its states.
        self.product
            .next(src, at, dst)
            .map(|marks| if at.phase == Phase::Failed { self.marks(src) } else { marks })
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.product.choice(at)
    }
    fn strength(&self) -> Strength {
        self.product.strength
    }

    const FOR_ONE_SET: bool = true;

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        if S::FAIR { Err(work) } else { Ok(work.with(self)) }
    }

    fn if_state_marked_among<W: ForStateMarkedAmong>(&self, work: W) -> Result<W::Output, W>
    where
        Self: Sync,
    {
        if S::FAIR { Err(work) } else { Ok(work.with(self)) }
    }
}

impl<S: System> StateMarked for ProductOnStates<'_, S> {
    fn marks(&self, s: &[u32]) -> Marks {
        match self.product.split(s).1 {
            FAILED => self.all(),
            q => self.marks[q as usize],
        }
    }
}
