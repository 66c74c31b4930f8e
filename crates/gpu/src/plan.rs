//! What of a program the device is told: which processes there are, where everything is, and what is refused.
//!
//! The processes of a state are a stack of types. Text is made for one stack, and those below it: if processes are
//! created after the start, the stack that most of the first states lead to. States with other processes are expanded by
//! the interpreter, as everything that the text does not know.

use crate::beside::Beside;
use crate::pack::{Packing, Sample};
use riata_program::native::{Listing, Stack};
use riata_program::{Condensed, Interpreter};
use riata_system::{Successors, System};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

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
    /// An automaton has a state with so many edges, or so many propositions.
    Automaton(usize, usize),
    /// An automaton has a proposition that the program does not know.
    Proposition(String),
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
            Refused::Claim => {
                write!(f, "a never claim with variables of its own is run by the interpreter alone")
            }
            Refused::Automaton(edges, propositions) => write!(
                f,
                "the automaton has up to {edges} edges at a state and {propositions} propositions, and 64 are the most"
            ),
            Refused::Proposition(name) => write!(f, "the program has no proposition `{name}`"),
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
    /// The automaton beside it.
    pub(crate) beside: Option<&'a Beside<'a>>,
    /// How states are packed.
    pub packing: Packing,
    /// Were widths guessed?
    pub guessed: bool,
    /// If the steps have more characters, they are written with one code for all processes of a type.
    pub long: usize,
}

/// The most characters of steps that are written for each process.
const LONG: usize = 10_000;
/// So many states are looked at to see which processes there are.
const LOOK: usize = 10_000;
/// The bits of a stack's number where others may come.
const ROOM: u32 = 12;

impl<'a> Plan<'a> {
    /// What the device is told of the program of an interpreter. Either the widths of variables are guessed, or each has
    /// that of its type.
    pub fn new(interpreter: &'a Interpreter, guess: bool) -> Result<Plan<'a>, Refused> {
        Plan::with(interpreter, None, guess)
    }

    /// The same of the product with an automaton.
    pub fn product(
        interpreter: &'a Interpreter,
        beside: &'a Beside<'a>,
        guess: bool,
    ) -> Result<Plan<'a>, Refused> {
        Plan::with(interpreter, Some(beside), guess)
    }

    fn with(
        interpreter: &'a Interpreter,
        beside: Option<&'a Beside<'a>>,
        guess: bool,
    ) -> Result<Plan<'a>, Refused> {
        let listing = interpreter.listing().ok_or(Refused::Scheduling)?;
        if interpreter.program().claim.is_some() {
            return Err(Refused::Claim);
        }
        let mut first = vec![0; interpreter.words()];
        interpreter.initial(&mut Default::default(), &mut first);
        let grows = listing.frames.grows;
        let looked = Looked::at(interpreter, &first[..interpreter.len(&first)]);
        let last = if grows { looked.usual(interpreter) } else { interpreter.stack(&first).number };
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
        let head = if grows { bits.max(ROOM) } else { bits };
        let sample = Sample { first: &looked.first, varying: &looked.varying };
        let packing =
            Packing::new(listing.frames, &top, (head, beside.map(Beside::bits)), guess.then_some(sample))?;
        let start = listing.frames.channels.len();
        let owner = |i: usize| {
            let created = (1..stacks.len()).find(|&n| stacks[n].channels.len() > i);
            if i < start { None } else { created.map(|n| n as u32 - 1) }
        };
        let doors = (top.channels.iter().enumerate())
            .map(|(i, &(kind, at))| Door { kind, at, owner: owner(i) })
            .collect();
        Ok(Plan { listing, stacks, doors, beside, packing, guessed: guess, long: LONG })
    }

    /// The processes of a type.
    pub(crate) fn pids(&self, of: usize) -> impl Iterator<Item = usize> + use<'a> {
        let processes = self.processes();
        (0..processes.len()).filter(move |&n| processes[n].0 as usize == of)
    }

    /// How many words a process of a type has, without those of its channels.
    pub(crate) fn own_words(&self, of: usize) -> u32 {
        let frame = &self.listing.frames.types[of];
        frame.channels.first().map_or(frame.words, |&(_, at)| at)
    }

    /// The processes: type and first word of the frame.
    pub(crate) fn processes(&self) -> &'a [(u32, u32)] {
        self.stacks[self.stacks.len() - 1].processes
    }
}

/// What some thousand states have: the first ones, and those of a random walk.
struct Looked {
    /// How often each stack occurs.
    counts: HashMap<u32, usize>,
    first: Vec<u32>,
    /// The bits in which some differ from the first.
    varying: Vec<u32>,
}

/// So many steps a random walk has.
const STEPS: u64 = 30_000;
/// Nor is it looked any longer than this: the steps of a program may have many thousand rounds. Who has seen less guesses worse,
/// and no more.
const PATIENCE: Duration = Duration::from_millis(500);

impl Looked {
    fn at(interpreter: &Interpreter, first: &[u32]) -> Looked {
        let system = Condensed::new(interpreter);
        let mut looked =
            Looked { counts: HashMap::new(), first: first.to_vec(), varying: vec![0; first.len()] };
        let mut seen = HashSet::from([first.to_vec()]);
        let mut todo = VecDeque::from([first.to_vec()]);
        let mut out = Successors::default();
        let start = Instant::now();
        while let Some(s) = todo.pop_front() {
            if start.elapsed() > PATIENCE {
                return looked;
            }
            if !looked.take(interpreter, &s) {
                continue;
            }
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
        if seen.len() < LOOK {
            // That was all.
            return looked;
        }
        let mut s = first.to_vec();
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..STEPS {
            if start.elapsed() > PATIENCE {
                break;
            }
            out.clear();
            system.expand(&s, &mut Default::default(), &mut out);
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let next = (!out.is_empty()).then(|| out.get((random >> 33) as usize % out.len()).0.to_vec());
            s = next.filter(|s| looked.take(interpreter, s)).unwrap_or_else(|| first.to_vec());
        }
        looked
    }

    /// Takes a state into account, if it is not the fault state.
    fn take(&mut self, interpreter: &Interpreter, s: &[u32]) -> bool {
        if interpreter.is_fault(s) {
            return false;
        }
        *self.counts.entry(interpreter.stack(s).number).or_default() += 1;
        self.varying.resize(self.varying.len().max(s.len()), 0);
        for (i, all) in self.varying.iter_mut().enumerate() {
            let word = |s: &[u32]| s.get(i).copied().unwrap_or(0);
            *all |= word(s) ^ word(&self.first);
        }
        true
    }

    /// The stack that most of them have, or lie below.
    fn usual(&self, interpreter: &Interpreter) -> u32 {
        let count = |number| self.counts.get(&number).copied().unwrap_or(0);
        // Of itself and of all below it.
        let weight = |&number: &u32| {
            let mut stack = interpreter.stack_of(number);
            let mut all = count(number);
            while !stack.processes.is_empty() {
                stack = interpreter.stack_of(stack.parent);
                all += count(stack.number);
            }
            (all, std::cmp::Reverse(number))
        };
        self.counts.keys().copied().max_by_key(weight).unwrap_or(0)
    }
}
