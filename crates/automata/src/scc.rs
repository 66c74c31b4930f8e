//! Strongly connected components of an explicit automaton.
//!
//! Tarjan's algorithm with an explicit stack. Components are numbered in the order in which they are completed:
//! an edge never leads from a component to one with a greater number, so that walking the numbers upwards is walking
//! from the ends of the automaton to its initial states.
//!
//! # References
//! R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1(2), 1972.

use crate::{Marks, Tgba};

/// What is known of one component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// Its states.
    pub states: Vec<u32>,
    /// Is it a single state without a loop?
    pub trivial: bool,
    /// The union of the marks on the edges inside.
    pub marks: Marks,
    /// Can a run that stays inside be accepting?
    pub accepting: bool,
}

/// The reachable components of an automaton.
#[derive(Clone, Debug, Default)]
pub struct Sccs {
    /// For each state the number of its component; [`Sccs::UNREACHABLE`] when no initial state leads there.
    pub of: Vec<u32>,
    /// The components in reverse topological order: edges lead to the same or to a smaller number.
    pub components: Vec<Component>,
}

impl Sccs {
    /// The component of an unreachable state.
    pub const UNREACHABLE: u32 = u32::MAX;

    /// The components reachable from the initial states of `a`.
    pub fn new(a: &Tgba) -> Sccs {
        let n = a.states();
        let mut of = vec![Self::UNREACHABLE; n];
        let mut low = vec![0u32; n]; // 0: not seen; otherwise the smallest number known to be reachable
        let mut counter = 0u32;
        let mut components = Vec::new();
        let mut open: Vec<u32> = Vec::new(); // Tarjan's stack
        let mut path: Vec<(u32, u32, u32)> = Vec::new(); // state, next edge, number
        for &root in &a.initial {
            if low[root as usize] != 0 {
                continue;
            }
            counter += 1;
            low[root as usize] = counter;
            open.push(root);
            path.push((root, a.range(root).start, counter));
            while let Some((s, at, number)) = path.last_mut() {
                let (s, number) = (*s, *number);
                if *at < a.range(s).end {
                    let t = a.edge(*at).to;
                    *at += 1;
                    if low[t as usize] == 0 {
                        counter += 1;
                        low[t as usize] = counter;
                        open.push(t);
                        path.push((t, a.range(t).start, counter));
                    } else if of[t as usize] == Self::UNREACHABLE {
                        low[s as usize] = low[s as usize].min(low[t as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(p, ..)) = path.last() {
                    low[p as usize] = low[p as usize].min(low[s as usize]);
                }
                if low[s as usize] == number {
                    let from = open.iter().rposition(|&t| t == s).expect("the root is on the stack");
                    let states = open.split_off(from);
                    for &t in &states {
                        of[t as usize] = components.len() as u32;
                    }
                    components.push(Self::describe(a, states, &of, components.len() as u32));
                }
            }
        }
        Sccs { of, components }
    }

    fn describe(a: &Tgba, states: Vec<u32>, of: &[u32], me: u32) -> Component {
        let mut c = Component { states, trivial: true, ..Component::default() };
        for &s in &c.states {
            for e in a.edges(s) {
                if of[e.to as usize] == me {
                    c.trivial = false;
                    c.marks |= e.marks;
                }
            }
        }
        c.accepting = !c.trivial && c.marks.contains(a.all());
        c
    }

    /// Can an accepting run start in the component, that is, does it reach an accepting one?
    pub fn useful(&self, a: &Tgba) -> Vec<bool> {
        let mut useful = vec![false; self.components.len()];
        for (i, c) in self.components.iter().enumerate() {
            useful[i] = c.accepting
                || c.states.iter().any(|&s| {
                    a.edges(s).iter().any(|e| {
                        let to = self.of[e.to as usize];
                        to != i as u32 && useful[to as usize]
                    })
                });
        }
        useful
    }
}

/// Is there no accepting run?
pub fn is_empty(a: &Tgba) -> bool {
    !Sccs::new(a).components.iter().any(|c| c.accepting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Label};

    fn automaton(states: usize, sets: u32, edges: &[(u32, u32, &[u32])]) -> Tgba {
        let mut a = Tgba::default();
        (a.sets, a.initial) = (sets, vec![0]);
        let edges: Vec<(u32, Edge)> = edges
            .iter()
            .map(|&(s, to, m)| (s, Edge { to, label: Label::TRUE, marks: m.iter().copied().collect() }))
            .collect();
        a.set_edges(states, &edges);
        a
    }

    #[test]
    fn components_come_out_ends_first() {
        let a = automaton(
            5,
            2,
            &[(0, 1, &[]), (1, 2, &[0]), (2, 1, &[1]), (1, 3, &[]), (3, 3, &[0]), (4, 0, &[])],
        );
        let s = Sccs::new(&a);
        assert_eq!(s.of, [2, 1, 1, 0, Sccs::UNREACHABLE]);
        assert_eq!(s.components.iter().map(|c| c.accepting).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(s.components.iter().map(|c| c.trivial).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!(s.useful(&a), [false, true, true]);
        assert!(!is_empty(&a));
    }

    #[test]
    fn a_long_chain_does_not_recurse() {
        let n = 200_000u32;
        let mut edges: Vec<(u32, u32, &[u32])> = (0..n - 1).map(|i| (i, i + 1, [].as_slice())).collect();
        edges.push((n - 1, 0, &[]));
        assert_eq!(Sccs::new(&automaton(n as usize, 0, &edges)).components.len(), 1);
    }
}
