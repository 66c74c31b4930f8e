//! Lassos: a stem, and a cycle taken for ever.

use crate::{Choice, FAILED, Graph, System};
use riata_automata::Marks;

/// A sequence of states, stored flat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl Path {
    /// The empty sequence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a state at the end.
    pub fn push(&mut self, s: &[u32]) {
        self.words.extend_from_slice(s);
        self.ends.push(self.words.len());
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// State `i`.
    pub fn get(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.words[start..self.ends[i]]
    }

    /// The last state, if there is one.
    pub fn last(&self) -> Option<&[u32]> {
        self.len().checked_sub(1).map(|i| self.get(i))
    }

    /// The states in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|i| self.get(i))
    }
}

impl<'a> FromIterator<&'a [u32]> for Path {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(states: I) -> Self {
        let mut path = Path::new();
        states.into_iter().for_each(|s| path.push(s));
        path
    }
}

/// An accepting run: the stem, then the cycle for ever.
///
/// The cycle is not empty; its first state is repeated neither at its end nor in the stem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// From an initial state to just before the cycle; may be empty.
    pub stem: Path,
    /// The cycle.
    pub cycle: Path,
    /// The marks of the edge that leaves each state of the cycle. Of two parallel edges the one with these marks is
    /// meant; a cycle that needs both goes round twice.
    pub marks: Vec<Marks>,
    /// The step of the system that leaves each state, of the stem and then of the cycle. A search leaves this empty:
    /// [`replay`] finds the steps, each with the marks of its edge.
    pub choices: Vec<Choice>,
}

/// States in a row, and the step that leaves each: a run as far as it is known, or a lasso.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The states.
    pub states: Path,
    /// The step that leaves each state; none leaves the last one of a run that does not return.
    pub choices: Vec<Choice>,
    /// The state to which the last one returns.
    pub back: Option<usize>,
}

impl Walk {
    /// A walk along a path of `system`: the first step that leads from each state to the next.
    ///
    /// # Panics
    /// If the path is none of the system.
    pub fn along<S: System>(system: &S, states: Path) -> Walk {
        let choices = (1..states.len()).map(|i| {
            let found = Choice::between(system, states.get(i - 1), states.get(i));
            found.expect("each state of a path is a successor of the one before")
        });
        Walk { choices: choices.collect(), states, back: None }
    }

    /// The states of step `i`: where it leaves and where it leads; none if there is no such step.
    pub fn step(&self, i: usize) -> Option<(&[u32], Choice, &[u32])> {
        let choice = *self.choices.get(i)?;
        let to = if i + 1 < self.states.len() { i + 1 } else { self.back? };
        Some((self.states.get(i), choice, self.states.get(to)))
    }

    /// The same walk with the steps after state `n` left out.
    pub fn first(&self, n: usize) -> Walk {
        if n >= self.states.len() {
            return self.clone();
        }
        let choices = self.choices[..n.min(self.choices.len())].to_vec();
        Walk { states: self.states.iter().take(n + 1).collect(), choices, back: None }
    }
}

impl Lasso {
    /// Stem and cycle in a row, with their steps.
    pub fn walk(&self) -> Walk {
        Walk {
            states: self.stem.iter().chain(self.cycle.iter()).collect(),
            choices: self.choices.clone(),
            back: Some(self.stem.len()),
        }
    }

    /// The way to a run-time error, if this is a lasso of a [`Product`](crate::Product) that ends with one.
    pub fn failure(&self) -> Option<Walk> {
        let failed = self.cycle.get(0).last() == Some(&FAILED);
        failed.then(|| self.walk().first(self.stem.len() - 1))
    }

    /// Stem and cycle together.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// A lasso is never empty; this is for the sake of [`Lasso::len`].
    pub fn is_empty(&self) -> bool {
        self.cycle.is_empty()
    }

    /// The same run with the cycle entered at the first state of the stem that lies on it.
    pub fn shortened(self) -> Lasso {
        use std::collections::HashMap;
        let place: HashMap<&[u32], usize> = self.cycle.iter().enumerate().map(|(i, s)| (s, i)).collect();
        let Some((keep, at)) = self.stem.iter().enumerate().find_map(|(k, s)| Some((k, *place.get(s)?)))
        else {
            return self;
        };
        let n = self.cycle.len();
        let turned = (at..at + n).map(|i| self.stem.len() + i % n);
        let choices = (0..keep).chain(turned).filter_map(|i| self.choices.get(i).copied()).collect();
        Lasso {
            stem: self.stem.iter().take(keep).collect(),
            cycle: (at..at + n).map(|i| self.cycle.get(i % n)).collect(),
            marks: (at..at + n).map(|i| self.marks[i % n]).collect(),
            choices,
        }
    }
}

/// Why a lasso is not an accepting run of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The cycle is empty, or its marks are not one for each edge.
    Malformed,
    /// The first state is not initial.
    NotInitial,
    /// There is no edge from state number `.0` of the lasso to the next (with the recorded marks, in the cycle).
    NoEdge(usize),
    /// The cycle meets only these marks.
    Rejecting(Marks),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Malformed => write!(f, "the lasso has no cycle, or not one set of marks an edge"),
            ReplayError::NotInitial => write!(f, "the lasso does not begin in an initial state"),
            ReplayError::NoEdge(i) => write!(f, "there is no edge from state {i} of the lasso to the next"),
            ReplayError::Rejecting(m) => write!(f, "the cycle meets only the marks {m}"),
        }
    }
}

/// Walks `lasso` edge by edge through `g`, and tells the step of the system that each edge takes.
pub fn replay<G: Graph>(g: &G, lasso: &Lasso) -> Result<Vec<Choice>, ReplayError> {
    let (stem, n) = (lasso.stem.len(), lasso.len());
    if lasso.cycle.is_empty() || lasso.marks.len() != lasso.cycle.len() {
        return Err(ReplayError::Malformed);
    }
    let state = |i: usize| if i < stem { lasso.stem.get(i) } else { lasso.cycle.get(i - stem) };
    let mut buffer = vec![0; g.words()];
    let mut at = G::Cursor::default();
    loop {
        if !g.initial(&mut at, &mut buffer) {
            return Err(ReplayError::NotInitial);
        }
        if buffer[..g.len(&buffer)] == *state(0) {
            break;
        }
    }
    let mut met = Marks::NONE;
    let mut choices = Vec::with_capacity(n);
    for i in 0..n {
        let target = if i + 1 < n { state(i + 1) } else { state(stem) };
        let wanted = if i < stem { Marks::NONE } else { lasso.marks[i - stem] };
        let mut at = G::Cursor::default();
        loop {
            let Some(marks) = g.next(state(i), &mut at, &mut buffer) else {
                return Err(ReplayError::NoEdge(i));
            };
            if marks.contains(wanted) && buffer[..g.len(&buffer)] == *target {
                choices.push(g.choice(&at));
                break;
            }
        }
        met |= wanted;
    }
    if met.contains(g.all()) { Ok(choices) } else { Err(ReplayError::Rejecting(met)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Explicit;
    use riata_automata::{Edge, Label, Tgba};

    /// 0 → 1 → 2 → 1, and two parallel edges 1 → 2, one with each mark.
    fn automaton() -> Tgba {
        let mut a = Tgba::default();
        (a.sets, a.initial) = (2, vec![0]);
        let e = |to, marks| Edge { to, label: Label::TRUE, marks };
        let none = Marks::NONE;
        a.set_edges(
            3,
            &[(0, e(1, none)), (1, e(2, Marks::one(0))), (1, e(2, Marks::one(1))), (2, e(1, none))],
        );
        a
    }

    fn lasso(stem: &[u32], cycle: &[u32], marks: &[u64]) -> Lasso {
        let path = |states: &[u32]| states.iter().map(std::slice::from_ref).collect();
        Lasso {
            stem: path(stem),
            cycle: path(cycle),
            marks: marks.iter().map(|&m| Marks(m)).collect(),
            choices: Vec::new(),
        }
    }

    #[test]
    fn replay_tells_what_is_wrong() {
        let a = automaton();
        let g = Explicit::new(&a);
        assert_eq!(
            replay(&g, &lasso(&[0], &[1, 2, 1, 2], &[1, 0, 2, 0])),
            Ok([0, 0, 0, 1, 0].map(Choice).to_vec())
        );
        // One round cannot take both parallel edges.
        assert_eq!(replay(&g, &lasso(&[0], &[1, 2], &[3, 0])), Err(ReplayError::NoEdge(1)));
        assert_eq!(replay(&g, &lasso(&[0], &[1, 2], &[1, 0])), Err(ReplayError::Rejecting(Marks(1))));
        assert_eq!(replay(&g, &lasso(&[1], &[2, 1], &[0, 1])), Err(ReplayError::NotInitial));
        assert_eq!(replay(&g, &lasso(&[0], &[2, 1], &[0, 1])), Err(ReplayError::NoEdge(0)));
        assert_eq!(replay(&g, &lasso(&[0], &[], &[])), Err(ReplayError::Malformed));
    }

    #[test]
    fn the_cycle_is_entered_early() {
        let l = lasso(&[0, 1, 5], &[2, 1, 2, 3], &[0, 1, 2, 3]).shortened();
        assert_eq!(l, lasso(&[0], &[1, 2, 3, 2], &[1, 2, 3, 0]));
    }
}
