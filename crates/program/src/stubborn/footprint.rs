//! Footprints: for one process, what each of its edges touches and writes, and what it may do from each location on.
//!
//! The unit is the large step: an edge that keeps control is joined with what may follow it until control is free.

use super::cells::Bits;
use super::edge::Reader;
use super::values::{Known, Values};
use super::{Forgets, Proviso};
use crate::form::{Edge, Guard, Program, Work};
use crate::ids::ProcId;
use std::collections::BTreeSet;

/// What an edge does, as far as others can notice.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Whoever writes one of these may change whether it can be taken, or what it does. What only makes it possible is not
    /// among them.
    pub touches: Bits,
    pub writes: Bits,
    /// If it cannot be taken, somebody has to write one of these before it can.
    pub needs: Bits,
    /// The same for each part of its guard, and for what it needs besides: room, or a message.
    pub parts: Vec<Bits>,
    pub besides: Bits,
    /// Of these, if it receives: what it needs if the queue is empty, and if the first message is another.
    pub fills: Bits,
    pub empties: Bits,
    /// The offers that its own waits for: those to receive if it sends by rendezvous, those to send if it receives.
    pub partners: Bits,
    /// What it offers.
    pub offers: Bits,
    /// Does it wait for the processes after its own to end?
    pub exits: bool,
    /// Does it create a process?
    pub runs: bool,
    /// Its own variables, as bits: those that each part of its guard looks at, those that decide at all, those stored to.
    pub parts_read: Vec<u64>,
    pub reads: u64,
    pub stores: u64,
    /// If all it can do is to meet another process: the offers that it waits for.
    pub meets: Option<Bits>,
    /// Inside an atomic sequence: does nobody decide whether it can be taken?
    pub sure: bool,
    /// Does it close a cycle of control?
    pub closes: bool,
    /// May it change what the property sees?
    pub visible: bool,
    /// May it be taken without the others?
    pub may_be_alone: bool,
    /// What it writes, what it touches, and the offers that it waits for: those whom it meets have one of these in what
    /// they touch, what they write, and what they offer.
    pub all: Box<[u64]>,
    pub children: BTreeSet<Child>,
}

/// A process that may be created: its type, and what its parameters can be.
pub(super) type Child = (ProcId, Vec<Values>);

/// What may happen from a location on.
#[derive(Clone, Debug)]
pub(super) struct Future {
    pub touches: Bits,
    pub writes: Bits,
    pub offers: Bits,
}

/// A small step as others see it.
#[derive(Debug)]
pub(super) struct Step {
    /// What it touches, writes and offers, and those whom it creates.
    pub all: Box<[u64]>,
    /// Its own variables that each part of its guard looks at, that decide at all, and that it stores to.
    pub parts: Vec<u64>,
    pub reads: u64,
    pub stores: u64,
    /// If all it can do is to meet another process: the offers that it waits for.
    pub meets: Option<Bits>,
    /// May it meet another process, or else do something alone?
    pub mixed: bool,
}

/// The edges and locations of a process of which something is known.
#[derive(Debug)]
pub(super) struct Footprint {
    /// Which one it is.
    pub number: u32,
    /// The type of the process.
    pub of: ProcId,
    /// By the number of the edge.
    pub rows: Vec<Row>,
    pub futures: Vec<Future>,
    /// For each location: is there an edge that can be taken alone?
    pub promising: Vec<bool>,
    /// For each location: is there an edge that meets another process, and may be taken by the two alone?
    pub meeting: Vec<bool>,
    /// For each location: can something else be done than to end?
    pub busy: Vec<bool>,
    /// By the number of the edge, small steps.
    pub steps: Vec<Step>,
    /// For each location inside an atomic sequence, what decides about its edges.
    pub inside: Vec<Box<[u64]>>,
    /// For each location what is offered there.
    pub offers: Vec<Bits>,
    /// For each location what may be touched, written and offered from there on.
    all: Vec<u64>,
}

/// What an edge may wait for, besides the parts of its guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Anything that it needs.
    Needs,
    /// What it needs besides its guard.
    Besides,
    /// A message.
    Fills,
    /// That a message is taken away.
    Empties,
}

impl Reason {
    /// So many there are.
    pub const ALL: usize = 4;
}

impl Row {
    /// What has to be written: the sets of the parts of its guard, then those of the reasons.
    #[inline]
    pub fn set(&self, n: usize) -> &Bits {
        let besides = || [&self.needs, &self.besides, &self.fills, &self.empties][n - self.parts.len()];
        self.parts.get(n).unwrap_or_else(besides)
    }

    /// Does it meet those who touch, write and offer these?
    #[inline]
    pub fn met(&self, others: &[u64]) -> bool {
        self.all.iter().zip(others).any(|(a, b)| a & b != 0)
    }
}

impl Footprint {
    /// What may be touched, written and offered from a location on, in so many words.
    #[inline]
    pub fn future(&self, location: usize, words: usize) -> &[u64] {
        &self.all[location * words..][..words]
    }
}

/// After so many kinds of processes that may be created, everything is thought to happen.
const CHILDREN: usize = 64;

impl Reader<'_> {
    /// The rows of a process, edge by edge: not yet large steps.
    fn edges(&self, p: ProcId, known: &Known) -> Vec<Row> {
        let process = &self.program.processes[p.index()];
        let mut rows: Vec<Row> =
            process.edges.iter().enumerate().map(|(e, edge)| self.edge(p, known, e, edge)).collect();
        let sure = self.sure(p, &|e| self.env(p, known, &process.edges[e]));
        rows.iter_mut().zip(sure).for_each(|(row, sure)| row.sure = sure);
        // Who comes to a place where it offers something, or leaves it, decides about the `else` of others.
        let mut offers = vec![self.cells.none(); process.locations.len()];
        for (edge, row) in process.edges.iter().zip(&rows) {
            offers[edge.from.index()].join(&row.offers);
        }
        for (edge, row) in process.edges.iter().zip(&mut rows) {
            let (from, to) = (&offers[edge.from.index()], &offers[edge.to.index()]);
            let exits = row.exits;
            for ((word, from), to) in row.writes.0.iter_mut().zip(&from.0).zip(&to.0) {
                *word |= if exits { *from } else { from ^ to };
            }
        }
        // What hides an edge, or makes it an `else`, is what decides about the others of its location.
        for l in 0..process.locations.len() {
            let here = || process.edges.iter().enumerate().filter(|(_, e)| e.from.index() == l);
            let chooses = here().any(|(_, e)| e.rank > 0 || is_else(self.program, e));
            if !chooses {
                continue;
            }
            let (mut tests, mut partners) = (self.cells.none(), self.cells.none());
            for (e, _) in here() {
                tests.join(&rows[e].needs);
                // Whether somebody is there to meet depends on where the others are.
                partners.join(&rows[e].partners);
            }
            match partners.meets(self.guarded) {
                true => tests.fill(),
                false => drop(tests.join(&partners)),
            }
            for (e, _) in here() {
                rows[e].touches.join(&tests);
                rows[e].partners.join(&partners);
            }
        }
        rows
    }

    /// The rows of large steps.
    fn rows(&self, p: ProcId, known: &Known) -> (Vec<Row>, Vec<Row>) {
        let edges = &self.program.processes[p.index()].edges;
        let small = self.edges(p, known);
        let mut large = small.clone();
        for (e, row) in large.iter_mut().enumerate().filter(|(e, _)| edges[*e].keeps) {
            let mut seen = vec![edges[e].to];
            let mut todo = vec![edges[e].to];
            while let Some(l) = todo.pop() {
                for (inner, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.from == l) {
                    let part = &small[inner];
                    // Whether it goes on depends on what the edge needs.
                    row.touches.join(&part.touches);
                    if !part.sure {
                        row.touches.join(&part.needs);
                    }
                    row.writes.join(&part.writes);
                    if !part.partners.is_empty() {
                        row.partners.join(&part.partners);
                        row.touches.fill();
                        row.writes.fill();
                    }
                    row.runs |= part.runs;
                    row.closes |= part.closes;
                    row.children.extend(part.children.iter().cloned());
                    if edge.keeps && !seen.contains(&edge.to) {
                        seen.push(edge.to);
                        todo.push(edge.to);
                    }
                }
            }
        }
        for row in &mut large {
            row.visible = row.writes.meets(self.seen) && self.forgets != Forgets::Visible;
            row.may_be_alone = !(row.visible || row.closes && self.proviso == Proviso::Static);
            row.all =
                [&row.writes, &row.touches, &row.partners].iter().flat_map(|b| b.0.iter().copied()).collect();
        }
        (small, large)
    }

    /// The footprint of a process of type `p`.
    pub fn footprint(&self, p: ProcId, known: &Known) -> Footprint {
        let process = &self.program.processes[p.index()];
        let (small, rows) = self.rows(p, known);
        let none =
            || Future { touches: self.cells.none(), writes: self.cells.none(), offers: self.cells.none() };
        let mut futures: Vec<Future> = (0..process.locations.len()).map(|_| none()).collect();
        let mut atomic = vec![false; process.locations.len()];
        process.edges.iter().filter(|e| e.keeps).for_each(|e| atomic[e.to.index()] = true);
        let mut inside: Vec<Box<[u64]>> = vec![Box::default(); process.locations.len()];
        let mut offers = vec![self.cells.none(); process.locations.len()];
        let mut steps = Vec::new();
        for (edge, row) in process.edges.iter().zip(&small) {
            let future = &mut futures[edge.from.index()];
            if atomic[edge.from.index()] && !row.sure {
                // What it needs decides where a large step ends, and whether somebody is there to be met.
                let mut decides = row.needs.clone();
                if self.forgets != Forgets::Inside {
                    decides.join(&row.partners);
                }
                future.touches.join(&decides);
                let inside = &mut inside[edge.from.index()];
                match inside.is_empty() {
                    true => *inside = decides.0.into_boxed_slice(),
                    false => inside.iter_mut().zip(&decides.0).for_each(|(to, cells)| *to |= cells),
                }
            }
            offers[edge.from.index()].join(&row.offers);
            let mut alone = none();
            add(&mut alone, row);
            for child in &row.children {
                self.born(child, &mut alone);
            }
            future.touches.join(&alone.touches);
            future.writes.join(&alone.writes);
            future.offers.join(&alone.offers);
            steps.push(Step {
                all: packed(&alone).into(),
                parts: row.parts_read.clone(),
                reads: row.reads,
                stores: row.stores,
                meets: row.meets.clone(),
                mixed: row.meets.is_none() && !row.partners.is_empty(),
            });
        }
        let mut again = true;
        while std::mem::take(&mut again) {
            for edge in process.edges.iter().rev().filter(|e| e.from != e.to) {
                let after = futures[edge.to.index()].clone();
                let before = &mut futures[edge.from.index()];
                again |= before.touches.join(&after.touches);
                again |= before.writes.join(&after.writes);
                again |= before.offers.join(&after.offers);
            }
        }
        let mut busy = vec![false; process.locations.len()];
        let mut promising = vec![false; process.locations.len()];
        let mut meeting = vec![false; process.locations.len()];
        for (edge, row) in process.edges.iter().zip(&rows) {
            busy[edge.from.index()] |= !row.exits;
            promising[edge.from.index()] |= row.may_be_alone && row.partners.is_empty();
            meeting[edge.from.index()] |= row.may_be_alone && !row.partners.is_empty();
        }
        let all = futures.iter().flat_map(packed).collect();
        Footprint { number: 0, of: p, rows, futures, promising, meeting, busy, steps, inside, offers, all }
    }

    /// What a process that may be created does, and those that it creates.
    fn born(&self, child: &Child, out: &mut Future) {
        let mut seen = BTreeSet::from([child.clone()]);
        let mut todo = vec![child.clone()];
        while let Some((p, arguments)) = todo.pop() {
            let known = self.newborn(p, arguments);
            for row in self.edges(p, &known) {
                add(out, &row);
                out.touches.join(&row.needs);
                todo.extend(row.children.into_iter().filter(|c| seen.insert(c.clone())));
            }
            if seen.len() > CHILDREN {
                [&mut out.touches, &mut out.writes, &mut out.offers].into_iter().for_each(Bits::fill);
                return;
            }
        }
    }
}

/// What is touched, written and offered, one after the other.
fn packed(f: &Future) -> Vec<u64> {
    [&f.touches, &f.writes, &f.offers].iter().flat_map(|b| b.0.iter().copied()).collect()
}

fn add(future: &mut Future, row: &Row) {
    future.touches.join(&row.touches);
    future.writes.join(&row.writes);
    future.offers.join(&row.offers);
}

pub(super) fn is_else(program: &Program, edge: &Edge) -> bool {
    match &edge.work {
        Work::Action(action) => action.guard == Guard::Else,
        Work::Block(b, _) => program.blocks[*b as usize].nodes[0].iter().any(|(a, _)| a.guard == Guard::Else),
    }
}
