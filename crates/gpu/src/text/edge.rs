//! The edges of a process, one after the other: each is tried where the cursor has not passed it.
//!
//! ```text
//! edge k:  if the cursor is beyond k, or e is not ready in s: go to the next edge
//!          t := s, changed as e says; the cursor is at k + 1; held := who keeps control; return STEP
//! ```
//!
//! What is difficult (a process that is created) or wrong (a fault, a violated assertion) returns ASK. Whether somebody who
//! keeps control can go on is not asked here: the search sees whether he does.

use super::queue::Channel;
use super::writer::{Process, Words, Writer};
use riata_program::native::{
    ActionCode, BlockCode, EdgeCode, GuardCode, OfferCode, Piece, ReceiveCode, WorkCode,
};

/// What a step needs: a message in a slot of a channel, or one that is sent.
pub(crate) enum Moves<'a> {
    Nothing,
    Puts(Channel<'a>, Vec<String>, bool),
    Takes(Channel<'a>, String, &'a ReceiveCode),
}

/// So many rounds of a deterministic step are taken here.
const ROUNDS: u32 = 1000;

/// Where the steps of all processes of a type end.
pub(super) fn own_label(of: usize) -> String {
    format!("own{of}")
}

/// Does an effect store, and nothing else?
pub(crate) fn stores(action: &ActionCode) -> bool {
    !action.exits && action.pieces.iter().all(|p| matches!(p, Piece::Code(_)))
}

impl<'a> Writer<'a> {
    /// The steps of an edge, from number `at` on, and tells how many numbers it took.
    pub fn edge(&mut self, edge: &'a EdgeCode, at: u32) -> u32 {
        if edge.passive {
            return 0;
        }
        let no = self.label();
        let mut taken = 1;
        match &edge.work {
            WorkCode::Action(action) => {
                if let OfferCode::Send { channel, values, .. } = action.offer
                    && let Some(all) = self.meets(edge, action, (channel, values), at)
                {
                    return all;
                }
                self.line(format!("if (c->edge <= {at})"));
                self.block(|this| match (edge.plain, edge.fused) {
                    (Some(guard), Some(pc)) => {
                        this.guard(guard, Words::Before, &no);
                        this.run(pc, Words::After, &mut Vec::new());
                        this.finish(edge, at + 1);
                    }
                    _ => this.ready(action, Words::Before, &no, |this, moves| {
                        let gone = this.act(action, moves, Some(edge));
                        if !gone && !this.plan.listing.early {
                            this.go(edge.to);
                        }
                        this.finish(edge, at + 1);
                    }),
                });
            }
            WorkCode::Block(b, _) => match &self.plan.listing.blocks[*b as usize] {
                Some(block) => {
                    self.line(format!("if (c->edge <= {at})"));
                    self.block(|this| this.deterministic(edge, block, at, &no));
                }
                None => taken = 0,
            },
        }
        self.line(format!("{no}: ;"));
        taken
    }

    /// Goes on if the guard is true.
    pub fn guard(&mut self, guard: GuardCode, words: Words, no: &str) {
        if let GuardCode::When(pc) = guard {
            let value = self.run(pc, words, &mut Vec::new());
            self.line(format!("if (!({value})) goto {no};"));
        }
    }

    /// The process is at a location.
    pub fn go(&mut self, to: u32) {
        let Process { of, base, .. } = self.me;
        let f = self.plan.listing.frames.types[of].location;
        if f.mask != 0 {
            self.put((f.word + base, f.shift.into(), f.mask), &format!("{to}u"));
        }
    }

    /// Where the process is.
    pub fn location(&self, words: Words) -> String {
        let Process { of, base, .. } = self.me;
        let f = self.plan.listing.frames.types[of].location;
        self.raw(words, (f.word + base, f.shift.into(), f.mask))
    }

    /// Tells the step in `t`.
    fn finish(&mut self, edge: &EdgeCode, next: u32) {
        let held = edge.keeps.then_some(self.me);
        self.tell(edge.rank, held, next);
    }

    /// Tells a step after which somebody may keep control.
    pub fn tell(&mut self, rank: u32, held: Option<Process>, next: u32) {
        let held = held.map_or("0".into(), Process::next_number);
        let to = if self.me.is_any() { own_label(self.me.of) } else { "told".into() };
        self.line(format!("TELL({next}, {}, {held}, {to});", rank + 1));
    }

    /// Writes what follows where an action can be taken in `words`, for each way in which it can; otherwise goes to `no`.
    fn ready(
        &mut self,
        action: &'a ActionCode,
        words: Words,
        no: &str,
        mut then: impl FnMut(&mut Self, Moves<'a>),
    ) {
        if let (GuardCode::Else, OfferCode::None) = (action.guard, &action.offer) {
            // Inside a deterministic step all that comes before it was tried.
            if words == Words::Before {
                self.line(format!("if (c->mine) goto {no};"));
            }
        } else if let GuardCode::Else = action.guard {
            if words == Words::Before {
                self.line(format!("if (c->mine) goto {no};"));
            }
            self.line("return ASK;");
            return;
        }
        let exits = |this: &mut Self| {
            if action.exits {
                let count = this.count();
                this.line(format!("if ({count} != {}) goto {no};", this.me.next_number()));
            }
        };
        match action.offer {
            OfferCode::None => {
                self.guard(action.guard, words, no);
                exits(self);
                then(self, Moves::Nothing);
            }
            OfferCode::Send { channel, sorted, message, values, .. } => {
                self.guard(action.guard, words, no);
                exits(self);
                self.channels(channel, words, |this, channel| {
                    let queue = channel.queue;
                    if queue.capacity == 0 || queue.domains.len() != values as usize {
                        this.line("return ASK;");
                        return;
                    }
                    let count = this.messages(words, queue, channel.at);
                    this.line(format!("if ({count} >= {}u) goto {no};", queue.capacity));
                    let mut sent = Vec::new();
                    this.run(message, words, &mut sent);
                    then(this, Moves::Puts(channel, sent, sorted));
                });
            }
            OfferCode::Receive(r) => {
                let Some(receive) = &self.plan.listing.receives[r as usize] else {
                    self.line(format!("goto {no};"));
                    return;
                };
                self.channels(receive.channel, words, |this, channel| {
                    let queue = channel.queue;
                    // By rendezvous only the sender takes it.
                    if queue.capacity == 0 && !receive.keeps {
                        this.line(format!("goto {no};"));
                        return;
                    }
                    if queue.capacity == 0 || queue.domains.len() != receive.patterns.len() {
                        this.line("return ASK;");
                        return;
                    }
                    this.guard(action.guard, words, no);
                    exits(this);
                    let slot = this.find(words, channel, receive);
                    this.line(format!("if ({slot} < 0) goto {no};"));
                    then(this, Moves::Takes(channel, slot, receive));
                });
            }
        }
    }

    /// Does what an action does, in `t`; goes to the location of an edge on the way if that is early. Tells whether the
    /// process has gone.
    fn act(&mut self, action: &ActionCode, moves: Moves<'a>, edge: Option<&EdgeCode>) -> bool {
        match moves {
            Moves::Nothing => {}
            Moves::Puts(channel, message, sorted) => self.send(channel, sorted, &message),
            Moves::Takes(channel, slot, receive) => {
                let mut message = self.message_at(Words::After, channel, &slot, receive.any);
                if !receive.keeps {
                    self.remove(channel, &slot, receive.any);
                }
                self.run(receive.bind, Words::After, &mut message);
            }
        }
        if let Some(edge) = edge
            && self.plan.listing.early
        {
            self.go(edge.to);
        }
        self.effect(action)
    }

    /// Does what an action does besides messages; tells whether the process has gone.
    pub fn effect(&mut self, action: &ActionCode) -> bool {
        for (i, piece) in action.pieces.iter().enumerate() {
            match piece {
                Piece::Code(pc) => {
                    self.run(*pc, Words::After, &mut Vec::new());
                }
                Piece::Exit if i + 1 == action.pieces.len() => {
                    self.exit();
                    return true;
                }
                Piece::Exit | Piece::Run(_) | Piece::SetPriority(_) => self.line("return ASK;"),
            }
        }
        false
    }

    /// The process, which is the youngest, is no more.
    fn exit(&mut self) {
        let stacks = &self.plan.stacks;
        let mut gone = String::new();
        for pid in self.pids() {
            let (under, whole) = (stacks[pid], stacks[pid + 1]);
            let zeros: String = (under.words..whole.words).map(|word| format!("t[{word}] = 0; ")).collect();
            let head = format!("t[0] = (t[0] & 0xff000000u) | {}u;", under.number);
            let when = if self.me.is_any() { format!("if (me == {pid}) ") } else { String::new() };
            gone.push_str(&format!("{when}{{ {zeros}{head} }}\n"));
        }
        self.line(gone.trim_end());
        if self.me.is_any() {
            for k in 0..self.own_words() {
                self.line(format!("p[{k}] = 0;"));
            }
        }
    }

    /// A deterministic step: of each node the first action that can be taken.
    fn deterministic(&mut self, edge: &'a EdgeCode, block: &'a BlockCode, at: u32, no: &str) {
        let alone = matches!(block.nodes[0][..], [(ActionCode { guard: GuardCode::Else, .. }, _)]);
        if alone {
            self.line(format!("if (c->mine) goto {no};"));
        }
        let labels: Vec<String> = block.nodes.iter().map(|_| self.label()).collect();
        let (end, rounds) = (self.label(), self.name());
        self.line(format!("{rounds} = 0;"));
        let target = |next: &Option<u32>| next.map_or(end.clone(), |n| labels[n as usize].clone());
        for (action, next) in &block.nodes[0] {
            let other = self.label();
            self.block(|this| {
                if let (GuardCode::Else, false) = (action.guard, alone) {
                    // It comes after the others of its node, and these could not be taken.
                    this.line(if matches!(action.offer, OfferCode::None) { "" } else { "return ASK;" });
                }
                this.first(action, &other, |this, moves| {
                    this.inside(action, moves, Some(edge));
                    this.line(format!("goto {};", target(next)));
                });
            });
            self.line(format!("{other}: ;"));
        }
        self.line(format!("goto {no};"));
        for (node, label) in block.nodes.iter().zip(&labels) {
            self.line(format!("{label}: ;"));
            self.ask_if(&format!("++{rounds} > {ROUNDS}"));
            for (action, next) in node {
                let other = self.label();
                self.block(|this| {
                    this.ready(action, Words::After, &other, |this, moves| {
                        this.inside(action, moves, None);
                        this.line(format!("goto {};", target(next)));
                    });
                });
                self.line(format!("{other}: ;"));
            }
            // It cannot go on: a fault.
            self.line("return ASK;");
        }
        self.line(format!("{end}: ;"));
        if !self.plan.listing.early {
            self.go(edge.to);
        }
        self.finish(edge, at + 1);
    }

    /// An action of the first node of a deterministic step, whose `else` is about that node.
    fn first(&mut self, action: &'a ActionCode, no: &str, then: impl FnMut(&mut Self, Moves<'a>)) {
        if let (GuardCode::Else, OfferCode::None, false) = (action.guard, &action.offer, action.exits) {
            let mut then = then;
            then(self, Moves::Nothing);
            return;
        }
        self.ready(action, Words::Before, no, then);
    }

    /// An action of a deterministic step.
    fn inside(&mut self, action: &ActionCode, moves: Moves<'a>, edge: Option<&EdgeCode>) {
        if action.exits {
            self.line("return ASK;");
        }
        self.act(action, moves, edge);
    }
}
