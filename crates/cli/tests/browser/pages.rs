//! The page that `check --html` and `report` write.

use crate::devtools::{Tab, browser};
use crate::models;
use riata::rust::Model;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A call of `check` for each kind of model.
const CALLS: [&[&str]; 6] = [
    &["post.pml", "--coverage"],
    &["lift.dve", "--ltl", "G F {floor == 2}", "--ltl", "G {floor < 3}"],
    &["lock.smv"],
    &["toggle.aag"],
    &["light.hoa", "--ltl", "F G red", "--ltl", "G (red -> F green)", "--ltl", "G !(red & green)"],
    &["lift.dve", "lock.smv", "toggle.aag"],
];

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn riata(args: &[&str]) -> std::process::Output {
    let mut riata = Command::new(env!("CARGO_BIN_EXE_riata"));
    riata.current_dir(models()).args(args).output().expect("riata")
}

fn check(call: &[&str], page: &Path) {
    let page = page.to_string_lossy();
    let output = riata(&[&["check"], call, &["--html", &*page, "-q"]].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
}

fn address(page: &Path) -> String {
    format!("file://{}", page.display())
}

/// The values of the state that is shown: all of its rows are in view on a high page.
fn state(tab: &mut Tab) -> Value {
    tab.eval(
        "Object.fromEntries([...document.querySelectorAll('#state .variable')]\
         .map(row => [row.dataset.name, row.querySelector('.value').firstChild.textContent]))",
    )
}

fn position(tab: &mut Tab) -> u64 {
    tab.eval("Number(document.querySelector('#where').dataset.at)").as_u64().expect("a position")
}

/// Two hands of a clock; the name of its action would be markup.
struct Clock;

impl Model for Clock {
    type State = (u8, u8);

    fn initial(&self) -> Vec<(u8, u8)> {
        vec![(0, 1)]
    }

    fn successors(&self, s: &(u8, u8), out: &mut Vec<(u8, u8)>) {
        out.push(((s.0 + 1) % 5, (s.1 + 1) % 5));
    }

    fn propositions(&self) -> Vec<String> {
        vec!["noon".into()]
    }

    fn holds(&self, _: usize, s: &(u8, u8)) -> bool {
        s.0 == 0
    }

    fn action(&self, _: &(u8, u8), _: usize) -> String {
        "tick </script><script>alert(1)</script>".into()
    }
}

fn clock() -> String {
    let mut options = riata::Options::default();
    options.forms.automaton = true;
    options.ltl = vec!["F G noon".into(), "G F noon".into()];
    let report = riata::Model::of("clock", Clock).check().options(options).run().expect("answers");
    report.page("clock")
}

/// Light and dark, wide and narrow: nobody complains, nothing is wider than the page, and there is a run to see.
fn looks_well(tab: &mut Tab, name: &str) {
    for (width, height) in [(1280, 900), (400, 800)] {
        tab.size(width, height);
        for dark in [false, true] {
            tab.dark(dark);
            tab.settle();
            let shade = if dark { "dark" } else { "light" };
            tab.screenshot(&format!("{name}-{width}-{shade}"));
        }
        let wide = tab.eval("document.documentElement.scrollWidth").as_u64().expect("a width");
        assert!(wide <= u64::from(width), "{name} is {wide} pixels wide, of {width}");
        assert!(tab.count("#steps .step") > 2, "{name}");
    }
    tab.dark(false);
    let errors = tab.errors();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

#[test]
fn pages_of_every_kind_open_without_complaint() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("kinds");
    for call in CALLS {
        let name = call.iter().filter(|a| a.contains('.') && !a.contains(' ')).copied().collect::<Vec<_>>();
        let name = name.join("-").replace('.', "-");
        let file = folder.file(&format!("{name}.html"));
        check(call, &file);
        let mut tab = browser.open(&address(&file), (1280, 900));
        for _ in 0..5 {
            tab.key("ArrowRight");
        }
        looks_well(&mut tab, &name);
    }
    let file = folder.file("clock.html");
    std::fs::write(&file, clock()).expect("a page");
    let mut tab = browser.open(&address(&file), (1280, 900));
    assert!(tab.text("#steps .step[data-row='1'] .statement").contains("tick </script>"));
    looks_well(&mut tab, "clock");
}

#[test]
fn stepping_forward_and_back_reaches_the_same_states() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("steps");
    let lamp: &[&str] = &["lamp.pml", "--property", "dark"];
    for (call, property) in [(lamp, "dark"), (CALLS[2], "served"), (CALLS[1], "ltl_0")] {
        let file = folder.file("page.html");
        check(call, &file);
        let mut tab = browser.open(&address(&file), (1280, 1400));
        let data: Value = tab.eval("JSON.parse(document.getElementById('data').textContent)[0]");
        let results = data["results"].as_array().expect("results");
        let entry = results.iter().position(|a| a["property"] == property).expect("the property");
        tab.click(&format!("[data-entry='{entry}']"));
        let lasso = &results[entry]["lasso"];
        let [stem, cycle] = ["stem", "cycle"].map(|p| lasso[p].as_array().expect("states"));
        let states: Vec<&Value> = stem.iter().chain(cycle).collect();
        let n = states.len();
        let mut seen = vec![state(&mut tab)];
        // Once more round the loop, and a bit.
        for at in 1..n + cycle.len() + 2 {
            tab.key("ArrowRight");
            assert_eq!(position(&mut tab), at as u64);
            seen.push(state(&mut tab));
        }
        for (at, shown) in seen.iter().enumerate() {
            let meant = states[if at < n { at } else { stem.len() + (at - stem.len()) % cycle.len() }];
            for (name, value) in shown.as_object().expect("names and values") {
                let known = &meant[name];
                let text = match known {
                    Value::Null => "–".into(),
                    Value::String(text) => text.clone(),
                    other => other.to_string().replace(',', ", "),
                };
                assert_eq!(value.as_str(), Some(&*text), "{name} at {at} of {property}");
            }
            assert!(!shown.as_object().expect("names and values").is_empty());
        }
        for at in (0..seen.len() - 1).rev() {
            tab.key("ArrowLeft");
            assert_eq!(position(&mut tab), at as u64);
            assert_eq!(state(&mut tab), seen[at], "at {at} of {property}");
        }
        tab.key("ArrowLeft");
        assert_eq!(position(&mut tab), 0);
        assert!(tab.errors().is_empty());
    }
}

#[test]
fn keys_and_the_mouse_do_the_same() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("keys");
    let file = folder.file("page.html");
    check(CALLS[0], &file);
    let mut tab = browser.open(&address(&file), (1280, 1600));
    // The first run is shown.
    assert_eq!(tab.text(".verdict.now span:nth-child(2)"), "violated");
    let last = tab.eval("Number(slider.max)").as_u64().expect("a number");
    for (key, button, place) in [
        ("End", "#last", last),
        ("k", "#back", last - 1),
        ("ArrowRight", "#next", last),
        // Round the loop, and back.
        ("j", "#next", last + 1),
        ("ArrowUp", "#back", last),
        ("Home", "#first", 0),
        ("ArrowDown", "#next", 1),
    ] {
        tab.key(key);
        assert_eq!(position(&mut tab), place, "{key}");
        tab.key(if key == "Home" { "End" } else { "Home" });
        // The same from the same place by the mouse.
        tab.eval(&format!("slider.value = {}; 0", place.min(last)));
        tab.eval("slider.dispatchEvent(new Event('input')); 0");
        let opposite = match button {
            "#next" => "#back",
            "#back" => "#next",
            _ => "#loop",
        };
        if place <= last {
            tab.click(opposite);
            tab.click(button);
            assert_eq!(position(&mut tab), place, "{button}");
        }
        tab.eval(&format!("slider.value = {}; 0", place.min(last)));
        tab.eval("slider.dispatchEvent(new Event('input')); 0");
        if place > last {
            tab.key("ArrowRight");
        }
    }
    tab.key("o");
    let back = position(&mut tab);
    assert!(tab.text("#where").contains("loop"));
    assert!(tab.count("#steps .step.loop") > 0);
    // Steps, chart and source say the same.
    tab.key("Home");
    for _ in 0..6 {
        tab.key("ArrowRight");
    }
    assert!(tab.text("#steps .step.now .statement").contains("stamp ! n"));
    let places = tab.eval("[...document.querySelectorAll('#source .line.now')].map(l => +l.dataset.line)");
    assert_eq!(places, serde_json::json!([11, 31]));
    assert_eq!(tab.count("#views svg .now"), 1);
    assert_eq!(tab.count("#views svg .lane.active"), 2);
    // The automaton has a state.
    assert_eq!(tab.count("#automaton .automatonstate.now"), 1);
    // A row is clicked.
    tab.click("#steps .step[data-row='9']");
    assert_eq!(position(&mut tab), 9);
    // Changes of one variable only.
    tab.click("#state [data-name='passed']");
    tab.key("n");
    assert!(tab.text("#steps .step.now .new").contains("passed=2"));
    tab.key("p");
    assert!(tab.text("#steps .step.now .new").contains("passed=1"));
    // The reasons lead to their steps.
    tab.click(".about p:last-of-type .jump");
    assert!(position(&mut tab) >= back);
    // The next verdict has no run, and the help opens.
    tab.key("]");
    assert_eq!(tab.text(".verdict.now span:nth-child(2)"), "holds");
    assert_eq!(tab.eval("document.querySelector('.work').hidden"), true);
    tab.key("[");
    assert_eq!(tab.eval("document.querySelector('.work').hidden"), false);
    assert!(tab.count("#source .line") > 0 && tab.count("#steps .step[data-row]") > 0);
    assert!(
        tab.text(".below").contains("Never: 3 of 3 statements are not reached"),
        "{}",
        tab.text(".below")
    );
    tab.key("?");
    assert_eq!(tab.eval("document.querySelector('dialog').open"), true);
    assert!(tab.errors().is_empty(), "{:?}", tab.errors());
}

#[test]
fn filters_and_folds() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("filter");
    let file = folder.file("page.html");
    check(CALLS[0], &file);
    let mut tab = browser.open(&address(&file), (1280, 1200));
    let rows = |tab: &mut Tab| tab.eval("+document.querySelector('#steps .box').dataset.rows").as_u64();
    let names = |tab: &mut Tab| {
        tab.eval("[...document.querySelectorAll('#state .variable')].map(v => v.dataset.name).join()")
    };
    let all = rows(&mut tab);
    assert!(names(&mut tab).as_str().is_some_and(|n| n.contains("sent") && n.contains("Clerk:1.n")));
    tab.key("/");
    tab.type_text("stamped, pass");
    assert_eq!(names(&mut tab), "passed,stamped");
    assert_eq!(rows(&mut tab), all);
    tab.eval("document.activeElement.blur()");
    tab.key("f");
    let folded = rows(&mut tab);
    assert!(folded < all && tab.count("#steps .step.folded") > 0, "{folded:?} of {all:?}");
    // The first and the last row are there, those that change one of them, and a row for each stretch between.
    let lasso = tab.eval("JSON.parse(document.getElementById('data').textContent)[0].results[3].lasso");
    let [stem, cycle] = ["stem", "cycle"].map(|p| lasso[p].as_array().expect("states"));
    let states: Vec<&Value> = stem.iter().chain(cycle).collect();
    let changes = |(a, b): (&&Value, &&Value)| ["passed", "stamped"].iter().any(|name| a[*name] != b[*name]);
    let mut there: Vec<bool> = states.iter().zip(&states[1..]).map(changes).collect();
    there.insert(0, true);
    there.push(true);
    let stretches = there.windows(2).filter(|pair| pair[0] && !pair[1]).count();
    let wanted = there.iter().filter(|t| **t).count() + stretches;
    assert_eq!(folded, Some(wanted as u64));
    tab.screenshot("folded-1280-light");
    tab.click("#steps .step.folded");
    assert!(rows(&mut tab) > folded);
    tab.key("Escape");
    tab.click("[data-group='Desk:3']");
    assert_eq!(names(&mut tab), "Desk:3.n");
    assert_eq!(tab.eval("document.querySelectorAll('#views svg .lane').length"), 1);
    tab.key("f");
    assert_eq!(rows(&mut tab), all);
    tab.key("Escape");
    assert!(tab.count("#views svg .lane") > 1);
    // Values instead of messages.
    tab.click("#views .tabs button:last-child");
    assert!(tab.count("#views svg .boxed") > 0);
    assert!(tab.errors().is_empty(), "{:?}", tab.errors());
}

/// The time is told, and nobody is measured by it.
#[test]
fn a_lasso_of_thousands_of_steps_opens_and_scrolls() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("long");
    let file = folder.file("ring.html");
    check(&["ring.pml"], &file);
    let start = Instant::now();
    let mut tab = browser.open(&address(&file), (1280, 900));
    tab.wait("document.querySelectorAll('#steps .step[data-row]').length > 5");
    tab.settle();
    let took = start.elapsed();
    let drawn = tab.eval("Math.round(performance.now())");
    let steps = tab.eval("Number(slider.max)").as_u64().expect("a number");
    let lanes = tab.eval("document.querySelectorAll('.chip').length").as_u64().expect("a number");
    assert!(steps >= 3_600 && lanes >= 13, "{steps} steps, {lanes} processes");
    let size = std::fs::metadata(&file).expect("a file").len();
    eprintln!("{steps} steps, {lanes} processes, {size} bytes: open in {took:?}, drawn after {drawn} ms");
    // Only what is in view is there.
    let rows = tab.count("#steps .step[data-row]");
    assert!(rows < 100, "{rows} rows");
    assert!(tab.eval("document.querySelectorAll('*').length").as_u64().expect("a number") < 3_000);
    tab.eval("document.querySelector('#steps .box').scrollTop = 1e6; 0");
    tab.settle();
    assert_eq!(tab.count(&format!("#steps .step[data-row='{steps}']")), 1);
    tab.key("End");
    tab.screenshot("ring-1280-light");
    let start = Instant::now();
    for _ in 0..50 {
        tab.key("ArrowLeft");
    }
    eprintln!("50 steps back in {:?}", start.elapsed());
    assert_eq!(position(&mut tab), steps - 50);
    assert!(tab.errors().is_empty(), "{:?}", tab.errors());
}

#[test]
fn the_page_of_report_is_the_page_of_check() {
    let folder = Folder::new("report");
    let (page, kept, made) = (folder.file("a.html"), folder.file("a.json"), folder.file("b.html"));
    for call in CALLS {
        let html = page.to_string_lossy();
        let output = riata(&[&["check"], call, &["--html", &*html, "--json"]].concat());
        std::fs::write(&kept, &output.stdout).expect("a file");
        let output = riata(&["report", &*kept.to_string_lossy(), "-o", &*made.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let [page, made] = [&page, &made].map(|f| std::fs::read_to_string(f).expect("a page"));
        assert!(page == made, "{call:?}");
    }
}

/// Plots are drawn of a search that took some time; samples are few in a test, so they are given.
#[test]
fn samples_are_plotted() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("plots");
    let samples: Vec<Value> = (1u64..40)
        .map(|i| {
            serde_json::json!({ "seconds": i as f64 / 4.0, "states": i * i * 900, "bytes": i * 70_000_000,
                "frontier": i * (41 - i), "depth": i })
        })
        .collect();
    let object = serde_json::json!({ "schema": "riata/1", "command": "explore", "input": "m.pml", "results": [
        { "verdict": "complete", "algorithm": "bfs", "engine": "explicit", "store": "exact", "lasso": null,
          "counters": { "states": 1_368_900 }, "memory_bytes": 1, "cpu_seconds": 9.75, "samples": samples },
        { "property": "p", "verdict": "inconclusive", "algorithm": "el", "engine": "symbolic", "lasso": null,
          "counters": {}, "cpu_seconds": 1.0, "samples": [
            { "seconds": 0.1, "nodes": 10 }, { "seconds": 0.5, "nodes": 99_000 }, { "seconds": 1.0, "nodes": 40 }] },
    ] });
    let (kept, page) = (folder.file("a.json"), folder.file("a.html"));
    std::fs::write(&kept, object.to_string()).expect("a file");
    let output = riata(&["report", &*kept.to_string_lossy(), "-o", &*page.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut tab = browser.open(&address(&page), (1280, 900));
    assert_eq!(tab.count(".plot"), 4);
    tab.screenshot("plots-1280-light");
    tab.key("]");
    tab.click("[data-entry='1']");
    assert_eq!((tab.count(".plot"), tab.text(".plots figcaption")), (1, "BDD nodes".to_string()));
    assert!(tab.errors().is_empty(), "{:?}", tab.errors());
}
