//! A system with its reachable states, ready for questions. What is asked is given as sets of states; what is answered is
//! a lasso of sets with one member. A front end turns the one into the other.

use crate::Space;
use crate::algorithms::{Algorithm, Strength};
use crate::bdd::{Bdd, Var};
use crate::ctl::{Arena, Checker, Id};
use crate::engine::Counters;
use crate::fsm::{Fairness, Fsm};
use crate::graph::Symbolic;
use crate::ltl::{self, Outcome};
use crate::relation::Shape;
use crate::tableau;
use crate::witness::{Lasso, path};
use riata_automata::{Tgba, strength};
use riata_ltl::Ltl;
use riata_system::Stop;
use std::cell::RefCell;

/// A system made ready.
pub struct Prepared<'b, B: Bdd> {
    /// The system.
    pub fsm: Fsm<'b, B>,
    /// The reachable states and the steps between them.
    pub graph: Symbolic<'b, B>,
    /// Levels of the search for reachable states.
    pub levels: usize,
    /// Is there a reachable state without a successor?
    pub deadlock: bool,
    shape: Shape,
    /// The states with a fair path, once a question needed them.
    fair: RefCell<Option<B::F>>,
}

/// What was found out about an invariant or a formula of CTL.
pub struct Decided<F> {
    /// Does it hold in all initial states?
    pub holds: bool,
    /// Are there initial states in which it does not hold, and does it hold only because they have no fair path?
    pub unfair: bool,
    /// A run that shows that it does not; without a cycle if its states alone do.
    pub lasso: Option<Lasso<F>>,
    /// What was counted.
    pub counters: Counters,
    /// The algorithm for fair cycles.
    pub algorithm: Algorithm,
    /// Why it was chosen, if it was not asked for.
    pub why: Option<&'static str>,
}

/// A formula of LTL that a run is to satisfy.
pub struct Wanted<'q, F> {
    /// The formula.
    pub formula: &'q Ltl,
    /// Its automaton; none if the tableau takes its place ([`Method`](crate::method::Method)).
    pub automaton: Option<&'q Tgba>,
    /// Where the propositions hold: by their places in the automaton, or by their numbers in the formula.
    pub atoms: &'q [F],
    /// Bits for the product: at least [`bits_of`](crate::method::bits_of) pairs.
    pub fresh: &'q [(Var, Var)],
}

impl<'b, B: Bdd> Prepared<'b, B> {
    /// Finds the reachable states. If the relation is `total`, every state has a successor.
    pub fn new(fsm: Fsm<'b, B>, shape: Shape, total: bool) -> Result<Self, Stop> {
        let mut this = Prepared::unexplored(fsm, shape)?;
        this.levels = this.graph.restrict_to_reachable(&this.fsm.init)?;
        this.deadlock = !total && this.graph.pre(&this.graph.universe)? != this.graph.universe;
        Ok(this)
    }

    /// Searches nothing.
    pub fn unexplored(fsm: Fsm<'b, B>, shape: Shape) -> Result<Self, Stop> {
        let graph = fsm.graph(shape)?;
        Ok(Prepared { fsm, graph, shape, levels: 0, deadlock: false, fair: RefCell::default() })
    }

    /// Are there no initial states?
    pub fn is_empty(&self) -> bool {
        self.fsm.init == self.graph.none()
    }

    /// The algorithm that was asked for, or the one that is chosen, and why.
    pub(crate) fn chosen(&self, algorithm: Option<Algorithm>) -> (Algorithm, Option<&'static str>) {
        let (chosen, why) = Algorithm::choose(Strength::General, self.fsm.justice.len());
        algorithm.map_or((chosen, Some(why)), |a| (a, None))
    }

    /// Are all reachable states `good`?
    pub fn invariant(&self, good: &B::F) -> Result<Decided<B::F>, Stop> {
        let mut e = self.graph.engine();
        let bad = e.minus(&self.graph.universe, good)?;
        let holds = e.is_empty(&bad);
        // A run that ends in a violation; fairness plays no role.
        let way = if holds { None } else { path(&mut e, &self.fsm.init, &bad, &self.graph.universe)? };
        Ok(Decided {
            holds,
            unfair: false,
            lasso: way.map(|stem| Lasso { stem, cycle: Vec::new() }),
            counters: e.counters,
            algorithm: Algorithm::El,
            why: Some("an invariant: reachability alone decides"),
        })
    }

    /// Does a formula of CTL hold in the initial states?
    pub fn ctl(
        &self,
        arena: &Arena<B::F>,
        root: Id,
        algorithm: Option<Algorithm>,
    ) -> Result<Decided<B::F>, Stop> {
        let (algorithm, why) = self.chosen(algorithm);
        let mut e = self.graph.engine();
        let mut checker = self.checker(algorithm)?;
        checker.evaluate(&mut e, arena)?;
        let mut bad = e.minus(&self.fsm.init, checker.of(root))?;
        let mut unfair = false;
        if !e.is_empty(&bad) && !arena.fails_only_fairly(root) {
            // As NuSMV has it, initial states without a fair path do not count, unless there are no others.
            let fair = checker.fair(&mut e)?;
            let fair_bad = e.and(&bad, &fair)?;
            if e.is_empty(&fair_bad) && !e.is_empty(&e.and(&self.fsm.init, &fair)?) {
                (bad, unfair) = (fair_bad, true);
            }
        }
        let holds = e.is_empty(&bad);
        let counters = e.counters.clone();
        let lasso = if holds { None } else { checker.explain(&mut e, arena, &self.fsm.init, root)? };
        if let Some(fair) = checker.known_fair() {
            *self.fair.borrow_mut() = Some(fair.clone());
        }
        Ok(Decided { holds, unfair, lasso, counters, algorithm, why })
    }

    /// A checker of CTL.
    pub(crate) fn checker(&self, algorithm: Algorithm) -> Result<Checker<'_, B>, Stop> {
        let fairness = Fairness::new(&self.fsm, &self.graph, algorithm)?;
        // Without fairness every path is fair, and where there is no deadlock every state has one.
        let trivial = self.fsm.justice.is_empty() && self.fsm.compassion.is_empty() && !self.deadlock;
        let known = if trivial { Some(self.graph.universe.clone()) } else { self.fair.borrow().clone() };
        Ok(match known {
            Some(fair) => Checker::with(fairness, fair),
            None => Checker::new(fairness),
        })
    }

    /// Looks for a fair run that satisfies a formula of LTL.
    pub fn ltl(&self, wanted: &Wanted<B::F>, algorithm: Option<Algorithm>) -> Result<Outcome<'b, B>, Stop> {
        let (fsm, reached, shape) = (&self.fsm, &self.graph.universe, self.shape);
        let Wanted { formula, automaton, atoms, fresh } = *wanted;
        match automaton {
            Some(tgba) => {
                let (automaton, endless) = ((tgba, strength::of_property(tgba)), !self.deadlock);
                ltl::Search { fsm, reached, endless, automaton, atoms, fresh, algorithm, shape }.run()
            }
            None => tableau::Search { fsm, reached, formula, atoms, fresh, algorithm, shape }.run(),
        }
    }
}
