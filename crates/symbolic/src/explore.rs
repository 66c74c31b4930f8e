//! The reachable states of a system: how many, how far away, which of them have no successor, which begin a fair path.
//!
//! Bits of *memory*, which only remember what the last step did for fairness, are forgotten after each step, so that states
//! and levels are those of the model itself.

use crate::Space;
use crate::algorithms::{Algorithm, Strength};
use crate::bdd::{Bdd, Var};
use crate::fsm::Fairness;
use crate::prepared::Prepared;
use crate::witness::path;
use riata_system::Stop;

/// What was found. If the search was stopped, the numbers tell what was found until then.
#[derive(Clone, Debug)]
pub struct Explored<W> {
    /// Why the search was not finished.
    pub stopped: Option<Stop>,
    /// Reachable states.
    pub states: f64,
    /// Initial states.
    pub initial: f64,
    /// Levels of a breadth-first search; the initial states are the first.
    pub levels: usize,
    /// Pairs of a reachable state and a successor, if they could be counted cheaply.
    pub transitions: Option<f64>,
    /// Reachable states without a successor, if it was found out.
    pub deadlocks: Option<f64>,
    /// A shortest way to one of them.
    pub way: Option<W>,
    /// Reachable states in which a fair path begins, if the model has fairness and it was found out.
    pub fair: Option<f64>,
    /// Nodes of the diagram of the reachable states.
    pub nodes: usize,
    /// The largest number of nodes alive, without those that only counting transitions needed.
    pub peak: usize,
}

impl<W> Default for Explored<W> {
    fn default() -> Self {
        Explored {
            stopped: None,
            states: 0.0,
            initial: 0.0,
            levels: 0,
            transitions: None,
            deadlocks: None,
            way: None,
            fair: None,
            nodes: 0,
            peak: 0,
        }
    }
}

impl<W> Explored<W> {
    /// The same with the way told otherwise.
    pub fn map<V, E>(self, told: impl FnOnce(W) -> Result<V, E>) -> Result<Explored<V>, E> {
        let Explored { stopped, states, initial, levels, transitions, deadlocks, way, fair, nodes, peak } =
            self;
        let way = way.map(told).transpose()?;
        Ok(Explored { stopped, states, initial, levels, transitions, deadlocks, way, fair, nodes, peak })
    }
}

/// Nodes of a relation beyond which its steps are not counted.
const CHEAP: usize = 20_000;

impl<B: Bdd> Prepared<'_, B> {
    /// Explores a system whose states are not known yet, level by level. If the relation is `total`, every state has a
    /// successor.
    pub fn explore(&mut self, memory: &[(Var, Var)], total: bool) -> Explored<Vec<B::F>> {
        let mut found = Explored::default();
        if let Err(stop) = self.levels(memory, total, &mut found) {
            found.stopped = Some(stop);
        }
        if found.peak == 0 {
            found.peak = self.graph.bdd.peak_live();
        }
        found
    }

    fn levels(
        &mut self,
        memory: &[(Var, Var)],
        total: bool,
        found: &mut Explored<Vec<B::F>>,
    ) -> Result<(), Stop> {
        let own = (self.graph.vars.current.len() - memory.len()) as u32;
        let now: Vec<Var> = memory.iter().map(|(now, _)| *now).collect();
        let forgotten = self.graph.bdd.cube(&now)?;
        let init = self.graph.bdd.exists(&self.fsm.init, &forgotten)?;
        let bdd = self.graph.bdd;
        found.initial = bdd.count(&init, own);
        let (mut reached, mut frontier) = (init.clone(), init);
        while frontier != self.graph.none() {
            found.levels += 1;
            found.states = bdd.count(&reached, own);
            found.nodes = self.graph.size(&reached);
            bdd.settle()?;
            // Anything between the frontier and all that is reached will do; the smaller diagram is taken.
            let from = if found.nodes < self.graph.size(&frontier) { &reached } else { &frontier };
            let after = bdd.exists(&self.graph.post(from)?, &forgotten)?;
            frontier = self.graph.minus(&after, &reached)?;
            reached = self.graph.or(&reached, &frontier)?;
        }
        if reached == self.graph.none() {
            found.deadlocks = Some(0.0);
            found.transitions = Some(0.0);
            return Ok(());
        }
        self.graph.universe = reached;
        let universe = self.graph.universe.clone();
        self.graph.relation.simplify(bdd, &universe)?;
        found.deadlocks = Some(0.0);
        if !total {
            found.deadlocks = None;
            let live = self.graph.pre(&universe)?;
            let dead = self.graph.minus(&universe, &live)?;
            found.deadlocks = Some(bdd.count(&dead, own));
            self.deadlock = dead != self.graph.none();
            if self.deadlock {
                found.way = path(&mut self.graph.engine(), &self.fsm.init, &dead, &universe)?;
            }
        }
        if !self.fsm.justice.is_empty() || !self.fsm.compassion.is_empty() {
            let (algorithm, _) = Algorithm::choose(Strength::General, self.fsm.justice.len());
            let fairness = Fairness::new(&self.fsm, &self.graph, algorithm)?;
            let mut e = self.graph.engine();
            // Whether a fair path begins in a state does not depend on what is remembered there.
            let fair = fairness.fair_states(&mut e, &universe, Strength::General)?;
            found.fair = Some(bdd.count(&bdd.exists(&fair, &forgotten)?, own));
        }
        bdd.settle()?;
        found.peak = bdd.peak_live();
        // That there is no room or time for this is no reason to call the search incomplete.
        found.transitions = self.transitions(memory, &forgotten).ok().flatten();
        Ok(())
    }

    /// How many steps there are between reachable states; nothing if the relation as one diagram is too large.
    fn transitions(&self, memory: &[(Var, Var)], forgotten: &B::F) -> Result<Option<f64>, Stop> {
        let (bdd, vars) = (self.graph.bdd, &self.graph.vars);
        let later = memory.iter().map(|(_, then)| *then);
        let unseen: Vec<Var> = later.chain(vars.inputs.iter().copied()).collect();
        let unseen = bdd.and(&bdd.cube(&unseen)?, forgotten)?;
        let mut all = bdd.constant(false);
        for step in &self.fsm.steps {
            let mut f = self.graph.universe.clone();
            let kept = (0..vars.current.len()).filter(|i| !step.written.contains(i));
            for i in kept {
                f = bdd.and(&f, &bdd.iff(&bdd.var(vars.current[i])?, &bdd.var(vars.next[i])?)?)?;
            }
            for c in &step.conjuncts {
                if bdd.size(&[&f]) > CHEAP || bdd.size(&[c]) > CHEAP {
                    return Ok(None);
                }
                f = bdd.and(&f, c)?;
            }
            all = bdd.or(&all, &bdd.exists(&f, &unseen)?)?;
            if bdd.size(&[&all]) > CHEAP {
                return Ok(None);
            }
        }
        Ok(Some(bdd.count(&all, 2 * (vars.current.len() - memory.len()) as u32)))
    }
}
