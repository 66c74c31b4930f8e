//! All move at once: each process by one edge, reading the state before.

use super::Reading;
use super::act::Mover;
use crate::evaluate::Sight;
use crate::form::{Edge, Guard, Statement, Var, Work};
use crate::ids::EdgeId;
use crate::interp::{EVERYBODY, Interpreter, Step};
use crate::machine::Fault;
use riata_system::System;

/// All combinations of edges, that of the oldest process changing fastest. Offers, ranks and priorities are not looked at.
pub(super) fn steps(interpreter: &Interpreter, s: &[u32]) -> Vec<Reading> {
    let step = |number| Step { pid: EVERYBODY, edge: EdgeId(number), partner: None };
    let see = |me| Sight { interpreter, s, me, timeout: false, asked: false };
    let mut choices: Vec<Vec<&Edge>> = Vec::new();
    for pid in 0..interpreter.processes(s) {
        match enabled(see(pid)) {
            Err(fault) => return vec![see(pid).fails(step(0), fault, Vec::new())],
            // If one cannot move, none can.
            Ok(edges) if edges.is_empty() => return Vec::new(),
            Ok(edges) => choices.push(edges),
        }
    }
    let count = choices.iter().map(Vec::len).fold(usize::from(!choices.is_empty()), usize::saturating_mul);
    let mut all = Vec::new();
    for number in 0..count as u32 {
        let mut rest = number as usize;
        let mut chosen = Vec::new();
        for edges in &choices {
            chosen.push(edges[rest % edges.len()]);
            rest /= edges.len();
        }
        let mut told = Vec::new();
        all.push(match combine(see(0), &chosen, &mut told) {
            Ok(mut to) => {
                to.truncate(interpreter.len(&to));
                Reading { step: step(number), to, fault: None, told }
            }
            Err(fault) => see(0).fails(step(number), fault, told),
        });
    }
    all
}

/// The edges that a process can take.
fn enabled<'a>(sight: Sight<'a, '_>) -> Result<Vec<&'a Edge>, Fault> {
    let i = sight.interpreter;
    let mut enabled = Vec::new();
    let (Some(of), Some(at)) = (i.type_of(sight.s, sight.me), i.location(sight.s, sight.me)) else {
        return Ok(enabled);
    };
    for edge in i.program.processes[of.index()].edges.iter().filter(|e| e.from == at) {
        let Work::Action(action) = &edge.work else { continue };
        let holds = match action.guard {
            Guard::Always => true,
            Guard::When(e) => sight.value(e)? != 0,
            Guard::Else => enabled.is_empty(),
        };
        if holds {
            enabled.push(edge);
        }
    }
    Ok(enabled)
}

/// Each moves on a copy of the state; what it has and what it assigns to is then merged.
fn combine<'a>(
    sight: Sight<'a, '_>,
    chosen: &[&'a Edge],
    told: &mut Vec<super::Told>,
) -> Result<Vec<u32>, Fault> {
    let i = sight.interpreter;
    let shape = i.shape(sight.s);
    let mut to = sight.s.to_vec();
    to.resize(i.words(), 0);
    let mut written = Vec::new();
    let mut start = i.frames.base as usize;
    for (pid, edge) in (0u32..).zip(chosen) {
        let mut mover = Mover::new(Sight { me: pid, ..sight });
        let Work::Action(action) = &edge.work else { continue };
        let early = i.program.scheduling.early;
        if early {
            mover.go(pid, edge);
        }
        let done = mover.effect(&action.effect);
        if !early {
            mover.go(pid, edge);
        }
        told.append(&mut mover.told);
        done?;
        let end = start + i.frames.types[shape.processes[pid as usize].0 as usize].words as usize;
        to[start..end].copy_from_slice(&mover.s[start..end]);
        start = end;
        let mut mine = Vec::new();
        for statement in &action.effect {
            if let Statement::Assign(place, _) = statement
                && let Var::Shared(v) = place.var
                && !mine.contains(&v)
            {
                mine.push(v);
            }
        }
        for v in mine {
            if written.contains(&v) {
                return Err(Fault::ConflictingWrites);
            }
            written.push(v);
            for field in i.frames.shared[v as usize].fields() {
                field.store(&mut to, field.load(&mover.s));
            }
        }
    }
    Ok(to)
}
