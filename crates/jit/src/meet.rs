//! Rendezvous: the sending edge looks for receivers, and both move in one step.
//!
//! Only where the processes are those of the start, so that it is known who may receive, and only for those who want all
//! successors at once: one edge has several steps then, and whoever wants them one by one asks the interpreter.
//!
//! ```text
//! meet(e, channel):
//!   for each process but this one, in the interpreter's order; for each of its edges at its location:
//!     if it receives from the channel, its guard is true and the message fits:
//!       copy src to dst; both go on; the receiver binds and does what it does; then the sender does
//!       if the receiver's edge keeps control and it can go on in dst, it is the holder
//!       count it, dst := the next slot
//!   away: take back what was counted; turn.edge := e; return ASK
//! ```

use crate::expression::{Code, PID, PLAIN, PROCESSES, Who, Words};
use crate::steps::{Process, kind_of, stores};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Switch;
use riata_program::native::{
    ActionCode, ChannelCode, EdgeCode, GuardCode, Listing, OfferCode, PatternCode, Piece, Queue, ReceiveCode,
    WorkCode,
};

/// The channel of a rendezvous.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Known(i32),
    Told(Value),
}

/// A sending edge.
#[derive(Clone, Copy)]
pub(crate) struct Sends<'a> {
    pub edge: &'a EdgeCode,
    pub action: &'a ActionCode,
    pub message: u32,
    pub fails: bool,
}

/// An edge that receives, and how.
type Receiver<'a> = (&'a EdgeCode, &'a ActionCode, &'a ReceiveCode);

/// What an edge receives, if native code can take it; nothing if it does not receive from the channel.
fn receiver<'a>(
    listing: Listing<'a>,
    of: usize,
    edge: &'a EdgeCode,
    channel: Option<i32>,
    values: usize,
) -> Result<Option<Receiver<'a>>, ()> {
    let action = match &edge.work {
        WorkCode::Action(action) => action,
        // It may begin with a receive.
        WorkCode::Block(..) => return Err(()),
    };
    let OfferCode::Receive(r) = action.offer else { return Ok(None) };
    let Some(receive) = &listing.receives[r as usize] else { return Ok(None) };
    if let (ChannelCode::Known(k), Some(channel)) = (receive.channel, channel)
        && k != channel
    {
        return Ok(None);
    }
    let simple = receive.patterns.len() == values
        && !receive.keeps
        && stores(action)
        && (!edge.keeps || can_tell(listing, of, edge.to));
    if simple { Ok(Some((edge, action, receive))) } else { Err(()) }
}

/// Can native code tell whether a process can go on from a location?
pub(crate) fn can_tell(listing: Listing, of: usize, location: u32) -> bool {
    let (lo, hi) = listing.types[of].ranges[location as usize];
    let edges = &listing.types[of].edges[lo as usize..hi as usize];
    !listing.commits && edges.iter().all(|edge| !kind_of(listing, edge).is_left())
}

/// How many steps a send by rendezvous has at most; none if native code cannot take them.
pub(crate) fn partners(listing: Listing, channel: Option<i32>, values: usize) -> Option<usize> {
    if listing.commits {
        return None;
    }
    let mut all = 0;
    for &(of, _) in listing.processes? {
        let code = &listing.types[of as usize];
        let mut most = 0;
        for &(lo, hi) in &code.ranges {
            let mut here = 0;
            for edge in &code.edges[lo as usize..hi as usize] {
                if edge.rank > 0 {
                    return None;
                }
                let found = receiver(listing, of as usize, edge, channel, values).ok()?;
                here += usize::from(found.is_some());
            }
            most = most.max(here);
        }
        all += most;
    }
    Some(all)
}

impl<'a> Process<'a, '_> {
    /// All steps of a sending edge, from where the sender's guard is true; then goes to `no`.
    pub fn meet(&mut self, sends: Sends<'a>, number: Number, queue: &'a Queue, (no, away): (Block, Block)) {
        let listing = self.code.listing;
        self.code.when(self.all, away);
        // What was told before this edge, should it be left to the interpreter.
        let (slot, told) = (self.code.b.use_var(self.told.slot), self.code.b.use_var(self.told.next));
        let back = self.code.b.create_block();
        let early = !(listing.lazy && sends.fails);
        let message = early.then(|| self.message(sends, queue, self.src, back));
        let known = match number {
            Number::Known(k) => Some(k),
            Number::Told(_) => None,
        };
        let processes = listing.processes.unwrap_or_default();
        let count = processes.len();
        for n in 0..count {
            let pid = if listing.oldest { n } else { count - 1 - n };
            let (of, base) = processes[pid];
            if matches!(self.code.who, Who::Other(_, me) if me == pid as u32) {
                continue;
            }
            let code = &listing.types[of as usize];
            let meets = |edge: &'a EdgeCode| {
                receiver(listing, of as usize, edge, known, queue.domains.len()).ok().flatten()
            };
            let found: Vec<(usize, Vec<Receiver>)> = (code.ranges.iter().enumerate())
                .map(|(l, &(lo, hi))| {
                    (l, code.edges[lo as usize..hi as usize].iter().filter_map(meets).collect())
                })
                .filter(|(_, found): &(usize, Vec<Receiver>)| !found.is_empty())
                .collect();
            if found.is_empty() {
                continue;
            }
            let after = self.code.b.create_block();
            if listing.length.is_none() {
                let there = self.code.b.ins().load(I32, PLAIN, self.turn, PROCESSES);
                let gone = self.code.b.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, there, pid as i64);
                self.code.unless(gone, after);
            }
            if let Who::Turn(turn) = self.code.who {
                let me = self.code.b.ins().load(I32, PLAIN, turn, PID);
                let self_ = self.code.b.ins().icmp_imm(IntCC::Equal, me, pid as i64);
                self.code.unless(self_, after);
            }
            self.with_receiver((pid, of as usize, base), |this| {
                let location = this.location();
                let mut switch = Switch::new();
                let mut blocks = Vec::new();
                for (l, found) in found {
                    let block = this.code.b.create_block();
                    switch.set_entry(l as u128, block);
                    blocks.push((block, found));
                }
                switch.emit(this.code.b, location, after);
                for (block, found) in blocks {
                    this.code.b.switch_to_block(block);
                    for receiver in found {
                        let next = this.code.b.create_block();
                        this.handshake(sends, (number, queue), receiver, message.as_deref(), (next, back));
                        this.code.b.switch_to_block(next);
                    }
                    this.code.b.ins().jump(after, &[]);
                }
            });
            self.code.b.switch_to_block(after);
        }
        self.code.b.ins().jump(no, &[]);
        self.code.b.switch_to_block(back);
        self.code.b.def_var(self.told.slot, slot);
        self.code.b.def_var(self.told.next, told);
        self.code.b.ins().jump(away, &[]);
    }

    /// The values of a message, cut to the widths of the channel.
    fn message(&mut self, sends: Sends, queue: &Queue, words: Words, away: Block) -> Vec<Value> {
        let mut message = Vec::new();
        self.code.run(sends.message, words, &mut message, away);
        message.iter().zip(&queue.domains).map(|(&value, domain)| self.code.cut(value, *domain)).collect()
    }

    /// One receiver, whose side this is. Goes to `next` afterwards, and if it does not take part.
    fn handshake(
        &mut self,
        sends: Sends<'a>,
        (number, queue): (Number, &'a Queue),
        (edge, action, receive): Receiver<'a>,
        message: Option<&[Value]>,
        (next, back): (Block, Block),
    ) {
        match (receive.channel, number) {
            (ChannelCode::Known(_), Number::Known(_)) => {}
            (ChannelCode::Known(k), Number::Told(id)) => {
                let same = self.code.b.ins().icmp_imm(IntCC::Equal, id, i64::from(k));
                self.code.when(same, next);
            }
            (ChannelCode::Code(pc), number) => {
                let mine = self.code.run(pc, self.src, &mut Vec::new(), back);
                let same = match number {
                    Number::Known(k) => self.code.b.ins().icmp_imm(IntCC::Equal, mine, i64::from(k)),
                    Number::Told(id) => self.code.b.ins().icmp(IntCC::Equal, mine, id),
                };
                self.code.when(same, next);
            }
        }
        if let GuardCode::When(pc) = action.guard {
            let value = self.code.run(pc, self.src, &mut Vec::new(), back);
            self.code.when(value, next);
        }
        let mut message = match message {
            Some(message) => message.to_vec(),
            None => self.with_sender(|this| this.message(sends, queue, this.src, back)),
        };
        for (pattern, &value) in receive.patterns.iter().zip(&message) {
            let wanted = match *pattern {
                PatternCode::Any | PatternCode::Bind => continue,
                PatternCode::Known(k) => self.code.iconst(k),
                PatternCode::Match(pc) => self.code.run(pc, self.src, &mut Vec::new(), back),
            };
            let same = self.code.b.ins().icmp(IntCC::Equal, value, wanted);
            self.code.when(same, next);
        }
        let early = self.code.listing.early;
        self.copy();
        self.with_sender(|this| this.go(sends.edge.to));
        if early {
            self.go(edge.to);
        }
        self.code.run(receive.bind, self.dst, &mut message, back);
        self.effect(action, back);
        if !early {
            self.go(edge.to);
        }
        self.with_sender(|this| this.effect(sends.action, back));
        if edge.keeps {
            self.hold(edge.to, back);
        }
        let partner = match self.code.who {
            Who::Other(_, pid) => Some(pid),
            _ => None,
        };
        self.with_sender(|this| this.count(partner));
        self.code.b.ins().jump(next, &[]);
    }

    /// Does what an action does besides messages.
    pub fn effect(&mut self, action: &ActionCode, away: Block) {
        for piece in &action.pieces {
            if let Piece::Code(pc) = piece {
                self.code.run(*pc, self.dst, &mut Vec::new(), away);
            }
        }
    }
}

/// Whose side the code at hand is.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub of: usize,
    /// The bytes before the frame of the process; nothing if its places are known.
    pub bytes: Option<Value>,
    pub own: Value,
    pub who: Who,
}

impl<'a> Process<'a, '_> {
    fn side(&self) -> Side {
        Side { of: self.of, bytes: self.bytes, own: self.src.own, who: self.code.who }
    }

    fn take_side(&mut self, side: Side) {
        (self.of, self.bytes, self.src.own, self.code.who) = (side.of, side.bytes, side.own, side.who);
    }

    /// Code for another process.
    fn with_receiver(&mut self, (pid, of, base): (usize, usize, u32), make: impl FnOnce(&mut Self)) {
        let sender = self.side();
        let own = self.code.b.ins().iadd_imm(self.src.all, i64::from(base) * 4);
        let bytes = self.code.b.ins().iconst(I64, i64::from(base) * 4);
        let who = Who::Other(self.turn, pid as u32);
        self.sender = Some(sender);
        self.take_side(Side { of, bytes: Some(bytes), own, who });
        make(self);
        // Nothing is made here: the block at hand may have its end. `copy` tells where the next slot is.
        self.sender = None;
        self.take_side(sender);
    }

    /// Code for the sender, inside that for a receiver.
    fn with_sender<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let Some(sender) = self.sender else { return make(self) };
        let (receiver, own) = (self.side(), self.dst.own);
        self.take_side(sender);
        self.dst.own = self.own_of(self.dst.all);
        let made = make(self);
        self.take_side(receiver);
        self.dst.own = own;
        made
    }
}

impl Code<'_, '_> {
    /// A value cut to a domain.
    pub fn cut(&mut self, value: Value, domain: riata_program::Domain) -> Value {
        let extent = domain.extent();
        if extent == u32::MAX {
            return value;
        }
        let raw = self.b.ins().iadd_imm(value, -i64::from(domain.min));
        let raw = self.b.ins().band_imm(raw, i64::from(extent));
        self.b.ins().iadd_imm(raw, i64::from(domain.min))
    }
}
