//! Bad states by several threads. What is found is on the level on which one thread finds it, and is shown by the same path.

use super::{Aim, Bad};
use riata_explore::parallel::{self, first_path};
use riata_program::{Condensed, Reduction};
use riata_store::shared;
use riata_system::{Path, Run, System};

const VIOLATES: u32 = 1;
const STUCK: u32 = 2;

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
pub fn search(
    aim: &Aim,
    reduction: Option<&Reduction>,
    store: &shared::Any,
    (threads, run): (usize, &mut Run),
) -> Bad<Path> {
    let interpreter = aim.interpreter();
    let (assertions, deadlock) = aim.wants();
    let system = Condensed::new(interpreter).reduced(reduction);
    let visit = |scratch: &mut Vec<u32>, v: &parallel::bfs::Visit<Condensed>| {
        if v.again {
            return 0;
        }
        scratch.resize(system.words(), 0);
        let violates = assertions && aim.violates(v.state);
        let stops = deadlock && v.successors == 0 && !interpreter.is_fault(v.state);
        let stuck = stops && !interpreter.is_end(v.state) && interpreter.is_stuck(v.state, scratch);
        (u32::from(violates) * VIOLATES) | (u32::from(stuck) * STUCK)
    };
    let wanted = (u32::from(assertions) * VIOLATES) | (u32::from(deadlock) * STUCK);
    let searched = parallel::bfs::bfs(&system, store, threads, run, &visit, |found| found & wanted == wanted);
    let mut bad = Bad { stopped: searched.stopped, levels: searched.levels.len(), ..Bad::default() };
    for bit in [VIOLATES, STUCK] {
        let Some(first) = searched.first(bit.trailing_zeros()) else { continue };
        let levels = &searched.levels[..=first.level];
        match first_path(&system, store, levels, &first.states, (threads, &mut *run)) {
            Ok(path) if bit == VIOLATES => bad.violation = Some(path),
            Ok(path) => bad.deadlock = Some(path),
            Err(stop) => bad.stopped = bad.stopped.or(Some(stop)),
        }
    }
    bad
}
