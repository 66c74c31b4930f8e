//! Counterexamples that are saved can be replayed, and others cannot.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn riata(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/model.in");
    Command::new(env!("CARGO_BIN_EXE_riata")).current_dir(folder).args(arguments).output().unwrap()
}

/// A file that is removed at the end.
struct Saved(PathBuf);

impl Saved {
    fn new(name: &str) -> Saved {
        Saved(std::env::temp_dir().join(format!("riata-{}-{name}.itf.json", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn saved_traces_are_runs() {
    for (model, more) in [
        ("divide.dve", vec!["--property", "assertions"]),
        ("lossy.dve", vec!["--property", "deadlock"]),
        ("lossy.dve", vec!["--ltl", "F {received == 2}"]),
        ("peterson.dve", vec!["--ltl", "F P0.critical"]),
        ("watched.dve", vec!["--property", "property"]),
    ] {
        let saved = Saved::new(model);
        let check = riata(&[&["check", model, "--trace", saved.path()], &more[..]].concat());
        assert_eq!(check.status.code(), Some(1), "{model} {more:?}: {check:?}");
        let replay = riata(&["replay", saved.path(), model]);
        assert_eq!(replay.status.code(), Some(0), "{model} {more:?}: {replay:?}");
        let other = if model == "lossy.dve" { "divide.dve" } else { "lossy.dve" };
        assert_eq!(riata(&["replay", saved.path(), other]).status.code(), Some(1));
        // A trace with a state left out in the middle is no run.
        let mut trace: serde_json::Value = serde_json::from_slice(&std::fs::read(&saved.0).unwrap()).unwrap();
        let states = trace["states"].as_array_mut().unwrap();
        if states.len() > 3 {
            states.remove(1);
            std::fs::write(&saved.0, trace.to_string()).unwrap();
            assert_ne!(riata(&["replay", saved.path(), model]).status.code(), Some(0), "{model} {more:?}");
        }
    }
}

#[test]
fn what_is_no_trace_is_refused() {
    let saved = Saved::new("bad");
    for text in ["", "{", "[]", "{\"states\": []}", "{\"states\": [3]}", "{\"states\": [{}], \"loop\": 7}"] {
        std::fs::write(&saved.0, text).unwrap();
        assert_eq!(riata(&["replay", saved.path(), "lossy.dve"]).status.code(), Some(2), "{text}");
    }
}
