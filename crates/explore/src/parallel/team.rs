//! Workers that each do the whole search.

use riata_system::{Counters, Run, Stop};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// What all workers of a search see of each other.
#[derive(Default)]
pub(crate) struct Team {
    /// Is somebody ready, with whatever outcome?
    ended: AtomicBool,
    /// For progress: what those beside the first worker have counted, now and then.
    states: AtomicU64,
    transitions: AtomicU64,
}

/// Why a worker leaves off.
pub(crate) enum Leave {
    /// A limit.
    Stop(Stop),
    /// Somebody else was ready first.
    Told,
}

impl From<Stop> for Leave {
    fn from(stop: Stop) -> Self {
        Leave::Stop(stop)
    }
}

/// Whose work tells that there is nothing to be found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Complete {
    /// Who is first through the whole search.
    ByOne,
    /// All together: each must come to its end.
    ByAll,
}

/// One of the workers.
pub(crate) struct Worker<'t, 'r, 'a> {
    /// From 0; the first runs in the thread of who asked.
    pub number: usize,
    /// How many there are.
    pub threads: usize,
    /// Limits, and what this one has counted.
    pub run: &'r mut Run<'a>,
    team: &'t Team,
    told: Counters,
}

impl Worker<'_, '_, '_> {
    /// Has somebody else ended the search?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.team.ended.load(Ordering::Relaxed)
    }

    /// Once in a while, compares the search with its limits; always with the others.
    #[inline]
    pub fn breathe(&mut self, depth: usize, bytes: impl FnOnce() -> usize) -> Result<(), Leave> {
        if self.is_over() {
            return Err(Leave::Told);
        }
        let (team, first, told) = (self.team, self.number == 0, &mut self.told);
        let total = |own: Counters| {
            if first {
                let states = own.states + team.states.load(Ordering::Relaxed);
                let transitions = own.transitions + team.transitions.load(Ordering::Relaxed);
                return Counters { states, transitions, ..own };
            }
            team.states.fetch_add(own.states - told.states, Ordering::Relaxed);
            team.transitions.fetch_add(own.transitions - told.transitions, Ordering::Relaxed);
            *told = own;
            own
        };
        self.run.breathe_among(depth, bytes, total).map_err(Leave::Stop)
    }
}

/// Ends the search of the others when its worker panics.
struct Unwinding<'a>(&'a AtomicBool);

impl Drop for Unwinding<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}

/// Adds what another worker has counted.
pub(crate) fn add(sum: &mut Counters, c: &Counters) {
    sum.states += c.states;
    sum.transitions += c.transitions;
    sum.post_calls += c.post_calls;
    sum.max_depth = sum.max_depth.max(c.max_depth);
    sum.max_roots = sum.max_roots.max(c.max_roots);
    sum.max_active = sum.max_active.max(c.max_active);
    sum.bytes += c.bytes;
}

/// Lets `threads` workers do `work`, until one of them finds something or there is nothing to find. Their counters are
/// summed in `run`. If the system gives fewer threads than asked for, fewer work.
///
/// # Panics
/// If a worker does.
pub(crate) fn together<F: Send>(
    threads: usize,
    complete: Complete,
    run: &mut Run,
    work: impl Fn(&mut Worker) -> Result<Option<F>, Leave> + Sync,
) -> Result<Option<F>, Stop> {
    let team = Team::default();
    let limits = run.limits;
    let one = |number: usize, run: &mut Run| {
        let _unwinding = Unwinding(&team.ended);
        let mut worker = Worker { number, threads, run, team: &team, told: Counters::default() };
        let done = work(&mut worker);
        let ends = match done {
            Ok(None) => complete == Complete::ByOne,
            Ok(Some(_)) | Err(Leave::Stop(_)) => true,
            Err(Leave::Told) => false,
        };
        if ends {
            team.ended.store(true, Ordering::Release);
        }
        done
    };
    let mut results = Vec::new();
    let mut panic = None;
    thread::scope(|scope| {
        let one = &one;
        let others: Vec<_> = (1..threads)
            .filter_map(|number| {
                let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                    let mut run = Run::new(limits);
                    (one(number, &mut run), run.counters)
                });
                spawned.ok()
            })
            .collect();
        results.push(one(0, run));
        for other in others {
            match other.join() {
                Ok((result, counters)) => {
                    add(&mut run.counters, &counters);
                    results.push(result);
                }
                Err(payload) => panic = Some(payload),
            }
        }
    });
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
    conclude(complete, results)
}

/// What the workers say together.
fn conclude<F>(complete: Complete, results: Vec<Result<Option<F>, Leave>>) -> Result<Option<F>, Stop> {
    let (mut done, mut told, mut stopped) = (false, false, None);
    for result in results {
        match result {
            Ok(Some(found)) => return Ok(Some(found)),
            Ok(None) => done = true,
            Err(Leave::Stop(stop)) => stopped = stopped.or(Some(stop)),
            Err(Leave::Told) => told = true,
        }
    }
    match (complete, stopped) {
        (Complete::ByOne, _) if done => Ok(None),
        (_, Some(stop)) => Err(stop),
        (Complete::ByAll, None) if done && !told => Ok(None),
        // Nobody was ready, and somebody left: this cannot be, and then nothing is known.
        _ => Err(Stop::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_system::Limits;

    fn run<'a>() -> Run<'a> {
        Run::new(Limits::default())
    }

    #[test]
    fn one_who_finds_ends_all() {
        let found = together(4, Complete::ByAll, &mut run(), |w| {
            if w.number == 3 {
                return Ok(Some(w.number));
            }
            while !w.is_over() {
                std::thread::yield_now();
            }
            Err(Leave::Told)
        });
        assert_eq!(found, Ok(Some(3)));
    }

    #[test]
    fn a_limit_of_one_is_a_limit_of_all() {
        let stopped = together(3, Complete::ByAll, &mut run(), |w| -> Result<Option<()>, Leave> {
            if w.number == 1 { Err(Leave::Stop(Stop::Memory)) } else { Ok(None) }
        });
        assert_eq!(stopped, Err(Stop::Memory));
    }

    #[test]
    fn who_panics_is_not_overlooked() {
        for lost in 0..3 {
            let result = std::panic::catch_unwind(|| {
                together(3, Complete::ByOne, &mut run(), |w| -> Result<Option<()>, Leave> {
                    assert!(w.number != lost, "lost");
                    Ok(None)
                })
            });
            assert!(result.is_err(), "worker {lost}");
        }
    }

    #[test]
    fn counters_are_summed() {
        let mut run = run();
        let done = together(3, Complete::ByAll, &mut run, |w| -> Result<Option<()>, Leave> {
            w.run.transitions(w.number as u64 + 1);
            Ok(None)
        });
        assert_eq!((done, run.counters.transitions), (Ok(None), 6));
    }
}
