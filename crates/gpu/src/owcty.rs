//! OWCTY, one way catch them young, on a device: no depth-first order is needed, so all states of a set can be looked at at once.
//!
//! ```text
//! S := all states of the product;
//! repeat
//!   for all acceptance sets F do
//!     S := the states of S that a path inside S leads to, after an edge of F;      — Reachability
//!     while some state of S has no predecessor in S do remove it;                  — Elimination
//! until S has not changed;
//! there is an accepting run iff S ≠ ∅
//! ```
//!
//! In the fixpoint every state of S has, for each set, an edge of it behind itself on a path inside S. So a component of S that no
//! other leads to has edges of all sets.
//!
//! Of a weak product a cycle is accepting iff all its edges are in all sets: then one Elimination is enough, which follows
//! such edges only.
//!
//! Deviation from the text: sets are of edges, not of states; without sets, Elimination alone finds what lies on or behind
//! cycles.
//!
//! # References
//! K. Fisler, R. Fraer, G. Kamhi, M. Vardi, Z. Yang. *Is there a best symbolic cycle-detection algorithm?* TACAS 2001.
//! I. Černá, R. Pelánek. *Distributed explicit fair cycle detection.* SPIN 2003.
//! J. Barnat, P. Bauch, L. Brim, M. Češka. *Designing fast LTL model checking algorithms for many-core GPUs.* JPDC 2012.

use crate::device::{Device, Failed, Sweep, Tally, Wave};
use crate::search::{Search, Wrong};
use crate::space::Space;
use riata_automata::Marks;
use riata_system::Stop;

/// No answer: a device that fails, or the reason to stop.
enum Halt {
    Wrong(Wrong),
    Stop(Stop),
}

impl From<Failed> for Halt {
    fn from(failed: Failed) -> Halt {
        Halt::Wrong(failed.into())
    }
}

/// How many states are left, of a search whose device has made room for sets.
pub(crate) fn owcty<D: Device, S: Space>(
    search: &mut Search<D, S>,
    all: Marks,
    weak: bool,
) -> Result<Result<u64, Stop>, Wrong> {
    match rounds(search, all, weak) {
        Ok(left) => Ok(Ok(left)),
        Err(Halt::Stop(stop)) => Ok(Err(stop)),
        Err(Halt::Wrong(wrong)) => Err(wrong),
    }
}

fn rounds<D: Device, S: Space>(search: &mut Search<D, S>, all: Marks, weak: bool) -> Result<u64, Halt> {
    let mut size = search.device.sweep(Sweep::Every)?.members;
    search.device.sweep(Sweep::Flag)?;
    if weak || all.is_empty() {
        return elimination(search, all);
    }
    loop {
        let before = size;
        for set in all.iter() {
            reachability(search, Marks::one(set))?;
            size = elimination(search, Marks::NONE)?;
        }
        if size == before || size == 0 {
            return Ok(size);
        }
    }
}

/// Follows a wave, if there is time.
fn wave<D: Device, S: Space>(
    search: &mut Search<D, S>,
    op: Wave,
    wanted: Marks,
    list: Option<u64>,
) -> Result<Tally, Halt> {
    if let Some(stop) = search.stops() {
        return Err(Halt::Stop(stop));
    }
    let tally = search.device.wave(op, wanted.0, list)?;
    if tally.lost != 0 {
        let message = "a state has other edges than when it was expanded first";
        return Err(Halt::Wrong(Failed(message.into()).into()));
    }
    // More edges lead to one state than can be counted.
    if tally.full != 0 { Err(Halt::Stop(Stop::Memory)) } else { Ok(tally) }
}

/// Keeps what a path inside S leads to after an edge with the mark.
fn reachability<D: Device, S: Space>(search: &mut Search<D, S>, mark: Marks) -> Result<(), Halt> {
    let mut listed = wave(search, Wave::Reach, mark, None)?.listed;
    while listed > 0 {
        listed = wave(search, Wave::Reach, Marks::NONE, Some(listed))?.listed;
    }
    search.device.sweep(Sweep::Keep)?;
    Ok(())
}

/// Removes what no edge with these marks leads to, until there is one to everything; tells how many states are left.
fn elimination<D: Device, S: Space>(search: &mut Search<D, S>, wanted: Marks) -> Result<u64, Halt> {
    search.device.sweep(Sweep::Clear)?;
    wave(search, Wave::Count, wanted, None)?;
    let mut listed = search.device.sweep(Sweep::Zero)?.listed;
    while listed > 0 {
        listed = wave(search, Wave::Remove, wanted, Some(listed))?.listed;
    }
    Ok(search.device.sweep(Sweep::Clear)?.members)
}
