//! A system as an engine gets it from a front end: initial states, steps in parts, fairness.

use crate::algorithms::{Algorithm, Problem, Strength, streett};
use crate::bdd::Bdd;
use crate::graph::Symbolic;
use crate::relation::{Part, Relation, Shape, Vars};
use crate::witness::{Lasso, fair_lasso, path};
use crate::{Engine, Space};
use riata_system::Stop;

/// One disjunct of the steps: a conjunction, and the bits that it writes.
#[derive(Clone)]
pub struct Disjunct<F> {
    /// Bits by their place in [`Vars::current`]; the others keep their values.
    pub written: Vec<usize>,
    /// What holds of such a step.
    pub conjuncts: Vec<F>,
}

/// A system.
pub struct Fsm<'b, B: Bdd> {
    /// The manager.
    pub bdd: &'b B,
    /// The variables.
    pub vars: Vars,
    /// The initial states.
    pub init: B::F,
    /// The steps.
    pub steps: Vec<Disjunct<B::F>>,
    /// Sets that a fair path visits infinitely often.
    pub justice: Vec<B::F>,
    /// Pairs (p, q): a fair path that visits p infinitely often visits q infinitely often.
    pub compassion: Vec<(B::F, B::F)>,
}

impl<'b, B: Bdd> Fsm<'b, B> {
    /// The graph of the system; its universe holds everything.
    pub fn graph(&self, shape: Shape) -> Result<Symbolic<'b, B>, Stop> {
        let mut parts = Vec::new();
        for step in &self.steps {
            parts.push(Part::new(self.bdd, &self.vars, &step.written, &step.conjuncts, shape)?);
        }
        let universe = self.bdd.constant(true);
        Ok(Symbolic { bdd: self.bdd, vars: self.vars.clone(), relation: Relation { parts }, universe })
    }
}

impl<B: Bdd> Fsm<'_, B> {
    /// Inputs with which the state `now` becomes the state `then`; nothing if it does not.
    pub fn inputs(&self, now: &B::F, then: &B::F) -> Result<Option<Vec<bool>>, Stop> {
        let (bdd, vars) = (self.bdd, &self.vars);
        if vars.inputs.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let pairs = vars.current.iter().copied().zip(vars.next.iter().copied()).collect();
        let then = bdd.rename(then, &bdd.renaming(pairs))?;
        let both = bdd.and(now, &then)?;
        for step in &self.steps {
            let mut f = both.clone();
            for i in (0..vars.current.len()).filter(|i| !step.written.contains(i)) {
                f = bdd.and(&f, &bdd.iff(&bdd.var(vars.current[i])?, &bdd.var(vars.next[i])?)?)?;
            }
            for c in &step.conjuncts {
                f = bdd.and(&f, c)?;
            }
            if let Some(bits) = bdd.pick(&f, &vars.inputs) {
                return Ok(Some(bits));
            }
        }
        Ok(None)
    }
}

/// A component, and the sets that a fair cycle in it visits.
type Core<F> = (F, Vec<F>);

/// The fair paths of a graph, by the algorithm that was chosen.
pub struct Fairness<'a, B: Bdd> {
    /// The graph.
    pub graph: &'a Symbolic<'a, B>,
    /// The fair sets.
    pub justice: Vec<B::F>,
    /// Strong fairness.
    pub compassion: Vec<(B::F, B::F)>,
    /// How to find fair cycles, where there is no strong fairness.
    pub algorithm: Algorithm,
}

impl<'a, B: Bdd> Fairness<'a, B> {
    /// The fair paths of `graph`, which is that of `fsm`, or a part of it.
    pub fn new(fsm: &Fsm<'_, B>, graph: &'a Symbolic<'a, B>, algorithm: Algorithm) -> Result<Self, Stop> {
        let inside = |f: &B::F| graph.bdd.and(f, &graph.universe);
        let pair = |(p, q): &(B::F, B::F)| Ok((inside(p)?, inside(q)?));
        Ok(Fairness {
            graph,
            justice: fsm.justice.iter().map(inside).collect::<Result<_, _>>()?,
            compassion: fsm.compassion.iter().map(pair).collect::<Result<_, Stop>>()?,
            algorithm,
        })
    }

    /// EG_fair `invariant`.
    pub fn fair_states(
        &self,
        e: &mut Engine<Symbolic<B>>,
        invariant: &B::F,
        strength: Strength,
    ) -> Result<B::F, Stop> {
        let problem = Problem { invariant: invariant.clone(), fair: self.justice.clone(), strength };
        if self.compassion.is_empty() {
            self.algorithm.fair_states(e, &problem)
        } else {
            Ok(streett::fair_states(e, &problem, &self.compassion)?.1)
        }
    }

    /// A fair path from one of `starts` inside `invariant`, if there is one.
    pub fn lasso(
        &self,
        e: &mut Engine<Symbolic<B>>,
        starts: &B::F,
        invariant: &B::F,
    ) -> Result<Option<Lasso<B::F>>, Stop> {
        let problem =
            Problem { invariant: invariant.clone(), fair: self.justice.clone(), strength: Strength::General };
        let (core, all, fair) = if self.compassion.is_empty() {
            let all = Algorithm::Owcty.fair_states(e, &problem)?;
            (all.clone(), all, self.justice.clone())
        } else {
            let (hull, all) = streett::fair_states(e, &problem, &self.compassion)?;
            let Some((core, fair)) = self.fair_component(e, starts, &hull, &all)? else { return Ok(None) };
            (core, all, fair)
        };
        let Some(mut stem) = path(e, starts, &core, &all)? else { return Ok(None) };
        let Some(start) = stem.pop() else { return Ok(None) };
        let Some(lasso) = fair_lasso(e, &start, &core, &fair)? else { return Ok(None) };
        stem.extend(lasso.stem);
        Ok(Some(Lasso { stem, cycle: lasso.cycle }.shortened()))
    }

    /// A component of the hull, reachable from `starts` through `all`, that no path of the hull leaves, and the sets
    /// that a fair cycle in it visits.
    fn fair_component(
        &self,
        e: &mut Engine<Symbolic<B>>,
        starts: &B::F,
        hull: &B::F,
        all: &B::F,
    ) -> Result<Option<Core<B::F>>, Stop> {
        let inside = e.and(starts, all)?;
        let reached = e.es(all, &inside)?;
        let mut candidates = e.and(&reached, hull)?;
        if e.is_empty(&candidates) {
            return Ok(None);
        }
        loop {
            let pivot = e.space.pick(&candidates)?;
            let forward = e.es(hull, &pivot)?;
            let component = e.eu(&forward, &pivot)?;
            candidates = e.minus(&forward, &component)?;
            if e.is_empty(&candidates) {
                let mut fair = self.justice.clone();
                for (p, q) in &self.compassion {
                    if !e.is_empty(&e.and(p, &component)?) {
                        fair.push(q.clone());
                    }
                }
                return Ok(Some((component, fair)));
            }
        }
    }
}
