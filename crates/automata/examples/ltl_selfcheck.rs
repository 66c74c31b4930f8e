//! For each formula of a file (`tag<TAB>formula` lines): its automaton and that of its negation share no word, and of
//! random lasso words each accepts exactly those that the definition says.
//!
//! `cargo run --release -p riata-automata --example ltl_selfcheck -- FILE [SECONDS_A_FORMULA]`

use riata_automata::lasso::accepts;
use riata_automata::product::disjoint;
use riata_automata::translate::{Budget, Output};
use riata_automata::{Options, translate};
use riata_ltl::{Dialect, Ltl, Word, evaluate, parse};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Random words for each formula.
const WORDS: usize = 40;

/// Products of more pairs of states than this are left out.
const LARGEST: usize = 4_000_000;

/// A word over `aps` propositions from a stream of pseudo-random bits.
fn word(aps: usize, x: &mut u64) -> Word {
    let mut bit = || {
        *x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *x >> 63 == 1
    };
    let mut part = |least: usize| {
        let n = least + usize::from(bit()) + 2 * usize::from(bit());
        (0..n).map(|_| (0..aps).map(|_| bit()).collect()).collect()
    };
    Word { stem: part(0), cycle: part(1) }
}

/// What is wrong with the automata of `f`, or what was not examined.
fn examine(f: &Ltl, seconds: u64, x: &mut u64) -> Result<Option<String>, String> {
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    for output in [Output::Tgba, Output::Ba] {
        let options =
            Options { output, budget: Budget { deadline, ..Budget::default() }, ..Options::default() };
        let (a, n) = match (translate(f, &options), translate(&f.negated(), &options)) {
            (Ok(a), Ok(n)) => (a, n),
            (Err(e), _) | (_, Err(e)) => return Ok(Some(e.to_string())),
        };
        for _ in 0..WORDS {
            let w = word(f.arena.aps().len(), x);
            let holds = evaluate(&f.arena, f.root, &w);
            let said = (accepts(&a, &w, f.arena.aps()), accepts(&n, &w, f.arena.aps()));
            if said != (holds, !holds) {
                return Err(format!("{output:?}: {said:?} instead of {:?} on {w:?}", (holds, !holds)));
            }
        }
        if a.states() * n.states() > LARGEST || a.sets + n.sets > 64 {
            return Ok(Some(format!("product of {} and {} states", a.states(), n.states())));
        }
        if !disjoint(&a, &n) {
            return Err(format!("{output:?}: formula and negation share a word"));
        }
    }
    Ok(None)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let Some(text) = args.get(1).and_then(|f| std::fs::read_to_string(f).ok()) else {
        eprintln!("usage: ltl_selfcheck FILE [SECONDS_A_FORMULA]");
        return ExitCode::from(2);
    };
    let seconds = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(5);
    let (mut passed, mut failed, mut skipped, mut x) = (0, 0, 0, 1);
    for line in text.lines() {
        let (tag, formula) = line.split_once('\t').unwrap_or(("", line));
        let f = match parse(formula, Dialect::Spot) {
            Ok(f) => f,
            Err(d) => {
                println!("{tag}: {}", d.message);
                failed += 1;
                continue;
            }
        };
        match examine(&f, seconds, &mut x) {
            Ok(None) => passed += 1,
            Ok(Some(why)) => {
                println!("{tag}: not examined to the end: {why}");
                skipped += 1;
            }
            Err(wrong) => {
                println!("{tag}: WRONG: {wrong}");
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
