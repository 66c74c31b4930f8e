//! One run of a model, state by state, chosen by chance or by hand. Nothing is searched, so this is possible for models
//! that are too large to be checked.
//!
//! The next states of one state are a small diagram: each conjunct of the relation is first restricted to the state.
//! A state is drawn from them bit by bit, each bit as likely as the share of the states that have it, so that every
//! state is equally likely; then the inputs of the step are drawn in the same way from those that lead there.

use super::concrete;
use crate::encode::{Encoder, Fail};
use crate::evaluate::{self, State, Step};
use crate::machine::{Layout, conjunction};
use crate::model::Model;
use riata_symbolic::{Bdd, Fsm, Var};
use riata_system::Stop;
use std::collections::HashMap;

/// A coin that falls on its head with this probability.
pub type Coin<'c> = dyn FnMut(f64) -> bool + 'c;

/// The values of bits.
type Bits = HashMap<Var, bool>;

/// A model made ready for walks.
pub struct Walker<'a, B: Bdd> {
    model: &'a Model,
    layout: &'a Layout,
    fsm: Fsm<'a, B>,
}

/// A walk through a model.
pub struct Walk<'s, 'a, B: Bdd> {
    walker: &'s Walker<'a, B>,
    /// The states so far; the inputs of the last one mean nothing yet.
    states: Vec<State>,
    /// The bits of the last state.
    here: Bits,
    /// The bits of the states before.
    before: Vec<Bits>,
}

impl<'a, B: Bdd> Walker<'a, B> {
    /// Encodes a model, which was read without its specifications ([`crate::parse_bare`]).
    pub fn new(bdd: &'a B, model: &'a Model, layout: &'a Layout) -> Result<Self, Fail> {
        let mut encoder = Encoder::new(model, bdd, &layout.bits);
        // Not as a disjunction, and without clusters: they are for images of large sets.
        let fsm = conjunction(&mut encoder, layout)?;
        encoder.forget();
        bdd.settle()?;
        Ok(Walker { model, layout, fsm })
    }

    /// A walk that has not begun.
    pub fn walk(&self) -> Walk<'_, 'a, B> {
        Walk { walker: self, states: Vec::new(), here: Bits::new(), before: Vec::new() }
    }
}

impl<B: Bdd> Walk<'_, '_, B> {
    /// The states so far.
    pub fn states(self) -> Vec<State> {
        self.states
    }

    /// The states so far, which stay.
    pub fn so_far(&self) -> &[State] {
        &self.states
    }

    /// Goes back one state; false if there is none before.
    pub fn back(&mut self) -> bool {
        if self.states.len() < 2 {
            return false;
        }
        self.states.pop();
        self.here = self.before.pop().unwrap_or_default();
        true
    }

    /// The last state.
    pub fn last(&self) -> Option<&State> {
        self.states.last()
    }

    /// Goes on by chance; false if there is no next state, or no initial one.
    pub fn go(&mut self, coin: &mut Coin) -> Result<bool, Fail> {
        let (choices, later) = self.choices()?;
        let bdd = self.walker.fsm.bdd;
        if choices == bdd.constant(false) {
            return Ok(false);
        }
        let inputs = bdd.cube(&self.walker.fsm.vars.inputs)?;
        let mut bits = self.draw(&bdd.exists(&choices, &inputs)?, &later, coin)?;
        let fixed = self.literals(&bits)?;
        bits.extend(self.draw(&bdd.and(&choices, &fixed)?, &self.walker.fsm.vars.inputs, coin)?);
        self.take(&bits)?;
        bdd.settle()?;
        Ok(true)
    }

    /// The first ways to go on, at most so many: the inputs of the step as they become values of the last state, and
    /// the next state. Also whether there are more.
    pub fn ways(&self, most: usize) -> Result<(Vec<Way>, bool), Fail> {
        let (mut choices, later) = self.choices()?;
        let bdd = self.walker.fsm.bdd;
        let mut vars = later;
        vars.extend(&self.walker.fsm.vars.inputs);
        let mut ways = Vec::new();
        while choices != bdd.constant(false) {
            if ways.len() == most {
                return Ok((ways, true));
            }
            let Some(values) = bdd.pick(&choices, &vars) else { break };
            let bits: Bits = vars.iter().copied().zip(values).collect();
            choices = bdd.minus(&choices, &self.literals(&bits)?)?;
            let (before, state) = self.states_of(&bits)?;
            ways.push(Way { bits, before, state });
        }
        Ok((ways, false))
    }

    /// Goes one of [`Walk::ways`].
    pub fn follow(&mut self, way: &Way) -> Result<(), Fail> {
        self.take(&way.bits)
    }

    /// What may come, over inputs and the bits that are given, too: those of the next state, or of an initial one.
    fn choices(&self) -> Result<(B::F, Vec<Var>), Stop> {
        let (bdd, fsm) = (self.walker.fsm.bdd, &self.walker.fsm);
        let vars = &self.walker.fsm.vars;
        let memory = self.walker.layout.memory(self.walker.model);
        let forget = |which: fn(&(Var, Var)) -> Var| bdd.cube(&memory.iter().map(which).collect::<Vec<_>>());
        let own = |list: &[Var], which: fn(&(Var, Var)) -> Var| -> Vec<Var> {
            list.iter().copied().filter(|v| !memory.iter().any(|m| which(m) == *v)).collect()
        };
        if self.states.is_empty() {
            // Inputs belong to steps.
            return Ok((bdd.exists(&fsm.init, &forget(|m| m.0)?)?, own(&vars.current, |m| m.0)));
        }
        let here = self.literals(&self.here)?;
        let now = bdd.cube(&vars.current)?;
        let mut all = bdd.constant(false);
        for step in &fsm.steps {
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
    fn draw(&self, f: &B::F, vars: &[Var], coin: &mut Coin) -> Result<Bits, Stop> {
        let bdd = self.walker.fsm.bdd;
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
        let bdd = self.walker.fsm.bdd;
        let mut sorted: Vec<(Var, bool)> = bits.iter().map(|(v, b)| (*v, *b)).collect();
        sorted.sort_unstable();
        sorted.iter().try_fold(bdd.constant(true), |f, &(v, b)| {
            let var = bdd.var(v)?;
            bdd.and(&f, &if b { var } else { bdd.not(&var) })
        })
    }

    /// The last state with the inputs of this step, and the next state, whose inputs are arbitrary.
    fn states_of(&self, bits: &Bits) -> Result<(Option<State>, State), Fail> {
        let before = match self.states.last() {
            Some(_) => Some(self.state(&|v| *self.here.get(&v).or_else(|| bits.get(&v)).unwrap_or(&false))?),
            None => None,
        };
        let there = self.there(bits);
        Ok((before, self.state(&|v| *there.get(&v).unwrap_or(&false))?))
    }

    /// The bits of the next state, as bits of now.
    fn there(&self, bits: &Bits) -> Bits {
        let vars = &self.walker.fsm.vars;
        if self.states.is_empty() {
            return vars.current.iter().filter_map(|v| Some((*v, *bits.get(v)?))).collect();
        }
        vars.current.iter().zip(&vars.next).filter_map(|(now, then)| Some((*now, *bits.get(then)?))).collect()
    }

    fn state(&self, value: &dyn Fn(Var) -> bool) -> Result<State, Fail> {
        let Walker { model, layout, fsm } = self.walker;
        let mut encoder = Encoder::new(model, fsm.bdd, &layout.bits);
        (0..model.vars.len()).map(|v| concrete(&mut encoder, layout, v, value)).collect()
    }

    fn take(&mut self, bits: &Bits) -> Result<(), Fail> {
        let (before, state) = self.states_of(bits)?;
        let model = self.walker.model;
        let right = match &before {
            None => evaluate::initial(model, &state),
            Some(now) => {
                let step = Step { now, then: Some(&state) };
                evaluate::state(model, step).and_then(|()| evaluate::transition(model, step, &state))
            }
        };
        if let Err(e) = right {
            panic!("internal error: a step that is none of the model: {e}");
        }
        let there = self.there(bits);
        let here = std::mem::replace(&mut self.here, there);
        if let Some(before) = before {
            self.before.push(here);
            self.states.pop();
            self.states.push(before);
        }
        self.states.push(state);
        Ok(())
    }
}

/// A way to go on.
pub struct Way {
    bits: Bits,
    /// The last state, with the inputs of the step.
    pub before: Option<State>,
    /// The next state.
    pub state: State,
}
