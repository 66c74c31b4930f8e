//! Why a state is not reduced, for people: what keeps the steps of a process from being taken alone.

use super::cells::{Bits, Cells};
use super::choose::{Here, MOST, Wish};
use super::{Proviso, Reduction};
use crate::form::Program;
use crate::ids::{EdgeId, LocId, ProcId};
use crate::interp::Interpreter;
use std::collections::{BTreeMap, BTreeSet};

/// Why the steps of a process at a location were not taken alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needed {
    /// One of them closes a cycle of control, so it is taken with all others.
    Closes,
    /// One of them is visible to the property.
    Visible,
    /// Another process meets them at this place, or could make possible one that is not.
    Meets(String),
    /// Another process may offer the other half of a rendezvous.
    Offers(String),
}

/// What was seen of the processes of one type at one location.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// In so many states a process was there and could move.
    pub states: u64,
    /// In so many of them its steps could be taken alone.
    pub alone: u64,
    /// And why not, how often.
    pub reasons: BTreeMap<Needed, u64>,
}

/// For each process type and location.
pub type Explanation = BTreeMap<(ProcId, LocId), Tally>;

impl Reduction {
    /// Adds what is seen in `s`.
    pub fn explain(&self, i: &Interpreter, s: &[u32], into: &mut Explanation) {
        if i.is_fault(s) || i.holder(s).is_some() {
            return;
        }
        let processes = &i.shape(s).processes;
        if !(2..=MOST).contains(&processes.len()) {
            return;
        }
        let mut here = arrayvec::ArrayVec::new();
        self.here(i, s, &mut here);
        let mut alone = 0u64;
        let wish = Wish { ahead: self.looks_ahead, ..Wish::default() };
        self.candidates(i, s, wish, |set, _| {
            alone |= set;
            false
        });
        let committed = i.is_committed(s);
        for (pid, &(of, _)) in processes.iter().enumerate() {
            if !i.has_step(s, pid as u32, committed) {
                continue;
            }
            let tally = into.entry((ProcId(of), LocId::new(here[pid].1))).or_default();
            tally.states += 1;
            if alone >> pid & 1 == 1 {
                tally.alone += 1;
                continue;
            }
            for reason in self.reasons(pid, &here) {
                *tally.reasons.entry(reason).or_default() += 1;
            }
        }
    }

    fn reasons(&self, pid: usize, here: &[Here]) -> BTreeSet<Needed> {
        let (footprint, location) = here[pid];
        let edges = self.program.processes[footprint.of.index()].edges.iter();
        let rows = || edges.clone().zip(&footprint.rows).filter(|(e, _)| e.from.index() == location);
        let mut reasons = BTreeSet::new();
        let stops = self.proviso == Proviso::Static;
        reasons.extend(rows().any(|(_, row)| row.closes && stops).then_some(Needed::Closes));
        reasons.extend(rows().any(|(_, row)| row.visible).then_some(Needed::Visible));
        for (_, (other, l)) in here.iter().enumerate().filter(|(q, _)| *q != pid) {
            let future = &other.futures[*l];
            let who = &self.program.processes[other.of.index()].name;
            let named = |cell| format!("{} with {who}", self.cells.name(&self.program, cell));
            for (_, row) in rows() {
                let pairs = [
                    (&row.writes, &future.touches),
                    (&row.touches, &future.writes),
                    (&row.needs, &future.writes),
                ];
                reasons.extend(
                    pairs.into_iter().find_map(|(a, b)| first_of(a, b)).map(|c| Needed::Meets(named(c))),
                );
                reasons.extend(first_of(&row.partners, &future.offers).map(|c| Needed::Offers(named(c))));
            }
        }
        reasons
    }

    /// The edges of a process type that are taken only with all others, so that no process waits for ever.
    pub fn closing(&self, p: ProcId) -> Vec<EdgeId> {
        let edges = self.sticky[p.index()].iter().enumerate();
        edges.filter(|(_, sticky)| **sticky).map(|(e, _)| EdgeId::new(e)).collect()
    }
}

fn first_of(a: &Bits, b: &Bits) -> Option<usize> {
    let words = a.0.iter().zip(&b.0).map(|(a, b)| a & b).enumerate();
    words.filter(|(_, w)| *w != 0).map(|(i, w)| i * 64 + w.trailing_zeros() as usize).next()
}

impl Cells {
    /// A cell as people call it.
    pub fn name(&self, program: &Program, cell: usize) -> String {
        for ((first, n), variable) in self.shared().zip(&program.shared) {
            if (first..first + n).contains(&cell) {
                return if n > 1 {
                    format!("{}[{}]", variable.name, cell - first)
                } else {
                    variable.name.clone()
                };
            }
        }
        let channel = |k: usize| match program.opens.get(k) {
            Some(open) => {
                let variable = &program.shared[open.var as usize];
                match variable.len {
                    Some(_) => format!("{}[{}]", variable.name, open.element),
                    None => variable.name.clone(),
                }
            }
            None => "a channel that was created".into(),
        };
        if let Some((k, end)) = self.end(cell) {
            let end = ["the head of", "the tail of", "a send to", "a receive from"][end];
            return format!("{end} {}", channel(k));
        }
        if let Some((p, local)) = self.of_type(cell, program.processes.len()) {
            let what = if local { "variables" } else { "location" };
            return format!("the {what} of {}", program.processes[p].name);
        }
        let named = [
            (self.grow, "the creation of processes"),
            (self.shrink, "the end of processes"),
            (self.control, "committed locations"),
            (self.progress, "progress labels"),
            (self.accepting, "accept labels"),
        ];
        named.iter().find(|(c, _)| *c == cell).map_or("everything".into(), |(_, name)| (*name).into())
    }
}
