//! Small programs as explicit graphs, and a few automata whose languages do not tell how often a valuation is repeated.

use riata_program::{
    Asserts, Condensed, CondensedCursor, Interpreter, Options, Program, Proviso, Reduction, Visible,
};
use riata_system::System as _;
use std::collections::HashMap;

/// A graph of states: for each its valuation, its successors and whether one that suffices leads there.
pub type Graph = Vec<(u64, Vec<(usize, bool)>)>;

/// A program with all its steps, those that suffice marked, and reduced as Riata does it.
pub struct Small {
    pub full: Graph,
    pub reduced: Graph,
}

/// Larger programs are left out.
const STATES: usize = 300;

impl Small {
    /// Nothing if it is too large, if a step fails, or if nothing is to be seen or reduced.
    pub fn new(program: &Program) -> Option<Small> {
        if program.propositions.is_empty() {
            return None;
        }
        let i = Interpreter::new(program, Options { asserts: Asserts::Ignore }).ok()?;
        let seen: Vec<u32> = (0..program.propositions.len() as u32).collect();
        let visible = |proviso| Visible { propositions: &seen, proviso };
        // D0, D1, D2 and V, but no proviso: that is the search's.
        let sets = Reduction::new(&i, visible(Proviso::None)).ok()?;
        let ours = Reduction::new(&i, visible(Proviso::Static)).ok()?;
        let plain = Condensed::new(&i);
        let full = graph(&i, &plain, &|s| sets.choose(&i, s))?;
        if !full.iter().any(|(_, after)| after.iter().any(|(_, suffices)| *suffices)) {
            return None;
        }
        let reduced = graph(&i, &plain.reduced(Some(&ours)), &|_| 0)?;
        Some(Small { full, reduced })
    }
}

/// The reachable states; a run that ends repeats its last state.
fn graph(i: &Interpreter, system: &Condensed, chosen: &dyn Fn(&[u32]) -> u64) -> Option<Graph> {
    let mut first = vec![0; system.words()];
    system.initial(&mut Default::default(), &mut first);
    first.truncate(system.len(&first));
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut graph = Graph::new();
    while graph.len() < states.len() {
        let s = states[graph.len()].clone();
        if i.failed(&s) || states.len() > STATES || s.len() > 1000 {
            return None;
        }
        let set = chosen(&s);
        let mut at = CondensedCursor::default();
        let mut slot = vec![0; system.words()];
        let mut after = Vec::new();
        while system.next(&s, &mut at, &mut slot).is_some() {
            if after.len() > 40 {
                return None;
            }
            let to = slot[..system.len(&slot)].to_vec();
            let new = states.len();
            let number = *numbers.entry(to.clone()).or_insert(new);
            if number == new {
                states.push(to);
            }
            let is = |pid: u32| pid < 64 && set >> pid & 1 == 1;
            let suffices = at.steps().any(|s| is(s.pid) || s.partner.is_some_and(|(q, _)| is(q)));
            after.push((number, suffices));
        }
        if after.is_empty() {
            after.push((graph.len(), false));
        }
        graph.push((i.valuation(&s).0, after));
    }
    Some(graph)
}

/// An automaton over the first two propositions, `p` and `q`.
pub struct Automaton {
    pub name: &'static str,
    /// From, the bits that must be set, those that must not be, to.
    pub edges: &'static [(usize, u64, u64, usize)],
    pub accepting: usize,
}

const P: u64 = 1;
const Q: u64 = 2;

/// All of them begin in 0 and have one accepting state.
pub const AUTOMATA: [Automaton; 7] = [
    Automaton {
        name: "GF p",
        edges: &[(0, 0, 0, 0), (0, P, 0, 1), (1, 0, 0, 0), (1, P, 0, 1)],
        accepting: 1,
    },
    Automaton {
        name: "GF !p",
        edges: &[(0, 0, 0, 0), (0, 0, P, 1), (1, 0, 0, 0), (1, 0, P, 1)],
        accepting: 1,
    },
    Automaton { name: "FG p", edges: &[(0, 0, 0, 0), (0, P, 0, 1), (1, P, 0, 1)], accepting: 1 },
    Automaton { name: "FG !p", edges: &[(0, 0, 0, 0), (0, 0, P, 1), (1, 0, P, 1)], accepting: 1 },
    Automaton {
        name: "GF p & GF !p",
        edges: &[(0, 0, P, 0), (0, P, 0, 1), (1, P, 0, 1), (1, 0, P, 2), (2, 0, P, 0), (2, P, 0, 1)],
        accepting: 2,
    },
    Automaton {
        name: "F (p & F G !p)",
        edges: &[(0, 0, 0, 0), (0, P, 0, 1), (1, 0, 0, 1), (1, 0, P, 2), (2, 0, P, 2)],
        accepting: 2,
    },
    Automaton {
        name: "F (p & FG q)",
        edges: &[(0, 0, 0, 0), (0, P, 0, 1), (1, 0, 0, 1), (1, Q, 0, 2), (2, Q, 0, 2)],
        accepting: 2,
    },
];
