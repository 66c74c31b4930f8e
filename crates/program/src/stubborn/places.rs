//! Before a guard is evaluated: which processes could move alone, by where all of them are.
//!
//! What another process may ever do depends on where it is, and so does whether it meets an edge, or writes what an edge
//! waits for. So for each *place*, a process at a location, there is a set of such *marks*; the places of a state together
//! have the union of these. An edge is
//!
//! ```text
//! good      if it may be taken alone and is not met
//! hopeless  if it is not good, and, unless it can always be taken, others write all that it may wait for:
//!           whether it can be taken or not, its process does not suffice
//! ```
//!
//! A process is a candidate if it has a good edge and no hopeless one. In most states nobody is, and that is all there is to do.
//!
//! Marks are numbered place by place, so that those about a place's edges are some bits in a row. The table is made again
//! when a process comes of which nothing was known; those who use the old one may go on.

use super::cells::Bits;
use super::choose::{Here, MOST, Note};
use super::footprint::{Footprint, Reason, Row};
use super::recall::NOTHING;
use super::{Key, Reduction};
use crate::code::{EdgeCode, GuardCode, OfferCode, WorkCode};
use crate::interp::Interpreter;
use arrayvec::ArrayVec;
use smallvec::SmallVec;

/// A set of marks has at most so many words.
const WORDS: usize = 32;
/// And a table.
const LARGEST: usize = 1 << 17;
/// Most sets have at most so many.
const FEW: usize = 4;
/// A process of which nothing is known.
const NOBODY: u32 = u32::MAX;

/// A process at a location.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The number of its footprint, and its location.
    of: (u32, u32),
    /// The number of its first mark.
    start: u32,
    /// All its marks.
    own: u64,
    /// The marks of edges that may be taken alone: those that are met.
    good: u64,
    /// The same, if there can be one way on.
    lone: u64,
    /// For each edge: it is hopeless if it has all these marks.
    hopeless: Box<[u64]>,
    /// For each edge the mark of its being met, if it has one.
    met: Box<[u64]>,
    /// For each edge the first of its marks about what it waits for, and how many there are.
    waits: Box<[(u8, u8)]>,
    /// Can something else be done there than to end?
    busy: bool,
    /// There would be too many marks: it may be a candidate.
    many: bool,
}

/// A process that could move alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub pid: u32,
    /// Could there be one way on?
    pub lone: bool,
    /// What is known of it: its place, with its marks.
    pub known: Option<(u32, u64)>,
    /// The number of these, where it is remembered what came of them.
    pub case: u32,
}

/// Processes that could move alone, the oldest first.
pub(super) type Candidates = SmallVec<[Candidate; 4]>;

/// Something that others can do to an edge.
enum Mark<'a> {
    /// They meet it.
    Met(&'a Row),
    /// They write what it waits for.
    Written(&'a Bits),
}

/// The places of all processes of which something is known.
#[derive(Debug)]
pub(super) struct Places {
    words: usize,
    /// For each footprint its first place.
    first: Vec<u32>,
    /// For each process and type the same, where its variables tell nothing.
    seats: Vec<u32>,
    types: usize,
    places: Vec<Place>,
    /// For each place the marks that it makes.
    marks: Vec<u64>,
}

impl Places {
    /// The places of these; none if they are too many. The first of them may be known.
    fn new(
        i: &Interpreter,
        footprints: &[&(Key, Footprint)],
        cells: usize,
        known: Option<&Places>,
    ) -> Option<Places> {
        let (mut first, mut places, mut count) = (Vec::new(), Vec::new(), 0);
        for (_, footprint) in footprints {
            first.push(places.len() as u32);
            for l in 0..footprint.busy.len() {
                let (mut place, marks) = Place::new(i, footprint, l, count);
                (place.of, place.busy) = ((footprint.number, l as u32), footprint.busy[l]);
                count += marks.len() as u32;
                places.push((place, marks));
            }
        }
        // The marks of a place are read from two words.
        let words = (count as usize / 64 + 2).max(FEW);
        if words > WORDS || words * places.len() > LARGEST {
            return None;
        }
        let mut all = vec![0; words * places.len()];
        let before = known.map_or(0, |known| known.places.len());
        for (n, (_, one)) in footprints.iter().enumerate() {
            let own = first[n] as usize..first[n] as usize + one.busy.len();
            for l in 0..one.busy.len() {
                let future = one.future(l, 3 * cells);
                let made = &mut all[(own.start + l) * words..][..words];
                // What is known of places that were there before is no other now.
                let mut first = 0;
                if let Some(known) = known.filter(|_| own.start + l < before) {
                    let marks = &known.marks[(own.start + l) * known.words..][..known.words];
                    made[..known.words].copy_from_slice(marks);
                    first = before;
                }
                let others = places.iter().enumerate().skip(first).filter(|(k, _)| !own.contains(k));
                for (k, mark) in others.flat_map(|(_, (place, marks))| (place.start as usize..).zip(marks)) {
                    let is = match mark {
                        Mark::Met(row) => row.met(future),
                        Mark::Written(needs) => needs.0.iter().zip(&future[cells..]).any(|(a, b)| a & b != 0),
                    };
                    made[k / 64] |= u64::from(is) << (k % 64);
                }
            }
        }
        let types = i.types.len();
        let pids = footprints.iter().map(|(key, _)| key.pid as usize + 1).max().unwrap_or(0);
        let mut seats = vec![NOBODY; pids * types];
        for ((key, _), &first) in footprints.iter().zip(&first) {
            if key.values.iter().all(|&v| v == 0) {
                seats[key.pid as usize * types + key.of as usize] = first;
            }
        }
        let places = places.into_iter().map(|(place, _)| place).collect();
        Some(Places { words, first, seats, types, places, marks: all })
    }

    /// The processes that could move alone.
    fn candidates<const N: usize>(&self, here: &[u32]) -> Candidates {
        let mut all = [0; N];
        let words = if N == FEW { N } else { self.words };
        for &place in here {
            let marks = &self.marks[place as usize * words..][..words];
            all.iter_mut().zip(marks).for_each(|(to, marks)| *to |= marks);
        }
        let mut found = Candidates::new();
        let busy = here.iter().filter(|place| self.places[**place as usize].busy);
        if busy.count() < 2 {
            return found;
        }
        for (pid, &number) in here.iter().enumerate() {
            let (pid, place) = (pid as u32, &self.places[number as usize]);
            if place.many {
                found.push(Candidate { pid, lone: true, known: None, case: NOTHING });
            }
            if place.good == 0 {
                continue;
            }
            let (word, bit) = (place.start as usize / 64, place.start % 64);
            let marks = (all[word] >> bit | (all[word + 1] << 1) << (63 - bit)) & place.own;
            if place.good & !marks != 0 && !place.hopeless.iter().any(|all| marks & all == *all) {
                let lone = place.lone & !marks != 0;
                found.push(Candidate { pid, lone, known: Some((number, marks)), case: NOTHING });
            }
        }
        found
    }
}

impl Place {
    /// The place of a process at a location, whose marks are numbered from `start`, and these.
    fn new<'a>(i: &Interpreter, footprint: &'a Footprint, l: usize, start: u32) -> (Place, Vec<Mark<'a>>) {
        let nobody = || (Place { start, ..Place::default() }, Vec::new());
        if !footprint.promising[l] {
            return nobody();
        }
        let code = &i.types[footprint.of.index()];
        let (lo, hi) = code.ranges[l];
        let edges = &code.edges[lo as usize..hi as usize];
        let hides = edges.iter().any(|e| e.rank > 0);
        let (mut place, mut marks, mut always) = (Place { start, ..Place::default() }, Vec::new(), 0);
        let (mut hopeless, mut met, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for edge in edges {
            let row = &footprint.rows[edge.number as usize];
            let is_always = !hides && is_always(&edge.work);
            always += u32::from(is_always);
            let first = marks.len();
            // One that meets others is met whether it can be taken or not.
            let meets = row.may_be_alone || !row.partners.is_empty();
            marks.extend(meets.then_some(Mark::Met(row)));
            let second = marks.len();
            if !is_always {
                marks.extend(waits(edge, row).map(Mark::Written));
            }
            if marks.len() > 63 {
                return (Place { start, many: true, ..Place::default() }, Vec::new());
            }
            let good = u64::from(row.may_be_alone) << first;
            place.good |= good;
            place.lone |= if row.closes { 0 } else { good };
            let enough = if row.partners.is_empty() { marks.len() } else { second };
            hopeless.push((1 << enough) - (1 << first));
            met.push(u64::from(meets) << first);
            waiting.push((second as u8, (marks.len() - second) as u8));
            if is_always && row.closes {
                always = 2;
            }
        }
        if hopeless.contains(&0) {
            return nobody();
        }
        place.own = (1 << marks.len()) - 1;
        if always > 1 {
            place.lone = 0;
        }
        (place.hopeless, place.met, place.waits) = (hopeless.into(), met.into(), waiting.into());
        (place, marks)
    }
}

/// Can it be taken in every state in which nothing hides it, whatever it does then?
fn is_always(work: &WorkCode) -> bool {
    let WorkCode::Action(action) = work else { return false };
    matches!((&action.guard, &action.offer), (GuardCode::Always, OfferCode::None)) && !action.exits
}

/// What an edge that cannot be taken may wait for: one of these, we do not know which. In the order of [`Row::set`].
fn waits<'a>(edge: &EdgeCode, row: &'a Row) -> impl Iterator<Item = &'a Bits> {
    let only_guard = match &edge.work {
        WorkCode::Action(a) => {
            matches!((&a.guard, &a.offer), (GuardCode::When(_), OfferCode::None)) && !a.exits
        }
        WorkCode::Block(..) => false,
    };
    (0..row.parts.len() + if only_guard { 0 } else { Reason::ALL }).map(|n| row.set(n))
}

/// Looks at the edges of a process at a place with these marks.
pub(super) struct Marked<'a> {
    place: &'a Place,
    marks: u64,
    /// Is one that can be taken met?
    met: bool,
    /// Edges that cannot be taken, as bits, and those of them for which one of the sets that they wait for is left alone.
    waiting: u64,
    free: u64,
}

impl Marked<'_> {
    /// Does nobody interfere?
    pub fn suffices(&self) -> bool {
        !self.met && self.waiting & !self.free == 0
    }
}

impl<'a> Note<'a> for Marked<'_> {
    #[inline]
    fn wants(&mut self, edge: usize, _: &'a Row) -> bool {
        debug_assert!(self.place.met[edge] != 0, "there is a mark for it");
        self.met |= self.marks & self.place.met[edge] != 0;
        !self.met
    }

    #[inline]
    fn waits(&mut self, edge: usize, _: &'a Row, set: usize) -> bool {
        let (first, count) = self.place.waits[edge];
        debug_assert!(set < count.into(), "there is a mark for it");
        let is_free = set < count.into() && self.marks >> (usize::from(first) + set) & 1 == 0;
        self.waiting |= 1 << edge;
        self.free |= u64::from(is_free) << edge;
        !is_free
    }

    #[inline]
    fn is_opened(&self, edge: usize) -> bool {
        self.free >> edge & 1 == 0
    }
}

impl Reduction {
    /// What is needed to look at the edges of a process at a place with these marks.
    #[inline]
    pub(super) fn marked(&self, (place, marks): (u32, u64)) -> Option<(Here<'_>, Marked<'_>)> {
        let place = self.last_places()?.as_ref()?.places.get(place as usize)?;
        let here = (&self.footprints[place.of.0 as usize].1, place.of.1 as usize);
        Some((here, Marked { place, marks, met: false, waiting: 0, free: 0 }))
    }

    /// The processes that could move alone, by where all are.
    pub(super) fn computed(&self, i: &Interpreter, s: &[u32]) -> Candidates {
        let processes = &i.shape(s).processes;
        let mut here = ArrayVec::<u32, MOST>::new();
        loop {
            let places = match self.last_places() {
                Some(Some(places)) => places,
                Some(None) => {
                    let all = 0..processes.len() as u32;
                    return all
                        .map(|pid| Candidate { pid, lone: true, known: None, case: NOTHING })
                        .collect();
                }
                None => {
                    self.learn_places(i, 0);
                    continue;
                }
            };
            let mut unknown = false;
            here.clear();
            for (pid, &(of, base)) in processes.iter().enumerate() {
                let location = i.at(s, of, base);
                let seat = places.seats.get(pid * places.types + of as usize);
                let first = match seat {
                    Some(&first)
                        if first != NOBODY && !self.telling[of as usize].tells[location as usize] =>
                    {
                        first
                    }
                    _ => {
                        let number = self.footprint(s, (pid as u32, of, base), location).number;
                        let first = places.first.get(number as usize);
                        unknown |= first.is_none();
                        first.copied().unwrap_or(0)
                    }
                };
                here.push(first + location);
            }
            if !unknown {
                return match places.words {
                    FEW => places.candidates::<FEW>(&here),
                    _ => places.candidates::<WORDS>(&here),
                };
            }
            self.learn_places(i, places.first.len());
        }
    }

    #[inline]
    fn last_places(&self) -> Option<&Option<Places>> {
        self.places.count().checked_sub(1).and_then(|n| self.places.get(n))
    }

    /// Makes the table again, unless another thread did since it had so many footprints.
    fn learn_places(&self, i: &Interpreter, had: usize) {
        let numbers = self.numbers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let has =
            self.last_places().map(|last| last.as_ref().map_or(usize::MAX, |places| places.first.len()));
        if has.is_some_and(|has| has > had || has == usize::MAX) {
            return;
        }
        let all: Vec<&(Key, Footprint)> = (0..numbers.len()).map(|n| &self.footprints[n]).collect();
        let known = self.last_places().and_then(Option::as_ref);
        self.places.push(Places::new(i, &all, self.cells.words(), known));
    }
}
