//! Group sifting: a better order of the variables, found by moving them one group at a time.
//!
//! ```text
//! for each group, the largest first:
//!   move it to the nearer end of the order, then to the other, one neighbour at a time;
//!   turn round as soon as the diagrams have grown too much;
//!   move it back to the best place seen;
//!   stop if what was gained so far is not worth its price
//! ```
//!
//! The price is the number of nodes on the levels that changed places. Groups with many nodes come first; where these
//! gain little, the others gain hardly more, and a run through all of them may take longer than what is to be computed.
//! Who asks for a new order gets a thorough run.
//!
//! A group is a block of adjacent levels, a current variable with its next one, and stays together: so images and
//! renamings stay linear whatever the order becomes. Neighbouring groups change places by swaps of adjacent levels.
//!
//! # References
//! R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993; S. Panda, F. Somenzi, *Who
//! are the variables in your neighborhood*, ICCAD 1995.

use super::M;
use crate::bdd::Var;
use oxidd::{LevelNo, Manager};
use oxidd_core::LevelView;

/// A group may let the diagrams grow by this factor while it moves.
const GROWTH: f64 = 1.2;
/// How many nodes are touched for each node that there is before the gain is looked at.
const PATIENCE: usize = 20;
/// How many nodes may be touched for each node that was gained.
const WORTH: usize = 500;
/// Groups moved in one run, the largest first.
const MOST_GROUPS: usize = 400;

/// Before two groups change places there is room for so many times their nodes. A swap of two levels makes at most two
/// nodes of each node of the upper one.
const RESERVE: usize = 8;

/// Sifts each group of variables. Variables that are in no group are groups of their own; a group whose variables are
/// not adjacent is left alone with all others. Nothing is moved where a table of `capacity` nodes might become full.
///
/// Without `thorough` it stops where it does not pay. Returns whether it was tried.
pub fn sift(m: &mut M<'_>, groups: &[Vec<Var>], capacity: usize, thorough: bool) -> bool {
    let Some(sizes) = blocks(m, groups) else { return false };
    m.reorder(|m| {
        let mut run = Run { m, sizes, touched: 0, capacity, thorough };
        run.all();
        run.touched > 0
    })
}

/// The sizes of the groups from the top of the order.
fn blocks(m: &M<'_>, groups: &[Vec<Var>]) -> Option<Vec<LevelNo>> {
    let mut owner = vec![usize::MAX; m.num_vars() as usize];
    for (g, vars) in groups.iter().enumerate() {
        vars.iter().for_each(|&v| owner[v as usize] = g);
    }
    let mut sizes = Vec::new();
    let mut level = 0;
    while level < m.num_levels() {
        let size = match owner[m.level_to_var(level) as usize] {
            usize::MAX => 1,
            g => groups[g].len() as LevelNo,
        };
        let g = owner[m.level_to_var(level) as usize];
        let whole =
            (level..level + size).all(|l| l < m.num_levels() && owner[m.level_to_var(l) as usize] == g);
        if !whole && size > 1 {
            return None;
        }
        sizes.push(size);
        level += size;
    }
    Some(sizes)
}

struct Run<'a, 'id: 'a> {
    m: &'a mut M<'id>,
    /// How many levels each group has, from the top.
    sizes: Vec<LevelNo>,
    /// Nodes on levels that changed places.
    touched: usize,
    capacity: usize,
    thorough: bool,
}

impl Run<'_, '_> {
    fn level_of(&self, group: usize) -> LevelNo {
        self.sizes[..group].iter().sum()
    }

    fn nodes(&self, from: LevelNo, count: LevelNo) -> usize {
        (from..from + count).map(|l| self.m.level(l).len()).sum()
    }

    /// Moves the groups, the one with most nodes first. They are told apart by the variable on top.
    fn all(&mut self) {
        let mut order: Vec<(usize, Var)> = (0..self.sizes.len())
            .map(|g| {
                let level = self.level_of(g);
                (self.nodes(level, self.sizes[g]), self.m.level_to_var(level))
            })
            .collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let start = self.m.num_inner_nodes();
        for (nodes, top) in order.into_iter().take(MOST_GROUPS) {
            let gained = start.saturating_sub(self.m.num_inner_nodes());
            let pays = self.thorough || self.touched <= (PATIENCE * start).max(WORTH * gained);
            if nodes < 2 || !pays {
                return;
            }
            let level = self.m.var_to_level(top);
            let mut group = 0;
            while self.level_of(group) != level {
                group += 1;
            }
            self.one(group);
        }
    }

    /// Can group `upper` and the next one change places, whatever becomes of their nodes? On the way back to a place
    /// where a group has been, no more room is needed than on the way from there.
    fn has_room(&self, upper: usize) -> bool {
        let levels = self.sizes[upper] + self.sizes[upper + 1];
        self.m.num_inner_nodes() + RESERVE * self.nodes(self.level_of(upper), levels) < self.capacity
    }

    /// Moves one group to its best place.
    fn one(&mut self, start: usize) {
        let total = self.m.num_inner_nodes() as isize;
        let limit = (total as f64 * GROWTH) as isize;
        let last = self.sizes.len() - 1;
        let (mut at, mut size) = (start, total);
        let (mut best, mut best_at) = (size, at);
        let down_first = last - start < start;
        for down in [down_first, !down_first] {
            while if down { at < last } else { at > 0 } {
                let upper = if down { at } else { at - 1 };
                if !self.has_room(upper) {
                    break;
                }
                size += self.exchange(upper);
                at = if down { at + 1 } else { at - 1 };
                if size < best {
                    (best, best_at) = (size, at);
                }
                if size > limit {
                    break;
                }
            }
        }
        while at != best_at {
            let upper = if at < best_at { at } else { at - 1 };
            self.exchange(upper);
            at = if at < best_at { at + 1 } else { at - 1 };
        }
    }

    /// Exchanges a group with the one below; returns by how many nodes the diagrams have grown.
    fn exchange(&mut self, upper: usize) -> isize {
        let (a, b) = (self.sizes[upper], self.sizes[upper + 1]);
        let first = self.level_of(upper);
        let before = self.nodes(first, a + b) as isize;
        // Each of the a·b swaps touches two of the a + b levels.
        self.touched += before as usize * a.min(b) as usize;
        // Each level of the lower group rises through the upper group.
        for i in 0..b {
            for k in (0..a).rev() {
                // SAFETY: we are inside `Manager::reorder` and hold the only reference to the manager, so nothing else
                // touches the nodes of these levels.
                unsafe { oxidd_reorder::level_down(&*self.m, first + i + k) };
            }
        }
        self.sizes.swap(upper, upper + 1);
        self.nodes(first, a + b) as isize - before
    }
}
