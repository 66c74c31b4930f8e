//! `riata empty`: has an automaton an accepting run?

mod sets;

use crate::args::{Common, EmptyArgs};
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, eprint, error_line, print};
use crate::progress::Spinner;
use crate::session::resident;
use crate::stream;
use riata::options::{Algorithms, Engine, Store as StoreKind, Threads};
use riata::search::{Outcome, Plan, Search};
use riata::table::only_symbolic;
use riata_automata::hoa::Automaton;
use riata_automata::{Strength, strength};
use riata_explore::shortest::shortest;
use riata_explore::{Algorithm, Refused, choose, choose_shared};
use riata_report::answer::{self, Answer as Entry, Counters, Document, Lasso, Skipped};
use riata_report::table::Table;
use riata_system::{Explicit, Run, Verdict, replay};
use serde_json::Value;

/// Runs the command.
pub fn run(args: &EmptyArgs, common: &Common) -> Exit {
    if let Some(why) = args.refused() {
        return complain(common, &why);
    }
    let interrupt = Interrupt::listen();
    let input = match Input::read(&args.file) {
        Ok(input) => input,
        Err(message) => return complain(common, &message),
    };
    let mut doc: Document<Entry> = Document::new("empty", &input.given);
    let (mut skipped, mut refused) = (Vec::new(), Vec::new());
    let (exit, problems) = stream::for_each(&input, common, &interrupt, |index, automaton| {
        let job = Job { args, common, interrupt: &interrupt, automaton, index };
        let (entries, skip) = match job.check() {
            Ok(done) => done,
            Err(message) => {
                let message = format!("{}: {message}", job.title(&input.name));
                eprint(&error_line(common.colour_errors(), &message));
                refused.push(message.into());
                return Exit::Bad;
            }
        };
        let exit = verdict_of(&entries);
        if !common.json && !common.quiet {
            print(&job.text(&input.name, &entries, &skip));
        }
        doc.results.extend(entries);
        skipped.extend(skip);
        exit
    });
    doc.skipped = skipped;
    doc.errors = problems;
    doc.errors.extend(refused);
    doc.resident_bytes = resident();
    if common.json {
        print(&doc.to_text());
    }
    exit
}

/// The exit code for the checks of one automaton.
///
/// # Panics
/// If two checks contradict each other: that is a bug, never a verdict.
fn verdict_of(entries: &[Entry]) -> Exit {
    let some = |v| entries.iter().find(|e| e.verdict == v);
    match (some(answer::Verdict::Empty), some(answer::Verdict::Nonempty)) {
        (Some(e), Some(n)) => {
            panic!("internal error: {} says empty, {} says nonempty", e.algorithm, n.algorithm)
        }
        (Some(_), None) => Exit::Holds,
        (None, Some(_)) => Exit::Violated,
        (None, None) => Exit::Inconclusive,
    }
}

/// The checks of one automaton.
struct Job<'a> {
    args: &'a EmptyArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    automaton: &'a Automaton,
    index: usize,
}

impl Job<'_> {
    fn is_symbolic(&self) -> bool {
        self.args.engine == Some(Engine::Symbolic)
    }

    /// Runs what was asked for; an error is a check that does not apply.
    fn check(&self) -> Result<(Vec<Entry>, Vec<Skipped>), String> {
        if self.is_symbolic() {
            let mut entries = sets::check(self)?;
            self.shorten(&mut entries);
            return Ok((entries, Vec::new()));
        }
        let numbered = self.args.store != Some(StoreKind::Bitstate);
        // A check for all automata does not need to know the strength, and a large one takes a while to classify.
        let strength = match self.args.algorithm {
            Algorithms::One(a) if a.refuses(Strength::General, numbered).is_none() => None,
            _ => Some(strength::of_graph(&self.automaton.tgba)),
        };
        let mut entries = Vec::new();
        let mut skipped = Vec::new();
        let several = self.args.limits.threads.is_some_and(Threads::are_several);
        let lossy = self.args.store.is_some_and(StoreKind::is_lossy);
        match self.args.algorithm {
            Algorithms::One(a) if several && !lossy && !a.needs_shared() => {
                return Err(Refused::Threads { check: a }.to_string());
            }
            Algorithms::One(a) => entries.push(self.entry(a, strength, None)?),
            Algorithms::Symbolic(a) => return Err(only_symbolic(a)),
            Algorithms::Auto if several && !lossy => {
                let choice = choose_shared();
                entries.push(self.entry(choice.algorithm, strength, Some(choice.reason))?);
            }
            Algorithms::Auto => {
                let choice = choose(strength.unwrap_or(Strength::General), numbered);
                entries.push(self.entry(choice.algorithm, strength, Some(choice.reason))?);
            }
            Algorithms::All => {
                for a in Algorithm::ALL.into_iter().chain(Algorithm::SHARED) {
                    match self.entry(a, strength, None) {
                        Ok(entry) => entries.push(entry),
                        Err(reason) => skipped.push(Skipped {
                            index: Some(self.index),
                            algorithm: a.name().into(),
                            reason,
                        }),
                    }
                }
            }
        }
        self.shorten(&mut entries);
        Ok((entries, skipped))
    }

    /// Only some checks of an automaton are by several threads.
    fn threads(&self, algorithm: Algorithm) -> usize {
        let lossy = self.args.store.is_some_and(StoreKind::is_lossy);
        if algorithm.needs_shared() || lossy { Threads::number(self.args.limits.threads) } else { 1 }
    }

    fn entry(
        &self,
        algorithm: Algorithm,
        strength: Option<Strength>,
        why: Option<&str>,
    ) -> Result<Entry, String> {
        let plan = Plan {
            automaton: &self.automaton.tgba,
            strength: strength.unwrap_or(Strength::General),
            search: Search {
                algorithm,
                store: self.args.store.unwrap_or(StoreKind::Dense),
                hashing: &self.args.hashing,
                bitstate: self.args.limits.memory,
                limits: self.interrupt.limits(&self.args.limits),
                threads: self.threads(algorithm),
                profile: None,
            },
        };
        let mut spinner = Spinner::new(self.common, algorithm.name(), self.args.limits.memory);
        let outcome = plan.run(&mut spinner).map_err(|refused| refused.to_string())?;
        drop(spinner);
        let mut entry = self.describe(outcome);
        entry.algorithm = algorithm.name().into();
        entry.why = why.map(Into::into);
        entry.strength = strength.map(Strength::name);
        Ok(entry)
    }

    fn describe(&self, o: Outcome) -> Entry {
        let (verdict, reason, lasso) = match &o.verdict {
            Verdict::Empty => (answer::Verdict::Empty, None, None),
            Verdict::Accepting(lasso) => (answer::Verdict::Nonempty, None, Some(as_json(lasso))),
            Verdict::Inconclusive(stop) => (answer::Verdict::Inconclusive, Some(stop.to_string()), None),
        };
        Entry {
            index: Some(self.index),
            name: self.automaton.name.clone(),
            verdict,
            reason,
            store: o.store.name().into(),
            threads: Some(o.threads).filter(|&n| n > 1),
            degeneralised: o.degeneralised,
            counters: Counters::from(o.counters),
            memory_bytes: o.counters.bytes,
            cpu_seconds: o.cpu_seconds,
            lasso,
            hashing: o.coverage.map(|(coverage, runs)| {
                let hashes = self.args.hashing.bits();
                answer::Hashing { coverage, runs, hashes, seed: self.args.hashing.seed.unwrap_or(0) }
            }),
            ..Entry::default()
        }
    }

    /// With `--shortest`: replaces the lassos by a shortest one.
    fn shorten(&self, entries: &mut [Entry]) {
        if !self.args.shortest || entries.iter().all(|e| e.lasso.is_none()) {
            return;
        }
        let graph = Explicit::new(&self.automaton.tgba);
        let mut spinner = Spinner::new(self.common, "shortest", self.args.limits.memory);
        let mut run = Run::new(self.interrupt.limits(&self.args.limits)).listen(&mut spinner);
        let (lasso, open) = match shortest(&graph, &mut run) {
            Ok(Some(found)) => (found.lasso, found.interrupted),
            Ok(None) => {
                panic!("internal error: a run was found, and the search for a shortest one finds none")
            }
            Err(stop) => {
                eprint(&format!("warning: no shortest lasso: {stop}\n"));
                return;
            }
        };
        if let Err(e) = replay(&graph, &lasso) {
            panic!("internal error: the shortest lasso cannot be replayed: {e}");
        }
        for entry in entries.iter_mut().filter(|e| e.lasso.is_some()) {
            entry.lasso = Some(as_json(&lasso));
            entry.shortest = Some(open.is_none());
            if let Some(stop) = open {
                entry.reason = Some(format!("a shorter lasso may exist: {stop}"));
            }
        }
    }

    fn title(&self, input: &str) -> String {
        match &self.automaton.name {
            Some(name) => format!("{input}: automaton {} ({})", self.index, one_line(name)),
            None if self.index > 0 => format!("{input}: automaton {}", self.index),
            None => input.to_string(),
        }
    }

    fn text(&self, input: &str, entries: &[Entry], skipped: &[Skipped]) -> String {
        let mut text = String::new();
        if self.args.algorithm == Algorithms::All {
            let table = if self.is_symbolic() {
                riata_report::text::symbolic_table(&entries.iter().collect::<Vec<_>>())
            } else {
                comparison(entries)
            };
            text += &format!("{}\n{table}", self.title(input));
            for s in skipped {
                text += &format!("skipped {}: {}\n", s.algorithm, s.reason);
            }
        }
        let shown = if self.args.algorithm == Algorithms::All {
            entries.iter().find(|e| e.lasso.is_some())
        } else {
            entries.first()
        };
        if self.args.algorithm == Algorithms::All && self.common.verbose {
            let store = entries.first().map_or("-", |e| &e.store);
            text += &format!("  store: {store}\n");
        }
        let Some(e) = shown else { return text };
        if self.args.algorithm != Algorithms::All {
            text += &format!("{}: {}", self.title(input), e.verdict);
            if let Some(reason) = &e.reason {
                text += &format!(" ({reason})");
            }
            text += "\n";
            text = self.common.painted(text, &self.title(input), e.verdict);
        }
        if let Some(lasso) = &e.lasso {
            text += &self.path("stem", &lasso.stem);
            text += &self.path("cycle", &lasso.cycle);
        }
        if self.args.algorithm != Algorithms::All {
            text += &self.details(e);
        }
        text
    }

    fn details(&self, e: &Entry) -> String {
        let c = &e.counters;
        let mut text = format!("  check: {}", e.algorithm);
        if let Some(why) = &e.why {
            text += &format!(" ({why})");
        }
        if self.is_symbolic() {
            text += &sets::details(e);
            return if self.common.verbose { text + &riata_report::text::cost(e) } else { text };
        }
        if e.degeneralised {
            text += " on the degeneralised graph";
        }
        text += &format!(
            "\n  visited: {}, {}, depth {}\n",
            count(c.states, "state"),
            count(c.transitions, "transition"),
            c.max_depth
        );
        if let Some(h) = &e.hashing {
            let percent = h.coverage * 100.0;
            text += &format!("  coverage: {percent:.4} % (estimated), {} hash functions\n", h.hashes);
        }
        if self.common.verbose {
            text += &format!(
                "  post calls: {}, roots: {}, active: {}\n  store: {}, {} bytes, {:.3} s\n",
                c.post_calls, c.max_roots, c.max_active, e.store, e.memory_bytes, e.cpu_seconds
            );
        }
        text
    }

    /// A line of states; a long one is cut unless the user wants more.
    fn path(&self, what: &str, states: &[Value]) -> String {
        const SHOWN: usize = 50;
        let shown = if self.common.verbose { states.len() } else { SHOWN };
        let mut text = format!("  {what}:");
        for s in states.iter().take(shown) {
            text += &format!(" {s}");
        }
        if states.len() > shown {
            text += &format!(" … and {} more (-v shows all)", states.len() - shown);
        }
        text + "\n"
    }
}

/// `1 state`, `2 states`.
fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The table of `--algorithm all`.
fn comparison(entries: &[Entry]) -> String {
    let mut table = Table::new(&[
        "check",
        "verdict",
        "states",
        "transitions",
        "posts",
        "depth",
        "roots",
        "active",
        "bytes",
        "seconds",
        "lasso",
        "remark",
    ]);
    for e in entries {
        let c = &e.counters;
        let numbers =
            [c.states, c.transitions, c.post_calls, c.max_depth, c.max_roots, c.max_active, e.memory_bytes];
        let mut row = vec![e.algorithm.clone(), e.verdict.to_string()];
        row.extend(numbers.iter().map(u64::to_string));
        row.push(format!("{:.3}", e.cpu_seconds));
        row.push(e.lasso.as_ref().map_or("-".into(), |l| (l.stem.len() + l.cycle.len()).to_string()));
        let degeneralised = if e.degeneralised { "degeneralised" } else { "" };
        row.push(e.reason.clone().unwrap_or_else(|| degeneralised.into()));
        table.row(row);
    }
    table.to_text()
}

fn as_json(lasso: &riata_system::Lasso) -> Lasso {
    let states = |path: &riata_system::Path| path.iter().map(|s| Value::from(s[0])).collect();
    Lasso { stem: states(&lasso.stem), cycle: states(&lasso.cycle) }
}

/// A name from the input, fit for a line of output.
fn one_line(name: &str) -> String {
    name.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
