//! One call of a command: who is told what is found, what is printed, and how it ends.

use crate::args::{Common, Look};
use crate::output::{Exit, eprint, error_line, page, print};
use crate::progress::{Pulses, Spinner};
use riata::report::answer::{Document, Problem, Skipped, Source, Verdict};
use riata::report::text;
use riata::samples::{Samples, Series};
use riata::{Answer, Error, Listener, Progress, Remarks};
use riata_source::Severity;
use riata_symbolic::oxi::Pulse;
use riata_system::Counters;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is known so far.
pub struct State {
    /// What is printed with `--json`.
    pub document: Document<Answer>,
    /// Which of the inputs is at hand.
    current: usize,
    /// Properties without an answer.
    open: Vec<String>,
    /// The texts of the model at hand.
    texts: Vec<Source>,
    /// Properties of which a run was shown.
    shown: HashSet<(Option<String>, Option<String>)>,
    /// Is it the exit code of a bad input, or of a limit?
    exit: Exit,
}

impl State {
    /// What is printed with `--json`.
    fn text(&mut self) -> String {
        self.document.resident_bytes = self.document.resident_bytes.or_else(resident);
        self.document.to_text()
    }

    /// The page about all answers.
    fn page(&mut self) -> String {
        let text = self.text();
        riata::report::page::page(&self.document.input, &[&text])
    }

    /// An answer, with the texts that it is to be shown in.
    fn keep(&mut self, answer: Answer) {
        if answer.run.is_some() || answer.statements.is_some() {
            let sources = &mut self.document.sources;
            let new = self.texts.iter().filter(|t| !sources.contains(t)).cloned().collect::<Vec<_>>();
            sources.extend(new);
        }
        self.document.results.push(answer);
    }
}

/// What a call shares with the thread that looks at the clock.
struct Shared {
    state: Mutex<State>,
    /// Is there work that may not notice that its time is over?
    busy: AtomicBool,
    /// Has the call ended?
    over: AtomicBool,
}

/// How answers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As text, as they come.
    Text,
    /// As tables at the end: `--algorithm all` of the symbolic engine.
    Tables,
    /// At the end, in another form.
    Collected,
}

/// A call.
pub struct Session<'a> {
    common: &'a Common,
    look: &'a Look,
    shape: Shape,
    /// Show the messages of runs?
    pub messages: bool,
    /// Where the page about all answers goes, if one is wanted.
    pub page: Option<PathBuf>,
    /// How far the searches were, moment by moment.
    samples: Samples,
    /// Was a run shown?
    shown: AtomicBool,
    shared: Arc<Shared>,
    pulses: Pulses,
}

impl<'a> Session<'a> {
    /// A call of `command` on `inputs`.
    pub fn new(
        command: &str,
        inputs: &[String],
        common: &'a Common,
        look: &'a Look,
        shape: Shape,
    ) -> Session<'a> {
        let mut document = Document::new(command, inputs.join(" "));
        if inputs.len() > 1 {
            document.inputs = inputs.to_vec();
        }
        let state = State {
            document,
            current: 0,
            open: Vec::new(),
            texts: Vec::new(),
            shown: HashSet::new(),
            exit: Exit::Holds,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            // Reading a model takes time, too.
            busy: AtomicBool::new(true),
            over: AtomicBool::new(false),
        });
        let pulses = Pulses::new(common);
        let (shown, samples) = (AtomicBool::new(false), Samples::default());
        Session { common, look, shape, messages: false, page: None, samples, shown, shared, pulses }
    }

    /// What is known so far.
    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared)
    }

    /// Is text for people printed?
    pub fn talks(&self) -> bool {
        !self.common.json && !self.common.quiet && self.shape != Shape::Collected
    }

    /// The model was read, and the search that comes looks at the clock itself.
    pub fn reading(&self, busy: bool) {
        self.shared.busy.store(busy, Ordering::Relaxed);
    }

    /// The input with this number is at hand.
    pub fn input(&self, number: usize) {
        self.state().current = number;
    }

    /// Prints something while the line of progress is away.
    pub fn say(&self, text: &str) {
        if !text.is_empty() {
            self.pulses.aside(|| page(text));
        }
    }

    /// The texts of the model at hand: names and contents.
    pub fn sources(&self, sources: Vec<(String, String)>) {
        let mut state = self.state();
        let input = state.document.inputs.get(state.current).cloned();
        let one = |(file, text)| Source { input: input.clone(), file, text };
        state.texts = sources.into_iter().map(one).collect();
    }

    /// What is odd about texts.
    pub fn remarks(&self, remarks: &[Remarks]) {
        for r in remarks.iter().filter(|r| !r.diagnostics.is_empty()) {
            self.state().document.warnings.extend(r.problems(Severity::Warning));
            if !self.common.quiet {
                eprint(&r.draw(self.common.colour_errors()));
            }
        }
    }

    /// Tells what is wrong.
    pub fn fail(&self, error: &Error) -> Exit {
        let exit =
            if let Error::Stopped(_) | Error::Large(_) = error { Exit::Inconclusive } else { Exit::Bad };
        match error {
            Error::Text(remarks) => eprint(&remarks.draw(self.common.colour_errors())),
            error => eprint(&error_line(self.common.colour_errors(), &error.to_string())),
        }
        let mut state = self.state();
        state.document.errors.extend(error.problems());
        state.exit = state.exit.and(exit);
        exit
    }

    /// A run for people: fitted to the terminal, with its messages if they are wanted.
    pub fn run(&self, run: &riata::report::run::Run) -> String {
        self.shown.store(true, Ordering::Relaxed);
        let unknown = run.trace.unknown(&self.look.only);
        if !unknown.is_empty() {
            eprint(&format!("warning: the run has no {}\n", unknown.join(", no ")));
        }
        let mut text = run.trace.fitted(&self.look.fit());
        if let Some(chart) = run.chart.as_ref().filter(|_| self.messages) {
            text += &riata::report::chart::text(chart);
        }
        text
    }

    /// Tells that options about runs had none to be about.
    fn unused(&self) {
        let failed = self.state().exit == Exit::Bad;
        if self.shown.load(Ordering::Relaxed) || failed || self.common.quiet {
            return;
        }
        let mut given = self.look.given();
        given.extend((self.messages && self.talks()).then_some("--msc"));
        for option in given {
            self.warning(&format!("{option}: there is no run to show").into());
        }
    }

    /// The exit code, once everything was said. With `--json` the document is printed.
    pub fn finish(self) -> Exit {
        if self.shape != Shape::Tables {
            self.unused();
        }
        self.shared.over.store(true, Ordering::Relaxed);
        let mut state = lock(&self.shared);
        if self.shape == Shape::Tables && self.talks() {
            self.say(&tables(&state.document.results));
            for answer in &state.document.results {
                let first =
                    state.document.results.iter().find(|a| a.property == answer.property && a.run.is_some());
                if let (Some(run), Some(first)) = (&answer.run, first)
                    && std::ptr::eq(first, answer)
                {
                    self.say(&self.run(run));
                }
            }
        }
        if self.common.json {
            print(&state.text());
        }
        exit_of(&state)
    }

    /// The exit code; the document is printed elsewhere.
    pub fn finish_quietly(self) -> Exit {
        self.shared.over.store(true, Ordering::Relaxed);
        exit_of(&lock(&self.shared))
    }

    /// Writes the page about all answers, if one is wanted.
    pub fn write_page(&self) {
        let Some(file) = &self.page else { return };
        let page = self.state().page();
        crate::files::save(file, Ok(page), self);
    }

    /// What went wrong, as fields of an object.
    pub fn errors(&self) -> serde_json::Map<String, serde_json::Value> {
        let errors = &self.state().document.errors;
        let some = (!errors.is_empty()).then(|| ("errors".to_string(), serde_json::json!(errors)));
        some.into_iter().collect()
    }

    /// Takes what was found, to print it in another form.
    pub fn take(&self) -> Document<Answer> {
        self.state().document.clone()
    }

    /// Ends the program if an engine does not notice that its time is over, or that the user has had enough: one operation
    /// on diagrams may take long, and cannot be stopped from outside. What was found is told first.
    pub fn guard(&self, deadline: Option<Instant>, interrupt: &Arc<AtomicBool>) {
        let (shared, interrupt) = (self.shared.clone(), interrupt.clone());
        let (json, talks, page) = (self.common.json, self.talks(), self.page.clone());
        std::thread::spawn(move || {
            loop {
                let why = loop {
                    if shared.over.load(Ordering::Relaxed) {
                        return;
                    }
                    if interrupt.load(Ordering::Relaxed) {
                        break "interrupted";
                    }
                    if deadline.is_some_and(|d| Instant::now() >= d) {
                        break "time limit reached";
                    }
                    let left = deadline.map_or(TURN, |d| d.saturating_duration_since(Instant::now()));
                    std::thread::sleep(left.min(TURN));
                };
                std::thread::sleep(GRACE);
                if shared.busy.load(Ordering::Relaxed) && !shared.over.load(Ordering::Relaxed) {
                    give_up(&shared, why, (json, talks), page.as_deref());
                }
            }
        });
    }
}

/// How long an engine has to notice by itself that it is to end.
const GRACE: Duration = Duration::from_millis(500);
/// How often the clock is looked at.
const TURN: Duration = Duration::from_millis(50);

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells what is known, and ends the program.
fn give_up(shared: &Shared, why: &str, (json, talks): (bool, bool), page: Option<&Path>) {
    let mut state = lock(shared);
    if shared.over.load(Ordering::Relaxed) || !shared.busy.load(Ordering::Relaxed) {
        return;
    }
    let open = std::mem::take(&mut state.open);
    if open.is_empty() && talks {
        print(&format!("{}: inconclusive ({why})\n", state.document.input));
    }
    let explored = open.is_empty() && state.document.command == "explore";
    let names: Vec<Option<String>> = if explored { vec![None] } else { open.into_iter().map(Some).collect() };
    for property in names {
        if let (Some(name), true) = (&property, talks) {
            print(&format!("{name}: inconclusive ({why})\n"));
        }
        state.document.results.push(Answer {
            property,
            reason: Some(why.into()),
            engine: riata::report::answer::Engine::Symbolic,
            store: "bdd".into(),
            ..Answer::default()
        });
    }
    if let Some(file) = page
        && let Err(e) = std::fs::write(file, state.page())
    {
        eprint(&format!("error: cannot write {}: {e}\n", file.display()));
    }
    if json {
        print(&state.text());
    }
    state.exit = state.exit.and(Exit::Inconclusive);
    std::process::exit(exit_of(&state) as i32);
}

/// All answers together, and what went wrong.
fn exit_of(state: &State) -> Exit {
    let of = |a: &Answer| match a.verdict {
        Verdict::Violated | Verdict::Nonempty => Exit::Violated,
        Verdict::Inconclusive => Exit::Inconclusive,
        _ => Exit::Holds,
    };
    state.document.results.iter().map(of).fold(state.exit, Exit::and)
}

/// FFKVY01's table for each property.
fn tables(answers: &[Answer]) -> String {
    let mut text = String::new();
    let mut done: Vec<&Option<String>> = Vec::new();
    for a in answers {
        if !done.contains(&&a.property) {
            let group: Vec<&Answer> = answers.iter().filter(|b| b.property == a.property).collect();
            text += &format!("{}\n", a.property.as_deref().unwrap_or_default());
            text += &text::symbolic_table(&group);
            done.push(&a.property);
        }
    }
    text
}

impl Listener for Session<'_> {
    fn begin(&self, properties: &[String]) {
        self.state().open = properties.to_vec();
    }

    fn answer(&self, answer: &Answer) {
        let mut state = self.state();
        state.open.retain(|name| Some(name) != answer.property.as_ref());
        let mut kept = answer.clone();
        if !state.document.inputs.is_empty() {
            kept.input = state.document.inputs.get(state.current).cloned();
        }
        if self.talks() && self.shape == Shape::Text && answer.property.is_some() {
            let text = text::headline(answer, self.common.verbose);
            let title = answer.property.as_deref().unwrap_or_default();
            let mut text = self.common.painted(text, title, answer.verdict);
            let which = (kept.input.clone(), answer.property.clone());
            if let Some(run) = &answer.run
                && state.shown.insert(which)
            {
                text += &self.run(run);
            }
            if let Some(statements) = &answer.statements {
                text += &text::coverage(statements);
            }
            self.say(&text);
        }
        kept.samples = self.samples.of(answer);
        state.keep(kept);
    }

    fn skipped(&self, skipped: &Skipped) {
        self.state().document.skipped.push(skipped.clone());
        if self.talks() {
            self.say(&format!("skipped {}: {}\n", skipped.algorithm, skipped.reason));
        }
    }

    fn warning(&self, warning: &Problem) {
        self.state().document.warnings.push(warning.clone());
        if !self.common.quiet {
            self.pulses.aside(|| eprint(&format!("warning: {}\n", warning.message)));
        }
    }

    fn search(&self, what: &str, memory: Option<usize>) -> Box<dyn Progress + '_> {
        let spinner = Spinner::new(self.common, what, memory);
        Box::new(Watched { spinner, series: self.samples.begin(what) })
    }

    fn pulse(&self, pulse: Pulse) {
        self.samples.pulse(pulse);
        self.pulses.tell(pulse);
    }

    fn diagrams(&self, busy: bool) {
        self.shared.busy.store(busy, Ordering::Relaxed);
    }
}

/// A search that is shown and sampled.
struct Watched {
    spinner: Spinner,
    series: Arc<Mutex<Series>>,
}

impl Progress for Watched {
    fn tick(&mut self, counters: &Counters, depth: usize) {
        self.series.lock().unwrap_or_else(PoisonError::into_inner).tick(counters, depth);
        self.spinner.tick(counters, depth);
    }
}

/// The peak of the process's memory, where the system tells it.
pub fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
