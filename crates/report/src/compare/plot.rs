//! Plots of rows, as SVG: a scatter plot against a rival, and a cactus plot. Both scales are logarithmic where they show a
//! measure. Each point tells its model and property when the pointer rests on it; colours follow the reader's light or
//! dark setting.
//!
//! Drawn by hand: a crate for plots would bring neither the tooltips nor the dark setting.

use super::{Measure, Row};
use crate::xml::{attribute, text as escaped};
use std::fmt::Write as _;

/// The size of the picture, and of its margins: left, right, top, bottom.
const SIZE: (f64, f64) = (720.0, 520.0);
const MARGIN: (f64, f64, f64, f64) = (76.0, 170.0, 30.0, 56.0);
/// Colours that can be told apart by most people (Okabe and Ito 2008), with a shape each.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a6761d"];

/// A scale from values to places.
#[derive(Clone, Copy)]
struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    logarithmic: bool,
}

impl Scale {
    /// A logarithmic scale that has all values, from one power of ten to another.
    fn logarithmic(values: &[f64], (start, end): (f64, f64)) -> Scale {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        let (from, to) = (least.log10().floor(), most.log10().ceil());
        let (from, to) =
            if from.is_finite() && to.is_finite() { (from, to.max(from + 1.0)) } else { (0.0, 1.0) };
        Scale { from: 10f64.powf(from), to: 10f64.powf(to), start, end, logarithmic: true }
    }

    fn linear(most: usize, (start, end): (f64, f64)) -> Scale {
        Scale { from: 0.0, to: most.max(1) as f64, start, end, logarithmic: false }
    }

    fn at(&self, value: f64) -> f64 {
        let share = match self.logarithmic {
            true => (value / self.from).log10() / (self.to / self.from).log10(),
            false => (value - self.from) / (self.to - self.from),
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Values with a line and a number.
    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let decades = (self.to / self.from).log10().round() as i32;
            return (0..=decades).map(|i| self.from * 10f64.powi(i)).collect();
        }
        let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 5000.0];
        let step = step.iter().copied().find(|s| self.to / s <= 8.0).unwrap_or(self.to);
        (0..=(self.to / step) as u32).map(|i| f64::from(i) * step).collect()
    }
}

/// A number as an axis shows it.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{}G", v / 1e9),
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v if v >= 1.0 || v == 0.0 => format!("{v}"),
        v => format!("{}", (v * 1e6).round() / 1e6),
    }
}

/// The frame, the grid, the axes.
fn frame(title: &str, (x, x_name): (&Scale, &str), (y, y_name): (&Scale, &str)) -> String {
    let (w, h) = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
aria-label=\"{}\">\n<style>svg {{ font: 13px sans-serif; --ink: #222; --grid: #ddd; background: #fff }} text {{ fill: \
var(--ink) }} .grid {{ stroke: var(--grid) }} .axis {{ stroke: var(--ink); fill: none }} .end {{ text-anchor: end }} \
.middle {{ text-anchor: middle }} @media (prefers-color-scheme: dark) {{ svg {{ --ink: #ddd; --grid: #444; background: #181818 \
}} }}</style>\n<text class=\"middle\" x=\"{}\" y=\"19\">{}</text>\n",
        attribute(title),
        (x.start + x.end) / 2.0,
        escaped(title)
    );
    for v in x.ticks() {
        let at = x.at(v);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} {:.1}V{:.1}\"/><text class=\"middle\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            y.start,
            y.end,
            y.start + 18.0,
            short(v)
        );
    }
    for v in y.ticks() {
        let at = y.at(v);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{:.1} {at:.1}H{:.1}\"/><text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x.start,
            x.end,
            x.start - 8.0,
            at + 4.0,
            short(v)
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"axis\" d=\"M{:.1} {:.1}V{:.1}H{:.1}\"/>\n<text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n\
<text class=\"middle\" transform=\"translate(16 {:.1}) rotate(-90)\">{}</text>",
        x.start,
        y.end,
        y.start,
        x.end,
        (x.start + x.end) / 2.0,
        h - 12.0,
        escaped(x_name),
        (y.start + y.end) / 2.0,
        escaped(y_name)
    );
    svg
}

/// The places of the axes.
fn axes() -> ((f64, f64), (f64, f64)) {
    let (left, right, top, bottom) = MARGIN;
    ((left, SIZE.0 - right), (SIZE.1 - bottom, top))
}

/// A mark of one of several shapes.
fn mark(kind: usize, (x, y): (f64, f64), title: &str) -> String {
    let colour = COLOURS[kind % COLOURS.len()];
    let d = match kind % 4 {
        0 => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", x - 4.0),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 5.0),
        _ => format!("M{x:.1} {:.1}l5 5l-5 5l-5 -5z", y - 5.0),
    };
    let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(title)) };
    format!("<path d=\"{d}\" fill=\"{colour}\" fill-opacity=\"0.75\">{title}</path>\n")
}

fn legend(names: &[String]) -> String {
    let x = SIZE.0 - MARGIN.1 + 20.0;
    let line = |(i, name): (usize, &String)| {
        let y = MARGIN.2 + 10.0 + 20.0 * i as f64;
        mark(i, (x, y), "")
            + &format!("<text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n", x + 12.0, y + 4.0, escaped(name))
    };
    names.iter().enumerate().map(line).collect()
}

/// The competitors, in the order in which they come.
fn competitors(rows: &[&Row]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for r in rows {
        if !names.contains(&r.competitor()) {
            names.push(r.competitor());
        }
    }
    names
}

/// Each property that the rival and somebody else decided is a point: to the right what it cost the rival, upwards what it
/// cost the other. Below the diagonal the other is better. Nothing if there is no such point.
pub fn scatter(rows: &[Row], rival: &str, measure: Measure) -> Option<String> {
    let value = |r: &Row| measure.of(r).max(measure.least());
    let decided: Vec<&Row> = rows.iter().filter(|r| r.decided()).collect();
    let of_rival = |r: &Row| {
        let same = |s: &&&Row| s.competitor() == rival && s.model == r.model && s.property == r.property;
        decided.iter().find(same).map(|s| value(s))
    };
    let others: Vec<&Row> = decided.iter().copied().filter(|r| r.competitor() != rival).collect();
    let points: Vec<(&Row, f64, f64)> =
        others.iter().filter_map(|r| Some((*r, of_rival(r)?, value(r)))).collect();
    if points.is_empty() {
        return None;
    }
    let names = competitors(&points.iter().map(|p| p.0).collect::<Vec<_>>());
    let values: Vec<f64> = points.iter().flat_map(|p| [p.1, p.2]).collect();
    let (across, up) = axes();
    let (x, y) = (Scale::logarithmic(&values, across), Scale::logarithmic(&values, up));
    let title = format!("{}: against {rival}", measure.name());
    let mut svg = frame(&title, (&x, rival), (&y, "the others"));
    let _ = writeln!(
        svg,
        "<path class=\"axis\" stroke-dasharray=\"4 4\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
        x.start, y.start, x.end, y.end
    );
    for (row, rival_value, own) in points {
        let name = row.competitor();
        let kind = names.iter().position(|n| *n == name).unwrap_or(0);
        let title = format!(
            "{} {}\n{name}: {}, {rival}: {}",
            row.model,
            row.property,
            short(own),
            short(rival_value)
        );
        svg += &mark(kind, (x.at(rival_value), y.at(own)), &title);
    }
    Some(svg + &legend(&names) + "</svg>\n")
}

/// How many properties each competitor decides within a given cost each, the cheapest first. Nothing without rows.
pub fn cactus(rows: &[Row], measure: Measure) -> Option<String> {
    let decided: Vec<&Row> = rows.iter().filter(|r| r.decided()).collect();
    if decided.is_empty() {
        return None;
    }
    let value = |r: &Row| measure.of(r).max(measure.least());
    let names = competitors(&decided);
    let curves: Vec<Vec<(f64, &Row)>> = names
        .iter()
        .map(|name| {
            let mut own: Vec<(f64, &Row)> =
                decided.iter().filter(|r| r.competitor() == *name).map(|r| (value(r), *r)).collect();
            own.sort_by(|a, b| a.0.total_cmp(&b.0));
            own
        })
        .collect();
    let values: Vec<f64> = decided.iter().map(|r| value(r)).collect();
    let most = curves.iter().map(Vec::len).max().unwrap_or(1);
    let (across, up) = axes();
    let (x, y) = (Scale::linear(most, across), Scale::logarithmic(&values, up));
    let mut svg =
        frame("properties decided, the cheapest first", (&x, "properties decided"), (&y, measure.name()));
    for (kind, curve) in curves.iter().enumerate() {
        let place = |i: usize, v: f64| (x.at((i + 1) as f64), y.at(v));
        let line: Vec<String> = curve
            .iter()
            .enumerate()
            .map(|(i, (v, _))| {
                let (px, py) = place(i, *v);
                format!("{px:.1} {py:.1}")
            })
            .collect();
        let colour = COLOURS[kind % COLOURS.len()];
        let _ = writeln!(svg, "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\"/>", line.join("L"));
        for (i, (v, row)) in curve.iter().enumerate() {
            let title = format!("{}: {} {}: {}", names[kind], row.model, row.property, short(*v));
            svg += &mark(kind, place(i, *v), &title);
        }
    }
    Some(svg + &legend(&names) + "</svg>\n")
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;
    use crate::answer::Verdict;

    fn points(svg: &str) -> usize {
        let document = roxmltree::Document::parse(svg).expect("well-formed");
        document.descendants().filter(|n| n.has_tag_name("title")).count()
    }

    #[test]
    fn a_scatter_plot_has_a_point_for_each_property_of_both() {
        let rows = vec![
            row("m<", "se05", Verdict::Holds, &[0.5]),
            row("m<", "hpy96", Verdict::Holds, &[1.5]),
            row("n", "se05", Verdict::Holds, &[0.01]),
            row("n", "hpy96", Verdict::Inconclusive, &[9.0]),
        ];
        let svg = scatter(&rows, "hpy96", Measure::Seconds).expect("a plot");
        assert_eq!(points(&svg), 1);
        assert!(svg.contains("m&lt; p\nse05: 0.5, hpy96: 1.5"));
        assert_eq!(scatter(&rows, "nobody", Measure::Seconds), None);
    }

    #[test]
    fn a_cactus_plot_has_what_was_decided() {
        let rows = vec![
            row("m", "se05", Verdict::Holds, &[0.5]),
            row("n", "se05", Verdict::Violated, &[0.0]),
            row("n", "hpy96", Verdict::Inconclusive, &[9.0]),
        ];
        assert_eq!(points(&cactus(&rows, Measure::Seconds).expect("a plot")), 2);
        assert_eq!(cactus(&rows[2..], Measure::States), None);
    }
}
