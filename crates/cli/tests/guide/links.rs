//! Links between files lead somewhere, and the table of contents has every page. (What mdBook would say, without mdBook.)

use crate::{pages, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All Markdown files of a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                all.push(path);
            }
        }
    }
    all
}

/// A text without its blocks of code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let outside = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    outside.map(|l| format!("{l}\n")).collect()
}

/// The targets of links, `](target)`.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let parts = prose.split("](").skip(1);
    parts.filter_map(|p| p.split_once(')')).map(|(target, _)| target.to_string()).collect()
}

/// The anchor that a heading gets: small letters, digits, hyphens for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What is wrong with a link of a file.
fn broken(file: &Path, target: &str) -> Option<String> {
    if target.starts_with("http://") || target.starts_with("https://") {
        return None;
    }
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { file.to_path_buf() } else { file.parent()?.join(path) };
    if !path.exists() {
        return Some(format!("{}: there is no {target}", file.display()));
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let has =
        prose(&text).lines().any(|l| l.starts_with('#') && anchor(l.trim_start_matches('#')) == fragment);
    (!fragment.is_empty() && !has).then(|| format!("{}: {target} has no such heading", file.display()))
}

#[test]
fn links_lead_somewhere() {
    let mut all = files(&root().join("docs"));
    all.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|f| root().join(f)));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in all {
        let text = std::fs::read_to_string(&file).unwrap();
        let targets = targets(&text);
        seen += targets.len();
        wrong.extend(targets.iter().filter_map(|t| broken(&file, t)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "only {seen} links were found: is the search for them right?");
}

#[test]
fn the_table_of_contents_has_every_page() {
    let summary = std::fs::read_to_string(pages().join("SUMMARY.md")).unwrap();
    let listed: Vec<PathBuf> = targets(&summary).iter().map(|t| pages().join(t)).collect();
    let mut once = BTreeSet::new();
    for page in &listed {
        assert!(once.insert(page.clone()), "{} is listed twice", page.display());
    }
    let there: BTreeSet<PathBuf> =
        files(&pages()).into_iter().filter(|f| !f.ends_with("SUMMARY.md")).collect();
    assert_eq!(once, there, "the pages that SUMMARY.md lists, and those that are there");
}

#[test]
fn every_decision_is_listed() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for page in files(&root().join("docs/decisions")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(map.contains(&format!("docs/decisions/{name})")), "ARCHITECTURE.md has no line for {name}");
        let text = std::fs::read_to_string(&page).unwrap();
        let number: usize = name[..4].parse().expect("a number of four digits");
        assert!(text.starts_with(&format!("# {number}. ")), "{name} does not begin with its number");
    }
}
