//! Breadth-first search of a system: the whole state space, level by level, and shortest paths.
//!
//! A store that numbers states in order of arrival is the queue: the state with the next number is the next to be
//! expanded. No predecessors are kept. A shortest path is found afterwards, level by level from its end: some state
//! of the level before has this one as a successor. That expands each level at most once more, and costs no memory
//! for states that nobody asks about.
//!
//! A look into a store of many states waits for memory, twice: for the slot of the index, and for the words that it
//! stands for. The successors of several states are therefore gathered and looked up together (`Batch`), so that the
//! waits overlap, and that what was just written is not read before the processor is done with it. They enter the store in the order in which they were generated: the numbers are the same.

use crate::outcome::full;
use riata_store::Row;
use riata_system::{ActionId, Doing, Path, Run, Stop, Successors, System};
use std::ops::ControlFlow;

/// The levels of a search: for each the number of its first state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    starts: Vec<u32>,
}

impl Levels {
    /// How many levels have been reached.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Was nothing reached?
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    fn of(&self, id: u32) -> usize {
        self.starts.partition_point(|&s| s <= id) - 1
    }
}

/// How far a search came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The levels, as far as they were reached.
    pub levels: Levels,
    /// Why it ended early, if it did so against the will of its visitor.
    pub stopped: Option<Stop>,
}

/// Visits every reachable state. `inspect` is told the number, the words and the number of successors of each, in
/// breadth-first order, and can end the search.
pub fn bfs<S: System, R: Row>(
    system: &S,
    store: &mut R,
    run: &mut Run,
    inspect: impl FnMut(u32, &[u32], u64) -> ControlFlow<()>,
) -> Searched {
    let mut levels = Levels::default();
    let stopped = visit(system, store, run, inspect, &mut levels).err();
    run.doing(Doing::Search);
    run.counters.bytes = store.held() as u64;
    Searched { levels, stopped }
}

fn visit<S: System, R: Row>(
    system: &S,
    store: &mut R,
    run: &mut Run,
    mut inspect: impl FnMut(u32, &[u32], u64) -> ControlFlow<()>,
    levels: &mut Levels,
) -> Result<(), Stop> {
    let mut slot = vec![0; system.words()];
    let (mut state, mut next) = (Vec::new(), (usize::MAX, Vec::new()));
    let mut initial = S::Cursor::default();
    let mut batch = Batch::default();
    while system.initial(&mut initial, &mut slot) {
        batch.states.push(&slot[..system.len(&slot)], ActionId(0));
    }
    batch.arrive(store)?;
    let (mut at, mut next_level) = (0, 0);
    loop {
        run.doing(Doing::Store);
        if at == next_level || at == store.len() {
            batch.arrive(store)?;
            // Where all successors were expanded before, what was left out comes after all. So each state of which
            // something was left out has a successor that is expanded after it, and the last one is expanded fully.
            for id in std::mem::take(&mut batch.barren) {
                store.load(id, &mut state);
                let mut cursor = S::Cursor::default();
                if system.rest(&state, &mut cursor) {
                    successors(system, &state, &mut cursor, (run, &mut batch.states));
                    batch.come(store, 0)?;
                }
            }
            batch.arrive(store)?;
            if at == store.len() {
                break;
            }
        }
        if at == next_level {
            levels.starts.push(at as u32);
            next_level = store.len();
            run.counters.max_depth = levels.len() as u64;
        }
        if next.0 == at {
            std::mem::swap(&mut state, &mut next.1);
        } else {
            store.load(at as u32, &mut state);
        }
        // The one after it is written now, for the same reason.
        if at + 1 < store.len() {
            store.load(at as u32 + 1, &mut next.1);
            next.0 = at + 1;
        }
        run.counters.states += 1;
        run.counters.post_calls += 1;
        let mut cursor = S::Cursor::default();
        let count = successors(system, &state, &mut cursor, (run, &mut batch.states));
        if count > 0 && system.left_out(&cursor) {
            batch.reduced.push((at as u32, count as usize, batch.states.len()));
        }
        batch.come(store, count as usize)?;
        run.doing(Doing::Search);
        run.counters.waiting = (store.len() - at) as u64;
        run.breathe(levels.len(), || store.held())?;
        let stop = inspect(at as u32, &state, count).is_break();
        if stop {
            batch.arrive(store)?;
            break;
        }
        at += 1;
    }
    Ok(())
}

/// Gathers the successors that a cursor tells, and counts them.
fn successors<S: System>(
    system: &S,
    state: &[u32],
    cursor: &mut S::Cursor,
    (run, states): (&mut Run, &mut Successors),
) -> u64 {
    run.doing(Doing::Successors);
    let count = system.expand(state, cursor, states);
    run.doing(Doing::Store);
    run.transitions(count);
    count
}

/// How many successors are gathered before they are looked up.
const BATCH: usize = 256;
/// How many of them come together.
const SOME: usize = 16;

/// Successors on their way into the store.
#[derive(Default)]
struct Batch<B> {
    states: Successors,
    /// What the store keeps of them.
    coming: B,
    /// So many have come.
    came: usize,
    /// Expanded states of which successors were left out, each with how many it has here, and where the last of them ends.
    reduced: Vec<(u32, usize, usize)>,
    /// Those of which no successor comes after them.
    barren: Vec<u32>,
}

impl<B: Default> Batch<B> {
    /// They come, but for the last ones, so many, which were written just now. Adds all of them if they are many.
    #[inline]
    fn come<R: Row<Batch = B>>(&mut self, store: &mut R, last: usize) -> Result<(), Stop> {
        let until = self.states.len() - last;
        if until < self.came + SOME {
            return Ok(());
        }
        self.come_until(store, until)?;
        if until < BATCH { Ok(()) } else { self.arrive(store) }
    }

    fn come_until<R: Row<Batch = B>>(&mut self, store: &mut R, until: usize) -> Result<(), Stop> {
        let count = until - self.came;
        match self.states.same_length(self.came..until) {
            Some((words, length)) => store.come_alike(words, length, &mut self.coming),
            None => store.come(self.states.states_from(self.came).take(count), &mut self.coming),
        }
        .map_err(full)?;
        self.came = until;
        Ok(())
    }

    /// Adds all of them, in order.
    fn arrive<R: Row<Batch = B>>(&mut self, store: &mut R) -> Result<(), Stop> {
        self.come_until(store, self.states.len())?;
        let Batch { states, coming, came, reduced, barren } = self;
        *came = 0;
        if reduced.is_empty() {
            store.add(states.states_from(0), coming, |_| ()).map_err(full)?;
            states.clear();
            return Ok(());
        }
        let mut reduced = reduced.drain(..).peekable();
        let (mut later, mut i) = (false, 0);
        store
            .add(states.states_from(0), coming, |id| {
                if let Some(&(source, count, end)) = reduced.peek() {
                    later = id > source || later && i != end - count;
                    if i + 1 == end {
                        barren.extend((!later).then_some(source));
                        reduced.next();
                    }
                }
                i += 1;
            })
            .map_err(full)?;
        drop(reduced);
        states.clear();
        Ok(())
    }
}

/// A shortest path to the state `target` of a search, both ends included.
pub fn shortest_path<S: System, R: Row>(system: &S, store: &R, levels: &Levels, target: u32) -> Path {
    let mut back: Vec<Vec<u32>> = Vec::new();
    let (mut state, mut successors) = (Vec::new(), Successors::default());
    store.load(target, &mut state);
    back.push(state.clone());
    for level in (0..levels.of(target)).rev() {
        let wanted = &back[back.len() - 1];
        let end = levels.starts[level + 1];
        let before = (levels.starts[level]..end).find(|&id| {
            store.load(id, &mut state);
            let mut leads = |mut cursor: S::Cursor| {
                successors.clear();
                system.expand(&state, &mut cursor, &mut successors);
                successors.states_from(0).any(|s| s == wanted)
            };
            let mut rest = S::Cursor::default();
            leads(S::Cursor::default()) || system.rest(&state, &mut rest) && leads(rest)
        });
        debug_assert!(before.is_some(), "every state has a predecessor in the level before");
        back.push(state.clone());
    }
    back.iter().rev().map(Vec::as_slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_store::{Exact, Tree};
    use riata_system::{Limits, Valuation};

    /// Numbers below 1000; n leads to 2n and n + 3.
    struct Numbers;

    impl System for Numbers {
        type Cursor = u32;

        fn words(&self) -> usize {
            2
        }

        fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
            dst.copy_from_slice(&[1, 7]);
            *at += 1;
            *at == 1
        }

        fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<ActionId> {
            loop {
                *at += 1;
                let n = match *at {
                    1 => src[0] * 2,
                    2 => src[0] + 3,
                    _ => return None,
                };
                if n < 1000 {
                    dst.copy_from_slice(&[n, 7]);
                    return Some(ActionId(*at));
                }
            }
        }

        fn valuation(&self, _: &[u32]) -> Valuation {
            Valuation(0)
        }
    }

    fn search<R: Row>(mut store: R) -> (usize, u64, Vec<u32>) {
        let mut run = Run::new(Limits::default());
        let mut target = 0;
        let Searched { levels, stopped } = bfs(&Numbers, &mut store, &mut run, |id, s, _| {
            if s[0] == 997 {
                target = id;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(stopped, None);
        let path = shortest_path(&Numbers, &store, &levels, target);
        (levels.len(), run.counters.states, path.iter().map(|s| s[0]).collect())
    }

    #[test]
    fn paths_are_shortest() {
        let (levels, states, path) = search(Exact::new(usize::MAX));
        assert_eq!((levels, states, path.clone()), search(Tree::new(usize::MAX)));
        assert_eq!((path[0], path[path.len() - 1]), (1, 997));
        assert!(path.windows(2).all(|w| w[1] == w[0] * 2 || w[1] == w[0] + 3));
        // Backwards from 997: halve when even, otherwise take three away, is at least as long as the shortest.
        assert!(path.len() <= 18 && levels >= path.len());
        // All numbers but the multiples of three.
        assert_eq!(states, 666);
    }

    #[test]
    fn a_limit_keeps_what_was_found() {
        let interrupt = std::sync::atomic::AtomicBool::new(true);
        let mut run = Run::new(Limits { interrupt: Some(&interrupt), ..Limits::default() });
        // The search looks at its limits only now and then: enough transitions must come before.
        for _ in 0..4000 {
            run.transition();
        }
        let searched =
            bfs(&Numbers, &mut Exact::new(usize::MAX), &mut run, |_, _, _| ControlFlow::Continue(()));
        assert_eq!(searched.stopped, Some(Stop::Interrupted));
        assert!(!searched.levels.is_empty());
    }

    #[test]
    fn the_visitor_can_stop() {
        let mut run = Run::new(Limits::default());
        let stop =
            |id, _: &[u32], _| if id == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        bfs(&Numbers, &mut Exact::new(usize::MAX), &mut run, stop);
        assert_eq!(run.counters.states, 5);
    }
}
