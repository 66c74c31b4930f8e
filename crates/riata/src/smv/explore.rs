//! The reachable states of a synchronous model.

use super::Source;
use super::tell::{Said, Telling};
use crate::error::Error;
use crate::how::How;
use crate::sets::{self, manager, open, shape};
use riata_report::answer::{Answer, Counters, Sets, Verdict};
use riata_smv::Fail;
use riata_smv::check::{Explored, Session};
use riata_smv::machine::Layout;
use riata_symbolic::Bdd;

/// Counts the states.
pub fn explore(source: &Source, how: &How) -> Result<Answer, Error> {
    let flags = &how.options.symbolic;
    let order = source.order(flags)?;
    let mut answer = Answer { algorithm: "bfs".into(), ..open(None) };
    let mut reorderings = 0;
    let (found, cpu_seconds) = sets::work(how, || {
        let bdd = manager(how, source.bits());
        let layout = Layout::new(&bdd, &source.model, &source.types, 0, &order.variables());
        order.apply(&bdd, &layout);
        source.write_order(how, &layout, &bdd);
        let found = Session::explore(&bdd, &source.model, &source.types, &layout, shape(flags));
        source.write_order(how, &layout, &bdd);
        answer.memory_bytes = bdd.bytes() as u64;
        reorderings = bdd.reorderings() as u64;
        found
    });
    let found = match found {
        Ok(found) => found,
        Err(Fail::Stop(stop)) => Explored { stopped: Some(stop), ..Explored::default() },
        Err(Fail::Wrong(d)) => return Err(source.wrong(*d)),
    };
    answer.cpu_seconds = cpu_seconds;
    match found.stopped {
        Some(stop) => answer.reason = Some(stop.to_string()),
        None => answer.verdict = Verdict::Complete,
    }
    answer.counters = Counters {
        states: found.states as u64,
        transitions: found.transitions.unwrap_or(0.0) as u64,
        max_depth: found.levels as u64,
        deadlocks: found.deadlocks.map(|n| n as u64),
        levels: Some(found.levels as u64),
        ..Counters::default()
    };
    answer.sets = Some(Box::new(Sets {
        reachable_states: Some(found.states),
        initial_states: Some(found.initial),
        fair_states: found.fair,
        distinct_transitions: found.transitions,
        state_nodes: Some(found.nodes as u64),
        peak_nodes: Some(found.peak as u64),
        reorderings: Some(reorderings),
        ..Sets::default()
    }));
    if found.stopped.is_none() && found.initial == 0.0 {
        how.warn("there is no initial state");
    }
    if let Some(trace) = &found.way {
        let said = Said { lines: vec!["this state has no successor".into()], ..Said::default() };
        let telling = Telling { source, trace, said: &said };
        answer.show(telling.tell("a shortest way to a state without a successor"));
    }
    Ok(answer)
}
