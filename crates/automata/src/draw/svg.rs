//! The automaton as a picture, drawn by ourselves: no other program is needed.
//!
//! States stand in columns by their distance from the initial states; within a column they are ordered by the mean
//! place of their predecessors (the barycentre heuristic of Sugiyama), swept a few times. Parallel edges are drawn as
//! one curve with all labels; edges to the right are straight, others bend, loops stand above their state.
//!
//! # References
//! K. Sugiyama, S. Tagawa, M. Toda, *Methods for visual understanding of hierarchical system structures*, IEEE Trans.
//! SMC 11(2), 1981.

use super::{Style, label_text};
use crate::{Marks, Tgba};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Radius of a state.
const R: f64 = 20.0;
/// Distance between rows.
const ROW: f64 = 110.0;
/// Distance between the lines of a label.
const LINE: f64 = 14.0;
/// Width of a character of a label.
const CHAR: f64 = 6.6;

/// An SVG document.
pub fn svg(a: &Tgba, title: &str) -> String {
    let edges = joined(a);
    let columns = columns(a);
    let widest = edges.values().flatten().map(|t| t.chars().count()).max().unwrap_or(0);
    let column_width = (widest as f64 * CHAR + 4.0 * R).clamp(130.0, 420.0);
    let rows = columns.iter().map(Vec::len).max().unwrap_or(1);
    // Room for the labels of loops: to the left, to the right, and above.
    let lines = edges.values().map(Vec::len).max().unwrap_or(1) as f64 - 1.0;
    let loops = edges.iter().filter(|((s, t), _)| s == t).flat_map(|(_, texts)| texts);
    let half = loops.map(|t| t.chars().count()).max().unwrap_or(0) as f64 * CHAR / 2.0;
    let (left, top) = ((half + 12.0).max(70.0), 110.0 + lines * LINE);
    let row = ROW + lines * LINE;
    let mut place = vec![(0.0, 0.0); a.states()];
    for (c, states) in columns.iter().enumerate() {
        let offset = (rows - states.len()) as f64 * row / 2.0;
        for (r, &s) in states.iter().enumerate() {
            place[s as usize] = (left + c as f64 * column_width, top + offset + r as f64 * row);
        }
    }
    let width = (left * 2.0 + (columns.len().max(1) - 1) as f64 * column_width)
        .max(title.chars().count() as f64 * 8.0 + 40.0);
    let height = top + 90.0 + lines * LINE + (rows - 1) as f64 * row;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n<defs><marker id=\"arrow\" \
         viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0,0 L10,5 L0,10 z\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let _ = writeln!(out, "<text x=\"20\" y=\"28\" font-size=\"15\">{}</text>", escape(title));
    for (&(s, t), texts) in &edges {
        edge(&mut out, place[s as usize], place[t as usize], s == t, texts);
    }
    for &s in &a.initial {
        let (x, y) = place[s as usize];
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"black\" marker-end=\"url(#arrow)\"/>",
            x - R - 28.0,
            x - R - 1.0
        );
    }
    for s in 0..a.states() {
        let (x, y) = place[s];
        let marks = a.state_marks.as_ref().map_or(Marks::NONE, |m| m[s]);
        let accepting = a.state_marks.is_some() && (a.sets == 0 || marks == a.all());
        let circle = |out: &mut String, r: f64| {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"white\" stroke=\"black\"/>"
            );
        };
        circle(&mut out, R);
        if accepting {
            circle(&mut out, R - 4.0);
        }
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{s}</text>", y + 4.0);
    }
    out + "</svg>\n"
}

/// Source and target to the texts on the edges between them.
fn joined(a: &Tgba) -> BTreeMap<(u32, u32), Vec<String>> {
    let mut edges: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for s in 0..a.states() as u32 {
        for e in a.edges(s) {
            let name = |v: u32| a.aps[v as usize].clone();
            let mut text = label_text(&a.labels, e.label, &name, Style::PLAIN, 4);
            if a.state_marks.is_none() && !e.marks.is_empty() {
                let _ = write!(text, " {}", e.marks);
            }
            edges.entry((s, e.to)).or_default().push(text);
        }
    }
    edges
}

/// The states by their distance from the initial states, each column in order.
fn columns(a: &Tgba) -> Vec<Vec<u32>> {
    let n = a.states();
    let mut seen = vec![false; n];
    let mut columns: Vec<Vec<u32>> = Vec::new();
    let mut now: Vec<u32> = a.initial.clone();
    now.sort_unstable();
    now.dedup();
    for &s in &now {
        seen[s as usize] = true;
    }
    while !now.is_empty() {
        let mut next = Vec::new();
        for &s in &now {
            for e in a.edges(s) {
                if !std::mem::replace(&mut seen[e.to as usize], true) {
                    next.push(e.to);
                }
            }
        }
        columns.push(std::mem::replace(&mut now, next));
    }
    let rest: Vec<u32> = (0..n as u32).filter(|&s| !seen[s as usize]).collect();
    if !rest.is_empty() {
        columns.push(rest);
    }
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); n];
    for s in 0..n as u32 {
        for e in a.edges(s) {
            into[e.to as usize].push(s);
        }
    }
    let mut row = vec![0.0f64; n];
    for _ in 0..4 {
        for column in &mut columns {
            for (i, &s) in column.iter().enumerate() {
                row[s as usize] = i as f64;
            }
            let mean = |s: u32| {
                let from = &into[s as usize];
                let sum: f64 = from.iter().map(|&p| row[p as usize]).sum();
                if from.is_empty() { row[s as usize] } else { sum / from.len() as f64 }
            };
            column.sort_by(|&x, &y| mean(x).total_cmp(&mean(y)).then(x.cmp(&y)));
            for (i, &s) in column.iter().enumerate() {
                row[s as usize] = i as f64;
            }
        }
    }
    columns
}

fn edge(out: &mut String, from: (f64, f64), to: (f64, f64), own: bool, texts: &[String]) {
    let (path, at) = if own {
        let (x, y) = from;
        let path = format!(
            "M{:.1},{:.1} C{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
            x - 8.0,
            y - R + 1.5,
            x - 30.0,
            y - R - 42.0,
            x + 30.0,
            y - R - 42.0,
            x + 8.0,
            y - R + 0.5
        );
        (path, (x, y - R - 36.0))
    } else {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        // Edges that do not lead to the right bend, so that the two directions stay apart.
        let bend = if dx > 0.0 { 14.0 } else { 46.0 };
        let middle = ((from.0 + to.0) / 2.0 + uy * bend, (from.1 + to.1) / 2.0 - ux * bend);
        let towards = |p: (f64, f64), r: f64| {
            let (mx, my) = (middle.0 - p.0, middle.1 - p.1);
            let l = mx.hypot(my).max(1.0);
            (p.0 + mx / l * r, p.1 + my / l * r)
        };
        let (start, end) = (towards(from, R), towards(to, R + 1.0));
        let path = format!(
            "M{:.1},{:.1} Q{:.1},{:.1} {:.1},{:.1}",
            start.0, start.1, middle.0, middle.1, end.0, end.1
        );
        let (x, y) = ((from.0 + to.0) / 2.0 + uy * bend / 2.0, (from.1 + to.1) / 2.0 - ux * bend / 2.0);
        // Above an edge to the right; below one to the left, which bends down.
        let below = if dx > 0.0 { -4.0 } else { texts.len() as f64 * LINE };
        (path, (x, y + below))
    };
    let _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"black\" marker-end=\"url(#arrow)\"/>");
    for (i, text) in texts.iter().enumerate() {
        let y = at.1 - (texts.len() - 1 - i) as f64 * LINE;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" stroke=\"white\" stroke-width=\"4\" \
             paint-order=\"stroke\">{}</text>",
            at.0,
            escape(text)
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use crate::{Options, translate};
    use riata_ltl::{Dialect, parse};

    #[test]
    fn pictures_show_every_state_and_edge() {
        let f = parse("G(a -> F(b & X c)) & \"x < 3\"", Dialect::Spot).unwrap();
        let a = translate(&f, &Options::default()).unwrap();
        let picture = super::svg(&a, "a & <b>");
        assert_eq!(picture.matches("<circle").count(), a.states());
        assert!(picture.contains("x &lt; 3") && picture.contains("a &amp; &lt;b&gt;"));
        let text = super::super::dot::dot(&a, "say \"hi\"");
        assert_eq!(text.matches(" [label=").count(), a.states() + a.edge_count());
        assert!(text.contains("say \\\"hi\\\""));
    }
}
