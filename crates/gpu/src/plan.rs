//! What of a program the device is told: which processes there are, where everything is, and what is refused.
//!
//! The processes of a state are a stack of types. Text is made for one stack, and those below it: if processes are
//! created after the start, the stack that most of the first states lead to. States with other processes are expanded by
//! the interpreter, as everything that the text does not know.

use crate::pack::Packing;
use riata_program::native::{Listing, Stack};
use riata_program::{Condensed, Interpreter};
use riata_system::{Successors, System};
use std::collections::{HashMap, HashSet, VecDeque};

/// Why a program is not for the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The interpreter schedules it.
    Scheduling,
    /// A state has so many bits.
    Wide(u32),
    /// The text would have so many characters.
    Long(usize),
    /// There is a claim.
    Claim,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Refused::Scheduling => {
                write!(f, "priorities, provided, _last, traces and lockstep are run by the interpreter alone")
            }
            Refused::Wide(bits) => write!(f, "a state has {bits} bits, and 1024 are the most"),
            Refused::Long(chars) => {
                write!(f, "the program is too large: its kernel would have {chars} characters")
            }
            Refused::Claim => write!(f, "a never claim is searched together with the model"),
        }
    }
}

/// Where a channel is: its kind, its first word, and the process that it came with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    pub kind: u32,
    pub at: u32,
    pub owner: Option<u32>,
}

/// What the device is told.
#[derive(Debug)]
pub struct Plan<'a> {
    pub(crate) listing: Listing<'a>,
    /// The stacks without processes, with one, with two, and so on.
    pub(crate) stacks: Vec<Stack<'a>>,
    pub(crate) doors: Vec<Door>,
    /// How states are packed.
    pub packing: Packing,
}

/// So many states are looked at to see which processes there are.
const LOOK: usize = 20_000;
/// The bits of a stack's number where others may come.
const ROOM: u32 = 12;

impl<'a> Plan<'a> {
    /// What the device is told of the program of an interpreter.
    pub fn new(interpreter: &'a Interpreter) -> Result<Plan<'a>, Refused> {
        let listing = interpreter.listing().ok_or(Refused::Scheduling)?;
        if interpreter.program().claim.is_some() {
            return Err(Refused::Claim);
        }
        let mut first = vec![0; interpreter.words()];
        interpreter.initial(&mut Default::default(), &mut first);
        let grows = listing.frames.grows;
        let last = if grows { usual(interpreter, &first) } else { interpreter.stack(&first).number };
        let mut stacks = vec![interpreter.stack_of(last)];
        while let Some(stack) = stacks.last()
            && !stack.processes.is_empty()
        {
            stacks.push(interpreter.stack_of(stack.parent));
        }
        stacks.reverse();
        let top = stacks[stacks.len() - 1];
        let most = stacks.iter().map(|s| s.number).max().unwrap_or(0);
        let bits = 32 - most.leading_zeros();
        let packing = Packing::new(listing.frames, &top, if grows { bits.max(ROOM) } else { bits })?;
        let start = listing.frames.channels.len();
        let owner = |i: usize| {
            let created = (1..stacks.len()).find(|&n| stacks[n].channels.len() > i);
            if i < start { None } else { created.map(|n| n as u32 - 1) }
        };
        let doors = (top.channels.iter().enumerate())
            .map(|(i, &(kind, at))| Door { kind, at, owner: owner(i) })
            .collect();
        Ok(Plan { listing, stacks, doors, packing })
    }

    /// The processes: type and first word of the frame.
    pub(crate) fn processes(&self) -> &'a [(u32, u32)] {
        self.stacks[self.stacks.len() - 1].processes
    }
}

/// The stack that most of the first states have, or lie below.
fn usual(interpreter: &Interpreter, first: &[u32]) -> u32 {
    let system = Condensed::new(interpreter);
    let first = first[..interpreter.len(first)].to_vec();
    let mut counts: HashMap<u32, usize> = HashMap::new();
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    let mut out = Successors::default();
    while let Some(s) = todo.pop_front() {
        if interpreter.is_fault(&s) {
            continue;
        }
        *counts.entry(interpreter.stack(&s).number).or_default() += 1;
        out.clear();
        system.expand(&s, &mut Default::default(), &mut out);
        for n in 0..out.len() {
            let to = out.get(n).0;
            if seen.len() < LOOK && !seen.contains(to) {
                seen.insert(to.to_vec());
                todo.push_back(to.to_vec());
            }
        }
    }
    // Of itself and of all below it.
    let weight = |&number: &u32| {
        let mut stack = interpreter.stack_of(number);
        let mut all = counts.get(&number).copied().unwrap_or(0);
        while !stack.processes.is_empty() {
            stack = interpreter.stack_of(stack.parent);
            all += counts.get(&stack.number).copied().unwrap_or(0);
        }
        (all, std::cmp::Reverse(number))
    };
    counts.keys().copied().max_by_key(weight).unwrap_or(0)
}
