//! Writing automata and Kripke structures.
//!
//! The text is canonical: it depends on the automaton alone, and reading it gives the automaton back. A label is
//! written as a disjunction of cubes, the paths of its diagram. A diagram with too many paths is written by aliases
//! instead, one for each node, so that the text is never longer than the diagram.

use super::Automaton;
use crate::{Label, Labels, Marks};
use std::collections::HashMap;
use std::io::{self, Write};

/// The most cubes that are written for one label.
const CUBES: u64 = 64;

/// The automaton as a text.
pub fn to_string(a: &Automaton) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, a).expect("a vector takes everything");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes `a`; as a Kripke structure if it has state labels. Give a buffered `out`.
pub fn write(out: &mut impl Write, a: &Automaton) -> io::Result<()> {
    let t = &a.tgba;
    let mut texts = Texts::default();
    header(out, a)?;
    let state_labels = a.state_labels.as_deref();
    let edge_labels = || (0..t.states() as u32).flat_map(|s| t.edges(s)).map(|e| e.label);
    match state_labels {
        Some(labels) => labels.iter().for_each(|&l| texts.add(&t.labels, l)),
        None => edge_labels().for_each(|l| texts.add(&t.labels, l)),
    }
    out.write_all(texts.aliases.as_bytes())?;
    writeln!(out, "--BODY--")?;
    for s in 0..t.states() as u32 {
        write!(out, "State: ")?;
        if let Some(labels) = state_labels {
            write!(out, "[{}] ", texts.get(labels[s as usize]))?;
        }
        write!(out, "{s}")?;
        if let Some(Some(name)) = a.state_names.get(s as usize) {
            write!(out, " {}", quoted(name))?;
        }
        if let Some(marks) = t.state_marks.as_ref().map(|m| m[s as usize]) {
            write_marks(out, marks)?;
        }
        writeln!(out)?;
        for e in t.edges(s) {
            if state_labels.is_none() {
                write!(out, "[{}] ", texts.get(e.label))?;
            }
            write!(out, "{}", e.to)?;
            if t.state_marks.is_none() {
                write_marks(out, e.marks)?;
            }
            writeln!(out)?;
        }
    }
    writeln!(out, "--END--")
}

fn header(out: &mut impl Write, a: &Automaton) -> io::Result<()> {
    let t = &a.tgba;
    writeln!(out, "HOA: v1")?;
    if let Some(name) = &a.name {
        writeln!(out, "name: {}", quoted(name))?;
    }
    writeln!(out, "States: {}", t.states())?;
    for s in &t.initial {
        writeln!(out, "Start: {s}")?;
    }
    write!(out, "AP: {}", t.aps.len())?;
    for ap in &t.aps {
        write!(out, " {}", quoted(ap))?;
    }
    writeln!(out)?;
    match t.sets {
        0 => writeln!(out, "acc-name: all\nAcceptance: 0 t")?,
        1 => writeln!(out, "acc-name: Buchi\nAcceptance: 1 Inf(0)")?,
        n => {
            let all: Vec<String> = (0..n).map(|i| format!("Inf({i})")).collect();
            writeln!(out, "acc-name: generalized-Buchi {n}\nAcceptance: {n} {}", all.join("&"))?;
        }
    }
    let labels = if a.state_labels.is_some() { "state-labels" } else { "trans-labels" };
    let acceptance = if t.state_marks.is_some() { "state-acc" } else { "trans-acc" };
    writeln!(out, "properties: {labels} explicit-labels {acceptance} no-univ-branch")
}

fn write_marks(out: &mut impl Write, marks: Marks) -> io::Result<()> {
    if marks.is_empty() { Ok(()) } else { write!(out, " {marks}") }
}

fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}

/// The texts of labels, each made once.
#[derive(Default)]
struct Texts {
    texts: HashMap<Label, String>,
    /// How many paths to TRUE a node has, at most [`CUBES`] + 1.
    paths: HashMap<Label, u64>,
    /// The lines that define the aliases, and the alias of a node.
    aliases: String,
    named: HashMap<Label, usize>,
}

impl Texts {
    fn get(&self, l: Label) -> &str {
        &self.texts[&l]
    }

    fn add(&mut self, labels: &Labels, l: Label) {
        if self.texts.contains_key(&l) {
            return;
        }
        let text = if l == Label::TRUE {
            "t".into()
        } else if l == Label::FALSE {
            "f".into()
        } else if self.count(labels, l) <= CUBES {
            let mut text = String::new();
            labels.cubes(l, |cube| {
                if !text.is_empty() {
                    text.push_str(" | ");
                }
                for (k, (var, value)) in cube.iter().enumerate() {
                    text.push_str(if k == 0 { "" } else { "&" });
                    text.push_str(if *value { "" } else { "!" });
                    text.push_str(&var.to_string());
                }
                true
            });
            text
        } else {
            self.alias(labels, l)
        };
        self.texts.insert(l, text);
    }

    /// Counts paths bottom-up: children before their parents.
    fn count(&mut self, labels: &Labels, l: Label) -> u64 {
        self.paths.insert(Label::FALSE, 0);
        self.paths.insert(Label::TRUE, 1);
        for n in below(labels, l, |n| self.paths.contains_key(&n)) {
            let (_, lo, hi) = labels.node(n).expect("an inner node");
            let sum = self.paths[&lo] + self.paths[&hi];
            self.paths.insert(n, sum.min(CUBES + 1));
        }
        self.paths[&l]
    }

    /// Names every node below `l` that has no name yet, and returns the name of `l`.
    fn alias(&mut self, labels: &Labels, l: Label) -> String {
        for n in below(labels, l, |n| n <= Label::TRUE || self.named.contains_key(&n)) {
            let (var, lo, hi) = labels.node(n).expect("an inner node");
            let side = |sign: &str, child: Label| match child {
                Label::FALSE => None,
                Label::TRUE => Some(format!("{sign}{var}")),
                _ => Some(format!("{sign}{var}&@n{}", self.named[&child])),
            };
            let sides: Vec<String> = [side("!", lo), side("", hi)].into_iter().flatten().collect();
            let id = self.named.len();
            self.aliases.push_str(&format!("Alias: @n{id} {}\n", sides.join(" | ")));
            self.named.insert(n, id);
        }
        format!("@n{}", self.named[&l])
    }
}

/// The nodes below and with `l` that are not `known`, children first.
fn below(labels: &Labels, l: Label, known: impl Fn(Label) -> bool) -> Vec<Label> {
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack = vec![(l, false)];
    while let Some((n, children_done)) = stack.pop() {
        if children_done {
            order.push(n);
        } else if !known(n) && seen.insert(n) {
            let (_, lo, hi) = labels.node(n).expect("constants are known");
            stack.extend([(n, true), (hi, false), (lo, false)]);
        }
    }
    order
}
