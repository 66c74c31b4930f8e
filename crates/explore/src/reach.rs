//! Reachability, for terminal automata.
//!
//! In a terminal automaton every run that takes an edge with all marks is accepting, however it goes on, and it can
//! always go on. So the first such edge that the search considers is the answer; the lasso follows first successors
//! from there until a state comes again.
//!
//! ```text
//! procedure dfs (s)
//!   s.seen := true;
//!   for all t ∈ post(s) do
//!     if (s, t) has every mark then
//!       report run;
//!     if ¬t.seen then
//!       call dfs(t);
//! ```
//!
//! # References
//! Černá, Pelánek: Relating hierarchy of linear temporal properties to model checking. MFCS 2003.
//! Schwoon, Esparza: A note on on-the-fly verification algorithms. TACAS 2005. Section 5.1 adds the condition that
//! every state has a successor.

use crate::outcome::{Found, conclude, deepen, intern};
use crate::stack::Stack;
use riata_automata::Marks;
use riata_store::{StateSet, Store};
use riata_system::watch::Procedure;
use riata_system::{Graph, Lasso, Path, Run, Verdict};
use std::collections::HashMap;

/// Is there an accepting run? The graph must be terminal: see [`crate::Refused`].
pub(crate) fn check<G: Graph, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let [mut seen] = store.sets();
    let mut calls = Stack::new(g, Procedure::Outer);
    let found = dfs(g, store, &mut seen, &mut calls, run);
    run.counters.bytes = (store.bytes() + seen.bytes() + calls.bytes()) as u64;
    conclude(g, store.is_exact(), found)
}

fn dfs<G: Graph, S: Store>(
    g: &G,
    store: &mut S,
    seen: &mut S::Set,
    calls: &mut Stack<G::Cursor, ()>,
    run: &mut Run,
) -> Found {
    let mut initial = G::Cursor::default();
    while g.initial(&mut initial, calls.slot()) {
        let s0 = intern(store, calls.target(g), run)?;
        if seen.contains(s0) {
            continue;
        }
        calls.push(g, (), run);
        seen.insert(s0);
        run.counters.states += 1;
        while !calls.is_empty() {
            deepen(run, calls.depth());
            run.breathe(calls.depth(), || store.bytes() + seen.bytes() + calls.bytes())?;
            let Some(marks) = calls.next(g, run) else {
                calls.pop(g);
                continue;
            };
            if marks.contains(g.all()) {
                return Ok(continuation(g, calls));
            }
            let t = intern(store, calls.target(g), run)?;
            if !seen.contains(t) {
                calls.push(g, (), run);
                seen.insert(t);
                run.counters.states += 1;
            }
        }
    }
    Ok(None)
}

/// The call stack, the target, and first successors until one comes again.
fn continuation<G: Graph>(g: &G, calls: &Stack<G::Cursor, ()>) -> Option<Lasso> {
    let (mut path, mut marks): (Path, Vec<Marks>) = (Path::new(), Vec::new());
    let mut places = HashMap::new();
    let mut at = calls.target(g).to_vec();
    let mut slot = vec![0; g.words()];
    let from = loop {
        if let Some(&i) = places.get(&at) {
            break i;
        }
        path.push(&at);
        marks.push(g.next(&at, &mut G::Cursor::default(), &mut slot)?);
        let next = slot[..g.len(&slot)].to_vec();
        places.insert(std::mem::replace(&mut at, next), path.len() - 1);
    };
    let mut lasso = Lasso { stem: calls.path(), ..Lasso::default() };
    path.iter().take(from).for_each(|s| lasso.stem.push(s));
    lasso.cycle = path.iter().skip(from).collect();
    lasso.marks = marks.split_off(from);
    Some(lasso.shortened())
}
