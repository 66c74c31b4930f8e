//! Specifications that speak of steps: of inputs, or of the next state.
//!
//! An invariant or an LTL formula may look at inputs and at `next(x)`; a CTL formula may not. Such a condition `c` holds
//! of a step, not of a state. A hidden variable remembers whether it held of the last step,
//!
//! ```text
//! init(m) := TRUE;  next(m) := c
//! ```
//!
//! and then the formula `c` of LTL is `X m`, and the invariant `c` is the invariant `m`. The variable adds no steps and
//! takes none away, so no other specification notices it, and it is not counted as part of the state. The next value of a
//! constant or a frozen variable is its value, so it needs no step; in a state without successors that is a difference.

use crate::ast::{Kind, Logic, Modal, Sort, When};
use crate::formula::temporal_parts;
use crate::model::{Assign, Domain, E, Model, Op, Value, Variable};
use crate::types::Types;
use std::collections::HashMap;

/// Rewrites the specifications that speak of steps; says whether there were any.
pub(crate) fn lower(model: &mut Model, types: &Types) -> bool {
    let mut any = false;
    for i in 0..model.specs.len() {
        let (logic, root) = (model.specs[i].logic, model.specs[i].formula);
        let of_steps = |e: E| types.of(e).step;
        if !of_steps(root) {
            continue;
        }
        any = true;
        let mut new: HashMap<E, E> = HashMap::new();
        for e in temporal_parts(model, root, |e| types.of(e).ltl) {
            let replaced = if types.of(e).ltl && of_steps(e) {
                let node = model.node(e).clone();
                let kids = node.kids.iter().map(|k| new[k]).collect();
                model.make(node.op, kids, node.span)
            } else if of_steps(e) {
                let m = remember(model, e);
                let span = model.node(e).span;
                if logic == Logic::Invariant {
                    m
                } else {
                    model.make(Op::Apply(Kind::Modal(Modal::Next)), vec![m], span)
                }
            } else {
                e
            };
            new.insert(e, replaced);
        }
        model.specs[i].formula = new[&root];
    }
    any
}

/// A variable that remembers whether `condition` held of the last step.
fn remember(model: &mut Model, condition: E) -> E {
    let span = model.node(condition).span;
    let var = model.vars.len() as u32;
    let name = format!("_step_{var}");
    model.vars.push(Variable { name, domain: Domain::Bool, sort: Sort::State, span, hidden: true });
    let value = model.make(Op::Const(Value::Bool(true)), vec![], span);
    model.assigns.push(Assign { var, when: When::Init, value, running: None, process: 0, span });
    model.assigns.push(Assign { var, when: When::Next, value: condition, running: None, process: 0, span });
    model.make(Op::Var(var), vec![], span)
}
