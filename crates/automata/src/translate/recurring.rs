//! G F g for a guarantee g: the automaton of F g, started again each time it succeeds.
//!
//! F g is decided by a finite prefix. G F g holds exactly when a word can be cut into infinitely many such prefixes,
//! so the automaton of F g with its success redirected to its beginning, and marked, accepts G F g. Where g looks
//! ahead by X this is exponentially smaller than keeping all attempts in one state.

use super::{Input, Options, couvreur99, tgba_stages};
use crate::reduce::{rebuild, wdba};
use crate::scc::Sccs;
use crate::{Edge, Label, Marks, Tgba};
use riata_ltl::{Op, Props};

/// The automaton, if the formula is of that form and F g has an automaton whose only accepting state is «true».
pub(crate) fn recurring_guarantee(input: &Input, options: &Options) -> Option<Tgba> {
    let (m, root) = (&input.arena, input.root);
    if m.op(root) != Op::Globally || m.op(m.left(root)) != Op::Finally || !input.fresh.is_empty() {
        return None;
    }
    let goal = m.left(root);
    if m.props(goal).has(Props::STUTTER) || !m.props(goal).has(Props::GUARANTEE) {
        return None;
    }
    let raw = couvreur99::translate(m, goal, false, &options.budget).ok()?;
    let mut a = tgba_stages(raw, options);
    let limit = a.states() + 1;
    if let Some(w) = wdba::candidate(&mut a, limit, &options.budget).filter(|w| w.states() <= a.states()) {
        a = w;
    }
    restart(a)
}

fn restart(mut a: Tgba) -> Option<Tgba> {
    let sccs = Sccs::new(&a);
    let mut accepting = sccs.components.iter().filter(|c| c.accepting);
    let goal = *accepting.next()?.states.first()?;
    let is_true = matches!(a.edges(goal), [e] if e.to == goal && e.label == Label::TRUE);
    let [start] = a.initial[..] else { return None };
    if accepting.next().is_some() || !is_true || start == goal {
        return None;
    }
    let mut edges = Vec::with_capacity(a.edge_count());
    for s in (0..a.states() as u32).filter(|&s| s != goal) {
        for e in a.edges(s) {
            let done = e.to == goal;
            let to = if done { start } else { e.to };
            let marks = if done { Marks::one(0) } else { Marks::NONE };
            edges.push((s, Edge { to, label: e.label, marks }));
        }
    }
    let states = a.states();
    let mut b = rebuild(&mut a, states, vec![start], edges);
    b.sets = 1;
    Some(b)
}
