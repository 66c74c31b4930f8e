//! A waveform as a picture, drawn by ourselves: it needs nothing but itself, and follows the reader's choice of a
//! light or dark page.

use super::{Row, Value, Wave};
use crate::trace::cut;
use crate::xml::text as escape;
use std::fmt::Write as _;

const ROW: f64 = 26.0;
const TOP: f64 = 62.0;
/// The width of a character of the labels.
const CHARACTER: f64 = 7.3;
/// The longest name of a variable that is not cut.
const NAME: usize = 32;
/// The longest value that is not cut.
const VALUE: usize = 18;
/// With more rows than this, those that never change are left out.
const MANY: usize = 60;

/// Without variables, which many viewers do not know.
const STYLE: &str = ".wave{font:12px ui-monospace,monospace}.wave .page{fill:#fff}.wave text{fill:#1b1f24}\
.wave .title{font-size:15px}.wave text.dim{fill:#6a737d}.wave text.bad{fill:#c62828}.wave text.said{fill:#2f64a8}\
.wave .grid{stroke:#e3e6ea}.wave .loop{fill:#e8f0fc}.wave .edge{stroke:#5b8ccb;fill:none;stroke-width:1.5}\
.wave .line{stroke:#0a7d3c;fill:none;stroke-width:1.8}.wave .box{fill:#f3f0fb;stroke:#7a64b8}\
.wave .mark{stroke:#c62828;fill:none;stroke-width:1.8}\
@media(prefers-color-scheme:dark){.wave .page{fill:#15181c}.wave text{fill:#e6e8ea}.wave text.dim{fill:#9aa4ae}\
.wave text.bad{fill:#ff7b72}.wave text.said{fill:#8fb8ec}.wave .grid{stroke:#2b3138}.wave .loop{fill:#1d2b40}\
.wave .edge{stroke:#6f9fdb}.wave .line{stroke:#5fd08b}.wave .box{fill:#2a2540;stroke:#a793e6}\
.wave .mark{stroke:#ff7b72}}";

/// Where things are.
struct Grid {
    left: f64,
    column: f64,
}

impl Grid {
    fn x(&self, state: usize) -> f64 {
        self.left + state as f64 * self.column
    }
}

/// An SVG document. A Boolean is a line, high or low; another value is a box; the loop is shaded.
pub fn svg(wave: &Wave, title: &str) -> String {
    let shown: Vec<&Row> = wave.rows.iter().filter(|r| wave.rows.len() <= MANY || !r.is_constant()).collect();
    let hidden = wave.rows.len() - shown.len();
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f64;
    let names = longest(&mut shown.iter().map(|r| r.name.chars().count().min(NAME)));
    let labels = shown.iter().filter(|r| !r.is_line()).flat_map(|r| &r.values);
    let labels = longest(&mut labels.map(|v| v.label().chars().count().min(VALUE)));
    let grid = Grid { left: 24.0 + names * CHARACTER + 14.0, column: (labels * CHARACTER + 14.0).max(34.0) };
    let bottom = TOP + shown.len() as f64 * ROW;
    let height = bottom + 46.0;
    let said = wave.back.map(|back| match wave.states.saturating_sub(1) {
        last if last == back => format!("loop: state {back} repeats"),
        last => format!("loop: state {last} is followed by state {back}"),
    });
    let room = |text: &str, size: f64| text.chars().count() as f64 * size + 40.0;
    let width = (grid.x(wave.states) + 24.0).max(room(title, 9.2)).max(320.0);
    let width =
        said.iter().fold(width, |w, said| w.max(grid.x(wave.back.unwrap_or(0)) + room(said, CHARACTER)));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wave\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\"><style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n<text class=\"title\" x=\"16\" y=\"24\">{}</text>\n",
        escape(title)
    );
    if let (Some(back), Some(said)) = (wave.back, &said) {
        let (from, to) = (grid.x(back), grid.x(wave.states));
        let _ = writeln!(
            out,
            "<rect class=\"loop\" x=\"{from:.1}\" y=\"36\" width=\"{:.1}\" height=\"{:.1}\"/>\n\
             <path class=\"edge\" d=\"M{to:.1},{bottom:.1} v12 H{from:.1} v-12 m-4,6 l4,-6 l4,6\"/>\n\
             <text class=\"said\" x=\"{from:.1}\" y=\"{:.1}\">{said}</text>",
            to - from,
            bottom - 36.0,
            bottom + 28.0,
        );
    }
    for state in 0..=wave.states {
        let x = grid.x(state);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1},{TOP} V{bottom:.1}\"/>");
        if state < wave.states {
            let middle = x + grid.column / 2.0;
            let class = if wave.wrong == Some(state) { "bad" } else { "dim" };
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{middle:.1}\" y=\"52\" text-anchor=\"middle\">{state}</text>"
            );
        }
    }
    for (i, row) in shown.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        let class = if row.input { " class=\"dim\"" } else { "" };
        let _ = writeln!(
            out,
            "<text{class} x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            grid.left - 8.0,
            y + 17.0,
            escape(&cut(&row.name, NAME))
        );
        if row.is_line() {
            line(&mut out, &grid, y, row);
        } else {
            boxes(&mut out, &grid, y, row, wave.back);
        }
    }
    if let Some(wrong) = wave.wrong {
        let _ = writeln!(
            out,
            "<rect class=\"mark\" x=\"{:.1}\" y=\"38\" width=\"{:.1}\" height=\"{:.1}\"/>",
            grid.x(wrong),
            grid.column,
            bottom - 36.0,
        );
    }
    if hidden > 0 {
        let y = bottom + 42.0;
        let _ = writeln!(
            out,
            "<text class=\"dim\" x=\"16\" y=\"{y:.1}\">{hidden} variables that never change are left out</text>"
        );
    }
    out += "</svg>\n";
    out
}

fn line(out: &mut String, grid: &Grid, y: f64, row: &Row) {
    let mut path = String::new();
    for (state, value) in row.values.iter().enumerate() {
        let level = if *value == Value::Bit(true) { y + 5.0 } else { y + ROW - 6.0 };
        let begin = if state == 0 { format!("M{:.1},{level:.1}", grid.x(0)) } else { format!("V{level:.1}") };
        let _ = write!(path, "{begin}H{:.1}", grid.x(state + 1));
    }
    let _ = writeln!(out, "<path class=\"line\" d=\"{path}\"/>");
}

/// A box for each stretch of equal values; the place where the loop begins cuts it.
fn boxes(out: &mut String, grid: &Grid, y: f64, row: &Row, back: Option<usize>) {
    let mut from = 0;
    for state in 1..=row.values.len() {
        let same = row.values.get(state) == Some(&row.values[from]) && back != Some(state);
        if same {
            continue;
        }
        let (x, end) = (grid.x(from), grid.x(state));
        let _ = writeln!(
            out,
            "<rect class=\"box\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x + 1.5,
            y + 4.0,
            end - x - 3.0,
            ROW - 8.0,
            (x + end) / 2.0,
            y + 17.0,
            escape(&cut(&row.values[from].label(), VALUE))
        );
        from = state;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn lines_boxes_and_the_loop_are_drawn() {
        let svg = svg(&example(), "m.smv: <p>");
        assert_eq!(svg.matches("class=\"line\"").count(), 1);
        // x: 3, -1 twice because the loop begins between, 0; w the same; mode: a<b, off.
        assert_eq!(svg.matches("class=\"box\"").count(), 4 + 4 + 2);
        assert!(svg.contains("m.smv: &lt;p&gt;") && svg.contains(">a&lt;b</text>"));
        assert!(svg.contains("loop: state 3 is followed by state 2") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("class=\"mark\"") && svg.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn a_wrong_state_is_marked_and_rows_that_never_change_are_left_out_among_many() {
        let mut wave = Wave { back: None, wrong: Some(3), ..example() };
        let constant = Row { name: "k".into(), input: false, values: vec![Value::Bit(true); 4] };
        wave.rows.extend(vec![constant; 100]);
        let svg = svg(&wave, "");
        assert_eq!(svg.matches("class=\"line\"").count(), 1);
        assert!(svg.contains("100 variables that never change are left out"));
        assert!(
            svg.contains("class=\"mark\"") && svg.contains("class=\"bad\"") && !svg.contains("loop: state")
        );
    }
}
