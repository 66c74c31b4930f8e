//! Programs whose processes are all there from the start and stay: every address is a constant.
//!
//! Then a state's candidates are one range of edges for each process, and an edge that neither sends nor receives is two
//! pieces of code over the words of the state: its guard, and what it does. Everything else is left to `step`. Programs
//! with priorities, `provided`, `timeout` or edges that hide others are not run this way.

use super::code::GuardCode;
use super::context::Context;
use super::form::Order;
use super::interp::{Cursor, Interpreter, Step};
use crate::ids::EdgeId;
use crate::layout::Field;
use crate::machine::{Source, Target};
use riata_system::ActionId;

/// No code.
const NONE: u32 = u32::MAX;

/// An edge of a process: what a step needs to know of it first.
#[derive(Debug)]
struct Edge {
    guard: u32,
    /// Does all that the edge does, if it needs nobody else.
    fused: u32,
    number: u32,
    passive: bool,
}

/// A process.
#[derive(Debug)]
struct Row {
    pid: u32,
    of: u32,
    location: Field,
    /// For each location, the edges.
    ranges: Vec<(u32, u32)>,
    edges: Vec<Edge>,
}

/// The processes, in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Flat(Vec<Row>);

impl Flat {
    /// The processes of a program, if they can be run this way.
    pub fn new(i: &Interpreter) -> Option<Flat> {
        let program = i.program;
        let hides = program.processes.iter().flat_map(|p| &p.edges).any(|e| e.rank > 0);
        let started = |s: &super::form::Start| i.frames.types[s.process.index()].fixed;
        let possible = i.frames.known
            && i.questions.is_empty()
            && !i.scheduled
            && !i.uses_timeout
            && !hides
            && program.start.iter().all(started);
        if !possible {
            return None;
        }
        let row = |(pid, start): (usize, &super::form::Start)| {
            let of = start.process.index();
            let code = &i.types[of];
            let edge = |e: &super::code::EdgeCode| Edge {
                guard: match e.plain {
                    Some(GuardCode::When(pc)) => pc,
                    _ => NONE,
                },
                fused: e.fused.filter(|_| i.last.is_none()).unwrap_or(NONE),
                number: e.number,
                passive: e.passive,
            };
            Row {
                pid: pid as u32,
                of: of as u32,
                location: i.frames.types[of].location,
                ranges: code.ranges.clone(),
                edges: code.edges.iter().map(edge).collect(),
            }
        };
        let mut rows: Vec<Row> = program.start.iter().enumerate().map(row).collect();
        if program.scheduling.order == Order::Youngest {
            rows.reverse();
        }
        Some(Flat(rows))
    }
}

impl Interpreter<'_> {
    /// The next step from `src`, which is not the fault state.
    pub(crate) fn flat_next(
        &self,
        flat: &Flat,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        if !at.started {
            at.started = true;
            at.committed = self.is_committed(src);
        }
        let words = self.words;
        let (src, dst) = (&src[..words], &mut dst[..words]);
        while let Some(row) = flat.0.get(usize::from(at.process)) {
            let location = row.location.raw(src) as usize;
            let (lo, hi) = row.ranges[location];
            let waits = at.committed && !self.types[row.of as usize].committed[location];
            while !waits && lo + at.edge < hi {
                let edge = &row.edges[(lo + at.edge) as usize];
                if edge.fused == NONE {
                    if edge.passive {
                        at.edge += 1;
                    } else if let Some(action) = self.other(row, (lo + at.edge) as usize, (src, at, dst)) {
                        at.mine = true;
                        return Some(action);
                    }
                    continue;
                }
                at.edge += 1;
                let done = match edge.guard {
                    NONE => Ok(1),
                    pc => self.run(pc, &mut Source(src), &mut []),
                };
                let done = match done {
                    Ok(0) => continue,
                    Ok(_) => {
                        dst.copy_from_slice(src);
                        self.run(edge.fused, &mut Target(dst), &mut []).map(|_| ())
                    }
                    Err(trap) => Err(trap),
                };
                if done.is_err() {
                    self.settle(done, 0, at, dst);
                }
                at.mine = true;
                at.step = Some(Step { pid: row.pid, edge: EdgeId(edge.number), partner: None });
                return Some(ActionId(row.pid | row.pid << 8));
            }
            at.process += 1;
            at.edge = 0;
            at.mine = false;
        }
        at.ended = true;
        None
    }

    /// An edge that needs more than a look at the words.
    fn other(
        &self,
        row: &Row,
        edge: usize,
        (src, at, dst): (&[u32], &mut Cursor, &mut [u32]),
    ) -> Option<ActionId> {
        let edge = &self.types[row.of as usize].edges[edge];
        self.try_edge(edge, &mut Context::new(self, src, row.pid), at, dst)
    }
}
