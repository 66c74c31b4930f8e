//! Spin's numbers of statements, as they are in its trails.
//!
//! Spin makes an element of each statement when it has read it, and numbers the elements of the whole model in this
//! order: what is inside a compound statement before the statement itself, process types in the order of the file.
//! The elements of [`super::flow`] are made in the same order, up to what is corrected there; here the process types
//! are put one after the other.
//!
//! One kind of element comes late. Where another process or a claim speaks of the label of a `goto`, the jump becomes
//! a step that does nothing, and the jump itself is a new element, made where it is first spoken of.

use super::Lowering;
use super::flow::El;
use crate::ast::Statement;
use riata_program::{EdgeId, ProcId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of the statement of each edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// By process type and edge.
    edges: Vec<Vec<Option<u32>>>,
}

impl Numbers {
    /// Spin's number of the statement of an edge.
    pub fn of(&self, process: ProcId, edge: EdgeId) -> Option<u32> {
        self.edges.get(process.index())?.get(edge.index()).copied().flatten()
    }

    /// Has the process type a statement with this number?
    pub fn has(&self, process: ProcId, number: u32) -> bool {
        self.edges.get(process.index()).is_some_and(|edges| edges.contains(&Some(number)))
    }
}

type Label = (ProcId, Arc<str>);

/// Numbers from here on stand for elements that come late: which one it is.
const LATE: u32 = 1 << 31;

/// Elements that come late.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// The labels of jumps.
    pub jumps: HashSet<Label>,
    /// For each label the first unit in the file that speaks of it.
    first: HashMap<Label, usize>,
    /// What the pass before learnt: the same for the labels of jumps.
    before: HashMap<Label, usize>,
    /// Where the unit at hand starts.
    pub unit: Option<usize>,
    /// Where each was spoken of first: the unit, and how many elements it had by then.
    made: HashMap<Label, (usize, u32)>,
    /// Those that are waiting for their number.
    waiting: Vec<Label>,
}

impl Late {
    /// For the second pass: what this one learnt.
    pub fn again(self) -> Late {
        let Late { jumps, first, .. } = self;
        let before = first.into_iter().filter(|(label, _)| jumps.contains(label)).collect();
        Late { before, ..Late::default() }
    }
}

/// Does Spin keep the place of a jump with this label in any case?
fn keeps_place(label: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|p| label.starts_with(p))
}

impl Lowering<'_> {
    /// Somebody speaks of a label of a process.
    pub(super) fn spoken_of(&mut self, process: ProcId, label: &Arc<str>) {
        let Some(unit) = self.late.unit else { return };
        let label = (process, label.clone());
        let first = self.late.first.entry(label.clone()).or_insert(unit);
        *first = unit.min(*first);
        let here = self.late.before.get(&label) == Some(&unit) && !self.late.made.contains_key(&label);
        if here && !keeps_place(&label.1) {
            self.late.made.insert(label, (unit, self.flow.made));
            self.flow.made += 1;
        }
    }

    /// A jump that others speak of was made, and then the step that does nothing at its place.
    pub(super) fn split_jump(&mut self, statement: &Statement, jump: El, place: El) {
        let spoken = |l: &&crate::ast::Name| {
            self.current.is_some_and(|p| self.referenced.contains(&(p, l.text.clone())))
        };
        let Some(label) = statement.labels.iter().find(spoken).map(|l| l.text.clone()) else { return };
        if statement.labels.iter().any(|l| keeps_place(&l.text)) {
            return;
        }
        let Some(process) = self.current else { return };
        self.flow.elements[place].number = self.flow.elements[jump].number;
        self.flow.elements[jump].number = Some(LATE + self.late.waiting.len() as u32);
        self.late.waiting.push((process, label));
        self.flow.made -= 1;
    }

    /// The numbers of all edges.
    pub(super) fn numbers(&mut self) -> Numbers {
        let base = |start: usize| self.made.range(..start).map(|(_, n)| n).sum::<u32>();
        let mut edges = vec![Vec::new(); self.program.processes.len()];
        for (p, (start, own)) in &self.numbers {
            let first = base(*start);
            let number = |n: u32| match n.checked_sub(LATE) {
                None => Some(n + first),
                Some(k) => {
                    let &(unit, made) = self.late.made.get(self.late.waiting.get(k as usize)?)?;
                    Some(base(unit) + made)
                }
            };
            if let Some(slot) = edges.get_mut(p.index()) {
                *slot = own.iter().map(|n| n.and_then(number)).collect();
            }
        }
        Numbers { edges }
    }
}
