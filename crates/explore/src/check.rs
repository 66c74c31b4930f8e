//! Any check on any graph with any store: the one place where the choice of an algorithm becomes a call.
//!
//! What does not fit together is refused, and it is not compiled either: a graph and a store are asked for what a check
//! needs ([`Graph::if_state_marked`], [`Store::if_numbered`]), and only those that have it lead on.

use crate::choice::{Algorithm, Refused};
use crate::{and, ascc, cndfs, couvreur99, cvwy92, gmz04, gv04, hpy96, reach, sd, se05};
use crate::{tarjan72, tau03, ufscc};
use riata_store::shared::Kept;
use riata_store::{ForNumbered, Numbered, Store};
use riata_system::{ForStateMarked, ForStateMarkedAmong, Graph, Run, StateMarked, Verdict};

/// Runs a check: has `g` an accepting run?
pub fn check<G: Graph, S: Store>(
    algorithm: Algorithm,
    g: &G,
    store: &mut S,
    run: &mut Run,
) -> Result<Verdict, Refused> {
    // Whether the store fits is asked below.
    if let Some(refused) = algorithm.refuses(g.strength(), true) {
        return Err(refused);
    }
    if algorithm.needs_shared() {
        return Err(Refused::Threads { check: algorithm });
    }
    if algorithm.needs_one_set() {
        if g.all().len() > 1 {
            return Err(Refused::Acceptance { check: algorithm });
        }
        let with_one_set = OneSet { algorithm, store, run };
        return g.if_state_marked(with_one_set).unwrap_or(Err(Refused::Acceptance { check: algorithm }));
    }
    if G::FOR_ONE_SET {
        return Err(Refused::View { check: algorithm });
    }
    match algorithm {
        Algorithm::Sd => Ok(sd::check(g, store, run)),
        Algorithm::Reach => Ok(reach::check(g, store, run)),
        _ => {
            let with_numbers = Components { algorithm, g, run };
            store.if_numbered(with_numbers).unwrap_or(Err(Refused::Store { check: algorithm }))
        }
    }
}

/// Runs a check by several threads: has `g` an accepting run?
///
/// # Panics
/// If a worker does.
pub fn check_shared<G: Graph + Sync, S: Kept>(
    algorithm: Algorithm,
    g: &G,
    store: &S,
    threads: usize,
    run: &mut Run,
) -> Result<Verdict, Refused> {
    if let Some(refused) = algorithm.refuses(g.strength(), true) {
        return Err(refused);
    }
    match algorithm {
        Algorithm::Cndfs if g.all().len() > 1 => Err(Refused::Acceptance { check: algorithm }),
        Algorithm::Cndfs => g
            .if_state_marked_among(Cndfs { store, threads, run })
            .map_err(|_| Refused::Acceptance { check: algorithm }),
        Algorithm::Ufscc if G::FOR_ONE_SET => Err(Refused::View { check: algorithm }),
        Algorithm::Ufscc => Ok(ufscc::check(g, store, threads, run)),
        check => Err(Refused::Threads { check }),
    }
}

/// [`cndfs`], once there is a graph that has its marks on states.
struct Cndfs<'a, 'r, S> {
    store: &'a S,
    threads: usize,
    run: &'a mut Run<'r>,
}

impl<S: Kept> ForStateMarkedAmong for Cndfs<'_, '_, S> {
    type Output = Verdict;

    fn with<G: StateMarked + Sync>(self, g: &G) -> Verdict {
        cndfs::check(g, self.store, self.threads, self.run)
    }
}

/// The checks that need one set on states, once there is a graph that has its marks there.
struct OneSet<'a, 'r, S> {
    algorithm: Algorithm,
    store: &'a mut S,
    run: &'a mut Run<'r>,
}

impl<S: Store> ForStateMarked for OneSet<'_, '_, S> {
    type Output = Result<Verdict, Refused>;

    fn with<G: StateMarked>(self, g: &G) -> Self::Output {
        let OneSet { algorithm, store, run } = self;
        match algorithm {
            Algorithm::Cvwy92 => Ok(cvwy92::check(g, store, run)),
            Algorithm::Hpy96 => Ok(hpy96::check(g, store, run)),
            Algorithm::Gmz04 => Ok(gmz04::check(g, store, run)),
            Algorithm::Se05 => Ok(se05::check(g, store, run)),
            Algorithm::And => Ok(and::check(g, store, run)),
            Algorithm::Gv04 => {
                store.if_numbered(Gv04 { g, run }).map_err(|_| Refused::Store { check: algorithm })
            }
            check => Err(Refused::View { check }),
        }
    }
}

/// [`gv04`], which needs both.
struct Gv04<'a, 'r, G> {
    g: &'a G,
    run: &'a mut Run<'r>,
}

impl<G: StateMarked> ForNumbered for Gv04<'_, '_, G> {
    type Output = Verdict;

    fn with<S: Numbered>(self, store: &mut S) -> Verdict {
        gv04::check(self.g, store, self.run)
    }
}

/// The checks by components, and Tauriainen's, once there is a store with numbers.
struct Components<'a, 'r, G> {
    algorithm: Algorithm,
    g: &'a G,
    run: &'a mut Run<'r>,
}

impl<G: Graph> ForNumbered for Components<'_, '_, G> {
    type Output = Result<Verdict, Refused>;

    fn with<S: Numbered>(self, store: &mut S) -> Self::Output {
        let Components { algorithm, g, run } = self;
        match algorithm {
            Algorithm::Tarjan72 => Ok(tarjan72::check(g, store, run)),
            Algorithm::Couvreur99 => Ok(couvreur99::check(g, store, run)),
            Algorithm::Ascc => Ok(ascc::check(g, store, run)),
            Algorithm::Tau03 => Ok(tau03::check(g, store, run)),
            check => Err(Refused::Acceptance { check }),
        }
    }
}
