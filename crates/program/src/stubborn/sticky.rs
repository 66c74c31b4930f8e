//! Sticky edges: every cycle of a control graph has one.
//!
//! A cycle of states contains a cycle of some process's control, or a process that ends and is created again in it. So if a
//! step by a sticky edge, or by one that creates a process, is only ever taken together with all others, every cycle has a
//! state in which nothing was left out (Kurshan, Levin, Minea, Peled, Yenigün 1998: the static cycle proviso).
//!
//! Few are best, and best are those that are hardly ever taken alone anyway: the weight of an edge says what it costs.
//! To find the fewest is NP-hard. Here, as long as there is a cycle, the location whose edges inside its component weigh
//! least, those that lead to it or those that leave it, loses them.

use super::edge::Reader;
use super::footprint::Footprint;
use crate::ids::ProcId;

/// An edge of a control graph: from, to, weight.
type Arc = (usize, usize, u32);

/// Chooses edges without which the graph has no cycle. Those of weight 0 are chosen first, all of them.
fn sticky(locations: usize, edges: &[Arc]) -> Vec<bool> {
    let mut chosen: Vec<bool> = edges.iter().map(|e| e.2 == 0).collect();
    loop {
        let component = components(locations, edges, &chosen);
        let inside = |e: usize| !chosen[e] && component[edges[e].0] == component[edges[e].1];
        // What it costs to cut each location off, before it and after it.
        let mut costs = vec![[0u32; 2]; locations];
        let mut any = false;
        for (e, &(from, to, weight)) in edges.iter().enumerate() {
            if inside(e) {
                any = true;
                costs[to][0] = costs[to][0].saturating_add(weight);
                costs[from][1] = costs[from][1].saturating_add(weight);
            }
        }
        if !any {
            return chosen;
        }
        // One location for each component.
        let mut best: Vec<Option<(u32, usize, usize)>> = vec![None; locations];
        for (l, cost) in costs.iter().enumerate() {
            for (side, &cost) in cost.iter().enumerate() {
                let best = &mut best[component[l]];
                if cost > 0 && best.is_none_or(|b| (cost, l, side) < b) {
                    *best = Some((cost, l, side));
                }
            }
        }
        let cut: Vec<usize> = (0..edges.len())
            .filter(|&e| {
                inside(e)
                    && best[component[edges[e].0]]
                        .is_some_and(|(_, l, side)| l == if side == 0 { edges[e].1 } else { edges[e].0 })
            })
            .collect();
        cut.into_iter().for_each(|e| chosen[e] = true);
    }
}

/// The strongly connected component of each location, without the edges that are `gone` (Tarjan 1972, with its own stack).
fn components(locations: usize, edges: &[Arc], gone: &[bool]) -> Vec<usize> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); locations];
    for (e, &(from, to, _)) in edges.iter().enumerate() {
        if !gone[e] {
            after[from].push(to);
        }
    }
    const NEW: usize = usize::MAX;
    let (mut number, mut low, mut component) =
        (vec![NEW; locations], vec![0; locations], vec![NEW; locations]);
    let (mut count, mut active) = (0, Vec::new());
    for root in 0..locations {
        let mut stack = vec![(root, 0)];
        while let Some((l, next)) = stack.pop() {
            if next == 0 {
                if number[l] != NEW {
                    continue;
                }
                (number[l], low[l]) = (count, count);
                count += 1;
                active.push(l);
            } else {
                let child = after[l][next - 1];
                if component[child] == NEW {
                    low[l] = low[l].min(low[child]);
                }
            }
            match after[l].get(next) {
                Some(&to) => {
                    stack.push((l, next + 1));
                    if number[to] == NEW {
                        stack.push((to, 0));
                    }
                }
                None if low[l] == number[l] => {
                    while let Some(top) = active.pop() {
                        component[top] = l;
                        if top == l {
                            break;
                        }
                    }
                }
                None => {}
            }
        }
    }
    component
}

impl Reader<'_> {
    /// Sticky edges of each process type, all those that create a process among them.
    pub fn sticky(&self) -> Vec<Vec<bool>> {
        let program = self.program;
        let plain: Vec<Footprint> =
            (0..program.processes.len()).map(|p| self.footprint(ProcId::new(p), &self.unknown(p))).collect();
        let of_type = |p: usize| {
            let process = &program.processes[p];
            let arcs: Vec<Arc> = (process.edges.iter().zip(&plain[p].rows))
                .map(|(edge, row)| {
                    let met = plain.iter().enumerate().any(|(q, other)| {
                        let whole = &other.futures[program.processes[q].initial.index()];
                        // The process itself does not count; whether there are several of its type is not known here.
                        q != p && (row.writes.meets(&whole.touches) || row.touches.meets(&whole.writes))
                    });
                    let weight = match () {
                        () if row.runs => 0,
                        () if row.visible => 1,
                        () if met || !row.partners.is_empty() => 2,
                        () => 6,
                    };
                    (edge.from.index(), edge.to.index(), weight)
                })
                .collect();
            sticky(process.locations.len(), &arcs)
        };
        (0..program.processes.len()).map(of_type).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_acyclic(locations: usize, edges: &[Arc], chosen: &[bool]) -> bool {
        let mut left: Vec<usize> = (0..edges.len()).filter(|&e| !chosen[e]).collect();
        for _ in 0..=locations {
            // Locations that nothing leads to cannot be on a cycle.
            let targets: Vec<usize> = left.iter().map(|&e| edges[e].1).collect();
            left.retain(|&e| targets.contains(&edges[e].0));
        }
        left.is_empty()
    }

    #[test]
    fn a_loop_of_three_has_one() {
        let chosen = sticky(3, &[(0, 1, 3), (1, 2, 1), (2, 0, 3)]);
        assert_eq!(chosen, [false, true, false]);
    }

    #[test]
    fn every_loop_at_a_place_is_one() {
        assert_eq!(sticky(1, &[(0, 0, 1), (0, 0, 3)]), [true, true]);
    }

    proptest! {
        #[test]
        fn without_them_there_is_no_cycle(
            edges in prop::collection::vec((0usize..12, 0usize..12, 0u32..4), 0..40),
        ) {
            let chosen = sticky(12, &edges);
            prop_assert!(is_acyclic(12, &edges, &chosen));
        }
    }
}
