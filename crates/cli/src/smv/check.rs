//! `riata check MODEL.smv`, `MODEL.aag`, `MODEL.aig`: specifications of synchronous models, by the symbolic engine.

use super::order::Order;
use super::tell::{Run, say};
use super::view::View;
use super::{Source, refused, shape};
use crate::args::{Algorithms, CheckArgs, Common, ModelKind};
use crate::check::write;
use crate::empty::resident;
use crate::output::{Exit, complain, print};
use crate::symbolic::{
    Board, Watch, algorithms, count, inconclusive, on_large_stack, reordering, table, watch_both,
};
use crate::watch::{Interrupt, Pulses};
use cpu_time::ThreadTime;
use riata_aiger::Circuit;
use riata_aiger::witness::{self, Property};
use riata_report::json::{Document, Entry, Lasso};
use riata_smv::Fail;
use riata_smv::ast::Logic;
use riata_smv::check::{Answer, Automaton, Length, Method, Session};
use riata_smv::machine::Layout;
use riata_smv::model::Spec;
use riata_source::Diagnostic;
use riata_symbolic::{Algorithm, Bdd, Oxi, Strength};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Runs the command.
pub fn run(kind: ModelKind, args: &CheckArgs, common: &Common, interrupt: &Interrupt) -> Exit {
    if let Some(exit) = refused(&args.symbolic) {
        return exit;
    }
    let mut document = Document::new("check", args.model.to_string_lossy());
    // Reading the model and translating its formulas take time, too.
    let limits = interrupt.limits(&args.limits);
    let early = Arc::new(Mutex::new(Board::new(document.clone(), Vec::new())));
    let guard = watch_both(&early, limits.deadline, Some(interrupt), common);
    let ltl = args.ltl.iter().map(|f| (Logic::Ltl, f.clone()));
    let formulas: Vec<(Logic, String)> =
        ltl.chain(args.ctl.iter().map(|f| (Logic::Ctl, f.clone()))).collect();
    let source = match Source::read(&args.model, kind, Some(&formulas), common) {
        Ok(source) => source,
        Err(bad) => {
            document.errors = bad.problems;
            if common.json {
                document.resident_bytes = resident();
                print(&document.to_text());
            }
            return bad.exit;
        }
    };
    let board = Arc::new(Mutex::new(Board::new(document, Vec::new())));
    let shown = Mutex::default();
    let pulses = Pulses::new(common);
    early.lock().unwrap_or_else(PoisonError::into_inner).open =
        source.model.specs.iter().map(|s| s.name.clone()).collect();
    let job = Job {
        args,
        common,
        interrupt,
        source: &source,
        board: &board,
        shown: &shown,
        pulses,
        reading: Mutex::new(Some((guard, limits.deadline))),
    };
    let mut exit = on_large_stack(|| job.check());
    if exit != Exit::Bad {
        exit = exit.and(job.write_witnesses());
    }
    if common.json {
        let mut board = job.board();
        board.document.resident_bytes = resident();
        print(&board.document.to_text());
    }
    exit
}

struct Job<'a> {
    args: &'a CheckArgs,
    common: &'a Common,
    interrupt: &'a Interrupt,
    source: &'a Source,
    board: &'a Arc<Mutex<Board>>,
    shown: &'a Mutex<Shown>,
    pulses: Pulses,
    /// Who watches the time until the first round, and until when.
    reading: Mutex<Option<(Watch, Option<Instant>)>>,
}

/// What was written, and is to be written.
#[derive(Default)]
struct Shown {
    /// Was a run written to the files that were asked for?
    told: bool,
    /// The witnesses of a circuit's properties, by the names of these.
    witnesses: HashMap<String, String>,
}

/// A specification that was asked for.
struct Wanted<'m> {
    spec: &'m Spec,
    automaton: Option<Automaton>,
}

impl Job<'_> {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The property of a circuit that a specification is.
    fn numbered(&self, spec: &Spec) -> Option<(&Circuit, Property)> {
        let circuit = self.source.circuit.as_ref()?;
        let number = self.source.model.specs.iter().position(|s| s.name == spec.name)?;
        Some((circuit, Property::of(circuit, number)))
    }

    fn remember_witness(&self, spec: &Spec, answer: &Answer) {
        let Some((circuit, property)) = self.numbered(spec) else { return };
        let states: Vec<_> = answer.trace.iter().flat_map(|t| t.stem.iter().chain(&t.cycle)).collect();
        let known = if answer.holds { witness::Answer::Holds } else { witness::Answer::Violated(&states) };
        let text = || witness::write(circuit, property, known);
        self.shown().witnesses.entry(spec.name.clone()).or_insert_with(text);
    }

    /// Writes the witnesses, if that was asked for.
    fn write_witnesses(&self) -> Exit {
        let Some(file) = &self.args.witness else { return Exit::Holds };
        let wanted = self.wanted().unwrap_or_default();
        let shown = self.shown();
        let text = wanted.iter().filter_map(|w| {
            let (circuit, property) = self.numbered(w.spec)?;
            let open = || witness::write(circuit, property, witness::Answer::Unknown);
            Some(shown.witnesses.get(&w.spec.name).cloned().unwrap_or_else(open))
        });
        write(&vec![(file.clone(), Ok(text.collect()))])
    }

    fn refuse(&self, wrong: &Diagnostic) -> Exit {
        let bad = self.source.refuse(wrong, self.common);
        self.board().document.errors = bad.problems;
        bad.exit
    }

    fn check(&self) -> Exit {
        let wanted = match self.wanted() {
            Ok(wanted) => wanted,
            Err(exit) => return exit,
        };
        let (algorithms, order) =
            match algorithms(self.args).and_then(|a| Ok((a, self.source.order(&self.args.symbolic)?))) {
                Ok(both) => both,
                Err(exit) => return exit,
            };
        let mut exit = Exit::Holds;
        for algorithm in algorithms {
            let round = Round { job: self, wanted: &wanted, order: &order, algorithm };
            exit = exit.and(match round.run() {
                Ok(exit) => exit,
                Err(Fail::Wrong(d)) => return self.refuse(&d),
                Err(Fail::Stop(stop)) => round.stopped(&stop.to_string()),
            });
        }
        if self.args.algorithm == Algorithms::All {
            self.compare(&wanted);
        }
        exit
    }

    /// The table of the paper for each property; checks that contradict each other are a bug.
    fn compare(&self, wanted: &[Wanted]) {
        let board = self.board();
        for w in wanted {
            let of = |e: &&Entry| e.property.as_deref() == Some(&w.spec.name);
            let entries: Vec<&Entry> = board.document.results.iter().filter(of).collect();
            let some = |v: &str| entries.iter().find(|e| e.verdict == v).map(|e| &e.algorithm);
            if let (Some(h), Some(v)) = (some("holds"), some("violated")) {
                panic!("internal error: {h} says that the property holds, {v} that it is violated");
            }
            if !self.common.json && !self.common.quiet {
                print(&format!("{}\n{}", w.spec.name, table(&entries)));
            }
        }
    }

    fn wanted(&self) -> Result<Vec<Wanted<'_>>, Exit> {
        let (model, types) = (&self.source.model, &self.source.types);
        let mut chosen: Vec<&str> = Vec::new();
        for name in &self.args.property {
            let numbered = || {
                let circuit = self.source.circuit.as_ref()?;
                Some(Property::from_name(circuit, name)?.spec(circuit))
            };
            let spec = model.specs.iter().position(|s| s.name == *name).or_else(numbered);
            if let Some(spec) = spec.and_then(|i| model.specs.get(i)) {
                chosen.push(&spec.name);
            } else {
                let names: Vec<&str> = model.specs.iter().map(|s| s.name.as_str()).collect();
                let have = if names.is_empty() { "none".into() } else { names.join(", ") };
                return Err(complain(&format!("there is no property `{name}`; there are {have}")));
            }
        }
        let chosen = |s: &&Spec| chosen.is_empty() || chosen.contains(&s.name.as_str());
        let mut wanted = Vec::new();
        for spec in model.specs.iter().filter(chosen) {
            let automaton = Automaton::new(model, types, spec, self.args.exists, Method::Chosen)
                .map_err(|d| self.refuse(&d))?;
            wanted.push(Wanted { spec, automaton });
        }
        Ok(wanted)
    }
}

/// One run of the engine, with one algorithm.
struct Round<'a> {
    job: &'a Job<'a>,
    wanted: &'a [Wanted<'a>],
    order: &'a Order,
    algorithm: Option<Algorithm>,
}

impl Round<'_> {
    fn run(&self) -> Result<Exit, Fail> {
        let args = self.job.args;
        let mut limits = self.job.interrupt.limits(&args.limits);
        self.job.board().open = self.wanted.iter().map(|w| w.spec.name.clone()).collect();
        // The first round has what reading left of the time, the others begin anew.
        let reading = self.job.reading.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, deadline)) = &reading {
            limits.deadline = *deadline;
        }
        let _watch = watch_both(self.job.board, limits.deadline, Some(self.job.interrupt), self.job.common);
        drop(reading);
        let source = self.job.source;
        let bdd = Oxi::for_bits(limits, source.bits()).reordering(reordering(&args.symbolic));
        let bdd = bdd.listen(|pulse| self.job.pulses.tell(pulse));
        let start = ThreadTime::now();
        let fresh =
            self.wanted.iter().filter_map(|w| w.automaton.as_ref()).map(Automaton::bits).max().unwrap_or(0);
        let layout = Layout::new(&bdd, &source.model, &source.types, fresh, &self.order.variables());
        self.order.apply(&bdd, &layout);
        source.write_order(&args.symbolic, &layout, &bdd);
        if self.wanted.is_empty() {
            riata_smv::check::encode(&bdd, &source.model, &layout)?;
            return Ok(Exit::Holds);
        }
        let session = Session::new(&bdd, &source.model, &source.types, &layout, shape(&args.symbolic))?;
        let setup = start.elapsed().as_secs_f64();
        self.remarks(&session);
        let states = session.states()?;
        let mut exit = Exit::Holds;
        for w in self.wanted {
            let start = ThreadTime::now();
            let answer = session.check(w.spec, w.automaton.as_ref(), self.algorithm);
            let cpu = start.elapsed().as_secs_f64();
            match answer {
                Ok(answer) => {
                    let mut entry = self.entry(w, &answer);
                    count(&mut entry, &answer.counters, states, bdd.peak_live());
                    entry.memory_bytes = bdd.bytes() as u64;
                    // The first property pays for what all share.
                    entry.cpu_seconds = cpu;
                    entry.more.insert("setup_seconds".into(), setup.into());
                    entry.more.insert("reorderings".into(), bdd.reorderings().into());
                    exit = exit.and(if answer.holds { Exit::Holds } else { Exit::Violated });
                    exit = exit.and(self.publish(w, entry, &answer));
                }
                Err(Fail::Stop(stop)) => {
                    let mut entry = inconclusive(&w.spec.name, &stop.to_string());
                    entry.algorithm = self.algorithm.map_or("auto", Algorithm::name).into();
                    exit = exit.and(Exit::Inconclusive);
                    self.say(&format!("{}: inconclusive ({stop})\n", w.spec.name));
                    self.post(entry);
                }
                Err(wrong) => return Err(wrong),
            }
        }
        source.write_order(&args.symbolic, &layout, &bdd);
        Ok(exit)
    }

    fn remarks<B: Bdd>(&self, session: &Session<B>) {
        if session.is_empty() && !self.job.common.quiet {
            crate::output::eprint("warning: there is no initial state, so every property holds\n");
        } else if session.deadlock && !self.job.common.quiet {
            crate::output::eprint(
                "warning: some reachable state has no successor; properties speak of infinite runs\n",
            );
        }
    }

    fn say(&self, text: &str) {
        if !self.job.common.json && !self.job.common.quiet && self.job.args.algorithm != Algorithms::All {
            self.job.pulses.aside(|| print(text));
        }
    }

    /// Every property that has no entry is open.
    fn stopped(&self, reason: &str) -> Exit {
        let open = self.job.board().open.clone();
        for name in open {
            let mut entry = inconclusive(&name, reason);
            entry.algorithm = self.algorithm.map_or("auto", Algorithm::name).into();
            self.say(&format!("{name}: inconclusive ({reason})\n"));
            self.post(entry);
        }
        Exit::Inconclusive
    }

    fn post(&self, entry: Entry) {
        let mut board = self.job.board();
        board.open.retain(|name| Some(name) != entry.property.as_ref());
        board.document.results.push(entry);
    }

    fn entry(&self, w: &Wanted, answer: &Answer) -> Entry {
        let mut entry = Entry {
            property: Some(w.spec.name.clone()),
            verdict: if answer.holds { "holds" } else { "violated" },
            algorithm: answer.algorithm.name().into(),
            why: answer.why.map(Into::into),
            engine: "symbolic",
            store: "bdd".into(),
            strength: answer.strength.map(Strength::name),
            ..Entry::default()
        };
        if answer.unfair {
            entry.more.insert("unfair_initial_states".into(), true.into());
        }
        if let Some(length) = answer.value {
            let value = match length {
                Length::Steps(n) => n.into(),
                other => other.to_string().into(),
            };
            entry.more.insert("value".into(), value);
        }
        if let Some(trace) = &answer.trace {
            let view = self.view();
            if trace.cycle.is_empty() {
                entry.more.insert("trace".into(), view.states(&trace.stem).into());
            } else {
                let (stem, cycle) = (view.states(&trace.stem), view.states(&trace.cycle));
                entry.lasso = Some(Lasso { stem, cycle });
            }
        }
        entry
    }

    fn publish(&self, w: &Wanted, mut entry: Entry, answer: &Answer) -> Exit {
        let mut exit = Exit::Holds;
        let c = &answer.counters;
        let verdict = answer.value.map_or_else(|| entry.verdict.to_string(), |length| length.to_string());
        let mut text = format!("{}: {verdict} [{}", entry.property.as_deref().unwrap_or(""), entry.algorithm);
        if let Some(why) = answer.why.filter(|_| self.job.common.verbose) {
            text += &format!(", {why}");
        }
        let states = entry.more["reachable_states"].as_f64().unwrap_or(0.0);
        let states = if states < 1e12 { format!("{states:.0}") } else { format!("{states:.2e}") };
        text += &format!(
            ", {states} states, {} iterations, {} images, {:.3} s]\n",
            c.external_iterations,
            c.ex + c.ey,
            entry.cpu_seconds
        );
        if answer.unfair {
            text += "  (not in initial states without a fair path, which do not count)\n";
        }
        if let Some(trace) = &answer.trace {
            let said = say(self.job.source, w.spec, w.automaton.as_ref(), trace);
            if !answer.holds {
                entry.reason = said.lines.last().cloned();
            }
            entry.more.extend(said.why.as_ref().map(|why| ("reasons".to_string(), why.to_json())));
            let run = Run { source: self.job.source, name: &w.spec.name, trace, said: &said };
            text += &run.text();
            if !std::mem::replace(&mut self.job.shown().told, true) {
                exit = write(&run.files(&self.job.args.pictures, self.job.args.trace.as_deref()));
            }
        }
        self.job.remember_witness(w.spec, answer);
        self.say(&text);
        self.post(entry);
        exit
    }

    fn view(&self) -> View<'_> {
        View { model: &self.job.source.model }
    }
}
