//! Which properties to check, and those that need a search for cycles.

use crate::args::{Algorithms, CheckArgs, Common, EndOfRuns, StoreKind};
use crate::check::Answer;
use crate::dispatch::{Outcome, Search};
use crate::empty::store_name;
use crate::output::{Exit, complain};
use crate::reasons::Asked;
use crate::symbolic;
use crate::watch::{Interrupt, Spinner};
use riata_automata::translate::{Budget, Output, TranslateError};
use riata_automata::{Strength, Tgba, strength};
use riata_explore::{Algorithm, Refused, choose};
use riata_ltl::Ltl;
use riata_report::json::{Counters, Entry, Skipped};
use riata_system::{Product, Progress, System, Verdict};

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
