//! One self-contained page about answers: all verdicts, and each run step by step.
//!
//! The data are the objects of the contract, as `check --json` prints them; `page.js` shows them, and needs nothing from
//! outside. So what is known of a call can be kept as JSON, and the page be made later.

use crate::answer::{Answer, Document, Source};
use crate::run::Run;
use crate::xml::text as escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const WALK: &str = include_str!("walk.js");

/// Begins what [`page`] shows.
const OPEN: &str = "new riata.Page(document.querySelector('main'))\
    .open(JSON.parse(document.getElementById('data').textContent));";

/// A page about objects of the contract, each as its text.
pub fn page(title: &str, documents: &[&str]) -> String {
    let data: Vec<String> = documents.iter().map(|d| embedded(d.trim())).collect();
    let data = format!("<script type=\"application/json\" id=\"data\">[{}]</script>\n", data.join(",\n"));
    document(title, "", &data, &[SCRIPT, OPEN])
}

/// The page of a model that is walked by hand; the server that it comes from holds the walk.
pub fn walk(title: &str) -> String {
    document(title, " connect-src 'self';", "", &[SCRIPT, WALK])
}

/// A page about one run, which answers no property.
pub fn of_run(run: &Run) -> String {
    page(&run.title, &[&alone(run)])
}

/// One run that answers no property, as an object of the contract without a verdict.
pub fn alone(run: &Run) -> String {
    let (input, title) = run.title.split_once(": ").unwrap_or((&run.title, "run"));
    let mut answer = Answer { property: Some(title.into()), ..Answer::default() };
    answer.show(run.clone());
    let mut document = Document::new("run", input);
    document.results.push(answer);
    document.sources = sources(run);
    // There is nothing to be serialised that can fail.
    let mut object = serde_json::to_value(&document).unwrap_or_default();
    if let Some(answer) = object["results"][0].as_object_mut() {
        let unknown = ["verdict", "algorithm", "engine", "store", "counters", "memory_bytes", "cpu_seconds"];
        unknown.iter().for_each(|field| {
            answer.remove(*field);
        });
    }
    object.to_string()
}

/// A page about answers of a library's user, who has no command line.
pub fn of_answers(title: &str, answers: &[Answer]) -> String {
    let mut document = Document::new("check", title);
    document.results = answers.to_vec();
    document.sources = answers.iter().find_map(|a| a.run.as_deref()).map(sources).unwrap_or_default();
    page(title, &[&document.to_text()])
}

/// The files of a run's model.
fn sources(run: &Run) -> Vec<Source> {
    let one =
        |(file, text): &(String, String)| Source { input: None, file: file.clone(), text: text.clone() };
    run.sources.iter().map(one).collect()
}

/// JSON inside of an element `script`, which ends at `</script` whatever that is part of. In JSON `<` is only in strings.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn document(title: &str, also: &str, data: &str, scripts: &[&str]) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline';{also}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header><h1>{title}</h1></header>\n\
         <noscript><p>The page is drawn by a script, which this browser does not run.</p></noscript>\n\
         <main></main>\n{data}"
    );
    scripts.iter().for_each(|script| out += &format!("<script>\n{script}\n</script>\n"));
    out += "</body>\n</html>\n";
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The data of a page, as the script reads them.
    fn data(page: &str) -> Value {
        let (_, rest) = page.split_once("id=\"data\">").expect("data");
        let (data, _) = rest.split_once("</script>").expect("an end");
        serde_json::from_str(data).expect("JSON")
    }

    #[test]
    fn data_come_back_whatever_they_say() {
        let hostile =
            json!({ "results": [{ "property": "</script><script>alert(1)</script><!-- &lt; ]]>" }] });
        let page = page("<b>\"title\"", &[&hostile.to_string(), "{}\n"]);
        assert_eq!(data(&page), json!([hostile, {}]));
        assert!(page.contains("<title>&lt;b&gt;&quot;title&quot;</title>"));
        // Of the data, and two scripts.
        assert_eq!((page.matches("</script>").count(), page.matches("<!--").count()), (3, 0));
    }

    #[test]
    fn our_own_scripts_end_where_they_end() {
        for script in [SCRIPT, WALK, OPEN] {
            assert!(!script.contains("</script") && !script.contains("<!--"));
            // Text reaches the page as text.
            assert!(
                !["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("]
                    .iter()
                    .any(|way| script.contains(way))
            );
        }
        assert!(!STYLE.contains("</style"));
        for outside in ["http:", "https:", "//cdn", "@import", "url("] {
            // The name of the namespace of pictures is no address.
            let script = SCRIPT.replace("http://www.w3.org/2000/svg", "");
            assert!(!script.contains(outside) && !STYLE.contains(outside), "{outside}");
        }
    }

    #[test]
    fn a_run_alone_has_no_verdict() {
        let run = Run {
            title: "m.pml: simulation".into(),
            states: vec![json!({ "x": 0 }), json!({ "x": 1 })],
            sources: vec![("dir/m.pml".into(), "one\ntwo & two".into())],
            ..Run::default()
        };
        let object = &data(&of_run(&run))[0];
        assert_eq!(object["input"], "m.pml");
        assert_eq!(object["results"][0]["trace"], json!([{ "x": 0 }, { "x": 1 }]));
        assert!(object["results"][0].get("verdict").is_none());
        assert_eq!(object["sources"][0], json!({ "file": "dir/m.pml", "text": "one\ntwo & two" }));
    }

    #[test]
    fn answers_of_a_library_s_user() {
        let mut answer = Answer { property: Some("p".into()), ..Answer::default() };
        answer.show(Run { states: vec![json!(1)], back: Some(0), ..Run::default() });
        let object = &data(&of_answers("clock", &[answer]))[0];
        assert_eq!(object["results"][0]["verdict"], "inconclusive");
        assert_eq!(object["results"][0]["lasso"]["cycle"], json!([1]));
    }
}
