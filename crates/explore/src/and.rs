//! Amended nested depth-first search: states whose successors are all red are red at once.
//!
//! ```text
//! procedure dfs_blue (s)                       procedure dfs_red (s)
//!   allred := true;                              for all t ∈ post(s) do
//!   s.colour := cyan;                              if t.colour = cyan then
//!   for all t ∈ post(s) do                           report cycle
//!     if t.colour = cyan                           else if t.colour = blue then
//!        ∧ (s ∈ A ∨ t ∈ A) then                      t.colour := red;
//!       report cycle                                 call dfs_red(t)
//!     else if t.colour = white then
//!       call dfs_blue(t);
//!     if t.colour ≠ red then
//!       allred := false;
//!   if allred then
//!     s.colour := red
//!   else if s ∈ A then
//!     call dfs_red(s);
//!     s.colour := red
//!   else
//!     s.colour := blue
//! ```
//!
//! After `call dfs_blue(t)` the test on `t.colour` happens when the call returns: where `t` gets its last colour.
//!
//! # References
//! Gaiser, Schwoon: Comparison of algorithms for checking emptiness on Büchi automata. MEMICS 2009. Figure 1.

use crate::nested::Nested;
use crate::outcome::{Found, conclude};
use riata_store::{Colour, Colours, Palette, Store};
use riata_system::{Run, StateMarked, Verdict};

/// Is there an accepting cycle?
pub fn check<G: StateMarked, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = Nested::new(g, store, Palette::Four).for_each_initial(run, dfs_blue);
    conclude(g, store.is_exact(), found)
}

/// `if t.colour ≠ red then allred := false`, for the call on top of the stack.
fn note<G: StateMarked, S: Store>(n: &mut Nested<G, S>, colour: Colour) {
    if let Some(s) = n.blue.top() {
        s.allred &= colour == Colour::Red;
    }
}

fn dfs_blue<G: StateMarked, S: Store>(n: &mut Nested<G, S>, run: &mut Run) -> Found {
    while let Some((s, accepting)) = n.blue.top().map(|s| (s.id, s.accepting)) {
        if let Some(t) = n.post_blue(run)? {
            let colour = n.colour.get(t);
            match colour {
                Colour::Cyan if accepting || n.target_accepting() => {
                    if let Some(lasso) = n.report(false) {
                        return Ok(Some(lasso));
                    }
                    note(n, colour);
                }
                Colour::White => n.call_blue(t, run),
                _ => note(n, colour),
            }
            continue;
        }
        let allred = n.blue.top().is_some_and(|s| s.allred);
        let colour = if allred {
            Colour::Red
        } else if accepting {
            if let Some(lasso) = n.dfs_red(run)? {
                return Ok(Some(lasso));
            }
            Colour::Red
        } else {
            Colour::Blue
        };
        n.colour.set(s, colour);
        n.blue.pop(n.g);
        note(n, colour);
    }
    Ok(None)
}
