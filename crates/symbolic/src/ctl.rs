//! CTL with fairness.
//!
//! A formula is an arena whose operands come first, so that a loop evaluates it. Universal operators are written with
//! the existential ones: with *fair* the states with a fair path,
//!
//! ```text
//! EX p     = EX (p ∧ fair)
//! E[p U q] = E[p U (q ∧ fair)]
//! EG p     = EG_fair p
//! ```
//!
//! # References
//! E. M. Clarke, O. Grumberg, D. Peled, *Model checking*, 1999, chapter 6.

use crate::algorithms::Strength;
use crate::bdd::Bdd;
use crate::fsm::Fairness;
use crate::graph::Symbolic;
use crate::witness::{Lasso, path, path_on};
use crate::{Engine, Space};
use riata_system::Stop;

/// A formula of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(pub u32);

/// A node of an arena.
#[derive(Clone)]
pub enum Ctl<F> {
    /// A set of states.
    Atom(F),
    /// ¬p
    Not(Id),
    /// p ∧ q
    And(Id, Id),
    /// EX p
    Ex(Id),
    /// E[p U q]
    Eu(Id, Id),
    /// EG p
    Eg(Id),
}

/// Formulas.
#[derive(Clone)]
pub struct Arena<F>(pub Vec<Ctl<F>>);

impl<F: Clone> Arena<F> {
    /// Adds a node.
    pub fn push(&mut self, node: Ctl<F>) -> Id {
        self.0.push(node);
        Id(self.0.len() as u32 - 1)
    }

    /// ¬p, without two negations.
    pub fn not(&mut self, p: Id) -> Id {
        match self.0[p.0 as usize] {
            Ctl::Not(q) => q,
            _ => self.push(Ctl::Not(p)),
        }
    }

    /// p ∧ q
    pub fn and(&mut self, p: Id, q: Id) -> Id {
        self.push(Ctl::And(p, q))
    }

    /// p ∨ q
    pub fn or(&mut self, p: Id, q: Id) -> Id {
        let (p, q) = (self.not(p), self.not(q));
        let both = self.and(p, q);
        self.not(both)
    }

    /// A[p U q] = ¬(E[¬q U (¬p ∧ ¬q)] ∨ EG ¬q)
    pub fn au(&mut self, p: Id, q: Id) -> Id {
        let (not_p, not_q) = (self.not(p), self.not(q));
        let neither = self.and(not_p, not_q);
        let until = self.push(Ctl::Eu(not_q, neither));
        let ever = self.push(Ctl::Eg(not_q));
        let either = self.or(until, ever);
        self.not(either)
    }
}

/// Evaluates formulas on the reachable states of a system.
pub struct Checker<'a, B: Bdd> {
    /// The fair paths.
    pub fairness: Fairness<'a, B>,
    fair: Option<B::F>,
    sets: Vec<B::F>,
}

/// Which formulas hold only where a fair path begins: p, and ¬p.
///
/// EX, EU and EG are true only there, because paths are fair ones. Where the target of EX or EU is such a formula, the
/// states with a fair path need not be found at all; `AG (p -> AF q)` is one that does without.
fn only_fair<F>(arena: &Arena<F>) -> Vec<(bool, bool)> {
    let mut all: Vec<(bool, bool)> = Vec::with_capacity(arena.0.len());
    for node in &arena.0 {
        let of = |p: &Id| all[p.0 as usize];
        all.push(match node {
            Ctl::Atom(_) => (false, false),
            Ctl::Not(p) => (of(p).1, of(p).0),
            Ctl::And(p, q) => (of(p).0 || of(q).0, of(p).1 && of(q).1),
            Ctl::Ex(_) | Ctl::Eu(..) | Ctl::Eg(_) => (true, false),
        });
    }
    all
}

impl<F> Arena<F> {
    /// Is it known without further ado that `p` fails only where a fair path begins?
    pub fn fails_only_fairly(&self, p: Id) -> bool {
        only_fair(self)[p.0 as usize].1
    }
}

impl<'a, B: Bdd> Checker<'a, B> {
    /// A checker; the states with a fair path are found when they are needed.
    pub fn new(fairness: Fairness<'a, B>) -> Self {
        Checker { fairness, fair: None, sets: Vec::new() }
    }

    /// A checker; the states with a fair path are known.
    pub fn with(fairness: Fairness<'a, B>, fair: B::F) -> Self {
        Checker { fairness, fair: Some(fair), sets: Vec::new() }
    }

    /// The states with a fair path, if they were needed.
    pub fn known_fair(&self) -> Option<&B::F> {
        self.fair.as_ref()
    }

    /// The states with a fair path.
    pub fn fair(&mut self, e: &mut Engine<Symbolic<B>>) -> Result<B::F, Stop> {
        match &self.fair {
            Some(fair) => Ok(fair.clone()),
            None => {
                let fair = self.fairness.fair_states(e, &e.space.all(), Strength::General)?;
                Ok(self.fair.insert(fair).clone())
            }
        }
    }

    /// The states that satisfy each formula of the arena.
    pub fn evaluate(&mut self, e: &mut Engine<Symbolic<B>>, arena: &Arena<B::F>) -> Result<(), Stop> {
        self.sets.clear();
        let only_fair = only_fair(arena);
        for node in &arena.0 {
            let set = match node {
                Ctl::Atom(f) => e.and(f, &e.space.all())?,
                Ctl::Not(p) => e.minus(&e.space.all(), self.of(*p))?,
                Ctl::And(p, q) => e.and(self.of(*p), self.of(*q))?,
                Ctl::Ex(p) => {
                    let target = self.target(e, &only_fair, *p)?;
                    e.ex(&target)?
                }
                Ctl::Eu(p, q) => {
                    let target = self.target(e, &only_fair, *q)?;
                    e.eu(self.of(*p), &target)?
                }
                Ctl::Eg(p) => self.fairness.fair_states(e, self.of(*p), Strength::General)?,
            };
            self.sets.push(set);
        }
        Ok(())
    }

    /// The states that satisfy `p` and have a fair path.
    fn target(
        &mut self,
        e: &mut Engine<Symbolic<B>>,
        only_fair: &[(bool, bool)],
        p: Id,
    ) -> Result<B::F, Stop> {
        if only_fair[p.0 as usize].0 || e.is_empty(self.of(p)) {
            return Ok(self.of(p).clone());
        }
        let fair = self.fair(e)?;
        e.and(self.of(p), &fair)
    }

    /// The states that satisfy `p`; after [`Checker::evaluate`].
    pub fn of(&self, p: Id) -> &B::F {
        &self.sets[p.0 as usize]
    }

    /// A run from one of `starts`, which do not satisfy `p`, that shows why, as far as one run can.
    ///
    /// The run witnesses the existential formula that makes ¬p true, then the one that makes its target true, and so
    /// on. At the end it goes on fairly for ever.
    pub fn explain(
        &mut self,
        e: &mut Engine<Symbolic<B>>,
        arena: &Arena<B::F>,
        starts: &B::F,
        p: Id,
    ) -> Result<Option<Lasso<B::F>>, Stop> {
        let bad = e.minus(starts, self.of(p))?;
        if e.is_empty(&bad) {
            return Ok(None);
        }
        let fair = self.fair(e)?;
        let fair_bad = e.and(&bad, &fair)?;
        let mut run = vec![e.space.pick(if e.is_empty(&fair_bad) { &bad } else { &fair_bad })?];
        // What is true in the last state, and to be shown.
        let mut goals = vec![(p, false)];
        while let Some((p, positive)) = goals.pop() {
            let here = run[run.len() - 1].clone();
            match (&arena.0[p.0 as usize], positive) {
                (Ctl::Not(q), _) => goals.push((*q, !positive)),
                (Ctl::And(p, q), true) => {
                    // One run shows one of them; an operand with something to show goes last on the stack.
                    let (first, second) = if is_temporal(arena, *p, true) { (*q, *p) } else { (*p, *q) };
                    goals.extend([(first, true), (second, true)]);
                }
                (Ctl::And(p, q), false) => {
                    let fails =
                        |id: Id| -> Result<bool, Stop> { Ok(e.is_empty(&e.and(&here, self.of(id))?)) };
                    let (p_fails, q_fails) = (fails(*p)?, fails(*q)?);
                    let take_p = p_fails && (!q_fails || is_temporal(arena, *p, false));
                    goals.push((if take_p { *p } else { *q }, false));
                }
                (Ctl::Ex(p), true) => {
                    let target = e.and(self.of(*p), &fair)?;
                    let Some(more) = path_on(e, &here, &target, &target)? else { break };
                    run.extend(more);
                    goals = vec![(*p, true)];
                }
                (Ctl::Eu(p, q), true) => {
                    let target = e.and(self.of(*q), &fair)?;
                    let Some(more) = path(e, &here, &target, self.of(*p))? else { break };
                    run.extend(more.into_iter().skip(1));
                    goals = vec![(*q, true)];
                }
                (Ctl::Eg(_), true) => {
                    run.pop();
                    // Every state of a fair path inside p satisfies EG p, so nothing is searched for twice.
                    let Some(lasso) = self.fairness.lasso(e, &here, self.of(p))? else { return Ok(None) };
                    run.extend(lasso.stem);
                    return Ok(Some(Lasso { stem: run, cycle: lasso.cycle }));
                }
                // That an existential formula does not hold is not shown by one run.
                _ => {}
            }
        }
        let Some(last) = run.pop() else { return Ok(None) };
        match self.fairness.lasso(e, &last, &fair)? {
            Some(lasso) => {
                run.extend(lasso.stem);
                Ok(Some(Lasso { stem: run, cycle: lasso.cycle }))
            }
            None => {
                run.push(last);
                Ok(Some(Lasso { stem: run, cycle: Vec::new() }))
            }
        }
    }
}

/// Is there something that a run can show of `p`, or of ¬p?
fn is_temporal<F>(arena: &Arena<F>, p: Id, positive: bool) -> bool {
    let mut stack = vec![(p, positive)];
    while let Some((p, positive)) = stack.pop() {
        match &arena.0[p.0 as usize] {
            Ctl::Not(q) => stack.push((*q, !positive)),
            Ctl::And(p, q) => stack.extend([(*p, positive), (*q, positive)]),
            Ctl::Ex(_) | Ctl::Eu(..) | Ctl::Eg(_) if positive => return true,
            _ => {}
        }
    }
    false
}
