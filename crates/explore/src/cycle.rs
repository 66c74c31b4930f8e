//! Accepting cycles inside a set of states in which every state can come back.
//!
//! SE05 section 4.2: when an SCC-based search reports, the call stack leads to the component, and the cycle is found
//! by a search inside the states that were not removed. Here it is a breadth-first search from mark to mark. It is
//! compiled once for each graph: who is inside is asked through a pointer, which costs nothing next to the search.

use riata_automata::Marks;
use riata_store::{Exact, Full, Row, Store};
use riata_system::{Graph, Lasso, Path};

/// Edges in a row: states, the marks of the edge that leaves each, and the state they lead to.
struct Walk {
    states: Path,
    marks: Vec<Marks>,
    target: Vec<u32>,
}

/// A shortest path of at least one edge from `from`, through states that are `inside`, whose last edge is a `goal`.
fn walk<G: Graph>(
    g: &G,
    from: &[u32],
    inside: &dyn Fn(&[u32]) -> bool,
    goal: &dyn Fn(Marks, &[u32]) -> bool,
) -> Option<Walk> {
    let mut seen = Exact::new(usize::MAX);
    let mut parents = vec![(0, Marks::NONE)];
    seen.intern(from).ok()?;
    let (mut state, mut slot) = (Vec::new(), vec![0; g.words()]);
    let mut at = 0;
    while (at as usize) < seen.len() {
        seen.load(at, &mut state);
        let mut cursor = G::Cursor::default();
        while let Some(marks) = g.next(&state, &mut cursor, &mut slot) {
            let t = &slot[..g.len(&slot)];
            if !inside(t) {
                continue;
            }
            if goal(marks, t) {
                return Some(trace(&seen, &parents, at, marks, t));
            }
            let id = seen.intern(t).ok()?;
            if id as usize == parents.len() {
                parents.push((at, marks));
            }
        }
        at += 1;
    }
    None
}

/// The path to state `at`, and on by the edge with `marks` to `target`.
fn trace(seen: &Exact, parents: &[(u32, Marks)], mut at: u32, marks: Marks, target: &[u32]) -> Walk {
    let mut back = vec![(at, marks)];
    while at != 0 {
        let (parent, marks) = parents[at as usize];
        back.push((parent, marks));
        at = parent;
    }
    let mut walk = Walk { states: Path::new(), marks: Vec::new(), target: target.to_vec() };
    let mut state = Vec::new();
    for &(id, marks) in back.iter().rev() {
        seen.load(id, &mut state);
        walk.states.push(&state);
        walk.marks.push(marks);
    }
    walk
}

/// The lasso along `path` (whose last state is on the cycle) with a cycle through every mark, inside `inside`. All
/// states that can be reached inside must be able to come back; `None` if they are not (a lossy store's mistake).
pub(crate) fn lasso<G: Graph>(g: &G, path: &Path, inside: &dyn Fn(&[u32]) -> bool) -> Option<Lasso> {
    let start = path.get(path.len() - 1);
    let mut lasso = Lasso { stem: path.iter().take(path.len() - 1).collect(), ..Lasso::default() };
    let mut at = start.to_vec();
    let mut missing = g.all();
    while !missing.is_empty() || lasso.cycle.is_empty() || at != start {
        let step = if missing.is_empty() {
            walk(g, &at, inside, &|_, t| t == start)?
        } else {
            walk(g, &at, inside, &|m, _| !(m & missing).is_empty())?
        };
        step.states.iter().for_each(|s| lasso.cycle.push(s));
        missing = step.marks.iter().fold(missing, |left, &m| left.without(m));
        lasso.marks.extend(step.marks);
        at = step.target;
    }
    Some(lasso.shortened())
}

/// The states before `target` on a shortest path to it.
pub(crate) fn path_to<G: Graph>(g: &G, target: &[u32]) -> Result<Option<Path>, Full> {
    let mut seen = Exact::new(usize::MAX);
    let mut parents = Vec::new();
    let mut slot = vec![0; g.words()];
    let mut initial = G::Cursor::default();
    while g.initial(&mut initial, &mut slot) {
        let s = &slot[..g.len(&slot)];
        if s == target {
            return Ok(Some(Path::new()));
        }
        if seen.intern(s)? as usize == parents.len() {
            parents.push(None);
        }
    }
    let (mut state, mut at) = (Vec::new(), 0);
    while (at as usize) < seen.len() {
        seen.load(at, &mut state);
        let mut cursor = G::Cursor::default();
        while g.next(&state, &mut cursor, &mut slot).is_some() {
            let t = &slot[..g.len(&slot)];
            if t == target {
                let back: Vec<u32> = std::iter::successors(Some(at), |&id| parents[id as usize]).collect();
                let mut path = Path::new();
                for &id in back.iter().rev() {
                    seen.load(id, &mut state);
                    path.push(&state);
                }
                return Ok(Some(path));
            }
            if seen.intern(t)? as usize == parents.len() {
                parents.push(Some(at));
            }
        }
        at += 1;
    }
    Ok(None)
}
