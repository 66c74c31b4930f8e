//! Cells: what two steps can meet at, each a bit.
//!
//! A shared variable is a cell for each element, if there are not too many; one that nobody ever stores to is none. A queue
//! has two ends. What others look at of a process is a cell of its type: where it is, and its variables. The stack of
//! processes has two: a `run` writes *grow*, the end of a process *shrink*.

use crate::form::{Expr, Pattern, Place, Program, Statement, Var, Work};
use crate::ids::{LocId, ProcId};
use smallvec::SmallVec;
use std::collections::HashSet;

/// A set of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(pub SmallVec<[u64; 4]>);

impl Bits {
    pub fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub fn fill(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Adds those of another set; tells whether there was something new.
    pub fn join(&mut self, other: &Bits) -> bool {
        let mut new = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            new |= b & !*a != 0;
            *a |= b;
        }
        new
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    #[inline]
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// Arrays with more elements are one cell.
const ELEMENTS: u32 = 64;
/// So many channels that are created after the start have cells of their own; the last is for all others, too.
const CREATED: u32 = 48;

/// A channel that does not exist yet, as a value.
pub(super) const FRESH: i32 = i32::MIN;

/// Where each cell is.
#[derive(Debug)]
pub(super) struct Cells {
    /// For each shared variable its first cell and how many it has.
    shared: Vec<(usize, u32)>,
    /// Channels of the start: is it a rendezvous?
    rendezvous: Vec<bool>,
    channels: u32,
    ends: usize,
    types: usize,
    /// The cell of the stack that is written when a process is created.
    pub grow: usize,
    /// And when one ends.
    pub shrink: usize,
    /// Who may move: somebody is at a committed location.
    pub control: usize,
    /// Is no process at a progress location?
    pub progress: usize,
    /// Is some process at an accepting location?
    pub accepting: usize,
    count: usize,
    /// Locations that somebody looks at.
    watched: HashSet<(ProcId, LocId)>,
    /// Variables of processes that others look at.
    remote: HashSet<(ProcId, u32)>,
}

/// The shared variables that something is stored to after the start.
pub(super) fn stored(program: &Program) -> HashSet<u32> {
    let mut stored = HashSet::new();
    let mut store = |place: &Place| {
        if let Var::Shared(v) = place.var {
            stored.insert(v);
        }
    };
    for statement in program.statements() {
        match statement {
            Statement::Assign(place, _) | Statement::Run { pid: Some(place), .. } => store(place),
            _ => {}
        }
    }
    for receive in &program.receives {
        receive.patterns.iter().for_each(|p| {
            if let Pattern::Bind(place) = p {
                store(place);
            }
        });
    }
    for process in &program.processes {
        process.initialisers.iter().for_each(|(place, _)| store(place));
    }
    stored.extend(program.last);
    stored.extend(program.claim.map(|c| c.at));
    stored.extend(program.monitor.as_ref().map(|m| m.at));
    stored
}

impl Cells {
    pub fn new(program: &Program) -> Cells {
        let stored = stored(program);
        let mut count = 0;
        let mut take = |n: u32| {
            count += n as usize;
            count - n as usize
        };
        let shared = program.shared.iter().enumerate().map(|(v, variable)| {
            let n = match variable.len {
                _ if !stored.contains(&(v as u32)) => 0,
                Some(n) if n <= ELEMENTS => n,
                _ => 1,
            };
            (take(n), n)
        });
        let shared = shared.collect();
        let creates = program.processes.iter().any(|p| !p.opens.is_empty());
        let channels = program.opens.len() as u32 + if creates { CREATED } else { 0 };
        // Head and tail of a queue; an offer to send and to receive by rendezvous.
        let ends = take(4 * channels);
        let types = take(2 * program.processes.len() as u32);
        let [grow, shrink, control, progress, accepting] = std::array::from_fn(|_| take(1));
        let rendezvous = |o: &crate::form::Opening| program.channels[o.channel as usize].capacity == 0;
        let mut cells = Cells {
            shared,
            rendezvous: program.opens.iter().map(rendezvous).collect(),
            channels,
            ends,
            types,
            grow,
            shrink,
            control,
            progress,
            accepting,
            count,
            watched: HashSet::new(),
            remote: HashSet::new(),
        };
        // All expressions: those of propositions as well.
        for e in 0..program.exprs.len() {
            match program.exprs.get(crate::ExprId::new(e)) {
                Expr::At(p, _, l) => drop(cells.watched.insert((p, l))),
                Expr::Read(Place { var: Var::Remote(p, v, _), .. }) => drop(cells.remote.insert((p, v))),
                _ => {}
            }
        }
        for (p, process) in program.processes.iter().enumerate() {
            let asserting = process.locations.iter().enumerate().filter(|(_, l)| !l.asserts.is_empty());
            cells.watched.extend(asserting.map(|(l, _)| (ProcId::new(p), LocId::new(l))));
        }
        cells
    }

    /// How many words a set has.
    pub fn words(&self) -> usize {
        self.count.div_ceil(64)
    }

    /// No cell.
    pub fn none(&self) -> Bits {
        Bits(SmallVec::from_elem(0, self.words()))
    }

    /// A shared variable: those elements, or all.
    pub fn variable(&self, v: u32, elements: Option<&[i32]>, out: &mut Bits) {
        let (first, n) = self.shared[v as usize];
        match elements {
            Some(elements) if n > 1 => {
                let inside =
                    elements.iter().filter_map(|&e| usize::try_from(e).ok().filter(|&e| e < n as usize));
                inside.for_each(|e| out.set(first + e));
            }
            _ => (first..first + n as usize).for_each(|cell| out.set(cell)),
        }
    }

    /// The numbers of channels with cells of their own that these values mean: may each be a queue, may it be a rendezvous?
    pub fn channels(&self, values: Option<&[i32]>) -> Vec<(u32, bool, bool)> {
        let kind = |k: u32| match self.rendezvous.get(k as usize) {
            Some(&rendezvous) => (k, !rendezvous, rendezvous),
            None => (k, true, true),
        };
        match values {
            None => (0..self.channels).map(kind).collect(),
            Some(values) => {
                let number = |&v: &i32| u32::try_from(v.checked_sub(1)?).ok();
                let known = values.iter().filter(|&&v| v != FRESH).filter_map(number);
                known.filter(|_| self.channels > 0).map(|k| kind(k.min(self.channels - 1))).collect()
            }
        }
    }

    /// For each shared variable its first cell and how many it has.
    pub fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        self.shared.iter().map(|&(first, n)| (first, n as usize))
    }

    /// The ends of channels that are not there from the start.
    pub fn created(&self) -> impl Iterator<Item = usize> {
        let channels = self.rendezvous.len() as u32..self.channels;
        channels.flat_map(|k| [self.head(k), self.tail(k)])
    }

    /// The cells of channels.
    pub fn ends(&self) -> impl Iterator<Item = usize> {
        self.ends..self.ends + 4 * self.channels as usize
    }

    /// The channel of a cell, and which of its four it is.
    pub fn end(&self, cell: usize) -> Option<(usize, usize)> {
        let at = cell.checked_sub(self.ends)?;
        (at < 4 * self.channels as usize).then_some((at / 4, at % 4))
    }

    /// The process type of a cell, and whether it is about variables.
    pub fn of_type(&self, cell: usize, types: usize) -> Option<(usize, bool)> {
        let at = cell.checked_sub(self.types)?;
        (at < 2 * types).then_some((at / 2, at % 2 == 1))
    }

    pub fn head(&self, channel: u32) -> usize {
        self.ends + 4 * channel as usize
    }

    pub fn tail(&self, channel: u32) -> usize {
        self.head(channel) + 1
    }

    pub fn sends(&self, channel: u32) -> usize {
        self.head(channel) + 2
    }

    pub fn receives(&self, channel: u32) -> usize {
        self.head(channel) + 3
    }

    /// Where processes of this type are.
    pub fn location(&self, p: ProcId) -> usize {
        self.types + 2 * p.index()
    }

    /// What the variables of processes of this type hold.
    pub fn locals(&self, p: ProcId) -> usize {
        self.location(p) + 1
    }

    pub fn is_watched(&self, p: ProcId, l: LocId) -> bool {
        self.watched.contains(&(p, l))
    }

    pub fn is_remote(&self, p: ProcId, v: u32) -> bool {
        self.remote.contains(&(p, v))
    }
}

/// The actions of an edge, those of blocks included, each with whether it comes first.
pub(super) fn actions<'a>(program: &'a Program, work: &'a Work) -> Vec<(&'a crate::form::Action, bool)> {
    match work {
        Work::Action(action) => vec![(action, true)],
        Work::Block(b, _) => {
            let nodes = program.blocks[*b as usize].nodes.iter().enumerate();
            nodes.flat_map(|(n, node)| node.iter().map(move |(action, _)| (action, n == 0))).collect()
        }
    }
}
