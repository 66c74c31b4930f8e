//! A shortest path to a state that a search found, without predecessors: level by level back, some state of the level before
//! leads to this one. Every process looks among its own states, and of all that lead there the first in the order of
//! words is taken; so the path does not depend on the number of processes.

use crate::bfs::{Found, Job};
use crate::mesh::{Lost, Mesh};
use riata_store::Recall;
use riata_system::{Path, Run, Stop, System};

/// So many states are looked at before what has come is looked at.
const BLOCK: u32 = 256;

/// The path, both ends included; `starts` is where the levels of this process begin.
///
/// # Errors
/// If some process has to stop.
pub fn path<S: System, R: Recall, T>(
    job: &Job<S, T>,
    (store, mesh): (&R, &mut Mesh),
    (starts, found): (&[u32], &Found),
    run: &mut Run,
) -> Result<Path, Stop> {
    let mut back = vec![found.state.clone()];
    for level in (0..found.level).rev() {
        let end = starts.get(level + 1).copied().unwrap_or(store.len() as u32);
        let wanted = &back[back.len() - 1];
        let own = leads(job, store, (starts[level], end), wanted, (mesh, run));
        // Nothing, or a state behind a 1; or why not.
        let note = match &own {
            Ok(Some(state)) => [&[1], &state[..]].concat(),
            Ok(None) => vec![],
            Err(_) => vec![0],
        };
        mesh.close(&note);
        while !mesh.wait().map_err(|Lost| Stop::Lost)? {
            mesh.received();
        }
        let notes = mesh.notes();
        if notes.iter().any(|n| n[..] == [0]) {
            return Err(own.err().unwrap_or(Stop::Interrupted));
        }
        let first = notes.iter().filter_map(|n| n.strip_prefix(&[1])).min().ok_or(Stop::Unconfirmed)?;
        back.push(first.to_vec());
    }
    let mut state = Vec::new();
    let mut path = Path::new();
    for words in back.iter().rev() {
        if !job.portable.import(words, &mut state) {
            return Err(Stop::Lost);
        }
        path.push(&state);
    }
    Ok(path)
}

/// The first of the own states in a range, in the order of portable words, that leads to `wanted`.
fn leads<S: System, R: Recall, T>(
    job: &Job<S, T>,
    store: &R,
    (from, to): (u32, u32),
    wanted: &[u32],
    (mesh, run): (&mut Mesh, &mut Run),
) -> Result<Option<Vec<u32>>, Stop> {
    let (mut target, mut state, mut words) = (Vec::new(), Vec::new(), Vec::new());
    if !job.portable.import(wanted, &mut target) {
        return Err(Stop::Lost);
    }
    let mut first: Option<Vec<u32>> = None;
    let mut successors = riata_system::Successors::default();
    for block in (from..to).step_by(BLOCK as usize) {
        for id in block..to.min(block + BLOCK) {
            store.load(id, &mut state);
            job.system.post(&state, &mut successors);
            if successors.states_from(0).any(|t| *t == target[..]) {
                job.portable.export(&state, &mut words);
                if first.as_ref().is_none_or(|known| words < *known) {
                    first = Some(words.clone());
                }
            }
        }
        mesh.step().map_err(|Lost| Stop::Lost)?;
        run.wait_among(0, || store.bytes(), |own| own)?;
    }
    Ok(first)
}
