//! The same questions to several algorithms, with several stores: what each needed to answer them.
//!
//! Each property is decided by one algorithm after the other, on the same model and in the same order of successors. What
//! was known before ([`Contest::known`]) is not done again.

use crate::Kind;
use crate::error::Error;
use crate::how::{How, Listener};
use crate::model::Model;
use crate::options::{Algorithms, Engine, Options, Por, Store, Threads};
use crate::table::{Command, refused};
use riata_explore::Algorithm;
use riata_report::answer::Skipped;
use riata_report::compare::Row;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who competes, and how often.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Contest {
    /// The algorithms: `all` are those of the engine. None are all.
    pub algorithms: Vec<Algorithms>,
    /// The stores, for the explicit engine. None is the usual one.
    pub stores: Vec<Store>,
    /// How often each check is repeated, for its time; 0 is once.
    pub repeat: usize,
    /// Rows of an earlier call, by their keys.
    pub known: Vec<Row>,
    /// What else tells this comparison from others: the version, a hash of the model.
    pub salt: String,
}

/// One property: which it is, and the options that ask for it alone.
struct Task {
    name: String,
    options: Options,
}

impl Contest {
    /// Compares on a model; `each` is told every row as soon as it is known.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join("riata-doc-compare.pml");
    /// # std::fs::write(&path, "bit x; active proctype P() { do :: x = 1 - x od }").unwrap();
    /// use riata::{Model, Nobody, Options, compare::Contest};
    /// let mut options = Options::default();
    /// options.ltl.push("[]<> x".into());
    /// let mut contest = Contest::default();
    /// contest.algorithms = vec!["se05".parse().unwrap(), "owcty".parse().unwrap()];
    /// let mut rows = Vec::new();
    /// let mut model = Model::open(&path)?;
    /// contest.on(&mut model, &options, (&false.into(), &Nobody), &mut |row| rows.push(row))?;
    /// assert_eq!(rows.len(), 2);
    /// # Ok::<(), riata::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a property is unknown or a formula is wrong, or if no algorithm can decide anything of the model.
    pub fn on(
        &self,
        model: &mut Model,
        options: &Options,
        (interrupt, listener): (&AtomicBool, &dyn Listener),
        each: &mut dyn FnMut(Row),
    ) -> Result<Vec<Skipped>, Error> {
        self.possible(model, options)?;
        let mut skipped: Vec<Skipped> = Vec::new();
        let mut done = 0;
        for task in tasks(model, options)? {
            // Reachability decides some properties, whatever was asked for: once for each store.
            let mut finite: Vec<String> = Vec::new();
            for algorithm in self.competitors(model, options) {
                for options in self.variants(&task, algorithm, model) {
                    if let Some(reason) = refused(&options, model.kind(), Command::Check) {
                        note(&mut skipped, algorithm, &reason);
                        continue;
                    }
                    let key = self.key(model, &task, &options);
                    if let Some(row) = self.known.iter().find(|r| r.key == key) {
                        done += 1;
                        each(row.clone());
                        continue;
                    }
                    let store = options.store.unwrap_or_default().name();
                    if finite.iter().any(|s| s == store) {
                        continue;
                    }
                    let rows = match self.measured(model, &options, (interrupt, listener)) {
                        Ok(rows) => rows,
                        Err(Error::Usage(reason)) => {
                            note(&mut skipped, algorithm, &reason);
                            continue;
                        }
                        Err(error) => return Err(error),
                    };
                    for mut row in rows {
                        row.property.clone_from(&task.name);
                        if row.algorithm != named(algorithm) && algorithm != Algorithms::Auto {
                            finite.push(store.into());
                        }
                        row.key.clone_from(&key);
                        done += 1;
                        each(row);
                    }
                    if interrupt.load(Ordering::Relaxed) {
                        return Ok(skipped);
                    }
                }
            }
        }
        match skipped.first() {
            Some(first) if done == 0 => Err(Error::usage(format!("{}: {}", first.algorithm, first.reason))),
            _ => Ok(skipped),
        }
    }

    /// Does what was asked for, whoever competes, mean something for the model?
    fn possible(&self, model: &Model, options: &Options) -> Result<(), Error> {
        let mut options = options.clone();
        options.store = self.stores.first().copied();
        let explicit = |a: &Algorithms| !matches!(a, Algorithms::Symbolic(_));
        let sets_only = !self.algorithms.is_empty() && !self.algorithms.iter().any(explicit);
        if sets_only && !model.kind().is_synchronous() {
            options.symbolic.engine = Some(Engine::Symbolic);
        }
        let Some(why) = refused(&options, model.kind(), Command::Check) else { return Ok(()) };
        let why = if self.stores.is_empty() { why } else { why.replacen("--store ", "--stores ", 1) };
        Err(Error::Usage(if sets_only { format!("--algorithms: {why}") } else { why }))
    }

    /// The algorithms that compete on a model.
    fn competitors(&self, model: &Model, options: &Options) -> Vec<Algorithms> {
        let symbolic = crate::table::is_symbolic(options, model.kind());
        let all = || -> Vec<Algorithms> {
            match symbolic {
                true => riata_symbolic::Algorithm::ALL.into_iter().map(Algorithms::Symbolic).collect(),
                false => {
                    let several = options.limits.threads.is_some_and(Threads::are_several);
                    let shared = Algorithm::SHARED.into_iter().filter(|_| several);
                    Algorithm::ALL.into_iter().chain(shared).map(Algorithms::One).collect()
                }
            }
        };
        if self.algorithms.is_empty() {
            return all();
        }
        let named = |a: &Algorithms| if *a == Algorithms::All { all() } else { vec![*a] };
        self.algorithms.iter().flat_map(named).collect()
    }

    /// The options for each store. An algorithm on sets brings its engine along.
    fn variants(&self, task: &Task, algorithm: Algorithms, model: &Model) -> Vec<Options> {
        let mut options = task.options.clone();
        options.deciding.algorithm = Some(algorithm);
        // Threads are for those who can have several.
        if !model.kind().is_synchronous() && !matches!(algorithm, Algorithms::One(a) if a.needs_shared()) {
            options.limits.threads = Some(Threads::Just(1));
        }
        if let (Algorithms::Symbolic(_), false) = (algorithm, model.kind().is_synchronous()) {
            options.symbolic.engine = Some(Engine::Symbolic);
            // What is said to the explicit engine is not meant for this one, if both compete.
            if self.algorithms.iter().any(|a| !matches!(a, Algorithms::Symbolic(_))) {
                (options.product, options.deciding.automaton) = (false, None);
            }
        }
        let symbolic = crate::table::is_symbolic(&options, model.kind());
        if matches!(model.kind(), Kind::Promela | Kind::Dve) && !symbolic {
            // The papers' figures are without reduction.
            options.reducing.por = Some(Por::Off);
        }
        if self.stores.is_empty() || symbolic {
            return vec![options];
        }
        let with = |store: &Store| {
            let mut options = options.clone();
            options.store = Some(*store);
            options
        };
        self.stores.iter().map(with).collect()
    }

    /// The rows of one check, repeated as often as asked.
    fn measured(
        &self,
        model: &mut Model,
        options: &Options,
        (interrupt, listener): (&AtomicBool, &dyn Listener),
    ) -> Result<Vec<Row>, Error> {
        let mut rows: Vec<Row> = Vec::new();
        for round in 0..self.repeat.max(1) {
            let how = How::new(options, model.kind(), interrupt, listener);
            let report = model.check_how(&how)?;
            let again: Vec<Row> = report.answers.iter().map(|a| Row::of(model.name(), a)).collect();
            if round == 0 {
                if again.is_empty()
                    && let Some(s) = report.skipped.first()
                {
                    return Err(Error::usage(s.reason.clone()));
                }
                rows = again;
            } else {
                rows.iter_mut().zip(again).for_each(|(row, again)| row.seconds.extend(again.seconds));
            }
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(rows)
    }

    /// What a row is an answer to.
    fn key(&self, model: &Model, task: &Task, o: &Options) -> String {
        let d = &o.deciding;
        format!(
            "{}|{}|{}|{:?}|{:?}|{:?}|{:?}|{:?}|{:?}|{:?}|{:?}|{}|{}|{}",
            self.salt,
            model.name(),
            task.name,
            o.ltl,
            d.algorithm,
            o.store,
            o.symbolic.engine,
            d.fairness,
            d.deadlocks,
            d.automaton,
            o.reading,
            o.exists,
            o.product,
            self.repeat
        )
    }
}

/// The name of an algorithm.
fn named(algorithm: Algorithms) -> &'static str {
    match algorithm {
        Algorithms::Auto => "auto",
        Algorithms::All => "all",
        Algorithms::One(a) => a.name(),
        Algorithms::Symbolic(a) => a.name(),
    }
}

/// A check that does not apply is told once.
fn note(skipped: &mut Vec<Skipped>, algorithm: Algorithms, reason: &str) {
    let skip = Skipped { index: None, algorithm: named(algorithm).into(), reason: reason.into() };
    if !skipped.contains(&skip) {
        skipped.push(skip);
    }
}

/// Each property alone: formulas that are given, properties that are chosen, or all that the model states.
fn tasks(model: &Model, options: &Options) -> Result<Vec<Task>, Error> {
    let mut tasks = Vec::new();
    let mut bare = options.clone();
    (bare.ltl, bare.ctl, bare.property) = (Vec::new(), Vec::new(), Vec::new());
    for (i, formula) in options.ltl.iter().enumerate() {
        let mut options = bare.clone();
        options.ltl.push(formula.clone());
        tasks.push(Task { name: format!("ltl_{i}"), options });
    }
    for (i, formula) in options.ctl.iter().enumerate() {
        let mut options = bare.clone();
        options.ctl.push(formula.clone());
        tasks.push(Task { name: format!("ctl_{i}"), options });
    }
    let stated = model.properties();
    let chosen: Vec<String> = match (options.property.is_empty(), tasks.is_empty()) {
        (false, _) => options.property.clone(),
        (true, true) => stated.iter().filter(|s| !s.on_request).map(|s| s.name.clone()).collect(),
        (true, false) => Vec::new(),
    };
    for name in chosen {
        let mut options = bare.clone();
        options.property.push(name.clone());
        tasks.push(Task { name, options });
    }
    if tasks.is_empty() {
        return Err(Error::usage("the model states no property; give formulas with --ltl"));
    }
    Ok(tasks)
}
