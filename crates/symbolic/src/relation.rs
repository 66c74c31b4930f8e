//! Transition relations in parts.
//!
//! A relation is a disjunction of [`Part`]s; a part is a conjunction of clusters. One part with many clusters is the
//! conjunctive form of synchronous systems; many parts, each with the variables that it writes, the disjunctive form
//! of interleaving; one part with one cluster the monolithic form. A part says nothing of the variables that it does
//! not write: they keep their values, and images do not touch them.
//!
//! A conjunction is never built. The image of a set is taken cluster by cluster, and a variable is quantified as soon
//! as no later cluster mentions it. The order of the clusters decides how soon that is; see [`crate::cluster`].

use crate::bdd::{Bdd, Renaming, Var};
use crate::cluster::{self, Role};
use riata_system::Stop;
use std::cell::RefCell;

/// The variables of a system: bit i of a state is `current[i]` now and `next[i]` after the step.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    /// Now.
    pub current: Vec<Var>,
    /// After the step.
    pub next: Vec<Var>,
    /// Chosen anew with each step, and not part of a state.
    pub inputs: Vec<Var>,
}

/// The shape of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Clusters of at most so many nodes.
    Clusters(usize),
    /// One cluster a part.
    Monolithic,
}

impl Default for Shape {
    /// The size of clusters that NuSMV takes, too.
    fn default() -> Self {
        Shape::Clusters(1000)
    }
}

/// One cluster, and the variables that no later cluster mentions.
struct Step<F> {
    relation: F,
    cube: F,
    /// Is the product with the next cluster known to be too large?
    apart: bool,
}

/// Clusters in the order of one direction.
struct Chain<F> {
    /// Variables that no cluster mentions.
    first: F,
    steps: RefCell<Vec<Step<F>>>,
}

/// New nodes of a step on the way of an image from which on the clusters there are worth a try as one.
const SWOLLEN: usize = 30_000;
/// A cluster that is smaller than this may grow when it learns of the care set.
const SMALL: usize = 500;
/// The size that a cluster may reach where clusters are joined because the product between them swelled.
const JOINED: usize = 20_000;

/// One disjunct of a relation.
pub struct Part<B: Bdd> {
    forward: Chain<B::F>,
    backward: Chain<B::F>,
    /// A care set that the backward chain has yet to learn of: many properties need no preimage.
    care: RefCell<Option<B::F>>,
    to_current: Renaming,
    to_next: Renaming,
}

impl<B: Bdd> Part<B> {
    /// The part that is the conjunction of `conjuncts` and writes the bits `written`.
    pub fn new(
        bdd: &B,
        vars: &Vars,
        written: &[usize],
        conjuncts: &[B::F],
        shape: Shape,
    ) -> Result<Self, Stop> {
        let current: Vec<Var> = written.iter().map(|&i| vars.current[i]).collect();
        let next: Vec<Var> = written.iter().map(|&i| vars.next[i]).collect();
        let mut roles = vec![Role::Free; bdd.var_count() as usize];
        current.iter().for_each(|&v| roles[v as usize] = Role::Current);
        next.iter().for_each(|&v| roles[v as usize] = Role::Next);
        vars.inputs.iter().for_each(|&v| roles[v as usize] = Role::Input);
        let clusters = cluster::clusters(bdd, &roles, conjuncts, shape)?;
        let direction = |gone: Role, quantified: &[Var]| -> Result<Chain<B::F>, Stop> {
            let supports: Vec<Vec<Var>> = clusters.iter().map(|c| bdd.support(c)).collect();
            let order = cluster::order(bdd, &roles, gone, &supports);
            let all: Vec<Var> = quantified.iter().chain(&vars.inputs).copied().collect();
            chain(bdd, &clusters, &supports, &order, &all)
        };
        Ok(Part {
            forward: direction(Role::Current, &current)?,
            backward: direction(Role::Next, &next)?,
            care: RefCell::new(None),
            to_current: bdd.renaming(next.iter().copied().zip(current.iter().copied()).collect()),
            to_next: bdd.renaming(current.iter().copied().zip(next.iter().copied()).collect()),
        })
    }

    fn image(&self, bdd: &B, set: &B::F) -> Result<B::F, Stop> {
        let after = self.forward.run(bdd, set)?;
        bdd.rename(&after, &self.to_current)
    }

    fn preimage(&self, bdd: &B, set: &B::F) -> Result<B::F, Stop> {
        if let Some(care) = self.care.take() {
            let written: Vec<Var> = self.to_next.pairs.iter().map(|(now, _)| *now).collect();
            self.backward.tighten(bdd, &written, &care)?;
        }
        let after = bdd.rename(set, &self.to_next)?;
        self.backward.run(bdd, &after)
    }

    fn simplify(&mut self, bdd: &B, care: &B::F) -> Result<(), Stop> {
        for step in self.forward.steps.get_mut() {
            let support = bdd.support(&step.relation);
            restrict(bdd, step, &support, care)?;
        }
        self.care = RefCell::new(Some(care.clone()));
        Ok(())
    }
}

/// Makes a cluster smaller by a care set, if that helps.
fn restrict<B: Bdd>(bdd: &B, step: &mut Step<B::F>, support: &[Var], care: &B::F) -> Result<(), Stop> {
    let small = bdd.restrict(&step.relation, care)?;
    // Restriction may bring in variables that were quantified before; then it does not help.
    let fits = bdd.support(&small).iter().all(|v| support.binary_search(v).is_ok());
    if fits && bdd.size(&[&small]) < bdd.size(&[&step.relation]) {
        step.relation = small;
    }
    Ok(())
}

impl<F: Clone> Chain<F> {
    /// Lets each cluster speak of states of `care` only, as far as the variables tell that are known after it.
    ///
    /// A preimage is wanted inside `care` alone. Without this the products on the way hold all the states outside it
    /// that happen to lead into the set, and these may be a hundred times as large as the result.
    ///
    /// A cluster takes what is known of all variables up to it, or of its own ones alone, as long as it does not become
    /// much larger; if neither fits, it is restricted as those of the forward chain are.
    fn tighten<B: Bdd<F = F>>(&self, bdd: &B, written: &[Var], care: &F) -> Result<(), Stop> {
        let mut steps = self.steps.borrow_mut();
        let of_care = bdd.support(care);
        let supports: Vec<Vec<Var>> = steps.iter().map(|s| bdd.support(&s.relation)).collect();
        // The variables that keep their values are there from the start.
        let mut first = vec![0; bdd.var_count() as usize];
        written.iter().for_each(|&v| first[v as usize] = usize::MAX);
        for (i, support) in supports.iter().enumerate().rev() {
            support.iter().for_each(|&v| first[v as usize] = i);
        }
        let without = |f: &F, gone: &dyn Fn(Var) -> bool| -> Result<F, Stop> {
            let gone: Vec<Var> = of_care.iter().copied().filter(|&v| gone(v)).collect();
            bdd.exists(f, &bdd.cube(&gone)?)
        };
        let mut known = care.clone();
        for (i, step) in steps.iter_mut().enumerate().rev() {
            known = without(&known, &|v| first[v as usize] > i)?;
            let own = without(&known, &|v| supports[i].binary_search(&v).is_err())?;
            let most = 2 * bdd.size(&[&step.relation]).max(SMALL);
            let mut tight = None;
            for more in [&known, &own] {
                let product = bdd.and(&step.relation, more)?;
                if bdd.size(&[&product]) <= most {
                    tight = Some(product);
                    break;
                }
            }
            match tight {
                Some(tight) => step.relation = tight,
                None => restrict(bdd, step, &supports[i], care)?,
            }
        }
        Ok(())
    }

    fn run<B: Bdd<F = F>>(&self, bdd: &B, set: &F) -> Result<F, Stop> {
        let mut result = bdd.exists(set, &self.first)?;
        let (mut worst, mut most) = (0, 0);
        for (i, step) in self.steps.borrow().iter().enumerate() {
            let before = bdd.nodes();
            result = bdd.and_exists(&result, &step.relation, &step.cube)?;
            let made = bdd.nodes().saturating_sub(before);
            if made > most {
                (worst, most) = (i, made);
            }
            bdd.relieve();
        }
        if most > SWOLLEN && most > 8 * bdd.size(&[&result, set]) {
            self.join(bdd, worst)?;
        }
        Ok(result)
    }

    /// Makes one cluster of cluster `i` and the next one, or the last two, unless it would be too large.
    fn join<B: Bdd<F = F>>(&self, bdd: &B, i: usize) -> Result<(), Stop> {
        let mut steps = self.steps.borrow_mut();
        let i = i.min(steps.len().saturating_sub(2));
        let (Some(a), Some(b)) = (steps.get(i), steps.get(i + 1)) else { return Ok(()) };
        if a.apart {
            return Ok(());
        }
        let relation = bdd.and(&a.relation, &b.relation)?;
        let cube = bdd.and(&a.cube, &b.cube)?;
        if bdd.size(&[&relation]) > JOINED {
            steps[i].apart = true;
            return Ok(());
        }
        steps[i] = Step { relation, cube, apart: false };
        steps.remove(i + 1);
        if i > 0 {
            steps[i - 1].apart = false;
        }
        Ok(())
    }
}

/// Clusters in the given order, with each variable of `all` quantified after the last cluster that mentions it.
fn chain<B: Bdd>(
    bdd: &B,
    clusters: &[B::F],
    supports: &[Vec<Var>],
    order: &[usize],
    all: &[Var],
) -> Result<Chain<B::F>, Stop> {
    let mut last: Vec<Option<usize>> = vec![None; bdd.var_count() as usize];
    for (place, &c) in order.iter().enumerate() {
        supports[c].iter().for_each(|&v| last[v as usize] = Some(place));
    }
    let at = |place: Option<usize>| -> Result<B::F, Stop> {
        let vars: Vec<Var> = all.iter().copied().filter(|&v| last[v as usize] == place).collect();
        bdd.cube(&vars)
    };
    let mut steps = Vec::new();
    for (place, &c) in order.iter().enumerate() {
        steps.push(Step { relation: clusters[c].clone(), cube: at(Some(place))?, apart: false });
    }
    Ok(Chain { first: at(None)?, steps: RefCell::new(steps) })
}

/// A transition relation.
pub struct Relation<B: Bdd> {
    /// The disjuncts.
    pub parts: Vec<Part<B>>,
}

impl<B: Bdd> Relation<B> {
    /// The states after one step from `set`.
    pub fn image(&self, bdd: &B, set: &B::F) -> Result<B::F, Stop> {
        self.parts.iter().try_fold(bdd.constant(false), |sum, p| bdd.or(&sum, &p.image(bdd, set)?))
    }

    /// `set`, and states after some steps from it, all inside `within`: part after part, each from what the ones before
    /// it have reached (chaining). All states after one step are among them.
    pub fn chained(&self, bdd: &B, set: &B::F, within: &B::F) -> Result<B::F, Stop> {
        self.parts.iter().try_fold(set.clone(), |states, p| {
            let after = bdd.and(&p.image(bdd, &states)?, within)?;
            bdd.or(&states, &after)
        })
    }

    /// The states from which one step leads into `set`.
    pub fn preimage(&self, bdd: &B, set: &B::F) -> Result<B::F, Stop> {
        self.parts.iter().try_fold(bdd.constant(false), |sum, p| bdd.or(&sum, &p.preimage(bdd, set)?))
    }

    /// Makes the clusters smaller where only steps from states of `care` matter.
    pub fn simplify(&mut self, bdd: &B, care: &B::F) -> Result<(), Stop> {
        self.parts.iter_mut().try_for_each(|p| p.simplify(bdd, care))
    }

    /// Nodes of all clusters together, and their number.
    pub fn size(&self, bdd: &B) -> (usize, usize) {
        let steps =
            |p: &Part<B>| p.forward.steps.borrow().iter().map(|s| s.relation.clone()).collect::<Vec<_>>();
        let all: Vec<B::F> = self.parts.iter().flat_map(steps).collect();
        (bdd.size(&all.iter().collect::<Vec<_>>()), all.len())
    }
}
