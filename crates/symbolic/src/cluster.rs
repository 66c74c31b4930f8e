//! Which conjuncts become one cluster, and in which order clusters are multiplied.
//!
//! Greedy, after IWLS95. Of the clusters that are left, the next one is that with the largest benefit
//!
//! ```text
//! 6·v/w + 1·w/x + 1·(1 − y/z) + 2·m/M
//! ```
//!
//! where, for a candidate, v variables can be quantified at once, w of its variables are to be quantified some time,
//! y variables it brings in that stay; x and z are the same numbers for all that are left together; m is the lowest
//! place in the order of a variable to be quantified, M the lowest of all candidates.
//!
//! # References
//! R. K. Ranjan, A. Aziz, R. K. Brayton, B. Plessier, C. Pixley, *Efficient BDD algorithms for FSM synthesis and
//! verification*, IWLS 1995.

use crate::bdd::{Bdd, Var};
use crate::relation::Shape;
use riata_system::Stop;

/// What a variable is in a part of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The value now of a variable that is written.
    Current,
    /// Its value after the step.
    Next,
    /// Chosen anew with each step.
    Input,
    /// The value of a variable that keeps it.
    Free,
}

/// Conjuncts multiplied until they reach the size that `shape` allows.
pub fn clusters<B: Bdd>(
    bdd: &B,
    roles: &[Role],
    conjuncts: &[B::F],
    shape: Shape,
) -> Result<Vec<B::F>, Stop> {
    let limit = match shape {
        Shape::Clusters(limit) => limit,
        Shape::Monolithic => usize::MAX,
    };
    let truth = bdd.constant(true);
    let conjuncts: Vec<&B::F> = conjuncts.iter().filter(|c| **c != truth).collect();
    let supports: Vec<Vec<Var>> = conjuncts.iter().map(|c| bdd.support(c)).collect();
    let mut done = Vec::new();
    let mut cluster: Option<B::F> = None;
    for i in order(bdd, roles, Role::Current, &supports) {
        let next = conjuncts[i];
        let product = match &cluster {
            // A product is at most as large as the product of the sizes, and mostly at least as large as one.
            Some(c) if limit == usize::MAX || bdd.size(&[c, next]) <= 2 * limit => Some(bdd.and(c, next)?),
            Some(_) => None,
            None => Some(next.clone()),
        };
        match product {
            Some(p) if cluster.is_none() || limit == usize::MAX || bdd.size(&[&p]) <= limit => {
                cluster = Some(p)
            }
            _ => done.extend(cluster.replace(next.clone())),
        }
        bdd.settle()?;
    }
    done.extend(cluster);
    Ok(done)
}

/// The order in which to multiply functions with these supports, when variables of role `gone` and inputs are
/// quantified.
pub fn order<B: Bdd>(bdd: &B, roles: &[Role], gone: Role, supports: &[Vec<Var>]) -> Vec<usize> {
    let mut place = vec![0usize; roles.len()];
    bdd.order().iter().enumerate().for_each(|(p, &v)| place[v as usize] = p);
    let leaves = |v: Var| roles[v as usize] == gone || roles[v as usize] == Role::Input;
    let mut uses = vec![0usize; roles.len()];
    supports.iter().flatten().for_each(|&v| uses[v as usize] += 1);
    let mut known = vec![false; roles.len()];
    let mut left: Vec<usize> = (0..supports.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let count = |of: &dyn Fn(Var) -> bool| {
            (0..roles.len() as u32).filter(|&v| uses[v as usize] > 0 && of(v)).count().max(1) as f64
        };
        let (x, z) = (count(&leaves), count(&|v| !leaves(v)));
        let lowest = |c: usize| {
            supports[c].iter().filter(|&&v| leaves(v)).map(|&v| place[v as usize] + 1).max().unwrap_or(0)
        };
        let all_lowest = left.iter().map(|&c| lowest(c)).max().unwrap_or(0).max(1) as f64;
        let benefit = |c: usize| {
            let (mut v, mut w, mut y) = (0.0, 0.0, 0.0);
            for &var in &supports[c] {
                if leaves(var) {
                    w += 1.0;
                    v += f64::from(u8::from(uses[var as usize] == 1));
                } else if !known[var as usize] {
                    y += 1.0;
                }
            }
            let now = if w > 0.0 { 6.0 * v / w } else { 0.0 };
            now + w / x + (1.0 - y / z) + 2.0 * lowest(c) as f64 / all_lowest
        };
        let best = (0..left.len())
            .map(|i| (benefit(left[i]), std::cmp::Reverse(i)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map_or(0, |(_, i)| i.0);
        let c = left.remove(best);
        for &v in &supports[c] {
            uses[v as usize] -= 1;
            known[v as usize] = true;
        }
        order.push(c);
    }
    order
}
