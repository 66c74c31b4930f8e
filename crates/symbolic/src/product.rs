//! LTL: the product of a system and an automaton with acceptance on edges.
//!
//! The automaton's state is a binary number in fresh bits. An acceptance set is a fresh bit, too: it remembers whether
//! the last step took an edge of the set. So acceptance on edges becomes fair sets of states at the price of one bit a
//! set, and the generalised condition stays as it is.

use crate::bdd::{Bdd, Var};
use crate::fsm::{Disjunct, Fsm};
use crate::relation::Vars;
use riata_automata::{Label, Tgba};
use riata_system::Stop;
use std::collections::HashMap;

/// How many fresh bits an automaton needs.
pub fn bits_of(automaton: &Tgba) -> u32 {
    state_bits(automaton) + automaton.sets
}

fn state_bits(automaton: &Tgba) -> u32 {
    automaton.states().max(1).next_power_of_two().trailing_zeros()
}

/// The product of `fsm` and `automaton`. `atoms` are the sets of states where its propositions hold; `fresh` has at
/// least [`bits_of`] pairs of variables.
pub fn product<'b, B: Bdd>(
    fsm: &Fsm<'b, B>,
    automaton: &Tgba,
    atoms: &[B::F],
    fresh: &[(Var, Var)],
) -> Result<Fsm<'b, B>, Stop> {
    let bdd = fsm.bdd;
    let used = &fresh[..bits_of(automaton) as usize];
    let (states, marks) = used.split_at(state_bits(automaton) as usize);
    let number = |vars: &[(Var, Var)], i: u32, next: bool| -> Result<B::F, Stop> {
        let mut cube = bdd.constant(true);
        for (k, &(now, then)) in vars.iter().enumerate() {
            let var = bdd.var(if next { then } else { now })?;
            cube = bdd.and(&cube, &if i >> k & 1 == 1 { var } else { bdd.not(&var) })?;
        }
        Ok(cube)
    };
    let mut memo: HashMap<Label, B::F> = HashMap::new();
    let mut relation = bdd.constant(false);
    for s in 0..automaton.states() as u32 {
        let mut leaving = bdd.constant(false);
        for edge in automaton.edges(s) {
            let reads = label(bdd, automaton, edge.label, atoms, &mut memo)?;
            let goes = bdd.and(&reads, &number(states, edge.to, true)?)?;
            let mut marked = bdd.constant(true);
            for (i, &(_, then)) in (0..).zip(marks) {
                let var = bdd.var(then)?;
                marked = bdd.and(&marked, &if edge.marks.has(i) { var } else { bdd.not(&var) })?;
            }
            leaving = bdd.or(&leaving, &bdd.and(&goes, &marked)?)?;
        }
        relation = bdd.or(&relation, &bdd.and(&number(states, s, false)?, &leaving)?)?;
    }
    let mut vars: Vars = fsm.vars.clone();
    let first = vars.current.len();
    vars.current.extend(used.iter().map(|(now, _)| *now));
    vars.next.extend(used.iter().map(|(_, then)| *then));
    let added: Vec<usize> = (first..vars.current.len()).collect();
    let steps = fsm.steps.iter().map(|step| Disjunct {
        written: step.written.iter().chain(&added).copied().collect(),
        conjuncts: step.conjuncts.iter().chain([&relation]).cloned().collect(),
    });
    let mut start = bdd.constant(false);
    for &s in &automaton.initial {
        start = bdd.or(&start, &number(states, s, false)?)?;
    }
    start = bdd.and(&start, &number(marks, 0, false)?)?;
    let mut justice: Vec<B::F> = marks.iter().map(|(now, _)| bdd.var(*now)).collect::<Result<_, Stop>>()?;
    justice.extend(fsm.justice.iter().cloned());
    Ok(Fsm {
        bdd,
        vars,
        init: bdd.and(&fsm.init, &start)?,
        steps: steps.collect(),
        justice,
        compassion: fsm.compassion.clone(),
    })
}

/// The states whose letters an edge reads.
fn label<B: Bdd>(
    bdd: &B,
    automaton: &Tgba,
    root: Label,
    atoms: &[B::F],
    memo: &mut HashMap<Label, B::F>,
) -> Result<B::F, Stop> {
    let mut stack = vec![root];
    while let Some(&l) = stack.last() {
        if memo.contains_key(&l) {
            stack.pop();
            continue;
        }
        let done = match automaton.labels.node(l) {
            None => bdd.constant(l == Label::TRUE),
            Some((var, low, high)) => match (memo.get(&low), memo.get(&high)) {
                (Some(f), Some(g)) => bdd.ite(&atoms[var as usize], g, f)?,
                _ => {
                    stack.extend([low, high].iter().filter(|l| !memo.contains_key(l)));
                    continue;
                }
            },
        };
        memo.insert(l, done);
        stack.pop();
    }
    Ok(memo[&root].clone())
}
