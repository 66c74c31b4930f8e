//! `riata empty --engine symbolic`: the automaton in bits, and the fixpoint algorithms of FFKVY01 on it.

use super::{Job, as_json};
use crate::progress::Pulses;
use cpu_time::ThreadTime;
use riata::options::Algorithms;
use riata::sets::{count, on_large_stack};
use riata_automata::{Strength, strength};
use riata_report::answer::{Answer as Entry, Engine, Verdict};
use riata_symbolic::automaton::{Answer, accepting_run, bits_of};
use riata_symbolic::{Algorithm, Bdd, Oxi};
use riata_system::{Explicit, Lasso, Stop, replay};

/// The algorithms that were asked for; `None` leaves the choice to the engine.
fn algorithms(asked: Algorithms) -> Result<Vec<Option<Algorithm>>, String> {
    match asked {
        Algorithms::Auto => Ok(vec![None]),
        Algorithms::All => Ok(Algorithm::ALL.into_iter().map(Some).collect()),
        Algorithms::Symbolic(a) => Ok(vec![Some(a)]),
        Algorithms::One(a) => {
            let names: Vec<_> = Algorithm::ALL.iter().map(|a| a.name()).collect();
            let names = names.join(", ");
            Err(format!(
                "{a} is an algorithm of the explicit engine; leave out --engine symbolic, or take one of {names}"
            ))
        }
    }
}

/// The entries for one automaton.
pub fn check(job: &Job) -> Result<Vec<Entry>, String> {
    let algorithms = algorithms(job.args.algorithm)?;
    let strength = strength::of_graph(&job.automaton.tgba);
    Ok(algorithms.into_iter().map(|a| on_large_stack(|| entry(job, strength, a))).collect())
}

/// What one algorithm says, with a manager of its own, so that its nodes are its own.
fn entry(job: &Job, strength: Strength, algorithm: Option<Algorithm>) -> Entry {
    let automaton = &job.automaton.tgba;
    let limits = job.interrupt.limits(&job.args.limits);
    let start = ThreadTime::now();
    let bdd = Oxi::for_bits(limits, bits_of(automaton)).listen(Pulses::of(job.common));
    let answer = accepting_run(&bdd, (automaton, strength), algorithm);
    let mut entry = Entry {
        index: Some(job.index),
        name: job.automaton.name.clone(),
        engine: Engine::Symbolic,
        store: "bdd".into(),
        algorithm: algorithm.map_or("auto", Algorithm::name).into(),
        ..Entry::default()
    };
    match answer {
        Ok(answer) => describe(&mut entry, job, &answer, bdd.peak_live()),
        Err(stop) => (entry.verdict, entry.reason) = (Verdict::Inconclusive, Some(Stop::to_string(&stop))),
    }
    entry.memory_bytes = bdd.bytes() as u64;
    entry.cpu_seconds = start.elapsed().as_secs_f64();
    entry
}

fn describe<B: Bdd>(entry: &mut Entry, job: &Job, answer: &Answer<B>, peak: usize) {
    let found = &answer.found;
    entry.verdict = if answer.lasso.is_some() { Verdict::Nonempty } else { Verdict::Empty };
    entry.algorithm = found.algorithm.name().into();
    entry.why = found.why.map(Into::into);
    entry.strength = Some(found.strength.name());
    count(entry, &found.counters, answer.states, peak);
    entry.lasso = answer.lasso.as_ref().map(|lasso| confirmed(job, lasso));
}

/// # Panics
/// If the lasso is no accepting run: that is a bug, never a verdict.
fn confirmed(job: &Job, lasso: &Lasso) -> riata_report::answer::Lasso {
    if let Err(e) = replay(&Explicit::new(&job.automaton.tgba), lasso) {
        panic!("internal error: the lasso is no accepting run: {e}");
    }
    as_json(lasso)
}

/// What the engine counted, for people.
pub fn details(e: &Entry) -> String {
    let number = |n: Option<u64>| n.map_or("-".to_string(), |n| n.to_string());
    let sets = e.sets.as_deref().cloned().unwrap_or_default();
    format!(
        "\n  external iterations: {}, EX/EY: {}/{}, EU/ES: {}/{}\n  reachable: {}, peak live nodes: {}\n",
        number(sets.external_iterations),
        number(sets.ex),
        number(sets.ey),
        number(sets.eu),
        number(sets.es),
        super::count(e.counters.states, "state"),
        number(sets.peak_nodes)
    )
}
