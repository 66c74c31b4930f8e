//! Smaller automata for the same language, one technique per file.

pub mod degeneralise;
pub mod downward;
pub mod simulation;
pub mod trim;
pub mod wdba;

use crate::{Edge, Tgba};

/// `a` with other states and edges; edges to the same state with the same marks become one.
pub(crate) fn rebuild(a: &mut Tgba, states: usize, initial: Vec<u32>, mut edges: Vec<(u32, Edge)>) -> Tgba {
    edges.sort_unstable_by_key(|(s, e)| (*s, e.to, e.marks, e.label));
    let mut labels = std::mem::take(&mut a.labels);
    edges.dedup_by(|(s, e), (t, f)| {
        let same = (*s, e.to, e.marks) == (*t, f.to, f.marks);
        if same {
            f.label = labels.or(e.label, f.label);
        }
        same
    });
    let mut b = Tgba::default();
    b.aps = std::mem::take(&mut a.aps);
    b.labels = labels;
    b.sets = a.sets;
    b.initial = initial;
    b.set_edges(states, &edges);
    b
}
