//! Counterexamples that are saved can be replayed, and others cannot.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn riata(arguments: &[&str]) -> Output {
    run("model.in", arguments)
}

fn run(folder: &str, arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd").join(folder);
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

/// Runs a command on a Promela model, and tells its exit code and what it printed.
fn promela(arguments: &[&str]) -> (i32, String) {
    let done = run("promela.in", arguments);
    (done.status.code().unwrap(), String::from_utf8(done.stdout).unwrap())
}

#[test]
fn promela_runs_come_back_in_every_form() {
    for (model, property, end) in [
        ("post.pml", "assertions", "assertion violated"),
        ("toll.pml", "deadlock", "no process can move"),
        ("peterson.pml", "live", "a lasso of"),
    ] {
        let (itf, trail) = (Saved::new(property), Saved::new(&format!("{property}-trail")));
        let check = ["check", model, "--property", property];
        let files = ["--trace", itf.path(), "--trail", trail.path()];
        assert_eq!(promela(&[&check[..], &files].concat()).0, 1, "{model}");
        let json = Saved::new(&format!("{property}-json"));
        let (code, text) = promela(&[&check[..], &["--json"]].concat());
        std::fs::write(&json.0, text).unwrap();
        assert_eq!(code, 1);
        for saved in [&itf, &json, &trail] {
            let (code, text) = promela(&["replay", saved.path(), model]);
            assert_eq!(code, 0, "{model} {}: {text}", saved.path());
            assert!(text.contains(end), "{model} {}: {text}", saved.path());
            assert_ne!(promela(&["replay", saved.path(), "wrong.pml"]).0, 0);
            // The same run again, and as a trail the same as before.
            let again = Saved::new(&format!("{property}-again"));
            assert_eq!(promela(&["simulate", model, "--guide", saved.path(), "--trail", again.path()]).0, 0);
            assert_eq!(std::fs::read(&again.0).unwrap(), std::fs::read(&trail.0).unwrap(), "{model}");
        }
        // A trail with a step left out, and one of another process.
        let text = std::fs::read_to_string(&trail.0).unwrap();
        let short: Vec<&str> = text.lines().skip(1).collect();
        std::fs::write(&trail.0, short.join("\n")).unwrap();
        assert_eq!(promela(&["replay", trail.path(), model]).0, 1, "{model}");
        std::fs::write(&trail.0, text.replacen(":0:", ":7:", 1)).unwrap();
        assert_eq!(promela(&["replay", trail.path(), model]).0, 1, "{model}");
    }
}

#[test]
fn pictures_are_written() {
    let (svg, html) = (Saved::new("svg"), Saved::new("html"));
    let files = ["--svg", svg.path(), "--html", html.path(), "--msc", "--json"];
    let (code, text) = promela(&[&["check", "toll.pml", "--property", "deadlock"][..], &files].concat());
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let messages = json["results"][0]["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[0]["sent"], messages[0]["received"]);
    assert_eq!((&messages[1]["from"], &messages[1]["to"]), (&"Gate:1".into(), &"Car:0".into()));
    let picture = std::fs::read_to_string(&svg.0).unwrap();
    assert_eq!(picture.matches("marker-end").count(), 4);
    let page = std::fs::read_to_string(&html.0).unwrap();
    // How it looks is seen in tests/browser; the data are those of `--json`.
    assert!(page.contains("no process can move") && page.contains("car 2 passes"));
    assert!(page.contains(&text.trim().replace('<', "\\u003c")));
    let kinds: Vec<&str> = json["results"][0]["chart"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["event"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"meet") && kinds.contains(&"print"), "{kinds:?}");
    assert_eq!(json["sources"][0]["file"], "toll.pml");
}

#[test]
fn a_lasso_that_repeats_up_to_a_counter() {
    let model = Saved::new("counter.pml");
    let text =
        "byte x; int n; active proctype P() { do :: x = 1; n = n + 1; x = 0 od } ltl rest { <> [] (x == 0) }";
    std::fs::write(&model.0, text).unwrap();
    let (itf, trail) = (Saved::new("counter"), Saved::new("counter-trail"));
    let more = ["--input", "promela", "--property", "rest"];
    let check = |flags: &[&str]| promela(&[&["check", model.path()][..], &more, flags].concat());
    assert_eq!(check(&["--trace", itf.path()]).0, 1);
    let (code, text) = promela(&["replay", itf.path(), model.path(), "--input", "promela"]);
    assert!(code == 0 && text.contains("a lasso"), "{text}");
    // No trail says so; the file is not there.
    assert_eq!(check(&["--trail", trail.path()]).0, 2);
    assert!(!trail.0.exists());
}

/// A file of the given name that is removed at the end, and what a command wrote to it.
fn written(name: &str, folder: &str, arguments: &[&str]) -> (Saved, String) {
    let saved = Saved::new(name);
    let done = run(folder, &[arguments, &[saved.path()]].concat());
    assert_eq!(done.status.code(), Some(1), "{arguments:?}: {done:?}");
    let text = std::fs::read_to_string(&saved.0).unwrap();
    (saved, text)
}

#[test]
fn smv_runs_come_back() {
    for property in ["no_starvation", "served", "alone"] {
        let (saved, text) =
            written(property, "smv.in", &["check", "mutex.smv", "-q", "--property", property, "--trace"]);
        let replay = run("smv.in", &["replay", saved.path(), "mutex.smv"]);
        assert_eq!(replay.status.code(), Some(0), "{property}: {replay:?}");
        assert_eq!(run("smv.in", &["replay", saved.path(), "stuck.smv"]).status.code(), Some(1));
        // A value that the step does not allow is found.
        let mut trace: serde_json::Value = serde_json::from_str(&text).unwrap();
        trace["states"][1]["a.state"] = "using".into();
        std::fs::write(&saved.0, trace.to_string()).unwrap();
        let replay = run("smv.in", &["replay", saved.path(), "mutex.smv"]);
        let said = String::from_utf8(replay.stdout).unwrap();
        assert_eq!(replay.status.code(), Some(1), "{said}");
        assert!(said.contains("step 0: the next `a.state` is not what is assigned"), "{said}");
        // A value that the variable cannot have, or none, is told.
        trace["states"][1]["a.state"] = 3.into();
        std::fs::write(&saved.0, trace.to_string()).unwrap();
        let said = String::from_utf8(run("smv.in", &["replay", saved.path(), "mutex.smv"]).stdout).unwrap();
        assert!(said.contains("state 1: `a.state` cannot have the value 3"), "{said}");
        trace["states"][1].as_object_mut().unwrap().remove("a.state");
        std::fs::write(&saved.0, trace.to_string()).unwrap();
        let said = String::from_utf8(run("smv.in", &["replay", saved.path(), "mutex.smv"]).stdout).unwrap();
        assert!(said.contains("state 1 does not tell the value of `a.state`"), "{said}");
    }
    // What `check --json` and `simulate` print are traces, too.
    let saved = Saved::new("smv-json");
    for arguments in [&["check", "mutex.smv", "--json"][..], &["simulate", "mutex.smv", "--json"]] {
        std::fs::write(&saved.0, run("smv.in", arguments).stdout).unwrap();
        assert_eq!(
            run("smv.in", &["replay", saved.path(), "mutex.smv"]).status.code(),
            Some(0),
            "{arguments:?}"
        );
    }
}

#[test]
fn smv_runs_are_drawn() {
    let check = ["check", "mutex.smv", "-q", "--property", "served"];
    let (_, svg) = written("served-svg", "smv.in", &[&check[..], &["--svg"]].concat());
    assert!(svg.starts_with("<svg ") && svg.contains("mutex.smv: served") && svg.contains("loop: state "));
    let (_, html) = written("served-html", "smv.in", &[&check[..], &["--html"]].concat());
    for wanted in
        ["\"lasso\":{\"stem\"", "is owed since state", "Two users of one resource", "color-scheme: dark"]
    {
        assert!(html.contains(wanted), "{wanted}\n{html}");
    }
    let (_, vcd) = written("served-vcd", "smv.in", &[&check[..], &["--vcd"]].concat());
    assert_eq!(vcd.matches("$comment the cycle begins").count(), 2);
}

/// Where a trace has come to is part of the run that violates it.
#[test]
fn violated_traces_come_back() {
    let (model, saved) = (Saved::new("trace-model"), Saved::new("trace-run"));
    let text = "chan c = [1] of {byte}; active proctype A() { c!1; c?_; c!2 } trace { c!1; c!1 }";
    std::fs::write(&model.0, text).unwrap();
    let check = ["check", "--input", "promela", model.path(), "--property", "trace", "--json"];
    std::fs::write(&saved.0, riata(&check).stdout).unwrap();
    let replay = riata(&["replay", "--input", "promela", saved.path(), model.path()]);
    assert_eq!(replay.status.code(), Some(0), "{replay:?}");
}

/// A claim that has come to its end stays there, also where a process could repeat the same state.
#[test]
fn a_claim_at_its_end_stays_there() {
    let (model, saved) = (Saved::new("ended-model"), Saved::new("ended-run"));
    let text = "byte g; active proctype A() { do :: skip od } never { g = 1; assert(g == 1) }";
    std::fs::write(&model.0, text).unwrap();
    let check = ["check", "--input", "promela", model.path(), "--property", "claim", "--json"];
    std::fs::write(&saved.0, riata(&check).stdout).unwrap();
    let replay = riata(&["replay", "--input", "promela", saved.path(), model.path()]);
    assert_eq!(replay.status.code(), Some(0), "{replay:?}");
}

/// A property process with effects goes on after the others, and looks at the state before them.
#[test]
fn a_property_process_with_effects_comes_back() {
    let (model, saved) = (Saved::new("late-model"), Saved::new("late-run"));
    let text = "byte x; process P { state s; init s; trans s -> s { effect x = (x + 1) % 3; }; }
        process L { byte n; state q, r; init q; accept r; trans q -> q { guard n < 2 and x < 2; effect n = n + 1; },
            q -> q { guard x == 2; }, q -> r { guard n == 2; }, r -> q { effect n = 0; }; }
        system async property L;";
    std::fs::write(&model.0, text).unwrap();
    let check = ["check", "--input", "dve", model.path(), "--property", "property", "--json"];
    let found = String::from_utf8(riata(&check).stdout).unwrap();
    std::fs::write(&saved.0, &found).unwrap();
    let replay = ["replay", "--input", "dve", saved.path(), model.path()];
    assert_eq!(riata(&replay).status.code(), Some(0), "{found}");
    // A guard that is false in the state before makes it none.
    std::fs::write(&model.0, text.replace("guard n == 2", "guard n == 1")).unwrap();
    assert_eq!(riata(&replay).status.code(), Some(1));
}
