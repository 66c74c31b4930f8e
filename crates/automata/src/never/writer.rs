//! Writing never claims.

use crate::draw::{Style, label_text};
use crate::reduce::degeneralise::{Options, degeneralise};
use crate::{Edge, Label, Tgba};
use std::fmt::Write as _;

/// A never claim with the language of `a`, which is degeneralised if need be. `comment` is put behind the brace.
pub fn write(a: &Tgba, comment: &str) -> String {
    let a = degeneralise(a.clone(), Options::default());
    // A claim starts in one state: several initial states become one with the edges of all.
    let n = a.states() as u32;
    let mut states: Vec<(Vec<Edge>, bool)> = (0..n)
        .map(|s| {
            let marked = a.state_marks.as_ref().is_none_or(|m| m[s as usize].contains(a.all()));
            (a.edges(s).to_vec(), marked)
        })
        .collect();
    let start = match a.initial[..] {
        [s] => s,
        _ => {
            let edges = a.initial.iter().flat_map(|&s| a.edges(s)).copied().collect();
            states.push((edges, false));
            n
        }
    };
    let name = |s: u32| match (s == start, states[s as usize].1) {
        (true, true) => "accept_init".to_owned(),
        (true, false) => "T0_init".to_owned(),
        (false, true) => format!("accept_S{s}"),
        (false, false) => format!("T0_S{s}"),
    };
    let mut out = format!("never {{ /* {} */\n", comment.replace("*/", "* /"));
    let order = std::iter::once(start).chain((0..states.len() as u32).filter(|&s| s != start));
    for s in order {
        let _ = writeln!(out, "{}:", name(s));
        let (edges, _) = &states[s as usize];
        if edges.is_empty() {
            out.push_str("  false;\n");
            continue;
        }
        out.push_str("  if\n");
        for e in edges {
            let _ = writeln!(out, "  :: ({}) -> goto {}", guard(&a, e.label), name(e.to));
        }
        out.push_str("  fi;\n");
    }
    out + "}\n"
}

fn guard(a: &Tgba, label: Label) -> String {
    let name = |v: u32| {
        let name = &a.aps[v as usize];
        let simple = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if simple { name.clone() } else { format!("({name})") }
    };
    label_text(&a.labels, label, &name, Style::PROMELA, usize::MAX)
}
