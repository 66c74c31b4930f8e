//! Which of the states that a search by several threads found is shown, and by which path: the one that a search by one
//! thread finds.
//!
//! A search by one thread meets the states of a level in the order in which their first predecessors tell them. So it meets them in the
//! order of the choices on the least path to each, and the state that it finds first is the one with the least path of all: that order
//! follows from the system alone. First all states are found from which one of those that were found can be reached on a shortest path,
//! level by level back, by all threads. Then the least path is the one that always takes the first step to such a state.

use super::parts::{At, Parts};
use riata_store::{Sorted, hash};
use riata_system::{Path, Run, Stop, Successors, System};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// States by their hashes, which are hashed no further.
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
pub fn first_path<S: System + Sync, R: Sorted + Send>(
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
    let mut path = Path::new();
    let mut slot = vec![0; system.words()];
    let mut initial = S::Cursor::default();
    while path.is_empty() && system.initial(&mut initial, &mut slot) {
        let s = &slot[..system.len(&slot)];
        if cones[0].contains(&hash::words(s, 0)) {
            path.push(s);
        }
    }
    let mut successors = Successors::default();
    for cone in &cones[1..] {
        let mut next = None;
        let here = path.len().checked_sub(1).ok_or(Stop::Unconfirmed)?;
        each_successor(system, path.get(here), &mut successors, &mut |t| {
            let leads = cone.contains(&hash::words(t, 0));
            next = leads.then(|| t.to_vec());
            leads
        });
        path.push(&next.ok_or(Stop::Unconfirmed)?);
    }
    // Two states may have one hash: then the way has led to nowhere.
    if !path.is_empty() && goals.contains(path.get(path.len() - 1)) {
        Ok(path)
    } else {
        Err(Stop::Unconfirmed)
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
fn predecessors<S: System + Sync, R: Sorted + Send>(
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
                    && let Err(e) = run.breathe(0, || store.held())
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
