//! Kripke structures in HOA.

use crate::options::Kind;
use crate::plain::Shown;
use riata_automata::Label;
use riata_automata::hoa::Automaton;
use riata_system::{Choice, Kripke};
use serde_json::{Map, Value, json};

/// A structure as it is written.
pub struct Structure(pub Automaton);

impl Structure {
    /// What the label of a state says of each proposition; those that it leaves open are left out.
    fn label(&self, s: u32) -> Vec<(&str, bool)> {
        let Some(labels) = &self.0.state_labels else { return Vec::new() };
        let (tgba, label) = (&self.0.tgba, labels[s as usize]);
        let mut functions = tgba.labels.clone();
        let mut values = Vec::new();
        for (i, name) in tgba.aps.iter().enumerate() {
            let p = functions.var(i as u32);
            if functions.implies(label, p) {
                values.push((name.as_str(), true));
            } else if functions.and(label, p) == Label::FALSE {
                values.push((name.as_str(), false));
            }
        }
        values
    }

    fn name(&self, s: u32) -> Option<&str> {
        self.0.state_names.get(s as usize)?.as_deref()
    }
}

impl Shown for Structure {
    type System<'a> = Kripke<'a>;

    fn kind(&self) -> Kind {
        Kind::Hoa
    }

    fn system(&self, names: &[String]) -> Result<Kripke<'_>, String> {
        Kripke::new(&self.0, names).map_err(|e| e.to_string())
    }

    fn propositions(&self) -> Vec<String> {
        self.0.tgba.aps.clone()
    }

    fn json(&self, s: &[u32]) -> Value {
        let label: Map<String, Value> =
            self.label(s[0]).into_iter().map(|(n, v)| (n.into(), v.into())).collect();
        let mut state = json!({ "state": s[0], "label": label });
        if let Some(name) = self.name(s[0]) {
            state["name"] = name.into();
        }
        state
    }

    fn text(&self, s: &[u32]) -> String {
        let holds: Vec<&str> = self.label(s[0]).into_iter().filter(|(_, v)| *v).map(|(n, _)| n).collect();
        let name = self.name(s[0]).map_or(String::new(), |n| format!(" \"{n}\""));
        format!("{}{name}  {{{}}}", s[0], holds.join(", "))
    }

    fn action(&self, _: &[u32], _: Choice, _: &[u32]) -> String {
        String::new()
    }
}
