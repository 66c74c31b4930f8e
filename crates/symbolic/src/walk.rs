//! One run of a system, state by state, chosen by chance or by hand. Nothing is searched, so this is possible for systems
//! that are too large to be checked.
//!
//! The next states of one state are a small diagram: each conjunct of the relation is first restricted to the state.
//! A state is drawn from them bit by bit, each bit as likely as the share of the states that have it, so that every
//! state is equally likely; then the inputs of the step are drawn in the same way from those that lead there.

use crate::bdd::{Bdd, Var};
use crate::fsm::Fsm;
use riata_system::Stop;
use std::collections::HashMap;

/// A coin that falls on its head with this probability.
pub type Coin<'c> = dyn FnMut(f64) -> bool + 'c;

/// The values of bits.
pub type Bits = HashMap<Var, bool>;

/// A walk. A step is given by the bits of its inputs and of the next state (as bits of *next*), the first one by the bits
/// of an initial state.
pub struct Walk<'f, 'b, B: Bdd> {
    fsm: &'f Fsm<'b, B>,
    /// Bits that only remember what a step did, and are no part of a state.
    memory: Vec<(Var, Var)>,
    /// The bits of the states so far.
    states: Vec<Bits>,
}

impl<'f, 'b, B: Bdd> Walk<'f, 'b, B> {
    /// A walk that has not begun.
    pub fn new(fsm: &'f Fsm<'b, B>, memory: Vec<(Var, Var)>) -> Self {
        Walk { fsm, memory, states: Vec::new() }
    }

    /// The bits of the last state.
    pub fn last(&self) -> Option<&Bits> {
        self.states.last()
    }

    /// Goes back one state; false if there is none before.
    pub fn back(&mut self) -> bool {
        let more = self.states.len() > 1;
        if more {
            self.states.pop();
        }
        more
    }

    /// A step by chance; nothing if there is no next state, or no initial one.
    pub fn draw(&self, coin: &mut Coin) -> Result<Option<Bits>, Stop> {
        let (choices, later) = self.choices()?;
        let bdd = self.fsm.bdd;
        if choices == bdd.constant(false) {
            return Ok(None);
        }
        let inputs = bdd.cube(&self.fsm.vars.inputs)?;
        let mut bits = self.drawn(&bdd.exists(&choices, &inputs)?, &later, coin)?;
        let fixed = self.literals(&bits)?;
        bits.extend(self.drawn(&bdd.and(&choices, &fixed)?, &self.fsm.vars.inputs, coin)?);
        bdd.settle()?;
        Ok(Some(bits))
    }

    /// The first steps that are possible, at most so many, and whether there are more.
    pub fn ways(&self, most: usize) -> Result<(Vec<Bits>, bool), Stop> {
        let (mut choices, mut vars) = self.choices()?;
        let bdd = self.fsm.bdd;
        vars.extend(&self.fsm.vars.inputs);
        let mut ways = Vec::new();
        while choices != bdd.constant(false) {
            if ways.len() == most {
                return Ok((ways, true));
            }
            let Some(values) = bdd.pick(&choices, &vars) else { break };
            let bits: Bits = vars.iter().copied().zip(values).collect();
            choices = bdd.minus(&choices, &self.literals(&bits)?)?;
            ways.push(bits);
        }
        Ok((ways, false))
    }

    /// Takes a step.
    pub fn take(&mut self, step: &Bits) {
        let there = self.there(step);
        self.states.push(there);
    }

    /// The bits of the next state, as bits of now.
    pub fn there(&self, step: &Bits) -> Bits {
        let vars = &self.fsm.vars;
        if self.states.is_empty() {
            return vars.current.iter().filter_map(|v| Some((*v, *step.get(v)?))).collect();
        }
        vars.current.iter().zip(&vars.next).filter_map(|(now, then)| Some((*now, *step.get(then)?))).collect()
    }

    /// What may come, over inputs and the bits that are given, too: those of the next state, or of an initial one.
    fn choices(&self) -> Result<(B::F, Vec<Var>), Stop> {
        let (bdd, vars) = (self.fsm.bdd, &self.fsm.vars);
        let forget =
            |which: fn(&(Var, Var)) -> Var| bdd.cube(&self.memory.iter().map(which).collect::<Vec<_>>());
        let own = |list: &[Var], which: fn(&(Var, Var)) -> Var| -> Vec<Var> {
            list.iter().copied().filter(|v| !self.memory.iter().any(|m| which(m) == *v)).collect()
        };
        let Some(here) = self.states.last() else {
            // Inputs belong to steps.
            return Ok((bdd.exists(&self.fsm.init, &forget(|m| m.0)?)?, own(&vars.current, |m| m.0)));
        };
        let here = self.literals(here)?;
        let now = bdd.cube(&vars.current)?;
        let mut all = bdd.constant(false);
        for step in &self.fsm.steps {
            let mut f = bdd.constant(true);
            for i in (0..vars.current.len()).filter(|i| !step.written.contains(i)) {
                let kept = bdd.iff(&bdd.var(vars.current[i])?, &bdd.var(vars.next[i])?)?;
                f = bdd.and(&f, &bdd.and_exists(&kept, &here, &now)?)?;
            }
            for c in &step.conjuncts {
                f = bdd.and(&f, &bdd.and_exists(c, &here, &now)?)?;
            }
            all = bdd.or(&all, &f)?;
        }
        Ok((bdd.exists(&all, &forget(|m| m.1)?)?, own(&vars.next, |m| m.1)))
    }

    /// Draws values of `vars`, which are all that `f` depends on; every solution is equally likely.
    fn drawn(&self, f: &B::F, vars: &[Var], coin: &mut Coin) -> Result<Bits, Stop> {
        let bdd = self.fsm.bdd;
        let support = bdd.support(f);
        let n = support.len() as u32;
        let mut rest = f.clone();
        let mut bits = Bits::new();
        for &v in vars {
            if support.binary_search(&v).is_err() {
                bits.insert(v, coin(0.5));
                continue;
            }
            let high = bdd.and(&rest, &bdd.var(v)?)?;
            let share = bdd.count(&high, n) / bdd.count(&rest, n);
            let none = bdd.constant(false);
            let value = if high == none {
                false
            } else if high == rest {
                true
            } else {
                // More than 2^1023 solutions cannot be counted.
                coin(if share.is_finite() { share } else { 0.5 })
            };
            rest = if value { high } else { bdd.minus(&rest, &bdd.var(v)?)? };
            bits.insert(v, value);
        }
        Ok(bits)
    }

    fn literals(&self, bits: &Bits) -> Result<B::F, Stop> {
        let bdd = self.fsm.bdd;
        let mut sorted: Vec<(Var, bool)> = bits.iter().map(|(v, b)| (*v, *b)).collect();
        sorted.sort_unstable();
        sorted.iter().try_fold(bdd.constant(true), |f, &(v, b)| {
            let var = bdd.var(v)?;
            bdd.and(&f, &if b { var } else { bdd.not(&var) })
        })
    }
}
