//! Lockstep scheduling: all processes move at once, each by one edge.
//!
//! A combination of edges, one per process, is a number in the mixed radix of the numbers of enabled edges, least
//! significant process first; the cursor keeps that number. Every effect reads the source state: it runs on a copy of it,
//! and what its process has and what it assigns to is then merged. If the edges of two processes assign to the same shared
//! variable, the step is a fault. If some process cannot move, none can. Offers are not looked at.

use crate::code::{EdgeCode, GuardCode, WorkCode};
use crate::context::Context;
use crate::form::{Statement, Var, Work};
use crate::ids::EdgeId;
use crate::interp::{Cursor, EVERYBODY, Interpreter, Step};
use crate::machine::{Fault, Trap};
use riata_source::Span;
use riata_system::ActionId;

/// Everybody moves.
const ALL: ActionId = ActionId(u32::MAX);

impl Interpreter {
    /// The next step of all processes.
    pub(crate) fn together(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let number = at.edge;
        let done = match self.combination(src, number) {
            Ok(None) => return None,
            // A guard that fails is the only step.
            Err(_) if number > 0 => return None,
            Err(trap) => Err(trap),
            Ok(Some(chosen)) => self.combine(&chosen, src, dst),
        };
        at.edge += 1;
        self.settle(done, 0, at, dst);
        at.step = Some(Step { pid: EVERYBODY, edge: EdgeId(number), partner: None });
        Some(ALL)
    }

    /// The edges of a combination, one for each process; none if there are not so many.
    fn combination(&self, src: &[u32], number: u32) -> Result<Option<Vec<&EdgeCode>>, Trap> {
        let mut rest = number as usize;
        let mut chosen = Vec::new();
        for (pid, &(of, base)) in self.shape(src).processes.iter().enumerate() {
            let code = &self.types[of as usize];
            let (lo, hi) = code.ranges[self.at(src, of, base) as usize];
            let mut context = Context::new(self, src, pid as u32);
            let mut enabled = Vec::new();
            for edge in &code.edges[lo as usize..hi as usize] {
                let WorkCode::Action(action) = &edge.work else { continue };
                let holds = match action.guard {
                    GuardCode::Always => true,
                    GuardCode::When(pc) => context.value(pc)? != 0,
                    GuardCode::Else => enabled.is_empty(),
                };
                if holds {
                    enabled.push(edge);
                }
            }
            if enabled.is_empty() {
                return Ok(None);
            }
            chosen.push(enabled[rest % enabled.len()]);
            rest /= enabled.len();
        }
        Ok((rest == 0 && !chosen.is_empty()).then_some(chosen))
    }

    fn combine(&self, chosen: &[&EdgeCode], src: &[u32], dst: &mut [u32]) -> Result<(), Trap> {
        let shape = self.shape(src);
        let words = shape.words as usize;
        let (src, dst) = (&src[..words], &mut dst[..words]);
        dst.copy_from_slice(src);
        let mut written = vec![false; self.frames.shared.len()];
        let mut scratch = vec![0; words];
        let mut start = self.frames.base as usize;
        for (pid, edge) in chosen.iter().enumerate() {
            let of = shape.processes[pid].0 as usize;
            let end = start + self.frames.types[of].words as usize;
            self.alone(edge, &Context::new(self, src, pid as u32), &mut scratch[..])?;
            dst[start..end].copy_from_slice(&scratch[start..end]);
            for v in self.assigned(of, edge) {
                if std::mem::replace(&mut written[v as usize], true) {
                    return Err(Trap { fault: Fault::ConflictingWrites, span: Span::default() });
                }
                for field in self.frames.shared[v as usize].fields() {
                    field.store(dst, field.load(&scratch));
                }
            }
            start = end;
        }
        Ok(())
    }

    /// The shared variables that an edge assigns to, each once.
    fn assigned(&self, of: usize, edge: &EdgeCode) -> Vec<u32> {
        let Work::Action(action) = &self.program.processes[of].edges[edge.number as usize].work else {
            return Vec::new();
        };
        let shared = action.effect.iter().filter_map(|s| match s {
            Statement::Assign(place, _) => match place.var {
                Var::Shared(v) => Some(v),
                _ => None,
            },
            _ => None,
        });
        let mut all: Vec<u32> = shared.collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
