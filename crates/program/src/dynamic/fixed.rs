//! A program that starts no process after the beginning, under watch: everything has a fixed place.
//!
//! A state has as many words as the initial one. Instead of a shape its head tells how many processes are left (they
//! die youngest first) and who holds control; what a dead process had is zero. The steps are those of the
//! [`Interpreter`]; what they depend on is taken from the program's text ([`Needs`]), and what they may write counts as
//! looked at, so that a step writes the same wherever the looks are the same.

use super::head::Head;
use super::interp::{Cursor as Small, Interpreter};
use super::needs::{Needs, Reach};
use crate::ids::LocId;
use crate::layout::Field;
use riata_system::{ActionId, Effect, Look, Observation, Slot, System, Truth, Valuation, Watched};
use std::collections::HashMap;

/// The slots of the head: how many processes there are, and one more than the pid of the holder.
const COUNT: Slot = Slot { word: 0, shift: 0, mask: 0xff };
const HOLDER: Slot = Slot { word: 0, shift: 8, mask: 0xff };

/// Why a program is none of fixed processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFixed {
    /// A process starts another one.
    Starts,
    /// There are more processes than can be told.
    TooMany,
}

impl std::fmt::Display for NotFixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotFixed::Starts => "a process starts another one",
            NotFixed::TooMany => "there are more than 250 processes",
        })
    }
}

/// Steps that are tried together.
#[derive(Clone, Copy, Debug)]
enum Group {
    /// Of a process that is at a location, alone.
    Alone(u32, u32),
    /// Of a process that sends by rendezvous, and of another that receives, with their locations.
    Meet((u32, u32), (u32, u32)),
}

/// A program of fixed processes.
#[derive(Debug)]
pub struct Fixed<'a> {
    interpreter: &'a Interpreter<'a>,
    initial: Vec<u32>,
    /// For each number of processes the interpreter's shape.
    shapes: Vec<u32>,
    types: Vec<u32>,
    slots: Vec<Slot>,
    groups: Vec<(Group, Vec<u32>)>,
    /// For each process, its location.
    locations: Vec<Option<(u32, Field)>>,
    /// For each proposition what it looks at; then whether a run may end.
    questions: Vec<Vec<u32>>,
}

impl<'a> Fixed<'a> {
    /// The program that `interpreter` runs, if its processes are fixed.
    pub fn new(interpreter: &'a Interpreter<'a>) -> Result<Self, NotFixed> {
        let program = interpreter.program();
        if program.runs() {
            return Err(NotFixed::Starts);
        }
        let mut initial = vec![0; interpreter.words()];
        interpreter.initial(&mut Small::default(), &mut initial);
        initial.truncate(interpreter.len(&initial));
        let (mut id, mut shapes) = (interpreter.head.shape(&initial), Vec::new());
        let all = interpreter.shape(&initial);
        let count = all.processes.len();
        if count > 250 {
            return Err(NotFixed::TooMany);
        }
        for _ in 0..=count {
            shapes.push(id);
            id = interpreter.shapes.get(id).parent;
        }
        shapes.reverse();
        let types: Vec<u32> = all.processes.iter().map(|p| p.0).collect();
        let mut places = Places::new(interpreter, &initial);
        let needs = Needs::new(program, &types);
        let locations = all.processes.iter().map(|&(of, base)| {
            let field = interpreter.frames.types[of as usize].location.moved(base);
            places.of(field).map(|slot| (slot, field.moved(places.offset)))
        });
        let locations: Vec<Option<(u32, Field)>> = locations.collect();
        let mut groups = Vec::new();
        for (pid, &of) in types.iter().enumerate() {
            let own = (0..program.processes[of as usize].locations.len()).map(LocId::new);
            for from in own {
                let at = (pid as u32, from.0);
                let mut reach = needs.alone(pid, from);
                groups.push((Group::Alone(at.0, at.1), places.slots(&reach)));
                for other in needs.partners(pid, from) {
                    let mut both = needs.alone(other.0 as usize, LocId(other.1));
                    both.join(&mut reach);
                    groups.push((Group::Meet(at, other), places.slots(&both)));
                }
            }
        }
        let mut questions: Vec<Vec<u32>> =
            program.propositions.iter().map(|p| places.slots(&needs.proposition(p.expr))).collect();
        questions.push(locations.iter().flatten().map(|l| l.0).chain([0]).collect());
        let words = initial.len() + places.offset as usize;
        let mut this = Fixed {
            interpreter,
            initial: Vec::new(),
            shapes,
            types,
            slots: std::mem::take(&mut places.list),
            groups,
            locations,
            questions,
        };
        this.initial = vec![0; words];
        let mut first = vec![0; words];
        this.take_small(&initial, &mut first);
        this.initial = first;
        Ok(this)
    }

    /// The program as it is run.
    pub fn interpreter(&self) -> &'a Interpreter<'a> {
        self.interpreter
    }

    /// The question whether a run may end here.
    pub fn may_end(&self) -> usize {
        self.questions.len() - 1
    }

    /// The question whether nobody holds control.
    pub fn is_free(&self) -> usize {
        self.questions.len()
    }

    /// The number of the sink's processes.
    fn fault(&self) -> u32 {
        self.types.len() as u32 + 1
    }

    /// A state as the interpreter has it.
    pub fn to_small(&self, s: &[u32]) -> Vec<u32> {
        let count = COUNT.load(s);
        if count == self.fault() {
            return self.interpreter.fault_state();
        }
        let offset = offset(self.interpreter) as usize;
        let mut t = s[offset..].to_vec();
        self.interpreter.head.set_shape(&mut t[..], self.shapes[count as usize]);
        self.interpreter.head.hold(&mut t[..], HOLDER.load(s));
        t.truncate(self.interpreter.len(&t));
        t
    }

    /// A state of the interpreter as this has it.
    fn take_small(&self, t: &[u32], s: &mut [u32]) {
        s.fill(0);
        let it = self.interpreter;
        if it.is_fault(t) {
            COUNT.store(s, self.fault());
            return;
        }
        let len = it.len(t);
        let offset = offset(it) as usize;
        s[1..offset + len].copy_from_slice(&t[1 - offset..len]);
        COUNT.store(s, it.processes(t));
        HOLDER.store(s, it.head.holder(t));
    }

    /// Is process `pid` at a location, and may it move as far as the head tells? Notes the looks.
    fn stands(&self, (pid, location): (u32, u32), s: &[u32], seen: &mut Observation) -> bool {
        if pid >= COUNT.load(s) {
            return false;
        }
        let Some((slot, field)) = self.locations[pid as usize] else { return true };
        let equal = field.raw(s) == location;
        seen.looks.push(Look { slot, value: location, equal });
        equal
    }

    fn look(&self, slots: &[u32], s: &[u32], seen: &mut Observation) {
        let known: HashMap<u32, ()> = seen.looks.iter().filter(|l| l.equal).map(|l| (l.slot, ())).collect();
        let rest = slots.iter().filter(|slot| !known.contains_key(slot));
        seen.looks.extend(rest.map(|&slot| {
            let value = self.slots[slot as usize].load(s);
            Look { slot, value, equal: true }
        }));
    }

    fn effect(&self, s: &[u32], t: &[u32]) -> Effect {
        let mut after = vec![0; s.len()];
        self.take_small(t, &mut after);
        if COUNT.load(&after) == self.fault() {
            return Effect::Sink;
        }
        let changed = (0..).zip(&self.slots).filter(|(_, slot)| slot.load(s) != slot.load(&after));
        Effect::Writes(changed.map(|(i, slot)| (i, slot.load(&after))).collect())
    }
}

/// A state without a head gets one.
fn offset(interpreter: &Interpreter) -> u32 {
    u32::from(matches!(interpreter.head, Head::Known { .. }))
}

/// Which slots there are, and where things are among them.
struct Places<'a> {
    interpreter: &'a Interpreter<'a>,
    initial: &'a [u32],
    list: Vec<Slot>,
    at: HashMap<(u32, u8), u32>,
    offset: u32,
}

impl<'a> Places<'a> {
    fn new(interpreter: &'a Interpreter<'a>, initial: &'a [u32]) -> Self {
        let mut this = Places {
            interpreter,
            initial,
            list: vec![COUNT, HOLDER],
            at: HashMap::new(),
            offset: offset(interpreter),
        };
        let all = Reach { everything: true, ..Reach::default() };
        this.fields(&all).into_iter().for_each(|f| this.add(f));
        this
    }

    fn add(&mut self, f: Field) {
        if f.mask != 0 && !self.at.contains_key(&(f.word, f.shift)) {
            self.at.insert((f.word, f.shift), self.list.len() as u32);
            self.list.push(Slot { word: f.word + self.offset, shift: f.shift, mask: f.mask });
        }
    }

    fn of(&self, f: Field) -> Option<u32> {
        if f.mask == 0 { None } else { self.at.get(&(f.word, f.shift)).copied() }
    }

    fn channel(&self, (kind, at): (u32, u32), out: &mut Vec<Field>) {
        let queue = &self.interpreter.frames.queues[kind as usize];
        if queue.capacity > 0 {
            out.push(queue.count.moved(at));
            for field in &queue.fields {
                out.extend((0..queue.capacity).map(|i| field.element(i).moved(at)));
            }
        }
    }

    /// The fields that something reaches, the head left out.
    fn fields(&self, reach: &Reach) -> Vec<Field> {
        let frames = &self.interpreter.frames;
        let shape = self.interpreter.shape(self.initial);
        let mut out = Vec::new();
        for (v, slot) in (0..).zip(&frames.shared) {
            if reach.everything || reach.shared.contains(&v) {
                out.extend(slot.fields());
            }
        }
        for (k, &channel) in (1..).zip(&shape.channels) {
            if reach.everything || reach.channels.contains(&k) {
                self.channel(channel, &mut out);
            }
        }
        for (pid, &(of, base)) in (0..).zip(&shape.processes) {
            let frame = &frames.types[of as usize];
            let location = frame.location.moved(base);
            if reach.everything || reach.locations.contains(&pid) || reach.frames.contains(&pid) {
                out.push(location);
            }
            if reach.everything || reach.frames.contains(&pid) {
                out.push(frame.priority.moved(base));
                out.extend(frame.locals.iter().flat_map(|s| s.fields()).map(|f| f.moved(base)));
                for &(kind, at) in &frame.channels {
                    self.channel((kind, base + at), &mut out);
                }
            }
        }
        out
    }

    /// The slots that something reaches, the head first.
    fn slots(&self, reach: &Reach) -> Vec<u32> {
        let mut slots: Vec<u32> = self.fields(reach).into_iter().filter_map(|f| self.of(f)).collect();
        slots.extend([0, 1]);
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}

impl System for Fixed<'_> {
    /// The interpreter's, and the state as it has it.
    type Cursor = (Small, Vec<u32>, Vec<u32>);

    fn words(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        dst[..self.initial.len()].copy_from_slice(&self.initial);
        !std::mem::replace(&mut at.0.started, true)
    }

    fn next(&self, src: &[u32], (small, s, t): &mut Self::Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if s.is_empty() {
            *s = self.to_small(src);
            *t = vec![0; self.interpreter.words()];
        }
        let action = self.interpreter.next(s, small, t)?;
        self.take_small(t, &mut dst[..self.initial.len()]);
        Some(action)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(&self.to_small(s))
    }
}

impl Watched for Fixed<'_> {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn attempt(&self, group: usize, s: &[u32], seen: &mut Observation) {
        seen.clear();
        let (group, slots) = &self.groups[group];
        let (mover, wanted) = match *group {
            Group::Alone(pid, l) => ((pid, l), (pid, pid)),
            Group::Meet(a, b) => (a, (a.0, b.0)),
        };
        // Most attempts end here.
        seen.looks.push(Look { slot: 0, value: COUNT.load(s), equal: true });
        if !self.stands(mover, s, seen) {
            return;
        }
        if let Group::Meet(_, b) = *group
            && !self.stands(b, s, seen)
        {
            return;
        }
        let holder = HOLDER.load(s);
        seen.looks.push(Look { slot: 1, value: holder, equal: true });
        if holder != 0 && holder != mover.0 + 1 {
            return;
        }
        self.look(slots, s, seen);
        let small = self.to_small(s);
        let it = self.interpreter;
        let (mut at, mut t) = (Small::default(), vec![0; it.words()]);
        while let Some(action) = it.next(&small, &mut at, &mut t) {
            if Interpreter::movers(action) == wanted {
                seen.steps.push(self.effect(s, &t));
            }
        }
    }

    fn ask(&self, question: usize, s: &[u32], seen: &mut Observation) -> Truth {
        seen.clear();
        let truth = |yes| if yes { Truth::True } else { Truth::False };
        if question == self.is_free() {
            let holder = HOLDER.load(s);
            seen.looks.push(Look { slot: 1, value: 0, equal: holder == 0 });
            return truth(holder == 0);
        }
        self.look(&self.questions[question], s, seen);
        let small = self.to_small(s);
        if question == self.may_end() {
            return truth(self.interpreter.is_end(&small));
        }
        if self.interpreter.undefined(&small).0 >> question & 1 == 1 {
            return Truth::Fault;
        }
        truth(self.interpreter.valuation(&small).0 >> question & 1 == 1)
    }

    fn sink(&self) -> (u32, u32, Vec<u32>) {
        let mut s = vec![0; self.words()];
        COUNT.store(&mut s, self.fault());
        (0, self.fault(), s)
    }
}
