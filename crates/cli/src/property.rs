//! Which properties to check, and those that need a search for cycles.

use crate::args::{Algorithms, CheckArgs, Common, StoreKind};
use crate::check::{Answer, ready};
use crate::dispatch::{Outcome, Search};
use crate::empty::store_name;
use crate::model::Loaded;
use crate::output::{Exit, complain};
use crate::trace::Viewer;
use crate::watch::{Interrupt, Spinner};
use riata_automata::Strength;
use riata_explore::{Algorithm, Refused, choose};
use riata_program::{ClaimGraph, Interpreter, Options};
use riata_report::json::{Counters, Entry, Skipped};
use riata_system::{Graph, Progress, Verdict};

/// A property to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Assertions hold, and there are no run-time errors.
    Assertions,
    /// Some process can always move.
    Deadlock,
    /// The model's property process accepts no run.
    Claim,
}

impl Wanted {
    /// As scripts know it.
    pub fn name(&self) -> String {
        match self {
            Wanted::Assertions => "assertions".into(),
            Wanted::Deadlock => "deadlock".into(),
            Wanted::Claim => "property".into(),
        }
    }

    /// Is it about states, not about cycles?
    pub fn is_safety(&self) -> bool {
        matches!(self, Wanted::Assertions | Wanted::Deadlock)
    }
}

/// What the user asked for, or everything that the model states.
pub fn wanted(args: &CheckArgs, _: &Common, loaded: &mut Loaded) -> Result<Vec<Wanted>, Exit> {
    let mut all = vec![Wanted::Assertions, Wanted::Deadlock];
    if loaded.model.program.claim.is_some() {
        all.push(Wanted::Claim);
    }
    if args.property.is_empty() {
        return Ok(all);
    }
    let mut chosen = Vec::new();
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
    Ok(chosen)
}

/// Searches for cycles.
pub struct Cycles<'a> {
    /// The command.
    pub args: &'a CheckArgs,
    /// Common flags.
    pub common: &'a Common,
    /// To stop.
    pub interrupt: &'a Interrupt,
    /// The model.
    pub loaded: &'a Loaded,
}

impl Cycles<'_> {
    /// The answers by all checks that were asked for.
    pub fn check(&self, property: &Wanted) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let options = Options { claim: true, ends: self.args.deadlocks.into() };
        let interpreter = ready(self.loaded, self.common, options)?;
        let graph = ClaimGraph::new(&interpreter);
        let run = |search: &Search, progress: &mut dyn Progress| {
            search.refuses(graph.strength())?;
            search.on_states(&graph, false, |lasso| lasso, progress)
        };
        self.each(property, &interpreter, graph.strength(), &run)
    }

    fn each(
        &self,
        property: &Wanted,
        interpreter: &Interpreter,
        strength: Strength,
        run: &dyn Fn(&Search, &mut dyn Progress) -> Result<Outcome, Refused>,
    ) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let numbered = self.args.store != StoreKind::Bitstate;
        let (algorithms, why) = match self.args.algorithm {
            Algorithms::One(a) => (vec![a], None),
            Algorithms::All => (Algorithm::ALL.to_vec(), None),
            Algorithms::Auto => {
                let choice = choose(strength, numbered);
                (vec![choice.algorithm], Some(choice.reason))
            }
        };
        let (mut answers, mut skipped) = (Vec::new(), Vec::new());
        for algorithm in algorithms {
            let search = Search {
                algorithm,
                store: self.args.store,
                hashing: &self.args.hashing,
                limits: self.interrupt.limits(&self.args.limits),
            };
            let mut spinner = Spinner::new(self.common, algorithm.name());
            match run(&search, &mut spinner) {
                Ok(outcome) => {
                    drop(spinner);
                    let mut answer = self.answer(property, interpreter, outcome);
                    answer.entry.algorithm = algorithm.name().into();
                    answer.entry.strength = Some(strength.name());
                    answer.entry.why = why.map(Into::into);
                    answers.push(answer);
                }
                Err(refused) if self.args.algorithm == Algorithms::All => {
                    let algorithm = algorithm.name().into();
                    skipped.push(Skipped { index: None, algorithm, reason: refused.to_string() });
                }
                Err(refused) => return Err(complain(&refused.to_string())),
            }
        }
        agree(&answers);
        // One counterexample is enough for people.
        let violated = |a: &&mut Answer| a.entry.verdict == "violated";
        answers.iter_mut().filter(violated).skip(1).for_each(|a| a.shown.clear());
        Ok((answers, skipped))
    }

    fn answer(&self, property: &Wanted, interpreter: &Interpreter, o: Outcome) -> Answer {
        let (verdict, reason) = match &o.verdict {
            Verdict::Empty => ("holds", None),
            Verdict::Accepting(_) => ("violated", None),
            Verdict::Inconclusive(stop) => ("inconclusive", Some(stop.to_string())),
        };
        let mut answer = Answer {
            entry: Entry {
                property: Some(property.name()),
                verdict,
                reason,
                engine: "explicit",
                store: store_name(o.store),
                degeneralised: o.degeneralised,
                counters: Counters::from(o.counters),
                memory_bytes: o.counters.bytes,
                cpu_seconds: o.cpu_seconds,
                ..Entry::default()
            },
            shown: String::new(),
            itf: None,
        };
        if let Some((coverage, runs)) = o.coverage {
            answer.entry.more.insert("coverage".into(), coverage.into());
            answer.entry.more.insert("runs".into(), runs.into());
        }
        if let Verdict::Accepting(lasso) = &o.verdict {
            let viewer = Viewer::new(self.loaded, interpreter);
            let (path, back) = viewer.unroll(lasso);
            answer.entry.lasso = Some(viewer.lasso(lasso));
            answer.shown = viewer.trace(&path, Some(back)).to_text();
            answer.itf = Some(viewer.itf(&path, Some(back), &property.name()));
        }
        answer
    }
}

/// Checks that contradict each other are a bug, never a verdict.
fn agree(answers: &[Answer]) {
    let some = |v: &str| answers.iter().find(|a| a.entry.verdict == v).map(|a| &a.entry.algorithm);
    if let (Some(h), Some(v)) = (some("holds"), some("violated")) {
        panic!("internal error: {h} says that the property holds, {v} that it is violated");
    }
}
