//! Simple on-the-fly: the tableau of Gerth, Peled, Vardi and Wolper.
//!
//! ```text
//! expand(New, Old, Next):
//!     New = ∅:          if a node has the same Old and Next: it is that node
//!                       else it is a new node; then expand(Next, ∅, ∅) gives its successors
//!     else take η from New:
//!         a literal:    drop the node if ¬η ∈ Old, else continue with Old ∪ {η}
//!         a U b:        split: (New ∪ {a}, Next ∪ {a U b})  and  (New ∪ {b})
//!         a R b:        split: (New ∪ {b}, Next ∪ {a R b})  and  (New ∪ {a, b})
//!         a ∨ b:        split: (New ∪ {a})                  and  (New ∪ {b})
//!         a ∧ b:        New ∪ {a, b}
//!         X a:          Next ∪ {a}
//! ```
//!
//! A node reads the literals of its Old when it is entered. For each a U b there is an acceptance set: the nodes
//! without a U b in Old, or with b. The paper's recursion is an explicit list of unfinished nodes here, and F, G, W
//! and M have rules of their own.
//!
//! # References
//! R. Gerth, D. Peled, M. Vardi, P. Wolper, *Simple on-the-fly automatic verification of linear temporal logic*, PSTV
//! 1995.

use super::{Budget, TranslateError};
use crate::{Edge, Label, Marks, Tgba};
use riata_ltl::{Arena, Id, Op};
use std::collections::{BTreeSet, HashMap};

/// A set of formulas.
pub type Set = BTreeSet<Id>;

/// A node in the making, which follows the node `from`.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    /// The node that it follows.
    pub from: u32,
    /// What has still to be looked at.
    pub new: Set,
    /// What holds here.
    pub old: Set,
    /// What has to hold in the next state.
    pub next: Set,
}

/// What the construction does, for who watches it.
#[derive(Debug)]
pub enum Event<'a> {
    /// A formula is taken from New of a node.
    Taken(Id, &'a Unfinished),
    /// The nodes that are to be looked at, the next one last.
    Left(&'a [Unfinished]),
    /// New is empty: it is the node with this number, which was there before or is new.
    Node {
        /// The node in the making.
        from: u32,
        /// Its number.
        number: u32,
        /// Is it a new one?
        new: bool,
        /// Its Old and Next.
        parts: (&'a Set, &'a Set),
    },
}

/// The generalised automaton of `f`, which is in negation normal form; state 0 is the start, before the first letter.
pub fn translate(arena: &Arena, f: Id, budget: &Budget) -> Result<Tgba, TranslateError> {
    watched(arena, f, budget, |_| {})
}

/// As [`translate`], and tells `watch` what is done.
pub fn watched(
    arena: &Arena,
    f: Id,
    budget: &Budget,
    mut watch: impl FnMut(Event),
) -> Result<Tgba, TranslateError> {
    let aps = arena.ap_numbers(f);
    let goals: Vec<(Id, Id)> = arena
        .subformulas(f)
        .into_iter()
        .filter_map(|g| match arena.op(g) {
            Op::Until => Some((g, arena.right(g))),
            Op::Finally | Op::StrongRelease => Some((g, arena.left(g))),
            _ => None,
        })
        .collect();
    if goals.len() > Marks::MAX as usize {
        return Err(TranslateError::TooManySets);
    }
    let mut nodes: Vec<(Set, Set)> = vec![(Set::new(), Set::from([f]))];
    let mut number: HashMap<(Set, Set), u32> = HashMap::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut todo = vec![Unfinished { new: Set::from([f]), ..Unfinished::default() }];
    while let Some(mut node) = todo.pop() {
        let Some(formula) = node.new.pop_first() else {
            let key = (node.old, node.next);
            let known = number.get(&key);
            let id = known.map_or(nodes.len() as u32, |&id| id);
            watch(Event::Node { from: node.from, number: id, new: known.is_none(), parts: (&key.0, &key.1) });
            match known {
                Some(_) => {}
                None => {
                    budget.check(nodes.len(), todo.len())?;
                    todo.push(Unfinished { from: id, new: key.1.clone(), ..Unfinished::default() });
                    nodes.push(key.clone());
                    number.insert(key, id);
                }
            }
            pairs.push((node.from, id));
            watch(Event::Left(&todo));
            continue;
        };
        budget.check(0, todo.len())?;
        watch(Event::Taken(formula, &node));
        expand(arena, formula, node, &mut todo)?;
        watch(Event::Left(&todo));
    }
    let mut a = Tgba::default();
    a.aps = aps.iter().map(|&p| arena.aps()[p as usize].clone()).collect();
    a.sets = goals.len() as u32;
    a.initial = vec![0];
    let mut entered = Vec::with_capacity(nodes.len());
    for (old, _) in &nodes {
        let mut label = Label::TRUE;
        for &l in old {
            let (ap, positive) = match arena.op(l) {
                Op::Ap => (l, true),
                Op::Not => (arena.left(l), false),
                _ => continue,
            };
            let at = aps.binary_search(&arena.ap_number(ap)).expect("a proposition of the formula");
            let var = a.labels.var(at as u32);
            let literal = if positive { var } else { a.labels.not(var) };
            label = a.labels.and(label, literal);
        }
        let mut marks = Marks::NONE;
        for (i, (u, goal)) in goals.iter().enumerate() {
            if !old.contains(u) || old.contains(goal) {
                marks |= Marks::one(i as u32);
            }
        }
        entered.push((label, marks));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let edges: Vec<(u32, Edge)> = pairs
        .into_iter()
        .map(|(s, to)| {
            let (label, marks) = entered[to as usize];
            (s, Edge { to, label, marks })
        })
        .collect();
    a.set_edges(nodes.len(), &edges);
    Ok(a)
}

/// One step of the table above: pushes the node or nodes that `formula` leads to.
fn expand(
    m: &Arena,
    formula: Id,
    mut node: Unfinished,
    todo: &mut Vec<Unfinished>,
) -> Result<(), TranslateError> {
    let add = |node: &mut Unfinished, formulas: &[Id]| {
        for g in formulas {
            if !node.old.contains(g) {
                node.new.insert(*g);
            }
        }
    };
    let op = m.op(formula);
    node.old.insert(formula);
    // The second node of a split: what it has beside the first's `new`; None where there is no split.
    let (now, next, other): (Vec<Id>, Option<Id>, Option<Vec<Id>>) = match op {
        Op::False => return Ok(()),
        Op::True => (vec![], None, None),
        Op::Ap | Op::Not => {
            let conflict = node.old.iter().any(|&o| {
                op == Op::Not && m.left(formula) == o || m.op(o) == Op::Not && m.left(o) == formula
            });
            if conflict {
                return Ok(());
            }
            (vec![], None, None)
        }
        Op::And => (m.operands(formula).as_slice().to_vec(), None, None),
        Op::Or => {
            for &k in m.operands(formula).as_slice() {
                let mut branch = node.clone();
                add(&mut branch, &[k]);
                todo.push(branch);
            }
            return Ok(());
        }
        Op::Next => (vec![], Some(m.left(formula)), None),
        Op::Globally => (vec![m.left(formula)], Some(formula), None),
        Op::Finally => (vec![], Some(formula), Some(vec![m.left(formula)])),
        Op::Until | Op::WeakUntil => (vec![m.left(formula)], Some(formula), Some(vec![m.right(formula)])),
        Op::Release | Op::StrongRelease => {
            (vec![m.right(formula)], Some(formula), Some(vec![m.left(formula), m.right(formula)]))
        }
        _ => return Err(TranslateError::Unsupported(op)),
    };
    if let Some(other) = other {
        let mut branch = node.clone();
        add(&mut branch, &other);
        todo.push(branch);
    }
    add(&mut node, &now);
    node.next.extend(next.filter(|&n| n != Id::TRUE));
    todo.push(node);
    Ok(())
}
