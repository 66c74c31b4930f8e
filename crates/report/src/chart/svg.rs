//! A chart as a picture, drawn by ourselves: it needs nothing but itself, and follows the reader's choice of a light or
//! dark page.

use super::{Chart, What};
use crate::trace::cut;
use crate::xml::text as escape;
use std::fmt::Write as _;

/// Distance between lifelines.
const LANE: f64 = 190.0;
/// Distance between rows.
const ROW: f64 = 26.0;
const LEFT: f64 = 110.0;
const TOP: f64 = 80.0;

/// Without variables, which many viewers do not know. What is written has an edge in the colour of the page, so that no
/// line strikes it through.
const STYLE: &str = ".chart{font:12px sans-serif}.chart .page{fill:#fff}\
.chart text{fill:#1b1f24;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\
.chart .title{font-size:15px}.chart text.dim{fill:#6a737d}.chart .head{fill:#f4f4f4;stroke:#1b1f24}\
.chart text.name{stroke:none}.chart .life{stroke:#888}.chart .line{stroke:#1b1f24}.chart .tip{fill:#1b1f24}\
.chart .loop{fill:#eef3fb;stroke:#7a9cc6;stroke-dasharray:5 3}\
@media(prefers-color-scheme:dark){.chart .page{fill:#15181c}.chart text{fill:#e6e8ea;stroke:#15181c}\
.chart text.dim{fill:#9aa4ae}.chart .head{fill:#2b3138;stroke:#98a2ad}.chart .life{stroke:#6a737d}\
.chart .line{stroke:#e6e8ea}.chart .tip{fill:#e6e8ea}.chart .loop{fill:#1d2b40;stroke:#6f9fdb}}";

/// A picture in the making: lines, and what is written above them.
#[derive(Default)]
struct Drawing {
    lines: String,
    labels: String,
}

impl Drawing {
    /// A text beside a lifeline.
    fn note(&mut self, x: f64, y: f64, text: &str) {
        let text = escape(&cut(text, 28));
        let _ = writeln!(self.labels, "<text x=\"{:.1}\" y=\"{:.1}\">{text}</text>", x + 7.0, y + 4.0);
    }

    /// An arrow with its label above it, in the last gap before its head.
    fn arrow(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), label: &str, dashed: bool) {
        let dash = if dashed { " stroke-dasharray=\"4 3\"" } else { "" };
        let _ = writeln!(
            self.lines,
            "<line class=\"line\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{dash} \
             marker-end=\"url(#tip)\"/>"
        );
        let _ = writeln!(
            self.labels,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x2 + (x1 - x2).signum() * LANE * 0.5,
            y2 + (y1 - y2) * (LANE * 0.5 / (x1 - x2).abs().max(1.0)) - 5.0,
            escape(&cut(label, 26))
        );
    }
}

/// An SVG document. Time goes down; a message that waits in a channel is a slanted arrow, a rendezvous a level one.
pub fn svg(chart: &Chart, title: &str) -> String {
    let x = |lane: usize| LEFT + lane as f64 * LANE;
    let y = |row: usize| TOP + (row as f64 + 0.5) * ROW;
    let height = y(chart.rows.len()) + 50.0;
    let width = (x(chart.lanes.len().max(1) - 1) + LANE).max(title.chars().count() as f64 * 8.0 + 40.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\"><style>{STYLE}</style>\n<defs><marker id=\"tip\" \
         viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path class=\"tip\" d=\"M0,0 L10,5 L0,10 z\"/></marker></defs>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    let _ = writeln!(out, "<text class=\"title\" x=\"20\" y=\"26\">{}</text>", escape(title));
    if let Some(back) = chart.back {
        let first = chart.rows.iter().position(|r| r.step > back).unwrap_or(chart.rows.len());
        let (top, bottom) = (y(first) - ROW / 2.0, y(chart.rows.len()) + 4.0);
        let _ = writeln!(
            out,
            "<rect class=\"loop\" x=\"8\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\n\
             <text class=\"dim\" x=\"14\" y=\"{:.1}\">loop: goes on after step {back}</text>",
            width - 16.0,
            bottom - top,
            bottom - 6.0
        );
    }
    lifelines(&mut out, chart, x, y);
    let mut drawing = Drawing::default();
    // Where each message is sent, so that the arrow can begin there.
    let mut sent: Vec<usize> = vec![0; chart.messages.len()];
    for (i, row) in chart.rows.iter().enumerate() {
        let (at, here) = (y(i), x(row.lane));
        let before = i.checked_sub(1).map(|b| chart.rows[b].step);
        if before != Some(row.step) {
            let _ = writeln!(
                drawing.labels,
                "<text class=\"dim\" x=\"44\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                at + 4.0,
                row.step
            );
        }
        match &row.what {
            What::Send(m) => {
                sent[*m] = i;
                let message = &chart.messages[*m];
                let _ =
                    writeln!(drawing.lines, "<circle class=\"tip\" cx=\"{here}\" cy=\"{at:.1}\" r=\"3.5\"/>");
                if message.to.is_none_or(|(lane, _)| lane == row.lane) {
                    drawing.note(here, at, &format!("{}!{}", message.channel, message.values));
                }
            }
            What::Receive(m) | What::Peek(m) => {
                let message = &chart.messages[*m];
                let label = format!("{}: {}", message.channel, message.values);
                if message.from == row.lane {
                    drawing.note(here, at, &format!("{}?{}", message.channel, message.values));
                } else {
                    let dashed = matches!(row.what, What::Peek(_));
                    drawing.arrow((x(message.from), y(sent[*m])), (here, at), &label, dashed);
                }
            }
            What::Meet(m) => {
                let message = &chart.messages[*m];
                let to = message.to.map_or(row.lane, |t| t.0);
                let label = format!("{}: {}", message.channel, message.values);
                drawing.arrow((here, at), (x(to), at), &label, false);
            }
            What::Print(printed) => drawing.note(here, at, &format!("» {}", printed.trim_end())),
            What::Start(child) => drawing.arrow((here, at), (x(*child), at), "run", true),
            What::End => {
                let _ = writeln!(
                    drawing.lines,
                    "<path class=\"line\" d=\"M{:.1},{:.1} l10,10 m0,-10 l-10,10\"/>",
                    here - 5.0,
                    at - 5.0
                );
            }
        }
    }
    out += &drawing.lines;
    out += &drawing.labels;
    out += "</svg>\n";
    out
}

/// Lifelines, from where a process starts to where it ends.
fn lifelines(out: &mut String, chart: &Chart, x: impl Fn(usize) -> f64, y: impl Fn(usize) -> f64) {
    for (lane, (name, there)) in chart.lanes.iter().enumerate() {
        let begins = chart.rows.iter().position(|r| r.what == What::Start(lane));
        let top = if *there { TOP - 14.0 } else { begins.map_or(TOP, &y) };
        let ends = chart.rows.iter().position(|r| r.lane == lane && r.what == What::End);
        let bottom = ends.map_or(y(chart.rows.len()), &y);
        let x = x(lane);
        let _ = writeln!(
            out,
            "<line class=\"life\" x1=\"{x}\" y1=\"{top:.1}\" x2=\"{x}\" y2=\"{bottom:.1}\"/>\n\
             <rect class=\"head\" x=\"{:.1}\" y=\"44\" width=\"{:.1}\" height=\"22\"/>\n\
             <text class=\"name\" x=\"{x}\" y=\"59\" text-anchor=\"middle\">{}</text>",
            x - LANE * 0.42,
            LANE * 0.84,
            escape(&cut(name, 24))
        );
    }
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
        // What is written stands above all lines.
        let last = svg.rfind("<line ").expect("a line");
        assert!(svg[last..].contains("c: hello,1") && svg[last..].contains("meet: 7"));
    }
}
