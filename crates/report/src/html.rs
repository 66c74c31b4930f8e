//! A page about one run: what is wrong, the chart, the steps, the source. It needs nothing but itself.

use crate::chart::{self, Chart};
use crate::trace::{Step, Trace};
use std::fmt::Write as _;

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The heading.
    pub title: &'a str,
    /// What is to be said: a line each.
    pub summary: &'a str,
    /// The run.
    pub trace: &'a Trace,
    /// Its messages, if there is a chart.
    pub chart: Option<&'a Chart>,
    /// The files of the model: name and text.
    pub sources: &'a [(String, String)],
}

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;color:#111}h1{font-size:1.3rem}\
h2{font-size:1.05rem;margin-top:1.6rem}pre{font:12px/1.45 ui-monospace,monospace;white-space:pre-wrap}\
.box{overflow:auto;max-height:80vh;border:1px solid #ccc}table{border-collapse:collapse;font:12px ui-monospace,monospace}\
th{position:sticky;top:0;background:#eee;text-align:left}td,th{padding:2px 10px;border-bottom:1px solid #eee;\
vertical-align:top;white-space:pre}tr.loop td:first-child{border-left:4px solid #7a9cc6}tr.loop{background:#eef3fb}\
td.new{font-weight:600}td.state{white-space:normal}td.state span{display:inline-block;margin-right:.6em}tr.says td{color:#060}a{color:#06c;text-decoration:none}li:target{background:#ffef9e}\
ol.source{font:12px/1.4 ui-monospace,monospace;white-space:pre}.end{color:#a00}\
@media(prefers-color-scheme:dark){body{background:#15181c;color:#e6e8ea}.box{border-color:#3a424c}th{background:#2b3138}\
td,th{border-color:#2b3138}tr.loop{background:#1d2b40}tr.says td{color:#8fd19e}a{color:#7fb4f0}.end{color:#ff8a80}\
li:target{background:#5a4d14}}";

/// A page with a body between its head and the files of the model.
pub fn document(title: &str, summary: &str, body: &str, sources: &[(String, String)]) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<pre class=\"end\">{}</pre>\n{body}",
        escape(summary)
    );
    for (f, (name, text)) in sources.iter().enumerate() {
        let _ = writeln!(out, "<h2>{}</h2>\n<ol class=\"source\">", escape(name));
        for (i, line) in text.lines().enumerate() {
            let _ = writeln!(out, "<li id=\"f{f}l{}\">{}</li>", i + 1, escape(line));
        }
        out += "</ol>\n";
    }
    out += "</body></html>\n";
    out
}

/// The page.
pub fn page(page: &Page) -> String {
    let mut out = String::new();
    if let Some(chart) = page.chart.filter(|c| !c.rows.is_empty()) {
        let _ = writeln!(out, "<h2>Messages</h2>\n<div class=\"box\">{}</div>", chart::svg(chart, ""));
    }
    let plain = page.trace.plain;
    out += if plain { "<h2>States: what is new in each</h2>\n" } else { "<h2>Steps</h2>\n" };
    out += "<div class=\"box\"><table><thead><tr><th></th>";
    out += if plain { "<th>state</th>" } else { "<th>place</th><th>statement</th>" };
    page.trace.columns.iter().for_each(|c| out += &format!("<th>{}</th>", escape(c)));
    out += "</tr></thead>\n<tbody>\n";
    let back = page.trace.back.as_ref();
    let mut add = |number: &str, step: &Step, looped: bool| {
        if plain {
            state(&mut out, number, step, looped);
        } else {
            row(&mut out, number, step, looped, page.sources);
        }
    };
    for (i, step) in page.trace.steps.iter().enumerate() {
        add(&i.to_string(), step, back.is_some_and(|(to, _)| i >= *to));
    }
    if let Some((to, step)) = back {
        add(&format!("→{to}"), step, true);
    }
    out += "</tbody></table></div>\n";
    document(page.title, page.summary, &out, page.sources)
}

/// A page about a run of a synchronous model: the waveform, and the states as text.
pub fn wave_page(
    title: &str,
    summary: &str,
    picture: &str,
    states: &str,
    sources: &[(String, String)],
) -> String {
    let body = format!(
        "<h2>Waveform</h2>\n<div class=\"box\">{picture}</div>\n<h2>States: what is new in each</h2>\n\
         <pre>{}</pre>\n",
        escape(states)
    );
    document(title, summary, &body, sources)
}

/// A state of a plain trace: each of its values stays on one line, and the values fill the width of the page.
fn state(out: &mut String, number: &str, step: &Step, looped: bool) {
    let class = if looped { " class=\"loop\"" } else { "" };
    let _ = write!(out, "<tr{class}><td>{number}</td><td class=\"state\">");
    for word in step.cells.iter().flat_map(|cell| cell.split_whitespace()) {
        let _ = write!(out, "<span>{}</span> ", escape(word));
    }
    out.push_str("</td></tr>\n");
}

fn row(out: &mut String, number: &str, step: &Step, looped: bool, sources: &[(String, String)]) {
    let class = if looped { " class=\"loop\"" } else { "" };
    let place = escape(&step.place);
    let place = match link(&step.place, sources) {
        Some(to) => format!("<a href=\"#{to}\">{place}</a>"),
        None => place,
    };
    let _ = write!(out, "<tr{class}><td>{number}</td><td>{place}</td><td>{}</td>", escape(&step.statement));
    for cell in &step.cells {
        let class = if cell.is_empty() { "" } else { " class=\"new\"" };
        let _ = write!(out, "<td{class}>{}</td>", escape(cell));
    }
    out.push_str("</tr>\n");
    for (who, text) in &step.printed {
        let _ = writeln!(
            out,
            "<tr class=\"says\"><td></td><td></td><td colspan=\"{}\">{} » {}</td></tr>",
            step.cells.len() + 1,
            escape(who),
            escape(text.trim_end())
        );
    }
}

/// Where the line of a place is on the page: `name:12` or `name:12,20`.
fn link(place: &str, sources: &[(String, String)]) -> Option<String> {
    let (file, line) = place.rsplit_once(':')?;
    let line: usize = line.split(',').next()?.parse().ok()?;
    let known = |name: &str| name.rsplit(['/', '\\']).next() == Some(file);
    sources.iter().position(|(name, _)| known(name)).map(|f| format!("f{f}l{line}"))
}

/// The text with nothing in it that HTML or SVG would read as markup.
pub(crate) fn escape(text: &str) -> String {
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
    use super::*;

    #[test]
    fn the_page_has_steps_that_lead_to_their_lines() {
        let step = |statement: &str, place: &str, cell: &str| Step {
            statement: statement.into(),
            place: place.into(),
            cells: vec![cell.into()],
            printed: vec![("P:0".into(), "a<b\n".into())],
        };
        let trace = Trace {
            columns: vec!["P:0".into()],
            steps: vec![
                Step { cells: vec!["x=0".into()], ..Step::default() },
                step("x < 1", "m.pml:2", "x=1"),
            ],
            back: Some((0, step("x = 0", "m.pml:3,4", "x=0"))),
            ..Trace::default()
        };
        let chart = crate::chart::tests::example();
        let sources = [("dir/m.pml".to_string(), "one\ntwo & two\nthree\n".to_string())];
        let page = page(&Page {
            title: "m.pml: live",
            summary: "it is <violated>",
            trace: &trace,
            chart: Some(&chart),
            sources: &sources,
        });
        for wanted in [
            "<a href=\"#f0l2\">m.pml:2</a></td><td>x &lt; 1</td>",
            "<a href=\"#f0l3\">m.pml:3,4</a>",
            "<li id=\"f0l2\">two &amp; two</li>",
            "P:0 » a&lt;b</td>",
            "it is &lt;violated&gt;",
            "<svg ",
        ] {
            assert!(page.contains(wanted), "{wanted}\n{page}");
        }
        assert_eq!(page.matches("<tr class=\"loop\">").count(), 3);
    }
    #[test]
    fn the_page_of_a_plain_trace_has_its_states() {
        let step = |cell: &str| Step { cells: vec![cell.into()], ..Step::default() };
        let trace = Trace {
            steps: vec![step("coin=FALSE a.state=idle"), step("coin=TRUE"), step("")],
            back: Some((1, Step::default())),
            plain: true,
            ..Trace::default()
        };
        let page = page(&Page { title: "m.smv", summary: "", trace: &trace, chart: None, sources: &[] });
        for wanted in [
            "<tr><th></th><th>state</th></tr>",
            "<tr><td>0</td><td class=\"state\"><span>coin=FALSE</span> <span>a.state=idle</span> </td></tr>",
            "<tr class=\"loop\"><td>1</td><td class=\"state\"><span>coin=TRUE</span> </td></tr>",
            "<tr class=\"loop\"><td>2</td><td class=\"state\"></td></tr>",
            "<tr class=\"loop\"><td>→1</td><td class=\"state\"></td></tr>",
        ] {
            assert!(page.contains(wanted), "{wanted}\n{page}");
        }
        assert!(!page.contains("statement"));
    }
}
