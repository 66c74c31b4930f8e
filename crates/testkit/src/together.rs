//! The checks by several threads, in the suite that every check inherits: the definition's verdict, and a lasso that can
//! be replayed, for any number of threads.

use crate::shaken::Shaken;
use crate::{Case, oracle};
use riata_explore::{Algorithm, cndfs, lowered, ufscc};
use riata_store::shared;
use riata_system::{
    Counters, Degeneralised, DegeneralisedStates, Explicit, Graph, Limits, OnStates, Run, StateMarked,
    Verdict, replay,
};

/// How a check is run.
#[derive(Clone, Copy, Debug)]
pub struct Together {
    /// The check.
    pub algorithm: Algorithm,
    /// The threads.
    pub threads: usize,
    /// Of so many steps one is a pause: see [`Shaken`].
    pub rarely: u64,
    /// With the tree store, instead of the exact one?
    pub tree: bool,
}

const ROOM: usize = 1 << 28;

impl Together {
    fn on_states<G: StateMarked + Sync>(&self, g: &G, run: &mut Run) -> Verdict {
        let (shaken, n) = (Shaken::new(g, self.rarely), g.words());
        match self.tree {
            true => cndfs::check(&shaken, &shared::Tree::new(ROOM, n, n), self.threads, run),
            false => cndfs::check(&shaken, &shared::Exact::new(ROOM, n, n), self.threads, run),
        }
    }

    fn on_edges<G: Graph + Sync>(&self, g: &G, run: &mut Run) -> Verdict {
        let (shaken, n) = (Shaken::new(g, self.rarely), g.words());
        match self.tree {
            true => ufscc::check(&shaken, &shared::Tree::new(ROOM, n, n), self.threads, run),
            false => ufscc::check(&shaken, &shared::Exact::new(ROOM, n, n), self.threads, run),
        }
    }

    /// The verdict on an automaton, and what was counted.
    pub fn run(&self, case: &Case) -> (Verdict, Counters) {
        let automaton = case.automaton();
        let g = Explicit::new(&automaton);
        let mut run = Run::new(Limits::default());
        let verdict = match OnStates::new(g) {
            _ if self.algorithm == Algorithm::Ufscc => self.on_edges(&g, &mut run),
            Some(g) if case.sets <= 1 => self.on_states(&g, &mut run),
            Some(g) => {
                let d = DegeneralisedStates::new(&g);
                lowered(&g, &d, self.on_states(&d, &mut run))
            }
            None => {
                let d = Degeneralised::new(&g);
                lowered(&g, &d, self.on_states(&d, &mut run))
            }
        };
        (verdict, run.counters)
    }

    /// Runs it and compares it with the definition.
    ///
    /// # Errors
    /// What is wrong.
    pub fn agrees(&self, case: &Case) -> Result<(), String> {
        let (verdict, counters) = self.run(case);
        let nonempty = oracle::nonempty(case);
        let automaton = case.automaton();
        match verdict {
            Verdict::Empty if !nonempty => {
                let reachable = oracle::reachable(case).iter().filter(|&&r| r).count() as u64;
                let same = self.algorithm == Algorithm::Cndfs || counters.states == reachable;
                if same {
                    Ok(())
                } else {
                    Err(format!("{self:?}: {} of {reachable} states", counters.states))
                }
            }
            Verdict::Accepting(lasso) if nonempty => {
                replay(&Explicit::new(&automaton), &lasso).map_err(|e| format!("{self:?}: {e}"))?;
                let early = lasso.stem.iter().any(|s| s == lasso.cycle.get(0));
                if early { Err(format!("{self:?}: the stem meets the cycle early")) } else { Ok(()) }
            }
            verdict => Err(format!("{self:?} says {verdict:?}, nonempty is {nonempty}")),
        }
    }
}
