//! Films of algorithms at work: emptiness checks, decompositions into components, fixpoints and translations, on small
//! graphs. What is shown is told by the algorithm itself while it runs; nothing is computed a second time.

mod fixpoint;
mod search;
mod translation;

pub use fixpoint::fixpoint;
pub use search::{components, search};
pub use translation::translation;

use crate::written::Written;
use riata_report::animate::Film;
use riata_report::answer::Answer;

/// So many states are shown if nobody says how many.
pub const MOST: usize = 300;

/// A film, and what the algorithm found.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The film.
    pub film: Film,
    /// The verdict and the counters, as those of the ordinary run.
    pub answer: Answer,
}

/// What a state is, for who asks.
fn states(written: &Written) -> Vec<String> {
    let accepting = |s: usize| if written.accepting(s) { ", accepting" } else { "" };
    let text = |(s, lines): (usize, &Vec<String>)| {
        let mut text = format!("state {s}{}", accepting(s));
        lines.iter().for_each(|line| text += &format!("\n{line}"));
        text
    };
    written.states.iter().enumerate().map(text).collect()
}
