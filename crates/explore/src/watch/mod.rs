//! A search with somebody who watches: the same code, on a graph and with a store that listen.
//!
//! [`Watched`] is a graph whose searches tell what they do, [`Listening`] a store whose colours and sets do. Both write to
//! one [`Log`]. The searches know nothing of it: for every other graph and store [`Graph::watch`] is empty. It is for
//! graphs that are written down, and so compiled for those only.
//!
//! [`Replay`] is the way back: from the events to colours, numbers, stacks and counters at any moment. [`Script`] knows
//! which line of a paper's text an event is.

mod replay;
mod script;

pub use replay::{Replay, Root};
pub use script::{Script, Which};

use crate::choice::{Algorithm, Refused};
use crate::scc::{self, Components};
use riata_automata::{Marks, Strength, Tgba};
use riata_store::{BitSet, Colour, Colours, ForNumbered, Full, Numbered, Packed, Palette, StateSet, Store};
use riata_system::watch::Event;
use riata_system::{Choice, Explicit, ForStateMarked, Graph, Run, StateMarked, Stop, Verdict};
use std::cell::RefCell;

/// What was told, in order.
#[derive(Debug, Default)]
pub struct Log(RefCell<Vec<Event>>);

impl Log {
    fn tell(&self, event: Event) {
        let mut events = self.0.borrow_mut();
        let mut at = events.len();
        if let Event::Call(_, s) = event {
            // The searches by components count a state and push it before its call is on the stack; their papers call
            // first.
            let entry = |e: &Event| {
                matches!(e, Event::Number(t, _) | Event::Current(t) if *t == s) || matches!(e, Event::Root(_))
            };
            while at > 0 && entry(&events[at - 1]) {
                at -= 1;
            }
        }
        events.insert(at, event);
    }

    /// The events.
    pub fn events(self) -> Vec<Event> {
        self.0.into_inner()
    }
}

/// Runs a check on an automaton that is written down, and tells what it did.
///
/// A check that needs one acceptance set needs an automaton that has it, on states.
///
/// # Errors
/// If the check is not for such an automaton.
pub fn check(
    algorithm: Algorithm,
    (automaton, strength): (&Tgba, Strength),
    run: &mut Run,
) -> Result<(Verdict, Vec<Event>), Refused> {
    let log = Log::default();
    let graph = Explicit::with_strength(automaton, strength);
    let verdict = crate::check(algorithm, &Watched { graph: &graph, log: &log }, &mut Listening(&log), run)?;
    let mut events = log.events();
    if let Verdict::Accepting(_) = verdict {
        // The lasso was replayed from the initial states.
        let end = events.iter().rposition(|e| !matches!(e, Event::Initial(_))).map_or(0, |i| i + 1);
        events.truncate(end);
    }
    Ok((verdict, events))
}

/// Decomposes an automaton by Tarjan's algorithm, or else by SE05's, and tells what was done.
///
/// # Errors
/// If a limit was reached.
pub fn components(tarjan: bool, automaton: &Tgba, run: &mut Run) -> Result<(Components, Vec<Event>), Stop> {
    let log = Log::default();
    let explicit = Explicit::new(automaton);
    let graph = Watched { graph: &explicit, log: &log };
    let found = match tarjan {
        true => scc::tarjan(&graph, &mut Listening(&log), run)?,
        false => scc::se05(&graph, &mut Listening(&log), run)?,
    };
    let mut events = log.events();
    // Tarjan's decomposition goes through the edges once more, from the initial states, for those between components.
    let mut initial = (0..events.len()).filter(|&i| matches!(events[i], Event::Initial(_)));
    let end = initial.nth(automaton.initial.len()).unwrap_or(events.len());
    events.truncate(end);
    Ok((found, events))
}

/// A graph whose searches are watched.
pub struct Watched<'a, G> {
    /// The graph.
    pub graph: &'a G,
    /// Who is told.
    pub log: &'a Log,
}

impl<G: Graph> Graph for Watched<'_, G> {
    type Cursor = G::Cursor;

    fn words(&self) -> usize {
        self.graph.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s)
    }
    fn all(&self) -> Marks {
        self.graph.all()
    }
    fn initial(&self, at: &mut G::Cursor, dst: &mut [u32]) -> bool {
        let found = self.graph.initial(at, dst);
        if found {
            self.log.tell(Event::Initial(dst[0]));
        }
        found
    }
    fn next(&self, src: &[u32], at: &mut G::Cursor, dst: &mut [u32]) -> Option<Marks> {
        self.graph.next(src, at, dst)
    }
    fn choice(&self, at: &G::Cursor) -> Choice {
        self.graph.choice(at)
    }
    fn watch(&self, event: impl FnOnce() -> Event) {
        self.log.tell(event());
    }
    fn strength(&self) -> Strength {
        self.graph.strength()
    }

    const FOR_ONE_SET: bool = G::FOR_ONE_SET;

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        self.graph.if_state_marked(Through { log: self.log, work }).map_err(|through| through.work)
    }
}

impl<G: StateMarked> StateMarked for Watched<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        self.graph.marks(s)
    }
}

/// Work on a graph that is watched, once the graph beneath has its marks on states.
struct Through<'a, W> {
    log: &'a Log,
    work: W,
}

impl<W: ForStateMarked> ForStateMarked for Through<'_, W> {
    type Output = W::Output;

    fn with<G: StateMarked>(self, g: &G) -> W::Output {
        self.work.with(&Watched { graph: g, log: self.log })
    }
}

/// The store of a search that is watched: a state is its number, and its colours and sets tell of their changes.
pub struct Listening<'a>(pub &'a Log);

/// Colours that tell.
pub struct ToldColours<'a> {
    colours: Packed,
    log: &'a Log,
}

/// A set that tells.
pub struct ToldSet<'a> {
    set: BitSet,
    number: usize,
    log: &'a Log,
}

impl<'a> Store for Listening<'a> {
    type Id = u32;
    type Set = ToldSet<'a>;
    type Colours = ToldColours<'a>;

    fn is_exact(&self) -> bool {
        true
    }
    fn intern(&mut self, s: &[u32]) -> Result<u32, Full> {
        Ok(s[0])
    }
    fn bytes(&self) -> usize {
        0
    }
    fn sets<const N: usize>(&self) -> [ToldSet<'a>; N] {
        std::array::from_fn(|number| ToldSet { set: BitSet::default(), number, log: self.0 })
    }
    fn colours(&self, palette: Palette) -> ToldColours<'a> {
        ToldColours { colours: Packed::new(palette), log: self.0 }
    }
    fn if_numbered<W: ForNumbered>(&mut self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl Numbered for Listening<'_> {
    fn find(&self, s: &[u32]) -> Option<u32> {
        Some(s[0])
    }
}

impl Colours<u32> for ToldColours<'_> {
    fn get(&self, id: u32) -> Colour {
        self.colours.get(id)
    }
    fn set(&mut self, id: u32, colour: Colour) {
        self.colours.set(id, colour);
        self.log.tell(Event::Colour(id, colour as u8));
    }
    fn bytes(&self) -> usize {
        self.colours.bytes()
    }
}

impl StateSet<u32> for ToldSet<'_> {
    fn contains(&self, id: u32) -> bool {
        self.set.contains(id)
    }
    fn insert(&mut self, id: u32) {
        self.set.insert(id);
        self.log.tell(Event::Insert(self.number, id));
    }
    fn bytes(&self) -> usize {
        self.set.bytes()
    }
}
