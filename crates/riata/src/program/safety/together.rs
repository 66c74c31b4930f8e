//! Bad states by several threads. What is found is on the level on which one thread finds it, and is shown by the same path.

use super::{Aim, Bad, STUCK, VIOLATES};
use riata_explore::parallel::{self, Parts, first_path};
use riata_program::{Condensed, Reduction};
use riata_store::Sorted;
use riata_system::{Path, Run};

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
pub fn search<R: Sorted + Send>(
    aim: &Aim,
    reduction: Option<&Reduction>,
    parts: &Parts<R>,
    run: &mut Run,
) -> Bad<Path> {
    let system = Condensed::new(aim.interpreter()).reduced(reduction);
    let (visit, wanted) = (aim.visit(&system), aim.bits());
    let threads = parts.count();
    let searched = parallel::bfs::bfs(&system, parts, threads, run, &visit, |found| found & wanted == wanted);
    let (stopped, levels) = (searched.stopped, searched.levels.len());
    let mut bad = Bad { stopped, levels, threads, ..Bad::default() };
    for bit in [VIOLATES, STUCK] {
        let Some(first) = searched.first(bit.trailing_zeros()) else { continue };
        let levels = &searched.levels[..=first.level];
        match first_path(&system, parts, levels, &first.states, (threads, &mut *run)) {
            Ok(path) if bit == VIOLATES => bad.violation = Some(path),
            Ok(path) => bad.deadlock = Some(path),
            Err(stop) => bad.stopped = bad.stopped.or(Some(stop)),
        }
    }
    bad
}
