//! Where things are, relative to what they belong to: shared variables, channels, and the frame of a process type.
//!
//! A state is one word of head, the shared variables, the channels that exist from the start, and then a frame for
//! each process, in the order of their pids. A frame has the words of the process, then those of the channels that
//! were created with it. So a process that dies takes its channels with it, and nothing else moves.

use crate::domain::Domain;
use crate::form::{Channel, Opening, Program, Variable};
use crate::head::is_known;
use crate::layout::{ArrayField, Field, Packer, Slot, TooLarge, Wish};

/// The most processes at a time, as in Spin.
pub(crate) const MAX_PROCESSES: usize = 255;
/// The most channels at a time, as in Spin.
pub(crate) const MAX_CHANNELS: usize = 255;
/// The words before the shared variables.
pub(crate) const HEAD: u32 = 1;
/// The most words that a state may have.
pub(crate) const MAX_WORDS: u32 = 1 << 16;

/// Where a channel keeps its messages, oldest first, relative to its start; free slots are zero bits.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct Queue {
    pub capacity: u32,
    pub words: u32,
    /// How many messages there are; nowhere for a rendezvous.
    pub count: Field,
    /// For each value of a message, its slots.
    pub fields: Vec<ArrayField>,
    /// For each value of a message, what it is cut to.
    pub domains: Vec<Domain>,
}

impl Queue {
    fn new(channel: &Channel) -> Result<Queue, TooLarge> {
        let mut packer = Packer::default();
        let max = channel.capacity.min(i32::MAX as u32) as i32;
        let mut wanted = vec![Wish { what: None, domain: Domain { min: 0, max }, len: None }];
        if channel.capacity > 0 {
            wanted.extend(channel.fields.iter().enumerate().map(|(i, &domain)| Wish {
                what: Some(i),
                domain,
                len: Some(channel.capacity),
            }));
        }
        let mut queue = Queue {
            capacity: channel.capacity,
            words: 0,
            count: Field { word: 0, shift: 0, mask: 0, min: 0 },
            fields: Vec::new(),
            domains: channel.fields.clone(),
        };
        let mut fields = vec![None; channel.fields.len()];
        for (what, slot) in packer.place(wanted)? {
            match (what, slot) {
                (Some(i), Slot::Many(a)) => fields[i] = Some(a),
                (_, Slot::One(f)) => queue.count = f,
                _ => {}
            }
        }
        queue.fields = fields.into_iter().flatten().collect();
        queue.words = if channel.capacity == 0 { 0 } else { packer.words() as u32 };
        Ok(queue)
    }
}

/// The layout of one process type.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct Frame {
    /// All words: of the process and of its channels.
    pub words: u32,
    /// Is there one process of this type in all states, always at the same place? Then its places are those in the state.
    pub fixed: bool,
    pub location: Field,
    /// If priorities matter.
    pub priority: Field,
    pub locals: Vec<Slot>,
    /// Kind and first word of the channels that are created with it.
    pub channels: Vec<(u32, u32)>,
}

/// The layouts of a program.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Debug)]
pub struct Frames {
    pub shared: Vec<Slot>,
    /// The first word after the shared variables and the channels that exist from the start.
    pub base: u32,
    /// Kind and first word of the channels that exist from the start.
    pub channels: Vec<(u32, u32)>,
    /// For each declaration of channels.
    pub queues: Vec<Queue>,
    /// For each process type.
    pub types: Vec<Frame>,
    /// Are processes created after the start?
    pub grows: bool,
    /// Are there the same processes in all states?
    pub known: bool,
}

impl Frames {
    pub(crate) fn new(program: &Program) -> Result<Frames, TooLarge> {
        let queues = program.channels.iter().map(Queue::new).collect::<Result<Vec<_>, _>>()?;
        let mut packer = Packer::default();
        let known = is_known(program);
        let head = if known { 0 } else { HEAD };
        let shared = slots(&mut packer, &program.shared, [], head)?.0;
        let mut words = u64::from(head) + packer.words();
        let channels = openings(&program.opens, &queues, &mut words)?;
        let base = words as u32;
        let mut types = Vec::new();
        for (p, process) in program.processes.iter().enumerate() {
            let mut packer = Packer::default();
            let first = known && program.start.first().is_some_and(|s| s.process.index() == p);
            let failures = match (first, &program.monitor) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(_)) => 2,
            };
            let location = Domain { min: 0, max: process.locations.len().max(1) as i32 - 1 + failures };
            let priority =
                if program.scheduling.priorities { Domain::BYTE } else { Domain { min: 0, max: 0 } };
            let (locals, [location, priority]) =
                slots(&mut packer, &process.locals, [location, priority], 0)?;
            // A process has a word at least, so that no two frames start at the same.
            let mut words = packer.words().max(1);
            let channels = openings(&process.opens, &queues, &mut words)?;
            types.push(Frame { words: words as u32, fixed: false, location, priority, locals, channels });
        }
        let grows = program.runs();
        if !grows {
            fix(program, base, &mut types);
        }
        Ok(Frames { shared, base, channels, queues, types, grows, known })
    }
}

/// Gives the types that are started once, and never later, their place.
fn fix(program: &Program, base: u32, types: &mut [Frame]) {
    let mut base = base;
    for start in &program.start {
        let once = program.start.iter().filter(|s| s.process == start.process).count() == 1;
        let frame = &mut types[start.process.index()];
        if once {
            frame.fixed = true;
            frame.location = frame.location.moved(base);
            frame.priority = frame.priority.moved(base);
            frame.locals.iter_mut().for_each(|slot| *slot = slot.moved(base));
            frame.channels.iter_mut().for_each(|(_, at)| *at += base);
        }
        base = base.saturating_add(frame.words);
    }
}

/// Places variables and further scalars.
fn slots<const N: usize>(
    packer: &mut Packer,
    variables: &[Variable],
    more: [Domain; N],
    start: u32,
) -> Result<(Vec<Slot>, [Field; N]), TooLarge> {
    let mut wanted: Vec<Wish<usize>> = more
        .into_iter()
        .enumerate()
        .map(|(i, domain)| Wish { what: variables.len() + i, domain, len: None })
        .collect();
    wanted.extend(variables.iter().enumerate().map(|(i, v)| Wish { what: i, domain: v.domain, len: v.len }));
    let nowhere = Field { word: 0, shift: 0, mask: 0, min: 0 };
    let mut slots = vec![Slot::One(nowhere); variables.len() + N];
    for (i, slot) in packer.place(wanted)? {
        slots[i] = match slot {
            Slot::One(f) => Slot::One(f.moved(start)),
            Slot::Many(a) => Slot::Many(ArrayField { word: a.word + start, ..a }),
        };
    }
    let mut scalars = [nowhere; N];
    for (scalar, slot) in scalars.iter_mut().zip(slots.drain(variables.len()..)) {
        if let Slot::One(f) = slot {
            *scalar = f;
        }
    }
    Ok((slots, scalars))
}

fn openings(opens: &[Opening], queues: &[Queue], words: &mut u64) -> Result<Vec<(u32, u32)>, TooLarge> {
    let mut placed = Vec::new();
    for open in opens {
        placed.push((open.channel, *words as u32));
        *words += u64::from(queues[open.channel as usize].words);
        if *words > u64::from(MAX_WORDS) {
            return Err(TooLarge { words: *words });
        }
    }
    Ok(placed)
}
