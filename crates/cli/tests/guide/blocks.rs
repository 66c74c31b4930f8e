//! Models that are written out in the pages are models: each can be explored, or is a part of one of the gallery.

use crate::{links, pages, root};
use std::process::Command;

/// The blocks of code in a language, ```` ```dve ````.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}");
    let mut all = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|l| l == fence) {
        all.push(lines.by_ref().take_while(|l| *l != "```").map(|l| format!("{l}\n")).collect());
    }
    all
}

/// A text in which spaces and line breaks do not count.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn models_in_the_text_are_models() {
    let models = std::fs::read_dir(root().join("models")).unwrap();
    let models: Vec<String> =
        models.map(|m| words(&std::fs::read_to_string(m.unwrap().path()).unwrap())).collect();
    let file = std::env::temp_dir().join(format!("riata-block-{}", std::process::id()));
    let mut seen = 0;
    for page in links::files(&pages()) {
        let text = std::fs::read_to_string(&page).unwrap();
        for language in ["promela", "dve", "smv"] {
            for block in blocks(&text, language) {
                seen += 1;
                std::fs::write(&file, &block).unwrap();
                let mut riata = Command::new(env!("CARGO_BIN_EXE_riata"));
                let output = riata.arg("explore").arg(&file).args(["--input", language]).output().unwrap();
                let known = models.iter().any(|m| m.contains(&words(&block)));
                let message = String::from_utf8_lossy(&output.stderr);
                assert!(known || output.status.code() == Some(0), "{}: {message}", page.display());
            }
        }
    }
    std::fs::remove_file(&file).unwrap();
    assert!(seen >= 3, "only {seen} models were found: is the search for them right?");
}
