//! The gallery: every model of `models/` has the verdicts that its head promises, by every check that applies, with two
//! stores, and by the symbolic engine where it applies; and every model has a page in the guide.
//!
//! The model in Rust, `crates/riata/examples/river.rs`, has its tests in its own file.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A model, options, and each property with its verdict. Formulas are `ltl_0`, `ltl_1`, … in order.
type Row = (&'static str, &'static [&'static str], &'static str);

const GALLERY: &[Row] = &[
    ("abp.pml", &[], "assertions+ deadlock+ arrives- fair+ unlost-"),
    ("commit.pml", &[], "assertions+ deadlock- agreement+ validity+ decides- optimist-"),
    ("commit.pml", &["-D", "SAFE"], "assertions+ deadlock+ agreement+ validity+ decides+ optimist-"),
    ("crossing.smv", &[], "safe+ amber+ served+ quick- green-"),
    ("leader.pml", &[], "assertions+ deadlock+ one+ chosen+ first-"),
    ("leader.pml", &["-D", "N=4"], "assertions+ deadlock+ one+ chosen+ first-"),
    ("lift.smv", &[], "still+ served+ possible+ idle- order-"),
    ("msi.smv", &[], "exclusive+ coherent+ writable+ fresh- busy-"),
    ("peterson.dve", &[], "assertions+ deadlock+"),
    ("peterson.dve", &["--ltl", "G !(P_0.critical && P_1.critical)"], "ltl_0+"),
    ("peterson.dve", &["--ltl", "G (P_0.waits -> F P_0.critical)"], "ltl_0-"),
    ("peterson.dve", &["--ltl", "G (P_0.waits -> F P_0.critical)", "--fairness", "weak"], "ltl_0+"),
    ("peterson.dve", &["--ltl", "G F P_0.critical", "--fairness", "strong"], "ltl_0-"),
    ("peterson.pml", &[], "assertions+ deadlock+ mutex+ live-"),
    ("peterson.pml", &["--fairness", "weak"], "assertions+ deadlock+ mutex+ live+"),
    ("philosophers.pml", &[], "assertions+ deadlock- exclusive+ eats-"),
    ("philosophers.pml", &["-D", "POLITE"], "assertions+ deadlock+ exclusive+ eats-"),
    ("philosophers.pml", &["-D", "POLITE", "--fairness", "weak"], "assertions+ deadlock+ exclusive+ eats-"),
    ("philosophers.pml", &["-D", "POLITE", "--fairness", "strong"], "assertions+ deadlock+ exclusive+ eats+"),
    ("readers.dve", &[], "assertions+ deadlock+ property-"),
    ("readers.dve", &["--fairness", "strong"], "assertions+ deadlock+ property-"),
    ("scheduler.dve", &[], "assertions+ deadlock+"),
    ("scheduler.dve", &["--ltl", "G F Task_2.running"], "ltl_0+"),
    ("scheduler.dve", &["--ltl", "G !(Task_0.running && Task_1.running)"], "ltl_0-"),
    ("semaphore.pml", &[], "assertions+ deadlock+ mutex+ served-"),
    ("semaphore.pml", &["--fairness", "weak"], "assertions+ deadlock+ mutex+ served-"),
    ("semaphore.pml", &["--fairness", "strong"], "assertions+ deadlock+ mutex+ served+"),
    ("token.smv", &[], "alive+ closed+ converges+ passes+ always-"),
    ("traffic.hoa", &["--ltl", "G (red -> F green)"], "ltl_0+"),
    ("traffic.hoa", &["--ltl", "G (green -> X !red)"], "ltl_0+"),
    ("traffic.hoa", &["--ltl", "G F red"], "ltl_0-"),
];

/// What the models' heads and pages say of changed ones: a model, a text and another one in its place, and the verdicts.
const CHANGED: &[(&str, &str, &str, &str)] = &[
    (
        "peterson.pml",
        "  want[_pid] = true;\n  turn = other;\n",
        "  turn = other;\n  want[_pid] = true;\n",
        "assertions- deadlock+ mutex- live-",
    ),
    (
        "readers.dve",
        "guard writing == 0; effect reading",
        "guard writing == 0 and not Writer.waits; effect reading",
        "assertions+ deadlock+ property+",
    ),
    ("msi.smv", "forgetful := FALSE", "forgetful := TRUE", "exclusive- coherent- writable+ fresh- busy-"),
    (
        "lift.smv",
        "opens := !open & here & !(rested & (above | below));",
        "opens := !open & here;",
        "still+ served- possible+ idle- order-",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each property and its verdict, of `assertions+ deadlock-`.
fn promised(text: &str) -> BTreeMap<String, &'static str> {
    let verdict = |word: &str| {
        let (name, sign) = word.split_at(word.len() - 1);
        (name.to_string(), if sign == "+" { "holds" } else { "violated" })
    };
    text.split(' ').map(verdict).collect()
}

/// Runs `riata check` and compares what it says of each property, by whatever check, with what was promised.
fn check(model: &Path, options: &[&str], more: &[&str], promise: &str) {
    let call = format!("riata check {} {} {}", model.display(), options.join(" "), more.join(" "));
    let mut riata = Command::new(env!("CARGO_BIN_EXE_riata"));
    let output = riata.arg("check").arg(model).args(options).args(more).arg("--json").output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{call}: {e}"));
    assert!(said.get("errors").is_none(), "{call}: {}", said["errors"]);
    let promised = promised(promise);
    let mut seen = BTreeSet::new();
    for result in said["results"].as_array().unwrap() {
        let name = result["property"].as_str().unwrap();
        let verdict = promised.get(name).unwrap_or_else(|| panic!("{call}: nothing is promised of {name}"));
        let algorithm = &result["algorithm"];
        assert_eq!(result["verdict"], **verdict, "{call}: {name} by {algorithm}");
        seen.insert(name.to_string());
    }
    assert_eq!(seen, promised.keys().cloned().collect(), "{call}: the properties that were decided");
    let violated = promised.values().any(|v| *v == "violated");
    assert_eq!(output.status.code(), Some(i32::from(violated)), "{call}: exit code");
}

/// In every way that applies to this kind of model and these options.
fn check_in_every_way(model: &Path, options: &[&str], promise: &str) {
    check(model, options, &[], promise);
    check(model, options, &["--algorithm", "all"], promise);
    let kind = model.extension().unwrap();
    if kind == "smv" {
        return;
    }
    check(model, options, &["--store", "tree"], promise);
    if kind != "hoa" && !options.contains(&"--fairness") {
        check(model, options, &["--engine", "symbolic"], promise);
    }
    // The larger models take seconds by sets of states, so a second algorithm is for the small ones.
    if kind == "dve" && !options.contains(&"--fairness") {
        check(model, options, &["--engine", "symbolic", "--algorithm", "el"], promise);
    }
}

#[test]
fn verdicts() {
    for (model, options, promise) in GALLERY {
        check_in_every_way(&root().join("models").join(model), options, promise);
    }
}

#[test]
fn verdicts_of_changed_models() {
    let folder = std::env::temp_dir().join(format!("riata-gallery-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (model, from, to, promise) in CHANGED {
        let text = std::fs::read_to_string(root().join("models").join(model)).unwrap();
        assert!(text.contains(from), "{model} has no `{from}`");
        let changed = folder.join(model);
        std::fs::write(&changed, text.replace(from, to)).unwrap();
        check_in_every_way(&changed, &[], promise);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_model_is_tested_and_has_a_page() {
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(GALLERY.iter().any(|(model, ..)| *model == name), "{name} has no row in this test");
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let page = root().join(format!("docs/guide/src/gallery/{stem}.md"));
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(text.contains(name), "{} says nothing of {name}", page.display());
    }
    for (model, ..) in GALLERY {
        assert!(root().join("models").join(model).is_file(), "there is no model {model}");
    }
}
