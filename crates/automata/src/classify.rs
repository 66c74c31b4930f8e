//! What kind of property a formula is: its class in the hierarchy of Manna and Pnueli, and whether it is stutter
//! invariant. And whether an automaton is deterministic.
//!
//! The class is exact for obligations and below, which their minimal automata decide; above, it is what the shape of
//! the formula shows.
//!
//! # References
//! Z. Manna, A. Pnueli, *A hierarchy of temporal properties*, PODC 1990.
//! T. Michaud, A. Duret-Lutz, *Practical stutter-invariance checks for ω-regular languages*, SPIN 2015.

use crate::product::disjoint;
use crate::reduce::wdba;
use crate::scc::Sccs;
use crate::translate::{Options, TranslateError, translate};
use crate::{Edge, Label, Labels, Marks, Tgba};
use riata_ltl::{Ltl, Props};
use std::collections::HashMap;

/// The classes of Manna and Pnueli, by name; a property is in all classes above its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Safety and guarantee at once: decided after a bounded time.
    Bounded,
    /// Nothing bad happens.
    Safety,
    /// Something good happens.
    Guarantee,
    /// Boolean combinations of these.
    Obligation,
    /// Infinitely often.
    Recurrence,
    /// From some point on.
    Persistence,
    /// Boolean combinations of these: all of LTL.
    Reactivity,
}

impl Class {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Bounded => "bounded",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        }
    }
}

/// Is there at most one way to read each word?
pub fn is_deterministic(a: &Tgba) -> bool {
    let mut labels = a.labels.clone();
    a.initial.len() <= 1
        && (0..a.states() as u32).all(|s| {
            let mut seen = Label::FALSE;
            a.edges(s).iter().all(|e| {
                let again = labels.and(seen, e.label);
                seen = labels.or(seen, e.label);
                again == Label::FALSE
            })
        })
}

/// The class of `f`.
pub fn class(f: &Ltl, options: &Options) -> Result<Class, TranslateError> {
    let mut a = translate(f, options)?;
    let limit = a.states() * 16 + 256;
    if let Some(w) = wdba::candidate(&mut a, limit, &options.budget) {
        let complement = wdba::complement(&w);
        let obligation = f.arena.props(f.root).has(Props::OBLIGATION)
            || disjoint(&a, &complement) && disjoint(&translate(&f.negated(), options)?, &w);
        if obligation {
            let safety = w.sets == 0 || w.edge_count() == 0;
            // Guarantee: from an accepting component there is no way to a rejecting one, or out.
            let guarantee = is_guarantee(&w);
            return Ok(match (safety, guarantee) {
                (true, true) => Class::Bounded,
                (true, false) => Class::Safety,
                (false, true) => Class::Guarantee,
                (false, false) => Class::Obligation,
            });
        }
    }
    let props = f.arena.props(f.root);
    Ok(if props.has(Props::RECURRENCE) {
        Class::Recurrence
    } else if props.has(Props::PERSISTENCE) {
        Class::Persistence
    } else {
        Class::Reactivity
    })
}

/// In a minimal weak automaton a guarantee is accepted in one state only, which reads everything for ever.
fn is_guarantee(w: &Tgba) -> bool {
    let sccs = Sccs::new(w);
    sccs.components.iter().filter(|c| c.accepting).all(|c| {
        c.states.len() == 1
            && matches!(w.edges(c.states[0]), [e] if e.to == c.states[0] && e.label == Label::TRUE)
    })
}

/// More propositions than this are too many letters for [`is_stutter_invariant`].
const PROPOSITIONS: usize = 6;

/// Does repeating letters never change the truth of `f`? `None` if that was not found out within the budget.
///
/// A formula without X is. Otherwise: f and ¬f are both closed under repeating letters.
pub fn is_stutter_invariant(f: &Ltl, options: &Options) -> Option<bool> {
    if f.arena.props(f.root).has(Props::STUTTER) {
        return Some(true);
    }
    let a = translate(f, options).ok()?;
    let n = translate(&f.negated(), options).ok()?;
    let (slow_a, slow_n) = (stutter(&a)?, stutter(&n)?);
    Some(disjoint(&slow_a, &n) && disjoint(&slow_n, &a))
}

/// The words of `a` with letters repeated, finitely often each. State (q, x) is q entered by the letter x.
fn stutter(a: &Tgba) -> Option<Tgba> {
    if a.aps.len() > PROPOSITIONS || a.sets + 1 > Marks::MAX {
        return None;
    }
    let mut b = Tgba::default();
    b.aps = a.aps.clone();
    b.sets = a.sets + 1;
    let letters = 1u32 << a.aps.len();
    let moving = Marks::one(a.sets); // what an edge that only repeats a letter has not
    let mut number: HashMap<(u32, Option<u32>), u32> = HashMap::new();
    let mut nodes: Vec<(u32, Option<u32>)> = Vec::new();
    let mut id = |nodes: &mut Vec<_>, node| {
        *number.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    };
    b.initial = a.initial.iter().map(|&q| id(&mut nodes, (q, None))).collect();
    let mut edges = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        let (q, by) = nodes[at];
        if let Some(x) = by {
            let label = letter(&mut b.labels, x, a.aps.len());
            edges.push((at as u32, Edge { to: at as u32, label, marks: Marks::NONE }));
        }
        for e in a.edges(q) {
            for x in (0..letters).filter(|x| a.labels.eval(e.label, |v| x >> v & 1 == 1)) {
                let to = id(&mut nodes, (e.to, Some(x)));
                let label = letter(&mut b.labels, x, a.aps.len());
                edges.push((at as u32, Edge { to, label, marks: e.marks | moving }));
            }
        }
        at += 1;
    }
    b.set_edges(nodes.len(), &edges);
    Some(b)
}

fn letter(labels: &mut Labels, x: u32, aps: usize) -> Label {
    (0..aps as u32).rev().fold(Label::TRUE, |rest, v| {
        let (lo, hi) = if x >> v & 1 == 1 { (Label::FALSE, rest) } else { (rest, Label::FALSE) };
        labels.make(v, lo, hi)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_ltl::{Dialect, parse};

    #[test]
    fn classes() {
        let class = |s: &str| class(&parse(s, Dialect::Spot).unwrap(), &Options::default()).unwrap();
        assert_eq!(class("X a"), Class::Bounded);
        assert_eq!(class("G a"), Class::Safety);
        assert_eq!(class("a U b"), Class::Guarantee);
        assert_eq!(class("G a | F b"), Class::Obligation);
        assert_eq!(class("G(a -> F b)"), Class::Recurrence);
        assert_eq!(class("F G a"), Class::Persistence);
        assert_eq!(class("F G a | G F b"), Class::Reactivity);
        // The shape says obligation or more, the language is less.
        assert_eq!(class("(F a & G F b) | !(F a & G F b)"), Class::Bounded);
        assert_eq!(class("(a W b) & (a | b | F c)"), Class::Safety);
    }

    #[test]
    fn stuttering() {
        let invariant =
            |s: &str| is_stutter_invariant(&parse(s, Dialect::Spot).unwrap(), &Options::default());
        assert_eq!(invariant("G(a -> F b)"), Some(true));
        assert_eq!(invariant("X a"), Some(false));
        assert_eq!(invariant("F(a & X(!a & b))"), Some(true));
        assert_eq!(invariant("F(a & X b)"), Some(false));
        assert_eq!(invariant("G X G a | X F !a"), Some(true));
    }
}
