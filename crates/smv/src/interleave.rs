//! Steps as a disjunction, where a variable tells who moves.
//!
//! In a model of processes that take turns, a step changes the variables of one of them and keeps all others. As one
//! conjunction that is a large relation, and each conjunct mentions the variable that tells whose turn it is; as a
//! disjunction over the values of that variable each part is small, and says nothing of the variables that it keeps
//! ([`riata_symbolic::relation`]). The variable is an input; the selector of `process` is one.
//!
//! ```text
//! for each input s with few values that many conjuncts mention:
//!   for each value i: replace s by i in all conjuncts;
//!     a variable is kept if what is left of its conjuncts says x' = x and no other conjunct mentions x'
//! take the s with which the parts write the fewest bits, if that is less than a fifth
//! ```
//!
//! Measured (CPU seconds, on a busy machine): brp, with 20 processes that write 0.14 of the bits each, 3.0 as a
//! conjunction and 0.6 as a disjunction; abp8, with 5 that write 0.30, 1.7 and 3.4.

use crate::ast::Sort;
use crate::encode::Encoder;
use crate::machine::keeps;
use crate::model::Domain;
use riata_symbolic::fsm::Disjunct;
use riata_symbolic::relation::Vars;
use riata_symbolic::{Bdd, Var};
use riata_system::Stop;

/// Most values of a variable that is tried.
const MOST_VALUES: usize = 64;
/// A part writes less than this share of the bits, on average, or the steps stay one conjunction.
const SHARE: f64 = 0.2;

/// The steps that are the conjunction of `conjuncts`, as a disjunction, if there is a good one.
pub(crate) fn disjuncts<B: Bdd>(
    encoder: &Encoder<B>,
    vars: &Vars,
    conjuncts: &[B::F],
) -> Result<Option<Vec<Disjunct<B::F>>>, Stop> {
    let bdd = encoder.bdd;
    let supports: Vec<Vec<Var>> = conjuncts.iter().map(|c| bdd.support(c)).collect();
    let mut best: Option<(f64, Vec<Disjunct<B::F>>)> = None;
    for (v, variable) in (0u32..).zip(&encoder.model.vars) {
        let bits = &encoder.bits[v as usize];
        let chosen = &bits.current;
        let values = match &variable.domain {
            Domain::Bool => 2,
            Domain::Values(values) => values.len(),
            Domain::Word { .. } => continue,
        };
        let mentions = supports.iter().filter(|s| chosen.iter().any(|x| s.binary_search(x).is_ok())).count();
        if variable.sort != Sort::Input
            || !(2..=MOST_VALUES).contains(&values)
            || 3 * mentions < supports.len()
        {
            continue;
        }
        let mut parts = Vec::new();
        for i in 0..values {
            let cube = code(bdd, chosen, i)?;
            parts.push(part(encoder, vars, conjuncts, &cube)?);
            bdd.settle()?;
        }
        let written: usize = parts.iter().map(|p| p.written.len()).sum();
        let share = written as f64 / (values * vars.current.len().max(1)) as f64;
        if share < best.as_ref().map_or(SHARE, |b| b.0) {
            best = Some((share, parts));
        }
    }
    Ok(best.map(|(_, parts)| parts))
}

/// The bits `vars`, the highest first, are the number `i`.
fn code<B: Bdd>(bdd: &B, vars: &[Var], i: usize) -> Result<B::F, Stop> {
    let mut cube = bdd.constant(true);
    for (k, &x) in vars.iter().rev().enumerate() {
        let x = bdd.var(x)?;
        cube = bdd.and(&cube, &if i >> k & 1 == 1 { x } else { bdd.not(&x) })?;
    }
    Ok(cube)
}

/// The steps in which `cube`, a conjunction of literals, holds.
fn part<B: Bdd>(
    encoder: &Encoder<B>,
    vars: &Vars,
    conjuncts: &[B::F],
    cube: &B::F,
) -> Result<Disjunct<B::F>, Stop> {
    let bdd = encoder.bdd;
    // Restriction to a cube is the cofactor. The cube itself stays: a trace shows who moved.
    let mut left = vec![cube.clone()];
    for c in conjuncts {
        left.push(bdd.restrict(c, cube)?);
    }
    let supports: Vec<Vec<Var>> = left.iter().map(|c| bdd.support(c)).collect();
    let mut kept = vec![false; bdd.var_count() as usize];
    let mut dropped = vec![false; left.len()];
    for (v, bits) in (0u32..).zip(encoder.bits) {
        let of_v: Vec<usize> = (0..left.len())
            .filter(|&c| bits.next.iter().any(|x| supports[c].binary_search(x).is_ok()))
            .collect();
        if bits.next.is_empty() || of_v.is_empty() {
            continue;
        }
        let (same, mask) = (keeps(encoder, v)?, encoder.mask(v, true)?);
        let only = of_v.iter().all(|&c| left[c] == same || left[c] == mask);
        if only && of_v.iter().any(|&c| left[c] == same) {
            of_v.iter().for_each(|&c| dropped[c] = true);
            bits.next.iter().for_each(|&x| kept[x as usize] = true);
        }
    }
    let written = (0..vars.next.len()).filter(|&i| !kept[vars.next[i] as usize]).collect();
    let conjuncts = left.into_iter().zip(dropped).filter(|(_, d)| !d).map(|(c, _)| c).collect();
    Ok(Disjunct { written, conjuncts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Layout, conjunction, system};
    use riata_symbolic::Oxi;
    use riata_symbolic::fsm::Fsm;
    use riata_system::Limits;

    /// A ring of processes with two variables each, and a variable that two of them write.
    fn ring(n: usize) -> String {
        let mut text = String::from(
            "MODULE cell(left, common)\nVAR x : 0..2; b : boolean;\nASSIGN\n\
             next(x) := case left = x : (x + 1) mod 3; TRUE : {x, 0}; esac; next(b) := !b | left = 2;\n\
             MODULE main\nVAR common : boolean;\n",
        );
        for i in 0..n {
            text += &format!("c{i} : process cell(c{}.x, common);\n", (i + 1) % n);
        }
        text += "INVAR common -> c0.b\nASSIGN init(c0.x) := 0;\nFAIRNESS c0.running\n";
        text
    }

    /// All steps as one function; what a part does not write is kept.
    fn relation<B: Bdd>(fsm: &Fsm<B>) -> B::F {
        let bdd = fsm.bdd;
        let mut all = bdd.constant(false);
        for step in &fsm.steps {
            let mut one = step.conjuncts.iter().fold(bdd.constant(true), |f, c| bdd.and(&f, c).unwrap());
            for i in (0..fsm.vars.current.len()).filter(|i| !step.written.contains(i)) {
                let (now, then) = (bdd.var(fsm.vars.current[i]).unwrap(), bdd.var(fsm.vars.next[i]).unwrap());
                one = bdd.and(&one, &bdd.iff(&now, &then).unwrap()).unwrap();
            }
            all = bdd.or(&all, &one).unwrap();
        }
        all
    }

    #[test]
    fn a_disjunction_has_the_same_steps() {
        for n in [2, 12] {
            let Ok((model, types)) = crate::parse(&ring(n)) else { panic!("the model is right") };
            let bdd = Oxi::new(Limits::default());
            let layout = Layout::new(&bdd, &model, &types, 0, &[]);
            let mut encoder = Encoder::new(&model, &bdd, &layout.bits);
            let Ok(fsm) = system(&mut encoder, &layout) else { panic!("no limit") };
            assert_eq!(fsm.steps.len(), if n == 2 { 1 } else { n + 1 });
            let Ok(one) = conjunction(&mut encoder, &layout) else { panic!("no limit") };
            let mut whole = relation(&one);
            let mut parts = relation(&fsm);
            // Kept values are in their ranges because they were before.
            for v in 0..model.vars.len() as u32 {
                let mask = encoder.mask(v, false).unwrap();
                whole = bdd.and(&whole, &mask).unwrap();
                parts = bdd.and(&parts, &mask).unwrap();
            }
            assert!(whole == parts);
        }
    }
}
