//! Bad states by several threads. What is found is on the level on which one thread finds it, and is shown by the same path.

use super::{Aim, Bad, STUCK, VIOLATES};
use riata_explore::parallel::{self, first_path};
use riata_program::{Condensed, Reduction};
use riata_store::shared;
use riata_system::{Path, Run};

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
pub fn search(
    aim: &Aim,
    reduction: Option<&Reduction>,
    store: &shared::Any,
    (threads, run): (usize, &mut Run),
) -> Bad<Path> {
    let system = Condensed::new(aim.interpreter()).reduced(reduction);
    let (visit, wanted) = (aim.visit(&system), aim.bits());
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
