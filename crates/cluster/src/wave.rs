//! Waves: every process expands some of its states, and the owners of their successors hear of it, in one round.

use crate::mesh::{Lost, Mesh};
use crate::note::{STOPS, position};
use crate::portable::{Portable, owner};
use crate::signal::Signals;
use riata_automata::Marks;
use riata_store::Recall;
use riata_system::{Graph, Run, Stop};

/// So many states are expanded before what has come is looked at.
const BLOCK: usize = 64;

/// A graph whose states are all in the stores of the processes.
pub struct Waves<'w, 'r, G, R> {
    /// The graph.
    pub graph: &'w G,
    /// Its states, for others.
    pub portable: &'w dyn Portable,
    /// The own states.
    pub store: &'w R,
    /// The processes.
    pub mesh: &'w mut Mesh,
    /// Limits and counters.
    pub run: &'w mut Run<'r>,
    /// What is told in the middle of a round.
    pub signals: Signals,
}

impl<G: Graph, R: Recall> Waves<'_, '_, G, R> {
    /// Expands the own states `todo`; `each` hears of every own state that some process's edge leads to, if the marks of the edge
    /// contain `wanted`. Tells how many states all processes expanded.
    pub fn wave(&mut self, todo: &[u32], wanted: Marks, each: &mut dyn FnMut(u32)) -> Result<u64, Stop> {
        let expanded = self.expand(todo, wanted, each);
        if let Err(stop) = expanded {
            self.signals.stop(self.mesh, stop);
        }
        let n = todo.len() as u64;
        let notes = self.exchange(n, expanded.err(), each)?;
        Ok(notes.iter().sum())
    }

    /// The sum of a number over all processes.
    pub fn sum(&mut self, own: u64) -> Result<u64, Stop> {
        Ok(self.exchange(own, None, &mut |_| ())?.iter().sum())
    }

    fn expand(&mut self, todo: &[u32], wanted: Marks, each: &mut dyn FnMut(u32)) -> Result<(), Stop> {
        let (mut state, mut slot, mut words) = (Vec::new(), vec![0; self.graph.words()], Vec::new());
        for block in todo.chunks(BLOCK) {
            for &id in block {
                self.store.load(id, &mut state);
                let mut at = G::Cursor::default();
                while let Some(marks) = self.graph.next(&state, &mut at, &mut slot) {
                    self.run.transition();
                    if marks.contains(wanted) {
                        self.pass_on(&slot[..self.graph.len(&slot)], &mut words, each)?;
                    }
                }
            }
            self.mesh.step().map_err(|Lost| Stop::Lost)?;
            self.absorb(each)?;
            self.signals.heed(self.mesh, &self.run.counters)?;
            let (store, signals) = (self.store, &self.signals);
            self.run.breathe_among(0, || store.bytes(), |own| signals.total(own))?;
        }
        Ok(())
    }

    /// Tells the owner of a state.
    fn pass_on(&mut self, t: &[u32], words: &mut Vec<u32>, each: &mut dyn FnMut(u32)) -> Result<(), Stop> {
        if self.mesh.processes() > 1 {
            self.portable.export(t, words);
            let whose = owner(words, self.mesh.processes());
            if whose != self.mesh.me() {
                self.mesh.send(whose, words);
                return Ok(());
            }
        }
        // All states were found before.
        each(self.store.find(t).ok_or(Stop::Lost)?);
        Ok(())
    }

    fn absorb(&mut self, each: &mut dyn FnMut(u32)) -> Result<(), Stop> {
        let mut state = Vec::new();
        for parcel in self.mesh.received() {
            for record in parcel.records() {
                let known = self.portable.import(record, &mut state).then(|| self.store.find(&state));
                each(known.flatten().ok_or(Stop::Lost)?);
            }
        }
        Ok(())
    }

    /// Ends a round, in which every process tells a number, or why it has to stop.
    fn exchange(
        &mut self,
        own: u64,
        mut stop: Option<Stop>,
        each: &mut dyn FnMut(u32),
    ) -> Result<Vec<u64>, Stop> {
        let why = stop.map_or(0, |s| 1 + position(s));
        self.mesh.close(&[own as u32, (own >> 32) as u32, why]);
        loop {
            let over = self.mesh.wait().map_err(|Lost| Stop::Lost)?;
            stop = stop.or(self.absorb(each).err());
            if over {
                break;
            }
            let _ = self.signals.heed(self.mesh, &self.run.counters);
            let (store, signals) = (self.store, &self.signals);
            if let Err(now) = self.run.wait_among(0, || store.bytes(), |own| signals.total(own)) {
                self.signals.stop(self.mesh, now);
            }
        }
        let mut numbers = Vec::new();
        for note in self.mesh.notes() {
            let [low, high, why] = note[..] else { return Err(Stop::Lost) };
            if why > 0 {
                stop = stop.or(STOPS.get(why as usize - 1).copied()).or(Some(Stop::Lost));
            }
            numbers.push(u64::from(low) | u64::from(high) << 32);
        }
        stop.map_or(Ok(numbers), Err)
    }
}
