//! Which edges of a process cannot be taken, remembered.
//!
//! Most edges of a location cannot be taken in most states, and to find that out, edge by edge, is most of what a step costs
//! without native code. It is remembered for each process at each location by [what was looked at](crate::recall). Only
//! what is sure is told: an edge that is not among those that are closed is tried.

use crate::context::Context;
use crate::interp::Interpreter;
use crate::memory::Reader;
use crate::recall::{Found, Noting, Root, Trees};
use crate::step::Ready;
use std::sync::OnceLock;

/// Of so many processes, in states of so many shapes: where there are many, hardly a state looks like another one,
const PROCESSES: usize = 64;
const SHAPES: usize = 32;
/// and of the first edges of a location, as many as there are bits to remember.
pub(crate) const EDGES: u32 = 29;
/// All edges of the location are closed.
pub(crate) const ALL: u32 = 1 << EDGES;

/// The trees of all processes.
#[derive(Debug)]
pub(crate) struct Closed {
    trees: Trees,
    /// For each process type the number of its first location among all.
    first: Vec<u32>,
    locations: usize,
    /// For each shape and process the roots of all locations.
    roots: Box<[OnceLock<Box<[Root]>>]>,
}

impl Closed {
    /// For process types with so many locations.
    pub fn new(locations: impl Iterator<Item = usize>) -> Closed {
        let (mut first, mut count) = (Vec::new(), 0);
        for here in locations {
            first.push(count as u32);
            count += here;
        }
        let roots = (0..SHAPES * PROCESSES).map(|_| OnceLock::new()).collect();
        Closed { trees: Trees::default(), first, locations: count, roots }
    }
}

impl Interpreter {
    /// Edges of the process at hand that cannot be taken, as bits, and [`ALL`] if none can, without a timeout. Nothing is told of programs with
    /// priorities, or with committed locations.
    #[inline]
    pub(crate) fn closed(&self, s: &[u32], pid: u32, (of, location): (u32, u32)) -> u32 {
        let closed = &self.closed;
        let shape = if self.only.is_some() { 0 } else { self.head.shape(s) as usize };
        if self.scheduled || self.commits || pid as usize >= PROCESSES {
            return 0;
        }
        let Some(roots) = closed.roots.get(shape * PROCESSES + pid as usize) else { return 0 };
        let roots = roots.get_or_init(|| (0..closed.locations).map(|_| Root::default()).collect());
        let Some(root) = roots.get((closed.first[of as usize] + location) as usize) else { return 0 };
        match closed.trees.find(root, s) {
            Found::Told(told) => told,
            Found::Never => 0,
            Found::Unknown => {
                closed.trees.learn(root, s, |s: Noting| self.closed_now(s, pid, (of, location)))
            }
        }
    }

    fn closed_now<S: Reader>(&self, s: S, pid: u32, (of, location): (u32, u32)) -> u32 {
        let mut context = Context::new(self, s, pid);
        let code = &self.types[of as usize];
        let (lo, hi) = code.ranges[location as usize];
        let (mut closed, mut count) = (0, 0);
        for (n, edge) in (0..EDGES).zip(&code.edges[lo as usize..hi as usize]) {
            let is_closed = edge.passive
                || match self.ready(edge, &mut context, false) {
                    Ok(Ready::No) => true,
                    Ok(Ready::Meet(channel)) => !self.partners(edge, channel, &mut context, false),
                    _ => false,
                };
            closed |= u32::from(is_closed) << n;
            count += u32::from(is_closed);
        }
        if count == hi - lo { closed | ALL } else { closed }
    }
}
