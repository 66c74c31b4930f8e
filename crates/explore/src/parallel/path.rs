//! Which of the states that a search by several threads found is shown, and by which path: the one that a search by one
//! thread finds.
//!
//! A search by one thread meets the states of a level in the order in which their first predecessors tell them. That
//! order follows from the system alone. So first all states are found from which one of those that were found can be
//! reached on a shortest path, level by level back, by several threads; then these alone are gone through in order.

use super::parts::{At, Parts};
use riata_store::{Recall, hash};
use riata_system::{Path, Run, Stop, Successors, System};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// States by their hashes, which are hashed no further. Where two have one, more is gone through, and nothing else is wrong.
type Cone = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// A hash of what is a hash.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// So many states are looked at before the limits are; fewer are gone through by one thread.
const BLOCK: usize = 64;

/// The first shortest path to one of `found`, states of the last of the `levels`: both ends included.
///
/// # Errors
/// If a limit of `run` is reached.
pub fn first_path<S: System + Sync, R: Recall + Send>(
    system: &S,
    parts: &Parts<R>,
    levels: &[Vec<u32>],
    found: &[At],
    (threads, run): (usize, &mut Run),
) -> Result<Path, Stop> {
    let Some(last) = levels.len().checked_sub(1) else { return Ok(Path::new()) };
    let mut state = Vec::new();
    let mut cones = vec![Cone::default(); levels.len()];
    let mut goals = HashSet::new();
    for &at in found {
        parts.load(at, &mut state);
        cones[last].insert(hash::words(&state, 0));
        goals.insert(state.clone());
    }
    for level in (0..last).rev() {
        let range = (&levels[level][..], &levels[level + 1][..]);
        cones[level] = predecessors(system, parts, range, &cones[level + 1], (threads, run))?;
    }
    let mut slot = vec![0; system.words()];
    let mut initial = S::Cursor::default();
    let mut successors = Successors::default();
    let mut ordered = vec![Ordered::default()];
    while system.initial(&mut initial, &mut slot) {
        ordered[0].add(&slot[..system.len(&slot)], 0, &cones[0]);
    }
    for cone in &cones[1..] {
        let mut next = Ordered::default();
        for (i, s) in ordered[ordered.len() - 1].states.iter().enumerate() {
            each_successor(system, s, &mut successors, &mut |t| {
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
    fn add(&mut self, s: &[u32], parent: usize, cone: &Cone) {
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
    successors: &mut Successors,
    each: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    let mut told = |mut cursor: S::Cursor| {
        successors.clear();
        system.expand(s, &mut cursor, successors);
        successors.states_from(0).any(&mut *each)
    };
    let mut rest = S::Cursor::default();
    told(S::Cursor::default()) || system.rest(s, &mut rest) && told(rest)
}

/// The states of a level, by their hashes, that have a successor in `cone`: of each part by one thread.
fn predecessors<S: System + Sync, R: Recall + Send>(
    system: &S,
    parts: &Parts<R>,
    (from, to): (&[u32], &[u32]),
    cone: &Cone,
    (threads, run): (usize, &mut Run),
) -> Result<Cone, Stop> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Cone::default());
    let stop = Mutex::new(None);
    let limits = run.limits;
    let work = || {
        let mut run = Run::new(limits);
        let (mut state, mut successors, mut own) = (Vec::new(), Successors::default(), Cone::default());
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts.count() {
                break;
            }
            let store = parts.lock(part);
            for id in from[part]..to[part] {
                store.load(id, &mut state);
                let mut count = 0;
                let leads = each_successor(system, &state, &mut successors, &mut |t| {
                    count += 1;
                    cone.contains(&hash::words(t, 0))
                });
                run.transitions(count);
                if leads {
                    own.insert(hash::words(&state, 0));
                }
                if (id as usize).is_multiple_of(BLOCK)
                    && let Err(e) = run.breathe(0, || store.bytes())
                {
                    *lock(&stop) = Some(e);
                    next.store(parts.count(), Ordering::Relaxed);
                    break;
                }
            }
        }
        lock(&all).extend(own);
    };
    let states: usize = from.iter().zip(to).map(|(from, to)| (to - from) as usize).sum();
    if states < 4 * BLOCK {
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
