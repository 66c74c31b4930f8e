//! The lasso behind what OWCTY leaves over.
//!
//! ```text
//! process 0 gets all states that are left, and searches a cycle among them, alone;
//! everybody gets the cycle; it is entered at its state on the first level;
//! the stem is a shortest path to that one, level by level back
//! ```
//!
//! States that are left may lie behind the cycles, so the search begins in all of them.

use crate::bfs::{Found, Job};
use crate::mesh::{Lost, Mesh};
use crate::path::path;
use crate::wave::Waves;
use riata_automata::Marks;
use riata_explore::inside::Inside;
use riata_explore::{Algorithm, check, full};
use riata_store::{Exact, Recall, Store};
use riata_system::{Graph, Lasso, Path, Run, Stop, System, Verdict};

/// A cycle in portable words: each state with the marks of the edge that leaves it.
type Cycle = Vec<(Marks, Vec<u32>)>;

fn cycle_words(cycle: &Cycle) -> Vec<u32> {
    let one = |(marks, state): &(Marks, Vec<u32>)| {
        [&[marks.0 as u32, (marks.0 >> 32) as u32, state.len() as u32], &state[..]].concat()
    };
    cycle.iter().flat_map(one).collect()
}

fn read_cycle(mut words: &[u32]) -> Cycle {
    let mut cycle = Cycle::new();
    while let [low, high, len, rest @ ..] = words {
        let Some((state, others)) = rest.split_at_checked(*len as usize) else { break };
        cycle.push((Marks(u64::from(*low) | u64::from(*high) << 32), state.to_vec()));
        words = others;
    }
    cycle
}

/// A lasso, given the own states that are left (`left`) and where the levels begin (`starts`). Every process gets the same.
///
/// # Errors
/// If some process has to stop.
pub fn lasso<G: Graph, R: Recall, S: System, T>(
    waves: &mut Waves<G, R>,
    job: &Job<S, T>,
    (left, starts): (&[u32], &[u32]),
    room: usize,
) -> Result<Lasso, Stop> {
    let found = gather(waves, left, room)?;
    let note = found.as_ref().map_or(Vec::new(), |found| match found {
        Ok(cycle) => cycle_words(cycle),
        Err(_) => Vec::new(),
    });
    let notes = exchange(waves.mesh, &note)?;
    let cycle = read_cycle(&notes[0]);
    if cycle.is_empty() {
        return Err(found.and_then(Result::err).unwrap_or(Stop::Memory));
    }
    let (entry, level) = entry(waves, &cycle, starts)?;
    let found = Found { bit: 0, level, state: cycle[entry].1.clone() };
    let mut stem = path(job, (waves.store, waves.mesh), (starts, &found), waves.run)?;
    stem = stem.iter().take(level).collect();
    let (mut states, mut marks, mut state) = (Path::new(), Vec::new(), Vec::new());
    for (mark, words) in cycle[entry..].iter().chain(&cycle[..entry]) {
        if !waves.portable.import(words, &mut state) {
            return Err(Stop::Lost);
        }
        states.push(&state);
        marks.push(*mark);
    }
    Ok(Lasso { stem, cycle: states, marks, choices: Vec::new() }.shortened())
}

/// A round without records.
fn exchange(mesh: &mut Mesh, note: &[u32]) -> Result<Vec<Vec<u32>>, Stop> {
    mesh.close(note);
    while !mesh.wait().map_err(|Lost| Stop::Lost)? {}
    Ok(mesh.notes())
}

/// Process 0 gets all states, and finds a cycle; the others have nothing to say.
fn gather<G: Graph, R: Recall>(
    waves: &mut Waves<G, R>,
    left: &[u32],
    room: usize,
) -> Result<Option<Result<Cycle, Stop>>, Stop> {
    let (mut state, mut words, mut all) = (Vec::new(), Vec::new(), Exact::new(room));
    let mut kept = Ok(());
    for &id in left {
        waves.store.load(id, &mut state);
        if waves.mesh.me() == 0 {
            kept = kept.and(all.intern(&state).map(|_| ()).map_err(full));
        } else {
            waves.portable.export(&state, &mut words);
            waves.mesh.send(0, &words);
        }
    }
    waves.mesh.close(&[]);
    loop {
        let over = waves.mesh.wait().map_err(|Lost| Stop::Lost)?;
        for parcel in waves.mesh.received() {
            for record in parcel.records() {
                kept = match waves.portable.import(record, &mut state) {
                    true => kept.and(all.intern(&state).map(|_| ()).map_err(full)),
                    false => Err(Stop::Lost),
                };
            }
        }
        if over {
            break;
        }
    }
    waves.mesh.notes();
    if waves.mesh.me() > 0 {
        return Ok(None);
    }
    Ok(Some(kept.and_then(|()| cycle(waves, &all, room))))
}

/// A cycle inside these states.
fn cycle<G: Graph, R: Recall>(waves: &mut Waves<G, R>, all: &Exact, room: usize) -> Result<Cycle, Stop> {
    let inside = Inside { graph: waves.graph, states: all };
    let mut run = Run::new(waves.run.limits);
    let verdict = check(Algorithm::Couvreur99, &inside, &mut Exact::new(room), &mut run);
    let lasso = match verdict {
        Ok(Verdict::Accepting(lasso)) => lasso,
        Ok(Verdict::Inconclusive(stop)) => return Err(stop),
        // There is one, if states are left.
        _ => return Err(Stop::Unconfirmed),
    };
    let mut words = Vec::new();
    let state = |(i, s): (usize, &[u32])| {
        waves.portable.export(s, &mut words);
        (lasso.marks[i], words.clone())
    };
    Ok(lasso.cycle.iter().enumerate().map(state).collect())
}

/// The state of the cycle on the first level, the first in the order of words among those, and its level.
fn entry<G: Graph, R: Recall>(
    waves: &mut Waves<G, R>,
    cycle: &Cycle,
    starts: &[u32],
) -> Result<(usize, usize), Stop> {
    let mut state = Vec::new();
    let mut own: Option<(usize, usize)> = None;
    for (i, (_, words)) in cycle.iter().enumerate() {
        if waves.portable.import(words, &mut state)
            && let Some(id) = waves.store.find(&state)
        {
            let level = starts.partition_point(|&s| s <= id) - 1;
            let first = own.is_none_or(|(at, l)| (level, words) < (l, &cycle[at].1));
            own = if first { Some((i, level)) } else { own };
        }
    }
    let note = own.map_or(vec![], |(i, level)| vec![level as u32, i as u32]);
    let notes = exchange(waves.mesh, &note)?;
    let known = notes.iter().filter_map(|n| Some((*n.first()? as usize, *n.get(1)? as usize)));
    let known = known.filter(|&(_, i)| i < cycle.len());
    let first = known.min_by(|a, b| (a.0, &cycle[a.1].1).cmp(&(b.0, &cycle[b.1].1)));
    first.map(|(level, i)| (i, level)).ok_or(Stop::Lost)
}
