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
//! is. Here `T` is the steps of one process `p`. That is right if for each edge `e` of `p` from where it is no other
//! process may, from here on,
//!
//! ```text
//! if e can be taken:      write what e touches, or touch what e writes     (D1)
//! if e cannot be taken:   write what e needs                               (D2)
//! if e offers to meet:    offer the other half                             (both)
//! ```
//!
//! What a process may do from here on is what the edges that it can still reach do, and the processes that it may create.
//! The sets of cells are those of this very process: an index or the name of a channel that is a parameter is known
//! ([footprints](footprint)). Sets of several processes, closed under these rules, were measured to reduce less.
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

mod cells;
mod explain;
mod footprint;
mod sticky;
mod sure;
mod values;

use crate::code::{ActionCode, EdgeCode, GuardCode, OfferCode, WorkCode};
use crate::condense::Condensed;
use crate::context::Context;
use crate::form::{Expr, Program};
use crate::ids::ProcId;
use crate::interp::Interpreter;
use crate::layout::Field;
use crate::memory::Reader as _;
use crate::step::Ready;
use arrayvec::ArrayVec;
use cells::{Bits, Cells};
use footprint::{Footprint, Reader};
use riata_system::{Successors, System};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use values::{Constants, Known};

pub use explain::{Explanation, Needed, Tally};

/// Why there is no reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// Processes have priorities.
    Priorities,
    /// A process has a `provided` clause.
    Provided,
    /// All processes move at once.
    Lockstep,
    /// It is asked whether a process can move, or by which number its location goes.
    AsksProcess,
    /// It is kept who moved last.
    Last,
    /// Messages are watched.
    Trace,
    /// The property asks whether nothing can move.
    Timeout,
    /// A claim is part of the states.
    Claim,
    /// There is one process only.
    Alone,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Why::Priorities => "priorities",
            Why::Provided => "`provided` clauses",
            Why::Lockstep => "all processes move at once",
            Why::AsksProcess => "`enabled`, `pc_value` or priorities are asked for",
            Why::Last => "`_last` is used",
            Why::Trace => "messages are watched",
            Why::Timeout => "the property asks for `timeout`",
            Why::Claim => "the claim has variables or looks at the system's steps",
            Why::Alone => "there is one process only",
        })
    }
}

/// What a property sees of the states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visible<'a> {
    /// These propositions, by their numbers.
    pub propositions: &'a [u32],
    /// Whether a process is at an accepting location.
    pub accepting: bool,
    /// Whether no process is at a progress location.
    pub progress: bool,
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
/// What an analysis can forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forgets {
    /// Nothing: it is right.
    Nothing,
    /// That shared variables are read and written.
    Shared,
    /// The two ends of queues.
    Ends,
    /// That processes are created and end.
    Stack,
    /// That rendezvous have two halves.
    Offers,
    /// What an edge that cannot be taken waits for.
    Needs,
    /// What the property sees.
    Visible,
}

/// So many walks of so many steps are samples.
const WALKS: u32 = 8;
const STEPS: u32 = 400;
/// But no more once so many successors were seen.
const SUCCESSORS: usize = 40_000;
/// States with more processes are not reduced.
const MOST: usize = 64;

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
}

impl Telling {
    fn new(i: &Interpreter, constants: &Constants, of: usize) -> Telling {
        let (telling, changed) = (&constants.telling[of], &constants.changed[of]);
        let known = |changed: &HashSet<u32>| telling.iter().map(|v| !changed.contains(v)).collect();
        Telling {
            fields: telling
                .iter()
                .filter_map(|&v| i.frames.types[of].locals[v as usize].fields().next())
                .collect(),
            known: changed.iter().map(known).collect(),
        }
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
    telling: Vec<Telling>,
    footprints: boxcar::Vec<(Key, Footprint)>,
    numbers: Mutex<HashMap<Key, u32>>,
    /// For each pid and type a number that may be the right one.
    slots: Vec<AtomicU32>,
    full: AtomicU64,
    reduced: AtomicU64,
}

/// Cells that are touched, written and offered.
type Words = SmallVec<[u64; 24]>;

/// A process in a state: its footprint, its location.
type Here<'a> = (&'a Footprint, usize);

/// What is known of a process that no other interferes with.
#[derive(Clone, Copy, Debug, Default)]
struct Alone {
    /// How many of its edges can be taken.
    enabled: u32,
    /// Does one of them close a cycle of control?
    closes: bool,
    /// Does one of them keep control?
    keeps: bool,
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
        possible(&program, visible)?;
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
        if visible.accepting {
            seen.set(cells.accepting);
        }
        if visible.progress {
            seen.set(cells.progress);
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
            Proviso::Static | Proviso::Search => choose_sticky(&Reader { seen: &seen, ..reader }),
            Proviso::None => program.processes.iter().map(|p| vec![false; p.edges.len()]).collect(),
        };
        Ok(Reduction {
            cells,
            seen,
            sticky,
            proviso: visible.proviso,
            guarded,
            forgets,
            telling: (0..program.processes.len())
                .map(|of| Telling::new(interpreter, &constants, of))
                .collect(),
            footprints: boxcar::Vec::new(),
            numbers: Mutex::new(HashMap::new()),
            slots: (0..SLOTS).map(|_| AtomicU32::new(u32::MAX)).collect(),
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
        let number = *numbers
            .entry(key)
            .or_insert_with_key(|key| self.footprints.push((key.clone(), self.made(key))) as u32);
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

    /// How many of a hundred states are reduced, by samples: the states of random walks, always the same.
    pub fn share(&self, i: &Interpreter) -> u32 {
        let system = Condensed::new(i);
        let (mut states, mut reduced, mut seen) = (0, 0, 0);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut all = Successors::default();
        for _ in 0..WALKS {
            let mut s = vec![0; system.words()];
            system.initial(&mut Default::default(), &mut s);
            s.truncate(system.len(&s));
            for _ in 0..STEPS {
                system.post(&s, &mut all);
                seen += all.len();
                if all.is_empty() || seen > SUCCESSORS {
                    break;
                }
                states += u32::from(all.len() > 1);
                reduced += u32::from(all.len() > 1 && self.choose(i, &s) != 0);
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                s.clear();
                s.extend_from_slice(all.get(random as usize % all.len()).0);
            }
        }
        100 * reduced / states.max(1)
    }

    /// The processes whose steps suffice in `s`, as bits; 0 if all are needed.
    pub fn choose(&self, i: &Interpreter, s: &[u32]) -> u64 {
        let mut best: Option<(u32, u32)> = None;
        self.candidates(i, s, |pid, alone| {
            if best.is_none_or(|b| alone.enabled < b.0) {
                best = Some((alone.enabled, pid));
            }
            alone.enabled == 1
        });
        best.map_or(0, |(_, pid)| 1 << pid)
    }

    /// A process with one edge that can be taken, which alone suffices in `s`, and by which no cycle is closed; and is that
    /// edge a step by itself? Such a state need not be kept: there is one way on.
    pub(crate) fn lone(&self, i: &Interpreter, s: &[u32]) -> Option<(u32, bool)> {
        let mut found = None;
        self.candidates(i, s, |pid, alone| {
            if alone.enabled == 1 && !alone.closes {
                found = Some((pid, !alone.keeps));
            }
            found.is_some()
        });
        found
    }

    /// Tells the processes that no other interferes with, the youngest first, until it is enough.
    fn candidates(&self, i: &Interpreter, s: &[u32], mut enough: impl FnMut(u32, Alone) -> bool) {
        if i.is_fault(s) || i.holder(s).is_some() {
            return;
        }
        let processes = i.shape(s).processes.len();
        if !(2..=MOST).contains(&processes) {
            return;
        }
        let mut here = ArrayVec::<Here, MOST>::new();
        self.here(i, s, &mut here);
        let busy = here.iter().filter(|(footprint, l)| footprint.busy[*l]).count();
        if busy < 2 || !here.iter().any(|(footprint, l)| footprint.promising[*l]) {
            return;
        }
        let committed = i.is_committed(s);
        // What may be done from here on, by one process or more, and by two or more.
        let words = 3 * self.cells.words();
        let mut once: Words = SmallVec::new();
        once.resize(words, 0);
        let (mut twice, mut others) = (once.clone(), once.clone());
        for (footprint, l) in &here {
            let future = footprint.future(*l, words).iter();
            for ((once, twice), cells) in once.iter_mut().zip(&mut twice).zip(future) {
                *twice |= *once & cells;
                *once |= cells;
            }
        }
        for (pid, (footprint, l)) in here.iter().enumerate().rev() {
            if footprint.promising[*l] {
                let own = footprint.future(*l, words).iter();
                for (((to, once), twice), own) in others.iter_mut().zip(&once).zip(&twice).zip(own) {
                    *to = twice | once & !own;
                }
                if let Some(alone) = self.alone(i, s, (pid, committed), (footprint, *l), &others)
                    && enough(pid as u32, alone)
                {
                    return;
                }
            }
        }
    }

    /// Looks at the edges of a process, which is at `here`: D1 and D2 for it alone, where the others may do what is in
    /// `others`. Nothing if one of them interferes, or if it cannot move.
    fn alone(
        &self,
        i: &Interpreter,
        s: &[u32],
        (pid, committed): (usize, bool),
        (footprint, location): Here,
        others: &[u64],
    ) -> Option<Alone> {
        let code = &i.types[footprint.of.index()];
        let (lo, hi) = code.ranges[location];
        let edges = &code.edges[lo as usize..hi as usize];
        if committed && !code.committed[location] {
            return None;
        }
        // Before guards are evaluated: is there an edge that could be taken alone?
        let row = |edge: &EdgeCode| &footprint.rows[edge.number as usize];
        edges.iter().find(|e| row(e).may_be_alone && !row(e).met(others))?;
        let writes = &others[self.cells.words()..2 * self.cells.words()];
        let free = |cells: &Bits| !cells.0.iter().zip(writes).any(|(a, b)| a & b != 0);
        let mut context = Context::new(i, s, pid as u32);
        let mut alone = Alone::default();
        let (mut mine, mut rank) = (false, 0);
        for edge in edges {
            if rank > 1 && edge.rank + 1 != rank {
                // It is hidden by one that can be taken, which touches all that decides about it.
                break;
            }
            let row = row(edge);
            // Nobody offers the other half, or it is not alone.
            if !row.partners.is_empty() && row.met(others) {
                return None;
            }
            let ready = i.ready(edge, &mut context, mine);
            let can = match ready {
                Ok(Ready::No) => false,
                // Where nobody is to be met, it may be a fault to evaluate the message.
                Ok(Ready::Meet(channel)) => i.partners(edge, channel, &mut context, committed),
                _ => true,
            };
            if can {
                if !row.may_be_alone || row.met(others) {
                    return None;
                }
                alone.enabled += 1;
                alone.closes |= row.closes;
                alone.keeps |= edge.keeps;
                (mine, rank) = (true, edge.rank + 1);
                continue;
            }
            let possible = match false_part(edge, row, &mut context, &free) {
                Some(free) => free,
                None if matches!(ready, Ok(Ready::Meet(_))) => free(&row.besides),
                // The process after it has to end first.
                None if row.exits && pid + 1 < context.shape.processes.len() => false,
                None if edge.work.guard().is_some() => free(row.waits(i, edge, &mut context)),
                None => free(&row.needs),
            };
            if !possible {
                return None;
            }
        }
        (alone.enabled > 0).then_some(alone)
    }

    /// Where the processes of a state are.
    fn here<'a>(&'a self, i: &Interpreter, s: &[u32], here: &mut ArrayVec<Here<'a>, MOST>) {
        for (pid, &(of, base)) in i.shape(s).processes.iter().enumerate() {
            let location = i.at(s, of, base);
            here.push((self.footprint(s, (pid as u32, of, base), location), location as usize));
        }
    }
}

impl footprint::Row {
    /// What a message that is not there, or room for one, waits for.
    fn waits(&self, i: &Interpreter, edge: &EdgeCode, context: &mut Context<&[u32]>) -> &Bits {
        let WorkCode::Action(ActionCode { offer: OfferCode::Receive(r), .. }) = &edge.work else {
            return &self.besides;
        };
        // The first message is a wrong one: it has to be taken away. Or there is none.
        let count = i.receives[*r as usize].as_ref().and_then(|receive| {
            let id = i.channel_of(context, receive.channel).ok()?;
            let (queue, at) = context.channel(id).ok()?;
            (!receive.any && queue.capacity > 0).then(|| context.s.raw(queue.count, at))
        });
        match count {
            Some(0) => &self.fills,
            Some(_) => &self.empties,
            None => &self.besides,
        }
    }
}

/// If a part of the guard is false: is there one of which this is `free`?
fn false_part(
    edge: &EdgeCode,
    row: &footprint::Row,
    context: &mut Context<&[u32]>,
    free: &dyn Fn(&Bits) -> bool,
) -> Option<bool> {
    let Some(GuardCode::When(guard)) = edge.work.guard() else { return None };
    let codes = if edge.conjuncts.is_empty() { std::slice::from_ref(&guard) } else { &edge.conjuncts };
    let mut answer = None;
    for (&code, needs) in codes.iter().zip(&row.parts) {
        if context.value(code).is_ok_and(|v| v == 0) {
            if free(needs) {
                return Some(true);
            }
            answer = Some(false);
        }
    }
    answer
}

/// May the steps of a program be reduced at all?
fn possible(program: &Program, visible: Visible) -> Result<(), Why> {
    let asks =
        |is: fn(Expr) -> bool| (0..program.exprs.len()).any(|e| is(program.exprs.get(crate::ExprId::new(e))));
    let sees = |is: fn(Expr) -> bool| {
        visible.propositions.iter().any(|&p| program.mentions(program.propositions[p as usize].expr, is))
    };
    let scheduling = program.scheduling;
    let problems = [
        (scheduling.lockstep, Why::Lockstep),
        (scheduling.priorities, Why::Priorities),
        (program.processes.iter().any(|p| p.provided.is_some()), Why::Provided),
        (program.last.is_some(), Why::Last),
        (program.monitor.is_some(), Why::Trace),
        (program.claim.is_some(), Why::Claim),
        (
            asks(|e| matches!(e, Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_))),
            Why::AsksProcess,
        ),
        (sees(|e| matches!(e, Expr::Timeout)), Why::Timeout),
        (program.start.len() < 2 && !program.runs(), Why::Alone),
    ];
    problems.into_iter().find(|(is, _)| *is).map_or(Ok(()), |(_, why)| Err(why))
}

/// Sticky edges of each process type, all those that create a process among them.
fn choose_sticky(reader: &Reader) -> Vec<Vec<bool>> {
    let program = reader.program;
    let plain: Vec<Footprint> =
        (0..program.processes.len()).map(|p| reader.footprint(ProcId::new(p), &reader.unknown(p))).collect();
    let of_type = |p: usize| {
        let process = &program.processes[p];
        let arcs: Vec<sticky::Arc> = (process.edges.iter().zip(&plain[p].rows))
            .map(|(edge, row)| {
                let met = plain.iter().enumerate().any(|(q, other)| {
                    let whole = &other.futures[program.processes[q].initial.index()];
                    // The process itself does not count; whether there are several of its type is not known here.
                    q != p && (row.writes.meets(&whole.touches) || row.touches.meets(&whole.writes))
                });
                let weight = match () {
                    () if row.runs => 0,
                    () if row.visible => 1,
                    () if met || !row.partners.is_empty() => 2,
                    () => 6,
                };
                (edge.from.index(), edge.to.index(), weight)
            })
            .collect();
        sticky::sticky(process.locations.len(), &arcs)
    };
    (0..program.processes.len()).map(of_type).collect()
}
