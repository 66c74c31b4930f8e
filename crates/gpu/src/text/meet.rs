//! Rendezvous: the sending edge looks for receivers, and both move in one step.
//!
//! ```text
//! meet(e, channel), from number k on:
//!   for each process but this one, in the interpreter's order; for each edge at its location that may receive:
//!     if it receives from the channel, its guard is true and the message fits:
//!       t := s; both go on; the receiver binds and does what it does; then the sender does
//!       the cursor is beyond this pair; held := the receiver, if its edge keeps control; return STEP
//! ```

use super::edge::stores;
use super::queue::Channel;
use super::writer::{Process, Words, Writer};
use riata_program::native::{
    ActionCode, ChannelCode, EdgeCode, GuardCode, OfferCode, PatternCode, ReceiveCode, WorkCode,
};

/// What an edge is to a sender.
enum Role<'a> {
    /// It does not receive from the channel.
    None,
    /// It may.
    Receives(&'a ActionCode, &'a ReceiveCode),
    /// That is for the interpreter to say, if the channel is the one that this code tells, or any.
    Unknown(Option<u32>),
}

/// A sending edge.
#[derive(Clone, Copy)]
struct Sends<'a> {
    edge: &'a EdgeCode,
    action: &'a ActionCode,
    message: u32,
    fails: bool,
}

impl<'a> Writer<'a> {
    fn role(&self, edge: &'a EdgeCode, channel: Channel) -> Role<'a> {
        let action = match &edge.work {
            WorkCode::Action(action) => action,
            // It may begin with a receive.
            WorkCode::Block(b, _) => {
                let first = self.plan.listing.blocks[*b as usize].iter().flat_map(|b| &b.nodes[0]);
                let receives = first.clone().any(|(action, _)| matches!(action.offer, OfferCode::Receive(_)));
                return if receives { Role::Unknown(None) } else { Role::None };
            }
        };
        let OfferCode::Receive(r) = action.offer else { return Role::None };
        let Some(receive) = &self.plan.listing.receives[r as usize] else { return Role::None };
        if let ChannelCode::Known(k) = receive.channel
            && k != channel.number
        {
            return Role::None;
        }
        let simple = receive.patterns.len() == channel.queue.domains.len()
            && !receive.keeps
            && edge.rank == 0
            && !matches!(action.guard, GuardCode::Else)
            && stores(action);
        match receive.channel {
            _ if simple => Role::Receives(action, receive),
            ChannelCode::Code(pc) => Role::Unknown(Some(pc)),
            ChannelCode::Known(_) => Role::Unknown(None),
        }
    }

    /// The steps of a sending edge by rendezvous, from number `at` on, and tells how many numbers they took; nothing if no
    /// channel that it may send to is a rendezvous.
    pub fn meets(
        &mut self,
        edge: &'a EdgeCode,
        action: &'a ActionCode,
        (channel, values): (ChannelCode, u32),
        at: u32,
    ) -> Option<u32> {
        let plan = self.plan;
        let queues = &plan.listing.frames.queues;
        let mut kinds = plan.doors.iter().map(|door| &queues[door.kind as usize]);
        let meets = match channel {
            ChannelCode::Known(k) => {
                let n = usize::try_from(k.wrapping_sub(1)).ok()?;
                queues[plan.doors.get(n)?.kind as usize].capacity == 0
            }
            // Where it may be of either kind, that is decided by the one that all are.
            ChannelCode::Code(_) => kinds.any(|q| q.capacity == 0 && q.domains.len() == values as usize),
        };
        if !meets {
            return None;
        }
        let OfferCode::Send { message, fails, .. } = action.offer else { return None };
        let sends = Sends { edge, action, message, fails };
        let no = self.label();
        let mut next = at;
        let outer = std::mem::take(&mut self.out);
        self.block(|this| {
            if let GuardCode::Else = action.guard {
                this.line(format!("if (c->mine) goto {no};\nreturn ASK;"));
                return;
            }
            this.guard(action.guard, Words::Before, &no);
            if action.exits {
                this.line("return ASK;");
            }
            this.channels(channel, Words::Before, |this, channel| {
                if channel.queue.domains.len() != values as usize {
                    this.line("return ASK;");
                } else if channel.queue.capacity == 0 {
                    next = this.meet(sends, channel, next);
                } else {
                    this.keeps(sends, channel, next, &no);
                    next += 1;
                }
            });
        });
        // After the last pair, too, somebody may be left of whom only the interpreter can tell.
        next += 1;
        let inner = std::mem::replace(&mut self.out, outer);
        self.line(format!("if (c->edge < {next})"));
        self.out.push_str(&inner);
        self.line(format!("{no}: ;"));
        Some(next - at)
    }

    /// Puts the message into a channel that keeps it, where others that it may be sent to do not.
    fn keeps(&mut self, sends: Sends<'a>, channel: Channel<'a>, at: u32, no: &str) {
        let OfferCode::Send { sorted, .. } = sends.action.offer else { return };
        let count = self.messages(Words::Before, channel.queue, channel.at);
        self.line(format!("if (c->edge > {at} || {count} >= {}u) goto {no};", channel.queue.capacity));
        let mut message = Vec::new();
        self.run(sends.message, Words::Before, &mut message);
        self.send(channel, sorted, &message);
        let early = self.plan.listing.early;
        if early {
            self.go(sends.edge.to);
        }
        self.effect(sends.action);
        if !early {
            self.go(sends.edge.to);
        }
        let held = sends.edge.keeps.then_some(self.me);
        self.tell(sends.edge.rank, held, at + 1);
    }

    /// All pairs with this sender, where its guard is true; tells the number after the last.
    fn meet(&mut self, sends: Sends<'a>, channel: Channel<'a>, mut at: u32) -> u32 {
        let plan = self.plan;
        let early = !(plan.listing.lazy && sends.fails);
        let message = early.then(|| self.message(sends, channel));
        let (count, sender) = (plan.processes().len(), self.me);
        for n in 0..count {
            let pid = if plan.listing.oldest { n } else { count - 1 - n };
            if pid as u32 == self.me.pid && !self.me.is_any() {
                continue;
            }
            let (of, base) = plan.processes()[pid];
            let receiver = Process { pid: pid as u32, of: of as usize, base };
            let code = &plan.listing.types[of as usize];
            let receives = |&(lo, hi): &(u32, u32)| {
                let mut edges = code.edges[lo as usize..hi as usize].iter();
                edges.any(|e| !matches!(self.role(e, channel), Role::None))
            };
            let here: Vec<usize> = (0..code.ranges.len()).filter(|&l| receives(&code.ranges[l])).collect();
            if here.is_empty() {
                continue;
            }
            let location = self.as_process(receiver, |this| this.location(Words::Before));
            let there = self.count();
            // Nobody meets himself.
            let other = if self.me.is_any() && of as usize == self.me.of {
                format!(" && me != {pid}")
            } else {
                String::new()
            };
            self.line(format!("if ({there} > {pid}{other}) switch ({location}) {{"));
            for l in here {
                self.line(format!("case {l}:"));
                if plan.listing.commits && !code.committed[l] {
                    self.line("if (c->committed) break;");
                }
                let (lo, hi) = code.ranges[l];
                for edge in &code.edges[lo as usize..hi as usize] {
                    match self.role(edge, channel) {
                        Role::None => {}
                        Role::Unknown(None) => self.line("return ASK;"),
                        Role::Unknown(Some(pc)) => self.block(|this| {
                            this.me = receiver;
                            let its = this.run(pc, Words::Before, &mut Vec::new());
                            this.ask_if(&format!("({its}) == {}", channel.number));
                            this.me = sender;
                        }),
                        Role::Receives(action, receive) => {
                            let other = (receiver, edge, action, receive);
                            self.pair(sends, channel, other, message.as_deref(), at);
                            at += 1;
                        }
                    }
                }
                self.line("break;");
            }
            self.line("default: break;\n}");
        }
        at
    }

    /// The values of a message, cut to the widths of the channel, as names.
    fn message(&mut self, sends: Sends<'a>, channel: Channel) -> Vec<String> {
        let mut message = Vec::new();
        self.run(sends.message, Words::Before, &mut message);
        message.iter().zip(&channel.queue.domains).map(|(value, domain)| self.cut(value, *domain)).collect()
    }

    /// One sender and one receiver, number `at`.
    fn pair(
        &mut self,
        sends: Sends<'a>,
        channel: Channel,
        (receiver, edge, action, receive): (Process, &EdgeCode, &ActionCode, &ReceiveCode),
        message: Option<&[String]>,
        at: u32,
    ) {
        let (sender, early) = (self.me, self.plan.listing.early);
        let next = self.label();
        self.line(format!("if (c->edge <= {at})"));
        self.block(|this| {
            this.me = receiver;
            if let ChannelCode::Code(pc) = receive.channel {
                let mine = this.run(pc, Words::Before, &mut Vec::new());
                this.line(format!("if (({mine}) != {}) goto {next};", channel.number));
            }
            this.guard(action.guard, Words::Before, &next);
            let mut message = match message {
                Some(message) => message.to_vec(),
                None => this.as_process(sender, |this| this.message(sends, channel)),
            };
            for (pattern, value) in receive.patterns.iter().zip(&message) {
                let wanted = match *pattern {
                    PatternCode::Any | PatternCode::Bind => continue,
                    PatternCode::Known(k) => super::writer::constant(k),
                    PatternCode::Match(pc) => this.run(pc, Words::Before, &mut Vec::new()),
                };
                this.line(format!("if ({value} != ({wanted})) goto {next};"));
            }
            this.as_process(sender, |this| this.go(sends.edge.to));
            if early {
                this.go(edge.to);
            }
            this.run(receive.bind, Words::After, &mut message);
            this.effect(action);
            if !early {
                this.go(edge.to);
            }
            this.me = sender;
            this.effect(sends.action);
            let held = edge.keeps.then_some(receiver);
            this.tell(sends.edge.rank, held, at + 1);
        });
        self.line(format!("{next}: ;"));
    }
}
