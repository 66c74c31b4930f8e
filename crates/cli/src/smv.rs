//! `riata check MODEL.smv`, `MODEL.aag`, `MODEL.aig`: specifications of synchronous models, by the symbolic engine.

use crate::args::{Algorithms, CheckArgs, Common, EngineKind, ModelKind};
use crate::empty::resident;
use crate::input::Input;
use crate::output::{Exit, complain, print};
use crate::symbolic::{Board, algorithms, count, inconclusive, on_large_stack, reordering, table, watch};
use crate::watch::{Interrupt, Pulses};
use cpu_time::ThreadTime;
use riata_report::json::{Document, Entry, Lasso, Problem};
use riata_smv::check::{Answer, Automaton, Length, Session, Trace};
use riata_smv::evaluate::{Concrete, State};
use riata_smv::machine::Layout;
use riata_smv::model::{Spec, Value};
use riata_smv::{Fail, Model, Types};
use riata_source::{Diagnostic, line_column};
use riata_symbolic::relation::Shape;
use riata_symbolic::{Algorithm, Bdd, Oxi, Strength};
use serde_json::{Map, Value as Json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs the command.
pub fn run(kind: ModelKind, args: &CheckArgs, common: &Common, interrupt: &Interrupt) -> Exit {
    if args.symbolic.engine == Some(EngineKind::Explicit) {
        return complain("SMV and AIGER models are checked by the symbolic engine");
    }
    let input = match Input::read(&args.model) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut text = String::from_utf8_lossy(&input.bytes).into_owned();
    let parsed = match kind {
        ModelKind::Aiger if args.ltl.is_empty() => riata_aiger::parse(&input.bytes),
        ModelKind::Aiger => {
            return complain("a circuit has properties of its own; --ltl is for other models");
        }
        _ => riata_smv::parse_with(&text, &args.ltl),
    };
    // Formulas stand behind the text, so that places in them can be shown.
    for formula in &args.ltl {
        text.push('\n');
        text += formula;
    }
    let document = Document::new("check", args.model.to_string_lossy());
    let board = Arc::new(Mutex::new(Board::new(document, Vec::new())));
    let job = Job {
        args,
        common,
        interrupt,
        text: &text,
        name: &input.name,
        board: &board,
        pulses: Pulses::new(common),
    };
    let exit = match parsed {
        Ok((model, types)) => {
            job.diagnose(&model.warnings);
            on_large_stack(|| job.check(&model, &types))
        }
        Err(wrong) => job.refuse(&wrong),
    };
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
    text: &'a str,
    name: &'a str,
    board: &'a Arc<Mutex<Board>>,
    pulses: Pulses,
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

    fn diagnose(&self, wrong: &[Diagnostic]) {
        self.common.diagnose(self.name, self.text.as_bytes(), wrong);
    }

    fn refuse(&self, wrong: &[Diagnostic]) -> Exit {
        self.diagnose(wrong);
        let problem = |d: &Diagnostic| {
            let (line, column) = line_column(self.text, d.span.start);
            Problem { line, column, message: d.message.clone(), help: d.help.clone() }
        };
        self.board().document.errors = wrong.iter().map(problem).collect();
        Exit::Bad
    }

    fn check(&self, model: &Model, types: &Types) -> Exit {
        let wanted = match self.wanted(model, types) {
            Ok(wanted) => wanted,
            Err(exit) => return exit,
        };
        let (algorithms, order) = match algorithms(self.args).and_then(|a| Ok((a, self.order(model)?))) {
            Ok(both) => both,
            Err(exit) => return exit,
        };
        let mut exit = Exit::Holds;
        for algorithm in algorithms {
            let round = Round { job: self, model, types, wanted: &wanted, order: &order, algorithm };
            exit = exit.and(match round.run() {
                Ok(exit) => exit,
                Err(Fail::Wrong(d)) => return self.refuse(&[*d]),
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

    fn wanted<'m>(&self, model: &'m Model, types: &Types) -> Result<Vec<Wanted<'m>>, Exit> {
        for name in &self.args.property {
            if !model.specs.iter().any(|s| s.name == *name) {
                let names: Vec<&str> = model.specs.iter().map(|s| s.name.as_str()).collect();
                let have = if names.is_empty() { "none".into() } else { names.join(", ") };
                return Err(complain(&format!("there is no property `{name}`; there are {have}")));
            }
        }
        let chosen = |s: &&Spec| self.args.property.is_empty() || self.args.property.contains(&s.name);
        let mut wanted = Vec::new();
        for spec in model.specs.iter().filter(chosen) {
            let automaton =
                Automaton::new(model, types, spec, self.args.exists).map_err(|d| self.refuse(&[d]))?;
            wanted.push(Wanted { spec, automaton });
        }
        Ok(wanted)
    }

    /// The order of the variables, from a file.
    fn order(&self, model: &Model) -> Result<Vec<u32>, Exit> {
        let Some(file) = &self.args.symbolic.order else { return Ok(Vec::new()) };
        let text = std::fs::read_to_string(file)
            .map_err(|e| complain(&format!("cannot read {}: {e}", file.display())))?;
        let mut order = Vec::new();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("--")) {
            match model.vars.iter().position(|v| v.name == line) {
                Some(v) => order.push(v as u32),
                None => return Err(complain(&format!("{}: there is no variable `{line}`", file.display()))),
            }
        }
        Ok(order)
    }
}

/// One run of the engine, with one algorithm.
struct Round<'a> {
    job: &'a Job<'a>,
    model: &'a Model,
    types: &'a Types,
    wanted: &'a [Wanted<'a>],
    order: &'a [u32],
    algorithm: Option<Algorithm>,
}

impl Round<'_> {
    fn run(&self) -> Result<Exit, Fail> {
        let args = self.job.args;
        let limits = self.job.interrupt.limits(&args.limits);
        self.job.board().open = self.wanted.iter().map(|w| w.spec.name.clone()).collect();
        let _watch = watch(self.job.board, limits.deadline, self.job.common);
        let bits = self.model.vars.iter().map(|v| v.domain.bits()).sum();
        let bdd = Oxi::for_bits(limits, bits).reordering(reordering(&args.symbolic));
        let bdd = bdd.listen(|pulse| self.job.pulses.tell(pulse));
        let start = ThreadTime::now();
        let fresh =
            self.wanted.iter().filter_map(|w| w.automaton.as_ref()).map(Automaton::bits).max().unwrap_or(0);
        let layout = Layout::new(&bdd, self.model, self.types, fresh, self.order);
        if let Some(file) = &args.symbolic.write_order {
            let names: Vec<&str> =
                layout.order.iter().map(|&v| self.model.vars[v as usize].name.as_str()).collect();
            if let Err(e) = std::fs::write(file, names.join("\n") + "\n") {
                complain(&format!("cannot write {}: {e}", file.display()));
            }
        }
        if self.wanted.is_empty() {
            riata_smv::check::encode(&bdd, self.model, &layout)?;
            return Ok(Exit::Holds);
        }
        let shape = if args.symbolic.monolithic { Shape::Monolithic } else { Shape::default() };
        let session = Session::new(&bdd, self.model, self.types, &layout, shape)?;
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
                    self.publish(entry, &answer);
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
            let states = |list: &[State]| list.iter().map(|s| self.json(s)).collect::<Vec<_>>();
            if trace.cycle.is_empty() {
                entry.more.insert("trace".into(), states(&trace.stem).into());
            } else {
                entry.lasso = Some(Lasso { stem: states(&trace.stem), cycle: states(&trace.cycle) });
            }
        }
        entry
    }

    fn publish(&self, entry: Entry, answer: &Answer) {
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
            text += &self.text(trace);
        }
        self.say(&text);
        self.post(entry);
    }

    /// A state for scripts.
    fn json(&self, s: &State) -> Json {
        let mut object = Map::new();
        for (v, x) in self.model.vars.iter().zip(s).filter(|(v, _)| !v.hidden) {
            let value: Json = match x {
                Concrete::Value(Value::Bool(b)) => (*b).into(),
                Concrete::Value(Value::Int(n)) => (*n).into(),
                _ => riata_smv::check::show(self.model, *x).into(),
            };
            object.insert(v.name.clone(), value);
        }
        Json::Object(object)
    }

    /// A run for people: each state tells what is new.
    fn text(&self, trace: &Trace) -> String {
        let mut text = String::new();
        let mut before: Option<&State> = None;
        let all = trace.stem.iter().chain(&trace.cycle);
        for (i, s) in all.enumerate() {
            let at = i.checked_sub(trace.stem.len());
            let margin = match at {
                None => " ",
                Some(0) if trace.cycle.len() == 1 => "↻",
                Some(0) => "┌",
                Some(k) if k + 1 == trace.cycle.len() => "└",
                Some(_) => "│",
            };
            let values = self.model.vars.iter().zip(s).enumerate();
            let new = values.filter(|(v, (d, x))| !d.hidden && before.is_none_or(|b| b[*v] != **x));
            let new: Vec<String> = new
                .map(|(_, (v, x))| format!("{}={}", v.name, riata_smv::check::show(self.model, *x)))
                .collect();
            text += format!("  {margin} {i:>3}  {}", new.join(" ")).trim_end();
            text.push('\n');
            before = Some(s);
        }
        text
    }
}
