//! The automata of the papers' and the slides' figures.

use crate::Case;

/// SE05 Figure 2 (a): an accepting state behind a loop; the cycle is complete when the blue search is at s1.
pub fn se05_figure_2a() -> Case {
    Case::buchi(2, &[1], &[(0, 1), (1, 0)])
}

/// SE05 Figure 2 (b): the accepting state is the one that the cycle comes back to, after a long way.
pub fn se05_figure_2b(length: usize) -> Case {
    let edges: Vec<_> = (0..length).map(|i| (i, (i + 1) % length)).collect();
    Case::buchi(length, &[0], &edges)
}

/// SE05 Figure 4: the cycle s0 s1 s0, and a large part behind s2 that only Tarjan's algorithm must explore.
pub fn se05_figure_4(large: usize) -> Case {
    let mut edges = vec![(0, 1), (1, 0), (0, 2)];
    edges.extend((2..large + 1).map(|i| (i, i + 1)));
    Case::buchi(large + 2, &[0], &edges)
}

/// SE05 Figure 6: the accepting state s1 closes a cycle over s0 first, then there is a large part behind s2.
pub fn se05_figure_6(large: usize) -> Case {
    // s0 → s1 → s3 → s0 is the cycle; only s1 accepts, and the edge that closes it joins two other states.
    let mut edges = vec![(0, 1), (1, 3), (3, 0), (1, 2), (2, 4)];
    edges.extend((4..large + 3).map(|i| (i, i + 1)));
    Case::buchi(large + 4, &[1], &edges)
}

/// Slides, «Using DFS to find cycles in a graph»: 0 → 1 → 2 → 0 and 1 → 3 → 2, where 3 accepts.
pub fn slides_missed_cycle() -> Case {
    Case::buchi(4, &[3], &[(0, 1), (1, 2), (1, 3), (2, 0), (3, 2)])
}

/// Slides, «Double DFS: example»: 0 → 1 → 2 → 4 → 1, 2 → 3 → 4, where 3 accepts.
pub fn slides_double_dfs() -> Case {
    Case::buchi(5, &[3], &[(0, 1), (1, 2), (2, 4), (2, 3), (4, 1), (3, 4)])
}

/// Slides, «The acyclic graph of maximal SCCs»: components {b, c, f}, {e}, {g, h} are transient, {a, d} and {i}
/// terminal. The states are a to i in order, from b.
pub fn slides_components() -> Case {
    let [a, b, c, d, e, f, g, h, i] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let edges = [
        (b, c),
        (c, f),
        (f, b),
        (b, a),
        (a, d),
        (d, a),
        (f, e),
        (e, d),
        (e, h),
        (h, g),
        (g, h),
        (h, i),
        (i, i),
    ];
    Case { initial: vec![b], ..Case::buchi(9, &[], &edges) }
}
