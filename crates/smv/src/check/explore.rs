//! The reachable states of a model: how many, how far away, which of them have no successor, which begin a fair path.
//!
//! Bits that only remember fairness ([`crate::machine`]) are forgotten after each step, so that states and levels are
//! those of the model itself.

use super::{Session, Trace};
use crate::encode::Fail;
use crate::machine::Layout;
use crate::model::Model;
use crate::types::Types;
use riata_symbolic::fsm::Fairness;
use riata_symbolic::relation::Shape;
use riata_symbolic::witness::{Lasso, path};
use riata_symbolic::{Algorithm, Bdd, Space, Strength, Var};
use riata_system::Stop;

/// What was found. If the search was stopped, the numbers tell what was found until then.
#[derive(Clone, Debug, Default)]
pub struct Explored {
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
    /// A shortest run to one of them.
    pub trace: Option<Trace>,
    /// Reachable states in which a fair path begins, if the model has fairness and it was found out.
    pub fair: Option<f64>,
    /// Nodes of the diagram of the reachable states.
    pub nodes: usize,
    /// The largest number of nodes alive, without those that only counting transitions needed.
    pub peak: usize,
}

/// Nodes of a relation beyond which its steps are not counted.
const CHEAP: usize = 20_000;

impl<'a, B: Bdd> Session<'a, B> {
    /// Explores a model level by level.
    pub fn explore(
        bdd: &'a B,
        model: &'a Model,
        types: &'a Types,
        layout: &'a Layout,
        shape: Shape,
    ) -> Result<Explored, Fail> {
        let mut session = Session::unexplored(bdd, model, types, layout, shape)?;
        let mut found = Explored::default();
        match session.search(&mut found) {
            Ok(()) => {}
            Err(Fail::Stop(stop)) => found.stopped = Some(stop),
            Err(wrong) => return Err(wrong),
        }
        if found.peak == 0 {
            found.peak = bdd.peak_live();
        }
        Ok(found)
    }

    fn search(&mut self, found: &mut Explored) -> Result<(), Fail> {
        let memory: Vec<Var> = self.layout.memory(self.model).into_iter().map(|(now, _)| now).collect();
        let memory = self.graph.bdd.cube(&memory)?;
        let init = self.graph.bdd.exists(&self.fsm.init, &memory)?;
        found.initial = self.count(&init);
        let (mut reached, mut frontier) = (init.clone(), init);
        while frontier != self.graph.none() {
            found.levels += 1;
            found.states = self.count(&reached);
            found.nodes = self.graph.size(&reached);
            self.graph.bdd.settle()?;
            // Anything between the frontier and all that is reached will do; the smaller diagram is taken.
            let from = if found.nodes < self.graph.size(&frontier) { &reached } else { &frontier };
            let after = self.graph.bdd.exists(&self.graph.post(from)?, &memory)?;
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
        self.graph.relation.simplify(self.graph.bdd, &universe)?;
        self.deadlocks(found)?;
        if !self.fsm.justice.is_empty() || !self.fsm.compassion.is_empty() {
            let (algorithm, _) = Algorithm::choose(Strength::General, self.fsm.justice.len());
            let fairness = Fairness::new(&self.fsm, &self.graph, algorithm)?;
            let mut e = self.graph.engine();
            // Whether a fair path begins in a state does not depend on what is remembered there.
            let fair = fairness.fair_states(&mut e, &universe, Strength::General)?;
            found.fair = Some(self.count(&self.graph.bdd.exists(&fair, &memory)?));
        }
        self.graph.bdd.settle()?;
        found.peak = self.graph.bdd.peak_live();
        // That there is no room or time for this is no reason to call the search incomplete.
        found.transitions = self.transitions(&memory).ok().flatten();
        Ok(())
    }

    fn deadlocks(&mut self, found: &mut Explored) -> Result<(), Fail> {
        // Assignments alone always leave a next state.
        if self.model.trans.is_empty() && self.model.invar.is_empty() {
            found.deadlocks = Some(0.0);
            return Ok(());
        }
        let live = self.graph.pre(&self.graph.universe)?;
        let dead = self.graph.minus(&self.graph.universe, &live)?;
        found.deadlocks = Some(self.count(&dead));
        self.deadlock = dead != self.graph.none();
        if self.deadlock {
            let mut e = self.graph.engine();
            let way = path(&mut e, &self.fsm.init, &dead, &self.graph.universe)?;
            let Some(stem) = way else { panic!("internal error: no way to a reachable state") };
            let t = self.trace(&Lasso { stem, cycle: Vec::new() }, &self.fsm, &self.graph)?;
            self.confirm(&t, false);
            found.trace = Some(t);
        }
        Ok(())
    }

    /// How many states of the model a set has, which says nothing of other bits.
    fn count(&self, set: &B::F) -> f64 {
        self.graph.bdd.count(set, self.own_bits())
    }

    fn own_bits(&self) -> u32 {
        (self.graph.vars.current.len() - self.layout.memory(self.model).len()) as u32
    }

    /// How many steps there are between reachable states; nothing if the relation as one diagram is too large.
    fn transitions(&self, memory: &B::F) -> Result<Option<f64>, Stop> {
        let (bdd, vars) = (self.graph.bdd, &self.graph.vars);
        let later = self.layout.memory(self.model).into_iter().map(|(_, then)| then);
        let unseen: Vec<Var> = later.chain(vars.inputs.iter().copied()).collect();
        let unseen = bdd.and(&bdd.cube(&unseen)?, memory)?;
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
        Ok(Some(bdd.count(&all, 2 * self.own_bits())))
    }
}
