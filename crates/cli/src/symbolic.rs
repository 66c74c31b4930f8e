//! What every front end of the symbolic engine shares: stack, time, entries, tables.

use crate::args::{Algorithms, CheckArgs, Common, Symbolic};
use crate::empty::resident;
use crate::output::{Exit, complain, print};
use crate::watch::Interrupt;
use riata_report::json::{Counters, Document, Entry};
use riata_symbolic::Algorithm;
use riata_symbolic::oxi::Reordering;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The refusal of a symbolic algorithm by the explicit engine.
pub fn only(algorithm: Algorithm) -> String {
    format!("{} is an algorithm of the symbolic engine (--engine symbolic)", algorithm.name())
}

/// The algorithms that were asked for; `None` leaves the choice to the engine.
pub fn algorithms(args: &CheckArgs) -> Result<Vec<Option<Algorithm>>, Exit> {
    match args.algorithm {
        Algorithms::Auto => Ok(vec![None]),
        Algorithms::All => Ok(Algorithm::ALL.into_iter().map(Some).collect()),
        Algorithms::Symbolic(a) => Ok(vec![Some(a)]),
        Algorithms::One(a) => {
            let name = a.name();
            Err(complain(&format!(
                "{name} is an algorithm of the explicit engine; this is checked by the symbolic one"
            )))
        }
    }
}

/// When the order of the variables changes.
pub fn reordering(flags: &Symbolic) -> Reordering {
    match (flags.reorder, flags.no_reorder) {
        (true, _) => Reordering::Eager,
        (_, true) => Reordering::Never,
        _ => Reordering::Late,
    }
}

/// The stack of the engine's thread. Operations on diagrams are recursive, as deep as there are variables.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread with a large stack.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|t| t.join()) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without memory for a stack there is none for the work either.
            Err(e) => panic!("cannot start a thread: {e}"),
        }
    })
}

/// The entries found so far, and the names of those that are still to come.
pub struct Board {
    /// What is printed with `--json`.
    pub document: Document<Entry>,
    /// Properties without an entry.
    pub open: Vec<String>,
    /// What is still to be told of the entries, if they are not told as they come.
    pub untold: String,
}

impl Board {
    /// Nothing was found yet.
    pub fn new(document: Document<Entry>, open: Vec<String>) -> Self {
        Board { document, open, untold: String::new() }
    }
}

/// Ends the program if the engine does not notice that its time is over: one operation on diagrams may take long, and
/// cannot be stopped from outside.
///
/// The watch ends when what is returned goes away.
pub fn watch(board: &Arc<Mutex<Board>>, deadline: Option<Instant>, common: &Common) -> Watch {
    watch_both(board, deadline, None, common)
}

/// The same, also when the user has asked for an end.
pub fn watch_both(
    board: &Arc<Mutex<Board>>,
    deadline: Option<Instant>,
    interrupt: Option<&Interrupt>,
    common: &Common,
) -> Watch {
    let over = Arc::new(AtomicBool::new(false));
    let watch = Watch(over.clone());
    if deadline.is_none() && interrupt.is_none() {
        return watch;
    }
    let (board, json, quiet) = (board.clone(), common.json, common.quiet);
    let interrupt = interrupt.cloned();
    std::thread::spawn(move || {
        let why = loop {
            if over.load(Ordering::Relaxed) {
                return;
            }
            if interrupt.as_ref().is_some_and(Interrupt::is_set) {
                break "interrupted";
            }
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                break "time limit reached";
            }
            // Only someone who may be interrupted is looked at now and then.
            let turn = if interrupt.is_some() { TURN } else { Duration::MAX };
            std::thread::sleep(left.unwrap_or(turn).min(turn));
        };
        std::thread::sleep(GRACE);
        let Ok(mut board) = board.lock() else { return };
        if over.load(Ordering::Relaxed) {
            return;
        }
        if !quiet && !json {
            print(&board.untold);
        }
        let violated = board.document.results.iter().any(|e| e.verdict == "violated");
        for name in std::mem::take(&mut board.open) {
            if !quiet && !json {
                print(&format!("{name}: inconclusive ({why})\n"));
            }
            let mut entry = inconclusive(&name, why);
            entry.property = entry.property.filter(|_| board.document.command == "check");
            board.document.results.push(entry);
        }
        if json {
            board.document.resident_bytes = resident();
            print(&board.document.to_text());
        }
        let exit = if violated { Exit::Violated } else { Exit::Inconclusive };
        std::process::exit(exit as i32);
    });
    watch
}

/// How long the engine has to notice by itself that it is to end.
const GRACE: Duration = Duration::from_millis(500);
/// How often an interrupt is looked for.
const TURN: Duration = Duration::from_millis(50);

/// Someone looks at the clock.
pub struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An entry that says that nothing is known.
pub fn inconclusive(property: &str, reason: &str) -> Entry {
    Entry {
        property: Some(property.to_string()),
        verdict: "inconclusive",
        reason: Some(reason.to_string()),
        engine: "symbolic",
        store: "bdd".into(),
        ..Entry::default()
    }
}

/// Fills in what the engine counted.
pub fn count(entry: &mut Entry, c: &riata_symbolic::Counters, states: f64, peak: usize) {
    entry.counters = Counters { states: states as u64, ..Counters::default() };
    let numbers = [
        ("external_iterations", c.external_iterations),
        ("ex", c.ex),
        ("ey", c.ey),
        ("eu", c.eu),
        ("es", c.es),
        ("peak_nodes", peak as u64),
    ];
    entry.more.extend(numbers.map(|(name, n)| (name.to_string(), n.into())));
    entry.more.insert("iteration_sizes".into(), c.sizes.clone().into());
    entry.more.insert("reachable_states".into(), states.into());
}

/// FFKVY01's table for one property.
pub fn table(entries: &[&Entry]) -> String {
    let number = |e: &Entry, name: &str| e.more.get(name).map_or("-".to_string(), |v| v.to_string());
    let mut rows = vec![
        ["procedure", "verdict", "ext. iter.", "EX/EY", "EU/ES", "time (s)", "mem (MiB)", "peak live nodes"]
            .map(String::from),
    ];
    for e in entries {
        rows.push([
            e.algorithm.clone(),
            e.verdict.to_string(),
            number(e, "external_iterations"),
            format!("{}/{}", number(e, "ex"), number(e, "ey")),
            format!("{}/{}", number(e, "eu"), number(e, "es")),
            format!("{:.3}", e.cpu_seconds),
            format!("{:.1}", e.memory_bytes as f64 / f64::from(1 << 20)),
            number(e, "peak_nodes"),
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
