//! A lasso of minimal total length.
//!
//! Not one of the papers' algorithms: it explores everything. A breadth-first search numbers the states by their
//! distance d; then for each state v of an accepting component, in this order, a breadth-first search over pairs of
//! a state and the marks met so far finds the shortest cycle c through v with every mark, as long as d + c can still
//! become smaller than what was found. Time n·m·2^k in the worst case; in practice the bound cuts nearly all of it.

use crate::scc;
use crate::whole::Whole;
use riata_automata::{Marks, Tgba};
use riata_store::{Dense, Row};
use riata_system::{Explicit, Graph, Lasso, Run, Stop};
use std::collections::HashSet;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The shortest accepting run that was found.
    pub lasso: Lasso,
    /// Why a shorter one may exist; `None` when the lasso is minimal.
    pub interrupted: Option<Stop>,
}

/// A shortest lasso of `g`; `None` if no run is accepting.
pub fn shortest<G: Graph>(g: &G, run: &mut Run) -> Result<Option<Shortest>, Stop> {
    let Some(whole) = Whole::of(g, run, usize::MAX, &mut |_| {})? else { return Err(Stop::States) };
    let graph = Explicit::new(&whole.automaton);
    let components = scc::tarjan(&graph, &mut Dense, &mut Run::new(run.limits))?;
    let all = g.all();
    let mut best: Option<(u32, Vec<(u32, Marks)>)> = None;
    let mut interrupted = None;
    for v in 0..whole.states.len() as u32 {
        let bound = best.as_ref().map_or(u32::MAX, |(length, _)| *length);
        if whole.distance[v as usize].saturating_add(1) >= bound {
            break;
        }
        let c = components.of[v as usize];
        let summary = &components.all[c as usize];
        if summary.trivial || !summary.marks.contains(all) {
            continue;
        }
        let room = bound - whole.distance[v as usize] - 1;
        match cycle(&whole.automaton, &components.of, v, room, run) {
            Ok(Some(cycle)) => best = Some((whole.distance[v as usize] + cycle.len() as u32, cycle)),
            Ok(None) => {}
            Err(stop) if best.is_some() => {
                interrupted = Some(stop);
                break;
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(best.map(|(_, cycle)| Shortest { lasso: whole.lasso(&cycle), interrupted }))
}

/// A shortest cycle from `v` with all marks and at most `room` edges, inside the component of `v`: its states and
/// the marks of the edges that leave them.
fn cycle(
    a: &Tgba,
    component: &[u32],
    v: u32,
    room: u32,
    run: &mut Run,
) -> Result<Option<Vec<(u32, Marks)>>, Stop> {
    let all = a.all();
    // Places in a breadth-first order: (state, marks met), the place before, the marks of the edge from there.
    let mut places = vec![((v, Marks::NONE), 0usize, Marks::NONE)];
    let mut seen = HashSet::from([(v, Marks::NONE)]);
    let (mut at, mut level_end, mut depth) = (0, 1, 0);
    while at < places.len() && depth < room {
        let (s, met) = places[at].0;
        for e in a.edges(s) {
            if component[e.to as usize] != component[v as usize] {
                continue;
            }
            run.transition();
            run.breathe(depth as usize, || 0)?;
            let met = met | e.marks & all;
            if e.to == v && met == all {
                let mut back = vec![(s, e.marks & all)];
                let mut i = at;
                while i != 0 {
                    let (_, before, marks) = places[i];
                    back.push((places[before].0.0, marks));
                    i = before;
                }
                back.reverse();
                return Ok(Some(back));
            }
            if seen.insert((e.to, met)) {
                places.push(((e.to, met), at, e.marks & all));
            }
        }
        at += 1;
        if at == level_end {
            level_end = places.len();
            depth += 1;
        }
    }
    Ok(None)
}

impl Whole {
    fn lasso(&self, cycle: &[(u32, Marks)]) -> Lasso {
        let mut stem = Vec::new();
        let mut at = cycle[0].0;
        while self.distance[at as usize] > 0 {
            at = self.parent[at as usize];
            stem.push(at);
        }
        let mut lasso = Lasso::default();
        let mut state = Vec::new();
        for &s in stem.iter().rev() {
            self.states.load(s, &mut state);
            lasso.stem.push(&state);
        }
        for &(s, marks) in cycle {
            self.states.load(s, &mut state);
            lasso.cycle.push(&state);
            lasso.marks.push(marks);
        }
        lasso
    }
}
