//! The JSON of the contract: docs/riata-1.schema.json is what the types say, and what the commands print is valid.
//!
//! `RIATA_WRITE_SCHEMA=1 cargo test -p riata-cli --test schema` writes the file anew.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_file_is_what_the_types_say() {
    let file = root().join("docs/riata-1.schema.json");
    let said = format!("{:#}\n", riata_report::schema::schema());
    if std::env::var_os("RIATA_WRITE_SCHEMA").is_some() {
        std::fs::write(&file, &said).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == said,
        "{} is not what the types say; RIATA_WRITE_SCHEMA=1 writes it anew",
        file.display()
    );
}

/// Words, as a shell divides them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).into_iter().flatten() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// The documented commands of a file: those with `--json`, and `check`, `explore` and `empty` with it added.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("$ riata ")) {
        let mut words = words(line);
        let json = words.iter().any(|w| w == "--json");
        let known = matches!(words[0].as_str(), "check" | "explore" | "empty");
        // Standard output belongs to a file of that name.
        if words.iter().any(|w| w == "/dev/stdout") || !json && !known {
            continue;
        }
        if !json {
            words.push("--json".into());
        }
        all.push(words);
    }
    all
}

/// What is wrong with the answer to a command.
fn wrong(folder: &Path, command: &[String], validator: &jsonschema::Validator) -> Option<String> {
    let mut riata = Command::new(env!("CARGO_BIN_EXE_riata"));
    let output = riata.current_dir(folder).args(command).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let object: Value = match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) => return Some("no object".into()),
        Err(e) => return Some(format!("{e}: {text}")),
    };
    let told = object["errors"].as_array().is_some_and(|e| !e.is_empty());
    match output.status.code() {
        Some(2) if !told => return Some(format!("it fails, and tells no errors: {text}")),
        Some(0 | 1 | 3) if told => return Some(format!("there are errors, and it does not fail: {text}")),
        Some(0..=3) => {}
        code => return Some(format!("exit code {code:?}")),
    }
    if matches!(command[0].as_str(), "check" | "explore" | "empty") {
        let errors: Vec<String> = validator.iter_errors(&object).map(|e| e.to_string()).collect();
        if !errors.is_empty() || object["command"] != command[0].as_str() {
            return Some(format!("not valid: {errors:?}: {text}"));
        }
    }
    None
}

#[test]
fn every_documented_command() {
    let schema: Value = riata_report::schema::schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let scratch = std::env::temp_dir().join(format!("riata-schema-{}", std::process::id()));
    let (mut count, mut failures) = (0, String::new());
    for entry in std::fs::read_dir(&cases).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let folder = scratch.join(file.file_stem().unwrap());
        copy(&file.with_extension("in"), &folder);
        for command in commands(&std::fs::read_to_string(&file).unwrap()) {
            count += 1;
            if let Some(why) = wrong(&folder, &command, &validator) {
                failures += &format!("riata {}: {why}\n", command.join(" "));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(failures.is_empty(), "\n{failures}");
    assert!(count > 100, "only {count} commands were found");
}

/// What fails before a model is there: unreadable files, bad texts, bad usage.
#[test]
fn failures_are_objects() {
    let schema: Value = riata_report::schema::schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let folder = std::env::temp_dir().join(format!("riata-failures-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("folder.pml")).unwrap();
    std::fs::write(folder.join("bad.hoa"), "HOA: v1\nStates: x\n").unwrap();
    std::fs::write(folder.join("bytes.pml"), [0xff, 0xfe, 0x00]).unwrap();
    std::fs::write(folder.join("good.pml"), "active proctype P() { skip }").unwrap();
    std::fs::write(folder.join("bad.txt"), "G (\n").unwrap();
    let mut failures = String::new();
    for line in [
        "check",
        "check absent.pml",
        "check folder.pml",
        "check bytes.pml",
        "check bad.hoa --ltl 'F a'",
        "check bad.txt",
        "check good.pml --nonsense",
        "check good.pml --trace folder.pml",
        "check good.pml --ltl 'G ('",
        "explore absent.smv",
        "explore bad.hoa",
        "explore good.pml --time never",
        "simulate absent.dve",
        "simulate good.pml --guide absent.itf",
        "simulate good.pml --html folder.pml",
        "replay absent.itf good.pml",
        "replay bad.txt good.pml",
        "empty absent.hoa",
        "empty bad.hoa",
        "empty folder.pml",
        "empty bad.hoa --algorithm nonsense",
        "scc absent.hoa",
        "scc bad.hoa",
        "ltl",
        "ltl 'G ('",
        "ltl --file absent",
        "ltl --file bad.txt",
        "random",
        "random --density x",
        "nonsense",
    ] {
        let mut command = words(line);
        command.push("--json".into());
        // `check good.pml --trace folder.pml` has no run to write: that is a warning.
        let failed = !line.starts_with("check good.pml --trace");
        match wrong(&folder, &command, &validator) {
            Some(why) => failures += &format!("riata {line}: {why}\n"),
            None => {
                let code = Command::new(env!("CARGO_BIN_EXE_riata"))
                    .current_dir(&folder)
                    .args(&command)
                    .stdin(Stdio::null())
                    .output()
                    .unwrap()
                    .status
                    .code();
                if failed && code != Some(2) {
                    failures += &format!("riata {line}: exit code {code:?}\n");
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(failures.is_empty(), "\n{failures}");
}
