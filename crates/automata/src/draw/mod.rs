//! Texts for pictures of automata.

pub mod dot;

use crate::{Edge, Label, Labels, Tgba};

/// How the parts of a label are joined.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Between literals.
    pub and: &'static str,
    /// Between cubes.
    pub or: &'static str,
    /// Before a negated proposition.
    pub not: &'static str,
    /// For a label that every letter satisfies.
    pub always: &'static str,
}

impl Style {
    /// For people.
    pub const PLAIN: Style = Style { and: " & ", or: " | ", not: "!", always: "1" };
    /// For Promela.
    pub const PROMELA: Style = Style { and: " && ", or: " || ", not: "!", always: "1" };
}

/// `label` as a disjunction of cubes, at most `most` of them; a longer one ends in an ellipsis.
pub fn label_text(
    labels: &Labels,
    label: Label,
    name: &dyn Fn(u32) -> String,
    style: Style,
    most: usize,
) -> String {
    if label == Label::TRUE {
        return style.always.to_owned();
    }
    let mut cubes: Vec<String> = Vec::new();
    let mut more = false;
    labels.cubes(label, |cube| {
        if cubes.len() == most {
            more = true;
            return false;
        }
        let literals: Vec<String> =
            cube.iter().map(|&(v, b)| format!("{}{}", if b { "" } else { style.not }, name(v))).collect();
        cubes.push(literals.join(style.and));
        true
    });
    if more {
        cubes.push("…".to_owned());
    }
    if cubes.is_empty() { "0".to_owned() } else { cubes.join(style.or) }
}

/// What an edge reads; nothing if the automaton has no propositions.
pub fn letters(a: &Tgba, e: &Edge) -> String {
    let name = |v: u32| a.aps[v as usize].clone();
    match a.aps.is_empty() {
        true => String::new(),
        false => label_text(&a.labels, e.label, &name, Style::PLAIN, 4),
    }
}
