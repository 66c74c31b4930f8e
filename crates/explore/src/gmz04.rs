//! Nested depth-first search with early detection and black states.
//!
//! As SE05 section 3.1 describes it:
//!
//! ```text
//! procedure dfs_blue (s)                       procedure dfs_red (s)
//!   s.colour := cyan;                            for all t ∈ post(s) do
//!   for all t ∈ post(s) do                         if t.colour = cyan then
//!     if t.colour = cyan ∧ t ∈ A then                report cycle;
//!       report cycle;                              else if t.colour = blue then
//!     else if t.colour = white then                  t.colour := red;
//!       call dfs_blue(t);                            call dfs_red(t);
//!   if for all t ∈ post(s): t.colour = black then
//!     s.colour := black;
//!   else if s ∈ A then
//!     call dfs_red(s);
//!     s.colour := black;
//!   else
//!     s.colour := blue;
//! ```
//!
//! The test for black successors goes through `post(s)` a second time, and to its end: in SE05 Table 1 every
//! complete search considers each transition exactly twice before any red search. A state whose red search failed is
//! black, because it lies on no accepting run.
//!
//! # References
//! Gastin, Moro, Zeitoun: Minimization of counterexamples in SPIN. SPIN 2004.

use crate::nested::Nested;
use crate::outcome::{Found, conclude};
use riata_store::{Colour, Colours, Palette, Store};
use riata_system::{Run, StateMarked, Stop, Verdict};

/// Is there an accepting cycle?
pub fn check<G: StateMarked, S: Store>(g: &G, store: &mut S, run: &mut Run) -> Verdict {
    let found = Nested::new(g, store, Palette::Five).for_each_initial(run, dfs_blue);
    conclude(g, store.is_exact(), found)
}

fn dfs_blue<G: StateMarked, S: Store>(n: &mut Nested<G, S>, run: &mut Run) -> Found {
    while let Some((s, accepting)) = n.blue.top().map(|s| (s.id, s.accepting)) {
        if let Some(t) = n.post_blue(run)? {
            match n.colour.get(t) {
                Colour::Cyan if n.target_accepting() => {
                    if let Some(lasso) = n.report(false) {
                        return Ok(Some(lasso));
                    }
                }
                Colour::White => n.call_blue(t, run),
                _ => {}
            }
            continue;
        }
        let colour = if all_black(n, run)? {
            Colour::Black
        } else if accepting {
            if let Some(lasso) = n.dfs_red(run)? {
                return Ok(Some(lasso));
            }
            Colour::Black
        } else {
            Colour::Blue
        };
        n.colour.set(s, colour);
        n.blue.pop(n.g);
    }
    Ok(None)
}

/// `for all t ∈ post(s): t.colour = black`, for the call on top of the stack.
fn all_black<G: StateMarked, S: Store>(n: &mut Nested<G, S>, run: &mut Run) -> Result<bool, Stop> {
    n.blue.rewind(n.g, run);
    let mut black = true;
    while let Some(t) = n.post_blue(run)? {
        black &= n.colour.get(t) == Colour::Black;
    }
    Ok(black)
}
