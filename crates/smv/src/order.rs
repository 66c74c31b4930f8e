//! The order of the variables when nobody gives one.
//!
//! FORCE ([`riata_symbolic::learn::force`]) starts with the order of the declarations and pulls together the variables
//! that one assignment or condition speaks of. Measured against the declared order (CPU seconds and peak live nodes, on a
//! busy machine): treearb8 0.68 s, 15,496 nodes and 0.13 s, 2,856; eth112 0.33 and 0.14 s; no model of the corpus lost
//! more than a twentieth.

use crate::depend::{define_reads, reads};
use crate::model::{E, Model};
use riata_symbolic::learn::force;

/// A condition that reads more variables than this says nothing about who belongs together.
const MOST: usize = 24;

/// Beyond so many members of all groups together the declared order stays: FORCE would take seconds.
const HEAVIEST: usize = 200_000;

/// An order of the variables of a model.
pub(crate) fn variables(model: &Model) -> Vec<u32> {
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
        return (0..model.vars.len() as u32).collect();
    }
    force(model.vars.len(), &groups)
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
