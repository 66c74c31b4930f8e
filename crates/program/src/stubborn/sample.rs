//! Is it worth it? The states of a few random walks are samples.

use super::Reduction;
use crate::condense::Condensed;
use crate::interp::Interpreter;
use riata_system::{Successors, System as _};

/// So many walks of so many steps are samples: what happens near the start is most of many a state space.
const WALKS: u32 = 32;
const STEPS: u32 = 50;
/// After so many it is asked whether it is clear.
const FEW: u32 = 8;
/// But no more once so many successors were seen.
const SUCCESSORS: usize = 20_000;

/// What is left out on random walks, always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// In so many of a hundred states with several steps some step is left out.
    pub reduced: u32,
    /// So many of a hundred steps are taken.
    pub taken: u32,
}

impl Reduction {
    /// What is left out in the states of random walks, of fewer if what these say is clear.
    pub fn sample(&self, i: &Interpreter, is_clear: impl Fn(Sample) -> bool) -> Sample {
        let of_hundred = |n: usize, all: usize| (100 * n / all.max(1)) as u32;
        let system = Condensed::new(i);
        let (mut states, mut reduced, mut taken, mut seen) = (0, 0, 0, 0);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut all = Successors::default();
        for walk in 0..WALKS {
            if walk > 0
                && walk % FEW == 0
                && is_clear(Sample { reduced: of_hundred(reduced, states), taken: of_hundred(taken, seen) })
            {
                break;
            }
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
                    let some = (0..all.len()).filter(is_taken).count();
                    states += 1;
                    reduced += usize::from(some < all.len());
                    taken += some;
                    seen += all.len();
                }
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                s.clear();
                s.extend_from_slice(all.get(random as usize % all.len()).0);
            }
        }
        // What was looked at says nothing of how many states will be.
        i.cool();
        Sample { reduced: of_hundred(reduced, states), taken: of_hundred(taken, seen) }
    }

    /// Does without the question what others may do before a process moves.
    pub fn looks_no_further(&mut self) {
        self.looks_ahead = false;
    }
}
