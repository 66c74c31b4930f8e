//! The product of a program and an automaton, as the interpreter sees it, and the search of its cycles.
//!
//! ```text
//! search all states of the product; if a run fails, and that is looked for: it is found
//! number the edges of those states that the interpreter expanded, for the device
//! S := what OWCTY leaves over; if nothing is: there is no accepting run
//! find a cycle inside S, by the interpreter; the stem leads to its first state by number
//! ```

use crate::device::{Device, IN, ToldEdges};
use crate::owcty::owcty;
use crate::plan::Plan;
use crate::search::{Aim, Found, Place, Search, Wrong};
use crate::space::{Notes, Space};
use riata_automata::Marks;
use riata_explore::inside::Inside;
use riata_explore::{Algorithm, check, full};
use riata_program::Interpreter;
use riata_store::{Exact, Store};
use riata_system::{FAILED, Graph, Lasso, Limits, Path, Run, Stop, Strength, System, Verdict};

/// A product, whose states are those of the program, and one more word.
pub struct Beneath<'a, G> {
    interpreter: &'a Interpreter,
    graph: &'a G,
}

impl<G: Graph> Beneath<'_, G> {
    /// Tells the edges of a state; the state behind is none if the run fails there.
    fn edges(&self, s: &[u32], mut tell: impl FnMut(Marks, Option<&[u32]>, &[u32])) {
        let (mut at, mut slot) = (G::Cursor::default(), vec![0; self.graph.words()]);
        while let Some(marks) = self.graph.next(s, &mut at, &mut slot) {
            let to = &slot[..self.graph.len(&slot)];
            let fails = to.last() == Some(&FAILED) || self.interpreter.is_fault(to);
            tell(marks, (!fails).then_some(to), to);
        }
    }
}

impl<G: Graph> Space for Beneath<'_, G> {
    fn initial(&self) -> Vec<Vec<u32>> {
        let (mut at, mut slot) = (G::Cursor::default(), vec![0; self.graph.words()]);
        let mut all = Vec::new();
        while self.graph.initial(&mut at, &mut slot) {
            all.push(slot[..self.graph.len(&slot)].to_vec());
        }
        all
    }

    fn cut(&self, s: &mut Vec<u32>) {
        if let Some(q) = s.pop() {
            s.truncate(self.interpreter.len(s));
            s.push(q);
        }
    }

    fn expand(
        &mut self,
        (s, level): (&[u32], usize),
        (found, notes): (&mut Found, &mut Notes),
        tell: &mut dyn FnMut(&[u32]),
    ) {
        self.edges(s, |_, known, to| {
            notes.transitions += 1;
            match known {
                Some(to) => tell(to),
                None if self.accepts(to) => {
                    found.violation.get_or_insert_with(|| Place { level, state: s.to_vec(), fault: true });
                }
                None => {}
            }
        });
    }

    fn leads(&self, s: &[u32], target: &[u32]) -> bool {
        let mut leads = false;
        self.edges(s, |_, _, to| leads |= to == target);
        leads
    }

    /// The state that fails, if it is another one, and the one in which every run is accepting.
    fn failure(&self, s: &[u32], path: &mut Path) {
        let mut bad = None;
        self.edges(s, |_, known, to| {
            if known.is_none() && bad.is_none() && self.accepts(to) {
                bad = Some(to.to_vec());
            }
        });
        let Some(mut bad) = bad else { return };
        if bad.last() != Some(&FAILED) {
            path.push(&bad);
            bad.pop();
            bad.push(FAILED);
        }
        path.push(&bad);
    }
}

impl<G: Graph> Beneath<'_, G> {
    /// Is a run accepted that has failed in this state?
    fn accepts(&self, s: &[u32]) -> bool {
        let mut slot = vec![0; self.graph.words()];
        self.graph.next(s, &mut G::Cursor::default(), &mut slot).is_some()
    }
}

/// A search of the cycles of a product.
pub struct Cycles<'a, D, G> {
    search: Search<'a, D, Beneath<'a, G>>,
    graph: &'a G,
    limits: Limits<'a>,
}

/// So many states come from the device at a time.
const PIECE: u64 = 1 << 20;

impl<'a, D: Device, G: Graph> Cycles<'a, D, G> {
    /// A search that has not begun: in the product of the interpreter's program with the automaton of the plan. The memory of
    /// `on_device` is that of the device, and `limits` are those of the interpreter.
    pub fn new(
        (interpreter, graph): (&'a Interpreter, &'a G),
        plan: &'a Plan<'a>,
        device: D,
        (on_device, limits): (Limits<'a>, Limits<'a>),
    ) -> Self {
        let space = Beneath { interpreter, graph };
        Cycles { search: Search::of(space, plan, device, on_device), graph, limits }
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.search.device
    }

    /// Is there an accepting run?
    pub fn run(&mut self) -> Result<(Verdict, Found), Wrong> {
        // A run that fails is enough.
        let found = self.search.run(Aim { violation: true, deadlock: false }, |_| ())?;
        if let Some(place) = &found.violation {
            return Ok((self.failure(place)?, found));
        }
        if let Some(stop) = found.stopped {
            return Ok((Verdict::Inconclusive(stop), found));
        }
        // Numbers in lists are of 32 bits.
        if found.states >= u64::from(u32::MAX) {
            return Ok((Verdict::Inconclusive(Stop::Memory), found));
        }
        let edges = self.told_edges()?;
        self.search.device.sets(found.states, &edges)?;
        let all = self.graph.all();
        let weak = self.graph.strength() <= Strength::Weak;
        let left = match owcty(&mut self.search, all, weak)? {
            Err(stop) => return Ok((Verdict::Inconclusive(stop), found)),
            Ok(0) => return Ok((Verdict::Empty, found)),
            Ok(left) => left,
        };
        let verdict = match self.lasso(found.states, left)? {
            Ok(lasso) => Verdict::Accepting(lasso),
            Err(stop) => Verdict::Inconclusive(stop),
        };
        Ok((verdict, found))
    }

    /// The run that fails.
    fn failure(&mut self, place: &Place) -> Result<Verdict, Wrong> {
        let Some(path) = self.search.path(place)? else {
            return Ok(Verdict::Inconclusive(Stop::Unconfirmed));
        };
        let end = path.len() - 1;
        let (stem, cycle) = (path.iter().take(end).collect(), path.iter().skip(end).collect());
        Ok(Verdict::Accepting(Lasso { stem, cycle, marks: vec![self.graph.all()], choices: Vec::new() }))
    }

    /// The edges of the states that the interpreter expanded.
    fn told_edges(&mut self) -> Result<ToldEdges, Wrong> {
        let packed = self.search.plan.packing.packed;
        let keys = self.search.asked.concat();
        let numbers = self.search.device.find(&keys)?;
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&i| numbers[i]);
        let mut edges = ToldEdges { first: vec![0], ..ToldEdges::default() };
        let mut targets = Vec::new();
        for i in order {
            let s = self.search.unpacked(&keys[i * packed..(i + 1) * packed]);
            let mut known = Vec::new();
            self.search.space.edges(&s, |marks, to, _| known.extend(to.map(|to| (marks, to.to_vec()))));
            for (marks, to) in known {
                self.search.pack(&to, &mut targets)?;
                edges.marks.push(marks.0);
            }
            edges.from.push(numbers[i]);
            edges.first.push(edges.marks.len() as u64);
        }
        edges.to = self.search.device.find(&targets)?;
        Ok(edges)
    }

    /// A lasso through the states that are left, so many of all.
    fn lasso(&mut self, states: u64, left: u64) -> Result<Result<Lasso, Stop>, Wrong> {
        let room = self.limits.memory.unwrap_or(usize::MAX);
        let mut inside = Exact::new(room);
        let packed = self.search.plan.packing.packed;
        let mut taken = 0;
        for lo in (0..states).step_by(PIECE as usize) {
            if let Some(stop) = self.search.stops() {
                return Ok(Err(stop));
            }
            let (keys, marks) = self.search.device.members(lo, states.min(lo + PIECE))?;
            for (key, _) in keys.chunks(packed).zip(&marks).filter(|(_, mark)| *mark & IN != 0) {
                if let Err(stop) = inside.intern(&self.search.unpacked(key)).map_err(full) {
                    return Ok(Err(stop));
                }
                taken += 1;
            }
        }
        debug_assert_eq!(taken, left);
        let within = Inside { graph: self.graph, states: &inside };
        let mut run = Run::new(self.limits);
        let lasso = match check(Algorithm::Couvreur99, &within, &mut Exact::new(room), &mut run) {
            Ok(Verdict::Accepting(lasso)) => lasso,
            Ok(Verdict::Inconclusive(stop)) => return Ok(Err(stop)),
            // There is one, if states are left.
            _ => return Ok(Err(Stop::Unconfirmed)),
        };
        self.entered(&lasso).map(|lasso| lasso.ok_or(Stop::Unconfirmed))
    }

    /// The cycle of a lasso, entered at its state that was found first, by a shortest path.
    fn entered(&mut self, lasso: &Lasso) -> Result<Option<Lasso>, Wrong> {
        let mut keys = Vec::new();
        for s in lasso.cycle.iter() {
            self.search.pack(s, &mut keys)?;
        }
        let numbers = self.search.device.find(&keys)?;
        let Some((entry, &number)) = numbers.iter().enumerate().min_by_key(|(_, n)| **n) else {
            return Ok(None);
        };
        let level = self.search.levels.partition_point(|&(lo, _)| lo <= number) - 1;
        let place = Place { level, state: lasso.cycle.get(entry).to_vec(), fault: false };
        let Some(path) = self.search.path(&place)? else { return Ok(None) };
        let turned = || (entry..lasso.cycle.len()).chain(0..entry);
        let lasso = Lasso {
            stem: path.iter().take(level).collect(),
            cycle: turned().map(|i| lasso.cycle.get(i)).collect(),
            marks: turned().map(|i| lasso.marks[i]).collect(),
            choices: Vec::new(),
        };
        Ok(Some(lasso.shortened()))
    }
}
