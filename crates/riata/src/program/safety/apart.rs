//! Bad states by several processes, or with a checkpoint. What is found is on the level on which one process finds it.

use super::{Aim, Bad};
use crate::error::Error;
use crate::how::How;
use crate::program::portable::States;
use crate::spread;
use riata_cluster::SUMS;
use riata_cluster::bfs::Job;
use riata_program::Condensed;
use riata_system::{Counters, Path};

/// Looks for the first violation and for the first deadlock, as far as they are wanted.
pub fn search(how: &How, aim: &Aim) -> Result<(Bad<Path>, Counters), Error> {
    let interpreter = aim.interpreter();
    let (system, portable) = (Condensed::new(interpreter), States(interpreter));
    let wanted = aim.bits();
    let visit = aim.visit(&system);
    let sums = |_: &Vec<u32>| [0; SUMS];
    let job = Job { system: &system, portable: &portable, visit: &visit, sums, enough: wanted };
    let what = format!("states: bfs for {wanted}");
    let mut spread = spread::states(how, (&what, &portable.text()), &job)?;
    let bad = Bad {
        stopped: spread.done.stopped,
        levels: spread.done.starts.len(),
        violation: spread.path(super::VIOLATES),
        deadlock: spread.path(super::STUCK),
        cluster: Some(spread.told()),
        ..Bad::default()
    };
    Ok((bad, spread.counters()))
}
