//! From the events of a search to what it knew at each moment.

use riata_automata::Marks;
use riata_system::Counters;
use riata_system::watch::{Event, Procedure};

/// An entry of *Roots*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The `dfsnum` of its state.
    pub dfsnum: u32,
    /// The marks inside its component.
    pub inside: Marks,
}

/// A search at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The colour of each state.
    pub colours: Vec<u8>,
    /// The members of each set.
    pub sets: [Vec<bool>; 2],
    /// The number of each state: `dfsnum`, or `lowlink`.
    pub numbers: Vec<u32>,
    /// Which states are no longer current.
    pub removed: Vec<bool>,
    /// What is known of the marks of each state.
    pub marks: Vec<Marks>,
    /// Which states have been called.
    pub called: Vec<bool>,
    /// The states of the calls, of the outer procedure and of the inner one.
    pub calls: [Vec<u32>; 2],
    /// *Current*, or *Active*.
    pub current: Vec<u32>,
    /// *Roots*.
    pub roots: Vec<Root>,
    /// The counters so far; those of memory stay empty.
    pub counters: Counters,
    /// Does the outer call on top go through its successors once more?
    pub again: bool,
}

impl Replay {
    /// Before the first event, in a graph of `n` states.
    pub fn new(n: usize) -> Replay {
        Replay {
            colours: vec![0; n],
            sets: [vec![false; n], vec![false; n]],
            numbers: vec![0; n],
            removed: vec![false; n],
            marks: vec![Marks::NONE; n],
            called: vec![false; n],
            ..Replay::default()
        }
    }

    /// The procedure that runs.
    pub fn procedure(&self) -> Procedure {
        if self.calls[1].is_empty() { Procedure::Outer } else { Procedure::Inner }
    }

    /// The state of the call that runs.
    pub fn top(&self) -> Option<u32> {
        self.calls[1].last().or(self.calls[0].last()).copied()
    }

    /// One event later.
    pub fn apply(&mut self, event: Event) {
        let c = &mut self.counters;
        match event {
            Event::Initial(_) => {}
            Event::Call(p, s) => {
                self.calls[p as usize].push(s);
                c.post_calls += 1;
                c.states += u64::from(!std::mem::replace(&mut self.called[s as usize], true));
                c.max_depth = c.max_depth.max(self.calls.iter().map(|calls| calls.len() as u64).sum());
                self.again = false;
            }
            Event::Edge(..) => c.transitions += 1,
            Event::Again(_) => {
                c.post_calls += 1;
                self.again = true;
            }
            Event::Return(p) => {
                self.calls[p as usize].pop();
                self.again &= p == Procedure::Inner;
            }
            Event::Colour(s, colour) => self.colours[s as usize] = colour,
            Event::Insert(set, s) => self.sets[set][s as usize] = true,
            Event::Number(s, n) => self.numbers[s as usize] = n,
            Event::Current(s) => {
                self.current.push(s);
                c.max_active = c.max_active.max(self.current.len() as u64);
            }
            Event::Removed(s) => {
                self.removed[s as usize] = true;
                self.current.pop_if(|top| *top == s);
            }
            Event::Root(dfsnum) => {
                self.roots.push(Root { dfsnum, inside: Marks::NONE });
                c.max_roots = c.max_roots.max(self.roots.len() as u64);
            }
            Event::Merged(left, inside) => {
                self.roots.truncate(left);
                if let Some(top) = self.roots.last_mut() {
                    top.inside = inside;
                }
            }
            Event::Unroot => {
                self.roots.pop();
            }
            Event::Marks(s, marks) => self.marks[s as usize] = marks,
        }
    }
}
