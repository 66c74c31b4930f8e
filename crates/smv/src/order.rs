//! The order of the variables when nobody gives one.
//!
//! FORCE ([`riata_symbolic::learn::force`]) starts with the order of the declarations and pulls together the variables
//! that one assignment or condition speaks of. Who writes a model puts together what belongs together, too, so the new
//! order is taken only if the sum of the spans is little more than half of what it was. Measured against the declared
//! order (CPU seconds, on a busy machine): treearb8, whose spans become 0.48 of the old ones, 0.68 and 0.13; eth112, 0.51,
//! 0.33 and 0.14; but phil16, 0.56, 0.85 and 6.4.

use crate::depend::{define_reads, reads};
use crate::model::{E, Model};
use riata_symbolic::learn::force;

/// A condition that reads more variables than this says nothing about who belongs together.
const MOST: usize = 24;

/// The new order must have less than this share of the spans.
const SHARE: f64 = 0.53;
/// Beyond so many members of all groups together the declared order stays: FORCE would take seconds.
const HEAVIEST: usize = 200_000;

/// An order of the variables of a model.
pub(crate) fn variables(model: &Model) -> Vec<u32> {
    let declared: Vec<u32> = (0..model.vars.len() as u32).collect();
    let defines = define_reads(model);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut group = |e: E, var: Option<u32>| {
        let mut list: Vec<u32> = reads(model, e, &defines).into_iter().map(|(v, _)| v).chain(var).collect();
        list.sort_unstable();
        list.dedup();
        if (2..=MOST).contains(&list.len()) {
            groups.push(list);
        }
    };
    model.assigns.iter().for_each(|a| group(a.value, Some(a.var)));
    model.trans.iter().chain(&model.invar).for_each(|&e| group(e, None));
    if groups.iter().map(Vec::len).sum::<usize>() > HEAVIEST {
        return declared;
    }
    let pulled = force(model.vars.len(), &groups);
    if spans(&pulled, &groups) < SHARE * spans(&declared, &groups) { pulled } else { declared }
}

/// The sum of the distances between the first and the last variable of each group.
fn spans(order: &[u32], groups: &[Vec<u32>]) -> f64 {
    let mut place = vec![0usize; order.len()];
    order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i);
    let of = |group: &Vec<u32>| {
        let places = || group.iter().map(|&v| place[v as usize]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    groups.iter().map(of).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_together_stands_together() {
        let mut text = String::from("MODULE main\nVAR ");
        (0..8).for_each(|i| text += &format!("x{i} : boolean; "));
        (0..8).for_each(|i| text += &format!("y{i} : boolean; "));
        text += "ASSIGN\n";
        (0..8).for_each(|i| text += &format!("next(x{i}) := y{i};\n"));
        let Ok((model, _)) = crate::parse(&text) else { panic!("the model is right") };
        let order = variables(&model);
        let mut place = [0; 16];
        order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i);
        assert!((0..8).all(|i| place[i].abs_diff(place[i + 8]) == 1), "{order:?}");
    }
}
