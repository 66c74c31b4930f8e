//! How strong an automaton is: terminal, weak or general.
//!
//! Weak and terminal automata have simpler emptiness checks (SE05 section 5.1, GS09 section 4): in a weak automaton
//! every cycle on the depth-first stack decides, in a terminal one it is enough to reach an accepting edge.
//!
//! # References
//! I. Černá, R. Pelánek, *Relating hierarchy of temporal properties to model checking*, MFCS 2003.

use crate::scc::Sccs;
use crate::{Label, Labels, Tgba};
use std::collections::HashMap;

/// The structural classes of Černá and Pelánek, as SE05 section 5.1 uses them, each contained in the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// After an edge that carries all marks every continuation is accepting, and there always is one.
    Terminal,
    /// Inside a component either every edge carries all marks, or some mark is missing from all of them.
    Weak,
    /// Anything.
    General,
}

impl Strength {
    /// The class as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::General => "general",
        }
    }
}

/// The class of the reachable part of `a`, seen as a graph: labels play no role.
pub fn of_graph(a: &Tgba) -> Strength {
    classify(a, |s| !a.edges(s).is_empty())
}

/// The class of `a` as a property, which keeps it in a product with any system that has no deadlocks: after an edge
/// that carries all marks, every letter can be read.
pub fn of_property(a: &Tgba) -> Strength {
    let mut labels = a.labels.clone();
    classify(a, |s| is_complete(a, s, &mut labels))
}

/// Can every letter be read in `s`?
fn is_complete(a: &Tgba, s: u32, labels: &mut Labels) -> bool {
    a.edges(s).iter().fold(Label::FALSE, |sum, e| labels.or(sum, e.label)) == Label::TRUE
}

fn classify(a: &Tgba, mut goes_on: impl FnMut(u32) -> bool) -> Strength {
    let all = a.all();
    let sccs = Sccs::new(a);
    let weak = sccs.components.iter().enumerate().filter(|(_, c)| c.accepting).all(|(i, c)| {
        let mut inside =
            c.states.iter().flat_map(|&s| a.edges(s)).filter(|e| sccs.of[e.to as usize] == i as u32);
        inside.all(|e| e.marks.contains(all))
    });
    if !weak {
        return Strength::General;
    }
    // Everything behind an accepting edge must be accepting and go on.
    let reachable = (0..a.states() as u32).filter(|&s| sccs.of[s as usize] != Sccs::UNREACHABLE);
    let mut behind = vec![false; a.states()];
    let mut stack: Vec<u32> = Vec::new();
    for e in reachable.flat_map(|s| a.edges(s)).filter(|e| e.marks.contains(all)) {
        if !std::mem::replace(&mut behind[e.to as usize], true) {
            stack.push(e.to);
        }
    }
    while let Some(s) = stack.pop() {
        if !goes_on(s) || !a.edges(s).iter().all(|e| e.marks.contains(all)) {
            return Strength::Weak;
        }
        // The targets are behind an accepting edge themselves, so they are on the stack already.
        debug_assert!(a.edges(s).iter().all(|e| behind[e.to as usize]));
    }
    Strength::Terminal
}

/// Is no component left undecided: is every cycle of an accepting component accepting? Then the automaton can be made
/// weak by marking components as a whole.
pub fn is_inherently_weak(a: &Tgba) -> bool {
    let sccs = Sccs::new(a);
    let accepting = sccs.components.iter().enumerate().filter(|(_, c)| c.accepting);
    accepting.into_iter().all(|(i, c)| {
        (0..a.sets).all(|set| {
            let inside = |s: u32| {
                let same = a.edges(s).iter().filter(|e| sccs.of[e.to as usize] == i as u32);
                same.filter(move |e| !e.marks.has(set)).map(|e| e.to)
            };
            is_acyclic(&c.states, inside)
        })
    })
}

/// Has the graph of these states no cycle? States without an incoming edge are taken away, again and again.
fn is_acyclic<I: Iterator<Item = u32>>(states: &[u32], edges: impl Fn(u32) -> I) -> bool {
    let mut incoming: HashMap<u32, usize> = states.iter().map(|&s| (s, 0)).collect();
    for t in states.iter().flat_map(|&s| edges(s)) {
        *incoming.entry(t).or_insert(0) += 1;
    }
    let mut free: Vec<u32> = states.iter().copied().filter(|s| incoming[s] == 0).collect();
    let mut gone = 0;
    while let Some(s) = free.pop() {
        gone += 1;
        for t in edges(s) {
            if let Some(n) = incoming.get_mut(&t) {
                *n -= 1;
                if *n == 0 {
                    free.push(t);
                }
            }
        }
    }
    gone == states.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edge;
    use crate::hoa::Reader;
    use crate::random::{Rng, Shape, Structure};

    fn read(sets: &str, body: &str) -> Tgba {
        let text = format!("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: {sets} --BODY-- {body} --END--");
        Reader::new(text.as_bytes()).next().expect("one").unwrap_or_else(|d| panic!("{d:?}")).tgba
    }

    #[test]
    fn small_automata_are_classified() {
        use Strength::{General, Terminal, Weak};
        let cases = [
            ("0 t", "State: 0 [t] 0", Terminal, Terminal),
            ("0 t", "State: 0 [0] 0", Terminal, Weak),
            ("0 t", "State: 0 [t] 1 State: 1", Weak, Weak),
            ("1 Inf(0)", "State: 0 [t] 0 [0] 1 State: 1 {0} [t] 1", Terminal, Terminal),
            ("1 Inf(0)", "State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1", Terminal, Weak),
            ("1 Inf(0)", "State: 0 {0} [t] 0 [0] 1 State: 1 [t] 1", Weak, Weak),
            ("1 Inf(0)", "State: 0 [t] 1 State: 1 {0} [t] 0", General, General),
            ("2 Inf(0)&Inf(1)", "State: 0 [t] 0 {0} [t] 1 State: 1 [t] 1 {1}", Terminal, Terminal),
            ("2 Inf(0)&Inf(1)", "State: 0 [t] 0 {0} [t] 0 {1}", General, General),
            // The accepting state cannot be reached.
            ("1 Inf(0)", "State: 0 [t] 0 State: 1 {0} [t] 0", Terminal, Terminal),
        ];
        for (sets, body, graph, property) in cases {
            let a = read(sets, body);
            assert_eq!((of_graph(&a), of_property(&a)), (graph, property), "{sets} {body}");
        }
    }

    #[test]
    fn inherently_weak_means_no_rejecting_cycle_beside_an_accepting_one() {
        for (sets, body, inherently) in [
            // Every cycle passes the marked state, so it could as well be marked everywhere.
            ("1 Inf(0)", "State: 0 [t] 1 State: 1 {0} [t] 0", true),
            ("1 Inf(0)", "State: 0 [t] 1 [t] 0 State: 1 {0} [t] 0", false),
            ("2 Inf(0)&Inf(1)", "State: 0 [t] 1 {0} State: 1 [t] 0 {1}", true),
            ("2 Inf(0)&Inf(1)", "State: 0 [t] 1 {0} [0] 1 State: 1 [t] 0 {1}", false),
            ("1 Inf(0)", "State: 0 [t] 0", true),
            ("0 t", "State: 0 [t] 0", true),
        ] {
            assert_eq!(is_inherently_weak(&read(sets, body)), inherently, "{sets} {body}");
        }
    }

    /// The definition, by reachability between all pairs of states.
    fn naive(a: &Tgba) -> Strength {
        let n = a.states();
        let all = a.all();
        let reach = |from: &[u32]| {
            let mut seen = vec![false; n];
            let mut todo = from.to_vec();
            while let Some(s) = todo.pop() {
                if !std::mem::replace(&mut seen[s as usize], true) {
                    todo.extend(a.edges(s).iter().map(|e| e.to));
                }
            }
            seen
        };
        let from: Vec<Vec<bool>> = (0..n as u32).map(|s| reach(&[s])).collect();
        let live: Vec<u32> = (0..n as u32).filter(|&s| reach(&a.initial)[s as usize]).collect();
        let mut strength = Strength::Terminal;
        for &s in &live {
            for e in a.edges(s).iter().filter(|e| e.marks.contains(all)) {
                let behind = (0..n as u32).filter(|&t| from[e.to as usize][t as usize]);
                for t in behind {
                    if a.edges(t).is_empty() || !a.edges(t).iter().all(|e| e.marks.contains(all)) {
                        strength = Strength::Weak;
                    }
                }
            }
            let mut inside: Vec<&Edge> = Vec::new();
            for &t in live.iter().filter(|&&t| from[s as usize][t as usize] && from[t as usize][s as usize]) {
                inside.extend(a.edges(t).iter().filter(|e| from[e.to as usize][s as usize]));
            }
            let missing = (0..a.sets).any(|i| inside.iter().all(|e| !e.marks.has(i)));
            if !missing && !inside.iter().all(|e| e.marks.contains(all)) {
                return Strength::General;
            }
        }
        strength
    }

    #[test]
    fn agrees_with_the_definition_on_random_automata() {
        let mut seen = [0; 3];
        for seed in 0..3000u64 {
            let mut rng = Rng::new(seed);
            let structure = [Structure::Free, Structure::Weak, Structure::Terminal][(seed % 3) as usize];
            let shape = Shape {
                states: 1 + rng.below(7) as u32,
                density: 0.5 + (seed % 5) as f64 * 0.5,
                sets: rng.below(3) as u32,
                mark_probability: 0.5,
                on_states: seed % 2 == 0,
                blocks: 1 + rng.below(3) as u32,
                structure,
                ..Shape::default()
            };
            let Ok(a) = shape.generate(seed) else { continue };
            let strength = of_graph(&a);
            assert_eq!(strength, naive(&a), "seed {seed}");
            match structure {
                Structure::Free => {}
                Structure::Weak => assert!(strength <= Strength::Weak, "seed {seed}"),
                Structure::Terminal => assert_eq!(strength, Strength::Terminal, "seed {seed}"),
            }
            seen[strength as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
    }
}
