//! Which processes suffice in a state.
//!
//! Three tries, each one dearer than the one before: a process with which no other interferes whatever it may ever do; one
//! with which no other interferes [before it moves](super::ahead); two that can meet, and with which no third interferes
//! before one of them moves.

use super::ahead::Ahead;
use super::cells::Bits;
use super::footprint::{Footprint, Row};
use super::places::Candidates;
use super::{Forgets, Reduction};
use crate::code::{ActionCode, EdgeCode, GuardCode, OfferCode, WorkCode};
use crate::context::Context;
use crate::interp::Interpreter;
use crate::memory::Reader as _;
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

/// What is asked of the edges of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// May they be taken alone? Others are known to interfere with these of them, as bits.
    Alone { met: u64 },
    /// May they be taken with those of one other process, which it may meet?
    InPair,
}

impl Asked {
    fn is_met(self, edge: usize) -> bool {
        matches!(self, Asked::Alone { met } if edge < 64 && met >> edge & 1 == 1)
    }
}

/// The edges of a process from where it is.
struct Own<'a> {
    alone: Alone,
    /// Others interfere with those that can be taken if they touch, write or offer one of these.
    wants: Words,
    /// For each that cannot be taken, by its number: others can change nothing about it if they leave one of these sets alone.
    waits: SmallVec<[(u32, &'a Bits); 12]>,
    /// Offers that one of those that can be taken waits for.
    meets: Option<&'a Bits>,
}

impl Alone {
    /// Is there one way on, by which no cycle is closed?
    fn is_lone(self) -> bool {
        self.enabled == 1 && !self.closes
    }
}

impl Own<'_> {
    fn new(words: usize) -> Self {
        Own {
            alone: Alone::default(),
            wants: SmallVec::from_elem(0, words),
            waits: SmallVec::new(),
            meets: None,
        }
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

impl Reduction {
    /// The processes whose steps suffice in `s`, as bits; 0 if all are needed.
    pub fn choose(&self, i: &Interpreter, s: &[u32]) -> u64 {
        let mut best: Option<(u32, u64)> = None;
        self.candidates(i, s, (self.looks_ahead, false), |set, alone| {
            if best.is_none_or(|b| alone.enabled < b.0) {
                best = Some((alone.enabled, set));
            }
            alone.enabled == 1
        });
        best.map_or(0, |(_, set)| set)
    }

    /// Processes with one edge that can be taken, which suffice in `s`, and by which no cycle is closed; and is that edge a
    /// small step of one process? Such a state need not be kept: there is one way on.
    pub(crate) fn lone(&self, i: &Interpreter, s: &[u32]) -> Option<(u64, bool)> {
        let mut found = None;
        self.candidates(i, s, (self.looks_ahead, true), |set, alone| {
            if alone.is_lone() {
                found = Some((set, !alone.keeps));
            }
            found.is_some()
        });
        found
    }

    /// Tells the sets that suffice until it is enough: processes of one try, the youngest first. Dear tries are made if
    /// it is wanted to look `ahead`, and only for a `lone` edge that can be taken if such a one is wanted.
    pub(super) fn candidates(
        &self,
        i: &Interpreter,
        s: &[u32],
        (ahead, lone): (bool, bool),
        mut enough: impl FnMut(u64, Alone) -> bool,
    ) {
        if i.is_fault(s) || i.holder(s).is_some() {
            return;
        }
        let processes = i.shape(s).processes.len();
        if !(2..=MOST).contains(&processes) {
            return;
        }
        let could = self.could(i, s, lone && !ahead);
        if could.is_empty() && !ahead {
            return;
        }
        let mut here = ArrayVec::new();
        if !self.ever(i, s, &mut here, &could, &mut enough) && ahead {
            self.here(i, s, &mut here);
            if is_busy(&here) && here.iter().any(|(f, l)| f.promising[*l] || f.meeting[*l]) {
                self.before(i, s, &here, lone, &mut enough);
            }
        }
    }

    /// The processes, of those that `could`, with which no other interferes whatever it may ever do. False if there is none.
    fn ever<'a>(
        &'a self,
        i: &Interpreter,
        s: &[u32],
        here: &mut ArrayVec<Here<'a>, MOST>,
        could: &Candidates,
        enough: &mut dyn FnMut(u64, Alone) -> bool,
    ) -> bool {
        if could.is_empty() {
            return false;
        }
        let committed = i.is_committed(s);
        let words = 3 * self.cells.words();
        let mut others: Words = SmallVec::from_elem(0, words);
        let (mut found, mut own) = (false, Own::new(words));
        for &(pid, met) in could.iter().rev() {
            let pid = pid as usize;
            let place = self.one(i, s, pid);
            if !place.0.promising[place.1] {
                continue;
            }
            let asked = Asked::Alone { met };
            if !self.own(i, s, (pid, committed), place, asked, &mut own) || own.alone.enabled == 0 {
                continue;
            }
            self.here(i, s, here);
            if !is_busy(here) {
                return false;
            }
            others.fill(0);
            for (footprint, l) in here[..pid].iter().chain(&here[pid + 1..]) {
                let future = footprint.future(*l, words).iter();
                others.iter_mut().zip(future).for_each(|(to, cells)| *to |= cells);
            }
            if !own.is_met(&others, self.cells.words()) {
                found = true;
                if enough(1 << pid, own.alone) {
                    break;
                }
            }
        }
        found
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
        let (mut found, mut own, mut other) = (false, Own::new(3 * words), Own::new(3 * words));
        for (pid, &(footprint, l)) in here.iter().enumerate().rev() {
            if !footprint.promising[l] && !footprint.meeting[l] {
                continue;
            }
            if !self.own(i, s, (pid, committed), (footprint, l), Asked::Alone { met: 0 }, &mut own)
                || own.alone.enabled == 0
                || lone && !own.alone.is_lone()
            {
                continue;
            }
            if let Some(partners) = own.meets {
                let offers = |&(q, (other, l)): &(usize, &Here)| q != pid && other.offers[*l].meets(partners);
                let mut all = here.iter().enumerate().filter(offers);
                if let (Some((partner, _)), None) = (all.next(), all.next()) {
                    pairs.push((pid, partner));
                }
                continue;
            }
            interest.fill(0);
            own.interest(&mut interest, words);
            if ahead.of_others(1 << pid, &own.wants, &interest) && !own.is_met(&ahead.all, words) {
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
            if !self.own(i, s, (a, committed), here[a], Asked::InPair, &mut own)
                || !self.own(i, s, (b, committed), here[b], Asked::InPair, &mut other)
            {
                continue;
            }
            let set = 1 << a | 1 << b;
            let forgets = self.forgets == Forgets::Partner;
            let mut wants = own.wants.clone();
            if !forgets {
                wants.iter_mut().zip(&other.wants).for_each(|(to, cells)| *to |= cells);
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
            own.interest(&mut interest, words);
            other.interest(&mut interest, words);
            if ahead.of_others(set, &wants, &interest)
                && !own.is_met(&ahead.all, words)
                && (forgets || !other.is_met(&ahead.all, words))
                && enough(set, alone)
            {
                return;
            }
        }
    }

    /// Looks at the edges of a process, which is at `here`. False if one that can be taken must not be taken alone.
    fn own<'a>(
        &'a self,
        i: &Interpreter,
        s: &[u32],
        (pid, committed): (usize, bool),
        (footprint, location): Here<'a>,
        asked: Asked,
        own: &mut Own<'a>,
    ) -> bool {
        let code = &i.types[footprint.of.index()];
        let (lo, hi) = code.ranges[location];
        let edges = &code.edges[lo as usize..hi as usize];
        if committed && !code.committed[location] {
            return false;
        }
        let mut context = Context::new(i, s, pid as u32);
        (own.alone, own.meets) = (Alone::default(), None);
        own.wants.fill(0);
        own.waits.clear();
        let (mut mine, mut rank) = (false, 0);
        for (n, edge) in edges.iter().enumerate() {
            if rank > 1 && edge.rank + 1 != rank {
                // It is hidden by one that can be taken, which touches all that decides about it.
                break;
            }
            let row = &footprint.rows[edge.number as usize];
            let ready = i.ready(edge, &mut context, mine);
            let can = match ready {
                Ok(Ready::No) => false,
                // Where nobody is to be met, it may be a fault to evaluate the message.
                Ok(Ready::Meet(channel)) => i.partners(edge, channel, &mut context, committed),
                _ => true,
            };
            // Nobody offers the other half, or it is not alone.
            if can || !row.partners.is_empty() {
                own.wants.iter_mut().zip(&row.all).for_each(|(to, cells)| *to |= cells);
            }
            if can {
                if !row.may_be_alone || asked.is_met(n) {
                    return false;
                }
                own.alone.enabled += 1;
                own.alone.closes |= row.closes;
                own.alone.keeps |= edge.keeps;
                (mine, rank) = (true, edge.rank + 1);
                if !row.partners.is_empty() {
                    own.meets = Some(&row.partners);
                }
                continue;
            }
            let before = own.waits.len();
            false_parts(edge, row, &mut context, |_, cells| own.waits.push((edge.number, cells)));
            if own.waits.len() > before {
                continue;
            }
            if asked == Asked::InPair && !row.partners.is_empty() {
                // The other of the pair may meet it here.
                if !row.may_be_alone {
                    return false;
                }
                own.alone.closes |= row.closes;
            }
            own.waits.push((
                edge.number,
                match ready {
                    Ok(Ready::Meet(_)) => &row.besides,
                    // The process after it has to end first.
                    _ if row.exits && pid + 1 < context.shape.processes.len() => &row.needs,
                    _ if edge.work.guard().is_some() => row.waits(i, edge, &mut context),
                    _ => &row.needs,
                },
            ));
        }
        true
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

impl Row {
    /// What a message that is not there, or room for one, waits for.
    pub(super) fn waits(&self, i: &Interpreter, edge: &EdgeCode, context: &mut Context<&[u32]>) -> &Bits {
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

/// Tells the parts of an edge's guard that are false, by number, with what has to be written before they are not.
pub(super) fn false_parts<'a>(
    edge: &EdgeCode,
    row: &'a Row,
    context: &mut Context<&[u32]>,
    mut tell: impl FnMut(usize, &'a Bits),
) {
    let Some(GuardCode::When(guard)) = edge.work.guard() else { return };
    let codes = if edge.conjuncts.is_empty() { std::slice::from_ref(&guard) } else { &edge.conjuncts };
    debug_assert_eq!(codes.len(), row.parts.len(), "each part has its code");
    for (k, (&code, needs)) in codes.iter().zip(&row.parts).enumerate() {
        if context.value(code).is_ok_and(|v| v == 0) {
            tell(k, needs);
        }
    }
}
