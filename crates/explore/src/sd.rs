//! Simple depth-first search, for weak automata.
//!
//! ```text
//! procedure dfs (s)
//!   s.colour := cyan;
//!   for all t ∈ post(s) do
//!     if t.colour = cyan ∧ (s ∈ A ∨ t ∈ A) then
//!       report cycle;
//!     else if t.colour = white then
//!       call dfs(t);
//!   s.colour := blue;
//! ```
//!
//! It is SE05 Figure 3 without the red search. In a weak automaton an accepting cycle lies in a component in which
//! every edge carries all marks, so the edge (s, t) that closes it does. Deviation: the test is on the edge, which is
//! the same when marks are on states and lets the check run on marked edges and on any number of sets.
//!
//! # References
//! Schwoon, Esparza: A note on on-the-fly verification algorithms. TACAS 2005. Section 5.1.
//! Černá, Pelánek: Relating hierarchy of linear temporal properties to model checking. MFCS 2003.

use crate::outcome::{Found, conclude, deepen, intern};
use crate::stack::Stack;
use riata_store::{Colour, Colours, Palette, Store};
use riata_system::watch::Procedure;
use riata_system::{Graph, Lasso, Path, Run, Verdict};

/// Is there an accepting cycle? The graph must be weak: see [`crate::Refused`].
pub(crate) fn check<G: Graph, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let mut colour = store.colours(Palette::Three);
    let mut calls = Stack::new(g, Procedure::Outer);
    let found = dfs(g, store, &mut colour, &mut calls, run);
    run.counters.bytes = (store.bytes() + colour.bytes() + calls.bytes()) as u64;
    conclude(g, store.is_exact(), found)
}

fn dfs<G: Graph, S: Store>(
    g: &G,
    store: &mut S,
    colour: &mut S::Colours,
    calls: &mut Stack<G::Cursor, S::Id>,
    run: &mut Run,
) -> Found {
    let mut initial = G::Cursor::default();
    while g.initial(&mut initial, calls.slot()) {
        let s0 = intern(store, calls.target(g), run)?;
        if colour.get(s0) != Colour::White {
            continue;
        }
        calls.push(g, s0, run);
        colour.set(s0, Colour::Cyan);
        run.counters.states += 1;
        while let Some(&mut s) = calls.top() {
            deepen(run, calls.depth());
            run.breathe(calls.depth(), || store.bytes() + colour.bytes() + calls.bytes())?;
            let Some(marks) = calls.next(g, run) else {
                colour.set(s, Colour::Blue);
                calls.pop(g);
                continue;
            };
            let t = intern(store, calls.target(g), run)?;
            match colour.get(t) {
                Colour::Cyan if marks.contains(g.all()) => {
                    if let Some(lasso) = report(g, calls) {
                        return Ok(Some(lasso));
                    }
                }
                Colour::White => {
                    calls.push(g, t, run);
                    colour.set(t, Colour::Cyan);
                    run.counters.states += 1;
                }
                _ => {}
            }
        }
    }
    Ok(None)
}

/// The call stack from the target on is the cycle. `None` if the target is not there (a lossy store's mistake).
fn report<G: Graph, D>(g: &G, calls: &Stack<G::Cursor, D>) -> Option<Lasso> {
    let path = calls.path();
    let from = path.iter().position(|s| s == calls.target(g))?;
    let cycle: Path = path.iter().skip(from).collect();
    // The component is accepting, so each edge of it carries all marks; the replay sees to it.
    let marks = vec![g.all(); cycle.len()];
    Some(Lasso { stem: path.iter().take(from).collect(), cycle, marks, choices: Vec::new() })
}
