//! Does an automaton accept a lasso word?

use crate::scc::is_empty;
use crate::{Edge, Label, Tgba};
use riata_ltl::Word;

/// Is `word` accepted by `a`? `names` are the propositions of the word's letters, in their order; a proposition of the
/// automaton that is not among them is false.
pub fn accepts(a: &Tgba, word: &Word, names: &[String]) -> bool {
    !is_empty(&along(a, word, names))
}

/// The runs of `a` along `word`, as an automaton: state `q · n + i` is `q` before letter `i`, of `n` letters in all. See
/// [`accepts`] for `names`.
pub fn along(a: &Tgba, word: &Word, names: &[String]) -> Tgba {
    let places: Vec<Option<usize>> = a.aps.iter().map(|p| names.iter().position(|n| n == p)).collect();
    let letters: Vec<&Vec<bool>> = word.stem.iter().chain(&word.cycle).collect();
    let (n, stem) = (letters.len() as u32, word.stem.len() as u32);
    let mut edges = Vec::new();
    for q in 0..a.states() as u32 {
        for e in a.edges(q) {
            for (i, letter) in letters.iter().enumerate() {
                let holds = |v: u32| places[v as usize].and_then(|p| letter.get(p)).copied().unwrap_or(false);
                if a.labels.eval(e.label, holds) {
                    let next = if i as u32 + 1 == n { stem } else { i as u32 + 1 };
                    edges.push((
                        q * n + i as u32,
                        Edge { to: e.to * n + next, label: Label::TRUE, marks: e.marks },
                    ));
                }
            }
        }
    }
    let mut product = Tgba::default();
    product.sets = a.sets;
    product.initial = a.initial.iter().map(|q| q * n).collect();
    product.set_edges(a.states() * n as usize, &edges);
    product
}
