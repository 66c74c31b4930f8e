//! Lassos: from sets of states to one run.
//!
//! States are sets with one member. Paths are shortest in each of their pieces: forward layer by layer until the
//! target is met, then back through the layers.
//!
//! # References
//! E. M. Clarke, O. Grumberg, K. L. McMillan, X. Zhao, *Efficient generation of counterexamples and witnesses in
//! symbolic model checking*, DAC 1995.

use crate::{Engine, Space};
use riata_system::Stop;

/// A run: the stem, then the cycle for ever. The cycle is not empty, its first state is repeated nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<T> {
    /// From an initial state to just before the cycle.
    pub stem: Vec<T>,
    /// The cycle.
    pub cycle: Vec<T>,
}

/// A shortest path from a state of `from` to one of `to` through `within`; both ends are in it, and they may be the
/// same state. The first and last state need not be in `within`.
pub fn path<S: Space>(
    e: &mut Engine<S>,
    from: &S::Set,
    to: &S::Set,
    within: &S::Set,
) -> Result<Option<Vec<S::Set>>, Stop> {
    let mut layers = vec![from.clone()];
    let mut reached = from.clone();
    let mut layer = from.clone();
    loop {
        let met = e.and(&layer, to)?;
        if !e.is_empty(&met) {
            let mut states = vec![e.space.pick(&met)?];
            for layer in layers.iter().rev().skip(1) {
                let before = e.ex(&states[states.len() - 1])?;
                let before = e.and(&before, layer)?;
                states.push(e.space.pick(&before)?);
            }
            states.reverse();
            return Ok(Some(states));
        }
        // The path goes on through `within` only.
        let inner = if layers.len() == 1 { layer } else { e.and(&layer, within)? };
        let after = e.ey(&inner)?;
        layer = e.minus(&after, &reached)?;
        if e.is_empty(&layer) {
            return Ok(None);
        }
        let last = layers.len() - 1;
        layers[last] = inner;
        layers.push(layer.clone());
        reached = e.or(&reached, &layer)?;
    }
}

/// A path of at least one step from the state `from` to one of `to`; `from` itself is left out.
pub fn path_on<S: Space>(
    e: &mut Engine<S>,
    from: &S::Set,
    to: &S::Set,
    within: &S::Set,
) -> Result<Option<Vec<S::Set>>, Stop> {
    let after = e.ey(from)?;
    let after = e.and(&after, within)?;
    path(e, &after, to, within)
}

/// A lasso from the state `start` inside `fair_states` through every fair set.
///
/// `fair_states` is EG_fair of some invariant, and `start` is one of them: so each fair set can be reached from
/// everywhere inside.
pub fn fair_lasso<S: Space>(
    e: &mut Engine<S>,
    start: &S::Set,
    fair_states: &S::Set,
    fair: &[S::Set],
) -> Result<Option<Lasso<S::Set>>, Stop> {
    let mut stem: Vec<S::Set> = Vec::new();
    let mut base = start.clone();
    // Each round that does not close leads into a later component, and there are finitely many.
    loop {
        let mut cycle = vec![base.clone()];
        let mut left: Vec<&S::Set> = Vec::new();
        for f in fair {
            if e.is_empty(&e.and(f, &base)?) {
                left.push(f);
            }
        }
        while !left.is_empty() {
            // The nearest of the fair sets that are left.
            let mut target = e.space.none();
            for f in &left {
                target = e.or(&target, f)?;
            }
            let target = e.and(&target, fair_states)?;
            let here = cycle[cycle.len() - 1].clone();
            let Some(more) = path_on(e, &here, &target, fair_states)? else { return Ok(None) };
            let end = more[more.len() - 1].clone();
            cycle.extend(more);
            let mut still = Vec::new();
            for f in left {
                if e.is_empty(&e.and(f, &end)?) {
                    still.push(f);
                }
            }
            left = still;
        }
        let here = cycle[cycle.len() - 1].clone();
        if let Some(mut back) = path_on(e, &here, &base, fair_states)? {
            back.pop();
            cycle.extend(back);
            return Ok(Some(Lasso { stem, cycle }));
        }
        if cycle.len() == 1 {
            // Not on a cycle: any step will do.
            let Some(step) = path_on(e, &here, fair_states, fair_states)? else { return Ok(None) };
            cycle.extend(step);
        }
        base = cycle.pop().unwrap_or(here);
        stem.extend(cycle);
    }
}

impl<T: PartialEq + Clone> Lasso<T> {
    /// The same infinite word, written with as few states as possible.
    pub fn reduced(mut self) -> Self {
        // The cycle may be one that is shorter, several times.
        let n = self.cycle.len();
        let repeats = |k: &usize| n.is_multiple_of(*k) && (*k..n).all(|i| self.cycle[i] == self.cycle[i - k]);
        if let Some(k) = (1..n).find(repeats) {
            self.cycle.truncate(k);
        }
        // The stem's last states may be a way round the cycle.
        while self.stem.last().is_some_and(|s| Some(s) == self.cycle.last()) {
            self.stem.pop();
            self.cycle.rotate_right(1);
        }
        self
    }

    /// A run of the same states, with the cycle entered as early as the stem meets it.
    pub fn shortened(self) -> Self {
        let mut this = self.reduced();
        // A stem that meets the cycle earlier enters it there.
        if let Some((at, place)) =
            this.stem.iter().enumerate().find_map(|(i, s)| Some((i, this.cycle.iter().position(|c| c == s)?)))
        {
            this.stem.truncate(at);
            this.cycle.rotate_left(place);
        }
        this
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lasso(stem: &str, cycle: &str) -> Lasso<char> {
        Lasso { stem: stem.chars().collect(), cycle: cycle.chars().collect() }
    }

    #[test]
    fn a_reduced_lasso_is_the_same_word() {
        let table = [
            ("aa", "a", "", "a"),
            ("", "abab", "", "ab"),
            ("xb", "abab", "x", "ba"),
            ("ab", "ab", "", "ab"),
            ("b", "aab", "", "baa"),
            ("abc", "", "abc", ""),
            ("ab", "ca", "ab", "ca"),
        ];
        for (stem, cycle, short, round) in table {
            assert_eq!(lasso(stem, cycle).reduced(), lasso(short, round), "{stem} ({cycle})");
        }
    }

    #[test]
    fn a_shortened_lasso_enters_the_cycle_early() {
        assert_eq!(lasso("xay", "bac").shortened(), lasso("x", "acb"));
    }
}
