//! `riata scc`: the strongly connected components of an automaton.

use crate::args::{Common, Decomposition, SccArgs, SccFormat};
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::progress::Spinner;
use crate::stream;
use cpu_time::ThreadTime;
use riata_automata::hoa::Automaton;
use riata_automata::strength;
use riata_explore::scc::{Components, Summary, se05, tarjan};
use riata_report::answer::{Counters, Document};
use riata_report::table::Table;
use riata_store::Dense;
use riata_system::{Explicit, Run, Stop};
use serde::Serialize;
use std::fmt::Write as _;

/// The components of one automaton.
#[derive(Serialize)]
struct Entry {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    algorithm: &'static str,
    strength: &'static str,
    /// In reverse topological order: an edge leads to a smaller number.
    components: Vec<Component>,
    /// The component graph.
    edges: Vec<(u32, u32)>,
    counters: Counters,
    memory_bytes: u64,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct Component {
    id: usize,
    size: u32,
    states: Vec<u32>,
    /// One state without an edge to itself.
    trivial: bool,
    /// No edge leaves it.
    terminal: bool,
    /// Some edge leaves it.
    transient: bool,
    /// An infinite run inside can be accepting.
    accepting: bool,
    /// The acceptance sets met inside.
    marks: Vec<u32>,
}

/// Runs the command.
pub fn run(args: &SccArgs, common: &Common) -> Exit {
    if common.json && args.format != SccFormat::Text {
        return complain(common, "--format dot is no JSON: --json and --format dot exclude each other");
    }
    if common.verbose && args.format != SccFormat::Text {
        return complain(common, "--verbose is for --format text");
    }
    if args.limits.threads.is_some_and(riata::options::Threads::are_several) {
        return complain(common, "--threads: the components of an automaton are found by one thread");
    }
    let interrupt = Interrupt::listen();
    let input = match Input::read(&args.file) {
        Ok(input) => input,
        Err(message) => return complain(common, &message),
    };
    let mut doc: Document<Entry> = Document::new("scc", &input.given);
    let (exit, problems) = stream::for_each(&input, common, &interrupt, |index, automaton| {
        let entry = decompose(args, common, &interrupt, index, automaton);
        let exit = if entry.verdict == "complete" { Exit::Holds } else { Exit::Inconclusive };
        if common.json {
            doc.results.push(entry);
        } else if !common.quiet {
            print(&match args.format {
                SccFormat::Text => text(&input.name, &entry, common.verbose),
                SccFormat::Dot => dot(&entry),
            });
        }
        exit
    });
    doc.errors = problems;
    if common.json {
        print(&doc.to_text());
    }
    exit
}

fn decompose(args: &SccArgs, common: &Common, interrupt: &Interrupt, index: usize, a: &Automaton) -> Entry {
    let graph = Explicit::new(&a.tgba);
    let name = match args.algorithm {
        Decomposition::Tarjan => "tarjan",
        Decomposition::Se05 => "se05",
    };
    let mut spinner = Spinner::new(common, name, args.limits.memory);
    let mut run = Run::new(interrupt.limits(&args.limits)).listen(&mut spinner);
    let start = ThreadTime::now();
    let found: Result<Components, Stop> = match args.algorithm {
        Decomposition::Tarjan => tarjan(&graph, &mut Dense, &mut run),
        Decomposition::Se05 => se05(&graph, &mut Dense, &mut run),
    };
    let cpu_seconds = start.elapsed().as_secs_f64();
    let c = run.counters;
    let (verdict, reason) = match &found {
        Ok(_) => ("complete", None),
        Err(stop) => ("inconclusive", Some(stop.to_string())),
    };
    let found = found.unwrap_or_default();
    let mut states = vec![Vec::new(); found.all.len()];
    for (s, &of) in found.of.iter().enumerate().filter(|(_, of)| **of != Components::NONE) {
        states[of as usize].push(s as u32);
    }
    let all = a.tgba.all();
    let describe = |(id, (summary, states)): (usize, (&Summary, Vec<u32>))| Component {
        id,
        size: summary.states,
        states,
        trivial: summary.trivial,
        terminal: summary.terminal,
        transient: !summary.terminal,
        accepting: !summary.trivial && summary.marks.contains(all),
        marks: summary.marks.iter().collect(),
    };
    Entry {
        index,
        name: a.name.clone(),
        verdict,
        reason,
        algorithm: name,
        strength: strength::of_graph(&a.tgba).name(),
        components: found.all.iter().zip(states).enumerate().map(describe).collect(),
        edges: found.edges,
        counters: Counters::from(c),
        memory_bytes: c.bytes,
        cpu_seconds,
    }
}

/// What kind of component it is, in words.
fn kind(c: &Component) -> String {
    let mut kind = String::from(if c.terminal { "terminal" } else { "transient" });
    if c.trivial {
        kind += ", trivial";
    }
    if c.accepting {
        kind += ", accepting";
    }
    kind
}

fn text(input: &str, e: &Entry, verbose: bool) -> String {
    /// So many components and states are listed, unless the user wants more.
    const SHOWN: usize = 20;
    let shown = if verbose { usize::MAX } else { SHOWN };
    if let Some(reason) = &e.reason {
        return format!("{input}: inconclusive ({reason})\n");
    }
    let count = |f: fn(&Component) -> bool| e.components.iter().filter(|c| f(c)).count();
    let mut text = format!(
        "{input}: {} components ({} trivial, {} terminal, {} accepting) of {} states; the automaton is {}\n",
        e.components.len(),
        count(|c| c.trivial),
        count(|c| c.terminal),
        count(|c| c.accepting),
        e.counters.states,
        e.strength,
    );
    if verbose {
        let c = &e.counters;
        let _ = writeln!(
            text,
            "  by {}: {} transitions, depth {}, {} bytes, {:.3} s",
            e.algorithm, c.transitions, c.max_depth, e.memory_bytes, e.cpu_seconds
        );
    }
    let mut successors = vec![Vec::new(); e.components.len().min(shown)];
    for &(from, to) in &e.edges {
        if let Some(list) = successors.get_mut(from as usize) {
            list.push(to);
        }
    }
    let list = |items: &[u32]| {
        let mut words: Vec<String> = items.iter().take(shown).map(u32::to_string).collect();
        if items.len() > shown {
            words.push("…".into());
        }
        words.join(" ")
    };
    let mut table = Table::new(&["component", "size", "kind", "leads to", "states"]);
    for (c, to) in e.components.iter().zip(&successors) {
        table.row([c.id.to_string(), c.size.to_string(), kind(c), list(to), list(&c.states)]);
    }
    text += &table.to_text();
    if e.components.len() > shown {
        let _ = writeln!(text, "… and {} more (-v shows all)", e.components.len() - shown);
    }
    text
}

/// The component graph for Graphviz.
fn dot(e: &Entry) -> String {
    let mut text = String::from("digraph components {\n  node [shape=box]\n");
    for c in &e.components {
        let shape = if c.accepting { ", peripheries=2" } else { "" };
        let states =
            if c.size == 1 { format!("state {}", c.states[0]) } else { format!("{} states", c.size) };
        let _ = writeln!(text, "  c{} [label=\"{}\\n{}\"{shape}]", c.id, states, kind(c));
    }
    for (from, to) in &e.edges {
        let _ = writeln!(text, "  c{from} -> c{to}");
    }
    text + "}\n"
}
