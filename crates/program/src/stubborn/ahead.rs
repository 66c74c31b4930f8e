//! What others may do before a process moves.
//!
//! An edge whose guard has a part that is false cannot be taken before somebody writes what that part looks at; one that
//! receives from an empty queue not before somebody sends; one that meets another process not before that one comes. Where
//! only the process at hand could do that, the edge, and what lies behind it, cannot be reached without it: a philosopher
//! who waits for the fork of his neighbour does not touch it before the neighbour puts it down.
//!
//! The edges that can be reached are the least set that has those at the locations of the others, unless they are closed
//! by something that none of the set writes, and those behind them. That a closed one stays closed: the first of those left
//! out to be taken would have been opened by one that was taken before it, which is in the set.
//!
//! Parts of guards are evaluated with the variables of a process as they are now, wherever it is: what is false stays so
//! until a variable in it is stored to.

use super::cells::Bits;
use super::choose::{Here, MOST, Words, false_parts, waits};
use super::footprint::{Reason, Row, Step};
use super::{Forgets, Reduction};
use crate::code::EdgeCode;
use crate::context::Context;
use crate::interp::Interpreter;
use crate::step::Ready;
use arrayvec::ArrayVec;
use smallvec::SmallVec;

/// What keeps an edge from being taken in a state: the false parts of its guard, as bits, or one of those below.
type Closed = u32;

const FILLS: Closed = 1 << 26;
const EMPTIES: Closed = 1 << 27;
const BESIDES: Closed = 1 << 28;
const NEEDS: Closed = 1 << 29;
/// It was looked at.
const KNOWN: Closed = 1 << 31;
const PARTS: usize = 26;

/// May an edge be taken?
enum Passes {
    No,
    Yes,
    /// And it may open others.
    Opening,
}

/// What may happen in a state, for one set of processes after the other.
pub(super) struct Ahead<'a> {
    reduction: &'a Reduction,
    i: &'a Interpreter,
    s: &'a [u32],
    here: &'a [Here<'a>],
    /// What is touched, written and offered.
    pub all: Words,
    /// For each process, where its edges begin in `closed` and its locations in `reached`.
    starts: ArrayVec<(u32, u32), MOST>,
    closed: SmallVec<[Closed; 128]>,
    reached: SmallVec<[bool; 128]>,
    /// For each process, which of its variables it may store to.
    stores: [u64; MOST],
    /// Edges at locations that are reached and that were not found to be open, by process and place.
    pending: SmallVec<[(u32, u32); 64]>,
}

impl<'a> Ahead<'a> {
    #[inline(always)]
    pub fn new(reduction: &'a Reduction, i: &'a Interpreter, s: &'a [u32], here: &'a [Here<'a>]) -> Self {
        let mut starts = ArrayVec::new();
        let (mut edges, mut locations) = (0, 0);
        for (footprint, _) in here {
            starts.push((edges as u32, locations as u32));
            edges += footprint.rows.len();
            locations += footprint.busy.len();
        }
        Ahead {
            reduction,
            i,
            s,
            here,
            all: SmallVec::from_elem(0, 3 * reduction.cells.words()),
            starts,
            closed: SmallVec::from_elem(0, edges),
            reached: SmallVec::from_elem(false, locations),
            stores: [0; MOST],
            pending: SmallVec::new(),
        }
    }

    /// Finds what processes outside of `set` may touch, write and offer before one of the set moves, as far as it is of
    /// `interest`. False as soon as that meets `wants`. Who may do nothing of interest, and open nothing that is closed, is
    /// not looked at.
    pub fn of_others(&mut self, set: u64, wants: &[u64], interest: &[u64]) -> bool {
        self.all.fill(0);
        self.reached.fill(false);
        self.stores[..self.here.len()].fill(0);
        self.pending.clear();
        let mut left = !set & (u64::MAX >> (64 - self.here.len()));
        let mut interest: Words = interest.into();
        while self.join(&mut left, &interest) {
            let mut at = 0;
            while at < self.pending.len() {
                let (pid, edge) = self.pending[at];
                match self.passes(pid as usize, edge as usize) {
                    Passes::No => at += 1,
                    passes => {
                        if self.all.iter().zip(wants).any(|(a, b)| a & b != 0) {
                            return false;
                        }
                        self.pending.swap_remove(at);
                        if matches!(passes, Passes::Opening) {
                            at = 0;
                        }
                    }
                }
            }
            self.closed_by(&mut interest);
        }
        !self.all.iter().zip(wants).any(|(a, b)| a & b != 0)
    }

    /// Adds the processes that may do something of interest; false if there is none.
    fn join(&mut self, left: &mut u64, interest: &[u64]) -> bool {
        let before = *left;
        let mut rest = before;
        while rest != 0 {
            let pid = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (footprint, location) = self.here[pid];
            let future = footprint.future(location, interest.len());
            if future.iter().zip(interest).any(|(a, b)| a & b != 0) {
                *left &= !(1 << pid);
                self.reach(pid, location);
            }
        }
        *left != before
    }

    /// What those edges wait for that are not open.
    fn closed_by(&self, interest: &mut [u64]) {
        let words = self.reduction.cells.words();
        let mut add = |from: usize, cells: &Bits| {
            interest[from * words..].iter_mut().zip(&cells.0).for_each(|(to, cells)| *to |= cells);
        };
        for &(pid, edge) in &self.pending {
            let (footprint, _) = self.here[pid as usize];
            let code = &self.i.types[footprint.of.index()].edges[edge as usize];
            let row = &footprint.rows[code.number as usize];
            let closed = self.closed[self.starts[pid as usize].0 as usize + code.number as usize];
            row.parts.iter().take(PARTS).enumerate().for_each(|(k, cells)| {
                if closed >> k & 1 == 1 {
                    add(1, cells);
                }
            });
            besides(row, closed).for_each(|cells| add(1, cells));
            footprint.steps[code.number as usize].meets.iter().for_each(|partners| add(2, partners));
        }
    }

    fn reach(&mut self, pid: usize, location: usize) {
        let seen = &mut self.reached[self.starts[pid].1 as usize + location];
        if std::mem::replace(seen, true) {
            return;
        }
        let (footprint, _) = self.here[pid];
        self.all.iter_mut().zip(&footprint.inside[location]).for_each(|(to, cells)| *to |= cells);
        let (lo, hi) = self.i.types[footprint.of.index()].ranges[location];
        for edge in lo..hi {
            self.pending.push((pid as u32, edge));
        }
    }

    /// If an edge at a location that is reached may be taken, adds what it does.
    fn passes(&mut self, pid: usize, edge: usize) -> Passes {
        let (footprint, _) = self.here[pid];
        let code = &self.i.types[footprint.of.index()].edges[edge];
        let (row, step) = (&footprint.rows[code.number as usize], &footprint.steps[code.number as usize]);
        if self.is_closed(pid, code, row, step) {
            return Passes::No;
        }
        let words = self.reduction.cells.words();
        if let Some(partners) = &step.meets {
            // Others may meet it, even if it is not known who.
            let offers = &mut self.all[2 * words..];
            offers.iter_mut().zip(&step.all[2 * words..]).for_each(|(to, cells)| *to |= cells);
            if !partners.0.iter().zip(&*offers).any(|(a, b)| a & b != 0) {
                return Passes::No;
            }
        }
        // What only touches opens nothing.
        let news = self.all[words..].iter().zip(&step.all[words..]).any(|(all, cells)| cells & !all != 0);
        let opens = news || step.stores & !self.stores[pid] != 0 || step.meets.is_some();
        self.all.iter_mut().zip(&step.all).for_each(|(to, cells)| *to |= cells);
        self.stores[pid] |= step.stores;
        self.reach(pid, code.to as usize);
        if opens { Passes::Opening } else { Passes::Yes }
    }

    /// Is an edge closed by something that nobody changes?
    fn is_closed(&mut self, pid: usize, code: &EdgeCode, row: &Row, step: &Step) -> bool {
        let at = self.starts[pid].0 as usize + code.number as usize;
        if self.closed[at] == 0 {
            self.closed[at] = KNOWN | self.look(pid, code, row, step);
        }
        let closed = self.closed[at];
        if closed == KNOWN {
            return false;
        }
        let words = self.reduction.cells.words();
        let (writes, stores) = (&self.all[words..2 * words], self.stores[pid]);
        let forgets = self.reduction.forgets == Forgets::Opening;
        let stays = |cells: &Bits, reads: u64| {
            forgets || reads & stores == 0 && !cells.0.iter().zip(writes).any(|(a, b)| a & b != 0)
        };
        let parts = row.parts.iter().zip(&step.parts).take(PARTS).enumerate();
        if parts.into_iter().any(|(k, (cells, reads))| closed >> k & 1 == 1 && stays(cells, *reads)) {
            return true;
        }
        besides(row, closed).any(|cells| stays(cells, step.reads))
    }

    /// What keeps an edge from being taken as things are.
    fn look(&self, pid: usize, code: &EdgeCode, row: &Row, step: &Step) -> Closed {
        let mut context = Context::new(self.i, self.s, pid as u32);
        if step.meets.is_some() {
            // Whom it meets is another question.
            return parts(code, row, &mut context);
        }
        if step.mixed || !matches!(self.i.ready(code, &mut context, false), Ok(Ready::No)) {
            return 0;
        }
        match parts(code, row, &mut context) {
            // The process after it has to end first.
            0 if row.exits && pid + 1 < context.shape.processes.len() => NEEDS,
            0 if code.work.guard().is_some() => match waits(self.i, code, &mut context) {
                Reason::Fills => FILLS,
                Reason::Empties => EMPTIES,
                Reason::Besides | Reason::Needs => BESIDES,
            },
            0 => NEEDS,
            parts => parts,
        }
    }
}

/// What has to be written before an edge can be taken whose guard is not what keeps it from that.
fn besides(row: &Row, closed: Closed) -> impl Iterator<Item = &Bits> {
    [(FILLS, &row.fills), (EMPTIES, &row.empties), (BESIDES, &row.besides), (NEEDS, &row.needs)]
        .into_iter()
        .filter(move |(why, _)| closed & why != 0)
        .map(|(_, cells)| cells)
}

/// The parts of a guard that are false.
fn parts(code: &EdgeCode, row: &Row, context: &mut Context<&[u32]>) -> Closed {
    let mut closed = 0;
    false_parts(code, row, context, |k| closed |= if k < PARTS { 1 << k } else { 0 });
    closed
}
