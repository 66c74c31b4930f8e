//! Films: what the page shows after each step is what the library says, from wherever one comes to it.

use crate::devtools::{Tab, browser};
use riata::animate::{Shown, components, fixpoint, search, translation};
use riata::report::animate::{Film, page};
use riata::written::Written;
use riata::{How, Kind, Nobody, Options};
use riata_automata::hoa::{Automaton, Reader};
use riata_automata::random::Shape;
use riata_automata::translate::Construction;
use riata_explore::Algorithm;
use riata_symbolic::Algorithm as Fixpoint;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Two ways round, a dead end, and a cycle that accepts.
const SMALL: &str =
    "HOA: v1\nname: \"small\"\nStates: 7\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--
State: 0\n[0] 1\n[!0] 4\nState: 1\n[t] 2\nState: 2\n[0] 1\n[!0] 3\nState: 3 {0}\n[t] 3\n[0] 6\nState: 4 {0}
[t] 5\nState: 5\n[t] 5\nState: 6\n[t] 6\n--END--\n";

fn written(text: &str) -> Written {
    let automaton = Reader::new(text.as_bytes()).next().expect("one").expect("good");
    Written::automaton(&automaton, 300).expect("small")
}

fn with_how<T>(work: impl FnOnce(&How) -> T) -> T {
    let (options, never) = (Options::default(), AtomicBool::new(false));
    work(&How::new(&options, Kind::Hoa, &never, &Nobody))
}

fn save(name: &str, film: &Film) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("films");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file: PathBuf = folder.join(format!("{name}.html"));
    std::fs::write(&file, page(film)).expect("a file");
    format!("file://{}", file.display())
}

fn scene(film: &Film, n: usize) -> Value {
    serde_json::to_value(film.scene(n)).expect("a scene")
}

/// The classes of the states as they are drawn, without the frames of the step.
fn drawn(tab: &mut Tab) -> Value {
    tab.eval("riata.film.states.map((_, i) => document.getElementById('n' + i).getAttribute('class').split(' ')[1])")
}

/// Walks through a film by keys, forward and back, and compares every scene.
fn walk(tab: &mut Tab, film: &Film) {
    let steps = film.shots.len();
    assert_eq!(tab.eval("riata.film.shots.length"), json!(steps));
    // What the page makes of the changes is what the library makes of them.
    for n in 0..=steps {
        assert_eq!(tab.eval(&format!("riata.after({n})")), scene(film, n), "after {n} steps");
    }
    let there = |tab: &mut Tab, n: usize| {
        let wanted = scene(film, n);
        assert_eq!(tab.eval("[riata.at, riata.scene]"), json!([n, wanted]));
        assert_eq!(drawn(tab), wanted["paint"]);
        assert_eq!(tab.eval("Number(document.getElementById('at').value)"), json!(n));
        let line = n.checked_sub(1).and_then(|k| film.shots[k].line);
        let lit = "[...document.querySelectorAll('#code span')].findIndex(s => s.className === 'now')";
        assert_eq!(tab.eval(lit), json!(line.map_or(-1, |l| l as i64)));
    };
    let some: Vec<usize> = (0..=steps).filter(|n| *n < 12 || n + 6 > steps).collect();
    for n in some.iter().copied().take_while(|n| *n < 12) {
        there(tab, n);
        tab.key("ArrowRight");
    }
    tab.key("End");
    for n in some.iter().rev().copied().take(5) {
        there(tab, n);
        tab.key("ArrowLeft");
    }
    tab.key("Home");
    there(tab, 0);
}

fn films() -> Vec<(String, Shown)> {
    let mut all = Vec::new();
    for algorithm in Algorithm::ALL.into_iter().filter(|a| !matches!(a, Algorithm::Sd | Algorithm::Reach)) {
        let shown = with_how(|how| search(written(SMALL), Some(algorithm), 300, how, "small"));
        all.push((algorithm.name().to_string(), shown.expect("it applies")));
    }
    for (name, tarjan) in [("scc-tarjan", true), ("scc-se05", false)] {
        let shown = with_how(|how| components(written(SMALL), tarjan, how, "small"));
        all.push((name.into(), shown.expect("it applies")));
    }
    for algorithm in Fixpoint::ALL {
        let shown = fixpoint(written(SMALL), Some(algorithm), 300, "small");
        all.push((algorithm.name().into(), shown.expect("it applies")));
    }
    let ltl = riata_ltl::parse("p U (q U r)", riata_ltl::Dialect::Spot).expect("a formula");
    for construction in [Construction::Closure, Construction::Gpvw96] {
        let shown = translation(&ltl, construction, 300).expect("small");
        all.push((construction.name().into(), shown));
    }
    all
}

#[test]
fn every_film_steps_forward_and_back() {
    let Some(mut browser) = browser() else { return };
    for (name, shown) in films() {
        let url = save(&name, &shown.film);
        let mut tab = browser.open(&url, (1280, 900));
        walk(&mut tab, &shown.film);
        assert_eq!(tab.errors(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_film_is_played_by_keys_and_buttons() {
    let Some(mut browser) = browser() else { return };
    let shown =
        with_how(|how| search(written(SMALL), Some(Algorithm::Se05), 300, how, "small")).expect("it applies");
    let url = save("played", &shown.film);
    let mut tab = browser.open(&url, (1280, 900));
    let steps = shown.film.shots.len();
    let at = |tab: &mut Tab| tab.eval("riata.at");
    tab.eval("document.getElementById('speed').value = 10");
    tab.key(" ");
    assert_eq!(tab.eval("riata.playing"), json!(true));
    tab.wait("riata.at > 3");
    tab.key(" ");
    assert_eq!(tab.eval("riata.playing"), json!(false));
    tab.key("Home");
    tab.key("PageDown");
    assert_eq!(at(&mut tab), json!(10));
    tab.key("PageUp");
    assert_eq!(at(&mut tab), json!(0));
    for (button, wanted) in [("#step", 1), ("#step", 2), ("#back", 1), ("#last", steps), ("#first", 0)] {
        tab.click(button);
        assert_eq!(at(&mut tab), json!(wanted), "{button}");
    }
    // A jump by the number, and one by the bar.
    tab.eval("document.getElementById('at').value = ''");
    tab.click("#at");
    tab.type_text("7");
    tab.eval("document.getElementById('at').blur()");
    assert_eq!(at(&mut tab), json!(7));
    tab.eval("(e => { e.value = 3; e.dispatchEvent(new Event('input')); })(document.getElementById('bar'))");
    assert_eq!(at(&mut tab), json!(3));
    tab.click("#play");
    tab.wait("!riata.playing");
    assert_eq!(at(&mut tab), json!(steps), "it plays to the end and stops");
    tab.click("#n3");
    assert!(tab.text("#state").starts_with("state 3, accepting"));
    let before = tab.eval("document.getElementById('graph').getBoundingClientRect().width");
    tab.click("#in");
    assert_ne!(before, tab.eval("document.getElementById('graph').getBoundingClientRect().width"));
    assert_eq!(tab.errors(), Vec::<String>::new());
}

/// Nothing is wider than a telephone but the picture, which scrolls in its box.
#[test]
fn a_film_fits_a_narrow_page() {
    let Some(mut browser) = browser() else { return };
    for (name, shown) in
        films().into_iter().filter(|(n, _)| ["se05", "ascc", "el", "gpvw96"].contains(&n.as_str()))
    {
        let url = save(&format!("narrow-{name}"), &shown.film);
        for width in [1280, 400] {
            let mut tab = browser.open(&url, (width, 900));
            for dark in [false, true] {
                tab.dark(dark);
                tab.eval("riata.go(Math.ceil(riata.film.shots.length * 0.6))");
                tab.screenshot(&format!("animate-{name}-{width}-{}", if dark { "dark" } else { "light" }));
                let wide = tab.eval("document.documentElement.scrollWidth");
                assert_eq!(wide, json!(width), "{name}");
            }
            assert_eq!(tab.errors(), Vec::<String>::new(), "{name}");
        }
    }
}

#[test]
fn three_hundred_states_open_soon() {
    let Some(mut browser) = browser() else { return };
    let shape = Shape { states: 300, density: 2.0, sets: 1, mark_probability: 0.02, ..Shape::default() };
    let automaton = Automaton::from(shape.generate(3).expect("a possible shape"));
    let begin = Instant::now();
    let graph = Written::automaton(&automaton, 300).expect("300 are allowed");
    let shown =
        with_how(|how| search(graph, Some(Algorithm::Ascc), 300, how, "300 states")).expect("it applies");
    let url = save("large", &shown.film);
    let made = begin.elapsed();
    let begin = Instant::now();
    let mut tab = browser.open(&url, (1280, 900));
    tab.settle();
    let opened = begin.elapsed();
    let size = std::fs::metadata(url.trim_start_matches("file://")).map_or(0, |m| m.len());
    eprintln!(
        "300 states, {} steps, {size} bytes: made in {made:?}, opened in {opened:?}",
        shown.film.shots.len()
    );
    tab.key("End");
    assert_eq!(tab.eval("riata.at"), json!(shown.film.shots.len()));
    assert_eq!(drawn(&mut tab), scene(&shown.film, shown.film.shots.len())["paint"]);
    tab.screenshot("animate-large-1280-light");
    assert_eq!(tab.errors(), Vec::<String>::new());
}
