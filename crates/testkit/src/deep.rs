//! Systems of any size that are known by a formula: a chain, a ring, a ring with an accepting state.

use riata_automata::Marks;
use riata_explore::{Algorithm, check};
use riata_store::{Exact, Store};
use riata_system::{Choice, ForStateMarked, Graph, Limits, Run, StateMarked, Strength, Verdict};
use std::time::Instant;

/// Which system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 0 → 1 → … → n − 1.
    Chain,
    /// The chain closed to one component, without an accepting state.
    Ring,
    /// The ring with one accepting state in the middle.
    AcceptingRing,
}

/// The system.
pub struct Deep {
    /// Its shape.
    pub shape: Shape,
    /// How many states.
    pub states: u32,
}

impl Graph for Deep {
    /// How many successors were told.
    type Cursor = u32;

    fn words(&self) -> usize {
        1
    }

    fn all(&self) -> Marks {
        Marks::one(0)
    }

    fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
        dst[0] = 0;
        *at += 1;
        *at == 1
    }

    fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<Marks> {
        let end = self.shape == Shape::Chain && src[0] + 1 == self.states;
        *at += 1;
        if end || *at > 1 {
            return None;
        }
        dst[0] = (src[0] + 1) % self.states;
        Some(self.marks(src))
    }

    fn choice(&self, at: &u32) -> Choice {
        Choice(at - 1)
    }

    fn strength(&self) -> Strength {
        // Without an accepting edge nothing contradicts the strongest class.
        if self.shape == Shape::AcceptingRing { Strength::General } else { Strength::Terminal }
    }

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        Ok(work.with(self))
    }
}

impl StateMarked for Deep {
    fn marks(&self, s: &[u32]) -> Marks {
        let accepts = self.shape == Shape::AcceptingRing && s[0] == self.states / 2;
        if accepts { Marks::one(0) } else { Marks::NONE }
    }
}

/// What one check did.
pub struct Row {
    /// The check.
    pub algorithm: Algorithm,
    /// Its answer.
    pub empty: bool,
    /// States entered.
    pub states: u64,
    /// All bytes held at the end over the states entered: store, stacks and per-state data.
    pub bytes_per_state: f64,
    /// Those of the store alone.
    pub store_bytes_per_state: f64,
    /// Wall-clock seconds, the replay of a lasso included.
    pub seconds: f64,
}

/// Every check that applies, with the exact store.
pub fn check_all(shape: Shape, states: u32) -> impl Iterator<Item = Row> {
    let g = Deep { shape, states };
    let strength = g.strength();
    let applies = move |a: &Algorithm| a.refuses(strength, true).is_none();
    Algorithm::ALL.into_iter().filter(applies).map(move |algorithm| {
        let mut run = Run::new(Limits::default());
        let mut store = Exact::new(usize::MAX);
        let start = Instant::now();
        let verdict = check(algorithm, &g, &mut store, &mut run).expect("the check applies");
        let c = run.counters;
        Row {
            algorithm,
            empty: verdict == Verdict::Empty,
            states: c.states,
            bytes_per_state: c.bytes as f64 / c.states as f64,
            store_bytes_per_state: store.bytes() as f64 / c.states as f64,
            seconds: start.elapsed().as_secs_f64(),
        }
    })
}
