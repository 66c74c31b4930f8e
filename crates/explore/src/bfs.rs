//! Breadth-first search of a system: the whole state space, level by level, and shortest paths.
//!
//! A store that numbers states in order of arrival is the queue: the state with the next number is the next to be
//! expanded. No predecessors are kept. A shortest path is found afterwards, level by level from its end: some state
//! of the level before has this one as a successor. That expands each level at most once more, and costs no memory
//! for states that nobody asks about.
//!
//! A look into a store of many states waits for memory, twice: for the slot of the index, and for the words that it
//! stands for. The successors of several states are therefore gathered and looked up together (`Batch`), so that the
//! waits overlap. They enter the store in the order in which they were generated: the numbers are the same.

use crate::outcome::full;
use riata_store::Recall;
use riata_system::{Doing, Path, Run, Stop, Successors, System};
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
pub fn bfs<S: System, R: Recall>(
    system: &S,
    store: &mut R,
    run: &mut Run,
    inspect: impl FnMut(u32, &[u32], u64) -> ControlFlow<()>,
) -> Searched {
    let mut levels = Levels::default();
    let stopped = visit(system, store, run, inspect, &mut levels).err();
    run.doing(Doing::Search);
    run.counters.bytes = store.bytes() as u64;
    Searched { levels, stopped }
}

fn visit<S: System, R: Recall>(
    system: &S,
    store: &mut R,
    run: &mut Run,
    mut inspect: impl FnMut(u32, &[u32], u64) -> ControlFlow<()>,
    levels: &mut Levels,
) -> Result<(), Stop> {
    let mut slot = vec![0; system.words()];
    let mut state = Vec::new();
    let mut initial = S::Cursor::default();
    let mut batch = Batch::default();
    while system.initial(&mut initial, &mut slot) {
        store.intern(&slot[..system.len(&slot)]).map_err(full)?;
    }
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
                    successors(system, &state, &mut cursor, (store, run, &mut batch))?;
                    batch.crowd(store)?;
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
        store.load(at as u32, &mut state);
        run.counters.states += 1;
        run.counters.post_calls += 1;
        let mut cursor = S::Cursor::default();
        let count = successors(system, &state, &mut cursor, (store, run, &mut batch))?;
        if count > 0 && system.left_out(&cursor) {
            batch.reduced.push((at as u32, count as usize, batch.coming.len()));
        }
        batch.crowd(store)?;
        run.doing(Doing::Search);
        run.counters.waiting = (store.len() - at) as u64;
        run.breathe(levels.len(), || store.bytes())?;
        let stop = inspect(at as u32, &state, count).is_break();
        if stop {
            batch.arrive(store)?;
            break;
        }
        at += 1;
    }
    Ok(())
}

/// Sends the successors that a cursor tells on their way, and counts them.
fn successors<S: System, R: Recall>(
    system: &S,
    state: &[u32],
    cursor: &mut S::Cursor,
    (store, run, batch): (&mut R, &mut Run, &mut Batch<R::Coming>),
) -> Result<u64, Stop> {
    run.doing(Doing::Successors);
    let count = system.expand(state, cursor, &mut batch.states);
    run.doing(Doing::Store);
    batch.come(store)?;
    run.transitions(count);
    Ok(count)
}

/// How many successors are gathered before they are looked up.
const BATCH: usize = 64;

/// Successors on their way into the store.
struct Batch<C> {
    states: Successors,
    coming: Vec<C>,
    /// Expanded states of which successors were left out, each with how many it has here, and where the last of them ends.
    reduced: Vec<(u32, usize, usize)>,
    /// Those of which no successor comes after them.
    barren: Vec<u32>,
}

impl<C: Copy> Default for Batch<C> {
    fn default() -> Self {
        Batch { states: Successors::default(), coming: Vec::new(), reduced: Vec::new(), barren: Vec::new() }
    }
}

impl<C: Copy> Batch<C> {
    /// Tells the store which states have been added.
    fn come<R: Recall<Coming = C>>(&mut self, store: &mut R) -> Result<(), Stop> {
        for s in self.states.states_from(self.coming.len()) {
            self.coming.push(store.comes(s).map_err(full)?);
        }
        Ok(())
    }

    /// Interns them if they are many.
    fn crowd<R: Recall<Coming = C>>(&mut self, store: &mut R) -> Result<(), Stop> {
        if self.coming.len() < BATCH { Ok(()) } else { self.arrive(store) }
    }

    /// Interns all of them, in order.
    fn arrive<R: Recall<Coming = C>>(&mut self, store: &mut R) -> Result<(), Stop> {
        self.coming.iter_mut().for_each(|coming| store.nears(coming));
        if self.reduced.is_empty() {
            for (s, &coming) in self.states.states_from(0).zip(&self.coming) {
                store.arrives(s, coming).map_err(full)?;
            }
            self.coming.clear();
            self.states.clear();
            return Ok(());
        }
        let mut reduced = self.reduced.drain(..).peekable();
        let mut later = false;
        for (i, &coming) in self.coming.iter().enumerate() {
            let id = store.arrives(self.states.get(i).0, coming).map_err(full)?;
            if let Some(&(source, count, end)) = reduced.peek() {
                later = id > source || later && i != end - count;
                if i + 1 == end {
                    self.barren.extend((!later).then_some(source));
                    reduced.next();
                }
            }
        }
        drop(reduced);
        self.coming.clear();
        self.states.clear();
        Ok(())
    }
}

/// A shortest path to the state `target` of a search, both ends included.
pub fn shortest_path<S: System, R: Recall>(system: &S, store: &R, levels: &Levels, target: u32) -> Path {
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
    use riata_system::{ActionId, Limits, Valuation};

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

    fn search<R: Recall>(mut store: R) -> (usize, u64, Vec<u32>) {
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
