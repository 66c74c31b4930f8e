//! `riata explore MODEL.dve --engine symbolic`: how many states there are, and what is wrong with them.

use super::check::{claim_atoms, faulty, violations, with_claim};
use super::{manager, path, refuse, setup};
use crate::args::{Common, ExploreArgs};
use crate::check::ready;
use crate::explore::describe_end;
use crate::model::Loaded;
use crate::output::{Exit, complain, print};
use crate::symbolic::{Board, inconclusive, on_large_stack, watch};
use crate::trace::Viewer;
use crate::watch::Interrupt;
use cpu_time::ThreadTime;
use riata_automata::Tgba;
use riata_program::{Ends, Interpreter, NoAutomaton, Options, Watch};
use riata_report::json::{Counters, Document, Entry};
use riata_symbolic::Bdd;
use riata_symbolic::learn::session::{At, Session, with};
use riata_symbolic::product::bits_of;
use riata_system::{Path, Stop, Walk};
use std::sync::{Arc, Mutex};

/// What was found.
struct Found {
    states: f64,
    transitions: Option<f64>,
    deadlocks: f64,
    violations: f64,
    trace: Option<Path>,
    nodes: usize,
    relation: usize,
    peak: usize,
    bytes: usize,
    sweeps: usize,
    attempts: usize,
    reorderings: usize,
}

/// Runs the command on a model that was read.
pub fn run(args: &ExploreArgs, common: &Common, interrupt: &Interrupt, loaded: &Loaded) -> Exit {
    match explore(args, common, interrupt, loaded) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn explore(
    args: &ExploreArgs,
    common: &Common,
    interrupt: &Interrupt,
    loaded: &Loaded,
) -> Result<Exit, Exit> {
    refuse(&args.symbolic, args.store)?;
    let interpreter = ready(loaded, common, Options::default())?;
    let claimed = ready(loaded, common, Options { claim: true, ends: Ends::Stutter })?;
    let watched = Watch::new(&interpreter);
    let claim = match watched.claim() {
        Ok(claim) => Some(claim),
        Err(NoAutomaton::NoClaim) => None,
        Err(why) => return Err(complain(&format!("{why}; the explicit engine takes such models"))),
    };
    let setup = setup(&args.symbolic, claim.as_ref().map_or(0, |c| bits_of(&c.0)));
    let limits = interrupt.limits(&args.limits);
    let document = Document::new("explore", args.model.to_string_lossy());
    let board = Arc::new(Mutex::new(Board::new(document, vec![loaded.given.clone()])));
    let guard = watch(&board, limits.deadline, common);
    let mut cpu_seconds = 0.0;
    let found = on_large_stack(|| {
        let start = ThreadTime::now();
        let make = |bits| manager(&args.symbolic, common, limits, bits);
        let found = with(&watched, &setup, make, |session| {
            let mut found = count(session, &watched, &claimed, claim.as_ref())?;
            if let Some(found) = &mut found {
                found.reorderings = session.learned.bdd().reorderings();
            }
            Ok(found)
        });
        cpu_seconds = start.elapsed().as_secs_f64();
        found
    });
    drop(guard);
    let mut entry = Entry { cpu_seconds, ..inconclusive("", "") };
    (entry.property, entry.reason, entry.algorithm) = (None, None, "chaining".into());
    let found = match found {
        Ok(Some(found)) => Some(found),
        Ok(None) => return Err(faulty()),
        Err(stop) => {
            entry.reason = Some(stop.to_string());
            None
        }
    };
    let viewer = Viewer::new(loaded, &claimed);
    if let Some(f) = &found {
        entry.verdict = "complete";
        entry.counters = Counters {
            states: f.states as u64,
            transitions: f.transitions.unwrap_or(0.0) as u64,
            deadlocks: Some(f.deadlocks as u64),
            violations: Some(f.violations as u64),
            ..Counters::default()
        };
        entry.memory_bytes = f.bytes as u64;
        let numbers = [
            ("peak_nodes", f.peak),
            ("state_nodes", f.nodes),
            ("relation_nodes", f.relation),
            ("sweeps", f.sweeps),
            ("attempts", f.attempts),
            ("reorderings", f.reorderings),
        ];
        entry.more.extend(numbers.map(|(name, n)| (name.to_string(), n.into())));
        entry.more.insert("reachable_states".into(), f.states.into());
        if let Some(path) = &f.trace {
            entry.more.insert("trace".into(), viewer.states(path).into());
        }
    }
    let complete = found.is_some();
    if common.json {
        let mut document = Document::new("explore", args.model.to_string_lossy());
        document.results.push(entry);
        document.resident_bytes = crate::empty::resident();
        print(&document.to_text());
    } else if !common.quiet {
        let mut text = format!("{}: {}", loaded.given, entry.verdict);
        if let Some(reason) = &entry.reason {
            text += &format!(" ({reason})");
        }
        text.push('\n');
        if let Some(f) = &found {
            text += &f.text(entry.cpu_seconds);
            if let Some(path) = &f.trace {
                let walk = Walk::along(&claimed, path.clone());
                let mut trace = viewer.trace(&walk);
                trace.end = describe_end(loaded, &claimed, &walk);
                text += &format!("a shortest way to a violation:\n{}", trace.to_text());
            }
        }
        print(&text);
    }
    Ok(if complete { Exit::Holds } else { Exit::Inconclusive })
}

impl Found {
    fn text(&self, seconds: f64) -> String {
        let number = |n: f64| if n < 1e15 { format!("{n:.0}") } else { format!("{n:.3e}") };
        let transitions = self.transitions.map_or(String::new(), |t| format!(", {} transitions", number(t)));
        format!(
            "  {} states{transitions}, {} deadlocks, {} violations\n  {} nodes for the states, {} for the relation, peak {}\n  {} attempts at steps, {} sweeps, {seconds:.3} s\n",
            number(self.states),
            number(self.deadlocks),
            number(self.violations),
            self.nodes,
            self.relation,
            self.peak,
            self.attempts,
            self.sweeps,
        )
    }
}

/// Counts; nothing if the claim is not one for this engine.
fn count<B: Bdd>(
    session: &Session<B, Watch>,
    watched: &Watch,
    claimed: &Interpreter,
    claim: Option<&(Tgba, Vec<usize>)>,
) -> Result<Option<Found>, Stop> {
    let (set, bdd) = (&session.learned, session.learned.bdd());
    let violations = violations(session, watched)?;
    let deadlocks = session.deadlocks()?;
    let way = if claim.is_some() || violations == bdd.constant(false) {
        None
    } else {
        session.path_to(&violations)?
    };
    let mut found = Found {
        states: set.count(&set.reached),
        transitions: Some(set.transitions()?),
        deadlocks: set.count(&deadlocks),
        violations: set.count(&violations),
        trace: way.map(|states| path(&states)),
        nodes: bdd.size(&[&set.reached]),
        relation: set.size(),
        peak: 0,
        bytes: 0,
        sweeps: set.sweeps,
        attempts: set.attempts,
        reorderings: 0,
    };
    if let Some((automaton, questions)) = claim {
        let Some(atoms) = claim_atoms(session, watched, questions)? else { return Ok(None) };
        let product = session.product(automaton, &atoms, &[&deadlocks, &violations])?;
        found.states = product.states;
        (found.deadlocks, found.violations) = (product.counts[0], product.counts[1]);
        let states = |list: &Vec<At>| list.iter().map(|at| with_claim(claimed, at)).collect::<Vec<_>>();
        found.trace = product.paths[1].as_ref().map(|list| path(&states(list)));
        // Steps of system and claim together are not counted.
        found.transitions = None;
    }
    (found.peak, found.bytes) = (bdd.peak_live(), bdd.bytes());
    Ok(Some(found))
}
