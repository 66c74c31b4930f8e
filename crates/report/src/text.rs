//! Answers as text for people.

use crate::answer::{Answer, Cluster, Counted, Engine, Gpu, Native, Por, Sets, Statements, Stats, Verdict};
use std::fmt::Write as _;

/// The line of an answer to a property, and what is to be said of it; the run is left to the caller.
pub fn headline(answer: &Answer, verbose: bool) -> String {
    let a = answer;
    let mut text = format!("{}: ", a.property.as_deref().unwrap_or("property"));
    text += &match &a.value {
        Some(serde_json::Value::String(value)) => value.clone(),
        Some(value) => value.to_string(),
        None if a.exists && a.verdict == Verdict::Violated => "no run".into(),
        None => a.verdict.to_string(),
    };
    if let (Some(reason), Verdict::Inconclusive) = (&a.reason, a.verdict) {
        let _ = write!(text, " ({reason})");
    }
    let mut facts = Vec::new();
    if !a.algorithm.is_empty() {
        facts.push(a.algorithm.clone());
    }
    if let Some(why) = a.why.as_ref().filter(|_| verbose) {
        facts.push(why.clone());
    }
    facts.push(format!("{} states", number(states(a))));
    let iterations = a.sets.as_ref().and_then(|s| s.external_iterations);
    match (iterations, &a.sets) {
        (Some(n), Some(sets)) => {
            let images = sets.ex.unwrap_or(0) + sets.ey.unwrap_or(0);
            facts.push(format!("{n} iterations"));
            facts.push(format!("{images} images"));
        }
        // Sets of states: steps are not counted.
        _ if a.engine == Engine::Symbolic && a.counters.transitions == 0 => {}
        _ => facts.push(format!("{} transitions", a.counters.transitions)),
    }
    facts.push(format!("{:.3} s", a.cpu_seconds));
    // Where nothing was begun, nothing was counted.
    match a.verdict == Verdict::Inconclusive && a.cpu_seconds == 0.0 && states(a) == 0.0 {
        true => text.push('\n'),
        false => {
            let _ = writeln!(text, " [{}]", facts.join(", "));
        }
    }
    // A property of the file without a name of its own is known by its formula.
    let unnamed = a.location.is_some() && a.property.as_deref().is_some_and(is_numbered);
    if let Some(formula) = a.formula.as_ref().filter(|_| verbose || unnamed) {
        let place = a.location.as_ref().map_or(String::new(), |l| format!("{l}  "));
        let _ = writeln!(text, "  {place}{formula}");
    }
    if verbose {
        text += &cost(a);
    }
    text += &a.stats.as_ref().map_or(String::new(), stats);
    for warning in &a.warnings {
        let _ = writeln!(text, "  warning: {warning}");
    }
    if a.unfair_initial_states {
        text += "  (not in initial states without a fair path, which do not count)\n";
    }
    text
}

/// What a search took.
pub fn cost(a: &Answer) -> String {
    let store = if a.store.is_empty() { "-" } else { &a.store };
    let por = match &a.por {
        None => String::new(),
        Some(Por { off: Some(why), .. }) => format!("  no partial-order reduction: {why}\n"),
        Some(Por { off: None, full, reduced }) => {
            format!(
                "  partial-order reduction: {reduced} states needed the steps of one process only, {full} those of all\n"
            )
        }
    };
    let native = match &a.native {
        None => String::new(),
        Some(Native { off: Some(why), .. }) => format!("  no native code: {why}\n"),
        Some(Native { off: None, edges, left: 0 }) => format!("  native code: all {edges} edges\n"),
        Some(Native { off: None, edges, left }) => {
            format!("  native code: {edges} edges, {left} left to the interpreter\n")
        }
    };
    let gpu = a.gpu.as_ref().map_or(String::new(), |gpu| {
        let Gpu { device, state_bits, asked, ready_seconds, kernel_seconds, search_seconds, .. } = gpu;
        format!(
            "  {device}: states of {state_bits} bits, {asked} expanded by the interpreter; ready after {ready_seconds:.3} s, \
             kernels {kernel_seconds:.3} s of {search_seconds:.3} s\n"
        )
    });
    let cluster = a.cluster.as_ref().map_or(String::new(), |cluster| {
        let Cluster { processes, bytes, sent_bytes, resumed, .. } = cluster;
        let most = bytes.iter().max().unwrap_or(&0);
        let resumed = resumed.map_or(String::new(), |level| format!(", resumed at level {level}"));
        format!("  processes: {processes}, each with at most {most} bytes; {sent_bytes} bytes were sent{resumed}\n")
    });
    format!("  store: {store}, {} bytes, {:.3} s\n{por}{native}{gpu}{cluster}", a.memory_bytes, a.cpu_seconds)
}

/// Where the time of a search went.
pub fn stats(stats: &Stats) -> String {
    let parts = stats.parts();
    let whole: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
    let mut text = format!("  {:<18} {:>10.3} s\n", "preparing", stats.preparing_seconds);
    for (name, seconds) in parts {
        let percent = if whole > 0.0 { 100.0 * seconds / whole } else { 0.0 };
        let _ = writeln!(text, "  {name:<18} {seconds:>10.3} s {percent:>5.1} %");
    }
    let _ = writeln!(text, "  {:<18} {whole:>10.3} s, looked at {} times", "the whole search", stats.samples);
    text
}

/// Is a name one that was given by position: `ltl_0`, `spec_12`?
fn is_numbered(name: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// How many states an answer is about.
fn states(a: &Answer) -> f64 {
    let counted = a.counters.states as f64;
    a.sets.as_ref().and_then(|s| s.reachable_states).unwrap_or(counted)
}

/// A number of states: exact, or with its power of ten.
fn number(n: f64) -> String {
    if n < 1e12 { format!("{n:.0}") } else { format!("{n:.2e}") }
}

/// Which statements are not reached.
pub fn coverage(statements: &Statements) -> String {
    if !statements.complete {
        return "coverage: not known, the search ended early\n".into();
    }
    let mut text = String::new();
    let unreached = statements.unreached.as_deref().unwrap_or_default();
    for Counted { name, statements: all } in &statements.processes {
        let mine: Vec<_> = unreached.iter().filter(|u| u.process == *name).collect();
        if mine.is_empty() {
            let _ = writeln!(text, "coverage: {name}: all {all} statements are reached");
            continue;
        }
        let _ = writeln!(text, "coverage: {name}: {} of {all} statements are not reached", mine.len());
        for u in mine {
            let file = u.file.rsplit(['/', '\\']).next().unwrap_or_default();
            let _ = writeln!(text, "  {file}:{}  {}", u.line, u.statement);
        }
    }
    for c in statements.constant.as_deref().unwrap_or_default() {
        let _ = writeln!(text, "coverage: `{}` is {} in every state", c.proposition, c.value);
    }
    text
}

/// What was counted of a state space.
pub fn explored(name: &str, a: &Answer) -> String {
    let c = &a.counters;
    let mut text = format!("{name}: {}", a.verdict);
    if let Some(reason) = &a.reason {
        let known = a.sets.is_some() || a.engine == Engine::Explicit;
        let _ = write!(text, " ({reason}){}", if known { "; until then:" } else { "" });
    }
    text.push('\n');
    match &a.sets {
        Some(sets) => text += &space(a, sets),
        None if a.engine == Engine::Symbolic => {}
        None => {
            let levels = c.levels.unwrap_or(0);
            let _ = write!(text, "  {} states, {} transitions, {levels} levels", c.states, c.transitions);
            let known = [(c.deadlocks, "deadlocks"), (c.violations, "violations")];
            for (n, what) in known.iter().filter_map(|(n, what)| Some(((*n)?, what))) {
                let _ = write!(text, ", {n} {what}");
            }
            let words = a.words.map_or(String::new(), |n| format!("{n} words a state, "));
            let _ = writeln!(
                text,
                "\n  {words}{:.1} bytes a state in the {} store\n  {:.3} s, {:.0} states/s",
                a.memory_bytes as f64 / c.states.max(1) as f64,
                a.store,
                a.cpu_seconds,
                c.states as f64 / a.cpu_seconds.max(1e-9),
            );
        }
    }
    text
}

/// What is known of a set of states.
fn space(a: &Answer, sets: &Sets) -> String {
    let c = &a.counters;
    let mut text = format!("  {} states", exact(sets.reachable_states.unwrap_or(0.0)));
    if let Some(initial) = sets.initial_states {
        let _ = write!(text, ", {} initial", exact(initial));
    }
    if let Some(levels) = c.levels {
        let _ = write!(text, ", {levels} levels");
    }
    let float = |n: Option<u64>| n.map(|n| n as f64);
    let known = [
        (sets.distinct_transitions, "transitions"),
        (float(c.deadlocks), "deadlocks"),
        (float(c.violations), "violations"),
        (sets.fair_states, "fair states"),
    ];
    for (n, what) in known.iter().filter_map(|(n, what)| Some(((*n)?, what))) {
        let _ = write!(text, ", {} {what}", exact(n));
    }
    let _ = write!(text, "\n  {} nodes for the states", sets.state_nodes.unwrap_or(0));
    if let Some(relation) = sets.relation_nodes {
        let _ = write!(text, ", {relation} for the relation");
    }
    let _ = write!(text, ", peak {}", sets.peak_nodes.unwrap_or(0));
    if let (Some(attempts), Some(sweeps)) = (sets.attempts, sets.sweeps) {
        let _ = write!(text, "\n  {attempts} attempts at steps, {sweeps} sweeps");
    }
    let _ = writeln!(text, ", {:.3} s", a.cpu_seconds);
    text
}

/// A number of states: exact, or with its power of two.
fn exact(n: f64) -> String {
    if n < 1e15 {
        format!("{n:.0}")
    } else if n.is_finite() {
        format!("{n:.6e} (2^{:.2})", n.log2())
    } else {
        "more than 2^1023".into()
    }
}

/// FFKVY01's table for the answers to one property.
pub fn symbolic_table(answers: &[&Answer]) -> String {
    let shown = |n: Option<u64>| n.map_or("-".to_string(), |n| n.to_string());
    let mut rows = vec![
        ["procedure", "verdict", "ext. iter.", "EX/EY", "EU/ES", "time (s)", "mem (MiB)", "peak live nodes"]
            .map(String::from),
    ];
    for a in answers {
        let none = Sets::default();
        let sets = a.sets.as_deref().unwrap_or(&none);
        rows.push([
            a.algorithm.clone(),
            a.verdict.to_string(),
            shown(sets.external_iterations),
            format!("{}/{}", shown(sets.ex), shown(sets.ey)),
            format!("{}/{}", shown(sets.eu), shown(sets.es)),
            format!("{:.3}", a.cpu_seconds),
            format!("{:.1}", a.memory_bytes as f64 / f64::from(1 << 20)),
            shown(sets.peak_nodes),
        ]);
    }
    let widths: Vec<usize> =
        (0..rows[0].len()).map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::from("  ");
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            line += &if i < 2 { format!("{cell}{gap}  ") } else { format!("{gap}{cell}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short() {
        assert_eq!(exact(16.0), "16");
        assert_eq!(exact(2f64.powi(60)), "1.152922e18 (2^60.00)");
        assert_eq!(exact(f64::INFINITY), "more than 2^1023");
    }

    #[test]
    fn a_headline_says_what_is_known() {
        let mut a = Answer {
            property: Some("p".into()),
            verdict: Verdict::Violated,
            algorithm: "sd".into(),
            formula: Some("[] x".into()),
            ..Answer::default()
        };
        assert_eq!(headline(&a, false), "p: violated [sd, 0 states, 0 transitions, 0.000 s]\n");
        let more =
            "p: violated [sd, 0 states, 0 transitions, 0.000 s]\n  [] x\n  store: -, 0 bytes, 0.000 s\n";
        assert_eq!(headline(&a, true), more);
        a.exists = true;
        assert!(headline(&a, false).starts_with("p: no run ["));
        (a.verdict, a.reason) = (Verdict::Inconclusive, Some("time limit reached".into()));
        assert_eq!(headline(&a, false), "p: inconclusive (time limit reached)\n");
        a.cpu_seconds = 1.0;
        assert!(headline(&a, false).starts_with("p: inconclusive (time limit reached) ["));
    }
}
