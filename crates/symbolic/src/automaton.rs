//! An automaton that is written down, as a system of bits: has it an accepting run?
//!
//! State i is the binary number i; labels play no role. Marks on states are fair sets as they are. Marks on edges cost a
//! bit a set, which remembers whether the last step took an edge of the set, as in [`product`](crate::product). So the
//! generalised condition stays as it is, and FFKVY01's random graphs, whose fair sets are sets of states, become the
//! paper's own problem.

use crate::algorithms::{Algorithm, Strength};
use crate::bdd::Bdd;
use crate::encode::{interleaved, sum};
use crate::fsm::{Disjunct, Fsm};
use crate::graph::Symbolic;
use crate::ltl::{Outcome, decide};
use crate::relation::{Shape, Vars};
use crate::{Space, witness};
use riata_automata::{Marks, Tgba};
use riata_system::{Lasso, Path, Stop};

/// What was found of an automaton.
pub struct Answer<'b, B: Bdd> {
    /// The fixpoints: what was counted, by which algorithm, and why that.
    pub found: Outcome<'b, B>,
    /// An accepting run in the states of the automaton, if there is one. It is yet to be replayed.
    pub lasso: Option<Lasso>,
    /// How many states of the automaton are reachable.
    pub states: f64,
}

/// Bits of a state: its number, and one for each acceptance set on edges.
pub fn bits_of(automaton: &Tgba) -> u32 {
    number_bits(automaton) + if automaton.state_marks.is_some() { 0 } else { automaton.sets }
}

fn number_bits(automaton: &Tgba) -> u32 {
    automaton.states().max(1).next_power_of_two().trailing_zeros()
}

/// Looks for an accepting run. The manager has no variables yet; the strength is that of the automaton's graph; without
/// an algorithm, the engine chooses.
pub fn accepting_run<'b, B: Bdd>(
    bdd: &'b B,
    (automaton, strength): (&Tgba, riata_automata::Strength),
    algorithm: Option<Algorithm>,
) -> Result<Answer<'b, B>, Stop> {
    let code = Code { bdd, automaton, vars: interleaved(bdd, bits_of(automaton)) };
    let fsm = code.fsm()?;
    let mut graph = fsm.graph(Shape::Monolithic)?;
    graph.restrict_to_reachable(&fsm.init)?;
    let marks = bdd.cube(&code.vars.current[code.split()..])?;
    let numbers = bdd.exists(&graph.universe, &marks)?;
    let states = bdd.count(&numbers, code.split() as u32);
    let strength = match strength {
        riata_automata::Strength::General => Strength::General,
        // A state that accepts may have no successor, and no set is met by a state if there is none.
        riata_automata::Strength::Terminal if automaton.sets > 0 && is_endless(&graph)? => Strength::Terminal,
        _ => Strength::Weak,
    };
    let found = decide(fsm, graph, strength, algorithm)?;
    let lasso = found.lasso.as_ref().map(|lasso| code.lasso(&found.graph, lasso));
    Ok(Answer { found, lasso, states })
}

/// Has every state a successor?
fn is_endless<B: Bdd>(graph: &Symbolic<B>) -> Result<bool, Stop> {
    Ok(graph.pre(&graph.universe)? == graph.universe)
}

/// How the automaton is written in bits: the number of the state, the highest bit first, then its sets.
struct Code<'a, 'b, B> {
    bdd: &'b B,
    automaton: &'a Tgba,
    vars: Vars,
}

impl<'b, B: Bdd> Code<'_, 'b, B> {
    /// Where the bits of the sets begin.
    fn split(&self) -> usize {
        number_bits(self.automaton) as usize
    }

    /// The bit at place `k` of the number `s`.
    fn bit(&self, s: u32, k: usize) -> bool {
        s >> (self.split() - 1 - k) & 1 == 1
    }

    /// The state `s` that was entered by an edge with these marks, now or next.
    fn state(&self, s: u32, marks: Marks, next: bool) -> Result<B::F, Stop> {
        let vars = if next { &self.vars.next } else { &self.vars.current };
        let mut cube = self.bdd.constant(true);
        // From below, so that each step adds one node.
        for (k, &v) in vars.iter().enumerate().rev() {
            let set = match k.checked_sub(self.split()) {
                None => self.bit(s, k),
                Some(i) => marks.has(i as u32),
            };
            let var = self.bdd.var(v)?;
            cube = self.bdd.and(&cube, &if set { var } else { self.bdd.not(&var) })?;
        }
        Ok(cube)
    }

    /// The states with this number, whatever their marks.
    fn number(&self, s: u32) -> Result<B::F, Stop> {
        let mut cube = self.bdd.constant(true);
        for (k, &v) in self.vars.current[..self.split()].iter().enumerate().rev() {
            let var = self.bdd.var(v)?;
            cube = self.bdd.and(&cube, &if self.bit(s, k) { var } else { self.bdd.not(&var) })?;
        }
        Ok(cube)
    }

    fn fsm(&self) -> Result<Fsm<'b, B>, Stop> {
        let (bdd, a) = (self.bdd, self.automaton);
        let mut steps = Vec::new();
        for s in 0..a.states() as u32 {
            let targets = a.edges(s).iter().map(|e| self.state(e.to, e.marks, true));
            let targets = sum(bdd, targets.collect::<Result<_, Stop>>()?)?;
            steps.push(bdd.and(&self.number(s)?, &targets)?);
        }
        let initial = a.initial.iter().map(|&s| self.state(s, Marks::NONE, false));
        let written = (0..self.vars.current.len()).collect();
        Ok(Fsm {
            bdd,
            vars: self.vars.clone(),
            init: sum(bdd, initial.collect::<Result<_, Stop>>()?)?,
            steps: vec![Disjunct { written, conjuncts: vec![sum(bdd, steps)?] }],
            justice: (0..a.sets).map(|i| self.fair(i)).collect::<Result<_, Stop>>()?,
            compassion: Vec::new(),
        })
    }

    /// The states of set `i`.
    fn fair(&self, i: u32) -> Result<B::F, Stop> {
        match &self.automaton.state_marks {
            None => self.bdd.var(self.vars.current[self.split() + i as usize]),
            Some(marks) => {
                let members = (0..).zip(marks).filter(|(_, m)| m.has(i));
                sum(self.bdd, members.map(|(s, _)| self.number(s)).collect::<Result<_, Stop>>()?)
            }
        }
    }

    /// The number of a state, and the marks of the edge that led to it if they are in its bits.
    fn read(&self, graph: &Symbolic<B>, state: &B::F) -> (u32, Marks) {
        let bits = graph.bits(state).unwrap_or_default();
        let (number, marks) = bits.split_at(self.split().min(bits.len()));
        let marks = (0..).zip(marks).filter(|(_, set)| **set);
        let number = number.iter().fold(0, |n, &bit| n << 1 | u32::from(bit));
        (number, marks.fold(Marks::NONE, |all, (i, _)| all | Marks::one(i)))
    }

    fn lasso(&self, graph: &Symbolic<B>, lasso: &witness::Lasso<B::F>) -> Lasso {
        let read = |states: &[B::F]| states.iter().map(|s| self.read(graph, s)).collect::<Vec<_>>();
        let path = |states: &[(u32, Marks)]| states.iter().map(|&(s, _)| [s]).collect::<Vec<_>>();
        let words = |states: Vec<[u32; 1]>| states.iter().map(|s| &s[..]).collect::<Path>();
        let (stem, cycle) = (read(&lasso.stem), read(&lasso.cycle));
        let marks = (0..cycle.len()).map(|i| match &self.automaton.state_marks {
            Some(marks) => marks[cycle[i].0 as usize],
            // What the next state remembers of the step.
            None => cycle[(i + 1) % cycle.len()].1,
        });
        let marks = marks.collect();
        Lasso { stem: words(path(&stem)), cycle: words(path(&cycle)), marks, choices: Vec::new() }.shortened()
    }
}
