//! Which of the two ways a formula of LTL goes: an explicit automaton, or a tableau with a bit for each temporal operator.
//!
//! An automaton of a few states has a strength, and weak or terminal ones need no nested fixpoint. But past inside future
//! explodes, so the automaton is tried with a small budget, and the tableau takes its place.

use crate::{product, tableau};
use riata_automata::translate::{Budget, TranslateError};
use riata_automata::{Tgba, translate};
use riata_ltl::Ltl;
use std::time::{Duration, Instant};

/// How runs of an LTL formula are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By an automaton if it is small, and by the tableau otherwise.
    Chosen,
    /// By an automaton, whatever it costs.
    Automaton,
    /// By the tableau.
    Tableau,
}

/// What an automaton may cost that is tried before the tableau. With more states than this it is no shortcut: in the
/// product they are bits, too.
const SMALL: Budget = Budget { states: 200, nodes: 20_000, deadline: None };
/// How long the translation is tried before the tableau takes its place: the budget above ends it much earlier, unless the
/// machine is very busy.
const PATIENCE: Duration = Duration::from_secs(2);

impl Method {
    /// The automaton of `wanted`; none if the tableau takes its place.
    pub fn automaton(self, wanted: &Ltl) -> Result<Option<Tgba>, TranslateError> {
        let within = |budget| {
            translate(wanted, &riata_automata::Options { budget, ..riata_automata::Options::default() })
        };
        match self {
            Method::Chosen => {
                Ok(within(Budget { deadline: Instant::now().checked_add(PATIENCE), ..SMALL }).ok())
            }
            Method::Automaton => within(Budget::default()).map(Some),
            Method::Tableau => Ok(None),
        }
    }
}

/// Fresh bits that the product with `automaton` needs, or with the tableau of `wanted` where there is none.
pub fn bits_of(wanted: &Ltl, automaton: Option<&Tgba>) -> u32 {
    automaton.map_or_else(|| tableau::bits_of(wanted), product::bits_of)
}
