//! Nested depth-first search with four colours, two bits a state.
//!
//! ```text
//! procedure dfs_blue (s)                       procedure dfs_red (s)
//!   s.colour := cyan;                            for all t ∈ post(s) do
//!   for all t ∈ post(s) do                         if t.colour = cyan then
//!     if t.colour = cyan                             report cycle;
//!        ∧ (s ∈ A ∨ t ∈ A) then                    else if t.colour = blue then
//!       report cycle;                                t.colour := red;
//!     else if t.colour = white then                  call dfs_red(t);
//!       call dfs_blue(t);
//!   if s ∈ A then
//!     call dfs_red(s);
//!     s.colour := red;
//!   else
//!     s.colour := blue;
//! ```
//!
//! The seed of a red search stays cyan while it runs, so that no variable for it is needed. Calls are frames of an
//! explicit stack; `dfs_red` is shared with the other searches of this shape.
//!
//! # References
//! Schwoon, Esparza: A note on on-the-fly verification algorithms. TACAS 2005. Figure 3.

use crate::nested::Nested;
use crate::outcome::{Found, conclude};
use riata_store::{Colour, Colours, Palette, Store};
use riata_system::{Run, StateMarked, Verdict};

/// Is there an accepting cycle?
pub fn check<G: StateMarked, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = Nested::new(g, store, Palette::Four).for_each_initial(run, dfs_blue);
    conclude(g, store.is_exact(), found)
}

fn dfs_blue<G: StateMarked, S: Store>(n: &mut Nested<G, S>, run: &mut Run) -> Found {
    while let Some((s, accepting)) = n.blue.top().map(|s| (s.id, s.accepting)) {
        if let Some(t) = n.post_blue(run)? {
            match n.colour.get(t) {
                Colour::Cyan if accepting || n.target_accepting() => {
                    if let Some(lasso) = n.report(false) {
                        return Ok(Some(lasso));
                    }
                }
                Colour::White => n.call_blue(t, run),
                _ => {}
            }
            continue;
        }
        if accepting {
            if let Some(lasso) = n.dfs_red(run)? {
                return Ok(Some(lasso));
            }
            n.colour.set(s, Colour::Red);
        } else {
            n.colour.set(s, Colour::Blue);
        }
        n.blue.pop(n.g);
    }
    Ok(None)
}
