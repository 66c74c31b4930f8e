//! The automaton for Graphviz.

use super::{Style, label_text};
use crate::{Marks, Tgba};
use std::fmt::Write as _;

/// A `digraph`; accepting states have a double circle, marks on edges are written behind the label.
pub fn dot(a: &Tgba, title: &str) -> String {
    let quote = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    let _ = writeln!(out, "  label={}\n  labelloc=t", quote(title));
    for (i, s) in a.initial.iter().enumerate() {
        let _ = writeln!(out, "  i{i} [shape=point, style=invis]\n  i{i} -> {s}");
    }
    for s in 0..a.states() as u32 {
        let marks = a.state_marks.as_ref().map_or(Marks::NONE, |m| m[s as usize]);
        let accepting = a.state_marks.is_some() && (a.sets == 0 || marks == a.all());
        let _ = writeln!(out, "  {s} [label=\"{s}\"{}]", if accepting { ", peripheries=2" } else { "" });
        for e in a.edges(s) {
            let name = |v: u32| a.aps[v as usize].clone();
            let mut label = label_text(&a.labels, e.label, &name, Style::PLAIN, 16);
            if a.state_marks.is_none() && !e.marks.is_empty() {
                let _ = write!(label, "\n{}", e.marks);
            }
            let _ = writeln!(out, "  {s} -> {} [label={}]", e.to, quote(&label).replace('\n', "\\n"));
        }
    }
    out + "}\n"
}

#[cfg(test)]
mod tests {
    use crate::{Options, translate};
    use riata_ltl::{Dialect, parse};

    #[test]
    fn every_state_and_edge_is_there() {
        let f = parse("G(a -> F(b & X c)) & \"x < 3\"", Dialect::Spot).unwrap();
        let a = translate(&f, &Options::default()).unwrap();
        let text = super::dot(&a, "say \"hi\"");
        assert_eq!(text.matches(" [label=").count(), a.states() + a.edge_count());
        assert!(text.contains("say \\\"hi\\\""));
    }
}
