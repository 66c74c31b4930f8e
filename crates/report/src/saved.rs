//! Objects of the contract that were kept: is a text one that a page can be made of?
//!
//! What is checked is what the page relies on; fields that it does not know are no mistake.

use crate::answer::SCHEMA;
use serde_json::Value;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong.
    pub message: String,
    /// Where: line and column, counted from 1, if it is no JSON.
    pub place: Option<(usize, usize)>,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Wrong { message, place: None }
    }
}

/// The commands whose answers a page shows.
const COMMANDS: [&str; 3] = ["check", "explore", "empty"];

/// The inputs that an object is about.
///
/// # Errors
/// If it is no object of the contract, or one of a command that decides nothing.
pub fn inputs(text: &str) -> Result<Vec<String>, Wrong> {
    let object: Value = serde_json::from_str(text).map_err(|e| {
        let whole = e.to_string();
        let message = whole.split(" at line ").next().unwrap_or_default();
        Wrong { message: format!("it is no JSON: {message}"), place: Some((e.line(), e.column())) }
    })?;
    match object["schema"].as_str() {
        Some(SCHEMA) => {}
        Some(other) => return Err(format!("it has the schema `{other}`, not `{SCHEMA}`").into()),
        None if object["#meta"]["format"] == "ITF" => {
            return Err("it is a trace, not what `riata check --json` prints".to_string().into());
        }
        None => {
            return Err(format!("it is not what `riata check --json` prints: no schema `{SCHEMA}`").into());
        }
    }
    let command = object["command"].as_str().unwrap_or_default();
    if !COMMANDS.contains(&command) {
        return Err(format!(
            "it is what `riata {command}` printed; pages are made of {}",
            COMMANDS.join(", ")
        )
        .into());
    }
    let results = array(&object, "", "results")?;
    for (i, result) in results.iter().enumerate() {
        answer(result, &format!("results[{i}]"))?;
    }
    for (i, source) in list(&object, "", "sources")?.iter().enumerate() {
        strings(source, &format!("sources[{i}]"), &["file", "text"])?;
    }
    let named = |v: &Value| v.as_str().map(String::from);
    let several: Vec<String> = list(&object, "", "inputs")?.iter().filter_map(named).collect();
    Ok(if several.is_empty() {
        object["input"].as_str().map(String::from).into_iter().collect()
    } else {
        several
    })
}

/// Is it an answer, as far as a page looks at it?
fn answer(answer: &Value, path: &str) -> Result<(), Wrong> {
    strings(answer, path, &["verdict"])?;
    let numbers = |value: &Value, field: &str| match &value[field] {
        Value::Null | Value::Number(_) => Ok(()),
        _ => Err(Wrong::from(format!("`{path}.{field}` is no number"))),
    };
    ["cpu_seconds", "memory_bytes", "reachable_states"].iter().try_for_each(|f| numbers(answer, f))?;
    if !answer["lasso"].is_null() {
        let inside = format!("{path}.lasso");
        array(&answer["lasso"], &inside, "stem")?;
        if array(&answer["lasso"], &inside, "cycle")?.is_empty() {
            return Err(format!("`{inside}.cycle` is empty").into());
        }
    }
    list(answer, path, "trace")?;
    for (i, step) in list(answer, path, "steps")?.iter().enumerate() {
        strings(step, &format!("{path}.steps[{i}]"), &["statement"])?;
    }
    let messages = list(answer, path, "messages")?.len();
    if !answer["chart"].is_null() {
        let inside = format!("{path}.chart");
        let lanes = array(&answer["chart"], &inside, "lanes")?;
        for (i, lane) in lanes.iter().enumerate() {
            strings(lane, &format!("{inside}.lanes[{i}]"), &["name"])?;
        }
        for (i, row) in array(&answer["chart"], &inside, "rows")?.iter().enumerate() {
            let place = |field: &str, end: usize| match row.get(field) {
                None => true,
                Some(n) => n.as_u64().is_some_and(|n| (n as usize) < end),
            };
            let fits = place("lane", lanes.len()) && place("to", lanes.len()) && place("message", messages);
            let says = match row["event"].as_str() {
                Some("print") => row["text"].is_string(),
                Some("start") => row["to"].is_u64(),
                Some("meet") => row["to"].is_u64() && row["message"].is_u64(),
                Some("send" | "receive" | "peek") => row["message"].is_u64(),
                _ => true,
            };
            if !fits || !says || !row["lane"].is_u64() || !row["step"].is_u64() {
                return Err(format!("`{inside}.rows[{i}]` is no event of the chart").into());
            }
        }
    }
    if !answer["automaton"].is_null() {
        let inside = format!("{path}.automaton");
        array(&answer["automaton"], &inside, "edges")?;
        let run = array(&answer["automaton"], &inside, "run")?.len() as u64;
        if array(&answer["automaton"], &inside, "taken")?.len() as u64 != run {
            return Err(format!("`{inside}.taken` is not as long as its run").into());
        }
        if answer["automaton"]["back"].as_u64().is_none_or(|back| back >= run) {
            return Err(format!("`{inside}.back` is no place in its run").into());
        }
    }
    list(answer, path, "samples").map(|_| ())
}

/// A field that must be there, and be a list.
fn array<'v>(value: &'v Value, path: &str, field: &str) -> Result<&'v Vec<Value>, Wrong> {
    value[field].as_array().ok_or_else(|| format!("`{}` is no list", joined(path, field)).into())
}

/// A field that may be left out.
fn list<'v>(value: &'v Value, path: &str, field: &str) -> Result<&'v [Value], Wrong> {
    match &value[field] {
        Value::Null => Ok(&[]),
        Value::Array(all) => Ok(all),
        _ => Err(format!("`{}` is no list", joined(path, field)).into()),
    }
}

/// Fields that must be there, and be strings.
fn strings(value: &Value, path: &str, fields: &[&str]) -> Result<(), Wrong> {
    match fields.iter().find(|f| !value[**f].is_string()) {
        Some(field) => Err(format!("`{}` is no string", joined(path, field)).into()),
        None => Ok(()),
    }
}

fn joined(path: &str, field: &str) -> String {
    if path.is_empty() { field.into() } else { format!("{path}.{field}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(object: &Value) -> String {
        inputs(&object.to_string()).expect_err("it is wrong").message
    }

    fn good() -> Value {
        json!({ "schema": "riata/1", "command": "check", "input": "m.pml", "results": [{
            "verdict": "violated", "lasso": { "stem": [], "cycle": [{ "x": 1 }] },
            "steps": [{ "process": "P:0", "statement": "x = 1" }], "messages": [{}],
            "chart": { "lanes": [{ "name": "P:0", "there": true }],
                       "rows": [{ "step": 1, "lane": 0, "event": "send", "message": 0 }] },
            "automaton": { "edges": [], "run": [0], "taken": [null], "back": 0 },
        }], "sources": [{ "file": "m.pml", "text": "" }], "more": 1 })
    }

    #[test]
    fn what_was_printed_is_taken() {
        assert_eq!(inputs(&good().to_string()), Ok(vec!["m.pml".into()]));
        let mut several = good();
        several["inputs"] = json!(["a", "b"]);
        assert_eq!(inputs(&several.to_string()), Ok(vec!["a".into(), "b".into()]));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let no_json = inputs("{\"a\":\n  ]").expect_err("it is no JSON");
        assert_eq!(
            (no_json.message.as_str(), no_json.place),
            ("it is no JSON: expected value", Some((2, 3)))
        );
        for (path, value, message) in [
            ("/schema", json!("riata/2"), "it has the schema `riata/2`, not `riata/1`"),
            ("/schema", json!(3), "it is not what `riata check --json` prints: no schema `riata/1`"),
            (
                "/command",
                json!("ltl"),
                "it is what `riata ltl` printed; pages are made of check, explore, empty",
            ),
            ("/results", json!({}), "`results` is no list"),
            ("/results/0/verdict", json!(1), "`results[0].verdict` is no string"),
            ("/results/0/lasso", json!([]), "`results[0].lasso.stem` is no list"),
            ("/results/0/lasso/cycle", json!([]), "`results[0].lasso.cycle` is empty"),
            ("/results/0/steps/0", json!({}), "`results[0].steps[0].statement` is no string"),
            ("/results/0/chart/rows/0/lane", json!(1), "`results[0].chart.rows[0]` is no event of the chart"),
            ("/results/0/messages", json!([]), "`results[0].chart.rows[0]` is no event of the chart"),
            ("/results/0/automaton/back", json!(1), "`results[0].automaton.back` is no place in its run"),
            (
                "/results/0/automaton/taken",
                json!([]),
                "`results[0].automaton.taken` is not as long as its run",
            ),
            ("/sources/0", json!("text"), "`sources[0].file` is no string"),
        ] {
            let mut object = good();
            *object.pointer_mut(path).expect("a place") = value;
            assert_eq!(wrong(&object), message);
        }
        let trace = json!({ "#meta": { "format": "ITF" }, "states": [] });
        assert_eq!(wrong(&trace), "it is a trace, not what `riata check --json` prints");
    }
}
