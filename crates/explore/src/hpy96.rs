//! Nested depth-first search as in Spin: the red search stops at the blue call stack.
//!
//! ```text
//! procedure dfs_blue (s)                       procedure dfs_red (s)
//!   s.blue := true; s.stack := true;             s.red := true;
//!   for all t ∈ post(s) do                       for all t ∈ post(s) do
//!     if ¬t.blue then                              if t.stack then
//!       call dfs_blue(t);                            report cycle;
//!   if s ∈ A then                                  else if ¬t.red then
//!     call dfs_red(s);                               call dfs_red(t);
//!   s.stack := false;
//! ```
//!
//! Deviation: of the eight combinations of the three bits four cannot occur (SE05 section 3.2), so they are stored as
//! the four colours: cyan is blue and on the stack, red is blue and red. The seed is cyan until its red search ends.
//!
//! # References
//! Holzmann, Peled, Yannakakis: On nested depth first search. SPIN 1996.

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
            if n.colour.get(t) == Colour::White {
                n.call_blue(t, run);
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
