//! Kripke structures: explicit systems whose states say which propositions hold.
//!
//! The format is HOA with a label on every state. Acceptance sets of the structure, if it has any, are its fairness:
//! only runs that meet them all count.

use crate::{ActionId, System, Valuation};
use riata_automata::hoa::Automaton;
use riata_automata::{Label, Marks};
use std::collections::HashMap;

/// A Kripke structure as a [`System`]: a state is one word, its number.
pub struct Kripke<'a> {
    automaton: &'a Automaton,
    valuations: Vec<Valuation>,
}

/// Why an automaton is no Kripke structure for these propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KripkeError {
    /// Some state has no label.
    NoLabels,
    /// The structure does not have this proposition.
    Unknown(String),
    /// The label of the state does not say whether the proposition holds.
    Undetermined {
        /// The state.
        state: u32,
        /// The proposition.
        proposition: String,
    },
}

impl std::fmt::Display for KripkeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KripkeError::NoLabels => {
                write!(f, "this automaton is no Kripke structure: not every state has a label")
            }
            KripkeError::Unknown(p) => write!(f, "the structure has no proposition `{p}`"),
            KripkeError::Undetermined { state, proposition } => {
                write!(f, "the label of state {state} does not say whether `{proposition}` holds")
            }
        }
    }
}

impl std::error::Error for KripkeError {}

impl<'a> Kripke<'a> {
    /// The structure, with valuations of the propositions `names` (at most 64) in this order.
    pub fn new(automaton: &'a Automaton, names: &[impl AsRef<str>]) -> Result<Self, KripkeError> {
        let state_labels = automaton.state_labels.as_deref().ok_or(KripkeError::NoLabels)?;
        let aps = &automaton.tgba.aps;
        let number = |name: &str| {
            let found = aps.iter().position(|ap| ap == name);
            found.map(|i| i as u32).ok_or_else(|| KripkeError::Unknown(name.into()))
        };
        let wanted = names.iter().map(|n| number(n.as_ref())).collect::<Result<Vec<u32>, _>>()?;
        let mut labels = automaton.tgba.labels.clone();
        let mut known: HashMap<Label, Result<u64, usize>> = HashMap::new();
        let mut valuations = Vec::with_capacity(state_labels.len());
        for (state, &label) in state_labels.iter().enumerate() {
            let valuation = *known.entry(label).or_insert_with(|| {
                let mut bits = 0;
                for (i, &ap) in wanted.iter().enumerate() {
                    let p = labels.var(ap);
                    let (holds, fails) = (labels.implies(label, p), labels.and(label, p) == Label::FALSE);
                    match (holds, fails) {
                        (true, _) => bits |= 1 << i,
                        (false, true) => {}
                        (false, false) => return Err(i),
                    }
                }
                Ok(bits)
            });
            valuations.push(Valuation(valuation.map_err(|i| KripkeError::Undetermined {
                state: state as u32,
                proposition: names[i].as_ref().into(),
            })?));
        }
        Ok(Kripke { automaton, valuations })
    }
}

/// How many successors (or initial states) were told.
#[derive(Default)]
pub struct KripkeCursor(usize);

impl System for Kripke<'_> {
    type Cursor = KripkeCursor;

    fn words(&self) -> usize {
        1
    }

    fn initial(&self, at: &mut KripkeCursor, dst: &mut [u32]) -> bool {
        let next = self.automaton.tgba.initial.get(at.0);
        at.0 += 1;
        next.is_some_and(|&s| {
            dst[0] = s;
            true
        })
    }

    fn next(&self, src: &[u32], at: &mut KripkeCursor, dst: &mut [u32]) -> Option<ActionId> {
        let range = self.automaton.tgba.range(src[0]);
        let edge = range.start + at.0 as u32;
        if edge >= range.end {
            return None;
        }
        at.0 += 1;
        dst[0] = self.automaton.tgba.edge(edge).to;
        Some(ActionId(edge))
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.valuations[s[0] as usize]
    }

    fn fair_sets(&self) -> u32 {
        self.automaton.tgba.sets
    }

    fn fairness(&self, src: &[u32], _: &KripkeCursor, action: Option<ActionId>) -> Marks {
        match action {
            Some(ActionId(edge)) => self.automaton.tgba.edge(edge).marks,
            // A run that has ended stays in its last state, with the marks of that.
            None => self.automaton.tgba.state_marks.as_ref().map_or(Marks::NONE, |m| m[src[0] as usize]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_automata::hoa::Reader;

    fn structure(body: &str) -> Automaton {
        let text = format!("HOA: v1 Start: 0 AP: 2 \"p\" \"q\" Acceptance: 1 Inf(0) --BODY-- {body} --END--");
        Reader::new(text.as_bytes()).next().expect("one").expect("valid")
    }

    #[test]
    fn labels_tell_valuations() {
        let a = structure("State: [0&!1] 0 1 {0} State: [!0] 1 0");
        let Ok(k) = Kripke::new(&a, &["p"]) else { panic!("p is determined") };
        assert_eq!((k.valuation(&[0]), k.valuation(&[1])), (Valuation(1), Valuation(0)));
        assert_eq!(k.fair_sets(), 1);
        assert_eq!(k.fairness(&[0], &KripkeCursor::default(), Some(ActionId(0))), Marks::one(0));
        let error = |names: &[&str]| Kripke::new(&a, names).err().expect("wrong").to_string();
        assert_eq!(error(&["p", "q"]), "the label of state 1 does not say whether `q` holds");
        assert_eq!(error(&["r"]), "the structure has no proposition `r`");
        let edges = structure("State: 0 [0] 0");
        assert_eq!(Kripke::new(&edges, &["p"]).err(), Some(KripkeError::NoLabels));
    }
}
