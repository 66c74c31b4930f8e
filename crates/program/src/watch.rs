//! A program under watch: what [`Interpreter`] does, edge by edge, with what each edge looked at.
//!
//! The steps are tried in groups: the edges of an instance that leave one location and are taken alone or with a
//! buffered channel are one, and so is each pair of edges that can meet in a rendezvous. The order of the tests within
//! an edge is that of `step`, so that faults are the same. Where all processes move at once there is one group, which
//! looks at everything.
//!
//! The claim does not take part: an engine makes the product with it, from its guards (see [`Watch::claim`]).

use crate::expr::{Expr, Owner, Place};
use crate::eye::{Eye, Slots};
use crate::ids::{ChanId, ExprId, InstanceId};
use crate::interp::{Compiled, Cursor, Interpreter, Kind, NONE};
use crate::machine::{self, DEEPEST};
use crate::program::{Guard, MAX_MESSAGE, Offer, Pattern, Program, Scheduling, Statement};
use riata_automata::{Edge, Marks, Tgba};
use riata_system::{ActionId, Effect, Look, Observation, Slot, System, Truth, Valuation, Watched};

/// Edges, by their place in the interpreter.
#[derive(Debug)]
enum Group {
    /// Edges that leave the same location of the same instance.
    Edges { instance: u32, from: u32, edges: std::ops::Range<u32> },
    /// A sender and, by channel and place, a receiver.
    Meet(u32, ChanId, u32),
    /// Everything at once.
    All,
}

/// A fault, wherever it is.
struct Faulty;

/// A program under watch.
#[derive(Debug)]
pub struct Watch<'a> {
    interpreter: &'a Interpreter<'a>,
    slots: Slots,
    groups: Vec<Group>,
    /// The code of the guards of the claim's edges.
    guards: Vec<u32>,
}

/// Why the runs of a program with a claim are not those of a product with an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAutomaton {
    /// There is no claim.
    NoClaim,
    /// All processes move at once.
    Lockstep,
    /// An edge of the claim does more than to go on.
    Effects,
    /// The claim's location or its variables are looked at.
    Seen,
}

impl std::fmt::Display for NoAutomaton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAutomaton::NoClaim => "there is no property process",
            NoAutomaton::Lockstep => "the processes move all at once",
            NoAutomaton::Effects => "the property process has effects or communicates",
            NoAutomaton::Seen => "the state of the property process is looked at",
        })
    }
}

impl<'a> Watch<'a> {
    /// Watches a program that is run without its claim.
    pub fn new(interpreter: &'a Interpreter<'a>) -> Self {
        let mut this =
            Watch { interpreter, slots: slots(interpreter), groups: Vec::new(), guards: Vec::new() };
        this.groups = this.make_groups();
        if let Some(claim) = interpreter.program.claim {
            let own = interpreter.edges.iter().filter(|e| e.instance == claim.0);
            let mut guards: Vec<(u32, u32)> = own.map(|e| (e.edge, e.guard)).collect();
            guards.sort_unstable();
            this.guards = guards.into_iter().map(|g| g.1).collect();
        }
        this
    }

    /// The program as it is run.
    pub fn interpreter(&self) -> &'a Interpreter<'a> {
        self.interpreter
    }

    /// How many assertions there are. Question [`Watch::violates`] is whether one is violated.
    pub fn assertions(&self) -> usize {
        self.interpreter.asserts.len()
    }

    /// The question whether assertion number `i` is violated.
    pub fn violates(&self, i: usize) -> usize {
        self.interpreter.propositions.len() + i
    }

    /// The question whether the guard of edge `e` of the claim holds.
    fn guard_of_claim(&self, e: usize) -> usize {
        self.violates(self.assertions()) + e
    }

    /// The claim as an automaton, and the questions that its propositions are: the guards of its edges.
    pub fn claim(&self) -> Result<(Tgba, Vec<usize>), NoAutomaton> {
        let program = self.interpreter.program;
        let Some(claim) = program.claim else { return Err(NoAutomaton::NoClaim) };
        if program.scheduling == Scheduling::Lockstep {
            return Err(NoAutomaton::Lockstep);
        }
        if is_seen(program, claim) {
            return Err(NoAutomaton::Seen);
        }
        let process = program.process_of(claim);
        let mut automaton = Tgba::default();
        (automaton.sets, automaton.initial) = (1, vec![process.initial.0]);
        let mut edges = Vec::new();
        let mut questions = Vec::new();
        for (e, edge) in process.edges.iter().enumerate() {
            if edge.offer != Offer::None || !edge.effect.is_empty() {
                return Err(NoAutomaton::Effects);
            }
            let label = match edge.guard {
                Guard::Always => riata_automata::Label::TRUE,
                Guard::When(_) => {
                    automaton.aps.push(format!("edge {e}"));
                    questions.push(self.guard_of_claim(e));
                    automaton.labels.var(questions.len() as u32 - 1)
                }
            };
            let marks =
                if process.locations[edge.from.index()].accepting { Marks::first(1) } else { Marks::NONE };
            edges.push((edge.from.0, Edge { to: edge.to.0, label, marks }));
        }
        automaton.set_edges(process.locations.len(), &edges);
        Ok((automaton, questions))
    }

    /// Does the guard of an edge of the claim hold after a run-time error? `question` is one of [`Watch::claim`]'s.
    pub fn guard_in_sink(&self, question: usize) -> Truth {
        let it = self.interpreter;
        let (.., mut s) = self.sink();
        if let Some(claim) = it.program.claim {
            let frame = it.layout.frame(claim);
            s[frame.clone()].copy_from_slice(&it.initial[frame]);
        }
        self.ask(question, &s, &mut Observation::default())
    }

    fn make_groups(&self) -> Vec<Group> {
        let it = self.interpreter;
        if it.program.scheduling == Scheduling::Lockstep {
            return vec![Group::All];
        }
        let mut groups = Vec::new();
        for (instance, table) in (0u32..).zip(&it.tables).filter(|(_, t)| t.takes_part) {
            for (from, &(lo, hi)) in (0u32..).zip(&table.ranges) {
                if lo < hi {
                    groups.push(Group::Edges { instance, from, edges: lo..hi });
                }
            }
        }
        for (s, sender) in (0u32..).zip(&it.edges) {
            let Kind::Meet(c) = sender.kind else { continue };
            let committed = |e: &Compiled| it.tables[e.instance as usize].committed[e.from as usize];
            for (r, receiver) in (0u32..).zip(&it.receivers[c as usize]) {
                let takes_part = |e: &Compiled| it.tables[e.instance as usize].takes_part;
                let possible = sender.instance != receiver.instance
                    && takes_part(sender)
                    && takes_part(receiver)
                    // Either both leave committed locations, or nobody may be at one.
                    && committed(sender) == committed(receiver);
                if possible {
                    groups.push(Group::Meet(s, ChanId(c), r));
                }
            }
        }
        groups
    }

    /// Is the instance at this location, free to move?
    fn at(&self, eye: &Eye, instance: u32, from: u32) -> bool {
        let table = &self.interpreter.tables[instance as usize];
        eye.at(table.location, from)
    }

    /// Is this no run-time error, and does no commitment of others keep an edge from `from` back?
    fn free(&self, eye: &Eye, instance: u32, from: u32) -> bool {
        let it = self.interpreter;
        let (marker, fault) = it.layout.marker();
        if instance != marker.0 && eye.at(it.layout.location(marker), fault) {
            return false;
        }
        it.tables[instance as usize].committed[from as usize]
            || !it.commits.iter().any(|&i| {
                let table = &it.tables[i as usize];
                let committed = (0u32..).zip(&table.committed).filter(|(_, c)| **c);
                i != instance && committed.map(|(l, _)| l).any(|l| eye.at(table.location, l))
            })
    }

    fn guard(&self, edge: &Compiled, eye: &mut Eye) -> Result<bool, Faulty> {
        if edge.guard == NONE { Ok(true) } else { Ok(self.run(edge.guard, eye, &mut [])? != 0) }
    }

    fn run(&self, pc: u32, eye: &mut Eye, message: &mut [i32]) -> Result<i32, Faulty> {
        machine::run::<DEEPEST, _>(&self.interpreter.code, pc, eye, message).map_err(|_| Faulty)
    }

    /// Tries one edge: true if it can be taken, and is then taken in `eye`.
    fn edge(&self, edge: &Compiled, eye: &mut Eye) -> Result<bool, Faulty> {
        if !self.guard(edge, eye)? {
            return Ok(false);
        }
        let mut message = [0; MAX_MESSAGE];
        match edge.kind {
            Kind::Alone => {}
            // With a partner it is another group.
            Kind::Meet(_) => return Ok(false),
            Kind::Push(c) => {
                let Some(layout) = self.interpreter.layout.channel(ChanId(c)) else { return Ok(false) };
                let capacity = self.interpreter.program.channels[c as usize].capacity;
                let count = eye.raw(layout.count);
                if count >= capacity {
                    return Ok(false);
                }
                self.run(edge.message, eye, &mut message)?;
                eye.store(layout.count, count + 1);
                for (field, &value) in layout.fields.iter().zip(&message) {
                    let f = field.element(count);
                    eye.store(f, value.wrapping_sub(f.min) as u32 & f.mask);
                }
            }
            Kind::Pull(c) => {
                let Some(layout) = self.interpreter.layout.channel(ChanId(c)) else { return Ok(false) };
                let count = eye.raw(layout.count);
                if count == 0 {
                    return Ok(false);
                }
                eye.store(layout.count, count - 1);
                for (field, value) in layout.fields.iter().zip(&mut message) {
                    *value = (eye.raw(field.element(0)) as i32).wrapping_add(field.min);
                    for i in 1..count {
                        let moved = eye.raw(field.element(i));
                        eye.store(field.element(i - 1), moved);
                    }
                    eye.store(field.element(count - 1), 0);
                }
            }
        }
        self.run(edge.effect, eye, &mut message)?;
        Ok(true)
    }

    fn meet(&self, sender: &Compiled, receiver: &Compiled, eye: &mut Eye) -> Result<bool, Faulty> {
        // Where the sender's guard is a fault, its own group has the step.
        if !matches!(self.guard(sender, eye), Ok(true)) || !self.guard(receiver, eye)? {
            return Ok(false);
        }
        let mut message = [0; MAX_MESSAGE];
        self.run(sender.message, eye, &mut message)?;
        self.run(receiver.effect, eye, &mut message)?;
        self.run(sender.effect, eye, &mut [])?;
        Ok(true)
    }

    /// Everything is looked at, and all steps are taken.
    fn all(&self, s: &[u32], seen: &mut Observation) {
        let it = self.interpreter;
        let look = |(slot, place): (u32, &Slot)| Look { slot, value: place.load(s), equal: true };
        seen.looks.extend((0u32..).zip(&self.slots.list).map(look));
        let mut at = Cursor::default();
        let mut dst = vec![0; it.words()];
        while it.next(s, &mut at, &mut dst).is_some() {
            let writes = || (0u32..).zip(&self.slots.list).map(|(i, p)| (i, p.load(&dst))).collect();
            seen.steps.push(if it.is_fault(&dst) { Effect::Sink } else { Effect::Writes(writes()) });
        }
    }
}

/// Does anything but its own edges depend on where the claim is, or on what it has?
fn is_seen(program: &Program, claim: InstanceId) -> bool {
    let of_claim = |place: &Place| place.owner == Owner::Of(claim);
    let read = |e: ExprId| match program.exprs.get(e) {
        Expr::At(i, _) => i == claim,
        Expr::Read(place) => of_claim(&place),
        _ => false,
    };
    let written = program.processes.iter().flat_map(|p| &p.edges).any(|edge| {
        let bound = match &edge.offer {
            Offer::Receive(_, patterns) => patterns.as_slice(),
            _ => &[],
        };
        edge.effect.iter().any(|Statement::Assign(place, _)| of_claim(place))
            || bound.iter().any(|p| matches!(p, Pattern::Bind(place) if of_claim(place)))
    });
    written || (0..program.exprs.len()).map(ExprId::new).any(read)
}

/// The slots of a program: shared variables and channels, then process by process, each with its location first.
fn slots(it: &Interpreter) -> Slots {
    let (program, layout): (&Program, _) = (it.program, &it.layout);
    let mut slots = Slots::new(layout.words());
    let (shared, local) = program.variables_by_owner();
    for v in shared {
        layout.slot(v, InstanceId(0)).fields().for_each(|f| slots.add(f));
    }
    for channel in (0..program.channels.len()).filter_map(|c| layout.channel(ChanId::new(c))) {
        slots.add(channel.count);
        let most = channel.fields.iter().map(|a| a.len).max().unwrap_or(0);
        for i in 0..most {
            channel.fields.iter().for_each(|a| slots.add(a.element(i)));
        }
    }
    // What the claim has never changes here.
    let marker = layout.marker().0;
    for i in program.instance_ids().filter(|&i| i == marker || it.tables[i.index()].takes_part) {
        slots.add(layout.location(i));
        for &v in &local[program.instances[i.index()].process.index()] {
            layout.slot(v, i).fields().for_each(|f| slots.add(f));
        }
    }
    slots
}

impl System for Watch<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.interpreter.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        self.interpreter.next(src, at, dst)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }
}

impl Watched for Watch<'_> {
    fn slots(&self) -> &[Slot] {
        &self.slots.list
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn attempt(&self, group: usize, s: &[u32], seen: &mut Observation) {
        seen.clear();
        let it = self.interpreter;
        match &self.groups[group] {
            Group::All => self.all(s, seen),
            Group::Edges { instance, from, edges } => {
                let first = Eye::new(&self.slots, s);
                let ready = self.at(&first, *instance, *from) && self.free(&first, *instance, *from);
                seen.looks = first.looks();
                for edge in it.edges[edges.start as usize..edges.end as usize].iter().filter(|_| ready) {
                    let mut eye = Eye::new(&self.slots, s);
                    let taken = self.edge(edge, &mut eye);
                    seen.looks.extend(eye.looks());
                    match taken {
                        Ok(true) => seen.steps.push(eye.effect()),
                        Ok(false) => {}
                        Err(Faulty) => seen.steps.push(Effect::Sink),
                    }
                }
            }
            Group::Meet(s_edge, c, r) => {
                let (sender, receiver) = (&it.edges[*s_edge as usize], &it.receivers[c.index()][*r as usize]);
                let mut eye = Eye::new(&self.slots, s);
                let ready = self.at(&eye, sender.instance, sender.from)
                    && self.at(&eye, receiver.instance, receiver.from)
                    && self.free(&eye, sender.instance, sender.from);
                let taken = if ready { self.meet(sender, receiver, &mut eye) } else { Ok(false) };
                seen.looks = eye.looks();
                match taken {
                    Ok(true) => seen.steps.push(eye.effect()),
                    Ok(false) => {}
                    Err(Faulty) => seen.steps.push(Effect::Sink),
                }
            }
        }
    }

    fn ask(&self, question: usize, s: &[u32], seen: &mut Observation) -> Truth {
        seen.clear();
        let it = self.interpreter;
        let mut eye = Eye::new(&self.slots, s);
        let asserts = it.propositions.len();
        let guards = self.guard_of_claim(0);
        let (code, violation) = match question {
            q if q < asserts => (it.propositions[q], false),
            q if q < guards => {
                let (i, l, _, code) = it.asserts[q - asserts];
                if !self.at(&eye, i.0, l.0) {
                    seen.looks = eye.looks();
                    return Truth::False;
                }
                (code, true)
            }
            q => (self.guards[q - guards], false),
        };
        let value = if code == NONE { Ok(1) } else { self.run(code, &mut eye, &mut []) };
        seen.looks = eye.looks();
        match value {
            Ok(0) | Err(Faulty) if violation => Truth::True,
            _ if violation => Truth::False,
            Ok(0) => Truth::False,
            Ok(_) => Truth::True,
            Err(Faulty) => Truth::Fault,
        }
    }

    fn sink(&self) -> (u32, u32, Vec<u32>) {
        let layout = &self.interpreter.layout;
        let (marker, fault) = layout.marker();
        let mut words = vec![0; layout.words()];
        layout.fault(&mut words);
        // The marker has a location more than it needs, so its location has bits.
        let slot = self.slots.of(layout.location(marker)).unwrap_or(0);
        (slot, fault, words)
    }
}
