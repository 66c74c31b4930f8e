//! Partial-order reduction: which processes' steps suffice in a state.
//!
//! The set is a function of the state alone, chosen below every product and every search, so that all of them see the same
//! reduced system: the red search of a nested depth-first search what the blue one saw (SE05 §6), each thread what the
//! others do.
//!
//! # The sets
//!
//! A *strong stubborn set* `T` of transitions in a state `s` (Valmari 1991):
//!
//! * **D0** it has an enabled one;
//! * **D1** what is not in `T` cannot interfere with an enabled one in it: whatever others do without `T`, it stays
//!   enabled, and it makes no difference in which order they come;
//! * **D2** one in `T` that is not enabled cannot become so without another one of `T`.
//!
//! Transitions are large steps, and all steps of a process from where it is belong together, as each would change where it
//! is. Here `T` is the steps of one process `p`, or of two that can meet. That is right if for each edge `e` of `p` from where
//! it is no other process may, before `p` moves,
//!
//! ```text
//! if e can be taken:      write what e touches, or touch what e writes     (D1)
//! if e cannot be taken:   write what e needs                               (D2)
//! if e offers to meet:    offer the other half                             (both)
//! ```
//!
//! What a process may do from here on is what the edges that it can still reach do, and the processes that it may create; if
//! that is too much, what it [can reach](ahead) before `p` moves.
//! The sets of cells are those of this very process: an index or the name of a channel that is a parameter is known
//! ([footprints](footprint)). Larger sets, closed under these rules, were measured to reduce less.
//!
//! * **V** (only for properties that see states) `e` is *visible* if it may change what the property sees. Where a visible
//!   edge of `p` can be taken, `p` does not suffice.
//! * **Cycle proviso** ([`Proviso`]): a process whose *sticky* edge can be taken does not suffice, and every cycle of control has
//!   such an [edge](sticky); or the search sees to it that nothing is left out for ever.
//! * A step of `p` that fails ends the run, and with it what the others would have done: then the steps of the others come
//!   after it.
//!
//! Of several processes that suffice the one with the fewest edges that can be taken is chosen, the youngest of them. If that
//! is one edge, and not sticky, there is one way on from the state, which need not be kept: `Condensed` goes on.
//!
//! # What is kept
//!
//! All deadlocks (D0–D2 alone). With the proviso: that some assertion is violated or some step fails. With V besides:
//! every property of infinite runs that does not tell how often a valuation is repeated (stutter-invariant).
//!
//! `timeout` cannot become true while an edge of `p` can be taken, so a guard that needs it needs nothing else; where it
//! is true, everything is taken. Not for programs whose steps depend on what all others can do: [`Why`].

mod action;
mod ahead;
mod cells;
mod choose;
mod control;
mod edge;
mod explain;
mod footprint;
mod forget;
mod places;
mod recall;
mod sample;
mod sticky;
mod sure;
mod values;
mod why;

use crate::form::Program;
use crate::ids::ProcId;
use crate::interp::Interpreter;
use crate::layout::Field;
use crate::memory::Reader as _;
use cells::{Bits, Cells};
use control::Control;
use edge::Reader;
use footprint::Footprint;
use places::Places;
use recall::Recall;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use values::{Constants, Known, Vars};

pub use explain::{Explanation, Needed, Tally};
pub use forget::Forgets;
pub use sample::Sample;
pub use why::Why;

/// What a property sees of the states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visible<'a> {
    /// These propositions, by their numbers.
    pub propositions: &'a [u32],
    /// Who sees to it that nothing is left out for ever.
    pub proviso: Proviso,
}

/// How it is made certain that no step is left out for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proviso {
    /// By sticky edges, in the sets themselves: for every search.
    #[default]
    Static,
    /// By the search: it asks for what was left out where it finds nothing new. For properties of single states and steps.
    Search,
    /// It is not: for deadlocks.
    None,
}

/// The table of where footprints are has so many places.
const SLOTS: usize = 1 << 10;

/// A process of which something is known: its type, its pid, and those of its variables that tell something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    of: u32,
    pid: u32,
    values: Vec<i32>,
}

/// The variables of a process type that tell an index, a channel or an argument: where they are, and at which locations
/// they are as they were at the start.
#[derive(Debug)]
struct Telling {
    fields: Vec<Field>,
    known: Vec<Box<[bool]>>,
    /// The locations at which one of them is so.
    tells: Vec<bool>,
    /// Is one of them so at some locations only?
    varies: bool,
}

impl Telling {
    fn new(i: &Interpreter, constants: &Constants, of: usize) -> Telling {
        let (telling, changed) = (&constants.telling[of], &constants.changed[of]);
        let known = |changed: &Vars| telling.iter().map(|&v| !changed.contains(v)).collect();
        let fields = telling.iter().filter_map(|&v| i.frames.types[of].locals[v as usize].fields().next());
        let known: Vec<Box<[bool]>> = changed.iter().map(known).collect();
        let tells = known.iter().map(|known| known.contains(&true)).collect();
        let varies = known.iter().any(|here| *here != known[0]);
        Telling { fields: fields.collect(), known, tells, varies }
    }

    /// Is one of them as it was at the start everywhere?
    fn is_constant(&self, n: usize) -> bool {
        self.known.iter().all(|known| known[n])
    }
}

/// The sets of a program.
#[derive(Debug)]
pub struct Reduction {
    program: Arc<Program>,
    cells: Cells,
    constants: Constants,
    seen: Bits,
    sticky: Vec<Vec<bool>>,
    proviso: Proviso,
    guarded: Bits,
    forgets: Forgets,
    /// Is it asked what others may do before a process moves, where what they may ever do is too much?
    looks_ahead: bool,
    telling: Vec<Telling>,
    footprints: boxcar::Vec<(Key, Footprint)>,
    numbers: Mutex<HashMap<Key, u32>>,
    /// For each pid and type a number that may be the right one.
    slots: Vec<AtomicU32>,
    control: Control,
    recall: Recall,
    /// Tables of places, of which the last one counts; none once they are too large.
    places: boxcar::Vec<Option<Places>>,
    full: AtomicU64,
    reduced: AtomicU64,
}

impl Reduction {
    /// The sets for a property that sees no more than this; or why there are none.
    pub fn new(interpreter: &Interpreter, visible: Visible) -> Result<Reduction, Why> {
        Self::forgetting(interpreter, visible, Forgets::Nothing)
    }

    /// As [`Reduction::new`], but the analysis forgets something. For tests of tests: the sets are wrong then.
    pub fn forgetting(
        interpreter: &Interpreter,
        visible: Visible,
        forgets: Forgets,
    ) -> Result<Reduction, Why> {
        let program = interpreter.program().clone();
        why::possible(&program, visible)?;
        let cells = Cells::new(&program);
        let constants = Constants::new(&program);
        let nothing = cells.none();
        let reader = Reader {
            program: &program,
            cells: &cells,
            constants: &constants,
            seen: &nothing,
            sticky: &[],
            proviso: visible.proviso,
            guarded: &nothing,
            forgets,
        };
        let guarded = reader.guarded();
        let reader = Reader { guarded: &guarded, ..reader };
        let mut seen = cells.none();
        for &p in visible.propositions {
            reader.seen(program.propositions[p as usize].expr, &mut seen);
        }
        // Assertions about states are seen, too.
        for (p, process) in program.processes.iter().enumerate().filter(|_| visible.proviso != Proviso::None)
        {
            for &e in process.locations.iter().flat_map(|l| &l.asserts) {
                reader.seen(e, &mut seen);
                seen.set(cells.location(ProcId::new(p)));
            }
        }
        let sticky = match visible.proviso {
            Proviso::Static | Proviso::Search => Reader { seen: &seen, ..reader }.sticky(),
            Proviso::None => program.processes.iter().map(|p| vec![false; p.edges.len()]).collect(),
        };
        Ok(Reduction {
            cells,
            seen,
            sticky,
            proviso: visible.proviso,
            guarded,
            forgets,
            looks_ahead: true,
            telling: (0..program.processes.len())
                .map(|of| Telling::new(interpreter, &constants, of))
                .collect(),
            footprints: boxcar::Vec::new(),
            numbers: Mutex::new(HashMap::new()),
            slots: (0..SLOTS).map(|_| AtomicU32::new(u32::MAX)).collect(),
            control: Control::new(),
            recall: Recall::default(),
            places: boxcar::Vec::new(),
            full: AtomicU64::new(0),
            reduced: AtomicU64::new(0),
            constants,
            program,
        })
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            program: &self.program,
            cells: &self.cells,
            constants: &self.constants,
            seen: &self.seen,
            sticky: &self.sticky,
            proviso: self.proviso,
            guarded: &self.guarded,
            forgets: self.forgets,
        }
    }

    /// The footprint of a process in a state.
    fn footprint(&self, s: &[u32], (pid, of, base): (u32, u32, u32), location: u32) -> &Footprint {
        let telling = &self.telling[of as usize];
        let known = &telling.known[location as usize];
        let value = |(field, known): (&Field, &bool)| if *known { s.load(*field, base) } else { 0 };
        let values = || telling.fields.iter().zip(known).map(value);
        let slot = &self.slots[(pid as usize * 8 + of as usize % 8) % SLOTS];
        let same = |key: &Key| key.of == of && key.pid == pid && key.values.iter().copied().eq(values());
        let number = slot.load(Ordering::Acquire) as usize;
        if let Some((key, footprint)) = self.footprints.get(number)
            && same(key)
        {
            return footprint;
        }
        let key = Key { of, pid, values: values().collect() };
        let mut numbers = self.numbers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let number = *numbers.entry(key).or_insert_with_key(|key| {
            let mut made = self.made(key);
            made.number = self.footprints.count() as u32;
            self.footprints.push((key.clone(), made)) as u32
        });
        drop(numbers);
        slot.store(number, Ordering::Release);
        &self.footprints[number as usize].1
    }

    fn made(&self, key: &Key) -> Footprint {
        let of = key.of as usize;
        let mut locals = vec![None; self.program.processes[of].locals.len()];
        for (&v, &value) in self.constants.telling[of].iter().zip(&key.values) {
            locals[v as usize] = Some(vec![value]);
        }
        self.reader().footprint(ProcId(key.of), &Known { pid: Some(key.pid as i32), locals })
    }

    /// Must a search ask for what was left out where it finds nothing new?
    pub(crate) fn asks_search(&self) -> bool {
        self.proviso == Proviso::Search
    }

    /// How many times all steps of a state were asked for, and how many times some sufficed; states that are not kept are
    /// among these.
    pub fn expansions(&self) -> (u64, u64) {
        (self.full.load(Ordering::Relaxed), self.reduced.load(Ordering::Relaxed))
    }

    /// Counts a state that is passed through.
    pub(crate) fn passed(&self) {
        self.reduced.fetch_add(1, Ordering::Relaxed);
    }

    /// As [`Reduction::choose`], and counts it.
    pub(crate) fn expand(&self, i: &Interpreter, s: &[u32]) -> u64 {
        let chosen = self.choose(i, s);
        let counter = if chosen == 0 { &self.full } else { &self.reduced };
        counter.fetch_add(1, Ordering::Relaxed);
        chosen
    }
}
