//! The picture as text for Graphviz.

use crate::Picture;
use std::fmt::Write as _;

/// The colours of components, as in the SVG.
const COLOURS: [&str; 8] =
    ["#cfe3ff", "#d3f0d0", "#ffe1b8", "#ecd6f7", "#ffd6d6", "#cdeff0", "#eee6a8", "#dfe2e8"];

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A `digraph`: accepting states have a double border, components a colour.
pub fn dot(picture: &Picture) -> String {
    let mut out =
        String::from("digraph states {\n  node [shape=box, style=\"rounded,filled\", fillcolor=white]\n");
    if !picture.title.is_empty() {
        let _ = writeln!(out, "  label={}\n  labelloc=t", quoted(&picture.title));
    }
    for (i, node) in picture.nodes.iter().enumerate() {
        let border = if node.accepting { ", peripheries=2" } else { "" };
        let colour = node.colour.map_or(String::new(), |c| format!(", fillcolor=\"{}\"", COLOURS[c % 8]));
        let _ = writeln!(out, "  {i} [label={}{border}{colour}]", quoted(&node.lines.join("\n")));
        if node.initial {
            let _ = writeln!(out, "  i{i} [shape=point, style=invis]\n  i{i} -> {i}");
        }
    }
    for arc in &picture.arcs {
        let label = quoted(&arc.lines.join("\n"));
        let label = if arc.lines.is_empty() { String::new() } else { format!(" [label={label}]") };
        let _ = writeln!(out, "  {} -> {}{label}", arc.from, arc.to);
    }
    out + "}\n"
}

#[cfg(test)]
mod tests {
    use crate::{Node, Picture};

    #[test]
    fn what_is_written_is_quoted() {
        let mut picture = Picture::new("say \"hi\"");
        picture.nodes.push(Node { lines: vec!["a\\b".into(), "c".into()], initial: true, ..Node::default() });
        picture.arc(0, 0, "x".into());
        let text = picture.dot();
        assert!(text.contains("label=\"say \\\"hi\\\"\"") && text.contains("label=\"a\\\\b\\nc\""), "{text}");
        assert!(text.contains("i0 -> 0") && text.contains("0 -> 0 [label=\"x\"]"));
    }
}
