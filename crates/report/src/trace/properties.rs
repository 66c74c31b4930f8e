//! What is true of every trace that is made to fit.

use super::fold::width;
use super::{Look, Step, Trace};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn step(statement: &str, place: &str, cells: [&str; 2]) -> Step {
    let cells = cells.map(String::from).to_vec();
    Step { statement: statement.into(), place: place.into(), cells, ..Step::default() }
}

/// Words that are kept whole in any column: at most nine wide.
fn words(most: usize) -> impl Strategy<Value = String> {
    let word = prop_oneof!["[a-z]{1,3}=[0-9]{1,4}", "[a-z]{1,9}", "[日本語]{1,3}=1", "e\u{301}{1,2}=[0-9]"];
    proptest::collection::vec(word, 0..=most).prop_map(|w| w.join(" "))
}

fn steps(columns: usize) -> impl Strategy<Value = Step> {
    let cells = proptest::collection::vec(words(6), columns);
    let printed = proptest::collection::vec((words(1), words(5)), 0..2);
    (words(8), prop_oneof!["", "[a-z]{1,4}:[0-9]{1,3}"], cells, printed)
        .prop_map(|(statement, place, cells, printed)| Step { statement, place, cells, printed })
}

fn traces() -> impl Strategy<Value = Trace> {
    (any::<bool>(), 0usize..7, 1usize..9).prop_flat_map(|(plain, columns, length)| {
        let columns = if plain { 0 } else { columns };
        let heads = proptest::collection::vec("[A-Z][a-z]{0,5}:[0-9]", columns);
        let cells = if plain { 1 } else { columns };
        let path = proptest::collection::vec(steps(cells), length);
        let back = proptest::option::of((0..length, steps(cells)));
        (heads, path, back, words(9)).prop_map(move |(columns, steps, back, end)| Trace {
            columns,
            steps,
            back,
            end,
            plain,
        })
    })
}

fn count<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut count = BTreeMap::new();
    texts.flat_map(str::split_whitespace).for_each(|w| *count.entry(w).or_default() += 1);
    count
}

proptest! {
    #[test]
    fn no_line_is_too_wide_and_nothing_is_lost(
        trace in traces(), limit in 20usize..=200, columns in proptest::option::of(0usize..4)
    ) {
        let text = trace.fitted(&Look { width: Some(limit), columns, ..Look::default() });
        for line in text.lines() {
            prop_assert!(width(line) <= limit, "{}: {:?}\n{}", limit, line, text);
        }
        let live = if trace.plain { vec![0] } else { trace.live() };
        let back = trace.back.iter().filter(|_| !trace.plain).map(|(_, s)| s);
        let shown = trace.steps.iter().chain(back).flat_map(|s| {
            let own = [s.statement.as_str(), &s.place].into_iter().filter(|_| !trace.plain);
            own.chain(live.iter().map(|&c| s.cells[c].as_str()))
        });
        let found = count(std::iter::once(text.as_str()));
        for (word, times) in count(shown.chain([trace.end.as_str()])) {
            prop_assert!(found.get(word).is_some_and(|&n| n >= times), "{:?}\n{}", word, text);
        }
    }

    #[test]
    fn any_trace_is_narrow(cell in any::<String>(), statement in any::<String>(), limit in 20usize..60) {
        let trace = Trace {
            columns: vec![cell.clone(), statement.clone()],
            steps: vec![step(&statement, &cell, [&cell, &statement]); 2],
            back: Some((0, step(&cell, "", [&statement, &cell]))),
            end: cell.clone(),
            ..Trace::default()
        };
        for plain in [false, true] {
            let trace = Trace { plain, ..trace.clone() };
            let text = trace.fitted(&Look { width: Some(limit), only: vec![], columns: None });
            prop_assert!(text.lines().all(|l| width(l) <= limit), "{}", text);
        }
    }

    #[test]
    fn only_shows_what_is_asked_for(trace in traces(), name in "[a-z]{1,2}", limit in 20usize..=200) {
        let only = vec![name.clone()];
        let look = Look { width: Some(limit), only: only.clone(), columns: None };
        let text = trace.fitted(&look);
        prop_assert!(text.lines().all(|l| width(l) <= limit), "{}", text);
        let wanted = |w: &&str| w.split_once('=').is_some_and(|(left, _)| left == name);
        let shown = if trace.plain { 1 } else { trace.columns.len() };
        let cells = trace.steps.iter().flat_map(|s| &s.cells[..shown]);
        let all: Vec<&str> = cells.flat_map(|c| c.split(' ')).filter(wanted).collect();
        prop_assert!(all.iter().all(|w| text.contains(w)), "{}", text);
        prop_assert!(all.is_empty() || trace.unknown(&only).is_empty());
    }
}
