//! `riata explore MODEL.smv`, `MODEL.aag`, `MODEL.aig`: the reachable states.

use super::view::View;
use super::{Source, refused, shape};
use crate::args::{Common, ExploreArgs, ModelKind};
use crate::empty::resident;
use crate::output::{Exit, complain, print};
use crate::symbolic::{Board, inconclusive, on_large_stack, reordering, watch_both};
use crate::watch::{Interrupt, Pulses};
use cpu_time::ThreadTime;
use riata_report::json::{Counters, Document, Entry};
use riata_smv::Fail;
use riata_smv::check::{Explored, Session};
use riata_smv::machine::Layout;
use riata_symbolic::{Bdd, Oxi};
use std::sync::{Arc, Mutex};

/// Runs the command.
pub fn run(kind: ModelKind, args: &ExploreArgs, common: &Common) -> Exit {
    if args.coverage {
        return complain("--coverage is for Promela models");
    }
    if let Some(exit) = refused(&args.symbolic) {
        return exit;
    }
    let interrupt = Interrupt::listen();
    let document = Document::new("explore", args.model.to_string_lossy());
    let finish = |mut document: Document<Entry>, exit| {
        if common.json {
            document.resident_bytes = resident();
            print(&document.to_text());
        }
        exit
    };
    // Reading the model and looking for an order take time, too.
    let limits = interrupt.limits(&args.limits);
    let named = args.model.to_string_lossy().into_owned();
    let board = Arc::new(Mutex::new(Board::new(document, vec![named.clone()])));
    let guard = watch_both(&board, limits.deadline, Some(&interrupt), common);
    let document = Document::new("explore", named);
    let source = match Source::read(&args.model, kind, None, common) {
        Ok(source) => source,
        Err(bad) => return finish(Document { errors: bad.problems, ..document }, bad.exit),
    };
    let order = match source.order(&args.symbolic) {
        Ok(order) => order,
        Err(exit) => return finish(document, exit),
    };
    let mut entry = Entry { property: None, reason: None, algorithm: "bfs".into(), ..inconclusive("", "") };
    let found = on_large_stack(|| {
        let start = ThreadTime::now();
        let bdd = Oxi::for_bits(limits, source.bits()).reordering(reordering(&args.symbolic));
        let bdd = bdd.listen(Pulses::of(common));
        let layout = Layout::new(&bdd, &source.model, &source.types, 0, &order.variables());
        order.apply(&bdd, &layout);
        source.write_order(&args.symbolic, &layout, &bdd);
        let found = Session::explore(&bdd, &source.model, &source.types, &layout, shape(&args.symbolic));
        source.write_order(&args.symbolic, &layout, &bdd);
        entry.memory_bytes = bdd.bytes() as u64;
        entry.cpu_seconds = start.elapsed().as_secs_f64();
        entry.more.insert("reorderings".into(), bdd.reorderings().into());
        found
    });
    drop(guard);
    let mut document = document;
    let found = match found {
        Ok(found) => found,
        Err(Fail::Stop(stop)) => Explored { stopped: Some(stop), ..Explored::default() },
        Err(Fail::Wrong(d)) => {
            let bad = source.refuse(&d, common);
            document.errors = bad.problems;
            return finish(document, bad.exit);
        }
    };
    let view = View { model: &source.model };
    fill(&mut entry, &found, view);
    if !common.json && !common.quiet {
        print(&text(&source.given, &entry, &found, view));
    }
    document.results.push(entry);
    finish(document, if found.stopped.is_some() { Exit::Inconclusive } else { Exit::Holds })
}

fn fill(entry: &mut Entry, found: &Explored, view: View) {
    match found.stopped {
        Some(stop) => entry.reason = Some(stop.to_string()),
        None => entry.verdict = "complete",
    }
    entry.counters = Counters {
        states: found.states as u64,
        transitions: found.transitions.unwrap_or(0.0) as u64,
        max_depth: found.levels as u64,
        deadlocks: found.deadlocks.map(|n| n as u64),
        levels: Some(found.levels as u64),
        ..Counters::default()
    };
    let more = &mut entry.more;
    more.insert("reachable_states".into(), found.states.into());
    more.insert("initial_states".into(), found.initial.into());
    let known = [("fair_states", found.fair), ("distinct_transitions", found.transitions)];
    more.extend(known.iter().filter_map(|(name, n)| Some(((*name).to_string(), (*n)?.into()))));
    more.insert("state_nodes".into(), found.nodes.into());
    more.insert("peak_nodes".into(), found.peak.into());
    if let Some(trace) = &found.trace {
        more.insert("trace".into(), view.states(&trace.stem).into());
    }
}

fn text(given: &str, entry: &Entry, found: &Explored, view: View) -> String {
    let mut text = format!("{given}: {}", entry.verdict);
    if let Some(reason) = &entry.reason {
        text += &format!(" ({reason}); until then:");
    }
    let (states, initial) = (number(found.states), number(found.initial));
    text += &format!("\n  {states} states, {initial} initial, {} levels", found.levels);
    let known =
        [(found.transitions, "transitions"), (found.deadlocks, "deadlocks"), (found.fair, "fair states")];
    for (n, what) in known.iter().filter_map(|(n, what)| Some(((*n)?, what))) {
        text += &format!(", {} {what}", number(n));
    }
    text += &format!(
        "\n  {} nodes for the states, peak {}, {:.3} s\n",
        found.nodes, found.peak, entry.cpu_seconds
    );
    if let Some(trace) = &found.trace {
        text += &format!("a shortest way to a state without a successor:\n{}", view.text(trace));
    }
    text
}

/// A number of states: exact, or with its power of two.
fn number(n: f64) -> String {
    if n < 1e15 {
        format!("{n:.0}")
    } else if n.is_finite() {
        format!("{n:.6e} (2^{:.2})", n.log2())
    } else {
        "more than 2^1023".into()
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn large_numbers_are_short() {
        assert_eq!(number(16.0), "16");
        assert_eq!(number(2f64.powi(60)), "1.152922e18 (2^60.00)");
        assert_eq!(number(f64::INFINITY), "more than 2^1023");
    }
}
