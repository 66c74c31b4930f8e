//! Manual pages and completions as files: a page for each command, and a script that its shell can read.

use std::path::PathBuf;
use std::process::{Command, Output};

fn riata(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riata")).args(arguments).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("riata-{name}-{}", std::process::id()))
}

#[test]
fn every_command_has_a_page() {
    let folder = folder("man");
    let output = riata(&["man", "--output", folder.to_str().unwrap()]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    for page in ["riata", "riata-check", "riata-explore", "riata-ltl", "riata-man", "riata-completions"] {
        let text = std::fs::read_to_string(folder.join(format!("{page}.1"))).unwrap();
        let sections = if page == "riata" { &["SUBCOMMANDS"][..] } else { &["EXAMPLES"] };
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "\"EXIT STATUS\""].iter().chain(sections) {
            assert!(text.contains(&format!("\n.SH {section}\n")), "{page} has no section {section}");
        }
    }
    assert!(!folder.join("riata-help.1").exists());
    std::fs::remove_dir_all(&folder).unwrap();

    // A place where nothing can be written.
    let output = riata(&["man", "--output", "/dev/null/pages"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to /dev/null/pages"));
}

#[test]
fn bash_can_read_its_script() {
    let output = riata(&["completions", "bash"]);
    let file = folder("completions.bash");
    std::fs::write(&file, &output.stdout).unwrap();
    // What can follow `riata check --fairness `.
    let ask = "source \"$0\"; COMP_WORDS=(riata check --fairness ''); COMP_CWORD=3; _riata riata '' --fairness; \
               echo \"${COMPREPLY[*]}\"";
    let Ok(said) = Command::new("bash").args(["--norc", "-c", ask]).arg(&file).output() else {
        eprintln!("left out: there is no bash");
        return;
    };
    std::fs::remove_file(&file).unwrap();
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "none weak strong", "{said:?}");
}
