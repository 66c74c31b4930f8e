//! Which of the states that a search by several threads found is shown, and by which path: the one that a search by one
//! thread finds.
//!
//! A search by one thread meets the states of a level in the order in which their first predecessors tell them. That
//! order follows from the system alone. So first all states are found from which one of those that were found can be
//! reached on a shortest path, level by level back, by several threads; then these alone are gone through in order.

use riata_store::hash;
use riata_store::shared::Kept;
use riata_system::{Path, Run, Stop, System};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// So many states are looked at before the next are taken.
const BLOCK: usize = 64;

/// The first shortest path to one of `found`, states of the last of the `levels`: both ends included.
///
/// # Errors
/// If a limit of `run` is reached.
pub fn first_path<S: System + Sync, R: Kept>(
    system: &S,
    store: &R,
    levels: &[u32],
    found: &[u32],
    (threads, run): (usize, &mut Run),
) -> Result<Path, Stop> {
    let Some(last) = levels.len().checked_sub(1) else { return Ok(Path::new()) };
    let mut state = Vec::new();
    // States by their hashes. Where two have one, more is gone through, and nothing else is wrong.
    let mut cones = vec![HashSet::new(); levels.len()];
    let mut goals = HashSet::new();
    for &id in found {
        store.load(id, &mut state);
        cones[last].insert(hash::words(&state, 0));
        goals.insert(state.clone());
    }
    for level in (0..last).rev() {
        let range = (levels[level] as usize, levels[level + 1] as usize);
        cones[level] = predecessors(system, store, range, &cones[level + 1], (threads, run))?;
    }
    let mut slot = vec![0; system.words()];
    let mut initial = S::Cursor::default();
    let mut ordered = vec![Ordered::default()];
    while system.initial(&mut initial, &mut slot) {
        ordered[0].add(&slot[..system.len(&slot)], 0, &cones[0]);
    }
    for cone in &cones[1..] {
        let mut next = Ordered::default();
        for (i, s) in ordered[ordered.len() - 1].states.iter().enumerate() {
            each_successor(system, s, &mut slot, &mut |t| {
                next.add(t, i, cone);
                false
            });
        }
        ordered.push(next);
    }
    let mut at = ordered[last].states.iter().position(|s| goals.contains(s)).ok_or(Stop::Unconfirmed)?;
    let mut back: Vec<&[u32]> = Vec::new();
    for level in ordered.iter().rev() {
        back.push(&level.states[at]);
        at = level.parents[at];
    }
    Ok(back.into_iter().rev().collect())
}

/// States of a level in the order in which they are met, each with the place of the first that leads to it.
#[derive(Default)]
struct Ordered {
    states: Vec<Vec<u32>>,
    parents: Vec<usize>,
    places: HashMap<Vec<u32>, usize>,
}

impl Ordered {
    fn add(&mut self, s: &[u32], parent: usize, cone: &HashSet<u64>) {
        if cone.contains(&hash::words(s, 0)) && !self.places.contains_key(s) {
            self.places.insert(s.to_vec(), self.states.len());
            self.states.push(s.to_vec());
            self.parents.push(parent);
        }
    }
}

/// Tells `each` the successors of a state, those that a reduction may leave out at the end, until it says yes.
fn each_successor<S: System>(
    system: &S,
    s: &[u32],
    slot: &mut [u32],
    each: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    let mut told = |mut cursor: S::Cursor| {
        while system.next(s, &mut cursor, slot).is_some() {
            if each(&slot[..system.len(slot)]) {
                return true;
            }
        }
        false
    };
    let mut rest = S::Cursor::default();
    told(S::Cursor::default()) || system.rest(s, &mut rest) && told(rest)
}

/// The states of a level, by their hashes, that have a successor in `cone`.
fn predecessors<S: System + Sync, R: Kept>(
    system: &S,
    store: &R,
    (from, to): (usize, usize),
    cone: &HashSet<u64>,
    (threads, run): (usize, &mut Run),
) -> Result<HashSet<u64>, Stop> {
    let next = AtomicUsize::new(from);
    let all = Mutex::new(HashSet::new());
    let stop = Mutex::new(None);
    let limits = run.limits;
    let work = || {
        let mut run = Run::new(limits);
        let (mut state, mut slot, mut own) = (Vec::new(), vec![0; system.words()], HashSet::new());
        loop {
            let first = next.fetch_add(BLOCK, Ordering::Relaxed);
            if first >= to {
                break;
            }
            for id in first..to.min(first + BLOCK) {
                store.load(id as u32, &mut state);
                let mut count = 0;
                let leads = each_successor(system, &state, &mut slot, &mut |t| {
                    count += 1;
                    cone.contains(&hash::words(t, 0))
                });
                run.transitions(count);
                if leads {
                    own.insert(hash::words(&state, 0));
                }
            }
            if let Err(e) = run.breathe(0, || store.bytes()) {
                *lock(&stop) = Some(e);
                next.store(to, Ordering::Relaxed);
            }
        }
        lock(&all).extend(own);
    };
    if to - from < 4 * BLOCK {
        work();
    } else {
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where there is no thread to be had, this one does all of it.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
    let stopped = *lock(&stop);
    match stopped {
        Some(stop) => Err(stop),
        None => Ok(std::mem::take(&mut *lock(&all))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
