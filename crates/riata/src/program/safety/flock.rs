//! Bad states with a lossy store: a swarm of depth-first searches. What they find is there; that there is nothing they never
//! say.

use super::{Aim, Bad, STUCK, VIOLATES};
use crate::how::How;
use crate::options::Store;
use crate::search::{bitstate_bytes, coverage};
use riata_explore::swarm::{Member, Order, find, swarm};
use riata_program::Condensed;
use riata_report::answer::Hashing;
use riata_store::{Bitstate, Compact};
use riata_system::{Path, Run, Stop, System};

/// How deep the members of a swarm go, one after the other.
const DEPTHS: [usize; 4] = [usize::MAX, 1_000_000, 100_000, 10_000];

/// Looks for the first violation and for the first deadlock: as often as asked, with other hash functions each time, until what
/// is wanted is found.
pub fn search(how: &How, aim: &Aim, run: &mut Run) -> Bad<Path> {
    let (assertions, deadlock) = aim.wants();
    let wanted = (u32::from(assertions) * VIOLATES) | (u32::from(deadlock) * STUCK);
    let (threads, hashing) = (how.threads(), &how.options.hashing);
    let (seed, bits) = (hashing.seed.unwrap_or(0), hashing.bits());
    let runs = hashing.runs.unwrap_or(1).max(threads as u32);
    let bytes = bitstate_bytes(how.options.limits.memory) / threads;
    let room = how.memory.unwrap_or(usize::MAX) / threads;
    let mut bad: Bad<Path> = Bad { stopped: None, levels: 0, ..Bad::default() };
    let (mut done, mut left_out) = (0, 1.0);
    while done < runs {
        let members = threads.min((runs - done) as usize);
        let flown = swarm(members, run, |number, run| {
            let number = done as usize + number;
            let seed = seed.wrapping_add(number as u64);
            let order = Order { seed: number as u64, depth: DEPTHS[number % DEPTHS.len()] };
            let (found, stopped) = match how.store() {
                Store::Bitstate => one(aim, &mut Bitstate::new(bytes, bits, seed), order, wanted, run),
                _ => one(aim, &mut Compact::new(room, seed), order, wanted, run),
            };
            let all = found.iter().fold(0, |all, (bit, _)| all | 1 << bit);
            Member { enough: all & wanted == wanted, found, stopped }
        });
        done += members as u32;
        left_out *= flown.states.iter().map(|&n| 1.0 - coverage(bytes, bits, n)).product::<f64>();
        for (bit, path) in flown.found {
            let place = if 1 << bit == VIOLATES { &mut bad.violation } else { &mut bad.deadlock };
            // Of those that were found the shortest is shown.
            if place.as_ref().is_none_or(|known| path.len() < known.len()) {
                *place = Some(path);
            }
        }
        bad.stopped = flown.stopped;
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

/// One member of the swarm.
fn one<T: riata_store::Store>(
    aim: &Aim,
    store: &mut T,
    order: Order,
    wanted: u32,
    run: &mut Run,
) -> (Vec<(u32, Path)>, Option<Stop>) {
    let interpreter = aim.interpreter();
    let system = Condensed::new(interpreter);
    let mut scratch = vec![0; system.words()];
    let mut visit = |s: &[u32], successors: u64| {
        let violates = wanted & VIOLATES != 0 && aim.violates(s);
        let stops = wanted & STUCK != 0 && successors == 0 && !interpreter.is_fault(s);
        let stuck = stops && !interpreter.is_end(s) && interpreter.is_stuck(s, &mut scratch);
        (u32::from(violates) * VIOLATES) | (u32::from(stuck) * STUCK)
    };
    find(&system, store, order, (wanted, &mut visit), run)
}
