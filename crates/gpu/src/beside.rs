//! The automaton beside a program: what of it the device is told.
//!
//! A state of the product is that of the program, and one more word for the state of the automaton. In a state of the
//! product the propositions are read once, as a letter, and then each step of the program is told once for each edge of the
//! automaton that the letter opens.

use crate::plan::Refused;
use riata_automata::Tgba;

/// So many edges of one state of the automaton are a word.
pub(crate) const MOST_EDGES: usize = 64;

/// An automaton that reads what a program does.
#[derive(Clone, Debug)]
pub struct Beside<'a> {
    pub(crate) automaton: &'a Tgba,
    /// For each proposition of the automaton, that of the program.
    pub(crate) propositions: Vec<usize>,
    /// Is a state in which nothing moves its own successor?
    pub(crate) stutters: bool,
}

impl<'a> Beside<'a> {
    /// An automaton, whose propositions have these names in the program.
    ///
    /// # Errors
    /// If it has more edges than the device can be told, or a proposition that the program does not know.
    pub fn new(automaton: &'a Tgba, names: &[&str], stutters: bool) -> Result<Beside<'a>, Refused> {
        let edges = (0..automaton.states() as u32).map(|q| automaton.edges(q).len()).max().unwrap_or(0);
        if edges > MOST_EDGES || automaton.aps.len() > 64 {
            return Err(Refused::Automaton(edges, automaton.aps.len()));
        }
        let place =
            |ap: &String| names.iter().position(|n| n == ap).ok_or_else(|| Refused::Proposition(ap.clone()));
        let propositions = automaton.aps.iter().map(place).collect::<Result<_, _>>()?;
        Ok(Beside { automaton, propositions, stutters })
    }

    /// The bits of a state of the automaton.
    pub(crate) fn bits(&self) -> u32 {
        usize::BITS - (self.automaton.states().max(2) - 1).leading_zeros()
    }
}
