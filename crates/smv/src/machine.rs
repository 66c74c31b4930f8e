//! A model as a symbolic system: bits, initial states, steps, fairness.

use crate::ast::{Binary, Kind, Sort, When};
use crate::depend::{define_reads, reads};
use crate::encode::{Bits, Encoder, Fail};
use crate::interleave;
use crate::model::{E, Model, Op};
use crate::order::variables;
use crate::types::Types;
use riata_symbolic::fsm::{Disjunct, Fsm};
use riata_symbolic::relation::Vars;
use riata_symbolic::{Bdd, Var};
use riata_system::Stop;
use std::collections::{HashMap, HashSet};

/// A model's bits.
pub struct Layout {
    /// The bits of each variable.
    pub bits: Vec<Bits>,
    /// Fresh bits for an automaton, above all others in the order.
    pub fresh: Vec<(Var, Var)>,
    /// Bits that remember whether the last step satisfied a condition of fairness that speaks of steps.
    latches: HashMap<E, (Var, Var)>,
    /// All variables as the engine wants them.
    pub vars: Vars,
    /// The variables of the model from the top of the order to its bottom.
    pub order: Vec<u32>,
}

impl Layout {
    /// Makes the variables, in the given order; those that it does not name follow as they are declared. An empty one
    /// leaves the choice to `order`.
    pub fn new<B: Bdd>(bdd: &B, model: &Model, types: &Types, fresh: u32, order: &[u32]) -> Layout {
        let pair = || {
            let first = bdd.add_vars(2);
            (first, first + 1)
        };
        let fresh: Vec<(Var, Var)> = (0..fresh).map(|_| pair()).collect();
        let mut bits = vec![Bits::default(); model.vars.len()];
        let mut chosen = vec![false; model.vars.len()];
        let rest = if order.is_empty() { variables(model) } else { (0..model.vars.len() as u32).collect() };
        let order: Vec<u32> = order
            .iter()
            .copied()
            .chain(rest)
            .filter(|&v| !std::mem::replace(&mut chosen[v as usize], true))
            .collect();
        let mut vars = Vars::default();
        functions(model, types, &mut bits);
        for &v in &order {
            let variable = &model.vars[v as usize];
            if bits[v as usize].body.is_some() {
                continue;
            }
            for _ in 0..variable.domain.bits() {
                if variable.sort == Sort::Input {
                    let x = bdd.add_vars(1);
                    bits[v as usize].current.push(x);
                    vars.inputs.push(x);
                } else {
                    let (now, then) = pair();
                    bits[v as usize].current.push(now);
                    bits[v as usize].next.push(then);
                    vars.current.push(now);
                    vars.next.push(then);
                }
            }
        }
        let mut latches = HashMap::new();
        let strong = model.compassion.iter().flat_map(|&(p, q)| [p, q]);
        for condition in model.justice.iter().copied().chain(strong) {
            if types.of(condition).input && !latches.contains_key(&condition) {
                let (now, then) = pair();
                vars.current.push(now);
                vars.next.push(then);
                latches.insert(condition, (now, then));
            }
        }
        let pairs = vars.current.iter().zip(&vars.next).map(|(&now, &then)| vec![now, then]);
        bdd.keep_together(pairs.chain(fresh.iter().map(|&(now, then)| vec![now, then])).collect());
        Layout { bits, fresh, latches, vars, order }
    }

    /// The bits, now and then, that only remember whether a step was one that fairness or a specification asks for.
    pub(crate) fn memory(&self, model: &Model) -> Vec<(Var, Var)> {
        let hidden = self.bits.iter().zip(&model.vars).filter(|(_, v)| v.hidden);
        let hidden = hidden.flat_map(|(b, _)| b.current.iter().copied().zip(b.next.iter().copied()));
        self.latches.values().copied().chain(hidden).collect()
    }
}

/// Bits that a function may depend on.
const WIDEST: u32 = 16;

/// Finds the variables that an assignment makes a function of few others in every state. They need no bits, and no part
/// of the relation: they are substituted wherever they are read.
fn functions(model: &Model, types: &Types, bits: &mut [Bits]) {
    let defines = define_reads(model);
    let mut assigned: HashMap<u32, E> = HashMap::new();
    for a in model.assigns.iter().filter(|a| a.when == When::Always) {
        let traits = types.of(a.value);
        if model.vars[a.var as usize].sort == Sort::State && !traits.set && !traits.input && !traits.next {
            assigned.insert(a.var, a.value);
        }
    }
    // What each reads at the bottom; a circle has been refused before.
    let mut bottoms: HashMap<u32, HashSet<u32>> = HashMap::new();
    let mut roots: Vec<u32> = assigned.keys().copied().collect();
    roots.sort_unstable();
    for root in roots {
        let mut stack = vec![root];
        while let Some(&v) = stack.last() {
            let read: HashSet<u32> =
                reads(model, assigned[&v], &defines).into_iter().map(|(x, _)| x).collect();
            let open: Vec<u32> = read
                .iter()
                .copied()
                .filter(|x| assigned.contains_key(x) && !bottoms.contains_key(x))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            stack.pop();
            let mut bottom = HashSet::new();
            for x in read {
                match bottoms.get(&x) {
                    Some(deeper) if bits[x as usize].body.is_some() => bottom.extend(deeper),
                    _ => {
                        bottom.insert(x);
                    }
                }
            }
            let width: u32 = bottom.iter().map(|&x| model.vars[x as usize].domain.bits()).sum();
            if width <= WIDEST {
                bits[v as usize].body = Some(assigned[&v]);
            }
            bottoms.insert(v, bottom);
        }
    }
}

/// The conjuncts of a condition.
fn conjuncts(model: &Model, e: E) -> Vec<E> {
    let (mut all, mut stack) = (Vec::new(), vec![e]);
    while let Some(e) = stack.pop() {
        let node = model.node(e);
        match &node.op {
            Op::Apply(Kind::Binary(Binary::And)) => stack.extend(node.kids.iter().rev()),
            Op::Define(d) => stack.push(model.defines[*d as usize].body),
            _ => all.push(e),
        }
    }
    all
}

/// The system of a model; its steps are a disjunction where that is better.
pub(crate) fn system<'b, B: Bdd>(
    encoder: &mut Encoder<'_, 'b, B>,
    layout: &Layout,
) -> Result<Fsm<'b, B>, Fail> {
    let mut fsm = conjunction(encoder, layout)?;
    if let Some(parts) = interleave::disjuncts(encoder, &fsm.vars, &fsm.steps[0].conjuncts)? {
        fsm.steps = parts;
    }
    Ok(fsm)
}

/// The system of a model with its steps as one conjunction.
pub(crate) fn conjunction<'b, B: Bdd>(
    encoder: &mut Encoder<'_, 'b, B>,
    layout: &Layout,
) -> Result<Fsm<'b, B>, Fail> {
    let (model, bdd) = (encoder.model, encoder.bdd);
    let mut init: Vec<B::F> = Vec::new();
    let mut steps: Vec<B::F> = Vec::new();
    for (v, variable) in (0u32..).zip(&model.vars) {
        if let Some(body) = encoder.bits[v as usize].body {
            encoder.fitting(v, body, false)?;
            continue;
        }
        match variable.sort {
            Sort::Input => steps.push(encoder.mask(v, false)?),
            _ => {
                init.push(encoder.mask(v, false)?);
                steps.push(encoder.mask(v, true)?);
            }
        }
        if variable.sort == Sort::Frozen {
            steps.push(keeps(encoder, v)?);
        }
    }
    let mut by_variable: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, a) in model.assigns.iter().enumerate() {
        if encoder.bits[a.var as usize].body.is_some() {
            continue;
        }
        match a.when {
            When::Init => init.push(encoder.assigned(a.var, false, a.value, false)?),
            When::Always => {
                init.push(encoder.assigned(a.var, false, a.value, false)?);
                steps.push(encoder.assigned(a.var, true, a.value, true)?);
            }
            When::Next => by_variable.entry(a.var).or_default().push(i),
        }
        bdd.settle()?;
    }
    let mut assigned: Vec<_> = by_variable.into_iter().collect();
    assigned.sort_unstable();
    for (v, list) in assigned {
        steps.push(next_value(encoder, v, &list)?);
        bdd.settle()?;
    }
    for e in model.init.iter().flat_map(|&e| conjuncts(model, e)) {
        init.push(encoder.condition(e)?);
    }
    for e in model.trans.iter().flat_map(|&e| conjuncts(model, e)) {
        steps.push(encoder.condition(e)?);
        bdd.settle()?;
    }
    for e in model.invar.iter().flat_map(|&e| conjuncts(model, e)) {
        init.push(encoder.condition(e)?);
        let then = encoder.value(e, true)?;
        steps.push(encoder.truth(&then, model.node(e).span)?);
    }
    // What speaks of steps is remembered until the state after the step.
    let mut fair: HashMap<E, B::F> = HashMap::new();
    let strong = model.compassion.iter().flat_map(|&(p, q)| [p, q]);
    for condition in model.justice.iter().copied().chain(strong) {
        if fair.contains_key(&condition) {
            continue;
        }
        let f = encoder.condition(condition)?;
        let set = match layout.latches.get(&condition) {
            Some(&(now, then)) => {
                steps.push(bdd.iff(&bdd.var(then)?, &f)?);
                init.push(bdd.not(&bdd.var(now)?));
                bdd.var(now)?
            }
            None => f,
        };
        fair.insert(condition, set);
    }
    let justice = model.justice.iter().map(|j| fair[j].clone()).collect();
    let compassion = model.compassion.iter().map(|(p, q)| (fair[p].clone(), fair[q].clone())).collect();
    let mut start = bdd.constant(true);
    for f in &init {
        start = bdd.and(&start, f)?;
        bdd.settle()?;
    }
    let steps = vec![Disjunct { written: (0..layout.vars.current.len()).collect(), conjuncts: steps }];
    Ok(Fsm { bdd, vars: layout.vars.clone(), init: start, steps, justice, compassion })
}

/// Variable `v` does not change.
pub(crate) fn keeps<B: Bdd>(encoder: &Encoder<B>, v: u32) -> Result<B::F, Stop> {
    let (bdd, bits) = (encoder.bdd, &encoder.bits[v as usize]);
    bits.current.iter().zip(&bits.next).try_fold(bdd.constant(true), |all, (&now, &then)| {
        bdd.and(&all, &bdd.iff(&bdd.var(now)?, &bdd.var(then)?)?)
    })
}

/// What the assignments to `next(v)` say: each holds while its process runs, and without any of them the variable
/// keeps its value.
fn next_value<B: Bdd>(encoder: &mut Encoder<B>, v: u32, list: &[usize]) -> Result<B::F, Fail> {
    let (model, bdd) = (encoder.model, encoder.bdd);
    let (mut all, mut idle) = (bdd.constant(true), bdd.constant(true));
    for &i in list {
        let a = &model.assigns[i];
        let value = encoder.assigned(v, true, a.value, false)?;
        let runs = match a.running {
            Some(r) => encoder.condition(r)?,
            None => bdd.constant(true),
        };
        all = bdd.and(&all, &bdd.or(&bdd.not(&runs), &value)?)?;
        idle = bdd.minus(&idle, &runs)?;
    }
    if idle != bdd.constant(false) {
        let kept = keeps(encoder, v)?;
        all = bdd.and(&all, &bdd.or(&bdd.not(&idle), &kept)?)?;
    }
    Ok(all)
}
