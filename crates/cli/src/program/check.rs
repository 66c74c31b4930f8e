//! `riata check MODEL`: all properties of a model, each with its own verdict.

use super::coverage::Coverage;
use super::cycles::{Cycles, Target};
use super::tell::{self, Teller};
use super::vacuity;
use super::view::Viewer;
use super::{Loaded, load};
use crate::args::{Algorithms, CheckArgs, Common, EngineKind, StoreKind};
use crate::check::{Answer, text};
use crate::empty::{resident, store_name};
use crate::output::{Exit, complain, print};
use crate::property::{Formula, untranslated};
use crate::watch::{Interrupt, Spinner};
use cpu_time::ThreadTime;
use riata_explore::bfs::{bfs, shortest_path};
use riata_program::{
    Asserts, Beside, Claim, Condensed, Execution, Interpreter, Options, Prepared, Property, Sees,
    TraceMonitor,
};
use riata_report::json::{Counters, Document, Entry, Skipped};
use riata_store::{Exact, Recall, Tree};
use riata_system::{Path, Run, Stop, System, Walk};
use std::ops::ControlFlow;

/// A property to check.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    /// Assertions hold, and there are no run-time errors.
    Assertions,
    /// Where nothing can move, every process is where it may end.
    Deadlock,
    /// One of the model's: its number.
    Stated(usize, String),
    /// A formula of the command line: its number.
    Given(usize),
    /// No run passes accept labels again and again.
    Acceptance,
    /// Every infinite run makes progress again and again.
    Progress,
}

impl Wanted {
    fn name(&self) -> String {
        match self {
            Wanted::Assertions => "assertions".into(),
            Wanted::Deadlock => "deadlock".into(),
            Wanted::Stated(_, name) => name.clone(),
            Wanted::Given(i) => format!("ltl_{i}"),
            Wanted::Acceptance => "acceptance".into(),
            Wanted::Progress => "progress".into(),
        }
    }

    fn is_safety(&self) -> bool {
        matches!(self, Wanted::Assertions | Wanted::Deadlock)
    }
}

/// Runs the command.
pub fn run(args: &CheckArgs, common: &Common, interrupt: &Interrupt) -> Exit {
    let mut doc: Document<Entry> = Document::new("check", args.model.to_string_lossy());
    let exit = match results(args, common, interrupt, &mut doc) {
        Ok(exit) => exit,
        Err(exit) => exit,
    };
    if common.json {
        doc.resident_bytes = resident();
        print(&doc.to_text());
    }
    exit
}

fn results(
    args: &CheckArgs,
    common: &Common,
    interrupt: &Interrupt,
    doc: &mut Document<Entry>,
) -> Result<Exit, Exit> {
    let mut loaded = load(&args.model, args.input, &args.pre, common).map_err(|bad| {
        doc.errors = bad.problems;
        bad.exit
    })?;
    let wanted = wanted(args, &loaded)?;
    let given = args.ltl.iter().map(|f| given(args, common, &mut loaded, f)).collect::<Result<Vec<_>, _>>();
    if given.as_ref().is_err_and(|&e| e == Exit::Inconclusive) {
        doc.results = crate::check::untranslated_formulas(args, common);
    }
    let given = given?;
    let symbolic = args.symbolic.engine == Some(EngineKind::Symbolic);
    let mut exit = Exit::Holds;
    let mut answers: Vec<Answer> = Vec::new();
    let safety: Vec<&Wanted> = wanted.iter().filter(|p| p.is_safety()).collect();
    if !safety.is_empty() {
        let job = Safety { args, common, interrupt, loaded: &loaded };
        answers.extend(job.check(&safety)?);
    }
    for property in wanted.iter().filter(|p| !p.is_safety()) {
        if let Wanted::Stated(i, name) = property
            && let Property::Trace(_, monitor) = &loaded.properties()[*i]
        {
            if symbolic {
                return Err(complain(
                    "assertions about messages are for the explicit engine; leave out --engine symbolic",
                ));
            }
            let job = Safety { args, common, interrupt, loaded: &loaded };
            answers.push(job.monitor(name, monitor)?);
            continue;
        }
        let target = match target(args, &mut loaded, property, &given) {
            Err(Exit::Inconclusive) => {
                answers.push(untranslated(property.name()));
                continue;
            }
            target => target?,
        };
        let Some(target) = target else { continue };
        let cycles = Cycles { args, common, interrupt, loaded: &loaded };
        if symbolic {
            answers.extend(cycles.symbolic(&property.name(), &target)?);
            continue;
        }
        let (mut found, skipped) = cycles.check(&property.name(), &target)?;
        let warnings = vacuity::warnings(&cycles, &target, &found);
        for answer in found.iter_mut().filter(|_| !warnings.is_empty()) {
            let lines: String = warnings.iter().map(|w| format!("  warning: {w}\n")).collect();
            answer.shown = lines + &answer.shown;
            answer.entry.more.insert("warnings".into(), warnings.clone().into());
        }
        answers.extend(found);
        doc.skipped.extend(skipped);
    }
    let tables = symbolic && args.algorithm == Algorithms::All;
    for answer in &answers {
        exit = exit.and(match answer.entry.verdict {
            "holds" => Exit::Holds,
            "violated" => Exit::Violated,
            _ => Exit::Inconclusive,
        });
        if !common.json && !common.quiet && !tables {
            print(&text(answer, common));
        }
    }
    if tables && !common.json && !common.quiet {
        print(&crate::learned::tables(&answers));
    }
    if !common.json && !common.quiet {
        doc.skipped.iter().for_each(|Skipped { algorithm, reason, .. }| {
            print(&format!("skipped {algorithm}: {reason}\n"));
        });
    }
    if let (Some(file), Some(itf)) = (&args.trace, answers.iter().find_map(|a| a.itf.as_ref()))
        && let Err(e) = std::fs::write(file, itf.to_string() + "\n")
    {
        exit = exit.and(complain(&format!("cannot write {}: {e}", file.display())));
    }
    if let Some(found) = answers.iter().find(|a| !a.files.is_empty()) {
        exit = exit.and(crate::check::write(&found.files));
    }
    doc.results = answers.into_iter().map(|a| a.entry).collect();
    Ok(exit)
}

/// The names of the properties that a model states.
fn stated(loaded: &Loaded) -> Vec<Wanted> {
    let mut unnamed = 0;
    loaded
        .properties()
        .iter()
        .enumerate()
        .map(|(i, p)| match p {
            Property::Ltl(Some(name), _) => Wanted::Stated(i, name.clone()),
            Property::Ltl(None, _) => {
                unnamed += 1;
                Wanted::Stated(i, format!("ltl_{}", unnamed - 1))
            }
            Property::Never(Some(name), _) => Wanted::Stated(i, name.clone()),
            Property::Never(None, _) => Wanted::Stated(i, "claim".into()),
            Property::Acceptance => Wanted::Acceptance,
            Property::Progress => Wanted::Progress,
            Property::Trace(Some(name), _) => Wanted::Stated(i, name.clone()),
            Property::Trace(None, w) if w.negated => Wanted::Stated(i, "notrace".into()),
            Property::Trace(None, _) => Wanted::Stated(i, "trace".into()),
        })
        .collect()
}

/// What the user asked for, or everything that the model states.
fn wanted(args: &CheckArgs, loaded: &Loaded) -> Result<Vec<Wanted>, Exit> {
    let mut all = vec![Wanted::Assertions, Wanted::Deadlock];
    all.extend(stated(loaded));
    if args.property.is_empty() {
        if !args.ltl.is_empty() {
            // Formulas are a choice, too.
            return Ok((0..args.ltl.len()).map(Wanted::Given).collect());
        }
        return Ok(all);
    }
    // These make sense without labels as well.
    for also in [Wanted::Acceptance, Wanted::Progress] {
        if loaded.numbers().is_some() && !all.contains(&also) {
            all.push(also);
        }
    }
    let mut chosen: Vec<Wanted> = Vec::new();
    for name in &args.property {
        match all.iter().find(|p| p.name() == *name) {
            Some(p) if !chosen.contains(p) => chosen.push(p.clone()),
            Some(_) => {}
            None => {
                let names: Vec<String> = all.iter().map(Wanted::name).collect();
                let names = names.join(", ");
                return Err(complain(&format!("the model has no property `{name}`; it has {names}")));
            }
        }
    }
    chosen.extend((0..args.ltl.len()).map(Wanted::Given));
    Ok(chosen)
}

/// A formula of the command line, its propositions known to the program.
fn given(args: &CheckArgs, common: &Common, loaded: &mut Loaded, text: &str) -> Result<Formula, Exit> {
    let ltl = loaded.formula(args, common, text)?;
    too_many(loaded)?;
    Formula::translate(args, text, ltl)
}

/// A valuation tells at most 64 propositions.
fn too_many(loaded: &Loaded) -> Result<(), Exit> {
    if loaded.program().propositions.len() > 64 {
        return Err(complain("the properties have more than 64 propositions; choose some with --property"));
    }
    Ok(())
}

/// What is looked for, if that is supported.
fn target(
    args: &CheckArgs,
    loaded: &mut Loaded,
    property: &Wanted,
    given: &[Formula],
) -> Result<Option<Target>, Exit> {
    too_many(loaded)?;
    Ok(Some(match property {
        Wanted::Given(i) => Target::Formula(given[*i].clone()),
        Wanted::Stated(i, _) => match &loaded.properties()[*i] {
            Property::Ltl(_, f) => Target::Formula(Formula::translate(args, &f.text, f.ltl.clone())?),
            Property::Never(_, Claim::Automaton(states)) => Target::Claim(loaded.program().automaton(states)),
            Property::Never(_, Claim::Process(claim)) => Target::Process(claim.clone()),
            _ => return Ok(None),
        },
        Wanted::Acceptance => Target::marked(args, loaded, "accept")?,
        Wanted::Progress => Target::marked(args, loaded, "progress")?,
        Wanted::Assertions | Wanted::Deadlock => return Ok(None),
    }))
}

/// Searches for bad states.
pub struct Safety<'a> {
    /// The command.
    pub args: &'a CheckArgs,
    /// Common flags.
    pub common: &'a Common,
    /// To stop.
    pub interrupt: &'a Interrupt,
    /// The model.
    pub loaded: &'a Loaded,
}

/// Where a search for bad states ended.
struct Bad {
    stopped: Option<Stop>,
    levels: usize,
    violation: Option<Path>,
    deadlock: Option<Path>,
    /// If it was asked for and the search was complete.
    coverage: Option<Coverage>,
}

struct Searched {
    bad: Bad,
    counters: riata_system::Counters,
    cpu_seconds: f64,
}

/// What is said of the end of a run.
type End = fn(&Viewer, &Execution) -> String;

impl Safety<'_> {
    /// What a search for bad states looks at.
    fn sees(&self) -> Sees {
        Sees { propositions: self.args.coverage, ..Sees::default() }
    }

    /// Bad states: one search for all of them; a second one for deadlocks behind violated assertions.
    fn check(&self, properties: &[&Wanted]) -> Result<Vec<Answer>, Exit> {
        let wants = |p| properties.iter().any(|&w| *w == p);
        let aims = (wants(Wanted::Assertions), wants(Wanted::Deadlock));
        let asserts = if aims.0 { Asserts::Fault } else { Asserts::Ignore };
        let passes = self.loaded.passes(&self.args.pre);
        let strict =
            Prepared::new(self.loaded.program(), Beside::Nothing, (passes, self.sees()), Options { asserts });
        let strict = self.loaded.sound(self.common, strict)?;
        let lenient = self.loaded.sound(self.common, strict.again(Options { asserts: Asserts::Ignore }))?;
        if self.args.symbolic.engine == Some(EngineKind::Symbolic) {
            return properties.iter().map(|p| self.by_sets(p, &strict, &lenient)).collect();
        }
        let start = ThreadTime::now();
        let (mut bad, mut counters) = self.search(strict.interpreter(), aims)?;
        if aims.0 && aims.1 && bad.violation.is_some() && bad.deadlock.is_none() && bad.stopped.is_none() {
            let (behind, more) = self.search(lenient.interpreter(), (false, true))?;
            bad.deadlock = behind.deadlock;
            bad.stopped = behind.stopped;
            bad.coverage = behind.coverage;
            counters = more;
        }
        let searched = Searched { bad, counters, cpu_seconds: start.elapsed().as_secs_f64() };
        let answers = properties.iter().map(|&property| {
            let (path, prepared, end): (_, _, End) = match property {
                Wanted::Deadlock => (&searched.bad.deadlock, &lenient, |v, run| v.stuck(run.last())),
                _ => (&searched.bad.violation, &strict, |v, run| v.fault(run)),
            };
            let found = path.as_ref().map(|path| (path, prepared, end));
            self.answer(property.name(), &searched, found)
        });
        let mut answers: Vec<Answer> = answers.collect::<Result<_, Exit>>()?;
        if self.args.coverage
            && let Some(last) = answers.last_mut()
        {
            let (text, json) = match &searched.bad.coverage {
                Some(coverage) => (coverage.to_text(self.loaded), coverage.to_json(self.loaded)),
                None => (
                    "coverage: not known, the search ended early\n".into(),
                    serde_json::json!({"complete": false}),
                ),
            };
            last.shown += &text;
            last.entry.more.insert("statements".into(), json);
        }
        Ok(answers)
    }

    /// The answer of the symbolic engine; deadlocks behind violated assertions count.
    fn by_sets(&self, property: &Wanted, strict: &Prepared, lenient: &Prepared) -> Result<Answer, Exit> {
        let violations = *property == Wanted::Assertions;
        let prepared = if violations { strict } else { lenient };
        let (found, cpu_seconds) = self.symbolic(prepared.interpreter(), violations)?;
        let mut bad = Bad { stopped: None, levels: 0, violation: None, deadlock: None, coverage: None };
        let mut counters = riata_system::Counters::default();
        match found {
            Ok(found) => {
                (bad.violation, bad.deadlock) = (found.violation, found.deadlock);
                (counters.states, counters.bytes) = (found.states as u64, found.bytes as u64);
                counters.transitions = found.transitions.unwrap_or(0.0) as u64;
            }
            Err(stop) => bad.stopped = Some(stop),
        }
        let searched = Searched { bad, counters, cpu_seconds };
        let end: End = if violations { |v, run| v.fault(run) } else { |v, run| v.stuck(run.last()) };
        let path = if violations { &searched.bad.violation } else { &searched.bad.deadlock };
        let found = path.as_ref().map(|path| (path, prepared, end));
        let mut answer = self.answer(property.name(), &searched, found)?;
        let entry = &mut answer.entry;
        (entry.engine, entry.store, entry.algorithm) = ("symbolic", "bdd".into(), "chaining".into());
        entry.counters.levels = None;
        Ok(answer)
    }

    /// An assertion about messages: the program is watched.
    fn monitor(&self, name: &str, monitor: &TraceMonitor) -> Result<Answer, Exit> {
        let run = (self.loaded.passes(&self.args.pre), Sees::default());
        let options = Options { asserts: Asserts::Ignore };
        let prepared = Prepared::new(self.loaded.program(), Beside::Monitor(monitor), run, options);
        let prepared = self.loaded.sound(self.common, prepared)?;
        let start = ThreadTime::now();
        let (bad, counters) = self.search_by(&Aim::TraceMonitor(prepared.interpreter()))?;
        let searched = Searched { bad, counters, cpu_seconds: start.elapsed().as_secs_f64() };
        let end: End = |v, run| v.fault(run);
        let found = searched.bad.violation.as_ref().map(|path| (path, &prepared, end));
        self.answer(name.to_string(), &searched, found)
    }

    /// What a search says of a property: it is violated if there is a path, with what it is one of and what to say of
    /// its end.
    fn answer(
        &self,
        name: String,
        searched: &Searched,
        found: Option<(&Path, &Prepared, End)>,
    ) -> Result<Answer, Exit> {
        let Searched { bad, counters, cpu_seconds } = searched;
        let verdict = match (&found, bad.stopped) {
            (Some(_), _) => "violated",
            (None, Some(_)) => "inconclusive",
            (None, None) => "holds",
        };
        let mut entry = Entry {
            property: Some(name.clone()),
            verdict,
            reason: if found.is_none() { bad.stopped.map(|s| s.to_string()) } else { None },
            algorithm: "bfs".into(),
            engine: "explicit",
            store: store_name(self.args.store),
            counters: Counters { levels: Some(bad.levels as u64), ..Counters::from(*counters) },
            memory_bytes: counters.bytes,
            cpu_seconds: *cpu_seconds,
            ..Entry::default()
        };
        let mut answer = Answer::default();
        if let Some((path, prepared, end)) = found {
            let walk = Walk::along(&Condensed(prepared.interpreter()), path.clone());
            let shown = self.loaded.sound(self.common, prepared.run(&walk, false))?;
            let (interpreter, taken) = (&*shown.interpreter, &shown.run);
            let viewer = Viewer::new(self.loaded, interpreter);
            let end = end(&viewer, taken);
            entry.reason = Some(end.clone());
            entry.more.insert("trace".into(), viewer.states(&taken.states).into());
            answer.itf = Some(viewer.itf(taken, &name));
            let teller = Teller { loaded: self.loaded, pictures: &self.args.pictures };
            let told = teller.tell(
                &tell::Run { interpreter, written: shown.written, taken, name: &name, end, watcher: None },
                true,
            );
            entry.more.extend(told.more);
            (answer.shown, answer.files) = (told.shown, told.files);
        }
        Ok(Answer { entry, ..answer })
    }

    fn search(
        &self,
        interpreter: &Interpreter,
        (assertions, deadlock): (bool, bool),
    ) -> Result<(Bad, riata_system::Counters), Exit> {
        self.search_by(&Aim::States { interpreter, assertions, deadlock })
    }

    fn search_by(&self, aim: &Aim) -> Result<(Bad, riata_system::Counters), Exit> {
        let limits = self.interrupt.limits(&self.args.limits);
        let room = limits.memory.unwrap_or(usize::MAX);
        let mut spinner = Spinner::new(self.common, "bfs", self.args.limits.memory);
        let mut run = Run::new(limits).listen(&mut spinner);
        let bad = match self.args.store {
            StoreKind::Exact => self.states(aim, &mut Exact::new(room), &mut run),
            StoreKind::Tree => self.states(aim, &mut Tree::new(room), &mut run),
            other => {
                let name = store_name(other);
                let message = format!("assertions and deadlocks need the store exact or tree, not {name}");
                return Err(complain(&message));
            }
        };
        Ok((bad, run.counters))
    }
}

impl Safety<'_> {
    /// The search, and a look at what it stored.
    fn states<R: Recall>(&self, aim: &Aim, store: &mut R, run: &mut Run) -> Bad {
        let mut bad = search(aim, store, run);
        let (first, second) = aim.wants();
        let ended = (!first || bad.violation.is_some()) && (!second || bad.deadlock.is_some());
        if let Aim::States { interpreter, .. } = aim
            && self.args.coverage
            && bad.stopped.is_none()
            && !ended
        {
            bad.coverage = Some(Coverage::of(store, interpreter, self.loaded));
        }
        bad
    }
}

/// What a search looks for.
enum Aim<'a> {
    /// Violated assertions and run-time errors, and deadlocks, as far as they are wanted.
    States { interpreter: &'a Interpreter, assertions: bool, deadlock: bool },
    /// What a monitor does not allow.
    TraceMonitor(&'a Interpreter),
}

impl Aim<'_> {
    fn interpreter(&self) -> &Interpreter {
        match self {
            Aim::States { interpreter, .. } | Aim::TraceMonitor(interpreter) => interpreter,
        }
    }

    /// Is the first kind wanted, and the second?
    fn wants(&self) -> (bool, bool) {
        match *self {
            Aim::States { assertions, deadlock, .. } => (assertions, deadlock),
            Aim::TraceMonitor(_) => (true, false),
        }
    }

    fn violates(&self, s: &[u32]) -> bool {
        match self {
            Aim::States { interpreter, .. } => interpreter.is_fault(s) || interpreter.violated(s).is_some(),
            Aim::TraceMonitor(interpreter) => interpreter.is_unexpected(s),
        }
    }
}

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
fn search<R: Recall>(aim: &Aim, store: &mut R, run: &mut Run) -> Bad {
    let interpreter = aim.interpreter();
    let (assertions, deadlock) = aim.wants();
    let system = Condensed(interpreter);
    let mut scratch = vec![0; system.words()];
    let (mut violation, mut stuck) = (None, None);
    let searched = bfs(&system, store, run, |id, s, successors| {
        if assertions && violation.is_none() && aim.violates(s) {
            violation = Some(id);
        }
        let stops = deadlock && stuck.is_none() && successors == 0 && !interpreter.is_fault(s);
        if stops && !interpreter.is_end(s) && interpreter.is_stuck(s, &mut scratch) {
            stuck = Some(id);
        }
        let done = (!assertions || violation.is_some()) && (!deadlock || stuck.is_some());
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let path = |id: Option<u32>| id.map(|id| shortest_path(&system, store, &searched.levels, id));
    Bad {
        stopped: searched.stopped,
        levels: searched.levels.len(),
        violation: path(violation),
        deadlock: path(stuck),
        coverage: None,
    }
}
