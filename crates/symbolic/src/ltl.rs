//! Runs of a system that satisfy a formula: by the automaton of the formula, or by its tableau.

use crate::algorithms::{Algorithm, Strength};
use crate::bdd::{Bdd, Var};
use crate::engine::Counters;
use crate::fsm::{Fairness, Fsm};
use crate::graph::Symbolic;
use crate::product::product;
use crate::relation::Shape;
use crate::witness::Lasso;
use riata_automata::Tgba;
use riata_system::Stop;

/// What is looked for, and how.
pub struct Search<'s, 'b, B: Bdd> {
    /// The system.
    pub fsm: &'s Fsm<'b, B>,
    /// Its reachable states.
    pub reached: &'s B::F,
    /// Has every reachable state a successor?
    pub endless: bool,
    /// The automaton, and its strength.
    pub automaton: (&'s Tgba, riata_automata::Strength),
    /// Where its propositions hold.
    pub atoms: &'s [B::F],
    /// Bits for its states and acceptance sets: at least [`bits_of`](crate::product::bits_of) pairs.
    pub fresh: &'s [(Var, Var)],
    /// The algorithm; none leaves the choice to the engine.
    pub algorithm: Option<Algorithm>,
    /// The shape of the relation.
    pub shape: Shape,
}

/// What a search tells.
pub struct Outcome<'b, B: Bdd> {
    /// A run that the automaton accepts.
    pub lasso: Option<Lasso<B::F>>,
    /// The product as a system.
    pub fsm: Fsm<'b, B>,
    /// The graph of the product; its bits are those of the system, of the automaton's state and of its acceptance sets.
    pub graph: Symbolic<'b, B>,
    /// What was counted.
    pub counters: Counters,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Why it was chosen, if it was not asked for.
    pub why: Option<&'static str>,
    /// The strength of the product.
    pub strength: Strength,
}

impl<'b, B: Bdd> Search<'_, 'b, B> {
    /// The product, and the graph of its reachable states.
    pub fn product(&self) -> Result<(Fsm<'b, B>, Symbolic<'b, B>), Stop> {
        let fsm = product(self.fsm, self.automaton.0, self.atoms, self.fresh)?;
        let mut graph = fsm.graph(self.shape)?;
        // Only reachable states of the system matter.
        graph.universe = self.reached.clone();
        graph.restrict_to_reachable(&fsm.init)?;
        Ok((fsm, graph))
    }

    /// Looks for a run.
    pub fn run(&self) -> Result<Outcome<'b, B>, Stop> {
        let (automaton, strength) = self.automaton;
        let (fsm, graph) = self.product()?;
        let own_fairness = !self.fsm.justice.is_empty() || !self.fsm.compassion.is_empty();
        let strength = match strength {
            _ if own_fairness => Strength::General,
            // Without acceptance sets no state is marked as the last that matters: a run must be seen to go on.
            riata_automata::Strength::Terminal if self.endless && automaton.sets > 0 => Strength::Terminal,
            riata_automata::Strength::Terminal | riata_automata::Strength::Weak => Strength::Weak,
            riata_automata::Strength::General => Strength::General,
        };
        decide(fsm, graph, strength, self.algorithm)
    }
}

/// Looks for a fair path of a product, whose graph has its reachable states only.
pub(crate) fn decide<'b, B: Bdd>(
    fsm: Fsm<'b, B>,
    graph: Symbolic<'b, B>,
    strength: Strength,
    algorithm: Option<Algorithm>,
) -> Result<Outcome<'b, B>, Stop> {
    let (chosen, why) = Algorithm::choose(strength, fsm.justice.len());
    let (algorithm, why) = algorithm.map_or((chosen, Some(why)), |a| (a, None));
    let (lasso, counters) = {
        let fairness = Fairness::new(&fsm, &graph, algorithm)?;
        let mut e = graph.engine();
        let fair = fairness.fair_states(&mut e, &graph.universe, strength)?;
        let counters = e.counters.clone();
        if e.is_empty(&e.and(&fair, &fsm.init)?) {
            (None, counters)
        } else {
            let Some(lasso) = fairness.lasso(&mut e, &fsm.init, &fair)? else {
                panic!("internal error: a fair path without a lasso")
            };
            (Some(lasso), counters)
        }
    };
    Ok(Outcome { lasso, fsm, graph, counters, algorithm, why, strength })
}
