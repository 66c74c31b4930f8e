//! What processes tell each other at once, in the middle of a round: that one has to stop, and how far they are.

use crate::mesh::Mesh;
use crate::note::{STOPS, position};
use riata_system::{Counters, Stop};
use std::time::{Duration, Instant};

const STOP: u32 = 1;
const PROGRESS: u32 = 2;
/// How often a process tells how far it is.
const OFTEN: Duration = Duration::from_millis(300);

/// What was heard.
pub struct Signals {
    /// States and transitions of each process.
    heard: Vec<[u64; 2]>,
    /// Why some process has to stop.
    asked: Option<Stop>,
    /// Was everybody told that this one has to?
    told: bool,
    next: Instant,
}

impl Signals {
    /// Nothing yet.
    pub fn new(processes: usize) -> Signals {
        Signals { heard: vec![[0; 2]; processes], asked: None, told: false, next: Instant::now() + OFTEN }
    }

    /// Takes what was told, and tells how far this process is if it is time.
    ///
    /// # Errors
    /// If some process has to stop.
    pub fn heed(&mut self, mesh: &mut Mesh, own: &Counters) -> Result<(), Stop> {
        for (from, words) in mesh.told() {
            match words[..] {
                [STOP, why, ..] => self.asked = STOPS.get(why as usize).copied().or(Some(Stop::Lost)),
                [PROGRESS, a, b, c, d, ..] if from < self.heard.len() => {
                    self.heard[from] = [u64::from(a) | u64::from(b) << 32, u64::from(c) | u64::from(d) << 32];
                }
                _ => {}
            }
        }
        if mesh.me() > 0 && Instant::now() >= self.next {
            self.next = Instant::now() + OFTEN;
            let words = |n: u64| [n as u32, (n >> 32) as u32];
            let ([a, b], [c, d]) = (words(own.states), words(own.transitions));
            mesh.tell(0, &[PROGRESS, a, b, c, d]);
        }
        self.asked.map_or(Ok(()), Err)
    }

    /// Tells everybody, once, that this process has to stop.
    pub fn stop(&mut self, mesh: &mut Mesh, why: Stop) {
        if !std::mem::replace(&mut self.told, true) {
            let others = (0..mesh.processes()).filter(|&p| p != mesh.me());
            others.collect::<Vec<_>>().into_iter().for_each(|p| mesh.tell(p, &[STOP, position(why)]));
        }
    }

    /// The counters of this process with those of the others, as far as they were told.
    pub fn total(&self, own: Counters) -> Counters {
        let [states, transitions] = [0, 1].map(|i| self.heard.iter().map(|h| h[i]).sum::<u64>());
        Counters { states: own.states + states, transitions: own.transitions + transitions, ..own }
    }
}
