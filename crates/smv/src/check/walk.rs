//! A walk of the engine ([`riata_symbolic::walk`]) as states of a model; each step is confirmed by
//! [`evaluate`].

use super::concrete;
use crate::encode::{Encoder, Fail};
use crate::evaluate::{self, State, Step};
use crate::machine::{Layout, conjunction};
use crate::model::Model;
use riata_symbolic::walk::{self, Bits, Coin};
use riata_symbolic::{Bdd, Fsm, Var};

/// A model made ready for walks.
pub struct Walker<'a, B: Bdd> {
    model: &'a Model,
    layout: &'a Layout,
    fsm: Fsm<'a, B>,
}

/// A walk through a model.
pub struct Walk<'s, 'a, B: Bdd> {
    walker: &'s Walker<'a, B>,
    bits: walk::Walk<'s, 'a, B>,
    /// The states so far; the inputs of the last one mean nothing yet.
    states: Vec<State>,
}

/// A way to go on.
pub struct Way {
    bits: Bits,
    /// The last state, with the inputs of the step.
    pub before: Option<State>,
    /// The next state.
    pub state: State,
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
        let bits = walk::Walk::new(&self.fsm, self.layout.memory(self.model));
        Walk { walker: self, bits, states: Vec::new() }
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
        let went = self.bits.back();
        if went {
            self.states.pop();
        }
        went
    }

    /// The last state.
    pub fn last(&self) -> Option<&State> {
        self.states.last()
    }

    /// Goes on by chance; false if there is no next state, or no initial one.
    pub fn go(&mut self, coin: &mut Coin) -> Result<bool, Fail> {
        let Some(step) = self.bits.draw(coin)? else { return Ok(false) };
        self.take(&step)?;
        Ok(true)
    }

    /// The first ways to go on, at most so many: the inputs of the step as they become values of the last state, and
    /// the next state. Also whether there are more.
    pub fn ways(&self, most: usize) -> Result<(Vec<Way>, bool), Fail> {
        let (steps, more) = self.bits.ways(most)?;
        let ways = steps.into_iter().map(|bits| {
            let (before, state) = self.states_of(&bits)?;
            Ok(Way { bits, before, state })
        });
        Ok((ways.collect::<Result<_, Fail>>()?, more))
    }

    /// Goes one of [`Walk::ways`].
    pub fn follow(&mut self, way: &Way) -> Result<(), Fail> {
        self.take(&way.bits)
    }

    /// The last state with the inputs of this step, and the next state, whose inputs are arbitrary.
    fn states_of(&self, step: &Bits) -> Result<(Option<State>, State), Fail> {
        let bit = |bits: &Bits, v: Var| bits.get(&v).copied();
        let before = match self.bits.last() {
            Some(here) => Some(self.state(&|v| bit(here, v).or_else(|| bit(step, v)).unwrap_or(false))?),
            None => None,
        };
        let there = self.bits.there(step);
        Ok((before, self.state(&|v| bit(&there, v).unwrap_or(false))?))
    }

    fn state(&self, value: &dyn Fn(Var) -> bool) -> Result<State, Fail> {
        let Walker { model, layout, fsm } = self.walker;
        let mut encoder = Encoder::new(model, fsm.bdd, &layout.bits);
        (0..model.vars.len()).map(|v| concrete(&mut encoder, layout, v, value)).collect()
    }

    fn take(&mut self, step: &Bits) -> Result<(), Fail> {
        let (before, state) = self.states_of(step)?;
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
        self.bits.take(step);
        if let Some(before) = before {
            self.states.pop();
            self.states.push(before);
        }
        self.states.push(state);
        Ok(())
    }
}
