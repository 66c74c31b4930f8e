//! Specifications that hold vacuously: some condition in them does not matter.
//!
//! A condition that occurs positively is replaced by FALSE, one that occurs negatively by TRUE; the formula gets stronger by
//! that, and if the model satisfies even this, the condition was of no use. `AG (p -> AF q)` holds so if p is never true.
//! That a condition such as p is not needed is no reason for a warning, so what stands before an arrow is left alone.
//!
//! # References
//! I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, *Efficient detection of vacuity in temporal model checking*, FMSD 18(2), 2001.

use crate::ast::{Binary, Kind, Logic, Unary};
use crate::model::{E, Model, Node, Op, Spec, Value};
use crate::types::{self, Types};

/// A specification with one condition replaced.
#[derive(Clone, Debug)]
pub struct Stronger {
    /// The specification, in the model that it was made for.
    pub of: String,
    /// The condition, in the model that it was made for.
    pub condition: E,
    /// Was it replaced by FALSE?
    pub positive: bool,
}

/// For specifications with more conditions it is not asked whether each matters.
const MOST: usize = 6;

/// The model with the stronger forms of the specifications with these names instead of its own, one for each condition.
pub fn stronger(model: &Model, types: &Types, names: &[&str]) -> Option<(Model, Types, Vec<Stronger>)> {
    let mut result = Model { specs: Vec::new(), ..model.clone() };
    let mut all = Vec::new();
    for spec in model.specs.iter().filter(|s| names.contains(&s.name.as_str())) {
        if !matches!(spec.logic, Logic::Ctl | Logic::Ltl) {
            continue;
        }
        let conditions = conditions(model, types, spec.formula);
        for (path, positive) in conditions.iter().filter(|_| conditions.len() <= MOST) {
            let Some((&condition, above)) = path.split_last() else { continue };
            let value = Op::Const(Value::Bool(!positive));
            let span = model.node(condition).span;
            let mut now = add(&mut result, Node { op: value, kids: Vec::new(), span });
            // The operators above it, each with the operand that has changed.
            let mut old = condition;
            for &parent in above.iter().rev() {
                let mut node = model.node(parent).clone();
                if let Some(kid) = node.kids.iter_mut().find(|k| **k == old) {
                    *kid = now;
                }
                (old, now) = (parent, add(&mut result, node));
            }
            result.specs.push(Spec { name: format!("vacuity_{}", all.len()), formula: now, ..spec.clone() });
            all.push(Stronger { of: spec.name.clone(), condition, positive: *positive });
        }
    }
    let mut wrong = Vec::new();
    let types = types::check(&result, &mut wrong);
    (wrong.is_empty() && !all.is_empty()).then_some((result, types, all))
}

fn add(model: &mut Model, node: Node) -> E {
    model.nodes.push(node);
    E(model.nodes.len() as u32 - 1)
}

/// The conditions of a formula that occur with one sign, not before an arrow: the way from the root to each, and whether the
/// sign is positive.
fn conditions(model: &Model, types: &Types, root: E) -> Vec<(Vec<E>, bool)> {
    let mut found = Vec::new();
    let mut stack = vec![(vec![root], true)];
    while let Some((path, positive)) = stack.pop() {
        let e = path[path.len() - 1];
        let t = types.of(e);
        if !t.ctl && !t.ltl {
            if !matches!(model.node(e).op, Op::Const(_)) {
                found.push((path, positive));
            }
            continue;
        }
        let node = model.node(e);
        let Op::Apply(kind) = &node.op else { continue };
        let signs: Vec<Option<bool>> = match kind {
            Kind::Unary(Unary::Not) => vec![Some(!positive)],
            Kind::Binary(Binary::And | Binary::Or) => vec![Some(positive); 2],
            Kind::Binary(Binary::Implies) => {
                // A condition before the arrow is left alone, a temporal formula is not.
                let temporal = node.kids.first().is_some_and(|k| types.of(*k).ctl || types.of(*k).ltl);
                vec![temporal.then_some(!positive), Some(positive)]
            }
            Kind::Modal(_) | Kind::Modal2(_) => vec![Some(positive); node.kids.len()],
            _ => continue,
        };
        for (kid, sign) in node.kids.iter().zip(signs) {
            if let Some(sign) = sign {
                let mut way = path.clone();
                way.push(*kid);
                stack.push((way, sign));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(formula: &str) -> Vec<(String, bool)> {
        let text = format!("MODULE main VAR p : boolean; q : boolean; r : boolean; {formula}");
        let (model, types) = crate::parse(&text).expect("a model");
        let name = model.specs[0].name.clone();
        let Some((changed, _, all)) = stronger(&model, &types, &[&name]) else { return Vec::new() };
        assert_eq!(changed.specs.len(), all.len());
        let shown = |s: &Stronger| {
            let span = model.node(s.condition).span;
            (text[span.start..span.end].to_string(), s.positive)
        };
        let mut list: Vec<_> = all.iter().map(shown).collect();
        list.sort();
        list
    }

    #[test]
    fn conditions_have_signs() {
        let some = |list: &[(&str, bool)]| list.iter().map(|(n, s)| (n.to_string(), *s)).collect::<Vec<_>>();
        assert_eq!(of("SPEC AG (p -> AF q)"), some(&[("q", true)]));
        assert_eq!(of("LTLSPEC !(F p) | G q"), some(&[("p", false), ("q", true)]));
        assert_eq!(of("LTLSPEC (G p) -> F (q & r)"), some(&[("p", false), ("q & r", true)]));
        assert_eq!(of("SPEC AG p <-> EF q"), some(&[]));
        assert_eq!(of("INVARSPEC p -> q"), some(&[]));
    }
}
