//! Answers as JUnit XML, which continuous integration reads: a suite for each input, a case for each answer.

use crate::answer::{Answer, Document, Problem, Verdict};
use crate::xml::{attribute, text};
use std::fmt::Write as _;

/// The documents as JUnit XML. What is violated or nonempty is a failure with its run, what is inconclusive is skipped,
/// and an error in an input is a case of its own with an error.
pub fn junit(documents: &[Document<Answer>]) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for document in documents {
        // An input without answers has a suite too.
        suite(&mut suites, &document.input, document.results.is_empty() && document.errors.is_empty());
        for answer in &document.results {
            let input = answer.input.as_ref().unwrap_or(&document.input);
            suite(&mut suites, input, true).push(Case::of_answer(document, answer));
        }
        for (i, problem) in document.errors.iter().enumerate() {
            let own = problem.file.as_ref().filter(|f| document.inputs.contains(f));
            suite(&mut suites, own.unwrap_or(&document.input), true).push(Case::of_problem(i, problem));
        }
    }
    suites.retain(|s| s.wanted);
    let cases = || suites.iter().flat_map(|s| &s.cases);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"riata\"{}>", counts(cases()));
    for suite in &suites {
        let input = attribute(&suite.input);
        let _ = writeln!(out, "  <testsuite name=\"{input}\"{}>", counts(suite.cases.iter()));
        suite.cases.iter().for_each(|case| case.write(&mut out, &input));
        out += "  </testsuite>\n";
    }
    out += "</testsuites>\n";
    out
}

/// The cases of an input.
struct Suite {
    input: String,
    cases: Vec<Case>,
    wanted: bool,
}

/// The suite of an input; it is made if there is none.
fn suite<'a>(suites: &'a mut Vec<Suite>, input: &str, wanted: bool) -> &'a mut Vec<Case> {
    let at = suites.iter().position(|s| s.input == input).unwrap_or_else(|| {
        suites.push(Suite { input: input.into(), cases: Vec::new(), wanted: false });
        suites.len() - 1
    });
    suites[at].wanted |= wanted;
    &mut suites[at].cases
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passed,
    Failure,
    Skipped,
    Error,
}

impl Kind {
    fn element(self) -> Option<&'static str> {
        match self {
            Kind::Passed => None,
            Kind::Failure => Some("failure"),
            Kind::Skipped => Some("skipped"),
            Kind::Error => Some("error"),
        }
    }
}

/// A test case.
struct Case {
    name: String,
    file: Option<String>,
    line: Option<usize>,
    seconds: f64,
    kind: Kind,
    message: String,
    body: String,
}

impl Case {
    fn of_answer(document: &Document<Answer>, answer: &Answer) -> Case {
        let kind = match answer.verdict {
            Verdict::Violated | Verdict::Nonempty => Kind::Failure,
            Verdict::Inconclusive => Kind::Skipped,
            Verdict::Holds | Verdict::Empty | Verdict::Complete => Kind::Passed,
        };
        let mut name = answer.label(&document.command);
        let same = |a: &&Answer| a.input == answer.input && a.label(&document.command) == name;
        if document.results.iter().filter(same).count() > 1 {
            name = format!("{name} [{}]", answer.algorithm);
        }
        let body = match (kind, &answer.run) {
            (Kind::Failure, Some(run)) => run.trace.to_text(),
            (Kind::Failure, None) => states(answer),
            _ => String::new(),
        };
        Case {
            name,
            file: answer.location.as_ref().map(|l| l.file.clone()),
            line: answer.location.as_ref().map(|l| l.line),
            seconds: Some(answer.cpu_seconds).filter(|s| s.is_finite()).unwrap_or(0.0),
            kind,
            message: answer.message(),
            body,
        }
    }

    fn of_problem(i: usize, problem: &Problem) -> Case {
        Case {
            name: if i == 0 { "input-error".into() } else { format!("input-error {}", i + 1) },
            file: problem.file.clone(),
            line: problem.line,
            seconds: 0.0,
            kind: Kind::Error,
            message: problem.message.clone(),
            body: problem.help.clone().unwrap_or_default(),
        }
    }

    fn write(&self, out: &mut String, class: &str) {
        let name = attribute(&self.name);
        let _ =
            write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.6}\"", self.seconds);
        if let Some(file) = &self.file {
            let _ = write!(out, " file=\"{}\"", attribute(file));
        }
        if let Some(line) = self.line {
            let _ = write!(out, " line=\"{line}\"");
        }
        let Some(element) = self.kind.element() else {
            *out += "/>\n";
            return;
        };
        let _ = write!(out, ">\n      <{element} message=\"{}\"", attribute(&self.message));
        match self.body.as_str() {
            "" => *out += "/>\n",
            body => {
                let _ = writeln!(out, ">{}</{element}>", text(body));
            }
        }
        *out += "    </testcase>\n";
    }
}

/// The states of a run that has no other form.
fn states(answer: &Answer) -> String {
    let list = |states: &[serde_json::Value]| states.iter().map(|s| format!("  {s}\n")).collect::<String>();
    match (&answer.lasso, &answer.trace) {
        (Some(lasso), _) => format!("stem:\n{}cycle:\n{}", list(&lasso.stem), list(&lasso.cycle)),
        (None, Some(trace)) => list(trace),
        (None, None) => String::new(),
    }
}

/// How many cases there are of each kind, and their time, as attributes.
fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut all, mut failures, mut errors, mut skipped, mut seconds) = (0, 0, 0, 0, 0.0);
    for case in cases {
        all += 1;
        failures += usize::from(case.kind == Kind::Failure);
        errors += usize::from(case.kind == Kind::Error);
        skipped += usize::from(case.kind == Kind::Skipped);
        seconds += case.seconds;
    }
    format!(
        " tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.6}\""
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Lasso, Location};
    use crate::run::Run;
    use crate::trace::{Step, Trace};
    use proptest::prelude::*;

    fn answer(property: &str, verdict: Verdict) -> Answer {
        Answer {
            property: Some(property.into()),
            verdict,
            algorithm: "ascc".into(),
            cpu_seconds: 0.25,
            ..Answer::default()
        }
    }

    fn run_of(cell: &str) -> Run {
        let step = Step { cells: vec![cell.into()], ..Step::default() };
        Run { trace: Trace { plain: true, steps: vec![step], ..Trace::default() }, ..Run::default() }
    }

    #[test]
    fn the_whole_of_a_small_report() {
        let mut document = Document::new("check", "m.pml");
        document.results = vec![answer("safe", Verdict::Holds), answer("live", Verdict::Violated)];
        document.results[1].location = Some(Location { file: "m.pml".into(), line: 7, column: 3 });
        document.results[1].reason = Some("`x < 2` is false".into());
        document.results[1].show(run_of("x=2"));
        let wanted = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="riata" tests="2" failures="1" errors="0" skipped="0" time="0.500000">
  <testsuite name="m.pml" tests="2" failures="1" errors="0" skipped="0" time="0.500000">
    <testcase classname="m.pml" name="safe" time="0.250000"/>
    <testcase classname="m.pml" name="live" time="0.250000" file="m.pml" line="7">
      <failure message="`x &lt; 2` is false">      0  x=2
</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(junit(&[document]), wanted);
    }

    #[test]
    fn suites_names_and_kinds() {
        let mut document = Document::new("check", "a b");
        document.inputs = vec!["a".into(), "b".into()];
        let mut other = answer("live", Verdict::Inconclusive);
        other.algorithm = "ndfs".into();
        document.results = vec![answer("live", Verdict::Holds), other, answer("live", Verdict::Nonempty)];
        for (result, input) in document.results.iter_mut().zip(["a", "a", "b"]) {
            result.input = Some(input.into());
        }
        document.results[2].lasso = Some(Lasso { stem: vec![], cycle: vec![3.into()] });
        document.errors.push(Problem {
            file: Some("b".into()),
            line: Some(2),
            ..Problem::from("it ends too early".to_string())
        });
        document.errors.push("no such option".to_string().into());
        let xml = junit(&[document, Document::new("check", "c")]);
        let read = roxmltree::Document::parse(&xml).unwrap();
        let suites: Vec<_> = read.root_element().children().filter(|n| n.is_element()).collect();
        let names = |nodes: &[roxmltree::Node]| {
            nodes.iter().map(|n| n.attribute("name").unwrap().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&suites), ["a b", "a", "b", "c"]);
        let cases = |i: usize| suites[i].children().filter(|n| n.is_element()).collect::<Vec<_>>();
        assert_eq!(names(&cases(1)), ["live [ascc]", "live [ndfs]"]);
        assert_eq!(names(&cases(2)), ["live", "input-error"]);
        assert_eq!(names(&cases(0)), ["input-error 2"]);
        assert!(cases(3).is_empty());
        assert_eq!(suites[1].attribute("skipped"), Some("1"));
        let failure = cases(2)[0].descendants().find(|n| n.has_tag_name("failure")).unwrap();
        assert_eq!(failure.text(), Some("stem:\ncycle:\n  3\n"));
        let error = cases(2)[1].descendants().find(|n| n.has_tag_name("error")).unwrap();
        assert_eq!(error.attribute("message"), Some("it ends too early"));
        assert_eq!(cases(2)[1].attribute("line"), Some("2"));
    }

    /// The report is well-formed whatever its strings are, and the run is in it.
    fn well_formed(string: &str) {
        let mut document = Document::new("check", string);
        for verdict in [Verdict::Violated, Verdict::Inconclusive, Verdict::Holds] {
            let mut result = answer(string, verdict);
            result.algorithm = string.into();
            result.reason = Some(string.into());
            result.location = Some(Location { file: string.into(), line: 1, column: 1 });
            result.cpu_seconds = f64::NAN;
            result.show(run_of(string));
            document.results.push(result);
        }
        document.errors.push(string.to_string().into());
        let xml = junit(&[document]);
        let read = roxmltree::Document::parse(&xml).unwrap();
        assert_eq!(read.descendants().filter(|n| n.has_tag_name("testcase")).count(), 4);
        if string.chars().all(|c| c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}')) {
            let failure = read.descendants().find(|n| n.has_tag_name("failure")).unwrap();
            assert!(failure.text().unwrap().contains(string.trim_end()));
            assert_eq!(failure.attribute("message"), Some(string));
        }
    }

    #[test]
    fn hostile_strings_are_well_formed() {
        for string in ["]]>", "\"'<&>\n\r\t", "\0\u{1}\u{1f}", "\u{fffe}\u{ffff}", "<![CDATA[x]]>", "†𝄞é", ""]
        {
            well_formed(string);
        }
    }

    proptest! {
        #[test]
        fn every_string_is_well_formed(string in any::<String>()) {
            well_formed(&string);
        }
    }
}
