//! Labels as sets of letters, where a check asks for many inclusions.
//!
//! With up to `TABLE` propositions a label is its truth table, a few words, and an inclusion is a few machine
//! instructions. With more it stays a Boolean function, whose operations are remembered.

use crate::{Label, Labels, Tgba};
use std::collections::HashMap;

/// Propositions up to which truth tables are used.
const TABLE: usize = 8;

/// The labels of all edges of an automaton, ready to be compared.
#[derive(Clone, Debug)]
pub enum Letters {
    /// Truth tables.
    Tables {
        /// Words per label.
        words: usize,
        /// The tables, one after the other.
        bits: Vec<u64>,
    },
    /// Boolean functions.
    Functions(Vec<Label>),
}

/// A set of letters of which parts are taken away.
#[derive(Clone, Debug)]
pub enum Rest {
    /// A truth table.
    Table(Vec<u64>),
    /// A Boolean function.
    Function(Label),
}

impl Letters {
    /// The labels of the edges of `a`.
    pub fn new(a: &Tgba) -> Letters {
        let list = (0..a.edge_count() as u32).map(|e| a.edge(e).label);
        if a.aps.len() > TABLE {
            Letters::Functions(list.collect())
        } else {
            Self::tables(&a.labels, a.aps.len(), list)
        }
    }

    /// A place for [`Letters::start`] and [`Letters::take`] to work in.
    pub fn rest(&self) -> Rest {
        match self {
            Letters::Tables { words, .. } => Rest::Table(vec![0; *words]),
            Letters::Functions(_) => Rest::Function(Label::FALSE),
        }
    }

    /// Sets `rest` to label number `i`.
    pub fn start(&self, i: usize, rest: &mut Rest) {
        match (self, rest) {
            (Letters::Tables { words, bits }, Rest::Table(r)) => {
                r.copy_from_slice(&bits[i * words..(i + 1) * words])
            }
            (Letters::Functions(list), Rest::Function(l)) => *l = list[i],
            _ => unreachable!("a rest of these letters"),
        }
    }

    /// Takes the letters of label number `i` away; true if none is left.
    pub fn take(&self, i: usize, labels: &mut Labels, rest: &mut Rest) -> bool {
        match (self, rest) {
            (Letters::Tables { words, bits }, Rest::Table(r)) => {
                let mut left = 0;
                for (x, b) in r.iter_mut().zip(&bits[i * words..(i + 1) * words]) {
                    *x &= !b;
                    left |= *x;
                }
                left == 0
            }
            (Letters::Functions(list), Rest::Function(l)) => {
                *l = labels.minus(*l, list[i]);
                *l == Label::FALSE
            }
            _ => unreachable!("a rest of these letters"),
        }
    }

    fn tables(labels: &Labels, aps: usize, list: impl Iterator<Item = Label>) -> Letters {
        let count = 1usize << aps;
        let words = count.div_ceil(64);
        let last = if count >= 64 { !0 } else { (1u64 << count) - 1 };
        let mut at: HashMap<Label, usize> = HashMap::from([(Label::FALSE, 0), (Label::TRUE, 1)]);
        let mut tables: Vec<u64> = vec![0; words];
        tables.extend(std::iter::repeat_n(last, words));
        let mut bits = Vec::new();
        let mut todo = Vec::new();
        for label in list {
            todo.push(label);
            while let Some(&l) = todo.last() {
                if at.contains_key(&l) {
                    todo.pop();
                    continue;
                }
                let (var, lo, hi) = labels.node(l).expect("constants are known");
                match (at.get(&lo), at.get(&hi)) {
                    (Some(&lo), Some(&hi)) => {
                        todo.pop();
                        at.insert(l, tables.len() / words);
                        for w in 0..words {
                            let mask = variable(var, w);
                            tables.push(tables[lo * words + w] & !mask | tables[hi * words + w] & mask);
                        }
                    }
                    (lo_done, hi_done) => {
                        todo.extend(lo_done.is_none().then_some(lo));
                        todo.extend(hi_done.is_none().then_some(hi));
                    }
                }
            }
            let t = at[&label] * words;
            bits.extend_from_slice(&tables[t..t + words]);
        }
        Letters::Tables { words, bits }
    }
}

/// Word `w` of the truth table of variable `var`.
fn variable(var: u32, w: usize) -> u64 {
    const INNER: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match var {
        0..6 => INNER[var as usize],
        _ if w >> (var - 6) & 1 == 1 => !0,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_functions_agree_on_inclusion() {
        let mut l = Labels::new();
        let (a, b, c) = (l.var(0), l.var(1), l.var(7));
        let ab = l.and(a, b);
        let bc = l.or(b, c);
        let list = [a, b, c, ab, bc, Label::TRUE, Label::FALSE];
        for letters in [Letters::tables(&l, 8, list.into_iter()), Letters::Functions(list.to_vec())] {
            let mut rest = letters.rest();
            for i in 0..list.len() {
                for j in 0..list.len() {
                    letters.start(i, &mut rest);
                    let inside = letters.take(j, &mut l, &mut rest);
                    assert_eq!(inside, l.implies(list[i], list[j]));
                }
            }
        }
    }
}
