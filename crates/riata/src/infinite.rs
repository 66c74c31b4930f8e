//! Properties of infinite runs, of any system: is there a run that an automaton accepts?

use crate::error::Error;
use crate::how::How;
use crate::options::{self, Algorithms, EndOfRuns, Store, Threads};
use crate::owcty;
use crate::reasons::Asked;
use crate::search::{Outcome, Search, shared_store};
use riata_automata::translate::{Budget, Output, TranslateError};
use riata_automata::{Edge, Marks, Strength, Tgba, strength};
use riata_cluster::Portable;
use riata_explore::known::{Known, Remembers};
use riata_explore::scouts::Scouted;
use riata_explore::shortest::shortest;
use riata_explore::streett::Pair;
use riata_explore::{Algorithm, Refused, choose, choose_shared, lowered};
use riata_ltl::Ltl;
use riata_report::answer::{self, Answer, Counters, Skipped};
use riata_system::{
    Degeneralised, Failures, Graph, Lasso, Marked, Product, ProductOnStates, Progress, Run, Stop, System,
    Verdict, replay,
};
use std::time::Instant;

/// An automaton with its strength.
pub type Automaton = (Tgba, Strength);

/// A formula and the automata whose runs are looked for.
#[derive(Clone)]
pub struct Formula {
    /// As it was asked.
    pub asked: Asked,
    /// Transition-based, generalised.
    pub tgba: Automaton,
    /// With one acceptance set on states, if a check needs that.
    pub ba: Option<Automaton>,
}

impl Formula {
    /// The automata for `ltl`, which was read from `text`: of its negation, unless a satisfying run is wanted.
    pub fn translate(how: &How, text: &str, ltl: Ltl) -> Result<Formula, Error> {
        Formula::within(how, text, ltl, Budget { deadline: how.deadline, ..Budget::default() })
    }

    /// As [`Formula::translate`], but at this expense.
    pub fn within(how: &How, text: &str, ltl: Ltl, budget: Budget) -> Result<Formula, Error> {
        let wanted = if how.options.exists { ltl.clone() } else { ltl.negated() };
        let translated = |output| {
            let options = riata_automata::Options { output, budget, ..Default::default() };
            let automaton = riata_automata::translate(&wanted, &options).map_err(|e| match e {
                TranslateError::Budget(_) => Error::Stopped(Stop::Time),
                _ => Error::usage(format!("cannot translate `{text}`: {e}")),
            })?;
            let strength = strength::of_property(&automaton);
            Ok::<_, Error>((automaton, strength))
        };
        let on_states = match how.algorithms() {
            Algorithms::All => true,
            Algorithms::One(a) => a.needs_one_set(),
            Algorithms::Symbolic(_) => false,
            Algorithms::Auto => how.store() == Store::Bitstate,
        };
        let wanted_kind = how.options.deciding.automaton;
        let on_states = on_states && wanted_kind != Some(options::Automaton::Tgba);
        let ba = if on_states { Some(translated(Output::Ba)?) } else { None };
        let tgba = match wanted_kind {
            Some(options::Automaton::Ba) => match &ba {
                Some(ba) => ba.clone(),
                None => translated(Output::Ba)?,
            },
            _ => translated(Output::Tgba)?,
        };
        let dialect = how.options.deciding.dialect.unwrap_or_default();
        let asked = Asked { ltl, dialect: dialect.of(text) };
        Ok(Formula { asked, tgba, ba })
    }
}

/// The answer to a property whose formula could not be translated within the limits.
pub fn untranslated(property: String, how: &How) -> Answer {
    let late = how.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let limit = if late { Stop::Time.to_string() } else { "the formula is too large".into() };
    Answer {
        property: Some(property),
        reason: Some(format!("{limit}: the formula could not be translated")),
        ..Answer::default()
    }
}

/// Which runs of a system are looked for.
pub struct Question<'a> {
    /// What the valuations of the system tell.
    pub names: &'a [&'a str],
    /// The automaton that accepts them.
    pub automaton: &'a Automaton,
    /// The same with one acceptance set on states.
    pub ba: Option<&'a Automaton>,
    /// What becomes of runs that end.
    pub ends: EndOfRuns,
    /// What becomes of runs that fail.
    pub failures: Failures,
    /// How the states of the system are told to other processes, if they can be.
    pub apart: Option<Apart<'a>>,
}

/// A system whose states other processes can read.
#[derive(Clone, Copy)]
pub struct Apart<'a> {
    /// How.
    pub portable: &'a dyn Portable,
    /// What tells it apart from others.
    pub program: &'a str,
}

impl Question<'_> {
    /// The product of the system and an automaton.
    pub fn product<'a, S: System>(
        &self,
        system: &'a S,
        automaton: &'a Automaton,
    ) -> Result<Product<'a, S>, Error> {
        let product = Product::new(system, self.names, &automaton.0, self.ends.into());
        let product = product.map_err(|e| Error::usage(e.to_string()))?;
        Ok(product.with_strength(automaton.1).with_failures(self.failures))
    }
}

/// What one check found, and why it was taken.
pub struct Done {
    /// The check.
    pub algorithm: &'static str,
    /// The reason, if it was chosen for the user.
    pub why: Option<&'static str>,
    /// The strength of the graph.
    pub strength: Strength,
    /// What it found.
    pub outcome: Outcome,
    /// Is the lasso a shortest one, if that was asked for?
    pub shortest: Option<bool>,
    /// The size of the whole product, if that was asked for.
    pub product: Option<answer::Size>,
    /// What only several processes know.
    pub cluster: Option<answer::Cluster>,
}

impl Done {
    /// What it says of a property. A run that satisfies the formula is wanted with `exists`, one that violates it is not
    /// wanted otherwise.
    pub fn answer(&self, property: &str, exists: bool, how: &How) -> Answer {
        let o = &self.outcome;
        let (verdict, reason) = match &o.verdict {
            Verdict::Empty if exists => (answer::Verdict::Violated, Some("no run satisfies it".into())),
            Verdict::Empty => (answer::Verdict::Holds, None),
            Verdict::Accepting(_) if exists => (answer::Verdict::Holds, None),
            Verdict::Accepting(_) => (answer::Verdict::Violated, None),
            Verdict::Inconclusive(stop) => (answer::Verdict::Inconclusive, Some(stop.to_string())),
        };
        Answer {
            property: Some(property.to_string()),
            verdict,
            exists,
            reason,
            algorithm: self.algorithm.into(),
            why: self.why.map(Into::into),
            store: o.store.name().into(),
            threads: Some(o.threads).filter(|&n| n > 1),
            degeneralised: o.degeneralised,
            strength: Some(self.strength.name()),
            counters: Counters::from(o.counters),
            memory_bytes: o.counters.bytes,
            cpu_seconds: o.cpu_seconds,
            stats: o.taken.map(|taken| taken.told()),
            shortest: self.shortest,
            product: self.product,
            cluster: self.cluster.clone(),
            hashing: o.coverage.map(|(coverage, runs)| answer::Hashing {
                coverage,
                runs,
                hashes: how.options.hashing.bits(),
                seed: how.options.hashing.seed.unwrap_or(0),
            }),
            ..Answer::default()
        }
    }
}

/// What all checks found, and those that do not apply.
pub type Decided = (Vec<Done>, Vec<Skipped>);

/// Is there such a run? By all checks that were asked for.
pub fn decide<S: System + Sync>(how: &How, name: &str, system: &S, q: &Question) -> Result<Decided, Error> {
    let system = &Marked { system, mark: how.limits().mark };
    let on_edges = q.product(system, q.automaton)?;
    if let (Some(_), Some(apart)) = (how.cluster, &q.apart) {
        return Ok((vec![owcty::decide(how, name, (&on_edges, q), apart)?], Vec::new()));
    }
    let on_states = match q.ba {
        Some(ba) => q.product(system, ba)?.on_states().ok(),
        None => None,
    };
    let one_set = Degeneralised::new(&on_edges);
    let plain = !S::FAIR && system.fair_sets() == 0;
    let run = |search: &Search, progress: &mut dyn Progress| -> Result<Outcome, Refused> {
        if plain && search.remembers() {
            return remembering(search, system, q, (&on_edges, on_states.as_ref()), progress);
        }
        match &on_states {
            _ if !search.algorithm.needs_one_set() => {
                search.refuses(on_edges.strength())?;
                search.on_edges(&on_edges, progress)
            }
            Some(g) => {
                search.refuses(g.strength())?;
                search.on_states(g, q.automaton.0.sets > 1, |verdict| verdict, progress)
            }
            // A system with fairness of its own.
            None => {
                search.refuses(one_set.strength())?;
                search.on_states(&one_set, true, |v| lowered(&on_edges, &one_set, v), progress)
            }
        }
    };
    let (mut done, skipped) = all(how, name, (on_edges.strength(), plain), &run)?;
    if how.options.deciding.shortest {
        shorten(how, &on_edges, &mut done)?;
    }
    if how.options.product {
        let size = size(how, name, system, q)?;
        done.iter_mut().for_each(|d| d.product = size);
    }
    Ok((done, skipped))
}

/// Runs a check on the product with numbers of states, each expanded once, and shows what it found in the product that it
/// stands for.
fn remembering<S: System + Sync>(
    search: &Search,
    system: &S,
    q: &Question,
    beneath: (&Product<S>, Option<&ProductOnStates<S>>),
    progress: &mut dyn Progress,
) -> Result<Outcome, Refused> {
    let room = search.room_of_known();
    if search.threads > 1 {
        let mut first = vec![0; system.words()];
        system.initial(&mut S::Cursor::default(), &mut first);
        let states = shared_store(search.store, room.states, first.len(), system.len(&first));
        let scouted = Scouted::new(system, states, room);
        return scouted
            .with(search.threads - 1, |leader| known(search, &Known::by(leader), q, beneath, progress));
    }
    let alone = Known::new(system, search.store == Store::Tree, room).marking(search.limits.mark);
    known(search, &alone, q, beneath, progress)
}

/// The same, once it is said who remembers.
fn known<S: System, R: Remembers>(
    search: &Search,
    known: &Known<R>,
    q: &Question,
    (on_edges, on_states): (&Product<S>, Option<&ProductOnStates<S>>),
    progress: &mut dyn Progress,
) -> Result<Outcome, Refused> {
    let product = |automaton| q.product(known, automaton).expect("as of the system itself");
    match (on_states, q.ba) {
        _ if !search.algorithm.needs_one_set() => {
            let g = product(q.automaton);
            search.refuses(g.strength())?;
            let states = q.automaton.0.states() as u32;
            search.on_known(&g, known, (states, 1), |v| lowered(on_edges, known, v), progress)
        }
        (Some(beneath), Some(ba)) => {
            let Ok(g) = product(ba).on_states() else { unreachable!("as of the system itself") };
            search.refuses(g.strength())?;
            let states = ba.0.states() as u32;
            let lower = |v| lowered(beneath, known, v);
            let outcome = search.on_known(&g, known, (states, 1), lower, progress)?;
            Ok(Outcome { degeneralised: q.automaton.0.sets > 1, ..outcome })
        }
        _ => {
            let g = product(q.automaton);
            let one_set = Degeneralised::new(&g);
            search.refuses(one_set.strength())?;
            let size = (q.automaton.0.states() as u32, q.automaton.0.sets + 1);
            let lower = |v| lowered(on_edges, known, lowered(&g, &one_set, v));
            let outcome = search.on_known(&one_set, known, size, lower, progress)?;
            Ok(Outcome { degeneralised: true, ..outcome })
        }
    }
}

/// The size of the whole product: with an acceptance set that no edge is in, a search sees all of it, and each edge once.
/// Nothing if there is no time or no room for it.
fn size<S: System + Sync>(
    how: &How,
    name: &str,
    system: &S,
    q: &Question,
) -> Result<Option<answer::Size>, Error> {
    let (mut automaton, _) = q.automaton.clone();
    let edges: Vec<_> = (0..automaton.states() as u32)
        .flat_map(|s| automaton.edges(s).iter().map(move |e| (s, *e)).collect::<Vec<_>>())
        .map(|(s, e)| (s, Edge { marks: Marks::NONE, ..e }))
        .collect();
    automaton.sets = 1;
    automaton.set_edges(automaton.states(), &edges);
    let unaccepting = (automaton, Strength::General);
    let product = q.product(system, &unaccepting)?.with_failures(Failures::Reject);
    let search = Search { store: Store::Exact, ..searching(how, Algorithm::Tarjan72, 1) };
    let mut progress = how.listener.search(&titled(name, "product"), search.limits.memory);
    let outcome = search.on_edges(&product, &mut *progress).map_err(|r| Error::usage(r.to_string()))?;
    let c = outcome.counters;
    let size = answer::Size { states: c.states, transitions: c.transitions };
    Ok((outcome.verdict == Verdict::Empty).then_some(size))
}

/// Runs all checks that were asked for on a graph of the given strength; scouts can go ahead of one thread if the system is
/// `plain`.
fn all(
    how: &How,
    name: &str,
    (strength, plain): (Strength, bool),
    run: &dyn Fn(&Search, &mut dyn Progress) -> Result<Outcome, Refused>,
) -> Result<Decided, Error> {
    let numbered = how.store() != Store::Bitstate;
    let scouted = plain && !how.store().is_lossy();
    let (algorithms, why) = match how.algorithms() {
        Algorithms::One(a) => {
            let several = how.options.limits.threads.is_some_and(Threads::are_several);
            if several && !a.needs_shared() && !how.store().is_lossy() && !scouted {
                return Err(Error::usage(Refused::Threads { check: a }.to_string()));
            }
            (vec![a], None)
        }
        Algorithms::Symbolic(a) => return Err(Error::usage(crate::table::only_symbolic(a))),
        Algorithms::All => ([&Algorithm::ALL[..], &Algorithm::SHARED].concat(), None),
        Algorithms::Auto if how.together(scouted) && !how.store().is_lossy() => {
            let choice = choose_shared();
            (vec![choice.algorithm], Some(choice.reason))
        }
        Algorithms::Auto => {
            let choice = choose(strength, numbered);
            (vec![choice.algorithm], Some(choice.reason))
        }
    };
    let (mut done, mut skipped) = (Vec::new(), Vec::new());
    for algorithm in algorithms {
        let threads = match () {
            () if algorithm.needs_shared() || how.store().is_lossy() => how.threads_for_cycles(),
            () if scouted && how.profile.is_none() => how.threads_for_cycles(),
            () => 1,
        };
        let search = searching(how, algorithm, threads);
        let mut progress = how.listener.search(&titled(name, algorithm.name()), search.limits.memory);
        let found = match how.profile.is_some() && algorithm.needs_shared() {
            true => Err(format!("--stats is for one thread, and {} is a check by several", algorithm.name())),
            false => run(&search, &mut *progress).map_err(|refused| refused.to_string()),
        };
        match found {
            Ok(outcome) => {
                let algorithm = algorithm.name();
                let (shortest, product, cluster) = (None, None, None);
                done.push(Done { algorithm, why, strength, outcome, shortest, product, cluster });
            }
            Err(reason) if how.algorithms() == Algorithms::All => {
                skipped.push(Skipped { index: None, algorithm: algorithm.name().into(), reason });
            }
            Err(reason) => return Err(Error::usage(reason)),
        }
    }
    agree(&done);
    Ok((done, skipped))
}

/// A search as progress calls it.
pub fn titled(property: &str, algorithm: &str) -> String {
    if property.is_empty() { algorithm.into() } else { format!("{property}: {algorithm}") }
}

fn searching<'a>(how: &'a How, algorithm: Algorithm, threads: usize) -> Search<'a> {
    Search {
        algorithm,
        store: how.store(),
        hashing: &how.options.hashing,
        bitstate: how.options.limits.memory,
        limits: how.limits(),
        threads,
        profile: how.profile,
    }
}

/// Replaces the lassos by a shortest one.
fn shorten<G: Graph>(how: &How, graph: &G, done: &mut [Done]) -> Result<(), Error> {
    if !done.iter().any(|d| matches!(d.outcome.verdict, Verdict::Accepting(_))) {
        return Ok(());
    }
    let mut progress = how.listener.search("shortest", how.memory);
    let mut run = Run::new(how.limits()).listen(&mut *progress);
    let found = match shortest(graph, &mut run) {
        Ok(Some(found)) => found,
        Ok(None) => panic!("internal error: a run was found, and the search for a shortest one finds none"),
        Err(stop) => {
            how.warn(format!("no shortest lasso: {stop}"));
            done.iter_mut().for_each(|d| d.shortest = Some(false));
            return Ok(());
        }
    };
    let choices = match replay(graph, &found.lasso) {
        Ok(choices) => choices,
        Err(e) => panic!("internal error: the shortest lasso cannot be replayed: {e}"),
    };
    for d in done.iter_mut().filter(|d| matches!(d.outcome.verdict, Verdict::Accepting(_))) {
        d.outcome.verdict = Verdict::Accepting(Lasso { choices: choices.clone(), ..found.lasso.clone() });
        d.shortest = Some(found.interrupted.is_none());
    }
    if let Some(stop) = found.interrupted {
        how.warn(format!("a shorter lasso may exist: {stop}"));
    }
    Ok(())
}

/// Strong fairness of processes, for which there is one way to decide. `own` sets of the system come before those of its
/// `n` processes.
pub fn decide_strongly_fair<S: System>(
    how: &How,
    name: &str,
    system: &S,
    q: &Question,
    (own, n): (u32, u32),
) -> Result<Decided, Error> {
    if !matches!(how.algorithms(), Algorithms::Auto | Algorithms::All) {
        return Err(Error::usage("strong fairness is decided by `streett` only: leave `--algorithm` out"));
    }
    if !matches!(how.store(), Store::Exact | Store::Tree) {
        return Err(Error::usage("strong fairness needs the store exact or tree"));
    }
    if how.options.deciding.shortest {
        return Err(Error::usage("--shortest is not for strong fairness"));
    }
    let system = &Marked { system, mark: how.limits().mark };
    let graph = q.product(system, q.automaton)?;
    let sets = q.automaton.0.sets + own;
    let pairs: Vec<Pair> =
        (0..n).map(|p| Pair { asks: Marks::one(sets + n + p), serves: Marks::one(sets + p) }).collect();
    let search = searching(how, Algorithm::Tarjan72, 1);
    let mut progress = how.listener.search(&titled(name, "streett"), search.limits.memory);
    let outcome = search
        .streett(&graph, (Marks::first(sets), &pairs), &mut *progress)
        .map_err(|refused| Error::usage(refused.to_string()))?;
    let why = Some("strong fairness: a pair for each process, decided on the components");
    let done = Done {
        algorithm: "streett",
        why,
        strength: graph.strength(),
        outcome,
        shortest: None,
        product: None,
        cluster: None,
    };
    Ok((vec![done], Vec::new()))
}

/// Checks that contradict each other are a bug, never a verdict.
pub fn agree(done: &[Done]) {
    let accepting = done.iter().find(|d| matches!(d.outcome.verdict, Verdict::Accepting(_)));
    let empty = done.iter().find(|d| d.outcome.verdict == Verdict::Empty);
    if let (Some(a), Some(b)) = (accepting, empty) {
        panic!("internal error: {} finds a run, {} says that there is none", a.algorithm, b.algorithm);
    }
}
