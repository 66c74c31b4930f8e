//! What happens in a step, told event by event: messages sent and received, text printed, processes started and ended.
//!
//! A search needs only where a step leads. Whoever is shown a run wants to know more, also of what happens inside a
//! deterministic step; so the step is taken again here, statement by statement, straight from the form. Where it leads
//! must be where the search said: [`Interpreter::narrate`] tells nothing else.

use super::evaluate::{Sight, count};
use super::form::{Action, DEFAULT_PRIORITY, Guard, Offer, Pattern, Place, Print, Receive, Statement, Work};
use super::frame::Queue;
use super::interp::{Cursor, Interpreter, Step};
use super::view::Value;
use crate::ids::EdgeId;
use riata_system::System;

/// The most actions of one deterministic step that are told.
const LONGEST: u32 = 1_000_000;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A message was sent. By rendezvous, the next event is that it is received.
    Sent {
        /// The channel's number.
        channel: i32,
        /// Its name.
        name: String,
        /// The values.
        message: Vec<Value>,
        /// Its place in the queue, the oldest first; none for a rendezvous.
        slot: Option<u32>,
    },
    /// A message was received.
    Received {
        /// The channel's number.
        channel: i32,
        /// Its name.
        name: String,
        /// The values.
        message: Vec<Value>,
        /// Its place in the queue before; none for a rendezvous.
        slot: Option<u32>,
        /// Is it still in the queue?
        kept: bool,
    },
    /// Text was printed.
    Printed(String),
    /// A process was started: its pid.
    Started(u32),
    /// The process ended.
    Ended,
}

/// What happened, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The process.
    pub pid: u32,
    /// What happened.
    pub what: Happening,
}

/// A step being taken.
struct Narrator<'a> {
    interpreter: &'a Interpreter<'a>,
    s: Vec<u32>,
    me: u32,
    timeout: bool,
    events: Vec<Told>,
}

impl Interpreter<'_> {
    /// What happens in a step from `src` to `dst`. A step that ends in a fault is told up to there.
    pub fn narrate(&self, src: &[u32], step: Step, dst: &[u32]) -> Option<Vec<Told>> {
        let mut at = Cursor::default();
        let mut slot = vec![0; self.words()];
        let wanted = &dst[..self.len(dst)];
        let fault = self.is_fault(dst);
        while self.next(src, &mut at, &mut slot).is_some() {
            if at.step != Some(step) || slot[..self.len(&slot)] != *wanted {
                continue;
            }
            let mut s = src.to_vec();
            s.resize(self.words(), 0);
            let mut narrator =
                Narrator { interpreter: self, s, me: step.pid, timeout: at.timeout, events: Vec::new() };
            let done = narrator.step(step);
            // What a watch makes of the messages is not told.
            if let (Some(code), false) = (&self.watch, fault) {
                code.at.store(&mut narrator.s, code.at.load(dst));
            }
            let reached = &narrator.s[..self.len(&narrator.s)];
            let arrived = reached == wanted
                || (!fault && self.head.holder(dst) != 0 && self.head.same_but_for_holder(reached, wanted));
            debug_assert!(fault || (done.is_some() && arrived), "the form and the code disagree");
            return (fault || (done.is_some() && arrived)).then_some(narrator.events);
        }
        None
    }
}

impl<'a> Narrator<'a> {
    fn sight(&self) -> Sight<'a, '_> {
        Sight { interpreter: self.interpreter, s: &self.s, me: self.me, timeout: self.timeout }
    }

    fn tell(&mut self, what: Happening) {
        self.events.push(Told { pid: self.me, what });
    }

    /// Takes a step; nothing where it is a fault.
    fn step(&mut self, step: Step) -> Option<()> {
        self.interpreter.head.hold(&mut self.s[..], 0);
        let sending = self.work(step.pid, step.edge)?;
        let Some((pid, edge)) = step.partner else {
            self.go(step.pid, step.edge)?;
            return match sending {
                Work::Action(action) => self.act(action),
                Work::Block(b, _) => self.block(*b, Some(0)),
            };
        };
        // A rendezvous: the message, then what the sender does besides, then the receiver.
        let Work::Action(action) = sending else { return None };
        let Offer::Send { channel, values, .. } = &action.offer else { return None };
        let id = self.sight().value(*channel)?;
        let (queue, _) = self.sight().queue(id)?;
        let message = self.message(queue, values)?;
        let receiving = self.work(pid, edge)?;
        let other = Sight { me: pid, ..self.sight() };
        let (action_there, receive, then) = accepts(self.interpreter, other, receiving, id, &message)?;
        let (name, shown) = self.shown(id, &message);
        self.tell(Happening::Sent { channel: id, name: name.clone(), message: shown.clone(), slot: None });
        self.go(step.pid, step.edge)?;
        self.effect(&action.effect)?;
        self.me = pid;
        self.tell(Happening::Received { channel: id, name, message: shown, slot: None, kept: false });
        self.go(pid, edge)?;
        self.bind(receive, &message)?;
        self.effect(&action_there.effect)?;
        match then {
            Some((b, node)) => self.block(b, node),
            None => Some(()),
        }
    }

    /// What an edge of a process does.
    fn work(&self, pid: u32, edge: EdgeId) -> Option<&'a Work> {
        let of = self.interpreter.type_of(&self.s, pid)?;
        Some(&self.interpreter.program.processes[of.index()].edges.get(edge.index())?.work)
    }

    /// Moves a process to where an edge leads.
    fn go(&mut self, pid: u32, edge: EdgeId) -> Option<()> {
        let i = self.interpreter;
        let &(of, base) = i.shape(&self.s).processes.get(pid as usize)?;
        let to = i.program.processes[of as usize].edges.get(edge.index())?.to;
        i.frames.types[of as usize].location.store(&mut self.s[base as usize..], to.0 as i32);
        if let Some(last) = i.program.last {
            i.frames.shared[last as usize].fields().for_each(|f| f.store(&mut self.s, pid as i32));
        }
        Some(())
    }

    /// The values of a message, cut to the widths of the channel.
    fn message(&self, queue: &Queue, values: &[crate::ExprId]) -> Option<Vec<i32>> {
        let cut =
            |(&e, domain): (&crate::ExprId, &crate::Domain)| self.sight().value(e).map(|v| domain.wrap(v));
        values.iter().zip(&queue.domains).map(cut).collect()
    }

    /// The name of a channel and a message of it, for people.
    fn shown(&self, id: i32, message: &[i32]) -> (String, Vec<Value>) {
        let i = self.interpreter;
        let name = i.channel_name(&self.s, id).unwrap_or_default();
        let kind = usize::try_from(id - 1).ok().and_then(|c| i.shape(&self.s).channels.get(c));
        let shown = kind.map_or(&[][..], |&(kind, _)| &i.program.channels[kind as usize].shown);
        (name, message.iter().zip(shown).map(|(&v, &shown)| i.shown(shown, v)).collect())
    }

    fn act(&mut self, action: &'a Action) -> Option<()> {
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, sorted, values } => {
                let id = self.sight().value(*channel)?;
                let (queue, at) = self.sight().queue(id)?;
                let whole: Vec<i32> = values.iter().map(|&e| self.sight().value(e)).collect::<Option<_>>()?;
                let message = self.message(queue, values)?;
                let count = count(queue, &self.s, at);
                if count >= queue.capacity || message.len() != queue.fields.len() {
                    return None;
                }
                // As in Spin, the place is found before the values are cut.
                let greater = |&slot: &u32| self.sight().message(queue, at, slot) > whole;
                let slot = if *sorted { (0..count).find(greater).unwrap_or(count) } else { count };
                let (name, shown) = self.shown(id, &message);
                self.tell(Happening::Sent { channel: id, name, message: shown, slot: Some(slot) });
                let mut messages: Vec<Vec<i32>> =
                    (0..count).map(|i| self.sight().message(queue, at, i)).collect();
                messages.insert(slot as usize, message);
                self.fill(queue, at, &messages);
            }
            Offer::Receive(r) => {
                let receive = &self.interpreter.program.receives[*r as usize];
                let id = self.sight().value(receive.channel)?;
                let (queue, at) = self.sight().queue(id)?;
                let slot = self.sight().find(receive, queue, at)??;
                let mut messages: Vec<Vec<i32>> =
                    (0..count(queue, &self.s, at)).map(|i| self.sight().message(queue, at, i)).collect();
                let message = messages[slot as usize].clone();
                let (name, shown) = self.shown(id, &message);
                let kept = receive.keeps;
                self.tell(Happening::Received { channel: id, name, message: shown, slot: Some(slot), kept });
                if !kept {
                    messages.remove(slot as usize);
                    self.fill(queue, at, &messages);
                }
                self.bind(receive, &message)?;
            }
        }
        self.effect(&action.effect)
    }

    /// Makes these the messages of a queue; a free slot is zero bits.
    fn fill(&mut self, queue: &Queue, at: u32, messages: &[Vec<i32>]) {
        let words = &mut self.s[at as usize..];
        for (i, field) in queue.fields.iter().enumerate() {
            for slot in 0..queue.capacity {
                let value = messages.get(slot as usize).map_or(field.min, |m| m[i]);
                field.element(slot).store(words, value);
            }
        }
        queue.count.store(words, messages.len() as i32);
    }

    fn bind(&mut self, receive: &'a Receive, message: &[i32]) -> Option<()> {
        for (pattern, &value) in receive.patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.store(*place, value)?;
            }
        }
        Some(())
    }

    fn store(&mut self, place: Place, value: i32) -> Option<()> {
        let sight = self.sight();
        let index = match place.index {
            Some(e) => Some(sight.value(e)?),
            None => None,
        };
        let (field, base) = sight.field(place.var, index)?;
        let of = self.interpreter.type_of(&self.s, self.me);
        let domain = self.interpreter.program.variable(of, place.var)?.domain;
        field.store(&mut self.s[base..], domain.wrap(value));
        Some(())
    }

    fn effect(&mut self, statements: &'a [Statement]) -> Option<()> {
        let i = self.interpreter;
        for statement in statements {
            match statement {
                Statement::Assign(place, value) => {
                    let value = self.sight().value(*value)?;
                    self.store(*place, value)?;
                }
                // Whether a violated assertion is a fault, the search knows.
                Statement::Assert(_) => {}
                Statement::Run { process, arguments, priority, pid, .. } => {
                    let values: Vec<i32> =
                        arguments.iter().map(|&e| self.sight().value(e)).collect::<Option<_>>()?;
                    let priority = match priority {
                        Some(e) => self.sight().value(*e)?.clamp(0, 255),
                        None => DEFAULT_PRIORITY,
                    };
                    let shape = i.head.shape(&self.s);
                    let (child, _) = i.create(&mut self.s[..], shape, process.0, (&values, priority)).ok()?;
                    self.tell(Happening::Started(child));
                    if let Some(place) = pid {
                        self.store(*place, child as i32)?;
                    }
                }
                Statement::Print(p) => {
                    let text = self.print(&i.program.prints[*p as usize]);
                    self.tell(Happening::Printed(text));
                }
                Statement::SetPriority(pid, priority) => {
                    let (pid, priority) = (self.sight().value(*pid)?, self.sight().value(*priority)?);
                    let found = usize::try_from(pid).ok().and_then(|p| i.shape(&self.s).processes.get(p));
                    if let Some(&(of, base)) = found {
                        let field = i.frames.types[of as usize].priority;
                        field.store(&mut self.s[base as usize..], priority.clamp(0, 255));
                    }
                }
                Statement::Exit => {
                    let parent = i.shape(&self.s).parent;
                    i.head.set_shape(&mut self.s[..], parent);
                    self.tell(Happening::Ended);
                }
            }
        }
        Some(())
    }

    /// Runs a block from a node on.
    fn block(&mut self, b: u32, mut node: Option<u32>) -> Option<()> {
        let block = &self.interpreter.program.blocks[b as usize];
        for _ in 0..LONGEST {
            let Some(n) = node else { return Some(()) };
            let sight = self.sight();
            let mut chosen = None;
            for (action, to) in &block.nodes[n as usize] {
                if ready(sight, action)? {
                    chosen = Some((action, *to));
                    break;
                }
            }
            let (action, to) = chosen?;
            self.act(action)?;
            node = to;
        }
        None
    }

    /// What is printed. An argument that has no value does not stop the run: it is shown as `?`.
    fn print(&self, print: &Print) -> String {
        let mut arguments = print.arguments.iter();
        let mut text = String::new();
        let mut chars = print.format.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => {}
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(other) => text.push(other),
                    None => {}
                },
                '%' => {
                    let Some(form) = chars.next() else { break };
                    if form == '%' {
                        text.push('%');
                        continue;
                    }
                    let Some(&e) = arguments.next() else { continue };
                    let Some(v) = self.sight().value(e) else {
                        text.push('?');
                        continue;
                    };
                    match form {
                        'c' => text.push(char::from(v as u8)),
                        'e' => text += &self.symbol(e, v),
                        'x' => text += &format!("{v:x}"),
                        'o' => text += &format!("{v:o}"),
                        'u' => text += &(v as u32).to_string(),
                        _ => text += &v.to_string(),
                    }
                }
                c => text.push(c),
            }
        }
        text
    }

    /// A value of a symbol's name: of the set that its variable is of, else of the first.
    fn symbol(&self, e: crate::ExprId, v: i32) -> String {
        let i = self.interpreter;
        let of = i.type_of(&self.s, self.me);
        let shown = match i.program.exprs.get(e) {
            super::form::Expr::Read(place) => i.program.variable(of, place.var).map(|v| v.shown),
            _ => None,
        };
        let set = match shown {
            Some(super::form::Shown::Symbol(set)) => set,
            _ => 0,
        };
        match i.shown(super::form::Shown::Symbol(set), v) {
            Value::Symbol(name) => name,
            _ => v.to_string(),
        }
    }
}

/// Can an action of a block be taken? `else` comes last, where nothing else could.
fn ready(sight: Sight, action: &Action) -> Option<bool> {
    if let Guard::When(e) = action.guard
        && sight.value(e)? == 0
    {
        return Some(false);
    }
    Some(match &action.offer {
        Offer::None => true,
        Offer::Send { channel, .. } => {
            let (queue, at) = sight.queue(sight.value(*channel)?)?;
            if queue.capacity == 0 {
                return None;
            }
            count(queue, sight.s, at) < queue.capacity
        }
        Offer::Receive(r) => {
            let receive = &sight.interpreter.program.receives[*r as usize];
            let (queue, at) = sight.queue(sight.value(receive.channel)?)?;
            queue.capacity > 0 && sight.find(receive, queue, at)?.is_some()
        }
    })
}

/// The receive with which an edge takes a message by rendezvous: the action, the receive, and where its block goes on.
type Accepts<'a> = (&'a Action, &'a Receive, Option<(u32, Option<u32>)>);

fn accepts<'a>(
    interpreter: &'a Interpreter,
    other: Sight,
    work: &'a Work,
    channel: i32,
    message: &[i32],
) -> Option<Accepts<'a>> {
    let program = interpreter.program;
    let fits = |action: &'a Action| {
        let Offer::Receive(r) = action.offer else { return None };
        let receive = &program.receives[r as usize];
        let guarded = matches!(action.guard, Guard::When(e) if other.value(e) == Some(0));
        let here = other.value(receive.channel) == Some(channel);
        (here && !guarded && other.fits(receive, message) == Some(true)).then_some(receive)
    };
    match work {
        Work::Action(action) => fits(action).map(|r| (action, r, None)),
        Work::Block(b, _) => {
            let first = &program.blocks[*b as usize].nodes[0];
            first.iter().find_map(|(action, to)| fits(action).map(|r| (action, r, Some((*b, *to)))))
        }
    }
}
