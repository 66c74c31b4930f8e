//! Models: where a user of the crate begins.

use crate::check::{self, Report};
use crate::error::{Error, Remarks};
use crate::how::{How, Listener, Nobody};
use crate::kripke::Structure;
use crate::options::{Algorithms, EndOfRuns, Engine, Fairness, Kind, Options, Reading, Store};
use crate::plain::Plain;
use crate::profile::Profile;
use crate::program::Loaded;
use crate::rust::{self, Typed};
use crate::smv::Synchronous;
use crate::subject::{Replayed, Stated, Subject, Walker};
use crate::table::Command;
use crate::written::Written;
use riata_automata::hoa::Reader;
use riata_report::answer::Answer;
use riata_system::Interned;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A model of any kind, ready for questions.
pub struct Model<'m> {
    subject: Box<dyn Subject + 'm>,
    /// How long it took to read it.
    read: Duration,
}

impl Model<'static> {
    /// Reads a model; its kind is told by the name of the file.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-open.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let model = riata::Model::open(&path)?;
    /// assert_eq!(model.kind(), riata::Kind::Promela);
    /// assert!(riata::Model::open("no such file.pml").is_err());
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such file, if its name does not tell what it is, or if the text is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<Model<'static>, Error> {
        Model::open_as(path, None, &Reading::default())
    }

    /// Reads a model of this kind.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-as.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::options::Reading;
    /// let mut reading = Reading::default();
    /// reading.define.push("N=3".into());
    /// let model = riata::Model::open_as(&path, Some(riata::Kind::Promela), &reading)?;
    /// assert!(model.remarks().iter().all(|r| r.draw(false).is_empty()));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn open_as(
        path: impl AsRef<Path>,
        kind: Option<Kind>,
        reading: &Reading,
    ) -> Result<Model<'static>, Error> {
        let mut found = None;
        Model::each(path, kind, reading, &mut |model| {
            found = Some(model);
            ControlFlow::Break(())
        })?;
        found.unwrap_or_else(|| Err(Error::usage("the file holds no model")))
    }

    /// Reads all models of a file, one after the other: a HOA file may hold several.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-each.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let mut names = Vec::new();
    /// riata::Model::each(&path, None, &Default::default(), &mut |model| {
    ///     names.extend(model.map(|m| m.name().to_string()));
    ///     std::ops::ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(names.len(), 1);
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read, or what it is is not known.
    pub fn each(
        path: impl AsRef<Path>,
        kind: Option<Kind>,
        reading: &Reading,
        each: &mut dyn FnMut(Result<Model<'static>, Error>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let path = path.as_ref();
        let Some(kind) = kind.or_else(|| Kind::of(path)) else {
            return Err(Error::usage(format!(
                "{}: what kind of model is this? Models end in .pml, .dve, .smv, .aag, .aig or .hoa; --input says otherwise",
                path.display()
            )));
        };
        let given = path.to_string_lossy().into_owned();
        let name = if given == "-" { "<stdin>".to_string() } else { given.clone() };
        let start = Instant::now();
        let each = &mut |model: Result<Model<'static>, Error>| {
            each(model.map(|model| Model { read: start.elapsed(), ..model }))
        };
        let bytes = read(path).map_err(|e| Error::usage(format!("cannot read {name}: {e}")))?;
        let _ = match kind {
            Kind::Promela => each(Loaded::promela(&given, &name, &bytes, reading).map(Model::of_subject)),
            Kind::Dve => each(Loaded::dve(&given, &name, bytes).map(Model::of_subject)),
            Kind::Smv | Kind::Aiger => {
                each(Synchronous::read(&given, &name, bytes, kind).map(Model::of_subject))
            }
            Kind::Hoa => structures(&given, &name, &bytes, each),
            Kind::Rust => return Err(Error::usage("a model in Rust is no file: see `Model::of`")),
        };
        Ok(())
    }
}

/// Reads a file; `-` is standard input.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn structures(
    given: &str,
    name: &str,
    bytes: &[u8],
    each: &mut dyn FnMut(Result<Model<'static>, Error>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (index, automaton) in Reader::new(bytes).enumerate() {
        let model = match automaton {
            Ok(a) => {
                let remarks = vec![Remarks::about(name, bytes, a.warnings.clone())];
                let place = Some((index, a.name.clone()));
                Ok(Model::of_subject(Plain::new(given, place, remarks, Structure(a))))
            }
            Err(diagnostics) => Err(Error::text(name, bytes, diagnostics)),
        };
        each(model)?;
    }
    ControlFlow::Continue(())
}

impl<'m> Model<'m> {
    fn of_subject(subject: impl Subject + 'm) -> Model<'m> {
        Model { subject: Box::new(subject), read: Duration::ZERO }
    }

    /// A model in Rust, called `name` in traces and reports.
    ///
    /// ```
    /// struct Bit;
    /// impl riata::rust::Model for Bit {
    ///     type State = bool;
    ///     fn initial(&self) -> Vec<bool> { vec![false] }
    ///     fn successors(&self, s: &bool, out: &mut Vec<bool>) { out.push(!s) }
    ///     fn propositions(&self) -> Vec<String> { vec!["on".into()] }
    ///     fn holds(&self, _: usize, s: &bool) -> bool { *s }
    /// }
    /// assert!(riata::Model::of("bit", Bit).check().ltl("G F on")?.run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    pub fn of(name: &str, model: impl rust::Model + 'm) -> Model<'m> {
        Model::of_subject(Plain::new(name, None, Vec::new(), Typed(Interned::new(model))))
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.subject.kind()
    }

    /// As it was named.
    pub fn name(&self) -> &str {
        self.subject.name()
    }

    /// Its place in a file with several, and its own name.
    pub fn index(&self) -> Option<(usize, Option<&str>)> {
        self.subject.index()
    }

    /// What it states.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-props.pml");
    /// # std::fs::write(&path, "bit x; ltl flips { []<> x } active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let model = riata::Model::open(&path)?;
    /// let flips = model.properties().into_iter().find(|p| p.name == "flips").unwrap();
    /// assert_eq!(flips.formula.as_deref(), Some("[]<> x"));
    /// # Ok::<(), riata::Error>(())
    /// ```
    pub fn properties(&self) -> Vec<Stated> {
        self.subject.properties()
    }

    /// What is odd about its text, and about formulas that were given.
    pub fn remarks(&self) -> &[Remarks] {
        self.subject.remarks()
    }

    /// Its files: names and texts; none if it has no text of its own to be shown.
    pub fn sources(&self) -> Vec<(String, String)> {
        self.subject.sources()
    }

    /// Asks whether its properties hold: those that it states, unless some are chosen or given.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-check.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let mut model = riata::Model::open(&path)?;
    /// let names: Vec<String> = model.properties().into_iter().map(|p| p.name).collect();
    /// assert!(names.contains(&"deadlock".into()));
    /// assert!(model.check().property("deadlock").run()?.holds());
    /// // A formula that is wrong says where.
    /// let error = model.check().ltl("[] (x ==").err().expect("it is no formula");
    /// assert_eq!(error.problems()[0].line, Some(1));
    /// # Ok::<(), riata::Error>(())
    /// ```
    pub fn check<'a>(&'a mut self) -> Check<'a, 'm> {
        Check { model: self, options: Options::default() }
    }

    /// Counts its states.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-explore.pml");
    /// # std::fs::write(&path, "byte n; active proctype P() { do :: n < 9 -> n++ od }").unwrap();
    /// let answer = riata::Model::open(&path)?.explore(&riata::Options::default())?;
    /// assert_eq!((answer.counters.states, answer.counters.deadlocks), (19, Some(1)));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the options mean nothing for such a model.
    pub fn explore(&mut self, options: &Options) -> Result<Answer, Error> {
        let never = AtomicBool::new(false);
        let kind = self.kind();
        self.explore_how(&How::new(options, kind, &never, &Nobody))
    }

    /// Decides properties, as `how` says.
    ///
    /// # Errors
    /// If the options mean nothing for such a model, or a formula is wrong.
    pub fn check_how(&mut self, how: &How) -> Result<Report, Error> {
        let profile = how.options.stats.then(|| Profile::new(self.read));
        check::check(&mut *self.subject, &How { profile: profile.as_ref(), ..*how })
    }

    /// Counts states, as `how` says.
    ///
    /// # Errors
    /// If the options mean nothing for such a model.
    pub fn explore_how(&mut self, how: &How) -> Result<Answer, Error> {
        let profile = how.options.stats.then(|| Profile::new(self.read));
        check::explore(&mut *self.subject, &How { profile: profile.as_ref(), ..*how })
    }

    /// Gives `walker` a run that grows step by step.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-walk.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let (options, never) = (riata::Options::default(), false.into());
    /// let mut model = riata::Model::open(&path)?;
    /// let how = riata::How::new(&options, model.kind(), &never, &riata::Nobody);
    /// let mut random = riata::subject::Rng::new(7);
    /// model.walk(&how, &mut |walk| {
    ///     while walk.steps() != Some(5) && walk.forward(&mut random)? {}
    ///     assert_eq!(walk.steps(), Some(5));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the walker, or if the options mean nothing for such a model.
    pub fn walk(&mut self, how: &How, walker: &mut Walker) -> Result<(), Error> {
        check::possible(how, Command::Simulate)?;
        self.subject.walk(how, walker)
    }

    /// Is a saved trace one of its runs? The trace is the content of a file, with its name.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-replay.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::subject::Replayed;
    /// let mut model = riata::Model::open(&path)?;
    /// let report = model.check().ltl("<>[] (x == 1)")?.run()?;
    /// let trace = report.answers[0].run.as_ref().expect("a lasso").itf().to_string();
    /// let (options, never) = (riata::Options::default(), false.into());
    /// let how = riata::How::new(&options, model.kind(), &never, &riata::Nobody);
    /// let replayed = model.replay(("trace", trace.as_bytes()), &how)?;
    /// assert!(matches!(replayed, Replayed::Confirmed(_, "a lasso")));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it is no trace at all.
    pub fn replay(&self, trace: (&str, &[u8]), how: &How) -> Result<Replayed, Error> {
        check::possible(how, Command::Replay)?;
        self.subject.replay(trace, how)
    }

    /// Writes the state space down, or the product that the check of one property walks: with one acceptance set on states,
    /// if a check needs that, and with at most so many states. The name of the property comes with it.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-draw.pml");
    /// # let text = "bit x; active proctype P() { do :: atomic { x == 0 -> x = 1 } :: atomic { x -> x = 0 } od }";
    /// # std::fs::write(&path, text).unwrap();
    /// let mut model = riata::Model::open(&path)?;
    /// let (options, never) = (riata::Options::default(), false.into());
    /// let how = riata::How::new(&options, model.kind(), &never, &riata::Nobody);
    /// let (written, _) = model.write_down(&how, (false, 300))?;
    /// assert_eq!(written.automaton.states(), 2);
    /// assert!(written.picture("x").svg().contains("x=1"));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are more states, or the property is about finite runs.
    pub fn write_down(
        &mut self,
        how: &How,
        wanted: (bool, usize),
    ) -> Result<(Written, Option<String>), Error> {
        check::write_down(&mut *self.subject, how, wanted)
    }

    /// What a search would run on, as text.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-print.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let (options, never) = (riata::Options::default(), false.into());
    /// let model = riata::Model::open(&path)?;
    /// let how = riata::How::new(&options, model.kind(), &never, &riata::Nobody);
    /// assert!(model.print(&how)?.contains("process"));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such form.
    pub fn print(&self, how: &How) -> Result<String, Error> {
        check::possible(how, Command::Explore)?;
        self.subject.print(how)
    }

    /// Why steps of a Promela or DVE model can be left out by partial-order reduction or not, location by location, for
    /// people.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-explain.pml");
    /// # std::fs::write(&path, "bit x; active [2] proctype P() { bit y; do :: y = 1 - y :: x = 1 od }").unwrap();
    /// let (options, never) = (riata::Options::default(), false.into());
    /// let model = riata::Model::open(&path)?;
    /// let how = riata::How::new(&options, model.kind(), &never, &riata::Nobody);
    /// assert!(model.explain(&how)?.contains("x with P"));
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it has no processes.
    pub fn explain(&self, how: &How) -> Result<String, Error> {
        check::possible(how, Command::Explore)?;
        self.subject.explain(how)
    }
}

/// A question about a model, in the making.
pub struct Check<'a, 'm> {
    model: &'a mut Model<'m>,
    options: Options,
}

impl Check<'_, '_> {
    /// Also this formula of LTL; its propositions are expressions of the model's language.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-ltl.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let mut model = riata::Model::open(&path)?;
    /// let report = model.check().ltl("[]<> (x == 1)")?.ltl("[] (x == 1)")?.run()?;
    /// assert!(report.answers[0].verdict == riata::Verdict::Holds && !report.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it is no formula. Whether the model knows its propositions is seen when it is decided.
    pub fn ltl(mut self, formula: &str) -> Result<Self, Error> {
        if self.model.kind() != Kind::Smv {
            riata_ltl::parse(formula, riata_ltl::Dialect::Auto)
                .map_err(|d| Error::text("formula", formula.as_bytes(), vec![d]))?;
        }
        self.options.ltl.push(formula.into());
        Ok(self)
    }

    /// Also this formula of CTL, for SMV models.
    ///
    /// ```
    /// let path = std::env::temp_dir().join("riata-doc-ctl.smv");
    /// std::fs::write(&path, "MODULE main VAR x : boolean; ASSIGN next(x) := !x;").unwrap();
    /// assert!(riata::Model::open(&path)?.check().ctl("AG EF x").run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn ctl(mut self, formula: &str) -> Self {
        self.options.ctl.push(formula.into());
        self
    }

    /// Also the property with this name.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-property.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// assert!(riata::Model::open(&path)?.check().property("deadlock").run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn property(mut self, name: &str) -> Self {
        self.options.property.push(name.into());
        self
    }

    /// Is there a run that satisfies the formulas, instead of one that violates them?
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-exists.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let report = riata::Model::open(&path)?.check().ltl("<> (x == 1)")?.exists().run()?;
    /// assert!(report.answers[0].run.is_some(), "a run that satisfies it");
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn exists(mut self) -> Self {
        self.options.exists = true;
        self
    }

    /// By this check, or all.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-algorithm.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::options::Algorithms;
    /// let report = riata::Model::open(&path)?.check().ltl("[]<> x")?.algorithm(Algorithms::All).run()?;
    /// assert!(report.holds() && report.answers.len() > 5);
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithms) -> Self {
        self.options.deciding.algorithm = Some(algorithm);
        self
    }

    /// With this engine.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-engine.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::options::Engine;
    /// assert!(riata::Model::open(&path)?.check().ltl("[]<> x")?.engine(Engine::Symbolic).run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.options.symbolic.engine = Some(engine);
        self
    }

    /// With this store.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-store.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::options::Store;
    /// let report = riata::Model::open(&path)?.check().ltl("[]<> x")?.store(Store::Bitstate).run()?;
    /// assert_eq!(report.verdict(), riata::Verdict::Inconclusive); // the store is lossy
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn store(mut self, store: Store) -> Self {
        self.options.store = Some(store);
        self
    }

    /// Only these runs count.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-fairness.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { x = 1 } active proctype Q() { do :: skip od }").unwrap();
    /// use riata::options::Fairness;
    /// let mut model = riata::Model::open(&path)?;
    /// assert!(!model.check().ltl("<> x")?.run()?.holds());
    /// assert!(model.check().ltl("<> x")?.fairness(Fairness::Weak).run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn fairness(mut self, fairness: Fairness) -> Self {
        self.options.deciding.fairness = Some(fairness);
        self
    }

    /// What becomes of runs that end.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-ends.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { x = 1; do :: x = 1 - x od } active proctype Q() { x = 0; false }").unwrap();
    /// use riata::options::EndOfRuns;
    /// let report = riata::Model::open(&path)?.check().ltl("<> x")?.deadlocks(EndOfRuns::Ignore).run()?;
    /// assert!(!report.answers.is_empty());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn deadlocks(mut self, ends: EndOfRuns) -> Self {
        self.options.deciding.deadlocks = Some(ends);
        self
    }

    /// Within this time.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-time.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use std::time::Duration;
    /// assert!(riata::Model::open(&path)?.check().ltl("[]<> x")?.time(Duration::from_secs(60)).run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.options.limits.time = Some(time);
        self
    }

    /// With so many bytes.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-memory.pml");
    /// # std::fs::write(&path, "int n; active proctype P() { do :: n++ od }").unwrap();
    /// let report = riata::Model::open(&path)?.check().ltl("[] (n >= 0)")?.memory(1 << 20).run()?;
    /// assert_eq!(report.verdict(), riata::Verdict::Inconclusive); // never "holds"
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.options.limits.memory = Some(bytes);
        self
    }

    /// With all these options; what was said before is forgotten.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-options.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// let mut options = riata::Options::default();
    /// options.ltl.push("[]<> x".into());
    /// assert!(riata::Model::open(&path)?.check().options(options).run()?.holds());
    /// # Ok::<(), riata::Error>(())
    /// ```
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Decides.
    ///
    /// # Errors
    /// If the options mean nothing for such a model, or a formula is wrong.
    pub fn run(self) -> Result<Report, Error> {
        self.run_with(&AtomicBool::new(false), &Nobody)
    }

    /// Decides; setting `interrupt` ends the search, and `listener` is told what happens.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-listen.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use std::sync::Mutex;
    /// struct Verdicts(Mutex<Vec<String>>);
    /// impl riata::Listener for Verdicts {
    ///     fn answer(&self, answer: &riata::Answer) {
    ///         self.0.lock().unwrap().push(format!("{}", answer.verdict));
    ///     }
    /// }
    /// let told = Verdicts(Mutex::default());
    /// riata::Model::open(&path)?.check().ltl("[]<> (x == 0)")?.run_with(&false.into(), &told)?;
    /// assert_eq!(*told.0.lock().unwrap(), ["holds"]);
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Check::run`].
    pub fn run_with(self, interrupt: &AtomicBool, listener: &dyn Listener) -> Result<Report, Error> {
        let how = How::new(&self.options, self.model.kind(), interrupt, listener);
        self.model.check_how(&how)
    }
}
