//! Programs whose processes are all there from the start and stay: every address is a constant.
//!
//! Then a state's candidates are one range of edges for each process, and an edge that neither sends nor receives is two
//! pieces of code over the words of the state: its guard, and what it does. Those who may receive from a rendezvous channel
//! are a list. Everything else is left to `step`. Programs with priorities, `provided`, `timeout` or edges that hide others
//! are not run this way.

use crate::act::cut;
use crate::code::{ActionCode, ChannelCode, EdgeCode, GuardCode, OfferCode, PatternCode, Piece, WorkCode};
use crate::context::Context;
use crate::domain::MAX_MESSAGE;
use crate::form::Order;
use crate::ids::EdgeId;
use crate::interp::{Asserts, Cursor, Interpreter, Message, Step};
use crate::layout::Field;
use crate::machine::{Fault, Memory, Trap};
use riata_system::ActionId;

/// No code.
const NONE: u32 = u32::MAX;

/// An edge of a process: what a step needs to know of it first.
#[derive(Debug)]
struct Edge {
    guard: u32,
    /// Does all that the edge does, if it needs nobody else.
    fused: u32,
    number: u32,
    passive: bool,
    /// If it sends by rendezvous.
    meets: Option<Sends>,
}

/// The sending half of a rendezvous.
#[derive(Clone, Copy, Debug)]
struct Sends {
    /// The channel, from 0.
    channel: u32,
    message: u32,
    to: u32,
    effect: u32,
}

/// The receiving half of a rendezvous.
#[derive(Debug)]
struct Receiver {
    pid: u32,
    location: Field,
    from: u32,
    committed: bool,
    guard: u32,
    to: u32,
    bind: u32,
    effect: u32,
    number: u32,
}

/// A process.
#[derive(Debug)]
struct Row {
    pid: u32,
    of: u32,
    location: Field,
    /// For each location, the edges.
    ranges: Vec<(u32, u32)>,
    edges: Vec<Edge>,
}

/// The processes, in the order in which they are tried, and for each channel those who may receive from it.
#[derive(Debug)]
pub(crate) struct Flat {
    rows: Vec<Row>,
    receivers: Vec<Vec<Receiver>>,
}

impl Flat {
    /// The processes of a program, if they can be run this way.
    pub fn new(i: &Interpreter) -> Option<Flat> {
        let program = &i.program;
        let hides = program.processes.iter().flat_map(|p| &p.edges).any(|e| e.rank > 0);
        let started = |s: &crate::form::Start| i.frames.types[s.process.index()].fixed;
        let possible = i.frames.known
            && i.questions.is_empty()
            && !i.scheduled
            && !i.uses_timeout
            && !hides
            && program.start.iter().all(started);
        if !possible {
            return None;
        }
        let receivers = receivers(i);
        let row = |(pid, start): (usize, &crate::form::Start)| {
            let of = start.process.index();
            let code = &i.types[of];
            let edge = |e: &EdgeCode| Edge {
                guard: guard(e),
                fused: e.fused.filter(|_| i.last.is_none()).unwrap_or(NONE),
                number: e.number,
                passive: e.passive,
                meets: sends(i, e).filter(|s| (s.channel as usize) < receivers.len()),
            };
            Row {
                pid: pid as u32,
                of: of as u32,
                location: i.frames.types[of].location,
                ranges: code.ranges.clone(),
                edges: code.edges.iter().map(edge).collect(),
            }
        };
        let mut rows: Vec<Row> = program.start.iter().enumerate().map(row).collect();
        if program.scheduling.order == Order::Youngest {
            rows.reverse();
        }
        Some(Flat { rows, receivers })
    }
}

/// The code of what must hold before anything else; nothing if the edge needs more to be said.
fn guard(e: &EdgeCode) -> u32 {
    match &e.work {
        WorkCode::Action(ActionCode { guard: GuardCode::When(pc), .. }) => *pc,
        _ => NONE,
    }
}

/// The code of an effect that does no more than to store.
fn effect(pieces: &[Piece]) -> Option<u32> {
    match pieces[..] {
        [] => Some(NONE),
        [Piece::Code(pc)] => Some(pc),
        _ => None,
    }
}

/// How many values the messages of a channel of the start have.
fn values(i: &Interpreter, channel: u32) -> usize {
    i.frames.queues[i.frames.channels[channel as usize].0 as usize].domains.len()
}

/// What an edge sends to a known channel.
fn sends(i: &Interpreter, e: &EdgeCode) -> Option<Sends> {
    let WorkCode::Action(ActionCode { offer, pieces, .. }) = &e.work else { return None };
    match *offer {
        OfferCode::Send { channel: ChannelCode::Known(k), message, values: given, .. } => {
            let channel = u32::try_from(k - 1).ok().filter(|&c| (c as usize) < i.frames.channels.len())?;
            (given as usize == values(i, channel)).then_some(())?;
            Some(Sends { channel, message, to: e.to, effect: effect(pieces)? })
        }
        _ => None,
    }
}

/// For each channel of the start, if all are rendezvous whose receivers take any message, those receivers.
fn receivers(i: &Interpreter) -> Vec<Vec<Receiver>> {
    let plain = |k: &(u32, u32)| i.frames.queues[k.0 as usize].capacity == 0;
    if !(i.program.scheduling.lazy && i.early) || i.monitor.is_some() || i.last.is_some() {
        return Vec::new();
    }
    // What follows the last rendezvous in the list is left to `step`.
    let count = i.frames.channels.iter().take_while(|k| plain(k)).count();
    let mut all: Vec<Vec<Receiver>> = (0..count).map(|_| Vec::new()).collect();
    for (pid, start) in i.program.start.iter().enumerate() {
        let code = &i.types[start.process.index()];
        for (from, &(lo, hi)) in code.ranges.iter().enumerate() {
            for e in &code.edges[lo as usize..hi as usize] {
                let (r, pieces) = match &e.work {
                    WorkCode::Action(ActionCode { offer: OfferCode::Receive(r), pieces, .. }) => (r, pieces),
                    WorkCode::Action(_) => continue,
                    // It may begin with a receive.
                    WorkCode::Block(..) => return Vec::new(),
                };
                let Some(receive) = &i.receives[*r as usize] else { continue };
                let any = |p: &PatternCode| matches!(p, PatternCode::Any | PatternCode::Bind);
                let channel = match receive.channel {
                    ChannelCode::Known(k) if receive.patterns.iter().all(any) => k.wrapping_sub(1),
                    _ => return Vec::new(),
                };
                let Some(effect) = effect(pieces) else { return Vec::new() };
                let Some(list) = usize::try_from(channel).ok().and_then(|c| all.get_mut(c)) else { continue };
                if receive.patterns.len() != values(i, channel as u32) || receive.keeps {
                    return Vec::new();
                }
                list.push(Receiver {
                    pid: pid as u32,
                    location: i.frames.types[start.process.index()].location,
                    from: from as u32,
                    committed: code.committed[from],
                    guard: guard(e),
                    to: e.to,
                    bind: receive.bind,
                    effect,
                    number: e.number,
                });
            }
        }
    }
    all
}

/// The words of a state in which guards are evaluated.
struct Before<'s>(&'s [u32]);

impl Memory for Before<'_> {
    #[inline(always)]
    fn word(&self, i: u32) -> u32 {
        self.0[i as usize]
    }

    #[inline(always)]
    fn set(&mut self, _: u32, _: u32) {
        debug_assert!(false, "a guard stores nothing");
    }

    fn ask(&mut self, _: u32, _: i32) -> Result<i32, Fault> {
        unreachable!("code of such a program asks nothing")
    }

    fn violated(&mut self) -> bool {
        true
    }
}

/// The words of a state that is changed.
struct Words<'s> {
    s: &'s mut [u32],
    violations: u32,
    /// Is a violated assertion a fault?
    fails: bool,
}

impl Memory for Words<'_> {
    #[inline(always)]
    fn word(&self, i: u32) -> u32 {
        self.s[i as usize]
    }

    #[inline(always)]
    fn set(&mut self, i: u32, w: u32) {
        self.s[i as usize] = w;
    }

    fn ask(&mut self, _: u32, _: i32) -> Result<i32, Fault> {
        unreachable!("code of such a program asks nothing")
    }

    fn violated(&mut self) -> bool {
        self.violations += 1;
        self.fails
    }
}

impl Interpreter {
    /// The next step from `src`, which is not the fault state.
    pub(crate) fn flat_next(
        &self,
        flat: &Flat,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        if !at.started {
            at.started = true;
            at.committed = self.is_committed(src);
        }
        let words = self.words;
        let (src, dst) = (&src[..words], &mut dst[..words]);
        while let Some(row) = flat.rows.get(usize::from(at.process)) {
            let location = row.location.raw(src) as usize;
            let (lo, hi) = row.ranges[location];
            let waits =
                at.committed && !self.types[row.of as usize].committed[location] || !at.wants(row.pid);
            while !waits && lo + at.edge < hi {
                let edge = &row.edges[(lo + at.edge) as usize];
                if let Some(sends) = edge.meets {
                    if let Some(action) = self.flat_meet((flat, row, edge), sends, (src, at, dst)) {
                        at.mine = true;
                        return Some(action);
                    }
                    at.edge += 1;
                    at.partner = 0;
                    continue;
                }
                if edge.fused == NONE {
                    if edge.passive {
                        at.edge += 1;
                    } else if let Some(action) = self.other(row, (lo + at.edge) as usize, (src, at, dst)) {
                        at.mine = true;
                        return Some(action);
                    }
                    continue;
                }
                at.edge += 1;
                let done = match edge.guard {
                    NONE => Ok(1),
                    pc => self.run(pc, &mut Before(src), &mut []),
                };
                let done = match done {
                    Ok(0) => continue,
                    Ok(_) => {
                        dst.copy_from_slice(src);
                        let mut words = self.words_of(dst);
                        let done = self.run(edge.fused, &mut words, &mut []);
                        done.map(|_| at.violations = words.violations)
                    }
                    Err(trap) => Err(trap),
                };
                if done.is_err() {
                    self.settle(done, 0, at, dst);
                }
                at.mine = true;
                at.step = Some(Step { pid: row.pid, edge: EdgeId(edge.number), partner: None });
                return Some(ActionId(row.pid | row.pid << 8));
            }
            at.process += 1;
            at.edge = 0;
            at.mine = false;
        }
        at.ended = true;
        None
    }

    /// The next rendezvous of a sending edge.
    fn flat_meet(
        &self,
        (flat, row, edge): (&Flat, &Row, &Edge),
        sends: Sends,
        (src, at, dst): (&[u32], &mut Cursor, &mut [u32]),
    ) -> Option<ActionId> {
        // A sender that has met somebody has passed its guard.
        if at.partner == 0 && edge.guard != NONE {
            match self.run(edge.guard, &mut Before(src), &mut []) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(trap) => {
                    at.partner = u16::MAX;
                    self.settle(Err(trap), 0, at, dst);
                    at.step = Some(Step { pid: row.pid, edge: EdgeId(edge.number), partner: None });
                    return Some(ActionId(row.pid | row.pid << 8));
                }
            }
        }
        while let Some(other) = flat.receivers[sends.channel as usize].get(usize::from(at.partner)) {
            at.partner += 1;
            let there = other.location.raw(src) == other.from && (!at.committed || other.committed);
            if !there || other.pid == row.pid {
                continue;
            }
            let ready = match other.guard {
                NONE => Ok(1),
                pc => self.run(pc, &mut Before(src), &mut []),
            };
            let done = match ready {
                Ok(0) => continue,
                Ok(_) => self.flat_handshake(row, sends, other, (src, dst)).map(|n| at.violations = n),
                Err(trap) => Err(trap),
            };
            if done.is_err() {
                self.settle(done, 0, at, dst);
            }
            let partner = Some((other.pid, EdgeId(other.number)));
            at.step = Some(Step { pid: row.pid, edge: EdgeId(edge.number), partner });
            return Some(ActionId(row.pid | other.pid << 8));
        }
        None
    }

    /// Takes both edges of a rendezvous, in the order of `meet`.
    fn flat_handshake(
        &self,
        row: &Row,
        sends: Sends,
        other: &Receiver,
        (src, dst): (&[u32], &mut [u32]),
    ) -> Result<u32, Trap> {
        let mut message: Message = [0; MAX_MESSAGE];
        self.run(sends.message, &mut Before(src), &mut message)?;
        cut(&self.frames.queues[self.frames.channels[sends.channel as usize].0 as usize], &mut message);
        dst.copy_from_slice(src);
        row.location.store(dst, sends.to as i32);
        other.location.store(dst, other.to as i32);
        let mut words = self.words_of(dst);
        for pc in [other.bind, other.effect, sends.effect].into_iter().filter(|&pc| pc != NONE) {
            self.run(pc, &mut words, &mut message)?;
        }
        Ok(words.violations)
    }

    fn words_of<'s>(&self, s: &'s mut [u32]) -> Words<'s> {
        Words { s, violations: 0, fails: self.options.asserts == Asserts::Fault }
    }

    /// An edge that needs more than a look at the words.
    fn other(
        &self,
        row: &Row,
        edge: usize,
        (src, at, dst): (&[u32], &mut Cursor, &mut [u32]),
    ) -> Option<ActionId> {
        let edge = &self.types[row.of as usize].edges[edge];
        self.try_edge(edge, &mut Context::new(self, src, row.pid), at, dst)
    }
}
