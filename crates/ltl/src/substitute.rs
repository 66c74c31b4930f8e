//! Formulas in place of propositions: what a front end makes of a proposition's text.

use crate::{Arena, Id, Ltl, Op};
use std::collections::HashMap;

/// `formula` with each proposition that is named in `by` replaced. The arena of the result holds nothing else.
pub fn substitute(formula: &Ltl, by: &[(String, Ltl)]) -> Ltl {
    let mut arena = Arena::new();
    let replaced: HashMap<&str, Id> =
        by.iter().map(|(name, f)| (name.as_str(), copy(f, &mut arena, |_| None))).collect();
    let root = copy(formula, &mut arena, |name| replaced.get(name).copied());
    Ltl { arena, root }
}

/// Copies a formula to another arena.
fn copy(formula: &Ltl, to: &mut Arena, replaced: impl Fn(&str) -> Option<Id>) -> Id {
    let from = &formula.arena;
    let mut done: HashMap<Id, Id> = HashMap::new();
    let mut todo = vec![(formula.root, false)];
    while let Some((f, ready)) = todo.pop() {
        if done.contains_key(&f) {
            continue;
        }
        let operands = from.operands(f).as_slice().to_vec();
        if !ready {
            todo.push((f, true));
            todo.extend(operands.iter().map(|&o| (o, false)));
            continue;
        }
        let id = match from.op(f) {
            Op::Ap => {
                let name = &from.aps()[from.ap_number(f) as usize];
                replaced(name).unwrap_or_else(|| to.ap(name))
            }
            op => {
                let operands: Vec<Id> = operands.iter().map(|o| done[o]).collect();
                to.raw(op, &operands)
            }
        };
        done.insert(f, id);
    }
    done[&formula.root]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse, print};

    #[test]
    fn propositions_become_formulas() {
        let f = parse("G (a -> F b)", Dialect::Spot).unwrap();
        let g = parse("c U d", Dialect::Spot).unwrap();
        let h = substitute(&f, &[("a".into(), g)]);
        let wanted = parse("G ((c U d) -> F b)", Dialect::Spot).unwrap();
        assert_eq!(print(&h.arena, h.root, Dialect::Spot), print(&wanted.arena, wanted.root, Dialect::Spot));
        assert_eq!(h.arena.aps().len(), 3);
    }
}
