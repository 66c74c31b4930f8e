//! From what a search found to a verdict.

use riata_store::{Full, Store};
use riata_system::{Doing, Graph, Lasso, Project, Run, Stop, Verdict, replay};

/// How a search ends: with a lasso, without one, or not at all.
pub(crate) type Found = Result<Option<Lasso>, Stop>;

/// A full store as the reason to stop.
pub fn full(f: Full) -> Stop {
    match f {
        Full::Memory => Stop::Memory,
        Full::Identities => Stop::States,
    }
}

/// The identity of a state.
#[inline]
pub(crate) fn intern<S: Store>(store: &mut S, s: &[u32], run: &Run) -> Result<S::Id, Stop> {
    run.doing(Doing::Store);
    let id = store.intern(s).map_err(full);
    run.doing(Doing::Search);
    id
}

/// The verdict: a lasso is replayed, and a lossy store never says «empty».
///
/// # Panics
/// If a lasso that was found with an exact store is no accepting run: that is a bug, and no verdict is better than a
/// wrong one.
pub(crate) fn conclude<G: Graph>(g: &G, exact: bool, found: Found) -> Verdict {
    match found {
        Err(stop) => Verdict::Inconclusive(stop),
        Ok(None) if exact => Verdict::Empty,
        Ok(None) => Verdict::Inconclusive(Stop::Lossy),
        Ok(Some(lasso)) => match replay(g, &lasso) {
            Ok(choices) => Verdict::Accepting(Lasso { choices, ..lasso }),
            Err(_) if !exact => Verdict::Inconclusive(Stop::Unconfirmed),
            Err(e) => panic!("internal error: the lasso cannot be replayed: {e}"),
        },
    }
}

/// Keeps the largest depth.
#[inline]
pub(crate) fn deepen(run: &mut Run, depth: usize) {
    run.counters.max_depth = run.counters.max_depth.max(depth as u64);
}

/// The verdict on a graph `g` that was checked through a graph `above` it: its lasso is projected, and replayed on `g`.
///
/// # Panics
/// If the projected lasso is no accepting run of `g`: that is a bug.
pub fn lowered<G: Graph, P: Project>(g: &G, above: &P, verdict: Verdict) -> Verdict {
    let Verdict::Accepting(lasso) = verdict else { return verdict };
    let lasso = above.project(&lasso);
    match replay(g, &lasso) {
        Ok(choices) => Verdict::Accepting(Lasso { choices, ..lasso }),
        Err(e) => panic!("internal error: the lasso of the degeneralised graph cannot be replayed: {e}"),
    }
}
