//! A graph that is written down as a symbolic one: state i is the binary number i.

use crate::bdd::{Bdd, Var};
use crate::bits::{BitSet, Bits};
use crate::graph::Symbolic;
use crate::relation::{Part, Relation, Shape, Vars};
use riata_system::Stop;

/// Variables for states of `bits` bits, each current one next to its successor in the order.
pub fn interleaved<B: Bdd>(bdd: &B, bits: u32) -> Vars {
    let first = bdd.add_vars(2 * bits);
    Vars {
        current: (0..bits).map(|i| first + 2 * i).collect(),
        next: (0..bits).map(|i| first + 2 * i + 1).collect(),
        inputs: Vec::new(),
    }
}

/// The number `i` in these variables, the highest bit first.
fn number<B: Bdd>(bdd: &B, vars: &[Var], i: usize) -> Result<B::F, Stop> {
    let mut cube = bdd.constant(true);
    for (k, &v) in vars.iter().rev().enumerate() {
        let var = bdd.var(v)?;
        cube = bdd.and(&cube, &if i >> k & 1 == 1 { var } else { bdd.not(&var) })?;
    }
    Ok(cube)
}

/// A set of states. The sum is taken pairwise, so that it does not cost the square of its length.
pub fn set<B: Bdd>(bdd: &B, vars: &Vars, states: &BitSet) -> Result<B::F, Stop> {
    let cubes: Result<Vec<_>, Stop> = states.iter().map(|i| number(bdd, &vars.current, i)).collect();
    sum(bdd, cubes?)
}

pub(crate) fn sum<B: Bdd>(bdd: &B, mut terms: Vec<B::F>) -> Result<B::F, Stop> {
    while terms.len() > 1 {
        terms = terms
            .chunks(2)
            .map(|pair| if let [a, b] = pair { bdd.or(a, b) } else { Ok(pair[0].clone()) })
            .collect::<Result<_, Stop>>()?;
    }
    Ok(terms.pop().unwrap_or_else(|| bdd.constant(false)))
}

/// The graph in these variables, which have room for its states.
pub fn graph<'b, B: Bdd>(bdd: &'b B, vars: &Vars, graph: &Bits) -> Result<Symbolic<'b, B>, Stop> {
    let mut steps = Vec::new();
    for (s, post) in graph.post.iter().enumerate() {
        let source = number(bdd, &vars.current, s)?;
        for &t in post {
            steps.push(bdd.and(&source, &number(bdd, &vars.next, t as usize)?)?);
        }
    }
    let relation = sum(bdd, steps)?;
    let written: Vec<usize> = (0..vars.current.len()).collect();
    let part = Part::new(bdd, vars, &written, &[relation], Shape::Monolithic)?;
    let mut all = BitSet::new(graph.post.len());
    (0..graph.post.len()).for_each(|s| all.insert(s));
    let universe = set(bdd, vars, &all)?;
    Ok(Symbolic { bdd, vars: vars.clone(), relation: Relation { parts: vec![part] }, universe })
}
