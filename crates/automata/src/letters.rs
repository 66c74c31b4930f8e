//! Labels as sets of letters: bit sets, where a check asks the same inclusion many times.
//!
//! A letter here is a class of valuations that no label of the automaton tells apart. With up to [`TABLE`]
//! propositions the classes are the valuations themselves and a label is its truth table; with more, the classes are
//! found by splitting, and there may be too many.

use crate::{Label, Labels, Tgba};
use std::collections::HashMap;

/// Propositions up to which truth tables are used.
const TABLE: usize = 8;
/// More classes than this are not worth having.
const MOST: usize = 4096;

/// The label of every edge as a bit set.
#[derive(Clone, Debug)]
pub struct Letters {
    /// Words per label.
    pub words: usize,
    /// How many letters there are.
    pub count: usize,
    bits: Vec<u64>,
}

impl Letters {
    /// The letters of the labels of `a`; `None` if there are too many.
    pub fn new(a: &mut Tgba) -> Option<Letters> {
        let edges: Vec<Label> = (0..a.edge_count() as u32).map(|e| a.edge(e).label).collect();
        Self::of(&mut a.labels, a.aps.len(), &edges)
    }

    /// The letters of a list of labels over `aps` propositions.
    pub fn of(labels: &mut Labels, aps: usize, list: &[Label]) -> Option<Letters> {
        if aps <= TABLE { Some(Self::tables(labels, aps, list)) } else { Self::classes(labels, list) }
    }

    /// Bit set number `i`.
    pub fn get(&self, i: usize) -> &[u64] {
        &self.bits[i * self.words..(i + 1) * self.words]
    }

    /// The set of all letters.
    pub fn full(&self) -> Vec<u64> {
        let mut full = vec![!0u64; self.words];
        if !self.count.is_multiple_of(64) {
            full[self.words - 1] = (1u64 << (self.count % 64)) - 1;
        }
        full
    }

    fn tables(labels: &Labels, aps: usize, list: &[Label]) -> Letters {
        let count = 1usize << aps;
        let words = count.div_ceil(64);
        let last = if count >= 64 { !0 } else { (1u64 << count) - 1 };
        let mut at: HashMap<Label, usize> = HashMap::new();
        let mut tables: Vec<u64> = vec![0; words];
        tables.extend(std::iter::repeat_n(last, words));
        at.insert(Label::FALSE, 0);
        at.insert(Label::TRUE, 1);
        let mut bits = Vec::with_capacity(list.len() * words);
        let mut todo = Vec::new();
        for &label in list {
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
        Letters { words, count, bits }
    }

    fn classes(labels: &mut Labels, list: &[Label]) -> Option<Letters> {
        let mut distinct = list.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut classes = vec![Label::TRUE];
        for &l in &distinct {
            let mut split = Vec::with_capacity(classes.len() * 2);
            for c in classes {
                let inside = labels.and(c, l);
                if inside == Label::FALSE || inside == c {
                    split.push(c);
                } else {
                    split.push(inside);
                    split.push(labels.minus(c, l));
                }
            }
            classes = split;
            if classes.len() > MOST {
                return None;
            }
        }
        let words = classes.len().div_ceil(64);
        let mut of: HashMap<Label, Vec<u64>> = HashMap::new();
        for &l in &distinct {
            let mut set = vec![0u64; words];
            for (i, &c) in classes.iter().enumerate() {
                if labels.and(c, l) != Label::FALSE {
                    set[i / 64] |= 1 << (i % 64);
                }
            }
            of.insert(l, set);
        }
        let bits = list.iter().flat_map(|l| of[l].iter().copied()).collect();
        Some(Letters { words, count: classes.len(), bits })
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
    fn tables_and_classes_agree_on_inclusion() {
        let mut l = Labels::new();
        let (a, b, c) = (l.var(0), l.var(1), l.var(7));
        let ab = l.and(a, b);
        let bc = l.or(b, c);
        let list = [a, b, c, ab, bc, Label::TRUE, Label::FALSE];
        let tables = Letters::of(&mut l, 8, &list).unwrap();
        let classes = Letters::classes(&mut l, &list).unwrap();
        assert_eq!((tables.count, tables.words, classes.count), (256, 4, 6));
        for i in 0..list.len() {
            for j in 0..list.len() {
                let expected = l.implies(list[i], list[j]);
                for s in [&tables, &classes] {
                    let inside = s.get(i).iter().zip(s.get(j)).all(|(x, y)| x & !y == 0);
                    assert_eq!(inside, expected);
                }
            }
        }
        assert_eq!(tables.full(), tables.get(5));
        assert_eq!(classes.full(), classes.get(5));
    }
}
