//! Processes that listen at addresses, as on several hosts; processes that are killed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Counters that run for a while: enough to be killed in the middle.
const COUNTERS: &str = "byte x, y, z;
active proctype X() { do :: x < 70 -> x++ :: x > 0 -> x = 0 od }
active proctype Y() { do :: y < 70 -> y++ od }
active proctype Z() { do :: z < 30 -> z++ od }
ltl far { [] !(x == 70 && y == 70 && z == 30) }
";
const SMALL: &str = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("riata-hosts-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let folder = Folder(folder);
        folder.write("small.pml", SMALL);
        folder.write("counters.pml", COUNTERS);
        folder.write("token", "nobody else knows this token\n");
        let ports: Vec<TcpListener> = (0..2).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let hosts: String = ports.iter().map(|l| format!("{}\n", l.local_addr().unwrap())).collect();
        folder.write("hosts", &format!("# two of them\n{hosts}"));
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn start(&self, arguments: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_riata"));
        command.current_dir(&self.0).args(arguments.split_whitespace()).env_remove("RIATA_TOKEN");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn run(&self, arguments: &str) -> (Option<i32>, String, String) {
        said(self.start(arguments).wait_with_output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The lines that do not tell how long it took.
fn counts(out: &str) -> Vec<&str> {
    out.lines().filter(|l| l.contains("complete") || l.contains("transitions")).collect()
}

#[test]
fn hosts_search_together() {
    let folder = Folder::new("together");
    let first = folder.start("explore small.pml --hosts hosts --token token");
    let other = folder.run("worker --number 1 -- explore small.pml --hosts hosts --token token");
    let first = said(first.wait_with_output().unwrap());
    assert_eq!((first.0, other), (Some(0), (Some(0), String::new(), String::new())), "{first:?}");
    let alone = folder.run("explore small.pml");
    assert_eq!(counts(&first.1), counts(&alone.1));
}

#[test]
fn hosts_that_differ_are_refused() {
    let folder = Folder::new("differ");
    folder.write("other.pml", &SMALL.replace('9', "8"));
    let first = folder.start("explore small.pml --hosts hosts --token token");
    let other = folder.run("worker --number 1 -- explore other.pml --hosts hosts --token token");
    let first = said(first.wait_with_output().unwrap());
    assert_eq!((first.0, other.0), (Some(2), Some(2)), "{first:?} {other:?}");
    assert!(first.2.contains("process 1 has another model"), "{first:?}");
    assert!(other.2.contains("process 0 has another model"), "{other:?}");
}

#[test]
fn a_token_is_needed() {
    let folder = Folder::new("token");
    folder.write("wrong", "somebody else knows this one");
    folder.write("short", "1234");
    for (token, says) in
        [("", "RIATA_TOKEN"), ("--token short", "16 are needed"), ("--token none", "cannot read")]
    {
        let said = folder.run(&format!("explore small.pml --hosts hosts {token}"));
        assert!(said.0 == Some(2) && said.2.contains(says), "{said:?}");
    }
    let mut first = folder.start("explore small.pml --hosts hosts --token token");
    let other = folder.run("worker --number 1 -- explore small.pml --hosts hosts --token wrong");
    assert!(other.0 == Some(2) && other.2.contains("token"), "{other:?}");
    // The first one still waits for the right one.
    assert!(first.try_wait().unwrap().is_none());
    let other = folder.run("worker --number 1 -- explore small.pml --hosts hosts --token token");
    assert_eq!((other.0, first.wait().unwrap().code()), (Some(0), Some(0)), "{other:?}");
}

/// Waits until a checkpoint has so many levels.
fn levels(manifest: &Path, least: usize) -> bool {
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        let text = std::fs::read_to_string(manifest).unwrap_or_default();
        let last = text.lines().filter_map(|l| l.strip_prefix("commit levels ")).next_back();
        if last.and_then(|l| l.split(' ').next()?.parse::<usize>().ok()) >= Some(least) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

#[test]
fn who_is_killed_leaves_no_verdict_and_the_search_goes_on() {
    let folder = Folder::new("killed");
    for command in ["explore counters.pml", "check counters.pml -p far --por off"] {
        let whole = folder.run(command);
        let hosts = "--hosts hosts --token token --commit-every 0";
        let _ = std::fs::remove_dir_all(folder.0.join("kept"));
        let first = folder.start(&format!("{command} {hosts} --checkpoint kept"));
        let mut other = folder.start(&format!("worker --number 1 -- {command} {hosts} --checkpoint kept"));
        assert!(levels(&folder.0.join("kept/search-0/process-1/manifest"), 20));
        other.kill().unwrap();
        other.wait().unwrap();
        let first = said(first.wait_with_output().unwrap());
        assert_eq!(first.0, Some(3), "{first:?}");
        assert!(first.1.contains("inconclusive (a process was lost)"), "{first:?}");
        let first = folder.start(&format!("{command} {hosts} --resume kept --json"));
        let other = folder.run(&format!("worker --number 1 -- {command} {hosts} --resume kept --json"));
        let first = said(first.wait_with_output().unwrap());
        assert_eq!((first.0, other.0), (whole.0, whole.0), "{first:?} {other:?}");
        let document: serde_json::Value = serde_json::from_str(&first.1).unwrap();
        let result = &document["results"][0];
        assert!(result["cluster"]["resumed"].as_u64() >= Some(10), "{}", result["cluster"]);
        let states = result["counters"]["states"].to_string();
        if command.starts_with("explore") {
            assert!(whole.1.contains(&format!("{states} states")), "{} {states}", whole.1);
        }
    }
}
