//! Which properties to check, and those that need a search for cycles.

use crate::args::{Algorithms, CheckArgs, Common, EndOfRuns, StoreKind};
use crate::check::{Answer, ready};
use crate::dispatch::{Outcome, Search};
use crate::empty::store_name;
use crate::model::Loaded;
use crate::output::{Exit, complain};
use crate::reasons::Asked;
use crate::symbolic;
use crate::trace::Viewer;
use crate::watch::{Interrupt, Spinner};
use riata_automata::translate::{Budget, Output, TranslateError};
use riata_automata::{Strength, Tgba, strength};
use riata_explore::{Algorithm, Refused, choose};
use riata_ltl::Ltl;
use riata_program::{ClaimGraph, Interpreter, Options};
use riata_report::json::{Counters, Entry, Skipped};
use riata_source::Diagnostic;
use riata_system::{Failures, Graph, Lasso, Product, Progress, System, Verdict};

/// A property to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Assertions hold, and there are no run-time errors.
    Assertions,
    /// Some process can always move.
    Deadlock,
    /// The model's property process accepts no run.
    Claim,
    /// A formula of the command line: its number.
    Ltl(usize),
}

impl Wanted {
    /// As scripts know it.
    pub fn name(&self) -> String {
        match self {
            Wanted::Assertions => "assertions".into(),
            Wanted::Deadlock => "deadlock".into(),
            Wanted::Claim => "property".into(),
            Wanted::Ltl(i) => format!("ltl_{i}"),
        }
    }

    /// Is it about states, not about cycles?
    pub fn is_safety(&self) -> bool {
        matches!(self, Wanted::Assertions | Wanted::Deadlock)
    }
}

/// What the user asked for, or everything that the model states.
pub fn wanted(args: &CheckArgs, loaded: &Loaded) -> Result<Vec<Wanted>, Exit> {
    let mut all = vec![Wanted::Assertions, Wanted::Deadlock];
    if loaded.model.program.claim.is_some() {
        all.push(Wanted::Claim);
    }
    all.extend((0..args.ltl.len()).map(Wanted::Ltl));
    if args.property.is_empty() {
        // Formulas are a choice, too.
        all.retain(|p| args.ltl.is_empty() || matches!(p, Wanted::Ltl(_)));
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
    chosen.extend((0..args.ltl.len()).map(Wanted::Ltl).filter(|p| !args.property.contains(&p.name())));
    Ok(chosen)
}

/// A formula and the automata whose runs are looked for, each with its strength.
#[derive(Clone)]
pub struct Formula {
    /// As it was asked.
    pub asked: Asked,
    /// Transition-based, generalised.
    pub tgba: (Tgba, Strength),
    /// With one acceptance set on states, if a check needs that.
    pub ba: Option<(Tgba, Strength)>,
}

/// Reads and translates the formulas of the command line, and makes their propositions known to the model.
pub fn formulas(args: &CheckArgs, common: &Common, loaded: &mut Loaded) -> Result<Vec<Formula>, Exit> {
    args.ltl.iter().map(|text| formula(args, common, loaded, text)).collect()
}

fn formula(args: &CheckArgs, common: &Common, loaded: &mut Loaded, text: &str) -> Result<Formula, Exit> {
    let complaint = |d: &[Diagnostic], text: &str| {
        common.diagnose("formula", text.as_bytes(), d);
        Exit::Bad
    };
    let ltl = riata_ltl::parse(text, args.dialect).map_err(|d| complaint(&[d], text))?;
    for ap in ltl.arena.ap_numbers(ltl.root) {
        let name = ltl.arena.aps()[ap as usize].clone();
        if loaded.model.program.propositions.iter().any(|p| p.name == name) {
            continue;
        }
        loaded.model.proposition(&name).map_err(|d| complaint(&d, &name))?;
        if loaded.model.program.propositions.len() > MAX_PROPOSITIONS {
            return Err(complain(&format!("the formulas have more than {MAX_PROPOSITIONS} propositions")));
        }
    }
    Formula::translate(args, text, ltl)
}

impl Formula {
    /// The automata for `ltl`, which was read from `text`: of its negation, unless a satisfying run is wanted. If the
    /// limits do not suffice, that is [`Exit::Inconclusive`]; see [`untranslated`].
    pub fn translate(args: &CheckArgs, text: &str, ltl: Ltl) -> Result<Formula, Exit> {
        Formula::within(args, text, ltl, Budget { deadline: args.limits.deadline(), ..Budget::default() })
    }

    /// As [`Formula::translate`], but at this expense.
    pub fn within(args: &CheckArgs, text: &str, ltl: Ltl, budget: Budget) -> Result<Formula, Exit> {
        let wanted = if args.exists { ltl.clone() } else { ltl.negated() };
        let translated = |output| {
            let options = riata_automata::Options { output, budget, ..Default::default() };
            let automaton = riata_automata::translate(&wanted, &options).map_err(|e| match e {
                TranslateError::Budget(_) => Exit::Inconclusive,
                _ => complain(&format!("cannot translate `{text}`: {e}")),
            })?;
            let strength = strength::of_property(&automaton);
            Ok((automaton, strength))
        };
        let on_states = match args.algorithm {
            Algorithms::All => true,
            Algorithms::One(a) => a.needs_one_set(),
            Algorithms::Symbolic(_) => false,
            Algorithms::Auto => args.store == StoreKind::Bitstate,
        };
        let ba = if on_states { Some(translated(Output::Ba)?) } else { None };
        let asked = Asked { ltl, dialect: args.dialect.of(text) };
        Ok(Formula { asked, tgba: translated(Output::Tgba)?, ba })
    }
}

/// The answer to a property whose formula could not be translated within the limits.
pub fn untranslated(property: String) -> Answer {
    let entry = Entry {
        property: Some(property),
        verdict: "inconclusive",
        reason: Some("the formula could not be translated within the limits".into()),
        engine: "explicit",
        ..Entry::default()
    };
    Answer { entry, ..Answer::default() }
}

/// The most propositions that a valuation can tell.
const MAX_PROPOSITIONS: usize = 64;

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
    /// The formulas of the command line.
    pub formulas: &'a [Formula],
}

impl Cycles<'_> {
    /// The answers by all checks that were asked for.
    pub fn check(&self, property: &Wanted) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        match property {
            Wanted::Ltl(i) => self.formula(property, &self.formulas[*i]),
            _ => self.claim(property),
        }
    }

    fn claim(&self, property: &Wanted) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let options = Options { claim: true, ends: self.args.deadlocks.into() };
        let interpreter = ready(self.loaded, self.common, options)?;
        let graph = ClaimGraph::new(&interpreter);
        let run = |search: &Search, progress: &mut dyn Progress| {
            search.refuses(graph.strength())?;
            if search.algorithm.needs_one_set() {
                search.on_states(&graph, false, |verdict| verdict, progress)
            } else {
                search.on_edges(&graph, progress)
            }
        };
        self.each(property, &interpreter, graph.strength(), &run)
    }

    fn formula(&self, property: &Wanted, f: &Formula) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let interpreter = ready(self.loaded, self.common, Options::default())?;
        let names = self.propositions();
        let ends = self.args.deadlocks;
        let failures = if self.args.exists { Failures::Reject } else { Failures::Accept };
        let on_edges = product(&interpreter, &names, &f.tgba, ends)?.with_failures(failures);
        let on_states = match &f.ba {
            Some(ba) => product(&interpreter, &names, ba, ends)?.with_failures(failures).on_states().ok(),
            None => None,
        };
        let strength = on_edges.strength();
        let degeneralised = f.tgba.0.sets > 1;
        let run = |search: &Search, progress: &mut dyn Progress| match &on_states {
            Some(g) if search.algorithm.needs_one_set() => {
                search.refuses(g.strength())?;
                search.on_states(g, degeneralised, |verdict| verdict, progress)
            }
            _ => {
                search.refuses(strength)?;
                search.on_edges(&on_edges, progress)
            }
        };
        self.each(property, &interpreter, strength, &run)
    }

    /// Which propositions have no value in a state, and why.
    fn undefined(&self, interpreter: &Interpreter, s: &[u32]) -> String {
        let undefined = interpreter.undefined(s).0;
        let names = self.propositions();
        let wrong = (0..names.len()).filter(|i| undefined >> i & 1 == 1).filter_map(|i| {
            let (fault, _) = interpreter.why_undefined(s, i)?;
            Some(format!("`{}` has no value: {fault}", names[i]))
        });
        wrong.collect::<Vec<_>>().join("; ")
    }

    /// What the valuations of the model tell.
    fn propositions(&self) -> Vec<&str> {
        self.loaded.model.program.propositions.iter().map(|p| p.name.as_str()).collect()
    }

    fn each(
        &self,
        property: &Wanted,
        interpreter: &Interpreter,
        strength: Strength,
        run: &dyn Fn(&Search, &mut dyn Progress) -> Result<Outcome, Refused>,
    ) -> Result<(Vec<Answer>, Vec<Skipped>), Exit> {
        let (outcomes, skipped) = search_all(self.args, self.common, self.interrupt, strength, run)?;
        let mut answers: Vec<Answer> = Vec::new();
        let mut first = true;
        for done in outcomes {
            let found = matches!(done.outcome.verdict, Verdict::Accepting(_));
            // One counterexample is enough for people.
            let mut answer = self.answer(property, interpreter, done.outcome, first);
            first &= !found;
            answer.entry.algorithm = done.algorithm.name().into();
            answer.entry.strength = Some(strength.name());
            answer.entry.why = done.why.map(Into::into);
            answers.push(answer);
        }
        agree(&answers);
        Ok((answers, skipped))
    }

    /// What the outcome says. A counterexample can be hundreds of thousands of steps long and takes kilobytes a step
    /// when it is spelt out, so only those forms are made that somebody will see.
    fn answer(&self, property: &Wanted, interpreter: &Interpreter, o: Outcome, first: bool) -> Answer {
        let exists = self.exists(property);
        let entry = entry_of(property.name(), exists, &o);
        let answer = Answer { entry, ..Answer::default() };
        match &o.verdict {
            Verdict::Accepting(lasso) => self.show(answer, property, interpreter, lasso, first),
            _ => answer,
        }
    }

    /// Is a run wanted, instead of unwanted?
    pub fn exists(&self, property: &Wanted) -> bool {
        self.args.exists && matches!(property, Wanted::Ltl(_))
    }

    /// The answer with the run that was found.
    pub fn show(
        &self,
        mut answer: Answer,
        property: &Wanted,
        interpreter: &Interpreter,
        lasso: &Lasso,
        first: bool,
    ) -> Answer {
        let viewer = Viewer::new(self.loaded, interpreter);
        let failed = matches!(property, Wanted::Ltl(_)).then(|| lasso.failure()).flatten();
        let walk = failed.clone().unwrap_or_else(|| lasso.walk());
        let for_people = first && !self.common.json && !self.common.quiet;
        if self.common.json {
            answer.entry.more.insert("steps".into(), viewer.steps(&walk).into());
            match failed {
                Some(_) => drop(answer.entry.more.insert("trace".into(), viewer.states(&walk.states).into())),
                None => answer.entry.lasso = Some(viewer.lasso(lasso)),
            }
        }
        if for_people {
            answer.shown = viewer.trace(&walk).to_text();
        }
        if first && self.args.trace.is_some() {
            answer.itf = Some(viewer.itf(&walk, &property.name()));
        }
        if failed.is_some() {
            let end = self.undefined(interpreter, walk.states.get(walk.states.len() - 1));
            if for_people {
                answer.shown += &format!("  {end}\n");
            }
            answer.entry.reason = Some(end);
        } else if let (Wanted::Ltl(i), false) = (property, self.exists(property)) {
            let why = self.formulas[*i].asked.why(interpreter, &self.propositions(), lasso);
            if for_people {
                answer.shown += &why.to_text(|i| format!("step {i}"));
            }
            answer.entry.more.insert("reasons".into(), why.to_json());
        }
        answer
    }
}

/// What one check found, and why it was taken.
pub struct Done {
    /// The check.
    pub algorithm: Algorithm,
    /// The reason, if it was chosen for the user.
    pub why: Option<&'static str>,
    /// What it found.
    pub outcome: Outcome,
}

/// Runs all checks that were asked for on a graph of the given strength.
pub fn search_all(
    args: &CheckArgs,
    common: &Common,
    interrupt: &Interrupt,
    strength: Strength,
    run: &dyn Fn(&Search, &mut dyn Progress) -> Result<Outcome, Refused>,
) -> Result<(Vec<Done>, Vec<Skipped>), Exit> {
    if args.store == StoreKind::Dense {
        return Err(complain(
            "the store dense is for automata, whose states are numbers; take exact or tree",
        ));
    }
    let numbered = args.store != StoreKind::Bitstate;
    let (algorithms, why) = match args.algorithm {
        Algorithms::One(a) => (vec![a], None),
        Algorithms::Symbolic(a) => return Err(complain(&symbolic::only(a))),
        Algorithms::All => (Algorithm::ALL.to_vec(), None),
        Algorithms::Auto => {
            let choice = choose(strength, numbered);
            (vec![choice.algorithm], Some(choice.reason))
        }
    };
    let (mut done, mut skipped) = (Vec::new(), Vec::new());
    for algorithm in algorithms {
        let limits = interrupt.limits(&args.limits);
        let search = Search { algorithm, store: args.store, hashing: &args.hashing, limits };
        let mut spinner = Spinner::new(common, algorithm.name(), args.limits.memory);
        match run(&search, &mut spinner) {
            Ok(outcome) => done.push(Done { algorithm, why, outcome }),
            Err(refused) if args.algorithm == Algorithms::All => {
                let algorithm = algorithm.name().into();
                skipped.push(Skipped { index: None, algorithm, reason: refused.to_string() });
            }
            Err(refused) => return Err(complain(&refused.to_string())),
        }
    }
    Ok((done, skipped))
}

/// The product of a system, whose valuations tell the propositions `names`, and an automaton.
pub fn product<'a, S: System>(
    system: &'a S,
    names: &[&str],
    (automaton, strength): &'a (Tgba, Strength),
    ends: EndOfRuns,
) -> Result<Product<'a, S>, Exit> {
    let product = Product::new(system, names, automaton, ends.into());
    product.map(|p| p.with_strength(*strength)).map_err(|e| complain(&e.to_string()))
}

/// What an outcome says of a property. A run that satisfies the formula is wanted with `--exists`, one that violates
/// it is not wanted otherwise.
pub fn entry_of(property: String, exists: bool, o: &Outcome) -> Entry {
    let (verdict, reason) = match &o.verdict {
        Verdict::Empty => (if exists { "violated" } else { "holds" }, None),
        Verdict::Accepting(_) => (if exists { "holds" } else { "violated" }, None),
        Verdict::Inconclusive(stop) => ("inconclusive", Some(stop.to_string())),
    };
    let mut entry = Entry {
        property: Some(property),
        verdict,
        reason,
        engine: "explicit",
        store: store_name(o.store),
        degeneralised: o.degeneralised,
        counters: Counters::from(o.counters),
        memory_bytes: o.counters.bytes,
        cpu_seconds: o.cpu_seconds,
        ..Entry::default()
    };
    if let Some((coverage, runs)) = o.coverage {
        entry.more.insert("coverage".into(), coverage.into());
        entry.more.insert("runs".into(), runs.into());
    }
    entry
}

/// Checks that contradict each other are a bug, never a verdict.
pub fn agree(answers: &[Answer]) {
    let some = |v: &str| answers.iter().find(|a| a.entry.verdict == v).map(|a| &a.entry.algorithm);
    if let (Some(h), Some(v)) = (some("holds"), some("violated")) {
        panic!("internal error: {h} says that the property holds, {v} that it is violated");
    }
}
