//! `riata compare`: what it keeps, what it takes up again, and that it is loud where verdicts disagree.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with two models that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("riata-compare-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        let folder = Folder(path);
        folder.write(
            "flip.pml",
            "bit x; ltl p { []<> x } ltl q { <>[] x } active proctype P() { do :: x = 1 - x od }",
        );
        folder.write(
            "count.smv",
            "MODULE main VAR x : 0..7; ASSIGN next(x) := (x + 1) mod 8; LTLSPEC G F x = 3",
        );
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file")
    }

    fn run(&self, arguments: &str) -> Output {
        let riata = Path::new(env!("CARGO_BIN_EXE_riata"));
        Command::new(riata).current_dir(&self.0).args(arguments.split(' ')).output().expect("riata")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn rows_are_kept_and_not_measured_again() {
    let folder = Folder::new("resume");
    let call = "compare flip.pml count.smv -p p -a se05,gv04,owcty --resume rows --json";
    // The property is not one of the second model: what can be compared is.
    assert_eq!(folder.run(call).status.code(), Some(2));
    let kept = folder.read("rows");
    assert_eq!(kept.lines().count(), 3, "{kept}");
    // The rows of the file are believed: a time that nobody measured comes back.
    let mut first: serde_json::Value =
        serde_json::from_str(kept.lines().next().expect("a row")).expect("JSON");
    first["seconds"] = serde_json::json!([123.5]);
    let rest: Vec<&str> = kept.lines().skip(1).collect();
    // And a line that was cut off is measured again.
    let cut = &rest[1][..rest[1].len() / 2];
    folder.write("rows", &format!("{first}\n{}\n{cut}", rest[0]));
    let again = folder.run("compare flip.pml -p p -a se05,gv04,owcty --resume rows --json");
    let document: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    let rows = document["results"].as_array().expect("rows");
    assert_eq!((rows.len(), rows[0]["seconds"][0].as_f64()), (3, Some(123.5)));
    let kept = folder.read("rows");
    assert_eq!(kept.lines().filter(|l| l.contains("\"owcty\"")).count(), 1, "{kept}");
    // Another text of the model is another model.
    folder.write("flip.pml", "bit x; ltl p { <>[] x } active proctype P() { do :: x = 1 - x od }");
    let other = folder.run("compare flip.pml -p p -a se05 --resume rows --format csv");
    assert!(text(&other.stdout).contains("violated"), "{}", text(&other.stdout));
}

#[test]
fn a_disagreement_is_loud() {
    let folder = Folder::new("disagree");
    let call = "compare flip.pml -p p -a se05,gv04 --resume rows";
    assert_eq!(folder.run(call).status.code(), Some(0));
    let rows = folder.read("rows").replacen("\"holds\"", "\"violated\"", 1);
    folder.write("rows", &rows);
    let seen = folder.run(call);
    assert_eq!(seen.status.code(), Some(1));
    assert!(text(&seen.stderr).contains("THE VERDICTS DISAGREE"), "{}", text(&seen.stderr));
}

#[test]
fn a_file_that_is_no_journal_is_refused_and_kept() {
    let folder = Folder::new("journal");
    folder.write("rows", "my letters\n");
    let seen = folder.run("compare flip.pml --resume rows");
    assert_eq!(seen.status.code(), Some(2));
    assert!(text(&seen.stderr).contains("rows:1: this is no row"), "{}", text(&seen.stderr));
    assert_eq!(folder.read("rows"), "my letters\n");
}

#[test]
fn both_engines_in_one_table() {
    let folder = Folder::new("both");
    let seen = folder.run("compare flip.pml -a se05,owcty --format markdown --plot both.svg --against se05");
    let table = text(&seen.stdout);
    assert_eq!(seen.status.code(), Some(0), "{}", text(&seen.stderr));
    for row in [
        "| p | se05 | holds |",
        "| p | owcty | holds |",
        "| q | se05 | violated |",
        "| q | owcty | violated |",
    ] {
        assert!(table.contains(row), "{row}\n{table}");
    }
    assert!(folder.read("both.svg").contains("flip.pml p"));
}
