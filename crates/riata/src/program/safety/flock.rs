//! Bad states with a lossy store: a swarm of depth-first searches, one after the other, each by all threads and with all the
//! memory. What they find is there; that there is nothing they never say.

use super::{Aim, Bad, STUCK, VIOLATES};
use crate::how::How;
use crate::options::Store;
use crate::search::{bitstate_bytes, coverage};
use riata_explore::swarm::{Order, find, find_together};
use riata_program::Condensed;
use riata_report::answer::Hashing;
use riata_store::{Bitstate, Compact, shared};
use riata_system::{Path, Run, Stop, System};

/// How deep the searches of a swarm go, one after the other.
const DEPTHS: [usize; 4] = [usize::MAX, 1_000_000, 100_000, 10_000];

/// Looks for the first violation and for the first deadlock: as often as asked, or else as there are threads, with other hash
/// functions and another order each time, until what is wanted is found.
pub fn search(how: &How, aim: &Aim, run: &mut Run) -> Bad<Path> {
    let (assertions, deadlock) = aim.wants();
    let wanted = (u32::from(assertions) * VIOLATES) | (u32::from(deadlock) * STUCK);
    let (threads, hashing) = (how.threads(), &how.options.hashing);
    let (seed, bits) = (hashing.seed.unwrap_or(0), hashing.bits());
    let runs = hashing.runs.unwrap_or(threads as u32);
    let bytes = bitstate_bytes(how.options.limits.memory);
    let room = how.memory.unwrap_or(usize::MAX);
    let mut bad: Bad<Path> = Bad { stopped: None, levels: 0, ..Bad::default() };
    let (mut done, mut left_out) = (0, 1.0);
    while done < runs {
        let seed = seed.wrapping_add(u64::from(done));
        // No two threads of two searches have the same order.
        let number = u64::from(done) * threads as u64;
        let order = Order { seed: number, depth: DEPTHS[done as usize % DEPTHS.len()] };
        let before = run.counters.states;
        let (found, stopped) = match (how.store(), threads) {
            (Store::Bitstate, 1) => one(aim, &mut Bitstate::new(bytes, bits, seed), order, wanted, run),
            (Store::Bitstate, _) => {
                let store = shared::Bitstate::new(bytes, bits, seed);
                several(aim, &store, (threads, order), wanted, run)
            }
            (_, 1) => one(aim, &mut Compact::new(room, seed), order, wanted, run),
            _ => several(aim, &shared::Compact::new(room, seed), (threads, order), wanted, run),
        };
        done += 1;
        left_out *= 1.0 - coverage(bytes, bits, run.counters.states - before);
        for (bit, path) in found {
            let place = if 1 << bit == VIOLATES { &mut bad.violation } else { &mut bad.deadlock };
            // Of those that were found the shortest is shown.
            if place.as_ref().is_none_or(|known| path.len() < known.len()) {
                *place = Some(path);
            }
        }
        bad.stopped = stopped;
        let ready = (!assertions || bad.violation.is_some()) && (!deadlock || bad.deadlock.is_some());
        if ready || bad.stopped.is_some() {
            break;
        }
    }
    bad.stopped = bad.stopped.or(Some(Stop::Lossy));
    bad.hashing = (how.store() == Store::Bitstate).then_some(Hashing {
        coverage: 1.0 - left_out,
        runs: done,
        hashes: bits,
        seed,
    });
    bad
}

/// A search by one thread.
fn one<T: riata_store::Store>(
    aim: &Aim,
    store: &mut T,
    order: Order,
    wanted: u32,
    run: &mut Run,
) -> (Vec<(u32, Path)>, Option<Stop>) {
    let system = Condensed::new(aim.interpreter());
    let mut scratch = Vec::new();
    let mut visit = |s: &[u32], successors: u64| bits(aim, wanted, (s, successors), &mut scratch);
    find(&system, store, order, (wanted, &mut visit), run)
}

/// A search by several threads.
fn several<T: shared::Seen>(
    aim: &Aim,
    store: &T,
    how: (usize, Order),
    wanted: u32,
    run: &mut Run,
) -> (Vec<(u32, Path)>, Option<Stop>) {
    let system = Condensed::new(aim.interpreter());
    let visit = |scratch: &mut Vec<u32>, s: &[u32], n: u64| bits(aim, wanted, (s, n), scratch);
    find_together(&system, store, how, (wanted, &visit), run)
}

/// What there is to tell of a state with so many successors.
fn bits(aim: &Aim, wanted: u32, (s, successors): (&[u32], u64), scratch: &mut Vec<u32>) -> u32 {
    let interpreter = aim.interpreter();
    let violates = wanted & VIOLATES != 0 && aim.violates(s);
    let stops = wanted & STUCK != 0 && successors == 0 && !interpreter.is_fault(s);
    if stops && scratch.is_empty() {
        scratch.resize(Condensed::new(interpreter).words(), 0);
    }
    let stuck = stops && !interpreter.is_end(s) && interpreter.is_stuck(s, scratch);
    (u32::from(violates) * VIOLATES) | (u32::from(stuck) * STUCK)
}
