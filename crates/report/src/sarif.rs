//! Answers as SARIF, which code hosts and editors read: a rule for each property, a result for each answer.
//!
//! # References
//! OASIS: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.

use crate::answer::{Answer, Document, Problem, Verdict};
use crate::run::Taken;
use serde_json::{Map, Value, json};

/// The rule of what is wrong with an input.
const INPUT_ERROR: &str = "input-error";

/// The documents as one run of the tool, in SARIF 2.1.0. `version` is Riata's.
pub fn sarif(documents: &[Document<Answer>], version: &str) -> Value {
    let mut rules = Rules::default();
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    for document in documents {
        for answer in &document.results {
            results.push(of_answer(&mut rules, document, answer));
        }
        for problem in &document.errors {
            results.push(of_error(&mut rules, problem));
        }
        notifications.extend(document.errors.iter().map(|p| notification(p, "error")));
        notifications.extend(document.warnings.iter().map(|p| notification(p, "warning")));
    }
    let mut invocation = json!({ "executionSuccessful": documents.iter().all(|d| d.errors.is_empty()) });
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = notifications.into();
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "riata", "version": version, "rules": rules.all } },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results,
        }],
    })
}

/// The rules so far.
#[derive(Default)]
struct Rules {
    all: Vec<Value>,
}

impl Rules {
    /// The number of the rule, which is made if there is none. The first description counts.
    fn number(&mut self, id: &str, description: Option<&str>) -> usize {
        let at = self.all.iter().position(|r| r["id"] == id).unwrap_or_else(|| {
            self.all.push(json!({ "id": id }));
            self.all.len() - 1
        });
        if let (Some(text), None) = (description, self.all[at].get("shortDescription")) {
            self.all[at]["shortDescription"] = json!({ "text": text });
        }
        at
    }
}

fn of_answer(rules: &mut Rules, document: &Document<Answer>, answer: &Answer) -> Value {
    let label = answer.label(&document.command);
    let rule = answer.property.as_ref().unwrap_or(&document.command);
    let number = rules.number(rule, answer.formula.as_deref().filter(|f| !f.is_empty()));
    let (kind, level) = match answer.verdict {
        Verdict::Violated | Verdict::Nonempty => ("fail", "error"),
        // Only what fails has a level (SARIF 2.1.0, section 3.27.10).
        Verdict::Inconclusive => ("open", "none"),
        Verdict::Holds | Verdict::Empty | Verdict::Complete => ("pass", "none"),
    };
    let word = answer.verdict.word();
    let message = match answer.message() {
        message if message == word => format!("{label}: {word}"),
        message => format!("{label}: {word}: {message}"),
    };
    let mut more = json!({
        "input": answer.input.as_ref().unwrap_or(&document.input),
        "verdict": word,
        "algorithm": answer.algorithm,
    });
    if let Some(formula) = &answer.formula {
        more["formula"] = formula.as_str().into();
    }
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": number,
        "kind": kind,
        "level": level,
        "message": { "text": message },
        "properties": more,
    });
    let flow = if kind == "fail" { flow(answer) } else { None };
    // A property without a place of its own is violated where its run ends.
    let end = flow.iter().flatten().next_back().map(|step| &step["location"]["physicalLocation"]);
    result["locations"] = match (&answer.location, end) {
        (Some(l), _) => json!([location(&l.file, Some(l.line), Some(l.column), None)]),
        (None, Some(place)) => json!([{ "physicalLocation": place }]),
        (None, None) => json!([location(&document.input, None, None, None)]),
    };
    if let Some(flow) = flow {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
    }
    result
}

fn of_error(rules: &mut Rules, problem: &Problem) -> Value {
    let number = rules.number(INPUT_ERROR, Some("The input, or the command, is wrong."));
    let mut result = json!({
        "ruleId": INPUT_ERROR,
        "ruleIndex": number,
        "kind": "fail",
        "level": "error",
        "message": { "text": told(problem) },
    });
    if let Some(file) = &problem.file {
        result["locations"] = json!([location(file, problem.line, problem.column, None)]);
    }
    result
}

fn notification(problem: &Problem, level: &str) -> Value {
    let mut notification = json!({ "level": level, "message": { "text": told(problem) } });
    if let Some(file) = &problem.file {
        notification["locations"] = json!([location(file, problem.line, problem.column, None)]);
    }
    notification
}

/// The message, and what to do.
fn told(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}\n{help}", problem.message),
        None => problem.message.clone(),
    }
}

/// The steps of the run that have a place, if there are any.
fn flow(answer: &Answer) -> Option<Vec<Value>> {
    let run = answer.run.as_deref();
    let steps = answer.steps.as_ref().or(run.map(|r| &r.steps))?;
    let sources = run.map_or(&[][..], |r| &r.sources);
    let one = |(i, step): (usize, &Taken)| {
        let (file, line) = step.place.as_deref()?.rsplit_once(':')?;
        let line: usize = line.split(',').next()?.parse().ok()?;
        // A place has the last part of the file's name only.
        let base = |name: &str| name.rsplit(['/', '\\']).next().map(str::to_string);
        let given = sources.iter().find(|(name, _)| base(name).as_deref() == Some(file));
        let file = given.map_or(file, |(name, _)| name.as_str());
        let place = location(file, Some(line), None, Some(&mover(step)));
        Some(json!({ "location": place, "executionOrder": i + 1 }))
    };
    let flow: Vec<Value> = steps.iter().enumerate().filter_map(one).collect();
    (!flow.is_empty()).then_some(flow)
}

/// Who moves, and by which statement.
fn mover(step: &Taken) -> String {
    let mut text = match &step.process {
        Some(process) => format!("{process}: {}", step.statement),
        None => step.statement.clone(),
    };
    if let Some(receiver) = &step.receiver {
        text += &format!("  ‖  {}", mover(receiver));
    }
    text
}

/// A location; lines and columns that are not known, or are 0, are left out.
fn location(file: &str, line: Option<usize>, column: Option<usize>, message: Option<&str>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(line) = line.filter(|&l| l > 0) {
        let mut region = Map::new();
        region.insert("startLine".into(), line.into());
        if let Some(column) = column.filter(|&c| c > 0) {
            region.insert("startColumn".into(), column.into());
        }
        place["region"] = region.into();
    }
    let mut location = json!({ "physicalLocation": place });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// The file's name as a reference relative to where the command was given: what a URI cannot have is percent-encoded.
fn uri(file: &str) -> String {
    let file = file.replace('\\', "/");
    // Two slashes at the start would begin the name of a host.
    let file = if file.starts_with("//") { format!("/{}", file.trim_start_matches('/')) } else { file };
    let mut out = String::with_capacity(file.len());
    for b in file.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(b as char),
            _ if b"-._~/!$&'()*+,;=@".contains(&b) => out.push(b as char),
            b => out += &format!("%{b:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Location;
    use crate::run::Run;

    fn taken(process: &str, statement: &str, place: Option<&str>) -> Taken {
        Taken {
            process: Some(process.into()),
            statement: statement.into(),
            place: place.map(String::from),
            ..Taken::default()
        }
    }

    fn example() -> Value {
        let mut document = Document::new("check", "dir/m.pml");
        let answer = |property: &str, verdict| Answer {
            property: Some(property.into()),
            formula: Some("[] x".into()),
            location: Some(Location { file: "dir/m.pml".into(), line: 7, column: 3 }),
            algorithm: "ascc".into(),
            verdict,
            ..Answer::default()
        };
        document.results.push(answer("safe", Verdict::Violated));
        document.results.push(answer("live", Verdict::Holds));
        document.results.push(answer("safe", Verdict::Inconclusive));
        document.results[0].reason = Some("`x` is false".into());
        document.results[2].reason = Some("a limit was reached".into());
        let mut meeting = taken("P:0", "c!1", Some("m.pml:3,9"));
        meeting.receiver = Some(Box::new(taken("Q:1", "c?y", Some("m.pml:9"))));
        document.results[0].show(Run {
            steps: vec![meeting, taken("P:0", "skip", None), taken("P:0", "x = 0", Some("other.h:2"))],
            sources: vec![("dir/m.pml".into(), String::new())],
            ..Run::default()
        });
        document.errors.push(Problem {
            file: Some("a b.pml".into()),
            line: Some(1),
            message: "wrong".into(),
            help: Some("mend it".into()),
            ..Problem::default()
        });
        document.warnings.push("odd".to_string().into());
        sarif(&[document], "1.2.3")
    }

    #[test]
    fn what_the_schema_requires_is_there() {
        let whole = example();
        assert_eq!(whole["version"], "2.1.0");
        assert!(whole["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
        let run = &whole["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "riata");
        assert_eq!(run["tool"]["driver"]["version"], "1.2.3");
        for result in run["results"].as_array().unwrap() {
            assert!(result["message"]["text"].is_string());
            let rule = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        }
        assert_eq!(sarif(&[], "1")["runs"][0]["results"], json!([]));
        assert_eq!(sarif(&[], "1")["runs"][0]["invocations"], json!([{ "executionSuccessful": true }]));
    }

    #[test]
    fn rules_and_results() {
        let whole = example();
        let run = &whole["runs"][0];
        let wanted = json!([
            { "id": "safe", "shortDescription": { "text": "[] x" } },
            { "id": "live", "shortDescription": { "text": "[] x" } },
            { "id": "input-error", "shortDescription": { "text": "The input, or the command, is wrong." } },
        ]);
        assert_eq!(run["tool"]["driver"]["rules"], wanted);
        let of = |field: &str| -> Vec<String> {
            let all = run["results"].as_array().unwrap().iter();
            all.map(|r| r[field].as_str().unwrap().to_string()).collect()
        };
        assert_eq!(of("ruleId"), ["safe", "live", "safe", "input-error"]);
        assert_eq!(of("kind"), ["fail", "pass", "open", "fail"]);
        assert_eq!(of("level"), ["error", "none", "none", "error"]);
        assert_eq!(run["results"][0]["message"]["text"], "safe: violated: `x` is false");
        assert_eq!(run["results"][1]["message"]["text"], "live: holds");
        let place = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": "dir/m.pml" },
            "region": { "startLine": 7, "startColumn": 3 },
        }}]);
        assert_eq!(run["results"][0]["locations"], place);
    }

    #[test]
    fn the_run_is_a_flow() {
        let whole = example();
        let results = &whole["runs"][0]["results"];
        let flow = results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        let wanted = json!({
            "location": {
                "physicalLocation": {
                    "artifactLocation": { "uri": "dir/m.pml" },
                    "region": { "startLine": 3 },
                },
                "message": { "text": "P:0: c!1  ‖  Q:1: c?y" },
            },
            "executionOrder": 1,
        });
        assert_eq!(flow[0], wanted);
        assert_eq!(flow.len(), 2);
        assert_eq!(flow[1]["executionOrder"], 3);
        assert_eq!(flow[1]["location"]["physicalLocation"]["artifactLocation"]["uri"], "other.h");
        assert!(results[1].get("codeFlows").is_none());
    }

    #[test]
    fn errors_are_results_and_notifications() {
        let whole = example();
        let run = &whole["runs"][0];
        let place = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": "a%20b.pml" },
            "region": { "startLine": 1 },
        }}]);
        let wanted = json!([{
            "executionSuccessful": false,
            "toolExecutionNotifications": [
                { "level": "error", "message": { "text": "wrong\nmend it" }, "locations": place },
                { "level": "warning", "message": { "text": "odd" } },
            ],
        }]);
        assert_eq!(run["invocations"], wanted);
        assert_eq!(run["results"][3]["locations"], place);
    }

    #[test]
    fn names_of_files_are_references() {
        assert_eq!(uri("dir\\ä:b.pml"), "dir/%C3%A4%3Ab.pml");
        assert_eq!(uri("//host/x"), "/host/x");
        assert_eq!(uri("../m.pml"), "../m.pml");
    }
}
