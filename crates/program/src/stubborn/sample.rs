//! Is it worth it? The states of a few random walks are samples.

use super::Reduction;
use crate::condense::Condensed;
use crate::interp::Interpreter;
use riata_system::{Successors, System as _};

/// So many walks of so many steps are samples: what happens near the start is most of many a state space.
const WALKS: u32 = 32;
const STEPS: u32 = 50;
/// But no more once so many successors were seen.
const SUCCESSORS: usize = 20_000;

impl Reduction {
    /// How many of a hundred steps are taken, by samples: the states of random walks, always the same.
    pub fn taken(&self, i: &Interpreter) -> u32 {
        let system = Condensed::new(i);
        let (mut taken, mut seen) = (0, 0);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut all = Successors::default();
        for _ in 0..WALKS {
            let mut s = vec![0; system.words()];
            system.initial(&mut Default::default(), &mut s);
            s.truncate(system.len(&s));
            for _ in 0..STEPS {
                system.post(&s, &mut all);
                if all.is_empty() || seen > SUCCESSORS {
                    break;
                }
                if all.len() > 1 {
                    let chosen = self.choose(i, &s);
                    let mover = |n: usize| Interpreter::movers(all.get(n).1).0;
                    let is_taken = |n: &usize| chosen == 0 || chosen >> mover(*n) & 1 == 1;
                    taken += (0..all.len()).filter(is_taken).count();
                    seen += all.len();
                }
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                s.clear();
                s.extend_from_slice(all.get(random as usize % all.len()).0);
            }
        }
        (100 * taken / seen.max(1)) as u32
    }

    /// Does without the question what others may do before a process moves.
    pub fn looks_no_further(&mut self) {
        self.looks_ahead = false;
    }
}
