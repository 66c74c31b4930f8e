//! The edges of a process type.
//!
//! ```text
//! edge e:  if not ready(e, src), go to the next edge of the location, or to the end of the type
//!          copy src to dst, do what e does, in dst
//!          if e keeps control and the process can go on in dst, it is the holder
//!          if all are wanted: count it, dst := the next slot, go to the next edge
//!          turn.edge := e; return STEP
//! away e:  turn.edge := e; return ASK
//! ```
//!
//! To compile takes about a microsecond for each instruction, so there are few: all edges return in two places.

use crate::Compiled;
use crate::chain::Chain;
use crate::expression::{Code, PID, PLAIN, TOLD, Who, Words};
use crate::meet::{Number, Sends, Side, can_tell, partners};
use crate::queue::{Channel, Which};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use riata_program::Field;
use riata_program::native::{
    ActionCode, ChannelCode, EdgeCode, GuardCode, HOLDER, Instr, Listing, OWN, OfferCode, Op, Piece,
    Question, Queue, ReceiveCode, WorkCode,
};

/// What an edge is to native code.
pub(crate) enum Kind<'a> {
    /// Only a partner can take it.
    Passive,
    /// The interpreter tries it.
    Left,
    /// A guard, and code that does everything.
    Fused(GuardCode, u32),
    /// `else`, and what it does.
    Else(&'a ActionCode),
    /// It sends to a channel.
    Send { action: &'a ActionCode, channel: ChannelCode, message: u32, values: u32, fails: bool },
    /// It receives the first message of a channel.
    Receive { action: &'a ActionCode, receive: &'a ReceiveCode },
}

impl Kind<'_> {
    pub fn is_left(&self) -> bool {
        matches!(self, Kind::Left)
    }
}

/// Does an effect store, and nothing else?
pub(crate) fn stores(action: &ActionCode) -> bool {
    !action.exits && action.pieces.iter().all(|p| matches!(p, Piece::Code(_)))
}

/// What an edge is.
pub(crate) fn kind_of<'a>(listing: Listing<'a>, edge: &'a EdgeCode) -> Kind<'a> {
    if edge.passive {
        return Kind::Passive;
    }
    if let (Some(guard), Some(pc)) = (edge.plain, edge.fused) {
        return Kind::Fused(guard, pc);
    }
    let WorkCode::Action(action) = &edge.work else { return Kind::Left };
    if !stores(action) {
        return Kind::Left;
    }
    match (&action.offer, action.guard) {
        (OfferCode::None, GuardCode::Else) => Kind::Else(action),
        (_, GuardCode::Else) | (OfferCode::None, _) => Kind::Left,
        (&OfferCode::Send { channel, sorted: false, message, values, fails }, _) => {
            Kind::Send { action, channel, message, values, fails }
        }
        (OfferCode::Send { .. }, _) => Kind::Left,
        (OfferCode::Receive(r), _) => match &listing.receives[*r as usize] {
            Some(receive) if !receive.any => Kind::Receive { action, receive },
            _ => Kind::Left,
        },
    }
}

/// How a message moves in a step.
enum Moves<'a> {
    Nothing,
    Puts(Channel<'a>, Vec<Value>),
    Takes(Channel<'a>, Vec<Value>, &'a ReceiveCode),
}

/// What changes with each successor that is told.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    /// The slot at hand.
    pub slot: Variable,
    /// Where its action is told.
    pub next: Variable,
    /// Has the process at hand a step of its own?
    pub mine: Variable,
}

impl Told {
    /// Says how many there are, of which the first is told here.
    pub fn tell(&self, b: &mut FunctionBuilder, (turn, first): (Value, Value)) {
        let next = b.use_var(self.next);
        let bytes = b.ins().isub(next, first);
        let count = b.ins().ushr_imm(bytes, 2);
        let count = b.ins().ireduce(I32, count);
        b.ins().store(PLAIN, count, turn, TOLD);
    }
}

pub(crate) struct Process<'a, 'b> {
    pub code: Code<'a, 'b>,
    pub src: Words,
    /// Of the slot at hand.
    pub dst: Words,
    pub told: Told,
    /// The bytes before the frame of the process.
    pub bytes: Option<Value>,
    /// Are all successors wanted?
    pub all: Value,
    pub turn: Value,
    pub of: usize,
    /// The edge after the one at hand, or the end.
    pub next: Block,
    /// While the code at hand is that of a receiver.
    pub sender: Option<Side>,
    pub chain: Chain,
    /// Where an edge that was taken returns, and one that is left to the interpreter, both told which, and this one whose.
    pub exits: (Block, Block),
    /// The bytes of the state, where not all have the same length.
    pub size: Option<Value>,
    /// The state, in pieces.
    pub state: &'a [(Value, i32)],
    /// What copies a state, if that is a function.
    pub copier: Option<FuncRef>,
}

/// What an action on a channel of some kind needs.
enum Fit {
    /// Code.
    Code,
    /// Nothing: it is never ready.
    Never,
    /// The interpreter.
    Left,
}

/// Where the process is.
pub(crate) fn location(b: &mut FunctionBuilder, listing: Listing, of: usize, words: Words) -> Value {
    let mut code = Code { b, listing, who: Who::Nobody, later: false };
    let (word, field) = place(listing, of);
    let place = code.bits(words, word, field.shift.into(), field.mask);
    code.load(place)
}

/// The word of the location of a process, as code names it, and the field.
fn place(listing: Listing, of: usize) -> (u32, Field) {
    let frame = &listing.frames.types[of];
    let own = if frame.fixed || frame.location.mask == 0 { 0 } else { OWN };
    (frame.location.word | own, frame.location)
}

impl<'a> Process<'a, '_> {
    /// The code of all edges, each in its block, with the block after the last ones.
    pub fn edges(&mut self, blocks: &[Block], done: Block, compiled: &mut Compiled) {
        let mut next = vec![done; blocks.len()];
        for &(lo, hi) in &self.code.listing.types[self.of].ranges {
            for e in lo..hi {
                next[e as usize] = if e + 1 < hi { blocks[e as usize + 1] } else { done };
                self.code.b.switch_to_block(blocks[e as usize]);
                self.next = next[e as usize];
                self.edge(e, compiled);
            }
        }
        self.chains(&next, done);
    }

    /// Leaves an edge to the interpreter.
    pub fn ask(&mut self, edge: Value) {
        let pid = self.pid();
        self.code.b.ins().jump(self.exits.1, &[edge.into(), pid.into()]);
    }

    /// The code of an edge.
    fn edge(&mut self, e: u32, compiled: &mut Compiled) {
        let next = self.next;
        let listing = self.code.listing;
        let edge = &listing.types[self.of].edges[e as usize];
        let kind = kind_of(listing, edge);
        if let Kind::Passive = kind {
            self.code.b.ins().jump(next, &[]);
            return;
        }
        let away = self.code.b.create_block();
        // What comes after `edge.to` may be left to the interpreter; then so is this.
        if matches!(kind, Kind::Left) || edge.keeps && !can_tell(listing, self.of, edge.to) {
            compiled.left += 1;
            self.code.b.ins().jump(away, &[]);
        } else {
            compiled.native += 1;
            if self.chain.is_used() {
                let number = self.code.iconst(e as i32);
                self.code.b.def_var(self.chain.origin, number);
            }
            self.compiled(edge, e, &kind, (next, away));
        }
        self.code.b.switch_to_block(away);
        let edge = self.code.iconst(e as i32);
        self.ask(edge);
    }

    pub fn compiled(&mut self, edge: &'a EdgeCode, e: u32, kind: &Kind<'a>, (no, away): (Block, Block)) {
        let listing = self.code.listing;
        match *kind {
            Kind::Passive | Kind::Left => {}
            Kind::Fused(guard, pc) => {
                self.guard(guard, self.src, no, away);
                self.copy();
                self.code.run(pc, self.dst, &mut Vec::new(), away);
                self.settle(edge, e, away);
            }
            Kind::Else(action) => {
                // Who holds control has no other step.
                if !self.chain.inside {
                    let mine = self.code.b.use_var(self.told.mine);
                    self.code.unless(mine, no);
                }
                self.copy();
                self.take(edge, e, action, Moves::Nothing, away);
            }
            Kind::Send { action, channel, message, values, fails } => {
                self.guard(action.guard, self.src, no, away);
                let (which, number) = self.code.channel(channel, self.src, self.turn, away);
                let known = match number {
                    Number::Known(k) => Some(k),
                    Number::Told(_) => None,
                };
                let given = values as usize;
                let meets = !self.chain.inside && partners(listing, known, given).is_some();
                let fit = |queue: &Queue| match queue.capacity {
                    _ if queue.domains.len() != given => Fit::Left,
                    0 if !meets => Fit::Left,
                    _ => Fit::Code,
                };
                self.each(which, fit, (no, away), |this, channel| {
                    let queue = channel.queue;
                    if queue.capacity == 0 {
                        let sends = Sends { edge, action, message, fails };
                        this.meet(sends, number, queue, (no, away));
                        return;
                    }
                    this.code.has_room(this.src, channel, no);
                    let mut values = Vec::new();
                    this.code.run(message, this.src, &mut values, away);
                    this.copy();
                    this.take(edge, e, action, Moves::Puts(channel, values), away);
                });
            }
            Kind::Receive { action, receive } => {
                let (which, _) = self.code.channel(receive.channel, self.src, self.turn, away);
                self.each(which, receives(receive), (no, away), |this, channel| {
                    this.guard(action.guard, this.src, no, away);
                    let message = this.code.has_message(this.src, channel, receive, (no, away));
                    this.copy();
                    this.take(edge, e, action, Moves::Takes(channel, message, receive), away);
                });
            }
        }
    }

    /// Code for each kind of channel that it may be.
    fn each(
        &mut self,
        which: Which<'a>,
        fit: impl Fn(&Queue) -> Fit,
        (no, away): (Block, Block),
        mut then: impl FnMut(&mut Self, Channel<'a>),
    ) {
        match which {
            Which::One(channel) => match fit(channel.queue) {
                Fit::Code => return then(self, channel),
                Fit::Never => {
                    self.code.b.ins().jump(no, &[]);
                    return;
                }
                Fit::Left => {}
            },
            Which::Told { kind, at } => {
                for (k, queue) in self.code.listing.frames.queues.iter().enumerate() {
                    let fit = fit(queue);
                    if let Fit::Left = fit {
                        continue;
                    }
                    let other = self.code.b.create_block();
                    let is = self.code.b.ins().icmp_imm(IntCC::Equal, kind, k as i64);
                    if let Fit::Never = fit {
                        self.code.b.ins().brif(is, no, &[], other, &[]);
                    } else {
                        let this = self.code.b.create_block();
                        self.code.b.ins().brif(is, this, &[], other, &[]);
                        self.code.b.switch_to_block(this);
                        then(self, Channel { queue, at });
                    }
                    self.code.b.switch_to_block(other);
                }
            }
            Which::Unknown => {}
        }
        self.code.b.ins().jump(away, &[]);
    }

    /// Goes on if the guard is true.
    fn guard(&mut self, guard: GuardCode, words: Words, no: Block, away: Block) {
        if let GuardCode::When(pc) = guard {
            let value = self.code.run(pc, words, &mut Vec::new(), away);
            self.code.when(value, no);
        }
    }

    /// Does what an edge does, in the copy.
    fn take(&mut self, edge: &EdgeCode, e: u32, action: &ActionCode, moves: Moves<'a>, away: Block) {
        match moves {
            Moves::Nothing => {}
            Moves::Puts(channel, message) => self.code.put(self.dst, channel, &message),
            Moves::Takes(channel, mut message, receive) => {
                if !receive.keeps {
                    self.code.take_first(self.dst, channel);
                }
                self.code.run(receive.bind, self.dst, &mut message, away);
            }
        }
        let early = self.code.listing.early;
        if early {
            self.go(edge.to);
        }
        self.effect(action, away);
        if !early {
            self.go(edge.to);
        }
        self.settle(edge, e, away);
    }

    pub fn go(&mut self, to: u32) {
        let (word, field) = place(self.code.listing, self.of);
        let place = self.code.bits(self.dst, word, field.shift.into(), field.mask);
        self.code.set(place, to);
    }

    /// Ends a step: control is held, if the edge keeps it and the process can go on.
    fn settle(&mut self, edge: &EdgeCode, e: u32, away: Block) {
        if edge.keeps {
            if let Some(further) = self.chain.blocks[edge.to as usize] {
                if self.chain.inside {
                    self.code.b.ins().jump(further, &[]);
                    return;
                }
                self.code.unless(self.chain.large, further);
            }
            self.hold(edge.to, away);
        }
        if self.chain.inside {
            self.code.b.ins().jump(self.chain.ends, &[]);
            return;
        }
        let more = self.code.b.create_block();
        let edge = self.code.iconst(e as i32);
        self.code.b.ins().brif(self.all, more, &[], self.exits.0, &[edge.into()]);
        self.code.b.switch_to_block(more);
        self.count(None);
        self.code.b.ins().jump(self.next, &[]);
    }

    /// Who moves.
    pub fn pid(&mut self) -> Value {
        match self.code.who {
            Who::Other(_, pid) => self.code.iconst(pid as i32),
            _ => self.code.b.ins().load(I32, PLAIN, self.turn, PID),
        }
    }

    /// Makes the process the holder, if it can go on from a location.
    pub fn hold(&mut self, location: u32, away: Block) {
        let (held, free) = (self.code.b.create_block(), self.code.b.create_block());
        let later = std::mem::replace(&mut self.code.later, true);
        self.can_go_on(location, (held, free), away);
        self.code.later = later;
        self.code.b.switch_to_block(held);
        let pid = self.pid();
        let holder = self.code.b.ins().iadd_imm(pid, 1);
        let holder = self.code.b.ins().ishl_imm(holder, i64::from(HOLDER));
        let head = self.code.b.ins().load(I32, PLAIN, self.dst.all, 0);
        let head = self.code.b.ins().bor(head, holder);
        self.code.b.ins().store(PLAIN, head, self.dst.all, 0);
        self.code.b.ins().jump(free, &[]);
        self.code.b.switch_to_block(free);
    }

    /// Counts the successor in the slot, with who else took part, and goes to the next slot.
    pub fn count(&mut self, partner: Option<u32>) {
        let action = match (self.code.who, partner) {
            (Who::Other(_, pid), _) => self.code.iconst((pid | partner.unwrap_or(pid) << 8) as i32),
            (_, Some(partner)) => {
                let me = self.pid();
                self.code.b.ins().bor_imm(me, i64::from(partner << 8))
            }
            (_, None) => {
                let me = self.pid();
                self.code.b.ins().imul_imm(me, 0x101)
            }
        };
        let told = self.code.b.use_var(self.told.next);
        self.code.b.ins().store(PLAIN, action, told, 0);
        let told = self.code.b.ins().iadd_imm(told, 4);
        self.code.b.def_var(self.told.next, told);
        let one = self.code.iconst(1);
        self.code.b.def_var(self.told.mine, one);
        let slot = match self.size {
            Some(size) => self.code.b.ins().iadd(self.dst.all, size),
            None => {
                let size = self.code.listing.length.unwrap_or_default() as i64 * 4;
                self.code.b.ins().iadd_imm(self.dst.all, size)
            }
        };
        self.code.b.def_var(self.told.slot, slot);
    }

    /// Where the process is, in `src`.
    pub fn location(&mut self) -> Value {
        location(self.code.b, self.code.listing, self.of, self.src)
    }

    /// Its frame in the state that begins here.
    pub fn own_of(&mut self, state: Value) -> Value {
        self.bytes.map_or(state, |bytes| self.code.b.ins().iadd(state, bytes))
    }

    /// Goes to the first block if the process can move in `dst`, where it is at a location, otherwise to the second.
    fn can_go_on(&mut self, location: u32, (yes, no): (Block, Block), away: Block) {
        let listing = self.code.listing;
        let (lo, hi) = listing.types[self.of].ranges[location as usize];
        for edge in &listing.types[self.of].edges[lo as usize..hi as usize] {
            let next = self.code.b.create_block();
            // A fault is a step, too, but that is for the interpreter to say.
            match kind_of(listing, edge) {
                Kind::Passive => {
                    self.code.b.ins().jump(next, &[]);
                }
                Kind::Left => {
                    self.code.b.ins().jump(away, &[]);
                }
                Kind::Fused(GuardCode::Always, _) | Kind::Else(_) => {
                    self.code.b.ins().jump(yes, &[]);
                    self.code.b.switch_to_block(next);
                    break;
                }
                Kind::Fused(guard, _) => {
                    self.guard(guard, self.dst, next, away);
                    self.code.b.ins().jump(yes, &[]);
                }
                Kind::Send { action, channel, values, .. } => {
                    self.guard(action.guard, self.dst, next, away);
                    let (which, _) = self.code.channel(channel, self.dst, self.turn, away);
                    let fit = |queue: &Queue| match queue.capacity {
                        0 => Fit::Left,
                        _ if queue.domains.len() != values as usize => Fit::Left,
                        _ => Fit::Code,
                    };
                    self.each(which, fit, (next, away), |this, channel| {
                        this.code.has_room(this.dst, channel, next);
                        this.code.b.ins().jump(yes, &[]);
                    });
                }
                Kind::Receive { action, receive } => {
                    let (which, _) = self.code.channel(receive.channel, self.dst, self.turn, away);
                    self.each(which, receives(receive), (next, away), |this, channel| {
                        this.guard(action.guard, this.dst, next, away);
                        this.code.has_message(this.dst, channel, receive, (next, away));
                        this.code.b.ins().jump(yes, &[]);
                    });
                }
            }
            self.code.b.switch_to_block(next);
        }
        self.code.b.ins().jump(no, &[]);
    }
}

/// What a receive needs of a channel. By rendezvous only the sender takes it.
fn receives(receive: &ReceiveCode) -> impl Fn(&Queue) -> Fit {
    move |queue| match queue.capacity {
        0 if !receive.keeps => Fit::Never,
        0 => Fit::Left,
        _ if queue.domains.len() != receive.patterns.len() => Fit::Left,
        _ => Fit::Code,
    }
}

/// How many successors of one process type there are at most.
pub(crate) fn most(listing: Listing, of: usize) -> usize {
    let code = &listing.types[of];
    let steps = |edge: &EdgeCode| match kind_of(listing, edge) {
        Kind::Send { channel, values, .. } => {
            let known = match channel {
                ChannelCode::Known(k) => Some(k),
                ChannelCode::Code(_) => None,
            };
            partners(listing, known, values as usize).unwrap_or(1).max(1)
        }
        _ => 1,
    };
    let here = |&(lo, hi): &(u32, u32)| code.edges[lo as usize..hi as usize].iter().map(steps).sum();
    code.ranges.iter().map(here).max().unwrap_or(0)
}

/// Can native code evaluate the propositions?
pub(crate) fn evaluates(listing: Listing) -> bool {
    let knows = |i: &Instr| i.op != Op::Ask || matches!(listing.questions[i.k as usize], Question::Pid);
    let piece = |&pc: &u32| listing.code[pc as usize..].iter().take_while(|i| i.op != Op::Return).all(knows);
    !listing.propositions.is_empty()
        && listing.propositions.len() <= 64
        && listing.propositions.iter().all(piece)
}

/// Makes the function that evaluates the propositions.
pub(crate) fn valuation<'a, 'b>(b: &'a mut FunctionBuilder<'b>, listing: Listing<'a>) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [src, out] = b.block_params(entry).try_into().expect("two arguments");
    let words = Words { all: src, own: src };
    let away = b.create_block();
    let mut code = Code { b, listing, who: Who::Nobody, later: false };
    let mut bits = code.b.ins().iconst(I64, 0);
    for (i, &pc) in listing.propositions.iter().enumerate() {
        let value = code.run(pc, words, &mut Vec::new(), away);
        let zero = code.iconst(0);
        let is = code.b.ins().icmp(IntCC::NotEqual, value, zero);
        let bit = code.b.ins().uextend(I64, is);
        let bit = code.b.ins().ishl_imm(bit, i as i64);
        bits = code.b.ins().bor(bits, bit);
    }
    code.b.ins().store(PLAIN, bits, out, 0);
    let one = code.iconst(1);
    code.b.ins().return_(&[one]);
    code.b.switch_to_block(away);
    let zero = code.iconst(0);
    code.b.ins().return_(&[zero]);
}
