//! The union of automata: one more state, with the edges of all initial ones.

use crate::product::rename;
use crate::{Edge, Label, Marks, Tgba};
use std::collections::HashMap;

/// An automaton of the union of the languages. A part with fewer acceptance sets than another is in all others always.
pub(super) fn union(parts: &[Tgba]) -> Tgba {
    let mut all = Tgba::default();
    all.sets = parts.iter().map(|p| p.sets).max().unwrap_or(0);
    all.initial = vec![0];
    let mut edges: Vec<(u32, Edge)> = Vec::new();
    let mut states = 1u32;
    for part in parts {
        let map: Vec<u32> = part.aps.iter().map(|name| number(&mut all.aps, name)).collect();
        let more = Marks::first(all.sets).without(Marks::first(part.sets));
        let mut known: HashMap<Label, Label> = HashMap::new();
        for s in 0..part.states() as u32 {
            for e in part.edges(s) {
                let label = *known
                    .entry(e.label)
                    .or_insert_with(|| rename(&part.labels, e.label, &map, &mut all.labels));
                let edge = Edge { to: e.to + states, label, marks: e.marks | more };
                edges.push((s + states, edge));
                if part.initial.contains(&s) {
                    edges.push((0, edge));
                }
            }
        }
        states += part.states() as u32;
    }
    all.set_edges(states as usize, &edges);
    all
}

fn number(names: &mut Vec<String>, name: &str) -> u32 {
    let at = names.iter().position(|n| n == name).unwrap_or_else(|| {
        names.push(name.into());
        names.len() - 1
    });
    at as u32
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::lasso::accepts;
    use crate::translate::{Options, translate};
    use riata_ltl::{Dialect, Word, evaluate, parse};

    /// All words with a stem and a cycle of at most two letters each, over two propositions.
    pub fn words() -> Vec<Word> {
        let letters = |n: usize| {
            (0..1usize << (2 * n)).map(move |bits| {
                (0..n)
                    .map(|i| vec![bits >> (2 * i) & 1 == 1, bits >> (2 * i + 1) & 1 == 1])
                    .collect::<Vec<_>>()
            })
        };
        let stems: Vec<_> = (0..3).flat_map(letters).collect();
        let cycles: Vec<_> = (1..3).flat_map(letters).collect();
        let pairs = stems.iter().flat_map(|s| cycles.iter().map(move |c| (s.clone(), c.clone())));
        pairs.map(|(stem, cycle)| Word { stem, cycle }).collect()
    }

    #[test]
    fn a_union_accepts_what_a_part_accepts() {
        let names = ["a".to_string(), "b".to_string()];
        let texts = ["G F a", "F G b", "b U a", "G (b -> F a)", "G F a & G F b", "X b", "0"];
        let automaton = |text: &str| {
            let f = parse(text, Dialect::Spot).expect("a formula");
            let options = Options { wdba: false, ..Options::default() };
            translate(&f, &options).expect("a small automaton")
        };
        for left in texts {
            for right in texts {
                let joined = union(&[automaton(left), automaton(right)]);
                // The formula names `a` first, so that its propositions are numbered like the letters.
                let both = parse(&format!("(a & 0) | (b & 0) | ({left}) | ({right})"), Dialect::Spot);
                let both = both.expect("a formula");
                for word in words() {
                    let right = evaluate(&both.arena, both.root, &word);
                    assert_eq!(accepts(&joined, &word, &names), right, "{left} or {right}: {word:?}");
                }
            }
        }
    }
}
