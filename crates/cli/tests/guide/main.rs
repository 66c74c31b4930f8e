//! The guide (docs/guide) is executed: every `console` block of every page is run and compared, its links lead somewhere,
//! and what it lists is complete.
//!
//! `TRYCMD=overwrite cargo test -p riata-cli --test guide` writes the outputs anew, and `RIATA_WRITE_GUIDE=1` the page about
//! JSON. Read the difference before keeping it, and put `[..]` where a number is another one each time.

mod blocks;
mod json;
mod links;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder of the pages.
fn pages() -> PathBuf {
    root().join("docs/guide/src")
}

/// The commands are run in a folder of their own that holds the models.
#[test]
fn commands() {
    let folder = std::env::temp_dir().join(format!("riata-guide-{}", std::process::id()));
    let models = folder.join("models");
    std::fs::create_dir_all(&models).unwrap();
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, models.join(path.file_name().unwrap())).unwrap();
    }
    std::env::set_current_dir(&folder).unwrap();
    let cases = trycmd::TestCases::new();
    for part in ["*.md", "gallery/*.md", "reference/*.md"] {
        cases.case(pages().join(part));
    }
    cases.run();
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Every command has its help in the guide, and examples in its help.
#[test]
fn every_command_is_listed() {
    let options = std::fs::read_to_string(pages().join("reference/options.md")).unwrap();
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_riata")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help(&["--help"]);
    let listed = all.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    // A summary that is too long goes on in the next line, further to the right.
    let names: Vec<&str> = listed
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .map(|l| l.split_whitespace().next().unwrap())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 7, "{names:?}");
    for name in names {
        assert!(options.contains(&format!("$ riata {name} --help\n")), "options.md has no `riata {name}`");
        assert!(help(&[name, "--help"]).contains("\nExamples:\n"), "`riata {name} --help` has no examples");
    }
}

/// Every algorithm has its place in the guide.
#[test]
fn every_algorithm_is_explained() {
    let explicit = std::fs::read_to_string(pages().join("algorithms.md")).unwrap();
    let shared = riata_explore::Algorithm::SHARED;
    for algorithm in riata_explore::Algorithm::ALL.into_iter().chain(shared) {
        assert!(
            explicit.contains(&format!("\n## {algorithm}\n")),
            "algorithms.md has no section {algorithm}"
        );
    }
    let symbolic = std::fs::read_to_string(pages().join("symbolic.md")).unwrap();
    for algorithm in riata_symbolic::Algorithm::ALL {
        let name = algorithm.name();
        assert!(symbolic.contains(&format!("**{name}**")), "symbolic.md does not explain {name}");
    }
}
