//! The picture as SVG. Parts have names, so that a page can change them: `n3` is state 3, `t3` its note, `a5` arc 5.

use crate::layout::{LINE, LOOP, Placed, Route, place};
use crate::{Picture, shown};
use std::fmt::Write as _;

/// So many colours of components there are.
const COLOURS: usize = 8;

/// Room for the heading.
const HEADING: f64 = 30.0;

const STYLE: &str = "svg{font:11px ui-monospace,'DejaVu Sans Mono',monospace;--ink:#1d2329;--paper:#fff;--faint:#667;\
--c0:#cfe3ff;--c1:#d3f0d0;--c2:#ffe1b8;--c3:#ecd6f7;--c4:#ffd6d6;--c5:#cdeff0;--c6:#eee6a8;--c7:#dfe2e8}\
.bg{fill:var(--paper)}.node rect{fill:var(--paper);stroke:var(--ink)}.node rect+rect{fill:none}\
.arc path{fill:none;stroke:var(--faint)}text{fill:var(--ink)}.arc text{stroke:var(--paper);stroke-width:4px;\
paint-order:stroke;stroke-linejoin:round}.head{font-size:14px}.tip{fill:var(--faint)}\
.c0>rect:first-of-type{fill:var(--c0)}.c1>rect:first-of-type{fill:var(--c1)}.c2>rect:first-of-type{fill:var(--c2)}\
.c3>rect:first-of-type{fill:var(--c3)}.c4>rect:first-of-type{fill:var(--c4)}.c5>rect:first-of-type{fill:var(--c5)}\
.c6>rect:first-of-type{fill:var(--c6)}.c7>rect:first-of-type{fill:var(--c7)}\
@media(prefers-color-scheme:dark){svg{--ink:#e6e8ea;--paper:#15181c;--faint:#9aa4b0;--c0:#1f3a5f;--c1:#214a26;\
--c2:#5a3f14;--c3:#46305a;--c4:#5c2a2a;--c5:#1c4a4c;--c6:#4d4717;--c7:#39404a}}";

/// A document of its own.
pub fn document(picture: &Picture) -> String {
    let placed = place(picture);
    let heading = if picture.title.is_empty() { 0.0 } else { HEADING };
    let (mut width, height) = (placed.size.0, placed.size.1 + heading);
    width = width.max(picture.title.chars().count() as f64 * 8.6 + 32.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\">\n<style>{STYLE}</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n"
    );
    if heading > 0.0 {
        let _ = writeln!(out, "<text class=\"head\" x=\"16\" y=\"24\">{}</text>", escape(&picture.title));
    }
    let _ = writeln!(out, "<g transform=\"translate(0 {heading})\">\n{}</g>", parts(picture, &placed));
    out + "</svg>\n"
}

/// The picture inside a page, which has its own colours.
pub fn figure(picture: &Picture) -> String {
    let placed = place(picture);
    let (width, height) = placed.size;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"graph\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n{}</svg>",
        parts(picture, &placed)
    )
}

/// Arrows, then states, so that no arrow covers a state; then the labels of arrows.
fn parts(picture: &Picture, placed: &Placed) -> String {
    let mut out = String::from(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0,1 L10,5 L0,9 z\"/></marker></defs>\n",
    );
    for route in &placed.starts {
        let d = curve(&route.points);
        let _ = writeln!(out, "<g class=\"arc start\"><path d=\"{d}\" marker-end=\"url(#arrow)\"/></g>");
    }
    for (i, (arc, route)) in picture.arcs.iter().zip(&placed.arcs).enumerate() {
        let d = if arc.from == arc.to { own(placed.nodes[arc.from]) } else { curve(&route.points) };
        let _ = writeln!(out, "<g class=\"arc\" id=\"a{i}\"><path d=\"{d}\" marker-end=\"url(#arrow)\"/>");
        label(&mut out, route, &arc.lines);
        out += "</g>\n";
    }
    for (i, node) in picture.nodes.iter().enumerate() {
        let ((x, y), (w, h)) = placed.nodes[i];
        let colour = node.colour.map_or(String::new(), |c| format!(" c{}", c % COLOURS));
        let _ = write!(out, "<g class=\"node{colour}\" id=\"n{i}\">");
        let mut rect = |inset: f64| {
            let (w, h) = (w - 2.0 * inset, h - 2.0 * inset);
            let (left, top) = (x - w / 2.0, y - h / 2.0);
            let _ = write!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{:.0}\"/>",
                10.0 - inset
            );
        };
        rect(0.0);
        if node.accepting {
            rect(3.0);
        }
        let lines = shown(&node.lines);
        let rows = lines.len() + usize::from(node.note);
        let first = y - (rows as f64 - 1.0) * LINE / 2.0 + 4.0;
        for (k, line) in lines.iter().enumerate() {
            text(&mut out, "", (x, first + k as f64 * LINE), line);
        }
        if node.note {
            let at = first + lines.len() as f64 * LINE;
            text(&mut out, &format!(" class=\"note\" id=\"t{i}\""), (x, at), "");
        }
        if !node.more.is_empty() {
            let _ = write!(out, "<title>{}</title>", escape(&node.more));
        }
        out += "</g>\n";
    }
    out
}

fn text(out: &mut String, attributes: &str, (x, y): (f64, f64), line: &str) {
    let _ = write!(
        out,
        "<text{attributes} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
        escape(line)
    );
}

fn label(out: &mut String, route: &Route, lines: &[String]) {
    let some = shown(lines);
    let first = route.label.1 - (some.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
    for (k, line) in some.iter().enumerate() {
        text(out, "", (route.label.0, first + k as f64 * LINE), line);
    }
    if some.as_slice() != lines {
        let _ = write!(out, "<title>{}</title>", escape(&lines.join("\n")));
    }
}

/// A smooth way through points: upright at each of them, but level where it turns back.
fn curve(points: &[(f64, f64)]) -> String {
    let [first, rest @ ..] = points else { return String::new() };
    let mut d = format!("M{:.1},{:.1}", first.0, first.1);
    let turns = |i: usize| match (points.get(i.wrapping_sub(1)), points.get(i), points.get(i + 1)) {
        (Some(a), Some(b), Some(c)) => (b.1 - a.1) * (c.1 - b.1) < 0.0,
        _ => false,
    };
    for (i, (a, b)) in points.iter().zip(rest).enumerate() {
        let middle = (a.1 + b.1) / 2.0;
        let _ = match (turns(i), turns(i + 1)) {
            (true, _) => write!(d, " Q{:.1},{:.1} {:.1},{:.1}", b.0, a.1, b.0, b.1),
            (_, true) => write!(d, " Q{:.1},{:.1} {:.1},{:.1}", a.0, b.1, b.0, b.1),
            _ if rest.len() == 1 => write!(d, " L{:.1},{:.1}", b.0, b.1),
            _ => write!(d, " C{:.1},{middle:.1} {:.1},{middle:.1} {:.1},{:.1}", a.0, b.0, b.0, b.1),
        };
    }
    d
}

/// A loop to the right of its state.
fn own(((x, y), (w, h)): ((f64, f64), (f64, f64))) -> String {
    let (right, up) = (x + w / 2.0, (h / 4.0).min(9.0));
    let out = right + LOOP;
    format!(
        "M{:.1},{:.1} C{out:.1},{:.1} {out:.1},{:.1} {:.1},{:.1}",
        right,
        y - up,
        y - 2.4 * up,
        y + 2.4 * up,
        right + 1.0,
        y + up
    )
}

/// The text with nothing in it that SVG would read as markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // Characters that XML cannot have.
            c if (c as u32) < 32 && !"\t\n\r".contains(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{Node, Picture, place};

    /// A graph with everything: loops, both directions, long ways, several labels.
    fn example() -> Picture {
        let mut picture = Picture::new("a < b & c");
        for i in 0..9 {
            let lines = vec![format!("state {i}"), "x=1 <y>".into()];
            let (initial, accepting) = (i < 2, i % 3 == 0);
            picture.nodes.push(Node { lines, initial, accepting, colour: Some(i), ..Node::default() });
        }
        // State 7 cannot be reached, and leads far down.
        for (from, to) in [
            (7, 6),
            (0, 1),
            (1, 0),
            (1, 2),
            (2, 3),
            (3, 1),
            (4, 4),
            (0, 4),
            (4, 5),
            (5, 6),
            (0, 6),
            (6, 0),
            (7, 8),
        ] {
            picture.arc(from, to, format!("a & !b, {from}"));
            picture.arc(from, to, "other label".into());
        }
        picture
    }

    #[test]
    fn nothing_is_printed_over_anything() {
        let picture = example();
        let placed = place(&picture);
        let mut boxes: Vec<(f64, f64, f64, f64)> = Vec::new();
        for ((x, y), (w, h)) in &placed.nodes {
            boxes.push((x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0));
        }
        for (arc, way) in picture.arcs.iter().zip(&placed.arcs) {
            let (w, h) = (
                arc.lines.iter().map(|l| l.len()).max().unwrap_or(0) as f64 * 6.6,
                14.0 * arc.lines.len() as f64,
            );
            let (x, y) = way.label;
            boxes.push((x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0));
        }
        for (i, a) in boxes.iter().enumerate() {
            assert!(a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= placed.size.0 && a.3 <= placed.size.1, "{a:?}");
            for b in &boxes[..i] {
                let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                assert!(apart, "{a:?} is over {b:?}");
            }
        }
    }

    #[test]
    fn the_document_is_well_formed_and_has_every_part() {
        let text = example().svg();
        let document = roxmltree::Document::parse(&text).expect("well-formed");
        let with_id = |c: char| {
            let has =
                |n: &roxmltree::Node| n.attribute("id").is_some_and(|id| id.starts_with(c) && id != "arrow");
            document.descendants().filter(has).count()
        };
        assert_eq!((with_id('n'), with_id('a')), (9, 13));
        assert!(document.descendants().any(|n| n.text() == Some("x=1 <y>")));
        assert_eq!(text, example().svg(), "the same graph is the same picture");
    }

    #[test]
    fn long_texts_are_cut() {
        let mut picture = Picture::default();
        picture.nodes.push(Node { lines: vec!["x".repeat(500)], ..Node::default() });
        for i in 0..40 {
            picture.arc(0, 0, format!("step {i}"));
        }
        let placed = place(&picture);
        assert!(placed.size.0 < 700.0 && placed.size.1 < 400.0, "{:?}", placed.size);
        assert!(picture.svg().contains("… 28 more"));
    }
}
