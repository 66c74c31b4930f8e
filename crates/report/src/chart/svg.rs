//! A chart as a picture, drawn by ourselves.

use super::{Chart, What};
use crate::html::escape;
use std::fmt::Write as _;

/// Distance between lifelines.
const LANE: f64 = 190.0;
/// Distance between rows.
const ROW: f64 = 26.0;
const LEFT: f64 = 110.0;
const TOP: f64 = 80.0;

/// An SVG document. Time goes down; a message that waits in a channel is a slanted arrow, a rendezvous a level one.
pub fn svg(chart: &Chart, title: &str) -> String {
    let x = |lane: usize| LEFT + lane as f64 * LANE;
    let y = |row: usize| TOP + (row as f64 + 0.5) * ROW;
    let height = y(chart.rows.len()) + 50.0;
    let width = (x(chart.lanes.len().max(1) - 1) + LANE).max(title.chars().count() as f64 * 8.0 + 40.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n<defs><marker id=\"tip\" \
         viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0,0 L10,5 L0,10 z\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let _ = writeln!(out, "<text x=\"20\" y=\"26\" font-size=\"15\">{}</text>", escape(title));
    if let Some(back) = chart.back {
        let first = chart.rows.iter().position(|r| r.step > back).unwrap_or(chart.rows.len());
        let (top, bottom) = (y(first) - ROW / 2.0, y(chart.rows.len()) + 4.0);
        let _ = writeln!(
            out,
            "<rect x=\"8\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#eef3fb\" stroke=\"#7a9cc6\" \
             stroke-dasharray=\"5 3\"/>\n<text x=\"14\" y=\"{:.1}\" fill=\"#456\">loop: goes on after step {back}</text>",
            width - 16.0,
            bottom - top,
            bottom - 6.0
        );
    }
    // Lifelines, from where a process starts to where it ends.
    for (lane, (name, there)) in chart.lanes.iter().enumerate() {
        let begins = chart.rows.iter().position(|r| r.what == What::Start(lane));
        let top = if *there { TOP - 14.0 } else { begins.map_or(TOP, &y) };
        let ends = chart.rows.iter().position(|r| r.lane == lane && r.what == What::End);
        let bottom = ends.map_or(y(chart.rows.len()), &y);
        let x = x(lane);
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{top:.1}\" x2=\"{x}\" y2=\"{bottom:.1}\" stroke=\"#888\"/>\n\
             <rect x=\"{:.1}\" y=\"44\" width=\"{:.1}\" height=\"22\" fill=\"#f4f4f4\" stroke=\"black\"/>\n\
             <text x=\"{x}\" y=\"59\" text-anchor=\"middle\">{}</text>",
            x - LANE * 0.42,
            LANE * 0.84,
            escape(&crate::trace::cut(name, 24))
        );
    }
    // Where each message is sent, so that the arrow can begin there.
    let mut sent: Vec<usize> = vec![0; chart.messages.len()];
    for (i, row) in chart.rows.iter().enumerate() {
        let (at, here) = (y(i), x(row.lane));
        let before = i.checked_sub(1).map(|b| chart.rows[b].step);
        if before != Some(row.step) {
            let _ = writeln!(
                out,
                "<text x=\"44\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#777\">{}</text>",
                at + 4.0,
                row.step
            );
        }
        match &row.what {
            What::Send(m) => {
                sent[*m] = i;
                let message = &chart.messages[*m];
                let _ = writeln!(out, "<circle cx=\"{here}\" cy=\"{at:.1}\" r=\"3.5\"/>");
                if message.to.is_none_or(|(lane, _)| lane == row.lane) {
                    note(&mut out, here, at, &format!("{}!{}", message.channel, message.values));
                }
            }
            What::Receive(m) | What::Peek(m) => {
                let message = &chart.messages[*m];
                let label = format!("{}: {}", message.channel, message.values);
                if message.from == row.lane {
                    note(&mut out, here, at, &format!("{}?{}", message.channel, message.values));
                } else {
                    let dashed = matches!(row.what, What::Peek(_));
                    arrow(&mut out, (x(message.from), y(sent[*m])), (here, at), &label, dashed);
                }
            }
            What::Meet(m) => {
                let message = &chart.messages[*m];
                let to = message.to.map_or(row.lane, |t| t.0);
                let label = format!("{}: {}", message.channel, message.values);
                arrow(&mut out, (here, at), (x(to), at), &label, false);
            }
            What::Print(printed) => note(&mut out, here, at, &format!("» {}", printed.trim_end())),
            What::Start(child) => {
                arrow(&mut out, (here, at), (x(*child), at), "run", true);
            }
            What::End => {
                let _ = writeln!(
                    out,
                    "<path d=\"M{:.1},{:.1} l10,10 m0,-10 l-10,10\" stroke=\"black\"/>",
                    here - 5.0,
                    at - 5.0
                );
            }
        }
    }
    out += "</svg>\n";
    out
}

/// A text beside a lifeline.
fn note(out: &mut String, x: f64, y: f64, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#333\">{}</text>",
        x + 7.0,
        y + 4.0,
        escape(&crate::trace::cut(text, 28))
    );
}

fn arrow(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), label: &str, dashed: bool) {
    let dash = if dashed { " stroke-dasharray=\"4 3\"" } else { "" };
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"black\"{dash} \
         marker-end=\"url(#tip)\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        x2 + (x1 - x2).signum() * LANE * 0.5,
        y2 + (y1 - y2) * (LANE * 0.5 / (x1 - x2).abs().max(1.0)) - 5.0,
        escape(&crate::trace::cut(label, 26))
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_has_all_arrows() {
        let svg = super::svg(&super::super::tests::example(), "a < b");
        // Two starts, one message received, one rendezvous.
        assert_eq!(svg.matches("marker-end").count(), 4);
        assert!(svg.contains("a &lt; b") && svg.contains("&lt;B&gt;:2") && svg.contains("done &amp; gone"));
        assert!(svg.contains("loop: goes on after step 5") && svg.ends_with("</svg>\n"));
        let slanted = svg.lines().find(|l| l.contains("marker-end")).expect("an arrow");
        assert!(slanted.starts_with("<line "), "{slanted}");
    }
}
