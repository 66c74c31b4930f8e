//! The page about JSON is what the schema says: a table for each object.

use crate::pages;
use serde_json::Value;
use std::fmt::Write as _;

const HEAD: &str = "# JSON

With `--json` a command prints one object on standard output and nothing else there. This page is made from its schema,
`docs/riata-1.schema.json` in the repository, which is made from the types. Fields are added, never renamed, within
`riata/1`. A field that is not marked *always* is left out where it says nothing. The schema is that of `check`, `explore` and
`empty`; `ltl`, `scc` and `replay` print a document with results of their own, and `simulate` a trace in the Informal Trace
Format.
";

/// What a field holds, in words.
fn kind(field: &Value) -> String {
    if let Some(name) = field["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(value) = field["const"].as_str() {
        return format!("`{value}`");
    }
    if let Some(some) = field["anyOf"].as_array().or(field["oneOf"].as_array()) {
        let kinds: Vec<String> = some.iter().filter(|k| k["type"] != "null").map(kind).collect();
        return kinds.join(" or ");
    }
    let name = match &field["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).filter(|n| *n != "null").collect();
            names.join(" or ")
        }
        _ => "any".into(),
    };
    if name == "array" && field["items"].is_object() {
        return format!("array of {}", kind(&field["items"]));
    }
    name
}

/// A description in one line, in a cell of a table.
fn cell(thing: &Value) -> String {
    let text = thing["description"].as_str().unwrap_or_default();
    // Links of the source lead nowhere here.
    text.replace('\n', " ").replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

fn object(out: &mut String, object: &Value) {
    if let Some(values) = object["oneOf"].as_array() {
        out.push_str("\n| value | means |\n|---|---|\n");
        for value in values {
            let _ = writeln!(out, "| {} | {} |", kind(value), cell(value));
        }
        return;
    }
    let required: Vec<&str> =
        object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    out.push_str("\n| field | holds | what |\n|---|---|---|\n");
    for (name, field) in object["properties"].as_object().into_iter().flatten() {
        let always = match (required.contains(&name.as_str()), field.to_string().contains("\"null\"")) {
            (true, true) => " or null, *always*",
            (true, false) => ", *always*",
            _ => "",
        };
        let _ = writeln!(out, "| `{name}` | {}{always} | {} |", kind(field), cell(field));
    }
}

fn page() -> String {
    let schema = riata_report::schema::schema();
    let mut out = String::from(HEAD);
    let _ = write!(out, "\n## The document\n\n{}\n", cell(&schema));
    object(&mut out, &schema);
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        let _ = write!(out, "\n## {name}\n\n{}\n", cell(definition));
        object(&mut out, definition);
    }
    out
}

#[test]
fn the_page_is_what_the_schema_says() {
    let file = pages().join("reference/json.md");
    let said = page();
    if std::env::var_os("RIATA_WRITE_GUIDE").is_some() {
        std::fs::write(&file, &said).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == said,
        "{} is not what the schema says; RIATA_WRITE_GUIDE=1 writes it anew",
        file.display()
    );
}
