//! Lockstep scheduling: all processes move at once, each by one edge.
//!
//! A combination of edges, one per process, is a number in the mixed radix of the numbers of enabled edges, least
//! significant process first; the cursor keeps that number. Every effect reads the source state: it runs on a copy
//! of it, and what its edge may write is then merged. If the edges of two processes may write the same shared
//! variable, the step is a fault. If some process cannot move, none can.

use crate::deps::Access;
use crate::ids::{EdgeId, InstanceId};
use crate::interp::{Compiled, Cursor, Interpreter, LOCKSTEP};
use crate::machine::{Fault, Trap};
use riata_source::Span;
use riata_system::ActionId;

/// The next step.
pub(crate) fn next(
    interpreter: &Interpreter,
    src: &[u32],
    at: &mut Cursor,
    dst: &mut [u32],
) -> Option<ActionId> {
    let words = interpreter.layout.words();
    let (src, dst) = (&src[..words], &mut dst[..words]);
    let mut rest = at.combination;
    let mut chosen = Vec::new();
    for table in interpreter.tables.iter().filter(|t| t.takes_part) {
        let (lo, hi) = table.ranges[table.location.raw(src) as usize];
        let mut enabled: Vec<&Compiled> = Vec::new();
        for edge in &interpreter.edges[lo as usize..hi as usize] {
            match interpreter.guard(edge, src) {
                Ok(true) => enabled.push(edge),
                Ok(false) => {}
                Err(trap) => {
                    // A faulty guard is the only step.
                    if at.combination > 0 {
                        return None;
                    }
                    at.combination = 1;
                    interpreter.settle(Err(trap), at, dst);
                    return Some(LOCKSTEP);
                }
            }
        }
        if enabled.is_empty() {
            return None;
        }
        let n = enabled.len() as u64;
        chosen.push(enabled[(rest % n) as usize]);
        rest /= n;
    }
    if rest > 0 || chosen.is_empty() {
        return None;
    }
    at.combination += 1;
    let r = combine(interpreter, &chosen, src, dst);
    interpreter.settle(r, at, dst);
    Some(LOCKSTEP)
}

fn combine(
    interpreter: &Interpreter,
    chosen: &[&Compiled],
    src: &[u32],
    dst: &mut [u32],
) -> Result<(), Trap> {
    dst.copy_from_slice(src);
    let mut written = vec![false; interpreter.dependencies().cells.len()];
    let mut scratch = vec![0; src.len()];
    for edge in chosen {
        scratch.copy_from_slice(src);
        interpreter.exec(edge.effect, &mut scratch, &mut [])?;
        let row = interpreter.dependencies().row(InstanceId(edge.instance), EdgeId(edge.edge));
        for c in interpreter.dependencies().writes.row(row) {
            if std::mem::replace(&mut written[c], true) {
                return Err(Trap { fault: Fault::ConflictingWrites, span: Span::default() });
            }
            match interpreter.dependencies().cells[c] {
                Access::Shared(v) => copy(interpreter, v, InstanceId(0), &scratch, dst),
                Access::Local(v, i) => copy(interpreter, v, i, &scratch, dst),
                Access::Location(i) => {
                    let field = interpreter.layout.location(i);
                    field.store(dst, field.load(&scratch));
                }
                // Offers are not looked at.
                Access::Content(_) => {}
            }
        }
    }
    Ok(())
}

fn copy(interpreter: &Interpreter, v: crate::VarId, i: InstanceId, from: &[u32], to: &mut [u32]) {
    for field in interpreter.layout.slot(v, i).fields() {
        field.store(to, field.load(from));
    }
}
