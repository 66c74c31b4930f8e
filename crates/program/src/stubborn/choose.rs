//! Which processes suffice in a state.
//!
//! Three tries, each one dearer than the one before: a process with which no other interferes whatever it may ever do; one
//! with which no other interferes [before it moves](super::ahead); two that can meet, and with which no third interferes
//! before one of them moves.
//!
//! The first one is made in every state and for every successor. Who could suffice is [remembered](super::control), and
//! what the others may do to an edge are bits ([places](super::places)); only the guards of those who could are evaluated,
//! and what came of that is [remembered](super::recall), too.

use super::ahead::Ahead;
use super::cells::Bits;
use super::footprint::{Footprint, Reason, Row};
use super::places::Candidate;
use super::recall::Question;
use super::{Forgets, Reduction};
use crate::code::{ActionCode, EdgeCode, GuardCode, OfferCode, WorkCode};
use crate::context::Context;
use crate::interp::Interpreter;
use crate::memory::Reader;
use crate::step::Ready;
use arrayvec::ArrayVec;
use smallvec::SmallVec;

/// States with more processes are not reduced.
pub(super) const MOST: usize = 64;

/// Cells that are touched, written and offered.
pub(super) type Words = SmallVec<[u64; 24]>;

/// A process in a state: its footprint, its location.
pub(super) type Here<'a> = (&'a Footprint, usize);

/// What is known of processes that no other interferes with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Alone {
    /// How many of their edges can be taken.
    pub enabled: u32,
    /// Does one of them close a cycle of control?
    pub closes: bool,
    /// Is one of them more than a small step, or a meeting of two?
    pub keeps: bool,
}

/// Which sets are asked for.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// Also those that are dear to find?
    pub ahead: bool,
    /// Only those with one edge that can be taken?
    pub lone: bool,
    /// Only of these processes, as bits, unless it is dear anyway.
    pub of: u64,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish { ahead: false, lone: false, of: u64::MAX }
    }
}

/// What is asked of the edges of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// May they be taken alone?
    Alone,
    /// May one of them be taken alone, by which no cycle is closed, and is it the only one that can be taken?
    Lone,
    /// May they be taken with those of one other process, which it may meet?
    InPair,
}

/// Notes what the edges of a process, by their places among those of its location, want of others.
pub(super) trait Note<'a> {
    /// It can be taken, or meets others. False if it is known that others interfere.
    fn wants(&mut self, edge: usize, row: &'a Row) -> bool;

    /// It cannot be taken before somebody writes what is in this set of its row. False if it is of no use to know of others.
    fn waits(&mut self, edge: usize, row: &'a Row, set: usize) -> bool;

    /// Is it known that others can make it possible, now that all sets of which it waits for one are told?
    fn is_opened(&self, _edge: usize) -> bool {
        false
    }
}

/// The edges of a process from where it is.
#[derive(Clone, Copy, Default)]
struct Own<'a> {
    alone: Alone,
    /// Offers that one of those that can be taken waits for.
    meets: Option<&'a Bits>,
}

/// What they want of others, in cells.
struct Wanted<'a> {
    /// Others interfere with those that can be taken if they touch, write or offer one of these.
    wants: Words,
    /// For each that cannot be taken: others can change nothing about it if they leave one of these sets alone.
    waits: SmallVec<[(usize, &'a Bits); 12]>,
}

impl Alone {
    /// Is there one way on, by which no cycle is closed?
    fn is_lone(self) -> bool {
        self.enabled == 1 && !self.closes
    }
}

impl Wanted<'_> {
    fn new(words: usize) -> Self {
        Wanted { wants: SmallVec::from_elem(0, words), waits: SmallVec::new() }
    }

    fn clear(&mut self) {
        self.wants.fill(0);
        self.waits.clear();
    }

    /// What others may do that makes a difference, added to `to`.
    fn interest(&self, to: &mut [u64], words: usize) {
        to.iter_mut().zip(&self.wants).for_each(|(to, cells)| *to |= cells);
        for (_, cells) in &self.waits {
            to[words..].iter_mut().zip(&cells.0).for_each(|(to, cells)| *to |= cells);
        }
    }

    /// Do others interfere who touch, write and offer these?
    fn is_met(&self, others: &[u64], words: usize) -> bool {
        if self.wants.iter().zip(others).any(|(a, b)| a & b != 0) {
            return true;
        }
        let writes = &others[words..2 * words];
        let free = |cells: &Bits| !cells.0.iter().zip(writes).any(|(a, b)| a & b != 0);
        self.waits.chunk_by(|a, b| a.0 == b.0).any(|sets| !sets.iter().any(|(_, cells)| free(cells)))
    }
}

impl<'a> Note<'a> for Wanted<'a> {
    fn wants(&mut self, _: usize, row: &'a Row) -> bool {
        self.wants.iter_mut().zip(&row.all).for_each(|(to, cells)| *to |= cells);
        true
    }

    fn waits(&mut self, edge: usize, row: &'a Row, set: usize) -> bool {
        self.waits.push((edge, row.set(set)));
        true
    }
}

impl Reduction {
    /// The processes whose steps suffice in `s`, as bits; 0 if all are needed.
    pub fn choose(&self, i: &Interpreter, s: &[u32]) -> u64 {
        let mut best: Option<(u32, u64)> = None;
        let wish = Wish { ahead: self.looks_ahead, ..Wish::default() };
        self.candidates(i, s, wish, |set, alone| {
            if best.is_none_or(|b| alone.enabled < b.0) {
                best = Some((alone.enabled, set));
            }
            alone.enabled == 1
        });
        best.map_or(0, |(_, set)| set)
    }

    /// Processes with one edge that can be taken, which suffice in `s`, and by which no cycle is closed; and is that edge a
    /// small step of one process? Such a state need not be kept: there is one way on.
    ///
    /// If that is to be cheap, only those who have moved are asked. Who else suffices now did so before, mostly.
    pub(crate) fn lone(&self, i: &Interpreter, s: &[u32], moved: u64) -> Option<(u64, bool)> {
        let mut found = None;
        let wish =
            Wish { ahead: self.looks_ahead, lone: true, of: if self.looks_ahead { u64::MAX } else { moved } };
        self.candidates(i, s, wish, |set, alone| {
            if alone.is_lone() {
                found = Some((set, !alone.keeps));
            }
            found.is_some()
        });
        found
    }

    /// Tells the sets that suffice until it is enough: processes of one try, the youngest first.
    pub(super) fn candidates(
        &self,
        i: &Interpreter,
        s: &[u32],
        wish: Wish,
        mut enough: impl FnMut(u64, Alone) -> bool,
    ) {
        if i.is_fault(s) || i.holder(s).is_some() {
            return;
        }
        let processes = i.shape(s).processes.len();
        if !(2..=MOST).contains(&processes) {
            return;
        }
        let Wish { ahead, lone, of } = wish;
        let could = self.could(i, s);
        let suits = |one: &&Candidate| of >> one.pid & 1 == 1 && (one.lone || !lone || ahead);
        if !ahead && could.pids(lone) & of == 0 {
            return;
        }
        let mut here = ArrayVec::new();
        let could = could.iter().rev().filter(suits);
        let asked = if lone && !ahead { Asked::Lone } else { Asked::Alone };
        if !self.ever(i, s, &mut here, (could, asked), &mut enough) && ahead {
            self.here(i, s, &mut here);
            if is_busy(&here) && here.iter().any(|(f, l)| f.promising[*l] || f.meeting[*l]) {
                self.before(i, s, &here, lone, &mut enough);
            }
        }
    }

    /// The processes, of those that `could`, with which no other interferes whatever it may ever do. False if there is none.
    fn ever<'a, 'c>(
        &'a self,
        i: &Interpreter,
        s: &[u32],
        here: &mut ArrayVec<Here<'a>, MOST>,
        (could, asked): (impl Iterator<Item = &'c Candidate>, Asked),
        enough: &mut dyn FnMut(u64, Alone) -> bool,
    ) -> bool {
        let committed = i.is_committed(s);
        let mut found = false;
        for one in could {
            let pid = one.pid as usize;
            let question = Question::new(asked, committed);
            let alone = match one.known {
                Some(known) => self.recall.find(
                    (one.case, question),
                    s,
                    |s| self.ever_by_marks(i, s, (pid, committed), known, asked),
                    || self.ever_by_marks(i, s, (pid, committed), known, asked),
                ),
                None => self.ever_by_cells(i, s, (pid, committed), here),
            };
            let Some(alone) = alone else { continue };
            found = true;
            if enough(1 << pid, alone) {
                break;
            }
        }
        found
    }

    /// The edges of a process at a place with these marks, if no other interferes whatever it may ever do.
    fn ever_by_marks<S: Reader>(
        &self,
        i: &Interpreter,
        s: S,
        (pid, committed): (usize, bool),
        known: (u32, u64),
        asked: Asked,
    ) -> Option<Alone> {
        let (place, mut marked) = self.marked(known)?;
        let own = self.own(i, s, (pid, committed), place, asked, &mut marked)?;
        (own.alone.enabled > 0 && marked.suffices()).then_some(own.alone)
    }

    /// The edges of a process with which no other interferes whatever it may ever do.
    fn ever_by_cells<'a>(
        &'a self,
        i: &Interpreter,
        s: &[u32],
        (pid, committed): (usize, bool),
        here: &mut ArrayVec<Here<'a>, MOST>,
    ) -> Option<Alone> {
        let words = 3 * self.cells.words();
        self.here(i, s, here);
        if !here[pid].0.promising[here[pid].1] || !is_busy(here) {
            return None;
        }
        let mut wanted = Wanted::new(words);
        let own = self.own(i, s, (pid, committed), here[pid], Asked::Alone, &mut wanted)?;
        let mut others: Words = SmallVec::from_elem(0, words);
        for (footprint, l) in here[..pid].iter().chain(&here[pid + 1..]) {
            let future = footprint.future(*l, words).iter();
            others.iter_mut().zip(future).for_each(|(to, cells)| *to |= cells);
        }
        (own.alone.enabled > 0 && !wanted.is_met(&others, self.cells.words())).then_some(own.alone)
    }

    /// The processes with which no other interferes before they move; then pairs of them.
    fn before(
        &self,
        i: &Interpreter,
        s: &[u32],
        here: &[Here],
        lone: bool,
        enough: &mut dyn FnMut(u64, Alone) -> bool,
    ) {
        let committed = i.is_committed(s);
        let words = self.cells.words();
        let mut ahead = Ahead::new(self, i, s, here);
        let mut interest: Words = SmallVec::from_elem(0, 3 * words);
        let mut pairs = ArrayVec::<(usize, usize), MOST>::new();
        let (mut found, mut wanted, mut also) = (false, Wanted::new(3 * words), Wanted::new(3 * words));
        for (pid, &(footprint, l)) in here.iter().enumerate().rev() {
            if !footprint.promising[l] && !footprint.meeting[l] {
                continue;
            }
            wanted.clear();
            let own = self.own(i, s, (pid, committed), (footprint, l), Asked::Alone, &mut wanted);
            let suits = |own: &Own| own.alone.enabled > 0 && (!lone || own.alone.is_lone());
            let Some(own) = own.filter(suits) else { continue };
            if let Some(partners) = own.meets {
                let offers = |&(q, (other, l)): &(usize, &Here)| q != pid && other.offers[*l].meets(partners);
                let mut all = here.iter().enumerate().filter(offers);
                if let (Some((partner, _)), None) = (all.next(), all.next()) {
                    pairs.push((pid, partner));
                }
                continue;
            }
            interest.fill(0);
            wanted.interest(&mut interest, words);
            if ahead.of_others(1 << pid, &wanted.wants, &interest) && !wanted.is_met(&ahead.all, words) {
                found = true;
                if enough(1 << pid, own.alone) {
                    return;
                }
            }
        }
        if found {
            return;
        }
        for (a, b) in pairs {
            wanted.clear();
            also.clear();
            let own = self.own(i, s, (a, committed), here[a], Asked::InPair, &mut wanted);
            let other = self.own(i, s, (b, committed), here[b], Asked::InPair, &mut also);
            let (Some(own), Some(other)) = (own, other) else { continue };
            let set = 1 << a | 1 << b;
            let forgets = self.forgets == Forgets::Partner;
            let mut wants = wanted.wants.clone();
            if !forgets {
                wants.iter_mut().zip(&also.wants).for_each(|(to, cells)| *to |= cells);
            }
            let alone = Alone {
                enabled: own.alone.enabled + other.alone.enabled,
                closes: own.alone.closes || other.alone.closes,
                keeps: true,
            };
            if lone && !alone.is_lone() {
                continue;
            }
            interest.fill(0);
            wanted.interest(&mut interest, words);
            also.interest(&mut interest, words);
            if ahead.of_others(set, &wants, &interest)
                && !wanted.is_met(&ahead.all, words)
                && (forgets || !also.is_met(&ahead.all, words))
                && enough(set, alone)
            {
                return;
            }
        }
    }

    /// Looks at the edges of a process, which is at `here`. Nothing if one that can be taken must not be taken alone, or if
    /// others are known to interfere.
    #[inline]
    fn own<'a, S: Reader, N: Note<'a>>(
        &'a self,
        i: &Interpreter,
        s: S,
        (pid, committed): (usize, bool),
        (footprint, location): Here<'a>,
        asked: Asked,
        note: &mut N,
    ) -> Option<Own<'a>> {
        let code = &i.types[footprint.of.index()];
        let (lo, hi) = code.ranges[location];
        let edges = &code.edges[lo as usize..hi as usize];
        if committed && !code.committed[location] {
            return None;
        }
        let mut context = Context::new(i, s, pid as u32);
        let mut own = Own::default();
        let (mut mine, mut rank) = (false, 0);
        for (n, edge) in edges.iter().enumerate() {
            if rank > 1 && edge.rank + 1 != rank {
                // It is hidden by one that can be taken, which touches all that decides about it.
                break;
            }
            let row = &footprint.rows[edge.number as usize];
            let mut is_false = false;
            let (can, ready) = if let Some(GuardCode::When(guard)) = edge.plain {
                let mut fails = false;
                for (part, &code) in parts(edge, &guard).iter().enumerate() {
                    match context.value(code) {
                        Ok(0) => {
                            is_false = true;
                            if !note.waits(n, row, part) {
                                break;
                            }
                        }
                        // What comes after a part that is false is not evaluated.
                        Err(_) if !is_false => {
                            fails = true;
                            break;
                        }
                        _ => {}
                    }
                }
                (fails || !is_false, Ok(Ready::No))
            } else {
                let ready = i.ready(edge, &mut context, mine);
                let can = match ready {
                    Ok(Ready::No) => false,
                    // Where nobody is to be met, it may be a fault to evaluate the message.
                    Ok(Ready::Meet(channel)) => i.partners(edge, channel, &mut context, committed),
                    _ => true,
                };
                (can, ready)
            };
            if can && !row.may_be_alone {
                return None;
            }
            // Nobody offers the other half, or it is not alone.
            if (can || !row.partners.is_empty()) && !note.wants(n, row) {
                return None;
            }
            if can {
                own.alone.enabled += 1;
                own.alone.closes |= row.closes;
                own.alone.keeps |= edge.keeps;
                if asked == Asked::Lone && !own.alone.is_lone() {
                    return None;
                }
                (mine, rank) = (true, edge.rank + 1);
                if !row.partners.is_empty() {
                    own.meets = Some(&row.partners);
                }
                continue;
            }
            if edge.plain.is_none() {
                false_parts(edge, row, &mut context, |part| {
                    is_false = true;
                    note.waits(n, row, part);
                });
            }
            if is_false {
                if note.is_opened(n) {
                    return None;
                }
                continue;
            }
            if asked == Asked::InPair && !row.partners.is_empty() {
                // The other of the pair may meet it here.
                if !row.may_be_alone {
                    return None;
                }
                own.alone.closes |= row.closes;
            }
            let reason = match ready {
                Ok(Ready::Meet(_)) => Reason::Besides,
                // The process after it has to end first.
                _ if row.exits && pid + 1 < context.shape.processes.len() => Reason::Needs,
                _ if edge.work.guard().is_some() => waits(i, edge, &mut context),
                _ => Reason::Needs,
            };
            note.waits(n, row, row.parts.len() + reason as usize);
            if note.is_opened(n) {
                return None;
            }
        }
        Some(own)
    }

    /// Where a process is.
    fn one(&self, i: &Interpreter, s: &[u32], pid: usize) -> Here<'_> {
        let (of, base) = i.shape(s).processes[pid];
        let location = i.at(s, of, base);
        (self.footprint(s, (pid as u32, of, base), location), location as usize)
    }

    /// Where the processes of a state are, unless that is known.
    pub(super) fn here<'a>(&'a self, i: &Interpreter, s: &[u32], here: &mut ArrayVec<Here<'a>, MOST>) {
        let all = i.shape(s).processes.len();
        here.extend((here.len()..all).map(|pid| self.one(i, s, pid)));
    }
}

/// Can more than one process do something else than to end?
fn is_busy(here: &[Here]) -> bool {
    here.iter().filter(|(footprint, l)| footprint.busy[*l]).count() > 1
}

/// What an edge that cannot be taken waits for, though its guard holds: a message that is not there, or room for one.
pub(super) fn waits<S: Reader>(i: &Interpreter, edge: &EdgeCode, context: &mut Context<S>) -> Reason {
    let WorkCode::Action(ActionCode { offer: OfferCode::Receive(r), .. }) = &edge.work else {
        return Reason::Besides;
    };
    // The first message is a wrong one: it has to be taken away. Or there is none.
    let count = i.receives[*r as usize].as_ref().and_then(|receive| {
        let id = i.channel_of(context, receive.channel).ok()?;
        let (queue, at) = context.channel(id).ok()?;
        (!receive.any && queue.capacity > 0).then(|| context.s.raw(queue.count, at))
    });
    match count {
        Some(0) => Reason::Fills,
        Some(_) => Reason::Empties,
        None => Reason::Besides,
    }
}

/// The code of the parts of an edge's guard.
fn parts<'a>(edge: &'a EdgeCode, guard: &'a u32) -> &'a [u32] {
    if edge.conjuncts.is_empty() { std::slice::from_ref(guard) } else { &edge.conjuncts }
}

/// Tells the numbers of the parts of an edge's guard that are false.
pub(super) fn false_parts<S: Reader>(
    edge: &EdgeCode,
    row: &Row,
    context: &mut Context<S>,
    mut tell: impl FnMut(usize),
) {
    let Some(GuardCode::When(guard)) = edge.work.guard() else { return };
    debug_assert_eq!(parts(edge, &guard).len(), row.parts.len(), "each part has its code");
    for (part, &code) in parts(edge, &guard).iter().enumerate() {
        if context.value(code).is_ok_and(|v| v == 0) {
            tell(part);
        }
    }
}
